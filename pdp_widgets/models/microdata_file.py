"""Records from a file of comma separated values with a header."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.text_lines import text_lines

__all__ = ["MISSING", "microdata_of_lines", "read_microdata"]

#: Fields that stand for a value that is not there.
MISSING = ("", "?", "NA", "NaN", "nan")


def read_microdata(
    path: str | PathLike[str],
    orders: Mapping[str, Iterable[Any]] | None = None,
    columns: Sequence[str] | None = None,
    title: str | None = None,
    missing: Iterable[str] = MISSING,
) -> Microdata:
    r"""Read records from a CSV file whose first line names the columns.

    Parameters
    ----------
    path
        Of the file, UTF-8; it may be packed by gzip where its name ends in ``.gz``.
    orders, columns
        As for `Microdata`. Labels of a column with an order are text.
    title
        Short text for pictures; without it the name of the file.
    missing
        Fields that stand for no value, after spaces around them are taken off.

    Raises
    ------
    TableError
        It is no path of a file, has no header or no records, or a line has another number of fields; the
        message names the line.
    DomainError
        A column does not exist, has no value, or has one that is not in its order.
    LimitError
        A column has more than 1,000 different labels in no given order.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "visits.csv")
    >>> _ = file.write_text("age,ill\n31,no\n?,yes\n")
    >>> read_microdata(file)
    Microdata('visits', 2 records, age: numbers, ill: 2 labels, 1 value missing)
    """
    lines, name = text_lines(path, TableError)
    gone = [missing] if isinstance(missing, str) or not isinstance(missing, Iterable) else list(missing)
    if not all(isinstance(one, str) for one in gone):
        raise DomainError(
            f"The missing values are {shown(missing)}; give a list of texts.",
            Where("parameter", name="missing"),
        )
    return microdata_of_lines(lines, name, orders, columns, name if title is None else title, gone)


def microdata_of_lines(
    lines: Iterable[str],
    name: str,
    orders: Mapping[str, Iterable[Any]] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    missing: Iterable[str] = MISSING,
) -> Microdata:
    """Return records from the lines of a CSV file; parameters as for `read_microdata`.

    Parameters
    ----------
    lines
        Of the file.
    name
        How it is called, for messages.
    orders, columns, title, missing
        As for `read_microdata`.

    Examples
    --------
    >>> microdata_of_lines(["age,ill", "31,no"], "visits").names
    ('age', 'ill')
    """
    rows, gone = csv.reader(lines), frozenset(missing)
    try:
        header = [field.strip() for field in next(rows, [])]
        if not header:
            raise TableError(f"{name} is empty; its first line names the columns.", _PATH)
        fields: list[list[str | None]] = [[] for _ in header]
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise TableError(
                    f"{name}, line {rows.line_num:,} has {len(row):,} field{'s' * (len(row) != 1)}, and the "
                    f"first line names {len(header):,} columns; every line needs as many.",
                    _PATH,
                )
            for column, field in zip(fields, row, strict=True):
                text = field.strip()
                column.append(None if text in gone else text)
    except csv.Error as error:
        raise TableError(
            f"{name}, line {rows.line_num:,} is no line of a CSV file: {error}.", _PATH
        ) from None
    twice = next((one for j, one in enumerate(header) if one in header[:j]), None)
    if twice is not None:
        raise TableError(f"{name} has two columns named {shown(twice)}; rename one of them.", _PATH)
    if not fields[0]:
        raise TableError(f"{name} has no records below its first line; give at least one.", _PATH)
    ordered = orders if isinstance(orders, Mapping) else {}
    wanted = header if columns is None else columns
    frame = {
        one: column if one in ordered or one not in wanted else _numbers_or_text(column)
        for one, column in zip(header, fields, strict=True)
    }
    return Microdata(frame, columns, orders, title)


_PATH = Where("parameter", name="path")


def _numbers_or_text(column: list[str | None]) -> Any:
    """Return numbers where all fields are numbers; to Python 1_000 is one too, here it is not."""
    if not any(column):
        return column
    try:
        found = [np.nan if one is None else _number(one) for one in column]
    except ValueError:
        return column
    return np.array(found)


def _number(text: str) -> float:
    if "_" in text or not text.isascii():
        raise ValueError
    number = float(text)
    # A whole number of many digits is a name: as a number it would be another one.
    if abs(number) >= 1 << 53 and text.lstrip("+-").isdigit() and int(text) != number:
        raise ValueError
    return number
