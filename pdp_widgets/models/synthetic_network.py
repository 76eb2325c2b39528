"""A simulated network of friends with check-ins in three cities, with the statistics of Gowalla."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import Kind, as_size
from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.models.check_ins import CheckIns
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.models.great_circle import kilometres_per_degree
from pdp_widgets.models.labels import shown
from pdp_widgets.models.location_patterns import CITIES
from pdp_widgets.models.social_network import SocialNetwork

__all__ = ["synthetic_network"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Shares of the cities in the paper's Table I.
_SHARES = np.array([0.332, 0.300, 0.368])
#: The chance of a friendship falls with the distance in miles as (miles + b)**-c.
_MILE_KM = 1.609344
_NEAR, _FALL = 0.196, 1.05
#: Kilometres from the centre of a city: where hotspots, homes and venues end.
_HOTSPOTS_KM, _HOMES_KM, _VENUES_KM = 15.0, 24.0, 24.8
_MOST_USERS = 20_000


def synthetic_network(
    n_users: int = 300,
    mean_degree: float = 8.0,
    long_range: float = 0.02,
    hotspots: int = 6,
    rng: np.random.Generator | int | None = None,
) -> SocialNetwork:
    """Return a simulated network of friends in New York, San Francisco and Los Angeles.

    Parameters
    ----------
    n_users
        Number of users.
    mean_degree
        Expected number of friends of a user; no more than there are others.
    long_range
        Expected share of friendships between cities.
    hotspots
        Popular quarters of a city.
    rng
        Generator or seed; the same seed gives the same network. Without it fresh randomness.

    Raises
    ------
    NetworkError
        A parameter is outside its range.
    LimitError
        There are more than 20,000 users.

    Notes
    -----
    Homes gather around hotspots, friendships fall with the distance as fitted to Gowalla, and places of
    users are near home, near a friend's home or near a hotspot: friends are closer than other users of their
    city. Where a city is too small for its friendships there are fewer.

    Examples
    --------
    >>> network = synthetic_network(300, rng=7)
    >>> network, network == synthetic_network(300, rng=7)
    (SocialNetwork('Simulated network', 300 users, 1,170 friendships), True)
    """
    n, degree, share, spots = _checked(n_users, mean_degree, long_range, hotspots)
    generator = as_generator(rng)
    city = generator.choice(len(CITIES), size=n, p=_SHARES)
    centres, popularity = _hotspots(generator, spots)
    drawn = _chosen(generator, popularity[city])
    homes = _pulled(centres[city, drawn] + generator.normal(0, 2.0, (n, 2)), _HOMES_KM)
    wanted = n * degree / 2
    edges = np.concatenate(
        [
            _inside(generator, city, homes, wanted * (1 - share)),
            _between(generator, city, wanted * share),
        ]
    )
    owners, venues = _venues(generator, city, homes, edges, centres, popularity)
    visits = _check_ins(generator, n, owners, _degrees(city[owners], venues))
    return SocialNetwork(visits, Friendships(edges), "Simulated network")


def _checked(n_users: Any, mean_degree: Any, long_range: Any, hotspots: Any) -> tuple[int, float, float, int]:
    for name, value in (("n_users", n_users), ("hotspots", hotspots)):
        if as_size(value, name, 1, error=NetworkError) > _MOST_USERS:
            raise LimitError(
                f"{name} is {shown(int(value))}; at most {_MOST_USERS:,} are simulated, for every pair is "
                "looked at.",
                Where("parameter", name=name),
            )
    found = []
    for name, value, most in (("mean_degree", mean_degree, n_users - 1), ("long_range", long_range, 1)):
        accepted = f"it is a number from 0 to {most:,}"
        found.append(Kind(accepted, 0, most).take(value, name, NetworkError))
    return int(n_users), found[0], found[1], int(hotspots)


def _hotspots(generator: np.random.Generator, spots: int) -> tuple[Floats, Floats]:
    """Return centres in local kilometres (north, east) and popularity of the hotspots of every city."""
    shape = (len(CITIES), spots)
    radius = _HOTSPOTS_KM * np.sqrt(generator.random(shape))
    angle = generator.random(shape) * 2 * np.pi
    centres = np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=-1)
    return centres, generator.dirichlet(np.full(spots, 2.0), size=len(CITIES))


def _chosen(generator: np.random.Generator, weights: Floats) -> Integers:
    """Draw one position for each row of weights that sum to 1."""
    bounds = np.cumsum(weights, axis=1)
    found: Integers = (generator.random((len(weights), 1)) > bounds[:, :-1]).sum(axis=1)
    return found


def _pulled(points: Floats, most_km: float) -> Floats:
    """Return points, those too far from the centre moved towards it."""
    far = np.hypot(points[:, 0], points[:, 1])
    found: Floats = points * np.minimum(1.0, most_km / np.maximum(far, 1e-12))[:, None]
    return found


def _inside(generator: np.random.Generator, city: Integers, homes: Floats, wanted: float) -> Integers:
    """Draw friendships within cities, their expected number being that wanted where it can be."""
    firsts, seconds, weights = [], [], []
    for k in range(len(CITIES)):
        members = np.flatnonzero(city == k)
        one, other = np.triu_indices(len(members), 1)
        gap = homes[members[one]] - homes[members[other]]
        firsts.append(members[one])
        seconds.append(members[other])
        weights.append((np.hypot(gap[:, 0], gap[:, 1]) / _MILE_KM + _NEAR) ** -_FALL)
    weight = np.concatenate(weights)
    drawn = generator.random(len(weight)) < _chances(weight, wanted)
    return np.stack([np.concatenate(firsts)[drawn], np.concatenate(seconds)[drawn]], axis=1)


def _chances(weight: Floats, wanted: float) -> Floats:
    """Return min(1, s weight) with s such that the sum is the one wanted; all 1 where that is too many."""
    # The sum is piecewise linear in s: the k largest weights are at 1, the others sum to what is left.
    if wanted >= len(weight):
        return np.ones(len(weight))
    descending = np.sort(weight)[::-1]
    rest = np.append(np.cumsum(descending[::-1])[::-1], 0.0)[:-1]
    factor = (wanted - np.arange(len(weight))) / rest
    # The first k at which the next weight stays below 1.
    k = int(np.argmax(factor * descending <= 1.0))
    found: Floats = np.minimum(1.0, factor[k] * weight)
    return found


def _between(generator: np.random.Generator, city: Integers, wanted: float) -> Integers:
    """Draw friendships between cities, every pair with the same chance."""
    sizes = np.bincount(city, minlength=len(CITIES))
    members = [np.flatnonzero(city == k) for k in range(len(CITIES))]
    pairs = [(a, b) for a in range(len(CITIES)) for b in range(a)]
    counts = np.array([sizes[a] * sizes[b] for a, b in pairs], dtype=np.int64)
    total = int(counts.sum())
    if not total:
        return np.empty((0, 2), dtype=np.int64)
    many = generator.binomial(total, min(1.0, wanted / total))
    drawn = np.sort(generator.choice(total, size=many, replace=False, shuffle=False))
    ends = np.cumsum(counts)
    found = []
    for (a, b), begin, end in zip(pairs, ends - counts, ends, strict=True):
        own = drawn[(drawn >= begin) & (drawn < end)] - begin
        if len(own):
            found.append(np.stack([members[a][own // sizes[b]], members[b][own % sizes[b]]], axis=1))
    return np.concatenate(found) if found else np.empty((0, 2), dtype=np.int64)


def _venues(
    generator: np.random.Generator,
    city: Integers,
    homes: Floats,
    edges: Integers,
    centres: Floats,
    popularity: Floats,
) -> tuple[Integers, Floats]:
    """Return the owner and the place of every venue in local kilometres; a user's first one is home."""
    n = len(city)
    counts = 5 + generator.poisson(3.0, n)
    owner = np.repeat(np.arange(n), counts)
    first = np.zeros(len(owner), dtype=bool)
    first[np.cumsum(counts) - counts] = True
    kind = generator.random(len(owner))
    friend = _random_friends(generator, edges, owner, n)
    by_friend = (kind >= 0.6) & (kind < 0.9) & (friend >= 0) & (city[friend] == city[owner])
    by_spot = kind >= 0.9
    spot = _chosen(generator, popularity[city[owner]])
    base = np.where(by_friend[:, None], homes[friend], homes[owner])
    base = np.where(by_spot[:, None], centres[city[owner], spot], base)
    spread = np.select([by_friend, by_spot], [0.5, 2.0], 1.5)
    moved = base + generator.normal(0, 1.0, base.shape) * spread[:, None]
    return owner, _pulled(np.where(first[:, None], homes[owner], moved), _VENUES_KM)


