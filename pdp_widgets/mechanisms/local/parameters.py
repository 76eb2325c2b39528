"""Checked parameters of local mechanisms: budgets, probabilities, sizes and codes."""

from __future__ import annotations

from math import inf, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, DomainError, TableError, Where
from pdp_widgets.models.given_numbers import is_whole, plain_number, refuse_masked
from pdp_widgets.models.labels import shown

__all__ = [
    "as_alphabet_size",
    "as_codes",
    "as_count",
    "as_delta",
    "as_epsilon",
    "as_probability",
    "as_size",
]


#: Counts up to this are exact as floats.
_LARGEST = 1 << 53


def _number(value: Any, name: str, accepted: str) -> float:
    try:
        number = plain_number(value)
    except (TypeError, ValueError, OverflowError):
        raise BudgetError(f"{name} is {shown(value)}; {accepted}.", Where("parameter", name=name)) from None
    return number


def as_epsilon(value: Any, name: str = "epsilon") -> float:
    """Return a budget, 0 to infinity, or raise BudgetError.

    Examples
    --------
    >>> as_epsilon(float("inf"))
    inf
    """
    accepted = "it must be a number of nats, 0 or more; infinity is allowed"
    number = _number(value, name, accepted)
    if isnan(number) or number < 0:
        raise BudgetError(f"{name} is {number:.12g}; {accepted}.", Where("parameter", name=name))
    return number + 0.0


def as_delta(value: Any) -> float:
    """Return a delta, at least 0 and below 1, or raise BudgetError."""
    accepted = "it must be a number, at least 0 and below 1"
    number = _number(value, "delta", accepted)
    if not 0 <= number < 1:
        raise BudgetError(f"delta is {number:.12g}; {accepted}.", Where("parameter", name="delta"))
    return number + 0.0


def as_probability(value: Any, name: str) -> float:
    """Return a probability, or raise BudgetError with the name of the parameter."""
    accepted = "it must be a probability, 0 to 1"
    number = _number(value, name, accepted)
    if not 0 <= number <= 1:
        raise BudgetError(f"{name} is {number:.12g}; {accepted}.", Where("parameter", name=name))
    return number + 0.0


def _whole(value: Any) -> int | None:
    return int(value) if is_whole(value) else None


def as_size(value: Any, name: str, least: int, most: float = inf) -> int:
    """Return a whole number from ``least`` to ``most``, or raise BudgetError with its name."""
    number = _whole(value)
    if number is None or not least <= number <= most:
        upto = f"{least} or more" if most == inf else f"{least} to {most:,}"
        raise BudgetError(
            f"{name} is {shown(value)}; it must be a whole number, {upto}.", Where("parameter", name=name)
        )
    return number


def as_alphabet_size(k: Any) -> int:
    """Return a number of symbols, at least 1, or raise DomainError."""
    number = _whole(k)
    if number is None or not 1 <= number <= _LARGEST:
        raise DomainError(
            f"The number of symbols k is {shown(k)}; it must be a whole number, 1 to {_LARGEST:,}.",
            Where("parameter", name="k"),
        )
    return number


def as_count(n: Any) -> int:
    """Return a number of reports, at least 1, or raise TableError."""
    number = _whole(n)
    if number is None or not 1 <= number <= _LARGEST:
        raise TableError(
            f"The number of reports n is {shown(n)}; it must be a whole number, 1 to {_LARGEST:,}.",
            Where("parameter", name="n"),
        )
    return number


def as_codes(codes: Any, k: int) -> NDArray[np.int64]:
    """Return symbols as whole numbers 0 to k - 1, shape (n,), or raise DomainError."""
    where = Where("parameter", name="codes")
    refuse_masked(codes, "codes")
    try:
        found = np.asarray(codes)
    except (ValueError, OverflowError):
        raise DomainError(
            "The codes are no list of whole numbers; give one for each person.", where
        ) from None
    if found.ndim != 1:
        raise DomainError(
            f"The codes have {found.ndim} axes; give a list with one code for each person.", where
        )
    if found.size and found.dtype.kind not in "iu":
        raise DomainError(
            f"The codes are {found.dtype} values; give whole numbers from 0 to {k - 1:,}.", where
        )
    wrong = (found < 0) | (found >= k)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DomainError(
            f"Code {row:,} is {int(found[row])}; a code is a whole number from 0 to {k - 1:,}"
            f"{', and missing values cannot be reported' if found[row] == -1 else ''}.",
            where,
        )
    return found.astype(np.int64)
