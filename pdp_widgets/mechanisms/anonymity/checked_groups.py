"""What an anonymiser returns, checked: every row in one group, and no group below k."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.models.given_numbers import is_whole, refuse_masked
from pdp_widgets.models.labels import shown

__all__ = ["Anonymiser", "as_anonymiser", "checked_groups"]

#: Takes a table of numbers, shape (n, d), and k; returns groups of positions of rows.
Anonymiser: TypeAlias = Callable[[NDArray[np.float64], int], Iterable[Sequence[int]]]

_WHERE = Where("parameter", name="anonymiser")


@dataclass(frozen=True)
class _Words:
    """How what is wrong is said: of what an anonymiser returned, or of groups that were given."""

    where: Where
    none: str
    outside: str
    often: str
    small: str


_RETURNED = _Words(
    _WHERE,
    "The anonymiser returned {}; it must return lists of positions of rows.",
    "The anonymiser put row {} into a group; rows are 0 to {:,}.",
    "The anonymiser put row {:,} into {}; every row must be in exactly one.",
    "Group {:,} of the anonymiser has {:,} row{}, and k is {:,}; it must have at least k.",
)
_GIVEN = _Words(
    Where("parameter", name="groups"),
    "The groups are {}; give lists of positions of records.",
    "The groups have record {}; records are 0 to {:,}.",
    "The groups have record {:,} in {}; every record with all quasi-identifiers must be in exactly one.",
    "Group {:,} has {:,} record{}, and k is {:,}; it must have at least k.",
)


def as_anonymiser(anonymiser: Any) -> Anonymiser:
    """Return something that can be called, or raise BudgetError.

    Examples
    --------
    >>> as_anonymiser(3)
    Traceback (most recent call last):
    pdp_widgets.errors.BudgetError: The anonymiser is 3; give a function (rows, k) -> groups of rows.
    """
    if not callable(anonymiser):
        raise BudgetError(
            f"The anonymiser is {shown(anonymiser)}; give a function (rows, k) -> groups of rows.", _WHERE
        )
    return anonymiser  # type: ignore[no-any-return]


def checked_groups(groups: Any, n: int, k: int, wanted: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return the number of the group of every row, shape (n,), -1 for those in none.

    Parameters
    ----------
    groups
        Lists of positions of rows.
    n
        Number of rows.
    k
        Least size of a group.
    wanted
        Rows that must be in a group, in ascending order, where groups were given; None for all rows, where an
        anonymiser returned them.

    Raises
    ------
    TableError
        They are no lists of positions, a row is in no group or in two, or a group has fewer than k rows.

    Examples
    --------
    >>> checked_groups([[0, 3], [1, 2]], 4, 2).tolist()
    [0, 1, 1, 0]
    >>> checked_groups([[0, 2], [1]], 3, 2)
    Traceback (most recent call last):
    pdp_widgets.errors.TableError: Group 1 of the anonymiser has 1 row, and k is 2; it must have at least k.
    """
    words = _RETURNED if wanted is None else _GIVEN
    refuse_masked(groups, "groups")
    try:
        listed = [[*group] for group in groups]
        flat = [row for group in listed for row in group]
        whole = all(map(is_whole, flat))
    except TypeError:
        listed, flat, whole = [], [], False
    if not whole:
        raise TableError(words.none.format(shown(groups)), words.where)
    wrong = next((row for row in flat if not 0 <= row < n), None)
    if wrong is not None:
        raise TableError(words.outside.format(shown(int(wrong)), n - 1), words.where)
    sizes = np.array([len(group) for group in listed], np.int64)
    rows = np.array(flat, np.int64)
    often = np.bincount(rows, minlength=n)
    once = np.ones(n, np.int64)
    if wanted is not None:
        once[:] = 0
        once[wanted] = 1
    if (often != once).any():
        row = int(np.argmax(often != once))
        if not once[row]:
            raise TableError(
                f"Record {row:,} in a group has a missing quasi-identifier; take it out.", words.where
            )
        what = "no group" if not often[row] else f"{often[row]:,} groups"
        raise TableError(words.often.format(row, what), words.where)
    small = int(sizes.argmin()) if len(sizes) else 0
    if not len(sizes):
        raise TableError(words.none.format(shown(groups)), words.where)
    if sizes[small] < k:
        many = int(sizes[small])
        raise TableError(words.small.format(small, many, "s" * (many != 1), k), words.where)
    found = np.full(n, -1, np.int64)
    found[rows] = np.repeat(np.arange(len(sizes)), sizes)
    return found
