"""Edge weights of the weighted hierarchical graph: increments IC, ratios IR and correlation (Section V).

An edge leads from the adversary (i, K' + {j}) to the weaker one (i, K'). Its weight says by how much, in the
paper's estimate, the leakage changes when tuple j is no longer known. The paper is "Impact of Prior Knowledge
and Data Correlation on Privacy Leakage: A Unified Analysis"; everything here is as printed there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import AdversaryError, InstanceError, LimitError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior.releases import LARGEST_EXPONENT
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, short

__all__ = ["EdgeWeight", "edge", "edge_bounds", "gamma_bounds", "pair_gamma"]

Floats = NDArray[np.float64]

#: Most numbers in one array of edge weights (0.8 GB).
MOST_NUMBERS = 100_000_000


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


def edge_bounds(
    table: Floats, contributions: Sequence[ArrayLike], scale: float, instance_positions: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return the smallest and the largest IC of every edge, known values taken from one row.

    Parameters
    ----------
    table
        Probabilities, axis j of tuple j, any domain sizes.
    contributions
        Contribution of every label, one array per tuple.
    scale
        Scale of the noise, in units of the query.
    instance_positions
        Position of the actual label of each tuple.

    Returns
    -------
    low, high
        In nats, shape ``(n, 2**(n - 1), n)``: entry [i, c, j] belongs to the edge into the adversary (i, c)
        that forgets tuple j. NaN where the edge is undefined, j is known in c, or j is i. Both are views; if
        every tuple has at most two labels they are one array.

    Raises
    ------
    LimitError
        The arrays would take more than 0.8 GB each.

    Notes
    -----
    Time O(n^2 log n 2^n) for binary tables.

    Examples
    --------
    >>> low, high = edge_bounds(np.array([[0.3, 0.2], [0.2, 0.3]]), [[0, 1], [0, 1]], 1.0, (0, 0))
    >>> high[0, 0].round(6).tolist(), high[0, 1].tolist()
    ([nan, 0.185376], [nan, nan])
    """
    low, high = gamma_bounds(table, contributions, scale, instance_positions)
    return low.transpose(0, 2, 1), high.transpose(0, 2, 1)


def gamma_bounds(
    table: Floats, contributions: Sequence[ArrayLike], scale: float, instance_positions: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return what `edge_bounds` returns, in the order in which it is computed: [i, j, c]."""
    n = table.ndim
    numbers = n * n << (n - 1)
    if numbers > MOST_NUMBERS:
        raise LimitError(
            f"The edges of {n} tuples take {8e-9 * numbers:.1f} GB and more; the paper's estimate for all "
            f"adversaries is offered up to {8e-9 * MOST_NUMBERS:.1f} GB.",
            Where("table"),
        )
    sweep = _Sweep(table, contributions, scale, tuple(map(int, instance_positions)))
    # Tuple 0 is the last axis, so that the flat index of the two-state axes is the set of known tuples.
    array = np.ascontiguousarray(table.transpose())
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(n):
            sweep.visit(array, i, tuple(range(i + 1, n)))
            array = sweep.two_states(array, i)
    return sweep.low, sweep.high


class _Sweep:
    """Leave-two-out divide and conquer over the axes (section 6.6)."""

    def __init__(
        self, table: Floats, contributions: Sequence[ArrayLike], scale: float, instance: tuple[int, ...]
    ) -> None:
        self.instance = instance
        self.sizes = table.shape
        n = table.ndim
        y = [np.asarray(values, dtype=float) for values in contributions]
        self.offsets = [(values - values.min()) / scale for values in y]
        self.orders = [[int(v) for v in np.argsort(values, kind="stable")] for values in y]
        smallest = float(np.min(table, where=table > 0.0, initial=1.0))
        self.logarithms = [
            float(offsets.max()) - np.log(smallest) > LARGEST_EXPONENT for offsets in self.offsets
        ]
        self.low = np.full((n, n, 1 << (n - 1)), np.nan)
        self.high = self.low if max(table.shape) <= 2 else self.low.copy()

    def two_states(self, array: Floats, j: int) -> Floats:
        """Take axis j from its labels to the states unknown (0, the sum) and known (1, the actual label)."""
        axis = array.ndim - 1 - j
        before, after = array.shape[:axis], array.shape[axis + 1 :]
        labels = array.reshape(int(np.prod(before)), self.sizes[j], -1)
        states = np.empty((len(labels), 2, labels.shape[2]))
        _add_labels(labels, states[:, 0])
        states[:, 1] = labels[:, self.instance[j]]
        return states.reshape(*before, 2, *after)

    def visit(self, array: Floats, i: int, pending: tuple[int, ...]) -> None:
        """Write the edges between i and all pending tuples; all other axes have two states already."""
        if len(pending) == 1:
            self.write_pair(array, i, pending[0])
        elif pending:
            half = len(pending) // 2
            for first, second in ((pending[:half], pending[half:]), (pending[half:], pending[:half])):
                part = array
                for j in second:
                    part = self.two_states(part, j)
                self.visit(part, i, first)

    def write_pair(self, array: Floats, i: int, j: int) -> None:
        """Write the edges of target i that forget j, and those of target j that forget i; i < j."""
        n = array.ndim
        above, between, below = 1 << (n - 1 - j), 1 << (j - i - 1), 1 << i
        pair = array.reshape(above, self.sizes[j], between, self.sizes[i], below)
        of_i = self._quotients(pair, j).transpose(2, 0, 1, 3)
        of_j = self._quotients(pair.transpose(0, 3, 2, 1, 4), i).transpose(2, 0, 1, 3)
        self._write(of_i, i, j, (above, 2, between, below), (slice(None), 0))
        self._write(of_j, j, i, (above, between, 2, below), (slice(None), slice(None), 0))

    def _quotients(self, pair: Floats, j: int) -> Floats:
        """Return log E[exp(-y_j / scale)] for every label of the other tuple; NaN where it is impossible.

        Axis 1 of the pair belongs to the forgotten tuple j and is contracted.
        """
        offsets = self.offsets[j].reshape(-1, 1, 1, 1)
        total = np.empty(pair[:, 0].shape)
        _add_labels(pair, total)
        if self.logarithms[j]:
            return np.asarray(np.logaddexp.reduce(np.log(pair) - offsets, axis=1) - np.log(total))
        weighted = np.empty(total.shape)
        _add_labels(pair * np.exp(-offsets), weighted)
        np.divide(weighted, total, out=weighted)
        return np.log(weighted, out=weighted)

    def _write(self, g: Floats, i: int, j: int, shape: tuple[int, ...], where: tuple[Any, ...]) -> None:
        """Write the extreme g_m - g_n over labels m before n; fmax and fmin pass over impossible labels."""
        low, high = self.low[i, j].reshape(shape)[where], self.high[i, j].reshape(shape)[where]
        order = self.orders[i]
        if len(order) == 2:
            np.subtract(g[order[0]], g[order[1]], out=low)
        elif len(order) > 2:
            largest = smallest = g[order[0]]
            for n in order[1:]:
                np.fmax(high, largest - g[n], out=high)
                np.fmin(low, smallest - g[n], out=low)
                largest, smallest = np.fmax(largest, g[n]), np.fmin(smallest, g[n])
            return
        if high is not low:
            high[...] = low


def _add_labels(labels: Floats, out: Floats) -> None:
    """Add up axis 1, label by label: for a few labels this is faster than a reduction."""
    if labels.shape[1] == 1:
        out[...] = labels[:, 0]
        return
    np.add(labels[:, 0], labels[:, 1], out=out)
    for v in range(2, labels.shape[1]):
        out += labels[:, v]
