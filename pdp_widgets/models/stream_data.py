"""Streams from data: for many users one sequence of symbols each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import array_of, refuse_masked
from pdp_widgets.errors import StreamError, Where
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import Domain, Label, as_domain, as_label, as_title, how_many, short, shown
from pdp_widgets.models.stream_facts import StreamFacts, stream_facts
from pdp_widgets.models.stream_frames import streams_of_frame
from pdp_widgets.models.stream_input import (
    coded,
    declared_states,
    few,
    inner_list,
    outer_list,
)

__all__ = ["StreamData", "as_streams"]

Integers = NDArray[np.int64]


class StreamData(Immutable):
    """One sequence of symbols for each of many users, which may differ in length.

    The object is immutable. Symbols are positions 0, 1, ... inside and have labels outside.

    Parameters
    ----------
    streams
        Lists of labels, one for each user, or a two-dimensional array. For one user a list with one list.
        What is missing at the end of a list ends the stream.
    states
        All labels, in their order; without it those that all streams declare in an order (an ordered
        categorical, an Enum), or else those that occur, in ascending order (text in order of appearance, but
        no before yes).
    title
        A short text for pictures.

    Raises
    ------
    StreamError
        The streams are no lists of labels, an entry is missing or no number (cut the stream there), or a
        label is not one of the states.

    Examples
    --------
    >>> data = StreamData([["dry", "wet", "wet"], ["dry"]])
    >>> data
    StreamData(2 streams, 4 events, 2 symbols)
    >>> data.states, [codes.tolist() for codes in data]
    (('dry', 'wet'), [[0, 1, 1], [0]])
    """

    #: What becomes of streams where a chain is due, see `with_reader`.
    _reader_words: ClassVar[str] = "The law of streams is MarkovChain.from_streams(data)."

    __slots__ = ("__dict__", "_codes", "_malformed", "_offsets", "_states", "_title")

    _codes: Integers
    _offsets: Integers
    _states: Domain
    _title: str
    _malformed: int

    def __init__(
        self, streams: Iterable[Iterable[Any]], states: Iterable[Any] | None = None, title: str | None = ""
    ) -> None:
        self._begin()
        given = outer_list(streams)
        listed = [inner_list(stream, user) for user, stream in enumerate(given)]
        chosen = declared_states(given) if states is None else states
        named = None if chosen is None else as_domain(chosen, 0, "the streams")
        codes, found = coded(listed, named)
        offsets = np.concatenate([[0], np.cumsum([len(stream) for stream in listed], dtype=np.int64)])
        self._keep(codes, offsets.astype(np.int64), found, as_title(title), 0)

    def _keep(self, codes: Integers, offsets: Integers, states: Domain, title: str, malformed: int) -> None:
        for array in (codes, offsets):
            array.flags.writeable = False
        for slot, value in (
            ("_codes", codes),
            ("_offsets", offsets),
            ("_states", states),
            ("_title", title),
            ("_malformed", malformed),
        ):
            object.__setattr__(self, slot, value)

    def _made(self) -> bool:
        # The __dict__ is always there: what is found late is kept in it.
        return hasattr(self, "_codes")

    @classmethod
    def from_codes(
        cls,
        codes: Any,
        offsets: Any,
        states: Iterable[Any],
        title: str | None = "",
        malformed: int = 0,
    ) -> StreamData:
        """Return streams that stand one after the other as positions of symbols.

        Parameters
        ----------
        codes
            Positions of symbols of all streams.
        offsets
            Where each stream begins, and at the end the number of codes.
        states
            Labels.
        title
            Short text for pictures.
        malformed
            Lines that were dropped while reading.

        Examples
        --------
        >>> StreamData.from_codes([0, 1, 1], [0, 2, 3], ["no", "yes"]).labels(0)
        ('no', 'yes')
        """
        named = as_domain(states, 0, "the streams")
        refuse_masked(codes, "codes")
        refuse_masked(offsets, "offsets")
        positions, begins = array_of(codes), array_of(offsets)
        where = Where("parameter", name="codes")
        if positions.ndim != 1 or (positions.size and positions.dtype.kind not in "iu"):
            raise StreamError("The codes are not one list of positions of symbols.", where)
        if begins.ndim != 1 or not len(begins) or begins.dtype.kind not in "iu":
            raise StreamError(
                "The offsets are not a list of positions of codes.", Where("parameter", name="offsets")
            )
        if begins[0] != 0 or begins[-1] != len(positions) or (np.diff(begins.astype(np.int64)) < 0).any():
            raise StreamError(
                f"The offsets must rise from 0 to {len(positions)}, the number of codes.",
                Where("parameter", name="offsets"),
            )
        wrong = (positions < 0) | (positions >= len(named))
        if wrong.any():
            raise StreamError(
                f"Code {int(np.argmax(wrong))} is {int(positions[wrong][0])}; it is a position from 0 to "
                f"{len(named) - 1}.",
                where,
            )
        made = cls.__new__(cls)
        made._keep(
            positions.astype(np.int64),
            begins.astype(np.int64),
            named,
            as_title(title),
            as_count(malformed, "malformed lines"),
        )
        return made

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        symbol: str | Sequence[str],
        id: str | None = None,
        time: str | None = None,
        states: Iterable[Any] | None = None,
        title: str | None = "",
    ) -> StreamData:
        """Return the streams of a data frame with one event, or one stream, a row.

        Parameters
        ----------
        frame
            A pandas, polars or arrow table, a dict of lists, or a lazy frame, whose columns are collected. An
            event whose symbol is missing ends the stream of its user, and a new one begins behind it.
        symbol
            Column of the symbols; or several columns, in the order of time, where each row is a stream.
        id
            Column that tells users apart; without it all rows are one stream.
        time
            Column that orders the events: numbers, dates, ordered categories, or text such as 2020-03-01.
            Without it they stand in the order of the rows.
        states, title
            As for the class; an order that the column of the symbols declares is kept.

        Raises
        ------
        DomainError
            A column does not exist.
        StreamError
            A user or a time is missing, times have no order, or a symbol is not one of the states. A lazy
            frame whose rows have no order needs a time.

        Warns
        -----
        DataRemark
            There are several users and no ``time``, while rows of users alternate or a column is named like
            one of times; or two events of a user have one time.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"who": ["a", "b", "a"], "day": [2, 1, 1], "page": [7, 5, 5]})
        >>> [codes.tolist() for codes in StreamData.from_dataframe(frame, "page", "who", "day")]
        [[0], [0, 1]]
        >>> wide = pd.DataFrame({"May": ["well", "ill"], "June": ["well", None]})
        >>> [codes.tolist() for codes in StreamData.from_dataframe(wide, ["May", "June"])]
        [[0, 0], [1]]
        """
        streams, order = streams_of_frame(frame, symbol, id, time)
        return cls(streams, order if states is None else states, title)

    @property
    def codes(self) -> Integers:
        """Positions of the symbols of all streams, one stream after the other (read-only)."""
        return self._codes

    @property
    def offsets(self) -> Integers:
        """Where each stream begins in `codes`, and at the end their number (read-only)."""
        return self._offsets

    @property
    def states(self) -> Domain:
        """Labels of the symbols."""
        return self._states

    @property
    def n(self) -> int:
        """Number of symbols."""
        return len(self._states)

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @cached_property
    def facts(self) -> StreamFacts:
        """Counts of streams, events and neighbours."""
        return stream_facts(self._codes, self._offsets, self.n, self._malformed)

    @cached_property
    def counts(self) -> Integers:
        """How often each symbol occurs."""
        found = np.bincount(self._codes, minlength=self.n)
        found.flags.writeable = False
        return found

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, user: int) -> Integers:
        where = range(len(self))[user]
        return self._codes[self._offsets[where] : self._offsets[where + 1]]

    def __iter__(self) -> Iterator[Integers]:
        return (self[user] for user in range(len(self)))

    def labels(self, user: int) -> tuple[Label, ...]:
        """Return the labels of one stream, by its position; from the end where that is negative.

        Raises
        ------
        StreamError
            There is no such stream.
        """
        if not is_whole(user) or not -len(self) <= user < len(self):
            many = f"positions from 0 to {len(self) - 1:,}" if len(self) else "no stream"
            raise StreamError(
                f"There is no stream {shown(user)}; there are {many}.", Where("parameter", name="user")
            )
        return tuple(self._states[code] for code in self[user].tolist())

    def most_frequent(self, k: int, other: Any = "other") -> StreamData:
        """Return the streams with the k most frequent symbols; all others become one.

        Parameters
        ----------
        k
            How many symbols are kept, the most frequent first; among equally frequent ones the first.
        other
            Label of all others; it stands last, and is there even where nothing is left for it.

        Raises
        ------
        StreamError
            k is no whole number, 1 or more, or the label of the others is that of a symbol that is kept.

        Examples
        --------
        >>> small = StreamData([[5, 7, 5, 9], [7]]).most_frequent(2)
        >>> small.states, small.labels(0)
        ((5, 7, 'other'), (5, 7, 5, 'other'))
        """
        most = as_count(k, "symbols that are kept", 1)
        kept = np.argsort(-self.counts, kind="stable")[:most]
        rest = as_label(other, 0, "the streams")
        named = tuple(self._states[code] for code in kept.tolist())
        if rest in named:
            raise StreamError(
                f"The label of the others is {shown(rest)}, and a symbol that is kept has it; give another "
                "one.",
                Where("parameter", name="other"),
            )
        table = np.full(self.n, len(named), dtype=np.int64)
        table[kept] = np.arange(len(named))
        return self._recoded(table, (*named, rest))

    def for_states(self, states: Iterable[Any], other: Any = "other") -> StreamData:
        """Return the streams in the symbols of a model.

        Parameters
        ----------
        states
            Labels of the model, as `MarkovChain.states`.
        other
            What unknown symbols become, where the model has it.

        Raises
        ------
        StreamError
            A symbol occurs that the model does not have, and no other.

        Examples
        --------
        >>> StreamData([[5, 8]]).for_states([5, 7, "other"]).labels(0)
        (5, 'other')
        """
        named = as_domain(states, 0, "the model")
        position = {label: place for place, label in enumerate(named)}
        rest = -1 if other is None else position.get(as_label(other, 0, "the model"), -1)
        table = np.array([position.get(label, rest) for label in self._states], dtype=np.int64)
        unknown = (table < 0) & (self.counts > 0)
        if unknown.any():
            first = int(np.argmax(unknown))
            where = int(np.argmax(self._codes == first))
            user = int(np.searchsorted(self._offsets, where, side="right")) - 1
            raise StreamError(
                f"Stream {user}, step {where - int(self._offsets[user]) + 1} is "
                f"{shown(self._states[first])}, which the model does not have; it has {few(named)}. Give "
                f"the model a state {shown(other)}, or fit it to streams with this symbol.",
                Where("parameter", name="streams"),
            )
        return self._recoded(np.maximum(table, 0), named)

    def _recoded(self, table: Integers, states: Domain) -> StreamData:
        made = StreamData.__new__(StreamData)
        made._keep(table[self._codes], self._offsets, states, self._title, self._malformed)
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StreamData):
            return NotImplemented
        return (
            self._states == other._states
            and self._title == other._title
            and self._malformed == other._malformed
            and np.array_equal(self._offsets, other._offsets)
            and np.array_equal(self._codes, other._codes)
        )

    def __hash__(self) -> int:
        return hash((self._states, self._title, self._codes.tobytes(), self._offsets.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            StreamData.from_codes,
            (self._codes, self._offsets, self._states, self._title, self._malformed),
        )

    def __repr__(self) -> str:
        title = f"{short(self._title)!r}, " if self._title else ""
        counts = [
            how_many(count, noun)
            for count, noun in ((len(self), "stream"), (len(self._codes), "event"), (self.n, "symbol"))
        ]
        return f"StreamData({title}{', '.join(counts)})"


def as_streams(streams: Any, states: Iterable[Any] | None = None) -> StreamData:
    """Return streams, or lists of labels, as `StreamData` in these states."""
    if not isinstance(streams, StreamData):
        return StreamData(streams, states)
    return streams if states is None else streams.for_states(states)
