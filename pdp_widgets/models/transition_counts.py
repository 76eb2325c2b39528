"""How often one symbol follows another in streams, and the chain that these frequencies make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ChainError, StreamError, Where
from pdp_widgets.models.chain_checks import check_size
from pdp_widgets.models.given_numbers import is_whole, plain_number
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.labels import Domain, shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.stream_data import StreamData
from pdp_widgets.models.stream_facts import neighbours

__all__ = ["SMOOTHINGS", "TransitionCounts", "transition_counts"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: What is added to each count, by name; None stands for 1 / n.
SMOOTHINGS: dict[str, float | None] = {"one per row": None, "none": 0.0, "jeffreys": 0.5, "laplace": 1.0}
_DENSE = 2000


@dataclass(frozen=True, eq=False, repr=False)
class TransitionCounts(ReadOnlyAgain):
    """How often streams begin with each symbol, and how often each follows one or two others.

    Parameters
    ----------
    states
        Labels.
    order
        1 or 2.
    streams
        Number of streams with at least one symbol.
    first
        How many begin with each symbol.
    pairs
        Entry ``[i, j]``: how often j follows i, within a stream. A sparse array for more than 2,000 symbols.
    triples
        Entry ``[i, j, k]``: how often k follows i and then j; None for first order.

    Examples
    --------
    >>> counts = transition_counts([[0, 1, 1, 0], [1, 1]])
    >>> counts.first.tolist(), counts.pairs.tolist()
    ([1, 1], [[0, 1], [1, 2]])
    """

    states: Domain
    order: int
    streams: int
    first: Integers
    pairs: Any
    triples: Integers | None = None

    def chain(self, smoothing: str | float | None = None) -> MarkovChain:
        """Return the chain with these frequencies.

        Parameters
        ----------
        smoothing
            What is added to each count: ``"one per row"`` (1 / n, taken for None too), ``"none"`` (0),
            ``"jeffreys"`` (1/2), ``"laplace"`` (1), or a number, 0 or more.

        Raises
        ------
        ChainError
            There is no such smoothing.
        StreamError
            There are no data, and nothing is added.

        Notes
        -----
        Without smoothing a symbol that nothing follows is followed by all alike, and a pair that nothing
        follows by what follows its second symbol. A mechanism meets symbols of belief 0 only where
        transitions are 0: smooth where data of others are released. For second order the law of the second
        symbol is that of neighbours anywhere in a stream.

        Examples
        --------
        >>> transition_counts([[0, 1, 1, 0], [1, 1]]).chain("none").transitions.round(4).tolist()
        [[0.0, 1.0], [0.3333, 0.6667]]
        """
        n = len(self.states)
        check_size(n ** (self.order + 1), "The chain")
        added = _added(smoothing, n)
        if not self.streams and not added:
            raise StreamError(
                "There is no stream with a symbol, so there are no frequencies; add something to the counts.",
                Where("parameter", name="smoothing"),
            )
        start = (self.first + added) / (self.streams + added * n)
        pairs = self.pairs if isinstance(self.pairs, np.ndarray) else self.pairs.toarray()
        after_one = _frequencies(pairs, added, np.full((n, n), 1 / n))
        if self.triples is None:
            return MarkovChain(after_one, start, self.states)
        after_two = _frequencies(self.triples, added, np.broadcast_to(after_one, (n, n, n)))
        return MarkovChain(after_two, start, self.states, after_one)

    def __repr__(self) -> str:
        return (
            f"TransitionCounts({len(self.states):,} symbols, order={self.order}, {self.streams:,} streams, "
            f"{int(self.pairs.sum()):,} pairs)"
        )


def transition_counts(streams: Any, states: Iterable[Any] | None = None, order: int = 1) -> TransitionCounts:
    """Count neighbours in streams; never across the border of two.

    Parameters
    ----------
    streams
        A `StreamData`, or lists of labels, one for each user. Empty ones are ignored, those of one symbol
        count for the start alone.
    states
        Labels, where streams do not show them all or their order matters.
    order
        1, or 2 to count triples too.

    Raises
    ------
    StreamError
        The streams are none, or have a label that is not one of the states.
    ChainError
        The order is neither 1 nor 2.
    LimitError
        There would be more than 67 million triples.

    Examples
    --------
    >>> transition_counts([["a", "b", "a"]], order=2).triples[0].tolist()
    [[0, 0], [1, 0]]
    """
    if isinstance(streams, StreamData):
        data = streams if states is None else streams.for_states(states)
    else:
        data = StreamData(streams, states)
    if not is_whole(order) or order not in (1, 2):
        raise ChainError(f"The order is {shown(order)}; it is 1 or 2.", Where("parameter", name="order"))
    n, codes, offsets = data.n, data.codes, data.offsets
    begins = offsets[:-1][np.diff(offsets) > 0]
    first = np.bincount(codes[begins], minlength=n)
    at = neighbours(codes, offsets)
    ones = np.ones(len(at), dtype=np.int64)
    # Late, as in the stationary law.
    from scipy.sparse import coo_array

    pairs: Any = coo_array((ones, (codes[at], codes[at + 1])), shape=(n, n)).tocsr()
    if n <= _DENSE:
        pairs = pairs.toarray()
    triples = None
    if order == 2:
        check_size(n**3, "The table of triples")
        at = neighbours(codes, offsets, 2)
        where = (codes[at] * n + codes[at + 1]) * n + codes[at + 2]
        triples = np.bincount(where, minlength=n**3).reshape(n, n, n)
    for array in (first, pairs, triples):
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    return TransitionCounts(data.states, int(order), len(begins), first, pairs, triples)


def _frequencies(counts: Integers, added: float, otherwise: Floats) -> Floats:
    n = counts.shape[-1]
    sums = counts.sum(axis=-1, keepdims=True) + added * n
    found = otherwise.copy()
    np.divide(counts + added, sums, out=found, where=sums > 0)
    return found


def _added(smoothing: Any, n: int) -> float:
    if smoothing is None:
        return 1 / n
    if isinstance(smoothing, str) and smoothing in SMOOTHINGS:
        number = SMOOTHINGS[smoothing]
        return 1 / n if number is None else number
    try:
        value = plain_number(smoothing)
    except (TypeError, ValueError, OverflowError):
        value = -1.0
    if not 0 <= value <= 1e15:
        raise ChainError(
            f"The smoothing is {shown(smoothing)}; give a number, 0 or more, or one of "
            f"{', '.join(map(repr, SMOOTHINGS))}.",
            Where("parameter", name="smoothing"),
        )
    return value
