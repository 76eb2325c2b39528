"""The paper's other searches: Theorem 5 over all complete paths, and Algorithm 2 along the largest ones.

Theorem 5's text follows every path from the strongest adversary on its own and takes the minimum at the end.
Algorithm 1 takes a minimum at every node instead. The first is never larger and sometimes smaller, because
|leakage + increment| does not always grow with the leakage.

The fast search is the chain rule along the largest adversaries of every layer only. Usually it ends above the
full search and sometimes below it. None of these is the leakage or a bound of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import AdversaryError, LimitError, Where
from pdp_widgets.leakage.adversary import listed_tuples, others
from pdp_widgets.leakage.prior.edge_bounds import checked_known_values, checked_release, gamma_bounds
from pdp_widgets.leakage.prior.edge_weights import EdgesOfTable
from pdp_widgets.leakage.value import About, Convention, Leakage, Unit
from pdp_widgets.models.labels import shown

__all__ = [
    "EdgesOut",
    "FastSearch",
    "checked_node",
    "complete_path_minimum",
    "edges_above",
    "fast_search",
    "path_minimum",
    "search",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

# Most values of all nodes of one layer (80 MB); 10 forgotten tuples never have more than 3.7 million.
_MOST_VALUES = 10_000_000
# Values closer than this part of the largest possible one count as one; the error adds up along a path.
_MERGE = 1e-14


def complete_path_minimum(
    table: Floats,
    contributions: Sequence[ArrayLike],
    scale: float,
    instance_positions: Sequence[int] | None,
    target: int,
    known: Iterable[int],
    convention: str = "instance",
) -> float:
    """Return the smallest estimate, in nats, over all complete paths to one adversary (Theorem 5, Eq. 14)."""
    # k forgotten tuples have k! paths. Each of the 2^k nodes on the way keeps all values that paths reach
    # there, but of those so large that no edge ahead turns them round only the smallest.
    n = table.ndim
    instance = checked_known_values(table, instance_positions, convention)
    target, fixed = checked_node(n, target, known)
    first = float(np.ptp(np.asarray(contributions[target], dtype=float))) / scale
    if instance is not None:
        # The known tuples never take other values: without their axes the graph is that of the others.
        kept = [j for j in range(n) if j not in fixed]
        table = table[tuple(x if k in fixed else slice(None) for k, x in enumerate(instance))]
        contributions = [contributions[j] for j in kept]
        instance = tuple(instance[j] for j in kept)
        n, target, fixed = len(kept), kept.index(target), ()
    low, high = gamma_bounds(table, contributions, scale, instance)
    return path_minimum(first, *edges_above(low, high, target, fixed))


def checked_node(n: int, target: int, known: Iterable[int]) -> tuple[int, tuple[int, ...]]:
    """Return target and known tuples, ascending, or raise AdversaryError."""
    listed = listed_tuples(known)
    for role, tuples in (("target", [target]), ("known", listed)):
        for j in tuples:
            if not is_whole(j) or not 0 <= j < n:
                raise AdversaryError(
                    f"There is no tuple {shown(j)}; positions run from 0 to {n - 1}.",
                    Where("parameter", name=role),
                )
    if len(set(listed)) < len(listed) or target in listed:
        culprit = target if target in listed else next(j for j in listed if listed.count(j) > 1)
        what = "attacked and known at once" if target in listed else "named twice among the known tuples"
        raise AdversaryError(
            f"Tuple {culprit} is {what}; name every tuple once.", Where("parameter", name="known")
        )
    return int(target), tuple(sorted(int(j) for j in listed))


def edges_above(low: Floats, high: Floats, target: int, known: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Pick the edges on paths to one adversary, shape (k, 2**k) each for k forgotten tuples."""
    # From increments [i, j, c] of the whole graph. Entry [p, s] is the edge that forgets the p-th of them and
    # ends where those of bitmask s are still known.
    n = len(low)
    rest = others(n, target)
    forgotten = np.array([j for j in rest if j not in known], dtype=np.intp)
    columns = np.array([sum(1 << p for p, j in enumerate(rest) if j in known)], dtype=np.intp)
    for p, j in enumerate(rest):
        if j not in known:
            columns = np.concatenate((columns, columns | 1 << p))
    where = np.ix_(forgotten, columns)
    part = low[target][where]
    return part, part if high is low else high[target][where]


