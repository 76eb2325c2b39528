"""Bit layout, matrices, working arrays and last steps shared by the two grouped forms of section 3.3.

Every array of the grouped forms is indexed by bit masks. Bit j of an index belongs to tuple j; it is 1 where
the tuple is at its actual value, so that after summing an axis in place the same bit reads "known". Columns
of the results therefore need no translation: they are the known sets themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Group",
    "Workspace",
    "agreement",
    "groups",
    "ratio_extremes",
    "relabel",
    "subset_sums",
    "write_leakages",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
_Number = TypeVar("_Number", np.float64, np.intp)
_Scalar = TypeVar("_Scalar", np.float64, np.bool_)

#: Tuples summed by one matrix product. Six gives 64 contiguous numbers behind every later operation.
LOW_TUPLES = 6

#: Working arrays above this size (32 MB) are given back after the call.
KEPT_NUMBERS = 4_000_000


class Workspace(threading.local):
    """Working arrays kept between calls, one set per thread."""

    # Fresh memory costs several times what an addition costs, and a callback may arrive on a second thread
    # while the first one computes.

    def __init__(self) -> None:
        self._kept: dict[str, Floats] = {}

    def take(self, name: str, *shape: int) -> Floats:
        """Return an uninitialised array of a shape; its contents are lost at the next request of the name."""
        size = 1
        for length in shape:
            size *= length
        kept = self._kept.get(name)
        if kept is None or kept.size < size:
            kept = np.empty(size)
            if size <= KEPT_NUMBERS:
                self._kept[name] = kept
        return kept[:size].reshape(shape)

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Keep the arrays in use from being taken: within, requests are served from other memory."""
        kept, self._kept = self._kept, {}
        try:
            yield
        finally:
            self._kept = kept


@dataclass(frozen=True)
class Group:
    """Some consecutive tuples that are attacked together, and the split of all others."""

    # The bits of a full index are, from the most significant: high tuples above the group, low tuples above
    # it, the group, high tuples below it, low tuples below it. Not both inner parts are in use at a time,
    # because the low tuples are the first ones outside the group.

    n: int
    first: int
    size: int

    @property
    def others(self) -> tuple[int, ...]:
        """All tuples outside the group, increasing."""
        return (*range(self.first), *range(self.first + self.size, self.n))

    @property
    def low(self) -> tuple[int, ...]:
        """Tuples summed by the matrix product."""
        return self.others[:LOW_TUPLES]

    @property
    def high(self) -> tuple[int, ...]:
        """Tuples summed by additions in place."""
        return self.others[LOW_TUPLES:]

    @property
    def _lengths(self) -> tuple[int, int, int, int]:
        low_below = sum(j < self.first for j in self.low)
        high_below = self.first - low_below
        return (
            1 << (len(self.high) - high_below),
            1 << (len(self.low) - low_below),
            1 << high_below,
            1 << low_below,
        )

    def arrange(self, source: Floats, out: Floats) -> None:
        """Copy ``2**n`` numbers, indexed by the full bit mask, to the order [high][group][low]."""
        high_above, low_above, high_below, low_below = self._lengths
        rows = 1 << self.size
        view = source.reshape(high_above, low_above, rows, high_below, low_below)
        out.reshape(high_above, high_below, rows, low_above, low_below)[...] = view.transpose(0, 3, 2, 1, 4)

    def place(self, nodes: NDArray[_Scalar], high: int) -> NDArray[_Scalar]:
        """Return the part of the node array that belongs to one state of the high tuples."""
        # A view of shape (size, 2**(size - 1), low above, low below): attacked tuple, states of the others in
        # the group, states of the low tuples.
        high_above, low_above, high_below, low_below = self._lengths
        rows = nodes[self.first : self.first + self.size]
        view = rows.reshape(self.size, high_above, low_above, 1 << (self.size - 1), high_below, low_below)
        above, below = divmod(high, high_below)
        return view[:, above, :, :, below, :].transpose(0, 2, 1, 3)


@lru_cache(maxsize=32)
def groups(n: int) -> tuple[Group, ...]:
    """Split n tuples into groups of about four; one group up to n = 5, two halves up to n = 10."""
    count = 1 if n <= 5 else 2 if n <= 10 else round(n / 4)
    short, longer = divmod(n, count)
    sizes = [short + 1] * longer + [short] * (count - longer)
    starts = [sum(sizes[:position]) for position in range(count)]
    return tuple(Group(n, first, size) for first, size in zip(starts, sizes, strict=True))


