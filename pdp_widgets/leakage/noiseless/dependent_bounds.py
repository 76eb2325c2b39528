"""Bounds on the slack of a sum of dependent records, corrected and as printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import FINITE, MOST_EXACT, NOT_NEGATIVE, POSITIVE, as_size
from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.gaussian_step import multiplier_of
from pdp_widgets.leakage.noiseless.slack import PAPER, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.leakage.noiseless.sum_bounds import bounded_events, normal_bound
from pdp_widgets.models.labels import as_choice, shown

#: The constant under the root of Ross's Theorem 3.6; both occur in print, either is safe for a dependency
# graph.
ROSS = (28, 26)

_SOURCE = f"{PAPER}, Theorems 5 and 7, corrected"


def dependent_distance(D: int, abs3: float, m4: float, sigma: float, constant: int = 28) -> float | None:
    """Return a bound on the distance of a sum of locally dependent records from the normal law."""
    # Ross, "Fundamentals of Stein's method" (2011), Theorem 3.6, and the step from Wasserstein's distance to
    # that of distribution functions.
    size = as_size(D, "D", 1, MOST_EXACT)
    third = NOT_NEGATIVE.take(abs3, "abs3")
    fourth = NOT_NEGATIVE.take(m4, "m4")
    spread = NOT_NEGATIVE.take(sigma, "sigma")
    if not is_whole(constant) or constant not in ROSS:
        raise BudgetError(
            f"constant is {shown(constant)}; it is 28 or 26.", Where("parameter", name="constant")
        )
    if spread == 0:
        return None
    wasserstein = size**2 * third / spread / spread / spread
    wasserstein += math.sqrt(constant * fourth / math.pi) * size**1.5 / spread / spread
    return float((2 / math.pi) ** 0.25 * math.sqrt(wasserstein))


@overload
def dependent_bound(
    D: int,
    abs3: float,
    m4: float,
    sigma: float,
    shift: float,
    epsilon: float,
    events: str = ...,
    constant: int = ...,
) -> Slack: ...


@overload
def dependent_bound(
    D: int,
    abs3: float,
    m4: float,
    sigma: float,
    shift: float,
    epsilon: Sequence[float] | NDArray[Any],
    events: str = ...,
    constant: int = ...,
) -> SlackCurve: ...


def dependent_bound(
    D: int,
    abs3: float,
    m4: float,
    sigma: float,
    shift: float,
    epsilon: Any,
    events: str = "halfline",
    constant: int = 28,
) -> Any:
    """Return a bound on the slack of a sum of locally dependent records that is shifted.

    Parameters
    ----------
    D, abs3, m4, sigma, constant
        As for `dependent_distance`.
    shift
        By how much the sum changes, in its units; the sign does not matter. Under dependence a record moves
        its neighbours too: take the change of all of them.
    epsilon
        Nats, 0 to infinity; a number, or several.
    events
        ``"halfline"`` or ``"interval"``.

    Returns
    -------
    Slack or SlackCurve
        A bound.

    Raises
    ------
    BudgetError
        A number is outside its range, or the events are ``"all"``.

    Examples
    --------
    >>> round(dependent_bound(1, 5, 1, 50, 1, 0.1).delta, 7)
    0.0660608
    """
    chosen, levels = bounded_events(events), epsilons_of(epsilon)
    distance = dependent_distance(D, abs3, m4, sigma, constant)
    moved = abs(FINITE.take(shift, "shift"))
    spread = NOT_NEGATIVE.take(sigma, "sigma")
    found = normal_bound(levels, math.nan if distance is None else distance, moved, spread, chosen)
    about = f"sum of records with neighbourhoods of at most {D:,}, against the sum {moved:.6g} higher"
    return told(epsilon, found, "bound", chosen, about, _SOURCE)


DEPENDENT_READINGS = ("T5-proof", "T5-statement", "T7-proof", "T7-statement", "T7-mixed")


@overload
def dependent_printed(
    lambda1: float,
    S3: float,
    R4: float,
    sigma: float,
    n_eff: float,
    epsilon: float,
    reading: str = ...,
    lambda2: float | None = ...,
) -> Slack: ...


@overload
def dependent_printed(
    lambda1: float,
    S3: float,
    R4: float,
    sigma: float,
    n_eff: float,
    epsilon: Sequence[float] | NDArray[Any],
    reading: str = ...,
    lambda2: float | None = ...,
) -> SlackCurve: ...


def dependent_printed(
    lambda1: float,
    S3: float,
    R4: float,
    sigma: float,
    n_eff: float,
    epsilon: Any,
    reading: str = "T5-proof",
    lambda2: float | None = None,
) -> Any:
    """Return the slack of Theorem 5 or 7 as printed.

    Parameters
    ----------
    lambda1
        The share of disclosed dependence, or the largest neighbourhood: the paper has both.
    S3, R4
        Sum of the third raw moments, and the root of the sum of the fourth.
    sigma
        Standard deviation of the sum of the unknown records, 0 or more.
    n_eff
        Number of unknown records, positive.
    epsilon
        Nats, 0 to infinity; a number, or several.
    reading
        ``"T5-proof"`` (eq. 36), ``"T5-statement"``, ``"T7-proof"``, ``"T7-statement"`` or ``"T7-mixed"``.
    lambda2
        The share known, for the last two readings.

    Returns
    -------
    Slack or SlackCurve
        As printed; NaN where a root is one of a negative number, or sigma is 0.

    Raises
    ------
    BudgetError
        A number is outside its range or missing, or the reading is unknown.

    Examples
    --------
    >>> round(dependent_printed(0.2, 5, 1, 50, 10_000, 0.1).delta, 6)
    0.04845
    >>> dependent_printed(1, -90, 9.5, 3, 100, 0.3).state
    'undefined'
    """
    share, third, fourth = FINITE.take(lambda1, "lambda1"), FINITE.take(S3, "S3"), FINITE.take(R4, "R4")
    spread, size = NOT_NEGATIVE.take(sigma, "sigma"), POSITIVE.take(n_eff, "n_eff")
    chosen, levels = as_choice(reading, "reading", DEPENDENT_READINGS, BudgetError), epsilons_of(epsilon)
    known = None if lambda2 is None else FINITE.take(lambda2, "lambda2")
    proof = chosen in ("T5-proof", "T7-proof")
    if known is None and chosen in ("T7-statement", "T7-mixed"):
        raise BudgetError(
            f"lambda2 is missing; the reading {chosen!r} needs the share that is known.",
            Where("parameter", name="lambda2"),
        )
    if spread == 0 or (proof and share < 0):
        found = np.full(len(levels), math.nan)
    else:
        z = third / spread / spread / spread
        w = math.sqrt(26 / math.pi) * fourth / spread / spread
        squared = share if known is None or proof or chosen == "T5-statement" else known
        first = squared * squared * z
        second = share * (math.sqrt(share) if proof else share * share) * w
        rest = size**-0.5
        with np.errstate(over="ignore", invalid="ignore"):
            factor = 1 + np.exp(levels)
            if chosen == "T5-statement":
                found = _SCALE * _root(first + second * factor) + rest
            elif chosen == "T7-statement":
                found = _SCALE * _root(first + second * factor + rest)
            else:
                found = _SCALE * _root(np.full(len(levels), first + second)) * factor + rest
    about = f"sum of {size:.6g} unknown records, lambda1 = {share:.6g}"
    theorem = "5" if chosen.startswith("T5") else "7"
    return told(
        epsilon, found, "as printed", "all", about, f"{PAPER}, Theorem {theorem}, reading {chosen[3:]}"
    )


_SCALE = 2 * (2 / math.pi) ** 0.25


def _root(values: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.sqrt(np.where(values >= 0, values, math.nan))
    return found


def dependent_printed_epsilon(
    s: float, sigma: float, n_eff: float, k: int | None = None, eps1: float | None = None
) -> float:
    """Return the epsilon of Theorems 5 and 7 as printed, in nats; infinite for a sum that is certain."""
    change, spread = FINITE.take(s, "s"), NOT_NEGATIVE.take(sigma, "sigma")
    given = None if eps1 is None else POSITIVE.take(eps1, "eps1")
    c = multiplier_of(POSITIVE.take(n_eff, "n_eff"), change, k, given, spread).value
    return c * change / spread if spread > 0 else math.inf
