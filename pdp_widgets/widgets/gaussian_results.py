"""The numbers of a Gaussian explorer: what they take, computing them, and what the browser shows of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pdp_widgets.core.progress import ProgressHook, part
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.gaussian.comparison import Comparison
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.leakage.prior.graph import counts
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.publish.formatting import parameter
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.views import MOST_SHOWN, GraphView

#: Seconds and bytes for each adversary of one answer.
_SECONDS, _BYTES = 1.3e-7, 46
#: A factor farther from 1 would bring numbers out of range on the way.
_FARTHEST = 1e100


def check_tuples(n: int) -> None:
    """Raise LimitError for more tuples than an explorer computes, with what they would take."""
    if n <= MOST_SHOWN:
        return
    nodes = n * 2.0 ** (n - 1)
    raise LimitError(
        f"The model has {n} tuples and {nodes:,.0f} adversaries; an explorer takes at most {MOST_SHOWN} "
        f"tuples. Every answer would take about {nodes * _SECONDS:.1f} s and {nodes * _BYTES / 1e6:,.0f} MB. "
        "Take some of them with marginal(...), or ask for single adversaries with gaussian_leakage.",
        Where("table"),
    )


def kept_values(asked: GaussianInputs, kept: GaussianInputs) -> str:
    """Say which values the results belong to, where those that stand are others: "scale 2.00"."""
    parts = []
    if asked.model != kept.model:
        parts.append("the matrix before the last edit")
    if asked.weights != kept.weights:
        parts.append("the weights before the last edit")
    if asked.scale != kept.scale:
        parts.append(f"scale {parameter(kept.scale)}")
    if asked.max_change != kept.max_change:
        parts.append(f"change {parameter(kept.max_change)}")
    return ", ".join(parts)


@dataclass(frozen=True)
class GaussianInputs:
    """What results depend on; see `GaussianAnalysis`."""

    model: GaussianModel
    weights: tuple[float, ...]
    scale: float
    max_change: float

    def same_sum(self, other: GaussianInputs) -> bool:
        """Whether only scale and change may differ: leakages are then the same but for a factor."""
        return self.weights == other.weights and self.model == other.model

    def check(self) -> WeightedRelease:
        """Return the release."""
        return WeightedRelease.of(self.model, self.weights, self.scale, self.max_change)


@dataclass(frozen=True, eq=False)
class GaussianResults:
    """Results for some inputs."""

    inputs: GaussianInputs
    analysis: GaussianAnalysis
    view: GraphView
    computed: GaussianResults | None = None

    def at(self, inputs: GaussianInputs) -> GaussianResults | None:
        """Return the results for another scale and change, None where they must be computed anew."""
        base = self.computed or self
        release, before = inputs.check(), base.inputs.check()
        factor = release.factor / before.factor if before.factor > 0 else np.inf
        if not (release.factor == 0 < before.factor or 1 / _FARTHEST < factor < _FARTHEST):
            return None
        determined = base.analysis.determined
        exact = base.analysis.exact * factor
        # The strongest adversary sees the target alone: no rounding is due.
        exact[:, -1] = np.where(determined[:, -1], 0.0, np.abs(release.array) * release.factor)
        analysis = GaussianAnalysis._again(inputs.model, release, exact, determined)
        return GaussianResults(inputs, analysis, base.view.times(factor, analysis.graph()), base)


def seconds_for(inputs: GaussianInputs) -> float:
    """Return about how long `results_for` takes without earlier results. Nothing is computed."""
    return counts(inputs.model.n_tuples).nodes * _SECONDS


def results_for(inputs: GaussianInputs, progress: ProgressHook | None = None) -> GaussianResults:
    """Compute the results for some inputs."""
    release = inputs.check()
    if inputs.max_change == 0:
        # Nothing leaks, and nothing could be told from that for another change.
        some = results_for(replace(inputs, scale=1.0, max_change=1.0), progress).at(inputs)
        assert some is not None
        return some
    found = gaussian_exact_all(
        inputs.model, inputs.weights, inputs.scale, inputs.max_change, progress=part(progress, 0.0, 0.5)
    )
    analysis = GaussianAnalysis._again(inputs.model, release, *found)
    view = GraphView(analysis.graph())
    if view.digest is not None:
        view.digest.prepare(part(progress, 0.5, 1.0))
    return GaussianResults(inputs, analysis, view)


def gaussian_results_state(
    analysis: GaussianAnalysis,
    view: GraphView,
    target: int,
    known: tuple[int, ...],
    search: Search,
    threshold: float | None,
) -> dict[str, Any]:
    """Return all results of one analysis as the browser shows them."""
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
