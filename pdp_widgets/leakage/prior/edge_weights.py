"""Edge weights of the weighted hierarchical graph: increments IC, ratios IR and correlation (Section V).

An edge leads from the adversary (i, K' + {j}) to the weaker one (i, K'). Its weight says by how much, in the
paper's estimate, the leakage changes when tuple j is no longer known. The paper is "Impact of Prior Knowledge
and Data Correlation on Privacy Leakage: A Unified Analysis"; everything here is as printed there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import AdversaryError, InstanceError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior.releases import LARGEST_EXPONENT
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, short

__all__ = ["EdgeWeight", "EdgesOfTable", "edge", "logarithms_needed", "maximising", "pair_gamma"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class EdgeWeight:
    """Weight of one edge.

    Parameters
    ----------
    gamma
        ``(m, n, IC)`` in nats for every pair of labels of the target that can occur, m before n in the order
        of their contributions (Eq. 9). Empty if fewer than two labels can occur: the edge is undefined.
    ir
        IR of the same pairs (Eq. 12), in [-1, 1]; None where the removed tuple does not move the query.
    rho
        Correlation of the two contributions given the known values; None if one of them does not vary.
    """

    gamma: tuple[tuple[Label, Label, float], ...]
    ir: tuple[float | None, ...]
    rho: float | None

    def increment(self, leakage: float) -> float | None:
        """Return the IC that is added to a leakage (Theorem 2): the one with the largest |leakage + IC|.

        Examples
        --------
        >>> EdgeWeight((("a", "b", -0.5), ("a", "c", 0.5)), (None, None), None).increment(1.0)
        0.5
        """
        values = [value for _, _, value in self.gamma]
        return maximising(leakage, min(values), max(values)) if values else None


def maximising(leakage: float, low: float, high: float) -> float:
    """Return low or high, whichever makes |leakage + it| larger; high on a tie within 1e-12."""
    return high if abs(leakage + high) >= abs(leakage + low) - 1e-12 else low


def edge(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    target: str | int,
    removed: str | int,
    known: Mapping[Any, Any] | None = None,
) -> EdgeWeight:
    """Return the weight of one edge (Eq. 9, 10, 12 and 13).

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release.
    target
        The attacked tuple, by name or position.
    removed
        The tuple that is no longer known.
    known
        Labels of the tuples that stay known.

    Raises
    ------
    AdversaryError
        A tuple does not exist or is named twice, or the known values have probability 0.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> weight = edge(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), "x1", "x2")
    >>> [(m, n, round(ic, 6)) for m, n, ic in weight.gamma], round(weight.rho, 6)
    ([(0, 1, 0.185376)], 0.2)
    """
    mechanism.query.check_fits(distribution)
    given = dict(known or {})
    adversary = Adversary.of(distribution, target, [*given, removed])
    i, j = adversary.target, distribution.axis(removed)
    where: list[Any] = [slice(None)] * distribution.n_tuples
    for tuple_, label in given.items():
        axis = distribution.axis(tuple_)
        try:
            where[axis] = slice(position := distribution.label_position(axis, label), position + 1)
        except InstanceError as fault:
            raise AdversaryError(f"A known value: {fault}", fault.where) from None
    pair = pair_table(distribution.table[tuple(where)], i, j)
    if not pair.any():
        text = ", ".join(
            f"{short(distribution.names[distribution.axis(t)])} = {v!r}" for t, v in given.items()
        )
        raise AdversaryError(
            f"The known values ({text}) have probability 0; give values that can occur together.",
            Where("parameter", name="known"),
        )
    y_i, y_j = mechanism.query.contributions[i], mechanism.query.contributions[j]
    labels = distribution.domains[i]
    gamma = pair_gamma(pair, y_i, y_j, mechanism.scale)
    reach = float(np.ptp(y_j)) / mechanism.scale
    return EdgeWeight(
        tuple((labels[m], labels[n], value) for m, n, value in gamma),
        tuple(value / reach if reach else None for _, _, value in gamma),
        correlation(pair, y_i, y_j),
    )


def pair_table(table: Floats, i: int, j: int) -> Floats:
    """Sum out all tuples but i and j; axis 0 of the result is i."""
    others = tuple(k for k in range(table.ndim) if k not in (i, j))
    pair = np.asarray(table.sum(axis=others))
    return pair if i < j else pair.T


def pair_gamma(pair: Floats, y_i: ArrayLike, y_j: ArrayLike, scale: float) -> list[tuple[int, int, float]]:
    """Return the set Gamma of one edge (Eq. 9) as (position of m, position of n, IC in nats).

    Parameters
    ----------
    pair
        Weights of the labels of target (axis 0) and removed tuple (axis 1) with the values that stay known.
    y_i, y_j
        Their contributions.
    scale
        Scale of the noise.
    """
    offsets = np.asarray(y_j, dtype=float)
    offsets = (offsets - offsets.min()) / scale
    with np.errstate(divide="ignore"):
        terms = np.log(pair)
    numerators = np.logaddexp.reduce(terms - offsets, axis=1)
    denominators = np.logaddexp.reduce(terms, axis=1)
    order = [int(v) for v in np.argsort(y_i, kind="stable") if pair[v].any()]
    g = {v: float(numerators[v] - denominators[v]) for v in order}
    return [(m, n, g[m] - g[n]) for p, m in enumerate(order) for n in order[p + 1 :]]


class EdgesOfTable:
    """Extreme increments of single edges, each computed when it is asked for.

    Parameters
    ----------
    table
        Probabilities, axis j of tuple j, any domain sizes.
    contributions
        Contribution of every label, one array per tuple.
    scale
        Scale of the noise, in units of the query.
    instance
        Position of the known label of each tuple; None for all known values.

    Examples
    --------
    >>> edges = EdgesOfTable(np.array([[0.3, 0.2], [0.2, 0.3]]), [[0, 1], [0, 1]], 1.0, (0, 0))
    >>> edges.first, [round(ic, 6) for ic in edges.extremes(0, 1, ())]
    ((1.0, 1.0), [0.185376, 0.185376])
    """

    def __init__(
        self,
        table: Floats,
        contributions: Sequence[ArrayLike],
        scale: float,
        instance: tuple[int, ...] | None,
    ) -> None:
        y = [np.asarray(values, dtype=float) for values in contributions]
        self.first = tuple(float(np.ptp(values)) / scale for values in y)
        self._table = table
        self._instance = instance
        self._offsets = [(values - values.min()) / scale for values in y]
        self._orders = [[int(v) for v in np.argsort(values, kind="stable")] for values in y]
        self._logarithms = logarithms_needed(table, self._offsets)

    def extremes(self, target: int, removed: int, known: Sequence[int]) -> tuple[float, float]:
        """Return the smallest and the largest IC of the edge into (target, known) that forgets a tuple.

        NaN if fewer than two labels of the target can occur with any of the known values: the edge is
        undefined.
        """
        table = self._table
        if self._instance is not None:
            table = table[
                tuple(slice(x, x + 1) if k in known else slice(None) for k, x in enumerate(self._instance))
            ]
        return self._extreme_gamma(_summed(table, (target, removed, *known)), target, removed)

    def out_of(self, target: int, known: Sequence[int]) -> list[tuple[int, float, float]]:
        """Return (removed tuple, smallest IC, largest IC) for all edges that start at (target, known)."""
        if self._instance is not None:
            return [(j, *self.extremes(target, j, [k for k in known if k != j])) for j in known]
        # All these edges come from the labels of the same tuples.
        weights = _summed(self._table, (target, *known))
        return [(j, *self._extreme_gamma(weights, target, j)) for j in known]

    def _extreme_gamma(self, weights: Floats, target: int, removed: int) -> tuple[float, float]:
        """Return the extremes of Gamma (Eq. 9) over all axes but two: the labels of known tuples."""
        first, second = min(target, removed), max(target, removed)
        shape = weights.shape
        blocks = weights.reshape(
            prod(shape[:first]), shape[first], prod(shape[first + 1 : second]), shape[second], -1
        )
        # Removed tuple first, target second. Adding up label by label is faster than a reduction.
        pair = blocks.transpose(*((3, 1) if target < removed else (1, 3)), 0, 2, 4)
        offsets = self._offsets[removed]
        with np.errstate(divide="ignore", invalid="ignore"):
            total = sum(pair[1:], pair[0])
            if self._logarithms[removed]:
                terms = np.log(pair) - offsets.reshape(-1, 1, 1, 1, 1)
                g = np.logaddexp.reduce(terms, axis=0) - np.log(total)
            else:
                weighted = [part * factor for part, factor in zip(pair, np.exp(-offsets), strict=True)]
                g = np.log(sum(weighted[1:], weighted[0]) / total)
        low = high = np.nan
        order = self._orders[target]
        largest = smallest = g[order[0]]
        for n in order[1:]:
            # Impossible labels are NaN, which fmax and fmin pass over.
            high = float(np.fmax.reduce(largest - g[n], axis=None, initial=high))
            low = float(np.fmin.reduce(smallest - g[n], axis=None, initial=low))
            largest, smallest = np.fmax(largest, g[n]), np.fmin(smallest, g[n])
        return low, high


def _summed(table: Floats, kept: Sequence[int]) -> Floats:
    """Sum out all tuples but some; the axes stay. From the first axis on, whose slices lie apart."""
    for axis in range(table.ndim):
        if axis not in kept and table.shape[axis] > 1:
            table = table.sum(axis=axis, keepdims=True)
    return table


def logarithms_needed(table: Floats, offsets: Sequence[Floats]) -> list[bool]:
    """Tell for each tuple whether probability times exp(-offset) could underflow (section 6.6)."""
    smallest = float(np.min(table, where=table > 0.0, initial=1.0))
    return [float(of_one.max()) - np.log(smallest) > LARGEST_EXPONENT for of_one in offsets]


def correlation(pair: Floats, y_i: ArrayLike, y_j: ArrayLike) -> float | None:
    """Return the correlation of two contributions, or None if one of them takes a single value."""
    moments = []
    for y, weights in ((y_i, pair.sum(axis=1)), (y_j, pair.sum(axis=0))):
        values = np.asarray(y, dtype=float)
        if np.unique(values[weights > 0]).size < 2:
            return None
        share = weights / weights.sum()
        centred = values - share @ values
        moments.append((centred, float(share @ centred**2)))
    (a, variance_a), (b, variance_b) = moments
    covariance = float(a @ (pair / pair.sum()) @ b)
    return max(-1.0, min(1.0, covariance / float(np.sqrt(variance_a * variance_b))))
