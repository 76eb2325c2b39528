"""Figures and LaTeX tables of a run, for papers."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import DomainError, MarkovChain, StreamRun, StreamSimulator
from pdp_widgets.publish.figure_stream import LANES_LEAST, ShownRun, total_chart
from pdp_widgets.publish.labels import width as text_width
from pdp_widgets.publish.latex_sequence import run_latex
from pdp_widgets.publish.save import figure
from pdp_widgets.publish.stream_lanes_figure import axis_places, steps_in
from pdp_widgets.publish.stream_snapshot import stream_case
from pdp_widgets.publish.stream_window import LINES
from pdp_widgets.publish.stream_wording import status_words

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


TWO = MarkovChain.symmetric(0.9, ["dry", "wet"])
MOODS = MarkovChain(THREE.transitions, states=["well", "tired", "ill"])
LANES = ["crr", "crr_balanced", "crr_trimmed", "grr2"]


def room_of(width: float) -> float:
    """Return the room that a figure of some mm has, px."""
    return max(width / 25.4 * 72 / 0.6, LANES_LEAST) - 3


@pytest.mark.parametrize("width", [72, 86, 104, 127, 178, 250])
@pytest.mark.parametrize("lanes", [1, 2, 3, 4])
@pytest.mark.parametrize("chain", [TWO, MOODS], ids=["two", "three"])
def test_lanes_of_any_width_say_all_and_draw_every_step(chain: MarkovChain, lanes: int, width: float) -> None:
    run = StreamRun.of(chain, 1.0, LANES[:lanes], 80, seed=7)
    seen = words(figure(run, "lanes", width=width).svg)
    assert "…" not in seen
    for lane in stream_case(run).lanes:
        assert status_words(lane, 80) in seen
    for word in ("step", "leakage", "promise", "wrong release", "over the promise"):
        assert word in seen
    if chain is TWO:
        assert "CRR keeps its promise: 0.269 to 0.731" in seen
    else:
        assert "belief from 0 to 1" in seen
    shown = steps_in(run, stream_case(run), room_of(width))
    assert (shown.first, shown.steps) == (0, 80)
    assert "the last" not in seen


def test_steps_that_have_no_room_are_left_out_and_counted() -> None:
    run = StreamRun.of(TWO, 1.0, "crr", 1000, seed=7)
    narrow, wide = (steps_in(run, stream_case(run), room).steps for room in (400.0, 840.0))
    assert 80 <= narrow < wide < 1000
    assert re.search(r"the last \d+ of 1,000 steps", words(figure(run, "lanes").svg))


@pytest.mark.parametrize("width", ["column", "page"])
def test_a_change_of_the_chain_is_named_at_any_width(width: str) -> None:
    stream = StreamSimulator(TWO, 1.0, "crr", rng=7, steps=40)
    stream.value = MarkovChain.symmetric(0.6, ["dry", "wet"])
    stream.run(20)
    assert "stay 0.6 from step 41" in words(figure(stream.results, "lanes", width=width).svg)


@pytest.mark.parametrize("steps", [0, 1, 7, 80, 99, 100, 101, 333])
@pytest.mark.parametrize("width", [72, 86, 178])
def test_numbers_of_steps_stand_apart(steps: int, width: float) -> None:
    run = StreamRun.of(THREE, 0.5, "crr", steps, seed=3)
    room = room_of(width)
    axis = list(axis_places(steps_in(run, stream_case(run), room), room).items())
    assert len(axis) >= 2
    assert axis[-1][0] == max(steps, 20)
    for (first, left), (last, right) in pairwise(axis):
        assert right - left > (text_width(f"{first:,}") + text_width(f"{last:,}")) / 2 + 4
    seen = words(figure(run, "lanes", width=width).svg)
    assert f"{axis[-1][0]:,}" in seen


def stroke_of(svg: str, part: str) -> list[tuple[str, ...]]:
    """Return colour and dashes of every line of a chart, by their classes, in the order drawn."""
    root = ElementTree.fromstring(svg)
    css = "".join(style.text or "" for style in root.iter() if style.tag.endswith("style"))
    rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", css))
    found = []
    for path in root.iter():
        if path.tag.endswith("path") and re.fullmatch(part, path.attrib["d"]):
            whole = ";".join(rules[name] for name in path.attrib["class"].split())
            found.append(tuple(re.findall(r"(?:stroke|dasharray):([^;]+)", whole)))
    return found


def test_a_mechanism_keeps_its_colour_in_the_curves_as_in_the_lanes() -> None:
    stream = StreamSimulator(TWO, 1.0, ["crr", "crr_balanced", "grr2"], rng=7, steps=30)
    stream.lanes = ["grr2", "optimum", "crr_balanced"]
    run, lines = stream.results, stream._core.lines
    places = [lines[key] for key in run.mechanisms]
    assert places != sorted(places)
    chart = total_chart(run, lines=lines)
    assert [line.style for line in chart.lines[:3]] == [LINES[place] for place in places]
    assert {line.style[0] for line in chart.lines[3:] if line.style} == {"promise"}
    lanes = stroke_of(figure(ShownRun(run, lines=lines), "lanes").svg, r"M0 [\d.]+h18")
    curves = stroke_of(figure(ShownRun(run, lines=lines), "curves").svg, r"M[\d.]+ [\d.]+h26")
    assert len(lanes) == 3
    assert curves[:3] == lanes


def test_the_last_number_stands_above_what_is_promised_for_the_next_steps() -> None:
    # The balanced response leaks what it promises, and the line goes on behind the last step.
    run = StreamRun.of(MarkovChain.symmetric(0.7), 1.0, ["crr_balanced"], 5, seed=1)
    assert float(run.largest("crr_balanced")) == pytest.approx(1.0)
    svg = figure(run, "lanes").svg
    number = re.search(r'<text [^>]*y="([\d.]+)"[^>]*>1\.000<', svg)
    level = [float(y) for y in re.findall(r'd="M[\d.]+ ([\d.]+)H[\d.]+"', svg)]
    assert number is not None
    assert any(abs(y - float(number[1])) < 9 for y in level)
    assert all(not float(number[1]) - 9 <= y <= float(number[1]) + 2 for y in level)
