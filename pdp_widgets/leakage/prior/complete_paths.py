"""The smallest estimate over all complete paths to one adversary (Theorem 5): an inspection tool.

Theorem 5's text follows every path from the strongest adversary on its own and takes the minimum at the end.
Algorithm 1 takes a minimum at every node instead. The first is never larger and sometimes smaller, because
|leakage + increment| does not always grow with the leakage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import AdversaryError, LimitError, Where
from pdp_widgets.leakage.adversary import others
from pdp_widgets.leakage.prior.edge_bounds import checked_known_values, gamma_bounds
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.labels import shown

__all__ = ["checked_node", "complete_path_minimum", "edges_above", "path_minimum"]

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
    """Return the smallest estimate, in nats, over all complete paths to one adversary (Theorem 5, Eq. 14).

    Parameters
    ----------
    table, contributions, scale, instance_positions, convention
        As for `pdp_widgets.leakage.prior.chain_rule.chain_all`.
    target
        Position of the attacked tuple.
    known
        Positions of the known tuples: where the paths end.

    Returns
    -------
    minimum
        As printed in the paper: neither the leakage nor a bound of it. Never above the value of Algorithm 1.

    Raises
    ------
    AdversaryError
        A tuple does not exist, is known twice, or is both attacked and known; or there is no such convention.
    InstanceError
        The actual row is missing or has probability 0.
    LimitError
        The paths reach too many different values; 10 forgotten tuples always pass. Or the edges are too
        many, as for `pdp_widgets.leakage.prior.chain_rule.chain_all`.

    Notes
    -----
    k forgotten tuples have k! paths. Each of the 2^k nodes on the way keeps all values that paths reach
    there, but of those so large that no edge ahead turns them round only the smallest.

    Examples
    --------
    >>> table = np.array([[0.3, 0.2], [0.2, 0.3]])
    >>> round(complete_path_minimum(table, [[0, 1], [0, 1]], 1.0, (0, 0), target=0, known=[]), 6)
    1.185376
    """
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
    listed = list(known)
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
    """Pick the edges on paths to one adversary.

    Parameters
    ----------
    low, high
        Increments [i, j, c] of the whole graph.
    target, known
        Where the paths end.

    Returns
    -------
    low, high
        Shape (k, 2**k) for k forgotten tuples: [p, s] is the edge that forgets the p-th of them and ends
        where those of bitmask s are still known.
    """
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
    """Return the smallest value at the end of all complete paths.

    Parameters
    ----------
    first
        Value of the strongest adversary.
    low, high
        Increments as of `edges_above`; NaN where undefined: the value passes through.
    """
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
    """Return for every node the value from which on no edge ahead turns values round.

    Among values from there on the smallest ends smallest on every path.
    """
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
