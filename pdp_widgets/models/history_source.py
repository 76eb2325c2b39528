"""A stream of any dependence on its past, given by a function of the history; for few steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import ChainError, LimitError, Where
from pdp_widgets.models.chain_checks import as_count, as_law, as_states
from pdp_widgets.models.chain_sampling import cumulated, drawn
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Domain, Label, short, shown

__all__ = ["HistorySource"]

Floats = NDArray[np.float64]

_MOST_STREAMS = 1 << 20
_MOST_STEPS = 60
_MOST_DRAWN = 1 << 27


class HistorySource(Immutable):
    """The law of a stream whose symbols may depend on all that came before.

    All streams are enumerated, so it is for few steps. The object is immutable.

    Parameters
    ----------
    conditional
        Called with the labels so far, a tuple that is empty at the first step; returns the probability of
        each next symbol, with sum 1. It is called once for each history of positive probability.
    steps
        Length of the stream, 1 or more; there are n to the power of steps streams, at most 1,048,576.
    states
        Number of symbols, or their labels.

    Raises
    ------
    ChainError
        What the function returns is no law; the message names the history.
    LimitError
        There are too many streams.

    Notes
    -----
    Jiang, Li and Tandon, Section II: ``C[u -> v]`` with u a whole history.

    Examples
    --------
    A third equal symbol in a row never comes:

    >>> def unlike(history):
    ...     same = len(history) >= 2 and history[-1] == history[-2]
    ...     return [0.5, 0.5] if not same else [float(history[-1] == 1), float(history[-1] == 0)]
    >>> source = HistorySource(unlike, steps=3, states=2)
    >>> source
    HistorySource(states=(0, 1), steps=3)
    >>> source.probabilities[0, 0].tolist(), source.probabilities[0, 1].tolist()
    ([0.0, 0.25], [0.125, 0.125])
    """

    __slots__ = ("_probabilities", "_states")

    _probabilities: Floats
    _states: Domain

    def __init__(
        self,
        conditional: Callable[[tuple[Label, ...]], ArrayLike],
        steps: int,
        states: int | Iterable[Any] = 2,
    ) -> None:
        self._begin()
        if not callable(conditional):
            raise ChainError(
                f"The conditional law is {shown(conditional)}; give a function of the history.",
                Where("parameter", name="conditional"),
            )
        named = as_states(states)
        length, n = as_count(steps, "steps", 1), len(named)
        _check_streams(n, length)
        table = np.ones(())
        for step in range(length):
            rows = np.zeros((*table.shape, n))
            for index in product(range(n), repeat=step):
                if table[index] > 0:
                    rows[index] = _law(conditional, tuple(named[k] for k in index), n, named)
            table = table[..., None] * rows
        self._keep(table, named)

    def _keep(self, table: Floats, states: Domain) -> None:
        table.flags.writeable = False
        object.__setattr__(self, "_probabilities", table)
        object.__setattr__(self, "_states", states)

    @property
    def states(self) -> Domain:
        """Labels of the symbols."""
        return self._states

    @property
    def n(self) -> int:
        """Number of symbols."""
        return len(self._states)

    @property
    def steps(self) -> int:
        """Length of the stream."""
        return self._probabilities.ndim

    @property
    def probabilities(self) -> Floats:
        """Probability of every stream, one axis for each step (read-only)."""
        return self._probabilities

    @property
    def start(self) -> Floats:
        """Law of the first symbol."""
        return np.asarray(self._probabilities.reshape(self.n, -1).sum(axis=1))

    def laws(self) -> Floats:
        """Return the law of the symbol at each step, shape (steps, n)."""
        table, steps = self._probabilities, range(self.steps)
        return np.stack([table.sum(axis=tuple(k for k in steps if k != step)) for step in steps])

    def after(self, history: Iterable[Any]) -> Floats:
        """Return the law of the next symbol after the labels so far.

        Raises
        ------
        ChainError
            There is no step after it, a label is unknown, or the history cannot be.

        Examples
        --------
        >>> HistorySource(lambda past: [0.25, 0.75], 2).after([0]).tolist()
        [0.25, 0.75]
        """
        where = Where("parameter", name="history")
        if not isinstance(history, Iterable):
            raise ChainError(f"The history is {shown(history)}; give a list of symbols.", where)
        labels = tuple(history)
        if len(labels) >= self.steps:
            raise ChainError(
                f"The history has {len(labels)} symbols and the stream {self.steps}; nothing comes after it.",
                where,
            )
        places = {state: place for place, state in enumerate(self._states)}
        for label in labels:
            if not isinstance(label, Hashable) or label not in places:
                listed = ", ".join(short(shown(state)) for state in self._states)
                raise ChainError(f"There is no symbol {shown(label)}; there are {listed}.", where)
        weights = self._probabilities[tuple(places[label] for label in labels)]
        found = weights.reshape(self.n, -1).sum(axis=1)
        if not found.any():
            raise ChainError(f"The history {_written(labels)} has probability 0.", where)
        return np.asarray(found / found.sum())

    def simulate(self, users: int = 1, rng: np.random.Generator | int | None = None) -> NDArray[np.int64]:
        """Return random streams as positions of symbols, shape (users, steps).

        Examples
        --------
        >>> HistorySource(lambda past: [0.0, 1.0], 3).simulate(2, rng=1).tolist()
        [[1, 1, 1], [1, 1, 1]]
        """
        many = as_count(users, "users", most=_MOST_DRAWN // self.steps)
        whole = cumulated(self._probabilities.ravel() / self._probabilities.sum())
        places = drawn(whole, as_generator(rng).random(many))
        return np.stack(np.unravel_index(places, self._probabilities.shape), axis=1).astype(np.int64)

    def joint(self) -> JointDistribution:
        """Return the joint distribution of the steps, one tuple for each.

        Examples
        --------
        >>> HistorySource(lambda past: [0.25, 0.75], 2).joint().names
        ('step 1', 'step 2')
        """
        names = [f"step {step}" for step in range(1, self.steps + 1)]
        return JointDistribution.normalised(self._probabilities, [self._states] * self.steps, names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HistorySource):
            return NotImplemented
        return self._states == other._states and np.array_equal(self._probabilities, other._probabilities)

    def __hash__(self) -> int:
        return hash((self._states, self._probabilities.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._probabilities, self._states)

    def __repr__(self) -> str:
        listed = ", ".join(short(shown(state)) for state in self._states[:12])
        listed += ", ..." if self.n > 12 else "," if self.n == 1 else ""
        return f"HistorySource(states=({listed}), steps={self.steps})"


def _restore(table: Floats, states: Domain) -> HistorySource:
    made = HistorySource.__new__(HistorySource)
    made._keep(table, states)
    return made


def _check_streams(n: int, steps: int) -> None:
    if steps > _MOST_STEPS or steps * math.log(n) > math.log(_MOST_STREAMS) + 1e-9:
        raise LimitError(
            f"{steps:,} steps of {n:,} symbol{'s'[: n != 1]} are too many to list: at most {_MOST_STREAMS:,} "
            f"streams of at most {_MOST_STEPS} steps are. Take fewer steps, or a MarkovChain.",
            Where("parameter", name="steps"),
        )


def _written(history: tuple[Label, ...]) -> str:
    return ", ".join(short(shown(label)) for label in history) if history else "of no symbol"


def _law(conditional: Callable[..., ArrayLike], history: tuple[Label, ...], n: int, states: Domain) -> Floats:
    given = conditional(history)
    what = f"law after {_written(history)}" if history else "law of the first symbol"
    return as_law(given, n, what, "conditional", states)
