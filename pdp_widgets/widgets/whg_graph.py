"""The weighted hierarchical graph: what every adversary learns, one lattice for each attacked tuple."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from traitlets import Instance, Tuple, Unicode

from pdp_widgets.core.amounts import THRESHOLD
from pdp_widgets.core.chart import Shown
from pdp_widgets.errors import LimitError, PdpError, TableError, Where
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph, counts
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.models.labels import in_quotes
from pdp_widgets.publish.figures import Live
from pdp_widgets.publish.formatting import count, leakage
from pdp_widgets.publish.labels import isolate, shorten
from pdp_widgets.publish.page_state import page_state
from pdp_widgets.widgets.adversary_choice import asked_choice, given_choice, opening_choice
from pdp_widgets.widgets.base import PdpWidget
from pdp_widgets.widgets.graph_search import Search, asked_search
from pdp_widgets.widgets.histogram_results import Analysis, estimate
from pdp_widgets.widgets.inputs import Flag, Level
from pdp_widgets.widgets.prior_views import graph_needed
from pdp_widgets.widgets.views import FULL_LATTICES, MOST_SHOWN, GraphView, chosen_edges
from pdp_widgets.widgets.wire import json_safe

__all__ = ["WHGGraph"]

#: Seconds and bytes for each adversary of one answer, beside the graph itself.
_SECONDS, _BYTES = 4e-8, 20
#: Seconds that a browser may wait for the paper's estimate: the kernel answers nobody meanwhile.
_MOST_WAITED = 1.0


@dataclass
class GraphChoice:
    """A graph, where it came from, and what is chosen in it."""

    graph: WeightedHierarchicalGraph
    analysis: Analysis | None
    target: int
    known: tuple[int, ...]
    show_paper: bool
    threshold: float | None
    search: Search = field(default_factory=Search)
    fault: PdpError | None = None
    shown: GraphView | None = None

    def view(self) -> GraphView:
        """Return the graph as a browser shows it, the same one while the graph is."""
        if self.shown is None or self.shown.graph is not self.graph:
            self.shown = GraphView(self.graph)
        return self.shown

    def chosen(self) -> dict[str, Any]:
        """Return what is chosen, by the names of the inputs."""
        return {
            "target": self.target,
            "known": self.known,
            "show_paper": self.show_paper,
            "threshold": self.threshold,
        }

    def with_paper(self, longest: float = math.inf) -> WeightedHierarchicalGraph:
        """Return the graph with the paper's estimate, computed if need be."""
        if self.graph.paper is not None:
            return self.graph
        if self.analysis is None:
            raise TableError(
                "This graph carries no paper's estimate.",
                Where("parameter", name="show_paper"),
                call="Give a PriorAnalysis, or make it with_paper=True.",
            )
        estimate(self.analysis, longest=longest)
        return self.analysis.graph(with_paper=True)


def graph_shown(core: GraphChoice) -> dict[str, Any]:
    """Return what a view of a graph shows, beside what every view has."""
    increments = core.graph.increments
    edges = None
    # Up to seven tuples those of all edges travel with the graph.
    if core.show_paper and increments is not None and core.graph.n_tuples > FULL_LATTICES:
        edges = chosen_edges(increments, core.target, core.known)
    return {
        "edges": edges,
        **core.view().state(core.target, core.known, core.search, core.threshold, show_paper=core.show_paper),
        **core.chosen(),
    }


def graph_panel(figure: Shown) -> Live:
    """Return the panel of `WHGGraph` that draws a graph with a chosen adversary."""
    graph, chosen = figure.value, figure.choice
    check_shown(graph.n_tuples)
    most = graph.largest
    target, known = chosen.get("target"), chosen.get("known", ())
    adversary = graph.adversary(
        most.target if target is None else target, most.known if target is None else known
    )
    core = GraphChoice(
        graph,
        None,
        adversary.target,
        adversary.known,
        bool(chosen.get("show_paper")) and graph.paper is not None,
        THRESHOLD.maybe(chosen.get("threshold"), "threshold"),
    )
    view = {"revision": 1, "since": 1, "ack": None, "fault": None, "disabled": False, **graph_shown(core)}
    return Live(page_state("whg_graph", {"_view": json_safe(view)}), "What leaks")


