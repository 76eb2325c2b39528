"""Tables from files of other programs: Parquet, Feather and Arrow by pyarrow, workbooks by pandas."""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EINVAL
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.labels import how_many, short
from pdp_widgets.models.packed_files import PATH, first_bytes, opened
from pdp_widgets.models.text_records import TextColumn, checked_names

__all__ = [
    "ArrowValues",
    "Read",
    "arrow_columns",
    "arrow_file",
    "as_texts",
    "format_of",
    "grouped_rows",
    "refuse_no_rows",
    "sheet_lines",
]

#: First bytes of a file and the endings of its name, and what it is then.
_FORMATS = {
    "Parquet": (b"PAR1", (".parquet", ".pq")),
    "Feather": (b"FEA1", (".feather",)),
    "Arrow": (b"ARROW1", (".arrow", ".ipc", ".arrows")),
    "Excel": (b"\xd0\xcf\x11\xe0", (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")),
}


def format_of(file: Path) -> str:
    """Return the format of a file: "Parquet", "Feather", "Arrow", "Excel" or "text"."""
    begin = first_bytes(file)
    for name, (mark, endings) in _FORMATS.items():
        if begin.startswith(mark) or file.suffix.lower() in endings:
            return name
    return "text"


#: What a date has where it is kept as a point in time.
_MIDNIGHT = re.compile(r"(?: 00:00:00)?(?:\.0+)?$")
#: A column as it is read, and its type where none is asked for.
Read = tuple[TextColumn | NDArray[Any], str | tuple[str, ...] | None]


#: Rows of a part: what a few columns of numbers need stays small.
_PART = 1 << 18


@dataclass(frozen=True)
class ArrowFile:
    """A Parquet, Feather or Arrow file that is open: its columns and rows, and where values lack."""

    name: str
    schema: Any
    rows: int
    may_lack: Callable[[str], bool]
    _read: Callable[[list[str]], Iterator[Any]]

    def parts(self, names: list[str]) -> Iterator[Any]:
        """Return some columns, some rows at a time; only Parquet is read in parts, the others as a whole."""
        for part in self._read(names):
            # A damaged file may point beside its own data.
            part.validate(full=True)
            yield part

    def names(self) -> list[str]:
        """Return the names of its columns, which differ."""
        return checked_names(self.schema.names, self.name)


@contextmanager
def arrow_file(file: Path, kind: str) -> Iterator[ArrowFile]:
    """Open a Parquet, Feather or Arrow file, and say so where it is damaged."""
    try:
        import pyarrow
        import pyarrow.feather
        import pyarrow.parquet
    except ImportError:
        raise ImportError(
            f"{file.name} is a {kind} file, which needs pyarrow: pip install pyarrow."
        ) from None
    try:
        with opened(file, TableError) as raw:
            if kind == "Parquet":
                known = pyarrow.parquet.ParquetFile(raw)
                schema, rows = known.schema_arrow, known.metadata.num_rows

                def read(names: list[str]) -> Iterator[Any]:
                    # Texts are read as positions among those that differ, as they are kept.
                    texts = [one for one in names if pyarrow.types.is_string(schema.field(one).type)]
                    whole = pyarrow.parquet.ParquetFile(raw, read_dictionary=texts)
                    yield from whole.iter_batches(_PART, columns=names)

                def may_lack(name: str) -> bool:
                    paths = [leaf.path for leaf in known.metadata.schema]
                    if name not in paths:
                        return True
                    place = paths.index(name)
                    groups = map(known.metadata.row_group, range(known.metadata.num_row_groups))
                    found = [group.column(place).statistics for group in groups]
                    return any(one is None or not one.has_null_count or one.null_count for one in found)
            else:
                # What is sent, and not kept, has no mark at its begin.
                sent = kind == "Arrow" and not first_bytes(file).startswith(b"ARROW1")
                table = pyarrow.ipc.open_stream(raw).read_all() if sent else pyarrow.feather.read_table(raw)
                schema, rows = table.schema, table.num_rows

                def read(names: list[str]) -> Iterator[Any]:
                    yield from table.select(names).to_batches(_PART)

                def may_lack(name: str) -> bool:
                    return bool(table[name].null_count)

            yield ArrowFile(file.name, schema, rows, may_lack, read)
    except (pyarrow.ArrowException, OSError) as error:
        why = str(error).partition("\n")[0].rstrip(".")
        raise TableError(f"{file.name} is no sound {kind} file: {why}.", PATH) from error


class ArrowValues:
    """The values of a column that differ, as they come in parts of one type."""

    def __init__(self, name: str, kind: Any, may_lack: bool, source: str) -> None:
        from pyarrow import types

        if types.is_nested(kind):
            raise _no_labels(name, kind, source)
        self.name, self.kind, self.may_lack = name, kind, may_lack
        self._plain = kind.value_type if types.is_dictionary(kind) else kind
        self._known: Any = None

    def codes(self, part: Any) -> NDArray[np.int64]:
        """Return the place of each row's value among those that differ; what is missing is one of them."""
        import pyarrow
        from pyarrow import compute, types

        if not types.is_dictionary(part.type):
            part = part.cast(self._plain).dictionary_encode(null_encoding="encode")
        values, within = part.dictionary.cast(self._plain), part.indices
        if within.null_count:
            within = within.fill_null(len(values))
            values = pyarrow.concat_arrays([values, pyarrow.nulls(1, self._plain)])
        if self._known is None:
            self._known = values.slice(0, 0)
        new = compute.is_in(values, value_set=self._known) if len(self._known) else None
        if new is None or not compute.all(new).as_py():
            more = values if new is None else values.filter(compute.invert(new))
            self._known = pyarrow.concat_arrays([self._known, more.unique()])
        places = compute.index_in(values, value_set=self._known).to_numpy()
        return np.asarray(places.astype(np.int64)[within.to_numpy()])

    def column(self, codes: NDArray[Any], source: str) -> Read:
        """Return rows by the places of their values: numbers as an array, all else as texts."""
        import pyarrow

        return _read(self.name, self._known.take(pyarrow.array(codes)), self._order(), source)

    def of_part(self, part: Any, source: str) -> Read:
        """Return the rows of a part alone, in the type that all parts have."""
        from pyarrow import types

        if self._order() is None and types.is_dictionary(self.kind) and self.kind.ordered:
            self.codes(part)
        plain = part.cast(self._plain)
        # True and false beside a gap are texts, in parts without one too.
        texts = self.may_lack and types.is_boolean(self._plain)
        return _read(self.name, plain.cast("string") if texts else plain, self._order(), source)

    def _order(self) -> tuple[str, ...] | None:
        from pyarrow import types

        if self._known is None or not (types.is_dictionary(self.kind) and self.kind.ordered):
            return None
        return tuple(one for one in self._known.cast("string").to_pylist() if one is not None)


def grouped_rows(part: Any, places: NDArray[np.int64]) -> tuple[Any, NDArray[Any], NDArray[Any]] | None:
    """Return the rows of a part that differ, how often each is there and where first; None if it cannot."""
    import pyarrow

    names = [str(place) for place in range(part.num_columns)]
    whole = pyarrow.table([*part.columns, pyarrow.array(places)], names=[*names, "at"])
    try:
        found = whole.group_by(names).aggregate([([], "count_all"), ("at", "min")]).combine_chunks()
    except pyarrow.ArrowNotImplementedError:
        # Values of some types are not compared.
        return None
    rows = found.select(names).to_batches()
    return rows[0], found["count_all"].to_numpy(), found["at_min"].to_numpy()


def arrow_columns(file: Path, kind: str, wanted: Callable[[list[str]], list[str]]) -> dict[str, Read]:
    """Return columns of a Parquet, Feather or Arrow file: numbers as arrays, all else as texts."""
    with arrow_file(file, kind) as whole:
        refuse_no_rows(whole.rows, file.name)
        names = wanted(whole.names())
        parts = list(whole.parts(names))
    import pyarrow

    found = {}
    for place, name in enumerate(names):
        chunks = [part.column(place) for part in parts]
        column = pyarrow.chunked_array(chunks)
        order, field = None, whole.schema.field(name).type
        if pyarrow.types.is_dictionary(field) and field.ordered:
            order = tuple(column.unify_dictionaries().chunk(0).dictionary.cast("string").to_pylist())
        if pyarrow.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        found[name] = _read(name, column, order, file.name)
    return found


def refuse_no_rows(rows: int, source: str) -> None:
    """Raise where a file has no rows."""
    if not rows:
        raise TableError(f"{source} has no rows; give at least one.", Where("table"))


def _read(name: str, column: Any, order: tuple[str, ...] | None, source: str) -> Read:
    import pyarrow
    from pyarrow import types

    kind = column.type
    full, whole = not column.null_count, types.is_integer(kind)
    number = whole or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind)
    if order is None and (number or (full and types.is_boolean(kind))):
        fitting = "int64" if whole and full else "float64" if number else kind
        # Whole numbers that would be others stay texts: beyond 2^63, or beyond 2^53 beside a gap.
        with suppress(pyarrow.ArrowInvalid):
            return np.asarray(column.cast(fitting).to_numpy(zero_copy_only=False)), None
    try:
        coded = column.cast("string").dictionary_encode()
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
        raise _no_labels(name, kind, source) from None
    if hasattr(coded, "combine_chunks"):
        coded = coded.combine_chunks()
    texts = coded.dictionary.to_pylist()
    if types.is_temporal(kind):
        texts = [_MIDNIGHT.sub("", text) for text in texts]
    codes = coded.indices.fill_null(-1).to_numpy().astype(np.int32)
    return TextColumn(name, texts, codes), order or ("order" if types.is_temporal(kind) else "text")


def _no_labels(name: str, kind: Any, source: str) -> TableError:
    return TableError(
        f"{source}: column {short(name)} holds values of type {short(str(kind))}, which are no numbers "
        "and no labels; leave it out by columns=.",
        Where("parameter", name=name),
    )


def as_texts(name: str, numbers: NDArray[Any]) -> TextColumn:
    """Return numbers as texts, for a column that is to be one of labels."""
    known, codes = np.unique(numbers, return_inverse=True)
    # What is missing is the last.
    known = known[~np.isnan(known)] if known.dtype.kind == "f" else known
    texts = list(map(str, known.tolist()))
    return TextColumn(name, texts, np.where(codes < len(texts), codes, -1).astype(np.int32))


def sheet_lines(file: Path) -> tuple[list[str], list[str]]:
    """Return the first sheet of a workbook as lines separated by commas, and remarks."""
    try:
        import pandas

        with opened(file, TableError) as raw, pandas.ExcelFile(raw) as book:
            sheets = book.sheet_names
            frame = pandas.read_excel(book, header=None, dtype=object, na_filter=False)
    except ImportError as error:
        # pandas names the library that it needs for this kind of workbook.
        needed = "pip install pandas openpyxl" if error.name == "pandas" else str(error).rstrip(".")
        raise ImportError(f"{file.name} is a workbook, which needs pandas and openpyxl: {needed}.") from None
    except Exception as error:
        # The libraries say in many ways that a workbook is damaged.
        if isinstance(error, TableError) or getattr(error, "errno", None) not in (None, EINVAL):
            raise
        raise TableError(f"{file.name} is no sound workbook: {str(error).rstrip('.')}.", PATH) from error
    text = StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(
        [_written(cell) for cell in row] for row in frame.to_numpy().tolist()
    )
    more = [f"{file.name} has {how_many(len(sheets), 'sheet')}: the first one, {short(sheets[0])}, is read."]
    return text.getvalue().splitlines(keepends=True), more if len(sheets) > 1 else []


def _written(cell: Any) -> str:
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return " ".join(str(cell).split())
