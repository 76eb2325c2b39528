"""The paper's estimate of all leakages: the chain rule along the weighted hierarchical graph, as printed.

The estimate is neither the leakage nor a bound of it; the exact value is in `exact_all`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_whole_numbers
from pdp_widgets.core.progress import Progress, ProgressHook
from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.leakage.prior.edge_bounds import checked_known_values, checked_release, gamma_bounds
from pdp_widgets.leakage.prior.edge_weights import EdgesOfTable, maximising
from pdp_widgets.leakage.value import About, Convention, Leakage, Unit

__all__ = [
    "NARROW",
    "ChainPath",
    "ChainRule",
    "chain_all",
    "chain_path",
    "lasting_scale",
    "layer_by_layer",
    "least_scale",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

_ALGORITHM = "Li, Ren, Yang and Yang, Algorithm 1"
_PATH = "Li, Ren, Yang and Yang, Theorem 5"


@dataclass(frozen=True, eq=False)
class ChainRule:
    """Estimates of all adversaries, in nats."""

    #: Shape (n, 2**(n - 1)): row i attacks tuple i; bit p of the column is set if the p-th other tuple is
    #: known.
    values: Floats
    #: Shape (n, 2**(n - 1), n): entry [i, c, j] was added on the edge into (i, c) that forgets tuple j. NaN
    #: where the edge is undefined, j is known in c, or j is i.
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
    1 nat (as printed): x1, knowing x2
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
    """Estimate the leakage of all adversaries, layer by layer (Theorems 2, 4 and 5; Algorithm 1)."""
    # Every adversary takes the smallest value offered by the adversaries who know one tuple more. The
    # increments of an edge belong to the known values of the actual row; with ``"sup"`` they are the union
    # over all known values of positive probability, one number for each adversary. Time O(n^2 log n 2^n) for
    # binary tables, with ``"sup"`` O(n^2 3^n); memory n^2 2^(n - 1) numbers.
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
    """Return the values of all nodes by Algorithm 1."""
    # ``first`` is layer 1 (Theorem 4). ``low`` and ``high`` have the smallest and largest increment of every
    # edge, [i, j, c]; they are one array if every edge has a single increment. Progress counts all layers but
    # the first.
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
    for many in range(m - 1, -1, -1):
        members = columns[known == many]
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
    """Estimate the leakage along one path, forgetting one tuple after the other (Theorem 5, Eq. 14)."""
    table, contributions, scale = checked_release(table, contributions, scale)
    n = table.ndim
    instance = checked_known_values(table, instance_positions, convention)
    order = as_whole_numbers(order, "order", AdversaryError).ravel().tolist()
    if not is_whole(target) or not 0 <= target < n:
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


#: Part of a scale that is not looked into: a change of sign within it is taken for the only one.
NARROW = 1e-4


def least_scale(
    estimates: Callable[[float], Floats], reaches: Floats, target: float, enough: float, most: float
) -> float:
    """Return the least scale at which all estimates are at most the target, or 0."""
    # Estimates are a function of 1 / scale, and change at most by ``reaches`` with it. ``enough`` is 1 /
    # scale of a scale that is enough, ``most`` the largest 1 / scale to look at: estimates small enough there
    # make the answer 0.
    excess = _excess(estimates, reaches, target)
    at = most
    over, step = excess(at)
    if over <= 0:
        return 0.0
    for steps in count():
        # A place many times nearer to 0 would be rounded on the scale of this one.
        step = min(step, at / 2)
        if at - step <= enough:
            return 1.0 / enough
        narrow = _narrow(steps) * at
        if step >= narrow:
            at -= step
            over, step = excess(at)
            if over <= 0:
                return 1.0 / at
            continue
        # Close by: look a little further down, and halve the bracket if there is a change of sign.
        low = max(enough, at - 2 * narrow)
        over, step = excess(low)
        if over <= 0:
            return 1.0 / _halved(excess, low, at)
        at = low
    raise AssertionError  # the steps end at enough


def lasting_scale(
    estimates: Callable[[float], Floats], reaches: Floats, target: float, enough: float, most: float
) -> float:
    """Return the least scale from which on all estimates are at most the target, at least 1 / most."""
    excess = _excess(estimates, reaches, target)
    at = enough
    for steps in count():
        _, step = excess(at)
        ahead = max(-step, 2 * _narrow(steps) * at)
        if at + ahead >= most:
            return 1.0 / most
        if -step < ahead and excess(at + ahead)[0] > 0:
            return 1.0 / _halved(excess, at, at + ahead)
        at += ahead
    raise AssertionError  # the steps end at most


def _narrow(steps: int) -> float:
    """Return the part of a scale that is not looked into; larger if the search takes long."""
    return NARROW * 2.0 ** (max(0, steps - 1500) // 500)


def _excess(
    estimates: Callable[[float], Floats], reaches: Floats, target: float
) -> Callable[[float], tuple[float, float]]:
    """Return a function of 1 / scale: largest excess, and distance to the next zero at least."""
    # Where nothing moves the query the estimate is 0 at every scale.
    moving = reaches > 0

    def excess(inverse: float) -> tuple[float, float]:
        over = estimates(inverse)[moving] - target
        return float(over.max()), float((over / reaches[moving]).max())

    return excess


def _halved(excess: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """Return where the excess changes sign between two values of 1 / scale, on the side of the lower one."""
    for _ in range(30):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if excess(middle)[0] <= 0:
            low = middle
        else:
            high = middle
    return low
