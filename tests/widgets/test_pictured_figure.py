"""A plotted figure leaves a picture: the same numbers, in a saved notebook, in nbconvert and in a page."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import bqplot
import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbconvert import HTMLExporter

from pdp_widgets import (
    GaussianAnalysis,
    GaussianModel,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    PriorAnalysis,
    lsat6,
    titanic,
)
from pdp_widgets.publish.bqplot_marks import Place
from pdp_widgets.publish.bqplot_picture import bqplot_snapshot
from pdp_widgets.publish.page import html
from pdp_widgets.widgets.pictured_figure import pictured_figure
from tests.publish.notebooks import code, markdown, notebook, output

VIEW = "application/vnd.jupyter.widget-view+json"


def analysis() -> PriorAnalysis:
    joint = lsat6()
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))


def figures() -> dict[str, Any]:
    gaussian = GaussianAnalysis(GaussianModel.equicorrelated(3, 0.3), scale=2)
    return {
        "layers": analysis().plot(),
        "adversary": analysis().plot("item 1"),
        "Gaussian layers": gaussian.plot(),
        "Gaussian adversary": gaussian.plot("x1"),
        "matrix": LocalAnalysis(titanic(), "GRR", 1.0).plot(),
    }


def shown(figure: Any) -> list[dict[str, Any]]:
    """Return the outputs of a cell that ends with the figure."""
    InteractiveShell.instance()
    with capture_output() as said:
        figure._ipython_display_()
    return [made.data for made in said.outputs]


def test_it_shows_its_picture_and_then_itself():
    figure = figures()["layers"]
    picture, view = shown(figure)
    assert picture["text/plain"] == (
        "What every adversary learns. promise GS/λ: 1; exact: 0.9833 to 1; "
        "exact, above the promise: 1.029 to 1.493."
    )
    assert view.pop("text/plain") == ""
    assert view == {VIEW: {"version_major": 2, "version_minor": 0, "model_id": figure.model_id}}
    # The picture gives way to what carries its token.
    (token,) = re.findall(r'<figure class="pdp-static pdps-([\w-]+)"', picture["text/html"])
    assert f"pdpl-{token}" in figure._dom_classes
    assert f".pdpl-{token}" in picture["text/html"]


@pytest.mark.parametrize("name", figures())
def test_nbconvert_and_a_page_hold_the_picture_with_its_numbers(name, tmp_path: Path):
    figure = figures()[name]
    outputs = [output(data) for data in shown(figure)]
    made = notebook(markdown("# Figures"), code("analysis.plot()", *outputs))
    cells = [{**cell, "id": f"cell-{k}"} for k, cell in enumerate(made["cells"])]
    saved = {**made, "nbformat_minor": 5, "cells": cells}
    exported, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(saved))
    page = html(made, tmp_path / "page.html").read_text(encoding="utf-8")
    for place in (exported, page):
        assert place.count('src="data:image/svg+xml;base64,') == 1
        assert "All numbers of this picture" in place
        assert unescape(figure.title) in unescape(place)
    assert "needs a running kernel" not in page
    assert "<script" not in page


def test_every_number_of_the_layers_stands_where_its_axis_says():
    found = analysis()
    figure = found.plot()
    svg = bqplot_snapshot(figure).svg
    # The axis of leakages: 0 and 1 stand at these heights.
    heights = {text: float(y) for y, text in re.findall(r'y="([\d.]+)">([\d.]+)<', svg)}
    nat = heights["0"] - heights["1"]
    paths = re.findall(r'<path d="([^"]*)"', svg)
    # One full turn a disc, one closed run a triangle; that of the key is the first of each kind.
    discs = max((path for path in paths if "a" in path), key=len)
    triangles = max((path for path in paths if "z" in path and "a" not in path), key=len)
    above = found.exact > found.promise * (1 + 1e-9)
    assert discs.count("z") == int((~above).sum())
    assert triangles.count("z") == int(above.sum())
    r = float(np.sqrt(36 / np.pi))
    tips = [float(y) + 1.25 * r for y in re.findall(r"M[\d.]+[ ]?(-?[\d.]+)l", triangles)]
    drawn = sorted((heights["0"] - 4 - y) / nat for y in tips)
    np.testing.assert_allclose(drawn, sorted(found.exact[above]), rtol=0, atol=0.6 / nat)


def test_a_place_on_an_axis_is_that_of_its_scale():
    linear = Place(bqplot.LinearScale(min=0.0, max=2.0), [], 100, 20)
    np.testing.assert_allclose(linear.at([0, 1, 2]), [100, 60, 20])
    free = Place(bqplot.LinearScale(), [[1.0, np.nan, 3.0]], 0, 10)
    assert free.ends == (1, 3)
    back = Place(bqplot.LinearScale(min=0.0, max=2.0, reverse=True), [], 0, 10)
    np.testing.assert_allclose(back.at([0, 2]), [10, 0])
    names = Place(bqplot.OrdinalScale(domain=["a", "b"], reverse=True), [], 100, 0)
    np.testing.assert_allclose(names.at(["a", "b", "c"]), [25, 75, np.nan])
    assert Place(bqplot.LinearScale(), [], 0, 1).ends == (0, 1)
    assert Place(bqplot.LinearScale(), [[2.0]], 0, 1).ends == (1.5, 2.5)


def test_a_heat_map_has_all_its_cells_and_says_them():
    found = LocalAnalysis(titanic(), "GRR", 1.0)
    picture = bqplot_snapshot(found.plot())
    assert picture.svg.count("<rect") == 1 + 16
    for j, k in ((0, 1), (1, 0), (3, 2)):
        assert f">{found.matrix[j, k]:.2f}<" in picture.svg
        assert f"<td>{float(f'{found.matrix[j, k]:.4g}'):g}</td>" in picture.details


def test_what_no_picture_can_hold_is_named_in_it_and_the_rest_is_drawn():
    x, y, steep = bqplot.LinearScale(), bqplot.LinearScale(), bqplot.LogScale()
    line = bqplot.Lines(x=[0, 1], y=[0, 2], scales={"x": x, "y": y}, labels=["half"], display_legend=True)
    bars = bqplot.Bars(x=[0, 1], y=[1, 2], scales={"x": x, "y": y})
    curve = bqplot.Lines(x=[0, 1], y=[1, 9], scales={"x": x, "y": steep})
    hidden = bqplot.Pie(sizes=[1], visible=False)
    axes = [bqplot.Axis(scale=x, label="x"), bqplot.Axis(scale=steep, label="steep", orientation="vertical")]
    figure = pictured_figure(title="<Mine> & yours", marks=[line, bars, curve, hidden], axes=axes)
    picture = figure.snapshot()
    assert picture.text == "<Mine> & yours. half: 0 to 2."
    assert picture.caption.startswith("Not in this picture, only in the live figure: Bars, Lines. Computed ")
    assert "&lt;Mine&gt; &amp; yours" in picture.svg
    assert "steep" not in picture.svg
    assert "<Mine>" not in picture.html


@pytest.mark.parametrize(
    ("colour", "drawn"),
    [("#123456", "#123456"), ("orange", "orange"), ("rgb(1, 2, 3)", "#8a8a8a"), (None, "#8a8a8a")],
)
def test_a_colour_is_kept_where_a_style_sheet_reads_it_as_one_word(colour, drawn):
    x = bqplot.LinearScale()
    line = bqplot.Lines(x=[0, 1], y=[0, 2], scales={"x": x, "y": x}, colors=[colour])
    assert f"stroke:{drawn}" in bqplot_snapshot(bqplot.Figure(marks=[line])).svg


def test_very_many_dots_make_no_large_picture():
    scale = bqplot.LinearScale()
    at = np.random.default_rng(1).random((2, 100_000))
    dots = bqplot.Scatter(x=at[0], y=at[1], scales={"x": scale, "y": scale})
    picture = bqplot_snapshot(bqplot.Figure(marks=[dots]))
    assert len(picture.svg) < 200_000
    assert picture.svg.count("z") < 3_000


def test_a_figure_that_fits_no_picture_is_live_all_the_same(monkeypatch):
    figure = pictured_figure(title="Broken")
    monkeypatch.setattr(type(figure), "snapshot", lambda self: 1 / 0)
    (view,) = shown(figure)
    assert view[VIEW]["model_id"] == figure.model_id


def test_a_closed_figure_shows_its_picture_alone():
    figure = figures()["layers"]
    figure.close()
    (picture,) = shown(figure)
    assert "pdp-static" in picture["text/html"]
