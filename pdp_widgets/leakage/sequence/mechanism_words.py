"""The mechanisms of a stream in a few words, for titles."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from pdp_widgets.leakage.sequence.release_levels import Step

__all__ = ["mechanism_words"]


def mechanism_words(mechanisms: Sequence[Step]) -> str:
    """Return the mechanism in words, with its budget where all steps have one.

    Examples
    --------
    >>> from pdp_widgets import BalancedResponse, ConditionalResponse
    >>> mechanism_words([ConditionalResponse(0.5)] * 3)
    'Conditional response, as printed, ε = 0.5'
    >>> mechanism_words([BalancedResponse(1.0), ConditionalResponse(1.0)])
    '2 mechanisms'
    """
    labels = sorted({_label(one) for one in mechanisms})
    if len(labels) != 1:
        return f"{len(labels)} mechanisms" if labels else "no release"
    budgets = {getattr(one, "epsilon", None) for one in mechanisms}
    budget = budgets.pop() if len(budgets) == 1 else None
    if budget is None:
        return labels[0]
    return f"{labels[0]}, ε = {'∞' if budget == inf else format(budget, '.6g')}"


def _label(mechanism: Step) -> str:
    named = getattr(mechanism, "label", None) or getattr(mechanism, "__name__", None)
    return str(named) if named and str(named) != "<lambda>" else "given channels"
