"""Check-ins: who was where and when."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import array_of, refuse_masked
from pdp_widgets.errors import NetworkError, Where
from pdp_widgets.models.check_in_rows import (
    OF_FRAME,
    CheckIn,
    check_users,
    fields_of,
    record_of,
    warn_if_many_dropped,
    warn_if_swapped,
    why_no_check_in,
)
from pdp_widgets.models.great_circle import as_places
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import as_title, how_many, is_text, short, shown
from pdp_widgets.models.pandas_frames import pandas_frame
from pdp_widgets.models.text_files import text_lines, write_lines

__all__ = ["CheckIn", "CheckIns", "parse_check_ins", "read_check_ins"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class CheckIns(Immutable):
    """Who was where and when: users, times, places and location ids.

    The object is immutable.

    Parameters
    ----------
    rows
        (user, time, latitude, longitude, location) each: a whole number, a time (as text
        ``2010-10-19T23:55:27Z``), degrees, and text or a whole number. Rows that are none are left out and
        counted.
    title
        A short text for pictures.

    Raises
    ------
    NetworkError
        No row is a check-in.

    Notes
    -----
    Check-ins and friendships name users by the same numbers, as files of SNAP do. Where users have names, one
    ``pandas.factorize`` over all names of both numbers them, and gives the names back by number.

    Warns
    -----
    NetworkWarning
        More than a tenth of the rows was left out, and five or more; or latitude and longitude look swapped.

    Examples
    --------
    >>> rows = [(0, "2010-10-19T23:55:27Z", 30.2, -97.8, "22847"), (0, "2010-10-18T22:17:43Z", "nan", 0, "1")]
    >>> data = CheckIns(rows)
    >>> data, data.dropped, next(iter(data))
    (CheckIns(1 check-in, 1 user, 1 place), 1, (0, '2010-10-19T23:55:27Z', 30.2, -97.8, '22847'))
    """

    __slots__ = ("__dict__", "_codes", "_dropped", "_locations", "_places", "_times", "_title", "_users")

    _users: Integers
    _times: NDArray[Any]
    _places: Floats
    _codes: Integers
    _locations: tuple[str, ...]
    _dropped: int
    _title: str

    def __init__(self, rows: Iterable[Any], title: str | None = "") -> None:
        self._begin()
        if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
            raise NetworkError(
                f"The check-ins are {shown(rows)}; give rows of user, time, latitude, longitude, location.",
                Where("parameter", name="rows"),
            )
        if hasattr(rows, "itertuples"):
            raise NetworkError(
                f"A data frame is no rows of check-ins; give {OF_FRAME} with the columns user, time, "
                "latitude, longitude, location in this order.",
                Where("parameter", name="rows"),
            )
        self._gather((fields_of(row) for row in rows), as_title(title))

    def _gather(self, rows: Iterable[list[str] | None], title: str) -> None:
        # Arrays, not lists: files have millions of lines.
        users, times, codes, degrees = array("q"), array("q"), array("q"), array("d")
        place: dict[str, int] = {}
        dropped, first = 0, None
        for fields in rows:
            found = None if fields is None or len(fields) != 5 else record_of(fields)
            if found is None:
                first = first or fields
                dropped += 1
                continue
            users.append(found[0])
            times.append(found[1])
            degrees.append(found[2])
            degrees.append(found[3])
            codes.append(place.setdefault(found[4], len(place)))
        why = why_no_check_in(first) if dropped else ""
        if not users:
            more = (
                f" {dropped:,} row{' has' if dropped == 1 else 's have'} something else." if dropped else ""
            )
            more += f" Of the first: {why}" if why else ""
            raise NetworkError(
                "There is no valid check-in; a row is user, time as 2010-10-19T23:55:27Z, latitude, "
                f"longitude, location.{more}",
                Where("parameter", name="rows"),
            )
        places = np.array(degrees, dtype=np.float64).reshape(-1, 2)
        warn_if_many_dropped(dropped, len(users), "check-in", why)
        warn_if_swapped(places)
        self._keep(
            np.array(users, dtype=np.int64),
            np.array(times, dtype=np.int64).astype("datetime64[s]"),
            places,
            np.array(codes, dtype=np.int64),
            tuple(place),
            dropped,
            title,
        )

    def _keep(
        self,
        users: Integers,
        times: NDArray[Any],
        places: Floats,
        codes: Integers,
        locations: tuple[str, ...],
        dropped: int,
        title: str,
    ) -> None:
        for part in (users, times, places, codes):
            part.flags.writeable = False
        for slot, value in (
            ("_users", users),
            ("_times", times),
            ("_places", places),
            ("_codes", codes),
            ("_locations", locations),
            ("_dropped", dropped),
            ("_title", title),
        ):
            object.__setattr__(self, slot, value)

    def _made(self) -> bool:
        # The __dict__ is always there: what is found late is kept in it.
        return hasattr(self, "_users")

    @classmethod
    def _of(cls, *parts: Any) -> CheckIns:
        """Return check-ins of arrays that fit together."""
        made = cls.__new__(cls)
        made._keep(*parts)
        return made

    @classmethod
    def from_arrays(
        cls, users: Any, times: Any, places: Any, codes: Any, locations: Iterable[str], title: str | None = ""
    ) -> CheckIns:
        """Return check-ins from one array for each field.

        Parameters
        ----------
        users
            Whole numbers.
        times
            As ``datetime64``, UTC.
        places
            Latitudes and longitudes in degrees, shape (rows, 2).
        codes
            Positions in ``locations``.
        locations
            Ids, text or whole numbers; none is empty or stands there twice.
        title
            Short text for pictures.

        Raises
        ------
        NetworkError
            The arrays do not fit together, or a place does not exist.

        Examples
        --------
        >>> when = np.array(["2010-10-19T23:55:27"], dtype="datetime64[s]")
        >>> list(CheckIns.from_arrays([3], when, [[30.25, -97.5]], [0], ["pub"]))
        [(3, '2010-10-19T23:55:27Z', 30.25, -97.5, 'pub')]
        """
        for given, what in ((users, "users"), (times, "times"), (codes, "codes")):
            refuse_masked(given, what)
        who, when, which = array_of(users), array_of(times), array_of(codes)
        where, ids = as_places(places), list(locations)
        for place in ids:
            if not (isinstance(place, str) or is_whole(place)):
                raise NetworkError(
                    f"A location is {shown(place)}; its id is text or a whole number.",
                    Where("parameter", name="locations"),
                )
        names = tuple(map(str, ids))
        one = who.ndim == 1 and len(who) and where.ndim == 2
        if not one or not len(who) == len(when) == len(where) == len(which) or when.ndim != 1:
            raise NetworkError(
                "The check-ins must be arrays of one length, at least 1.", Where("parameter", name="users")
            )
        if who.dtype.kind not in "iu" or which.dtype.kind not in "iu" or when.dtype.kind != "M":
            raise NetworkError(
                "Users and codes are whole numbers, and times are datetime64.",
                Where("parameter", name="times"),
            )
        if (
            np.isnat(when).any()
            or which.min() < 0
            or which.max() >= len(names)
            or len(set(names)) < len(names)
            or "" in names
        ):
            raise NetworkError(
                f"A code is no position from 0 to {len(names) - 1}, a location is named twice or by no text, "
                "or a time is missing.",
                Where("parameter", name="codes"),
            )
        check_users(who, "users")
        times_of = when.astype("datetime64[s]")
        years = times_of.astype("datetime64[Y]").astype(np.int64) + 1970
        if years.min() < 0 or years.max() > 9999:
            raise NetworkError(
                "A time is outside of the years 0 to 9999, in which check-ins are.",
                Where("parameter", name="times"),
            )
        return cls._of(
            who.astype(np.int64), times_of, where, which.astype(np.int64), names, 0, as_title(title)
        )

    @property
    def users(self) -> Integers:
        """User of every check-in (read-only)."""
        return self._users

    @property
    def times(self) -> NDArray[Any]:
        """Time of every check-in, UTC, as ``datetime64[s]`` (read-only)."""
        return self._times

    @property
    def places(self) -> Floats:
        """Latitude and longitude of every check-in in degrees, shape (rows, 2) (read-only)."""
        return self._places

    @property
    def codes(self) -> Integers:
        """Location of every check-in as a position in `locations` (read-only)."""
        return self._codes

    @property
    def locations(self) -> tuple[str, ...]:
        """Ids of the locations, in the order in which they occur."""
        return self._locations

    @property
    def dropped(self) -> int:
        """Number of rows that were left out: fields, numbers, degrees or a time are none."""
        return self._dropped

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @cached_property
    def distinct_users(self) -> Integers:
        """Users with check-ins, ascending (read-only)."""
        found = np.unique(self._users)
        found.flags.writeable = False
        return found

    @cached_property
    def first_places(self) -> Floats:
        """Place of every location: that of its first valid check-in, whoever wrote it (read-only)."""
        first = np.unique(self._codes, return_index=True)[1]
        found = np.full((len(self._locations), 2), np.nan)
        found[self._codes[first]] = self._places[first]
        found.flags.writeable = False
        return found

    def only(self, chosen: Any) -> CheckIns:
        """Return some of the check-ins; locations keep their ids, and what was dropped is forgotten.

        Parameters
        ----------
        chosen
            A truth value for each, or positions.

        Examples
        --------
        >>> rows = [(u, "2010-10-19T23:55:27Z", 30.2, -97.8, "7") for u in (1, 2)]
        >>> data = CheckIns(rows)
        >>> data.only(data.users == 2)
        CheckIns(1 check-in, 1 user, 1 place)
        """
        refuse_masked(chosen, "choice")
        at, where = np.asarray(chosen), Where("parameter", name="chosen")
        if at.ndim != 1 or at.dtype.kind not in "biu":
            raise NetworkError("The chosen check-ins are no list of truth values or positions.", where)
        try:
            users, times, places = self._users[at], self._times[at], self._places[at]
        except IndexError:
            raise NetworkError(
                f"The chosen check-ins do not fit; there are {len(self):,}.",
                Where("parameter", name="chosen"),
            ) from None
        if not len(users):
            raise NetworkError(
                "No check-in is chosen; choose one or more.", Where("parameter", name="chosen")
            )
        kept, codes = np.unique(self._codes[at], return_inverse=True)
        names = tuple(self._locations[code] for code in kept.tolist())
        return self._of(users, times, places, codes.astype(np.int64), names, 0, self._title)

    def __len__(self) -> int:
        return len(self._users)

    def __iter__(self) -> Iterator[CheckIn]:
        written = np.datetime_as_string(self._times, unit="s")
        rows = zip(
            self._users.tolist(), written.tolist(), self._places.tolist(), self._codes.tolist(), strict=True
        )
        return ((user, f"{time}Z", at[0], at[1], self._locations[code]) for user, time, at, code in rows)

    def write(self, path: str | PathLike[str]) -> Path:
        r"""Write the check-ins as published by SNAP, fields separated by tabs.

        A file whose name ends in ``.gz`` is packed.

        Raises
        ------
        NetworkError
            The name of a location has a tab, the end of a line or half a character: such a file could not be
            read. Nothing is written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from pdp_widgets import read_check_ins
        >>> file = pathlib.Path(tempfile.mkdtemp(), "checkins.txt")
        >>> data = CheckIns([(3, "2010-10-19T23:55:27Z", 30.25, -97.5, "7")])
        >>> data.write(file).read_text()
        '3\t2010-10-19T23:55:27Z\t30.25\t-97.5\t7\n'
        >>> read_check_ins(file, title="") == data
        True
        """
        for name in self._locations:
            if any(mark in name for mark in "\t\r\n") or not is_text(name):
                raise NetworkError(
                    f"Location {shown(name)} cannot be written: a file has one check-in a line, with tabs "
                    "between fields. Name it without tabs, ends of lines and halves of characters.",
                    Where("parameter", name="locations"),
                )
        return write_lines(path, ("\t".join(map(str, row)) for row in self))

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one check-in a row.

        Examples
        --------
        >>> CheckIns([(3, "2010-10-19T23:55:27Z", 30.25, -97.5, "7")]).to_dataframe().columns.tolist()
        ['user', 'time', 'latitude', 'longitude', 'location']
        """
        return pandas_frame(
            {
                "user": self._users,
                "time": self._times,
                "latitude": self._places[:, 0],
                "longitude": self._places[:, 1],
                "location": [self._locations[code] for code in self._codes.tolist()],
            }
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CheckIns):
            return NotImplemented
        return (
            self._title == other._title
            and self._dropped == other._dropped
            and self._locations == other._locations
            and np.array_equal(self._codes, other._codes)
            and np.array_equal(self._users, other._users)
            and np.array_equal(self._times, other._times)
            and np.array_equal(self._places, other._places)
        )

    def __hash__(self) -> int:
        # The places are left out: a zero has two signs, which compare equal.
        return hash((self._title, self._dropped, self._locations, self._users.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self._users, self._times, self._places, self._codes, self._locations)
        return CheckIns._of, (*parts, self._dropped, self._title)

    def __repr__(self) -> str:
        title = f"{short(self._title)!r}, " if self._title else ""
        counts = (
            (len(self), "check-in"),
            (len(self.distinct_users), "user"),
            (len(self._locations), "place"),
        )
        counted = ", ".join(how_many(n, noun) for n, noun in counts)
        return f"CheckIns({title}{counted})"


def read_check_ins(
    path: str | PathLike[str], title: str | None = None, encoding: str | None = None
) -> CheckIns:
    r"""Read check-ins from a file as published by SNAP, such as ``loc-gowalla_totalCheckins.txt.gz``.

    Parameters
    ----------
    path
        A text file, or one packed by gzip, bzip2, zip or Zstandard: user, time, latitude, longitude and
        location in each line, separated by one or more tabs, or by semicolons, bars or commas.
    title
        Short text for pictures; without it the name of the file.
    encoding
        Of a text that is neither UTF-8 nor UTF-16 with a mark, such as ``"cp1252"``.

    Returns
    -------
    CheckIns
        ``.dropped`` says how many lines have another number of fields, something that is no number, degrees
        that do not exist or another form of time. Empty lines are not counted.

    Raises
    ------
    NetworkError
        It is no path of a file, no line holds a check-in, the text is in another encoding, or a packed file
        cannot be unpacked.

    Warns
    -----
    NetworkWarning
        More than a tenth of the lines holds no check-in, five or more; or latitude and longitude look
        swapped.

    Notes
    -----
    E. Cho, S. A. Myers and J. Leskovec, "Friendship and Mobility", KDD 2011; the file of Gowalla has
    6,442,890 lines. It is not part of this package.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "checkins.txt")
    >>> _ = file.write_text("0\t2010-10-19T23:55:27Z\t30.23\t-97.79\t22847\n1\tbad line\n\n")
    >>> data = read_check_ins(file)
    >>> data, data.dropped
    (CheckIns('checkins', 1 check-in, 1 user, 1 place), 1)
    """
    lines, stem = text_lines(path, encoding=encoding)
    return parse_check_ins(lines, stem if title is None else title)


def parse_check_ins(lines: Iterable[str], title: str | None = "") -> CheckIns:
    r"""Return the check-ins of lines; see `read_check_ins`."""
    made = CheckIns.__new__(CheckIns)
    full = (stripped for line in lines if (stripped := line.rstrip("\r\n")).strip())
    begin = list(islice(full, 20))
    mark = next((one for one in "\t;|," if any(line.count(one) >= 4 for line in begin)), "\t")
    # Several tabs are one; between other signs a field may be empty, and is missing.
    several = mark == "\t"
    rows = ([part for part in line.split(mark) if part or not several] for line in chain(begin, full))
    made._gather(rows, as_title(title))
    return made
