"""Results of which figures are drawn in tests, of ordinary and of hostile names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from xml.etree import ElementTree

import numpy as np

from pdp_widgets import (
    GaussianAnalysis,
    GaussianModel,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    compare_noise,
    lsat6,
)
from pdp_widgets.core.chart import Axis, Chart, Series
from pdp_widgets.core.results import Figures

SVG = "{http://www.w3.org/2000/svg}"
POINTS = 72 / 25.4
HOSTILE = ["<script>alert(1)</script>", "ש" * 500, "a\n\x00\u202eb & 'c'"]


def prior(n: int = 3, scale: float = 1.0) -> PriorAnalysis:
    joint = lsat6()
    joint = joint.marginal(list(joint.names[:n]))
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale))


def gaussian(n: int) -> GaussianAnalysis:
    root = np.random.default_rng(n).normal(size=(n, n + 3))
    return GaussianAnalysis(GaussianModel(np.arange(n), root @ root.T / n, unit="kWh"))


def hostile() -> PriorAnalysis:
    joint = JointDistribution(np.full((2, 2, 2), 1 / 8), names=HOSTILE, title="]]><foreignObject>")
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))


def charts() -> tuple[Chart, ...]:
    x = np.linspace(0, 2, 30)
    return tuple(
        Chart(name, [Series("sine", x, np.sin(x))], Axis("x"), Axis("y")) for name in ("first", "second")
    )


def noise() -> Any:
    joint = lsat6().marginal(["item 1", "item 5"])
    return compare_noise(joint, LinearQuery.sum(joint), 0.7)


def of(result: Any, **choice: Any) -> Figures:
    found: Figures = result._figures(**choice)
    return found


#: What is drawn, and which part of it.
FIGURES: dict[str, tuple[Callable[[], Figures], str]] = {
    "graph of 1": (lambda: of(prior(1)), "graph"),
    "graph of 3": (lambda: of(prior(), show_paper=True, target="item 1", known="item 2"), "graph"),
    "graph of 5": (lambda: of(prior(5), show_paper=True), "graph"),
    "graph of 5, long numbers": (lambda: of(prior(5, 5000.0), threshold=3e-4), "graph"),
    "graph of 7": (lambda: of(gaussian(7)), "graph"),
    "graph of 10": (lambda: of(gaussian(10), target=0, known=[1, 2]), "graph"),
    "graph of 15": (lambda: of(gaussian(15)), "graph"),
    "table": (lambda: of(lsat6()), "table"),
    "table of an analysis": (lambda: of(hostile(), target=0, known=[1]), "table"),
    "curves": (lambda: of(prior()), "curves"),
    "belief": (lambda: of(prior()), "belief"),
    "curves of Gaussian data": (lambda: of(gaussian(4)), "curves"),
    "sources": (lambda: of(gaussian(5)), "sources"),
    "matrix of 3": (lambda: of(gaussian(3)), "matrix"),
    "matrix of 10": (lambda: {"matrix": partial(gaussian(10).model.cells, [1.0] * 10)}, "matrix"),
    "matrix of 15": (lambda: of(gaussian(15)), "matrix"),
    "matrix of 40": (lambda: {"matrix": GaussianModel.equicorrelated(40, -0.02).cells}, "matrix"),
    "noise": (lambda: of(noise()), "noise"),
    "meaning": (lambda: of(prior().meaning("item 1"), pair=(0, 1)), "all"),
    "charts": (lambda: {"curves": charts}, "curves"),
    "all": (lambda: of(prior(), show_paper=True), "all"),
    "all of Gaussian data": (lambda: of(gaussian(4)), "all"),
    "hostile names": (lambda: of(hostile()), "graph"),
}


def texts(svg: str) -> str:
    return " ".join("".join(part.itertext()) for part in ElementTree.fromstring(svg).iter(f"{SVG}text"))