def _random_friends(generator: np.random.Generator, edges: Integers, owner: Integers, n: int) -> Integers:
    """Draw a friend for each owner, -1 where there is none."""
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    degrees = np.bincount(both[:, 0], minlength=n)
    begins = np.cumsum(degrees) - degrees
    step = (generator.random(len(owner)) * degrees[owner]).astype(np.int64)
    found = np.full(len(owner), -1, dtype=np.int64)
    some = degrees[owner] > 0
    found[some] = both[begins[owner[some]] + step[some], 1]
    return found


def _degrees(city: Integers, points: Floats) -> Floats:
    """Return local kilometres as degrees, rounded to 0.001."""
    centres = np.array([one.centre for one in CITIES])
    scales = np.array([kilometres_per_degree(one.latitude) for one in CITIES])
    found: Floats = np.round(centres[city] + points / scales[city], 3)
    return found


def _check_ins(generator: np.random.Generator, n: int, owner: Integers, places: Floats) -> CheckIns:
    """Draw check-ins of every user at her venues, newest first, and name the places."""
    kinds, location = np.unique(places, axis=0, return_inverse=True)
    counts = 10 + generator.poisson(4.2, n)
    user = np.repeat(np.arange(n), counts)
    begins = np.searchsorted(owner, np.arange(n))
    sizes = np.bincount(owner, minlength=n)
    ranks = np.arange(1, sizes.max() + 1) ** -1.2
    totals = np.cumsum(ranks)[sizes - 1]
    drawn = generator.random(len(user)) * totals[user]
    rank = np.minimum(np.searchsorted(np.cumsum(ranks), drawn, side="right"), sizes[user] - 1)
    start = np.datetime64("2009-02-01T00:00:00", "s")
    span = int((np.datetime64("2010-11-01T00:00:00", "s") - start).astype(np.int64))
    when = generator.integers(0, span, len(user))
    order = np.lexsort((-when, user))
    # Places are named by number, and listed as they occur.
    at = location.ravel()[begins[user] + rank][order]
    first = np.sort(np.unique(at, return_index=True)[1])
    code = np.empty(len(kinds), dtype=np.int64)
    code[at[first]] = np.arange(len(first))
    names = tuple(str(place) for place in at[first].tolist())
    times = start + when[order].astype("timedelta64[s]")
    return CheckIns.from_arrays(user[order], times, kinds[at], code[at], names)
