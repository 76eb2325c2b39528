"""What a set of tuples says about one: the influence of a Markov quilt, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.models.labels import short
from pdp_widgets.models.names import positions_of
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.models.networks.elimination import (
    LOGS,
    Arithmetic,
    component_of,
    eliminated,
    in_logs_too,
)
from pdp_widgets.models.networks.network import Network

__all__ = ["influence_of", "is_chain", "line_ratios", "markov_quilt_influence"]

Floats = NDArray[np.float64]

#: Entries of the table of a tuple and its quilt.
_MOST_ENTRIES = 1_000_000
#: Log ratios of all pairs of tuples of a line.
_MOST_NUMBERS = 200_000_000
SOURCE = "Song, Wang and Chaudhuri, Pufferfish mechanisms for correlated data, Markov quilts"


def markov_quilt_influence(
    network: Network,
    target: str | int,
    quilt: Iterable[str | int],
) -> tuple[Leakage, tuple[str, ...]]:
    """Return what a set of tuples says about one, and the tuples near it.

    Parameters
    ----------
    network
        The model.
    target
        The tuple.
    quilt
        Names or positions of the set.

    Returns
    -------
    influence
        The largest log ratio of the probabilities of the labels of the set, given two possible labels of the
        target; infinite where a possible label rules the others out.
    near
        Names of the tuples that are joined to the target without the set, itself among them.

    Raises
    ------
    LimitError
        The table of the set and the target has more than 1,000,000 entries.

    Examples
    --------
    >>> from pdp_widgets.networks import BayesianNetwork
    >>> net = BayesianNetwork.chain([[0.9, 0.1], [0.4, 0.6]], 9)
    >>> influence, near = markov_quilt_influence(net, 4, [2, 6])
    >>> round(influence.value, 6), near
    (1.961659, ('step 4', 'step 5', 'step 6'))
    """
    i = network.axis(target)
    around = positions_of(quilt, network.names, "tuple") if not _is_empty(quilt) else []
    if i in around:
        raise DomainError(f"{short(network.names[i])} is in its own quilt.", Where("axis", axis=i))
    near = component_of(network.graph, i, set(around))
    about = About(network.names[i], tuple((network.names[j], None) for j in around))
    value = influence_of(network, i, sorted(around))
    found = Leakage(value, "exact", about, "sup", source=SOURCE)
    return found, tuple(network.names[j] for j in sorted(near))


def _is_empty(given: Any) -> bool:
    return isinstance(given, Sequence | set | frozenset) and not len(given)


def influence_of(network: Network, i: int, quilt: Sequence[int]) -> float:
    """Return what the tuples of a quilt, ascending, say about one."""
    possible = network.possible[i]
    if not quilt or possible.sum() < 2:
        return 0.0
    if network.is_tree and max(network.shape) < 3:
        return _of_binary_tree(network, i, set(quilt))
    entries = prod(network.shape[j] for j in (i, *quilt))
    if entries > _MOST_ENTRIES:
        raise LimitError(
            f"The table of {short(network.names[i])} and its quilt of {len(quilt)} tuples would have "
            f"{entries:,} entries; at most {_MOST_ENTRIES:,} are made. Take fewer tuples.",
            Where("parameter", name="quilt"),
        )
    kept = sorted((i, *quilt))

    def compute(ring: Arithmetic) -> float:
        found = eliminated(network.messages(ring), kept, network.graph, ring)
        values, true = found.values[..., 0], found.allowed()[..., 0]
        at = kept.index(i)
        values = np.moveaxis(values, at, 0).reshape(len(possible), -1)[possible]
        true = np.moveaxis(np.broadcast_to(true, found.values.shape[:-1]), at, 0)
        true = true.reshape(len(possible), -1)[possible]
        with np.errstate(divide="ignore"):
            logs = values if ring is LOGS else np.log(values)
        logs = logs - np.logaddexp.reduce(logs, axis=1)[:, None]
        counts = true.sum(axis=0)
        if ((counts > 0) & (counts < len(true))).any():
            return inf
        logs = logs[:, counts > 0]
        return float((logs.max(axis=0) - logs.min(axis=0)).max())

    return in_logs_too(compute)


def _of_binary_tree(network: Network, i: int, quilt: set[int]) -> float:
    """Return the influence of any set in a tree of two labels: one pass that carries a range of log odds."""
    own, pairs = network.tree_parts(LOGS)
    graph = network.graph
    order, before = [i], {i: -1}
    for j in order:
        for k in graph[j]:
            if k not in before:
                before[k] = j
                # Beyond the quilt there is nothing to be told from.
                order.append(k)
    sent: dict[int, Floats] = {}
    ranges: dict[int, tuple[float, float]] = {}
    for j in reversed(order[1:]):
        p = before[j]
        link = pairs[min(j, p), max(j, p)].values[..., 0]
        link = link if p < j else link.T
        behind = [k for k in graph[j] if k != p]
        inside = link + own[j].values[:, 0] + sum((sent[k] for k in behind), np.zeros(network.shape[j]))
        sent[j] = np.logaddexp.reduce(inside, axis=1)
        with np.errstate(invalid="ignore"):
            given = inside - sent[j][:, None]
        ranges[j] = _carried(
            given, network.possible[p], j in quilt, [ranges[k] for k in behind], network.possible[j]
        )
    low = sum(ranges[k][0] for k in graph[i])
    high = sum(ranges[k][1] for k in graph[i])
    return float(max(high, -low, 0.0))


def _carried(
    given: Floats,
    possible: NDArray[np.bool_],
    known: bool,
    behind: Sequence[tuple[float, float]],
    labels: NDArray[np.bool_],
) -> tuple[float, float]:
    """Return between which log odds of two labels what is known below one tuple lies."""
    if possible.sum() < 2:
        return 0.0, 0.0
    low, high = sum(one[0] for one in behind), sum(one[1] for one in behind)
    if known:
        seen = [
            given[1, u] - given[0, u] for u in np.flatnonzero(labels) if max(given[1, u], given[0, u]) > -inf
        ]
        return float(min(seen)), float(max(seen))
    if labels.sum() < 2:
        return 0.0, 0.0
    ends = []
    for odds in (low, high):
        if odds in (inf, -inf):
            u = int(odds > 0)
            ends.append(float(given[1, u] - given[0, u]))
        else:
            above = np.logaddexp(given[1, 0], given[1, 1] + odds)
            ends.append(float(above - np.logaddexp(given[0, 0], given[0, 1] + odds)))
    return min(ends), max(ends)


def is_chain(network: Network) -> bool:
    """Whether each tuple is the only parent of the next."""
    if not isinstance(network, BayesianNetwork):
        return False
    wanted = tuple((j - 1,) if j else () for j in range(network.n_tuples))
    return network.parent_positions == wanted


def line_ratios(network: Network, printed: bool, told: Progress) -> tuple[list[Floats], list[Floats]]:
    """Return for every tuple of a line the log ratios of those before it, and of those after it.

    Entry ``[a, s, t]`` of one is the largest log ratio of the probabilities of the tuple a steps away given
    labels s and t; 0 for a = 0, which stands for no tuple, and minus infinity where a label cannot occur.
    """
    n, size = network.n_tuples, max(network.shape)
    numbers = n * (n + 1) * size**2
    if numbers > _MOST_NUMBERS:
        raise LimitError(
            f"Quilts of {n:,} tuples take {numbers:,} log ratios; at most {_MOST_NUMBERS:,} are kept. Take "
            "fewer tuples or, for a chain whose steps are alike, approximate_quilts.",
            Where("parameter", name="networks"),
        )
    # Tuples with fewer labels get some that never occur, so that all tables are alike.
    forward, backward, laws = ([_padded(one, size) for one in some] for some in _moves(network))
    possible = [_padded(one, size) for one in network.possible]
    left, right = [_none(possible[0])[None]], [_none(possible[-1])[None]]
    # Entry [a - 1] is the law of the tuple a steps away given the label at hand or, as printed, the reverse.
    reached = np.empty((0, size, size))
    for i in range(1, n):
        moved = reached @ forward[i - 1] if printed else backward[i - 1] @ reached
        move = forward[i - 1] if printed else backward[i - 1]
        reached = np.concatenate([move[None], moved])
        ratios = _printed(reached, laws[i], possible[i]) if printed else _largest(reached, possible[i])
        left.append(np.concatenate([_none(possible[i])[None], ratios]))
        told.wait()
    reached = np.empty((0, size, size))
    for i in range(n - 2, -1, -1):
        reached = np.concatenate([forward[i][None], forward[i] @ reached])
        right.append(np.concatenate([_none(possible[i])[None], _largest(reached, possible[i])]))
        told.wait()
    return left, right[::-1]


def _padded(table: NDArray[Any], size: int) -> NDArray[Any]:
    """Return a table with zeros up to a number of labels on every axis."""
    return np.pad(table, [(0, size - many) for many in table.shape]) if min(table.shape) < size else table


def _none(possible: NDArray[np.bool_]) -> Floats:
    both = possible[:, None] & possible[None, :]
    return np.where(both, 0.0, -inf)


def _largest(given: Floats, possible: NDArray[np.bool_]) -> Floats:
    """Return the largest log ratio of two rows over what can occur, by pair of labels that can."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(given)
        ratios = logs[..., :, None, :] - logs[..., None, :, :]
    ratios = np.where(given[..., :, None, :] > 0, ratios, -inf).max(axis=-1)
    return np.where(possible[:, None] & possible[None, :], ratios, -inf)


