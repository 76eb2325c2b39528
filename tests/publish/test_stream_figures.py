"""Figures and LaTeX tables of a run, for papers."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import DomainError, MarkovChain, StreamRun
from pdp_widgets.publish.figure_stream import ShownRun, total_chart
from pdp_widgets.publish.latex_sequence import run_latex
from pdp_widgets.publish.save import figure

THREE = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]], states=["a_b", "50 %", r"\input{x}"])


@pytest.fixture
def run() -> StreamRun:
    return StreamRun.of(THREE, 0.5, ["crr", "crr_balanced", "grr2"], 80, seed=3)


def words(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("part", ["lanes", "curves", "table", "all"])
@pytest.mark.parametrize("width", ["column", "page"])
@pytest.mark.parametrize("theme", ["print", "light"])
def test_every_part_in_every_size(run: StreamRun, part: str, width: str, theme: str) -> None:
    made = figure(run, part, width=width, theme=theme)
    assert made.width == {"column": 86.0, "page": 178.0}[width]
    root = ElementTree.fromstring(made.svg)
    for element in root.iter():
        assert not any(re.search("nan|inf", value.lower()) for value in element.attrib.values())
    seen = words(made.svg)
    if part in ("lanes", "all"):
        assert "step 80" in seen
    if part in ("curves", "all"):
        assert "linear composition" in seen
    if part in ("table", "all"):
        assert "transition probabilities" in seen


def test_the_figure_says_what_its_numbers_hold_for(run: StreamRun, tmp_path: Path) -> None:
    path = run.save(tmp_path / "lanes.svg")
    text = path.read_text(encoding="utf-8")
    assert "<desc>Leakage in nats of 80 steps: CRR as printed, Balanced, Randomised 2ε; budget 0.5" in text
    assert figure(run, "lanes", width="page").svg == text


def test_the_sums_are_those_of_the_run(run: StreamRun) -> None:
    record = run.record(delta=0.01)
    lines = total_chart(run, 0.01).lines
    assert [line.name for line in lines][:3] == ["CRR as printed", "Balanced", "Randomised 2ε"]
    assert np.array_equal(lines[0].y, record.lanes["crr"].total)
    assert np.array_equal(lines[-1].y, record.advanced)
    assert "δ = 0.01" in words(figure(ShownRun(run, 0.01), "curves").svg)
    # A long run is drawn by every so many steps, the last among them.
    long = total_chart(StreamRun.of(THREE, 0.5, "grr", 1001, seed=3))
    assert len(long.lines[0].x) <= 400
    assert long.lines[0].x[-1] == 1001


def test_without_a_step_there_are_no_curves() -> None:
    empty = StreamRun.of(THREE, 0.5, "crr", 0, seed=3)
    with pytest.raises(DomainError, match="no step to draw"):
        total_chart(empty)
    with pytest.raises(DomainError, match="curves"):
        figure(empty, "curves")
    assert "nothing released" in words(figure(empty, "lanes", width="page").svg)


def test_a_table_has_a_row_for_each_mechanism(run: StreamRun) -> None:
    made = run.to_latex()
    rows = [line for line in made.splitlines() if line.count("&") == 6]
    assert len(rows) == 4
    crr = rows[1].split(" & ")
    assert crr[0] == "CRR as printed"
    assert crr[2] == str(run.totals("crr").over)
    assert rows[2].split(" & ")[3] == "never"
    assert "80 steps promise 40.00 nats in all" in made
    assert r"\label{tab:x}" in run.to_latex(["mechanism", "sum"], caption="Sums", label="tab:x")
    assert run.to_latex("sum").count("&") == 0
    with pytest.raises(DomainError, match="no column 'total'; there are mechanism"):
        run_latex(run, ["total"])
