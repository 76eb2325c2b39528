"""What separates the fields of a text: found by consistency over its first lines."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.labels import short, shown

__all__ = ["checked_delimiter", "found_delimiter"]

#: What is looked for, and how it is called.
_MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_DELIMITER = Where("parameter", name="delimiter")


def checked_delimiter(delimiter: Any) -> str:
    """Return a delimiter that was given, or raise TableError."""
    if isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n':
        return delimiter
    raise TableError(
        f"The delimiter is {shown(delimiter)}; give the one sign between fields, such as ';' or '\\t'.",
        _DELIMITER,
    )


def found_delimiter(sample: Sequence[str], name: str, whole: bool) -> tuple[str, list[str]]:
    """Return what separates the fields of the first lines of a file, and remarks on it."""
    found = {mark: _fit(sample, mark, whole) for mark in _MARKS}
    # All lines alike, then all but the names, which are one fewer where R writes names of rows; then most.
    best = max(_MARKS, key=lambda mark: found[mark])
    if found[best] == _ONE_FIELD:
        return ",", [_one_column(sample, name, whole)]
    rivals = [_MARKS[mark] for mark in _MARKS if mark != best and found[mark][0] == found[best][0] == _ALIKE]
    if not rivals:
        return best, []
    return best, [
        f"{name} is read as separated by {_MARKS[best]}, and {' or '.join(rivals)} would do as well: "
        f"delimiter={best!r} confirms it."
    ]


#: How well a mark fits: 2 where all lines have as many fields, 1 where the first has one fewer; the share of
#: lines that have the commonest number; that number.
_Fit = tuple[int, float, int]
_ALIKE = 2
_ONE_FIELD: _Fit = (0, 0.0, 1)


def _fit(sample: Sequence[str], mark: str, whole: bool) -> _Fit:
    widths = []
    try:
        widths = [len(row) for row in csv.reader(sample, delimiter=mark, skipinitialspace=True) if row]
    except csv.Error:
        return _ONE_FIELD
    # The last record of a part may go on below it.
    if not whole and len(widths) > 2:
        widths.pop()
    first, below = widths[0], widths[1:] or widths
    common, times = Counter(below).most_common(1)[0]
    if max(first, common) < 2 or (common < 2 and times < len(below)):
        return _ONE_FIELD
    if times == len(below) and common >= 2 and first in (common, common - 1) and first >= 2:
        return (_ALIKE if first == common else 1), 1.0, common
    return 0, times / len(below) if common >= 2 else 0.0, max(first, common)


def _one_column(sample: Sequence[str], name: str, whole: bool) -> str:
    """Return the remark on a file of one column; raise TableError where it looks like several."""
    heading = short(next(line for line in sample if line.strip()).strip())
    if _fit([line.strip() + "\n" for line in sample], " ", whole)[0] == _ALIKE:
        raise TableError(
            f"{name} has one column, {heading}: it looks separated by blanks. Say what separates the fields.",
            _DELIMITER,
            call="Give delimiter=' ', or delimiter=',' where it is one column.",
        )
    return (
        f"{name} has one column, {heading}. If it has several, delimiter= says what separates them; "
        "delimiter=',' confirms that it is one."
    )
