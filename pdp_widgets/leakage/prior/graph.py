"""The weighted hierarchical graph: every adversary as a node, every forgotten tuple as an edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import LIMIT, NOT_NEGATIVE, as_size
from pdp_widgets.core.chart import nats
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import LARGEST, as_flag, as_flags, as_floats, as_sizes
from pdp_widgets.core.results import Figures, plotted
from pdp_widgets.errors import AdversaryError, DomainError, LimitError, TableError, Where
from pdp_widgets.leakage.adversary import Adversary, column, known_of, listed_tuples, others
from pdp_widgets.leakage.adversary_figures import AdversaryFigures, graph_figure, layers_chart
from pdp_widgets.leakage.graph_measure import GraphMeasure, graph_measure
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import as_names, short

__all__ = ["Counts", "Node", "WeightedHierarchicalGraph", "counts"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Counts:
    """Size of a weighted hierarchical graph."""

    nodes: int
    edges: int
    layer_sizes: tuple[int, ...]


def counts(n: int) -> Counts:
    """Return how many nodes and edges the graph of n tuples has, and the nodes of layers 1 to n."""
    n = as_size(n, "n", 1, error=DomainError, subject="The number of tuples")
    nodes = n << (n - 1)
    edges = 0 if n == 1 else n * (n - 1) << (n - 2)
    return Counts(nodes, edges, tuple(n * comb(n - 1, layer) for layer in range(n)))


#: Tuples of a whole graph of Python objects.
_WHOLE_GRAPH = 10


def _add_edges(made: Any, graph: WeightedHierarchicalGraph, target: int) -> None:
    n, names, increments = graph.n_tuples, graph.names, graph.increments
    for c in range(1 << (n - 1)):
        known = known_of(n, target, c)
        for p, j in enumerate(others(n, target)):
            if c >> p & 1:
                weaker = c ^ (1 << p)
                edge: dict[str, Any] = {"removed": j, "removed_name": names[j]}
                if increments is not None:
                    value = float(increments[target, weaker, j])
                    edge["increment"] = None if np.isnan(value) else value
                made.add_edge((target, known), (target, known_of(n, target, weaker)), **edge)


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


class WeightedHierarchicalGraph(Immutable, AdversaryFigures):
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
    source
        Paper and equations of the numbers; empty where they were given.
    measure
        What the numbers are, a name or a `GraphMeasure`: leakages, unless `PriorAnalysis.graph` was asked for
        another measure. Then they, the promise and the group bound are probabilities.

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

    __slots__ = (
        "_determined",
        "_exact",
        "_group_bound",
        "_increments",
        "_measure",
        "_names",
        "_paper",
        "_promise",
        "_source",
    )

    _names: tuple[str, ...]
    _exact: Floats
    _promise: float
    _determined: NDArray[np.bool_]
    _paper: Floats | None
    _increments: Floats | None
    _group_bound: float | None
    _source: str
    _measure: GraphMeasure

    def __init__(
        self,
        names: Iterable[str],
        exact: ArrayLike,
        promise: float,
        determined: ArrayLike | None = None,
        paper: ArrayLike | None = None,
        increments: ArrayLike | None = None,
        group_bound: float | None = None,
        source: str = "",
        measure: str | GraphMeasure = "leakage",
    ) -> None:
        self._begin()
        listed = [names] if isinstance(names, str) else list(names)
        n = len(listed)
        if n == 0:
            raise DomainError("A graph needs at least one tuple.", Where("parameter", name="names"))
        shape = (n, 1 << (n - 1))
        nodes = _node_array(exact, shape, "exact")
        flags = np.zeros(shape, dtype=bool) if determined is None else as_flags(determined, "determined")
        if flags.shape != shape:
            raise TableError(
                f"determined has shape {flags.shape}; it must be {shape}.",
                Where("parameter", name="determined"),
            )
        flags.flags.writeable = False
        edges = None
        if increments is not None:
            edges = as_floats(increments, "increments", TableError)
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
            ("_promise", NOT_NEGATIVE.take(promise, "promise", TableError)),
            ("_determined", flags),
            ("_paper", None if paper is None else _node_array(paper, shape, "paper")),
            ("_increments", edges),
            (
                "_group_bound",
                None if group_bound is None else LIMIT.take(group_bound, "group_bound", TableError),
            ),
            ("_source", source),
            (
                "_measure",
                measure if isinstance(measure, GraphMeasure) else graph_measure(measure, None, promise),
            ),
        ):
            object.__setattr__(self, slot, value)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tuples."""
        return self._names

    @property
    def source(self) -> str:
        """Paper and equations of the numbers; empty where they were given."""
        return self._source

    @property
    def measure(self) -> GraphMeasure:
        """What the numbers measure, and the promise and the bound with them: leakage in nats, as a rule."""
        return self._measure

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
        known = listed_tuples(known)
        return Adversary(self._position(target), tuple(self._position(k) for k in known))

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
        """The adversary who learns most; among equals the first target and the adversary who knows least."""
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
        import networkx as nx

        n, names = self.n_tuples, self.names
        if target is None and n > _WHOLE_GRAPH:
            size = counts(n)
            raise LimitError(
                f"The graph of {n} tuples has {size.nodes:,} nodes and {size.edges:,} edges; as networkx "
                f"objects they would take about {size.edges * 0.6e-3:,.0f} MB. "
                "Ask for one target, to_networkx(target).",
                Where("parameter", name="target"),
            )
        made = nx.DiGraph(names=names, promise=self.promise, group_bound=self.group_bound, source=self.source)
        if not self.measure.is_leakage:
            made.graph["measure"] = self.measure
        for i in range(n) if target is None else [self._position(target)]:
            for node in self.lattice(i):
                attributes: dict[str, Any] = {
                    "target_name": names[i],
                    "known_names": tuple(names[k] for k in node.known),
                    "layer": node.layer,
                    "exact": node.exact,
                    "determined": node.determined,
                }
                if node.paper is not None:
                    attributes["paper"] = node.paper
                made.add_node((i, node.known), **attributes)
            _add_edges(made, self, i)
        return made

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
        for key in ("names", "promise"):
            if key not in graph.graph:
                raise DomainError(
                    f"The graph has no attribute {key!r}; it must carry names and promise.",
                    Where("parameter", name=key),
                )
        where = Where("parameter", name="graph")
        names = tuple(graph.graph["names"])
        n = len(names)
        if not 1 <= n <= _WHOLE_GRAPH:
            raise LimitError(f"The graph is of {n} tuples; from 1 to {_WHOLE_GRAPH} are read.", where)
        exact = np.empty((n, 1 << (n - 1)))
        determined = np.zeros(exact.shape, dtype=bool)
        paper = np.empty(exact.shape)
        increments = np.full((*exact.shape, n), np.nan)
        with_paper = any("paper" in data for _, data in graph.nodes(data=True))
        with_edges = any("increment" in data for _, _, data in graph.edges(data=True))
        for i in range(n):
            for c in range(exact.shape[1]):
                known = known_of(n, i, c)
                knowing = ", ".join(short(names[k]) for k in known) or "none"
                text = f"attacking {short(names[i])}, knowing {knowing}"
                if (i, known) not in graph.nodes:
                    raise TableError(f"The node {text} is missing.", where)
                data = graph.nodes[(i, known)]
                for key in ("exact", "paper") if with_paper else ("exact",):
                    if key not in data:
                        raise TableError(f"The node {text} has no value {key!r}.", where)
                exact[i, c] = data["exact"]
                determined[i, c] = data.get("determined", False)
                if with_paper:
                    paper[i, c] = data["paper"]
                for j in known:
                    weaker = (i, tuple(k for k in known if k != j))
                    if not graph.has_edge((i, known), weaker):
                        raise TableError(
                            f"The edge from the node {text} that forgets {short(names[j])} is missing.", where
                        )
                    value = graph.edges[(i, known), weaker].get("increment")
                    if value is not None:
                        increments[i, column(n, i, weaker[1]), j] = value
        return cls(
            names,
            exact,
            graph.graph["promise"],
            determined,
            paper if with_paper else None,
            increments if with_edges else None,
            graph.graph.get("group_bound"),
            graph.graph.get("source", ""),
            graph.graph.get("measure", "leakage"),
        )

    Floats = NDArray[np.float64]

    def plot(self) -> Any:
        """Return a bqplot figure of every adversary by layer, with the paper's estimate if it has one."""
        axis = "leakage, nats" if self._measure.is_leakage else str(self._measure)
        return plotted(layers_chart(self._exact, self._promise, self._measure.line, self._paper, axis))

    def _figures(
        self,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
        show_paper: bool = False,
    ) -> Figures:
        paper = as_flag(show_paper, "show_paper")
        return {"graph": lambda: graph_figure(self, target, known, show_paper=paper, threshold=threshold)}

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
        made = node_dataframe(self._names, columns, self._source, status)
        made.attrs["unit"] = self._measure.unit
        return made

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
            self._source,
            self._measure,
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
        about = "" if self._measure.is_leakage else f"{self._measure}, "
        largest = nats(top.exact) if self._measure.is_leakage else f"{top.exact:.6g}"
        return (
            f"WeightedHierarchicalGraph({listed}: {about}promise={self._promise:.6g}, "
            f"largest={largest} attacking {short(self._names[top.target])} knowing {known})"
        )


def _node_array(values: ArrayLike, shape: tuple[int, int], name: str) -> Floats:
    """Return a read-only node array of leakages, or raise TableError."""
    array = as_sizes(values, name, TableError, most=LARGEST)
    if array.shape != shape:
        raise TableError(
            f"{name} has shape {array.shape}; it must be {shape}.", Where("parameter", name=name)
        )
    array.flags.writeable = False
    return array
