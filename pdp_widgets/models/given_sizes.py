"""Numbers that must be positive, or not negative, and finite: what is due is named in the error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, PdpError, Where
from pdp_widgets.models.given_numbers import plain_number, plain_numbers, refuse_masked
from pdp_widgets.models.labels import shown

__all__ = ["as_not_negative", "as_positive", "as_sizes"]


def as_positive(
    value: Any, name: str, error: type[PdpError] = BudgetError, accepted: str = "a positive finite number"
) -> float:
    """Return a finite number above 0, or raise an error that names the parameter.

    Examples
    --------
    >>> as_positive(2, "epsilon")
    2.0
    """
    number = _number(value, name, error, accepted)
    if not 0 < number < math.inf:
        raise error(f"{name} is {number:.12g}; it must be {accepted}.", Where("parameter", name=name))
    return number


def as_not_negative(
    value: Any, name: str, error: type[PdpError] = BudgetError, accepted: str = "a finite number, 0 or more"
) -> float:
    """Return a finite number, 0 or more, or raise an error that names the parameter.

    Examples
    --------
    >>> as_not_negative(0, "alpha")
    0.0
    """
    number = _number(value, name, error, accepted)
    if not 0 <= number < math.inf:
        raise error(f"{name} is {number:.12g}; it must be {accepted}.", Where("parameter", name=name))
    return number + 0.0


def as_sizes(
    values: Any, name: str, error: type[PdpError] = BudgetError, least: float = 0.0
) -> NDArray[np.float64]:
    """Return numbers of any shape, none below ``least`` and none NaN, or raise an error naming the first.

    Examples
    --------
    >>> as_sizes([0, 1.5], "alpha").tolist()
    [0.0, 1.5]
    """
    where = Where("parameter", name=name)
    refuse_masked(values, name)
    try:
        numbers = plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        raise error(f"{name} holds something that is no number.", where) from None
    wrong = ~(numbers >= least)
    if wrong.any():
        culprit = float(numbers[wrong][0])
        raise error(f"{name} holds {culprit:.12g}; its numbers must be {least:g} or more.", where)
    return numbers + 0.0


def _number(value: Any, name: str, error: type[PdpError], accepted: str) -> float:
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        return plain_number(value)
    except (TypeError, ValueError, OverflowError):
        raise error(
            f"{name} is {shown(value)}; it must be {accepted}.", Where("parameter", name=name)
        ) from None
