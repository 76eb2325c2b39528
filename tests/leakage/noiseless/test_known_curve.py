"""The slack by the share of records known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pdp_widgets import AnonymityAnalysis, clinic
from pdp_widgets.errors import BudgetError, TableError
from pdp_widgets.leakage.noiseless.known_curve import KnownCurve
from pdp_widgets.publish.slack_parts import known_chart


def curve() -> KnownCurve:
    return AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes").known_curve(1.0)


def test_more_known_is_never_less_slack() -> None:
    found = curve()
    assert found.known[0] == 0
    assert found.known[-1] == 1
    assert (np.diff(found.delta) >= 0).all()
    assert found.delta[-1] == 1
    assert found.status == "exact"


def test_it_is_drawn_as_it_is_in_a_notebook_and_in_a_figure(tmp_path: Path) -> None:
    found = curve()
    line = found.plot().marks[0]
    assert line.x.tolist() == found.known.tolist()
    assert line.y.tolist() == found.delta.tolist()
    chart = known_chart(found)
    assert chart.lines[0].y.tolist() == found.delta.tolist()
    svg = found.save(tmp_path / "known.svg", width="column").read_text()
    assert "share of the records known" in svg
    assert "count of diabetes = yes" in svg


def test_shares_in_any_order_are_drawn_from_left_to_right() -> None:
    found = KnownCurve(np.array([1.0, 0.0, 0.5]), np.array([1.0, 0.1, 0.3]), 1.0, "a count")
    assert found.plot().marks[0].y.tolist() == [0.1, 0.3, 1.0]
    assert known_chart(found).lines[0].x.tolist() == [0.0, 0.5, 1.0]


def test_a_curve_has_a_slack_for_each_share() -> None:
    with pytest.raises(TableError, match="one slack for each share"):
        KnownCurve(np.array([0.0, 1.0]), np.array([0.1]), 1.0, "a count")
    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes")
    for shares in ([], [[0.1]]):
        with pytest.raises(BudgetError, match="at least one share"):
            found.known_curve(1.0, shares)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_level_curve_can_be_drawn(value: float) -> None:
    found = KnownCurve(np.array([0.0, 1.0]), np.full(2, value), 1.0, "a count")
    low, high = known_chart(found).y_range or (0, 0)
    assert low == 0 < high
    assert found.plot().marks[0].scales["y"].max > value
