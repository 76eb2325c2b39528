"""The paper's estimate of all leakages: the chain rule along the weighted hierarchical graph, as printed.

The estimate is neither the leakage nor a bound of it; the exact value is in `exact_all`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.leakage.prior.edge_bounds import checked_known_values, gamma_bounds
from pdp_widgets.leakage.prior.edge_weights import EdgesOfTable, maximising
from pdp_widgets.leakage.progress import Progress, ProgressHook
from pdp_widgets.leakage.value import About, Convention, Leakage, Unit

__all__ = ["ChainPath", "ChainRule", "chain_all", "chain_path", "layer_by_layer"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

_ALGORITHM = "Li, Ren, Yang and Yang, Algorithm 1"
_PATH = "Li, Ren, Yang and Yang, Theorem 5"


@dataclass(frozen=True, eq=False)
class ChainRule:
    """Estimates of all adversaries.

    Parameters
    ----------
    values
        In nats, shape ``(n, 2**(n - 1))``: row i attacks tuple i; bit p of the column is set if the p-th of
        the other tuples is known.
    increments
        In nats, shape ``(n, 2**(n - 1), n)``: entry [i, c, j] was added on the edge into (i, c) that forgets
        tuple j. NaN where the edge is undefined, j is known in c, or j is i.
    status
        Of all numbers: always ``"as printed"``.
    unit
        Always ``"nats"``.
    source
        Paper and algorithm.

    Examples
    --------
    >>> estimates = chain_all(np.array([[0.5, 0], [0, 0.5]]), [[0, 1], [0, 1]], 1.0, (0, 0))
    >>> isinstance(estimates, ChainRule), estimates.values.tolist(), estimates.status
    (True, [[2.0, 1.0], [2.0, 1.0]], 'as printed')
    """

    values: Floats
    increments: Floats
    status: Literal["as printed"] = "as printed"
    unit: Unit = "nats"
    source: str = _ALGORITHM


@dataclass(frozen=True)
class ChainPath:
    """Estimates along one path of the graph.

    Parameters
    ----------
    values
        The k + 1 node values in nats, from the strongest adversary on.
    edge_values
        The k increments in nats; 0 where the edge is undefined.
    about
        The k + 1 adversaries.
    convention
        Which known values count.
    status
        Of all numbers: always ``"as printed"``.
    unit
        Always ``"nats"``.
    source
        Paper and equation.

    Examples
    --------
    >>> path = chain_path(np.array([[0.5, 0], [0, 0.5]]), [[0, 1], [0, 1]], 1.0, (0, 0), target=0, order=[1])
    >>> isinstance(path, ChainPath), path.edge_values
    (True, (1.0,))
    >>> for leakage in path.leakages:
    ...     print(leakage)
    1 nats (as printed): x1, knowing x2
    2 nats (as printed): x1, knowing none
    """

    values: tuple[float, ...]
    edge_values: tuple[float, ...]
    about: tuple[About, ...]
    convention: Convention = "instance"
    status: Literal["as printed"] = "as printed"
    unit: Unit = "nats"
    source: str = _PATH

    @property
    def leakages(self) -> tuple[Leakage, ...]:
        """The node values, each with the adversary it is about."""
        return tuple(
            Leakage(value, self.status, about, self.convention, self.unit, source=self.source)
            for value, about in zip(self.values, self.about, strict=True)
        )


def chain_all(
    table: Floats,
    contributions: Sequence[ArrayLike],
    scale: float,
    instance_positions: Sequence[int] | None,
    convention: str = "instance",
    *,
    progress: ProgressHook | None = None,
) -> ChainRule:
    """Estimate the leakage of all adversaries, layer by layer (Theorems 2, 4 and 5; Algorithm 1).

    Every adversary takes the smallest value offered by the adversaries who know one tuple more.

    Parameters
    ----------
    table
        Probabilities, axis j of tuple j, any domain sizes.
    contributions
        Contribution of every label, one array per tuple, in units of the query.
    scale
        Scale of the noise, in units of the query.
    instance_positions
        Position of the actual label of each tuple: the row the known values come from. With convention
        ``"sup"`` it is not used and may be None.
    convention
        ``"instance"``: the increments of an edge belong to the known values of the actual row. ``"sup"``:
        they are the union over all known values of positive probability, one number for each adversary.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels the computation.

    Returns
    -------
    estimates
        Values of all nodes and increments of all edges. On an edge with several increments it is the one
        that moves the value furthest from 0, the larger of two within 1e-12.

    Raises
    ------
    AdversaryError
        There is no such convention.
    InstanceError
        The actual row is missing or has probability 0.
    LimitError
        The arrays would take more than 0.8 GB each; with ``"sup"`` more than 13 binary tuples.

    Notes
    -----
    Time O(n^2 log n 2^n) for binary tables, with ``"sup"`` O(n^2 3^n); memory n^2 2^(n - 1) numbers.

    Examples
    --------
    >>> estimates = chain_all(np.array([[0.3, 0.2], [0.2, 0.3]]), [[0, 1], [0, 1]], 1.0, (0, 0))
    >>> estimates.values.round(6).tolist()
    [[1.185376, 1.0], [1.185376, 1.0]]
    """
    instance = checked_known_values(table, instance_positions, convention)
    n = table.ndim
    # The increments of all edges take about as long as the layers together.
    counted = Progress(progress, 2 * n)
    low, high = gamma_bounds(table, contributions, scale, instance, counted)
    first = np.array([np.ptp(np.asarray(y, dtype=float)) / scale for y in contributions])
    values = layer_by_layer(first, low, high, counted)
    increments = high if low is high else _maximising_increments(values, low, high)
    counted.finish()
    return ChainRule(values, increments.transpose(0, 2, 1))


def layer_by_layer(first: Floats, low: Floats, high: Floats, progress: Progress | None = None) -> Floats:
    """Return the values of all nodes by Algorithm 1.

    Parameters
    ----------
    first
        Values of layer 1, one for each tuple (Theorem 4).
    low, high
        Smallest and largest increment of every edge, [i, j, c], as of `gamma_bounds`; one array if every
        edge has a single increment.
    progress
        Counts the layers, all but the first.
    """
    n = len(first)
    progress = progress or Progress(None)
    values = np.full((n, 1 << (n - 1)), np.inf)
    values[:, -1] = first
    rows = np.arange(n)
    extremes = (low,) if low is high else (low, high)
    steps = [[g[rows, p + (p >= rows)] for g in extremes] for p in range(n - 1)]
    # From strong to weak, so that all offers to a layer are final.
    for layer in _layers(n - 1):
        for p, (weaker, stronger) in enumerate(layer):
            source = values.take(stronger, axis=1)
            offers = [np.abs(source + _defined(g.take(weaker, axis=1))) for g in steps[p]]
            offer = offers[0] if len(offers) == 1 else np.maximum(*offers)
            values[:, weaker] = np.minimum(values.take(weaker, axis=1), offer)
        progress.step()
    return values


def _defined(increments: Floats) -> Floats:
    """Return increments in which an undefined edge counts as 0: it passes the value through."""
    return increments if np.isfinite(increments).all() else np.nan_to_num(increments, nan=0.0)


def _maximising_increments(values: Floats, low: Floats, high: Floats) -> Floats:
    """Choose between the extreme increments of every edge; overwrites and returns ``high``."""
    n = len(values)
    for i in range(n):
        for p, j in enumerate(k for k in range(n) if k != i):
            shape = (-1, 2, 1 << p)
            leakage = values[i].reshape(shape)[:, 1]
            lower, upper = low[i, j].reshape(shape)[:, 0], high[i, j].reshape(shape)[:, 0]
            down = np.abs(leakage + lower)
            other = np.abs(leakage + upper) < down - 1e-12 * np.minimum(1.0, down)
            np.copyto(upper, lower, where=other)
    return high


@lru_cache(maxsize=4)
def _layers(m: int) -> tuple[tuple[tuple[Integers, Integers], ...], ...]:
    """List, from strong to weak, for every layer and every bit the columns without it and with it."""
    columns = np.arange(1 << m, dtype=np.intp)
    known = np.bitwise_count(columns)
    layers = []
    for count in range(m - 1, -1, -1):
        members = columns[known == count]
        pairs = []
        for p in range(m):
            weaker = members[members >> p & 1 == 0]
            pairs.append((weaker, weaker | 1 << p))
        layers.append(tuple(pairs))
    return tuple(layers)


def chain_path(
    table: Floats,
    contributions: Sequence[ArrayLike],
    scale: float,
    instance_positions: Sequence[int] | None,
    target: int,
    order: Sequence[int],
    convention: str = "instance",
) -> ChainPath:
    """Estimate the leakage along one path, forgetting one tuple after the other (Theorem 5, Eq. 14).

    Parameters
    ----------
    table, contributions, scale, instance_positions
        As for `chain_all`.
    target
        Position of the attacked tuple.
    order
        Tuples to forget, starting from the adversary who knows all but the target; may stop early.
    convention
        As for `chain_all`.

    Raises
    ------
    AdversaryError
        A tuple does not exist, is the target, or is forgotten twice; or there is no such convention.
    InstanceError
        The actual row is missing or has probability 0.

    Examples
    --------
    >>> table = np.array([[0.3, 0.2], [0.2, 0.3]])
    >>> path = chain_path(table, [[0, 1], [0, 1]], 1.0, (0, 0), target=0, order=[1])
    >>> [round(value, 6) for value in path.values]
    [1.0, 1.185376]
    """
    n = table.ndim
    instance = checked_known_values(table, instance_positions, convention)
    if not 0 <= target < n:
        raise AdversaryError(
            f"There is no tuple {target}; positions run from 0 to {n - 1}.", Where("parameter", name="target")
        )
    for step, j in enumerate(order):
        if not 0 <= j < n or j == target or j in order[:step]:
            raise AdversaryError(
                f"Tuple {j} cannot be forgotten; "
                f"give tuples from 0 to {n - 1} other than {target}, each once.",
                Where("parameter", name="order"),
            )
    edges = EdgesOfTable(table, contributions, scale, instance)
    known = [j for j in range(n) if j != target]
    values = [edges.first[target]]
    edge_values = []
    for j in order:
        known.remove(j)
        low, high = edges.extremes(target, j, known)
        # An undefined edge passes the value through.
        increment = 0.0 if np.isnan(low) else maximising(values[-1], low, high)
        edge_values.append(increment)
        values.append(abs(values[-1] + increment))
    left = [set(order[:step]) for step in range(len(values))]
    about = [About.numbered(target, [k for k in range(n) if k != target and k not in gone]) for gone in left]
    return ChainPath(
        tuple(values), tuple(edge_values), tuple(about), "sup" if instance is None else "instance"
    )
