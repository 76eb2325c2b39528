"""A network of friends with places: who was where most, and who is whose friend."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.errors import NetworkError, NetworkWarning, Where, warn_caller
from pdp_widgets.models.check_ins import CheckIns
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.models.great_circle import great_circle_km, kilometres_per_degree
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import as_title, how_many, short, shown
from pdp_widgets.models.location_patterns import CITIES, City, in_city, location_patterns

__all__ = ["SocialNetwork"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Array = TypeVar("Array", bound=NDArray[Any])


class SocialNetwork(Immutable):
    """Users with check-ins and friendships, every user at the place of most of her check-ins.

    The object is immutable. Users are positions 0, 1, ... inside and have the numbers of the files outside.

    Parameters
    ----------
    check_ins
        Who was where. Users with check-ins are the users of the network.
    friendships
        Who is whose friend; friends without check-ins are left out and listed.
    title
        A short text for pictures; without it that of the check-ins.

    Warns
    -----
    NetworkWarning
        There are friendships, and not one of them is between two users with check-ins.

    Examples
    --------
    >>> when = "2010-10-19T23:55:27Z"
    >>> rows = [(5, when, 40.7, -74.0, "a"), (7, when, 40.8, -73.9, "b"), (9, when, 40.8, -73.8, "c")]
    >>> network = SocialNetwork(CheckIns(rows), Friendships([(5, 9), (5, 6)]))
    >>> network, network.left_out, network.friends(0).tolist()
    (SocialNetwork(3 users, 1 friendship), (6,), [2])
    >>> network.points.round(2).tolist()
    [[0.0, 0.0], [1.0, 0.5], [1.0, 1.0]]
    """

    __slots__ = ("__dict__", "_check_ins", "_friendships", "_title")

    _check_ins: CheckIns
    _friendships: Friendships
    _title: str

    def __init__(self, check_ins: CheckIns, friendships: Friendships, title: str | None = None) -> None:
        self._begin()
        for name, value, kind in (
            ("check_ins", check_ins, CheckIns),
            ("friendships", friendships, Friendships),
        ):
            if not isinstance(value, kind):
                raise NetworkError(
                    f"The {name} are {shown(value)}; give {kind.__name__}.", Where("parameter", name=name)
                )
        self._put(check_ins, friendships, check_ins.title if title is None else as_title(title))
        _warn_if_unmatched(self)

    def _put(self, check_ins: CheckIns, friendships: Friendships, title: str) -> None:
        object.__setattr__(self, "_check_ins", check_ins)
        object.__setattr__(self, "_friendships", friendships)
        object.__setattr__(self, "_title", title)

    @classmethod
    def _of(cls, check_ins: CheckIns, friendships: Friendships, title: str) -> SocialNetwork:
        """Return a network that was made before: what is to be said of it was said then."""
        made = cls.__new__(cls)
        made._put(check_ins, friendships, title)
        return made

    def _made(self) -> bool:
        # The __dict__ is always there: what is found late is kept in it.
        return hasattr(self, "_check_ins")

    @property
    def check_ins(self) -> CheckIns:
        """Who was where."""
        return self._check_ins

    @property
    def friendships(self) -> Friendships:
        """Who is whose friend, as given."""
        return self._friendships

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @property
    def users(self) -> Integers:
        """Users, ascending (read-only)."""
        return self._check_ins.distinct_users

    @property
    def n(self) -> int:
        """Number of users."""
        return len(self.users)

    @cached_property
    def left_out(self) -> tuple[int, ...]:
        """Users with friends and without a valid check-in."""
        found = np.setdiff1d(self._friendships.users, self.users)
        return tuple(int(user) for user in found.tolist())

    @cached_property
    def edges(self) -> Integers:
        """Friendships of the users as positions, the smaller first (read-only)."""
        return _read_only(self._friendships.among(self.users))

    @cached_property
    def degrees(self) -> Integers:
        """Number of friends of every user (read-only)."""
        return _read_only(np.bincount(self.edges.ravel(), minlength=self.n))

    @cached_property
    def components(self) -> Integers:
        """A number for every user: the same for users whom friendships connect (read-only)."""
        label = np.arange(self.n)
        first, second = self.edges.T
        while True:
            # The smaller label wins on both sides, and labels of labels shorten the ways.
            low = np.minimum(label[first], label[second])
            found = label.copy()
            np.minimum.at(found, label[first], low)
            np.minimum.at(found, label[second], low)
            found = found[found[label]]
            if np.array_equal(found, label):
                return _read_only(np.unique(label, return_inverse=True)[1])
            label = found

    @property
    def largest_component(self) -> int:
        """Users of the largest connected component: L, where only friendships are known."""
        return int(np.bincount(self.components).max())

    @cached_property
    def places(self) -> Floats:
        """Latitude and longitude of the place of most check-ins of every user (read-only)."""
        return _read_only(location_patterns(self._check_ins).places[:, 0])

    @cached_property
    def box(self) -> Floats:
        """The least and the largest latitude and longitude of the places, shape (2, 2) (read-only)."""
        return _read_only(np.stack([self.places.min(axis=0), self.places.max(axis=0)]))

    @cached_property
    def points(self) -> Floats:
        """The places in the unit square: to the north, to the east (read-only)."""
        span = self.box[1] - self.box[0]
        return _read_only(
            np.where(span > 0, (self.places - self.box[0]) / np.where(span > 0, span, 1.0), 0.0)
        )

    def degrees_of(self, points: Any) -> Floats:
        """Return points of the unit square as latitudes and longitudes.

        Raises
        ------
        NetworkError
            A point is outside the square, or not two numbers.

        Examples
        --------
        >>> from pdp_widgets import synthetic_network
        >>> network = synthetic_network(30, rng=1)
        >>> bool(abs(network.degrees_of(network.points) - network.places).max() < 1e-12)
        True
        """
        numbers = as_sizes(points, "points", NetworkError, 0.0, 1.0)
        if numbers.ndim == 0 or numbers.shape[-1] != 2:
            raise NetworkError(
                f"The points have the shape {numbers.shape}; give two numbers for each, to the north and "
                "to the east.",
                Where("parameter", name="points"),
            )
        found: Floats = self.box[0] + numbers * (self.box[1] - self.box[0])
        return found

    @property
    def size_km(self) -> tuple[float, float]:
        """Kilometres from south to north and, in the middle, from west to east."""
        north, east = kilometres_per_degree(float(self.box[:, 0].mean()))
        span = self.box[1] - self.box[0]
        return float(span[0] * north), float(span[1] * east)

    def position(self, user: int) -> int:
        """Return the position of a user.

        Raises
        ------
        NetworkError
            There is no such user.
        """
        at = int(np.searchsorted(self.users, user)) if is_whole(user) else self.n
        if at == self.n or self.users[at] != user:
            listed = ", ".join(map(str, self.users[:6].tolist())) + (", ..." if self.n > 6 else "")
            raise NetworkError(
                f"There is no user {shown(user)} with check-ins; the users are {listed}.",
                Where("parameter", name="user"),
            )
        return at

    def friends(self, position: int) -> Integers:
        """Return the positions of the friends of a user given by position, ascending.

        Raises
        ------
        NetworkError
            There is no such position.
        """
        if not is_whole(position) or not 0 <= position < self.n:
            raise NetworkError(
                f"There is no position {shown(position)}; positions run from 0 to {self.n - 1:,}.",
                Where("parameter", name="position"),
            )
        first, second = self.edges.T
        return np.sort(np.concatenate([second[first == position], first[second == position]]))

    def city(self, name: str, *, radius_km: float = 25.0, least: int = 10) -> SocialNetwork:
        """Return the network of the users who belong to a city, with their check-ins there.

        Parameters
        ----------
        name
            ``"New York"``, ``"San Francisco"`` or ``"Los Angeles"``.
        radius_km, least
            How far the city reaches from its centre, and how many check-ins a user needs there.

        Raises
        ------
        NetworkError
            There is no such city, or nobody belongs to it.

        Examples
        --------
        >>> from pdp_widgets import synthetic_network
        >>> synthetic_network(450, rng=1).city("New York").n
        156
        """
        city = _city(name)
        chosen = in_city(self._check_ins, city, radius_km=radius_km, least=least)
        if chosen is None:
            raise NetworkError(
                f"Nobody has {least} check-ins or more within {radius_km:g} km of {city.name}.",
                Where("parameter", name="name"),
            )
        among = Friendships(chosen.distinct_users[self._friendships.among(chosen.distinct_users)])
        title = f"{self._title}: {city.name}" if self._title else city.name
        return SocialNetwork(chosen, among, title)

    @property
    def statistics(self) -> dict[str, float]:
        """Numbers that describe the network; distances in kilometres.

        ``median_friend_km`` is over all friends, ``median_nonfriend_km`` over users of the same city of the
        paper who are not friends, both between places of most check-ins.
        """
        return network_statistics(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SocialNetwork):
            return NotImplemented
        return (
            self._title == other._title
            and self._friendships == other._friendships
            and self._check_ins == other._check_ins
        )

    def __hash__(self) -> int:
        return hash((self._title, self._friendships, self._check_ins))

    def __reduce__(self) -> tuple[Any, ...]:
        return SocialNetwork._of, (self._check_ins, self._friendships, self._title)

    def __repr__(self) -> str:
        title = f"{short(self._title)!r}, " if self._title else ""
        n, m = self.n, len(self.edges)
        return f"SocialNetwork({title}{how_many(n, 'user')}, {how_many(m, 'friendship')})"


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _warn_if_unmatched(network: SocialNetwork) -> None:
    """Warn where there are friendships, and not one of them is between users with check-ins."""
    given = network.friendships.users
    if not len(given) or len(network.edges):
        return
    some = [", ".join(map(str, users[:3].tolist())) for users in (given, network.users)]
    matched = len(given) - len(network.left_out)
    warn_caller(
        f"Not one of the {len(network.friendships):,} friendships is between two users with check-ins: "
        f"{matched:,} of {len(given):,} users with friends have any. Friendships name users {some[0]}, ..., "
        f"check-ins users {some[1]}, ...; both files must number users alike.",
        NetworkWarning,
    )


def _city(name: Any) -> City:
    for city in CITIES:
        if city.name == name:
            return city
    raise NetworkError(
        f"There is no city {shown(name)}; it is {', '.join(city.name for city in CITIES)}.",
        Where("parameter", name="name"),
    )


def network_statistics(network: SocialNetwork) -> dict[str, float]:
    """Return what `SocialNetwork.statistics` does."""
    counts = np.bincount(np.searchsorted(network.users, network.check_ins.users), minlength=network.n)
    places, (first, second) = network.places, network.edges.T
    centres = np.array([city.centre for city in CITIES])
    from_centres = np.stack([great_circle_km(places, centre) for centre in centres])
    city = from_centres.argmin(axis=0)
    friend_km = np.median(great_circle_km(places[first], places[second])) if len(first) else np.nan
    others = _nonfriend_km(network, city)
    nonfriend_km = np.median(others) if len(others) else np.nan
    all_from = np.stack([great_circle_km(network.check_ins.places, centre) for centre in centres])
    return {
        "mean_degree": float(network.degrees.mean()),
        "mean_checkins": float(counts.mean()),
        "min_checkins": int(counts.min()),
        "within_city_edge_share": float((city[first] == city[second]).mean()) if len(first) else np.nan,
        "median_friend_km": float(friend_km),
        "median_nonfriend_km": float(nonfriend_km),
        "friend_to_nonfriend_ratio": float(friend_km / nonfriend_km) if nonfriend_km else np.nan,
        "max_km_from_centre": float(all_from.min(axis=0).max()),
        "n_locations": len(network.check_ins.locations),
    }


def _nonfriend_km(network: SocialNetwork, city: Integers) -> Floats:
    friends = np.zeros((network.n, network.n), dtype=bool)
    first, second = network.edges.T
    friends[first, second] = True
    found = []
    for k in range(len(CITIES)):
        members = np.flatnonzero(city == k)
        one, other = (members[side] for side in np.triu_indices(len(members), 1))
        apart = ~friends[one, other]
        found.append(great_circle_km(network.places[one[apart]], network.places[other[apart]]))
    return np.concatenate(found)
