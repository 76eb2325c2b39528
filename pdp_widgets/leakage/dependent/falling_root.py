"""Where a function that falls passes a level: the scale at which a bound or a leakage meets its budget."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["falling_root"]

_TOLERANCE = 1e-12
_MOST_STEPS = 200


def falling_root(function: Callable[[float], float], level: float, low: float, high: float) -> float:
    """Return where a falling function meets a level, to a relative 1e-12, on the side where it is below.

    Parameters
    ----------
    function
        Continuous, and not increasing.
    level
        What it is to fall to.
    low, high
        Positive; the function is above the level at low, and not above it at high.

    Notes
    -----
    Bisection of the logarithm, with steps along the chord of the reciprocal in between: what is about
    proportional to 1 / scale is met in a few steps.

    Examples
    --------
    >>> round(falling_root(lambda scale: 3 / scale, 2.0, 1.0, 10.0), 10)
    1.5
    """
    below, above = 1 / high, 1 / low
    at_below, at_above = function(high) - level, function(low) - level
    for step in range(_MOST_STEPS):
        if above - below <= _TOLERANCE * above or at_below == 0:
            break
        middle = math.sqrt(below) * math.sqrt(above)
        # Every third step halves; the others go where the chord says, a little on the side that is far.
        if step % 3 < 2 and at_above > at_below:
            chord = below + (above - below) * (-at_below / (at_above - at_below))
            margin = 0.25 * _TOLERANCE * above
            chord += margin if step % 3 else -margin
            if below < chord < above:
                middle = chord
        found = function(1 / middle) - level
        if found > 0:
            above, at_above = middle, found
        else:
            below, at_below = middle, found
    return 1 / below
