"""The numbers of a prior explorer: what they take, and computing them in one go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pdp_widgets.core.progress import ProgressHook, part
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.graph_measure import graph_measure
from pdp_widgets.leakage.meaning.all_adversaries import measure_seconds
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.exact_all import check_work
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph, counts
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.leakage.prior.joint_release import check_joint_work
from pdp_widgets.leakage.prior.releases import is_narrow
from pdp_widgets.leakage.value import Convention
from pdp_widgets.mechanisms.laplace import VectorLaplaceMechanism
from pdp_widgets.mechanisms.noise import LaplaceNoise
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short
from pdp_widgets.publish.formatting import parameter
from pdp_widgets.widgets.histogram_results import Analysis, Release, estimate, estimate_seconds
from pdp_widgets.widgets.views import MOST_SHOWN, MOST_TUPLES, GraphView, chosen_state

#: Labels of all tuples together: names, densities and marginals of each travel with every edit.
MOST_LABELS = 1040

#: Cells up to which the leakages take a moment, whatever the query.
_SMALL = 1024
#: Seconds for each adversary of what a large graph needs beside its values.
_SECONDS_DIGEST = 8e-8
#: Seconds of the exact leakages for each adversary and value of a sum.
_SECONDS_EXACT = 1.5e-8

#: Why a graph shows leakages where something else was asked for.
NO_MEASURE = "Chances and delta are computed for one released number, not for a whole histogram."


def check_explored(distribution: JointDistribution) -> None:
    """Raise LimitError for more tuples or labels than an explorer shows, with what they would take."""
    n, labels = distribution.n_tuples, sum(distribution.shape)
    if n > MOST_SHOWN:
        nodes = counts(n).nodes
        seconds = nodes * (n + 1) * _SECONDS_EXACT
        raise LimitError(
            f"The distribution has {n} tuples and {nodes:,} adversaries: every edit would take about "
            f"{seconds:,.0f} s and {nodes * 30 / 1e6:,.0f} MB. An explorer shows at most {MOST_SHOWN} "
            "tuples; take some of them with marginal(...), or use PriorAnalysis, which needs no screen.",
            Where("table"),
        )
    if labels > MOST_LABELS:
        raise LimitError(
            f"The tuples have {labels:,} labels together; an explorer shows at most {MOST_LABELS:,}. Join "
            "labels before the table is made, or use PriorAnalysis, which needs no screen.",
            Where("table"),
        )


def kept_values(asked: Inputs, kept: Inputs) -> str:
    """Say which values the results belong to, where those that stand are others: "scale 2.00"."""
    parts = []
    if asked.distribution != kept.distribution:
        parts.append("the table before the last edit")
    if asked.mechanism.query != kept.mechanism.query:
        parts.append(f"the query {short(kept.mechanism.query.name)}")
    if asked.mechanism.scale != kept.mechanism.scale:
        parts.append(f"scale {parameter(kept.mechanism.scale)}")
    if not asked.same_measure(kept):
        parts.append(_measure_words(kept))
    if asked.convention != kept.convention:
        parts.append("known values as set" if kept.convention == "instance" else "the worst case")
    if asked.row != kept.row and "instance" in (asked.convention, kept.convention):
        parts.append("the known values before the last edit")
    return ", ".join(parts)


def _measure_words(kept: Inputs) -> str:
    epsilon = kept.measure_epsilon if kept.measure == "delta" else None
    return f"the graph of {graph_measure(kept.measure, epsilon, kept.mechanism.promise)}"


@dataclass(frozen=True, eq=False)
class Inputs:
    """What results depend on."""

    distribution: JointDistribution
    mechanism: Release
    row: tuple[int, ...]
    convention: Convention
    with_paper: bool
    #: What the graph shows, and where delta is taken: None at the promise.
    measure: str = "leakage"
    measure_epsilon: float | None = None

    def same_model(self, other: Inputs) -> bool:
        """Whether the exact leakages are the same."""
        return (
            self.row == other.row
            and self.convention == other.convention
            and self.mechanism == other.mechanism
            and self.distribution == other.distribution
        )

    def same_but_scale(self, other: Inputs) -> bool:
        """Whether the leakages at every scale are the same."""
        return (
            self.convention == other.convention
            and (self.convention == "sup" or self.row == other.row)
            and self.mechanism.query == other.mechanism.query
            and self.distribution == other.distribution
        )

    def answered_by(self, other: Inputs) -> bool:
        """Whether the results for other inputs are those for these."""
        return (
            (other.with_paper or not self.with_paper) and self.same_measure(other) and self.same_model(other)
        )

    def same_measure(self, other: Inputs) -> bool:
        """Whether the graph shows the same measure."""
        if self.measure != other.measure:
            return False
        return self.measure != "delta" or self.measure_epsilon == other.measure_epsilon


@dataclass(frozen=True, eq=False)
class PriorResults:
    """Results for some inputs."""

    inputs: Inputs
    analysis: Analysis
    view: GraphView
    #: The graph as it is shown, which is `view` where it shows leakages.
    coloured: GraphView
    refusal: LimitError | None = None
    _drawn: dict[tuple[int, tuple[int, ...], bool], dict[str, Any]] = field(default_factory=dict, repr=False)

    def chosen(self, target: int, known: tuple[int, ...], show_paper: bool) -> dict[str, Any]:
        """Return one adversary as the browser draws it, the last one again without computing."""
        key = (target, known, show_paper)
        if key not in self._drawn:
            made = chosen_state(self.analysis, target, known, show_paper)
            self._drawn.clear()
            self._drawn[key] = made
            return made
        return self._drawn[key]


def seconds_for(inputs: Inputs, last: PriorResults | None) -> float:
    """Return about how long `results_for` takes. Nothing is computed."""
    # Up to ten tuples and 1,024 cells with the known values of one row that is 0: they need no estimate,
    # unless the noise is so narrow that each adversary is looked at alone.
    n, cells = inputs.distribution.n_tuples, inputs.distribution.table.size
    known = last is not None and inputs.same_model(last.inputs)
    seconds = 0.0
    if isinstance(inputs.mechanism, VectorLaplaceMechanism):
        if not known:
            seconds = check_joint_work(inputs.distribution, inputs.mechanism, inputs.convention)
    # On a small table the estimate would cost more than the leakages.
    elif not known and (
        n > MOST_TUPLES
        or cells > _SMALL
        or inputs.convention == "sup"
        or is_narrow(inputs.mechanism.query.contributions, inputs.mechanism.scale)
    ):
        seconds = check_work(inputs.distribution, inputs.mechanism, inputs.convention)
    if not (known and last is not None and inputs.same_measure(last.inputs)):
        seconds += _measure_seconds(inputs)
        if inputs.measure != "leakage" and n > MOST_TUPLES:
            seconds += counts(n).nodes * _SECONDS_DIGEST
    if n > MOST_TUPLES:
        seconds += counts(n).nodes * _SECONDS_DIGEST
        if inputs.with_paper:
            seconds += estimate_seconds(inputs.distribution, inputs.convention)
    return seconds


def _measure_seconds(inputs: Inputs) -> float:
    """Return about how long the measure of the graph takes; 0 where that is the leakage."""
    mechanism = inputs.mechanism
    if inputs.measure == "leakage" or isinstance(mechanism, VectorLaplaceMechanism):
        return 0.0
    # Any epsilon takes as long as another.
    epsilon = 0.0 if inputs.measure == "delta" else None
    noise = LaplaceNoise(mechanism.scale)
    return measure_seconds(
        inputs.distribution, mechanism.query, noise, inputs.measure, epsilon, inputs.convention
    )


def results_for(
    inputs: Inputs,
    last: PriorResults | None = None,
    progress: ProgressHook | None = None,
    *,
    limit: float = 60.0,
) -> PriorResults:
    """Compute the results for some inputs."""
    distribution = inputs.distribution
    analysis: Analysis
    exact_until = 0.6 if inputs.with_paper else 0.9
    if last is not None and inputs.same_model(last.inputs):
        analysis = last.analysis
        exact_until = 0.0
        with_paper = inputs.with_paper or last.inputs.with_paper
    else:
        row = [domain[p] for domain, p in zip(distribution.domains, inputs.row, strict=True)]
        hook = part(progress, 0.0, exact_until)
        release, convention = inputs.mechanism, inputs.convention
        if isinstance(release, VectorLaplaceMechanism):
            analysis = HistogramAnalysis(distribution, release, row, convention, limit=limit, progress=hook)
        else:
            analysis = PriorAnalysis(distribution, release, row, convention, limit=limit, progress=hook)
        with_paper = inputs.with_paper
    refusal = None
    if with_paper:
        try:
            estimate(analysis, part(progress, exact_until, 0.9))
        except LimitError as fault:
            with_paper, refusal = False, fault
    view = GraphView(_graph(analysis, with_paper))
    if view.digest is not None:
        view.digest.prepare(part(progress, 0.9, 1.0 if inputs.measure == "leakage" else 0.92))
    coloured, name, epsilon = view, inputs.measure, inputs.measure_epsilon
    if name != "leakage":
        if isinstance(analysis, HistogramAnalysis):
            name, epsilon = "leakage", None
            refusal = LimitError(NO_MEASURE, Where("parameter", name="measure"))
        elif last is not None and last.analysis is analysis and inputs.same_measure(last.inputs):
            coloured = last.coloured
        else:
            coloured = GraphView(_measured(analysis, inputs, limit, part(progress, 0.92, 0.98)))
            if coloured.digest is not None:
                coloured.digest.prepare(part(progress, 0.98, 1.0))
    made = Inputs(distribution, inputs.mechanism, inputs.row, inputs.convention, with_paper, name, epsilon)
    return PriorResults(made, analysis, view, coloured, refusal)


def _measured(
    analysis: PriorAnalysis, inputs: Inputs, limit: float, progress: ProgressHook | None
) -> WeightedHierarchicalGraph:
    """Return the graph of another measure than the leakage."""
    epsilon = inputs.measure_epsilon if inputs.measure == "delta" else None
    return analysis.graph(measure=inputs.measure, epsilon=epsilon, limit=limit, progress=progress)


def _graph(analysis: Analysis, with_paper: bool) -> WeightedHierarchicalGraph:
    if analysis.distribution.n_tuples <= MOST_TUPLES:
        return analysis.graph(with_paper=with_paper)
    # Increments and the bounds of all adversaries would take many times what the leakages do.
    return WeightedHierarchicalGraph(
        analysis.distribution.names,
        analysis.exact,
        analysis.promise,
        analysis.determined,
        analysis.paper if with_paper else None,
        group_bound=analysis.group_bound(0).value,
        source=analysis.source,
    )
