"""One measure of all adversaries of a table at once, and the least noise that keeps a slack for all of them.

For every target the table becomes weights W[value, label, row]: each other tuple is known (its slice) or not
(summed out with its values moved along a lattice), a row for each combination. Known values need not be moved:
only distances between values of the query count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import EPSILON, PROBABILITY
from pdp_widgets.errors import DomainError, LimitError, ScaleError, Where
from pdp_widgets.leakage.adversary import Adversary, known_of, others
from pdp_widgets.leakage.meaning.meaning import MEASURES, Meaning
from pdp_widgets.leakage.meaning.signed_mixtures import positive_part
from pdp_widgets.leakage.meaning.sources import table_cases, table_laws
from pdp_widgets.leakage.prior.exact_all import instance_positions
from pdp_widgets.leakage.progress import Progress, ProgressHook, refuse_beyond, timed
from pdp_widgets.leakage.value import Convention, check_convention
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.noise import (
    NOISES,
    DiscreteGaussianNoise,
    GaussianNoise,
    IntegerNoise,
    Noise,
    NoNoise,
    SmoothNoise,
    noise_named,
)
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice

__all__ = ["NoiseCalibration", "calibrate_noise", "measure_all", "measure_each"]

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

_ROWS_AT_ONCE = 1 << 16
_MOST_VALUES = 4096
_LARGEST_LOG = 700.0
_STEPS_A_DOUBLING = 200
_MOST_SCANNED = 20_000
#: Seconds of one adversary by itself, and of one value of the query in one row of all at once.
_ALONE, _TOGETHER = 2e-3, 1.5e-7


@dataclass(frozen=True, eq=False)
class _Lattice:
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
    ) -> _Lattice | None:
        """Return the lattice, or None where the values have no common step or too many."""
        moved = [np.asarray(y, dtype=np.float64) - min(y) for y in query.contributions]
        top = max(float(y.max()) for y in moved)
        unit = 1e-9 * top if top else 1.0
        whole = [np.round(y / unit).astype(np.int64) for y in moved]
        common = int(np.gcd.reduce(np.concatenate(whole))) or 1
        steps = tuple(y // common for y in whole)
        step = unit * common
        values = sum(int(y.max()) for y in steps) + 1
        if values > _MOST_VALUES:
            return None
        # The step itself is as exact as the largest contribution.
        largest = max(int(y.max()) for y in steps)
        step = top / largest if largest else 1.0
        near = all(np.abs(y * step - m).max() <= 1e-12 * top for y, m in zip(steps, moved, strict=True))
        return cls(distribution.table, steps, step, positions, at_row) if near else None

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

        made = [*(lambda x=x: known(x) for x in given), unknown]  # type: ignore[misc]
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
        """Return node values from those of all states: the largest over known values, or with chances the mean."""
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
class _Block:
    """Laws of one target in many rows at once."""

    #: Laws (V, m, rows), zeros where a label cannot occur; and joint chances of label and known values (m, rows).
    laws: Floats
    joint: Floats
    centres: Floats

    @classmethod
    def of(cls, weights: Floats, step: float) -> _Block:
        joint = weights.sum(axis=0)
        laws = np.divide(weights, joint, out=np.zeros(weights.shape), where=joint > 0)
        return cls(laws, joint, step * np.arange(len(weights)))

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

    def rows_of(self, rows: Rows) -> _Block:
        """Return some rows alone."""
        return _Block(self.laws[:, :, rows], self.joint[:, rows], self.centres)

    def positive(self, noise: Noise, v: int, w: int, rows: Rows, p: Any, q: Any) -> tuple[Floats, Floats]:
        """Return the positive parts of p P_v - q P_w, and P_w where that is positive, one for each row."""
        first, second = self.laws[:, v, rows], self.laws[:, w, rows]
        if isinstance(noise, SmoothNoise):
            found = positive_part(noise, self.centres, p * first - q * second, second[:, :, None])
            return found[0], found[1][:, 0]
        if isinstance(noise, IntegerNoise):
            kernel = np.exp(noise.columns(noise.whole(self.centres))[1])
            first, second = kernel.T @ first, kernel.T @ second
        excess = p * first - q * second
        return np.maximum(excess, 0.0).sum(axis=0), (second * (excess > 0)).sum(axis=0)

    def delta(self, noise: Noise, epsilon: float) -> Floats:
        """Return the largest slack of any ordered pair in every row."""
        found = np.zeros(self.joint.shape[1])
        for v, w, rows in self.pairs(both_ways=epsilon != 0):
            slack = self.positive(noise, v, w, rows, 1.0, math.exp(epsilon))[0]
            found[rows] = np.maximum(found[rows], slack)
        return np.minimum(found, 1.0)

    def epsilon(self, noise: Noise, delta: float) -> Floats:
        """Return the smallest epsilon at a slack in every row, by Newton's steps from below."""
        found = np.zeros(self.joint.shape[1])
        for v, w, every in self.pairs():
            t = np.ones(len(every))
            waiting = np.arange(len(every))
            while len(waiting):
                slack, mass = self.positive(noise, v, w, every[waiting], 1.0, t[waiting])
                more = slack - delta
                with np.errstate(divide="ignore", invalid="ignore"):
                    new = np.where(more > 0, t[waiting] + more / mass, t[waiting])
                grown = (new > t[waiting] * (1 + 1e-14)) & (new < math.exp(_LARGEST_LOG))
                t[waiting] = new
                waiting = waiting[grown]
            found[every] = np.maximum(found[every], np.log(t))
        return found

    def vulnerability(self, noise: Noise) -> Floats:
        """Return the chance of a right guess after the release in every row, of two labels."""
        chances = self.chances
        prior = np.divide(self.joint, chances, out=np.zeros(self.joint.shape), where=chances > 0)
        found = prior.max(axis=0)
        for _, _, rows in self.pairs(both_ways=False):
            gained = self.positive(noise, 0, 1, rows, prior[0, rows], prior[1, rows])[0]
            found[rows] = np.maximum(found[rows], prior[1, rows] + gained)
        return np.minimum(found, 1.0)


