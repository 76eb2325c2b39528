"""The static picture of the dependence explorer: sound, bounded, with every number as text."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pdp_widgets import SparseJoint
from pdp_widgets.leakage.dependent.dependence_results import (
    DependenceInputs,
    DependenceResults,
    dependence_results,
)
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.models.dependent_examples import (
    agreeing_bits,
    bit_chain,
    coupled_uniform,
    covered_shift,
    identical_tuples,
    simplex_code,
)
from pdp_widgets.models.independent_blocks import product
from pdp_widgets.publish.dependence_edges_picture import draw_edges, edges_of
from pdp_widgets.publish.dependence_graph_picture import graph_layout
from pdp_widgets.publish.dependence_label_places import Box, inside
from pdp_widgets.publish.dependence_layout import CARD, lay_out_blocks, lay_out_neighbours
from pdp_widgets.publish.dependence_shown import ShownDependence, dependence_case
from pdp_widgets.publish.dependence_snapshot import dependence_snapshot
from pdp_widgets.publish.dependence_wording import DependenceCase, knowing, lead
from pdp_widgets.publish.svg import Sheet, Svg
from pdp_widgets.publish.wording import plain

DAY = date(2026, 11, 28)
#: What a picture is drawn with: nothing that runs or loads.
DRAWN = {
    *("svg", "title", "style", "g", "rect", "circle", "path", "text", "tspan"),
    *("linearGradient", "stop"),
}
LAYOUTS = Path(__file__).parents[1] / "data" / "dependence-layout-cases.json"
SHARED = Path(__file__).parents[1] / "data" / "dependence-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]
_SAID = ("text", "roles", "known_words")


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_lead_reads_as_in_the_browser(case: dict[str, Any]) -> None:
    given = {key: value for key, value in case.items() if key not in _SAID}
    told = DependenceCase(**{**given, "known": tuple(case["known"])})
    parts = lead(told)
    assert plain(parts) == case["text"]
    assert [role for _, role in parts if role] == case["roles"]
    assert knowing(told) == case["known_words"]


def solved(joint: Any, query: Any = "sum", mechanism: Any = "dpm_exact", **more: Any) -> DependenceResults:
    return dependence_results(
        DependenceInputs(joint, as_joint_query(query, joint), more.pop("epsilon", 1.0), mechanism, **more)
    )


HOSTILE = SparseJoint(
    [["<b>", "ש" * 60, 0], ["]]>", "a\n\x00\u202eb & 'c'", 1], ["<b>", "ש" * 60, 1]],
    [0.5, 0.25, 0.25],
    ["<script>alert(1)</script>", "ש" * 300, "x"],
    "]]><foreignObject>",
)
PAIRS = product(
    *[SparseJoint([[0, 0], [1, 1], [0, 1]], [0.5, 0.25, 0.25], [f"a{k}", f"b{k}"]) for k in range(6)]
)
RESULTS = {
    "shift": lambda: solved(covered_shift()),
    "worst": lambda: solved(covered_shift(), knowing="worst"),
    "chosen": lambda: solved(covered_shift(), knowing="chosen", known=(1, 3)),
    "simplex": lambda: solved(simplex_code()),
    "identity": lambda: solved(agreeing_bits(), "identity", "baseline"),
    "copies": lambda: solved(identical_tuples(60)),
    "pairs": lambda: solved(PAIRS, "mean", "dpm_eq18"),
    "coupled": lambda: solved(coupled_uniform()),
    "one": lambda: solved(SparseJoint([[0], [1]], [0.5, 0.5], ["Ann"])),
    "points": lambda: solved(SparseJoint([[[0, 0], 1], [[3, 4], 0]], [0.5, 0.5], ["place", "x"]), "identity"),
    "constant": lambda: solved(SparseJoint([[1, 2]], [1.0])),
    "hostile": lambda: solved(HOSTILE, "count:<b>"),
    "tiny": lambda: solved(covered_shift(), epsilon=1e-9),
    "large": lambda: solved(covered_shift(), epsilon=700.0),
}


@pytest.mark.parametrize("name", RESULTS)
def test_the_picture_is_sound_and_small(name: str) -> None:
    shot = dependence_snapshot(RESULTS[name](), noun="person", day=DAY)
    assert len(shot.svg.encode()) <= 25_000
    root = ElementTree.fromstring(shot.svg)
    assert {element.tag.partition("}")[2] for element in root.iter()} <= DRAWN
    assert not re.search(r"\b(nan|inf|undefined)\b", shot.svg)
    assert "<script" not in shot.html
    assert shot.text.count("\n") == 1
    assert dependence_snapshot(RESULTS[name](), noun="person", day=DAY) == shot


def test_every_number_of_the_picture_stands_in_a_table_too() -> None:
    found = RESULTS["shift"]()
    shot = dependence_snapshot(found, 0, 2, noun="person", day=DAY)
    cells = re.findall(r"<t[dh]>([^<]*)", shot.summary + shot.details)
    for number in ("1.127", "0.994", "0.841", "0.984", "1.842", "2.523", "1.189", "0.170", "0.602", "1.589"):
        assert number in cells
    assert re.findall(r"<caption>([^<]*)", shot.details) == [
        "Promise against truth, nats",
        "Mechanisms",
        "Joint probabilities of Ann and Cy",
        "Coefficient of the second given the first, σ 1.189",
        "About Ann, nats",
        "Whole query before noise",
    ]


def test_the_papers_estimates_go_with_their_box() -> None:
    found = RESULTS["shift"]()
    shot = dependence_snapshot(found, noun="person", paper=False, day=DAY)
    assert "estimate" not in shot.text
    assert "estimate" not in re.sub(r"<[^>]*>", "", shot.svg)


@pytest.mark.parametrize("name", [name for name in RESULTS if name not in ("hostile", "constant")])
def test_cards_stand_within_their_frames_and_apart(name: str) -> None:
    found = RESULTS[name]()
    shown = ShownDependence(found, found.most, None, 3.0, True, dependence_case(found))
    layout = graph_layout(shown, 496.0)
    cells, (wide, tall) = layout.cards, CARD
    assert len(cells) <= found.inputs.joint.n
    for k, a in enumerate(cells):
        inside_ = [f for f in layout.frames if f.x <= a.x - wide / 2 and a.x + wide / 2 <= f.x + f.width]
        assert any(f.y <= a.y - tall / 2 and a.y + tall / 2 <= f.y + f.height for f in inside_)
        assert all(abs(a.x - b.x) >= wide or abs(a.y - b.y) >= tall for b in cells[k + 1 :])
    assert max(f.x + f.width for f in layout.frames) <= 496.5


def _graphs() -> dict[str, SparseJoint]:
    """Blocks of two to eight that are paths or cliques, and tuples that are alone."""
    coin = SparseJoint([[0], [1]], [0.5, 0.5])
    found = {f"path of {n}": bit_chain(n) for n in range(2, 9)}
    found |= {f"clique of {n}": identical_tuples(n) for n in range(2, 9)}
    found["alone"] = product(*[coin] * 5)
    found["some"] = product(bit_chain(4), agreeing_bits(0.9), coin)
    found["two of four"] = product(bit_chain(4), identical_tuples(4))
    return found | {"many": identical_tuples(14)}


@pytest.mark.parametrize("name", _graphs())
def test_numbers_of_edges_cover_no_card_and_no_other_number(name: str) -> None:
    found = solved(_graphs()[name], "sum")
    for target in range(min(found.inputs.joint.n, 8)):
        shown = ShownDependence(found, target, None, 3.0, True, dependence_case(found))
        layout = graph_layout(shown, 496.0)
        boxes = draw_edges(Svg(Sheet(detail=2)), shown, layout)
        mine, plain = edges_of(shown, layout)
        assert len(boxes) >= len(mine)
        cards = [Box(c.x - CARD[0] / 2, c.y - CARD[1] / 2, *CARD) for c in layout.cards]
        for k, box in enumerate(boxes):
            assert all(box.overlap(other) == 0 for other in [*cards, *boxes[k + 1 :]])
        # No edge runs through the card of a third, and none through the numbers of another in small blocks.
        lines = {edge: ((edge[0].x, edge[0].y), (edge[1].x, edge[1].y)) for edge in [*mine, *plain]}
        for edge, line in lines.items():
            ends = {edge[0].tuple, edge[1].tuple}
            small = Box(0, 0, CARD[0] - 8, CARD[1] - 8)
            for card in layout.cards:
                if card.tuple not in ends and len(layout.cards) <= 8:
                    around = Box(
                        card.x - small.width / 2, card.y - small.height / 2, small.width, small.height
                    )
                    assert inside(around, line) == 0
        if len(shown.blocks[0]) <= 4:
            for edge, box in zip(mine, boxes, strict=False):
                assert inside(box, lines[edge]) > 0
                assert all(inside(box, line) == 0 for other, line in lines.items() if other != edge)


def test_cards_stand_where_they_stand_in_the_browser() -> None:
    for case in json.loads(LAYOUTS.read_text())["cases"]:
        if "neighbours" in case:
            found = lay_out_neighbours(case["tuple"], case["neighbours"], case["width"], case["size"])
        else:
            blocks: dict[int, list[int]] = {}
            for j, block in enumerate(case["blocks"]):
                blocks.setdefault(block, []).append(j)
            found = lay_out_blocks(list(blocks.values()), case["width"])
        assert [[c.tuple, c.x, c.y] for c in found.cards] == [pytest.approx(one) for one in case["cards"]]
        frames = [[f.x, f.y, f.width, f.height] for f in found.frames]
        assert frames == [pytest.approx(one) for one in case["frames"]]
        assert [f.label for f in found.frames] == case["labels"]
        assert (found.height, found.left) == (pytest.approx(case["height"]), case["left"])


def test_the_mean_bound_is_for_one_who_knows_nobody_and_says_so() -> None:
    # Whoever knows x2 reads three copies of x1.
    rows = [[a, b, a ^ b, a ^ b] for a in (0, 1) for b in (0, 1)]
    found = solved(SparseJoint(rows, [0.25] * 4), "sum", "dpm_mean", knowing="chosen", known=(1,))
    shown = ShownDependence(found, 0, 1, 3.0, True, dependence_case(found))
    assert shown.means is not None
    assert shown.exact[0] > shown.means[0]
    shot = dependence_snapshot(found, 0, day=DAY)
    assert "if nobody is known" in shot.text
    # The legend and the table of tuples say it too.
    assert "mean bound if nobody is known" in shot.svg
    assert "<th>mean bound if nobody is known</th>" in shot.html
    assert "any block" not in shot.text + shot.summary + shot.svg
    assert [found.holds(place) for place in range(6)].count("always") == 1


def test_the_least_noise_is_rounded_up_in_picture_and_table_as_in_the_browser() -> None:
    # 1.76712: with 1.767 the promise would not be kept.
    rows = SparseJoint([[0, 0], [1, 1], [1, 0]], [0.5, 0.3, 0.2], ["Ann", "Ben"])
    shot = dependence_snapshot(solved(rows), noun="person", day=DAY)
    written = re.findall(r"<td>(1\.76\d)</td>", shot.details)
    assert written == ["1.767", "1.768"]
    assert "1.768" in shot.svg
