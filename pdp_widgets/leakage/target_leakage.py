"""A leakage that is to be kept, and the noise scale that it asks for.

One rule everywhere: the target is a positive number of nats, ``math.inf`` for no limit; where any scale will
do the scale is 0.0, the release without noise. `Calibration.status` then says "no noise needed".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pdp_widgets.core.amounts import Kind
from pdp_widgets.errors import ScaleError, Where

__all__ = ["as_leakage", "as_target", "least_scale_from", "rounded_up", "scale_for"]

_EPSILON = float(np.finfo(np.float64).eps)


_TARGET = Kind(
    "it must be a positive number of nats, since no finite scale leaks nothing", 0, above=True, infinite=True
)
_LEAKAGE = Kind("it must be a finite number of nats, 0 or more", 0)


def as_target(target: Any, name: str = "target_leakage") -> float:
    """Return a target leakage as a positive number, infinity included."""
    return _TARGET.take(target, name, ScaleError, f"The {_words(name)}")


def as_leakage(value: Any, name: str = "leakage") -> float:
    """Return a leakage as a finite number, 0 or more, or raise ScaleError."""
    return _LEAKAGE.take(value, name, ScaleError, f"The {_words(name)}")


def scale_for(reach: float, target: float, name: str = "target_leakage") -> float:
    """Return the least float with reach / scale <= target; 0 where any scale will do."""
    if reach == 0 or math.isinf(target):
        return 0.0
    with np.errstate(over="ignore", under="ignore"):
        scale = float(np.float64(reach) / np.float64(target))
    if not 1e-290 < scale < 1e300 or not target < 1e290:
        raise ScaleError(
            f"The {_words(name)} {target:.6g} asks for a scale of about {scale:.3g}, beyond what numbers can "
            "hold; give a target nearer to 1 nat, or math.inf for no limit at all.",
            Where("parameter", name=name),
        )
    return least_scale_from(scale, lambda tried: reach / tried <= target)


def least_scale_from(scale: float, keeps: Callable[[float], bool]) -> float:
    """Return the least float, from a scale on, that keeps a promise; every larger one keeps it too."""
    # Most promises are kept a rounding away. One among the numbers next to 0, whose digits are few, may be
    # kept only far beyond, so steps double.
    low, step = scale, math.ulp(scale)
    if keeps(low):
        return low
    high = low + step
    while not keeps(high):
        low, step = high, 2 * step
        high = scale + step
    while (middle := low + (high - low) / 2) not in (low, high):
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return high


def rounded_up(number: float, digits: int = 6) -> str:
    """Return a number as text with some significant digits, never below the number."""
    if number == 0 or not math.isfinite(number):
        return f"{number:.6g}"
    text = f"{number:.{digits}g}"
    # A binary fraction just above a short decimal is that decimal, rounded: 0.1 + 0.2 is 0.3.
    if float(text) < number * (1 - 4 * _EPSILON):
        step = 10.0 ** (math.floor(math.log10(number)) - digits + 1)
        text = f"{number + step / 2:.{digits}g}"
    return text


def _words(name: str) -> str:
    return name.replace("_", " ")
