"""What the analyses of one release rest on: exact leakages, and the paper's estimates beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import Adversary, column
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.value import About, Convention, Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.amount import SHARE, at_most
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

if TYPE_CHECKING:
    from pdp_widgets.leakage.prior.chain_rule import ChainPath, ChainRule
    from pdp_widgets.leakage.prior.path_search import FastSearch
    from pdp_widgets.leakage.progress import ProgressHook

__all__ = ["AnalysedRelease", "ExactLeakages", "PaperEstimates", "exceeds", "sealed"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Array = TypeVar("Array", Floats, Booleans)


class ExactLeakages:
    """The exact leakage of every adversary, and the row and convention it belongs to."""

    _distribution: JointDistribution
    _positions: tuple[int, ...]
    _convention: str
    _exact: Floats
    _determined: Booleans

    def _seal(self, exact: Floats, determined: Booleans) -> None:
        self._exact, self._determined = sealed(exact), sealed(determined)

    @property
    def distribution(self) -> JointDistribution:
        """The joint distribution."""
        return self._distribution

    @property
    def instance(self) -> tuple[Label, ...]:
        """The row whose values are known, as labels; with convention ``"sup"`` it does not matter."""
        return tuple(d[p] for d, p in zip(self._distribution.domains, self._positions, strict=True))

    @property
    def instance_positions(self) -> tuple[int, ...]:
        """The row whose values are known, as label positions."""
        return self._positions

    @property
    def convention(self) -> Convention:
        """Which known values count: those of the row (``"instance"``) or the worst ones (``"sup"``)."""
        return cast(Convention, self._convention)

    @property
    def _known_words(self) -> str:
        """Whose values the known tuples have, as tables for papers say it."""
        if self._convention == "sup":
            return "the worst that can occur"
        pairs = zip(self._distribution.names, self.instance, strict=True)
        return f"those of the row {', '.join(f'{name} = {label}' for name, label in pairs)}"

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

    def _about(self, target: int, known: Iterable[int]) -> About:
        """Return an adversary by name: with the row's values or, with ``"sup"``, with any."""
        names, labels = self._distribution.names, self.instance
        at_row = self._convention == "instance"
        return About(names[target], tuple((names[k], labels[k] if at_row else None) for k in known))


class AnalysedRelease(ExactLeakages):
    """One release of one number with the exact leakage of every adversary; see `PriorAnalysis`."""

    _mechanism: LaplaceMechanism

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
            from pdp_widgets.leakage.prior.exact_sup import worst_known

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


def sealed(array: Array) -> Array:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


class PaperEstimates(AnalysedRelease):
    """What the paper's chain rule says beside the exact leakages; see `PriorAnalysis`."""

    @cached_property
    def _chain(self) -> ChainRule:
        return self._chained(None)

    def _chained(self, progress: ProgressHook | None) -> ChainRule:
        from pdp_widgets.leakage.prior.chain_rule import chain_all

        chain = chain_all(*self._model, self._positions, self._convention, progress=progress)
        sealed(chain.values)
        sealed(chain.increments)
        return chain

    @property
    def has_paper(self) -> bool:
        """Whether the paper's estimates are computed already: `paper` and `increments` then cost nothing."""
        return "_chain" in self.__dict__

    def compute_paper(self, progress: ProgressHook | None = None) -> None:
        """Compute the paper's estimates now, unless they are there; otherwise they are when first asked for.

        Parameters
        ----------
        progress
            Called now and then with the share done. What it raises cancels.

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
        if not self.has_paper:
            self.__dict__["_chain"] = self._chained(progress)

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
        from pdp_widgets.leakage.prior.chain_rule import chain_path

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
        from pdp_widgets.leakage.prior.path_search import complete_path_minimum

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
        from pdp_widgets.leakage.prior.path_search import fast_search

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


def exceeds(high: Floats, low: Floats | float) -> Booleans:
    """Tell where one leakage is above another by more than rounding: that is a share of it, however small."""
    return np.asarray(high > at_most(low))