def _together(
    measure: str, noise: Noise, argument: float | None, binary: bool
) -> Callable[[_Block], Floats] | None:
    """Return what computes a measure for many rows at once, or None where adversaries are taken in turn."""
    if measure == "delta" and argument is not None and argument <= _LARGEST_LOG:
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


def as_argument(measure: str, epsilon: Any, delta: Any, order: Any) -> float | None:
    """Return what a measure needs, or raise DomainError where it is missing or there is no such measure."""
    needed = MEASURES[as_choice(measure, "measure", tuple(MEASURES), DomainError)].argument
    given = {"epsilon": epsilon, "delta": delta, "order": order}
    if needed is None:
        return None
    if given[needed] is None:
        raise DomainError(
            f"The measure {measure!r} is asked for at some {needed}; give {needed}=.",
            Where("parameter", name=needed),
        )
    if needed == "delta":
        return PROBABILITY.take(delta, "delta", DomainError)
    if needed == "epsilon":
        return EPSILON.take(epsilon, "epsilon", DomainError)
    return float(order)


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
        A name among `MEASURES`: ``"delta"`` at an ``epsilon``, ``"epsilon"`` at a ``delta``,
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
    argument = as_argument(measure, epsilon, delta, order)
    query.check_fits(distribution)
    positions = instance_positions(distribution, instance)
    n = distribution.n_tuples
    lattice = _Lattice.of(distribution, query, positions, convention == "instance")
    binary = max(distribution.shape) == 2
    together = None if lattice is None else _together(measure, noise, argument, binary)
    told = timed(progress, limit, f"The {measure} of all {n << (n - 1):,} adversaries", "Take fewer tuples.")
    if together is None or lattice is None:
        count = n << (n - 1)
        refuse_beyond(
            limit, count * _ALONE, f"The {measure} of all {count:,} adversaries", "Take fewer tuples."
        )

        def meaning(target: int, known: Sequence[int]) -> Meaning:
            if convention == "sup":
                return Meaning(table_cases(distribution, query, noise, target, known))
            given = {k: distribution.domains[k][positions[k]] for k in known}
            return Meaning(table_laws(distribution, query, noise, target, given))

        return measure_each(n, meaning, measure, argument, told)
    cost = sum(lattice.rows(i) for i in range(n)) * lattice.centres * _TOGETHER
    cost *= (
        distribution.shape[0]
        * (8 if isinstance(noise, GaussianNoise) else 1)
        * (8 if measure == "epsilon" else 1)
    )
    refuse_beyond(limit, cost, f"The {measure} of all adversaries", "Take fewer tuples.")
    averaged = convention == "sup" and not MEASURES[measure].worst
    values = np.empty((n, 1 << (n - 1)))
    steps = Progress(told, n)
    for target in range(n):
        found, chances = np.empty(lattice.rows(target)), np.empty(lattice.rows(target))
        for rows, weights in lattice.blocks(target):
            block = _Block.of(weights, lattice.step)
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


