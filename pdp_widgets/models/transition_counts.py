"""How often one symbol follows another in streams, and the chain that these frequencies make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.chain_checks import check_size
from pdp_widgets.models.frames import found_domain
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.labels import Domain
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.stream_data import as_streams
from pdp_widgets.models.stream_facts import absorbed, counted_neighbours, pair_table, smoothed_laws

__all__ = ["TransitionCounts", "merged_transitions", "transition_counts"]

Integers = NDArray[np.int64]


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

    def chain(
        self, smoothing: str | float | None = None, absorbing: Iterable[Any] | None = None
    ) -> MarkovChain:
        """Return the chain with these frequencies.

        Parameters
        ----------
        smoothing
            What is added to each count: ``"one per row"`` (1 / n, taken for None too), ``"none"`` (0),
            ``"jeffreys"`` (1/2), ``"laplace"`` (1), or a number, 0 or more.
        absorbing
            States that are never left, see `MarkovChain.from_streams`.

        Raises
        ------
        ChainError
            There is no such smoothing or state, or a state that is declared absorbing is left.
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
        moves, start, early = smoothed_laws(self.streams, self.first, self.pairs, self.triples, smoothing)
        moves, early = absorbed(moves, early, self.pairs, self.states, absorbing)
        return MarkovChain(moves, start, self.states, early)

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
    data = as_streams(streams, states)
    counted = counted_neighbours(data.codes, data.offsets, data.n, order)
    return TransitionCounts(data.states, int(order), *counted)


def merged_transitions(*parts: TransitionCounts) -> TransitionCounts:
    """Return what several counts sum to; the states are those of all, if these are the same, else sorted."""
    states = parts[0].states
    if len(parts) == 1 or any(part.states != states for part in parts):
        every = dict.fromkeys(state for part in parts for state in part.states)
        texts = sorted(state for state in every if isinstance(state, str))
        states = found_domain(
            [*(state for state in every if not isinstance(state, str)), *texts], "the chain", 0
        )
    place = {state: at for at, state in enumerate(states)}
    n, order = len(states), parts[0].order
    first = np.zeros(n, dtype=np.int64)
    if order == 2:
        check_size(n**3, "The table of triples")
    triples = np.zeros((n, n, n), dtype=np.int64) if order == 2 else None
    # Late, as in the stationary law.
    from scipy.sparse import coo_array

    found = []
    for part in parts:
        at = np.array([place[state] for state in part.states], dtype=np.int64)
        first[at] += part.first
        pairs = coo_array(part.pairs)
        found.append((pairs.data, at[pairs.row], at[pairs.col]))
        if triples is not None and part.triples is not None:
            triples[np.ix_(at, at, at)] += part.triples
    counts, before, after = (np.concatenate(column) for column in zip(*found, strict=True))
    streams = sum(part.streams for part in parts)
    return TransitionCounts(states, order, streams, first, pair_table(counts, before, after, n), triples)
