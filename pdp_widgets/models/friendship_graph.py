"""Who is friends with whom, as arrays: degrees, components, cliques."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import LARGEST, array_of, as_sizes, refuse_masked
from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import shown

__all__ = ["FriendshipGraph", "check_graph"]

Integers = NDArray[np.int64]

#: Each takes eight bytes a few times over.
_MOST_USERS = 20_000_000
#: Users who are all friends: 12,497,500 friendships, a fifth of a gigabyte.
_MOST_COMPLETE = 5_000


class FriendshipGraph(Immutable):
    """Users 0 to n - 1 and the friendships between them.

    Parameters
    ----------
    n
        Number of users, 1 or more.
    edges
        Pairs of different users, in any order and as often as they come; shape (m, 2).

    Raises
    ------
    NetworkError
        A user is none of 0 to n - 1, or somebody is a friend of themselves.

    Notes
    -----
    The component of a user is all that can be reached through friends. What two users of one component know
    of each other passes along friends, so tuples of one component depend on each other, friends or not.

    Examples
    --------
    >>> graph = FriendshipGraph(5, [(0, 1), (2, 1), (1, 0)])
    >>> graph.edges.tolist(), graph.degrees.tolist()
    ([[0, 1], [1, 2]], [1, 2, 1, 0, 0])
    >>> graph.components, graph.largest_component
    (((0, 1, 2), (3,), (4,)), 3)
    """

    # No __slots__: what is computed from the edges is kept.
    _n: int
    _edges: Integers

    def __init__(self, n: int, edges: Iterable[Any] = ()) -> None:
        if "_n" in self.__dict__:
            raise AttributeError("A FriendshipGraph cannot be changed: make a new one.")
        users = _as_users(n)
        self.__dict__.update(_n=users, _edges=_as_edges(edges, users))

    @classmethod
    def from_networkx(cls, graph: Any) -> FriendshipGraph:
        """Return the graph of a networkx graph; its nodes become 0, 1, ... in its order.

        Examples
        --------
        >>> import networkx as nx
        >>> FriendshipGraph.from_networkx(nx.path_graph(["Ann", "Bob", "Eve"])).edges.tolist()
        [[0, 1], [1, 2]]
        """
        if not (hasattr(graph, "nodes") and hasattr(graph, "edges")):
            raise NetworkError(
                f"The graph is {shown(graph)}; give a graph of networkx.", Where("parameter", name="graph")
            )
        place = {node: position for position, node in enumerate(graph.nodes)}
        return cls(len(place), [(place[u], place[v]) for u, v in graph.edges if u != v])

    @classmethod
    def path(cls, n: int) -> FriendshipGraph:
        """Return n users in a row, each a friend of the next.

        Examples
        --------
        >>> FriendshipGraph.path(4).largest_degree, FriendshipGraph.path(4).largest_component
        (2, 4)
        """
        first = np.arange(_as_users(n) - 1)
        return cls(n, np.column_stack([first, first + 1]))

    @classmethod
    def complete(cls, n: int) -> FriendshipGraph:
        """Return n users who are all friends.

        Examples
        --------
        >>> FriendshipGraph.complete(4).largest_degree
        3
        """
        return cls(n, np.column_stack(np.triu_indices(_as_users(n, _MOST_COMPLETE), 1)))

    @classmethod
    def among(cls, friendships: Friendships, users: Any) -> FriendshipGraph:
        """Return the friendships among some users, who become 0, 1, ... in ascending order.

        Parameters
        ----------
        friendships
            Those of a file, say.
        users
            Different users, friends or not.

        Examples
        --------
        >>> FriendshipGraph.among(Friendships([(10, 20), (20, 30)]), [20, 30, 99]).edges.tolist()
        [[0, 1]]
        """
        if not isinstance(friendships, Friendships):
            raise NetworkError(
                f"The friendships are {shown(friendships)}; give Friendships.",
                Where("parameter", name="friendships"),
            )
        refuse_masked(users, "users")
        given = array_of(users)
        if given.ndim != 1 or not given.size or given.dtype.kind not in "iu":
            raise NetworkError(
                f"The users are {shown(users)}; give a list of whole numbers.",
                Where("parameter", name="users"),
            )
        listed = np.unique(given)
        return cls(len(listed), friendships.among(listed))

    @property
    def n(self) -> int:
        """Number of users."""
        return self._n

    @property
    def edges(self) -> Integers:
        """Friendships (u, v) with u < v, sorted, each once; shape (m, 2), read-only."""
        return self._edges

    @cached_property
    def degrees(self) -> Integers:
        """Number of friends of every user, shape (n,)."""
        found = np.bincount(self._edges.ravel(), minlength=self._n)
        found.setflags(write=False)
        return found

    @property
    def largest_degree(self) -> int:
        """Number of friends of the user who has most."""
        return int(self.degrees.max())

    def friends(self, user: int) -> Integers:
        """Return the friends of one user, ascending.

        Examples
        --------
        >>> FriendshipGraph.path(4).friends(1).tolist()
        [0, 2]
        """
        if not is_whole(user) or not 0 <= user < self._n:
            raise NetworkError(
                f"The user is {shown(user)}; users are 0 to {self._n - 1:,}.", Where("parameter", name="user")
            )
        first, second = self._edges.T
        return np.sort(np.concatenate([second[first == user], first[second == user]]))

    @cached_property
    def component_of(self) -> Integers:
        """Position in ``components`` of the component of every user, shape (n,)."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        first, second = self._edges.T
        links = coo_array((np.ones(len(first), dtype=np.int8), (first, second)), shape=(self._n, self._n))
        raw = connected_components(links, directed=False)[1]
        # By the smallest user of each, whatever the order of the search.
        smallest = np.unique(raw, return_index=True)[1]
        rank = np.empty(len(smallest), dtype=np.int64)
        rank[np.argsort(smallest)] = np.arange(len(smallest))
        found: Integers = rank[raw]
        found.setflags(write=False)
        return found

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """Users of every component, ascending, components by their smallest user."""
        order = np.argsort(self.component_of, kind="stable")
        ends = np.cumsum(self.component_sizes)[:-1]
        return tuple(tuple(part.tolist()) for part in np.split(order, ends))

    @cached_property
    def component_sizes(self) -> Integers:
        """Number of users of every component."""
        found = np.bincount(self.component_of)
        found.setflags(write=False)
        return found

    @property
    def largest_component(self) -> int:
        """Number of users of the largest component, the size of a block that a graph alone allows."""
        return int(self.component_sizes.max())

    @property
    def mutual(self) -> bool:
        """Whether every component is a set of mutual friends."""
        return bool((self.degrees == self.component_sizes[self.component_of] - 1).all())

    def sums_over_friends(self, values: Any) -> NDArray[np.float64]:
        """Return for every user the sum over friends of one number each, shape (n,).

        Examples
        --------
        >>> FriendshipGraph.path(3).sums_over_friends([1, 10, 100]).tolist()
        [10.0, 101.0, 10.0]
        """
        numbers = as_sizes(values, "values", NetworkError, -np.inf, LARGEST)
        if numbers.shape != (self._n,):
            raise NetworkError(
                f"values has the shape {numbers.shape}; give one number for each of {self._n:,} users.",
                Where("parameter", name="values"),
            )
        first, second = self._edges.T
        found = np.zeros(self._n)
        with np.errstate(over="ignore", invalid="ignore"):
            np.add.at(found, first, numbers[second])
            np.add.at(found, second, numbers[first])
        if not np.isfinite(found).all():
            raise NetworkError(
                "The sum over the friends of a user is not finite; give smaller values.",
                Where("parameter", name="values"),
            )
        return found

    def to_networkx(self) -> Any:
        """Return a ``networkx.Graph`` with the nodes 0 to n - 1.

        Examples
        --------
        >>> FriendshipGraph.path(3).to_networkx().number_of_edges()
        2
        """
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(range(self._n))
        graph.add_edges_from(self._edges.tolist())
        return graph

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FriendshipGraph):
            return NotImplemented
        return self._n == other._n and np.array_equal(self._edges, other._edges)

    def __hash__(self) -> int:
        return hash((self._n, self._edges.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._n, self._edges.tolist())

    def __repr__(self) -> str:
        return f"FriendshipGraph({self._n} users, {len(self._edges)} friendships)"


def _as_users(n: Any, most: int = _MOST_USERS) -> int:
    users = as_size(n, "n", 1, error=NetworkError, subject="The number of users")
    if users > most:
        text = f"The number of users is {shown(users)}; at most {most:,} are taken here."
        raise LimitError(text, Where("parameter", name="n"))
    return users


def check_graph(graph: Any) -> None:
    """Raise NetworkError unless it is a FriendshipGraph."""
    if not isinstance(graph, FriendshipGraph):
        raise NetworkError(
            f"The graph is a {type(graph).__name__}; give a FriendshipGraph.",
            Where("parameter", name="graph"),
        )


def _as_edges(edges: Any, n: int) -> Integers:
    where = Where("parameter", name="edges")
    refuse_masked(edges, "edges")
    try:
        listed = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges))
    except (TypeError, ValueError):
        raise NetworkError("The edges are no list of pairs of users.", where) from None
    if not listed.size:
        listed = np.empty((0, 2), dtype=np.int64)
    if listed.ndim != 2 or listed.shape[1] != 2 or listed.dtype.kind not in "iu":
        raise NetworkError(f"The edges are no list of pairs of users; users are 0 to {n - 1:,}.", where)
    wrong = ((listed < 0) | (listed >= n)).any(axis=1) | (listed[:, 0] == listed[:, 1])
    if wrong.any():
        u, v = listed[int(np.argmax(wrong))].tolist()
        raise NetworkError(
            f"An edge joins {u} and {v}; it must join two different users of 0 to {n - 1:,}.", where
        )
    found = np.unique(np.sort(listed.astype(np.int64), axis=1), axis=0)
    found.setflags(write=False)
    return found
