"""Contingency tables from CSV files, and the two data sets that come with the package."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from io import StringIO
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short
from pdp_widgets.models.text_files import check_commas, file_bytes

__all__ = ["lsat6", "read_counts", "titanic"]


# Only what a number writes back the same way: "007", "+1", "1_000" and "nan" are names, not numbers.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def _number_or_text(text: str) -> int | float | str:
    if not _NUMBER.fullmatch(text):
        return text
    try:
        return int(text)
    except ValueError:
        value = float(text)
    return value if isfinite(value) else text


def _parse(
    text: str, weight: str | None, title: str, domains: Mapping[str, Iterable[Any]] | None, source: str
) -> JointDistribution:
    header, body = _records(text, source)
    if weight is not None and weight not in header:
        raise DomainError(_no_counts(weight, header, source), Where("parameter", name="weight"))
    columns: dict[str, list[Any]] = {}
    for position, name in enumerate(header):
        cells = [row[position] for row in body]
        parsed = [_number_or_text(cell) for cell in cells]
        # One text among numbers makes a column of text: "1st" and 2 are not one kind of label.
        columns[name] = cells if any(isinstance(v, str) for v in parsed) else parsed
    return JointDistribution.from_dataframe(columns, weight=weight, domains=domains, title=title)


def _records(text: str, source: str) -> tuple[list[str], list[list[str]]]:
    """Return the column names and the complete lines below them."""
    reader = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""))
    header: list[str] = []
    body: list[list[str]] = []
    try:
        for row in reader:
            if not header:
                header = row
                check_commas(header, source)
            elif row:
                _check_record(row, header, f"{source}, line {reader.line_num}")
                body.append(row)
    except csv.Error as error:
        raise TableError(
            f"{source}, line {reader.line_num} is no line of a CSV file: {error}.", Where("table")
        ) from None
    if not header:
        raise TableError(f"{source} is empty; it needs a line of column names.", Where("table"))
    repeated = next((name for name in header if header.count(name) > 1), None)
    if repeated is not None:
        raise TableError(
            f"{source} has two columns of the same name, {short(repeated)}; give each its own.",
            Where("table"),
        )
    return header, body


def _check_record(row: list[str], header: list[str], place: str) -> None:
    if len(row) != len(header):
        fields = f"{len(row)} field{'s'[: len(row) != 1]}"
        columns = f"are {len(header)} columns" if len(header) != 1 else "is 1 column"
        raise TableError(f"{place}: {fields} where there {columns}.", Where("table"))
    for name, cell in zip(header, row, strict=True):
        if cell == "":
            raise TableError(
                f"{place}: column {short(name)} is empty; every field needs an entry.",
                Where("parameter", name=name),
            )


def _no_counts(weight: str, header: list[str], source: str) -> str:
    names = ", ".join(short(name) for name in header)
    return (
        f"{source} has no column {short(weight)}; its columns are {names}. "
        "Name the column of counts, or give weight=None when every line is one record."
    )


def _text_of(path: str | PathLike[str]) -> str:
    data = file_bytes(path, TableError)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{Path(path).name}, line {line} is not UTF-8 text (byte 0x{data[error.start]:02x}); "
            "save the file as CSV in UTF-8.",
            Where("table"),
        ) from None


def read_counts(
    path: str | PathLike[str],
    weight: str | None = "count",
    title: str | None = None,
    domains: Mapping[str, Iterable[Any]] | None = None,
) -> JointDistribution:
    r"""Read a contingency table from a CSV file with a line of column names.

    Parameters
    ----------
    path
        The file; UTF-8, comma separated.
    weight
        Name of the column of counts, or None when every line is one record.
    title
        Short text for pictures; without it the name of the file.
    domains
        Labels by column name, where the order matters or a label does not occur. Without it numbers stand in
        ascending order and text in order of appearance (no before yes, false before true).

    Raises
    ------
    TableError
        It is no path of a file, or the file is no CSV file in UTF-8, a line is incomplete, a count is not a
        whole number, or there are no counts.
    DomainError
        The column of counts does not exist, or a label is outside its domain.
    LimitError
        The file has more than 250 MB.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "coins.csv")
    >>> _ = file.write_text("first,second,count\nheads,heads,3\ntails,heads,1\n")
    >>> read_counts(file).domains
    (('heads', 'tails'), ('heads',))
    """
    text, file = _text_of(path), Path(path)
    return _parse(text, weight, file.stem if title is None else title, domains, file.name)


def _packaged(name: str, title: str, names: list[str]) -> JointDistribution:
    text = files("pdp_widgets").joinpath("data", name).read_text(encoding="utf-8")
    found = _parse(text, "count", title, None, name)
    assert found.counts is not None
    return JointDistribution.from_counts(found.counts, found.domains, names, title)


def lsat6() -> JointDistribution:
    """Return five answers of 1,000 test takers, 0 = wrong, 1 = right.

    Law school admission test, section 6: R. D. Bock and M. Lieberman, "Fitting a response model for n
    dichotomously scored items", Psychometrika 35 (1970). All ten pairs of items are positively correlated.

    Examples
    --------
    >>> lsat6().records
    1000
    >>> lsat6().names
    ('item 1', 'item 2', 'item 3', 'item 4', 'item 5')
    """
    return _packaged(
        "lsat6.csv", "LSAT section 6: five answers of 1,000 test takers", [f"item {k}" for k in range(1, 6)]
    )


def titanic() -> JointDistribution:
    """Return class, sex, age group and survival of the 2,201 people aboard the Titanic.

    R. J. MacG. Dawson, "The unusual episode data revisited", Journal of Statistics Education 3(3) (1995). The
    labels are text: a query needs contributions of its own.

    Examples
    --------
    >>> titanic().records
    2201
    >>> titanic().domains[3]
    ('no', 'yes')
    """
    return _packaged("titanic.csv", "Titanic: 2,201 people aboard", ["class", "sex", "age", "survived"])