def _as_graph(value: Any) -> tuple[WeightedHierarchicalGraph, Analysis | None]:
    analysis = value if isinstance(value, PriorAnalysis | HistogramAnalysis) else None
    if isinstance(value, PriorAnalysis | HistogramAnalysis | GaussianAnalysis):
        graph = value.graph()
    elif isinstance(value, WeightedHierarchicalGraph):
        graph = value
    elif hasattr(value, "nodes") and hasattr(value, "edges") and hasattr(value, "graph"):
        graph = WeightedHierarchicalGraph.from_networkx(value)
    else:
        raise TypeError(
            f"The value is a {type(value).__name__}; give a WeightedHierarchicalGraph, a PriorAnalysis, a "
            "GaussianAnalysis or a networkx graph as to_networkx() makes it."
        )
    check_shown(graph.n_tuples)
    return graph, analysis


def _adversary_words(names: Sequence[str], target: int, known: tuple[int, ...]) -> str:
    """Name an adversary in few words: the attacked tuple and the names of the known ones."""

    def told(j: int, most: int) -> str:
        return in_quotes(names[j], isolate(shorten(names[j], most)) or "(no name)")

    head = told(target, 24)
    if len(names) == 1:
        return head
    if len(known) > 2:
        return f"{head}, knowing {len(known)} others"
    return f"{head}, knowing {', '.join(told(j, 16) for j in known) or 'nothing'}"


def check_shown(n: int) -> None:
    """Raise LimitError for more tuples than are shown, with what they would take."""
    if n <= MOST_SHOWN:
        return
    nodes = counts(n).nodes
    raise LimitError(
        f"The graph has {n} tuples and {nodes:,} adversaries; at most {MOST_SHOWN} tuples are shown. "
        f"Every answer would take about {nodes * _SECONDS:.1f} s and {nodes * _BYTES / 1e6:,.0f} MB beside "
        f"the graph's own {nodes * 9 / 1e6:,.0f} MB. Take fewer tuples, as with marginal(...).",
        Where("parameter", name="value"),
    )


