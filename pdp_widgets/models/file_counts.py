"""Files of any size, counted where they lie: only rows that differ are held, or one part at a time."""

from __future__ import annotations

import glob
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import ProgressHook, refuse_beyond, timed
from pdp_widgets.errors import DataRemark, TableError, Where, warn_caller
from pdp_widgets.models.coded_column import coded_column
from pdp_widgets.models.distinct_rows import as_given_weights, free_name
from pdp_widgets.models.frame_files import (
    ArrowValues,
    Read,
    arrow_file,
    format_of,
    grouped_rows,
    refuse_no_rows,
    sheet_lines,
)
from pdp_widgets.models.frame_remarks import warn_of_tuples
from pdp_widgets.models.labels import as_choice, short
from pdp_widgets.models.packed_files import PATH, bare_name, packer_of
from pdp_widgets.models.plain_text import PlainText
from pdp_widgets.models.read_table import (
    FoundText,
    HowToRead,
    typed_columns,
    typed_values,
    wanted_columns,
)
from pdp_widgets.models.sums import RowAdder, RowSums
from pdp_widgets.models.table import Column, Table
from pdp_widgets.models.table_cells import BORDER, CellRules, checked_missing, checked_types
from pdp_widgets.models.text_files import existing_file, text_lines
from pdp_widgets.models.text_records import CodedText, stripped

__all__ = ["count_table", "counted", "read_batches"]

#: What a machine reads in a second at least, bytes of text and cells of other files, and how much text an
#: archive holds.
_TEXT, _CELLS, _PACKED = 20e6, 40e6, 5
#: Texts of a column without a name that are looked at.
_LOOKED_AT = 100_000
_INSTEAD = "Choose fewer columns or files; count_table and read_batches take another limit."

Files: TypeAlias = str | PathLike[str]


