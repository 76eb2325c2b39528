"""A sound relative of Theorem 1: groups by a rule that ignores the data, of records that are sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.slack import Slack
from pdp_widgets.mechanisms.anonymity.parameters import as_inner
from pdp_widgets.mechanisms.local.parameters import as_epsilon, as_size

__all__ = ["SampledSlack", "sampled_groups_slack"]

#: Sizes looked at are at most so many; the largest k asks for these.
_MOST = 100_000


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


def sampled_groups_slack(k: int, beta: float, epsilon: float) -> SampledSlack:
    """Return a bound on the slack of the sizes of groups whose records are sampled.

    Parameters
    ----------
    k
        Groups with fewer sampled records are withheld, 1 or more.
    beta
        Probability that a record is kept, strictly between 0 and 1.
    epsilon
        Nats, at least -ln(1 - beta).

    Returns
    -------
    SampledSlack
        A bound for all events, whatever the group's size.

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
    from scipy.special import betainc

    group, kept, level = as_size(k, "k", 1, _MOST), as_inner(beta, "beta"), as_epsilon(epsilon)
    least = -math.log1p(-kept)
    if level < least:
        raise BudgetError(
            f"epsilon is {level:.12g}; with beta = {kept:.6g} it must be at least -ln(1 - beta) = "
            f"{least:.6g} nats.",
            Where("parameter", name="epsilon"),
        )
    share = 1 - (1 - kept) * math.exp(-level)
    start = max(1, math.floor(group / share) - 1)
    sizes = np.arange(start, start + 62 + 6 * group)
    # A product that rounding left just below a whole number is that number.
    needed = np.maximum(group, np.floor(share * sizes * (1 + 1e-12)) + 1)
    possible = needed <= sizes
    tails = np.zeros(len(sizes))
    tails[possible] = betainc(needed[possible], sizes[possible] - needed[possible] + 1, kept)
    best = int(np.argmax(tails))
    about = (
        f"sizes of groups sampled with probability {kept:.6g}, withheld below {group:,}, against one "
        "record less"
    )
    return SampledSlack(
        float(tails[best]),
        "bound",
        "all",
        level,
        about,
        "Li, Qardaji and Su, On sampling, anonymization, and differential privacy",
        int(sizes[best]) if tails[best] > 0 else 1,
    )