def relabel(array: Floats, instance: tuple[int, ...]) -> Floats:
    """Flatten a binary table so that bit j of the index is 1 where tuple j has its actual value."""
    order = np.zeros(1, dtype=np.intp)
    for j, actual in enumerate(instance):
        stride = 1 << (len(instance) - 1 - j)
        order = np.concatenate((order + (1 - actual) * stride, order + actual * stride))
    return array.reshape(-1).take(order)


def subset_sums(parts: NDArray[_Number]) -> NDArray[_Number]:
    """Sum the parts whose bit is 0, for every bit mask."""
    total: NDArray[_Number] = np.zeros(1, dtype=parts.dtype)
    for part in parts:
        total = np.concatenate((total + part, total))
    return total


@lru_cache(maxsize=16)
def agreement(m: int) -> Floats:
    """Return the 0/1 matrix that sums the unknown ones of m binary axes."""
    # Entry (row o, state S) is 1 if o is at the actual value for every tuple known in S.
    index = np.arange(1 << m)
    matrix: Floats = ((index[:, None] & index[None, :]) == index[None, :]).astype(float)
    matrix.flags.writeable = False
    return matrix


#: Outputs worked on at a time: the products of one block stay in the cache.
BLOCK_OUTPUTS = 20

working_arrays = Workspace()


@lru_cache(maxsize=8)
def leave_one_out(g: int) -> Floats:
    """Return the 0/1 matrix from the rows of a group to (label, target, known ones among the others)."""
    # The first half of the rows has the target at its other label, the second half at the actual one.
    rows = np.arange(1 << g)
    known = np.arange(1 << (g - 1))
    matrix = np.zeros((2, g, len(known), len(rows)))
    for target in range(g):
        others = rows & ((1 << target) - 1) | rows >> (target + 1) << target
        agrees = (others[None, :] & known[:, None]) == known[:, None]
        for actual in (0, 1):
            matrix[actual, target] = agrees & ((rows >> target & 1) == actual)
    # Column order: BLAS takes a matrix from the left faster this way.
    flat: Floats = np.asfortranarray(matrix.reshape(g << g, 1 << g))
    flat.flags.writeable = False
    return flat


def ratio_extremes(densities: Floats, g: int) -> tuple[Floats, Floats, Floats]:
    """Sum the other tuples of the group in or out, divide, and reduce over the outputs."""
    # The ratio is that of the other label over the actual label of the target.
    matrix = leave_one_out(g)
    outputs, _, states = densities.shape
    half = len(matrix) // 2
    ratios = working_arrays.take("ratios", outputs, half, states)
    for first in range(0, outputs, BLOCK_OUTPUTS):
        block = densities[first : first + BLOCK_OUTPUTS]
        both = working_arrays.take("both", len(block), 2 * half, states)
        np.matmul(matrix, block, out=both)
        np.divide(both[:, :half], both[:, half:], out=ratios[first : first + BLOCK_OUTPUTS])
    largest, smallest = working_arrays.take("extremes", 2, half, states)
    np.maximum.reduce(ratios, axis=0, out=largest)
    np.minimum.reduce(ratios, axis=0, out=smallest)
    return largest, smallest, ratios[-1]


def write_leakages(
    largest: Floats, smallest: Floats, prior: Floats, values: Floats, determined: NDArray[np.bool_]
) -> None:
    """Turn extreme ratios into leakages, one logarithm per node."""
    # A ratio is the unnormalised density of the other label over that of the actual label; dividing by the
    # ratio of the prior weights normalises both at once. A prior ratio of 0 means that the other label is
    # impossible. All three ratios are overwritten.
    impossible = prior == 0.0
    determined[...] = impossible
    if impossible.any():
        # The label is impossible at every output, so the extremes are 0 too: 1 / 1 gives leakage 0.
        prior += impossible
        largest += impossible
        smallest += impossible
    np.divide(largest, prior, out=largest)
    np.divide(prior, smallest, out=smallest)
    np.maximum(largest, smallest, out=largest)
    np.log(largest, out=largest)
    values[...] = largest
