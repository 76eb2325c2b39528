"""Slacks of releases of records themselves: a set by its selected records, and sampled groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import INNER, as_size
from pdp_widgets.core.chart import nats
from pdp_widgets.core.converters import check_many
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.slack import PAPER, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.mechanisms.anonymity.selected_count import binomial_law

LARGEST_SET = 1_000_000


@overload
def set_release_slack(n: int, k: int, p: float, epsilon: float) -> Slack: ...


@overload
def set_release_slack(n: int, k: int, p: float, epsilon: Sequence[float] | NDArray[Any]) -> SlackCurve: ...


def set_release_slack(n: int, k: int, p: float, epsilon: Any) -> Any:
    """Return the exact slack of publishing the selected records, k or more, against one record less.

    Parameters
    ----------
    n
        Number of records with the target, 1 or more.
    k
        Least number that is published, 1 to ``n``.
    p
        Probability that a record is selected, strictly between 0 and 1.
    epsilon
        Nats, 0 to infinity; a number, or several.

    Returns
    -------
    Slack or SlackCurve
        For all events. From epsilon = -ln(1-p) on it does not fall: the target's record is seen or not.

    Raises
    ------
    BudgetError
        A number is outside its range.

    Examples
    --------
    >>> round(set_release_slack(100, 30, 0.5, 1.0).delta, 8)
    0.49999544
    """
    size, group = as_size(n, "n", 1, LARGEST_SET), as_size(k, "k", 1, LARGEST_SET)
    share = INNER.take(p, "p")
    if group > size:
        raise BudgetError(
            f"k is {group:,} and there are {size:,} records; k is at most n.", Where("parameter", name="k")
        )
    levels = epsilons_of(epsilon)
    seen, enough, fewer, fewer_of_all = _chances(size, group, share)
    with np.errstate(over="ignore"):
        published = np.maximum(-np.expm1(levels + math.log1p(-share)), 0.0) * enough
        withheld = np.maximum(fewer - np.exp(levels + math.log(fewer_of_all)), 0.0) if fewer_of_all else 0.0
    found = np.minimum(np.maximum(seen, published + withheld), 1.0)
    about = (
        f"the records selected with probability {share:.6g} of {size:,}, withheld below {group:,}, "
        "against one record less"
    )
    return told(epsilon, found, "exact", "all", about, f"{PAPER}, Def. 2 for published records")


@lru_cache(maxsize=256)
def _chances(n: int, k: int, p: float) -> tuple[float, float, float, float]:
    """Return how likely the target is published, k others or more are selected, fewer, and fewer of all."""
    others, everybody = binomial_law(n - 1, p), binomial_law(n, p)
    seen = p * float(others[k - 1 :].sum())
    return seen, float(others[k:].sum()), float(others[:k].sum()), float(everybody[:k].sum())


#: Up to so many records each one counts, and rounding of their share is less than one of them.
_COUNTABLE = 2.0**33
#: Of more, the number that is kept is a Poisson one.
_POISSON = 10**22
_SOURCE = "Li, Qardaji and Su, On sampling, anonymization, and differential privacy"

#: Sizes looked at are at most so many; the largest k asks for these.
_MOST = 100_000
#: Sizes of groups, times epsilons, that are gone through in one call: some 20 s.
_MOST_SIZES = 20_000_000


@dataclass(frozen=True)
class SampledSlack(Slack):
    """A bound on the slack of sampled groups, with the group that is worst.

    Parameters
    ----------
    delta, status, events, epsilon, about, source
        As for `Slack`.
    worst_size
        The smallest size of a group, before sampling, at which the bound is reached.

    Examples
    --------
    >>> sampled_groups_slack(10, 0.2, 1.0).worst_size
    14
    """

    worst_size: int = 0


@overload
def sampled_groups_slack(k: int, beta: float, epsilon: float) -> SampledSlack: ...


@overload
def sampled_groups_slack(k: int, beta: float, epsilon: Sequence[float] | NDArray[Any]) -> SlackCurve: ...


def sampled_groups_slack(k: int, beta: float, epsilon: Any) -> Any:
    """Return a bound on the slack of the sizes of groups whose records are sampled.

    Parameters
    ----------
    k
        Groups with fewer sampled records are withheld, 1 or more.
    beta
        Probability that a record is kept, strictly between 0 and 1.
    epsilon
        Nats, at least -ln(1 - beta); a number, or several.

    Returns
    -------
    SampledSlack or SlackCurve
        A bound for all events, whatever the group's size; several epsilons give a curve.

    Raises
    ------
    BudgetError
        A number is outside its range.

    Notes
    -----
    Li, Qardaji and Su, "On sampling, anonymization, and differential privacy" (2012).

    Examples
    --------
    >>> float(f"{sampled_groups_slack(5, 0.1, 1.0).delta:.4g}")
    0.0001765
    """
    group, kept = as_size(k, "k", 1, _MOST), INNER.take(beta, "beta")
    levels = epsilons_of(epsilon)
    # Every one is a search among 6 k sizes.
    check_many(len(levels), max(1, _MOST_SIZES // (10 + group)), "epsilon", 1e-6 * (60 + group))
    least = -math.log1p(-kept)
    if levels.min() < least:
        raise BudgetError(
            f"epsilon is {levels.min():.12g}; with beta = {kept:.6g} it must be at least -ln(1 - beta) = "
            f"{nats(least)}.",
            Where("parameter", name="epsilon"),
        )
    found = [_worst(group, kept, float(level)) for level in levels]
    about = (
        f"sizes of groups sampled with probability {kept:.6g}, withheld below {group:,}, against one "
        "record less"
    )
    if np.ndim(epsilon):
        return SlackCurve(levels, np.array([delta for delta, _ in found]), "bound", "all", about, _SOURCE)
    delta, size = found[0]
    return SampledSlack(delta, "bound", "all", float(levels[0]), about, _SOURCE, size)


def _worst(k: int, beta: float, epsilon: float) -> tuple[float, int]:
    """Return the largest slack of a group of any size, and the smallest size that has it."""
    from scipy.special import betainc, gammainc

    share = beta * math.exp(-epsilon) - math.expm1(-epsilon)
    if k > share * _COUNTABLE:
        # One record more or less is no difference any more, and needs no search.
        size = math.ceil(k / Fraction(share)) - 1
        if size > _POISSON:
            return float(gammainc(k, k * (beta / share))), size
        return float(betainc(k, size - k + 1.0, beta)), size
    # A group of k / share records may need another one already: the search begins before it.
    start = max(1, math.floor(k / share) - 1)
    sizes = np.arange(start, start + 62 + 6 * k)
    # A product that rounding left just below a whole number is that number.
    needed = np.maximum(k, np.floor(share * sizes * (1 + 4.5e-16)) + 1)
    possible = needed <= sizes
    tails = np.zeros(len(sizes))
    tails[possible] = betainc(needed[possible], sizes[possible] - needed[possible] + 1, beta)
    best = int(np.argmax(tails))
    return float(tails[best]), int(sizes[best]) if tails[best] > 0 else 1
