"""Values of a column: which are missing, and which are labels in words (dates, times, periods, intervals)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

__all__ = ["in_words", "is_missing"]


def is_missing(value: Any) -> bool:
    """Tell whether a value stands for a missing one."""
    # None, masked, NaN, NaT and pandas' NA: the last one refuses to be compared.
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except (TypeError, InvalidOperation):
        return True
    except ValueError:
        # An array of several numbers is compared one by one, and is there.
        return False


def in_words(values: list[Any], order: list[Any] | None) -> tuple[list[Any], list[Any] | None]:
    """Return dates, times, periods and intervals as text, with that text in the order of what it says."""
    # An order that the column declares stays; other values stay as they are. Decimals become plain numbers.
    if any(isinstance(value, Decimal) for value in values):
        return [_plain(value) if isinstance(value, Decimal) else value for value in values], order
    if not any(map(_has_words, {type(value) for part in (values, order or ()) for value in part})):
        return values, order
    try:
        distinct = [value for value in dict.fromkeys([*(order or ()), *values]) if not is_missing(value)]
    except TypeError:
        distinct = [None]
    if not all(_has_words(type(value)) for value in distinct):
        # A date beside something else is no label, and is named where labels are due.
        return values, order
    if order is None:
        try:
            order = sorted(distinct)
        except TypeError:
            # Periods of several lengths, or times of several zones, have no order.
            order = None
    whole = all(isinstance(value, datetime) and value.timetz() == time() for value in distinct)
    words: dict[Any, Any] = {value: _words(value, whole) for value in distinct}
    told = [words.get(value, value) for value in values]
    return told, None if order is None else [words.get(value, value) for value in order]


def _plain(value: Decimal) -> Decimal | float:
    """Return a decimal as a float that is written like it; others stay, and are no labels."""
    number = float(value)
    return number if value.is_finite() and Decimal(repr(number)) == value else value


def _has_words(kind: type) -> bool:
    of_pandas = kind.__module__.split(".")[0] == "pandas" and kind.__name__ in ("Interval", "Period")
    return of_pandas or issubclass(kind, date | time | timedelta | np.datetime64)


def _words(value: Any, whole: bool) -> str:
    """Return a value as text; times that are all the beginning of a day as that day."""
    if isinstance(value, datetime) and whole:
        return str(value.date())
    if isinstance(value, timedelta) and not getattr(value, "nanoseconds", 0):
        # In the same words whatever the library.
        value = timedelta(value.days, value.seconds, value.microseconds)
    return str(value)
