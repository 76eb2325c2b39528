"""Branches: the parts of a network that are connected once the target is taken out, and their options.

An option is one choice, within a branch, of what the adversary does not know and of the labels of its
neighbours, which he does. Given the label of the target the branches are independent, so that the options of
different branches are chosen freely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.leakage.networks.laws import Lattice, densities
from pdp_widgets.models.networks.elimination import (
    LOGS,
    NUMBERS,
    POSSIBLE,
    Arithmetic,
    Underflow,
    component_of,
    convolved,
    eliminated,
    messages_of,
)
from pdp_widgets.models.networks.network import Network

__all__ = [
    "MOST_OPTIONS",
    "Chosen",
    "NetworkBranches",
    "Options",
    "Stats",
    "TreeBranches",
    "joined",
    "stacked",
    "stats_of",
]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

#: Options of a branch, or combinations of them, that are gone through.
MOST_OPTIONS = 200_000
_LEAST_SHARE = 1e-50


@dataclass(frozen=True)
class Chosen:
    """What options say: the tuples that are not known, and the labels of those beside them."""

    unknown: frozenset[int] = frozenset()
    known: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, number: int) -> Chosen:
        """Return what the only option of no branch says."""
        return cls()

    def __add__(self, other: Chosen) -> Chosen:
        return Chosen(self.unknown | other.unknown, tuple(sorted({*self.known, *other.known})))


@dataclass(frozen=True, eq=False)
class Options:
    """Laws of a branch's sum for some options, shape (options, labels of the target, steps + 1).

    Rows are not normalised. ``possible`` says which of them are not all zero, shape (options, labels), and
    ``chosen`` what an option is.
    """

    values: Floats
    possible: Booleans
    chosen: Callable[[int], Chosen]

    def __len__(self) -> int:
        return len(self.values)

    def normalised(self, ring: Arithmetic) -> Floats:
        """Return the rows as laws."""
        if ring is LOGS:
            sums = np.logaddexp.reduce(self.values, axis=-1)[..., None]
            return np.asarray(self.values - np.where(sums > -np.inf, sums, 0.0))
        sums = self.values.sum(axis=-1, keepdims=True)
        return np.asarray(self.values / np.where(sums > 0, sums, 1.0))


@dataclass(frozen=True, eq=False)
class Stats:
    """Of each option and ordered pair of labels, shape (options, labels, labels).

    ``most`` is the largest log ratio of the densities, ``low`` and ``high`` that below and above all values;
    minus infinity where a label of the pair is not feasible.
    """

    most: Floats
    low: Floats
    high: Floats


def stats_of(options: Options, decay: float, ring: Arithmetic) -> Stats:
    """Return the log ratios of the densities of a branch, with the noise attached to it."""
    logs = densities(options.normalised(ring), decay, ring, options.possible)
    # Where a row is no law its logarithms mean nothing.
    logs = np.where(options.possible[..., None], logs, 0.0)
    both = options.possible[:, :, None] & options.possible[:, None, :]
    many = logs.shape[1]
    most = np.empty(both.shape)
    for v in range(many):
        for w in range(many):
            most[:, v, w] = (logs[:, v] - logs[:, w]).max(axis=-1)
    ends = (logs[:, :, None, at] - logs[:, None, :, at] for at in (0, -1))
    low, high = (np.where(both, end, -np.inf) for end in ends)
    return Stats(np.where(both, most, -np.inf), low, high)


def joined(parts: Sequence[Options], ring: Arithmetic) -> Options:
    """Return all combinations of the options of branches, the last one fastest."""
    values, possible = parts[0].values, parts[0].possible
    for part in parts[1:]:
        values = convolved(values[:, None], part.values[None], ring)
        possible = (possible[:, None] & part.possible[None]).reshape(-1, possible.shape[1])
        values = values.reshape(-1, *values.shape[2:])
        values = _over_largest(values, possible, ring)

    sizes = tuple(map(len, parts))

    def chosen(number: int) -> Chosen:
        at = np.unravel_index(number, sizes)
        found = Chosen()
        for part, k in zip(parts, at, strict=True):
            found += part.chosen(int(k))
        return found

    return Options(values, possible, chosen)


def _over_largest(values: Floats, possible: Booleans, ring: Arithmetic) -> Floats:
    """Return rows over the largest entry of their option, or raise Underflow where digits may be lost."""
    largest = values.max(axis=(1, 2), keepdims=True)
    if ring is LOGS:
        return np.asarray(values - np.where(largest > -np.inf, largest, 0.0))
    values = values / np.where(largest > 0, largest, 1.0)
    sums = values.sum(axis=-1)
    if sums.min(where=possible, initial=1.0) < _LEAST_SHARE:
        raise Underflow
    return values


def stacked(parts: Sequence[tuple[Floats, Booleans]], ring: Arithmetic) -> tuple[Floats, Booleans]:
    """Return options of several kinds as one array, with zeros where polynomials are shorter."""
    widest = max(values.shape[-1] for values, _ in parts)

    def padded(array: Floats) -> Floats:
        more = widest - array.shape[-1]
        return np.pad(array, [(0, 0), (0, 0), (0, more)], constant_values=ring.zero) if more else array

    values = np.concatenate([padded(one) for one, _ in parts])
    return values, np.concatenate([one for _, one in parts])


class TreeBranches:
    """Options of the branches of a tree, by sender and receiver: each is made of those behind it.

    Parameters
    ----------
    network, lattice
        A tree, and the query.
    allowed
        For every tuple the labels that an adversary may know.
    ring
        The arithmetic.
    """

    def __init__(
        self,
        network: Network,
        lattice: Lattice,
        allowed: Sequence[Booleans],
        ring: Arithmetic,
    ) -> None:
        self._graph, self._lattice, self._ring = network.graph, lattice, ring
        self._allowed = [np.flatnonzero(one) for one in allowed]
        own, pairs = network.tree_parts(ring)
        truths, true_pairs = network.tree_parts(POSSIBLE)
        self.own = [message.values[:, 0] for message in own]
        self._own_possible = [message.values[:, 0] for message in truths]
        self._pairs = {scope: message.values[..., 0] for scope, message in pairs.items()}
        self._pairs_possible = {scope: message.values[..., 0] for scope, message in true_pairs.items()}
        self._made: dict[tuple[int, int], Options] = {}
        self._counts: dict[tuple[int, int], int] = {}

    def of(self, target: int) -> list[tuple[int, int]]:
        """Return the branches of a tuple."""
        return [(j, target) for j in sorted(self._graph[target])]

    def _behind(self, branch: tuple[int, int]) -> list[tuple[int, int]]:
        j, p = branch
        return [(c, j) for c in sorted(self._graph[j]) if c != p]

    def in_order(self, branches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return branches with all those behind them, which come first."""
        found: dict[tuple[int, int], None] = {}
        waiting = list(reversed(branches))
        while waiting:
            branch = waiting.pop()
            if branch in found:
                continue
            missing = [one for one in self._behind(branch) if one not in found]
            if missing:
                waiting += [branch, *reversed(missing)]
            else:
                found[branch] = None
        return list(found)

    def count(self, branch: tuple[int, int]) -> int:
        """Return the number of options of a branch."""
        if not self._counts:
            for one in self.in_order([b for i in range(len(self._graph)) for b in self.of(i)]):
                behind = prod(self._counts[c] for c in self._behind(one))
                self._counts[one] = len(self._allowed[one[0]]) + min(behind, 1 << 62)
        return self._counts[branch]

    def walk(self, branches: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], Options]]:
        """Give branches, and all behind them, with their options, each kept only while it is needed."""
        order = self.in_order(branches)
        needed: dict[tuple[int, int], int] = {}
        for one in order:
            for c in self._behind(one):
                needed[c] = needed.get(c, 0) + 1
        made: dict[tuple[int, int], Options] = {}
        for one in order:
            behind = self._behind(one)
            made[one] = self._extended(one, [made[c] for c in behind])
            for c in behind:
                needed[c] -= 1
                if not needed[c]:
                    del made[c]
            yield one, made[one]
            if not needed.get(one):
                made.pop(one)

    def options(self, branches: Sequence[tuple[int, int]]) -> list[Options]:
        """Return the options of some branches."""
        wanted = set(branches)
        found = {one: options for one, options in self.walk(branches) if one in wanted}
        return [found[one] for one in branches]

    def pair(self, p: int, j: int) -> Floats:
        """Return the table of two neighbours, the labels of the first down."""
        return np.asarray(self._pairs[p, j] if p < j else self._pairs[j, p].T)

    def _extended(self, branch: tuple[int, int], behind: Sequence[Options]) -> Options:
        """Return the options of a branch: its first tuple is known, or not and those behind it go on."""
        j, p = branch
        ring = self._ring
        pair = self.pair(p, j)
        pair_possible = self._pairs_possible[p, j] if p < j else self._pairs_possible[j, p].T
        labels = self._allowed[j]
        known = pair[:, labels].T[..., None], pair_possible[:, labels].T
        # Not known: times the tuple's own table and what it contributes, summed over its labels.
        power = self._lattice.powers[j]
        size, most = len(power), int(power.max())
        if behind:
            rest = joined(behind, ring)
            values, possible = rest.values, rest.possible
        else:
            values, possible = np.full((1, size, 1), ring.one), np.ones((1, size), dtype=bool)
        values = ring.multiply(values, self.own[j][:, None])
        moved = np.full((*values.shape[:2], values.shape[2] + most), ring.zero)
        possible = possible & self._own_possible[j]
        for v in range(size):
            moved[:, v, int(power[v]) : int(power[v]) + values.shape[2]] = values[:, v]
        if ring is NUMBERS:
            unknown = pair @ moved
        else:
            unknown = np.logaddexp.reduce(pair[None, :, :, None] + moved[:, None], axis=2)
        through = (possible.astype(np.float64) @ pair_possible.T.astype(np.float64)) > 0
        unknown = _over_largest(unknown, through, ring)
        values, possible = stacked([known, (unknown, through)], ring)
        return Options(values, possible, partial(self._chosen, branch))

    def _chosen(self, branch: tuple[int, int], number: int) -> Chosen:
        """Return what an option of a branch says, in the order in which they are made."""
        unknown: set[int] = set()
        known: list[tuple[int, int]] = []
        waiting = [(branch, number)]
        while waiting:
            one, at = waiting.pop()
            j = one[0]
            labels = self._allowed[j]
            if at < len(labels):
                known.append((j, int(labels[at])))
                continue
            unknown.add(j)
            behind = self._behind(one)
            sizes = [self.count(c) for c in behind]
            places = np.unravel_index(at - len(labels), sizes) if behind else ()
            waiting += [(c, int(place)) for c, place in zip(behind, places, strict=True)]
        return Chosen(frozenset(unknown), tuple(sorted(known)))


