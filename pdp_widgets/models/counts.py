"""Contingency tables from files, and the two data sets that come with the package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short
from pdp_widgets.models.read_table import HowToRead, read_table, table_of_lines
from pdp_widgets.models.table import Table

__all__ = ["lsat6", "read_counts", "titanic"]


def _joint(
    table: Table, weight: str | None, title: str, domains: Mapping[str, Iterable[Any]] | None, source: str
) -> JointDistribution:
    if weight is not None and weight not in table:
        names = ", ".join(short(name) for name in table)
        raise DomainError(
            f"{source} has no column {short(weight)}; its columns are {names}. Name the column of counts.",
            Where("parameter", name="weight"),
            call="Give weight=None when every line is one record.",
        )
    for name, column in table.items():
        gone = np.isnan(column) if isinstance(column, np.ndarray) else [value is None for value in column]
        if any(gone):
            line = table.lines[int(np.argmax(gone))] if table.lines is not None else None
            raise TableError(
                f"{source}{'' if line is None else f', line {line:,}'}: column {short(name)} is empty, "
                "or holds what stands for a missing value; every field needs an entry.",
                Where("parameter", name=name),
            )
    return JointDistribution.from_dataframe(table, weight=weight, domains=domains, title=title)


def read_counts(
    path: str | PathLike[str],
    weight: str | None = "count",
    title: str | None = None,
    domains: Mapping[str, Iterable[Any]] | None = None,
    **how: Unpack[HowToRead],
) -> JointDistribution:
    r"""Read a contingency table from a file with a line of column names.

    Parameters
    ----------
    path
        The file, of any kind that `read_table` takes.
    weight
        Name of the column of counts, or None when every line is one record.
    title
        Short text for pictures; without it the name of the file.
    domains
        Labels by column name, where the order matters or a label does not occur. Without it numbers stand in
        ascending order and text in order of appearance (no before yes, false before true).
    **how
        ``types``, ``delimiter``, ``decimal``, ``encoding`` and ``missing``, as for `read_table`.

    Raises
    ------
    TableError
        It is no path of a file, or the file is damaged, a line is incomplete, a value is missing, a count is
        not a whole number, or there are no counts.
    DomainError
        The column of counts does not exist, or a label is outside its domain.
    LimitError
        The file is too large, as for `read_table`.

    Warns
    -----
    DataRemark
        Something was guessed or looks wrong, as for `read_table`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "coins.csv")
    >>> _ = file.write_text("first,second,count\nheads,heads,3\ntails,heads,1\n")
    >>> read_counts(file).domains
    (('heads', 'tails'), ('heads',))
    """
    table = read_table(path, **how)
    return _joint(table, weight, table.title if title is None else title, domains, Path(path).name)


def _packaged(name: str, title: str, names: list[str]) -> JointDistribution:
    text = files("pdp_widgets").joinpath("data", name).read_text(encoding="utf-8")
    found = _joint(table_of_lines(text.splitlines(), name), "count", title, None, name)
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