def measure_each(
    n: int,
    meaning: Callable[[int, Sequence[int]], Meaning],
    measure: str,
    argument: float | None,
    progress: ProgressHook | None = None,
) -> Floats:
    """Return one measure of every adversary, each by itself."""
    values = np.empty((n, 1 << (n - 1)))
    steps = Progress(progress, values.size)
    kind = MEASURES[measure]
    for target in range(n):
        for place in range(values.shape[1]):
            one = meaning(target, known_of(n, target, place))
            values[target, place] = float(kind.of(one) if argument is None else kind.of(one, argument))
            steps.step()
    steps.finish()
    return values


# The least noise


@dataclass(frozen=True)
class NoiseCalibration:
    """The least noise with which chosen adversaries keep a slack at some epsilon.

    Parameters
    ----------
    noise
        Kind of noise.
    scale
        Its scale, in units of the query; 0 where none is needed.
    epsilon, delta
        What is kept: the largest slack over all pairs of labels at this epsilon is at most delta.
    slack
        The largest slack at this scale, exact.
    convention
        ``"instance"`` or ``"sup"``.
    status
        ``"least scale"``, or ``"passes, larger ones not checked"`` for normal noise on the integers, whose
        slack may rise with the scale; ``"no noise needed"``.
    """

    noise: str
    scale: float
    epsilon: float
    delta: float
    slack: float
    convention: Convention
    status: str

    def __str__(self) -> str:
        return (
            f"{self.noise} noise of scale {self.scale:.6g} ({self.status}): delta {self.slack:.6g} at epsilon "
            f"{self.epsilon:g} nats"
        )


