"""How probable the worst report of a pair is under the two values of the secret that it tells apart."""

from __future__ import annotations

from math import comb, exp, inf

from pdp_widgets.leakage.local.pair_leakage import PairLeakage
from pdp_widgets.mechanisms.local.local_hashing import LocalHashing
from pdp_widgets.mechanisms.local.randomised_response import RandomisedResponse
from pdp_widgets.mechanisms.local.subset_selection import SS
from pdp_widgets.mechanisms.local.unary_encoding import UnaryEncoding

__all__ = ["worst_report_chances"]

_LARGEST = 1e290


def worst_report_chances(found: PairLeakage, k: int) -> tuple[float, float] | None:
    """Return the chance of the worst report under the more and under the less likely value of the secret.

    Parameters
    ----------
    found
        The leakage of a pair.
    k
        Number of symbols of the source.

    Returns
    -------
    chances
        Their ratio is the exponential of the leakage. None where nothing leaks, where no mechanism is named,
        for reports that are real numbers (SHE), and where the chances are too small for a float. For local
        hashing, that the reported group is the favoured set, given a hash function with such a group.

    Examples
    --------
    >>> from pdp_widgets import GRR, titanic
    >>> from pdp_widgets.leakage.local.pair_leakage import pair_leakage
    >>> found = pair_leakage(titanic().marginal(["survived", "class"]), GRR(1.0))
    >>> [round(chance, 3) for chance in worst_report_chances(found, 4)]
    [0.261, 0.199]
    """
    masses, levels = found.masses, _levels(found, k)
    if masses is None or levels is None:
        return None
    inside, outside = levels
    first, second = (inside * mass + outside * max(0.0, 1 - mass) for mass in masses)
    return (first, second) if first > 0 and (second > 0 or outside == 0) else None


def _levels(found: PairLeakage, k: int) -> tuple[float, float] | None:
    """Return the probability of the worst report for a symbol that it favours, and for another one."""
    mechanism, chosen = found.mechanism, len(found.symbols)
    if found.output == "inferred" or isinstance(mechanism, RandomisedResponse):
        guess = mechanism.inferred(k)
        return guess.keep, guess.other
    if isinstance(mechanism, SS):
        low = exp(-mechanism.epsilon)
        with_it, without = comb(k - 1, chosen - 1), comb(k - 1, chosen)
        if max(with_it, without) > _LARGEST:
            return None
        each = 1 / (with_it + low * without)
        return each, low * each
    if isinstance(mechanism, UnaryEncoding):
        rates = mechanism.rates()
        rest = rates.q ** (chosen - 1) * (1 - rates.q) ** (k - chosen - 1)
        return rates.p * rest * (1 - rates.q), rates.lost * rest * rates.q
    if isinstance(mechanism, LocalHashing):
        if mechanism.groups == inf:
            return 1.0, 0.0
        total = 1 + mechanism.wrong_weight()
        return 1 / total, exp(-mechanism.epsilon) / total
    return None
