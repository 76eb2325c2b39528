"""The static picture of the explorer of inferred locations: sound, bounded, with every number as text."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pdp_widgets import CheckIns, Friendships, InferenceAttack, SocialNetwork, synthetic_network
from pdp_widgets.leakage.inference.attack_results import AttackInputs, AttackResults, late_results
from pdp_widgets.publish.attack_curves_picture import BudgetRow, scores_in_words
from pdp_widgets.publish.attack_snapshot import attack_snapshot
from pdp_widgets.publish.attack_wording import AttackCase, bits, km, lead
from pdp_widgets.publish.formatting import probability
from pdp_widgets.publish.save import figure
from pdp_widgets.publish.wording import plain

SHARED = Path(__file__).parents[1] / "data" / "attack-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_lead_reads_as_in_the_browser(case: dict[str, Any]) -> None:
    given = {key: value for key, value in case.items() if key not in ("text", "roles")}
    parts = lead(AttackCase(**{**given, "adds": tuple(case["adds"])}))
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]


DAY = date(2026, 11, 28)
DRAWN = {"svg", "title", "style", "g", "text", "tspan", "path", "rect", "circle", "linearGradient", "stop"}
WHEN = "2010-10-19T23:55:27Z"


def results(network: SocialNetwork | None = None, late: bool = True, **given: Any) -> AttackResults:
    options = {"clusters": 4, "grid": 20, "rng": 1} | given
    attack = InferenceAttack(network or synthetic_network(60, rng=1).city("New York"), **options)
    inputs = AttackInputs(
        1,
        attack.mechanism,
        attack.epsilon,
        attack.sensitivity,
        attack.victim,
        attack.weight,
        1.0,
        attack.draw,
    )
    found = AttackResults(inputs, attack)
    return late_results(found) if late else found


def network(places: list[tuple[float, float]], title: str = "") -> SocialNetwork:
    rows = [(user, WHEN, north, east, f"p{user}") for user, (north, east) in enumerate(places)]
    return SocialNetwork(CheckIns(rows), Friendships([(0, 1)]), title)


CASES_DRAWN = {
    "plain": lambda: results(epsilon=40.0),
    "awaited": lambda: results(late=False),
    "dpm": lambda: results(mechanism="dpm", epsilon=100.0, sensitivity="worst_case"),
    "full": lambda: results(synthetic_network(1500, rng=2).city("Los Angeles"), grid=50, clusters=40, rng=3),
    "less sure": lambda: results(weight=0.01, known=0.3),
    "nobody": lambda: results(known=0.0, epsilon=1e-6),
    "certain": lambda: results(epsilon=1e9, sensitivity="unit"),
    "one line": lambda: results(network([(40.7, -74.0 + k / 50) for k in range(9)]), clusters=2, grid=5),
    "one place": lambda: results(network([(40.7, -74.0)] * 5), clusters=1, grid=1),
    "two": lambda: results(network([(40.7, -74.0), (40.8, -73.9)]), clusters=1, grid=2),
    "hostile": lambda: results(
        network([(40.7 + k / 99, -74.0 + k % 3 / 9) for k in range(9)], "<script>alert(1)</script>]]>" * 5),
        clusters=2,
    ),
}


@pytest.mark.parametrize("name", CASES_DRAWN)
def test_the_picture_is_sound_and_small(name: str) -> None:
    found = CASES_DRAWN[name]()
    shot = attack_snapshot(found, day=DAY)
    assert len(shot.svg.encode()) <= 25_000
    assert len(shot.html.encode()) <= 60_000
    root = ElementTree.fromstring(shot.svg)
    assert {element.tag.partition("}")[2] for element in root.iter()} <= DRAWN
    assert not re.search(r"\b(nan|inf|undefined)\b", shot.svg.lower())
    assert "<script" not in shot.html
    assert shot.text.count("\n") == 1
    assert "undefined" not in shot.text
    assert attack_snapshot(found, day=DAY) == shot


def test_every_number_of_the_picture_stands_in_a_table_too() -> None:
    found = results(epsilon=40.0, network=synthetic_network(450, rng=1).city("New York"))
    shot = attack_snapshot(found, day=DAY)
    cells = re.findall(r"<t[dh]>([^<]*)", shot.summary + shot.details)
    attack = found.attack
    for one in (attack.attack_1, attack.attack_2):
        for value in (one.leaked_bits, one.incremental_bits, one.score.h0_bits, one.score.before_bits):
            assert bits(value) in cells
        for value in (one.error_before_km, one.error_km):
            assert km(value) in cells
        assert probability(one.mass) in cells
    assert found.means is not None
    for value in (found.means.leaked_bits[1], found.means.prior_gap_bits[1], attack.epsilon_bits):
        assert bits(float(value)) in cells
    assert len(re.findall(r"<caption>", shot.details)) == 6
    shown = " ".join(ElementTree.fromstring(shot.svg).itertext())
    said = (
        "Where is the victim?",
        "no guarantee",
        "over 400 draws",
        "mean of 156 users",
        "(95 % over draws)",
    )
    for text in said:
        assert text in shown


def test_a_victim_whom_no_release_tells_and_a_guess_by_chance_are_told() -> None:
    def shown(found: AttackResults) -> str:
        shot = attack_snapshot(found, day=DAY)
        return " ".join([*ElementTree.fromstring(shot.svg).itertext(), shot.text])

    places = [(40.7, -74.0)] * 5 + [(40.9, -73.8)]
    for late in (True, False):
        alone = shown(results(network(places), victim=5, clusters=2, late=late))
        assert "no release can lead there" in alone
        assert "Nobody known is there" in alone
        assert "the victim is in one" in alone
    others = shown(results(network(places), victim=1, clusters=2))
    smooth = shown(results(network(places), victim=5, clusters=2, smoothing=0.5))
    for said in ("no release can lead there", "Nobody known is there", "the victim is in one"):
        assert said not in others
        assert said not in smooth
    assert "Added to each cell" in smooth
    nobody = shown(results(known=0.0, epsilon=1.0))
    assert "Before the release 400 cells are equally likely" in nobody


def test_what_is_not_computed_is_not_told() -> None:
    shot = attack_snapshot(results(late=False), day=DAY)
    shown = " ".join(ElementTree.fromstring(shot.svg).itertext())
    assert shown.count("not computed") == 6
    assert "Means over all users are not computed." in shot.text


def standing(svg: str, tag: str) -> list[tuple[float, float, ElementTree.Element]]:
    """Return elements with where they stand in the picture, px."""
    found = []

    def walk(at: ElementTree.Element, x: float, y: float) -> None:
        moved = re.match(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", at.get("transform", ""))
        x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
        if at.tag.endswith("}" + tag):
            across, down = ("cx", "cy") if tag == "circle" else ("x", "y")
            found.append((x + float(at.get(across, 0)), y + float(at.get(down, 0)), at))
        for part in at:
            walk(part, x, y)

    walk(ElementTree.fromstring(svg), 0.0, 0.0)
    return found


@pytest.mark.parametrize("width", ["column", "page"])
def test_a_truth_at_the_rim_is_whole_and_covers_no_words(width: str) -> None:
    # The map ends where its people are: the victim is in its north-west corner.
    solved = results(network([(52.52, 13.41), (52.52, 13.41), (52.5, 13.45)]), victim=0, clusters=2, grid=5)
    svg = figure(solved, "maps", width=width).svg
    rings = [(x, y, float(at.get("r", 0))) for x, y, at in standing(svg, "circle")]
    truths = [(x, y) for x, y, r in rings if r == 9]
    assert len(truths) == 8  # Four maps, the ring and its rim of background.
    words = [(x, y) for x, y, at in standing(svg, "text") if "H = " in "".join(at.itertext())]
    assert len(words) == 4
    for x, y in truths:
        assert x - 13 >= 0
        above = max(foot for left, foot in words if foot < y and abs(left - x) < 20)
        assert above + 3 <= y - 10, "the ring stands in the words above the map"


def test_without_a_guarantee_nothing_is_called_a_bound() -> None:
    def said(found: AttackResults) -> str:
        shot = attack_snapshot(found, day=DAY)
        shown = ElementTree.fromstring(shot.svg).itertext()
        return " ".join([*shown, shot.text, shot.summary, shot.details]).lower()

    assert "bound" in said(results(sensitivity="worst_case"))
    assert "bits, no guarantee" not in said(results(sensitivity="worst_case"))
    for found in (results(), results(sensitivity="worst_case", known=0.5), results(late=False)):
        words = said(found)
        assert "budget ε/ln 2" in words
        assert "bits, no guarantee" in words
        assert "bound" not in words
    assert "bound" in said(results(sensitivity="worst_case", mechanism="baseline", known=0.5))


def test_scores_are_told_beside_what_they_are_compared_with() -> None:
    modest, less = BudgetRow(1.0, 1.0, 0.5, True), BudgetRow(0.1, 0.9, 0.08, False)
    assert (
        scores_in_words([modest], "bound") == "The release adds less than the bound at every budget listed."
    )
    assert "the release adds less. It shows the prior gap, not a broken" in scores_in_words([less], "bound")
    assert "promise" not in scores_in_words([less], "budget")
    more = BudgetRow(0.1, 0.9, 0.8, False)
    assert "nothing is promised here" in scores_in_words([modest, more], "budget")
