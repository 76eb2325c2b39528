"""The picture of a stream: the words shared with the browser, and a sound, small SVG in any case."""

from __future__ import annotations

import json
import math
import re
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets.leakage.sequence.composition import first_useful_step
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import StreamScript
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.publish.stream_snapshot import stream_case, stream_snapshot
from pdp_widgets.publish.stream_sum_picture import smaller_from
from pdp_widgets.publish.stream_window import StreamWindow
from pdp_widgets.publish.stream_wording import ChangeWords, LaneCase, StreamCase, audit, lead
from pdp_widgets.publish.wording import plain

DAY = date(2026, 11, 28)
LIMIT = 20 * 1024
SHARED = Path(__file__).parents[1] / "data" / "stream-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]


def numbers(given: dict[str, Any]) -> dict[str, Any]:
    return {name: math.inf if value == "Infinity" else value for name, value in given.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][-40:])
def test_the_words_are_those_of_the_browser(case: dict[str, Any]) -> None:
    given = numbers({k: v for k, v in case.items() if k not in ("text", "roles", "audit")})
    lanes = [lane | {"last": math.nan if lane["last"] is None else lane["last"]} for lane in given["lanes"]]
    given["lanes"] = tuple(LaneCase(**numbers(lane)) for lane in lanes)
    given["change"] = ChangeWords(**given["change"]) if given["change"] else None
    made = StreamCase(**given)
    parts = lead(made)
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]
    assert audit(made) == case["audit"]


THREE = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]], states=["dry", "drizzle", "rain"])
SECOND = MarkovChain([[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])
WIDE = MarkovChain(np.full((30, 30), 1 / 30), states=[f"a rather long label {k}" for k in range(30)])
HOSTILE = MarkovChain.symmetric(0.9, ["<script>alert(1)</script>", "ש" * 3_000 + "\x00\u202e]]>"])
FOUR = ["crr", "optimum", "crr_balanced", "grr2"]


def made(chain: MarkovChain, epsilon: float, keys: list[str], steps: int, **more: Any) -> StreamRun:
    script = StreamScript.of(chain, epsilon, 3, **more)
    return StreamRun(script, {key: STREAM_MENU[key].make for key in keys}).extended(steps)


def sketched() -> StreamRun:
    script = StreamScript.of(MarkovChain.symmetric(0.6), 0.5, 10)
    run = StreamRun(script, {key: STREAM_MENU[key].make for key in ("crr", "optimum")}).extended(44)
    return run.changed(run.script.changed(44, chain=MarkovChain.symmetric(0.9))).extended(50)


def ended() -> StreamRun:
    chain = MarkovChain([[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5])
    return made(chain, math.inf, ["grr", "crr"], 6, data=np.array([0, 1, 1, 0, 0, 1]))


RUNS = {
    "sketch": sketched,
    "nothing": lambda: made(THREE, 0.7, ["crr"], 0),
    "one step": lambda: made(THREE, 0.7, ["crr"], 1),
    "four": lambda: made(MarkovChain.symmetric(0.9), 1.0, FOUR, 150),
    "three states": lambda: made(THREE, 0.7, ["crr", "crr_balanced", "grr", "grr2"], 100),
    "second order": lambda: made(SECOND, 0.7, ["crr", "optimum"], 45),
    "many states": lambda: made(WIDE, 0.7, ["crr", "crr_trimmed", "crr_shrunk", "grr"], 200),
    "no budget": lambda: made(THREE, 0.0, ["crr", "grr"], 20),
    "no noise": lambda: made(THREE, math.inf, ["crr", "grr"], 20),
    "large budget": lambda: made(THREE, 800.0, ["crr", "grr"], 20),
    "tiny budget": lambda: made(THREE, 1e-9, ["crr", "grr"], 20),
    "one state": lambda: made(MarkovChain([[1.0]]), 1.0, ["crr"], 5),
    "squared": lambda: made(THREE, 1.0, ["crr"], 30, distance="squared"),
    "ended": ended,
    "hostile": lambda: made(HOSTILE, 0.5, ["crr", "optimum"], 80),
}


def words(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("name", RUNS)
def test_the_picture_is_sound_and_small(name: str) -> None:
    shot = stream_snapshot(RUNS[name](), text="<b>days</b>" if name == "hostile" else "", day=DAY)
    root = ElementTree.fromstring(shot.svg)
    assert len(shot.svg.encode()) <= LIMIT
    assert len(shot.html.encode()) <= 7 * LIMIT
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "style", "g", "text", "tspan", "path", "rect", "circle"}
    for element in root.iter():
        assert not any(key.lower().startswith("on") or "href" in key for key in element.attrib)
        assert not any(re.search(r"nan|inf", value.lower()) for value in element.attrib.values())
    assert "<script" not in shot.html
    assert "nan" not in shot.text
    assert "undefined" not in shot.text + shot.html
    assert "Computed28November2026" in re.sub(r"\s+", "", words(shot.svg))


def test_the_picture_of_the_sketch_shows_its_numbers() -> None:
    run = sketched()
    shot = stream_snapshot(run, day=DAY)
    seen = words(shot.svg)
    belief = run.record(49).lanes["crr"].belief[0, 1]
    for text in (
        *(
            "0.500 nats",
            "0.60",
            "0.90",
            "stay 0.6",
            "stay 0.9 from step 45",
            "over its promise since step 45",
        ),
        *(
            "valid between 0.378 and 0.622",
            f"{belief:.3f}",
            "0.954",
            "25.00 linear",
            "23.09 advanced",
            "step 50",
        ),
        *("within its promise", "void for CRR as", "the smaller bound from step 41 on"),
    ):
        assert re.sub(r"\s+", "", text) in re.sub(r"\s+", "", seen), text
    rows = re.findall("<tr>.*?</tr>", shot.details)
    assert len([row for row in rows if row.startswith("<tr><th>45</th>")]) == 2
    assert "over" in next(row for row in rows if row.startswith("<tr><th>50</th>"))


def test_a_picture_shows_the_last_steps_and_says_which() -> None:
    run = RUNS["four"]()
    shot = stream_snapshot(run, day=DAY)
    assert "steps 91 to 150" in shot.caption
    assert shot.details.count("<tr><th>150</th>") == 1
    assert "<tr><th>90</th>" not in shot.details


def test_the_first_smaller_step_is_that_of_the_bounds() -> None:
    for steps in (40, 41, 60):
        run = made(THREE, 0.5, ["crr"], steps)
        found = smaller_from(StreamWindow(run, stream_case(run)))
        assert found == (first_useful_step(0.5) if steps >= 41 else None)
