"""Exact laws of a query given a label of a tuple and known labels, and what noise leaves of their ratios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.mechanisms.lattice import common_multiples
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.networks.elimination import (
    LOGS,
    Arithmetic,
    Message,
    Powers,
    Underflow,
    eliminated,
    messages_of,
    product,
    shifted,
    tree_messages,
)
from pdp_widgets.models.networks.network import Network

__all__ = [
    "Lattice",
    "Ratio",
    "Rows",
    "densities",
    "largest_ratio",
    "law_of",
    "laws_of_all",
    "noiseless_ratio",
    "rows_of",
]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

#: Steps of a query that are followed.
_MOST_STEPS = 20_000
#: Densities and, where they count themselves, probabilities below this are computed in logarithms.
_LEAST = 1e-200


@dataclass(frozen=True, eq=False)
class Lattice:
    """The values of a query: ``least`` plus whole multiples of ``step``, and what each label adds to them."""

    step: float
    least: float
    powers: tuple[Powers, ...]

    @classmethod
    def of(cls, query: LinearQuery) -> Lattice:
        """Return the lattice of a query, or raise LimitError where it has too many steps."""
        differences = [values - values.min() for values in query.contributions]
        found = common_multiples(differences)
        step, powers = found.step, found.counts
        steps = sum(int(one.max()) for one in powers)
        if steps > _MOST_STEPS:
            rounded = 10.0 ** np.ceil(np.log10(sum(float(one.max()) for one in differences) / _MOST_STEPS))
            raise LimitError(
                f"The query has {steps:,} steps of {step:.6g}; at most {_MOST_STEPS:,} are followed. Round "
                f"contributions, for example to multiples of {rounded:g}: if the query changes by at most "
                "delta, leakage changes by at most 2 delta / scale.",
                Where("parameter", name="contributions"),
            )
        return cls(step, float(sum(values.min() for values in query.contributions)), powers)

    @cached_property
    def reach(self) -> int:
        """Number of steps from the least value to the largest."""
        return sum(int(power.max()) for power in self.powers)

    def value(self, steps: float) -> float:
        """Return the value of the query so many steps above the least."""
        return self.least + self.step * steps


@dataclass(frozen=True, eq=False)
class Rows:
    """Laws of the query, one row for each label of the target; those of infeasible labels mean nothing.

    ``values`` are probabilities or, with ``ring`` LOGS, their logarithms, shape (labels, steps + 1), from
    ``first`` steps above the least value of the query on. ``reached`` says which values the zeros of the
    tables allow, where that was followed.
    """

    values: Floats
    feasible: Booleans
    ring: Arithmetic
    first: int = 0
    reached: Booleans | None = None

    @property
    def determined(self) -> bool:
        """Whether fewer than two labels are left."""
        return int(self.feasible.sum()) < 2

    @property
    def logs(self) -> Floats:
        """Logarithms of the probabilities; minus infinity where the zeros of the tables exclude a value."""
        if self.ring is LOGS:
            return self.values
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.values))


def rows_of(message: Message, ring: Arithmetic, first: int = 0) -> Rows:
    """Return a message about one tuple as laws, or raise Underflow where doubles are not enough."""
    values, allowed = message.values, message.allowed()
    feasible = np.asarray(allowed.any(axis=-1))
    reached = allowed if message.exact else None
    if ring is LOGS:
        sums = np.logaddexp.reduce(values, axis=-1)[:, None]
        return Rows(values - np.where(feasible[:, None], sums, 0.0), feasible, ring, first, reached)
    sums = values.sum(axis=-1, keepdims=True)
    laws = values / np.where(feasible[:, None], sums, 1.0)
    if message.exact and laws.min(where=allowed, initial=1.0) < _LEAST:
        raise Underflow
    return Rows(laws, feasible, ring, first, reached)


def densities(values: Floats, decay: float, ring: Arithmetic, feasible: Booleans | None = None) -> Floats:
    """Return logarithms of the densities at the values of a query, up to one constant for all.

    Parameters
    ----------
    values
        Laws along the last axis.
    decay
        Step over scale.
    ring
        Whether the laws are probabilities or their logarithms.
    feasible
        Rows that count, in the shape of the other axes; without it all.

    Raises
    ------
    Underflow
        A density is below 1e-200.
    """
    # Sums of w_s exp(-decay |r - s|): from both sides, over windows of 1, 2, 4, ... values.
    left, right = values, values[..., ::-1]
    width, many = 1, values.shape[-1]
    while width < many:
        if ring is LOGS:
            left = _joined(left, width, -decay * width, ring)
            right = _joined(right, width, -decay * width, ring)
        else:
            far = float(np.exp(-decay * width))
            if far == 0.0:
                break
            left, right = _joined(left, width, far, ring), _joined(right, width, far, ring)
        width *= 2
    right = right[..., ::-1]
    if ring is LOGS:
        found = np.array(left)
        found[..., :-1] = np.logaddexp(found[..., :-1], right[..., 1:] - decay)
        return found
    found = np.array(left)
    found[..., :-1] += right[..., 1:] * np.exp(-decay)
    least = found.min(axis=-1).min(initial=1.0, where=True if feasible is None else feasible)
    if least < _LEAST:
        raise Underflow
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(found))


def _joined(values: Floats, width: int, weight: float, ring: Arithmetic) -> Floats:
    found = np.array(values)
    found[..., width:] = ring.add(found[..., width:], ring.multiply(values[..., :-width], weight))
    return found


@dataclass(frozen=True)
class Ratio:
    """The largest log ratio of the densities given two labels: where it is, and of which."""

    value: float
    steps: int = 0
    more: int = 0
    less: int = 0


def largest_ratio(logs: Floats, feasible: Booleans) -> Ratio:
    """Return the largest log ratio of densities, shape (labels, values), between two feasible labels."""
    labels = np.flatnonzero(feasible)
    if len(labels) < 2:
        return Ratio(0.0)
    among = logs[labels]
    spread = among.max(axis=0) - among.min(axis=0)
    at = int(spread.argmax())
    return Ratio(
        float(spread[at]), at, int(labels[among[:, at].argmax()]), int(labels[among[:, at].argmin()])
    )


def noiseless_ratio(rows: Rows) -> float:
    """Return the largest log ratio of the probabilities of a value that a feasible label reaches."""
    assert rows.reached is not None
    reached, logs = rows.reached[rows.feasible], rows.logs[rows.feasible]
    if len(logs) < 2:
        return 0.0
    counts = reached.sum(axis=0)
    if ((counts > 0) & (counts < len(logs))).any():
        return np.inf
    logs = logs[:, counts > 0]
    return float((logs.max(axis=0) - logs.min(axis=0)).max())


def law_of(
    network: Network,
    lattice: Lattice,
    target: int,
    known: Mapping[int, int],
    ring: Arithmetic,
    *,
    exact: bool = False,
    told: Progress | None = None,
) -> Rows:
    """Return the laws of the query given each label of a tuple, and known labels that can occur."""
    messages = network.messages(ring, known, exact=exact)
    waits = None if told is None else told.wait
    found = eliminated(messages, (target,), network.graph, ring, lattice.powers, waits)
    first = sum(int(lattice.powers[k][label]) for k, label in known.items())
    return rows_of(shifted(found, target, lattice.powers[target], ring), ring, first)


def laws_of_all(
    network: Network,
    lattice: Lattice,
    targets: Sequence[int],
    ring: Arithmetic,
    *,
    exact: bool = False,
    told: Progress | None = None,
) -> Iterator[Rows]:
    """Give the laws of some tuples when nothing is known; those of a tree share two passes."""
    told = told or Progress(None)
    if not network.is_tree:
        for target in targets:
            yield law_of(network, lattice, target, {}, ring, exact=exact, told=told)
            told.step()
        return
    own, pairs = network.tree_parts(ring, exact=exact)
    graph = [set(around) for around in network.graph]
    # Components are joined by tables of ones, so that there is one tree.
    for one, other in pairwise(sorted(members[0] for members in network.components)):
        ones = np.ones((network.shape[one], network.shape[other]))
        pairs[one, other] = messages_of([((one, other), ones)], ring, exact=exact)[0]
        graph[one].add(other)
        graph[other].add(one)
    sent = tree_messages(own, pairs, [frozenset(around) for around in graph], ring, lattice.powers)
    for target in targets:
        found = own[target]
        for k in sorted(graph[target], key=lambda k: sent[k, target].values.size):
            found = product(found, sent[k, target], ring)
        yield rows_of(shifted(found, target, lattice.powers[target], ring), ring)
        told.step()
