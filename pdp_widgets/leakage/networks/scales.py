"""The least noise that keeps a promise, and what long sums leak in the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import SCALE
from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import ChainError, LimitError, Where
from pdp_widgets.leakage.networks.branches import MOST_OPTIONS, connected_sets
from pdp_widgets.leakage.networks.laws import (
    Lattice,
    Ratio,
    Rows,
    densities,
    largest_ratio,
    law_of,
    laws_of_all,
    noiseless_ratio,
)
from pdp_widgets.leakage.networks.worst import Search
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.models.chain_checks import as_laws
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.networks.elimination import (
    Arithmetic,
    component_of,
    in_logs_too,
)
from pdp_widgets.models.networks.network import Network

__all__ = [
    "KnowingNone",
    "associative_limit",
    "group_reach",
    "least_scale",
    "noiseless_of_anyone",
    "scale_against_anyone",
]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

#: Relative width at which a search for a scale ends, and halvings it makes at most.
_NARROW, _MOST_HALVINGS = 1e-12, 1100
_PARTS = ("values", "feasible")
#: Numbers of laws that are computed with at once.
_MOST_AT_ONCE = 1 << 21


def _blocks(shapes: Mapping[tuple[int, ...], list[int]]) -> Iterator[list[int]]:
    """Give positions of rows of one shape, as many as are computed at once."""
    for shape, places in shapes.items():
        step = max(1, _MOST_AT_ONCE // prod(shape))
        yield from (places[k : k + step] for k in range(0, len(places), step))


class KnowingNone:
    """What those who know nothing learn about each tuple, at any scale: the laws are computed once."""

    def __init__(
        self, network: Network, lattice: Lattice, targets: Sequence[int], told: Progress | None = None
    ) -> None:
        self.network, self.lattice, self.targets, self._told = network, lattice, targets, told
        self._rows: dict[tuple[Arithmetic, bool], list[Rows]] = {}

    def rows(self, ring: Arithmetic, exact: bool = False) -> list[Rows]:
        """Return the laws of the query given each label of each target."""
        key = ring, exact
        if key not in self._rows:
            found = laws_of_all(self.network, self.lattice, self.targets, ring, exact=exact, told=self._told)
            self._rows[key] = list(found)
        return self._rows[key]

    def ratios(self, scale: float) -> list[Ratio]:
        """Return the largest log ratio of the densities about each target."""

        def of(some: list[Rows]) -> list[Ratio]:
            # Rows of one shape at once.
            shapes: dict[tuple[int, ...], list[int]] = {}
            for k, rows in enumerate(some):
                shapes.setdefault(rows.values.shape, []).append(k)
            found: dict[int, Ratio] = {}
            for places in _blocks(shapes):
                values, feasible = (np.stack([getattr(some[k], part) for k in places]) for part in _PARTS)
                logs = densities(values, self.lattice.step / scale, some[places[0]].ring, feasible)
                found |= {k: largest_ratio(logs[at], feasible[at]) for at, k in enumerate(places)}
            return [found[k] for k in range(len(some))]

        return in_logs_too(lambda ring: of(self.rows(ring)))

    def any_rows(self) -> list[Rows]:
        """Return the laws in the arithmetic that was enough for them."""
        return in_logs_too(lambda ring: self.rows(ring))

    def exact_rows(self) -> list[Rows]:
        """Return the laws with what the zeros of the tables say about every value."""
        return in_logs_too(lambda ring: self.rows(ring, exact=True))

    def noiseless(self) -> float:
        """Return what is learned from the query without noise; infinite where a value rules out a label."""
        return max((noiseless_ratio(rows) for rows in self.exact_rows()), default=0.0)


def group_reach(network: Network, lattice: Lattice) -> float:
    """Return by how much the query moves when a whole component changes: the largest over components."""
    steps = (sum(int(lattice.powers[j].max()) for j in members) for members in network.components)
    return lattice.step * max(steps)


def least_scale(exceeds: Callable[[float], bool], group: float) -> float:
    """Return the least scale that keeps a promise which the group scale keeps and no noise does not."""
    high = group
    for _ in range(_MOST_HALVINGS):
        low = high / 2
        if exceeds(low):
            break
        high = low
    while high - low > _NARROW * high:
        middle = (low + high) / 2
        if exceeds(middle):
            low = middle
        else:
            high = middle
    return high


def scale_against_anyone(search: Search, epsilon: float) -> tuple[float, bool]:
    """Return the least scale at which nobody learns more, and whether it is exact or only enough."""
    network, lattice = search.network, search.lattice
    group = group_reach(network, lattice) / epsilon
    if group == 0.0 or noiseless_of_anyone(network, lattice, epsilon) <= epsilon:
        return 0.0, True
    targets, exact = range(network.n_tuples), True

    def exceeds(scale: float) -> bool:
        nonlocal exact
        search.at(scale)
        more, certain = search.exceeds(targets, epsilon)
        exact &= certain
        return more

    return least_scale(exceeds, group), exact


def noiseless_of_anyone(network: Network, lattice: Lattice, enough: float = inf) -> float:
    """Return the most that anyone learns from the query without noise, or some number above ``enough``.

    Where too many adversaries would have to be gone through it is infinite: more is promised than is known.
    """
    powers, possible = lattice.powers, network.possible
    for j in range(network.n_tuples):
        if _told_apart(network, j, powers[j], possible):
            return inf
    largest = KnowingNone(network, lattice, range(network.n_tuples)).noiseless()
    left = MOST_OPTIONS
    for j in range(network.n_tuples):
        for inside in connected_sets(network.graph, j, component_of(network.graph, j) - {j}):
            if largest > enough:
                return largest
            beside = sorted({k for i in (j, *inside) for k in network.graph[i]} - inside - {j})
            left -= prod(network.shape[k] for k in beside)
            if left < 0:
                return inf
            for labels in np.argwhere(network.possible_table(beside, {})).tolist():
                row = network.some_row(dict(zip(beside, labels, strict=True)))
                known = {k: row[k] for k in range(network.n_tuples) if k != j and k not in inside}
                largest = max(largest, in_logs_too(partial(_noiseless, network, lattice, j, known)))
    return largest


def _noiseless(
    network: Network, lattice: Lattice, j: int, known: Mapping[int, int], ring: Arithmetic
) -> float:
    return noiseless_ratio(law_of(network, lattice, j, known, ring, exact=True))


def _told_apart(network: Network, j: int, powers: NDArray[np.int64], possible: Sequence[Booleans]) -> bool:
    """Whether who knows all others may face two labels of different contributions."""
    apart = (powers[:, None] != powers[None, :]) & possible[j][:, None] & possible[j][None, :]
    if not apart.any():
        return False
    if network.is_tree:
        for k in network.graph[j]:
            truth = np.ones((network.shape[j], network.shape[k]), dtype=bool)
            for scope, table in network.factors:
                if set(scope) == {j, k}:
                    truth &= (table if j < k else table.T) > 0
            ways = truth[:, possible[k]].astype(np.float64)
            apart = apart & (ways @ ways.T > 0)
        return bool(apart.any())
    kept = sorted({j, *network.graph[j]})
    try:
        truth = np.moveaxis(network.possible_table(kept, {}), kept.index(j), 0).reshape(len(powers), -1)
    except LimitError:
        return True
    ways = truth.astype(np.float64)
    return bool((apart & (ways @ ways.T > 0)).any())


def associative_limit(chain: MarkovChain | ArrayLike, scale: float) -> tuple[Leakage, Leakage]:
    """Return what a noisy sum of a long chain of bits leaks at least to those who know nothing.

    Parameters
    ----------
    chain
        A chain of first order with states 0 and 1 in its stationary law, or its transitions.
    scale
        Scale of the noise.

    Returns
    -------
    end, inner
        Lower bounds, approached as the chain grows, for the first or last bit and for one in the middle:
        equal to the limit where the largest log ratio is reached below or above all values of the sum.

    Raises
    ------
    ChainError
        The chain has not two states, or a step determines the next.

    Notes
    -----
    With t = 1 / scale and -1 / scale, and x > 0 the root of ``P01 e^t x^2 + (P00 - P11 e^t) x - P10``, the
    log ratio there tends to t + log x at an end, and t + 2 log x inside.

    Examples
    --------
    >>> end, inner = associative_limit([[0.95, 0.05], [0.05, 0.95]], 1.0)
    >>> round(end.value, 4), round(inner.value, 4)
    (3.4883, 5.9766)
    """
    width = SCALE.take(scale, "scale")
    moves = chain.transitions if isinstance(chain, MarkovChain) else as_laws(chain, "transitions", "chain")
    if moves.shape != (2, 2) or not (moves[0, 1] > 0 and moves[1, 0] > 0):
        raise ChainError(
            "The limit is for two states of which each follows the other now and then.",
            Where("parameter", name="chain"),
        )
    ends, inners = [], []
    for t in (1 / width, -1 / width):
        # Over e^t where it is large: nothing overflows.
        large, small = np.exp(min(t, 0.0)), np.exp(min(-t, 0.0))
        a, b, c = moves[0, 1] * large, moves[0, 0] * small - moves[1, 1] * large, -moves[1, 0] * small
        root = np.sqrt(b * b - 4 * a * c)
        x = (root - b) / (2 * a) if b < 0 else -2 * c / (root + b)
        ends.append(abs(t + float(np.log(x))))
        inners.append(abs(t + 2 * float(np.log(x))))
    source = "ends of the density ratio of a long chain, by its Perron vector"
    return (
        Leakage(max(ends), "lower bound", About("the first bit"), "instance", source=source, limit=True),
        Leakage(max(inners), "lower bound", About("an inner bit"), "instance", source=source, limit=True),
    )
