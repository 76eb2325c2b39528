"""Results that are tables of numbers as LaTeX tables for papers; they need the package booktabs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.number_table import Numbers, Written
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.formatting import bound, count, leakage, parameter, probability
from pdp_widgets.publish.latex_text import as_count, escape, maths, tabular

__all__ = ["chosen_columns", "numbers_latex", "with_notes"]

#: More rows than this are not all listed unless asked for.
_ROWS = 20
#: What stands where there is no number.
_NOTHING = "--"

_NUMBERS: dict[Written, Callable[[float], str]] = {
    "count": lambda value: f"{value:,.0f}",
    "parameter": parameter,
    "nats": leakage,
    "bound": bound,
    # The other way round, of a number that is positive.
    "budget": lambda value: bound(-value).removeprefix("−") if value else leakage(value),
    "probability": probability,
    "number": leakage,
    "upper": bound,
}


def numbers_latex(
    numbers: Numbers,
    columns: Sequence[str] | None = None,
    *,
    most: int | None = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return columns as a table: what is exact, a bound or an estimate stands in the headings.

    Parameters
    ----------
    numbers
        The columns, and what they hold.
    columns
        Some of them; without it those that say how they are written.
    most
        List so many of the first rows; without it 20.
    caption, label
        Make it a floating table. The caption is LaTeX and goes in as it is.

    Raises
    ------
    DomainError
        A column does not exist, or ``most`` is no number of rows.

    Examples
    --------
    >>> numbers = Numbers({"step": [1, 2], "leakage": [0.5, np.inf]}, {"step": "count", "leakage": "nats"})
    >>> print(numbers_latex(numbers, most=1))
    % \usepackage{booktabs}
    \begin{tabular}{rr}
    \toprule
    step & leakage (nats) \\
    \midrule
    1 & 0.500 \\
    \bottomrule
    \multicolumn{2}{l}{\footnotesize first 1 of 2 rows} \\
    \end{tabular}
    <BLANKLINE>
    """
    chosen = chosen_columns(list(numbers.columns), list(numbers.written) if columns is None else columns)
    lengths = [len(values) for values in numbers.columns.values() if _is_column(values)]
    there = max(lengths, default=1)
    rows = min(there, _ROWS if most is None else as_count(most))
    # Columns that are in data frames alone say nothing of how they are written.
    kinds = {name: numbers.written.get(name, "text") for name in chosen}
    cells = [
        [
            _cell(values[k] if _is_column(values) else values, kinds[name])
            for name, values in _of(numbers, chosen)
        ]
        for k in (range(there) if numbers.order is None else numbers.order)[:rows]
    ]
    status = numbers.about.get("status", {})
    said = {name: word for name, word in status.items() if name in kinds} if isinstance(status, dict) else {}
    notes = list(numbers.notes)
    if len(said) > 1 and len(set(said.values())) == 1:
        # One word for all of them leaves the headings short.
        notes.append(next(iter(said.values())))
        said = {}
    made = tabular(
        "".join("l" if kind == "text" else "r" for kind in kinds.values()),
        [_heading(name, kind, said.get(name, "")) for name, kind in kinds.items()],
        [cells] if cells else [],
        caption=caption,
        label=label,
    )
    if rows < there:
        notes.append(f"first {rows:,} of {count(there, 'row')}")
    return with_notes(made, len(chosen), notes)


def _of(numbers: Numbers, chosen: Sequence[str]) -> list[tuple[str, Any]]:
    return [(name, numbers.columns[name]) for name in chosen]


def _is_column(values: Any) -> bool:
    return isinstance(values, np.ndarray | list | tuple)


def _cell(value: Any, kind: Written) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return _NOTHING
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if value == "":
        return "none"
    if kind == "text":
        # A number here is one of few digits, or a label.
        return escape(f"{value:.6g}" if isinstance(value, float) else value)
    number = float(value)
    return maths(_NUMBERS[kind](number) if math.isfinite(number) else leakage(number))


def _heading(name: str, kind: Written, status: str) -> str:
    named, km, _ = name.partition("_km")
    in_nats = kind in ("nats", "bound", "budget") or name == "epsilon"
    unit = " (nats)" if in_nats else " (km)" if km else ""
    # Where the name says it, it is not said again.
    told = f", {status}" if status and status not in name else ""
    return escape(f"{named.replace('_', ' ')}{told}{unit}")


def chosen_columns(there: Sequence[str], columns: Sequence[str] | None) -> list[str]:
    """Return the columns asked for, without any all that there are, or raise DomainError.

    Examples
    --------
    >>> chosen_columns(["step", "leakage"], "leakage")
    ['leakage']
    """
    where = Where("parameter", name="columns")
    try:
        chosen = list(there if columns is None else [columns] if isinstance(columns, str) else columns)
    except TypeError:
        raise DomainError(f"The columns are {shown(columns)}; give a list of their names.", where) from None
    for name in chosen:
        if not isinstance(name, str) or name not in there:
            raise DomainError(
                f"There is no column {shown(name)}; there are {', '.join(there)}.",
                Where("parameter", name="columns"),
            )
    if not chosen:
        raise DomainError("Name at least one column.", Where("parameter", name="columns"))
    return chosen


def with_notes(made: str, wide: int, lines: Sequence[str]) -> str:
    r"""Say below the rows what the numbers hold for, a short line each: long ones would widen the table.

    Parameters
    ----------
    made
        A table from `pdp_widgets.publish.latex_text.tabular`.
    wide
        Its number of columns.
    lines
        Text, not LaTeX.

    Examples
    --------
    >>> print(with_notes(tabular("l", ["name"], [[["A"]]]), 1, ["50 % of all"]).splitlines()[-2])
    \multicolumn{1}{l}{\footnotesize 50 \% of all} \\
    """
    notes = "".join(
        rf"\multicolumn{{{wide}}}{{l}}{{\footnotesize {escape(line)}}} \\" + "\n" for line in lines
    )
    end = "\\bottomrule\n"
    return made.replace(end, f"{end}{notes}")
