"""What every adversary learns from a whole histogram: several numbers, each with noise of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import number
from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Reported, plotted
from pdp_widgets.errors import LimitError, QueryError, Where
from pdp_widgets.leakage.adversary import Adversary, column
from pdp_widgets.leakage.adversary_figures import AdversaryFigures, asked, graph_figure, layers_chart
from pdp_widgets.leakage.prior.exact_all import instance_positions
from pdp_widgets.leakage.prior.exact_leakages import ExactLeakages, exceeds, sealed
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.joint_release import JointRelease, joint_exact_all, joint_leakage
from pdp_widgets.leakage.prior.releases import joint_centres
from pdp_widgets.leakage.value import Leakage, check_convention
from pdp_widgets.mechanisms.histogram_query import is_histogram, joint_sensitivities
from pdp_widgets.mechanisms.laplace import VectorLaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["HistogramAnalysis"]

Floats = NDArray[np.float64]

_SOURCE = "Li, Ren, Yang and Yang, Eq. 2, for several numbers"
_BOUND = "As Li, Ren, Yang and Yang, Eq. 16, with the changes of all bins together"
_SOURCES = f"{_SOURCE}; group bound {_BOUND[0].lower()}{_BOUND[1:]}"


class HistogramAnalysis(ExactLeakages, AdversaryFigures, Reported):
    """Exact leakage of every adversary when all bins of a histogram are released.

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release of all bins.
    instance, convention
        As for `PriorAnalysis`.
    limit
        Refuse work that would take longer than about this many seconds, or more than 20 tuples (15 with
        convention ``"sup"``); ``math.inf`` to go ahead.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    InstanceError
        The row is not one of the table or has probability 0.
    AdversaryError
        There is no such convention.
    QueryError
        The queries are no bins, or do not fit the distribution.
    LimitError
        The work exceeds the limit: it grows with the product of the numbers of values of all bins.

    Notes
    -----
    Li, Ren, Yang and Yang, Eq. 2, for several numbers. The paper has no estimate for them, so there is none
    here; its graph and its group bound carry over.

    Figures: ``"graph"`` and ``"table"``.

    Examples
    --------
    >>> from pdp_widgets import HistogramQuery, VectorLaplaceMechanism, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    >>> bins = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), 1)
    >>> analysis = HistogramAnalysis(joint, bins, instance=[0, 1, 0])
    >>> print(analysis.largest, "promised", analysis.promise)
    2.6942 nats (exact): item 2, knowing item 1 = 0 promised 2.0
    """

    _mechanism: VectorLaplaceMechanism

    def __init__(
        self,
        distribution: JointDistribution,
        mechanism: VectorLaplaceMechanism,
        instance: Sequence[Any] | None = None,
        convention: str = "instance",
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> None:
        if not isinstance(mechanism, VectorLaplaceMechanism):
            raise TypeError(f"The mechanism is a {type(mechanism).__name__}; give a VectorLaplaceMechanism.")
        check_convention(convention)
        if not is_histogram(mechanism.queries):
            raise QueryError(
                "The queries are no histogram: a label counts in two of them, or not as 1. Ask about one "
                "adversary with joint_leakage.",
                Where("parameter", name="mechanism"),
            )
        self._distribution, self._mechanism, self._convention = distribution, mechanism, convention
        self._positions = instance_positions(distribution, instance)
        self._seal(
            *joint_exact_all(
                distribution, mechanism, self.instance, self.convention, limit=limit, progress=progress
            )
        )

    @property
    def mechanism(self) -> VectorLaplaceMechanism:
        """The release of all bins."""
        return self._mechanism

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple, all bins together, in nats."""
        return self._mechanism.promise

    @cached_property
    def _reach(self) -> Floats:
        """What a change of each tuple can move the log densities by, in nats."""
        return joint_sensitivities(self._mechanism.queries) / self._mechanism.scale

    @cached_property
    def group_bounds(self) -> Floats:
        """Group bound of every adversary in nats, node array, read-only."""
        n = self._distribution.n_tuples
        bits = np.arange(1 << (n - 1))[:, np.newaxis] >> np.arange(n - 1) & 1
        others = np.array([np.delete(self._reach, i) for i in range(n)])
        return sealed(self._reach[:, np.newaxis] + others @ (1.0 - bits.T))

    def group_bound(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the group bound of one adversary: holds for every table, all bins together."""
        adversary = Adversary.of(self._distribution, target, known)
        names = self._distribution.names
        about = replace(
            self._about(adversary.target, ()), known=tuple((names[k], None) for k in adversary.known)
        )
        value = float(np.delete(self._reach, adversary.known).sum())
        return Leakage(value, "bound", about, "sup", source=_BOUND)

    @property
    def has_paper(self) -> bool:
        """Whether the paper's estimate is there: it is of one number, so never."""
        return False

    @property
    def paper(self) -> Floats:
        """Raise LimitError: the paper has no estimate for several numbers."""
        self.compute_paper()

    def compute_paper(self, progress: ProgressHook | None = None, *, limit: float = 60.0) -> NoReturn:
        """Raise LimitError: the paper has no estimate for several numbers."""
        raise LimitError(
            "The paper estimates what one released number leaks; for a whole histogram it has no estimate.",
            Where("parameter", name="show_paper"),
        )

    @property
    def source(self) -> str:
        """Papers and equations of the numbers."""
        return _SOURCES

    def graph(self, with_paper: bool = False) -> WeightedHierarchicalGraph:
        """Return the weighted hierarchical graph; ``with_paper=True`` is refused."""
        if as_flag(with_paper, "with_paper"):
            self.compute_paper()
        bound = float(self._reach.sum())
        return WeightedHierarchicalGraph(
            self._distribution.names,
            self._exact,
            self.promise,
            self._determined,
            None,
            None,
            bound,
            self.source,
        )

    @cached_property
    def largest(self) -> Leakage:
        """The largest leakage, with the adversary it belongs to."""
        found = self.graph().largest
        return self.node(found.target, found.known)

    def node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the leakage of one adversary; where it is reached is in `release`."""
        adversary = Adversary.of(self._distribution, target, known)
        at = adversary.target, column(self._distribution.n_tuples, adversary.target, adversary.known)
        return Leakage(
            float(self._exact[at]),
            "exact",
            self._about(adversary.target, adversary.known),
            self.convention,
            source=_SOURCE,
            determined=bool(self._determined[at]),
        )

    def known_positions(self, target: str | int, known: Iterable[str | int] = ()) -> dict[int, int]:
        """Return the label positions of the known tuples: the row's or, with ``"sup"``, the worst."""
        adversary = Adversary.of(self._distribution, target, known)
        if self._convention == "instance":
            return {k: self._positions[k] for k in adversary.known}
        from pdp_widgets.leakage.prior.exact_sup import worst_known_of

        table = self._distribution.table
        queries = [query.contributions for query in self._mechanism.queries]
        centres = joint_centres(table, queries, self._mechanism.scale)
        worst = worst_known_of(table, centres, adversary.target, adversary.known)
        return dict(zip(adversary.known, worst, strict=True))

    def release(self, target: str | int, known: Iterable[str | int] = ()) -> JointRelease:
        """Return what one adversary learns from all bins, from each alone, and where it is reached.

        The known tuples have the row's values or, with convention ``"sup"``, the worst ones for all bins
        together; ``per_coordinate`` belongs to these same values.

        Examples
        --------
        >>> from pdp_widgets import HistogramQuery, JointDistribution, VectorLaplaceMechanism
        >>> joint = JointDistribution([[0.5, 0], [0, 0.5]])
        >>> bins = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), 1)
        >>> found = HistogramAnalysis(joint, bins).release("x1")
        >>> found.r, [float(one) for one in found.per_coordinate]
        ((0.0, 2.0), [2.0, 2.0])
        """
        positions = self.known_positions(target, known)
        domains = self._distribution.domains
        found = joint_leakage(
            self._distribution,
            self._mechanism.queries,
            self._mechanism.scale,
            target,
            {k: domains[k][p] for k, p in positions.items()},
        )
        return replace(found, leakage=self.node(target, known), bound=self.group_bound(target, known))

    @property
    def above_promise(self) -> int:
        """Number of adversaries who learn more than the promise."""
        return int(np.count_nonzero(exceeds(self._exact, self.promise)))

    def to_dataframe(self, with_paper: bool = False) -> Any:
        """Return a pandas data frame with one adversary a row, see `PriorAnalysis.to_dataframe`.

        ``with_paper=True`` is refused.
        """
        if as_flag(with_paper, "with_paper"):
            self.compute_paper()
        from pdp_widgets.leakage.result_frames import node_dataframe

        columns = {
            "exact": self.exact,
            "determined": self.determined,
            "group_bound": self.group_bounds,
            "convention": self.convention,
        }
        status = {"exact": "exact", "group_bound": "bound"}
        return node_dataframe(self._distribution.names, columns, self.source, status)

    def to_networkx(self, target: str | int | None = None, with_paper: bool = False) -> Any:
        """Return the graph as a ``networkx.DiGraph``; ``with_paper=True`` is refused."""
        return self.graph(with_paper).to_networkx(target)

    def plot(self, target: str | int | None = None, known: Iterable[str | int] = ()) -> Any:
        """Return a bqplot figure of all adversaries by layer.

        What one adversary sees are several numbers, which no curve over one can show: target and known tuples
        are checked, and the figure is that of all.
        """
        if target is not None:
            Adversary.of(self._distribution, target, known)
        return plotted(layers_chart(self.exact, self.promise, "promise GS/λ"))

    def _figures(
        self,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
    ) -> Figures:
        known = asked(target, known)
        note = (
            f"Exact leakage in nats of a histogram of {len(self._mechanism.queries)} bins, each with Laplace "
            f"noise of scale {number(self._mechanism.scale)}; known values: {self._known_words}."
        )
        return {
            "graph": lambda: graph_figure(self.graph(), target, known, note, threshold=threshold),
            "table": self._distribution.cells,
        }

    def _graph_latex(self) -> tuple[Any, dict[str, Any]]:
        bins = f"{len(self._mechanism.queries)} bins, scale {self._mechanism.scale:.6g} each"
        note = f"{bins}; known values: {self._known_words}"
        return self.graph(), {"group_bounds": self.group_bounds, "note": note}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HistogramAnalysis):
            return NotImplemented
        return (
            self._positions == other._positions
            and self._convention == other._convention
            and self._mechanism == other._mechanism
            and self._distribution == other._distribution
        )

    def __hash__(self) -> int:
        return hash((self._distribution, self._mechanism, self._positions, self._convention))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Arrays come out of a copy writable.
        self.__dict__.update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __repr__(self) -> str:
        scale = self._mechanism.scale
        bins = len(self._mechanism.queries)
        tail = "" if self._convention == "instance" else f", convention={self._convention!r}"
        return (
            f"HistogramAnalysis({self._distribution!r}, {bins} bins, scale={scale:.6g}, "
            f"instance={self.instance}{tail})"
        )
