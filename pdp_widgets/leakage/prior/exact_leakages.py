"""What the analyses of one release rest on: exact leakages of all adversaries at one row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.value import About, Convention
from pdp_widgets.models.amount import at_most
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

if TYPE_CHECKING:
    pass

__all__ = ["ExactLeakages", "exceeds", "sealed"]

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


def sealed(array: Array) -> Array:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


def exceeds(high: Floats, low: Floats | float) -> Booleans:
    """Tell where one leakage is above another by more than rounding: that is a share of it, however small."""
    return np.asarray(high > at_most(low))
