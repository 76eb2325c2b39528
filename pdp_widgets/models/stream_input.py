"""What can be given as streams, the faults it can have, and which reader makes streams of all else."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, StreamError, Where
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import declared_categories, found_domain
from pdp_widgets.models.labels import Domain, Label, as_label, is_text, short, shown
from pdp_widgets.models.table_checks import is_records

__all__ = [
    "coded",
    "declared_states",
    "few",
    "inner_list",
    "outer_list",
    "with_reader",
]

Integers = NDArray[np.int64]

_FILE = (
    'Read a file first: read_click_streams("FILE") where each line is a stream, or '
    'StreamData.from_dataframe(pandas.read_csv("FILE"), "COLUMN") for a column of a table.'
)
_FRAME = 'Name the column that holds the stream: StreamData.from_dataframe(frame, "COLUMN").'
_LIST = "A stream of your own is StreamData([values]), one list for each person."
_LISTS = "Streams of your own are StreamData(lists), one list for each person."
_NUMBERS = "Measured numbers become symbols by quantised(values, low, high, cells), with public bounds."


def few(states: Domain) -> str:
    """Return the first labels, for a message."""
    return ", ".join(short(shown(label)) for label in states[:8]) + (", ..." if len(states) > 8 else "")


def outer_list(streams: Any) -> list[Any]:
    """Return what is given as a list of streams, or raise StreamError."""
    if is_records(streams):
        raise StreamError(
            with_reader(f"A {type(streams).__name__} is no list of streams.", streams),
            Where("parameter", name="streams"),
        )
    where = Where("parameter", name="streams")
    file = isinstance(streams, str | bytes | io.IOBase)
    if file or isinstance(streams, dict | set | frozenset) or not isinstance(streams, Iterable):
        words = f"The streams are {shown(streams)}; give one list of symbols for each user."
        raise StreamError(with_reader(words, streams), where)
    return list(streams)


def inner_list(stream: Any, user: int) -> list[Any]:
    """Return one stream as a list of labels without what is missing at its end, or raise StreamError."""
    listed = _listed(stream, user)
    while listed and is_missing(listed[-1]) and listed[-1] is not np.ma.masked:
        listed.pop()
    return listed


def _listed(stream: Any, user: int) -> list[Any]:
    if isinstance(stream, np.ma.MaskedArray) and np.ma.getmaskarray(stream).any():
        raise StreamError(
            f"Stream {user} has a masked entry; cut the stream there.", Where("row", index=(user,))
        )
    if isinstance(stream, np.ndarray) and stream.ndim == 1:
        return list(stream.tolist())
    if hasattr(stream, "to_list"):
        return list(stream.to_list())
    if hasattr(stream, "to_pylist"):
        return list(stream.to_pylist())
    if isinstance(stream, str | bytes | dict | set | frozenset) or not isinstance(stream, Iterable):
        raise StreamError(
            f"Stream {user} is {shown(stream)}; give a list of symbols. One stream of your own is "
            "StreamData([values]).",
            Where("row", index=(user,)),
        )
    return list(stream)


def declared_states(streams: list[Any]) -> list[Any] | None:
    """Return the labels that all streams declare in one order, or None where some declare none."""
    found = [declared_categories(stream) for stream in streams]
    if not found or any(one is None for one in found):
        return None
    other = next((user for user, one in enumerate(found) if one != found[0]), None)
    if other is not None:
        raise StreamError(
            f"Streams 0 and {other} declare other categories, or another order of them; give states.",
            Where("row", index=(other,)),
        )
    return found[0]


def coded(listed: list[list[Any]], states: Domain | None) -> tuple[Integers, Domain]:
    """Return positions of all symbols, and the labels: those given or those found."""
    position: dict[Any, int] = {} if states is None else {label: k for k, label in enumerate(states)}
    codes: list[int] = []
    for user, stream in enumerate(listed):
        for step, value in enumerate(stream):
            try:
                place = position.get(value, -1)
            except TypeError:
                place = -1
            if place < 0:
                label = _label(value, user, step)
                place = position.get(label, -1)
                if place < 0 and states is not None:
                    raise StreamError(
                        f"Stream {user}, step {step + 1} is {shown(label)}, which is none of the states "
                        f"{few(states)}.",
                        Where("cell", index=(user, step)),
                    )
                if place < 0:
                    place = position[label] = len(position)
            codes.append(place)
    array = np.array(codes, dtype=np.int64)
    if states is not None:
        return array, states
    if not position:
        raise StreamError(
            "The streams have no event, so there are no symbols; give states.",
            Where("parameter", name="streams"),
        )
    found = found_domain(list(position), "the streams", 0)
    table = np.empty(len(found), dtype=np.int64)
    for place, label in enumerate(found):
        table[position[label]] = place
    return table[array], found


def _label(value: Any, user: int, step: int) -> Label:
    where = Where("cell", index=(user, step))
    if is_missing(value):
        raise StreamError(
            f"Stream {user}, step {step + 1} is missing ({shown(value)}); cut the stream there, since "
            "symbols on both sides of a gap are no neighbours.",
            where,
        )
    if isinstance(value, str) and not is_text(value):
        raise StreamError(f"Stream {user}, step {step + 1} has half a character (a lone surrogate).", where)
    try:
        return as_label(value, 0, "the streams")
    except DomainError:
        raise StreamError(
            f"Stream {user}, step {step + 1} is a {type(value).__name__}; a symbol is a number, text, true "
            "or false.",
            where,
        ) from None


def with_reader(message: str, given: Any) -> str:
    """Return an error's message with the reader of what was given: a file, a frame, a series or lists."""
    try:
        return f"{message} {_reader(given)}".rstrip()
    except Exception:
        # What cannot be looked at has no reader; the error it is part of is said all the same.
        return message


def _reader(given: Any) -> str:
    """Return a sentence that names the reader; empty where there is none."""
    if said := getattr(type(given), "_reader_words", ""):
        return str(said)
    if isinstance(given, str | bytes | os.PathLike | io.IOBase):
        return _FILE
    if hasattr(given, "columns") or is_records(given):
        return "" if _is_matrix(given) else _FRAME
    if isinstance(given, dict | set | frozenset) or not isinstance(given, Iterable):
        return ""
    if not hasattr(given, "__len__"):
        return _LIST
    first = list(islice(given, 8))
    if not first:
        return ""
    if all(_is_list(one) for one in first):
        return _LISTS if any(is_text(label) for one in first for label in islice(one, 8)) else ""
    if any(_is_list(one) for one in first):
        return ""
    fractions = [one for one in first if isinstance(one, float | np.floating) and one != round(one)]
    return _NUMBERS if fractions else _LIST


def _is_matrix(frame: Any) -> bool:
    """Tell whether a frame has as many columns of numbers as rows: then probabilities were meant."""
    rows, columns = np.shape(frame)
    return rows == columns and np.asarray(frame).dtype.kind in "iuf"


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)
