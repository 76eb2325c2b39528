"""The worst adversary of a tuple: over all sets of known tuples and all their values.

Only the tuples C that are joined to the target by unknown ones matter, and the labels of those beside C: more
knowledge beyond never lowers what is learned. Bounds from single branches mostly settle who is worst; else
combinations of options are gone through, the most promising first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.leakage.networks.branches import (
    MOST_OPTIONS,
    Chosen,
    NetworkBranches,
    Options,
    TreeBranches,
    connected_sets,
    joined,
    stats_of,
)
from pdp_widgets.leakage.networks.laws import Lattice, densities, largest_ratio, law_of
from pdp_widgets.leakage.networks.tree_bounds import (
    Best,
    Bounds,
    Pool,
    all_of,
    best_bounds,
    pairs_of,
    tree_upper,
)
from pdp_widgets.models.networks.elimination import (
    LOGS,
    Arithmetic,
    Graph,
    Underflow,
    component_of,
    in_logs_too,
)
from pdp_widgets.models.networks.network import Network

__all__ = [
    "Search",
    "Worst",
    "adversaries_that_matter",
    "dominating",
    "tree_bounds",
    "worst_cases",
]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

_SAME = 1e-12
_LEAST = 1e-200
#: Numbers that are smoothed at once, and numbers of options that are kept from one scale to the next.
_BLOCK, _MOST_KEPT = 1 << 21, 1 << 23


@dataclass(frozen=True)
class Worst:
    """What the worst adversary learns: exactly where ``lower`` is ``upper``, else between the two."""

    lower: float
    upper: float
    #: Who learns ``lower``: whom he does not know beside the target, and the labels beside them.
    chosen: Chosen

    @property
    def exact(self) -> bool:
        """Whether it is known exactly."""
        return self.lower == self.upper


def dominating(graph: Graph, target: int, known: Sequence[int]) -> tuple[set[int], set[int], set[int]]:
    """Return the unknown tuples C joined to a target, the known ones beside C, and all tuples outside C."""
    inside = component_of(graph, target, set(known))
    beside = {k for j in inside for k in graph[j]} - inside
    return inside, beside, set(range(len(graph))) - inside


def adversaries_that_matter(network: Network, most: int = 1_000_000) -> list[int | None]:
    """Return the number of connected sets around every tuple.

    In a tree it is counted however large it is; elsewhere sets are gone through, and more than ``most`` give
    None.
    """
    graph = network.graph
    if not network.is_tree:
        found: list[int | None] = []
        for j in range(network.n_tuples):
            part, many = component_of(graph, j) - {j}, 0
            for _ in connected_sets(graph, j, part):
                many += 1
                if many > most:
                    break
            found.append(many if many <= most else None)
        return found
    branches = TreeBranches(network, Lattice(1.0, 0.0, ()), network.possible, LOGS)
    count: dict[tuple[int, int], int] = {}
    for j, p in branches.in_order([b for i in range(network.n_tuples) for b in branches.of(i)]):
        count[j, p] = 1 + prod(count[c, j] for c in graph[j] if c != p)
    return [prod(count[k, j] for k in around) for j, around in enumerate(graph)]


class Search:
    """Everything that stays the same while worst adversaries of one network and scale are sought."""

    def __init__(
        self,
        network: Network,
        lattice: Lattice,
        scale: float,
        allowed: Sequence[Booleans],
        row: Sequence[int] | None,
        told: Progress,
    ) -> None:
        self.network, self.lattice, self.allowed, self.row, self.told = network, lattice, allowed, row, told
        self.decay = lattice.step / scale
        # Options do not depend on the scale: while there are few they are made once for all scales.
        self._pools: dict[tuple[Arithmetic, tuple[int, ...]], tuple[Any, Any, Any]] = {}
        self._groups: dict[tuple[Arithmetic, int], tuple[Options, Options] | None] = {}
        self._kept = 0

    def at(self, scale: float) -> None:
        """Go on with another scale."""
        self.decay = self.lattice.step / scale

    def _keeps(self, options: Options) -> bool:
        self._kept += options.values.size
        return self._kept <= _MOST_KEPT

    def steps(self, target: int) -> Floats:
        """Return the differences of the target's contributions over the scale, by ordered pair of labels."""
        power = self.lattice.powers[target]
        return np.asarray(self.decay * (power[:, None] - power[None, :]))

    def tree_bounds(self, targets: Sequence[int]) -> dict[int, Bounds]:
        """Return the bounds of tuples of a tree all of whose branches have few options."""
        return in_logs_too(lambda ring: self._tree_bounds(targets, ring))

    def _tree_bounds(self, targets: Sequence[int], ring: Arithmetic) -> dict[int, Bounds]:
        branches = TreeBranches(self.network, self.lattice, self.allowed, ring)
        wanted = sorted({b for i in targets for b in branches.of(i)})
        best: dict[tuple[int, int], Best] = {}
        key = ring, tuple(targets)
        if key not in self._pools:
            pools: dict[int, Pool] = {}
            places: dict[tuple[int, int], tuple[int, Integers]] = {}
            said: dict[tuple[int, int], Callable[[int], Chosen]] = {}
            self._pools[key] = pools, places, said
            for one, options in branches.walk(wanted):
                if one in set(wanted):
                    size = options.values.shape[1]
                    places[one] = size, pools.setdefault(size, Pool()).add(options, ring)
                    said[one] = options.chosen
                if sum(pool.numbers for pool in pools.values()) > _MOST_KEPT:
                    # Too many to be kept for other scales: looked at now.
                    best |= self._best_of(pools, places, ring)
                    pools.clear()
                    places.clear()
                    self._pools.pop(key, None)
                self.told.wait()
        else:
            pools, places, said = self._pools[key]
        best |= self._best_of(pools, places, ring)
        found = {}
        for i in targets:
            around = branches.of(i)
            pairs = pairs_of(self.network.possible[i])
            lower, upper, at = best_bounds([best[b] for b in around], self.steps(i), pairs)
            parts = [partial(said[b], k) for b, k in zip(around, at, strict=bool(at))]
            found[i] = Bounds(lower, upper, partial(all_of, parts))
        return found

    def _best_of(
        self, pools: Mapping[int, Pool], places: Mapping[Any, tuple[int, Integers]], ring: Arithmetic
    ) -> dict[tuple[int, int], Best]:
        stats = {size: pool.stats(self.decay, ring) for size, pool in pools.items()}
        return {one: Best.of(stats[size], at) for one, (size, at) in places.items()}

    @cached_property
    def few(self) -> set[int]:
        """Tuples of a tree all of whose branches have few options."""
        counted = TreeBranches(self.network, self.lattice, self.allowed, LOGS)
        around = {i: counted.of(i) for i in range(self.network.n_tuples)}
        return {
            i for i, branches in around.items() if all(counted.count(b) <= MOST_OPTIONS for b in branches)
        }

    def of_tree(self, targets: Sequence[int]) -> dict[int, Worst]:
        """Return the worst adversaries of tuples of a tree."""
        bounds = self.tree_bounds([i for i in targets if i in self.few])
        found = {}
        for i in targets:
            if i not in bounds:
                found[i] = self.between(i, inf)
            elif bounds[i].upper <= bounds[i].lower + _SAME:
                found[i] = Worst(bounds[i].lower, bounds[i].lower, bounds[i].chosen)
            else:
                most = inf if self.network.is_path else MOST_OPTIONS

                def options(ring: Arithmetic, i: int = i) -> list[Options]:
                    branches = TreeBranches(self.network, self.lattice, self.allowed, ring)
                    return branches.options(branches.of(i))

                found[i] = self._searched(i, options, bounds[i], most)
            self.told.step()
        return found

    def cases(self, targets: Sequence[int]) -> list[Worst]:
        """Return the worst adversary of each of some tuples."""
        if self.network.is_tree:
            found = self.of_tree(targets)
            return [found[i] for i in targets]
        made = []
        for target in targets:
            made.append(self.of_network(target))
            self.told.step()
        return made

    def exceeds(self, targets: Sequence[int], epsilon: float) -> tuple[bool, bool]:
        """Return whether somebody may learn more than epsilon about a tuple, and whether it is certain."""
        waiting, certain = list(targets), True
        if self.network.is_tree:
            bounds = self.tree_bounds([i for i in targets if i in self.few])
            if any(one.lower > epsilon for one in bounds.values()):
                return True, True
            settled = {i for i, one in bounds.items() if one.upper <= epsilon + _SAME}
            waiting = sorted(set(targets) - settled, key=lambda i: -bounds[i].upper if i in bounds else 0.0)
        for i in waiting:
            found = self.of_tree([i])[i] if self.network.is_tree else self.of_network(i)
            if found.lower > epsilon:
                return True, True
            certain &= found.upper <= epsilon
        return not certain, certain

    def of_network(self, target: int) -> Worst:
        """Return the worst adversary of a tuple of any network."""

        def branches(ring: Arithmetic) -> NetworkBranches:
            return NetworkBranches(self.network, self.lattice, self.allowed, ring, target)

        if branches(LOGS).count(MOST_OPTIONS) > MOST_OPTIONS:
            return self.between(target, inf)
        start = Bounds(0.0, inf)
        return self._searched(target, lambda ring: branches(ring).options(self.told), start, MOST_OPTIONS)

    def _searched(
        self, target: int, options: Callable[[Arithmetic], list[Options]], start: Bounds, most: float
    ) -> Worst:
        """Return the worst over all combinations of options, or an interval where they are too many."""

        def compute(ring: Arithmetic) -> tuple[float, float, Chosen] | None:
            if (ring, target) in self._groups:
                groups = self._groups[ring, target]
            else:
                groups = _two_groups(options(ring), self.network.shape[target], ring)
                if groups is None or all(map(self._keeps, groups)):
                    self._groups[ring, target] = groups
            return None if groups is None else self._of_pairs(target, *groups, start, most, ring)

        found = in_logs_too(compute)
        if found is None:
            return self.between(target, start.upper)
        best, open_, chosen = found
        if open_ <= best + _SAME:
            return Worst(best, best, chosen)
        return self.between(target, min(open_, start.upper), Worst(best, open_, chosen))

    def _of_pairs(
        self,
        target: int,
        left: Options,
        right: Options,
        start: Bounds,
        most: float,
        ring: Arithmetic,
    ) -> tuple[float, float, Chosen]:
        """Return the largest leakage of two options, what may be above it, and which options."""
        own = self.network.possible[target]
        pairs, steps = pairs_of(own), np.abs(self.steps(target))
        one, two = (stats_of(group, self.decay, ring).most for group in (left, right))
        top = np.where(pairs, steps + one + two.max(axis=0), -inf).max(axis=(1, 2))
        block = _Block(left, right, self.lattice.powers[target], own, self.decay, ring)
        best, where, done = start.lower, None, 0
        for a in np.argsort(-top, kind="stable").tolist():
            if top[a] <= best + _SAME:
                break
            keys = np.where(pairs, steps + one[a] + two, -inf).max(axis=(1, 2))
            at = np.flatnonzero(keys > best + _SAME)
            if done + len(at) > most:
                return best, float(top[a]), start.chosen if where is None else self._said(left, right, where)
            done += len(at)
            values = block.leakages(a, at)
            k = int(values.argmax())
            if values[k] > best:
                best, where = float(values[k]), (a, int(at[k]))
            self.told.wait()
        return best, best, start.chosen if where is None else self._said(left, right, where)

    @staticmethod
    def _said(left: Options, right: Options, where: tuple[int, int]) -> Chosen:
        return left.chosen(where[0]) + right.chosen(where[1])

    def between(self, target: int, upper: float, best: Worst | None = None) -> Worst:
        """Return an interval: the best adversary that climbing finds, and the least of the upper bounds."""
        members = component_of(self.network.graph, target)
        reach = float(sum(self.lattice.powers[j].max() for j in members)) * self.decay
        upper = min(upper, reach)
        if self.network.is_tree and all(size < 3 for size in self.network.shape):
            found = tree_upper(self.network, self.lattice, self.decay, [target], self.told)
            upper = min(upper, found[0])
        climbed = _Climb(self, target, members).best()
        if best is not None and best.lower > climbed[0]:
            climbed = best.lower, best.chosen
        lower, chosen = climbed
        return Worst(lower, max(lower, upper), chosen)


