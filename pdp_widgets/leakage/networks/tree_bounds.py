"""Bounds for the worst adversary from single branches of a tree, and one in linear time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.leakage.networks.branches import (
    Chosen,
    Options,
    Stats,
    TreeBranches,
    stacked,
    stats_of,
)
from pdp_widgets.leakage.networks.laws import Lattice
from pdp_widgets.models.networks.elimination import (
    LOGS,
    Arithmetic,
)
from pdp_widgets.models.networks.network import Network

__all__ = ["Best", "Bounds", "Pool", "all_of", "best_bounds", "pairs_of", "tree_upper"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

#: Numbers that are smoothed at once.
_BLOCK = 1 << 21


@dataclass(frozen=True)
class Bounds:
    """What single branches say about the worst adversary of a tuple of a tree."""

    lower: float
    upper: float
    said: Callable[[], Chosen] = Chosen

    @property
    def chosen(self) -> Chosen:
        """Who learns ``lower``."""
        return self.said()


def pairs_of(own: Booleans) -> Booleans:
    """Return which ordered pairs of labels of the target may be told apart."""
    both = own[:, None] & own[None, :]
    np.fill_diagonal(both, False)
    return np.asarray(both)


class Pool:
    """Options of many branches, each that differs once: in a chain of equal steps most are alike."""

    def __init__(self) -> None:
        self.numbers = 0
        self._rows: list[tuple[Floats, Booleans]] = []
        self._place: dict[bytes, int] = {}
        self._whole: Options | None = None

    def add(self, options: Options, ring: Arithmetic) -> Integers:
        """Return the places of options, and take those in that are new."""
        some = (options.values != ring.zero).any(axis=1)
        ends = some.shape[1] - some[:, ::-1].argmax(axis=1)
        found = np.empty(len(options), dtype=np.int64)
        for k, end in enumerate(ends.tolist()):
            row, possible = options.values[k, :, :end], options.possible[k]
            key = row.tobytes() + possible.tobytes()
            place = self._place.setdefault(key, len(self._rows))
            if place == len(self._rows):
                # A copy: a view would keep all options of its branch.
                self._rows.append((row.copy(), possible))
                self.numbers += row.size
            found[k] = place
        return found

    def stats(self, decay: float, ring: Arithmetic) -> Stats:
        """Return the figures of all options."""
        if self._whole is None:
            self._whole = Options(*stacked([(row[None], p[None]) for row, p in self._rows], ring), Chosen.of)
        values, possible = self._whole.values, self._whole.possible
        step = max(1, _BLOCK // values[0].size)
        parts = [
            stats_of(Options(values[k : k + step], possible[k : k + step], Chosen.of), decay, ring)
            for k in range(0, len(values), step)
        ]
        return Stats(
            *(np.concatenate([getattr(one, name) for one in parts]) for name in ("most", "low", "high"))
        )


@dataclass(frozen=True, eq=False)
class Best:
    """The largest of each figure over the options of a branch, by pair of labels, and by which option."""

    most: Floats
    low: Floats
    high: Floats
    at: tuple[Integers, Integers]

    @classmethod
    def of(cls, stats: Stats, places: Integers) -> Best:
        """Return the largest of the options at some places."""
        most, low, high = (one[places] for one in (stats.most, stats.low, stats.high))
        at = low.argmax(axis=0), high.argmax(axis=0)
        return cls(most.max(axis=0), low.max(axis=0), high.max(axis=0), at)


def all_of(parts: Sequence[Callable[[], Chosen]]) -> Chosen:
    """Return what options of several branches say together."""
    return sum((part() for part in parts), Chosen())


def best_bounds(best: Sequence[Best], steps: Floats, pairs: Booleans) -> tuple[float, float, tuple[int, ...]]:
    """Return the two bounds, and the options that give the lower one."""
    upper = np.where(pairs, np.abs(steps) + sum(one.most for one in best), -inf).max(initial=-inf)
    if upper == -inf:
        return 0.0, 0.0, ()
    low = np.where(pairs, -steps + sum(one.low for one in best), -inf)
    high = np.where(pairs, steps + sum(one.high for one in best), -inf)
    side = 0 if low.max() >= high.max() else 1
    v, w = np.unravel_index(int((low, high)[side].argmax()), low.shape)
    at = tuple(int(one.at[side][v, w]) for one in best)
    return max(0.0, float((low, high)[side].max())), float(upper), at


def tree_upper(
    network: Network, lattice: Lattice, decay: float, targets: Sequence[int], told: Progress
) -> list[float]:
    """Return bounds for the worst adversary of tuples of a tree with at most two labels, in one pass for all.

    For the branch below j seen from p, D(r) = psi(b + d) - psi(b): b are the log odds that known labels below
    give x_j, and d is what the sum below says about it.
    """
    possible, graph = network.possible, network.graph
    step = decay * np.array([float(power.max()) for power in lattice.powers])
    branches = TreeBranches(network, lattice, possible, LOGS)
    found: dict[tuple[int, int], tuple[float, float, float, float]] = {}
    sent: dict[tuple[int, int], Floats] = {}
    for j, p in branches.in_order([one for i in targets for one in branches.of(i)]):
        behind = [found[c, j] for c in graph[j] if c != p]
        both = branches.pair(p, j) + sum((sent[c, j] for c in graph[j] if c != p), branches.own[j])
        sent[j, p] = np.logaddexp.reduce(both, axis=1)
        link = np.exp(both - np.where(sent[j, p] > -inf, sent[j, p], 0.0)[:, None])
        up, down, low, high = (sum(one[k] for one in behind) for k in range(4))
        if possible[j].sum() < 2 or possible[p].sum() < 2:
            found[j, p] = 0.0, 0.0, 0.0, 0.0
        else:
            found[j, p] = _through(link, step[j] + up, step[j] + down, low, high)
        told.wait()
    bounds = []
    for i in targets:
        around = [found[j, i] for j in graph[i]]
        rise, fall = (sum(one[k] for one in around) for k in (0, 1))
        bounds.append(float(step[i] + max(rise, fall)) if possible[i].sum() > 1 else 0.0)
    return bounds


def _through(
    link: Floats, up: float, down: float, low: float, high: float
) -> tuple[float, float, float, float]:
    """Return how far a branch moves log odds both ways, and the ends of what its known labels do."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(link[1] / link[0])
    ratios = ratios[~np.isnan(ratios)]
    rises = link[1, 1] * link[0, 0] >= link[1, 0] * link[0, 1]
    ends = float(ratios.min()), float(ratios.max())
    if (link == 0).any():
        return (up, down, *ends) if rises else (down, up, *ends)
    logs = np.log(link)
    middle = -(np.log(link[1, 1] / link[1, 0]) + np.log(link[0, 1] / link[0, 0])) / 2

    def psi(t: float) -> float:
        above = np.logaddexp(logs[1, 0], logs[1, 1] + t)
        return float(above - np.logaddexp(logs[0, 0], logs[0, 1] + t))

    def moved(d: float) -> float:
        b = min(max(middle - d / 2, low), high)
        return psi(b + d) - psi(b)

    rise, fall = moved(up if rises else -down), -moved(-down if rises else up)
    return rise, fall, *ends
