"""The records of a text as columns of codes: each different text of a column is looked at once."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.labels import how_many, short
from pdp_widgets.models.plain_text import PlainText

__all__ = ["CodedText", "Records", "TextColumn", "checked_names", "coded_records", "stripped"]

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


class CodedText:
    """A text with a line of names, whose records come as positions among the texts of their columns.

    Its lines follow ``before`` others; ``choose`` names the columns that are kept; ``plain`` reads what is
    plain below the first records. Texts that are known already stay where they are.
    """

    def __init__(
        self,
        lines: Iterable[str],
        name: str,
        delimiter: str,
        before: int,
        choose: Callable[[list[str]], list[str]],
        plain: PlainText | None = None,
        known: Mapping[str, dict[str, int]] | None = None,
    ) -> None:
        self._lines = chain(lines, [_END])
        self._name, self._delimiter, self._before, self._plain = name, delimiter, before, plain
        with self._clear():
            self._reader = self._csv()
            header = next((row for row in self._reader if any(map(str.strip, row))), [_END])
            if header == [_END]:
                raise TableError(f"{name} is empty; it needs a line of column names.", _TABLE)
            _refuse_open_quote(header, name, before + 1)
            self._columns = len(header)
            self._first = next(_blocks(self._reader, before, self._columns, 0, name), None)
        names = [" ".join(cell.split()) for cell in header]
        # Where names of rows have no name of their own, R writes one name less.
        if self._first is not None and len(self._first[0][0]) == len(names) + 1:
            names.insert(0, "")
        self._width = len(names)
        self.chosen = choose(checked_names(names, name))
        if self._first is None:
            raise TableError(f"{name} has no rows below its line of names; give at least one.", _TABLE)
        places = {one: place for place, one in enumerate(names) if one}
        self.unnamed = [place for place, one in enumerate(names) if not one]
        self.places = [*(places[one] for one in self.chosen), *self.unnamed]
        #: Texts of the columns that are kept, and below them those without a name.
        self.known: list[dict[str, int]] = [
            (known or {}).get(one, {}) if one else {} for one in [*self.chosen, *[""] * len(self.unnamed)]
        ]
        #: How many records have come.
        self.rows = 0

    def _csv(self) -> Any:
        return csv.reader(self._lines, delimiter=self._delimiter, skipinitialspace=True)

    @contextmanager
    def _clear(self) -> Iterator[None]:
        """Say in which line the csv module stumbles."""
        try:
            yield
        except csv.Error as error:
            why = str(error)
            if "field limit" in why:
                why = "a quotation mark above it is probably never closed, and its field has no end"
            line = self._before + self._reader.line_num
            raise TableError(
                f"{self._name}, line {line:,} is no line of a CSV file: {why}.", _TABLE
            ) from None

    def parts(self) -> Iterator[tuple[list[NDArray[np.int32]], Whole]]:
        """Return codes of the columns that are kept, some records at a time, and the lines of these."""
        with self._clear():
            assert self._first is not None
            yield self._coded(*self._first)
            read = self._before + self._reader.line_num
            if self._plain is not None:
                begun = read
                for columns in self._plain.parts(read, self._delimiter, self._width, self.places):
                    codes = [
                        _placed(texts, known)[within]
                        for (texts, within), known in zip(columns, self.known, strict=True)
                    ]
                    many = len(codes[0])
                    self.rows += many
                    yield codes, np.arange(read + 1, read + 1 + many)
                    read += many
                if self._plain.finished:
                    return
                if read > begun:
                    # What is read already is passed over.
                    next(islice(self._lines, read - begun, read - begun), None)
                    self._before, self._reader = read, self._csv()
            for rows, lines in _blocks(self._reader, self._before, self._columns, self._width, self._name):
                yield self._coded(rows, lines)

    def _coded(self, rows: list[list[str]], lines: Whole) -> tuple[list[NDArray[np.int32]], Whole]:
        columns = list(zip(*rows, strict=True))
        self.rows += len(rows)
        return [
            _placed(columns[place], known) for place, known in zip(self.places, self.known, strict=True)
        ], lines

    def remarks_of_unnamed(self) -> list[str]:
        """Return remarks on columns without a name, which are read no more."""
        many = len(self.chosen)
        found = [
            self._remark(place, texts) for place, texts in zip(self.unnamed, self.known[many:], strict=True)
        ]
        self.unnamed = []
        del self.places[many:], self.known[many:]
        return found

    def _remark(self, place: int, texts: Collection[str]) -> str:
        """Return the remark on a column that is left out; raise where it is data."""
        if {text.strip() for text in texts} == {""}:
            return f"{self._name}: column {place + 1:,} has no name and no values, and is left out."
        if place or len(texts) < self.rows:
            raise TableError(
                f"{self._name}: column {place + 1:,} has no name; give it one in the first line.", _TABLE
            )
        return (
            f"{self._name}: the first column has no name: it is read as names of rows, and left out; give it "
            "a name to keep it."
        )


def _placed(texts: Sequence[str], known: dict[str, int]) -> NDArray[np.int32]:
    """Return the places of texts; one that is new has the next place."""
    try:
        return np.fromiter(map(known.__getitem__, texts), np.int32, len(texts))
    except KeyError:
        for text in texts:
            known.setdefault(text, len(known))
        return np.fromiter(map(known.__getitem__, texts), np.int32, len(texts))


def coded_records(
    lines: Iterable[str],
    name: str,
    delimiter: str,
    before: int,
    choose: Callable[[list[str]], list[str]],
    plain: PlainText | None = None,
) -> Records:
    """Return all records of a text; parameters are those of `CodedText`."""
    text = CodedText(lines, name, delimiter, before, choose, plain)
    parts = list(text.parts())
    codes = [np.concatenate(column) for column in zip(*(codes for codes, _ in parts), strict=True)]
    columns = [
        stripped(one, known, column)
        for one, known, column in zip(text.chosen, text.known, codes, strict=False)
    ]
    remarks = text.remarks_of_unnamed()
    return Records(columns, np.concatenate([begins for _, begins in parts]), remarks)


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


def _blocks(
    reader: Any, before: int, columns: int, width: int, name: str
) -> Iterator[tuple[list[list[str]], Whole]]:
    """Return complete rows, some at a time, and the lines in which they begin; a width of 0 is not known."""
    begin = before + reader.line_num
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


def stripped(name: str, known: Iterable[str], codes: NDArray[np.int32]) -> TextColumn:
    """Return a column without blanks around its texts."""
    texts: dict[str, int] = {}
    table = np.array([texts.setdefault(text.strip(), len(texts)) for text in known], dtype=np.int32)
    return TextColumn(name, list(texts), table[codes])
