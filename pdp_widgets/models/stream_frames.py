"""Streams from data frames: one event a row, ordered by a column of times, or one stream a row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DataRemark, StreamError, Where, warn_caller
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import (
    check_lengths,
    checked_columns,
    column_names,
    columns_of,
    is_lazy,
    labelled_values,
    named_by,
    number_array,
    opened,
)
from pdp_widgets.models.labels import short, shown

__all__ = ["streams_of_frame"]

#: What a column of times is called most often.
_NAMES = frozenset(("time", "date", "datetime", "timestamp", "day", "week", "month", "year", "step", "wave"))
#: Text that has the order of the times that it says: 2020-03-01, 2020-03-01 12:00, 2020-W10, 2020Q1.
_ISO = re.compile(r"\d{4}([-/]?[QW]?\d{1,2}){0,2}([T ]\d{2}(:\d{2}){0,2}(\.\d+)?)?")


def streams_of_frame(
    frame: Any, symbol: str | Sequence[str], who: str | None, when: str | None
) -> tuple[list[list[Any]], list[Any] | None]:
    """Return the symbols of each person in the order of time, and the order of labels that is declared."""
    # What is missing ends a stream.
    who, when = named_by(frame, "id", who), named_by(frame, "time", when)
    if not isinstance(symbol, str) and isinstance(symbol, Sequence):
        return _wide(frame, symbol, who, when)
    available = column_names(frame)
    wanted = [symbol, *(name for name in (who, when) if name is not None)]
    names, _ = checked_columns(available, wanted, None, None, noun="column")
    if when is None and is_lazy(opened(frame, names)) and not hasattr(frame, "collect_schema"):
        raise StreamError(
            f"The rows of a {type(frame).__name__} have no order; name the column of times: time=...",
            Where("parameter", name="time"),
        )
    columns = columns_of(frame, names)
    values, order = labelled_values(columns[0], names[0])
    people = [None] * len(values) if who is None else labelled_values(columns[1], names[1])[0]
    times = np.arange(len(values)) if when is None else _times(columns[-1], names[-1])
    check_lengths([names[0], str(who), str(when)], [values, people, times])
    rows: Sequence[int] = range(len(values))
    if when is not None:
        rows = np.argsort(times, kind="stable").tolist()
        _remark_of_ties(people, times, names[-1])
    elif who is not None:
        _remark_of_order(people, [name for name in available if name not in names])
    streams: list[list[Any]] = []
    current: dict[Any, list[Any]] = {}
    for row in rows:
        value, person = values[row], people[row]
        if who is not None and is_missing(person):
            raise StreamError(
                f"Column {short(who)}, row {row} is missing; every event needs its user.",
                Where("parameter", name="id"),
            )
        if is_missing(value):
            current.pop(person, None)
            continue
        if person not in current:
            current[person] = []
            streams.append(current[person])
        current[person].append(value)
    return streams, order


def _wide(
    frame: Any, symbols: Sequence[str], who: str | None, when: str | None
) -> tuple[list[list[Any]], list[Any] | None]:
    """Return one stream for each row: the values of some columns, in their order."""
    if who is not None or when is not None:
        raise StreamError(
            "Several columns of symbols make each row a stream: leave id and time out, or name the one "
            "column of symbols.",
            Where("parameter", name="id" if who is not None else "time"),
        )
    names, _ = checked_columns(column_names(frame), symbols, None, None, noun="column", parameter="symbol")
    read = [
        labelled_values(column, name) for name, column in zip(names, columns_of(frame, names), strict=True)
    ]
    check_lengths(names, [values for values, _ in read])
    orders = [order for _, order in read]
    same = orders[0] is not None and all(order == orders[0] for order in orders)
    streams: list[list[Any]] = []
    for row in zip(*(values for values, _ in read), strict=True):
        current: list[Any] = []
        for value in row:
            if not is_missing(value):
                current.append(value)
            elif current:
                streams.append(current)
                current = []
        if current:
            streams.append(current)
    return streams, orders[0] if same else None


def _times(column: Any, name: str) -> NDArray[Any]:
    """Return the place of every row in the order of time; rows of one time have one place."""
    where = Where("parameter", name="time")
    array = number_array(column)
    values: Any = labelled_values(column, name) if array is None else (array, None)
    listed, order = values
    lost = np.isnan(listed) if array is not None and array.dtype.kind == "f" else None
    if array is None:
        lost = np.fromiter(map(is_missing, listed), np.bool_, len(listed))
    if lost is not None and lost.any():
        raise StreamError(
            f"Column {short(name)}, row {int(np.argmax(lost))} is missing; every event needs its time.", where
        )
    if array is not None:
        return np.unique(array, return_inverse=True)[1]
    distinct = list(dict.fromkeys(listed))
    if order is None:
        texts = [value for value in distinct if isinstance(value, str)]
        odd = next((text for text in texts if not _ISO.fullmatch(text)), None)
        shapes = {re.sub(r"\d", "0", text) for text in texts}
        if odd is not None or len(shapes) > 1:
            raise StreamError(
                f"Column {short(name)} has the text {shown(distinct[0] if odd is None else odd)}, which does "
                "not say which time is earlier. Times are numbers, dates or text such as 2020-03-01, all in "
                "one form: pandas.to_datetime makes dates of text.",
                where,
            )
        try:
            order = sorted(distinct)
        except TypeError:
            raise StreamError(
                f"Column {short(name)} has times of several kinds, which have no order: "
                f"{shown(distinct[0])} and {shown(distinct[1])}.",
                where,
            ) from None
    place: Mapping[Any, int] = {value: number for number, value in enumerate(order)}
    return np.fromiter(map(place.__getitem__, listed), np.int64, len(listed))


def _remark_of_ties(people: list[Any], times: NDArray[Any], name: str) -> None:
    twice = len(times) - len(set(zip(people, times.tolist(), strict=True)))
    if twice:
        warn_caller(
            f"{twice:,} events have the {short(name)} of another event of the same stream: they stay in the "
            "order of the rows. Name a column that tells them apart, or a finer time.",
            DataRemark,
        )


def _remark_of_order(people: list[Any], others: list[str]) -> None:
    """Say that the order of the rows is taken for that of time, where that is far from sure."""
    begins = sum(one != before for one, before in zip(people[1:], people[:-1], strict=True)) + 1
    likely = next((name for name in others if name.strip().lower() in _NAMES), None)
    if likely is None and begins <= len(set(people)):
        return
    named = "time=..." if likely is None else f"time={likely!r}"
    warn_caller(
        f"The events of each stream are taken in the order of the rows. If another column says when they "
        f"happened, name it: from_dataframe(frame, symbol, id, {named}).",
        DataRemark,
    )
