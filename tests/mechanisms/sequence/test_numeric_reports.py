"""Reports of numbers: densities, unbiasedness, privacy, and the stand-in that is made of them."""

import math

import numpy as np
import pytest

from pdp_widgets import BudgetError, TableError
from pdp_widgets.mechanisms.sequence.numeric_reports import (
    HybridReport,
    PiecewiseReport,
    RoundedReport,
    SquareWave,
)
from pdp_widgets.streams import TruncatedReports

UNIFORMS = (np.arange(200_000) + 0.5) / 200_000


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 4.0, 20.0])
@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_square_waves(epsilon, value):
    wave = SquareWave(epsilon)
    assert wave.near / wave.far == pytest.approx(math.exp(epsilon), rel=1e-9)
    assert 2 * wave.half_width * wave.near + wave.far == pytest.approx(1)
    reports = wave.release(np.full(UNIFORMS.shape, value), UNIFORMS)
    assert reports.min() >= -wave.half_width - 1e-9
    assert reports.max() <= 1 + wave.half_width + 1e-9
    near = np.abs(reports - value) <= wave.half_width
    assert near.mean() == pytest.approx(2 * wave.half_width * wave.near, abs=1e-4)
    if 0 < value < 1:
        assert np.mean(reports < value - wave.half_width) == pytest.approx(value * wave.far, abs=1e-4)
    table = wave.transition(16)
    assert table.sum(axis=0) == pytest.approx(1)
    assert (table > 0).all()


def test_the_half_width_has_no_jump_where_its_series_ends():
    low, high = SquareWave(1e-3 * (1 - 1e-9)).half_width, SquareWave(1e-3 * (1 + 1e-9)).half_width
    assert low == pytest.approx(high, abs=1e-9)
    assert SquareWave(300.0).half_width > 0


@pytest.mark.parametrize("epsilon", [0.2, 0.61, 0.62, 1.0, 5.0])
@pytest.mark.parametrize("value", [-1.0, -0.4, 0.0, 1.0])
def test_reports_are_unbiased_and_have_the_stated_variance(epsilon, value):
    values = np.full(UNIFORMS.shape, value)
    for report in (RoundedReport(epsilon), PiecewiseReport(epsilon)):
        reports = report.release(values, UNIFORMS)
        scale = np.abs(reports).max()
        assert reports.mean() == pytest.approx(value, abs=1e-4 * scale)
        assert reports.var() == pytest.approx(float(report.variance(value)), rel=1e-3, abs=1e-4)
    hybrid = HybridReport(epsilon)
    noisy = hybrid.release(values, np.random.default_rng(0))
    assert noisy.mean() == pytest.approx(value, abs=5 * math.sqrt(hybrid.worst_variance / len(values)))
    assert noisy.var() <= hybrid.worst_variance * 1.03


def test_piecewise_reports_are_private():
    for epsilon in (0.5, 2.0):
        report = PiecewiseReport(epsilon)
        start, end = report.interval([-1.0, 1.0])
        assert [float(start[0]), float(end[1])] == pytest.approx([-report.bound, report.bound])
        mass = (end - start) * report.high + (2 * report.bound - (end - start)) * report.low
        assert mass == pytest.approx(1)
        assert report.high / report.low == pytest.approx(math.exp(epsilon))
        rounded = RoundedReport(epsilon)
        assert rounded.chance(1.0) / rounded.chance(-1.0) == pytest.approx(math.exp(epsilon))


def test_the_stand_in_finds_a_threshold_for_what_is_there():
    rng = np.random.default_rng(5)
    low = rng.binomial(100, 0.05, (2_000, 12))
    high = rng.binomial(100, 0.7, (2_000, 12))
    found = [TruncatedReports(5.0).release(streams, 100, rng=1) for streams in (low, high)]
    assert found[0].threshold < 25
    assert found[1].threshold > 55
    for release in found:
        assert release.released.shape == (2_000, 2)
        assert (release.released >= 0).all()
        assert (release.released <= release.threshold + 1).all()
        assert release.histogram.sum() == pytest.approx(1)
    middles = (np.arange(64) + 0.5) / 64 * 100
    assert found[1].histogram @ middles == pytest.approx(70, abs=4)
    again = TruncatedReports(5.0).release(low, 100, rng=1)
    assert (again.released == found[0].released).all()


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, 400, "1"])
def test_budgets(epsilon):
    for kind in (SquareWave, RoundedReport, PiecewiseReport, HybridReport, TruncatedReports):
        with pytest.raises(BudgetError, match="epsilon is"):
            kind(epsilon)


@pytest.mark.parametrize(
    ("streams", "largest", "message"),
    [
        ([[1, 2]], 4, r"shape \(1, 2\); give a row for each person, with more than 3 steps"),
        ([1, 2, 3, 4], 4, r"shape \(4,\)"),
        ([[1, 2, 3, 5]], 4, "values must be numbers from 0 to 4"),
        ([[1, 2, 3, math.nan]], 4, "values must be numbers from 0 to 4"),
        ([[1, 2, 3, 4]], 0, "The largest value is 0; it must be a finite number above 0"),
        ([["a", 2, 3, 4]], 4, "must be numbers"),
    ],
)
def test_wrong_streams(streams, largest, message):
    with pytest.raises(TableError, match=message):
        TruncatedReports(1.0, first=3).release(streams, largest)


def test_wrong_values():
    with pytest.raises(TableError, match="values must be numbers from 0 to 1"):
        SquareWave(1.0).release([1.5], [0.5])
    with pytest.raises(TableError, match="values must be numbers from -1 to 1"):
        PiecewiseReport(1.0).interval([2.0])
    with pytest.raises(BudgetError, match="first is 0"):
        TruncatedReports(1.0, first=0)


def test_the_stand_in_says_whose_it_is_and_in_which_manner():
    assert "stand-in for ToPS" in TruncatedReports.label
    assert "ToPL-style" in TruncatedReports.label
    said = " ".join((TruncatedReports.__doc__ or "").split())
    assert "No curve of this class is a curve of the paper" in said
