"""How many users have how many friends, released with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET, NOT_NEGATIVE, POSITIVE, as_size
from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import DomainError, NetworkError, ScaleError, Where
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown

__all__ = ["PrivateDegrees", "degree_histogram", "degree_scale", "degree_sensitivity", "private_degrees"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Users, and bins: a number for each takes 0.4 GB.
_MOST = 50_000_000


@dataclass(frozen=True, eq=False)
class PrivateDegrees(ReadOnlyArrays):
    """A histogram of degrees with and without noise.

    Parameters
    ----------
    histogram
        Users with 0, 1, ... friends; the last bin has those with more too (read-only).
    noisy
        With noise (read-only).
    scale
        Of the noise of every bin.
    public_size
        Whether the number of bins was given; otherwise it is the largest degree present, and tells of it.

    Examples
    --------
    >>> found = private_degrees(Friendships([(0, 1), (1, 2)]), n=4, scale=2.0, rng=1)
    >>> found.histogram.tolist(), found.expected_error, found.public_size
    ([1, 2, 1], 6.0, False)
    """

    histogram: Integers
    noisy: Floats
    scale: float
    public_size: bool

    @property
    def error(self) -> float:
        """The L1 distance of both histograms: an error, lower is better."""
        return float(np.abs(self.noisy - self.histogram).sum())

    @property
    def expected_error(self) -> float:
        """What the error is on average: the number of bins times the scale."""
        return len(self.histogram) * self.scale

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrivateDegrees):
            return NotImplemented
        return (
            self.scale == other.scale
            and self.public_size == other.public_size
            and np.array_equal(self.histogram, other.histogram)
            and np.array_equal(self.noisy, other.noisy)
        )

    def __hash__(self) -> int:
        return hash((self.scale, self.histogram.tobytes(), self.noisy.tobytes()))


def degree_histogram(friendships: Any, n: int | None = None, max_degree: int | None = None) -> Integers:
    """Return how many users have 0, 1, ... friends.

    Parameters
    ----------
    friendships
        `Friendships`, or pairs of users; with ``n`` the users are 0 to n - 1. A networkx graph, whose nodes
        without edges count too.
    n
        Number of users; without it those with friends, or the nodes of a graph.
    max_degree
        The last bin, for that many friends or more; without it the largest number present, a size that
        depends on the data.

    Raises
    ------
    NetworkError
        A user is not one of the n.

    Examples
    --------
    >>> degree_histogram([(0, 1), (1, 2), (2, 3), (1, 3)], n=6).tolist()
    [2, 1, 2, 1]
    >>> degree_histogram([(0, 1), (1, 2), (2, 3), (1, 3)], n=6, max_degree=2).tolist()
    [2, 1, 3]
    """
    if hasattr(friendships, "nodes") and n is None:
        n = len(friendships.nodes)
        position = {node: k for k, node in enumerate(friendships.nodes)}
        given = Friendships([(position[u], position[v]) for u, v, *_ in friendships.edges()])
    else:
        given = friendships if isinstance(friendships, Friendships) else Friendships(friendships)
    users, many = given.users, as_size(len(given.users) if n is None else n, "n", 1, _MOST)
    if n is not None and len(users) and not (users[0] >= 0 and users[-1] < many):
        raise NetworkError(
            f"User {users[-1] if users[0] >= 0 else users[0]} is not one of 0 to {many - 1}.",
            Where("parameter", name="friendships"),
        )
    degrees = np.zeros(many, dtype=np.int64)
    counts = np.unique(given.edges, return_counts=True)[1]
    degrees[: len(counts)] = counts
    top = int(degrees.max()) if max_degree is None else as_size(max_degree, "max_degree", 0, _MOST)
    found: Integers = np.bincount(np.minimum(degrees, top), minlength=top + 1)
    return found


def degree_sensitivity(tuple_: Literal["edge", "user"] = "edge", n: int | None = None) -> float:
    """Return by how much a histogram of degrees changes in L1: 4 for an edge, 2n for all edges of a user."""
    if tuple_ == "edge":
        return 4.0
    if tuple_ != "user":
        raise DomainError(
            f"A tuple is {shown(tuple_)}; it is 'edge' or 'user'.", Where("parameter", name="tuple")
        )
    return 2.0 * as_size(n, "n", 1, error=DomainError)


def degree_scale(
    epsilon: float, factor: float = 1.0, tuple_: Literal["edge", "user"] = "edge", n: int | None = None
) -> float:
    """Return the scale of the noise of every bin."""
    return POSITIVE.take(factor, "factor") * degree_sensitivity(tuple_, n) / BUDGET.take(epsilon, "epsilon")


def private_degrees(
    friendships: Any,
    scale: float,
    n: int | None = None,
    max_degree: int | None = None,
    rng: np.random.Generator | int | None = None,
) -> PrivateDegrees:
    """Return a histogram of degrees with Laplace noise.

    Parameters
    ----------
    friendships, n, max_degree
        As for `degree_histogram`.
    scale
        Of the noise of every bin, such as one of `degree_scale`.
    rng
        Generator or seed; without it fresh randomness.

    Examples
    --------
    >>> private_degrees([(0, 1)], scale=0.0).noisy.tolist()
    [0.0, 2.0]
    """
    sigma, generator = NOT_NEGATIVE.take(scale, "scale", ScaleError), as_generator(rng)
    found = degree_histogram(friendships, n, max_degree)
    # Beyond this nothing but noise is left, and products would overflow.
    noisy = found + min(sigma, 1e290) * generator.laplace(size=len(found))
    return PrivateDegrees(found, noisy, sigma, max_degree is not None)
