"""Records of the Adult census as text, as the files of the UCI repository have them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike

from pdp_widgets.errors import TableError
from pdp_widgets.models.adult import ADULT_COLUMNS
from pdp_widgets.models.text_lines import text_lines

__all__ = ["AdultRecords", "parse_adult_records", "read_adult_records"]


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
        A text file, or one packed by gzip.

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