@dataclass
class _Parts:
    """Files of one kind as columns of codes, part by part, and what the codes stand for."""

    files: list[Path]
    columns: Sequence[str] | None
    roles: Mapping[str, str]
    how: HowToRead
    told: Callable[[float], None]
    #: Names of all columns of the first file, and of those that are read.
    every: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def source(self) -> str:
        """What messages are about."""
        return self.files[0].name if len(self.files) == 1 else f"{self.files[0].name} and others"

    def choose(self, names: list[str], name: str) -> list[str]:
        """Return the columns that are read; raise DomainError where a file has others than the first."""
        if not self.every:
            self.every = list(names)
            checked_types(self.how.get("types"), self.every)
            checked_missing(self.how.get("missing", ()))
            self.chosen = wanted_columns(names, self.columns, self.roles, name)
        elif self.columns is None and set(names) != set(self.every):
            odd = sorted(set(names) ^ set(self.every))[0]
            raise TableError(
                f"{name} and {self.files[0].name} differ in column {short(odd)}; give files with the same "
                "columns, or name those wanted by columns=.",
                PATH,
            )
        return wanted_columns(names, self.chosen, {}, name)

    def lines(self, places: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Return the lines at places of one text; None for other files."""
        return places if len(self.files) == 1 and isinstance(self, _TextParts) else None

    def rules(self, lines: Any, records: Any = None) -> dict[str, Any]:
        """Return where rows stand, for messages."""
        return {"lines": lines, "records": records, "files": [file.name for file in self.files]}

    def estimate(self) -> float:
        """Return about how many seconds all parts take."""
        raise NotImplementedError

    def sums(self) -> Iterator[RowSums]:
        """Return the rows that differ, part by part."""
        raise NotImplementedError

    def cells(
        self, codes: Sequence[NDArray[Any]], lines: NDArray[np.int64], records: Any = None
    ) -> dict[str, Column]:
        """Return columns of numbers and labels, by the codes of their rows."""
        raise NotImplementedError

    def batches(self) -> Iterator[tuple[dict[str, Column], NDArray[np.int64]]]:
        """Return columns of numbers and labels, some rows at a time, and where these stand."""
        raise NotImplementedError


@dataclass
class _TextParts(_Parts):
    """Text and workbooks: texts that differ are looked at once, by the rules of `read_table`."""

    _known: dict[str, dict[str, int]] = field(default_factory=dict)
    _decimal: str | None = None

    def estimate(self) -> float:
        return sum(file.stat().st_size * (_PACKED if packer_of(file) else 1) for file in self.files) / _TEXT

    def _coded(self) -> Iterator[tuple[list[NDArray[Any]], NDArray[np.int64]]]:
        encoding, sizes = self.how.get("encoding"), [max(1, file.stat().st_size) for file in self.files]
        self._decimal = self.how.get("decimal")
        for number, file in enumerate(self.files):
            done, whole = sum(sizes[:number]), sum(sizes)

            def told(read: int, done: int = done, whole: int = whole) -> None:
                self.told((done + read) / whole)

            plain: PlainText | None = None
            said: list[str] = []
            lines: Iterable[str]
            mark = self.how.get("delimiter")
            if format_of(file) == "Excel":
                lines, said = sheet_lines(file)
                mark, self._decimal = ",", self._decimal or "."
            else:
                plain = PlainText(file, TableError, encoding, math.inf, told)
                lines = text_lines(file, TableError, encoding, most=math.inf, told=told)[0]
            found = FoundText.of(lines, file.name, mark, plain, said)
            self.remarks += found.remarks
            choose = partial(self.choose, name=file.name)
            text = CodedText(
                found.lines, file.name, found.delimiter, found.before, choose, found.plain, self._known
            )
            self._known = dict(zip(text.chosen, text.known, strict=False))
            for codes, begins in text.parts():
                yield codes[: len(text.chosen)], begins + number * BORDER
                if text.rows > _LOOKED_AT:
                    self.remarks += text.remarks_of_unnamed()
            self.remarks += text.remarks_of_unnamed()

    def cells(
        self, codes: Sequence[NDArray[Any]], lines: NDArray[np.int64], records: Any = None
    ) -> dict[str, Column]:
        kinds = checked_types(self.how.get("types"), self.every)
        gone = checked_missing(self.how.get("missing", ()))
        columns = [
            stripped(name, self._known[name], column) for name, column in zip(self.chosen, codes, strict=True)
        ]
        rules = CellRules(self.source, gone, self._decimal, **self.rules(lines, records))
        cells, remarks, self._decimal = typed_columns(columns, rules, kinds, self.columns is None)
        self.remarks += remarks
        return cells

    def sums(self) -> Iterator[RowSums]:
        for codes, places in self._coded():
            yield RowSums.of(codes, places)

    def batches(self) -> Iterator[tuple[dict[str, Column], NDArray[np.int64]]]:
        for codes, places in self._coded():
            cells = self.cells(codes, places)
            # What follows is read as what came first, and the texts of that are forgotten.
            found = {name: "number" if isinstance(one, np.ndarray) else "text" for name, one in cells.items()}
            self.how["types"] = {**found, **(self.how.get("types") or {})}
            for known in self._known.values():
                known.clear()
            yield cells, places


@dataclass
class _ArrowParts(_Parts):
    """Parquet, Feather and Arrow: files that say themselves what their columns are."""

    _values: list[ArrowValues] = field(default_factory=list)

    def __post_init__(self) -> None:
        gaps: set[str] = set()
        self._schemas: list[Any] = []
        self._rows: list[int] = []
        for file in self.files:
            with arrow_file(file, format_of(file)) as known:
                self.choose(known.names(), file.name)
                self._schemas.append(known.schema)
                self._rows.append(known.rows)
                gaps |= {name for name in self.chosen if known.may_lack(name)}
        self._values = [
            ArrowValues(name, self._type(name), name in gaps, self.source) for name in self.chosen
        ]

    def _type(self, name: str) -> Any:
        """Return the type that a column has in all files."""
        import pyarrow

        kinds = [schema.field(name).type for schema in self._schemas]
        if len(set(kinds)) == 1:
            return kinds[0]
        plain = [kind.value_type if pyarrow.types.is_dictionary(kind) else kind for kind in kinds]
        found = pyarrow.schema([(name, plain[0])])
        for file, kind in zip(self.files, plain, strict=True):
            try:
                parts = [found, pyarrow.schema([(name, kind)])]
                found = pyarrow.unify_schemas(parts, promote_options="permissive")
            except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
                raise TableError(
                    f"{file.name}: column {short(name)} holds {kind}, and that of {self.files[0].name} "
                    f"{plain[0]}; give files whose columns are of one type.",
                    Where("parameter", name=name),
                ) from None
        return found.field(name).type

    def estimate(self) -> float:
        return sum(self._rows) * len(self.chosen) / _CELLS

    def _arrow_parts(self) -> Iterator[tuple[Any, NDArray[np.int64]]]:
        refuse_no_rows(sum(self._rows), self.source)
        done = 0
        for number, file in enumerate(self.files):
            row = 0
            with arrow_file(file, format_of(file)) as known:
                for part in known.parts(self.chosen):
                    yield part, np.arange(row, row + part.num_rows) + number * BORDER
                    row += part.num_rows
                    self.told((done + row) / sum(self._rows))
            done += row

    def sums(self) -> Iterator[RowSums]:
        for part, places in self._arrow_parts():
            rows = grouped_rows(part, places)
            codes = [
                one.codes((part if rows is None else rows[0]).column(j)) for j, one in enumerate(self._values)
            ]
            yield RowSums.of(codes, places) if rows is None else RowSums.of_groups(codes, *rows[1:])

    def batches(self) -> Iterator[tuple[dict[str, Column], NDArray[np.int64]]]:
        for part, places in self._arrow_parts():
            found = {one.name: one.of_part(part.column(j), self.source) for j, one in enumerate(self._values)}
            yield self._typed(found, places), places

    def cells(
        self, codes: Sequence[NDArray[Any]], lines: NDArray[np.int64], records: Any = None
    ) -> dict[str, Column]:
        found: dict[str, Read] = {
            one.name: one.column(column, self.source) for one, column in zip(self._values, codes, strict=True)
        }
        return self._typed(found, lines, records)

    def _typed(
        self, found: dict[str, Read], lines: NDArray[np.int64], records: Any = None
    ) -> dict[str, Column]:
        rules = CellRules.of_values(
            self.source, self.how.get("missing", ()), **self.rules(lines, records), noun="row"
        )
        return typed_values(found, rules, checked_types(self.how.get("types"), self.every))


def _found_files(path: Any) -> list[Path]:
    """Return the files that a path or a pattern names, in the order of their names."""
    written = os.fspath(path) if isinstance(path, str | PathLike) else None
    if not isinstance(written, str) or not glob.has_magic(written) or os.path.lexists(written):
        return [existing_file(path, TableError)]
    names = sorted(name for name in glob.glob(written, recursive=True) if not os.path.isdir(name))
    if not names:
        end = written if len(written) <= 80 else f"...{written[-77:]}"
        raise TableError(f"No file is named like {end}; give the path of a file, or a pattern.", PATH)
    return [existing_file(name, TableError) for name in names]


def _parts_of(
    path: Any, columns: Any, roles: Mapping[str, str], how: HowToRead, told: Callable[[float], None]
) -> _Parts:
    files = _found_files(path)
    if how.get("decimal") is not None:
        as_choice(how["decimal"], "decimal", (".", ","))
    texts = [format_of(file) in ("text", "Excel") for file in files]
    if len(set(texts)) > 1:
        one, other = files[texts.index(True)].name, files[texts.index(False)].name
        raise TableError(f"{one} is text, and {other} is not; give files of one kind.", PATH)
    return (_TextParts if texts[0] else _ArrowParts)(files, columns, roles, how, told)


class _Told:
    """Passes on how far the work is, never less than before, and ends it at its limit."""

    def __init__(self, progress: ProgressHook | None, limit: float, path: Any) -> None:
        self.work = f"Counting {short(os.path.basename(str(path)))}"
        self._hook, self._share = timed(progress, limit, self.work, _INSTEAD), 0.0

    def __call__(self, share: float) -> None:
        # The end is told by whoever is there.
        self._share = max(self._share, min(share, 0.99))
        if self._hook is not None:
            self._hook(self._share)

    def end(self) -> None:
        """Say that all is done."""
        if self._hook is not None:
            self._hook(1.0)


def count_table(
    path: Files,
    columns: Sequence[str] | None = None,
    *,
    weight: str | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    **how: Unpack[HowToRead],
) -> Table:
    r"""Count the rows of files where they lie, and return those that differ with their numbers.

    Parameters
    ----------
    path
        A file of any kind that `read_table` takes, or a pattern such as ``"data/*.parquet"``; ``**`` stands
        for folders. Several files are parts of one table: they have the same columns.
    columns
        Those that are counted, in this order; without it all.
    weight
        Name of the column of counts, where a row stands for several records. Rows whose counts differ are
        held apart.
    limit
        Seconds; what takes longer by an estimate is refused before it begins, or else ended.
    progress
        Called now and then with the share done; what it raises cancels the work.
    **how
        ``types``, ``delimiter``, ``decimal``, ``encoding`` and ``missing``, as for `read_table`.

    Returns
    -------
    Table
        One row for each kind of records, in the order of their first rows, with a column of counts, which
        ``.weight`` names. Columns have the types and labels that `read_table` finds. Models take it in place
        of a data frame.

    Raises
    ------
    TableError
        As for `read_table`, or files differ in their columns. Nothing is half counted.
    LimitError
        It takes longer than the limit, or more than 2,000,000 rows differ.
    DomainError, ImportError
        As for `read_table`.

    Warns
    -----
    DataRemark, CountColumnWarning
        As for `read_table`, and where a column looks like counts and none is named.

    Notes
    -----
    Text is read by parts of some megabytes, Parquet by parts of 262,144 rows, and other formats as a whole.
    What is held grows with the number of rows that differ, and not with the number of rows.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "may.csv").write_text("smokes,ill\nno,0\nno,0\nyes,1\n")
    >>> _ = (folder / "june.csv").write_text("smokes,ill\nyes,1\n")
    >>> table = count_table(f"{folder}/*.csv")
    >>> table["smokes"], table["ill"].tolist(), table[table.weight].tolist()
    (['yes', 'no'], [1, 0], [2, 2])
    """
    told = _Told(progress, limit, path)
    parts = _parts_of(path, columns, {} if weight is None else {"weight": weight}, how, told)
    refuse_beyond(limit, parts.estimate(), told.work, _INSTEAD)
    adder = RowAdder()
    for part in parts.sums():
        adder.add(part)
    sums = adder.total()
    assert sums is not None
    cells = parts.cells(list(sums.codes.T), sums.first, sums.records)
    if parts.remarks:
        warn_caller(" ".join(parts.remarks), DataRemark)
    if weight is None and columns is None:
        coded = [coded_column(column, name, axis) for axis, (name, column) in enumerate(cells.items())]
        warn_of_tuples(coded)
    counts: NDArray[Any] = sums.records
    if weight is not None:
        place = CellRules(parts.source, frozenset(), None, **parts.rules(sums.first)).place
        counts = as_given_weights(cells.pop(str(weight)), str(weight), place) * counts
    name = free_name(cells, "count") if weight is None else str(weight)
    told.end()
    return Table(
        {**cells, name: counts},
        bare_name(parts.files[0]) if len(parts.files) == 1 else "",
        weight=name,
        remarks=tuple(parts.remarks),
        lines=parts.lines(sums.first),
        records=sums.records,
    )


def read_batches(
    path: Files,
    columns: Sequence[str] | None = None,
    *,
    limit: float = math.inf,
    progress: ProgressHook | None = None,
    **how: Unpack[HowToRead],
) -> Iterable[Table]:
    r"""Read files of any size part by part, for counters that add the parts up.

    Parameters
    ----------
    path, columns, limit, progress, **how
        As for `count_table`.

    Returns
    -------
    iterable of Table
        Some rows each, in the order of the files, which are read each time it is gone through. What columns
        are is decided by the first part of a text; where a later cell does not fit, ``types`` says what is
        meant.

    Raises
    ------
    TableError, LimitError, DomainError, ImportError
        As for `count_table`; parts that came before are of no use then.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "flats.csv")
    >>> _ = file.write_text("rent,size\n500,30\n900,75\n")
    >>> [batch["size"].tolist() for batch in read_batches(file)]
    [[30, 75]]
    """
    return _Batches(path, columns, limit, progress, how)


class _Batches:
    """The parts of files, which are read anew each time."""

    def __init__(
        self, path: Files, columns: Any, limit: float, progress: ProgressHook | None, how: HowToRead
    ) -> None:
        self._given = path, columns, limit, progress, how
        self._begun()

    def _begun(self) -> tuple[_Parts, _Told]:
        path, columns, limit, progress, how = self._given
        told = _Told(progress, limit, path)
        parts = _parts_of(path, columns, {}, how.copy(), told)
        refuse_beyond(limit, parts.estimate(), told.work, _INSTEAD)
        return parts, told

    def __iter__(self) -> Iterator[Table]:
        parts, told = self._begun()
        said = 0
        for cells, places in parts.batches():
            if parts.remarks[said:]:
                warn_caller(" ".join(parts.remarks[said:]), DataRemark)
                said = len(parts.remarks)
            if len(places):
                yield Table(cells, parts.source, lines=parts.lines(places))
        told.end()


def counted(frame: Any, columns: Any, weight: Any) -> Any:
    """Return a path as the table of what it holds, counted, and anything else as it is."""
    return count_table(frame, columns, weight=weight) if isinstance(frame, str | PathLike) else frame
