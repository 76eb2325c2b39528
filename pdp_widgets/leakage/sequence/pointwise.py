"""How often a stream leaks more than a threshold or than it promises: pointwise leakages and their tails."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import EPSILON, as_size
from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sequence.batched_stream import as_released
from pdp_widgets.leakage.sequence.belief import MOST_NUMBERS
from pdp_widgets.leakage.sequence.release_levels import Step, release_levels
from pdp_widgets.leakage.sequence.step_leakage import SOURCE, as_steps
from pdp_widgets.leakage.sequence.stream_source import FirstOrderSource, StreamSource, source_of
from pdp_widgets.leakage.sequence.worst_sequence import first_largest
from pdp_widgets.mechanisms.sequence.belief_checks import drawn
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.log_lift import kept, shared
from pdp_widgets.mechanisms.sequence.sequence_mechanism import within
from pdp_widgets.models.amount import Amount
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Most pairs of a data and a release sequence: two arrays of 32 MB.
MOST_PAIRS = 1 << 22


@dataclass(frozen=True, eq=False)
class PointwiseLeakages(EqualByFields, ReadOnlyArrays, NumberTable):
    """Log ratios of all pairs of sequences of positive probability.

    Parameters
    ----------
    data
        Data sequences of positive probability, shape (X, steps).
    released
        Release sequences of positive probability, shape (Y, steps).
    data_chance
        Pr(x), shape (X,).
    release_chance
        Pr(y), shape (Y,).
    given
        Pr(y | x), shape (X, Y).
    leakage
        log Pr(y | x) / Pr(y) in nats, shape (X, Y); minus infinity where y excludes x.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse, MarkovChain
    >>> from pdp_widgets.streams import pointwise_leakages
    >>> found = pointwise_leakages(MarkovChain.symmetric(0.5), ConditionalResponse(1.0), 2)
    >>> round(found.upper, 4), round(found.lower, 4), round(found.local_level, 4)
    (0.9798, 2.0, 2.9798)
    """

    data: Ints
    released: Ints
    data_chance: Floats
    release_chance: Floats
    given: Floats
    leakage: Floats

    def _numbers(self) -> Numbers:
        """Return one pair of sequences a row; the symbols are positions, joined by blanks."""
        data, released = (
            [" ".join(map(str, row)) for row in part] for part in (self.data.tolist(), self.released.tolist())
        )
        many, outputs = self.leakage.shape
        return Numbers(
            {
                "data": np.repeat(np.array(data, dtype=object), outputs),
                "released": np.tile(np.array(released, dtype=object), many),
                "chance of data": np.repeat(self.data_chance, outputs),
                "chance of release": np.tile(self.release_chance, many),
                "chance given data": self.given.ravel(),
                "leakage": self.leakage.ravel(),
            },
            {
                "data": "text",
                "released": "text",
                "chance of data": "probability",
                "chance of release": "probability",
                "chance given data": "probability",
                "leakage": "nats",
            },
            {"unit": "nats", "source": SOURCE, "status": {"leakage": "exact"}},
            order=tuple(np.argsort(-np.abs(self.leakage).ravel(), kind="stable")[:1000].tolist()),
        )

    @property
    def upper(self) -> Amount:
        """The largest log ratio."""
        return _exact(max(0.0, float(self.leakage.max(initial=0.0))))

    @property
    def lower(self) -> Amount:
        """The largest minus log ratio."""
        return _exact(max(0.0, -float(self.leakage.min(initial=0.0))))

    @property
    def local_level(self) -> Amount:
        """The largest log ratio of Pr(y | x) for two data sequences (LDP on sequences that can occur)."""
        if self.leakage.size == 0:
            return _exact(0.0)
        return _exact(float((self.leakage.max(axis=0) - self.leakage.min(axis=0)).max()))

    @property
    def mutual_information(self) -> Amount:
        """The mean of the log ratios, in nats."""
        weights = self.data_chance[:, None] * self.given
        return _exact(max(0.0, float((weights * np.where(weights > 0, self.leakage, 0.0)).sum())))

    @property
    def largest_pair(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A data and a release sequence whose log ratio is the largest in size."""
        x, y = first_largest(np.abs(self.leakage))
        return tuple(self.data[x].tolist()), tuple(self.released[y].tolist())


def _exact(value: float) -> Amount:
    return Amount(value, "nats", "exact", SOURCE)


