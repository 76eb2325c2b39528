"""The edges of one adversary as a browser lists them."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.adversary import others
from pdp_widgets.leakage.prior.analysis import PriorAnalysis

__all__ = ["MOST_LINKED", "edge_state"]

#: Up to so many tuples the edges of the chosen adversary travel with every view.
MOST_LINKED = 10


def edge_state(analysis: PriorAnalysis, target: int, known: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return IC, IR and correlation of all edges at one adversary; none beyond `MOST_LINKED` tuples.

    Parameters
    ----------
    analysis
        The results.
    target, known
        The adversary.

    Returns
    -------
    edges
        For each of the other tuples ``removed`` and ``known``, what the weaker end knows. ``ic`` (nats) and
        ``ir``: the smallest and the largest, as printed in the paper; ``rho``: exact. None where undefined.
    """
    n = analysis.distribution.n_tuples
    if n > MOST_LINKED:
        return []
    edges = []
    for j in others(n, target):
        weaker = tuple(k for k in known if k != j)
        weight = analysis.edge(target, j, weaker)
        edges.append(
            {
                "known": weaker,
                "removed": j,
                "ic": weight.ic_range,
                "ir": weight.ir_range,
                "rho": weight.rho,
            }
        )
    return edges
