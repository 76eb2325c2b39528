"""What somebody else printed beside what is computed here: tables for notebooks that reproduce a paper."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pdp_widgets.errors import DomainError, Where

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["printed_beside"]

_COLUMNS = ("printed", "ours", "difference", "why")


def printed_beside(rows: Iterable[tuple[str, Any, Any, str]], *, digits: int = 4) -> pd.DataFrame:
    """Return printed values beside computed ones, with the difference and the reason for it.

    Parameters
    ----------
    rows
        Tuples ``(what, printed, ours, why)``. What is printed, and what is computed, is a number, anything
        that ``float`` takes such as a `Leakage`, or text where there is no number.
    digits
        Significant digits of the computed numbers, 1 to 15. Printed numbers are shown as given.

    Returns
    -------
    pandas.DataFrame
        One row for each, named by ``what``, with the columns ``printed``, ``ours``, ``difference`` and
        ``why``, all of them text: the numbers of one column may have different magnitudes. ``difference`` is
        ours less the printed one, and empty where one of them is no number.

    Raises
    ------
    DomainError
        A row has not four entries, or a value that is neither number nor text; or ``digits`` is not a whole
        number from 1 to 15.

    Examples
    --------
    >>> from pdp_widgets.publish import printed_beside
    >>> table = printed_beside([("Example 2", 0.82, 0.814624, "rounded up")])
    >>> table.loc["Example 2", ["ours", "difference"]].tolist()
    ['0.8146', '−0.00538']
    """
    import pandas as pd

    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= 15:
        raise DomainError(
            f"The number of digits is {digits!r}; it is a whole number from 1 to 15.",
            Where("parameter", name="digits"),
        )
    names, lines = [], []
    for k, row in enumerate(rows):
        if not isinstance(row, tuple | list) or len(row) != 4:
            raise DomainError(
                f"Row {k} is {row!r}; it is (what, printed, ours, why).", Where("parameter", name="rows")
            )
        what, printed, ours, why = row
        theirs, here = (_number(k, value) for value in (printed, ours))
        apart = "" if theirs is None or here is None else _signed(here - theirs, min(digits, 3))
        shown = str(ours) if here is None else _plain(here, digits)
        names.append(what)
        lines.append((printed if theirs is None else _plain(theirs, 12), shown, apart, why))
    return pd.DataFrame(lines, index=names, columns=list(_COLUMNS))


def _number(row: int, value: Any) -> float | None:
    """Return a number, None for text."""
    if isinstance(value, str):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        raise DomainError(
            f"Row {row} has {value!r}, which is no number; give a number, or text.",
            Where("parameter", name="rows"),
        ) from None


def _plain(value: float, digits: int) -> str:
    """Return a number with its significant digits and a real minus sign."""
    return f"{value:.{digits}g}".replace("-", "−")


def _signed(value: float, digits: int) -> str:
    """Return a difference with its sign; rounding noise is 0."""
    return "0" if abs(value) < 1e-9 else f"{value:+.{digits}g}".replace("-", "−")
