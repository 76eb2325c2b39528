"""A plotted figure leaves a picture, its declaration drawn: in a saved notebook, in nbconvert, in a page."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbconvert import HTMLExporter

from pdp_widgets.core.chart import Axis, Cells, Chart, Level, Series
from pdp_widgets.publish.page import html
from pdp_widgets.widgets.chart_figure import chart_figure
from tests.publish.notebooks import code, markdown, notebook, output

VIEW = "application/vnd.jupyter.widget-view+json"
CHART = Chart(
    "<Mine> & yours",
    [Series("half", [0, 1], [0, 0.5]), Series("double", [0, 1], [0, 2], "dots")],
    Axis("x"),
    Axis("y, nats"),
    [Level("promise", 1.0)],
)
CELLS = Cells("Leakage", ["a", "b"], ["a", "b"], [[np.nan, 0.1], [0.2, np.nan]], "source", "secret")


def shown(figure: Any) -> list[dict[str, Any]]:
    """Return the outputs of a cell that ends with the figure."""
    InteractiveShell.instance()
    with capture_output() as said:
        figure._ipython_display_()
    return [made.data for made in said.outputs]


def test_it_shows_its_picture_and_then_itself() -> None:
    figure = chart_figure(CHART)
    picture, view = shown(figure)
    assert picture["text/plain"] == "<Mine> & yours: half 0 to 0.5; double 0 to 2."
    assert view.pop("text/plain") == ""
    assert view == {VIEW: {"version_major": 2, "version_minor": 0, "model_id": figure.model_id}}
    # The picture gives way to what carries its token.
    (token,) = re.findall(r'<figure class="pdp-static pdps-([\w-]+)"', picture["text/html"])
    assert f"pdpl-{token}" in figure._dom_classes
    assert f".pdpl-{token}" in picture["text/html"]


def test_two_figures_of_one_chart_do_not_hide_each_other() -> None:
    tokens = {name for _ in range(2) for name in chart_figure(CHART)._dom_classes if "plot-" in name}
    assert len(tokens) == 2


@pytest.mark.parametrize(("declared", "numbers"), [(CHART, ["0.500", "2"]), (CELLS, ["0.100", "0.200"])])
def test_nbconvert_and_a_page_hold_the_picture_with_its_numbers(
    declared: Any, numbers: list[str], tmp_path: Path
) -> None:
    figure = chart_figure(declared)
    outputs = [output(data) for data in shown(figure)]
    made = notebook(markdown("# Figures"), code("analysis.plot()", *outputs))
    cells = [{**cell, "id": f"cell-{k}"} for k, cell in enumerate(made["cells"])]
    saved = {**made, "nbformat_minor": 5, "cells": cells}
    exported, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(saved))
    page = html(made, tmp_path / "page.html").read_text(encoding="utf-8")
    for place in (exported, page):
        assert place.count('src="data:image/svg+xml;base64,') == 1
        assert all(f"<td>{number}</td>" in place for number in numbers)
        assert figure.title in unescape(unescape(place))
    assert "needs a running kernel" not in page
    assert "<script" not in page


def test_the_picture_is_that_of_the_declaration_whatever_becomes_of_the_figure() -> None:
    figure = chart_figure(CHART, title="Another heading")
    before = figure.snapshot()
    figure.marks = figure.marks[:1]
    figure.marks[0].y = np.array([5.0, 5.0])
    assert figure.snapshot() == before
    assert figure.declaration is CHART


def test_several_have_one_picture() -> None:
    column = chart_figure([CELLS, CHART])
    picture, view = shown(column)
    assert picture["text/plain"] == "Leakage: 0.1 to 0.2. <Mine> & yours: half 0 to 0.5; double 0 to 2."
    assert view[VIEW]["model_id"] == column.model_id
    (token,) = re.findall(r'<figure class="pdp-static pdps-([\w-]+)"', picture["text/html"])
    assert f"pdpl-{token}" in column._dom_classes


def test_a_figure_that_fits_no_picture_is_live_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = chart_figure(CHART)
    monkeypatch.setattr(type(figure), "snapshot", lambda self: 1 / 0)
    (view,) = shown(figure)
    assert view[VIEW]["model_id"] == figure.model_id


def test_a_closed_figure_shows_its_picture_alone() -> None:
    figure = chart_figure(CHART)
    figure.close()
    (picture,) = shown(figure)
    assert "pdp-static" in picture["text/html"]
