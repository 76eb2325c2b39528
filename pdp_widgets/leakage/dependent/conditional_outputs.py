"""Output distributions given the value of a tuple and those of known tuples, and their largest log ratios.

Known values shift the output: a grid for all of them would be long, and that of each group of rows is short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.dependent.product_grid import ProductGrid
from pdp_widgets.models.sparse_joint import SparseJoint

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Share of the largest output by which neighbours differ at most that are one: tens of roundings.
#: js/src/compute/dependence-grid.ts has the same number.
SAME = 2.0**-47
#: Up to here a whole number is one of its own accord: floats have fractions beside it.
_COUNTED = 2.0**52


def equal_outputs(outputs: Floats) -> tuple[Floats, Integers]:
    """Return the different outputs in ascending order, and which of them each one is."""
    # Neighbours that differ by 2^-47 of the largest or less are one, and the lowest of them stands for all:
    # 0.1 + 0.2 and 0.3 are the same output, and whoever sees it learns nothing from the digits. Whole numbers
    # up to 2^52 are not rounded, and never one.
    values, index = np.unique(outputs, return_inverse=True)
    places = index.reshape(-1)
    if len(values) < 2:
        return values, places
    begins = np.ones(len(values), dtype=np.bool_)
    largest = max(abs(float(values[0])), abs(float(values[-1])))
    begins[1:] = np.diff(values) > SAME * largest
    if begins.all() or (largest <= _COUNTED and (values == np.floor(values)).all()):
        return values, places
    return values[begins], (np.cumsum(begins) - 1)[places]


# Exponentials that are held at once; beyond, and where they would vanish, steps along the line are taken.
_MOST_PAIRS = 1 << 21
_WIDE, _NARROW = 0.5, 600.0


class GroupedLines:
    """The outputs of every group of rows in ascending order, padded to one length with the last."""

    # ``groups``, which count from 0, and ``outputs`` are by row; the largest group has ``most`` rows.

    __slots__ = ("_column", "_row", "_rows", "at")

    def __init__(self, groups: Integers, outputs: Floats, most: int) -> None:
        order = np.lexsort((outputs, groups))
        counts = np.bincount(groups)
        starts = np.cumsum(counts) - counts
        self._rows = order
        self._row = groups[order]
        self._column = np.arange(len(order)) - starts[self._row]
        last = outputs[order][starts + counts - 1]
        self.at: Floats = np.repeat(last[:, None], most, axis=1)
        self.at[self._row, self._column] = outputs[order]

    def log_densities(self, chances: Floats, columns: Sequence[Integers], size: int, scale: float) -> Floats:
        """Return log densities at the outputs of the own group, (tuples, groups, values, outputs)."""
        # Up to a constant; minus infinity for a value that is not possible. ``columns`` has for every tuple
        # the positions of its values by row.
        groups, most = self.at.shape
        weights = np.zeros((groups, len(columns) * size, most))
        for k, codes in enumerate(columns):
            weights[self._row, k * size + codes[self._rows], self._column] = chances[self._rows]
        sums = weights.sum(axis=2, keepdims=True)
        np.divide(weights, sums, out=weights, where=sums > 0)
        reach = float((self.at[:, -1] - self.at[:, 0]).max()) / scale
        if reach < _NARROW and groups * most * most <= _MOST_PAIRS:
            steps = -np.abs(self.at[:, :, None] - self.at[:, None, :]) / scale
            with np.errstate(divide="ignore"):
                if reach < _WIDE:
                    logs = np.log1p(weights @ np.expm1(steps))
                    logs[sums[:, :, 0] == 0] = -np.inf
                else:
                    logs = np.log(weights @ np.exp(steps))
        else:
            logs = self._stepped(weights, scale)
        return np.asarray(logs.reshape(groups, len(columns), size, most).swapaxes(0, 1))

    def _stepped(self, weights: Floats, scale: float) -> Floats:
        """Let log weights spread along every line, one step after the other in both directions."""
        with np.errstate(divide="ignore"):
            left = np.moveaxis(np.log(weights), 2, 0).copy()
        right, gaps = left.copy(), np.diff(self.at, axis=1).T[:, :, None] / scale
        for k, gap in enumerate(gaps):
            np.logaddexp(left[k + 1], left[k] - gap, out=left[k + 1])
        for k in range(len(gaps) - 1, -1, -1):
            np.logaddexp(right[k], right[k + 1] - gaps[k], out=right[k])
        # The own weight is in both passes: take the right one from the next output.
        left[:-1] = np.logaddexp(left[:-1], right[1:] - gaps)
        return np.moveaxis(left, 0, 2)


# Numbers in one array of log densities.
_MOST_NUMBERS = 1 << 22
# Numbers in the laws of one tuple: 2 GB.
_MOST_LAWS = 1 << 28
_FEW = 1 << 10
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class GroupPeaks:
    """The largest log ratios about one tuple, one for each combination of known values."""

    target: int
    #: 0 where one value of the tuple is possible.
    values: Floats
    #: Where each is attained, see `ConditionalOutputs.output`.
    at: Integers
    #: Positions of the values made more and less likely; -1 where one value is possible.
    more: Integers
    less: Integers


@dataclass(frozen=True, eq=False)
class ConditionalOutputs:
    """The outputs of the rows that are possible, and what tuples say about them."""

    #: Positions of values, shape (rows, n).
    codes: Integers
    #: Of the rows, all positive.
    chances: Floats
    #: Shape (rows, numbers).
    outputs: Floats
    #: Number of values of every tuple.
    sizes: tuple[int, ...]
    #: Positions of the known tuples.
    known: tuple[int, ...] = ()

    @classmethod
    def of(cls, joint: SparseJoint, outputs: Floats, known: Sequence[int] = ()) -> ConditionalOutputs:
        """Return those of a joint distribution, without rows that cannot occur; equal outputs are one."""
        possible = joint.probabilities > 0
        sizes = tuple(len(domain) for domain in joint.domains)
        places = [equal_outputs(column) for column in outputs[possible].T]
        same = np.stack([values[index] for values, index in places], axis=1)
        found = cls(joint.codes[possible], joint.probabilities[possible], same, sizes, tuple(known))
        found.__dict__["_places"] = places
        return found

    def knowing(self, known: Sequence[int]) -> ConditionalOutputs:
        """Return the same to an adversary who knows some tuples."""
        found = ConditionalOutputs(self.codes, self.chances, self.outputs, self.sizes, tuple(known))
        # Found once for all: where each number of an output stands, and the grid of a single one.
        found.__dict__["_places"] = self._places
        if len(self._places) == 1:
            found.__dict__["_seen"] = self._seen
        return found

    @cached_property
    def _places(self) -> list[tuple[Floats, Integers]]:
        """The different values of every number of the output, and which of them each row has."""
        return [
            (values, index.reshape(-1))
            for values, index in (np.unique(column, return_inverse=True) for column in self.outputs.T)
        ]

    @cached_property
    def groups(self) -> Integers:
        """Which combination of known values every row has."""
        return compact([(self.codes[:, j], self.sizes[j]) for j in self.known], len(self.codes))

    @cached_property
    def first_rows(self) -> Integers:
        """One row of every combination of known values."""
        found = np.empty(int(self.groups.max()) + 1, dtype=np.int64)
        found[self.groups[::-1]] = np.arange(len(self.groups))[::-1]
        return found

    @cached_property
    def _seen(self) -> tuple[ProductGrid, Integers, list[int]]:
        """The distinct outputs as a grid, which of them every row gives, and which numbers are in it."""
        # What is the same throughout every combination of known values says nothing about anyone and is left
        # out; the ratio does not depend on it.
        kept = list(range(len(self._places)))
        if self.known and len(kept) > 1:
            first = self.first_rows[self.groups]
            kept = [k for k in kept if (self._places[k][1] != self._places[k][1][first]).any()] or kept[:1]
        index = compact([(self._places[k][1], len(self._places[k][0])) for k in kept], len(self.codes))
        rows = np.empty(int(index.max()) + 1, dtype=np.int64)
        rows[index] = np.arange(len(index))
        return ProductGrid(self.outputs[rows][:, kept]), index, kept

    @property
    def grid(self) -> ProductGrid:
        """The outputs that are looked at."""
        return self._seen[0]

    @cached_property
    def _lines(self) -> GroupedLines | None:
        """Outputs of single numbers group by group, where each group has few of all there are."""
        if not self.known or self.outputs.shape[1] > 1:
            return None
        most = int(np.bincount(self.groups).max())
        return GroupedLines(self.groups, self.outputs[:, 0], most) if 2 * most < self.grid.size else None

    def output(self, at: int, group: int) -> tuple[float, ...]:
        """Return a place of `GroupPeaks` as an output, with what a combination of known values settles."""
        if self._lines is not None:
            return (float(self._lines.at[group, at]),)
        whole = self.outputs[self.first_rows[group]].tolist()
        for axis, number in zip(self._seen[2], self.grid.place(at), strict=True):
            whole[axis] = number
        return tuple(whole)

    @property
    def last(self) -> int:
        """The last place that `GroupPeaks` can name."""
        return (self.grid.size if self._lines is None else self._lines.at.shape[1]) - 1

    def peaks(self, targets: Sequence[int], scale: float) -> list[GroupPeaks]:
        """Return the largest log ratios about some tuples, none of them known, in the given order."""
        groups, waiting = len(self.first_rows), list(targets)
        found: dict[int, GroupPeaks] = {}
        each = groups * (max(self.grid.size, len(self.grid.points)) if self._lines is None else self.last + 1)
        while waiting:
            # Tuples with as many values are looked at together.
            size = self.sizes[waiting[0]]
            if each * size > _MOST_LAWS:
                raise LimitError(
                    f"{size:,} values of a tuple with {each:,} outputs each are too many to compare; take "
                    "fewer values, or round the outputs.",
                    Where("parameter", name="joint"),
                )
            alike = [t for t in waiting if self.sizes[t] == size]
            part = alike[: max(1, _MOST_NUMBERS // (each * size))]
            waiting = [t for t in waiting if t not in part]
            if self._lines is None:
                logs = self.grid.log_densities(self._weights(part), scale)
            else:
                logs = self._lines.log_densities(self.chances, [self.codes[:, t] for t in part], size, scale)
            found.update(
                (one.target, one) for one in _peaks_of(part, logs.reshape(len(part), groups, size, -1))
            )
        return [found[target] for target in targets]

    def noiseless(self, target: int) -> float:
        """Return the largest log ratio without noise; infinite where an output tells a value apart."""
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


def _peaks_of(targets: Sequence[int], logs: Floats) -> Iterator[GroupPeaks]:
    """Give the largest ratios of log densities, shape (targets, groups, values, places)."""
    groups_of_each = logs.shape[1]
    logs = logs.reshape(-1, *logs.shape[2:])
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
    more, less = np.where(alone, -1, more), np.where(alone, -1, less)
    for k, target in enumerate(targets):
        own = slice(k * groups_of_each, (k + 1) * groups_of_each)
        yield GroupPeaks(target, values[own], at[own], more[own], less[own])


def compact(digits: Sequence[tuple[Integers, int]], rows: int) -> Integers:
    """Return one number for each row of digits, each given with its base: 0, 1, ... without gaps."""
    index, size = np.zeros(rows, dtype=np.int64), 1
    for digit, base in digits:
        index, size = index * base + digit, size * base
        if size > max(_FEW, 4 * rows):
            index, size = _without_gaps(index, size)
    return _without_gaps(index, size)[0]


def _without_gaps(index: Integers, size: int) -> tuple[Integers, int]:
    if size > max(_FEW, 64 * len(index)):
        found = np.unique(index, return_inverse=True)[1].reshape(-1)
        return found, int(found.max()) + 1
    present = np.zeros(size, dtype=np.bool_)
    present[index] = True
    numbered = np.cumsum(present) - 1
    return numbered[index], int(numbered[-1]) + 1