class NetworkBranches:
    """Options of the branches of one tuple in any network: all connected sets around it.

    Parameters
    ----------
    network, lattice, allowed, ring
        As for `TreeBranches`.
    target
        The tuple.
    """

    def __init__(
        self,
        network: Network,
        lattice: Lattice,
        allowed: Sequence[Booleans],
        ring: Arithmetic,
        target: int,
    ) -> None:
        self._network, self._lattice, self._ring = network, lattice, ring
        self._allowed, self._target = allowed, target
        self._zeros = any((table == 0).any() for _, table in network.factors)
        self.own = np.full(network.shape[target], ring.one)
        for scope, table in network.factors:
            if scope == (target,):
                with np.errstate(divide="ignore"):
                    self.own = ring.multiply(self.own, np.log(table) if ring is LOGS else table)
        left = sorted(network.graph[target])
        self.parts: list[set[int]] = []
        while left:
            self.parts.append(component_of(network.graph, left[0], {target}))
            left = [j for j in left if j not in self.parts[-1]]

    def sets(self, part: set[int]) -> Iterator[tuple[frozenset[int], tuple[int, ...], int]]:
        """Give the sets of unknown tuples of a part, those beside them, and the number of their labels."""
        graph = self._network.graph
        for inside in connected_sets(graph, self._target, part):
            beside = set(graph[self._target]).union(*(graph[j] for j in inside))
            known = tuple(sorted(beside & part - inside))
            yield inside, known, prod(int(self._allowed[j].sum()) for j in known)

    def count(self, most: int) -> int:
        """Return the number of combinations of options of all parts, or some number above ``most``."""
        whole = 1
        for part in self.parts:
            many = 0
            for _, _, labels in self.sets(part):
                many += labels
                if many * whole > most:
                    return many * whole
            whole *= many
        return whole

    def options(self, told: Progress | None = None) -> list[Options]:
        """Return the options of every part."""
        told = told or Progress(None)
        return [self._of_part(part, told) for part in self.parts]

    def _of_part(self, part: set[int], told: Progress) -> Options:
        made: list[tuple[Floats, Booleans]] = []
        described: list[tuple[frozenset[int], list[tuple[int, ...]]]] = []
        known_of: list[tuple[int, ...]] = []
        for inside, known, _ in self.sets(part):
            rows, labels = self._of_set(part, inside, known)
            if labels:
                made.append(rows)
                described.append((inside, labels))
                known_of.append(known)
            told.wait()
        values, possible = stacked(made, self._ring)
        ends = list(accumulate(len(labels) for _, labels in described))

        def chosen(number: int) -> Chosen:
            at = int(np.searchsorted(ends, number, side="right"))
            inside, labels = described[at]
            row = labels[number - (ends[at - 1] if at else 0)]
            return Chosen(inside, tuple(zip(known_of[at], row, strict=True)))

        return Options(_over_largest(values, possible, self._ring), possible, chosen)

    def _of_set(
        self, part: set[int], inside: frozenset[int], known: tuple[int, ...]
    ) -> tuple[tuple[Floats, Booleans], list[tuple[int, ...]]]:
        """Return the rows of one set for all labels of the tuples beside it that can occur."""
        network, target, ring = self._network, self._target, self._ring
        near = [
            (scope, table)
            for scope, table in network.factors
            if not part.isdisjoint(scope) and (target in scope or not inside.isdisjoint(scope))
        ]
        kept = tuple(sorted((target, *known)))
        messages = messages_of(near, ring)
        found = eliminated(messages, kept, network.graph, ring, self._lattice.powers)
        # Where no table has all of them some axes are missing; all are there after these.
        sizes = [network.shape[j] for j in kept]
        shape = [size if j in found.scope else 1 for j, size in zip(kept, sizes, strict=True)]
        values = np.broadcast_to(found.values.reshape(*shape, -1), (*sizes, found.values.shape[-1]))
        allowed = found.allowed()
        possible = np.broadcast_to(allowed.reshape(*shape, -1), (*sizes, allowed.shape[-1]))
        if self._zeros:
            possible = possible & network.possible_table(kept, {})[..., None]
        axis = kept.index(target)
        values, possible = np.moveaxis(values, axis, -2), np.moveaxis(possible, axis, -2)
        choices = np.ix_(*(np.flatnonzero(self._allowed[j]) for j in known)) if known else ()
        values, possible = values[choices], possible[choices]
        labels = [tuple(one) for one in np.argwhere(np.ones(values.shape[: len(known)], dtype=bool)).tolist()]
        names = [np.flatnonzero(self._allowed[j]) for j in known]
        rows = values.reshape(-1, *values.shape[len(known) :])
        true = possible.reshape(-1, *possible.shape[len(known) :])
        at = np.flatnonzero(true.any(axis=(1, 2)))
        said = [tuple(int(names[k][p]) for k, p in enumerate(labels[number])) for number in at.tolist()]
        return (rows[at], np.asarray(true[at].any(axis=-1))), said


def connected_sets(graph: Sequence[frozenset[int]], target: int, part: set[int]) -> Iterator[frozenset[int]]:
    """Give all sets of tuples of a part that are connected once the target is added, the empty one first."""
    # Each tuple beside the set is taken in, or left out for good.
    waiting: list[tuple[frozenset[int], frozenset[int]]] = [(frozenset(), frozenset())]
    yield frozenset()
    while waiting:
        inside, out = waiting.pop()
        beside = set(graph[target]).union(*(graph[j] for j in inside))
        for j in sorted(beside & part - inside - out):
            more = inside | {j}
            yield more
            waiting.append((more, out))
            out = out | {j}
