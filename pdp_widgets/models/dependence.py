"""How strongly the tuples of a joint distribution depend on one another, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

__all__ = ["Dependence", "dependences", "strongest"]

Floats = NDArray[np.float64]
#: Pairs that differ by less are as strong as one another: rounding must not sort them.
_APART = 1e-9


@dataclass(frozen=True)
class Dependence:
    """How strongly two tuples depend on one another.

    Parameters
    ----------
    pair
        Positions of the two tuples.
    value
        Pearson's correlation where the labels of both are numbers, else Cramér's V, from 0 to 1; NaN where
        one of the two has a single value only.
    signed
        Whether the value is a correlation.
    """

    pair: tuple[int, int]
    value: float
    signed: bool


def dependences(distribution: JointDistribution) -> list[Dependence]:
    """Return the dependence of every pair of tuples.

    Words have no order and no distance, so a pair with words has no correlation: its Cramér's V is the same
    in whatever order the labels stand.

    Parameters
    ----------
    distribution
        The table.

    Examples
    --------
    >>> table = [[0.4, 0.1], [0.1, 0.4]]
    >>> [found] = dependences(JointDistribution(table))
    >>> round(found.value, 6), found.signed
    (0.6, True)
    >>> [found] = dependences(JointDistribution(table[::-1], [["no", "yes"], ["left", "right"]]))
    >>> round(found.value, 6), found.signed
    (0.6, False)
    """
    numbers = [_numbers(domain) for domain in distribution.domains]
    found = []
    for i, j, joint in _pairs(distribution.table):
        x, y = numbers[i], numbers[j]
        signed = x is not None and y is not None
        value = _correlation(joint, x, y) if x is not None and y is not None else _cramers_v(joint)
        found.append(Dependence((i, j), value, signed))
    return found


def strongest(pairs: list[Dependence], most: int) -> list[Dependence]:
    """Return the strongest pairs, among equals the first ones first and undefined ones last.

    Parameters
    ----------
    pairs
        All pairs.
    most
        How many.

    Examples
    --------
    >>> pairs = [Dependence((0, 1), 0.2, False), Dependence((0, 2), -0.5, True)]
    >>> [found.pair for found in strongest(pairs, 1)]
    [(0, 2)]
    """

    def place(one: Dependence) -> tuple[float, tuple[int, int]]:
        size = abs(one.value) if math.isfinite(one.value) else -1.0
        return -round(size / _APART), one.pair

    return sorted(pairs, key=place)[:most]


def _pairs(entries: Floats) -> Iterator[tuple[int, int, Floats]]:
    """Yield every pair of axes with its marginal; what is summed out once is not summed again."""
    n, tail = entries.ndim, entries
    for i in range(n):
        # Axes of `rest`: i, j and those after.
        rest = tail
        for j in range(i + 1, n):
            yield i, j, rest.reshape(rest.shape[0], rest.shape[1], -1).sum(axis=2)
            rest = rest.sum(axis=1)
        tail = tail.sum(axis=0)


def _correlation(joint: Floats, x: Floats, y: Floats) -> float:
    px, py = joint.sum(axis=1), joint.sum(axis=0)
    if np.count_nonzero(px) < 2 or np.count_nonzero(py) < 2:
        return math.nan
    dx, dy = x - px @ x, y - py @ y
    spread = math.sqrt(float(px @ dx**2)) * math.sqrt(float(py @ dy**2))
    return max(-1.0, min(1.0, float(dx @ joint @ dy) / spread)) if spread > 0 else math.nan


def _cramers_v(joint: Floats) -> float:
    """Return Cramér's V over the labels that can occur."""
    px, py = joint.sum(axis=1), joint.sum(axis=0)
    rows, columns = np.flatnonzero(px), np.flatnonzero(py)
    smaller = min(rows.size, columns.size) - 1
    if smaller < 1:
        return math.nan
    # Divided one after the other: a product of two tiny probabilities would be no number.
    left, right = px[rows, None], py[None, columns]
    apart = joint[np.ix_(rows, columns)] - left * right
    chi2 = float(((apart / left) * (apart / right)).sum())
    return min(1.0, math.sqrt(max(0.0, chi2) / smaller))


def _numbers(domain: tuple[Label, ...]) -> Floats | None:
    """Return the labels as numbers of at most 1, where all are numbers; a correlation has no unit."""
    try:
        texts = [str(label) for label in domain]
        # As in the browser, where 1_000 is no number.
        numbers = np.array([math.nan if "_" in text else float(text) for text in texts])
    except ValueError:
        return None
    size = float(np.abs(numbers).max())
    if not math.isfinite(size):
        return None
    return numbers / size if size > 0 else numbers
