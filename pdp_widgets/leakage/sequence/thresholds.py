"""From which budget on the printed closed form keeps its promise along a symmetric chain of two symbols."""

from __future__ import annotations

from math import inf, log

from pdp_widgets.mechanisms.local.parameters import as_probability

__all__ = ["crr_valid_threshold"]


def crr_valid_threshold(stay: float) -> float:
    """Return the least budget with which conditional response keeps its promise at every step.

    Parameters
    ----------
    stay
        Probability that a symbol of the chain is followed by itself. The chain is symmetric, and its first
        symbol no rarer than 1 / (1 + exp(budget)).

    Returns
    -------
    float
        In nats; 0 where every budget will do, infinite where none does.

    Examples
    --------
    >>> crr_valid_threshold(0.6), round(crr_valid_threshold(0.9), 6), crr_valid_threshold(1.0)
    (0.0, 2.079442, inf)
    """
    same = _same(stay)
    # The largest belief that keeps returning must not leave the other symbol below 1 / (1 + e^eps).
    if same <= 2 / 3:
        return 0.0
    return inf if same == 1 else max(0.0, log((2 * same - 1) / (1 - same)))


def _same(stay: float) -> float:
    """Return the larger probability: swapping the symbols at every other step changes nothing that counts."""
    share = as_probability(stay, "stay")
    return max(share, 1 - share)
