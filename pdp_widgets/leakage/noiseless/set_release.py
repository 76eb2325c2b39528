"""The exact slack where the selected records themselves are published."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.slack import PAPER, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.mechanisms.anonymity.binomial_law import binomial_law
from pdp_widgets.mechanisms.anonymity.parameters import as_inner
from pdp_widgets.mechanisms.local.parameters import as_size

__all__ = ["LARGEST_SET", "set_release_slack"]

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
    share = as_inner(p, "p")
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
