"""The curve of all reports about the chosen secret, as an explorer sends it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pdp_widgets import LocalExplorer, titanic
from pdp_widgets.local import all_reports


def curve(explorer: LocalExplorer) -> tuple[int, np.ndarray, np.ndarray, bool]:
    sent: dict[str, Any] = explorer._view["results"]["reports"]
    numbers = (np.frombuffer(sent[key], "<f8") for key in ("epsilon", "values"))
    return (sent["secret"], *numbers, sent["exact"])


def test_it_is_about_the_chosen_secret_and_goes_through_what_all_reports_say() -> None:
    explorer = LocalExplorer(titanic(), "GRR", 1.0, source="class", secret="survived")
    for secret, output, mechanism in ((3, "raw", "GRR"), (1, "raw", "GRR"), (1, "inferred", "OUE")):
        explorer.secret, explorer.mechanism, explorer.output = titanic().names[secret], mechanism, output
        place, levels, values, exact = curve(explorer)
        assert (place, exact, levels[-1]) == (secret, True, 4.0)
        now = all_reports(explorer.results).exact[secret]
        assert values[levels.tolist().index(1.0)] == pytest.approx(now, rel=1e-9)
        assert (np.diff(values) > 0).all()


def test_a_drag_keeps_the_same_curve_until_its_end() -> None:
    explorer = LocalExplorer(titanic(), "GRR", 1.0)
    first = explorer._core.reports_curve
    explorer.epsilon = 3.0
    assert explorer._core.reports_curve is first
    explorer.epsilon = 6.0
    assert curve(explorer)[1][-1] == 8.0


def test_without_a_budget_or_a_pair_there_is_none() -> None:
    explorer = LocalExplorer(titanic(), "RAPPOR")
    assert explorer._view["results"]["reports"] is None
    assert LocalExplorer(titanic(), attributes=["age"])._view["results"]["reports"] is None


def test_the_picture_names_what_kind_of_number_it_is() -> None:
    explorer = LocalExplorer(titanic(), "GRR", 1.0, source="class", secret="survived")
    shot = explorer.snapshot()
    assert "All four reports about survived, exact" in shot.html
