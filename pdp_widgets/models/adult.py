"""The Adult census records of the UCI repository, from the user's own copy of the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.attribute_table import AttributeTable, Missing
from pdp_widgets.models.binning import Bins
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.text_files import text_lines

__all__ = ["ADULT_COLUMNS", "AdultRecords", "parse_adult_records", "read_adult", "read_adult_records"]

#: The columns of the files, which have no header, in the order of adult.names.
ADULT_COLUMNS = (
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
)
_NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
#: Numbers that are measured, and not a few degrees.
_BINNED = ("age", "fnlwgt", "capital-gain", "capital-loss", "hours-per-week")


def read_adult(
    path: str | PathLike[str] | Iterable[str | PathLike[str]],
    attributes: Sequence[str] | None = None,
    bins: int | Mapping[str, Bins | int | Iterable[float]] | None = 10,
    missing: Missing = "listwise",
    title: str | None = "Adult: records of the 1994 census",
) -> AttributeTable:
    r"""Read adult.data, adult.test or both as they are published by the UCI repository.

    Parameters
    ----------
    path
        One file, plain or packed, or several whose records are put together (bins are found for all of them).
    attributes
        Which columns, in this order; without it all but fnlwgt, which is a weight and no answer.
    bins
        Number of bins of equal width for age, capital-gain, capital-loss, hours-per-week and fnlwgt; or bins
        by column, as in `AttributeTable.from_dataframe`; or None, to keep every number as a label.
    missing
        What becomes of answers given as ``?``: ``"listwise"`` keeps complete records only, ``"drop"`` and
        ``"category"`` as in `AttributeTable.with_missing`.
    title
        Short text for pictures.

    Raises
    ------
    TableError
        It is no path of a file, or a line has not 15 fields, or a number is none; the message names the file
        and the line.
    LimitError
        A file is too large, as for `read_table`.
    DomainError
        An attribute does not exist.

    Notes
    -----
    B. Becker and R. Kohavi, "Adult", UCI Machine Learning Repository (1996), CC BY 4.0. The training file has
    30,162 complete records, both files together 45,222. The file is not part of this package. Labels that no
    record has are left out, empty bins among them.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "adult.data")
    >>> one = "40, Private, 1000, Masters, 14, Divorced, Sales, Unmarried, White, Male, 0, 0, 38, Peru, <=50K"
    >>> _ = file.write_text(one + "\n" + one.replace("Male", "Female").replace("40", "21") + "\n")
    >>> table = read_adult(file, ["sex", "age"], bins=2)
    >>> table.domains
    (('Female', 'Male'), ('[21, 30.5]', '(30.5, 40]'))
    """
    single = isinstance(path, str | bytes) or not isinstance(path, Iterable)
    files: list[Any] = [path] if single else list(path)  # type: ignore[arg-type]
    if not files:
        raise TableError("There is no file; give the path of adult.data.", Where("parameter", name="path"))
    rows: list[list[Any]] = []
    for file in files:
        rows += _records(file)
    if not rows:
        raise TableError("The files have no records.", Where("parameter", name="path"))
    wanted = _wanted(attributes)
    columns = {name: [row[ADULT_COLUMNS.index(name)] for row in rows] for name in wanted}
    if missing == "listwise":
        columns = _complete(columns)
    if is_whole(bins):
        bins = {name: int(bins) for name in wanted if name in _BINNED}
    elif bins is not None and not isinstance(bins, Mapping):
        raise DomainError(
            f"The bins are {shown(bins)}; give a number, bins by column, or None.",
            Where("parameter", name="bins"),
        )
    # Text in alphabetical order: that of appearance would depend on which file comes first.
    domains = {
        name: sorted({value for value in values if value is not None})
        for name, values in columns.items()
        if name not in (bins or {})
    }
    table = AttributeTable.from_dataframe(columns, wanted, bins, missing, domains, title)
    return table.without_unseen()


def _wanted(attributes: Sequence[str] | None) -> list[str]:
    if attributes is None:
        return [name for name in ADULT_COLUMNS if name != "fnlwgt"]
    listed = [attributes] if isinstance(attributes, str) else list(attributes)
    for name in listed:
        if name not in ADULT_COLUMNS:
            raise DomainError(
                f"Adult has no column {shown(name)}; its columns are {', '.join(ADULT_COLUMNS)}.",
                Where("parameter", name="attributes"),
            )
    return listed


def _records(path: Any) -> list[list[Any]]:
    """Return the records of one file, numbers as numbers and None for what is missing."""
    lines, _ = text_lines(path, TableError)
    file, found = Path(path), []
    for number, line in enumerate(lines, start=1):
        fields = [field.strip() for field in line.split(",")]
        # adult.test begins with a remark, and some copies with the names of the columns.
        if not line.strip() or line.startswith("|") or fields[0] == "age":
            continue
        if len(fields) != len(ADULT_COLUMNS):
            raise TableError(
                f"{file.name}, line {number}: {len(fields)} fields where adult.data has "
                f"{len(ADULT_COLUMNS)}, separated by commas.",
                Where("table"),
            )
        pairs = zip(ADULT_COLUMNS, fields, strict=True)
        found.append([_value(name, field, file, number) for name, field in pairs])
    return found


def _value(name: str, field: str, file: Path, number: int) -> Any:
    if field == "?":
        return None
    if name in _NUMBERS:
        try:
            return int(field)
        except ValueError:
            raise TableError(
                f"{file.name}, line {number}: {name} is {short(field)}; it must be a whole number or ?.",
                Where("parameter", name=name),
            ) from None
    if not field:
        raise TableError(
            f"{file.name}, line {number}: {name} is empty; what is missing is written as ?.",
            Where("parameter", name=name),
        )
    # In adult.test every line ends with a full stop.
    return field.removesuffix(".") if name == "income" else field


def _complete(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the records without missing values, before bins are found from them."""
    rows = [row for row in zip(*columns.values(), strict=True) if None not in row]
    if not rows:
        raise TableError(
            "No record is complete.",
            Where("parameter", name="missing"),
            call="Give missing='drop' or missing='category'.",
        )
    return {name: list(values) for name, values in zip(columns, zip(*rows, strict=True), strict=True)}


