"""Which reader makes streams of what was given where a chain or a list of states is due."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from pdp_widgets.models.labels import is_text
from pdp_widgets.models.table_checks import is_records

__all__ = ["reader_words", "with_reader"]

_FILE = (
    'Read a file first: read_click_streams("FILE") where each line is a stream, or '
    'StreamData.from_dataframe(pandas.read_csv("FILE"), "COLUMN") for a column of a table.'
)
_FRAME = 'Name the column that holds the stream: StreamData.from_dataframe(frame, "COLUMN").'
_LIST = "A stream of your own is StreamData([values]), one list for each person."
_LISTS = "Streams of your own are StreamData(lists), one list for each person."
_NUMBERS = "Measured numbers become symbols by quantised(values, low, high, cells), with public bounds."
_STREAMS = "The law of streams is MarkovChain.from_streams(data)."


def reader_words(given: Any) -> str:
    """Return a sentence that names the reader of a file, a frame, a series or lists; empty for all else.

    Examples
    --------
    >>> reader_words("clicks.dat")[:24], reader_words(["dry", "wet"])
    ('Read a file first: read_', 'A stream of your own is StreamData([values]), one list for each person.')
    >>> reader_words([[0.9, 0.1], [0.2, 0.8]])
    ''
    """
    try:
        return _words(given)
    except Exception:
        # What cannot be looked at has no reader; the error it is part of is said all the same.
        return ""


def with_reader(message: str, given: Any) -> str:
    """Return the message of an error with the reader of what was given, where it has one.

    Examples
    --------
    >>> with_reader("There is no chain.", 5)
    'There is no chain.'
    """
    return f"{message} {reader_words(given)}".rstrip()


def _words(given: Any) -> str:
    from pdp_widgets.models.stream_data import StreamData

    if isinstance(given, StreamData):
        return _STREAMS
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