class _Climb:
    """Adversaries a step apart: one tuple more known, one less, or one with another label."""

    def __init__(self, search: Search, target: int, members: set[int]) -> None:
        self._search, self._target, self._members = search, target, members
        self._graph = search.network.graph
        self._row = list(search.network.some_row({}) if search.row is None else search.row)
        self._seen: dict[tuple[frozenset[int], tuple[tuple[int, int], ...]], float] = {}

    def best(self) -> tuple[float, Chosen]:
        near = set(self._graph[self._target]) | {self._target}
        tops = [
            self._up(set(start), dict(enumerate(self._row)))
            for start in (self._members, near, {self._target})
        ]
        return max(tops, key=lambda one: one[0])

    def _beside(self, inside: set[int]) -> list[int]:
        return sorted({k for j in inside for k in self._graph[j]} - inside)

    def _leakage(self, inside: set[int], row: Mapping[int, int]) -> float:
        """Return the leakage to who knows all outside a set; minus infinity if it cannot be known."""
        network, search = self._search.network, self._search
        known = tuple((k, row[k]) for k in self._beside(inside))
        key = frozenset(inside), known
        if key not in self._seen:
            outside = {j: row[j] for j in range(network.n_tuples) if j not in inside}

            def compute(ring: Arithmetic) -> float:
                rows = law_of(network, search.lattice, self._target, outside, ring, told=search.told)
                logs = densities(rows.values, search.decay, ring, rows.feasible)
                return largest_ratio(logs, rows.feasible).value

            self._seen[key] = in_logs_too(compute) if network.can_occur(outside) else -inf
            search.told.wait()
        return self._seen[key]

    def _up(self, inside: set[int], row: dict[int, int]) -> tuple[float, Chosen]:
        value = self._leakage(inside, row)
        while True:
            steps = [(inside | {j}, row) for j in self._beside(inside)]
            for j in sorted(inside - {self._target}):
                rest = component_of(self._graph, self._target, set(range(len(self._graph))) - (inside - {j}))
                steps += [(rest, row | {j: u}) for u in self._labels(j)]
            for j in self._beside(inside):
                steps += [(inside, row | {j: u}) for u in self._labels(j) if u != row[j]]
            found = [(self._leakage(*step), k) for k, step in enumerate(steps)]
            top, k = max(found, default=(value, -1))
            if top <= value + _SAME:
                known = tuple((j, row[j]) for j in self._beside(inside))
                return value, Chosen(frozenset(inside - {self._target}), known)
            value, (inside, row) = top, steps[k]

    def _labels(self, j: int) -> list[int]:
        return [int(u) for u in np.flatnonzero(self._search.allowed[j])]


