"""A promise that may fail a little: the least delta with which a release keeps a budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.dependent.scalar_mixtures import ScalarMixtures, scalar_mixtures
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.models.given_joint import as_sparse_joint
from pdp_widgets.models.given_sizes import as_not_negative, as_sizes
from pdp_widgets.models.labels import shown
from pdp_widgets.models.support_rows import Value

__all__ = ["SmallDelta", "delta_of", "small_delta"]

Floats = NDArray[np.float64]


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
    >>> from pdp_widgets.models.dependent_examples import identical_tuples
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
            {"unit": "nats", "epsilon": self.epsilon, "scale": self.scale, "status": {"delta": "exact"}},
            (f"{epsilon_words(self.epsilon)}, scale {self.scale:.6g}",),
        )


def small_delta(
    joint: Any,
    query: Any = "sum",
    scale: float = 1.0,
    epsilon: float = 1.0,
    tuples: Iterable[str | int] | None = None,
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

    Raises
    ------
    QueryError
        The answer has several numbers.
    BudgetError, ScaleError
        A number is not what it must be.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> round(float(small_delta(agreeing_bits(0.9), "sum", 1.2, 1.0)), 6)
    0.204963
    """
    rows, noise = as_sparse_joint(joint), as_scale(scale)
    budget = as_not_negative(epsilon, "epsilon")
    axes = range(rows.n) if tuples is None else rows.axes(tuples)
    found = [_largest(scalar_mixtures(rows, query, axis), noise, budget) for axis in axes]
    return SmallDelta(
        budget,
        noise,
        tuple(rows.tuples[axis] for axis in axes),
        tuple(delta for delta, _ in found),
        tuple(pair for _, pair in found),
    )


def delta_of(mixtures: ScalarMixtures, scale: float, epsilons: ArrayLike) -> Floats:
    """Return the least delta at several budgets, for curves.

    Parameters
    ----------
    mixtures
        The answers by the value of one tuple.
    scale
        Of the noise.
    epsilons
        Budgets in nats, 0 or more, shape (budgets,).

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import identical_tuples
    >>> two = scalar_mixtures(identical_tuples(2), "sum", 0)
    >>> delta_of(two, 1.0, [0, 1, 2]).round(4).tolist()
    [0.6321, 0.3935, 0.0]
    """
    budgets = as_sizes(epsilons, "epsilons")
    if budgets.ndim != 1:
        raise BudgetError("epsilons is no row of budgets.", Where("parameter", name="epsilons"))
    noise = as_scale(scale)
    return np.array([_largest(mixtures, noise, budget)[0] for budget in budgets.tolist()])


def _largest(
    mixtures: ScalarMixtures, scale: float, epsilon: float
) -> tuple[float, tuple[Value, Value] | None]:
    left, right = mixtures.log_sides(scale)
    gaps = np.diff(mixtures.points) / scale
    best, pair = 0.0, None
    for k, value in enumerate(mixtures.values):
        deltas = _excess(left[k], right[k], left + epsilon, right + epsilon, gaps)
        other = int(deltas.argmax())
        if deltas[other] > best and other != k:
            best, pair = float(deltas[other]), (value, mixtures.values[other])
    return min(best, 1.0), pair


def _excess(left: Floats, right: Floats, other_left: Floats, other_right: Floats, gaps: Floats) -> Floats:
    """Return the integral of ``max(0, p - q)`` for one density p and several q.

    Between two points, ``gap`` scales apart, p - q is ``A exp(-t) + B exp(t - gap)`` but for a factor. Where
    both are positive the integral is ``(A + B) (1 - exp(-gap))``. Where one is and the other is not, there
    is one change of sign, at distance x from the point of the positive one, and it is
    ``A (1 - exp(-x)) ** 2``.
    """
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
