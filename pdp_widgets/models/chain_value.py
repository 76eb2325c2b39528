"""The numbers of a Markov chain: checked, read-only, comparable."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import ChainError, DomainError, Where
from pdp_widgets.models.chain_checks import as_law, as_laws
from pdp_widgets.models.chain_frames import law_in_order, moves_in_order
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import Domain, short, shown
from pdp_widgets.models.pair_chain import on_pairs, rows_of
from pdp_widgets.models.stationary import stationary_law
from pdp_widgets.models.stream_readers import with_reader

__all__ = ["ChainValue"]

Floats = NDArray[np.float64]


class ChainValue(Immutable):
    """Start law, transitions and labels of a chain; see `MarkovChain`, which is this with what it can do.

    Examples
    --------
    >>> ChainValue([[0.5, 0.5], [0.5, 0.5]]) == ChainValue([[0.5, 0.5], [0.5, 0.5]], [0.5, 0.5])
    True
    """

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
