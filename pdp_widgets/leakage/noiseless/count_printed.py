"""Theorem 1 as printed, in every reading of its typesetting: not to be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.count_bounds import log_odds, ratio_points
from pdp_widgets.leakage.noiseless.slack import PAPER, LeastEpsilon, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.mechanisms.anonymity.binomial_law import binomial_law
from pdp_widgets.mechanisms.anonymity.parameters import as_choice, as_inner
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.models.given_numbers import as_flag

__all__ = [
    "COUNT_DELTA_READINGS",
    "COUNT_EPSILON_READINGS",
    "PrintedCountEpsilon",
    "count_printed",
    "count_printed_epsilon",
]

Floats = NDArray[np.float64]

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
    slack, chosen = as_inner(delta, "delta"), as_choice(reading, "reading", COUNT_EPSILON_READINGS)
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
        _about(size, group, share),
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
    levels, chosen = epsilons_of(epsilon), as_choice(reading, "reading", COUNT_DELTA_READINGS)
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
    return told(epsilon, found, "as printed", "all", _about(size, group, share), source)


def _checked(n: Any, k: Any, p: Any, most: int = _MOST) -> tuple[int, int, float]:
    size, group = as_size(n, "n", 1, most), as_size(k, "k", 1, most)
    if group > size:
        raise BudgetError(
            f"k is {group:,} and there are {size:,} records; k is at most n.", Where("parameter", name="k")
        )
    return size, group, as_inner(p, "p")


def _withheld(n: int, k: int, p: float) -> float:
    """Return the paper's bound on the probability of fewer than k."""
    return math.exp(-2 * (n * p - k + 1) ** 2 / n)


def _about(n: int, k: int, p: float) -> str:
    return f"count of {n:,} records selected with probability {p:.6g}, k = {k:,}"
