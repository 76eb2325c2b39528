"""Names of classes, and the ranges that are published of them, as text."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.microdata_columns import MicrodataColumn

__all__ = ["letters_of", "range_words"]


@lru_cache(maxsize=8)
def letters_of(many: int) -> tuple[str, ...]:
    """Return so many names of classes.

    Examples
    --------
    >>> letters_of(28)[-3:]
    ('Z', 'AA', 'AB')
    """
    found = []
    for place in range(many):
        name, left = "", place + 1
        while left:
            left, digit = divmod(left - 1, 26)
            name = chr(65 + digit) + name
        found.append(name)
    return tuple(found)


def range_words(column: MicrodataColumn, values: NDArray[np.float64], low: float, high: float) -> str:
    """Return what is published of one column of a class.

    Numbers and labels in a declared order are published as a range, other labels as a list of those that
    occur.

    Parameters
    ----------
    column
        The column.
    values
        Those of the class.
    low, high
        The smallest and the largest of them.

    Examples
    --------
    >>> age = MicrodataColumn("age", np.array([-5.0, 20.0, 31.0]))
    >>> range_words(age, age.values[1:], 20.0, 31.0), range_words(age, age.values, -5.0, 31.0)
    ('20–31', '−5 to 31')
    """
    if low == high:
        return column.written(low)
    if column.labels is None:
        return f"{column.written(low)}{'–' if low >= 0 else ' to '}{column.written(high)}"
    if column.ordered:
        # A label may have "to" in it, as "$3k to $5k".
        return f"{column.written(low)} – {column.written(high)}"
    return ", ".join(column.written(value) for value in np.unique(values).tolist())
