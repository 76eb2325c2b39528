"""What every adversary learns from one release of one distribution: the results behind the prior explorer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.adversary import Adversary, column
from pdp_widgets.leakage.prior.exact_all import check_convention, exact_all, instance_positions
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, check_kinds
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.group_bound import group_bound, node_bounds
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

if TYPE_CHECKING:
    from pdp_widgets.leakage.prior.chain_rule import ChainPath, ChainRule
    from pdp_widgets.leakage.prior.progress import ProgressHook

__all__ = ["PriorAnalysis"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

_TOLERANCE = 1e-9


class PriorAnalysis:
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
        Refuse work that would take longer than this many seconds, or more than 20 tuples (13 with convention
        ``"sup"``); ``math.inf`` to go ahead.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

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

    def __init__(
        self,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        instance: Sequence[Any] | None = None,
        convention: str = "instance",
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> None:
        check_kinds(distribution, mechanism)
        check_convention(convention)
        positions = instance_positions(distribution, instance)
        self._distribution = distribution
        self._mechanism = mechanism
        self._positions = positions
        self._convention = convention
        self._seal(
            *exact_all(distribution, mechanism, self.instance, convention, limit=limit, progress=progress)
        )

    def _seal(self, exact: Floats, determined: Booleans) -> None:
        self._exact, self._determined = exact, determined
        self._exact.flags.writeable = False
        self._determined.flags.writeable = False

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

    @property
    def distribution(self) -> JointDistribution:
        """The joint distribution."""
        return self._distribution

    @property
    def mechanism(self) -> LaplaceMechanism:
        """The release."""
        return self._mechanism

    @property
    def instance(self) -> tuple[Label, ...]:
        """The row whose values are known, as labels; with convention ``"sup"`` it does not matter."""
        return tuple(d[p] for d, p in zip(self._distribution.domains, self._positions, strict=True))

    @property
    def instance_positions(self) -> tuple[int, ...]:
        """The row whose values are known, as label positions."""
        return self._positions

    @property
    def convention(self) -> Literal["instance", "sup"]:
        """Which known values count: those of the row (``"instance"``) or the worst ones (``"sup"``)."""
        return cast(Literal["instance", "sup"], self._convention)

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: GS / scale, in nats."""
        return self._mechanism.promise

    @property
    def exact(self) -> Floats:
        """Exact leakage in nats, node array (n, 2**(n-1)), read-only."""
        return self._exact

    @property
    def determined(self) -> Booleans:
        """Whether the known values leave the target one possible label, node array, read-only.

        With convention ``"sup"``: whether all known values that can occur do.
        """
        return self._determined

    @property
    def _model(self) -> tuple[Floats, Sequence[Floats], float]:
        return self._distribution.table, self._mechanism.query.contributions, self._mechanism.scale

    @cached_property
    def _chain(self) -> ChainRule:
        from pdp_widgets.leakage.prior.chain_rule import chain_all

        chain = chain_all(*self._model, self._positions, self._convention)
        chain.values.flags.writeable = False
        chain.increments.flags.writeable = False
        return chain

    @property
    def paper(self) -> Floats:
        """The paper's chain-rule estimate in nats (Algorithm 1, as printed), node array, read-only."""
        return self._chain.values

    @property
    def increments(self) -> Floats:
        """Increments of the edges, shape (n, 2**(n-1), n), read-only; NaN where there is none."""
        return self._chain.increments

    @cached_property
    def group_bounds(self) -> Floats:
        """Group bound (Eq. 16) of every adversary in nats, node array, read-only."""
        bounds = node_bounds(self._mechanism)
        bounds.flags.writeable = False
        return bounds

    def graph(self, with_paper: bool = False) -> WeightedHierarchicalGraph:
        """Return the weighted hierarchical graph, with the paper's estimate and increments if asked for."""
        return WeightedHierarchicalGraph(
            self._distribution.names,
            self._exact,
            self.promise,
            self._determined,
            self.paper if with_paper else None,
            self.increments if with_paper else None,
            float(self.group_bounds.max()),
        )

    @cached_property
    def largest(self) -> Leakage:
        """The largest leakage, with the adversary it belongs to."""
        found = self.graph().largest
        return self.node(found.target, found.known)

    def node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the leakage of one adversary.

        With convention ``"sup"``, ``attained`` names the known values at which it is reached.
        """
        adversary = Adversary.of(self._distribution, target, known)
        c = column(self._distribution.n_tuples, adversary.target, adversary.known)
        found = self._stated(self.adversary(target, known).leakage)
        return replace(found, value=float(self._exact[adversary.target, c]))

    def _stated(self, leakage: Leakage) -> Leakage:
        """State the leakage at known values as one of this convention."""
        if self._convention == "instance":
            return leakage
        known = leakage.about.known
        attained = None if leakage.attained is None else replace(leakage.attained, known=known)
        about = About(leakage.about.target, tuple((name, None) for name, _ in known))
        return replace(leakage, about=about, convention="sup", attained=attained)

    def paper_node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the paper's estimate for one adversary, as printed: neither exact nor a bound."""
        adversary = Adversary.of(self._distribution, target, known)
        c = column(self._distribution.n_tuples, adversary.target, adversary.known)
        return replace(
            self._stated(self.adversary(target, known).leakage),
            value=float(self.paper[adversary.target, c]),
            status="as printed",
            attained=None,
            source="Li, Ren, Yang and Yang, Theorem 5 and Algorithm 1",
        )

    def group_bound(
        self, target: str | int, known: Iterable[str | int] = (), *, loose: bool = False
    ) -> Leakage:
        """Return the group bound of one adversary, see `pdp_widgets.group_bound`."""
        adversary = Adversary.of(self._distribution, target, known)
        names = self._distribution.names
        return replace(
            group_bound(self._mechanism, adversary.target, adversary.known, loose=loose),
            about=About(names[adversary.target], tuple((names[k], None) for k in adversary.known)),
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
        from pdp_widgets.leakage.prior.chain_rule import chain_path

        # Checks that the tuples exist, differ, and leave the target out.
        listed = [order] if isinstance(order, str | int) else list(order)
        adversary = Adversary.of(self._distribution, target, listed)
        return chain_path(
            *self._model,
            self._positions,
            adversary.target,
            [self._distribution.axis(t) for t in listed],
            self._convention,
        )

    def adversary(self, target: str | int, known: Iterable[str | int] = ()) -> PriorAdversary:
        """Return one adversary: with the row's values of the known tuples or, with ``"sup"``, the worst."""
        adversary = Adversary.of(self._distribution, target, known)
        if self._convention == "instance":
            positions = tuple(self._positions[k] for k in adversary.known)
        else:
            from pdp_widgets.leakage.prior.exact_sup import worst_known

            positions = worst_known(*self._model, adversary.target, adversary.known)
        known_positions = dict(zip(adversary.known, positions, strict=True))
        return PriorAdversary._at(self._distribution, self._mechanism, adversary, known_positions)

    @property
    def above_promise(self) -> int:
        """Number of adversaries who learn more than the promise."""
        return int(np.count_nonzero(_exceeds(self._exact, self.promise)))

    @cached_property
    def understated(self) -> Booleans:
        """Whether the paper's estimate is below the exact leakage, node array, read-only."""
        return _sealed(_exceeds(self._exact, self.paper))

    @cached_property
    def overstated(self) -> Booleans:
        """Whether the paper's estimate is above the exact leakage, node array, read-only."""
        return _sealed(_exceeds(self.paper, self._exact))

    @property
    def too_low(self) -> int:
        """Number of adversaries whose leakage the paper's estimate understates."""
        return int(np.count_nonzero(self.understated))

    @property
    def too_high(self) -> int:
        """Number of adversaries whose leakage the paper's estimate overstates."""
        return int(np.count_nonzero(self.overstated))

    def to_dataframe(self, with_paper: bool = False) -> Any:
        """Return a pandas data frame with one adversary a row, in nats.

        Columns: ``target``, ``known`` (names joined by a comma), ``layer``, ``exact``, ``determined``,
        ``group_bound``, ``convention`` and, if asked for, ``paper``.
        """
        from pdp_widgets.leakage.prior.analysis_dataframe import to_dataframe

        return to_dataframe(self, with_paper)

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
        if target is None and tuple(known):
            raise DomainError(
                "Name the target as well as the known tuples.", Where("parameter", name="target")
            )
        from pdp_widgets.widgets.figures import plot_adversary, plot_layers

        if target is None:
            return plot_layers(self, show_paper=show_paper)
        return plot_adversary(self.adversary(target, known))

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
        return f"PriorAnalysis({self._distribution!r}, scale={scale:.6g}, instance={self.instance}{tail})"


def _exceeds(high: Floats, low: Floats | float) -> Booleans:
    """Tell where one leakage is above another by more than rounding."""
    return np.asarray(high - low > _TOLERANCE * np.maximum(1.0, np.abs(low)))


def _sealed(array: Booleans) -> Booleans:
    array.flags.writeable = False
    return array
