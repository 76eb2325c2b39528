"""Mixtures of Laplace densities on a line: the slack at a budget that is not kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import NOT_NEGATIVE, SCALE
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import BudgetError, QueryError, ScaleError, Where
from pdp_widgets.leakage.dependent.conditional_outputs import equal_outputs
from pdp_widgets.leakage.dependent.known_tuples import SOURCE
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.mechanisms.joint_query import JointQuery, as_joint_query
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import how_many, short, shown
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint
from pdp_widgets.models.support_rows import Value

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScalarMixtures(ReadOnlyArrays):
    """The answers of a query of one number, by the value of one tuple."""

    #: Those of the tuple that can occur.
    values: tuple[Value, ...]
    #: Their probabilities.
    law: Floats
    #: Answers that can occur, ascending.
    points: Floats
    #: Probability of every answer given every value, shape (values, points).
    weights: Floats

    def log_sides(self, scale: float) -> tuple[Floats, Floats]:
        """Return the logs of what each point gets from the left, itself included, and from the right."""
        # Entry [a, k] is log sum w[a, l] exp(-|points[k] - points[l]| / scale) over l up to k, and over l
        # from k on. Between two neighbouring points the density falls from the left one with the first and
        # rises to the right one with the second, without further terms.
        with np.errstate(over="ignore", divide="ignore"):
            at = (self.points - self.points[0]) / scale
            logs = np.log(self.weights)
        if not np.isfinite(at[-1]):
            raise ScaleError(
                f"The scale {scale:.6g} is too small beside answers from {self.points[0]:.6g} to "
                f"{self.points[-1]:.6g}.",
                Where("parameter", name="scale"),
            )
        left = np.logaddexp.accumulate(logs + at, axis=1) - at
        right = np.logaddexp.accumulate((logs - at)[:, ::-1], axis=1)[:, ::-1] + at
        return left, right

    def log_densities(self, scale: float) -> Floats:
        """Return the logarithm of every density at every point, (values, points), but for one constant."""
        # The largest ratio of two densities is at one of these points.
        left, right = self.log_sides(scale)
        gaps = np.diff(self.points) / scale
        return np.concatenate([np.logaddexp(left[:, :-1], right[:, 1:] - gaps), left[:, -1:]], axis=1)

    def leakage(self, scale: float) -> float:
        """Return the largest log ratio of two densities, in nats."""
        logs = self.log_densities(scale)
        return max(0.0, float((logs.max(axis=0) - logs.min(axis=0)).max()))


def scalar_mixtures(joint: SparseJoint, query: Any, target: str | int) -> ScalarMixtures:
    """Return the answers of a query of one number, by the value of one tuple."""
    asked = as_joint_query(query, joint)
    outputs = asked.outputs(joint)
    if outputs.shape[1] != 1:
        raise QueryError(
            f"The query {short(asked.name)} gives {outputs.shape[1]} numbers; this is computed for one.",
            Where("parameter", name="query"),
        )
    axis = joint.axis(target)
    chances, codes = joint.probabilities, joint.codes[:, axis]
    possible = chances > 0
    points, index = equal_outputs(outputs[possible, 0])
    size = len(joint.domains[axis])
    table = np.bincount(
        codes[possible] * len(points) + index.reshape(-1), chances[possible], size * len(points)
    ).reshape(size, len(points))
    law = table.sum(axis=1)
    there = np.flatnonzero(law > 0)
    values = tuple(joint.domains[axis][k] for k in there.tolist())
    return ScalarMixtures(values, law[there] / law.sum(), points, table[there] / law[there, None])


@dataclass(frozen=True)
class SmallDelta(NumberTable):
    """How often a release may break a budget, for every tuple.

    Parameters
    ----------
    epsilon
        The budget, in nats.
    scale
        Of the noise.
    tuples
        Names.
    per_tuple
        The least delta of every tuple: for every set of answers, its probability given one value is at most
        ``exp(epsilon)`` times that given another one, plus delta.
    pairs
        The two values for which it is reached, the more likely one first; None where delta is 0.

    Notes
    -----
    The definition is about sets of answers. Definition 6 of the paper is about single answers, of which each
    has probability 0. The adversary knows the joint distribution and no tuple.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import identical_tuples
    >>> found = small_delta(identical_tuples(2), "sum", 1.0, 1.0)
    >>> round(found.delta, 6), found.worst, found.pairs[0]
    (0.393469, 'x1', (0, 1))
    """

    epsilon: float
    scale: float
    tuples: tuple[str, ...]
    per_tuple: tuple[float, ...]
    pairs: tuple[tuple[Value, Value] | None, ...]

    @property
    def delta(self) -> float:
        """The largest of all tuples."""
        return max(self.per_tuple)

    @property
    def worst(self) -> str:
        """Name of the tuple that has the largest one, the first of equals."""
        return self.tuples[self.per_tuple.index(self.delta)]

    def __float__(self) -> float:
        return self.delta

    def _numbers(self) -> Numbers:
        pairs = [("", "") if pair is None else tuple(map(shown, pair)) for pair in self.pairs]
        return Numbers(
            {
                "tuple": list(self.tuples),
                "delta": list(self.per_tuple),
                "more_likely": [more for more, _ in pairs],
                "less_likely": [less for _, less in pairs],
            },
            {"tuple": "text", "delta": "probability", "more_likely": "text", "less_likely": "text"},
            {
                "unit": "probability",
                "source": f"{SOURCE}, but for the least probability delta",
                "epsilon": self.epsilon,
                "scale": self.scale,
                "status": {"delta": "exact"},
            },
            (f"{epsilon_words(self.epsilon)}, scale {self.scale:.6g}",),
        )


def small_delta(
    joint: Any,
    query: Any = "sum",
    scale: float = 1.0,
    epsilon: float = 1.0,
    tuples: Iterable[str | int] | None = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> SmallDelta:
    """Return the least delta with which a release of one noisy number keeps a budget, exactly.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    query
        As for `pdp_widgets.mechanisms.joint_query.as_joint_query`; its answer is one number.
    scale
        Of the Laplace noise.
    epsilon
        Budget in nats, finite, 0 or more. At 0 delta is the largest total variation distance.
    tuples
        Names or positions; without it all.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers find the delta of some tuples, as for `pdp_widgets.prior.leakage_intervals`.

    Raises
    ------
    QueryError
        The answer has several numbers.
    BudgetError, ScaleError
        A number is not what it must be.
    LimitError
        It takes longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> round(float(small_delta(agreeing_bits(0.9), "sum", 1.2, 1.0)), 6)
    0.204963
    """
    rows, noise = as_sparse_joint(joint), SCALE.take(scale, "scale")
    budget = NOT_NEGATIVE.take(epsilon, "epsilon")
    axes = range(rows.n) if tuples is None else rows.axes(tuples)
    hook = timed(progress, limit, f"The delta of {how_many(len(axes), 'tuple')}", "Take fewer tuples.")
    told, workers = Progress(hook, len(axes)), as_executor(executor)
    of_tuples = partial(_of_tuples, rows, as_joint_query(query, rows), noise, budget)
    found = [one for part in swept(of_tuples, in_parts(axes, workers), workers, told) for one in part]
    told.finish()
    return SmallDelta(
        budget,
        noise,
        tuple(rows.tuples[axis] for axis in axes),
        tuple(delta for delta, _ in found),
        tuple(pair for _, pair in found),
    )


def _of_tuples(
    joint: SparseJoint, query: JointQuery, scale: float, epsilon: float, axes: Sequence[int], told: Progress
) -> list[_Largest]:
    """Return what `_largest` does for some tuples."""
    found = []
    for axis in axes:
        found.append(_largest(scalar_mixtures(joint, query, axis), scale, epsilon, told))
        told.step()
    return found


def delta_of(mixtures: ScalarMixtures, scale: float, epsilons: ArrayLike) -> Floats:
    """Return the least delta at several budgets in nats, for curves."""
    budgets = as_sizes(epsilons, "epsilons")
    if budgets.ndim != 1:
        raise BudgetError("epsilons is no row of budgets.", Where("parameter", name="epsilons"))
    noise = SCALE.take(scale, "scale")
    return np.array([_largest(mixtures, noise, budget)[0] for budget in budgets.tolist()])


#: A delta and the two values of which it is that of.
_Largest: TypeAlias = tuple[float, tuple[Value, Value] | None]


def _largest(
    mixtures: ScalarMixtures, scale: float, epsilon: float, told: Progress | None = None
) -> _Largest:
    """Return the largest delta of two values, and these two."""
    left, right = mixtures.log_sides(scale)
    gaps = np.diff(mixtures.points) / scale
    best, pair = 0.0, None
    for k, value in enumerate(mixtures.values):
        deltas = _excess(left[k], right[k], left + epsilon, right + epsilon, gaps)
        other = int(deltas.argmax())
        if deltas[other] > best and other != k:
            best, pair = float(deltas[other]), (value, mixtures.values[other])
        if told is not None:
            told.wait()
    return min(best, 1.0), pair


def _excess(left: Floats, right: Floats, other_left: Floats, other_right: Floats, gaps: Floats) -> Floats:
    """Return the integral of ``max(0, p - q)`` for one density p and several q."""
    # Between two points, ``gap`` scales apart, p - q is A exp(-t) + B exp(t - gap) but for a factor. Where
    # both are positive the integral is (A + B) (1 - exp(-gap)). Where one is and the other is not, there is
    # one change of sign, at distance x from the point of the positive one, and it is A (1 - exp(-x)) ** 2.
    falls, log_falls = _difference(left[:-1], other_left[:, :-1])
    rises, log_rises = _difference(right[1:], other_right[:, 1:])
    ends = _positive(left[-1], other_left[:, -1]) + _positive(right[0], other_right[:, 0])
    if not gaps.size:
        return ends / 2
    with np.errstate(invalid="ignore", over="ignore"):
        # How far the change of sign is from the point of the positive one.
        reach = (gaps + log_falls - log_rises) / 2
        whole = -np.expm1(-gaps)
        both = (falls + rises) * whole
        near = np.where(reach >= gaps, both, falls * np.expm1(-np.maximum(reach, 0)) ** 2)
        back = gaps - reach
        far = np.where(back >= gaps, both, rises * np.expm1(-np.maximum(back, 0)) ** 2)
    positive = np.select(
        [(falls >= 0) & (rises >= 0), (falls > 0) & (rises < 0), (falls < 0) & (rises > 0)],
        [both, near, far],
        0.0,
    )
    return np.asarray((positive.sum(axis=1) + ends) / 2)


def _difference(log_p: Floats, log_q: Floats) -> tuple[Floats, Floats]:
    """Return exp(log_p) - exp(log_q), and the logarithm of its size."""
    top = np.maximum(log_p, log_q)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        apart = np.where(np.isneginf(top), 0.0, np.abs(log_p - log_q))
        size = top + np.log(-np.expm1(-apart))
        return np.where(log_p >= log_q, 1.0, -1.0) * np.exp(size), size


def _positive(log_p: Any, log_q: Floats) -> Floats:
    return np.maximum(_difference(np.asarray(log_p), log_q)[0], 0.0)
