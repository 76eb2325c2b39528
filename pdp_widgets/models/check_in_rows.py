"""One check-in or friendship as a row: what is one, what is dropped, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import NetworkError, NetworkWarning, Where, warn_caller
from pdp_widgets.models.labels import shown

__all__ = [
    "OF_FRAME",
    "USERS",
    "CheckIn",
    "Record",
    "check_users",
    "fields_of",
    "record_of",
    "warn_if_many_dropped",
    "warn_if_swapped",
    "why_no_check_in",
    "why_no_friendship",
]

#: User, time, latitude, longitude, location.
CheckIn: TypeAlias = tuple[int, str, float, float, str]
#: The same with the time in seconds since 1970.
Record: TypeAlias = tuple[int, int, float, float, str]

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def fields_of(row: Any) -> list[str] | None:
    """Return the fields of a row as text; None where it is no row."""
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
    """Return the check-in of five fields, its time in seconds; None where they are none."""
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


_NAMES = ("user", "time", "latitude", "longitude", "location")
_GOOD = ("0", "2010-10-19T23:55:27Z", "0", "0", "0")
#: What users are, and how names become such.
USERS = "users are whole numbers (pandas.factorize makes them of names)"
_ACCEPTED = (
    USERS,
    "a time is as 2010-10-19T23:55:27Z",
    "it is degrees from -90 to 90",
    "it is degrees from -180 to 180",
    "it is text or a number",
)
#: How check-ins come from a data frame.
OF_FRAME = "CheckIns(frame.itertuples(index=False))"
#: From so many dropped rows on, and from this share, somebody should know.
_MANY, _SHARE = 5, 0.1
#: Nobody lives south of it.
_SOUTHERNMOST = -60.0


def why_no_check_in(fields: Sequence[str] | None) -> str:
    """Say what is wrong with the fields of a row; nothing where it was no row at all."""
    if fields is None:
        return ""
    if len(fields) != 5:
        parts = fields[0].split() if len(fields) == 1 else list(fields)
        if len(fields) == 1 and len(parts) == 5:
            return f"It looks separated by blanks; use tabs, or read it by pandas: {OF_FRAME}."
        if len(parts) == 2 and all(part.isdecimal() for part in parts):
            return "Two users in a row are a friendship, see read_friendships."
        return f"It has {len(fields)} field{'s'[: len(fields) != 1]}."
    given = list(fields)
    if record_of([*given[:2], given[3], given[2], given[4]]) is not None:
        return "Latitude and longitude look swapped."
    for place, (name, good, accepted) in enumerate(zip(_NAMES, _GOOD, _ACCEPTED, strict=True)):
        if record_of([*given[:place], good, *given[place + 1 :]]) is not None:
            return f"Its {name} is {shown(given[place])}; {accepted}."
    for order in permutations(range(5)):
        if record_of([given[place] for place in order]) is not None:
            found = ", ".join(_NAMES[order.index(place)] for place in range(5))
            return f"Its columns look swapped, as {found}."
    wrong = [
        (name, shown(given[place]), accepted)
        for place, (name, accepted) in enumerate(zip(_NAMES, _ACCEPTED, strict=True))
        if record_of([*_GOOD[:place], given[place], *_GOOD[place + 1 :]]) is None
    ]
    told = " and ".join(f"its {name} is {value}" for name, value, _ in wrong)
    return f"{told[:1].upper()}{told[1:]}; {', '.join(accepted for _, _, accepted in wrong)}."


def why_no_friendship(line: str) -> str:
    """Say what is wrong with a line."""
    fields = line.split()
    if len(fields) == 5 or len(line.split("\t")) == 5:
        return "Five fields in a line are a check-in, see read_check_ins."
    if len(fields) != 2:
        return f"It has {len(fields)} field{'s'[: len(fields) != 1]}."
    # Of whole numbers one that is longer than any number of a user is dropped too.
    wrong = next((field for field in fields if not field.isdecimal()), max(fields, key=len))
    return f"A user is {shown(wrong)}; {USERS}."


def check_users(users: NDArray[Any], parameter: str) -> None:
    """Raise NetworkError where a user has more than the 18 digits that files are read with."""
    beyond = users[(users >= 10**18) | (users <= -(10**18))]
    if beyond.size:
        raise NetworkError(
            f"A user is {beyond[0]}; a user has at most 18 digits (pandas.factorize numbers users anew).",
            Where("parameter", name=parameter),
        )


def warn_if_many_dropped(dropped: int, kept: int, what: str, why: str) -> None:
    """Warn where more than a tenth of the rows was left out, and five or more."""
    if dropped >= _MANY and dropped > _SHARE * (dropped + kept):
        warn_caller(
            f"{dropped:,} of {dropped + kept:,} rows are no {what} and are left out. Of the first: {why}",
            NetworkWarning,
        )


def warn_if_swapped(places: NDArray[np.float64]) -> None:
    """Warn where most latitudes are those of the Antarctic, as of cities of America that were swapped."""
    if np.median(places[:, 0]) < _SOUTHERNMOST and np.abs(places[:, 1]).max() <= 90:
        warn_caller(
            "Most check-ins are south of 60° S, where nobody lives: latitude and longitude look swapped. "
            "A row is user, time, latitude, longitude, location.",
            NetworkWarning,
        )
