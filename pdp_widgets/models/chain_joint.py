"""The joint distribution of the first symbols of a Markov chain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pdp_widgets.errors import ChainError, LimitError, Where
from pdp_widgets.models.chain_parameters import as_count
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown

if TYPE_CHECKING:
    from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["chain_joint"]

_MOST_CELLS = 1 << 20


def chain_joint(chain: MarkovChain, steps: int) -> JointDistribution:
    """Return one tuple for each step, see `MarkovChain.joint`."""
    length = as_count(steps, "steps")
    if not length:
        raise ChainError(
            "There is no step; a joint distribution needs one.", Where("parameter", name="steps")
        )
    if length > 60 or length * math.log(max(chain.n, 1)) > math.log(_MOST_CELLS) + 1e-9:
        raise LimitError(
            f"{shown(length)} steps of {chain.n} symbols make more than {_MOST_CELLS:,} streams; "
            "take fewer steps.",
            Where("parameter", name="steps"),
        )
    table = chain.start
    for step in range(1, length):
        if chain.order == 1 or step == 1:
            table = table[..., None] * (chain.transitions if chain.early is None else chain.early)
        else:
            table = table[..., None] * chain.transitions
    return JointDistribution.normalised(
        table, [chain.states] * length, [f"step {step}" for step in range(1, length + 1)]
    )
