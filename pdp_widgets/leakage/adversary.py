"""Adversaries, and the numbering of the nodes of the weighted hierarchical graph.

Node arrays have shape (n, 2**(n-1)). Row i holds the adversaries who attack tuple i. The column is a bitmask
of the *known* tuples among the others in increasing order: bit p is set when the p-th tuple of ``[0, ...,
n-1]`` without i is known. Column 0 is the weakest adversary, the last column the strongest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.names import NamedTuples

__all__ = ["Adversary", "column", "known_of", "layer", "layers", "listed_tuples", "others", "refuse_values"]


@dataclass(frozen=True, order=True)
class Adversary:
    """An adversary (i, K): attacks tuple i and knows the tuples of K.

    Parameters
    ----------
    target
        Position of the attacked tuple.
    known
        Positions of the known tuples, ascending.

    Raises
    ------
    AdversaryError
        A position is negative or used twice, or the target is among the known tuples.

    Examples
    --------
    >>> Adversary(0, (2, 1))
    Adversary(target=0, known=(1, 2))
    """

    target: int
    known: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        listed = listed_tuples(self.known)
        for position in (self.target, *listed):
            if not is_whole(position):
                raise AdversaryError(
                    f"{shown(position)} is no position of a tuple; give whole numbers from 0.",
                    Where("parameter", name="target"),
                )
        known = tuple(sorted(int(k) for k in listed))
        if self.target < 0 or (known and known[0] < 0):
            raise AdversaryError("Positions of tuples start at 0.", Where("parameter", name="known"))
        if len(set(known)) != len(known):
            raise AdversaryError(
                "A tuple is named twice among the known ones; name each once.",
                Where("parameter", name="known"),
            )
        if self.target in known:
            raise AdversaryError(
                f"Tuple {self.target} is attacked and known at once; leave it out of the known tuples.",
                Where("axis", axis=self.target),
            )
        object.__setattr__(self, "target", int(self.target))
        object.__setattr__(self, "known", known)

    @classmethod
    def of(cls, distribution: NamedTuples, target: str | int, known: Iterable[str | int] = ()) -> Adversary:
        """Return the adversary whose tuples are given by name or position.

        Raises
        ------
        AdversaryError
            A tuple does not exist, is known twice, or is both attacked and known; or the known tuples come
            with values.
        """

        def position(tuple_: str | int, role: str) -> int:
            try:
                return distribution.axis(tuple_)
            except ValueError as fault:
                raise AdversaryError(
                    f"The {role}: {fault}", Where("parameter", name=role.split()[0])
                ) from None

        listed = listed_tuples(known)
        i = position(target, "target")
        positions = [position(k, "known tuples") for k in listed]
        for p in positions:
            if p == i:
                raise AdversaryError(
                    f"{short(distribution.names[i])} is attacked and known at once; "
                    "leave it out of the known tuples.",
                    Where("axis", axis=i),
                )
            if positions.count(p) > 1:
                raise AdversaryError(
                    f"{short(distribution.names[p])} is named twice among the known tuples; name each once.",
                    Where("axis", axis=p),
                )
        return cls(i, tuple(positions))


def listed_tuples(known: Any) -> list[Any]:
    """Return known tuples as a list: one name or position, or several; values are refused."""
    refuse_values(known)
    if isinstance(known, str | int):
        return [known]
    if not isinstance(known, Iterable):
        raise AdversaryError(
            f"The known tuples are {shown(known)}; give a list of them, empty for none.",
            Where("parameter", name="known"),
        )
    return list(known)


def refuse_values(known: Any) -> None:
    """Raise AdversaryError where known tuples come with values and only the tuples are asked for."""
    if isinstance(known, Mapping) and known:
        names = ", ".join(shown(tuple_) for tuple_ in list(known)[:12]) + (", ..." if len(known) > 12 else "")
        raise AdversaryError(
            f"The known tuples come with values, {shown(dict(known))}; here the values are settled (by "
            f"the row of the analysis, or all that can occur). Name the tuples alone, [{names}].",
            Where("parameter", name="known"),
            call="Values of your own are for prior_leakage and PriorAdversary, or for an analysis with "
            "instance=row.",
        )


def others(n: int, target: int) -> tuple[int, ...]:
    """Return all tuples but the target, in increasing order."""
    return tuple(j for j in range(n) if j != target)


def column(n: int, target: int, known: Iterable[int]) -> int:
    """Return the column of an adversary in node arrays."""
    return sum(1 << (k - (k > target)) for k in set(known))


def known_of(n: int, target: int, column: int) -> tuple[int, ...]:
    """Return the known tuples of a column, ascending."""
    return tuple(j for p, j in enumerate(others(n, target)) if column >> p & 1)


def layer(n: int, column: int) -> int:
    """Return the layer of a column: the number of tuples not known, the attacked one included."""
    return n - column.bit_count()


def layers(n: int) -> NDArray[np.int64]:
    """Return the layer of every column, shape (2**(n-1),)."""
    columns = np.arange(1 << (n - 1), dtype=np.uint64)
    return n - np.bitwise_count(columns).astype(np.int64)
