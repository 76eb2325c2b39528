"""Which other users an adversary knows, for every victim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.models.given_numbers import as_generator, is_whole, plain_number
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown

__all__ = ["KnownOthers", "are_listed", "known_others"]

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class KnownOthers(ReadOnlyArrays):
    """Known users: the same for every victim but for one, who stands in for a victim among them.

    Parameters
    ----------
    chosen
        Whether a user is known.
    spare
        Position of the user who is known in place of a victim who is chosen; -1 for nobody.

    Examples
    --------
    >>> known = KnownOthers(np.array([True, True, False]), 2)
    >>> known.of(0).tolist(), known.of(2).tolist()
    ([1, 2], [0, 1])
    """

    chosen: Flags
    spare: int = -1

    def of(self, victim: int) -> Integers:
        """Return the positions of the users known beside a victim, ascending."""
        mask = self.chosen.copy()
        mask[victim] = False
        if self.chosen[victim] and self.spare >= 0:
            mask[self.spare] = True
        return np.flatnonzero(mask)

    @property
    def full(self) -> bool:
        """Whether all others are known."""
        return int(self.chosen.sum()) == len(self.chosen) - (self.spare >= 0)


def are_listed(known: Any) -> bool:
    """Tell whether users are listed one by one; an array without axes is a share.

    Examples
    --------
    >>> are_listed([3]), are_listed(0.5), are_listed(np.array(0.5))
    (True, False, False)
    """
    single = isinstance(known, str | bytes) or (isinstance(known, np.ndarray) and known.ndim == 0)
    return isinstance(known, Iterable) and not single


def known_others(n: int, known: Any, rng: np.random.Generator | int | None = None) -> KnownOthers:
    """Return the users known by share, drawn at random, or as listed.

    Parameters
    ----------
    n
        Number of users.
    known
        Share of the other users, 0 to 1; or the positions of users, of whom a victim is left out.
    rng
        Generator or seed: which ones.

    Examples
    --------
    >>> known_others(5, 0.5, rng=1).of(3).tolist()
    [0, 4]
    """
    order = as_generator(rng).permutation(n)
    if are_listed(known):
        return _listed(n, list(known))
    try:
        share = np.nan if isinstance(known, bool) else plain_number(known)
    except (TypeError, ValueError, OverflowError):
        share = np.nan
    if not 0 <= share <= 1:
        raise AdversaryError(
            f"known is {shown(known)}; it is the share of the other users, from 0 to 1, or a list of users.",
            Where("parameter", name="known"),
        )
    many = round(share * (n - 1))
    chosen = np.zeros(n, dtype=bool)
    chosen[order[:many]] = True
    return KnownOthers(chosen, int(order[many]))


def _listed(n: int, listed: list[Any]) -> KnownOthers:
    for user in listed:
        if not is_whole(user) or not 0 <= user < n:
            raise AdversaryError(
                f"A known user is {shown(user)}; give positions from 0 to {n - 1}.",
                Where("parameter", name="known"),
            )
    chosen = np.zeros(n, dtype=bool)
    chosen[np.array(listed, dtype=np.int64)] = True
    return KnownOthers(chosen)
