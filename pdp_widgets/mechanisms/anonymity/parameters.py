"""Checked parameters of releases without noise: probabilities and slacks inside (0, 1), words, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite
from typing import Any

import numpy as np

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import shown

__all__ = ["LARGEST_COUNT", "as_choice", "as_inner", "as_number", "as_positive"]

#: Counts up to this are exact as floats.
LARGEST_COUNT = 1 << 53


def as_number(value: Any, name: str, accepted: str = "it must be a finite number") -> float:
    """Return a finite number, or raise BudgetError with its name.

    Examples
    --------
    >>> as_number(2, "shift")
    2.0
    """
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = plain_number(value)
    except (TypeError, ValueError, OverflowError):
        raise BudgetError(f"{name} is {shown(value)}; {accepted}.", Where("parameter", name=name)) from None
    if not isfinite(number):
        raise BudgetError(f"{name} is {number}; {accepted}.", Where("parameter", name=name))
    return number + 0.0


def as_inner(value: Any, name: str) -> float:
    """Return a number strictly between 0 and 1, or raise BudgetError with its name.

    Examples
    --------
    >>> as_inner(0.5, "p")
    0.5
    """
    accepted = "it must lie between 0 and 1, and be neither"
    number = as_number(value, name, accepted)
    if not 0 < number < 1:
        raise BudgetError(f"{name} is {number:.12g}; {accepted}.", Where("parameter", name=name))
    return number


def as_positive(value: Any, name: str, least: float = 0.0, *, strict: bool = True) -> float:
    """Return a finite number above ``least`` (or at it, unless ``strict``), or raise BudgetError.

    Examples
    --------
    >>> as_positive(3, "s"), as_positive(0, "sigma", strict=False)
    (3.0, 0.0)
    """
    accepted = f"it must be a finite number, {'above' if strict else 'at least'} {least:g}"
    number = as_number(value, name, accepted)
    if not (least < number < inf or (number == least and not strict)):
        raise BudgetError(f"{name} is {number:.12g}; {accepted}.", Where("parameter", name=name))
    return number


def as_choice(value: Any, name: str, offered: Sequence[str]) -> str:
    """Return one of the words that are offered, or raise BudgetError with all of them.

    Examples
    --------
    >>> as_choice("count", "release", ("count", "suppress"))
    'count'
    """
    if isinstance(value, str) and value in offered:
        return value
    *first, last = map(repr, offered)
    words = f"{', '.join(first)} or {last}" if first else last
    raise BudgetError(f"The {name} is {shown(value)}; it is {words}.", Where("parameter", name=name))
