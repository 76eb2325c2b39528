"""Exact leakage of all adversaries in the convention ``sup``: the largest over all values they may know.

For one release r let G(x) = P(x) exp(-|r - f(x)| / scale). Every tuple is taken from its labels to one state
more: each label kept, and their sum. Entry by entry, the logarithm of the transform of G less that of the
transform of P is the log density of r given the labels kept. A target keeps its labels too, so one array
serves all targets: the leakage is the largest difference along the axis of the target, over releases and
then over the kept labels of every known tuple.

The array has prod (d_j + 1) numbers for a release. It is never held as a whole: a group of tuples is
attacked at a time, some others follow in memory so that every operation runs over long rows, and the states
of the rest are visited depth first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress, ProgressHook
from pdp_widgets.leakage.prior.releases import Centres, centres_of
from pdp_widgets.leakage.wide_noise import log_shares

__all__ = ["Work", "all_adversaries", "over_releases", "work", "worst_known", "worst_known_of"]

Floats = NDArray[np.float64]

#: Tuples of so few states in all are attacked together; otherwise so many states at most, with at least as
#: many states behind them in memory as make rows long.
_ALL_STATES = 1 << 16
_ATTACKED_STATES = 2187
_ROW_STATES = 27

#: Numbers in flight for one state of the outer tuples (2 MB), and for one block of releases (32 MB).
_LEAF_NUMBERS = 1 << 18
_BLOCK_NUMBERS = 1 << 22

#: The inner tuples are summed once for all states of so many outer ones: more would take much memory.
_SHARED = 3

#: Known values whose leakages differ by less, relative to the larger of 1 and the leakage, are equally bad.
_TIE = 1e-12

#: What rounding leaves of a leakage of 0, as a part of the larger of 1 and range of the query / scale.
_ZERO = 1e-14


@dataclass(frozen=True)
class _Group:
    """Tuples attacked together, tuples behind them in memory, and all others, whose states are visited."""

    targets: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def inner(self) -> tuple[int, ...]:
        return (*self.targets, *self.low)


def _states(shape: Sequence[int], axes: Sequence[int]) -> int:
    return math.prod(shape[j] + 1 for j in axes)


def _runs(shape: Sequence[int], longest: int) -> list[list[int]]:
    """Split the tuples into runs of at most so many tuples, and of few states."""
    runs: list[list[int]] = [[]]
    for j in range(len(shape)):
        if runs[-1] and (len(runs[-1]) == longest or _states(shape, (*runs[-1], j)) > _ATTACKED_STATES):
            runs.append([])
        runs[-1].append(j)
    return runs


def _groups(shape: Sequence[int]) -> tuple[_Group, ...]:
    n = len(shape)
    if _states(shape, range(n)) <= _ALL_STATES:
        return (_Group(tuple(range(n)), (), ()),)
    # As few groups as fit, about equally long: every group takes all logarithms anew.
    fewest = len(_runs(shape, n))
    runs = _runs(shape, math.ceil(n / fewest))
    made = []
    for run in runs:
        low: list[int] = []
        others = [j for j in range(n) if j not in run]
        # The tuples of fewest labels first: they fill a row closest to the wanted length.
        for j in sorted(others, key=lambda j: (shape[j], j)):
            if _states(shape, low) >= _ROW_STATES:
                break
            low.append(j)
        made.append(_Group(tuple(run), tuple(low), tuple(j for j in others if j not in low)))
    return tuple(made)


def _block_of_releases(shape: Sequence[int], group: _Group, releases: int) -> int:
    leaf = _LEAF_NUMBERS // _states(shape, group.inner)
    return max(1, min(releases, leaf, _BLOCK_NUMBERS // math.prod(shape)))


@dataclass(frozen=True)
class Work:
    """What a computation of all adversaries costs: time on one thread; working arrays and results."""

    seconds: float
    megabytes: float


def work(shape: Sequence[int], releases: int, logarithms: bool) -> Work:
    """Estimate the cost from the number of labels of every tuple and the number of values of the query."""
    n = len(shape)
    every = float(_states(shape, range(n)))
    seconds = numbers = 0.0
    for group in _groups(shape):
        block = _block_of_releases(shape, group, releases)
        rounds = math.ceil(releases / block)
        # A leaf costs a few calls of numpy, however small it is.
        leaves = every / _states(shape, group.inner)
        entry = 60e-9 if logarithms else 10e-9
        entry += sum(1.2e-9 if shape[j] == 2 else 5e-9 for j in group.targets)
        seconds += rounds * ((block + 1) * every * entry + leaves * 1e-5 * len(group.targets))
        nodes = len(group.targets) * 2.0 ** len(group.high) * _states(shape, group.inner)
        numbers = max(
            numbers,
            (block + 1) * (4.0 * math.prod(shape) + 12.0 * _states(shape, group.inner)) + nodes,
        )
    return Work(seconds, (8 * numbers + 9 * n * 2.0 ** (n - 1)) / 1e6)


def _add_up(array: Floats, axis: int, add: np.ufunc, out: Floats | None = None) -> Floats:
    """Sum one axis away; two slices are added as a whole, which is quicker than a reduction."""
    if array.shape[axis] == 2:
        by_label = np.moveaxis(array, axis, 0)
        return np.asarray(add(by_label[0], by_label[1], out=out))
    return np.asarray(add.reduce(array, axis=axis, out=out))


def _with_sums(array: Floats, count: int, add: np.ufunc) -> Floats:
    """Append their sum to the labels of each of the last axes."""
    # The last axis first: the array is still small while rows are short.
    for axis in range(array.ndim - 1, array.ndim - 1 - count, -1):
        before, labels = (slice(None),) * axis, array.shape[axis]
        made = np.empty((*array.shape[:axis], labels + 1, *array.shape[axis + 1 :]))
        made[*before, :labels] = array
        _add_up(array, axis, add, made[*before, labels])
        array = made
    return array


class _Attack:
    """The largest leakages of one group so far, for every combination of kept labels of the inner tuples."""

    def __init__(
        self, table: Floats, group: _Group, logarithms: bool, releases: int, wide: float = 0.0
    ) -> None:
        # The range over the scale where it is so small that falls of densities are compared; else 0.
        self.wide = wide
        self.group = group
        self.shape = table.shape
        self.add: np.ufunc = np.logaddexp if logarithms else np.add
        self.logarithms = logarithms
        self.sizes = [table.shape[j] + 1 for j in group.inner]
        # Where some label is impossible, gains that are not defined are NaN and have to be passed over.
        self.largest: np.ufunc = np.maximum if (table > 0).all() else np.fmax
        self.best = [
            np.full((1 << len(group.high), *self.sizes[:p], *self.sizes[p + 1 :]), np.nan)
            for p in range(len(group.targets))
        ]
        self._logs = np.empty((releases + 1, *self.sizes))
        self._relative = np.empty((releases, *self.sizes))
        self._gains = np.empty(releases * math.prod(self.sizes))

    def visit(self, part: Floats, state: int, progress: Progress, summed: bool = False) -> None:
        """Visit all states of the outer tuples: axes of them, then releases and the prior, then the inner."""
        left = part.ndim - 1 - len(self.sizes)
        if not summed and left <= _SHARED:
            part, summed = _with_sums(part, len(self.sizes), self.add), True
        if left == 0:
            self._attack(part, state)
            progress.step()
            return
        self.visit(_add_up(part, 0, self.add), state << 1, progress, summed)
        for kept in part:
            self.visit(kept, state << 1 | 1, progress, summed)

    def _attack(self, part: Floats, state: int) -> None:
        """Compare the labels of every target, for one state of the outer tuples."""
        if self.wide:
            relative = log_shares(part[:-1] / part[-1:], self.wide)
            logs = np.log(part[-1:])
        else:
            logs = part if self.logarithms else np.log(part, out=self._logs[: len(part)])
            relative = np.subtract(logs[:-1], logs[-1:], out=self._relative[: len(part) - 1])
        for p, target in enumerate(self.group.targets):
            found = self._gain(relative, logs[-1], p, self.shape[target])
            best = self.best[p][state, ...]
            np.fmax(best, found.reshape(best.shape), out=best)

    def _gain(self, relative: Floats, prior: Floats, position: int, labels: int) -> Floats:
        before, after = math.prod(self.sizes[:position]), math.prod(self.sizes[position + 1 :])
        by_label = relative.reshape(len(relative), before, labels + 1, after)
        gains = self._gains[: len(relative) * before * after].reshape(len(relative), before, after)
        if labels == 2:
            np.subtract(by_label[:, :, 1], by_label[:, :, 0], out=gains)
            return np.asarray(self.largest.reduce(np.abs(gains, out=gains), axis=0))
        kept = by_label[:, :, :labels]
        np.subtract(self.largest.reduce(kept, axis=2), np.fmin.reduce(kept, axis=2), out=gains)
        found: Floats = self.largest.reduce(gains, axis=0)
        possible = np.isfinite(prior.reshape(before, labels + 1, after)[:, :labels])
        found[possible.sum(axis=1) < 2] = np.nan
        return found

    def rows(self, position: int) -> Floats:
        """Return the leakages of one target, a number for each known set; NaN where it is determined."""
        found = self.best[position]
        for axis in range(1, found.ndim):
            before = (slice(None),) * axis
            labels = found.shape[axis] - 1
            unknown = found[*before, labels]
            known = np.fmax.reduce(found[*before, :labels], axis=axis)
            found = np.stack((unknown, known), axis=axis)
        target = self.group.targets[position]
        order = [*self.group.high, *(j for j in self.group.inner if j != target)]
        # The first of the other tuples is the lowest bit of the column, so it comes last.
        last_first = np.argsort(order)[::-1]
        return found.reshape((2,) * len(order)).transpose(last_first).reshape(-1)


def all_adversaries(
    table: Floats, contributions: Sequence[Floats], scale: float, progress: ProgressHook | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the largest leakage over all known values, and whether the target is always determined."""
    # Time O(R n prod (d_j + 1)) for R values of the query. The absolute error is a few roundings of the log
    # densities: about 1e-15 times the larger of 1 and range of the query / scale, or 1e-16 times the
    # logarithm of the smallest probability where that is larger.
    centres = centres_of(table, contributions, scale)
    values, determined = over_releases(table, centres, progress)
    reach = sum(float(np.ptp(y)) for y in contributions) / scale
    # A difference of two logarithms that are equal but for rounding.
    values[values <= _ZERO * (reach if centres.wide else max(1.0, reach))] = 0.0
    return values, determined


