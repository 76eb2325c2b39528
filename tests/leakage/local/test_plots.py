"""Figures of local privacy hold the numbers they are about."""

import math
import re

import numpy as np
import pytest

from pdp_widgets import RAPPOR, AttributeTable, DomainError, LocalAnalysis
from pdp_widgets.core.chart import nats
from pdp_widgets.leakage.local.leakage_curve import leakage_curve
from pdp_widgets.local import compare_utility, comparison_plane
from pdp_widgets.mechanisms.local.randomised_response import GRR
from pdp_widgets.models.counts import titanic
from pdp_widgets.publish import charts_snapshot


def drawn(analysis, *pair):
    return {name: draw() for name, draw in analysis._figures(*pair).items()}


@pytest.mark.parametrize(
    ("output", "row", "seen"),
    [("raw", "report of", "raw reports, exact"), ("inferred", "guess of", "a lower bound for raw reports")],
)
def test_the_matrix_has_sources_down_and_secrets_across(output, row, seen):
    analysis = LocalAnalysis(titanic(), "OUE", 1.5, output=output)
    cells = drawn(analysis)["matrix"]
    off = ~np.eye(4, dtype=bool)
    assert np.array_equal(cells.values[off], analysis.matrix[off])
    assert np.isnan(np.diag(cells.values)).all()
    assert cells.rows == cells.columns == analysis.names
    assert (cells.down, cells.across, cells.top) == (row, "about the secret", 1.5)
    assert "OUE, ε = 1.5" in cells.note
    assert seen in cells.note


def test_the_chosen_pair_in_full():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    figures = drawn(analysis, "class", "survived")
    found, rows = analysis.pair("class", "survived"), figures["rows"]
    assert rows.title == "class, by survived"
    assert rows.y.names == ("1st", "2nd", "3rd", "crew")
    _, less, more = rows.series
    assert (more.name, less.name) == ("if survived is yes", "if survived is no")
    assert more.y.tolist() == [0, 1, 2, 3]
    assert (more.x.tolist(), less.x.tolist()) == tuple(map(list, found.rows))
    assert [bool(text) for text in more.labels] == [True, False, False, False]
    assert rows.note.startswith(
        "The worst report is 1.307 = e^0.268 times as likely if survived is yes as if"
    )
    curves = figures["curves"]
    _, there, back = curves.series
    assert (there.name, back.name) == ("class about survived", "survived about class")
    assert np.array_equal(there.y, analysis.curve("class", "survived", there.x).values)
    assert np.array_equal(back.y, analysis.curve("survived", "class", back.x).values)
    assert ("ε = 1", 1.0, "x") in [(one.name, one.at, one.along) for one in curves.levels]


@pytest.mark.parametrize(
    ("analysis", "parts"),
    [
        (lambda: LocalAnalysis(titanic(), "GRR", math.inf), ["matrix", "rows", "curves"]),
        (lambda: LocalAnalysis(titanic(), "GRR", 0.0), ["matrix", "curves"]),
        (lambda: LocalAnalysis(titanic(), RAPPOR(0.5, 0.5, 0.75)), ["matrix", "rows"]),
        (lambda: LocalAnalysis(titanic().marginal(["age"]), "GRR", 1.0), ["matrix"]),
        (lambda: LocalAnalysis(AttributeTable(np.tile(np.arange(60), (2, 1)).T), "GRR", 1.0), None),
    ],
    ids=["no noise", "no budget", "no budget to set", "one attribute", "many symbols"],
)
def test_there_is_what_can_be_drawn(analysis, parts):
    figures = drawn(analysis())
    assert list(figures) == (parts or ["matrix", "rows", "curves"])
    if parts is None:
        assert len(figures["rows"].y.names) == 9
        assert figures["rows"].note.endswith("9 of 60 symbols, those that differ most.")


def test_an_infinite_leakage_is_said_and_one_name_of_a_pair_is_refused(tmp_path):
    endless = LocalAnalysis(np.eye(2) / 2, "GRR", math.inf)
    figures = drawn(endless)
    assert figures["matrix"].declared()["values"] == [[None, "Infinity"], ["Infinity", None]]
    assert figures["rows"].note.startswith("The worst report is only possible if x2 is 0, not if x2 is 1.")
    with pytest.raises(DomainError, match="give both, or none"):
        endless.save(tmp_path / "x.svg", source="x1")


