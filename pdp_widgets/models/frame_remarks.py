"""What looks wrong in a data frame that can be read: counts taken as values, shares of rows as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import short, shown
from pdp_widgets.errors import CountColumnWarning, DataRemark, warn_caller
from pdp_widgets.models.coded_column import CodedColumn, coded_column
from pdp_widgets.models.crosstabs import is_of_pandas, long_form
from pdp_widgets.models.frames import column_names, columns_of, is_lazy, named_by, number_array, opened
from pdp_widgets.models.sums import numbered

__all__ = [
    "labels_down",
    "numbers_of",
    "remark_of_layout",
    "remark_of_weights",
    "warn_of_counts",
    "warn_of_tuples",
]

#: What a column of counts or weights is called most often.
_NAMES = frozenset(("count", "counts", "n", "freq", "frequency", "frequencies", "weight", "weights"))
#: Labels that a table of counts has on one side; more rows are records.
_MOST_LABELS = 1000
#: Names of rows that are looked at.
_LOOKED_AT = 100


def warn_of_counts(
    columns: Sequence[tuple[str, NDArray[Any]]],
    noun: str = "a tuple",
    weight: str = "from_dataframe(frame, weight={!r})",
    otherwise: str = "name the tuples: from_dataframe(frame, columns=[...])",
    *,
    repeated: bool = False,
) -> None:
    """Warn of a column of whole numbers that is named like counts, where the others differ in all rows.

    Codes of labels are given below 0, so that they are no counts; ``weight`` has a place for the name. Where
    columns become the axes of a table, a warning is due with others that are ``repeated`` too.
    """
    for place, (name, values) in enumerate(columns if len(columns) > 1 else ()):
        if name.strip().lower() not in _NAMES or not _are_counts(np.unique(values).tolist()):
            continue
        others = [
            np.unique(one, return_inverse=True)[1] for at, (_, one) in enumerate(columns) if at != place
        ]
        sizes = [int(one.max(initial=-1)) + 1 for one in others]
        if repeated or len(values) == len(numbered(others, sizes)[1]):
            warn_caller(
                f"Column {short(name)} is taken as {noun}, and looks like counts of rows. If it is, name it: "
                f"{weight.format(name)}. If not, {otherwise}.",
                CountColumnWarning,
            )
            return


def warn_of_tuples(columns: Sequence[CodedColumn]) -> None:
    """Warn of counts among columns that become the axes of a table."""
    warn_of_counts([(one.name, numbers_of(one)) for one in columns], repeated=True)


def numbers_of(column: CodedColumn) -> NDArray[Any]:
    """Return the numbers of a column where all are, and the codes of any other."""
    kinds = (int, float, np.integer, np.floating)
    if all(isinstance(value, kinds) and not isinstance(value, bool) for value in column.values):
        return np.array(column.values, dtype=np.float64)[column.codes]
    # Shifted below 0, codes are no counts.
    return -1 - column.codes


def _are_counts(column: Sequence[Any]) -> bool:
    """Tell whether values are whole numbers, 0 or more, and not only zeros and ones."""
    kinds = (int, float, np.integer, np.floating)
    if not all(isinstance(value, kinds) and not isinstance(value, bool) for value in column):
        return False
    return all(value >= 0 and value == value // 1 for value in column) and any(value > 1 for value in column)


def remark_of_layout(frame: Any, columns: Any = None, weight: Any = None) -> None:
    """Say that a frame of records looks like a crosstab, or has labels in an index that is left out."""
    frame = long_form(frame)
    if columns is not None or weight is not None:
        return
    names = _names_of_rows(frame)
    own = [name for name in column_names(frame) if name != named_by(frame, "weight", None)]
    if len(set(own)) < len(own) or is_lazy(opened(frame, own)):
        return
    read = columns_of(frame, own)
    found = labels_down(own, read) if names is None else (_index_name(frame), names)
    across = own if names is not None else own[1:]
    if found is not None and _are_tabulated(found[1], read[len(own) - len(across) :]):
        listed = ", ".join(map(short, across[:4])) + (", ..." if len(across) > 4 else "")
        down = ", ".join(map(short, found[1][:4])) + (", ..." if len(found[1]) > 4 else "")
        made = "pdp.read_table(path)" if isinstance(frame, Mapping) else "frame"
        warn_caller(
            f"The rows are taken as records, and look like a table of counts: {found[0]} down ({down}), and "
            f"another variable across ({listed}). If it is one: JointDistribution.from_counts({made}). If "
            "not, naming the columns confirms it.",
            CountColumnWarning,
        )
    elif names is not None:
        warn_caller(
            f"The index of the frame holds labels, such as {shown(names[0])}, and is left out; "
            "frame.reset_index() makes a column of it, and naming the columns confirms that it is none.",
            DataRemark,
        )


def labels_down(names: Sequence[str], columns: Sequence[Any]) -> tuple[str, list[Any]] | None:
    """Return the name and the labels of a first column of texts that differ in all rows; None for others."""
    if len(names) < 3 or number_array(columns[0]) is not None or len(columns[0]) > _MOST_LABELS:
        return None
    rows = coded_column(columns[0], names[0], 0)
    if len(rows.values) < len(rows.codes) or rows.missing.any():
        # A label that stands twice makes records of the rows.
        return None
    return names[0], [rows.labels()[code] for code in rows.codes.tolist()]


def _names_of_rows(frame: Any) -> list[Any] | None:
    """Return texts that a frame of pandas has as index; None for numbers and dates."""
    if not is_of_pandas(frame) or not len(frame):
        return None
    index = frame.index
    first = index[:_LOOKED_AT].tolist()
    texts = all(
        any(isinstance(part, str) for part in (one if isinstance(one, tuple) else (one,))) for one in first
    )
    return index.tolist() if texts else None


def _index_name(frame: Any) -> str:
    named = [str(name) for name in frame.index.names if name is not None]
    return ", ".join(map(short, named)) or "labels"


def _are_tabulated(labels: Sequence[Any], columns: Sequence[Any]) -> bool:
    """Tell whether labels differ, and all numbers beside them are counts."""
    if not 1 < len(labels) <= _MOST_LABELS or len(set(labels)) < len(labels) or len(columns) < 2:
        return False
    numbers = [number_array(column) for column in columns]
    return all(one is not None and one.dtype.kind in "iuf" for one in numbers) and _are_counts(
        np.unique(np.concatenate([one for one in numbers if one is not None])).tolist()
    )


def remark_of_weights(weights: NDArray[Any], name: str, codes: Sequence[NDArray[np.int64]] = ()) -> None:
    """Say that weights which are no counts sum to 1 for each label of a column, or are not whole."""
    total = float(weights.sum())
    if weights.dtype.kind != "f" or abs(total - 1) <= 1e-9:
        return
    each = any(
        len(sums := np.bincount(one, weights)) > 1 and bool(np.allclose(sums, 1, rtol=0, atol=1e-6))
        for one in codes
    )
    if each:
        warn_caller(
            f"The numbers sum to 1 for each label of a column, and to {total:g} in all: they look like "
            "shares within rows, such as of a crosstab with normalize='index', and say nothing about how "
            "frequent each row is. All are taken as equally frequent; give counts, or shares of the whole.",
            DataRemark,
        )
        return
    warn_caller(
        f"The weights of column {short(name)} are not whole numbers up to 2^53, so they are taken as "
        "sampling weights: the shares are theirs, and how many records there are is not known. What "
        "depends on that number is left out, such as cautions about few records and leakage intervals.",
        DataRemark,
    )
