"""Edit a joint distribution and see what every adversary learns from one release."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from traitlets import Dict, Instance, Tuple, Unicode, Union

from pdp_widgets.core.amounts import GOAL, MEASURE_EPSILON, SCALE, THRESHOLD
from pdp_widgets.core.results import Figures
from pdp_widgets.errors import AdversaryError, DomainError, PdpError
from pdp_widgets.leakage.graph_measure import GRAPH_MEASURES
from pdp_widgets.leakage.value import CONVENTIONS
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.widgets.base import LOCK
from pdp_widgets.widgets.browser_kernel import with_nones
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.histogram_results import Analysis, Query
from pdp_widgets.widgets.inputs import Choice, Flag, Goal, Level, Noun, Number
from pdp_widgets.widgets.joint_table import JointTable, as_distribution
from pdp_widgets.widgets.late import LateQuestion, LateWorker, quick_sample
from pdp_widgets.widgets.prior_results import Inputs, results_for
from pdp_widgets.widgets.prior_state import PriorState
from pdp_widgets.widgets.prior_views import cells_needed, prior_shown, query_needed
from pdp_widgets.widgets.query_input import HISTOGRAM
from pdp_widgets.widgets.running import Work, weakly
from pdp_widgets.widgets.table_edits import MOST_CELLS, labelled
from pdp_widgets.widgets.whg_graph import WHGGraph
from pdp_widgets.widgets.wire import json_safe

__all__ = ["PriorExplorer"]


class PriorExplorer(ComputedBeside):
    """The joint table, the release, the graph of all adversaries and one of them in full, all linked.

    Parameters
    ----------
    value
        The joint distribution, at most 20 tuples (15 with convention ``"sup"``). Up to 1,024 cells can be
        edited on screen; a larger table is shown in a few numbers. A `GaussianModel` opens a
        `GaussianExplorer`, with its keywords.
    query
        A name from `queries_for` such as ``"sum"``, ``"mean"`` or ``"count:1"``, a list of weights (one for
        each tuple), or a `LinearQuery`; its name is used in the sentences. Without it the sum or, where
        labels are text, the count of the label that most tuples have. ``"histogram"`` or a `HistogramQuery`
        releases all bins together; ``results`` is a `HistogramAnalysis` then.
    scale
        Scale of the Laplace noise, in units of the query.
    instance
        The row whose values are known, as labels; without it the most probable row.
    target, known
        The chosen adversary: attacked tuple and known tuples, by name or position; without them the one who
        learns most.
    convention
        ``"instance"``: the known values are those of the row. ``"sup"``: they are the worst of all that can
        occur.
    show_paper
        Show the paper's chain-rule estimate beside every exact value.
    measure
        What the graph of all adversaries shows: ``"leakage"`` in nats, ``"delta"`` at ``measure_epsilon``,
        ``"advantage"`` of the best test, or ``"posterior_vulnerability"``, the chance to guess right. See
        `PriorAnalysis.graph`.
    measure_epsilon
        Where delta is taken, in nats; without it at the promise, which plain differential privacy keeps with
        a delta of 0.
    threshold
        A level to compare with, in nats or as a probability, as the measure is. Another measure drops it.
    goal
        What all adversaries may learn at most, in nats: the explorer says which scale is enough for that.
        Without it what the release promises when the explorer is opened, or 1 nat where that is 0.
    noun
        What one tuple is called in sentences, such as "answer".
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, query, scale, instance, target, known, convention, show_paper, threshold, goal, noun
        The last inputs that made sense; assign to change them. Wrong ones raise and change nothing. Where
        the row of ``instance`` cannot occur in another table, the most probable row takes its place.
    current
        Whether the results belong to what stands in the controls.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.
    LimitError
        More tuples or labels than are shown, or more work than a minute.

    Notes
    -----
    Each step from Python is computed at once: after ``explorer.scale = 2`` the results are those of scale 2.
    An edit in the browser that takes longer than a moment is computed beside the kernel's own work; ``busy``
    is True meanwhile, the next edit takes its place, and `cancel` ends it.

    Examples
    --------
    >>> from pdp_widgets import PriorExplorer, lsat6
    >>> explorer = PriorExplorer(lsat6().marginal(["item 1", "item 2", "item 5"]))
    >>> explorer.scale = 2
    >>> explorer.results.promise
    0.5
    >>> explorer.query = [1, 1, 2]
    >>> explorer.results.promise
    1.0
    """

    _module = "prior_explorer"
    _panels: ClassVar = {
        "graph": "What leaks",
        "curves": "Densities",
        "belief": "Posterior",
    }
    _picture_name = "prior-knowledge.svg"

    _core: PriorState
    _late = Dict().tag(sync=True, to_json=with_nones)
    value = Instance(JointDistribution)
    query = Union([Instance(LinearQuery), Instance(HistogramQuery)])
    scale = Number(SCALE)
    instance = Tuple()
    target = Unicode()
    known = Tuple()
    convention = Choice(CONVENTIONS, error=AdversaryError)
    show_paper = Flag()
    measure = Choice(GRAPH_MEASURES, error=DomainError)
    measure_epsilon = Level(MEASURE_EPSILON)
    threshold = Level(THRESHOLD)
    goal = Goal(GOAL)
    noun = Noun()

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        """Open the explorer of the value: for a `GaussianModel` a `GaussianExplorer`."""
        value = args[0] if args else keywords.get("value")
        if cls is PriorExplorer and isinstance(value, GaussianModel):
            from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer

            # Not an instance of this class: Python leaves its __init__ alone.
            return GaussianExplorer(*args, **keywords)
        return super().__new__(cls, *args, **keywords)

    def __init__(
        self,
        value: JointDistribution,
        query: str | Query | Sequence[float] | None = None,
        scale: float = 1.0,
        instance: Sequence[Any] | None = None,
        target: str | int | None = None,
        known: Iterable[str | int] | None = None,
        *,
        convention: str = "instance",
        show_paper: bool = False,
        measure: str = "leakage",
        measure_epsilon: float | None = None,
        threshold: float | None = None,
        goal: float | None = None,
        noun: str = "tuple",
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        self._core = PriorState(
            self.declared,
            as_distribution(value),
            query=query,
            scale=scale,
            instance=instance,
            target=target,
            known=known,
            convention=convention,
            show_paper=show_paper,
            measure=measure,
            measure_epsilon=measure_epsilon,
            threshold=threshold,
            goal=goal,
            noun=noun,
        )
        self._worker = LateWorker(weakly(self._late_came), weakly(self._late_failed))
        super().__init__(disabled=disabled, layout=layout)

    # Help shows what the constructor takes.
    __new__.__signature__ = inspect.signature(__init__)  # type: ignore[attr-defined]

    def _accept(self, patch: Mapping[str, Any]) -> None:
        if "value" in patch:
            as_distribution(patch["value"])
        super()._accept(patch)

    def _subject(self) -> Any:
        return labelled(self._core.edits.distribution)

    def _shown(self) -> dict[str, Any]:
        return prior_shown(self._core, self._disabled)

    def _embedded(self) -> dict[str, Any]:
        core = self._core
        distribution = core.edits.distribution
        cells = {} if core.edits.on_screen else cells_needed(distribution)
        queries = query_needed(core.query, core.release.key)["queries"]
        if core.release.offers_histogram and HISTOGRAM not in queries:
            # Which labels are equal, their text does not tell.
            queries |= query_needed(HistogramQuery.of_labels(distribution), HISTOGRAM)["queries"]
        return {"queries": queries, **cells}

    def _input_fault(self) -> PdpError | None:
        return self._core.fault or self._core.refusal

    @property
    def results(self) -> Analysis:
        """What every adversary learns, for the last inputs that made sense."""
        return self._core.results

    def _work(self, now: Awaited[Inputs]) -> Work:
        # What it takes was settled before it was awaited.
        return partial(results_for, now.inputs, self._core.solved, limit=math.inf)

    # What the page asks for beside its requests

    def _handle_custom_msg(self, content: Any, buffers: Any) -> None:
        super()._handle_custom_msg(content, buffers)
        if not isinstance(content, dict) or self._closed:
            return
        if "late" in content:
            self._ask_late()

    def _late_failed(self, error: Exception) -> None:
        self._report(error, "a number that comes late")

    def _ask_late(self) -> None:
        with LOCK:
            if self._core.running is not None:
                return
            question = self._core.late()
            enough = self._late.get("enough")
            known = isinstance(enough, dict) and enough.get("of") == question.enough
            self._worker.ask(question, enough=not known)

    def _late_came(self, question: LateQuestion, part: dict[str, Any]) -> bool:
        with LOCK:
            if self._closed:
                return False
            self.set_trait("_late", json_safe({**self._late, **part}))
            return self._core.late().key == question.key

    def saved_outputs(self) -> dict[str, Any]:
        """Return what a notebook keeps of the widget, as for every widget; with the interval of a sample.

        Examples
        --------
        >>> from pdp_widgets import PriorExplorer, lsat6
        >>> state = PriorExplorer(lsat6()).saved_outputs()["application/vnd.pdp-widgets.view+json"]
        >>> state["traits"]["_late"]["sample"]["level"]
        0.95
        """
        # Where no page has been open, as when a notebook runs by itself, nobody has asked for it.
        with LOCK:
            question, known = self._core.late(), self._late.get("sample")
            there = isinstance(known, dict) and known.get("of") == question.sample
            wanted = not there and self._core.running is None
        found = quick_sample(question) if wanted else None
        if found is not None:
            self._late_came(question, found)
        return super().saved_outputs()

    def _figures(self, core: Any) -> Figures:
        return {"table": core.results.distribution.cells}

    def _reported(self, core: Any) -> tuple[Any, dict[str, Any]]:
        return core.results, {"target": core.target, "known": core.known}

    def to_dataframe(self) -> Any:
        """Return one row for each adversary, see `PriorAnalysis.to_dataframe`."""
        core = self._state()
        return core.results.to_dataframe(with_paper=core.paper_shown)

    def to_networkx(self) -> Any:
        """Return the weighted hierarchical graph as a ``networkx.DiGraph``."""
        core = self._state()
        return core.results.to_networkx(with_paper=core.paper_shown)

    def plot(self) -> Any:
        """Return a bqplot figure of the chosen adversary."""
        core = self._state()
        return core.results.plot(core.target, core.known)

    # Parts with a model of their own

    @property
    def table(self) -> JointTable:
        """The joint table as a widget of its own, linked to this explorer; at most 2,048 cells."""

        def make() -> JointTable:
            core = self._core
            made = JointTable(core.edits.distribution)
            made._follow(made.value, core.known, core.asked_row)
            return made

        table: JointTable = self._part("table", make)
        return table

    @property
    def graph(self) -> WHGGraph:
        """The graph as a widget of its own, linked to this explorer."""
        graph: WHGGraph = self._part("graph", lambda: WHGGraph(**self._for_graph()))
        return graph

    def _for_graph(self) -> dict[str, Any]:
        core = self._core
        shows = core.solved.coloured.graph
        return {
            "value": core.results if shows.measure.is_leakage else shows,
            "target": core.target,
            "known": core.known,
            "show_paper": core.paper_shown and shows.measure.is_leakage,
            "threshold": core.asked["threshold"],
        }

    def _share(self) -> None:
        core, table, graph = self._core, self._parts.get("table"), self._parts.get("graph")
        if table is not None:
            if core.edits.distribution.table.size > MOST_CELLS:
                # More cells than a table on screen has: it stays with the last ones, on its own.
                self._parts = {name: part for name, part in self._parts.items() if part is not table}
                table._step(partial(setattr, table, "_leader", None))
            else:
                table._follow(core.edits.distribution, core.known, core.asked_row)
        if graph is not None:
            graph._follow(self._for_graph())

    def _follow_table(self, distribution: JointDistribution) -> None:
        if distribution != self._core.edits.distribution:
            # As after an edit of its own table: a row that cannot occur any more stays, and is the fault.
            self._step(
                lambda: self._busily(lambda: self._core.accept({"value": distribution}, row_stays=True))
            )

    def _follow_graph(self, chosen: Mapping[str, Any]) -> None:
        if chosen != {name: one for name, one in self._for_graph().items() if name != "value"}:
            # The estimate is of leakages: a graph of another measure does not say whether it is asked for.
            leakages = self._core.solved.inputs.measure == "leakage"
            self._edit({name: one for name, one in chosen.items() if leakages or name != "show_paper"})

    def _dispose(self) -> None:
        worker = self.__dict__.get("_worker")
        if worker is not None:
            worker.cancel()
        super()._dispose()
