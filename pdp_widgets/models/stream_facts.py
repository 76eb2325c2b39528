"""What is counted in streams: facts at a glance, neighbours, and the laws that their frequencies make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import Kind
from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import ChainError, StreamError, Where
from pdp_widgets.models.chain_checks import check_size
from pdp_widgets.models.labels import Domain, shown

__all__ = [
    "StreamFacts",
    "absorbed",
    "as_order",
    "counted_neighbours",
    "neighbours",
    "pair_table",
    "smoothed_laws",
    "stream_facts",
]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: What is added to each count, by name; None stands for 1 / n.
_SMOOTHINGS: dict[str, float | None] = {"one per row": None, "none": 0.0, "jeffreys": 0.5, "laplace": 1.0}
_DENSE = 2000
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
    """Return the positions of events that are followed, so many events later, by one of the same stream."""
    if len(codes) <= gap:
        return np.empty(0, dtype=np.int64)
    of_stream = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return np.flatnonzero(of_stream[gap:] == of_stream[:-gap])


def stream_facts(codes: Integers, offsets: Integers, n: int, malformed: int) -> StreamFacts:
    """Return the facts of streams that stand one after the other."""
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


def as_order(order: Any) -> int:
    """Return the order of a chain, or raise ChainError."""
    if not is_whole(order) or order not in (1, 2):
        raise ChainError(f"The order is {shown(order)}; it is 1 or 2.", Where("parameter", name="order"))
    return int(order)


def counted_neighbours(
    codes: Integers, offsets: Integers, n: int, order: int
) -> tuple[int, Integers, Any, Integers | None]:
    """Return how many streams begin, how many with each symbol, and how often symbols are neighbours."""
    as_order(order)
    begins = offsets[:-1][np.diff(offsets) > 0]
    first = np.bincount(codes[begins], minlength=n)
    at = neighbours(codes, offsets)
    ones = np.ones(len(at), dtype=np.int64)
    pairs = pair_table(ones, codes[at], codes[at + 1], n)
    triples = None
    if order == 2:
        check_size(n**3, "The table of triples")
        at = neighbours(codes, offsets, 2)
        where = (codes[at] * n + codes[at + 1]) * n + codes[at + 2]
        triples = np.bincount(where, minlength=n**3).reshape(n, n, n)
    for array in (first, pairs, triples):
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    return len(begins), first, pairs, triples


def pair_table(counts: Integers, before: Integers, after: Integers, n: int) -> Any:
    """Return a table of counts, added up by the symbols that are neighbours; sparse for many symbols."""
    # Late, as in the stationary law.
    from scipy.sparse import coo_array

    pairs: Any = coo_array((counts, (before, after)), shape=(n, n)).tocsr()
    return pairs.toarray() if n <= _DENSE else pairs


def smoothed_laws(
    streams: float, first: Any, pairs: Any, triples: Integers | None, smoothing: str | float | None
) -> tuple[Floats, Floats, Floats | None]:
    """Return the transitions, the start law and the law of the second symbol that counts make."""
    n = len(first)
    check_size(n ** (2 if triples is None else 3), "The chain")
    added = _added(smoothing, n)
    if not streams and not added:
        raise StreamError(
            "There is no stream with a symbol, so there are no frequencies; add something to the counts.",
            Where("parameter", name="smoothing"),
        )
    start = np.asarray((first + added) / (streams + added * n))
    dense = pairs if isinstance(pairs, np.ndarray) else pairs.toarray()
    after_one = _frequencies(dense, added, np.full((n, n), 1 / n))
    if triples is None:
        return after_one, start, None
    return _frequencies(triples, added, np.broadcast_to(after_one, (n, n, n))), start, after_one


def absorbed(
    moves: Floats, early: Floats | None, pairs: Any, states: Domain, absorbing: Iterable[Any] | None
) -> tuple[Floats, Floats | None]:
    """Return transitions in which some states are never left, whatever was added to their counts."""
    if absorbing is None:
        return moves, early
    where = Where("parameter", name="absorbing")
    if isinstance(absorbing, str | bytes) or not isinstance(absorbing, Iterable):
        raise ChainError(f"The absorbing states are {shown(absorbing)}; give a list of states.", where)
    moves, early = moves.copy(), None if early is None else early.copy()
    for label in absorbing:
        if label not in states:
            raise ChainError(
                f"There is no state {shown(label)} to be absorbing; the states are "
                f"{', '.join(map(shown, states[:8]))}{', ...' if len(states) > 8 else ''}.",
                where,
            )
        k = states.index(label)
        left = pairs[[k], :].sum() - pairs[k, k]
        if left > 0:
            raise ChainError(
                f"State {shown(label)} is declared absorbing, and the data leave it ({left:,.6g}); an "
                "absorbing state is never left.",
                where,
            )
        for table in (moves, *([] if early is None else [early])):
            table[..., k, :] = 0
            table[..., k, k] = 1
    return moves, early


def _frequencies(counts: Integers, added: float, otherwise: Floats) -> Floats:
    n = counts.shape[-1]
    sums = counts.sum(axis=-1, keepdims=True) + added * n
    found = otherwise.copy()
    np.divide(counts + added, sums, out=found, where=sums > 0)
    return found


def _added(smoothing: Any, n: int) -> float:
    if smoothing is None:
        return 1 / n
    if isinstance(smoothing, str) and smoothing in _SMOOTHINGS:
        number = _SMOOTHINGS[smoothing]
        return 1 / n if number is None else number
    accepted = f"give a number, 0 to 1e15, or one of {', '.join(map(repr, _SMOOTHINGS))}"
    return Kind(accepted, 0, 1e15, subject="The smoothing").take(smoothing, "smoothing", ChainError)
