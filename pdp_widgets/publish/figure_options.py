"""Options of a figure as they are given: numbers of any kind, or an error that names the option."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import shown

__all__ = ["as_dpi", "as_number", "as_threshold", "as_weights", "check_dots"]

_LEAST_DPI, _MOST_DPI = 50, 2400
#: A picture takes four bytes a dot while it is drawn: about a gigabyte.
_MOST_DOTS = 250_000_000
#: A weight that is larger leaves no room for sums.
_LARGEST = 1e300


def as_number(value: Any) -> float:
    """Return a number, of Python or numpy, as a float; NaN for anything else.

    Examples
    --------
    >>> import numpy as np
    >>> as_number(np.int64(120)), as_number("120"), as_number(True)
    (120.0, nan, nan)
    """
    if isinstance(value, bool | np.bool_) or (isinstance(value, np.ndarray) and value.dtype.kind == "b"):
        return math.nan
    try:
        return plain_number(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def as_threshold(threshold: Any) -> float | None:
    """Return a threshold in nats, or None for none.

    Raises
    ------
    DomainError
        It is no finite number of 0 or more.

    Examples
    --------
    >>> as_threshold(2), as_threshold(None)
    (2.0, None)
    """
    if threshold is None:
        return None
    level = as_number(threshold)
    if not (math.isfinite(level) and level >= 0):
        raise DomainError(
            f"The threshold is {shown(threshold)}; give a number of nats, 0 or more, or None.",
            Where("parameter", name="threshold"),
        )
    return level


def as_weights(weights: Any) -> tuple[float, ...] | None:
    """Return weights, or None for none.

    Raises
    ------
    DomainError
        They are no list of numbers.

    Examples
    --------
    >>> as_weights([1, 2]), as_weights(None)
    ((1.0, 2.0), None)
    """
    if weights is None:
        return None
    # The order of a set is that of nobody, and keys are no weights.
    ordered = not isinstance(weights, str | bytes | bytearray | memoryview | set | frozenset | dict)
    try:
        listed = tuple(weights) if ordered else None
    except TypeError:
        listed = None
    if listed is None:
        raise DomainError(
            f"The weights are {shown(weights)}; give a list of numbers, one for each tuple.",
            Where("parameter", name="weights"),
        )
    found = tuple(map(as_number, listed))
    for given, weight in zip(listed, found, strict=True):
        if not abs(weight) <= _LARGEST:
            raise DomainError(
                f"A weight is {shown(given)}; give finite numbers, at most {_LARGEST:g} in size.",
                Where("parameter", name="weights"),
            )
    return found


def as_dpi(dpi: Any) -> float:
    """Return dots per inch.

    Raises
    ------
    DomainError
        It is no number from 50 to 2400.

    Examples
    --------
    >>> as_dpi(300)
    300.0
    """
    dots = as_number(dpi)
    if _LEAST_DPI <= dots <= _MOST_DPI:
        return dots
    raise DomainError(
        f"dpi is {shown(dpi)}; it is a number from {_LEAST_DPI} to {_MOST_DPI}.",
        Where("parameter", name="dpi"),
    )


def check_dots(width: float, height: float, dpi: float) -> None:
    """Raise DomainError for a PNG of more dots than a machine holds at once.

    Parameters
    ----------
    width, height
        On paper, mm.
    dpi
        Dots per inch.

    Examples
    --------
    >>> check_dots(178, 240, 300)
    """
    area = width * height / 25.4**2
    if area * dpi**2 > _MOST_DOTS:
        raise DomainError(
            f"A PNG of {width:.0f} by {height:.0f} mm has {area * dpi**2 / 1e6:,.0f} million dots at {dpi:g} "
            f"dpi, more than {_MOST_DOTS // 1_000_000} million. Give at most "
            f"{int(math.sqrt(_MOST_DOTS / area))} dpi or a smaller width; PDF and SVG have no dots.",
            Where("parameter", name="dpi"),
        )