@dataclass(frozen=True)
class AdultRecords:
    """Complete records of adult.data or adult.test; `pdp_widgets.read_adult` makes a table of them.

    Parameters
    ----------
    rows
        15 texts each, in the order of the file.
    dropped
        Lines with a missing value, written as ``?``, or another number of fields.

    Examples
    --------
    >>> record = "40, Private, 1, Masters, 14, Divorced, Sales, Wife, White, Female, 0, 0, 38, Peru, <=50K."
    >>> found = parse_adult_records(["|1x3 Cross validator", record, record.replace("Peru", "?")])
    >>> found.column("income"), found.dropped
    (('<=50K',), 1)
    """

    rows: tuple[tuple[str, ...], ...]
    dropped: int = 0

    def column(self, name: str) -> tuple[str, ...]:
        """Return the values of a column by its name."""
        at = ADULT_COLUMNS.index(name)
        return tuple(row[at] for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def read_adult_records(path: str | PathLike[str]) -> AdultRecords:
    r"""Read the complete records of adult.data or adult.test as text.

    Parameters
    ----------
    path
        A text file, or one packed by gzip, bzip2, zip or Zstandard.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "adult.data")
    >>> _ = file.write_text("40, ?\n")
    >>> read_adult_records(file)
    AdultRecords(rows=(), dropped=1)
    """
    return parse_adult_records(text_lines(path, TableError)[0])


def parse_adult_records(lines: Iterable[str]) -> AdultRecords:
    """Return the complete records of lines; see `read_adult_records`."""
    rows: list[tuple[str, ...]] = []
    dropped = 0
    for line in lines:
        # adult.test begins with a remark.
        if not line.strip() or line.startswith("|"):
            continue
        fields = tuple(field.strip() for field in line.split(","))
        if len(fields) != len(ADULT_COLUMNS) or "?" in fields:
            dropped += 1
            continue
        # In adult.test every line ends with a full stop.
        rows.append((*fields[:-1], fields[-1].removesuffix(".")))
    return AdultRecords(tuple(rows), dropped)