@pytest.mark.parametrize(("table", "levels"), [([[0.5, 0.5], [0.1, 0.9]], 1), ([[1.0, 0.0], [0.2, 0.8]], 0)])
@pytest.mark.parametrize(
    ("output", "seen"), [("raw", "raw reports, exact"), ("inferred", "guesses, a lower")]
)
def test_a_curve_with_its_limits(table, levels, output, seen):
    curve = leakage_curve(table, GRR(1.0), [4.0, 0.0, 1.0, 1.0, 2.0, math.inf], output)
    chart = curve._figures()["curves"]()
    promise, line = chart.series
    # With an infinite budget all is said that is to be said: in the table, and in words.
    assert line.x.tolist() == [0.0, 1.0, 2.0, 4.0, math.inf]
    assert np.array_equal(line.y, curve.evaluate(line.x))
    assert chart.note == f"Leakage with an infinite budget: {nats(curve.saturation)}."
    assert line.name.startswith(f"GRR, {seen}")
    assert (promise.x.tolist(), promise.colour) == (promise.y.tolist(), "promise")
    assert [level.at for level in chart.levels] == [curve.saturation][:levels]
    with pytest.raises(DomainError, match="finite budgets"):
        leakage_curve(table, GRR(1.0), [math.inf])._figures()["curves"]()


def test_an_infinite_leakage_is_in_the_picture():
    class Certain(GRR):
        """Says the truth from a budget of 3 on."""

        def with_epsilon(self, epsilon):
            return Certain(epsilon if epsilon < 3 else math.inf)

    curve = leakage_curve([[1.0, 0.0], [0.2, 0.8]], Certain(1.0), [1.0, 2.0, 3.0, 4.0])
    assert np.isinf(curve.values).tolist() == [False, False, True, True]
    drawn = charts_snapshot(curve._figures()["curves"]())
    assert re.findall(r"<td>([\d.]+)</td><td>∞</td>", drawn.html) == ["3", "4"]


def test_planes_have_a_point_for_each_way():
    plane = comparison_plane(titanic(), 1.0)
    (points,) = plane._figures()["plane"]().series
    assert points.x.tolist() == [point.under for point in plane.points]
    assert points.y.tolist() == [point.over for point in plane.points]
    assert list(points.labels) == [point.name for point in plane.points]
    comparison = compare_utility(titanic(), 1.0)
    figures = drawn(comparison)
    assert list(figures) == ["frequency", "0-1"]
    for error, value in (("frequency", "frequency_nmse"), ("0-1", "error01")):
        raw, guesses = figures[error].series
        for mark, output in ((raw, "raw"), (guesses, "inferred")):
            wanted = [p for p in comparison.points if p.output == output]
            assert mark.y.tolist() == [getattr(p, value) for p in wanted]
            assert mark.x.tolist() == [p.normalised for p in wanted]
        # A report that is a symbol is its own guess: both points lie in one place, and the name stands once.
        assert list(guesses.labels[:3]) == ["", "", "OUE"]
        # A table says of each point whose it is.
        assert list(guesses.told.labels) == [point.mechanism.name for point in wanted]
    with pytest.raises(DomainError, match="error is 'mean'"):
        comparison.plot("mean")


def test_nothing_to_draw():
    nothing = compare_utility(titanic().table, 1.0, ["GRR"])
    assert list(nothing._figures()) == ["0-1"]
    with pytest.raises(DomainError, match="give records=, or draw the error '0-1'"):
        nothing.plot()
    with pytest.raises(DomainError, match="No mechanism has a leakage"):
        compare_utility(titanic().table, 1.0, ["generic"])._figures()


def test_the_promise_is_seen_where_nothing_leaks():
    chart = leakage_curve([[0.25, 0.25], [0.25, 0.25]], "GRR", [0.0, 1.0, 2.0])._figures()["curves"]()
    assert chart.series[0].x.tolist() == chart.series[0].y.tolist() == [0.0, 2.0]
