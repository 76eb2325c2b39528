"""One check-in as a row of a file or of a caller: what is one, and what is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

__all__ = ["CheckIn", "Record", "fields_of", "record_of"]

#: User, time, latitude, longitude, location.
CheckIn: TypeAlias = tuple[int, str, float, float, str]
#: The same with the time in seconds since 1970.
Record: TypeAlias = tuple[int, int, float, float, str]

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def fields_of(row: Any) -> list[str] | None:
    """Return the fields of a row as text; None where it is no row.

    Examples
    --------
    >>> fields_of((np.int64(3), np.datetime64("2010-10-19T23:55:27"), np.float64(30.25), -97.5, "pub"))
    ['3', '2010-10-19T23:55:27Z', '30.25', '-97.5', 'pub']
    """
    if isinstance(row, str | bytes) or not isinstance(row, Iterable):
        return None
    return [_written(part) for part in row]


def _written(part: Any) -> str:
    """Return a field as a file has it; a time without a zone is UTC."""
    if isinstance(part, float):
        return repr(float(part))
    if isinstance(part, datetime):
        part = np.datetime64(part.astimezone(UTC).replace(tzinfo=None) if part.tzinfo else part)
    if isinstance(part, np.datetime64):
        return f"{np.datetime_as_string(part, unit='s')}Z"
    return str(part)


def record_of(fields: list[str]) -> Record | None:
    """Return the check-in of five fields, its time in seconds; None where they are none.

    Examples
    --------
    >>> record_of(["3", "1970-01-02T00:00:05Z", "30.25", "-97.5", "pub"])
    (3, 86405, 30.25, -97.5, 'pub')
    >>> record_of(["3", "2010-10-19T23:55:27Z", "nan", "-97.5", "pub"]) is None
    True
    """
    user, time, north, east, location = fields
    # To Python 1_000 is a number too, and so are the digits of all scripts.
    both = north + east
    if not _WHOLE.fullmatch(user) or not location or "_" in both or not both.isascii():
        return None
    try:
        latitude, longitude = float(north), float(east)
    except ValueError:
        return None
    # A number that is none is not within any bounds.
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    seconds = _seconds(time)
    return None if seconds is None else (int(user), seconds, latitude, longitude, location)


def _seconds(text: str) -> int | None:
    """Return a time in seconds since 1970; None where it is none."""
    if not _TIME.fullmatch(text):
        return None
    day, hour, minute, second = _day(text[:10]), int(text[11:13]), int(text[14:16]), int(text[17:19])
    if day is None or hour > 23 or minute > 59 or second > 59:
        return None
    return ((day * 24 + hour) * 60 + minute) * 60 + second


@lru_cache(maxsize=4096)
def _day(text: str) -> int | None:
    try:
        # The form alone lets a 30th of February through.
        return int(np.datetime64(text, "D").astype(np.int64))
    except ValueError:
        return None
