"""The numbers of an analysis of dependent tuples as a table: one tuple a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pdp_widgets.leakage.dependent.about import SOURCE
from pdp_widgets.leakage.number_table import Numbers, epsilon_words
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.labels import short
from pdp_widgets.models.rounding_rule import at_most

if TYPE_CHECKING:
    from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis

__all__ = ["dependence_numbers"]


def dependence_numbers(analysis: DependenceAnalysis) -> Numbers:
    """Return a row for every tuple: promised, exact, the paper's estimate and the bound.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
    >>> dependence_numbers(DependenceAnalysis(agreeing_bits(), scale=2.0)).columns["DP loss"].tolist()
    [0.5, 0.5]
    """
    block_of = {j: k for k, block in enumerate(analysis.blocks) for j in block}
    pairs: list[Any] = [None if one.attained is None else one.attained.pair for one in analysis.per_tuple]
    adversary = f"known: {', '.join(map(short, analysis.known))}" if analysis.known else "no tuple is known"
    if analysis.worst:
        adversary = "known: for each tuple the others that tell most about it"
    unproved = analysis.unproved
    return Numbers(
        {
            "tuple": list(analysis.joint.tuples),
            "block": [block_of[j] + 1 for j in range(analysis.joint.n)],
            "sensitivity": analysis.sensitivities,
            "promised": analysis.epsilon,
            **({"known": [_known(one) for one in analysis.per_tuple]} if analysis.worst else {}),
            "leakage": [float(one) for one in analysis.per_tuple],
            "over": [float(one) > at_most(analysis.epsilon) for one in analysis.per_tuple],
            "DP loss": analysis.dp_losses,
            "paper's estimate": [float(one) for one in analysis.paper_estimates],
            "mean bound": [float(one) for one in analysis.mean_bounds],
            "more likely": [None if pair is None else pair[0] for pair in pairs],
            "less likely": [None if pair is None else pair[1] for pair in pairs],
        },
        {
            "tuple": "text",
            "block": "count",
            "promised": "parameter",
            **({"known": "text"} if analysis.worst else {}),
            "leakage": "nats",
            "DP loss": "nats",
            "paper's estimate": "nats",
            "mean bound": "bound",
        },
        {
            "unit": "nats",
            "source": SOURCE,
            "status": {
                "leakage": "exact",
                "DP loss": "exact",
                "paper's estimate": "as printed",
                "mean bound": "estimate" if unproved else "bound",
            },
            "scale": analysis.scale,
            "mechanism": analysis.mechanism if analysis.given_scale is None else "scale",
            "known": "worst" if analysis.worst else list(analysis.known),
            "guaranteed": analysis.guaranteed,
        },
        (
            epsilon_words(analysis.epsilon),
            f"scale {analysis.scale:.6g}: {analysis.mechanism_label}",
            adversary,
            *((f"means of distances: {unproved}",) if unproved else ()),
        ),
    )


def _known(leakage: Leakage) -> str:
    """Return what is known of other tuples, with the values where most is learned."""
    where: Any = leakage.attained
    told = () if where is None else where.known
    return ", ".join(f"{short(name)} = {short(value)}" for name, value in told) or "none"
