"""All reports together at many budgets are those of each budget by itself."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import RAPPOR, AttributeTable, LocalAnalysis, titanic
from pdp_widgets.leakage.local.all_reports import reports_curve, reports_curve_seconds
from pdp_widgets.leakage.local.leakage_curve import budget_end
from pdp_widgets.local import all_reports

LEVELS = [0.0, 0.3, 1.0, 2.5, 8.0]


def gappy() -> AttributeTable:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, (200, 3))
    codes[:, 1] = np.where(rng.random(200) < 0.6, codes[:, 0], codes[:, 1])
    codes[rng.random((200, 3)) < 0.2] = -1
    return AttributeTable(codes, domains=[["a", "b", "c"]] * 3)


@pytest.mark.parametrize("mechanism", ["GRR", "EXP", "OUE", "OLH", "SHE", "SS", "generic"])
@pytest.mark.parametrize("data", [titanic(), gappy()], ids=["titanic", "gaps"])
@pytest.mark.parametrize("longest", [float("inf"), 0])
def test_each_budget_has_the_number_of_all_reports(mechanism, data, longest):
    analysis = LocalAnalysis(data, mechanism, 1.0)
    for secret in range(len(analysis.names)):
        found = reports_curve(analysis, secret, LEVELS, longest)
        assert found is not None
        assert found.exact == (longest > 0)
        assert found.secret == analysis.names[secret]
        for level, value in zip(LEVELS, found.values, strict=True):
            alone = all_reports(analysis.at(level), longest)
            expected = (alone.exact if found.exact else alone.bound)[secret]
            assert value == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_guesses_are_read_as_guesses():
    analysis = LocalAnalysis(titanic(), "OUE", 1.0, output="inferred")
    found = reports_curve(analysis, 3, [1.0, 2.0])
    assert found.values.tolist() == pytest.approx(
        [all_reports(analysis.at(level)).exact[3] for level in (1.0, 2.0)], rel=1e-9
    )


def test_bounds_are_never_below_exact_values_nor_above_the_sum_of_budgets():
    analysis = LocalAnalysis(gappy(), "SS", 1.0)
    exact, bound = (reports_curve(analysis, 0, LEVELS, longest).values for longest in (np.inf, 0))
    assert (bound >= exact - 1e-12).all()
    assert (bound <= 3 * np.array(LEVELS) + 1e-12).all()


def test_what_has_no_budget_or_takes_long_has_no_curve():
    assert reports_curve(LocalAnalysis(titanic(), RAPPOR(0.5, 0.5, 0.75)), 0, LEVELS) is None
    rng = np.random.default_rng(0)
    wide = AttributeTable(rng.integers(0, 60, (4000, 3)), domains=[[str(k) for k in range(60)]] * 3)
    analysis = LocalAnalysis(wide, "OUE", 1.0)
    assert reports_curve(analysis, 0, LEVELS) is None
    assert reports_curve_seconds(analysis, 0, len(LEVELS), 1.0) < 0.1


def test_progress_can_cancel():
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    for longest in (np.inf, 0):
        with pytest.raises(KeyboardInterrupt):
            reports_curve(LocalAnalysis(titanic(), "GRR", 1.0), 0, LEVELS, longest, stop)


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 3.8, 3.81, 7.3, 14.5, 99.0, 1e6, 7e307, 1e308])
def test_the_axis_has_room_for_the_budget(epsilon):
    end = budget_end(epsilon)
    assert end >= epsilon
    assert end <= max(4.0, 2.2 * epsilon)
    assert np.isfinite(end)
