"""Promises in nats, and the noise scale of a sensitivity."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET, NOT_NEGATIVE
from pdp_widgets.core.chart import Axis
from pdp_widgets.errors import ScaleError, Where

#: Budgets whose largest is so many times the smallest stand on an axis of powers of ten.
_WIDE = 20.0


def as_noise(scale: float) -> float:
    """Return the scale of a release that has noise, or raise ScaleError: no tuple changes its answer."""
    if not scale:
        raise ScaleError(
            "No tuple changes the answer, so the release has no noise. Take another query.",
            Where("parameter", name="query"),
        )
    return scale


def laplace_scale(sensitivity: float, epsilon: float) -> float:
    """Return sensitivity / epsilon; 0 where nothing can change."""
    reach = NOT_NEGATIVE.take(sensitivity, "sensitivity", ScaleError, "The sensitivity")
    budget = BUDGET.take(epsilon, "epsilon")
    found = reach / budget
    if not math.isfinite(found) or (reach and not found):
        raise ScaleError(
            f"The sensitivity {reach:.6g} and epsilon {budget:.6g} ask for a scale beyond what numbers hold.",
            Where("parameter", name="epsilon"),
        )
    return found


def budgets_across(epsilons: NDArray[np.float64]) -> tuple[NDArray[np.float64], Axis]:
    """Return where ascending budgets stand on an axis, and the axis: by powers of ten where they go far."""
    powers = bool(epsilons[-1] >= _WIDE * epsilons[0])
    return np.log10(epsilons) if powers else epsilons, Axis("budget ε, nats", powers=powers)


_TOLERANCE = 1e-12
_MOST_STEPS = 200


def falling_root(function: Callable[[float], float], level: float, low: float, high: float) -> float:
    """Return where a falling function meets a level, to a relative 1e-12, on the side where it is below."""
    # Bisection of the logarithm, with steps along the chord of the reciprocal in between: what is about
    # proportional to 1 / scale is met in a few steps.
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