class WHGGraph(PdpWidget):
    """All adversaries as nodes, by target and by how much they do not know; leakage as number and colour.

    Parameters
    ----------
    value
        A `WeightedHierarchicalGraph`, a `PriorAnalysis`, a `GaussianAnalysis` or a networkx graph as
        ``to_networkx()`` makes it; at most 20 tuples. From 11 on Python keeps the values and answers what is
        asked of the graph.
    target, known
        The chosen adversary, by name or position; without them the one who learns most.
    show_paper
        Show the paper's chain-rule estimate.
    threshold
        A level to compare with, in nats.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value
        The `WeightedHierarchicalGraph`. Assign any of the four kinds.
    target, known
        Names of the attacked and of the known tuples of the chosen adversary.

    Raises
    ------
    LimitError
        More than 20 tuples.
    AdversaryError
        The adversary does not exist, or known tuples are given without a target.
    TableError
        The paper's estimate is asked for and the graph has none.

    Notes
    -----
    From Python the paper's estimate is computed however long it takes. A browser that asks for one that takes
    more than a second is told how to get it.

    Examples
    --------
    >>> from pdp_widgets import WeightedHierarchicalGraph, WHGGraph
    >>> graph = WHGGraph(WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0))
    >>> graph.target, graph.known
    ('a', ())
    """

    _module = "whg_graph"
    _panels: ClassVar = {
        "graph": "What leaks",
    }

    _core: GraphChoice
    value = Instance(WeightedHierarchicalGraph)
    target = Unicode()
    known = Tuple()
    show_paper = Flag()
    threshold = Level(THRESHOLD)

    def __init__(
        self,
        value: Any,
        *,
        target: str | int | None = None,
        known: Iterable[str | int] | None = None,
        show_paper: bool = False,
        threshold: float | None = None,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        graph, analysis = _as_graph(value)
        flag, level = self.declared["show_paper"].take(show_paper), self.declared["threshold"].take(threshold)
        self._core = GraphChoice(graph, analysis, 0, (), flag, level)
        largest = self._core.view().largest
        chosen = opening_choice(graph.adversary, target, known, largest, graph.exact)
        self._core.target, self._core.known = chosen
        if show_paper:
            self._core.graph = self._core.with_paper()
        self._leader: Any = None
        super().__init__(disabled=disabled, layout=layout)

    def _accept(self, patch: Mapping[str, Any]) -> None:
        core = replace(self._core, fault=None)
        if "value" in patch:
            core.graph, core.analysis = _as_graph(patch["value"])
            if core.graph.names != self._core.graph.names:
                core.target, core.known = core.view().largest
                core.search = Search()
            if core.show_paper and core.graph.paper is None and core.analysis is None:
                core.show_paper = False
        core.target, core.known = given_choice(patch, core.graph.adversary, (core.target, core.known))
        for name, one in self.declared.items():
            if name in patch:
                setattr(core, name, one.take(patch[name]))
        if core.show_paper:
            core.graph = core.with_paper()
        self._core = core

    def _answer(self, request: Mapping[str, Any]) -> None:
        core = replace(self._core, fault=None)
        core.target, core.known = asked_choice(request, (core.target, core.known), core.graph.n_tuples)
        core.show_paper = self.declared["show_paper"].ask(request, core.show_paper)
        core.search = asked_search(request, core.search, core.graph.n_tuples)
        try:
            core.threshold = self.declared["threshold"].ask(request, core.threshold)
            if core.show_paper:
                core.graph = core.with_paper(_MOST_WAITED)
        except LimitError as fault:
            # It is not there, and asking for something else must not ask for it again.
            core.fault, core.show_paper = fault, False
        except PdpError as fault:
            core.fault = fault
        self._core = core

    def _subject(self) -> Any:
        return self._core.graph.names

    def _values(self) -> dict[str, Any]:
        core = self._core
        names = core.graph.names
        return {
            "value": core.graph,
            "target": names[core.target],
            "known": tuple(names[k] for k in core.known),
            "show_paper": core.show_paper and core.graph.paper is not None,
            "threshold": core.threshold,
        }

    def _shown(self) -> dict[str, Any]:
        return graph_shown(self._core)

    def _embedded(self) -> dict[str, Any]:
        core = self._core
        return {} if core.view().digest is None else graph_needed(core.graph)

    def _input_fault(self) -> PdpError | None:
        return self._core.fault

    def _follow(self, wanted: Mapping[str, Any]) -> None:
        """Show a graph, or the analysis that it is of, and what is chosen in it."""
        same = any(wanted["value"] is one for one in (self._core.graph, self._core.analysis))
        if not same or {**self._core.chosen(), "value": wanted["value"]} != wanted:
            self._edit(wanted)

    def _share(self) -> None:
        if self._leader is not None:
            self._leader._follow_graph(self._core.chosen())

    def _sentence(self, core: GraphChoice) -> str:
        graph = core.graph
        most = graph.largest
        largest = _adversary_words(graph.names, most.target, most.known)
        told = graph.measure
        many = count(graph.exact.size, "adversary", "adversaries")
        line = f"the promise of {leakage(graph.promise)} nats" if told.is_leakage else told.beside
        return (
            f"Exact {told} of {many}, {core.view().above_promise:,} above {line}. "
            f"Largest: {leakage(most.exact, graph.promise)} ({largest})."
        )

    def to_networkx(self) -> Any:
        """Return the graph as a ``networkx.DiGraph``."""
        return self._core.graph.to_networkx()
