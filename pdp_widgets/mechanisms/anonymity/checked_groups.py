"""What an anonymiser returns, checked: every row in one group, and no group below k."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.labels import shown

__all__ = ["Anonymiser", "as_anonymiser", "checked_groups"]

#: Takes a table of numbers, shape (n, d), and k; returns groups of positions of rows.
Anonymiser: TypeAlias = Callable[[NDArray[np.float64], int], Iterable[Sequence[int]]]

_WHERE = Where("parameter", name="anonymiser")


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


def checked_groups(groups: Any, n: int, k: int) -> NDArray[np.int64]:
    """Return the number of the group of every row, shape (n,).

    Parameters
    ----------
    groups
        Lists of positions of rows.
    n
        Number of rows.
    k
        Least size of a group.

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
    try:
        listed = [[*group] for group in groups]
        flat = [row for group in listed for row in group]
        whole = all(map(is_whole, flat))
    except TypeError:
        listed, flat, whole = [], [], False
    if not whole:
        raise TableError(
            f"The anonymiser returned {shown(groups)}; it must return lists of positions of rows.", _WHERE
        )
    wrong = next((row for row in flat if not 0 <= row < n), None)
    if wrong is not None:
        raise TableError(
            f"The anonymiser put row {shown(int(wrong))} into a group; rows are 0 to {n - 1:,}.", _WHERE
        )
    sizes = np.array([len(group) for group in listed], np.int64)
    rows = np.array(flat, np.int64)
    often = np.bincount(rows, minlength=n)
    if (often != 1).any():
        row = int(np.argmax(often != 1))
        what = "no group" if not often[row] else f"{often[row]:,} groups"
        raise TableError(
            f"The anonymiser put row {row:,} into {what}; every row must be in exactly one.", _WHERE
        )
    small = int(sizes.argmin())
    if sizes[small] < k:
        raise TableError(
            f"Group {small:,} of the anonymiser has {sizes[small]:,} row{'s' * int(sizes[small] != 1)}, and "
            f"k is {k:,}; it must have at least k.",
            _WHERE,
        )
    found = np.empty(n, np.int64)
    found[rows] = np.repeat(np.arange(len(sizes)), sizes)
    return found
