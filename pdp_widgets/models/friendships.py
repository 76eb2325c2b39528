"""Friendships: an undirected graph of users, from a file as published by SNAP or from pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_whole_numbers, refuse_masked
from pdp_widgets.errors import NetworkError, Where
from pdp_widgets.models.check_in_rows import USERS, check_users, warn_if_many_dropped, why_no_friendship
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import how_many, short, shown
from pdp_widgets.models.text_files import text_lines, write_lines

__all__ = ["Friendships", "parse_friendships", "read_friendships"]

Integers = NDArray[np.int64]

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_MARKS = str.maketrans(",;|", "   ")


class Friendships(Immutable):
    """An undirected graph of users: every friendship once, the smaller user first, in ascending order.

    The object is immutable.

    Parameters
    ----------
    edges
        Pairs of users, whole numbers. Directions, repetitions and friendships with oneself do not count.

    Raises
    ------
    NetworkError
        A pair is none.

    Examples
    --------
    >>> friends = Friendships([(1, 0), (0, 1), (2, 1), (2, 2)])
    >>> friends, friends.edges.tolist()
    (Friendships(2 friendships, 3 users), [[0, 1], [1, 2]])
    >>> sorted(friends.to_networkx().neighbors(1))
    [0, 2]
    """

    __slots__ = ("_dropped", "_edges")

    _edges: Integers
    _dropped: int

    def __init__(self, edges: Any) -> None:
        self._begin()
        self._keep(_pairs(edges), 0)

    def _keep(self, pairs: Integers, dropped: int) -> None:
        found = np.sort(pairs, axis=1)
        found = found[found[:, 0] != found[:, 1]]
        edges = np.unique(found, axis=0) if len(found) else found
        edges.flags.writeable = False
        object.__setattr__(self, "_edges", edges)
        object.__setattr__(self, "_dropped", dropped)

    @classmethod
    def _of(cls, edges: Integers, dropped: int) -> Friendships:
        made = cls.__new__(cls)
        made._keep(edges, dropped)
        return made

    @classmethod
    def from_networkx(cls, graph: Any) -> Friendships:
        """Return the friendships of a networkx graph whose nodes are whole numbers.

        Examples
        --------
        >>> import networkx as nx
        >>> Friendships.from_networkx(nx.path_graph(3)).edges.tolist()
        [[0, 1], [1, 2]]
        """
        if not hasattr(graph, "edges"):
            raise NetworkError(
                f"The graph is {shown(graph)}; give a graph of networkx.", Where("parameter", name="graph")
            )
        return cls([tuple(edge)[:2] for edge in graph.edges()])

    @property
    def edges(self) -> Integers:
        """Friendships, shape (m, 2), the smaller user first, ascending (read-only)."""
        return self._edges

    @property
    def dropped(self) -> int:
        """Number of lines that hold no pair of users."""
        return self._dropped

    @property
    def users(self) -> Integers:
        """Users with friends, ascending."""
        return np.unique(self._edges)

    def of(self, user: int) -> Integers:
        """Return the friends of a user, ascending.

        Examples
        --------
        >>> Friendships([(0, 1), (1, 2)]).of(1).tolist()
        [0, 2]
        """
        if not is_whole(user):
            raise NetworkError(
                f"The user is {shown(user)}; give a whole number.", Where("parameter", name="user")
            )
        first, second = self._edges.T
        return np.sort(np.concatenate([second[first == user], first[second == user]]))

    def among(self, users: Any) -> Integers:
        """Return the friendships among some users as pairs of positions, shape (m, 2).

        Parameters
        ----------
        users
            Users in ascending order.

        Examples
        --------
        >>> Friendships([(10, 20), (20, 30)]).among([20, 30]).tolist()
        [[0, 1]]
        """
        listed = as_whole_numbers(users, "users", NetworkError)
        both = np.isin(self._edges, listed).all(axis=1)
        found: Integers = np.searchsorted(listed, self._edges[both]).astype(np.int64)
        return found

    def to_networkx(self) -> Any:
        """Return a networkx graph; users without friends are not in it."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_edges_from(self._edges.tolist())
        return graph

    def write(self, path: str | PathLike[str]) -> Path:
        r"""Write the friendships as published by SNAP: every one in both directions, separated by tabs.

        A file whose name ends in ``.gz`` is packed.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "edges.txt")
        >>> Friendships([(0, 7)]).write(file).read_text()
        '0\t7\n7\t0\n'
        """
        both = np.concatenate([self._edges, self._edges[:, ::-1]])
        ordered = both[np.lexsort(both.T[::-1])]
        return write_lines(path, (f"{u}\t{v}" for u, v in ordered.tolist()))

    def __len__(self) -> int:
        return len(self._edges)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((u, v) for u, v in self._edges.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Friendships):
            return NotImplemented
        return self._dropped == other._dropped and np.array_equal(self._edges, other._edges)

    def __hash__(self) -> int:
        return hash((self._dropped, self._edges.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Friendships._of, (self._edges, self._dropped)

    def __repr__(self) -> str:
        m, n = len(self), len(self.users)
        return f"Friendships({how_many(m, 'friendship')}, {how_many(n, 'user')})"


def _pairs(edges: Any) -> Integers:
    where = Where("parameter", name="edges")
    if isinstance(edges, str | bytes) or not isinstance(edges, Iterable):
        raise NetworkError(f"The friendships are {shown(edges)}; give pairs of users.", where)
    refuse_masked(edges, "edges")
    try:
        found = edges if isinstance(edges, np.ndarray) else np.array(list(edges))
    except (ValueError, OverflowError):
        raise NetworkError("The friendships are no pairs of users, all of length 2.", where) from None
    if not found.size:
        return np.empty((0, 2), dtype=np.int64)
    if found.ndim != 2 or found.shape[1] != 2:
        raise NetworkError(
            f"The friendships have shape {found.shape}; a friendship is a pair of users.", where
        )
    if found.dtype.kind not in "iu":
        raise NetworkError(f"A user is {short(found.ravel()[0])}; {USERS}.", where)
    check_users(found, "edges")
    return found.astype(np.int64)


def read_friendships(path: str | PathLike[str]) -> Friendships:
    r"""Read friendships from a file as published by SNAP, such as ``loc-gowalla_edges.txt.gz``.

    Parameters
    ----------
    path
        A text file, or one packed by gzip, bzip2, zip or Zstandard: two users in each line, separated by
        tabs, blanks, commas, semicolons or bars. Lines that begin with ``#`` and empty lines are ignored.

    Returns
    -------
    Friendships
        ``.dropped`` says how many lines hold something else.

    Raises
    ------
    NetworkError
        It is no path of a file, every line holds something else, or a packed file cannot be unpacked.

    Warns
    -----
    NetworkWarning
        More than a tenth of the lines holds something else, five or more.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "edges.txt")
    >>> _ = file.write_text("# users\n0\t1\n1\t0\n2 1\nx y\n")
    >>> friends = read_friendships(file)
    >>> friends, friends.dropped
    (Friendships(2 friendships, 3 users), 1)
    """
    # Users are numbers: a line with other letters is none of theirs, whatever the encoding.
    return parse_friendships(text_lines(path, any_letters=True)[0])


def parse_friendships(lines: Iterable[str]) -> Friendships:
    """Return the friendships of lines; see `read_friendships`."""
    pairs: list[int] = []
    dropped, first = 0, ""
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        fields = line.translate(_MARKS).split()
        if len(fields) != 2 or not all(map(_WHOLE.fullmatch, fields)):
            first = first or line.strip("\r\n")
            dropped += 1
            continue
        pairs += map(int, fields)
    why = why_no_friendship(first) if dropped else ""
    if dropped and not pairs:
        raise NetworkError(
            f"There is no friendship; a line is two users, with a tab or blanks between. {dropped:,} lines "
            f"have something else. Of the first: {why}",
            Where("parameter", name="path"),
        )
    warn_if_many_dropped(dropped, len(pairs) // 2, "friendship", why)
    return Friendships._of(np.array(pairs, dtype=np.int64).reshape(-1, 2), dropped)
