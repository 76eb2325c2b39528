"""A Markov chain as a networkx graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.errors import ChainError, LimitError, Where

if TYPE_CHECKING:
    from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["chain_networkx"]

#: Edges of a graph of Python objects, about half a kilobyte each.
_MOST_EDGES = 1_000_000


def chain_networkx(chain: MarkovChain) -> Any:
    """Return a ``networkx.DiGraph``, see `MarkovChain.to_networkx`."""
    import networkx as nx

    walk = chain if chain.order == 1 else chain.pairs
    edges = int(np.count_nonzero(walk.transitions))
    if edges > _MOST_EDGES:
        raise LimitError(
            f"The chain has {edges:,} transitions that can happen; as networkx objects at most "
            f"{_MOST_EDGES:,} are given. Keep the most frequent states.",
            Where("parameter", name="chain"),
        )
    try:
        lasting = walk.stationary.tolist()
    except ChainError:
        # There are several.
        lasting = None
    pairs = [(before, last) for before in chain.states for last in chain.states]
    names = list(chain.states) if chain.order == 1 else pairs
    graph = nx.DiGraph(order=chain.order)
    for position, state in enumerate(names):
        more = {} if lasting is None else {"stationary": lasting[position]}
        graph.add_node(state, start=float(walk.start[position]), **more)
    for before, after in np.argwhere(walk.transitions > 0).tolist():
        graph.add_edge(names[before], names[after], probability=float(walk.transitions[before, after]))
    return graph
