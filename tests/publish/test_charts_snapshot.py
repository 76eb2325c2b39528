"""Declared charts as a static picture: sentence, drawings, numbers, and one sheet."""

from __future__ import annotations

import re
import sys
from datetime import date
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from playwright.sync_api import Browser

from pdp_widgets import DomainError, PdpError
from pdp_widgets.dependent import accuracy_curve, budget_curve
from pdp_widgets.publish import Axis, Cells, Chart, Level, Series, Snapshot, charts_snapshot, render
from tests.publish.test_snapshot import images, readable

DAY = date(2026, 11, 28)
X = np.linspace(-2.0, 4.0, 61)


def chart(n: int = 3, **more: Any) -> Chart:
    lines = [Series(f"curve {k}", X, np.tanh(X * (k + 1))) for k in range(n)]
    return Chart("Some curves", lines, Axis("released number r"), Axis("nats"), **more)


def made(*charts: Chart | Cells, **more: Any) -> Snapshot:
    return charts_snapshot(charts, day=DAY, **more)


def test_every_series_is_drawn_named_and_has_its_numbers() -> None:
    shot = made(chart(), chart(6), title="All of it")
    assert len(images(shot.html)) == 2
    for k in range(6):
        assert f"curve {k}" in shot.svg
        assert f"curve {k}" in readable(shot.html)
    assert "curve 0 −0.964 to 0.9993" in shot.text
    assert "Computed 28 November 2026" in shot.caption
    assert "<script" not in shot.html


def test_cells_are_drawn_with_their_numbers() -> None:
    shot = made(Cells("Leakage", ["a", "b"], ["c", "d"], [[0, 0.125], [0.25, 0.5]], "source", "secret"))
    assert "0.125" in shot.svg
    assert "Leakage" in shot.text


def test_the_sentence_says_what_is_measured_not_where_names_and_exponents_stand() -> None:
    rows = Chart("Rows", [Series("own", [0.5, 2], [0, 1])], Axis("nats"), Axis("", names=("Ann", "Bob")))
    powers = Chart("Slacks", [Series("exact", [1, 2], [-2, 0])], Axis("ε"), Axis("δ", powers=True))
    assert made(rows, powers).text == "Rows: own 0.5 to 2. Slacks: exact 0.01 to 1."


def test_numbers_in_place_of_a_drawing_tell_their_places_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_drawn", Mock(side_effect=render.EngineError("none")))
    x = [1995.1, 1995.2, np.nan, np.nan]
    density = Chart("Density", [Series("one", x, [0.5, 1, 2, 3])], Axis("r"), Axis(""))
    with pytest.warns(RuntimeWarning, match="none"):
        shot = made(density)
    assert [f"one, at {at}" in readable(shot.html) for at in ("1,995.1", "1,995.2")] == [True, True]


def test_what_is_too_large_says_so_and_gives_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_drawers", [])
    monkeypatch.setattr(render, "_SECONDS", 0.2)
    names = [f"place {k}" for k in range(200)]
    line = Series("one", np.arange(1e5), np.arange(1e5), "dots", low=np.zeros(100_000))
    large = [Cells("Pairs", names, names, np.ones((200, 200))), Chart("Lines", [line], Axis("x"), Axis("y"))]
    said = (
        r'takes more than 0.2 seconds: "Pairs" has 200 by 200 cells; "Lines" has 100,000 points. Draw a part'
    )
    with pytest.warns(RuntimeWarning, match=said):
        shot = made(*large)
    assert "Pairs: place 0, place 1" in readable(shot.html)


def test_a_chart_just_drawn_is_not_called_an_old_picture() -> None:
    shot = made(chart())
    assert "Run the cell again" not in shot.html
    # Beside a live view the picture is what stays when the view is gone.
    assert "Run the cell again" in shot.to_html("abc")


def test_one_chart_needs_no_list() -> None:
    assert charts_snapshot(chart(), day=DAY) == made(chart())


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(DomainError, match="no chart to draw"):
        charts_snapshot([])


def test_nothing_runs_over_the_edge(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    panels = [chart(5, levels=[Level("a promise with a rather long name", 0.5)]) for _ in range(3)]
    page.set_content(f"<!doctype html>{made(*panels, title='Long ' * 60).svg}")
    found = page.evaluate(
        """() => {
          const room = document.querySelector("svg").getBoundingClientRect();
          return [...document.querySelectorAll("text")].filter(text => {
            const box = text.getBoundingClientRect();
            return box.right > room.right || box.left < room.left || box.bottom > room.bottom;
          }).map(text => text.textContent);
        }"""
    )
    assert found == []
    page.close()


def test_without_an_engine_the_gaps_of_lines_are_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_drawers", [])
    monkeypatch.setitem(sys.modules, "quickjs", None)
    line = Series("s", [1, np.nan, 2], [0, np.nan, 1])
    moved = Series("m", [1.3], [0.2], "dots").telling(x=[1], y=[0])
    with pytest.warns(RuntimeWarning, match="quickjs-ng"):
        shot = made(Chart("t", [line, moved], Axis("x"), Axis("", names=("a", "b"))))
    assert re.findall(r"<tr><th>([^<]*)</th><td>([^<]*)</td>", shot.html) == [
        *(("s, a", "1"), ("s, b", "2"), ("m, a", "1")),
    ]


def test_what_is_shown_can_be_written_to_a_file() -> None:
    with pytest.raises(PdpError, match="half a character"):
        accuracy_curve({"a\ud800b": 1.0})
    with pytest.raises(PdpError, match="half a character"):
        budget_curve({"a\ud800b": 1.0})
