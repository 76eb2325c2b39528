"""What the browser shows of Gaussian results: the graph or answers about it, and one adversary in full."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.gaussian.comparison import Comparison
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.views import GraphView

__all__ = ["gaussian_chosen_state", "gaussian_results_state"]


def gaussian_results_state(
    analysis: GaussianAnalysis,
    view: GraphView,
    target: int,
    known: tuple[int, ...],
    search: Search,
    threshold: float | None,
) -> dict[str, Any]:
    """Return all results of one analysis as the browser shows them.

    Parameters
    ----------
    analysis
        The results.
    view
        Of their graph.
    target, known
        The chosen adversary.
    search, threshold
        Of a large graph's table.
    """
    top, top_known = view.largest
    most = analysis.adversary(top, top_known)
    return {
        "scale": analysis.scale,
        "max_change": analysis.max_change,
        "weights": analysis.weights,
        "promise": analysis.promise,
        **view.state(target, known, search, threshold),
        "largest": {
            "target": top,
            "known": top_known,
            "value": _value(analysis, most),
            "limit": most.is_limit,
        },
        "chosen": gaussian_chosen_state(analysis, target, known),
        "adversaries": analysis.exact.size,
        "above_promise": view.above_promise,
    }


def gaussian_chosen_state(analysis: GaussianAnalysis, target: int, known: tuple[int, ...]) -> dict[str, Any]:
    """Return one adversary as the browser draws it: where the leakage comes from, and where it shows."""
    adversary = analysis.adversary(target, known)
    seen = None if adversary.determined else Comparison(adversary)
    value = _value(analysis, adversary)
    model = analysis.model
    return {
        "target": target,
        "known": known,
        "value": value,
        "determined": adversary.determined,
        "limit": adversary.is_limit,
        "own": adversary.own,
        "through": [{"tuple": model.axis(name), "value": part} for name, part in adversary.through.items()],
        "coefficient": adversary.coefficient,
        "expected": float(model.mean[target]),
        "spread": adversary.spread,
        # With every tuple at its mean the attacked one is as expected, determined or not.
        "centre": float(adversary.release.array @ model.mean),
        "sigma": adversary.sigma0,
        "pair": None if seen is None else seen.pair,
        "over": None if seen is None else seen.over,
        "nearly": None if seen is None else seen.nearly,
    }


def _value(analysis: GaussianAnalysis, adversary: GaussianAdversary) -> float:
    """Return the leakage as it stands in the graph."""
    at = adversary.adversary
    return float(analysis.exact[at.target, column(analysis.model.n_tuples, at.target, at.known)])