def _printed(given: Floats, law: Floats, possible: NDArray[np.bool_]) -> Floats:
    """Return the same from the laws of the label at hand given those of a tuple before, by Bayes' rule."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs, own = np.log(given), np.log(law)
        ratios = logs[..., :, None] - logs[..., None, :]
        ratios = np.where(given[..., :, None] > 0, ratios, -inf).max(axis=-3) + own[None, :] - own[:, None]
    return np.where(possible[:, None] & possible[None, :], ratios, -inf)


def _moves(network: Network) -> tuple[list[Floats], list[Floats], list[Floats]]:
    """Return the transitions of a line, those back, and the law of each tuple; impossible rows are 0."""
    n = network.n_tuples
    if isinstance(network, BayesianNetwork) and is_chain(network):
        laws, forward = [network.tables[0]], list(network.tables[1:])
        for one in forward:
            laws.append(laws[-1] @ one)
    else:
        laws, forward = [network.marginal(0)], []
        for j in range(n - 1):
            both = network.posterior([j, j + 1]).table
            sums = both.sum(axis=1, keepdims=True)
            forward.append(both / np.where(sums > 0, sums, 1.0))
            laws.append(both.sum(axis=0))
    backward = []
    for j in range(n - 1):
        both = (laws[j][:, None] * forward[j]).T
        sums = both.sum(axis=1, keepdims=True)
        backward.append(both / np.where(sums > 0, sums, 1.0))
    return forward, backward, laws