def path_minimum(first: float, low: Floats, high: Floats) -> float:
    """Return the smallest value at the end of all complete paths."""
    k = len(low)
    if k == 0:
        return float(first)
    # On an edge the value v becomes |v - turn| + lift.
    turns, lifts = -np.nan_to_num(low + high) / 2, np.nan_to_num(high - low) / 2
    known = np.bitwise_count(np.arange(1 << k, dtype=np.uint64)).astype(np.intp)
    straight = _no_turn_from(turns, lifts, known)
    largest = first + k * float(np.nanmax(np.maximum(np.abs(low), np.abs(high)), initial=0.0))
    tolerance = max(_MERGE * largest, np.finfo(float).tiny)
    reached = {(1 << k) - 1: np.array([float(first)])}
    for count in range(k - 1, -1, -1):
        layer: dict[int, Floats] = {}
        total = 0
        for s in np.flatnonzero(known == count).tolist():
            offers = [
                np.abs(reached[s | 1 << p] - turns[p, s]) + lifts[p, s] for p in range(k) if not s >> p & 1
            ]
            layer[s] = _distinct(np.concatenate(offers), straight[s], tolerance)
            total += layer[s].size
            if total > _MOST_VALUES:
                raise LimitError(
                    f"The complete paths that forget {k} tuples reach more than {_MOST_VALUES:,} different "
                    f"values after {k - count} of them, {8e-6 * _MOST_VALUES:,.0f} MB in about "
                    f"{1e-7 * _MOST_VALUES:.0f} s; up to 10 forgotten tuples are always within the limit.",
                    Where("parameter", name="known"),
                )
        reached = layer
    return float(reached[0].min())


def _no_turn_from(turns: Floats, lifts: Floats, known: Integers) -> Floats:
    """Return for every node the value from which on no edge ahead turns values round."""
    # Among values from there on the smallest ends smallest on every path.
    k = len(turns)
    columns = np.arange(1 << k)
    needed = np.full(1 << k, -np.inf)
    for count in range(1, k + 1):
        nodes = columns[known == count]
        for p in range(k):
            stronger = nodes[nodes >> p & 1 == 1]
            weaker = stronger ^ 1 << p
            # From the turn on, v becomes v - turn + lift, and that must suffice further on.
            ahead = np.maximum(turns[p, weaker], needed[weaker] + turns[p, weaker] - lifts[p, weaker])
            needed[stronger] = np.maximum(needed[stronger], ahead)
    return needed


def _distinct(values: Floats, straight: float, tolerance: float) -> Floats:
    """Return the values that can still lead to the minimum, ascending."""
    values = np.sort(values)
    turning = int(np.searchsorted(values, straight))
    values = values[: turning + 1]
    cells = np.floor(values / tolerance)
    return np.asarray(values[np.concatenate(([True], cells[1:] > cells[:-1]))])


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
    """Search for the largest leakage along the n largest adversaries of every layer (Algorithm 2)."""
    # Only the edges on the way are computed, so that 20 tuples are quickly done. Nodes generated more than
    # once take the smallest value. "Largest" compares values rounded to 12 decimals, then targets, then known
    # tuples.
    table, contributions, scale = checked_release(table, contributions, scale)
    instance = checked_known_values(table, instance_positions, convention)
    seconds = _SECONDS_PER_LABEL * table.size * table.ndim**3 / 2
    if instance is None and seconds > _MOST_SECONDS:
        raise LimitError(
            f"All known values of {table.ndim} tuples with {table.size:,} rows take the fast search about "
            f"{seconds:,.0f} s and {24e-9 * table.size:.1f} GB; the limit is {_MOST_SECONDS:g} s.",
            Where("table"),
            call="With convention 'instance' there is one row.",
        )
    edges = EdgesOfTable(table, contributions, scale, instance)
    return search(edges.first, edges.out_of, "sup" if instance is None else "instance")


def search(first: Sequence[float], edges_out: EdgesOut, convention: Convention = "sup") -> FastSearch:
    """Run Algorithm 2 on a graph whose edges are asked for one adversary at a time."""
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
