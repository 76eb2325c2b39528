"""The static picture of the anonymity explorer: sound, bounded, with every number as text."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs, default_release, readings_of
from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_removals, anonymity_results
from pdp_widgets.leakage.noiseless.anonymity_words import reading_label
from pdp_widgets.models.clinic import clinic
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.publish.anonymity_names import release_label
from pdp_widgets.publish.anonymity_numbers import factor_text, percent, slack_text
from pdp_widgets.publish.anonymity_panels import audit_cells
from pdp_widgets.publish.anonymity_shown import ShownAnonymity
from pdp_widgets.publish.anonymity_snapshot import anonymity_snapshot
from pdp_widgets.publish.anonymity_wording import AnonymityCase, knows, lead
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.save import figure
from pdp_widgets.publish.wording import plain

SHARED = Path(__file__).parents[1] / "data" / "anonymity-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))
_SAID = ("text", "roles", "knows")


def real(value: Any) -> float:
    return math.inf if value == "Infinity" else float(value)


@pytest.mark.parametrize("case", CASES["cases"], ids=range(len(CASES["cases"])))
def test_the_lead_reads_as_in_the_browser(case: dict[str, Any]) -> None:
    given = {key: value for key, value in case.items() if key not in _SAID}
    told = AnonymityCase(**{**given, "epsilon": real(case["epsilon"])})
    parts = lead(told)
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]
    assert plain(knows(told)) == case["knows"]


def test_numbers_and_names_read_as_in_the_browser() -> None:
    for one in CASES["slack"]:
        assert slack_text(real(one["value"]), one["up"]) == one["text"]
    for one in CASES["percent"]:
        assert percent(one["share"]) == one["text"]
    for one in CASES["factor"]:
        assert factor_text(one["epsilon"]) == one["text"]
    for one in CASES["releases"]:
        assert release_label(one["release"], one["secret"]) == one["text"]
    for one in CASES["readings"]:
        assert reading_label(one["reading"], one["level"]) == one["text"]


@pytest.mark.parametrize("power", range(-12, 4))
def test_a_bound_is_never_written_smaller_than_it_is(power: int) -> None:
    for k in range(1, 200):
        value = k * 0.0537 * 10.0**power
        told = slack_text(value, up=True).replace("−", "-").replace(",", "")
        assert value * (1 - 1e-6) <= float(told) <= value * 1.12 + 1e-15


DAY = date(2026, 11, 28)
#: What a picture is drawn with: nothing that runs or loads.
DRAWN = {"svg", "title", "style", "g", "rect", "circle", "path", "text", "tspan"}


def shown(data: Any = None, quasi: Any = (0, 1), secret: Any = 2, noun: str = "patient", **more: Any) -> Any:
    """Results as pictures take them, with all that takes long."""
    table = clinic() if data is None else Microdata.of(data)
    release = more.pop("release", default_release(table, quasi, secret))
    level = more.pop("level", "III")
    readings = readings_of(release, level)
    given = {"k": 5, "known": 0.3, "printed": True, "reading": readings[0] if readings else "", **more}
    inputs = AnonymityInputs(data=table, quasi=quasi, secret=secret, release=release, level=level, **given)
    results = anonymity_results(inputs)
    found = ShownAnonymity(results, inputs, noun, (quasi[0], quasi[1] if len(quasi) > 1 else None))
    if table.records <= 300:
        found = found.with_removals(anonymity_removals(inputs))
    return found


def frame(n: int, columns: int = 2) -> dict[str, Any]:
    draw = np.random.default_rng(3)
    made: dict[str, Any] = {f"column {j}": draw.integers(0, 60, n) for j in range(columns)}
    return made | {"ill": draw.choice(["no", "yes"], n, p=[0.9, 0.1])}


HOSTILE = {
    "<script>alert(1)</script>": list(range(40)),
    "ש" * 300: [k % 7 for k in range(40)],
    "a\n\x00\u202eb & 'c'": ["]]>" if k % 3 else "<b>" * 40 for k in range(40)],
}
RESULTS = {
    "clinic": lambda: shown(),
    "not as printed": lambda: shown(printed=False),
    "level I": lambda: shown(level="I", known=0.0),
    "level II": lambda: shown(level="II", known=0.0, neighbours=3),
    "level IV": lambda: shown(level="IV", neighbours=4),
    "presence": lambda: shown(neighbour="presence"),
    "withheld": lambda: shown(release="suppressed:yes"),
    "records": lambda: shown(release="records:yes"),
    "a sum": lambda: shown(release="sum:weight"),
    "no secret": lambda: shown(secret=None),
    "one column": lambda: shown(quasi=(0,)),
    "all known": lambda: shown(known=1.0),
    "infinite": lambda: shown(epsilon=math.inf),
    "nothing": lambda: shown(epsilon=0.0),
    "large": lambda: shown(epsilon=700.0),
    "k is 1": lambda: shown(k=1),
    "one class": lambda: shown(k=100),
    "categories": lambda: shown(quasi=(2, 0), secret=None),
    "no lattice": lambda: shown({"x": np.random.default_rng(1).normal(size=60)}, (0,), None),
    "constant": lambda: shown({"x": [1] * 20, "y": ["a"] * 20}, (0,), 1),
    "hostile": lambda: shown(HOSTILE, (0, 1), 2, noun="x" * 40, k=3),
    "many columns": lambda: shown(frame(200, 12), tuple(range(12)), 12, k=3),
    "many classes": lambda: shown(frame(2000), (0, 1), 2, k=2),
    "missing": lambda: shown({"x": [1.0, 2.0, None, 4.0, 5.0, 6.0], "y": list("aabbab")}, (0,), 1, k=2),
}


@pytest.mark.parametrize("name", RESULTS)
def test_the_picture_is_sound_and_small(name: str) -> None:
    found = RESULTS[name]()
    shot = anonymity_snapshot(found, day=DAY)
    assert len(shot.svg.encode()) <= 25_000
    root = ElementTree.fromstring(shot.svg)
    assert {element.tag.partition("}")[2] for element in root.iter()} <= DRAWN
    assert not re.search(r"\b(nan|inf|None)\b", shot.svg)
    assert "<script" not in shot.html
    assert shot.text.count("\n") == 1
    assert anonymity_snapshot(found, day=DAY) == shot


@pytest.mark.parametrize("name", RESULTS)
def test_every_part_is_drawn_in_a_column_and_on_a_page(name: str) -> None:
    found = RESULTS[name]()
    for part in parts(found, Choice()):
        assert figure(found, part).svg.startswith("<svg")
    assert figure(found, "all", width="page").width == 178


def test_every_number_of_the_picture_stands_in_a_table_too() -> None:
    shot = anonymity_snapshot(shown(), day=DAY)
    cells = re.findall(r"<t[dh]>([^<]*)", shot.summary + shot.details)
    for number in ("0.0098", "0.173", "0.493", "0.133", "9.880", "0.0027", "5 to 13", "8 of 14", "69", "26"):
        assert number in cells, number
    assert "all no" in cells
    assert re.findall(r"<caption>([^<]*)", shot.details) == [
        "Release and adversary. Knows exact values of a share.",
        "The table as published, 14 classes",
        "Slack δ by ε",
        "At ε = 1.00, knowing 30 % of the records",
        "Leaving one patient out rearranges other patients’ classes, by 8 patients at worst. So s = 1 is an "
        "assumption, not a property of k-anonymity.",
        "Exact slack δ at ε = 1.00 by the share known",
    ]


def test_the_sentences_are_those_of_the_sketch() -> None:
    shot = anonymity_snapshot(shown(), day=DAY)
    assert shot.text.splitlines()[0] == CASES["cases"][0]["text"]
    assert shot.text.splitlines()[1] == (
        "k-anonymity 5 (no statement about δ). Exact slack 0.0098 (ε = 1.00, 69 unknown others). Theorem 1 "
        "as printed 0.133 (violated from ε = 1.42). Bound, all events 0.173 (thresholds only: 0.493)."
    )


def test_a_number_of_records_that_is_assumed_is_said() -> None:
    shot = anonymity_snapshot(shown(n=1000), day=DAY)
    assert "Records n, assumed" in shot.svg
    assert "Shown: k = 5, Count, diabetes, n = 1,000, level III" in shot.svg
    plain = anonymity_snapshot(shown(), day=DAY)
    assert "assumed" not in plain.svg
    assert "Shown: k = 5, Count, diabetes, level III" in plain.svg


def test_the_theorems_go_with_their_box() -> None:
    shot = anonymity_snapshot(shown(printed=False), day=DAY)
    for text in (shot.text, shot.svg, shot.summary, shot.details):
        assert "Theorem" not in text
        assert "printed" not in text


def test_no_theorem_is_said_to_hold_where_nothing_exact_is_there() -> None:
    whole = shown()
    part = ShownAnonymity(anonymity_results(whole.inputs, whole=False), whole.inputs, whole.noun, (0, 1))
    notes = [{name: note for _, name, _, _, note, _ in audit_cells(one)} for one in (whole, part)]
    assert notes[0]["Theorem 1 as printed"].startswith("violated from")
    assert notes[1]["Theorem 1 as printed"] == "not compared"


def test_the_table_marks_what_is_counted_and_the_map_names_every_label() -> None:
    data = {
        "age": [20 + k for k in range(24)],
        "town": [("Aachen", "Bonn", "Ulm")[k % 3] for k in range(24)],
        "ill": [("flu", "cancer", "none")[k // 2 % 3] for k in range(24)],
    }
    one = shown(data, release="count:flu", k=6)
    table = figure(one, "table").svg
    bold = re.findall(r">([^<]+)<", "".join(re.findall(r'<g class="h">(.*?)</g>', table)))
    assert "flu" in bold
    assert not {"cancer", "none"} & set(bold)
    assert {"cancer", "none"} <= set(re.findall(r">([^<]+)<", table))
    drawn = figure(one, "map").svg
    for town in ("Aachen", "Bonn", "Ulm"):
        assert f">{town}<" in drawn


def test_labels_have_bands_of_their_own_in_the_map() -> None:
    data = {"sex": [("f", "m")[k % 2] for k in range(40)], "age": list(range(40)), "ill": ["no", "yes"] * 20}
    for quasi, side in (((0, 1), "width"), ((1, 0), "height")):
        drawn = figure(shown(data, quasi), "map").svg
        sizes = [float(one) for one in re.findall(rf'<rect[^>]* {side}="([\d.]+)"', drawn)]
        # On a line without width classes and records of one label would hide each other.
        assert sizes
        assert min(sizes) > 40


def test_the_worst_of_a_sample_is_a_lower_bound() -> None:
    one = shown(frame(60))
    least = replace(one.results.removals, sampled=30)
    some = one.with_removals(least)
    assert "worst, s = " in figure(one, "removals").svg
    assert "worst, s ≥ " in figure(some, "removals").svg
