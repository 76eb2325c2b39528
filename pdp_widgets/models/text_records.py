"""The records of a text as columns of codes: each different text of a column is looked at once."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.labels import how_many, short

__all__ = ["Records", "TextColumn", "checked_names", "coded_records"]

#: Cells that are held as text at once, few enough for the cache of a processor, and rows at least.
_CELLS, _ROWS = 10_000, 100
#: The line after the last one: where it is part of a field, that field has no end.
_END = "\ue000\ue001\ue000"
_TABLE = Where("table")


Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TextColumn:
    """Different texts of a column in the order in which they come, and the place of that of each row."""

    # A row without any text, which only other formats have, is at -1.
    name: str
    texts: list[str]
    codes: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Records:
    """The columns that are wanted, the lines in which rows begin, and remarks."""

    columns: list[TextColumn]
    lines: Whole
    remarks: list[str]


def coded_records(
    lines: Iterable[str], name: str, delimiter: str, before: int, wanted: Callable[[list[str]], list[str]]
) -> Records:
    """Return the records of lines that follow ``before`` others; ``wanted`` chooses among their columns."""
    reader = csv.reader(chain(lines, [_END]), delimiter=delimiter, skipinitialspace=True)
    try:
        header = next((row for row in reader if any(map(str.strip, row))), [_END])
        if header == [_END]:
            raise TableError(f"{name} is empty; it needs a line of column names.", _TABLE)
        _refuse_open_quote(header, name, before + 1)
        blocks = _blocks(reader, before, len(header), name)
        first = next(blocks, None)
        names = [" ".join(cell.split()) for cell in header]
        # Where names of rows have no name of their own, R writes one name less.
        if first is not None and len(first[0][0]) == len(names) + 1:
            names.insert(0, "")
        chosen = wanted(checked_names(names, name))
        if first is None:
            raise TableError(f"{name} has no rows below its line of names; give at least one.", _TABLE)
        return _gathered(chain([first], blocks), names, chosen, name)
    except csv.Error as error:
        line = before + reader.line_num
        why = str(error)
        if "field limit" in why:
            why = "a quotation mark above it is probably never closed, and its field has no end"
        raise TableError(f"{name}, line {line:,} is no line of a CSV file: {why}.", _TABLE) from None


def _refuse_open_quote(row: list[str], name: str, line: int) -> None:
    if row != [_END] and any(_END in cell for cell in row):
        raise TableError(
            f"{name}, line {line:,}: a quotation mark opens in this record and is never closed.", _TABLE
        )


def checked_names(names: Iterable[str], name: str) -> list[str]:
    """Return the names of columns that have one; raise TableError where two are the same."""
    named = Counter(one for one in names if one)
    twice = next((one for one, times in named.items() if times > 1), None)
    if twice is not None:
        raise TableError(
            f"{name} has two columns of the same name, {short(twice)}; give each its own. If the first line "
            "is a record, put a line of names above it.",
            _TABLE,
        )
    return list(named)


def _blocks(reader: Any, before: int, columns: int, name: str) -> Iterator[tuple[list[list[str]], Whole]]:
    """Return complete rows, some at a time, and the lines in which they begin."""
    width, begin = 0, before + reader.line_num
    while rows := list(islice(reader, max(_ROWS, _CELLS // columns))):
        end = before + reader.line_num
        if end - begin == len(rows):
            lines = np.arange(begin + 1, end + 1)
        else:
            high = np.array([1 + sum(cell.count("\n") for cell in row) for row in rows])
            lines = begin + 1 + np.cumsum(high) - high
        begin = end
        _refuse_open_quote(rows[-1], name, int(lines[-1]))
        full = [place for place, row in enumerate(rows) if row != [_END] and not _is_blank(row, columns)]
        if len(full) < len(rows):
            rows, lines = [rows[place] for place in full], lines[full]
        if not rows:
            continue
        width = width or (columns + 1 if len(rows[0]) == columns + 1 and columns > 1 else columns)
        if set(map(len, rows)) != {width}:
            place = next(place for place, row in enumerate(rows) if len(row) != width)
            there = f"there are {columns:,} columns."
            if columns == 1:
                there = "there is 1 column. If the first line is a title and no name, leave it out."
            elif width != columns:
                there = f"the first record has {width:,}, and the line of names {columns:,}."
            raise TableError(
                f"{name}, line {lines[place]:,}: {how_many(len(rows[place]), 'field')} where {there}", _TABLE
            )
        yield rows, lines


def _is_blank(row: list[str], columns: int) -> bool:
    return not row or (len(row) == 1 and columns > 1 and not row[0].strip())


def _gathered(
    blocks: Iterable[tuple[list[list[str]], Whole]], names: list[str], chosen: list[str], name: str
) -> Records:
    asked = {*chosen, ""}
    wanted = {place: one for place, one in enumerate(names) if one in asked}
    codes: dict[int, list[NDArray[np.int32]]] = {place: [] for place in wanted}
    known: dict[int, defaultdict[str, int]] = {place: defaultdict() for place in wanted}
    for texts in known.values():
        # A text that is new has the next place.
        texts.default_factory = texts.__len__
    lines = []
    for rows, begins in blocks:
        lines.append(begins)
        columns = list(zip(*rows, strict=True))
        for place in wanted:
            found = map(known[place].__getitem__, columns[place])
            codes[place].append(np.fromiter(found, np.int32, len(rows)))
    made = {
        place: _stripped(one, known[place], np.concatenate(codes[place])) for place, one in wanted.items()
    }
    remarks = [_unnamed(made[place], place, name) for place, one in wanted.items() if not one]
    by_name = {column.name: column for column in made.values()}
    return Records([by_name[one] for one in chosen], np.concatenate(lines), remarks)


def _stripped(name: str, known: Iterable[str], codes: NDArray[np.int32]) -> TextColumn:
    """Return a column without blanks around its texts."""
    texts: dict[str, int] = {}
    table = np.array([texts.setdefault(text.strip(), len(texts)) for text in known], dtype=np.int32)
    return TextColumn(name, list(texts), table[codes])


def _unnamed(column: TextColumn, place: int, name: str) -> str:
    """Return the remark on a column without a name, which is left out; raise TableError where it is data."""
    if column.texts == [""]:
        return f"{name}: column {place + 1:,} has no name and no values, and is left out."
    if place or len(column.texts) < len(column.codes):
        raise TableError(f"{name}: column {place + 1:,} has no name; give it one in the first line.", _TABLE)
    return (
        f"{name}: the first column has no name: it is read as names of rows, and left out; give it a name "
        "to keep it."
    )
