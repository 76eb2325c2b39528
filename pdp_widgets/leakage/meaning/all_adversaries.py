"""One measure of all adversaries of a table at once.

For every target the table becomes weights W[value, label, row]: each other tuple is known (its slice) or not
(summed out with its values moved along a lattice), a row for each combination. Known values need not be
moved: only distances between values of the query count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress, ProgressHook, refuse_beyond, timed
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.adversary import known_of, others
from pdp_widgets.leakage.meaning.meaning import Meaning, MeasureKind, arguments
from pdp_widgets.leakage.meaning.mixtures import LARGEST_LOG, MixtureLaws, least_epsilons
from pdp_widgets.leakage.meaning.signed_mixtures import positive_part
from pdp_widgets.leakage.meaning.sources import table_cases, table_laws
from pdp_widgets.leakage.prior.exact_all import instance_positions
from pdp_widgets.leakage.value import Convention, check_convention
from pdp_widgets.mechanisms.lattice import common_multiples
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.noise import (
    GaussianNoise,
    IntegerNoise,
    Noise,
    SmoothNoise,
    check_noise,
)
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["Block", "Lattice", "measure_all", "measure_each", "measure_seconds"]

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

_ROWS_AT_ONCE = 1 << 16
#: Values of the query, and how far one may be from its place, as a share of the largest contribution.
_MOST_VALUES, _NEAR = 4096, 1e-12
#: Seconds of one adversary by itself, and of one value of the query in one row of all at once.
_ALONE, _TOGETHER = 2e-3, 1.5e-7


@dataclass(frozen=True, eq=False)
class Lattice:
    """A table whose query takes values on a lattice, and who is looked at."""

    table: Floats
    #: What every label of every tuple adds, in steps.
    steps: tuple[NDArray[np.int64], ...]
    step: float
    positions: tuple[int, ...]
    #: Whether known values are those of the row alone.
    at_row: bool

    @classmethod
    def of(
        cls, distribution: JointDistribution, query: LinearQuery, positions: tuple[int, ...], at_row: bool
    ) -> Lattice | None:
        """Return the lattice, or None where the values have no common step or too many."""
        moved = [np.asarray(y, dtype=np.float64) - min(y) for y in query.contributions]
        found = common_multiples(moved)
        values = sum(int(y.max()) for y in found.counts) + 1
        if values > _MOST_VALUES or found.error > _NEAR * max(float(y.max()) for y in moved):
            return None
        return cls(distribution.table, found.counts, found.step, positions, at_row)

    def states(self, j: int) -> int:
        """Return how many states a tuple has to the adversary: known values, then unknown."""
        return (1 if self.at_row else self.table.shape[j]) + 1

    def rows(self, target: int) -> int:
        """Return how many combinations of states the other tuples have."""
        return math.prod(self.states(j) for j in others(self.table.ndim, target))

    @property
    def centres(self) -> int:
        """Number of values of the query."""
        return sum(int(y.max()) for y in self.steps) + 1

    def blocks(self, target: int) -> Iterator[tuple[slice, Floats]]:
        """Give weights (V, m, rows) block by block; the first other tuple is the fastest among rows."""
        table = np.moveaxis(self.table, target, 0)[None, ..., None]
        rest = others(self.table.ndim, target)
        own = self.steps[target]
        for rows, found in self._states(np.ascontiguousarray(table), rest, slice(0, self.rows(target))):
            width = found.shape[2]
            weights = np.zeros((width + int(own.max()), *found.shape[1::-1]))
            for v, moved in enumerate(own):
                weights[moved : moved + width, v] = found[:, v].T
            yield rows, weights

    def _states(self, table: Floats, rest: Sequence[int], rows: slice) -> Iterator[tuple[slice, Floats]]:
        """Settle the last tuple that is left, with all its states; in turn where rows are too many."""
        if not rest:
            yield rows, table
            return
        j = rest[-1]
        moved = self.steps[j]
        given = [self.positions[j]] if self.at_row else list(range(self.table.shape[j]))
        values = table.shape[-1]
        shape = table.shape[:-2]
        width = values + int(moved.max())

        def known(x: int) -> Floats:
            found = np.zeros((*shape, width))
            found[..., :values] = table[..., x, :]
            return found

        def unknown() -> Floats:
            found = np.zeros((*shape, width))
            for x, by in enumerate(moved):
                found[..., by : by + values] += table[..., x, :]
            return found

        made: list[Callable[[], Floats]] = [*(partial(known, x) for x in given), unknown]
        total = rows.stop - rows.start
        if total <= _ROWS_AT_ONCE:
            stacked = np.stack([one() for one in made], axis=1)
            stacked = stacked.reshape(-1, *stacked.shape[2:])
            yield from self._states(stacked, rest[:-1], rows)
            return
        each = total // len(made)
        for k, one in enumerate(made):
            start = rows.start + k * each
            yield from self._states(one(), rest[:-1], slice(start, start + each))

    def reduced(self, target: int, values: Floats, chances: Floats | None) -> Floats:
        """Return node values from those of all states: the largest over known values, or their mean."""
        rest = others(self.table.ndim, target)
        shape = [self.states(j) for j in reversed(rest)]
        found = values.reshape(shape)
        if chances is not None:
            found = found * chances.reshape(shape)
        for axis in range(len(shape)):
            several = np.moveaxis(found, axis, 0)
            over = several[:-1].sum(axis=0) if chances is not None else several[:-1].max(axis=0)
            # A tuple that is not known has bit 0.
            found = np.moveaxis(np.stack([several[-1], over]), 0, axis)
        return found.ravel()


@dataclass(frozen=True, eq=False)
class Block:
    """Laws of one target in many rows at once."""

    #: Laws (V, m, rows), zeros where a label cannot occur.
    laws: Floats
    #: Joint chances of label and known values (m, rows).
    joint: Floats
    centres: Floats

    @classmethod
    def of(cls, weights: Floats, step: float) -> Block:
        """Return the laws that weights stand for, with values so far apart."""
        joint = weights.sum(axis=0)
        laws = np.divide(weights, joint, out=np.zeros(weights.shape), where=joint > 0)
        return cls(laws, joint, step * np.arange(float(len(weights))))

    @property
    def chances(self) -> Floats:
        """Probability of the known values of every row."""
        return np.asarray(self.joint.sum(axis=0))

    def pairs(self, both_ways: bool = True) -> Iterator[tuple[int, int, Rows]]:
        """Give ordered pairs of labels with the rows in which both can occur."""
        many = self.joint.shape[0]
        for v in range(many):
            for w in range(many):
                if v == w or (w < v and not both_ways):
                    continue
                rows = np.flatnonzero((self.joint[v] > 0) & (self.joint[w] > 0))
                if len(rows):
                    yield v, w, rows

    def rows_of(self, rows: Rows) -> Block:
        """Return some rows alone."""
        return Block(self.laws[:, :, rows], self.joint[:, rows], self.centres)

    def positive(self, noise: Noise, v: int, w: int, rows: Rows, p: Any, q: Any) -> tuple[Floats, Floats]:
        """Return the positive parts of p P_v - q P_w, and P_w where that is positive, one for each row."""
        first, second = self.laws[:, v, rows], self.laws[:, w, rows]
        if isinstance(noise, SmoothNoise):
            found = positive_part(noise, self.centres, p * first - q * second, second[:, :, None])
            return found[0], found[1][:, 0]
        if isinstance(noise, IntegerNoise):
            kernel = np.exp(noise.columns(noise.whole(self.centres))[1])
            first, second = np.asarray(kernel.T @ first), np.asarray(kernel.T @ second)
        excess = p * first - q * second
        mass = np.where(excess > 0, second, 0.0).sum(axis=0)
        return np.asarray(np.maximum(excess, 0.0).sum(axis=0)), np.asarray(mass)

    def delta(self, noise: Noise, epsilon: float) -> Floats:
        """Return the largest slack of any ordered pair in every row."""
        found = np.zeros(self.joint.shape[1])
        for v, w, rows in self.pairs(both_ways=epsilon != 0):
            slack = self.positive(noise, v, w, rows, 1.0, math.exp(epsilon))[0]
            found[rows] = np.maximum(found[rows], slack)
        return np.minimum(found, 1.0)

    def epsilon(self, noise: SmoothNoise, delta: float) -> Floats:
        """Return the smallest epsilon at a slack above 0 in every row."""
        found = np.zeros(self.joint.shape[1])
        for v, w, every in self.pairs():
            slack = partial(self._slack, noise, v, w, every)
            least = least_epsilons(
                slack, np.full(len(every), delta), partial(self._far, noise, v, w, every, delta)
            )
            found[every] = np.maximum(found[every], least)
        return found

    def _slack(
        self, noise: SmoothNoise, v: int, w: int, every: Rows, t: Floats, kept: Rows
    ) -> tuple[Floats, Floats]:
        return self.positive(noise, v, w, every[kept], 1.0, t)

    def _far(self, noise: SmoothNoise, v: int, w: int, every: Rows, delta: float, k: int) -> float:
        """Return the epsilon of two laws in one row where exp(epsilon) is no number."""
        pair = self.laws[:, [v, w], every[k]].T
        return MixtureLaws(noise, self.centres, pair).far_epsilon(0, 1, delta)

    def vulnerability(self, noise: Noise) -> Floats:
        """Return the chance of a right guess after the release in every row, of two labels."""
        chances = self.chances
        prior = np.divide(self.joint, chances, out=np.zeros(self.joint.shape), where=chances > 0)
        found: Floats = np.asarray(prior.max(axis=0))
        for _, _, rows in self.pairs(both_ways=False):
            gained = self.positive(noise, 0, 1, rows, prior[0, rows], prior[1, rows])[0]
            found[rows] = np.maximum(found[rows], prior[1, rows] + gained)
        return np.asarray(np.minimum(found, 1.0))


def _together(
    measure: str, noise: Noise, argument: float | None, binary: bool
) -> Callable[[Block], Floats] | None:
    """Return what computes a measure for many rows at once, or None where adversaries are taken in turn."""
    if measure == "delta" and argument is not None and argument <= LARGEST_LOG:
        return lambda block: block.delta(noise, argument)
    if measure == "epsilon" and argument and isinstance(noise, SmoothNoise):
        return lambda block: block.epsilon(noise, argument)
    if measure == "advantage":
        return lambda block: block.delta(noise, 0.0)
    if measure == "balanced_guess":
        return lambda block: (1 + block.delta(noise, 0.0)) / 2
    if measure == "maximal_leakage" and binary:
        return lambda block: np.log1p(block.delta(noise, 0.0))
    if measure == "bayes_security_worst":
        return lambda block: 1 - block.delta(noise, 0.0)
    if measure == "posterior_vulnerability" and binary:
        return lambda block: block.vulnerability(noise)
    return None


def measure_all(
    distribution: JointDistribution,
    query: LinearQuery,
    noise: Noise,
    measure: str,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    order: float | None = None,
    instance: Sequence[Any] | None = None,
    convention: Convention = "instance",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Floats:
    """Return one measure of every adversary of a table, a node array.

    Parameters
    ----------
    distribution, query, noise
        The release.
    measure
        A name, see `Meaning.measure`: ``"delta"`` at an ``epsilon``, ``"epsilon"`` at a ``delta``,
        ``"renyi_divergence"`` at an ``order``, ``"advantage"``, ``"posterior_vulnerability"`` and others.
    epsilon, delta, order
        What the measure needs.
    instance, convention
        As for `PriorAnalysis`; with ``"sup"`` measures that are means are averaged over known values.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does.
    progress
        Called now and then with the share done. What it raises cancels.

    Returns
    -------
    values
        Shape (n, 2**(n-1)), numbered as in `pdp_widgets.leakage.adversary`; 0 and the like where the target
        is determined.

    Raises
    ------
    DomainError
        There is no such measure, or it lacks what it needs.
    LimitError
        The work exceeds the limit.

    Notes
    -----
    Slacks, and what follows from them, are computed for all rows at once where the query takes values on a
    lattice; the other measures adversary by adversary.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, LinearQuery
    >>> from pdp_widgets.mechanisms.noise import LaplaceNoise
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> found = measure_all(joint, LinearQuery.sum(joint), LaplaceNoise(1.0), "delta", epsilon=0.5)
    >>> found.round(4).tolist()
    [[0.2291, 0.2212], [0.2291, 0.2212]]
    """
    check_convention(convention)
    check_noise(noise)
    kind, argument = _asked(measure, epsilon, delta, order)
    query.check_fits(distribution)
    positions = instance_positions(distribution, instance)
    n = distribution.n_tuples
    lattice = Lattice.of(distribution, query, positions, convention == "instance")
    binary = max(distribution.shape) == 2
    together = None if lattice is None else _together(measure, noise, argument, binary)
    if together is None or lattice is None:

        def meaning(target: int, known: Sequence[int]) -> Meaning:
            if convention == "sup":
                return Meaning(table_cases(distribution, query, noise, target, known))
            given = {k: distribution.domains[k][positions[k]] for k in known}
            return Meaning(table_laws(distribution, query, noise, target, given))

        return measure_each(
            n, meaning, measure, epsilon=epsilon, delta=delta, order=order, limit=limit, progress=progress
        )
    told = timed(progress, limit, f"The {measure} of all {n << (n - 1):,} adversaries", "Take fewer tuples.")
    cost = _seconds(lattice, noise, measure)
    refuse_beyond(limit, cost, f"The {measure} of all adversaries", "Take fewer tuples.")
    averaged = convention == "sup" and kind.averaged
    values = np.empty((n, 1 << (n - 1)))
    steps = Progress(told, n)
    for target in range(n):
        found, chances = np.empty(lattice.rows(target)), np.empty(lattice.rows(target))
        for rows, weights in lattice.blocks(target):
            block = Block.of(weights, lattice.step)
            found[rows], chances[rows] = together(block), block.chances
        if measure == "bayes_security_worst":
            # The least of these is the worst.
            values[target] = -lattice.reduced(target, -found, None)
        else:
            values[target] = lattice.reduced(target, found, chances if averaged else None)
        if averaged:
            values[target] /= chances.max()
        steps.step()
    steps.finish()
    return values


def _seconds(lattice: Lattice, noise: Noise, measure: str) -> float:
    """Return about how long a measure of all rows takes."""
    rows = sum(lattice.rows(i) for i in range(lattice.table.ndim))
    cost = float(rows * lattice.centres * lattice.table.shape[0] * _TOGETHER)
    return cost * (8 if isinstance(noise, GaussianNoise) else 1) * (8 if measure == "epsilon" else 1)


def measure_seconds(
    distribution: JointDistribution,
    query: LinearQuery,
    noise: Noise,
    measure: str,
    epsilon: float | None,
    convention: Convention,
) -> float:
    """Return about how long `measure_all` takes. Nothing is computed."""
    at_row = convention == "instance"
    positions = instance_positions(distribution, None)
    lattice = Lattice.of(distribution, query, positions, at_row)
    together = _together(measure, noise, epsilon, max(distribution.shape) == 2)
    if lattice is not None and together is not None:
        return _seconds(lattice, noise, measure)
    n = distribution.n_tuples
    known = 1.0 if at_row else math.prod(1 + size for size in distribution.shape) / (1 << n)
    return (n << (n - 1)) * known * _ALONE


def measure_each(
    n: int,
    meaning: Callable[[int, Sequence[int]], Meaning],
    measure: str,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    order: float | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Floats:
    """Return one measure of every adversary of n tuples, each by itself; a node array."""
    kind, argument = _asked(measure, epsilon, delta, order)
    given: dict[str, Any] = {} if kind.argument is None else {kind.argument: argument}
    many = n << (n - 1)
    work = f"The {measure} of all {many:,} adversaries"
    refuse_beyond(limit, many * _ALONE, work, "Take fewer tuples.")
    steps = Progress(timed(progress, limit, work, "Take fewer tuples."), many)
    values = np.empty((n, many // n))
    for target in range(n):
        for place in range(values.shape[1]):
            one = meaning(target, known_of(n, target, place))
            values[target, place] = float(one.measure(measure, **given))
            steps.step()
    steps.finish()
    return values


def _asked(measure: str, epsilon: Any, delta: Any, order: Any) -> tuple[MeasureKind, float | None]:
    """Return a measure by name, and the one number that it is asked for at."""
    kind, places = arguments(measure, epsilon=epsilon, delta=delta, order=order)
    if places.ndim:
        raise DomainError(
            f"The measure {measure!r} of all adversaries is asked for at several places; give one number.",
            Where("parameter", name=str(kind.argument)),
        )
    return kind, None if kind.argument is None else float(places)
