"""What a page without a kernel needs to let a stream go on: chains, budgets, distances, data."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.widgets.stream_state import StreamState
from pdp_widgets.widgets.wire import float_bytes

__all__ = ["stream_embedded"]

#: States of a chain of second order: a page keeps what is believed about pairs.
_MOST_PAIRED = 30
#: Probabilities of all chains: 2 MB.
_MOST_NUMBERS = 1 << 18


def stream_embedded(core: StreamState) -> dict[str, Any]:
    """Return what the view of a stream does not say; nothing where its chains are too large for a page.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> made = stream_embedded(StreamState(MarkovChain.symmetric(0.9), 0.5, None, 30, 1e-5, None, 1))
    >>> made["segments"], len(made["chains"]), made["data"]
    ([{'first': 1, 'epsilon': 0.5, 'chain': 0}], 1, None)
    """
    if core.chain.order == 2 and core.chain.n > _MOST_PAIRED:
        return {}
    script = core.script
    chains: list[MarkovChain] = []
    segments = [
        {"first": each.first, "epsilon": each.epsilon, "chain": _place(chains, each.chain)}
        for each in script.segments
    ]
    # What stands in the controls can differ from what holds at the position.
    now = _place(chains, core.chain)
    if sum(chain.transitions.size for chain in chains) > _MOST_NUMBERS:
        return {}
    data = script.data
    return {
        "chains": [
            {
                "start": float_bytes(chain.start),
                "transitions": float_bytes(chain.transitions),
                "early": None if chain.early is None else float_bytes(chain.early),
            }
            for chain in chains
        ],
        "segments": segments,
        "chain": now,
        "distances": float_bytes(distance_matrix(script.distance, script.n)),
        "plain": core.distance is None or core.distance.answers is None,
        "delta": core.delta,
        "data": None if data is None else np.ascontiguousarray(data[: script.steps], "<u2").tobytes(),
    }


def _place(chains: list[MarkovChain], chain: MarkovChain) -> int:
    """Return where a chain stands in a list, which it is added to if it is not there."""
    if chain not in chains:
        chains.append(chain)
    return chains.index(chain)
