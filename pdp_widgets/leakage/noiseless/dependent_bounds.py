"""Proved bounds for a sum of locally dependent records: Theorems 5 and 7 without what does not hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.slack import PAPER, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.leakage.noiseless.sum_bounds import bounded_events, normal_bound
from pdp_widgets.mechanisms.anonymity.parameters import LARGEST_COUNT, as_number, as_positive
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.models.labels import shown

__all__ = ["ROSS", "dependent_bound", "dependent_distance"]

#: The constant under the root of Ross's Theorem 3.6; both occur in print, either is safe for a dependency
# graph.
ROSS = (28, 26)

_SOURCE = f"{PAPER}, Theorems 5 and 7, corrected"


def dependent_distance(D: int, abs3: float, m4: float, sigma: float, constant: int = 28) -> float | None:
    """Return a bound on the distance of a sum of locally dependent records from the normal law.

    Parameters
    ----------
    D
        The largest neighbourhood, the record itself counted, 1 or more. Sets of records without an edge
        between them are independent.
    abs3, m4
        Sums of the absolute third and of the fourth central moments of the records.
    sigma
        Standard deviation of the sum, 0 or more.
    constant
        28 or 26, as in either print of Ross's theorem.

    Returns
    -------
    float or None
        The largest difference of the distribution functions is at most this; None for a sum that is certain.

    Raises
    ------
    BudgetError
        A number is outside its range.

    Notes
    -----
    Ross, "Fundamentals of Stein's method" (2011), Theorem 3.6, and the step from Wasserstein's distance to
    that of distribution functions.

    Examples
    --------
    >>> round(dependent_distance(1, 5, 1, 50), 8)
    0.03138026
    """
    size = as_size(D, "D", 1, LARGEST_COUNT)
    third = as_positive(abs3, "abs3", strict=False)
    fourth = as_positive(m4, "m4", strict=False)
    spread = as_positive(sigma, "sigma", strict=False)
    if constant not in ROSS or isinstance(constant, bool):
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
    moved = abs(as_number(shift, "shift"))
    spread = as_positive(sigma, "sigma", strict=False)
    found = normal_bound(levels, math.nan if distance is None else distance, moved, spread, chosen)
    about = f"sum of records with neighbourhoods of at most {D:,}, against the sum {moved:.6g} higher"
    return told(epsilon, found, "bound", chosen, about, _SOURCE)
