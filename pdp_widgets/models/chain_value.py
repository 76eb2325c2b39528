"""The numbers of a Markov chain: brought into one order, checked, comparable; and their long run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import ChainError, DomainError, Where
from pdp_widgets.models.chain_checks import as_law, as_laws, on_pairs, rows_of
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import (
    Domain,
    are_numbered,
    as_domain,
    axis_names,
    label_key,
    names_in_order,
    short,
    shown,
)
from pdp_widgets.models.stream_input import with_reader

__all__ = [
    "ChainValue",
    "closed_classes",
    "law_in_order",
    "mixing_time",
    "moves_in_order",
    "second_eigenvalue",
    "stationary_law",
]


def moves_in_order(transitions: Any, states: Iterable[Any] | None) -> tuple[Any, Domain | None]:
    """Return transitions whose rows and columns have one order, and their labels."""
    named = None if states is None else as_domain(states, 0, "the chain")
    rows, columns = (axis_names(transitions, "DataFrame", axis) for axis in ("index", "columns"))
    if rows is None or columns is None or len(rows) != len(columns):
        return transitions, named
    alike = {label_key(one) for one in rows} == {label_key(one) for one in columns}
    # A side that is only numbered is in the order of the other.
    if not alike and are_numbered(rows):
        transitions, rows, alike = transitions.set_axis(columns), columns, True
    elif not alike and are_numbered(columns):
        transitions, alike = transitions.set_axis(rows, axis=1), True
    if not alike or len({label_key(one) for one in rows}) < len(rows):
        raise ChainError(
            f"The rows of the transitions are named {shown(rows)} and the columns {shown(columns)}; name "
            "both by the states, each once.",
            Where("parameter", name="transitions"),
            call="Or give frame.to_numpy() with states=[...].",
        )
    order = rows
    if named is not None:
        # Other labels rename the states, which says nothing about an order: rows and columns must have one.
        same = {label_key(one) for one in named} == {label_key(one) for one in rows}
        order = names_in_order(rows, named) if same else rows
    found = transitions.loc[order, order]
    if named is None:
        named = None if are_numbered(rows) else as_domain(order, 0, "the chain")
    return found, named


def law_in_order(law: Any, states: Domain, name: str) -> Any:
    """Return a law in the order of the states; a pandas series has them as index."""
    rows = axis_names(law, "Series", "index")
    if rows is None or len(rows) != len(states):
        return law
    keys = {label_key(one) for one in rows}
    if keys == {label_key(one) for one in states}:
        return law.loc[names_in_order(rows, states)]
    if are_numbered(rows):
        return law
    raise ChainError(
        f"The {name} law is named by {shown(rows)}; the states are {shown(list(states))}. Name it by "
        "them, or give its numbers in their order.",
        Where("parameter", name=name),
    )


Floats = NDArray[np.float64]

#: Squarings of the matrix before it counts as never mixing: 2^60 steps.
_DOUBLINGS = 60


def closed_classes(matrix: Floats) -> list[NDArray[np.intp]]:
    """Return the sets of states that are never left once entered and have no smaller such set inside."""
    # Late: most of the package needs no scipy, and it takes long to import.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array(matrix > 0)
    many, of_state = connected_components(graph, directed=True, connection="strong")
    source, target = graph.nonzero()
    left = np.zeros(many, dtype=bool)
    left[of_state[source[of_state[source] != of_state[target]]]] = True
    found = [np.flatnonzero(of_state == c) for c in np.flatnonzero(~left)]
    return sorted(found, key=lambda members: int(members[0]))


def stationary_law(matrix: Floats) -> Floats:
    """Return the law that one step leaves as it is."""
    # States are eliminated one by one without a subtraction (Grassmann, Taksar and Heyman), so that small
    # probabilities have full relative accuracy.
    classes = closed_classes(matrix)
    if len(classes) > 1:
        raise ChainError(
            f"The chain has {len(classes)} sets of states that are never left, so it has no single "
            "stationary law; give a start law.",
            Where("parameter", name="start"),
        )
    members = classes[0]
    work = matrix[np.ix_(members, members)].copy()
    size = len(members)
    weights = np.zeros(size)
    weights[0] = 1.0
    with np.errstate(all="ignore"):
        for last in range(size - 1, 0, -1):
            work[:last, last] /= work[last, :last].sum()
            work[:last, :last] += np.outer(work[:last, last], work[last, :last])
        for state in range(1, size):
            weights[state] = weights[:state] @ work[:state, state]
            if weights[state] > 1e100:
                weights[: state + 1] /= weights[state]
        weights /= weights.sum()
    if not np.isfinite(weights).all():
        raise ChainError(
            "The stationary law cannot be found: ways between states are rarer than 1e-308; give a start "
            "law.",
            Where("parameter", name="start"),
        )
    law = np.zeros(len(matrix))
    law[members] = weights
    return law


def second_eigenvalue(matrix: Floats) -> float:
    """Return the second largest modulus of an eigenvalue: what is left of the past after a step."""
    if len(matrix) == 1:
        return 0.0
    sizes = np.sort(np.abs(np.linalg.eigvals(matrix)))
    return float(min(sizes[-2], 1.0))


def mixing_time(matrix: Floats, law: Floats, tolerance: float) -> float:
    """Return after how many steps every start is within a tolerance of the stationary law."""

    def near(power: Floats) -> bool:
        # A little above the tolerance counts: it may be attained exactly, and rounding is no step.
        return float(np.abs(power - law).sum(axis=1).max()) / 2 <= tolerance * (1 + 1e-12)

    if near(np.eye(len(matrix))):
        return 0.0
    powers = [matrix]
    while not near(powers[-1]):
        if len(powers) > _DOUBLINGS:
            return math.inf
        square = powers[-1] @ powers[-1]
        powers.append(square / square.sum(axis=1, keepdims=True))
    # The distance never grows with time: the last step that is not near, found bit by bit.
    reached, steps = np.eye(len(matrix)), 0
    for bit in range(len(powers) - 2, -1, -1):
        further = reached @ powers[bit]
        if not near(further):
            reached, steps = further, steps + (1 << bit)
    return float(steps + 1)


class ChainValue(Immutable):
    """Start law, transitions and labels of a chain; see `MarkovChain`, which is this with what it can do."""

    __slots__ = ("__dict__", "_early", "_start", "_states", "_transitions")

    _transitions: Floats
    _start: Floats
    _early: Floats | None
    _states: Domain

    def __init__(
        self,
        transitions: ArrayLike,
        start: ArrayLike | None = None,
        states: Iterable[Any] | None = None,
        early: ArrayLike | None = None,
    ) -> None:
        self._begin()
        # The names of a data frame say which state a row or column is, wherever it stands.
        given, labels = moves_in_order(transitions, states)
        try:
            moves = as_laws(given, "transitions", "transitions")
        except ChainError as error:
            raise ChainError(with_reader(str(error), transitions), error.where) from None
        n, order = len(moves), moves.ndim - 1
        named: Domain = tuple(range(n)) if labels is None else labels
        if len(named) != n:
            raise DomainError(
                f"There are {len(named)} labels for {n} states; give one label for each state.",
                Where("parameter", name="states"),
            )
        if early is not None and order == 1:
            raise ChainError(
                "A chain of first order has no law of the second symbol of its own; leave early out.",
                Where("parameter", name="early"),
            )
        second = None if early is None else as_laws(early, "laws of the second symbol", "early")
        if second is not None and second.shape != (n, n):
            raise ChainError(
                f"The laws of the second symbol have the shape {second.shape}; give {n} rows of {n}.",
                Where("parameter", name="early"),
            )
        first = None
        if start is not None:
            first = as_law(law_in_order(start, named, "start"), n, "start law", "start", named)
        if order == 1:
            first = stationary_law(moves) if first is None else first
        elif first is None or second is None:
            pairs = stationary_law(on_pairs(moves)).reshape(n, n)
            first = pairs.sum(axis=1) if first is None else first
            second = rows_of(pairs) if second is None else second
        assert first is not None
        self._keep(moves, first, second, named)

    def _keep(self, moves: Floats, start: Floats, early: Floats | None, states: Domain) -> None:
        for array in (moves, start, early):
            if array is not None:
                array.flags.writeable = False
        for slot, value in (
            ("_transitions", moves),
            ("_start", start),
            ("_early", early),
            ("_states", states),
        ):
            object.__setattr__(self, slot, value)

    def _made(self) -> bool:
        # The __dict__ is always there: what is found late is kept in it.
        return hasattr(self, "_transitions")

    @property
    def states(self) -> Domain:
        """Labels of the symbols."""
        return self._states

    @property
    def n(self) -> int:
        """Number of symbols."""
        return len(self._states)

    @property
    def order(self) -> int:
        """On how many symbols before it each symbol depends: 1 or 2."""
        return self._transitions.ndim - 1

    @property
    def start(self) -> Floats:
        """Law of the first symbol (read-only)."""
        return self._start

    @property
    def transitions(self) -> Floats:
        """Probabilities of the next symbol, shape (n, n) or for second order (n, n, n) (read-only)."""
        return self._transitions

    @property
    def early(self) -> Floats | None:
        """Law of the second symbol after the first, for a chain of second order (read-only)."""
        return self._early

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChainValue):
            return NotImplemented
        same_early = (self._early is None) == (other._early is None) and (
            self._early is None or other._early is None or np.array_equal(self._early, other._early)
        )
        return (
            self._states == other._states
            and same_early
            and bool(np.array_equal(self._start, other._start))
            and bool(np.array_equal(self._transitions, other._transitions))
        )

    def __hash__(self) -> int:
        return hash((self._states, self._start.tobytes(), self._transitions.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._transitions, self._start, self._states, self._early)

    def __repr__(self) -> str:
        listed = (
            f"{self.n} of them" if self.n > 12 else "(" + ", ".join(short(shown(s)) for s in self._states)
        )
        if self.n <= 12:
            listed += ",)" if self.n == 1 else ")"
        return f"{type(self).__name__}(states={listed}, order={self.order})"


def _restore(
    kind: type[ChainValue], moves: Floats, start: Floats, states: Domain, early: Floats | None
) -> ChainValue:
    made = kind.__new__(kind)
    made._keep(moves, start, early, states)
    return made
