"""Levels of local privacy of a matrix, beside what it leaks at one belief or another."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import PROBABILITY
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import TableError, Where
from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.log_lift import LOCAL_LEVEL, log_lift
from pdp_widgets.models.amount import Amount

#: How far two levels may be apart and count as equal.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class LocalLevels:
    """One matrix, measured in three ways, in nats.

    Parameters
    ----------
    leakage
        What it leaks at the belief (the SIP level of one step).
    on_support
        The level of local privacy on symbols of positive belief. It does not depend on how likely they are
        and is what remains of the guarantee when the belief is wrong: at most twice the leakage.
    all_rows
        The level on all symbols. A symbol that was thought impossible is not covered by the leakage.

    Examples
    --------
    >>> found = compare_levels([[0.6, 0.4], [0.45, 0.55], [0.001, 0.999]], [0.5, 0.5, 0.0])
    >>> round(found.leakage, 3), round(found.on_support, 3), round(found.all_rows, 3)
    (0.172, 0.318, 6.397)
    >>> found.implies_leakage, found.within_twice
    (True, True)
    """

    leakage: Amount
    on_support: Amount
    all_rows: Amount

    @property
    def implies_leakage(self) -> bool:
        """Whether the leakage is no more than the level on the support, as it must be."""
        return self.leakage <= self.on_support + _ROUNDING

    @property
    def within_twice(self) -> bool:
        """Whether the level on the support is no more than twice the leakage, as it must be."""
        return self.on_support <= 2 * self.leakage + _ROUNDING


def local_level(matrix: ArrayLike, belief: ArrayLike | None = None) -> Amount:
    """Return the largest log ratio of two entries of a column, in nats.

    Parameters
    ----------
    matrix
        a[x, y], the probability of output y for symbol x.
    belief
        Take only symbols of positive belief; without it all.

    Returns
    -------
    level
        Exact, in nats. Infinite where an output is possible for one symbol and impossible for another.
        Outputs that are impossible for all are skipped.

    Examples
    --------
    >>> round(local_level([[0.75, 0.25], [0.25, 0.75]]), 6)
    1.098612
    >>> print(local_level([[1.0, 0.0], [0.0, 1.0]]))
    inf nats (exact)
    """
    where = Where("parameter", name="matrix")
    refuse_masked(matrix, "matrix")
    try:
        rows = plain_numbers(matrix)
    except (TypeError, ValueError, OverflowError):
        raise TableError("The matrix holds something that is no number.", where) from None
    if rows.ndim != 2 or rows.size == 0:
        raise TableError(f"The matrix has shape {rows.shape}; it has one row for each symbol.", where)
    if not ((rows >= 0) & (rows <= 2)).all() or (abs(rows.sum(axis=1) - 1) > 1e-8).any():
        raise TableError("The rows of the matrix must be probabilities that sum to 1.", where)
    if belief is not None:
        law = as_belief(belief)
        if len(law) != len(rows):
            raise TableError(
                f"The belief has {len(law)} symbols and the matrix {len(rows)} rows; they must be as many.",
                Where("parameter", name="belief"),
            )
        rows = rows[law > 0]
    return Amount(_level(rows), "nats", "exact", LOCAL_LEVEL)


def _level(rows: NDArray[np.float64]) -> float:
    high, low = rows.max(axis=0), rows.min(axis=0)
    seen = high > 0
    with np.errstate(divide="ignore"):
        return float((np.log(high[seen]) - np.log(low[seen])).max(initial=0.0))


def compare_levels(matrix: ArrayLike, belief: ArrayLike) -> LocalLevels:
    """Return what a matrix leaks at a belief and its levels of local privacy.

    Parameters
    ----------
    matrix
        a[x, y], the probability of output y for symbol x.
    belief
        Probability of each symbol.

    Notes
    -----
    A level of local privacy is a leakage for every belief. A leakage is only half a level, and on the
    support alone: conditional response at the belief 1 / (1 + exp(epsilon)) reaches the factor 2.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
    >>> step = ConditionalResponse(1.0).channel([0.5, 0.5])
    >>> found = compare_levels(step.matrix, step.belief)
    >>> round(found.leakage, 4), round(found.on_support, 4)
    (1.0, 1.4899)
    """
    return LocalLevels(log_lift(matrix, belief).leakage, local_level(matrix, belief), local_level(matrix))


@dataclass(frozen=True)
class MismatchedPrior:
    """What one matrix leaks to the adversary it was made for, and to another one, in nats.

    Parameters
    ----------
    designed
        With the belief it was made for.
    adversary
        With the adversary's own belief. The paper says that a mismatched adversary learns less; by this
        measure it can be more.
    ceiling
        The level of local privacy on symbols that either of them thinks possible: no belief about those
        symbols leaks more.

    Examples
    --------
    >>> from pdp_widgets.streams import mismatched_prior
    >>> found = mismatched_prior([[0.8, 0.2], [0.2, 0.8]], [0.5, 0.5], [0.9, 0.1])
    >>> found.adversary > found.designed, found.adversary <= found.ceiling
    (True, True)
    """

    designed: Amount
    adversary: Amount
    ceiling: Amount


def mismatched_prior(matrix: ArrayLike, designed: ArrayLike, adversary: ArrayLike) -> MismatchedPrior:
    """Return what a matrix leaks at two beliefs.

    Parameters
    ----------
    matrix
        a[x, y], the probability of output y for symbol x.
    designed
        The belief that the matrix was made for.
    adversary
        Another one.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
    >>> step = ConditionalResponse(1.0).channel([0.5, 0.5])
    >>> found = mismatched_prior(step.matrix, step.belief, [0.9, 0.1])
    >>> round(found.designed, 3), round(found.adversary, 3), round(found.ceiling, 3)
    (1.0, 1.409, 1.49)
    """
    mine, other = log_lift(matrix, designed).leakage, log_lift(matrix, adversary).leakage
    numbers = plain_numbers(matrix)
    if numbers.ndim != 2:
        raise TableError(
            f"The matrix has the shape {numbers.shape}; give one matrix, with a row for each symbol.",
            Where("parameter", name="matrix"),
        )
    either = (as_belief(designed) > 0) | (as_belief(adversary) > 0)
    return MismatchedPrior(mine, other, local_level(numbers[either]))


def crr_valid_threshold(stay: float) -> float:
    """Return the least budget with which conditional response keeps its promise at every step.

    Parameters
    ----------
    stay
        Probability that a symbol of the chain is followed by itself. The chain is symmetric, and its first
        symbol no rarer than 1 / (1 + exp(budget)).

    Returns
    -------
    float
        In nats; 0 where every budget will do, infinite where none does.

    Examples
    --------
    >>> crr_valid_threshold(0.6), round(crr_valid_threshold(0.9), 6), crr_valid_threshold(1.0)
    (0.0, 2.079442, inf)
    """
    same = _same(stay)
    # The largest belief that keeps returning must not leave the other symbol below 1 / (1 + e^eps).
    if same <= 2 / 3:
        return 0.0
    return inf if same == 1 else max(0.0, log((2 * same - 1) / (1 - same)))


def _same(stay: float) -> float:
    """Return the larger probability: swapping the symbols at every other step changes nothing that counts."""
    share = PROBABILITY.take(stay, "stay")
    return max(share, 1 - share)
