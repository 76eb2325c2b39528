"""A table in classes, as it is released, as a LaTeX table for papers."""

from __future__ import annotations

from collections.abc import Sequence

from pdp_widgets.leakage.number_table import Numbers
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.publish.latex_numbers import numbers_latex

__all__ = ["classes_latex"]


def classes_latex(
    classes: EquivalenceClasses,
    columns: Sequence[str] | None = None,
    *,
    most: int | None = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return the released table, one published record a row.

    Parameters
    ----------
    classes
        The classes.
    columns, most, caption, label
        As for `numbers_latex`.

    Examples
    --------
    >>> data = {"age": [25, 64, 31, 58], "ill": ["no", "no", "yes", "no"]}
    >>> made = classes_latex(EquivalenceClasses(data, "age", 2, [[1, 3], [0, 2]]))
    >>> [line for line in made.splitlines() if line.endswith(r"\\")][:2]
    ['class & age & ill \\\\', 'A & 25--31 & no \\\\']
    """
    data = classes.data
    name = "class"
    while name in data.names:
        name += "_"
    numbers = classes.number[classes.rows].tolist()
    letters, ranges = classes.letters, classes.ranges
    found: dict[str, list[str | None]] = {name: [letters[place] for place in numbers]}
    for column in data.columns:
        if column.name in classes.quasi:
            j = classes.quasi.index(column.name)
            found[column.name] = [ranges[place][j] for place in numbers]
        else:
            values = column.values[classes.rows].tolist()
            found[column.name] = [None if value != value else column.written(value) for value in values]
    gone = len(classes.suppressed)
    note = f"k = {classes.k:,}, {gone:,} record{'s' * (gone != 1)} suppressed"
    return numbers_latex(
        Numbers(found, dict.fromkeys(found, "text"), notes=(note,)),
        columns,
        most=most,
        caption=caption,
        label=label,
    )
