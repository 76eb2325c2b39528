"""What can be said about many streams at a glance, and whether their order is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["StreamFacts", "neighbours", "stream_facts"]

Integers = NDArray[np.int64]

#: So many events without a pair in both orders are no coincidence.
_ENOUGH = 1000


@dataclass(frozen=True)
class StreamFacts:
    """Counts of streams, their events and their neighbours.

    Parameters
    ----------
    streams
        Number of streams with at least one event.
    events
        Number of events in all of them.
    symbols
        Number of symbols that occur.
    shortest, longest
        Lengths of the shortest and of the longest stream; 0 where there is none.
    with_repeats
        Streams in which a symbol occurs more than once.
    pairs_in_both_orders
        Pairs of different symbols that are neighbours in one order and, in the same or another stream, in the
        other order.
    malformed
        Lines of a file that were dropped.

    Examples
    --------
    >>> from pdp_widgets import StreamData
    >>> facts = StreamData([[3, 1, 3], [1, 3]]).facts
    >>> facts.events, facts.longest, facts.with_repeats, facts.pairs_in_both_orders
    (5, 3, 1, 1)
    """

    streams: int
    events: int
    symbols: int
    shortest: int
    longest: int
    with_repeats: int
    pairs_in_both_orders: int
    malformed: int = 0

    @property
    def looks_sorted(self) -> bool:
        """More than 1,000 events, and no two neighbours occur in both orders."""
        return self.pairs_in_both_orders == 0 and self.events > _ENOUGH and self.longest > 1


def neighbours(codes: Integers, offsets: Integers, gap: int = 1) -> Integers:
    """Return the positions of events that are followed, so many events later, by one of the same stream.

    Examples
    --------
    >>> neighbours(np.array([5, 6, 7]), np.array([0, 2, 3])).tolist()
    [0]
    """
    if len(codes) <= gap:
        return np.empty(0, dtype=np.int64)
    of_stream = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return np.flatnonzero(of_stream[gap:] == of_stream[:-gap])


def stream_facts(codes: Integers, offsets: Integers, n: int, malformed: int) -> StreamFacts:
    """Return the facts of streams that stand one after the other.

    Examples
    --------
    >>> stream_facts(np.array([0, 1, 0]), np.array([0, 2, 3]), 2, 0).events
    3
    """
    lengths = np.diff(offsets)
    lengths_of_some = lengths[lengths > 0]
    if not len(lengths_of_some):
        return StreamFacts(0, 0, 0, 0, 0, 0, 0, malformed)
    of_stream = np.repeat(np.arange(len(lengths)), lengths)
    within = np.unique(of_stream * n + codes)
    distinct = np.bincount(within // n, minlength=len(lengths))
    at = neighbours(codes, offsets)
    first, second = codes[at], codes[at + 1]
    differ = first != second
    pairs = np.unique(first[differ] * n + second[differ])
    reversed_ = pairs % n * n + pairs // n
    both = int(np.isin(reversed_, pairs, assume_unique=True).sum()) // 2
    return StreamFacts(
        streams=len(lengths_of_some),
        events=len(codes),
        symbols=len(np.unique(codes)),
        shortest=int(lengths_of_some.min()),
        longest=int(lengths_of_some.max()),
        with_repeats=int((distinct < lengths).sum()),
        pairs_in_both_orders=both,
        malformed=malformed,
    )
