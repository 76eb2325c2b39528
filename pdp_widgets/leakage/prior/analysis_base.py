"""What every view of an analysis rests on: the model, the convention, and the exact leakages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.value import About, Convention, Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

__all__ = ["AnalysedRelease", "ExactLeakages", "sealed"]

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
