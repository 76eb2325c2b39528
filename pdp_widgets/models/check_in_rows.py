"""One check-in as a row of a file or of a caller: what is one, and what is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from math import isfinite
from typing import Any, TypeAlias

import numpy as np

__all__ = ["CheckIn", "fields_of", "record_of"]

#: User, time, latitude, longitude, location.
CheckIn: TypeAlias = tuple[int, str, float, float, str]

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


def record_of(fields: list[str]) -> CheckIn | None:
    """Return the check-in of five fields; None where they are none.

    Examples
    --------
    >>> record_of(["3", "2010-10-19T23:55:27Z", "30.25", "-97.5", "pub"])
    (3, '2010-10-19T23:55:27Z', 30.25, -97.5, 'pub')
    >>> record_of(["3", "2010-10-19T23:55:27Z", "nan", "-97.5", "pub"]) is None
    True
    """
    user, time, north, east, location = fields
    # To Python 1_000 is a number too, and so are the digits of all scripts.
    if not _WHOLE.fullmatch(user) or not location or "_" in north + east or not (north + east).isascii():
        return None
    try:
        latitude, longitude = float(north), float(east)
    except ValueError:
        return None
    inside = isfinite(latitude) and isfinite(longitude) and abs(latitude) <= 90 and abs(longitude) <= 180
    return (int(user), time, latitude, longitude, location) if inside and _is_time(time) else None


def _is_time(text: str) -> bool:
    if not _TIME.fullmatch(text):
        return False
    try:
        # The form alone lets a 30th of February through.
        np.datetime64(text[:-1], "s")
    except ValueError:
        return False
    return True
