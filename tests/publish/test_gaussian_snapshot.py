"""The static picture of the Gaussian explorer: sound, bounded, with every number as text."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import AdversaryError, GaussianAnalysis, GaussianModel
from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.gaussian_panels import sufficient
from pdp_widgets.publish.gaussian_snapshot import gaussian_snapshot
from pdp_widgets.publish.gaussian_wording import GaussianCase, lead, someone
from pdp_widgets.publish.wording import Case, heading, plain

DAY = date(2026, 11, 28)
LIMIT = 20 * 1024
COV = [
    [1.44, 0.6, 0.32, -0.59],
    [0.6, 1.0, 0.36, -0.21],
    [0.32, 0.36, 0.81, 0.13],
    [-0.59, -0.21, 0.13, 1.96],
]
SHARED = Path(__file__).parents[1] / "data" / "gaussian-lead-cases.json"
CASES = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]
NAMES = ["flat A", "flat B", "flat C", "solar"]


def house(scale: float = 1.0) -> GaussianAnalysis:
    return GaussianAnalysis(
        GaussianModel([5, 4, 3, 6], COV, NAMES, title="House", unit="kWh"), [1, 1, 1, -1], scale
    )


def random_analysis(n: int, size: float = 1.0, **how: Any) -> GaussianAnalysis:
    root = np.random.default_rng(n).normal(size=(n, n + 3)) * size
    return GaussianAnalysis(GaussianModel(np.arange(n) * size, root @ root.T / n), **how)


ANALYSES = {
    "house": house,
    "one": lambda: random_analysis(1),
    "two": lambda: random_analysis(2),
    "three": lambda: random_analysis(3, weights=[1, -1, 0.3]),
    "five": lambda: random_analysis(5),
    "seven": lambda: random_analysis(7),
    "ten": lambda: random_analysis(10),
    "thirteen": lambda: random_analysis(13),
    "tiny": lambda: random_analysis(4, 1e-6, scale=1e-6, max_change=1e-6),
    "huge": lambda: random_analysis(4, 1e8, scale=1e3, max_change=1e9),
    "wide": lambda: random_analysis(4, 1e3),
    "nothing varies": lambda: GaussianAnalysis(GaussianModel(None, np.zeros((3, 3)))),
    "no change": lambda: random_analysis(3, max_change=0.0),
    "no weight": lambda: random_analysis(3, weights=[0, 0, 0]),
    "hostile": lambda: GaussianAnalysis(
        GaussianModel(
            None,
            np.eye(3) + 0.5,
            ["<script>alert(1)</script>", "ש" * 5_000, "a\n\x00\u202eb & 'c'"],
            title="]]><foreignObject>",
            unit='<img src="//evil">',
        )
    ),
}


def words(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("name", ANALYSES)
def test_the_picture_is_sound_and_small(name: str) -> None:
    analysis = ANALYSES[name]()
    n = analysis.model.n_tuples
    for known in ([], list(range(1, n))):
        shot = gaussian_snapshot(analysis, 0, known, threshold=0.7, day=DAY)
        root = ElementTree.fromstring(shot.svg)
        assert len(shot.svg.encode()) <= (LIMIT if n <= 7 else 1.5 * LIMIT)
        assert len(shot.html.encode()) <= 3 * LIMIT
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {
            "svg",
            "title",
            "style",
            "g",
            "text",
            "tspan",
            "path",
            "rect",
            "circle",
            "linearGradient",
            "stop",
        }
        for element in root.iter():
            assert not any(key.lower().startswith("on") or "href" in key for key in element.attrib)
            assert not any(re.search(r"nan|inf", value.lower()) for value in element.attrib.values())
        assert "<script" not in shot.html
        assert "nan" not in shot.text
        assert "Computed28November2026" in re.sub(r"\s+", "", words(shot.svg))


def test_every_number_of_the_house_is_text_in_the_picture() -> None:
    analysis = house()
    shot = gaussian_snapshot(analysis, "flat B", ["solar"], threshold=1.5, noun="flat", day=DAY)
    shown = words(shot.svg)
    # The enlarged lattice, the largest of every tuple, the settings, the chosen case, the audit strip.
    for value in [*analysis.exact[1], *analysis.exact.max(axis=1)]:
        assert leakage(float(value), 1.0) in shown
    for text in (
        "0.60",
        "−0.59",
        "Weighted sum",
        "1.00 kWh",
        "About flat B, knowing solar",
        "exact, a limit",
        "0.932 over",
        "r ≥ 8.67",
        "or r ≤ 5.26",
        "r ≥ 12.37",
        "never 100 %",
        "σ 1.39",
        "own weight",
        "+0.549",
        "+0.383",
        "1.932, limit, never attained",
        "99 % of the limit",
        "threshold 1.50, 9 above",
        "23 of 32 above",
        "∞",
    ):
        assert text in shown, text
    assert shot.text == (
        "A noisy weighted sum with Laplace noise of scale 1.00 promises that 1.00 kWh in one flat shows by "
        "at most 1.000 nats. For someone who knows solar, flat B shows by up to 1.932, a limit never quite "
        "reached.\nPromise M/λ 1.000 nats per kWh moved. Exact worst 2.170, a limit (flat B, knowing "
        "nothing). Paper’s Theorem 6 2.170: exact for every adversary. Bound for any matrix ∞: leakage grows "
        "with the others’ spread."
    )
    # All adversaries, the matrix, weights and means, neighbours and curves can be read as tables.
    for value in analysis.exact.ravel():
        assert f"<td>{leakage(float(value), 1.0)}</td>" in shot.details
    for text in ("−0.590", "<th>solar</th><td>−1</td><td>6</td>", "with flat A", "−0.636", "−1.932"):
        assert text in shot.details, text
    assert "λ for at most 1.00 nats for all</th><td>2.17<" in shot.summary


def test_numbers_follow_the_settings() -> None:
    shot = gaussian_snapshot(house(2.0), "flat B", ["solar"], day=DAY)
    assert "scale 2.00 promises" in shot.text
    assert "at most 0.500 nats" in shot.text
    assert "shows by up to 0.966" in shot.text
    # Without a goal it is what is promised; the least scale rounds up.
    assert "λ for at most 0.50 nats for all" in shot.summary
    assert "<td>4.34</td>" in shot.summary
    odd = gaussian_snapshot(house(0.3), day=DAY)
    assert "<td>0.651</td>" in odd.summary
    aimed = gaussian_snapshot(house(2.0), "flat B", ["solar"], goal=0.25, day=DAY)
    assert "λ for at most 0.25 nats for all</th><td>8.68<" in aimed.summary
    assert "λ for 0.25 nats</th><td>7.73<" in aimed.summary
    assert "λ for at most" in aimed.svg
    still = gaussian_snapshot(GaussianAnalysis(house().model, max_change=0), day=DAY)
    assert "λ for at most 1.00 nats for all</th><td>any<" in still.summary
    far = gaussian_snapshot(house(), goal=1e-302, day=DAY)
    assert "nats for all</th><td>–<" in far.summary
    assert [sufficient(v) for v in (1.9317, 2.170001, 99.91, 3e-7)] == ["1.94", "2.18", "100.00", "3.00e−7"]


def test_the_strongest_adversary_attains_the_promise() -> None:
    shot = gaussian_snapshot(house(), "flat B", ["flat A", "flat C", "solar"], day=DAY)
    assert "flat B shows by up to 1.000: the promise holds." in shot.text
    shown = words(shot.svg)
    assert "never attained" not in shown
    assert "1.000, attained" in shown
    assert "All reached" in shown


def test_a_determined_tuple_says_so() -> None:
    analysis = GaussianAnalysis(GaussianModel(None, [[1, 1], [1, 1]], ["a", "b"]))
    shot = gaussian_snapshot(analysis, "a", ["b"], day=DAY)
    assert "For someone who knows b, a is determined: nothing is left to learn." in shot.text
    assert "What is known leaves a no two values to tell apart." in words(shot.svg)
    assert "0, determined" in shot.summary
    with pytest.raises(AdversaryError):
        gaussian_snapshot(analysis, "c")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{len(case['names'])}-{case['known']}")
def test_the_lead_is_the_browser_s(case: dict[str, Any]) -> None:
    who = GaussianCase.of(
        tuple(case["names"]),
        case["target"],
        tuple(case["known"]),
        case["leakage"],
        case["limit"],
        case["noun"],
        case["determined"],
    )
    parts = lead(case["release"], case["scale"], case["change"], case["unit"], case["promise"], who)
    assert plain(parts) == case["text"]
    assert heading(who.case) == case["heading"]


def test_sentences_for_every_number_of_known_tuples() -> None:
    names = tuple("abcdefg")

    def case(known: int, n: int = 7) -> Case:
        return Case(names[:n], (), 0, tuple(range(1, known + 1)), 1.0, "city")

    assert [someone(case(k)) for k in (0, 1, 2, 5, 6)] == [
        "someone who knows none of the other cities",
        "someone who knows b",
        "someone who knows b and c",
        "someone who knows 5 of the other 6 cities",
        "someone who knows all 6 other cities",
    ]
    assert someone(case(0, 1)) == "anyone"
    assert [heading(case(k)) for k in (0, 2, 5, 6)] == [
        "About a, knowing no other city",
        "About a, knowing b, c",
        "About a, knowing 5 of 6 others",
        "About a, knowing all 6 others",
    ]
    below = GaussianCase.of(names, 0, (1,), 0.4, True)
    assert plain(lead("sum", 1, 1, "", 1.0, below)).endswith(
        "promises that a change of 1.00 in one tuple shows by at most 1.000 nats. For someone who knows b, a "
        "shows by up to 0.400, a limit never quite reached: the promise holds."
    )
    over = GaussianCase.of(names, 0, (1,), 1.4, False)
    assert plain(lead("sum", 1, 1, "", 1.0, over)).endswith("1.400: 40 % more than promised.")
