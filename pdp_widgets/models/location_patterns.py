"""Where users are most: the places of most check-ins, and the city that a user belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import NOT_NEGATIVE, as_size
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_whole_numbers, plain_numbers, refuse_masked
from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.models.check_ins import CheckIns
from pdp_widgets.models.great_circle import as_places, great_circle_km
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, shown

__all__ = ["CITIES", "City", "LocationPatterns", "in_city", "location_patterns", "min_max"]

Floats = NDArray[np.float64]
_MOST_PLACES = 1_000
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class City:
    """A city by its name and centre in degrees."""

    name: str
    latitude: float
    longitude: float

    @property
    def centre(self) -> tuple[float, float]:
        """Latitude and longitude."""
        return self.latitude, self.longitude


#: The cities of the paper, in its order.
CITIES = (
    City("New York", 40.7128, -74.0060),
    City("San Francisco", 37.7749, -122.4194),
    City("Los Angeles", 34.0522, -118.2437),
)


@dataclass(frozen=True, eq=False)
class LocationPatterns(ReadOnlyArrays):
    """The places of most check-ins of every user, by rank (Eq. 4).

    Parameters
    ----------
    users
        Users, ascending.
    places
        Latitudes and longitudes, shape (users, q, 2).
    dropped_users
        Users that were asked for and have no pattern: no check-ins, or too few places.

    Examples
    --------
    >>> rows = [(7, "2010-10-19T23:55:27Z", 30.0, -97.0, "a"), (8, "2010-10-19T23:55:27Z", 31.0, -98.0, "b")]
    >>> found = location_patterns(CheckIns(rows), users=[7, 9])
    >>> found.users.tolist(), found.places.tolist(), found.dropped_users
    ([7], [[[30.0, -97.0]]], (9,))
    """

    users: Integers
    places: Floats
    dropped_users: tuple[int, ...] = ()

    @property
    def normalised(self) -> Floats:
        """The patterns as vectors of 2q numbers from 0 to 1, every attribute by min-max over users."""
        return min_max(self.places.reshape(len(self.users), -1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LocationPatterns):
            return NotImplemented
        return (
            self.dropped_users == other.dropped_users
            and np.array_equal(self.users, other.users)
            and np.array_equal(self.places, other.places)
        )

    def __hash__(self) -> int:
        return hash((self.dropped_users, self.users.tobytes()))


def location_patterns(
    check_ins: CheckIns,
    q: int = 1,
    pad: Literal["first", "drop"] = "first",
    users: Iterable[int] | None = None,
) -> LocationPatterns:
    """Return the q places of most check-ins of every user (Eq. 4; the paper has q = 6).

    Parameters
    ----------
    check_ins
        Who was where.
    q
        Number of places.
    pad
        What becomes of a user with fewer places: ``"first"`` repeats the one of most check-ins, ``"drop"``
        leaves the user out.
    users
        Who is asked for; without it all who have check-ins.

    Raises
    ------
    NetworkError
        No user has a pattern, or a parameter is none.

    Notes
    -----
    Among places with as many check-ins the one with the smaller id comes first: by number where all ids are
    whole numbers, else as text. The place of an id is that of its first valid check-in, whoever wrote it.

    Examples
    --------
    >>> when = "2010-10-19T23:55:27Z"
    >>> rows = [(0, when, 40.7, -74.0, 11), (0, when, 40.8, -73.9, 12), (0, when, 40.8, -73.9, 12)]
    >>> location_patterns(CheckIns(rows), q=2).places.tolist()
    [[[40.8, -73.9], [40.7, -74.0]]]
    """
    q = as_size(q, "q", 1, error=NetworkError)
    if q > _MOST_PLACES:
        raise LimitError(
            f"q is {shown(int(q))}; at most {_MOST_PLACES:,} places of every user are taken.",
            Where("parameter", name="q"),
        )
    as_choice(pad, "pad", ("first", "drop"), NetworkError)
    if not isinstance(check_ins, CheckIns):
        raise TypeError(f"The check-ins are a {type(check_ins).__name__}; give CheckIns.")
    asked = check_ins.distinct_users if users is None else _asked(users)
    user, code, rank, places_of = _ranked(check_ins)
    n = len(check_ins.distinct_users)
    table = np.zeros((n, q), dtype=np.int64)
    seen = np.zeros((n, q), dtype=bool)
    top = rank < q
    table[user[top], rank[top]] = code[top]
    seen[user[top], rank[top]] = True
    full = np.where(seen, table, table[:, :1])
    at = np.searchsorted(check_ins.distinct_users, asked)
    near = np.minimum(at, n - 1)
    kept = (check_ins.distinct_users[near] == asked) & (seen[near].all(axis=1) | (pad == "first"))
    if not kept.any():
        raise NetworkError(
            f"None of the {len(asked):,} users has {q:,} place{'s'[: q != 1]} or more.",
            Where("parameter", name="users"),
        )
    return LocationPatterns(
        asked[kept], places_of[full[near[kept]]], tuple(int(u) for u in asked[~kept].tolist())
    )


def _asked(users: Any) -> Integers:
    listed = list(users) if isinstance(users, Iterable) and not isinstance(users, str | bytes) else []
    if not listed or not all(map(is_whole, listed)):
        raise NetworkError(
            f"The users are {shown(users)}; give whole numbers, one or more.",
            Where("parameter", name="users"),
        )
    return np.unique(np.array(listed, dtype=np.int64))


def _ranked(check_ins: CheckIns) -> tuple[Integers, Integers, Integers, Floats]:
    """Return user, location and rank of every pair of them that occurs, and the place of every location."""
    order = _order_of_ids(check_ins.locations)
    position = np.searchsorted(check_ins.distinct_users, check_ins.users)
    width = len(order)
    pairs, counts = np.unique(position * width + order[check_ins.codes], return_counts=True)
    user, place = np.divmod(pairs, width)
    ranked = np.lexsort((place, -counts, user))
    user = user[ranked]
    begins = np.searchsorted(user, np.arange(len(check_ins.distinct_users)))
    rank = np.arange(len(user)) - begins[user]
    code = np.empty(width, dtype=np.int64)
    code[order] = np.arange(width)
    return user, code[place[ranked]], rank, check_ins.first_places


def _order_of_ids(ids: tuple[str, ...]) -> Integers:
    """Return where every id stands in ascending order."""
    digits = [name[1:] if name[:1] in ("+", "-") else name for name in ids]
    numbers = all(part.isascii() and part.isdigit() and len(part) < 1000 for part in digits)
    ranked = sorted(range(len(ids)), key=(lambda k: (int(ids[k]), ids[k])) if numbers else ids.__getitem__)
    order = np.empty(len(ids), dtype=np.int64)
    order[ranked] = np.arange(len(ids))
    return order


def min_max(rows: Any) -> Floats:
    """Return every column between 0 and 1: its least number becomes 0, its largest 1, equal ones 0."""
    where = Where("parameter", name="rows")
    refuse_masked(rows, "rows")
    try:
        found = plain_numbers(rows)
    except (TypeError, ValueError, OverflowError):
        raise NetworkError("The rows hold something that is no number.", where) from None
    if found.ndim != 2 or not len(found) or not np.isfinite(found).all():
        raise NetworkError("The rows are no table of finite numbers with one row or more.", where)
    low, high = found.min(axis=0), found.max(axis=0)
    # Halves, so that the span of the widest numbers is one too.
    span = high / 2 - low / 2
    scaled: Floats = np.where(span > 0, (found / 2 - low / 2) / np.where(span > 0, span, 1.0), 0.0)
    return scaled


def in_city(
    check_ins: CheckIns,
    city: City,
    cities: Iterable[City] = CITIES,
    radius_km: float = 25.0,
    least: int = 10,
) -> CheckIns | None:
    """Return the check-ins in a city of the users who belong to it; None where nobody does."""
    radius_km = NOT_NEGATIVE.take(radius_km, "radius_km", NetworkError)
    least = int(as_whole_numbers(least, "least", NetworkError, 0))
    listed = tuple(cities)
    if city not in listed:
        raise NetworkError(f"{city.name} is not one of the cities.", Where("parameter", name="city"))
    centres = as_places([one.centre for one in listed], "cities")
    inside = np.stack([great_circle_km(check_ins.places, centre) <= radius_km for centre in centres])
    position = np.searchsorted(check_ins.distinct_users, check_ins.users)
    n = len(check_ins.distinct_users)
    counts = np.stack([np.bincount(position[row], minlength=n) for row in inside])
    mine = listed.index(city)
    # argmax takes the first of equal ones.
    belongs = (counts.argmax(axis=0) == mine) & (counts[mine] >= max(1, least))
    chosen = inside[mine] & belongs[position]
    return check_ins.only(chosen) if chosen.any() else None
