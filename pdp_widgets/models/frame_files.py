"""Tables from files of other programs: Parquet, Feather and Arrow by pyarrow, workbooks by pandas."""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Callable
from contextlib import suppress
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

__all__ = ["arrow_columns", "as_texts", "format_of", "sheet_lines"]

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


def arrow_columns(file: Path, kind: str, wanted: Callable[[list[str]], list[str]]) -> dict[str, Read]:
    """Return columns of a Parquet, Feather or Arrow file: numbers as arrays, all else as texts."""
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
                opened_file = pyarrow.parquet.ParquetFile(raw)
                names = wanted(_checked(opened_file.schema_arrow.names, opened_file.metadata.num_rows, file))
                table = opened_file.read(columns=names)
            else:
                # What is sent, and not kept, has no mark at its begin.
                sent = kind == "Arrow" and not first_bytes(file).startswith(b"ARROW1")
                table = pyarrow.ipc.open_stream(raw).read_all() if sent else pyarrow.feather.read_table(raw)
                names = wanted(_checked(table.column_names, table.num_rows, file))
            # A damaged file may point beside its own data.
            table.validate(full=True)
        return {name: _column(name, table[name], file) for name in names}
    except (pyarrow.ArrowException, OSError) as error:
        why = str(error).partition("\n")[0].rstrip(".")
        raise TableError(f"{file.name} is no sound {kind} file: {why}.", PATH) from error


def _checked(names: list[str], rows: int, file: Path) -> list[str]:
    if not rows:
        raise TableError(f"{file.name} has no rows; give at least one.", Where("table"))
    return checked_names(names, file.name)


def _column(name: str, column: Any, file: Path) -> Read:
    import pyarrow
    from pyarrow import types

    kind, order = column.type, None
    if types.is_dictionary(kind):
        if kind.ordered:
            order = tuple(column.unify_dictionaries().chunk(0).dictionary.cast("string").to_pylist())
        kind = kind.value_type
        column = column.cast(kind)
    full, whole = not column.null_count, types.is_integer(kind)
    number = whole or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind)
    if order is None and (number or (full and types.is_boolean(kind))):
        fitting = "int64" if whole and full else "float64" if number else kind
        # Whole numbers that would be others stay texts: beyond 2^63, or beyond 2^53 beside a gap.
        with suppress(pyarrow.ArrowInvalid):
            return np.asarray(column.cast(fitting).to_numpy()), None
    try:
        coded = column.cast("string").dictionary_encode().combine_chunks()
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
        raise TableError(
            f"{file.name}: column {short(name)} holds values of type {short(str(kind))}, which are no "
            "numbers and no labels; leave it out by columns=.",
            Where("parameter", name=name),
        ) from None
    texts = coded.dictionary.to_pylist()
    if types.is_temporal(kind):
        texts = [_MIDNIGHT.sub("", text) for text in texts]
    codes = coded.indices.fill_null(-1).to_numpy().astype(np.int32)
    return TextColumn(name, texts, codes), order or ("order" if types.is_temporal(kind) else "text")


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
