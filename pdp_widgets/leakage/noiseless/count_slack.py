"""The slack of a count of selected records: exact, bounded, and as printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import INNER, as_size
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.events import as_events, event_slack, least_epsilon
from pdp_widgets.leakage.noiseless.slack import PAPER, LeastEpsilon, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount, binomial_law
from pdp_widgets.models.labels import as_choice, shown

_SOURCE = f"{PAPER}, Def. 2 for the release of Theorem 1"

_RELEASED = {
    "suppress": "count, withheld below {k:,}",
    "count": "count",
    "conditional": "count given {k:,} or more",
    "literal": "count given {k:,} or more, then shifted",
}
_COMPARED = {"shift": "one more", "remove": "one record fewer", "add": "one record more"}


def count_about(release: SelectedCount) -> str:
    """Return what is compared, in words."""
    released = _RELEASED[release.release].format(k=release.k)
    return (
        f"{released}, of {release.n:,} records selected with probability {release.p:.6g}, against "
        f"{_COMPARED[release.neighbour]}"
    )


def as_release(release: Any) -> SelectedCount:
    """Return a release, or raise BudgetError with what would be accepted."""
    if not isinstance(release, SelectedCount):
        raise BudgetError(
            f"The release is {shown(release)}; give a SelectedCount, such as SelectedCount(100, 30, 0.5).",
            Where("parameter", name="release"),
        )
    return release


@overload
def count_slack(release: SelectedCount, epsilon: float, events: str = ...) -> Slack: ...


@overload
def count_slack(
    release: SelectedCount, epsilon: Sequence[float] | NDArray[Any], events: str = ...
) -> SlackCurve: ...


def count_slack(release: SelectedCount, epsilon: Any, events: str = "all") -> Any:
    """Return the exact slack of a count of selected records.

    Parameters
    ----------
    release
        What is published, and with what it is compared.
    epsilon
        Nats, 0 to infinity; a number, or several.
    events
        ``"all"``, ``"interval"`` or ``"halfline"``; "nothing" stands below all counts.

    Returns
    -------
    Slack or SlackCurve
        One slack for a number, a curve for several.

    Raises
    ------
    BudgetError
        An epsilon is negative or the events are unknown.

    Examples
    --------
    >>> float(f"{count_slack(SelectedCount(100, 30, 0.5), 1.0).delta:.5g}")
    8.0026e-08
    >>> count_slack(SelectedCount(100, 30, 0.5), [0.1, 0.5]).delta.round(6).tolist()
    [0.041133, 0.00057]
    """
    laws = as_release(release).laws()
    chosen = as_events(events)
    found = event_slack(*laws, epsilons_of(epsilon), chosen)
    return told(epsilon, found, "exact", chosen, count_about(release), _SOURCE)


def count_epsilon(release: SelectedCount, delta: float, events: str = "all") -> LeastEpsilon:
    """Return the smallest epsilon at which a count of selected records keeps a slack.

    Parameters
    ----------
    release
        What is published, and with what it is compared.
    delta
        The slack, strictly between 0 and 1.
    events
        As for `count_slack`.

    Returns
    -------
    LeastEpsilon
        Exact; infinite where an outcome that only one of the neighbours has is likelier than ``delta``.

    Raises
    ------
    BudgetError
        ``delta`` is outside (0, 1) or the events are unknown.

    Examples
    --------
    >>> round(count_epsilon(SelectedCount(100, 30, 0.5), 0.01).epsilon, 6)
    0.263369
    """
    laws = as_release(release).laws()
    chosen, slack = as_events(events), INNER.take(delta, "delta")
    found = least_epsilon(*laws, slack, chosen)
    return LeastEpsilon(found, "exact", chosen, slack, count_about(release), _SOURCE)


Floats = NDArray[np.float64]

_FORMS = ("kl", "hoeffding")
_CORRECTED = f"{PAPER}, Theorem 1, corrected"


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
    size, share = as_size(n, "n", 1, _MOST_CLOSED), INNER.take(p, "p")
    levels, chosen = epsilons_of(epsilon), as_choice(form, "form", _FORMS, BudgetError)
    low, high = ratio_points(size, share, levels)
    tail = _chernoff if chosen == "kl" else _hoeffding
    mean = size * share
    found = np.maximum(
        np.where(low < mean, tail(low, size, share), 1.0), np.where(high > mean, tail(high, size, share), 1.0)
    )
    return told(epsilon, found, "bound", "all", _about(size, share), _CORRECTED)


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
    size, share, slack = as_size(n, "n", 1, _MOST_CLOSED), INNER.take(p, "p"), INNER.take(delta, "delta")
    mu = math.sqrt(-size / 2 * math.log(slack))
    found = max(log_odds(size, share, 1 - share, mu), log_odds(size, 1 - share, share, mu))
    return LeastEpsilon(found, "bound", "all", slack, _about(size, share), _CORRECTED)


def ratio_points(n: int, p: float, epsilons: Floats) -> tuple[Floats, Floats]:
    """Return the counts below and above which neighbouring probabilities differ by more than exp(epsilon)."""
    q, inverse = 1 - p, np.exp(-epsilons)
    low = p * (n + 1) * inverse / (q + p * inverse)
    high = (n * p - q * inverse) / (p + q * inverse)
    return low, high


def log_odds(n: int, p: float, q: float, mu: float) -> float:
    """Return the log ratio of neighbouring probabilities at mu below the mean; infinite at the end."""
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


COUNT_EPSILON_READINGS = ("max", "proof", "power", "eq8")
COUNT_DELTA_READINGS = ("statement", "proof", "final", "garbled")

#: Laws of more outcomes take seconds.
#: Records at most: of the first part, which goes through all counts, and of the second.
_MOST, _MOST_CLOSED = 1_000_000, 10**12


@dataclass(frozen=True)
class PrintedCountEpsilon(LeastEpsilon):
    """The epsilon of part (I) of Theorem 1 as printed, with what the theorem asks for.

    Parameters
    ----------
    epsilon, status, events, delta, about, source
        As for `LeastEpsilon`.
    mu
        Half the width of the tails' gap, in records; None where it has no value.
    domain_minimum
        The smallest slack that the theorem is said to hold for, a probability.
    fits_below, fits_above
        Whether the lower end of the gap is above k and the upper one below n, as the proof assumes.

    Examples
    --------
    >>> found = count_printed_epsilon(1000, 50, 0.1, 0.001)
    >>> found.delta_in_domain, found.fits_below, found.fits_above
    (True, False, True)
    """

    mu: float | None = None
    domain_minimum: float = math.nan
    fits_below: bool = False
    fits_above: bool = False

    @property
    def delta_in_domain(self) -> bool:
        """Whether the slack is one that the theorem is said to hold for."""
        return self.delta >= self.domain_minimum


def count_printed_epsilon(
    n: int, k: int, p: float, delta: float, reading: str = "max", *, factor2: bool = False
) -> PrintedCountEpsilon:
    """Return the epsilon of part (I) of Theorem 1 as printed.

    Parameters
    ----------
    n, k
        Numbers of records and of a group, 1 to ``n``.
    p
        Probability that a record is selected, strictly between 0 and 1.
    delta
        The slack, strictly between 0 and 1.
    reading
        ``"max"``, ``"proof"`` (eq. 6), ``"power"`` (as typeset) or ``"eq8"``.
    factor2
        Restore the factor 2 that equation (7) implies.

    Raises
    ------
    BudgetError
        A number is outside its range, or the reading is unknown.

    Examples
    --------
    >>> round(count_printed_epsilon(1000, 50, 0.1, 0.001).epsilon, 6)
    0.751961
    >>> round(count_printed_epsilon(1000, 50, 0.1, 0.001, factor2=True).epsilon, 6)
    0.824906
    """
    size, group, share = _checked(n, k, p)
    slack = INNER.take(delta, "delta")
    chosen = as_choice(reading, "reading", COUNT_EPSILON_READINGS, BudgetError)
    halved = as_flag(factor2, "factor2")
    inside = slack + _withheld(size, group, share)
    least = float(binomial_law(size, share)[group]) + (1 - share) ** size
    mu = None if inside > 1 else math.sqrt(-size / 2 * math.log(inside / 2 if halved else inside))
    epsilon = math.nan if mu is None else _epsilon(size, group, share, mu, chosen)
    return PrintedCountEpsilon(
        epsilon,
        "as printed",
        "all",
        slack,
        _printed_about(size, group, share),
        f"{PAPER}, Theorem 1 (I), reading {chosen}{' with factor 2' if factor2 else ''}",
        mu,
        least,
        mu is not None and size * share - mu > group,
        mu is not None and size * share + mu < size,
    )


def _epsilon(n: int, k: int, p: float, mu: float, reading: str) -> float:
    low, high = log_odds(n, p, 1 - p, mu), log_odds(n, 1 - p, p, mu)
    odds = p / (1 - p)
    if reading == "power":
        # As typeset the odds stand in the exponent of what they should multiply.
        parts = (low - math.log(odds)) * odds, (high + math.log(odds)) / odds
        return max(parts)
    if reading == "max":
        return max(low, high)
    if not p < 0.5 - k / (2 * n):
        return high
    if reading == "proof":
        return low
    left = n * p - mu - 1
    return math.log((n + 1) / left * odds) if left > 0 else math.inf


@overload
def count_printed(n: int, k: int, p: float, epsilon: float, reading: str = ...) -> Slack: ...


@overload
def count_printed(
    n: int, k: int, p: float, epsilon: Sequence[float] | NDArray[Any], reading: str = ...
) -> SlackCurve: ...


def count_printed(n: int, k: int, p: float, epsilon: Any, reading: str = "statement") -> Any:
    """Return the slack of part (II) of Theorem 1 as printed; it may be negative or below the truth.

    Parameters
    ----------
    n, k, p
        As for `count_printed_epsilon`.
    epsilon
        Nats, 0 to infinity; a number, or several.
    reading
        ``"statement"``, ``"proof"``, ``"final"`` (last line of the proof) or ``"garbled"`` (second term as
        typeset).

    Returns
    -------
    Slack or SlackCurve
        As printed.

    Raises
    ------
    BudgetError
        A number is outside its range, or the reading is unknown.

    Examples
    --------
    >>> float(f"{count_printed(100, 30, 0.5, 1.0).delta:.5g}")
    2.9518e-05
    >>> count_printed(50, 2, 0.05, 1.0, "proof").state
    'negative'
    """
    size, group, share = _checked(n, k, p, _MOST_CLOSED)
    levels, chosen = epsilons_of(epsilon), as_choice(reading, "reading", COUNT_DELTA_READINGS, BudgetError)
    low, high = ratio_points(size, share, levels)
    withheld = _withheld(size, group, share)
    below = np.exp(-2 * (size * share - low) ** 2 / size)
    above = np.exp(-2 * (high - size * share) ** 2 / size)
    if chosen == "statement":
        found = np.maximum(below - withheld, above)
    elif chosen == "proof":
        found = below - withheld if share < 0.5 - group / (2 * size) else above
    elif chosen == "final":
        found = np.maximum(np.maximum(below, above), withheld)
    else:
        term = (size * share - 1 + share) ** 2 / (share + (1 - share) * np.exp(-levels))
        found = np.maximum(below - withheld, np.exp(-2 / size * term**2))
    source = f"{PAPER}, Theorem 1 (II), reading {chosen}"
    return told(epsilon, found, "as printed", "all", _printed_about(size, group, share), source)


def _checked(n: Any, k: Any, p: Any, most: int = _MOST) -> tuple[int, int, float]:
    size, group = as_size(n, "n", 1, most), as_size(k, "k", 1, most)
    if group > size:
        raise BudgetError(
            f"k is {group:,} and there are {size:,} records; k is at most n.", Where("parameter", name="k")
        )
    return size, group, INNER.take(p, "p")


def _withheld(n: int, k: int, p: float) -> float:
    """Return the paper's bound on the probability of fewer than k."""
    return math.exp(-2 * (n * p - k + 1) ** 2 / n)


def _printed_about(n: int, k: int, p: float) -> str:
    return f"count of {n:,} records selected with probability {p:.6g}, k = {k:,}"
