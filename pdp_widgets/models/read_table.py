"""Tables from files of many kinds: what people bring, read by one set of rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from pdp_widgets.errors import DataRemark, DomainError, TableError, Where, warn_caller
from pdp_widgets.models.delimiters import checked_delimiter, found_delimiter
from pdp_widgets.models.frame_files import Read, arrow_columns, as_texts, format_of, sheet_lines
from pdp_widgets.models.labels import as_choice, short, shown
from pdp_widgets.models.packed_files import bare_name
from pdp_widgets.models.plain_text import PlainText
from pdp_widgets.models.table import Column, Table
from pdp_widgets.models.table_cells import (
    CellRules,
    checked_missing,
    checked_types,
    found_decimal,
    is_number,
)
from pdp_widgets.models.text_files import existing_file, text_lines
from pdp_widgets.models.text_records import TextColumn, coded_records

__all__ = [
    "FoundText",
    "HowToRead",
    "read_table",
    "table_of_lines",
    "typed_columns",
    "typed_values",
    "wanted_columns",
]

#: Lines by which the delimiter is found.
_SAMPLE = 200
_ROLES = ("weight", "time", "id")


class HowToRead(TypedDict, total=False):
    """Keywords of `read_table` that readers of one kind of data pass on."""

    types: Mapping[str, str | Sequence[str]] | None
    delimiter: str | None
    decimal: str | None
    encoding: str | None
    missing: Iterable[str] | None


def read_table(
    path: str | PathLike[str],
    columns: Sequence[str] | None = None,
    *,
    types: Mapping[str, str | Sequence[str]] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Iterable[str] | None = (),
    weight: str | None = None,
    time: str | None = None,
    id: str | None = None,
) -> Table:
    r"""Read a table from a file with a line of column names; what is guessed is said.

    Parameters
    ----------
    path
        Text separated by commas, semicolons, tabs or bars, also packed by gzip, bzip2, zip or Zstandard; with
        pyarrow a Parquet, Feather or Arrow file; with pandas and openpyxl the first sheet of a workbook.
    columns
        Those wanted, in this order; without it all.
    types
        What columns are: ``"number"``, ``"text"``, ``"order"`` (texts in the order of their numbers and
        letters) or a list of texts in their order. Without it a column is numbers where each of its cells is
        one and none has leading zeros.
    delimiter
        What separates fields; without it the sign that is found in all of the first lines alike.
    decimal
        ``"."`` or ``","``; without it the comma where only that can be meant.
    encoding
        Of a text that is neither UTF-8 nor UTF-16 with a mark, such as ``"cp1252"``.
    missing
        Cells that stand for no value beside the usual ones: an empty cell, those of pandas, such as ``NA``
        and ``null``, and the question mark. None: empty cells alone. In a file of values, such as Parquet,
        only those that are listed, beside what is marked as missing there.
    weight
        Name of the column of counts, where a row stands for several records.
    time
        Name of the column that orders the rows.
    id
        Name of the column that says whose row it is.

    Returns
    -------
    Table
        What models take as a data frame, as in ``JointDistribution.from_dataframe(read_table("votes.csv"))``.
        Blanks around names and cells are cut, and names of rows as R writes them are left out.

    Raises
    ------
    TableError
        It is no path of a file, the text or its packing is damaged or in another encoding, a record has
        another number of fields, or two columns have one name; the message says where. Nothing is half read.
    DomainError
        A column does not exist, or a cell is not in the order that was given.
    LimitError
        A line has more than 100,000 characters, or the text more than 2,000,000,000.
    ImportError
        The format needs a library; the message says which.

    Warns
    -----
    DataRemark
        Something was guessed or looks wrong; each sentence says what decides otherwise. They are kept in
        ``.remarks``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "votes.csv")
    >>> _ = file.write_text("age;town;votes\n31;Ulm;4\n45;Bonn;2\n")
    >>> table = read_table(file, weight="votes")
    >>> table
    Table('votes', 2 rows, age: numbers, town: texts, votes: numbers)
    >>> table["town"]
    ['Ulm', 'Bonn']
    """
    file = existing_file(path, TableError)
    roles = {role: one for role, one in zip(_ROLES, (weight, time, id), strict=True) if one is not None}
    kind = format_of(file)
    lines: Iterable[str]
    said: list[str] = []
    plain = None
    if kind not in ("text", "Excel"):
        return _arrow_table(file, kind, columns, types, missing, roles)
    if kind == "Excel":
        lines, said = sheet_lines(file)
        delimiter, decimal = ",", decimal or "."
    else:
        plain = PlainText(file, TableError, encoding)
        lines = text_lines(file, TableError, encoding)[0]
    return table_of_lines(
        lines,
        file.name,
        columns,
        bare_name(file),
        types=types,
        delimiter=delimiter,
        decimal=decimal,
        missing=missing,
        roles=roles,
        said=said,
        plain=plain,
    )


def table_of_lines(
    lines: Iterable[str],
    name: str,
    columns: Sequence[str] | None = None,
    title: str = "",
    *,
    types: Any = None,
    delimiter: Any = None,
    decimal: Any = None,
    missing: Any = (),
    roles: Mapping[str, Any] | None = None,
    said: Iterable[str] = (),
    plain: PlainText | None = None,
) -> Table:
    """Return the table of the lines of a file; parameters as for `read_table`, and remarks made before."""
    gone = checked_missing(missing)
    text = FoundText.of(lines, name, delimiter, plain, said)
    point = None if decimal is None else as_choice(decimal, "decimal", (".", ","))
    named = {role: str(one) for role, one in (roles or {}).items()}
    every: list[str] = []

    def wanted(names: list[str]) -> list[str]:
        every.extend(names)
        return wanted_columns(names, columns, named, name)

    records = coded_records(text.lines, name, text.delimiter, text.before, wanted, text.plain)
    rules = CellRules(name, gone, point, records.lines)
    cells, remarks, _ = typed_columns(records.columns, rules, checked_types(types, every), columns is None)
    remarks = [*text.remarks, *records.remarks, *remarks]
    if remarks:
        warn_caller(" ".join(remarks), DataRemark)
    return Table(cells, title, remarks=tuple(remarks), lines=records.lines, **named)  # type: ignore[arg-type]


@dataclass(frozen=True)
class FoundText:
    """The lines of a text, what separates their fields, and how many lines stand above the names."""

    lines: Iterable[str]
    delimiter: str
    before: int
    plain: PlainText | None
    remarks: list[str]

    @classmethod
    def of(
        cls,
        lines: Iterable[str],
        name: str,
        delimiter: Any = None,
        plain: PlainText | None = None,
        said: Iterable[str] = (),
    ) -> FoundText:
        """Find the delimiter where none is given."""
        mark = None if delimiter is None else checked_delimiter(delimiter)
        lines = iter(lines)
        sample = list(islice(lines, _SAMPLE))
        remarks, before = list(said), 0
        # Some spreadsheets write the delimiter into a line of its own.
        if sample and sample[0].lower().startswith("sep=") and len(sample[0].rstrip("\r\n")) == 5:
            mark, before = mark or sample[0][4], 1
        if mark is None and any(map(str.strip, sample)):
            mark, doubts = found_delimiter(sample, name, whole=len(sample) < _SAMPLE)
            remarks += doubts
        text: Iterable[str] = chain(sample[before:], lines)
        if mark == " ":
            # Columns that are set in blanks have several of them.
            text, plain = (line if '"' in line else re.sub(" +", " ", line.strip(" ")) for line in text), None
        return cls(text, mark or ",", before, plain, remarks)


def typed_columns(
    columns: Sequence[TextColumn],
    rules: CellRules,
    kinds: Mapping[str, str | tuple[str, ...]],
    all_of_them: bool,
) -> tuple[dict[str, Column], list[str], str]:
    """Return columns of texts as numbers or labels, what is remarked, and the decimal mark."""
    remarks: list[str] = []
    decimal = rules.decimal
    if decimal is None:
        numbers = [one for one in columns if kinds.get(one.name, "number") == "number"]
        decimal = found_decimal(numbers, rules.missing)
        rules = replace(rules, decimal=decimal)
        if decimal == ",":
            remarks.append(f"{rules.source}: numbers are read with decimal commas; decimal=',' confirms it.")
    cells: dict[str, Column] = {}
    for column in columns:
        cells[column.name], doubts = rules.column(column, kinds.get(column.name))
        remarks += doubts
    if all_of_them:
        remarks += _suspected(cells, {one.name: one.texts for one in columns}, rules.source)
    return cells, remarks, decimal


def _arrow_table(
    file: Path, kind: str, columns: Any, types: Any, missing: Any, roles: Mapping[str, Any]
) -> Table:
    """Return the table of a Parquet, Feather or Arrow file, which says itself what its columns are."""
    every: list[str] = []

    def wanted(names: list[str]) -> list[str]:
        every.extend(names)
        return wanted_columns(names, columns, roles, file.name)

    found = arrow_columns(file, kind, wanted)
    cells = typed_values(found, CellRules.of_values(file.name, missing), checked_types(types, every))
    return Table(cells, bare_name(file), **{role: str(one) for role, one in roles.items()})  # type: ignore[arg-type]


def typed_values(
    found: Mapping[str, Read], rules: CellRules, kinds: Mapping[str, str | tuple[str, ...]]
) -> dict[str, Column]:
    """Return the columns of a file that says itself what they are, in the types that are asked for."""
    cells: dict[str, Column] = {}
    for name, (column, own) in found.items():
        asked = kinds.get(name, own)
        if isinstance(column, np.ndarray) and asked in (None, "number"):
            cells[name] = column
        else:
            coded = as_texts(name, column) if isinstance(column, np.ndarray) else column
            cells[name] = rules.column(coded, asked)[0]
    return cells


def wanted_columns(names: list[str], columns: Any, roles: Mapping[str, Any], source: str) -> list[str]:
    """Return the columns that are read: those asked for, and those with a role."""
    listed = [columns] if isinstance(columns, str) else columns
    if listed is not None and (isinstance(listed, set | Mapping) or not isinstance(listed, Iterable)):
        raise DomainError(
            f"The columns are {shown(columns)}; give a list of names.", Where("parameter", name="columns")
        )
    # A heading 2010 may be asked for as the number that it looks like.
    found = list(names) if listed is None else list(dict.fromkeys(map(str, listed)))
    known = set(names)
    for parameter, one in [*(("columns", one) for one in found), *roles.items()]:
        if str(one) not in known:
            listing = ", ".join(short(one) for one in names[:12])
            raise DomainError(
                f"{source} has no column {short(one)}; its columns are {listing}.",
                Where("parameter", name=parameter),
            )
    return list(dict.fromkeys([*found, *map(str, roles.values())]))


def _suspected(cells: Mapping[str, Column], texts: Mapping[str, list[str]], source: str) -> list[str]:
    """Return a remark where names look like a record: numbers over numbers, labels over labels."""
    numbers = [is_number(name) for name, column in cells.items() if isinstance(column, np.ndarray)]
    labels = [name in texts[name] for name, column in cells.items() if not isinstance(column, np.ndarray)]
    if not all(numbers) or 2 * sum(labels) < len(labels):
        return []
    firsts = ", ".join(short(name) for name in list(cells)[:4])
    return [
        f"{source}: the line of names looks like a record ({firsts}). If it is one, put a line of names "
        "above it; columns= confirms the names."
    ]
