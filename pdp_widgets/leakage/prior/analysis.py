"""What every adversary learns from one release of one distribution: the results behind the prior explorer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import nats, number
from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.progress import ProgressHook, timed
from pdp_widgets.core.results import Figures, Reported, drawer, plotted
from pdp_widgets.leakage.adversary import Adversary, column
from pdp_widgets.leakage.adversary_figures import AdversaryFigures, asked, graph_figure, layers_chart
from pdp_widgets.leakage.drawn_tables import Method
from pdp_widgets.leakage.graph_measure import GraphMeasure, graph_measure
from pdp_widgets.leakage.meaning.all_adversaries import measure_all
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.meaning.sources import table_cases, table_laws
from pdp_widgets.leakage.prior.adversary_charts import belief_chart, seen_charts
from pdp_widgets.leakage.prior.calibration import Calibration, calibrate
from pdp_widgets.leakage.prior.chain_rule import ChainPath, ChainRule, chain_all, chain_path
from pdp_widgets.leakage.prior.chosen_adversaries import Adversaries
from pdp_widgets.leakage.prior.edge_weights import EdgeWeight, edge
from pdp_widgets.leakage.prior.exact_all import exact_all, instance_positions
from pdp_widgets.leakage.prior.exact_leakages import ExactLeakages, exceeds, sealed
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, check_kinds
from pdp_widgets.leakage.prior.exact_sup import worst_known
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.group_bound import group_bound, node_bounds
from pdp_widgets.leakage.prior.joint_release import JointRelease, joint_leakage
from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals, leakage_intervals
from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison, compare_noise
from pdp_widgets.leakage.prior.path_search import FastSearch, complete_path_minimum, fast_search
from pdp_widgets.leakage.prior.uncertainty import leakage_interval
from pdp_widgets.leakage.result_frames import node_dataframe
from pdp_widgets.leakage.value import About, Leakage, check_convention
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.noise import LaplaceNoise, Noise
from pdp_widgets.models.amount import SHARE, at_most
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

__all__ = ["PriorAnalysis"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

_SOURCES = "Li, Ren, Yang and Yang: exact Eq. 2, group bound Eq. 16, paper Algorithm 1"


class PriorAnalysis(ExactLeakages, AdversaryFigures, Reported):
    """Exact leakage of every adversary, beside the paper's estimate.

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release.
    instance
        One row of labels; each adversary knows some of its values. Without it the most probable row.
    convention
        ``"instance"``: the known values are those of the row. ``"sup"``: the largest leakage over all known
        values that can occur, which is what a guarantee needs; the row does not matter.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does. More than 20 tuples (15 with
        convention ``"sup"``) are refused too; ``math.inf`` to go ahead.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    threads
        How many threads share the work on large binary tables; without it what the machine offers, up to 8.
        The numbers do not depend on it.

    Raises
    ------
    InstanceError
        The row is not one of the table or has probability 0.
    AdversaryError
        There is no such convention.
    QueryError
        The contributions do not fit the distribution.
    LimitError
        The work exceeds the limit.

    Notes
    -----
    Exact leakage is computed at once (Eq. 2 of Li, Ren, Yang and Yang); the paper's chain rule
    (Algorithm 1) on first use.

    Figures: ``"graph"``, ``"table"``, and of the chosen adversary ``"curves"`` and ``"belief"``.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), instance=[0, 1, 0])
    >>> print(analysis.largest)
    1.39763 nats (exact): item 5, knowing item 1 = 0
    >>> analysis.above_promise
    7

    The worst case over all values the adversary may know:

    >>> worst = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), convention="sup").largest
    >>> print(worst, "at", worst.attained.known)
    1.39763 nats (exact): item 5, knowing item 1 at (('item 1', 0),)
    """

    _mechanism: LaplaceMechanism

    def __init__(
        self,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        instance: Sequence[Any] | None = None,
        convention: str = "instance",
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
        threads: int | None = None,
    ) -> None:
        check_kinds(distribution, mechanism)
        check_convention(convention)
        positions = instance_positions(distribution, instance)
        self._distribution = distribution
        self._mechanism = mechanism
        self._positions = positions
        self._convention = convention
        self._seal(
            *exact_all(
                distribution,
                mechanism,
                self.instance,
                convention,
                limit=limit,
                progress=progress,
                threads=threads,
            )
        )

    @classmethod
    def _again(
        cls,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        positions: tuple[int, ...],
        convention: str,
        exact: Floats,
        determined: Booleans,
    ) -> PriorAnalysis:
        made = cls.__new__(cls)
        made._distribution, made._mechanism = distribution, mechanism
        made._positions, made._convention = positions, convention
        made._seal(exact, determined)
        return made

    # One adversary

    @property
    def mechanism(self) -> LaplaceMechanism:
        """The release."""
        return self._mechanism

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: GS / scale, in nats."""
        return self._mechanism.promise

    @property
    def _model(self) -> tuple[Floats, Sequence[Floats], float]:
        return self._distribution.table, self._mechanism.query.contributions, self._mechanism.scale

    def adversary(self, target: str | int, known: Iterable[str | int] = ()) -> PriorAdversary:
        """Return one adversary: with the row's values of the known tuples or, with ``"sup"``, the worst."""
        adversary = Adversary.of(self._distribution, target, known)
        if self._convention == "instance":
            positions = tuple(self._positions[k] for k in adversary.known)
        else:
            positions = worst_known(*self._model, adversary.target, adversary.known)
        known_positions = dict(zip(adversary.known, positions, strict=True))
        return PriorAdversary._at(self._distribution, self._mechanism, adversary, known_positions)

    def known_positions(self, target: str | int, known: Iterable[str | int] = ()) -> dict[int, int]:
        """Return the label positions of the known tuples: the row's or, with ``"sup"``, the worst."""
        chosen = self.adversary(target, known)
        axes = ((self._distribution.axis(name), label) for name, label in chosen.known.items())
        return {axis: self._distribution.label_position(axis, label) for axis, label in axes}

    def _stated(self, leakage: Leakage) -> Leakage:
        """State the leakage at known values as one of this convention."""
        if self._convention == "instance":
            return leakage
        known = leakage.about.known
        attained = None if leakage.attained is None else replace(leakage.attained, known=known)
        about = About(leakage.about.target, tuple((name, None) for name, _ in known))
        return replace(leakage, about=about, convention="sup", attained=attained)

    # All of them

    @cached_property
    def group_bounds(self) -> Floats:
        """Group bound (Eq. 16) of every adversary in nats, node array, read-only."""
        return sealed(node_bounds(self._mechanism))

    @property
    def source(self) -> str:
        """Papers and equations of the numbers."""
        return _SOURCES

    def graph(
        self,
        with_paper: bool = False,
        *,
        measure: str = "leakage",
        epsilon: float | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> WeightedHierarchicalGraph:
        """Return the weighted hierarchical graph, with the paper's estimate and increments if asked for.

        Parameters
        ----------
        with_paper
            With the paper's estimate, which is of leakages alone.
        measure
            What its numbers are: ``"leakage"`` in nats, ``"delta"`` at an epsilon, ``"advantage"`` or
            ``"posterior_vulnerability"``, the chance to guess right, see `measure`. The promise and the group
            bound of the graph are then what those leakages allow, by randomised response; the chance to guess
            right depends on what was believed before, and is allowed to be 1.
        epsilon
            Where delta is taken, in nats; without it at the promise.
        limit, progress
            As for `measure`.

        Examples
        --------
        >>> from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis
        >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> graph = analysis.graph(measure="delta", epsilon=0.5)
        >>> round(graph.largest.exact, 6), round(graph.promise, 6)
        (0.229051, 0.287649)
        """
        with_paper = as_flag(with_paper, "with_paper")
        kind = graph_measure(measure, epsilon, self.promise)
        if not kind.is_leakage:
            return self._measured(kind, limit, progress)
        return WeightedHierarchicalGraph(
            self._distribution.names,
            self._exact,
            self.promise,
            self._determined,
            self.paper if with_paper else None,
            self.increments if with_paper else None,
            # That of the adversaries who know nothing, without the array for all of them.
            float(self._mechanism.query.local_sensitivities.sum()) / self._mechanism.scale,
            self.source,
        )

    def _measured(
        self, kind: GraphMeasure, limit: float, progress: ProgressHook | None
    ) -> WeightedHierarchicalGraph:
        """Return the graph of another measure."""
        values = self.measure(kind.name, epsilon=kind.epsilon, limit=limit, progress=progress)
        if kind.epsilon is not None:
            # Up to its leakage delta is 0, which two sums may miss by rounding.
            values = np.where(self._exact <= at_most(kind.epsilon), 0.0, values)
        bound = float(self._mechanism.query.local_sensitivities.sum()) / self._mechanism.scale
        return WeightedHierarchicalGraph(
            self._distribution.names,
            values,
            kind.allowed(self.promise),
            self._determined,
            group_bound=kind.allowed(bound),
            source=kind.about(self.source),
            measure=kind,
        )

    @cached_property
    def largest(self) -> Leakage:
        """The largest leakage, with its adversary; of a sparse table ``source`` ends with `caution`."""
        found = self.graph().largest
        leakage = self.node(found.target, found.known)
        return replace(leakage, source=f"{leakage.source}; {self.caution}") if self.caution else leakage

    @property
    def caution(self) -> str:
        """What to know before the largest leakages are believed, see `JointDistribution.caution`."""
        return self._distribution.caution

    def node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the leakage of one adversary.

        With convention ``"sup"``, ``attained`` names the known values at which it is reached.
        """
        adversary = Adversary.of(self._distribution, target, known)
        c = column(self._distribution.n_tuples, adversary.target, adversary.known)
        found = self._stated(self.adversary(target, known).leakage)
        return replace(found, value=float(self._exact[adversary.target, c]))

    def group_bound(
        self, target: str | int, known: Iterable[str | int] = (), *, loose: bool = False
    ) -> Leakage:
        """Return the group bound of one adversary, see `pdp_widgets.prior.group_bound`."""
        adversary = Adversary.of(self._distribution, target, known)
        names = self._distribution.names
        return replace(
            group_bound(self._mechanism, adversary.target, adversary.known, loose=loose),
            about=About(names[adversary.target], tuple((names[k], None) for k in adversary.known)),
        )

    @property
    def above_promise(self) -> int:
        """Number of adversaries who learn more than the promise."""
        return int(np.count_nonzero(exceeds(self._exact, self.promise)))

    # The paper's estimates

    @cached_property
    def _chain(self) -> ChainRule:
        return self._chained(None)

    def _chained(self, progress: ProgressHook | None) -> ChainRule:
        chain = chain_all(*self._model, self._positions, self._convention, progress=progress)
        sealed(chain.values)
        sealed(chain.increments)
        return chain

    @property
    def has_paper(self) -> bool:
        """Whether the paper's estimates are computed already: `paper` and `increments` then cost nothing."""
        return "_chain" in self.__dict__

    def compute_paper(self, progress: ProgressHook | None = None, *, limit: float = 60.0) -> None:
        """Compute the paper's estimates now, unless they are there; otherwise they are when first asked for.

        Parameters
        ----------
        progress
            Called now and then with the share done. What it raises cancels.
        limit
            Seconds, after which it is ended; ``math.inf`` for no limit.

        Raises
        ------
        LimitError
            The estimates take more than 0.8 GB, or longer than the limit.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6()
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> told = []
        >>> analysis.compute_paper(told.append)
        >>> analysis.has_paper, told[-1]
        (True, 1.0)
        """
        hook = timed(progress, limit, "The paper's estimates", "Take fewer tuples.")
        if not self.has_paper:
            self.__dict__["_chain"] = self._chained(hook)

    @property
    def paper(self) -> Floats:
        """The paper's chain-rule estimate in nats (Algorithm 1, as printed), node array, read-only."""
        return self._chain.values

    @property
    def increments(self) -> Floats:
        """Increments of the edges, shape (n, 2**(n-1), n), read-only; NaN where there is none."""
        return self._chain.increments

    def paper_node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the paper's estimate for one adversary, as printed: neither exact nor a bound."""
        adversary = Adversary.of(self._distribution, target, known)
        c = column(self._distribution.n_tuples, adversary.target, adversary.known)
        value = float(self.paper[adversary.target, c])
        return self._as_printed(adversary, value, "Theorem 5 and Algorithm 1")

    def _as_printed(self, adversary: Adversary, value: float, source: str) -> Leakage:
        return replace(
            self._stated(self.adversary(adversary.target, adversary.known).leakage),
            value=value,
            status="as printed",
            attained=None,
            source=f"Li, Ren, Yang and Yang, {source}",
        )

    def chain_path(self, target: str | int, order: Iterable[str | int]) -> ChainPath:
        """Return the paper's estimate along one path: tuples are forgotten in this order (Theorem 5).

        Parameters
        ----------
        target
            The attacked tuple.
        order
            Tuples forgotten one after the other, starting from the strongest adversary.
        """
        # Checks that the tuples exist, differ, and leave the target out.
        listed = [order] if isinstance(order, str | int) else list(order)
        adversary = Adversary.of(self._distribution, target, listed)
        steps = [self._distribution.axis(t) for t in listed]
        path = chain_path(*self._model, self._positions, adversary.target, steps, self._convention)
        rest = [k for k in range(self._distribution.n_tuples) if k != adversary.target]
        gone = [set(steps[:k]) for k in range(len(path.values))]
        about = tuple(self._about(adversary.target, [k for k in rest if k not in g]) for g in gone)
        return replace(path, about=about)

    def complete_path_minimum(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the smallest estimate over all complete paths to one adversary: an inspection tool.

        As printed: neither exact nor a bound. Never above `paper_node`, which takes a minimum at every node
        on the way.

        Raises
        ------
        AdversaryError
            A tuple does not exist, is known twice, or is both attacked and known.
        LimitError
            The paths reach too many different values; 10 forgotten tuples always pass.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6()
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [1, 1, 0, 1, 1])
        >>> print(analysis.complete_path_minimum("item 1"))
        1.1373 nats (as printed): item 1, knowing none
        """
        adversary = Adversary.of(self._distribution, target, known)
        value = complete_path_minimum(
            *self._model, self._positions, adversary.target, adversary.known, self._convention
        )
        return self._as_printed(adversary, value, "Theorem 5 and Eq. 14, smallest over complete paths")

    def fast_search(self) -> FastSearch:
        """Search for the largest estimate along the n largest adversaries of every layer (Algorithm 2).

        Raises
        ------
        LimitError
            With convention ``"sup"`` the work would take more than a minute.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6()
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [1, 1, 0, 1, 1])
        >>> print(analysis.fast_search().leakage, "beside", round(float(analysis.paper.max()), 5))
        1.39812 nats (as printed): item 5, knowing none beside 1.31519
        """
        found = fast_search(*self._model, self._positions, self._convention)
        target, known = next(
            node[:2] for nodes in found.kept for node in nodes if node[2] == found.leakage.value
        )
        return replace(found, leakage=replace(found.leakage, about=self._about(target, known)))

    @cached_property
    def _rounding(self) -> float:
        """What two ways to compute one leakage may differ by: a share of what all tuples together show."""
        reach = float(self._mechanism.query.local_sensitivities.sum()) / self._mechanism.scale
        return SHARE * reach

    @cached_property
    def understated(self) -> Booleans:
        """Whether the paper's estimate is below the exact leakage by more than rounding; a node array.

        A target that is determined leaks nothing and is left out.
        """
        return sealed((self._exact - self.paper > self._rounding) & ~self._determined)

    @cached_property
    def overstated(self) -> Booleans:
        """Whether the paper's estimate is above the exact leakage by more than rounding; a node array.

        A target that is determined leaks nothing and is left out.
        """
        return sealed((self.paper - self._exact > self._rounding) & ~self._determined)

    @property
    def too_low(self) -> int:
        """Number of adversaries whose leakage the paper's estimate understates."""
        return int(np.count_nonzero(self.understated))

    @property
    def too_high(self) -> int:
        """Number of adversaries whose leakage the paper's estimate overstates."""
        return int(np.count_nonzero(self.overstated))

    # Further questions about this query, row and convention

    def calibrate(
        self,
        target_leakage: float,
        *,
        adversaries: Adversaries = "all",
        rtol: float = 1e-10,
        atol: float = 1e-9,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> Calibration:
        """Return the least noise scale at which the chosen adversaries learn no more than a target.

        The scale of this release does not matter. Parameters and errors as for `pdp_widgets.calibrate`.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 2", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [0, 1, 0])
        >>> found = analysis.calibrate(1.0)
        >>> round(found.scale, 5), str(found.leakage.about)
        (1.40563, 'item 5, knowing item 1 = 0')
        """
        return calibrate(
            self._distribution,
            self._mechanism.query,
            target_leakage,
            adversaries=adversaries,
            instance=self.instance,
            convention=self.convention,
            rtol=rtol,
            atol=atol,
            limit=limit,
            progress=progress,
        )

    def compare_noise(
        self,
        target_leakage: float,
        *,
        adversaries: Adversaries = "all",
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> NoiseComparison:
        """Compare the noise that plain and group differential privacy, the paper and exact leakage ask for.

        The scale of this release does not matter. Parameters and errors as for `pdp_widgets.compare_noise`.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 2", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [0, 1, 0])
        >>> table = analysis.compare_noise(1.0)
        >>> [(row.name, round(row.scale, 3), row.holds) for row in table.rows]
        ... # doctest: +NORMALIZE_WHITESPACE
        [('plain DP', 1.0, False), ('group DP', 3.0, True),
         ('chain rule', 1.379, False), ('exact', 1.406, True)]
        """
        return compare_noise(
            self._distribution,
            self._mechanism.query,
            target_leakage,
            adversaries=adversaries,
            instance=self.instance,
            convention=self.convention,
            limit=limit,
            progress=progress,
        )

    def interval(
        self,
        target: str | int,
        known: Iterable[str | int] = (),
        *,
        method: Method = "dirichlet",
        level: float = 0.95,
        draws: int = 1000,
        prior: str | float = "bounded",
        zeros: Literal["possible", "structural"] = "possible",
        rng: np.random.Generator | int | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
        executor: Executor | None = None,
    ) -> Leakage:
        """Return one adversary's leakage as an estimate, with an interval for what the counts leave open.

        Parameters and errors as for `pdp_widgets.prior.leakage_interval`; the known tuples have the row's
        values or, with convention ``"sup"``, any.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> found = analysis.interval("item 1", rng=1)
        >>> found.status, [round(end, 2) for end in found.interval]
        ('estimate', [0.97, 1.16])
        """
        return leakage_interval(
            self._distribution,
            self._mechanism,
            target,
            self._as_known(target, known),
            method=method,
            level=level,
            draws=draws,
            prior=prior,
            zeros=zeros,
            rng=rng,
            convention=self.convention,
            limit=limit,
            progress=progress,
            executor=executor,
        )

    def intervals(
        self,
        *,
        method: Method = "dirichlet",
        level: float = 0.95,
        draws: int = 1000,
        prior: str | float = "bounded",
        zeros: Literal["possible", "structural"] = "possible",
        rng: np.random.Generator | int | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
        executor: Executor | None = None,
    ) -> LeakageIntervals:
        """Return the leakage of every adversary as an estimate, with intervals.

        Parameters and errors as for `pdp_widgets.prior.leakage_intervals`.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 5"])
        >>> found = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).intervals(rng=1)
        >>> found.low.round(2).tolist(), found.high.round(2).tolist()
        ([[0.97, 1.0], [0.98, 1.0]], [[1.16, 1.0], [1.11, 1.0]])
        """
        return leakage_intervals(
            self._distribution,
            self._mechanism,
            self.instance,
            self.convention,
            method=method,
            level=level,
            draws=draws,
            prior=prior,
            zeros=zeros,
            rng=rng,
            limit=limit,
            progress=progress,
            executor=executor,
        )

    def edge(self, target: str | int, removed: str | int, known: Iterable[str | int] = ()) -> EdgeWeight:
        """Return the weight of the edge to one adversary from the one who knows a further tuple.

        Parameters
        ----------
        target
            The attacked tuple.
        removed
            The tuple that is no longer known.
        known
            The tuples that stay known, with the row's values or, with ``"sup"``, all that can occur.

        Returns
        -------
        weight
            IC in nats and IR as printed in the paper, and the exact correlation of the two tuples'
            contributions given the known values.

        Raises
        ------
        AdversaryError
            A tuple does not exist or is named twice.

        Notes
        -----
        Li, Ren, Yang and Yang, Eq. 9, 10, 12 and 13.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6()
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [1, 1, 0, 1, 1])
        >>> print(analysis.edge("item 1", removed="item 5", known=["item 3"]))
        ... # doctest: +NORMALIZE_WHITESPACE
        IC -0.03441 nats, IR -0.03441 (as printed); correlation -0.02135 (exact): item 1,
        knowing item 3 = 0, no longer item 5
        """
        return edge(
            self._distribution,
            self._mechanism,
            target,
            removed,
            self._as_known(target, known),
            convention=self.convention,
        )

    def joint_leakage(
        self,
        queries: Iterable[LinearQuery],
        target: str | int,
        known: Iterable[str | int] = (),
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> JointRelease:
        """Return what one adversary learns if several numbers are released instead, such as a histogram.

        Every number has noise of this release's scale. Parameters and errors as for
        `pdp_widgets.prior.joint_leakage`.

        Examples
        --------
        >>> from pdp_widgets import HistogramQuery, LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> found = analysis.joint_leakage(HistogramQuery.of_labels(joint), "item 1")
        >>> print(found.leakage, "bound", float(found.bound))
        2.10095 nats (exact): item 1, knowing none bound 4.0
        """
        return joint_leakage(
            self._distribution,
            queries,
            self._mechanism.scale,
            target,
            self._as_known(target, known),
            convention=self.convention,
            limit=limit,
            progress=progress,
        )

    def _as_known(
        self, target: str | int, known: Iterable[str | int]
    ) -> dict[str | int, Label] | tuple[int, ...]:
        """Return what an adversary knows as the functions take it: values of the row, or tuples alone."""
        adversary = Adversary.of(self._distribution, target, known)
        if self._convention == "sup":
            return adversary.known
        return {k: self.instance[k] for k in adversary.known}

    # What it means

    def meaning(
        self, target: str | int, known: Iterable[str | int] = (), *, noise: Noise | None = None
    ) -> Meaning:
        """Return what one adversary learns in every measure: tests, profiles, guesses, information.

        Parameters
        ----------
        target, known
            The adversary, with the row's values of the known tuples or, with convention ``"sup"``, with all
            that can occur.
        noise
            Noise of another kind on the same query, see `noise_named`; without it that of this release.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6()
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> print(analysis.meaning("item 1").measure("auc"))
        auc 0.728983 chance (exact): item 1, knowing none
        """
        adversary = Adversary.of(self._distribution, target, known)
        about = self._about(adversary.target, adversary.known)
        query, used = self._mechanism.query, self._noise(noise)
        promise = self.promise if noise is None else None
        if self._convention == "sup":
            cases = table_cases(self._distribution, query, used, adversary.target, adversary.known)
            return Meaning(cases, about, "sup", promise)
        given = {k: self.instance[k] for k in adversary.known}
        laws = table_laws(self._distribution, query, used, adversary.target, given)
        return Meaning(laws, about, promise=promise)

    def _noise(self, noise: Noise | None) -> Noise:
        return LaplaceNoise(self._mechanism.scale) if noise is None else noise

    def measure(
        self,
        name: str,
        *,
        epsilon: float | None = None,
        delta: float | None = None,
        order: float | None = None,
        noise: Noise | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> Floats:
        """Return one measure of all adversaries, a node array; see `measure_all`.

        Examples
        --------
        >>> from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis
        >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> analysis.measure("delta", epsilon=0.5).round(4).tolist()
        [[0.2291, 0.2212], [0.2291, 0.2212]]
        """
        return measure_all(
            self._distribution,
            self._mechanism.query,
            self._noise(noise),
            name,
            epsilon=epsilon,
            delta=delta,
            order=order,
            instance=self.instance,
            convention=self.convention,
            limit=limit,
            progress=progress,
        )

    # Shown

    def to_dataframe(self, with_paper: bool = False) -> Any:
        """Return a pandas data frame with one adversary a row, in nats.

        Columns: ``target``, ``known`` (names joined by a comma), ``layer``, ``exact``, ``determined``,
        ``group_bound``, ``convention`` and, if asked for, ``paper``. Its ``attrs`` say the ``unit``, the
        ``source`` and the ``status`` of each: ``exact`` is exact, ``group_bound`` a bound, ``paper`` as
        printed.
        """
        columns = {
            "exact": self.exact,
            "determined": self.determined,
            "group_bound": self.group_bounds,
            "convention": self.convention,
        }
        status = {"exact": "exact", "group_bound": "bound"}
        if as_flag(with_paper, "with_paper"):
            columns["paper"] = self.paper
            status["paper"] = "as printed"
        return node_dataframe(self._distribution.names, columns, self.source, status)

    def to_networkx(self, target: str | int | None = None, with_paper: bool = False) -> Any:
        """Return the graph as a ``networkx.DiGraph``, see `WeightedHierarchicalGraph.to_networkx`."""
        return self.graph(with_paper).to_networkx(target)

    def plot(
        self, target: str | int | None = None, known: Iterable[str | int] = (), *, show_paper: bool = False
    ) -> Any:
        """Return a bqplot figure: every adversary by layer or, with a target, what one adversary sees.

        Parameters
        ----------
        target
            The attacked tuple; without it the figure shows all adversaries.
        known
            The known tuples, with the row's values or, with convention ``"sup"``, the worst ones.
        show_paper
            Draw the paper's estimate of all adversaries beside the exact values.

        Raises
        ------
        DomainError
            Known tuples are given without a target.
        """
        known = asked(target, known)
        if target is None:
            paper = self.paper if as_flag(show_paper, "show_paper") else None
            return plotted(layers_chart(self.exact, self.promise, "promise GS/λ", paper))
        return plotted(seen_charts(self.adversary(target, known)))

    def _figures(
        self,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
        show_paper: bool = False,
    ) -> Figures:
        known = asked(target, known)
        query, scale = self._mechanism.query.name, self._mechanism.scale
        note = (
            f"Exact leakage in nats of a noisy {query} with Laplace noise of scale {number(scale)}; known "
            f"values: {self._known_words}."
        )
        paper = as_flag(show_paper, "show_paper")

        def seen() -> PriorAdversary:
            if target is not None:
                return self.adversary(target, known)
            most = self.graph().largest
            return self.adversary(most.target, most.known)

        return {
            "graph": lambda: graph_figure(
                self.graph(with_paper=paper), target, known, note, show_paper=paper, threshold=threshold
            ),
            "table": self._distribution.cells,
            "curves": lambda: seen_charts(seen(), note),
            "belief": lambda: belief_chart(seen(), note),
        }

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        sort: str | None = "exact",
        most: int | None = 20,
        with_paper: bool = False,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the adversaries as a LaTeX table, see `WeightedHierarchicalGraph.to_latex`.

        With the paper's estimate if asked for, by ``with_paper`` or as a column or order.
        """
        with_paper = as_flag(with_paper, "with_paper") or "paper" in (*(columns or ()), sort)
        made = drawer("latex").table(
            self.graph(with_paper),
            columns,
            sort=sort,
            most=most,
            group_bounds=self.group_bounds,
            note=f"scale {self._mechanism.scale:.6g}; known values: {self._known_words}",
            caption=caption,
            label=label,
        )
        return str(made)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PriorAnalysis):
            return NotImplemented
        return (
            self._positions == other._positions
            and self._convention == other._convention
            and self._mechanism == other._mechanism
            and self._distribution == other._distribution
        )

    def __hash__(self) -> int:
        return hash((self._distribution, self._mechanism, self._positions, self._convention))

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays come out of a copy writable; sealed again, nothing has to be computed a second time.
        return type(self)._again, (
            self._distribution,
            self._mechanism,
            self._positions,
            self._convention,
            self._exact,
            self._determined,
        )

    def __repr__(self) -> str:
        scale = self._mechanism.scale
        tail = "" if self._convention == "instance" else f", convention={self._convention!r}"
        inputs = f"{self._distribution!r}, scale={scale:.6g}, instance={self.instance}{tail}"
        return f"PriorAnalysis({inputs}): largest {nats(float(self.exact.max()))}"

    def __str__(self) -> str:
        caution = f"\nCaution: {self.caution}." if self.caution else ""
        return f"{self!r}\nLargest: {self.largest}{caution}"
