"""The static picture of Gaussian data: sound, bounded, with every number as text."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.publish.matrix_picture import decimals_for, entry, signed_colour, signed_domain
from pdp_widgets.publish.matrix_snapshot import matrix_snapshot
from pdp_widgets.publish.palette import ink_on

DAY = date(2026, 11, 28)
LIMIT = 20 * 1024
CASES = json.loads((Path(__file__).parents[1] / "data" / "covariance-cases.json").read_text(encoding="utf-8"))
COV = [
    [1.44, 0.6, 0.32, -0.59],
    [0.6, 1.0, 0.36, -0.21],
    [0.32, 0.36, 0.81, 0.13],
    [-0.59, -0.21, 0.13, 1.96],
]


def house() -> GaussianModel:
    return GaussianModel(
        [5, 4, 3, 6], COV, ["flat A", "flat B", "flat C", "solar"], title="House", unit="kWh"
    )


def random_model(n: int, size: float = 1.0) -> GaussianModel:
    root = np.random.default_rng(n).normal(size=(n, n + 3)) * size
    return GaussianModel(np.arange(n) * size, root @ root.T / n)


MODELS = {
    "house": house,
    "one": lambda: random_model(1),
    "twelve": lambda: random_model(12),
    "thirteen": lambda: random_model(13),
    "forty": lambda: random_model(40),
    "tiny": lambda: random_model(4, 1e-6),
    "huge": lambda: random_model(4, 1e8),
    "nothing varies": lambda: GaussianModel(None, np.zeros((3, 3))),
    "hostile": lambda: GaussianModel(
        None,
        np.eye(3),
        ["<script>alert(1)</script>", "ש" * 5_000, "a\n\x00\u202eb & 'c'"],
        title="]]><foreignObject>",
        unit='<img src="//evil">',
    ),
}


def words(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("name", MODELS)
def test_the_picture_is_sound_and_small(name: str) -> None:
    model = MODELS[name]()
    shot = matrix_snapshot(model, np.ones(model.n_tuples), day=DAY)
    root = ElementTree.fromstring(shot.svg)
    assert len(shot.svg.encode()) <= LIMIT
    assert len(shot.html.encode()) <= 3 * LIMIT
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "style", "g", "text", "tspan", "path", "rect"}
    for element in root.iter():
        assert not any(key.lower().startswith("on") or "href" in key for key in element.attrib)
        assert not any(re.search(r"nan|inf", value.lower()) for value in element.attrib.values())
    assert "<script" not in shot.html
    assert "Computed28November2026" in re.sub(r"\s+", "", words(shot.svg))


def test_every_number_of_the_house_is_text_in_the_picture() -> None:
    shot = matrix_snapshot(house(), [1, 1, 1, -1], day=DAY)
    shown = words(shot.svg)
    for value in np.ravel(COV):
        assert entry(float(value), 2) in shown
    for text in (
        "weight a",
        "−1",
        "mean",
        "1.20",
        "0.90",
        "kWh²",
        "smallest eigenvalue 0.491",
        "+0.50",
        "−0.35",
    ):
        assert text in shown
    assert "−0.590" in shot.details
    assert shot.text == (
        "Gaussian data of flat A, flat B, flat C, solar. Standard deviations 1.20, 1.00, 0.90, 1.40. "
        "Smallest eigenvalue 0.491."
    )


def test_without_a_model_it_says_so() -> None:
    shot = matrix_snapshot(None, day=DAY)
    assert "No covariance matrix yet." in words(shot.svg)
    assert shot.text == "No covariance matrix yet."


@pytest.mark.parametrize("case", CASES["colours"], ids=str)
def test_colour_of_a_signed_amount(case: dict[str, Any]) -> None:
    colour = signed_colour(case["t"], case["dark"])
    assert list(colour) == case["rgb"]
    assert ink_on(colour) == case["ink"]


def test_scale_and_texts_read_alike_in_picture_and_browser() -> None:
    for case in CASES["domains"]:
        assert signed_domain(np.array(case["values"], dtype=float)) == case["end"]
    for case in CASES["entries"]:
        assert entry(case["value"], case["decimals"]) == case["text"]
    for case in CASES["decimals"]:
        assert decimals_for(case["largest"]) == case["decimals"]


def test_the_signed_scale_is_symmetric_and_readable() -> None:
    for dark in (False, True):
        assert signed_colour(0, dark) == ((28, 28, 28) if dark else (255, 255, 255))
        assert signed_colour(float("nan"), dark) == signed_colour(0, dark)
        for t in np.linspace(-1, 1, 81):
            colour = signed_colour(float(t), dark)
            assert _contrast(colour, ink_on(colour)) >= 4.5


def _contrast(colour: tuple[int, int, int], ink: str) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    other = 1.0 if ink == "#fff" else 0.0
    return (max(light, other) + 0.05) / (min(light, other) + 0.05)