def calibrate_noise(
    distribution: JointDistribution,
    query: LinearQuery,
    noise: str,
    epsilon: float,
    delta: float,
    *,
    adversary: tuple[str | int, Sequence[str | int]] | None = None,
    instance: Sequence[Any] | None = None,
    convention: Convention = "sup",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> NoiseCalibration:
    """Return the least noise with which one adversary, or all of them, keep a slack at an epsilon.

    Parameters
    ----------
    distribution, query
        What is released.
    noise
        ``"laplace"``, ``"gaussian"``, ``"discrete_laplace"`` or ``"discrete_gaussian"``.
    epsilon
        Nats, 0 or more.
    delta
        The slack, 0 to 1.
    adversary
        Target and known tuples; without it all adversaries.
    instance, convention
        As for `PriorAnalysis`.
    limit, progress
        Seconds after which it is ended, and who is told the share done.

    Raises
    ------
    ScaleError
        The slack is 0 and the noise normal: no scale is enough.
    DomainError
        There is no such noise.
    LimitError
        It takes longer than the limit.

    Notes
    -----
    The slack falls with the scale for Laplace and normal noise and Laplace noise on the integers. For normal
    noise on the integers it may rise: scales are gone down in small steps from a passing one, and the last one
    before the first that fails is returned.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, LinearQuery
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> print(calibrate_noise(joint, LinearQuery.sum(joint), "gaussian", 1.0, 1e-5))
    gaussian noise of scale 5.70388 (least scale): delta 1e-05 at epsilon 1 nats
    """
    check_convention(convention)
    kind = NOISES[as_choice(noise, "noise", [name for name in NOISES if name != "none"], DomainError)]
    level = EPSILON.take(epsilon, "epsilon")
    most = PROBABILITY.take(delta, "delta")
    query.check_fits(distribution)
    told = timed(progress, limit, "The calibration", "Take fewer tuples.")
    kept = _Kept(distribution, query, instance_positions(distribution, instance), convention, adversary, told)
    none = kept.worst(NoNoise(), level)
    if none <= most or level == math.inf:
        return NoiseCalibration(noise, 0.0, level, most, none, convention, "no noise needed")
    if issubclass(kind, IntegerNoise):
        for contributions in query.contributions:
            IntegerNoise.whole(np.asarray(contributions, dtype=np.float64))
    if most == 0:
        if kind in (GaussianNoise, DiscreteGaussianNoise):
            raise ScaleError(
                f"A slack of 0 is out of reach with {noise} noise; give a delta above 0.",
                Where("parameter", name="delta"),
            )
        scale = kept.pure(level)
        return NoiseCalibration(noise, scale, level, most, 0.0, convention, "least scale")
    scale = kept.least(GaussianNoise if kind is DiscreteGaussianNoise else kind, level, most)
    status = "least scale"
    if kind is DiscreteGaussianNoise:
        scale, status = kept.scanned(scale, level, most), "passes, larger ones not checked"
    return NoiseCalibration(noise, scale, level, most, kept.worst(kind(scale), level), convention, status)


class _Kept:
    """The rows of all chosen adversaries, whose largest slack is to be kept."""

    def __init__(
        self,
        distribution: JointDistribution,
        query: LinearQuery,
        positions: tuple[int, ...],
        convention: Convention,
        adversary: Any,
        progress: ProgressHook | None,
    ) -> None:
        self._distribution, self._query, self._positions = distribution, query, positions
        self._convention, self._progress = convention, progress
        one = None if adversary is None else Adversary.of(distribution, *adversary)
        lattice = None if one else _Lattice.of(distribution, query, positions, convention == "instance")
        self._lattice = lattice
        self._blocks: list[_Block] | None = None
        if lattice is None:
            n = distribution.n_tuples
            chosen = (
                [one]
                if one
                else [Adversary(i, known_of(n, i, c)) for i in range(n) for c in range(1 << (n - 1))]
            )
            self._blocks = [block for each in chosen for block in self._of(each)]

    def _of(self, one: Adversary) -> Iterator[_Block]:
        """Give the laws of one adversary, one block for each combination of known values."""
        if self._convention == "sup":
            laws = [
                case.laws
                for case in table_cases(self._distribution, self._query, NoNoise(), one.target, one.known)
            ]
        else:
            given = {k: self._distribution.domains[k][self._positions[k]] for k in one.known}
            laws = [table_laws(self._distribution, self._query, NoNoise(), one.target, given)]
        for each in laws:
            yield _Block(each.weights.T[:, :, None], each.prior[:, None], each.centres)  # type: ignore[attr-defined]

    def _every(self) -> Iterator[_Block]:
        if self._blocks is not None:
            yield from self._blocks
            return
        assert self._lattice is not None
        n = self._distribution.n_tuples
        told = Progress(self._progress, 4 * n)
        for target in range(n):
            for _, weights in self._lattice.blocks(target):
                yield _Block.of(weights, self._lattice.step)
            told.step()

    def worst(self, noise: Noise, epsilon: float) -> float:
        """Return the largest slack of all rows."""
        return max(
            float(block.delta(noise, min(epsilon, _LARGEST_LOG)).max(initial=0.0)) for block in self._every()
        )

    def pure(self, epsilon: float) -> float:
        """Return the scale at which the largest leakage is epsilon, of Laplace noise of both kinds."""

        def leaks(scale: float) -> float:
            noise = noise_named("laplace", scale)
            largest = 0.0
            for block in self._every():
                logs = noise.log_density(np.subtract.outer(block.centres, block.centres))
                kernel = np.exp(logs - logs.max())
                with np.errstate(divide="ignore", invalid="ignore"):
                    found = np.log(np.einsum("rk,kmb->rmb", kernel, block.laws))
                possible = block.joint > 0
                high = np.where(possible, found, -np.inf).max(axis=1)
                low = np.where(possible, found, np.inf).min(axis=1)
                several = possible.sum(axis=0) > 1
                largest = max(largest, float(np.where(several, high - low, 0.0).max(initial=0.0)))
            return largest

        return _root(leaks, epsilon)

    def least(self, kind: type[Noise], epsilon: float, delta: float) -> float:
        """Return the least scale with which no row has a larger slack, for slacks that fall with the scale."""
        at = 0.0
        waiting: list[_Block] = []
        # Every round calibrates the row that is worst so far, and keeps those that it leaves above.
        for block in self._every():
            waiting.extend(_above(block, kind, at, epsilon, delta))
            worst = max(
                waiting, key=lambda one: float(one.delta(_of_kind(kind, at), epsilon).max()), default=None
            )
            while worst is not None:
                at = max(at, _least_of(worst, kind, at, epsilon, delta))
                waiting = [part for one in waiting for part in _above(one, kind, at, epsilon, delta)]
                worst = max(
                    waiting, key=lambda one: float(one.delta(_of_kind(kind, at), epsilon).max()), default=None
                )
        return at

    def scanned(self, scale: float, epsilon: float, delta: float) -> float:
        """Return the last scale that passes on the way down from one that does."""
        start = scale
        while self.worst(DiscreteGaussianNoise(start), epsilon) > delta:
            start *= 2
        for k in range(1, _MOST_SCANNED):
            tried = start * 2 ** (-k / _STEPS_A_DOUBLING)
            if self.worst(DiscreteGaussianNoise(tried), epsilon) > delta:
                return start * 2 ** (-(k - 1) / _STEPS_A_DOUBLING)
        raise LimitError("Scales pass down to nothing.", Where("parameter", name="delta"))


def _of_kind(kind: type[Noise], scale: float) -> Noise:
    return kind(scale) if scale else NoNoise()


def _above(block: _Block, kind: type[Noise], scale: float, epsilon: float, delta: float) -> Iterator[_Block]:
    """Give the rows of a block whose slack is too large."""
    rows = np.flatnonzero(block.delta(_of_kind(kind, scale), epsilon) > delta * (1 + 1e-12))
    if len(rows):
        yield block.rows_of(rows)


def _least_of(block: _Block, kind: type[Noise], scale: float, epsilon: float, delta: float) -> float:
    """Return the least scale that is enough for the worst row of a block."""
    row = int(block.delta(_of_kind(kind, scale), epsilon).argmax())
    one = block.rows_of(np.array([row]))
    return _root(lambda tried: float(one.delta(kind(tried), epsilon)[0]), delta, scale)


def _root(falling: Callable[[float], float], target: float, low: float = 0.0) -> float:
    """Return where a falling function of the scale reaches a target, in logarithms of both."""
    from scipy.optimize import brentq

    def gap(log_scale: float) -> float:
        return math.log(max(falling(math.exp(log_scale)), 1e-300)) - math.log(max(target, 1e-300))

    start = math.log(low) if low else 0.0
    high, step = start, 0.5
    while gap(high) > 0:
        start, high, step = high, high + step, 2 * step
    step = 0.5
    while gap(start) <= 0 and start > -600:
        high, start, step = start, start - step, 2 * step
    return math.exp(brentq(gap, start, high, xtol=1e-15, rtol=1e-14))
