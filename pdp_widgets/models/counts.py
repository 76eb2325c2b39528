"""Contingency tables from CSV files, and the two data sets that come with the package."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from importlib.resources import files
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["lsat6", "read_counts", "titanic"]


def _number_or_text(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        # "nan", "1_000" and " 3" are text to a reader, even where Python would take them for numbers.
        if (
            text.strip() == text
            and "_" not in text
            and text.lower().strip("+-") not in ("nan", "inf", "infinity")
        ):
            return value
    return text


def _parse(
    text: str, count: str | None, title: str, domains: Mapping[str, Iterable[Any]] | None, source: str
) -> JointDistribution:
    rows = list(csv.reader(StringIO(text.removeprefix("\ufeff"))))
    rows = [row for row in rows if row]
    if not rows:
        raise TableError(f"{source} is empty; it needs a line of column names.", Where("table"))
    header, body = rows[0], rows[1:]
    if len(set(header)) != len(header):
        raise TableError(f"{source} has two columns of the same name.", Where("table"))
    for number, row in enumerate(body, start=2):
        if len(row) != len(header):
            raise TableError(
                f"{source}, line {number}: {len(row)} fields where there are {len(header)} columns.",
                Where("table"),
            )
        for name, cell in zip(header, row, strict=True):
            if cell == "":
                raise TableError(
                    f"{source}, line {number}: column {name} is empty; every record needs a label.",
                    Where("parameter", name=name),
                )
    columns: dict[str, list[Any]] = {}
    for position, name in enumerate(header):
        cells = [row[position] for row in body]
        parsed = [_number_or_text(cell) for cell in cells]
        # One text among numbers makes a column of text: "1st" and 2 are not one kind of label.
        columns[name] = cells if any(isinstance(v, str) for v in parsed) else parsed
    return JointDistribution.from_dataframe(columns, count=count, domains=domains, title=title)


def read_counts(
    path: str | PathLike[str],
    count: str | None = "count",
    title: str | None = None,
    domains: Mapping[str, Iterable[Any]] | None = None,
) -> JointDistribution:
    r"""Read a contingency table from a CSV file with a line of column names.

    Parameters
    ----------
    path
        The file; UTF-8, comma separated.
    count
        Name of the column of counts, or None when every line is one record.
    title
        Short text for pictures; without it the name of the file.
    domains
        Labels by column name, where the order matters or a label does not occur. Without it numbers stand in
        ascending order and text in order of appearance.

    Raises
    ------
    TableError
        A line is incomplete, a count is not a whole number, or there are no counts.
    DomainError
        The column of counts does not exist, or a label is outside its domain.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "coins.csv")
    >>> _ = file.write_text("first,second,count\nheads,heads,3\ntails,heads,1\n")
    >>> read_counts(file).domains
    (('heads', 'tails'), ('heads',))
    """
    file = Path(path)
    return _parse(
        file.read_text(encoding="utf-8"), count, file.stem if title is None else title, domains, file.name
    )


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