def over_releases(
    table: Floats, centres: Centres, progress: ProgressHook | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the same for a release that is given by its centres, of one number or of several."""
    n = table.ndim
    logarithms = centres.logarithms
    groups = _groups(table.shape)
    blocks = [_block_of_releases(table.shape, group, centres.releases) for group in groups]
    leaves = [
        math.ceil(centres.releases / block) * _states(table.shape, group.high)
        for group, block in zip(groups, blocks, strict=True)
    ]
    counted = Progress(progress, sum(leaves))
    values = np.empty((n, 1 << (n - 1)))
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        base = np.log(table) if logarithms else table
        for group, block in zip(groups, blocks, strict=True):
            order = (*group.high, *group.inner)
            outer = len(group.high)
            # One axis for the releases between the outer and the inner tuples.
            prior = np.expand_dims(base.transpose(order), outer)
            along = (0, *(j + 1 for j in order))
            attack = _Attack(table, group, logarithms, block, centres.reach if centres.wide else 0.0)
            for start in range(0, centres.releases, block):
                apart = (centres.falls if centres.wide else centres.distances)(start, start + block)
                apart = np.moveaxis(apart.transpose(along), 0, outer)
                if centres.wide:
                    weighted = prior * apart
                else:
                    weighted = prior - apart if logarithms else prior * np.exp(-apart)
                attack.visit(np.concatenate((weighted, prior), axis=outer), 0, counted)
            for position, target in enumerate(group.targets):
                values[target] = attack.rows(position)
    if centres.wide:
        values *= centres.reach
    determined = np.isnan(values)
    values[determined] = 0.0
    counted.finish()
    return values, determined


def worst_known(
    table: Floats, contributions: Sequence[Floats], scale: float, target: int, known: Sequence[int]
) -> tuple[int, ...]:
    """Return the known values with the largest leakage of one adversary, as label positions."""
    # Among equals (to 1e-12) the first in the order of the domains, and one that leaves the target open
    # before one that does not.
    return worst_known_of(table, centres_of(table, contributions, scale), target, known)


def worst_known_of(table: Floats, centres: Centres, target: int, known: Sequence[int]) -> tuple[int, ...]:
    """Return the same for a release that is given by its centres, of one number or of several."""
    order = (*known, target, *(j for j in range(table.ndim) if j not in known and j != target))
    sizes = tuple(table.shape[k] for k in known)
    wide = (math.prod(sizes), table.shape[target], -1)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        logs = np.log(table).transpose(order).reshape(wide)
        # Logarithms throughout: one adversary is cheap, and nothing underflows.
        prior = _log_sum(logs)
        best = np.full(wide[0], np.nan)
        shares = np.exp(logs - prior[..., np.newaxis]) if centres.wide else logs
        for k in range(centres.releases):
            apart = (centres.falls if centres.wide else centres.distances)(k, k + 1)[0]
            apart = apart.transpose(order).reshape(wide)
            if centres.wide:
                relative = log_shares((shares * apart).sum(axis=-1), centres.reach)
            else:
                relative = _log_sum(logs - apart) - prior
            gain = np.fmax.reduce(relative, axis=1) - np.fmin.reduce(relative, axis=1)
            np.fmax(best, gain, out=best)
    choices = np.isfinite(prior).sum(axis=1)
    # Known values that cannot occur are NaN; those that determine the target come after all with a choice.
    best[choices == 1] = -1.0
    largest = float(np.nanmax(best))
    first = int(np.argmax(best >= largest - _TIE * (abs(largest) if centres.wide else max(1.0, largest))))
    return tuple(int(p) for p in np.unravel_index(first, sizes)) if sizes else ()


def _log_sum(logs: Floats) -> Floats:
    """Return the logarithm of the sum of exponentials along the last axis; -inf where all are."""
    top = logs.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    return np.asarray(np.log(np.exp(logs - top).sum(axis=-1)) + top[..., 0])
