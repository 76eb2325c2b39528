"""What can be drawn of results on prior knowledge, Gaussian data and their models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals
from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.publish import figure_graph, figure_intervals, figure_noise, gaussian_curves
from pdp_widgets.publish.curves_picture import Curves, curves_panel, posterior_panel
from pdp_widgets.publish.figure_layout import Part
from pdp_widgets.publish.figure_matrix import matrix_figure, matrix_least
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.formatting import parameter
from pdp_widgets.publish.gaussian_wording import release_name
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import shorten, width, wrap
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.scene import listing, texts
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.table_picture import table_needs, table_panel
from pdp_widgets.publish.wording import Case, short_case

__all__: list[str] = []

#: Room that long labels may ask for beside another part, px.
_LABELLED = 320.0


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


def _matrix(model: GaussianModel, weights: Sequence[float] | None) -> Part:
    least = matrix_least(model)
    return Part(
        lambda svg, w: matrix_figure(svg, model, w, weights),
        least,
        "Covariance matrix",
        beside=max(264.0, least) if model.n_tuples <= 5 else None,
    )
