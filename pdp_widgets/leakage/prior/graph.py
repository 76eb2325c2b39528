"""The weighted hierarchical graph: every adversary as a node, every forgotten tuple as an edge."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import AdversaryError, DomainError, TableError, Where
from pdp_widgets.leakage.adversary import Adversary, column, known_of
from pdp_widgets.leakage.adversary_tables import AdversaryTable
from pdp_widgets.leakage.prior.graph_checks import as_amount, as_group_bound, as_node_array
from pdp_widgets.models.given_numbers import is_whole, refuse_masked
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import as_names, short

__all__ = ["Node", "WeightedHierarchicalGraph"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Node:
    """One adversary of the graph, with its leakage in nats.

    Parameters
    ----------
    target
        Position of the attacked tuple.
    known
        Positions of the known tuples, ascending.
    exact
        Exact leakage.
    paper
        The paper's chain-rule estimate, or None when it was not computed.
    determined
        The known values leave one possible label.
    layer
        Number of tuples not known, the attacked one included.
    """

    target: int
    known: tuple[int, ...]
    exact: float
    paper: float | None
    determined: bool
    layer: int


class WeightedHierarchicalGraph(Immutable, AdversaryTable):
    """Leakage of all n 2**(n-1) adversaries, and the paper's increments on the n (n-1) 2**(n-2) edges.

    The object is immutable. Arrays are node arrays: row = attacked tuple, column = bitmask of the known
    tuples among the others in increasing order.

    Parameters
    ----------
    names
        Names of the n tuples.
    exact
        Exact leakage in nats, shape (n, 2**(n-1)).
    promise
        What differential privacy promises for one tuple, in nats.
    determined
        Same shape: the target has one possible label. Without it none is.
    paper
        Same shape: the paper's chain-rule estimate.
    increments
        Shape (n, 2**(n-1), n): ``[i, c, j]`` belongs to the edge that ends at node (i, c) when tuple j is
        forgotten; NaN where there is no edge or the increment is undefined.
    group_bound
        Bound that holds for every adversary, without the table, in nats; inf where none does, as for
        Gaussian data.

    Raises
    ------
    TableError
        An array has another shape or a value that is negative or not finite.

    Notes
    -----
    Li, Ren, Yang and Yang, Section V-A.

    Examples
    --------
    >>> graph = WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0)
    >>> graph.largest
    Node(target=0, known=(), exact=1.5, paper=None, determined=False, layer=2)
    >>> graph.node("b", ["a"]).exact
    1.0
    """

    __slots__ = ("_determined", "_exact", "_group_bound", "_increments", "_names", "_paper", "_promise")

    _names: tuple[str, ...]
    _exact: Floats
    _promise: float
    _determined: NDArray[np.bool_]
    _paper: Floats | None
    _increments: Floats | None
    _group_bound: float | None

    def __init__(
        self,
        names: Iterable[str],
        exact: ArrayLike,
        promise: float,
        determined: ArrayLike | None = None,
        paper: ArrayLike | None = None,
        increments: ArrayLike | None = None,
        group_bound: float | None = None,
    ) -> None:
        self._begin()
        listed = [names] if isinstance(names, str) else list(names)
        n = len(listed)
        if n == 0:
            raise DomainError("A graph needs at least one tuple.", Where("parameter", name="names"))
        shape = (n, 1 << (n - 1))
        nodes = as_node_array(exact, shape, "exact")
        refuse_masked(determined, "determined")
        flags = np.zeros(shape, dtype=bool) if determined is None else np.array(determined, dtype=bool)
        if flags.shape != shape:
            raise TableError(
                f"determined has shape {flags.shape}; it must be {shape}.",
                Where("parameter", name="determined"),
            )
        flags.flags.writeable = False
        edges = None
        if increments is not None:
            edges = np.array(increments, dtype=np.float64)
            if edges.shape != (*shape, n):
                raise TableError(
                    f"increments has shape {edges.shape}; it must be {(*shape, n)}.",
                    Where("parameter", name="increments"),
                )
            if np.isinf(edges).any():
                raise TableError(
                    "An increment is infinite; it is a number or NaN.", Where("parameter", name="increments")
                )
            edges.flags.writeable = False
        for slot, value in (
            ("_names", as_names(listed, n)),
            ("_exact", nodes),
            ("_promise", as_amount(promise, "promise")),
            ("_determined", flags),
            ("_paper", None if paper is None else as_node_array(paper, shape, "paper")),
            ("_increments", edges),
            ("_group_bound", None if group_bound is None else as_group_bound(group_bound)),
        ):
            object.__setattr__(self, slot, value)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tuples."""
        return self._names

    @property
    def n_tuples(self) -> int:
        """Number of tuples n."""
        return len(self._names)

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple, in nats."""
        return self._promise

    @property
    def exact(self) -> Floats:
        """Exact leakage in nats, node array, read-only."""
        return self._exact

    @property
    def determined(self) -> NDArray[np.bool_]:
        """Whether the target has one possible label, node array, read-only."""
        return self._determined

    @property
    def paper(self) -> Floats | None:
        """The paper's chain-rule estimate, node array, read-only; None when it was not computed."""
        return self._paper

    @property
    def increments(self) -> Floats | None:
        """Increments of the edges, shape (n, 2**(n-1), n), read-only; None when they were not computed."""
        return self._increments

    @property
    def group_bound(self) -> float | None:
        """Bound that holds for every adversary, in nats."""
        return self._group_bound

    def _position(self, tuple_: str | int) -> int:
        if isinstance(tuple_, str) and tuple_ in self._names:
            return self._names.index(tuple_)
        if is_whole(tuple_) and 0 <= tuple_ < self.n_tuples:
            return int(tuple_)
        raise AdversaryError(
            f"There is no tuple {short(tuple_)}; give a name or a position from 0 to {self.n_tuples - 1}.",
            Where("parameter", name="target"),
        )

    def adversary(self, target: str | int, known: Iterable[str | int] = ()) -> Adversary:
        """Return the adversary whose tuples are given by name or position.

        Raises
        ------
        AdversaryError
            A tuple does not exist, is known twice, or is both attacked and known.
        """
        listed = [known] if isinstance(known, str | int) else known
        return Adversary(self._position(target), tuple(self._position(k) for k in listed))

    def _node(self, target: int, c: int) -> Node:
        n = self.n_tuples
        return Node(
            target=target,
            known=known_of(n, target, c),
            exact=float(self._exact[target, c]),
            paper=None if self._paper is None else float(self._paper[target, c]),
            determined=bool(self._determined[target, c]),
            layer=n - c.bit_count(),
        )

    def node(self, target: str | int, known: Iterable[str | int] = ()) -> Node:
        """Return one adversary with its leakage."""
        adversary = self.adversary(target, known)
        return self._node(adversary.target, column(self.n_tuples, adversary.target, adversary.known))

    def nodes(self) -> Iterator[Node]:
        """Iterate over all adversaries, by target, then by column."""
        for target in range(self.n_tuples):
            yield from self.lattice(target)

    def lattice(self, target: str | int) -> Iterator[Node]:
        """Iterate over the adversaries who attack one tuple, by column."""
        i = self._position(target)
        for c in range(self._exact.shape[1]):
            yield self._node(i, c)

    @property
    def largest(self) -> Node:
        """The adversary who learns most; among equals the first target and the one who knows least."""
        tops = self._exact.max(axis=1)
        top = float(tops.max())
        least = top - 1e-12 * max(1.0, top)
        target = int(np.argmax(tops >= least))
        near = np.flatnonzero(self._exact[target] >= least)
        return self._node(target, int(near[np.argmin(np.bitwise_count(near))]))

    def to_networkx(self, target: str | int | None = None) -> Any:
        """Return a ``networkx.DiGraph``: the whole graph, or the lattice of one target.

        Nodes are ``(target, known)`` with positions, and carry ``target_name``, ``known_names``, ``layer``,
        ``exact``, ``determined`` and, where computed, ``paper``. Edges lead from the stronger to the weaker
        adversary and carry ``removed``, ``removed_name`` and ``increment`` (None where undefined). The graph
        carries ``names``, ``promise`` and ``group_bound``.

        Raises
        ------
        LimitError
            The whole graph of more than 10 tuples.
        """
        from pdp_widgets.leakage.prior.graph_networkx import to_networkx

        return to_networkx(self, None if target is None else self._position(target))

    @classmethod
    def from_networkx(cls, graph: Any) -> WeightedHierarchicalGraph:
        """Return the graph behind a whole networkx graph as `to_networkx` makes it.

        Raises
        ------
        DomainError
            ``names`` or ``promise`` is missing.
        TableError
            A node, one of its values or an edge is missing.
        """
        from pdp_widgets.leakage.prior.graph_networkx import from_networkx

        return from_networkx(graph)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        show_paper: bool = False,
        threshold: float | None = None,
        width: str | float = "column",
        theme: str = "print",
        dpi: float = 300,
    ) -> Path:
        """Write a figure for a paper, SVG, PDF or PNG; see `pdp_widgets.publish.save.save`.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        target, known
            The chosen adversary; without a target the one who learns most.
        show_paper, threshold
            Show the paper's estimate, where the graph has it, and a line in nats to compare with.
        width, theme, dpi
            As for `pdp_widgets.publish.save.save`.

        Returns
        -------
        Path
            The file.
        """
        from pdp_widgets.publish.save import save

        return save(
            self,
            path,
            target=target,
            known=known,
            show_paper=show_paper,
            threshold=threshold,
            width=width,
            theme=theme,
            dpi=dpi,
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one adversary a row, in nats.

        Columns: ``target``, ``known`` (names joined by a comma), ``layer``, ``exact``, ``determined`` and,
        where the graph has it, ``paper``.

        Examples
        --------
        >>> graph = WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0)
        >>> graph.to_dataframe()["exact"].tolist()
        [1.5, 1.0, 1.2, 1.0]
        """
        from pdp_widgets.leakage.result_frames import node_dataframe

        columns: dict[str, Any] = {"exact": self._exact, "determined": self._determined}
        status = {"exact": "exact"}
        if self._paper is not None:
            columns["paper"], status["paper"] = self._paper, "as printed"
        return node_dataframe(self._names, columns, status=status)

    def _graph_latex(self) -> tuple[Any, dict[str, Any]]:
        return self, {}

    def _parts(self) -> tuple[Any, ...]:
        return (
            self._names,
            self._exact,
            self._promise,
            self._determined,
            self._paper,
            self._increments,
            self._group_bound,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightedHierarchicalGraph):
            return NotImplemented
        return all(
            bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
            if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
            else type(a) is type(b) and a == b
            for a, b in zip(self._parts(), other._parts(), strict=True)
        )

    def __hash__(self) -> int:
        return hash((self._names, self._promise, self._exact.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return WeightedHierarchicalGraph, self._parts()

    def __repr__(self) -> str:
        top = self.largest
        known = ", ".join(short(self._names[k]) for k in top.known) or "none"
        listed = ", ".join(short(name) for name in self._names)
        return (
            f"WeightedHierarchicalGraph({listed}: promise={self._promise:.6g}, "
            f"largest={top.exact:.6g} nats attacking {short(self._names[top.target])} knowing {known})"
        )
