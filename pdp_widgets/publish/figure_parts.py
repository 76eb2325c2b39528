"""What can be drawn of a result: its parts by name, each with the room it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.dependent.accuracy_curve import AccuracyCurve, BudgetCurve
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.dependent.separation import SeparationCurve
from pdp_widgets.leakage.dependent.underestimated import UnderestimationCurve
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.inference.attack_curves import AttackCurves
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.leakage.local.comparison_plane import ComparisonPlane
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import UtilityComparison
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals
from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.two_points import TwoPointsCurve
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.publish import (
    attack_picture,
    dependence_picture,
    figure_dependence,
    figure_graph,
    figure_intervals,
    figure_local,
    figure_noise,
    figure_sequence,
    figure_stream,
    gaussian_curves,
)
from pdp_widgets.publish.curves_picture import Curves, curves_panel, posterior_panel
from pdp_widgets.publish.figure_layout import Part, charts_part
from pdp_widgets.publish.figure_matrix import matrix_figure, matrix_least
from pdp_widgets.publish.formatting import parameter
from pdp_widgets.publish.gaussian_wording import release_name
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import shorten, width, wrap
from pdp_widgets.publish.line_chart import Chart
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.scatter_chart import ScatterChart, scatter_panel
from pdp_widgets.publish.scene import listing, texts
from pdp_widgets.publish.stream_lanes_picture import lanes_panel
from pdp_widgets.publish.stream_panels import transition_panel
from pdp_widgets.publish.stream_snapshot import stream_case
from pdp_widgets.publish.stream_window import StreamWindow
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.table_picture import table_needs, table_panel
from pdp_widgets.publish.wording import Case, short_case

__all__ = ["Choice", "parts"]

#: Room that long labels may ask for beside another part, px.
_LABELLED = 320.0


@dataclass(frozen=True)
class Choice:
    """What is shown of a result beside its numbers.

    Parameters
    ----------
    target, known
        The chosen adversary, by name or position. Without a target the one that learns most.
    show_paper
        Whether the paper's estimate is shown, where there is one.
    threshold
        A line in nats to compare with.
    weights
        One for each tuple, shown with a matrix.
    """

    target: str | int | None = None
    known: tuple[str | int, ...] = ()
    show_paper: bool = False
    threshold: float | None = None
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.target is None and self.known:
            raise DomainError(
                "Name the target as well as the known tuples.", Where("parameter", name="target")
            )


@singledispatch
def parts(subject: Any, choice: Choice) -> dict[str, Part]:
    """Return what can be drawn of a result, by name; the first is what is drawn unasked.

    Parameters
    ----------
    subject
        An analysis, a graph, a distribution, Gaussian data, a comparison of noise, or charts.
    choice
        The adversary, and what is shown.

    Raises
    ------
    TypeError
        There is no picture of such a thing.

    Examples
    --------
    >>> list(parts(JointDistribution([[0.3, 0.2], [0.2, 0.3]]), Choice()))
    ['table']
    """
    if isinstance(subject, Sequence) and subject and all(isinstance(part, Chart) for part in subject):
        return {"curves": charts_part(tuple(subject))}
    raise TypeError(
        f"There is no figure of a {type(subject).__name__}; give one of {_known_kinds()}, or Charts."
    )


def _known_kinds() -> str:
    kinds = [kind.__name__ for kind in parts.registry if kind not in (object, Chart, figure_stream.ShownRun)]
    return ", ".join(kinds)


@parts.register
def _(subject: PriorAnalysis, choice: Choice) -> dict[str, Part]:
    graph = subject.graph(with_paper=choice.show_paper)
    nodes = figure_graph.nodes_of(
        graph, choice.target, choice.known, show_paper=choice.show_paper, threshold=choice.threshold
    )
    distribution = subject.distribution
    adversary = subject.adversary(nodes.target, nodes.known)
    curves = Curves(adversary, subject.promise)
    asked = {} if choice.target is None else adversary.known
    axes = {distribution.axis(name): label for name, label in asked.items()}
    fitting = {axis: distribution.label_position(axis, label) for axis, label in axes.items()}
    about = _prior(subject)
    return {
        "graph": _graph(nodes, about),
        "table": _table(distribution, fitting),
        "curves": Part(lambda svg, w: _curves(svg, curves, w), 300.0, _seen(nodes), about=about),
        "belief": Part(
            lambda svg, w: posterior_panel(svg, curves, w),
            212.0,
            _seen(nodes),
            beside=min(_LABELLED, max(212.0, 182 + max(width(shorten(text)) for text in curves.labels))),
            about=about,
        ),
    }


@parts.register
def _(subject: HistogramAnalysis, choice: Choice) -> dict[str, Part]:
    graph = subject.graph(with_paper=choice.show_paper)
    nodes = figure_graph.nodes_of(graph, choice.target, choice.known, threshold=choice.threshold)
    mechanism = subject.mechanism
    about = (
        f"Exact leakage in nats of a histogram of {len(mechanism.queries)} bins, each with Laplace noise of "
        f"scale {parameter(mechanism.scale)}; known values are {_known_values(subject)}."
    )
    return {"graph": _graph(nodes, about), "table": _table(subject.distribution, {})}


@parts.register
def _(subject: LeakageIntervals, choice: Choice) -> dict[str, Part]:
    return {
        "intervals": Part(
            lambda svg, w: figure_intervals.intervals_figure(svg, subject, w),
            figure_intervals.LEAST,
            "Leakage as an estimate",
            about=f"Leakage in nats; {subject.how}.",
        )
    }


@parts.register
def _(subject: GaussianAnalysis, choice: Choice) -> dict[str, Part]:
    nodes = figure_graph.nodes_of(subject.graph(), choice.target, choice.known, threshold=choice.threshold)
    adversary = subject.adversary(nodes.target, nodes.known)
    about = (
        f"Exact leakage in nats of a noisy {release_name(subject.weights)} with Laplace noise of scale "
        f"{parameter(subject.scale)}, for a change of {parameter(subject.max_change)}."
    )
    return {
        "graph": _graph(nodes, about),
        "matrix": _matrix(subject.model, subject.weights),
        "curves": Part(
            lambda svg, w: gaussian_curves.curves(svg, adversary, w), 300.0, _seen(nodes), about=about
        ),
        "sources": Part(
            lambda svg, w: gaussian_curves.sources(svg, adversary, w),
            212.0,
            _seen(nodes),
            beside=min(_LABELLED, max(212.0, 70 + max(width(f"through {name}") for name in nodes.names))),
            about=about,
        ),
    }


@parts.register
def _(subject: LocalAnalysis, choice: Choice) -> dict[str, Part]:
    case = figure_local.chosen_case(subject, choice.known, choice.target)
    about = figure_local.about(subject)
    found = {
        "matrix": Part(
            lambda svg, w: figure_local.matrix(svg, subject, case, w),
            figure_local.matrix_least(subject),
            "What one report says about another attribute",
            about=about,
        )
    }
    if case is not None:
        title = f"Report of {shorten(case.source)} about {shorten(case.secret)}"
        found["rows"] = Part(
            lambda svg, w: figure_local.rows_panel(svg, subject, case, w), 250.0, title, about=about
        )
        found["curves"] = Part(
            lambda svg, w: figure_local.curve_panel(svg, subject, case, w), 260.0, title, about=about
        )
    return found


@parts.register
def _(subject: LeakageCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_local.curve_chart(subject),))}


@parts.register
def _(subject: ComparisonPlane, choice: Choice) -> dict[str, Part]:
    return {"plane": _scatter(figure_local.plane_chart(subject))}


@parts.register
def _(subject: UtilityComparison, choice: Choice) -> dict[str, Part]:
    return {name: _scatter(chart) for name, chart in figure_local.utility_charts(subject).items()}


@parts.register
def _(subject: SequenceAnalysis, choice: Choice) -> dict[str, Part]:
    about = figure_sequence.conditions(subject)
    return {
        name: replace(charts_part((chart,)), about=about)
        for name, chart in figure_sequence.sequence_charts(subject).items()
    }


@parts.register
def _(subject: StreamRun, choice: Choice) -> dict[str, Part]:
    return parts(figure_stream.ShownRun(subject), choice)


@parts.register
def _(subject: figure_stream.ShownRun, choice: Choice) -> dict[str, Part]:
    run, about = subject.run, figure_stream.run_about(subject.run)
    window = StreamWindow(run, stream_case(run, subject.delta, subject.lines))
    chain = run.script.segment(run.steps + 1).chain
    found = {
        "lanes": Part(
            lambda svg, w: lanes_panel(svg, window, w),
            figure_stream.LANES_LEAST,
            "What leaks step by step",
            about=about,
        )
    }
    if run.steps:
        found["curves"] = replace(charts_part((figure_stream.total_chart(run, subject.delta),)), about=about)
    found["table"] = Part(
        lambda svg, w: transition_panel(svg, chain, w), 232.0, "Transition probabilities", 480.0, 264.0
    )
    return found


@parts.register
def _(subject: TwoPointsCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part(figure_sequence.two_points_charts(subject))}


@parts.register
def _(subject: AccuracyCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_dependence.accuracy_chart(subject),))}


@parts.register
def _(subject: DependenceAnalysis, choice: Choice) -> dict[str, Part]:
    return {
        "tuples": Part(
            lambda svg, w: dependence_picture.dependence_figure(svg, subject, w),
            dependence_picture.LEAST,
            "Promised against exact, for each tuple",
            about=dependence_picture.dependence_about(subject),
        )
    }


@parts.register
def _(subject: UnderestimationCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_dependence.underestimation_chart(subject),))}


@parts.register
def _(subject: BudgetCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_dependence.budget_chart(subject),))}


@parts.register
def _(subject: SeparationCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part(figure_dependence.separation_charts(subject))}


@parts.register
def _(subject: InferenceAttack, choice: Choice) -> dict[str, Part]:
    return {f"attack_{which}": _attack(subject, which) for which in (2, 1)}


@parts.register
def _(subject: AttackCurves, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part(attack_picture.curve_charts(subject))}


@parts.register
def _(subject: WeightedHierarchicalGraph, choice: Choice) -> dict[str, Part]:
    nodes = figure_graph.nodes_of(
        subject, choice.target, choice.known, show_paper=choice.show_paper, threshold=choice.threshold
    )
    return {"graph": _graph(nodes)}


@parts.register
def _(subject: JointDistribution, choice: Choice) -> dict[str, Part]:
    return {"table": _table(subject, {})}


@parts.register
def _(subject: GaussianModel, choice: Choice) -> dict[str, Part]:
    weights, n = choice.weights, subject.n_tuples
    if weights is not None and len(weights) != n:
        raise DomainError(
            f"There are {len(weights)} weights for {n} tuples; give one for each.",
            Where("parameter", name="weights"),
        )
    return {"matrix": _matrix(subject, choice.weights)}


@parts.register
def _(subject: NoiseComparison, choice: Choice) -> dict[str, Part]:
    return {
        "noise": Part(
            lambda svg, w: figure_noise.noise_figure(svg, subject, w), figure_noise.LEAST, "Noise by rule"
        )
    }


@parts.register
def _(subject: Chart, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((subject,))}


def _graph(nodes: Nodes, about: str = "") -> Part:
    least = figure_graph.graph_least(nodes)
    return Part(
        lambda svg, w: figure_graph.graph_figure(svg, nodes, w),
        least,
        "Weighted hierarchical graph",
        about=about,
    )


def _prior(analysis: PriorAnalysis) -> str:
    """Say what the numbers of an analysis hold for."""
    mechanism = analysis.mechanism
    return (
        f"Exact leakage in nats of a noisy {shorten(mechanism.query.name)} with Laplace noise of scale "
        f"{parameter(mechanism.scale)}; known values are {_known_values(analysis)}."
    )


def _known_values(analysis: PriorAnalysis | HistogramAnalysis) -> str:
    if analysis.convention == "sup":
        return "the worst of all that can occur (convention sup)"
    row = listing(analysis.distribution.names, texts(analysis.instance))
    return f"those of the row {row} (convention instance)"


def _seen(nodes: Nodes) -> str:
    """Name the chosen adversary."""
    at, values = nodes.chosen, ("",) * nodes.n
    case = Case(nodes.names, values, at.target, at.known, at.value)
    return f"What is seen of {short_case(case, whole=True)}"


def _curves(svg: Svg, curves: Curves, w: float) -> float:
    """Draw the curves of an adversary; where the target is determined there is a sentence to say."""
    if curves.pair is not None:
        return curves_panel(svg, curves, w)
    y = panel(svg, w, "Density of the published number r")
    name, label = shorten(curves.adversary.target), shorten(curves.adversary.feasible[0])
    words = f"No other label fits what is known: {name} is {label}, and nothing is left to learn."
    for line in wrap(words, w, 12):
        y += 17
        svg.text(0, y, line)
    return y + 8


def _table(distribution: JointDistribution, known: Any) -> Part:
    return Part(
        lambda svg, w: table_panel(svg, distribution, w, known, key=True),
        264.0,
        "Joint distribution",
        480.0,
        min(_LABELLED, max(264.0, table_needs(distribution))),
    )


def _attack(attack: InferenceAttack, which: int) -> Part:
    return Part(
        lambda svg, w: attack_picture.attack_map(svg, attack, which, w),
        attack_picture.LEAST,
        attack_picture.attack_title(attack, which),
        480.0,
        # Side by side on a page, as wide as each other.
        408.0 if which == 1 else None,
        about=attack_picture.attack_about(attack),
    )


def _scatter(chart: ScatterChart) -> Part:
    return Part(lambda svg, w: scatter_panel(svg, chart, w), 300.0, chart.title, about=chart.notes)


def _matrix(model: GaussianModel, weights: Sequence[float] | None) -> Part:
    least = matrix_least(model)
    return Part(
        lambda svg, w: matrix_figure(svg, model, w, weights),
        least,
        "Covariance matrix",
        beside=max(264.0, least) if model.n_tuples <= 5 else None,
    )
