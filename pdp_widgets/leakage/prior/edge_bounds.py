"""Smallest and largest increment of every edge of the weighted hierarchical graph at once (Section V).

The paper adds to a leakage whichever increment of an edge's set Gamma (Eq. 9) moves it furthest from 0: only
the extremes matter. With convention ``"instance"`` the set belongs to the known values of one row, with
``"sup"`` it is the union of the sets of all known values that can occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import as_whole_numbers
from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import InstanceError, LimitError, Where
from pdp_widgets.leakage.prior.edge_weights import logarithms_needed
from pdp_widgets.leakage.value import check_convention
from pdp_widgets.leakage.wide_noise import WIDE
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = [
    "MOST_NUMBERS",
    "checked_known_values",
    "checked_release",
    "gamma_bounds",
    "seconds_for_all_known_values",
]

Floats = NDArray[np.float64]

#: Most numbers in one array of edge weights (0.8 GB).
MOST_NUMBERS = 100_000_000
# Most weights of labels of two tuples and known values with convention "sup": 13 binary tuples have 5.5e7.
_MOST_WEIGHTS = 100_000_000
# Measured for 10 to 14 binary tuples, on one core.
_SECONDS_PER_WEIGHT = 5e-8
# Measured for one row of known values: 14 to 18 binary tuples, and 7 to 10 tuples of more labels.
_SECONDS_PER_INCREMENT, _SECONDS_PER_CELL = 1e-8, 1e-9


def checked_release(table: Any, contributions: Any, scale: Any) -> tuple[Floats, tuple[Floats, ...], float]:
    """Return the numbers of a table, contributions and scale that are given as arrays."""
    joint, query = JointDistribution(table), LinearQuery(contributions)
    query.check_fits(joint)
    return joint.table, query.contributions, LaplaceMechanism(query, scale).scale


def checked_known_values(
    table: Floats, instance_positions: Sequence[int] | None, convention: str
) -> tuple[int, ...] | None:
    """Return the row whose values are known, or None where all known values are considered."""
    check_convention(convention)
    if convention == "sup":
        return None
    if instance_positions is None:
        raise InstanceError(
            "The convention 'instance' needs a row of actual values; give label positions.",
            Where("parameter", name="instance_positions"),
        )
    instance = tuple(
        as_whole_numbers(instance_positions, "instance_positions", InstanceError).ravel().tolist()
    )
    inside = len(instance) == table.ndim and all(
        0 <= x < d for x, d in zip(instance, table.shape, strict=True)
    )
    if not inside:
        raise InstanceError(
            f"The actual row (label positions {instance}) is none of a table of shape {table.shape}.",
            Where("row", index=instance),
        )
    if not table[instance] > 0.0:
        raise InstanceError(
            f"The actual row (label positions {instance}) has probability 0; choose a row that can occur.",
            Where("row", index=instance),
        )
    return instance


def gamma_bounds(
    table: Floats,
    contributions: Sequence[ArrayLike],
    scale: float,
    instance: tuple[int, ...] | None,
    progress: Progress | None = None,
) -> tuple[Floats, Floats]:
    """Return the smallest and the largest IC of every edge in nats (Eq. 9), shape (n, n, 2**(n - 1))."""
    # Entry [i, j, c] belongs to the edge into the adversary (i, c) that forgets tuple j; NaN where the edge
    # is undefined, j is known in c, or j is i. Both are one array if values are known and every tuple has at
    # most two labels. Without an instance all known values of positive probability count. Time for binary
    # tables O(n^2 log n 2^n), for all known values O(n^2 3^n).
    n = table.ndim
    numbers = n * n << (n - 1)
    if numbers > MOST_NUMBERS:
        raise LimitError(
            f"The edges of {n} tuples take {8e-9 * numbers:.1f} GB and more; the paper's estimate for all "
            f"adversaries is offered up to {8e-9 * MOST_NUMBERS:.1f} GB.",
            Where("table"),
        )
    if instance is None:
        _refuse_too_many_known_values(table.shape, numbers)
    kind = _AllKnownValues if instance is None else _Sweep
    sweep = kind(table, contributions, scale, instance or (0,) * n)
    # Tuple 0 is the last axis, so that the flat index of the two-state axes is the set of known tuples.
    array = np.ascontiguousarray(table.transpose())
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(n):
            sweep.visit(array, i, tuple(range(i + 1, n)))
            array = sweep.known_or_not(array, i)
            if progress is not None:
                progress.step()
    return sweep.low, sweep.high


def seconds_for_all_known_values(sizes: Sequence[int]) -> float:
    """Return about how long the edges take with convention ``"sup"``, for tuples with so many labels."""
    return _SECONDS_PER_WEIGHT * sum(_weights_of_pairs(sizes))


def seconds_for_one_row(sizes: Sequence[int]) -> float:
    """Return about how long all estimates take with the known values of one row."""
    n = len(sizes)
    return n * n * (_SECONDS_PER_INCREMENT * 2.0**n + _SECONDS_PER_CELL * prod(sizes))


def _weights_of_pairs(sizes: Sequence[int]) -> list[int]:
    """Count labels of two tuples and known values of the others, for every pair of tuples."""
    states = prod(d + 1 for d in sizes)
    return [
        states // ((sizes[i] + 1) * (sizes[j] + 1)) * sizes[i] * sizes[j]
        for i in range(len(sizes))
        for j in range(i)
    ]


def _refuse_too_many_known_values(sizes: tuple[int, ...], numbers: int) -> None:
    arrays = _weights_of_pairs(sizes)
    if (weights := sum(arrays)) > _MOST_WEIGHTS:
        # About ten arrays of the largest size are alive at a time, besides the two results.
        memory = 8e-9 * (10 * max(arrays) + 2 * numbers)
        raise LimitError(
            f"All known values of {len(sizes)} tuples with {min(sizes)} to {max(sizes)} labels make "
            f"{weights:,} weights of edges: about {seconds_for_all_known_values(sizes):,.0f} s and "
            f"{memory:,.1f} GB. The limit is {_MOST_WEIGHTS:,}, enough for 13 binary tuples.",
            Where("table"),
            call="The convention 'instance' goes further.",
        )


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
        self.logarithms = logarithms_needed(table, self.offsets)
        self.low = np.full((n, n, 1 << (n - 1)), np.nan)
        self.high = self.low if self.one_increment() else self.low.copy()

    def one_increment(self) -> bool:
        """Tell whether no edge has more than one increment."""
        return all(d <= 2 for d in self.sizes)

    def known_or_not(self, array: Floats, j: int) -> Floats:
        """Take axis j from its labels to the states unknown (0, the sum) and known (1, the actual label)."""
        return self._with_states(array, j, slice(self.instance[j], self.instance[j] + 1), 2)

    def _with_states(self, array: Floats, j: int, known: slice, count: int) -> Floats:
        axis = array.ndim - 1 - j
        before, after = array.shape[:axis], array.shape[axis + 1 :]
        labels = array.reshape(prod(before), self.sizes[j], -1)
        states = np.empty((len(labels), count, labels.shape[2]))
        _add_labels(labels, states[:, 0])
        states[:, 1:] = labels[:, known]
        return states.reshape(*before, count, *after)

    def visit(self, array: Floats, i: int, pending: tuple[int, ...]) -> None:
        """Write the edges between i and all pending tuples; all other axes have their states already."""
        if len(pending) == 1:
            self.write_pair(array, i, pending[0])
        elif pending:
            half = len(pending) // 2
            for first, second in ((pending[:half], pending[half:]), (pending[half:], pending[:half])):
                part = array
                for j in second:
                    part = self.known_or_not(part, j)
                self.visit(part, i, first)

    def write_pair(self, array: Floats, i: int, j: int) -> None:
        """Write the edges of target i that forget j, and those of target j that forget i; i < j."""
        of_i, of_j = self._both_quotients(array, i, j)
        low_i, high_i = self._places(i, j)
        low_j, high_j = self._places(j, i)
        _extremes(of_i, self.orders[i], low_i, high_i)
        _extremes(of_j, self.orders[j], low_j, high_j)

    def _places(self, i: int, j: int) -> tuple[Floats, Floats]:
        """Return the views of low and high, shape (above, between, below), of the edges of i forgetting j."""
        n = len(self.sizes)
        first, second = min(i, j), max(i, j)
        above, between, below = 1 << (n - 1 - second), 1 << (second - first - 1), 1 << first
        shape, where = (
            ((above, 2, between, below), (slice(None), 0))
            if i < j
            else ((above, between, 2, below), (slice(None), slice(None), 0))
        )
        low = self.low[i, j].reshape(shape)[where]
        return low, low if self.high is self.low else self.high[i, j].reshape(shape)[where]

    def _both_quotients(self, array: Floats, i: int, j: int) -> tuple[Floats, Floats]:
        """Return the quotients of both directions, the labels of the target on axis 0; i < j."""
        n = array.ndim
        above, between, below = (
            prod(array.shape[: n - 1 - j]),
            prod(array.shape[n - j : n - 1 - i]),
            prod(array.shape[n - i :]),
        )
        pair = array.reshape(above, self.sizes[j], between, self.sizes[i], below)
        of_i = self._quotients(pair, j).transpose(2, 0, 1, 3)
        of_j = self._quotients(pair.transpose(0, 3, 2, 1, 4), i).transpose(2, 0, 1, 3)
        return of_i, of_j

    def _quotients(self, pair: Floats, j: int) -> Floats:
        """Return log E[exp(-y_j / scale)] for every label of the other tuple; NaN where it is impossible."""
        # Axis 1 of the pair belongs to the forgotten tuple j and is contracted.
        offsets = self.offsets[j].reshape(-1, 1, 1, 1)
        total = np.empty(pair[:, 0].shape)
        _add_labels(pair, total)
        if self.logarithms[j]:
            return np.asarray(np.logaddexp.reduce(np.log(pair) - offsets, axis=1) - np.log(total))
        weighted = np.empty(total.shape)
        # Of wide noise the logarithm is small: what it differs from 0 by has all its digits.
        wide = self.offsets[j].max() < WIDE
        _add_labels(pair * (np.expm1 if wide else np.exp)(-offsets), weighted)
        np.divide(weighted, total, out=weighted)
        return (np.log1p if wide else np.log)(weighted, out=weighted)


class _AllKnownValues(_Sweep):
    """The sweep over all known values: a known axis keeps its labels, and the extremes run over them."""

    def one_increment(self) -> bool:
        return False

    def known_or_not(self, array: Floats, j: int) -> Floats:
        """Take axis j from its labels to the states unknown (0, the sum) and known (one for each label)."""
        return self._with_states(array, j, slice(None), self.sizes[j] + 1)

    def write_pair(self, array: Floats, i: int, j: int) -> None:
        """Write the edges of target i that forget j, and those of target j that forget i; i < j."""
        n = array.ndim
        of_i, of_j = self._both_quotients(array, i, j)
        # The smallest increments are folded as the largest of their negatives.
        extremes = np.full((4, *of_i.shape[1:]), np.nan)
        _extremes(of_i, self.orders[i], extremes[0], extremes[1])
        _extremes(of_j, self.orders[j], extremes[2], extremes[3])
        np.negative(extremes[::2], out=extremes[::2])
        states = [s for axis, s in enumerate(array.shape) if axis not in (n - 1 - i, n - 1 - j)]
        folded = extremes.reshape(4, -1)
        for done, s in enumerate(states):
            folded = _fold_labels(folded.reshape(4 << done, s, -1))
        low_i, high_i = self._places(i, j)
        low_j, high_j = self._places(j, i)
        low_i[...], high_i[...], low_j[...], high_j[...] = folded.reshape(4, *low_i.shape)
        np.negative(low_i, out=low_i)
        np.negative(low_j, out=low_j)


def _fold_labels(states: Floats) -> Floats:
    """Replace the labels on axis 1 (all states but the first) by their maximum; NaN is passed over."""
    if states.shape[1] == 2:
        return states
    folded = np.empty((states.shape[0], 2, states.shape[2]))
    folded[:, 0] = states[:, 0]
    np.fmax(states[:, 1], states[:, 2], out=folded[:, 1])
    for v in range(3, states.shape[1]):
        np.fmax(folded[:, 1], states[:, v], out=folded[:, 1])
    return folded


def _extremes(g: Floats, order: list[int], low: Floats, high: Floats) -> None:
    """Write the extreme g_m - g_n over labels m before n; fmax and fmin pass over impossible labels."""
    # ``low`` and ``high`` hold NaN before; they may be one array.
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