def _two_groups(parts: Sequence[Options], labels: int, ring: Arithmetic) -> tuple[Options, Options] | None:
    """Return branches joined to two groups of few options each, or None where one would have too many."""
    nothing = Options(np.full((1, labels, 1), ring.one), np.ones((1, labels), dtype=bool), Chosen.of)
    groups: list[list[Options]] = [[], []]
    for part in sorted(parts, key=len, reverse=True):
        sizes = [prod(map(len, group)) for group in groups]
        groups[sizes.index(min(sizes))].append(part)
    if any(prod(map(len, group)) > MOST_OPTIONS for group in groups):
        return None
    left, right = (joined(group, ring) if group else nothing for group in groups)
    return left, right


class _Block:
    """Leakages of one option on the left with many on the right, from smoothed laws on the left."""

    def __init__(
        self, left: Options, right: Options, powers: Integers, own: Booleans, decay: float, ring: Arithmetic
    ) -> None:
        self._left, self._right, self._powers, self._own = left, right, powers, own
        self._decay, self._ring = decay, ring
        laws = right.normalised(ring)
        self._laws = laws[..., ::-1]
        self._smooth = left.normalised(ring)
        self._reach = left.values.shape[-1] + laws.shape[-1] - 1 + int(powers.max())

    def leakages(self, a: int, at: Integers) -> Floats:
        """Return the leakage of option ``a`` on the left with each of some on the right."""
        feasible = self._own & self._left.possible[a] & self._right.possible[at]
        logs = densities(self._smooth[a], self._decay, self._ring, self._left.possible[a])
        width, last = self._laws.shape[-1], logs.shape[-1] - 1
        low = np.full((len(at), self._reach), inf)
        high = -low
        for v in np.flatnonzero(self._own & self._left.possible[a]).tolist():
            place = np.arange(self._reach + width - 1) - (width - 1) - int(self._powers[v])
            near = np.clip(place, 0, last)
            line = logs[v, near] - self._decay * np.abs(place - near)
            found = self._convolved(line, self._laws[at, v], width, feasible[:, v])
            np.maximum(high, found, out=high, where=feasible[:, v, None])
            np.minimum(low, found, out=low, where=feasible[:, v, None])
        many = feasible.sum(axis=1)
        with np.errstate(invalid="ignore"):
            return np.where(many > 1, (high - low).max(axis=1), 0.0)

    def _convolved(self, line: Floats, laws: Floats, width: int, feasible: Booleans) -> Floats:
        if self._ring is LOGS:
            found = np.full((len(laws), self._reach), -inf)
            for k in range(width):
                np.logaddexp(found, laws[:, k, None] + line[k : k + self._reach], out=found)
            return found
        found = laws @ sliding_window_view(np.exp(line), width).T
        if found.min(axis=1).min(where=feasible, initial=1.0) < _LEAST:
            raise Underflow
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(found))


def worst_cases(
    network: Network,
    lattice: Lattice,
    scale: float,
    targets: Sequence[int],
    allowed: Sequence[Booleans],
    row: Sequence[int] | None = None,
    told: Progress | None = None,
) -> list[Worst]:
    """Return the worst adversary of each of some tuples.

    Parameters
    ----------
    network, lattice, scale
        The model, the query and the noise.
    targets
        The tuples.
    allowed
        For every tuple which labels may be known: all that can occur, or those of one row.
    row
        That row, if there is one.
    told
        Steps: one a target.
    """
    return Search(network, lattice, scale, allowed, row, told or Progress(None)).cases(targets)


def tree_bounds(
    network: Network,
    lattice: Lattice,
    scale: float,
    target: int,
    allowed: Sequence[Booleans],
    told: Progress,
) -> Bounds | None:
    """Return the bounds from single branches of a tree; None where a branch has too many options."""
    search = Search(network, lattice, scale, allowed, None, told)
    return search.tree_bounds([target])[target] if target in search.few else None
