"""Columns of a data frame that look like counts and were not named as such."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pdp_widgets.errors import CountColumnWarning
from pdp_widgets.models.caller_warning import warn_caller
from pdp_widgets.models.labels import short

__all__ = ["warn_of_counts"]

#: What a column of counts or weights is called most often.
_NAMES = frozenset(("count", "counts", "n", "freq", "frequency", "frequencies", "weight", "weights"))


def warn_of_counts(names: Sequence[str], columns: Sequence[Sequence[Any]], argument: str) -> None:
    """Warn of a column of whole numbers that is named like counts, and becomes a tuple like all others.

    Parameters
    ----------
    names, columns
        Of the data frame, none of them named as counts.
    argument
        What names the column of counts.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     warn_of_counts(["Ann", "n"], [[0, 1], [3, 5]], "weight")
    >>> print(told[0].message)
    Column n is taken as a tuple, and looks like counts of rows. If it is, name it: from_dataframe(frame, \
weight='n'). If not, name the tuples: from_dataframe(frame, columns=[...]).
    """
    if len(names) < 2:
        return
    for name, column in zip(names, columns, strict=True):
        if name.strip().lower() in _NAMES and _counts(column):
            warn_caller(
                f"Column {short(name)} is taken as a tuple, and looks like counts of rows. If it is, name "
                f"it: from_dataframe(frame, {argument}={name!r}). If not, name the tuples: "
                "from_dataframe(frame, columns=[...]).",
                CountColumnWarning,
            )
            return


def _counts(column: Sequence[Any]) -> bool:
    """Tell whether values are whole numbers, 0 or more, and not only zeros and ones."""
    kinds = (int, float, np.integer, np.floating)
    if not all(isinstance(value, kinds) and not isinstance(value, bool) for value in column):
        return False
    return all(value >= 0 and value == value // 1 for value in column) and any(value > 1 for value in column)
