"""Promises in nats, and the noise scale of a sensitivity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pdp_widgets.errors import BudgetError, ScaleError, Where
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import shown

__all__ = ["as_budget", "as_noise", "laplace_scale"]


def as_budget(epsilon: Any) -> float:
    """Return a budget, positive and finite, or raise BudgetError.

    Examples
    --------
    >>> as_budget(2)
    2.0
    """
    try:
        if isinstance(epsilon, bool | np.bool_):
            raise TypeError
        number = plain_number(epsilon)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 < number < math.inf:
        raise BudgetError(
            f"epsilon is {shown(epsilon)}; it must be a positive, finite number of nats.",
            Where("parameter", name="epsilon"),
        )
    return number


def as_noise(scale: float) -> float:
    """Return the scale of a release that has noise, or raise ScaleError: no tuple changes its answer.

    Examples
    --------
    >>> as_noise(1.5)
    1.5
    """
    if not scale:
        raise ScaleError(
            "No tuple changes the answer, so the release has no noise. Take another query.",
            Where("parameter", name="query"),
        )
    return scale


def laplace_scale(sensitivity: float, epsilon: float) -> float:
    """Return sensitivity / epsilon; 0 where nothing can change.

    Examples
    --------
    >>> laplace_scale(1.5, 0.5), laplace_scale(0.0, 1.0)
    (3.0, 0.0)
    """
    try:
        reach = plain_number(sensitivity)
    except (TypeError, ValueError, OverflowError):
        reach = math.nan
    if not 0 <= reach < math.inf:
        raise ScaleError(
            f"The sensitivity is {shown(sensitivity)}; it is a finite number, 0 or more.",
            Where("parameter", name="sensitivity"),
        )
    budget = as_budget(epsilon)
    found = reach / budget
    if not math.isfinite(found) or (reach and not found):
        raise ScaleError(
            f"The sensitivity {reach:.6g} and epsilon {budget:.6g} ask for a scale beyond what numbers hold.",
            Where("parameter", name="epsilon"),
        )
    return found
