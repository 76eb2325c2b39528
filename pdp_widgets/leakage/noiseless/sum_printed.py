"""Theorems 4 and 6 as printed: not to be trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.gaussian_step import multiplier_of
from pdp_widgets.leakage.noiseless.record_sum import as_record_sum
from pdp_widgets.leakage.noiseless.slack import PAPER, Slack
from pdp_widgets.mechanisms.anonymity.parameters import as_choice, as_number, as_positive

__all__ = ["DENOMINATORS", "PrintedSlack", "sum_printed", "sum_printed_aggregate"]

#: The sum of powers of variances, as typeset, or the power of their sum.
DENOMINATORS = ("sum_of_powers", "power_of_sum")

_SOURCE = f"{PAPER}, Theorems 4 and 6"


@dataclass(frozen=True)
class PrintedSlack(Slack):
    """An epsilon and a slack as a theorem prints them, with the multiplier they are made of.

    Parameters
    ----------
    delta, status, events, epsilon, about, source
        As for `Slack`; epsilon is that of the theorem, NaN where it has no value.
    multiplier
        The multiplier c', NaN where it has no value.
    most_multiplier
        The root of the logarithm of the number of records, NaN below one record.

    Examples
    --------
    >>> found = sum_printed([({0: 0.1, 1: 0.9}, 101)], 1)
    >>> round(found.delta, 2), found.state
    (-8.96, 'negative')
    """

    multiplier: float = math.nan
    most_multiplier: float = math.nan

    @property
    def covers(self) -> bool:
        """Whether the theorem's factor for exp(epsilon) is at least that, which it assumes without saying."""
        return bool(self.multiplier <= self.most_multiplier)


def sum_printed(
    records: Any,
    s: float,
    k: int | None = None,
    eps1: float | None = None,
    denominator: str = "sum_of_powers",
) -> PrintedSlack:
    """Return the epsilon and the slack of Theorem 4, or of Theorem 6 without the known records, as printed.

    Parameters
    ----------
    records
        All unknown records, the target's too: a RecordSum, or pairs of a law and a number of records.
    s
        The syntactic sensitivity, which the theorem takes for the change in the sum.
    k
        The group size of the second condition on the multiplier, or None to skip that.
    eps1
        The epsilon in the second condition; None for the one the theorem gives.
    denominator
        ``"sum_of_powers"``, as typeset, or ``"power_of_sum"``.

    Raises
    ------
    BudgetError
        A number is outside its range, or the denominator is unknown.

    Examples
    --------
    >>> found = sum_printed([({-1: 0.5, 1: 0.5}, 401)], 1)
    >>> round(found.epsilon, 6), round(found.delta, 6)
    (0.09963, 0.049938)
    """
    unknown, change = as_record_sum(records), as_number(s, "s")
    chosen = as_choice(denominator, "denominator", DENOMINATORS)
    given = None if eps1 is None else as_positive(eps1, "eps1")
    if k is not None:
        as_positive(s, "s")
    about = f"sum of {unknown.size:,} unknown records, s = {change:.6g}"
    if not unknown.size:
        return PrintedSlack(math.nan, "as printed", "all", math.nan, about, _SOURCE)
    third = sum(count * law.central(3) for law, count in unknown.records)
    variance = unknown.variance
    powers = (
        sum(count * law.variance**1.5 for law, count in unknown.records)
        if chosen == "sum_of_powers"
        else variance**1.5
    )
    return _printed(third, powers, variance, change, k, given, float(unknown.size), about)


def sum_printed_aggregate(
    T: float, V: float, B2: float, s: float, k: int | None, eps1: float | None, n_eff: float
) -> PrintedSlack:
    """Return the epsilon and the slack of Theorem 4 or 6 as printed, from sums over the records.

    Parameters
    ----------
    T, V, B2
        Sums of the third central moments, of the powers 3/2 of the variances, and of the variances.
    s, k, eps1
        As for `sum_printed`.
    n_eff
        Number of unknown records, positive; with a share known it need not be whole.

    Examples
    --------
    >>> found = sum_printed_aggregate(1, 100, 2500, 4, 10, 0.1, 10_000)
    >>> round(found.epsilon, 6), round(found.delta, 6)
    (0.205591, 0.035437)
    """
    size, variance = as_positive(n_eff, "n_eff"), as_positive(B2, "B2")
    third, powers = as_number(T, "T"), as_positive(V, "V", strict=False)
    change = as_number(s, "s")
    given = None if eps1 is None else as_positive(eps1, "eps1")
    about = f"sum of {size:.6g} unknown records, s = {change:.6g}"
    return _printed(third, powers, variance, change, k, given, size, about)


def _printed(
    third: float,
    powers: float,
    variance: float,
    s: float,
    k: Any,
    eps1: float | None,
    n_eff: float,
    about: str,
) -> PrintedSlack:
    spread = math.sqrt(variance)
    c = multiplier_of(n_eff, s, k, eps1, spread).value
    epsilon = c * s / spread if spread > 0 else math.inf
    logs = math.log(n_eff)
    most = math.sqrt(logs) if logs >= 0 else math.nan
    if powers == 0 or spread == 0 or math.isnan(most):
        delta = math.nan
    else:
        with np.errstate(over="ignore"):
            factor = 1 + float(np.exp(s * most / spread))
        delta = 1.1182 * (third / powers) * factor if third else 0.0
        delta += n_eff**-0.5
    return PrintedSlack(delta, "as printed", "all", epsilon, about, _SOURCE, c, most)
