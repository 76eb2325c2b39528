"""Results of which figures are drawn in tests, of ordinary and of hostile names."""

from __future__ import annotations

from collections.abc import Callable
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
from pdp_widgets.publish import Chart, Line

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


def charts() -> list[Chart]:
    x = np.linspace(0, 2, 30)
    return [Chart(name, [Line("sine", x, np.sin(x))], "x", "y") for name in ("first", "second")]


def noise() -> Any:
    joint = lsat6().marginal(["item 1", "item 5"])
    return compare_noise(joint, LinearQuery.sum(joint), 0.7)


FIGURES: dict[str, tuple[Callable[[], Any], str, dict[str, Any]]] = {
    "graph of 1": (lambda: prior(1), "graph", {}),
    "graph of 3": (prior, "graph", {"show_paper": True, "target": "item 1", "known": "item 2"}),
    "graph of 5": (lambda: prior(5), "graph", {"show_paper": True}),
    "graph of 5, long numbers": (lambda: prior(5, 5000.0), "graph", {"threshold": 3e-4}),
    "graph of 7": (lambda: gaussian(7), "graph", {}),
    "graph of 10": (lambda: gaussian(10), "graph", {"target": 0, "known": [1, 2]}),
    "graph of 15": (lambda: gaussian(15), "graph", {}),
    "table": (lsat6, "table", {}),
    "table of an analysis": (hostile, "table", {"target": 0, "known": [1]}),
    "curves": (prior, "curves", {}),
    "belief": (prior, "belief", {}),
    "curves of Gaussian data": (lambda: gaussian(4), "curves", {}),
    "sources": (lambda: gaussian(5), "sources", {}),
    "matrix of 3": (lambda: gaussian(3), "matrix", {}),
    "matrix of 10": (lambda: gaussian(10).model, "heatmap", {"weights": [1.0] * 10}),
    "matrix of 15": (lambda: gaussian(15).model, "matrix", {}),
    "matrix of 40": (lambda: GaussianModel.equicorrelated(40, -0.02), "matrix", {}),
    "noise": (noise, "noise", {}),
    "charts": (charts, "curves", {}),
    "all": (prior, "all", {"show_paper": True}),
    "all of Gaussian data": (lambda: gaussian(4), "all", {}),
    "hostile names": (hostile, "graph", {}),
}


def texts(svg: str) -> str:
    return " ".join("".join(part.itertext()) for part in ElementTree.fromstring(svg).iter(f"{SVG}text"))
