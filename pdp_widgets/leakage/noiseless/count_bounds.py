"""Proved bounds for a count of randomly selected records: Theorem 1 without what does not hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.slack import PAPER, LeastEpsilon, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.mechanisms.anonymity.parameters import as_choice, as_inner
from pdp_widgets.mechanisms.local.parameters import as_size

__all__ = ["count_bound", "count_bound_epsilon", "ratio_points"]

Floats = NDArray[np.float64]

#: Beyond this one record more or less is lost to rounding.
_MOST = 10**12
_FORMS = ("kl", "hoeffding")
_SOURCE = f"{PAPER}, Theorem 1, corrected"


@overload
def count_bound(n: int, p: float, epsilon: float, form: str = ...) -> Slack: ...


@overload
def count_bound(n: int, p: float, epsilon: Sequence[float] | NDArray[Any], form: str = ...) -> SlackCurve: ...


def count_bound(n: int, p: float, epsilon: Any, form: str = "kl") -> Any:
    """Return a bound on the slack of a count, withheld below some k or not, against the count one higher.

    Parameters
    ----------
    n
        Number of records other than the target, 1 or more.
    p
        Probability that a record is selected, strictly between 0 and 1.
    epsilon
        Nats, 0 to infinity; a number, or several.
    form
        ``"kl"``: tails by Chernoff. ``"hoeffding"``: tails as in the paper, never smaller.

    Returns
    -------
    Slack or SlackCurve
        A bound for all events; 1 where epsilon is so small that a tail has no bound.

    Raises
    ------
    BudgetError
        A number is outside its range, or the form is unknown.

    Notes
    -----
    The ratio of neighbouring probabilities leaves the factor in a lower tail one way and in an upper tail the
    other; nothing may be subtracted for counts below k. The count given that it is k or more is not covered.

    Examples
    --------
    >>> float(f"{count_bound(1000, 0.1, 0.5).delta:.6g}")
    0.000195148
    >>> round(count_bound(1000, 0.1, 0.5, "hoeffding").delta, 6)
    0.066643
    """
    size, share = as_size(n, "n", 1, _MOST), as_inner(p, "p")
    levels, chosen = epsilons_of(epsilon), as_choice(form, "form", _FORMS)
    low, high = ratio_points(size, share, levels)
    tail = _chernoff if chosen == "kl" else _hoeffding
    mean = size * share
    found = np.maximum(
        np.where(low < mean, tail(low, size, share), 1.0), np.where(high > mean, tail(high, size, share), 1.0)
    )
    return told(epsilon, found, "bound", "all", _about(size, share), _SOURCE)


def count_bound_epsilon(n: int, p: float, delta: float) -> LeastEpsilon:
    """Return an epsilon at which a count keeps a slack, by Hoeffding's tails.

    Parameters
    ----------
    n, p
        As for `count_bound`.
    delta
        The slack, strictly between 0 and 1.

    Returns
    -------
    LeastEpsilon
        A bound; infinite where the tails reach the ends of the law.

    Examples
    --------
    >>> round(count_bound_epsilon(1000, 0.1, 0.001).epsilon, 6)
    0.950295
    """
    size, share, slack = as_size(n, "n", 1, _MOST), as_inner(p, "p"), as_inner(delta, "delta")
    mu = math.sqrt(-size / 2 * math.log(slack))
    found = max(log_odds(size, share, 1 - share, mu), log_odds(size, 1 - share, share, mu))
    return LeastEpsilon(found, "bound", "all", slack, _about(size, share), _SOURCE)


def ratio_points(n: int, p: float, epsilons: Floats) -> tuple[Floats, Floats]:
    """Return the counts below and above which neighbouring probabilities differ by more than exp(epsilon).

    Examples
    --------
    >>> [float(point.round(6)[0]) for point in ratio_points(100, 0.5, np.array([1.0]))]
    [27.163084, 72.836916]
    """
    q, inverse = 1 - p, np.exp(-epsilons)
    low = p * (n + 1) * inverse / (q + p * inverse)
    high = (n * p - q * inverse) / (p + q * inverse)
    return low, high


def log_odds(n: int, p: float, q: float, mu: float) -> float:
    """Return the log ratio of neighbouring probabilities at a distance below the mean; infinite at the end.

    Parameters
    ----------
    n
        Number of records.
    p, q
        Probabilities of what is counted, and of the other.
    mu
        The distance, in records.

    Examples
    --------
    >>> log_odds(10, 0.1, 0.9, 2.0)
    inf
    """
    left = n * p - mu
    return math.log((n + 1) / left - 1) + math.log(p) - math.log(q) if left > 0 else math.inf


def _hoeffding(counts: Floats, n: int, p: float) -> Floats:
    found: Floats = np.exp(-2 * (n * p - counts) ** 2 / n)
    return found


def _chernoff(counts: Floats, n: int, p: float) -> Floats:
    x = counts / n
    # 0 ln 0 is 0; outside 0 to n the point is not one of a tail, and the value is not used.
    below = np.where(x > 0, x, 1.0), np.where(x < 1, 1 - x, 1.0)
    # A ratio beyond the largest float leaves nothing of the tail.
    with np.errstate(over="ignore"):
        ratios = below[0] / p, below[1] / (1 - p)
    distance = np.where(x > 0, below[0] * np.log(ratios[0]), 0.0)
    distance += np.where(x < 1, below[1] * np.log(ratios[1]), 0.0)
    found: Floats = np.exp(-n * np.maximum(distance, 0.0))
    return found


def _about(n: int, p: float) -> str:
    return f"count of {n:,} records selected with probability {p:.6g}, against one more"
