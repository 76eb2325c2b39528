"""Output distributions given the value of a tuple and those of known tuples, and their largest log ratios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.dependent.product_grid import ProductGrid
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["ConditionalOutputs", "GroupPeaks"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Numbers in one array of log densities.
_MOST_NUMBERS = 1 << 22
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class GroupPeaks:
    """Largest log ratios about one tuple, one for each combination of known values.

    Parameters
    ----------
    target
        Position of the tuple.
    values
        Largest log ratio for each combination; 0 where one value of the tuple is possible.
    at
        Grid point where each is attained.
    more, less
        Positions of the value made more likely, and less likely; -1 where one value is possible.
    """

    target: int
    values: Floats
    at: Integers
    more: Integers
    less: Integers


@dataclass(frozen=True, eq=False)
class ConditionalOutputs:
    """The outputs of the rows that are possible, and what tuples say about them.

    Parameters
    ----------
    codes
        Positions of values, shape (rows, n).
    chances
        Probabilities of the rows, all positive.
    outputs
        Shape (rows, numbers).
    sizes
        Number of values of every tuple.
    known
        Positions of the known tuples.

    Examples
    --------
    >>> joint = SparseJoint([[0, 0], [1, 1]], [0.5, 0.5])
    >>> found = ConditionalOutputs.of(joint, np.array([[0.0], [2.0]]))
    >>> [peaks.values.tolist() for peaks in found.peaks([0, 1], 4.0)]
    [[0.5], [0.5]]
    """

    codes: Integers
    chances: Floats
    outputs: Floats
    sizes: tuple[int, ...]
    known: tuple[int, ...] = ()

    @classmethod
    def of(cls, joint: SparseJoint, outputs: Floats, known: Sequence[int] = ()) -> ConditionalOutputs:
        """Return those of a joint distribution; rows that cannot occur are left out."""
        possible = joint.probabilities > 0
        sizes = tuple(len(domain) for domain in joint.domains)
        return cls(
            joint.codes[possible], joint.probabilities[possible], outputs[possible], sizes, tuple(known)
        )

    def knowing(self, known: Sequence[int]) -> ConditionalOutputs:
        """Return the same to one who knows some tuples."""
        return ConditionalOutputs(self.codes, self.chances, self.outputs, self.sizes, tuple(known))

    @cached_property
    def groups(self) -> Integers:
        """Which combination of known values every row has."""
        if not self.known:
            return np.zeros(len(self.codes), dtype=np.int64)
        index = np.zeros(len(self.codes), dtype=np.int64)
        for j in self.known:
            index = index * self.sizes[j] + self.codes[:, j]
            # Keep the numbers small: sizes may multiply beyond 64 bits.
            index = np.unique(index, return_inverse=True)[1].reshape(-1)
        return index

    @cached_property
    def first_rows(self) -> Integers:
        """One row of every combination of known values."""
        return np.unique(self.groups, return_index=True)[1]

    @cached_property
    def _seen(self) -> tuple[ProductGrid, Integers, Integers]:
        """The distinct outputs as a grid, which of them every row gives, and which numbers are in it.

        What is the same throughout every combination of known values says nothing about anyone and is left
        out; the ratio does not depend on it.
        """
        kept = np.arange(self.outputs.shape[1])
        if self.known and len(kept) > 1:
            first = self.outputs[self.first_rows][self.groups]
            varying = np.flatnonzero((self.outputs != first).any(axis=0))
            kept = varying if len(varying) else kept[:1]
        points, index = np.unique(self.outputs[:, kept], axis=0, return_inverse=True)
        return ProductGrid(points), index.reshape(-1), kept

    @property
    def grid(self) -> ProductGrid:
        """The outputs that are looked at."""
        return self._seen[0]

    def output(self, at: int, group: int) -> tuple[float, ...]:
        """Return a grid point as an output, with what a combination of known values settles."""
        whole = self.outputs[self.first_rows[group]].tolist()
        for axis, number in zip(self._seen[2].tolist(), self.grid.place(at), strict=True):
            whole[axis] = number
        return tuple(whole)

    def peaks(self, targets: Sequence[int], scale: float) -> Iterator[GroupPeaks]:
        """Give the largest log ratios about some tuples, none of them known.

        Parameters
        ----------
        targets
            Positions.
        scale
            Of the noise.
        """
        grid, groups = self.grid, len(self.first_rows)
        waiting = list(targets)
        while waiting:
            width = groups * self.sizes[waiting[0]]
            many = 1
            while many < len(waiting) and (
                (width + groups * self.sizes[waiting[many]]) * max(grid.size, len(grid.points))
                <= _MOST_NUMBERS
            ):
                width += groups * self.sizes[waiting[many]]
                many += 1
            part, waiting = waiting[:many], waiting[many:]
            weights = self._weights(part)
            start = 0
            logs = grid.log_densities(weights, scale)
            for target in part:
                stop = start + groups * self.sizes[target]
                yield _peaks_of(target, logs[start:stop].reshape(groups, self.sizes[target], -1))
                start = stop

    def noiseless(self, target: int) -> float:
        """Return the largest log ratio without noise; infinite where an output tells a value apart.

        Examples
        --------
        >>> joint = SparseJoint([[0, 1], [1, 0]], [0.5, 0.5])
        >>> ConditionalOutputs.of(joint, np.array([[1.0], [1.0]])).noiseless(0)
        0.0
        >>> ConditionalOutputs.of(joint, np.array([[1.0], [2.0]])).noiseless(0)
        inf
        """
        weights = self._weights([target]).reshape(len(self.first_rows), self.sizes[target], -1)
        largest = 0.0
        for one in weights:
            laws = one[one.any(axis=1)]
            laws = laws[:, laws.any(axis=0)]
            if len(laws) < 2:
                continue
            if not laws.all():
                return np.inf
            largest = max(largest, float((np.log(laws.max(axis=0)) - np.log(laws.min(axis=0))).max()))
        return largest

    def _weights(self, targets: Sequence[int]) -> Floats:
        """Return the law of the outputs for every target, combination of known values and value."""
        _, seen, _ = self._seen
        width = len(self.grid.points)
        begins = np.cumsum([0, *(len(self.first_rows) * self.sizes[t] for t in targets)])
        rows = np.stack(
            [begins[k] + self.groups * self.sizes[t] + self.codes[:, t] for k, t in enumerate(targets)]
        )
        index = (rows * width + seen).ravel()
        chances = np.broadcast_to(self.chances, rows.shape).ravel()
        weights = np.bincount(index, chances, int(begins[-1]) * width).reshape(-1, width)
        sums = weights.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0))


def _peaks_of(target: int, logs: Floats) -> GroupPeaks:
    """Return the largest ratios of log densities, shape (groups, values, grid points)."""
    possible = logs[:, :, 0] > -np.inf
    high = logs.max(axis=1)
    low = np.where(possible[:, :, None], logs, np.inf).min(axis=1)
    gains = high - low
    largest = gains.max(axis=1)
    # Among equal places an end is named before a point within.
    enough = largest - _TIE * np.maximum(1.0, largest)
    last = gains.shape[1] - 1
    at = np.where(gains[:, 0] >= enough, 0, np.where(gains[:, last] >= enough, last, gains.argmax(axis=1)))
    groups = np.arange(len(logs))
    there = logs[groups, :, at]
    more = there.argmax(axis=1)
    less = np.where(possible, there, np.inf).argmin(axis=1)
    alone = possible.sum(axis=1) < 2
    # Where nothing is told apart, any two possible values do.
    same = (more == less) & ~alone
    if same.any():
        others = possible.copy()
        others[groups, more] = False
        less = np.where(same, others.argmax(axis=1), less)
    values = np.where(alone, 0.0, np.maximum(largest, 0.0))
    return GroupPeaks(target, values, at, np.where(alone, -1, more), np.where(alone, -1, less))
