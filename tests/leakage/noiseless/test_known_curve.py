"""The slack by the share of records known."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import AnonymityAnalysis, clinic
from pdp_widgets.errors import BudgetError, TableError
from pdp_widgets.leakage.noiseless.known_curve import KnownCurve


def curve() -> KnownCurve:
    return AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes").known_curve(1.0)


def test_more_known_is_never_less_slack() -> None:
    found = curve()
    assert found.known[0] == 0
    assert found.known[-1] == 1
    assert (np.diff(found.delta) >= 0).all()
    assert found.delta[-1] == 1
    assert found.status == "exact"


def test_its_figure_has_its_numbers() -> None:
    found = curve()
    chart = found._figures()["known"]()
    assert chart.series[0].name == "exact, any event"
    assert chart.series[0].x.tolist() == found.known.tolist()
    assert (10 ** chart.series[0].y).tolist() == pytest.approx(found.delta.tolist())
    assert chart.x.label == "share of the records known"
    assert chart.note == "Published: count of diabetes = yes."


def test_shares_in_any_order_are_drawn_from_left_to_right() -> None:
    found = KnownCurve(np.array([1.0, 0.0, 0.5]), np.array([1.0, 0.1, 0.3]), 1.0, "a count")
    assert found._figures()["known"]().series[0].x.tolist() == [0.0, 0.5, 1.0]


def test_a_curve_has_a_slack_for_each_share() -> None:
    with pytest.raises(TableError, match="one slack for each share"):
        KnownCurve(np.array([0.0, 1.0]), np.array([0.1]), 1.0, "a count")
    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes")
    for shares in ([], [[0.1]]):
        with pytest.raises(BudgetError, match="at least one share"):
            found.known_curve(1.0, shares)  # type: ignore[arg-type]
