"""Noise that is wide beside all that it hides: leakages so small that logarithms of densities lose them.

Let h be the range of the query over the scale. The density of a release at a distance u, in ranges, falls
by the factor exp(-u h) = 1 + h s, and the weighted mean of such factors is 1 + h q with q the weighted mean
of s. Its logarithm is h y. Kept are s, q and y, which are of ordinary size however small h is: what two
labels have apart is h times a difference of two y, with all its digits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["WIDE", "falls", "log_shares"]

Floats = NDArray[np.float64]

#: Above this range over scale, rounding of logarithms takes less than 1e-10 of a leakage; below it, three
#: terms of each series have twelve digits.
WIDE = 1e-4


def falls(distances: Floats, reach: float) -> Floats:
    """Return s with exp(-u h) = 1 + h s."""
    steps = distances * reach
    return np.asarray(-distances * (1 - steps / 2 * (1 - steps / 3)))


def log_shares(means: Floats, reach: float) -> Floats:
    """Return y with log(1 + h q) = h y."""
    steps = means * reach
    return np.asarray(means * (1 - steps * (0.5 - steps / 3)))
