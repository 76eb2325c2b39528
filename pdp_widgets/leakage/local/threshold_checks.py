"""Thresholds and limits of the functions of local privacy: numbers from 0 to infinity."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import shown

__all__ = ["as_limit"]


def as_limit(value: Any, name: str, what: str) -> float:
    """Return a number, 0 to infinity, or raise DomainError with the name of the parameter.

    Parameters
    ----------
    value
        What was given.
    name
        Of the parameter.
    what
        What it is, for the message.

    Examples
    --------
    >>> as_limit(0.5, "threshold", "a number of nats")
    0.5
    """
    try:
        number = nan if isinstance(value, bool | np.bool_) else plain_number(value)
    except (TypeError, ValueError, OverflowError):
        number = nan
    if not number >= 0:
        raise DomainError(
            f"{name} is {shown(value)}; it is {what}, 0 or more.", Where("parameter", name=name)
        )
    return number