@np.errstate(over="ignore")
def pointwise_leakages(
    chain: Any,
    mechanism: Step | Sequence[Step],
    steps: int,
    *,
    most_pairs: int = MOST_PAIRS,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> PointwiseLeakages:
    """Return the log ratios of all pairs of a data and a release sequence.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step; or a `BatchRelease`.
    steps
        Number of steps.
    most_pairs
        Refuse more pairs.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    LimitError
        There are too many pairs, or they take longer than the limit.

    Examples
    --------
    >>> flip = lambda belief: np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> found = pointwise_leakages(([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]]), flip, 3)
    >>> found.leakage.shape, found.largest_pair
    ((8, 8), ((0, 0, 0), (1, 1, 1)))
    """
    source, mechanism, length = as_released(source_of(chain), mechanism, as_steps(steps))
    most_pairs = as_size(most_pairs, "most_pairs", 1)
    log_pairs = 2 * sum(math.log(source.count(step)) for step in range(length))
    if log_pairs > math.log(most_pairs) + 1e-9:
        raise LimitError(
            f"{length} steps with {source.n:,} symbols have {source.n:,}^{2 * length} pairs of a data and a "
            f"release sequence (limit {most_pairs:,}); take fewer steps.",
            Where("parameter", name="steps"),
        )
    data, released = np.zeros((1, 0), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
    state = np.zeros(1, dtype=np.int64)
    data_chance, release_chance = np.ones(1), np.ones(1)
    given, leakage = np.ones((1, 1)), np.zeros((1, 1))
    levels = release_levels(
        source, mechanism, length, merge=False, most=most_pairs, limit=limit, progress=progress
    )
    for level in levels:
        if level.step == 0:
            targets, chances = np.arange(source.n)[None], source.start[None]
        else:
            targets, chances = source.successors(level.step - 1)
        row, symbol = np.nonzero(chances[state] > 0)
        data = np.column_stack([data[row], symbol])
        data_chance = data_chance[row] * chances[state[row], symbol]
        state = targets[state[row], symbol]
        node, output = level.parent, level.output
        released = np.column_stack([released[node], output])
        release_chance = release_chance[node] * level.law[node, output]
        at = (node[None, :], level.rows[state][:, None], output[None, :])
        given = given[row][:, node] * level.matrices[at]
        leakage = leakage[row][:, node] + level.ratios[at]
    return PointwiseLeakages(data, released, data_chance, release_chance, given, leakage)


_FEWER = "Take fewer users or steps."
#: Rounding of a threshold that is a leakage itself.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Tail:
    """Probabilities that the pointwise leakage passes a threshold.

    Parameters
    ----------
    threshold
        In nats; it has to be passed, not reached.
    joint
        Either sign, data and releases drawn together.
    worst_one_sided
        The log ratio itself, for the worst data sequence of positive probability, over the releases.
    worst_two_sided
        The same for its size.
    worst_data
        The data sequence that reaches ``worst_one_sided``.

    Examples
    --------
    >>> flip = lambda belief: np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> found = pointwise_tail(([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]), flip, 2, 0.5)
    >>> round(found.worst_one_sided, 4), round(found.joint, 4)
    (0.5625, 0.625)
    """

    threshold: float
    joint: float
    worst_one_sided: float
    worst_two_sided: float
    worst_data: tuple[int, ...]


def pointwise_tail(
    chain: Any,
    mechanism: Step | Sequence[Step],
    steps: int,
    threshold: float,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Tail:
    """Return how often a stream leaks more than a threshold, by enumeration.

    Parameters
    ----------
    chain, mechanism, steps
        As for `pointwise_leakages`.
    threshold
        In nats, 0 or more.
    limit, progress
        As for `pointwise_leakages`.

    Raises
    ------
    LimitError
        As for `pointwise_leakages`.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.streams import BinaryOptimum, pointwise_tail
    >>> found = pointwise_tail(MarkovChain.symmetric(0.8), BinaryOptimum(0.3), 6, 1.1)
    >>> round(found.worst_one_sided, 4)
    0.0785
    """
    return tail_of(pointwise_leakages(chain, mechanism, steps, limit=limit, progress=progress), threshold)


def tail_of(found: PointwiseLeakages, threshold: float) -> Tail:
    """Return how often pointwise leakages that are known already pass a threshold."""
    limit = EPSILON.take(threshold, "threshold", subject="The threshold")
    passed = limit + _ROUNDING * max(1.0, limit if np.isfinite(limit) else 1.0)
    above = (found.given * (found.leakage > passed)).sum(axis=1)
    either = (found.given * (np.abs(found.leakage) > passed)).sum(axis=1)
    worst = int(above.argmax())
    return Tail(
        limit,
        float(found.data_chance @ either),
        float(above[worst]),
        float(either.max()),
        tuple(found.data[worst].tolist()),
    )


@dataclass(frozen=True, eq=False)
class ViolationShare(EqualByFields, ReadOnlyArrays, NumberTable):
    """How often conditional response leaks more than its budget.

    Its tables have one step a row.

    Parameters
    ----------
    epsilon
        The budget of every step, in nats.
    per_step
        Probability that it does at each step, shape (steps,).
    leakage
        What each step leaks on average, shape (steps,), in nats.
    status
        ``"exact"``, or ``"estimate"`` from drawn releases.
    error
        Standard error of the share, between people; 0 for exact ones.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.streams import violation_share
    >>> violation_share(MarkovChain.symmetric(0.6), 0.1, 8).share
    0.0
    """

    epsilon: float
    per_step: Floats
    leakage: Floats
    status: Literal["exact", "estimate"]
    error: float = 0.0

    @property
    def share(self) -> float:
        """Expected share of the steps; 0 without a step."""
        return float(self.per_step.mean()) if self.per_step.size else 0.0

    def __float__(self) -> float:
        return self.share

    def _numbers(self) -> Numbers:
        columns = {
            "step": np.arange(1, len(self.per_step) + 1),
            "chance above budget": self.per_step,
            "mean leakage": self.leakage,
        }
        status = dict.fromkeys(("chance above budget", "mean leakage"), self.status)
        return Numbers(
            columns,
            {"step": "count", "chance above budget": "probability", "mean leakage": "nats"},
            {"unit": "nats", "source": SOURCE, "status": status, "epsilon": self.epsilon},
            (f"conditional response as printed, {epsilon_words(self.epsilon)}",),
        )


def violation_share(
    chain: Any, epsilon: float, steps: int, *, limit: float = 60.0, progress: ProgressHook | None = None
) -> ViolationShare:
    """Return how often conditional response leaks more than its budget, exactly.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    epsilon
        The budget of every step, in nats.
    steps
        Number of steps.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    LimitError
        There are too many release histories, or they take longer than the limit; see
        `simulated_violation_share`.

    Examples
    --------
    >>> found = violation_share(([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]]), 1.0, 6)
    >>> round(found.share, 6), found.per_step.round(3).tolist()
    (0.88302, [1.0, 0.95, 0.872, 0.836, 0.823, 0.817])
    """
    mechanism = ConditionalResponse(epsilon)
    levels = release_levels(source_of(chain), mechanism, steps, limit=limit, progress=progress)
    broken, leakage = [], []
    for level in levels:
        # A symbol may be possible, and its belief too small for a float.
        hidden = (level.possible & (level.beliefs == 0)).any(axis=1)
        lifts = np.where(hidden, level.leakage, mechanism.lifts(level.beliefs))
        # Chances of many histories add up to 1 but for rounding.
        broken.append(min(1.0, level.chance @ ~within(lifts, mechanism.epsilon)))
        leakage.append(level.chance @ lifts)
    return ViolationShare(mechanism.epsilon, np.array(broken), np.array(leakage), "exact")


def simulated_violation_share(
    chain: Any,
    epsilon: float,
    steps: int,
    users: int = 1000,
    rng: np.random.Generator | int | None = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> ViolationShare:
    """Return how often conditional response leaks more than its budget, from drawn releases.

    Parameters
    ----------
    chain, epsilon, steps
        As for `violation_share`; of first order.
    users
        Number of people whose releases are drawn.
    rng
        Generator or seed; without it fresh randomness.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    DomainError
        The source is not of first order.
    LimitError
        It takes longer than the limit.

    Notes
    -----
    Releases follow the belief itself, so that no data have to be drawn.

    Examples
    --------
    >>> chain = ([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]])
    >>> found = simulated_violation_share(chain, 1.0, 50, rng=1)
    >>> abs(found.share - 0.82) < 0.02
    True
    """
    source, mechanism = source_of(chain), ConditionalResponse(epsilon)
    if not isinstance(source, FirstOrderSource):
        raise DomainError(
            "The source is not of first order; give a first-order chain.", Where("parameter", name="chain")
        )
    length, people = as_steps(steps), as_size(users, "users", 1, MOST_NUMBERS // source.n)
    generator = as_generator(rng)
    step_on = _closed_recursion(source, mechanism.epsilon)
    beliefs = np.repeat(source.start[None], people, axis=0)
    broken, leakage, seen = [], [], np.zeros(people)
    told = Progress(timed(progress, limit, f"{people:,} users over {length:,} steps", _FEWER), length)
    for _ in range(length):
        lifts = mechanism.lifts(beliefs)
        breaks = ~within(lifts, mechanism.epsilon)
        seen += breaks
        broken.append(breaks.mean())
        leakage.append((lifts / people).sum())
        beliefs = step_on(beliefs, drawn(beliefs, generator.random(people)))
        told.step()
    told.finish()
    error = float(seen.std(ddof=1) / max(1, length) / sqrt(people)) if people > 1 else float("nan")
    return ViolationShare(mechanism.epsilon, np.array(broken), np.array(leakage), "estimate", error)


def _closed_recursion(source: StreamSource, epsilon: float) -> Callable[[Floats, NDArray[np.int64]], Floats]:
    """Return the step from beliefs and releases to the next beliefs: posteriors are mixtures here."""
    weight, stays = shared(epsilon), kept(epsilon)

    def step_on(beliefs: Floats, released: NDArray[np.int64]) -> Floats:
        posterior = weight * beliefs
        posterior[np.arange(len(released)), released] += stays
        return source.push(posterior, 0)

    return step_on
