"""The paper's fast search: the chain rule along the largest adversaries of every layer only (Algorithm 2).

Usually it ends above the full search and sometimes below it; neither is the leakage or a bound of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.adversary import others
from pdp_widgets.leakage.prior.edge_bounds import checked_known_values
from pdp_widgets.leakage.prior.edge_weights import EdgesOfTable
from pdp_widgets.leakage.value import About, Convention, Leakage, Unit

__all__ = ["EdgesOut", "FastSearch", "fast_search", "search"]

Floats = NDArray[np.float64]
EdgesOut = Callable[[int, tuple[int, ...]], Iterable[tuple[int, float, float]]]

_SOURCE = "Li, Ren, Yang and Yang, Algorithm 2"
# With all known values about n^3 / 2 edges read up to the whole table: measured for 20 binary tuples.
_SECONDS_PER_LABEL = 4e-9
_MOST_SECONDS = 60.0


@dataclass(frozen=True)
class FastSearch:
    """Outcome of a fast search: as printed in the paper, neither leakages nor bounds of them.

    Parameters
    ----------
    layer_max
        Largest kept value of layers 1 to n, in nats.
    leakage
        The largest of them, with the adversary it belongs to.
    kept
        For every layer (target, known tuples, value in nats) of the kept adversaries, largest value first.
        Layer 1 is whole; of every other layer at most n adversaries are kept.
    status
        Of all values: always ``"as printed"``.
    unit
        Always ``"nats"``.
    source
        Paper and algorithm.

    Examples
    --------
    >>> found = fast_search(np.array([[0.5, 0], [0, 0.5]]), [[0, 1], [0, 1]], 1.0, (0, 0))
    >>> isinstance(found, FastSearch), str(found.leakage)
    (True, '2 nats (as printed): x1, knowing none')
    >>> found.layer_max, found.status, found.unit
    ((1.0, 2.0), 'as printed', 'nats')
    """

    layer_max: tuple[float, ...]
    leakage: Leakage
    kept: tuple[tuple[tuple[int, tuple[int, ...], float], ...], ...]
    status: Literal["as printed"] = "as printed"
    unit: Unit = "nats"
    source: str = _SOURCE

    def __float__(self) -> float:
        return self.leakage.value


def fast_search(
    table: Floats,
    contributions: Sequence[ArrayLike],
    scale: float,
    instance_positions: Sequence[int] | None,
    convention: str = "instance",
) -> FastSearch:
    """Search for the largest leakage along the n largest adversaries of every layer (Algorithm 2).

    Only the edges on the way are computed, so that 20 tuples are quickly done.

    Parameters
    ----------
    table, contributions, scale, instance_positions, convention
        As for `pdp_widgets.leakage.prior.chain_rule.chain_all`.

    Raises
    ------
    AdversaryError
        There is no such convention.
    InstanceError
        The actual row is missing or has probability 0.
    LimitError
        With convention ``"sup"`` the work would take more than a minute.

    Notes
    -----
    Li, Ren, Yang and Yang, Algorithm 2. Nodes generated more than once take the smallest value. "Largest"
    compares values rounded to 12 decimals, then targets, then known tuples.

    Examples
    --------
    >>> found = fast_search(np.array([[0.3, 0.2], [0.2, 0.3]]), [[0, 1], [0, 1]], 1.0, (0, 0))
    >>> [round(value, 6) for value in found.layer_max]
    [1.0, 1.185376]
    >>> [(target, known, round(value, 6)) for target, known, value in found.kept[1]]
    [(0, (), 1.185376), (1, (), 1.185376)]
    """
    instance = checked_known_values(table, instance_positions, convention)
    seconds = _SECONDS_PER_LABEL * table.size * table.ndim**3 / 2
    if instance is None and seconds > _MOST_SECONDS:
        raise LimitError(
            f"All known values of {table.ndim} tuples with {table.size:,} rows take the fast search about "
            f"{seconds:,.0f} s and {24e-9 * table.size:.1f} GB; the limit is {_MOST_SECONDS:g} s. "
            "With convention 'instance' there is one row.",
            Where("table"),
        )
    edges = EdgesOfTable(table, contributions, scale, instance)
    return search(edges.first, edges.out_of, "sup" if instance is None else "instance")


def search(first: Sequence[float], edges_out: EdgesOut, convention: Convention = "sup") -> FastSearch:
    """Run Algorithm 2 on a graph whose edges are asked for one adversary at a time.

    Parameters
    ----------
    first
        Values of layer 1, one for each tuple.
    edges_out
        For (target, known) the edges that start there: forgotten tuple, smallest and largest increment, NaN
        where the edge is undefined.
    convention
        Which known values the increments belong to; without any, ``"sup"``.
    """
    n = len(first)
    layer = _largest({(i, others(n, i)): float(value) for i, value in enumerate(first)}, n)
    kept = [layer]
    for _ in range(n - 1):
        generated: dict[tuple[int, tuple[int, ...]], float] = {}
        for target, known, value in layer:
            for j, low, high in edges_out(target, known):
                # An undefined edge passes the value through.
                offer = value if isnan(low) else max(abs(value + low), abs(value + high))
                place = known.index(j)
                node = target, known[:place] + known[place + 1 :]
                generated[node] = min(offer, generated.get(node, offer))
        layer = _largest(generated, n)
        kept.append(layer)
    layer_max = tuple(max(value for _, _, value in nodes) for nodes in kept)
    target, known, value = max((node for nodes in kept for node in nodes), key=lambda node: node[2])
    leakage = Leakage(value, "as printed", About.numbered(target, known), convention, source=_SOURCE)
    return FastSearch(layer_max, leakage, tuple(kept))


def _largest(
    values: dict[tuple[int, tuple[int, ...]], float], n: int
) -> tuple[tuple[int, tuple[int, ...], float], ...]:
    ordered = sorted(values.items(), key=lambda item: (-round(item[1], 12), *item[0]))
    return tuple((target, known, value) for (target, known), value in ordered[:n])
