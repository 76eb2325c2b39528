"""A Bayesian network: what every tuple's label depends on, and how."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.converters import array_of, as_generator
from pdp_widgets.errors import ChainError, DomainError, NetworkError, TableError, Where
from pdp_widgets.models.chain_checks import ROW_TOLERANCE, as_law, as_laws
from pdp_widgets.models.labels import Domain, as_domain, as_names, short, shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.names import position_of
from pdp_widgets.models.networks.bif import read_bif, written_bif
from pdp_widgets.models.networks.chow_liu import learned_tree
from pdp_widgets.models.networks.network import Network, as_table
from pdp_widgets.models.table_checks import as_numbers

__all__ = ["BayesianNetwork"]

Floats = NDArray[np.float64]

#: Files print few digits.
_FILE_TOLERANCE = 1e-6


class BayesianNetwork(Network):
    """Tuples whose labels are drawn one after the other, each by a table over the labels of its parents.

    Parameters
    ----------
    edges
        Pairs parent, child of tuple names. The parents of a tuple are in the order in which they stand here.
    tables
        Conditional probabilities by tuple name, in the order of the tuples. The axes of a table are the
        tuple's parents in their order and **its own labels last**; every row sums to 1 within 1e-8 and is
        divided by its sum.
    domains
        Labels by tuple name; without it, or for tuples that are not in it, 0, 1, 2, ...

    Raises
    ------
    NetworkError
        Parents run in a circle, or an edge is given twice.
    DomainError
        An edge names no tuple, or a domain has two equal labels or none.
    TableError
        A table has a wrong shape or entry, or a row does not sum to 1.

    Examples
    --------
    >>> net = BayesianNetwork(
    ...     [("rain", "wet"), ("sprinkler", "wet")],
    ...     {
    ...         "rain": [0.8, 0.2],
    ...         "sprinkler": [0.9, 0.1],
    ...         "wet": [[[0.99, 0.01], [0.2, 0.8]], [[0.1, 0.9], [0.05, 0.95]]],
    ...     },
    ...     {"wet": ["dry", "wet"]},
    ... )
    >>> net.parents("wet"), net.posterior("rain", {"wet": "wet"}).table.round(4).tolist()
    (('rain', 'sprinkler'), [0.2823, 0.7177])
    """

    _parents: tuple[tuple[int, ...], ...]
    _tables: tuple[Floats, ...]
    _counts: tuple[Floats, ...] | None

    def __init__(
        self,
        edges: Iterable[tuple[str, str]],
        tables: Mapping[str, ArrayLike],
        domains: Mapping[str, Iterable[Any]] | None = None,
    ) -> None:
        self._begin()
        if not isinstance(tables, Mapping):
            raise TableError(
                f"The tables are {shown(tables)}; give one by the name of each tuple.",
                Where("parameter", name="tables"),
            )
        names = as_names(tables, len(tables))
        place = {name: j for j, name in enumerate(names)}
        parents: list[list[int]] = [[] for _ in names]
        for edge in edges:
            if isinstance(edge, str) or not isinstance(edge, Sequence) or len(edge) != 2:
                raise DomainError(
                    f"An edge is {shown(edge)}; it is a pair parent, child.", Where("parameter", name="edges")
                )
            parent, child = (
                place[end] if isinstance(end, str) and end in place else position_of(end, names, "tuple")
                for end in edge
            )
            if parent in parents[child]:
                raise NetworkError(
                    f"The edge from {short(names[parent])} to {short(names[child])} is given twice.",
                    Where("axis", axis=child),
                )
            parents[child].append(parent)
        given = dict(domains or {})
        unknown = next((name for name in given if name not in names), None)
        if unknown is not None:
            position_of(unknown, names, "tuple")
        arrays = [as_numbers(table, f"table of {short(name)}") for name, table in tables.items()]
        labels = tuple(
            as_domain(given.get(name, range(table.shape[-1])), j, name)
            for j, (name, table) in enumerate(zip(names, arrays, strict=True))
        )
        self._take(names, labels, [tuple(p) for p in parents], arrays)

    def _take(
        self,
        names: tuple[str, ...],
        domains: tuple[Domain, ...],
        parents: Sequence[tuple[int, ...]],
        tables: Sequence[Floats],
        tolerance: float = ROW_TOLERANCE,
        counts: Sequence[Floats] | None = None,
    ) -> None:
        """Check tables and parents, and keep them."""
        if not names:
            raise DomainError(
                "There is no tuple; give at least one table.", Where("parameter", name="tables")
            )
        self._set_axes(names, domains)
        kept = []
        for j, (above, given) in enumerate(zip(parents, tables, strict=True)):
            table = as_table(given, names[j], j)
            wanted = (*(len(domains[p]) for p in above), len(domains[j]))
            if table.shape != wanted:
                axes = ", ".join(short(names[p]) for p in (*above, j))
                raise TableError(
                    f"The table of {short(names[j])} has the shape {table.shape}; its axes are {axes} with "
                    f"{wanted} labels.",
                    Where("axis", axis=j),
                )
            sums = table.sum(axis=-1, keepdims=True)
            off = np.abs(sums - 1) > tolerance
            if off.any():
                index = tuple(int(p) for p in np.argwhere(off)[0][:-1])
                of = ", ".join(
                    f"{short(names[p])} = {short(domains[p][k])}" for p, k in zip(above, index, strict=True)
                )
                raise TableError(
                    f"The table of {short(names[j])}{' for ' if of else ''}{of} sums to "
                    f"{float(sums[(*index, 0)]):.12g}; a row sums to 1 within {tolerance:g}.",
                    Where("cell", index=index, axis=j),
                )
            # What is divided once stays as it is, so that copies and files give equal networks.
            exact = np.abs(sums - 1) <= len(domains[j]) * np.finfo(np.float64).eps
            row = np.where(exact, table, table / sums)
            row.setflags(write=False)
            kept.append(row)
        object.__setattr__(self, "_parents", tuple(parents))
        object.__setattr__(self, "_tables", tuple(kept))
        object.__setattr__(self, "_counts", None if counts is None else tuple(counts))
        self._refuse_circle()
        self._set_factors([((*above, j), kept[j]) for j, above in enumerate(parents)])

    @classmethod
    def _build(cls, *parts: Any, **more: Any) -> BayesianNetwork:
        made = cls.__new__(cls)
        made._take(*parts, **more)
        return made

    def _refuse_circle(self) -> None:
        missing = [len(above) for above in self._parents]
        below: list[list[int]] = [[] for _ in missing]
        for j, above in enumerate(self._parents):
            for p in above:
                below[p].append(j)
        drawn = [j for j, many in enumerate(missing) if not many]
        for j in drawn:
            for k in below[j]:
                missing[k] -= 1
                if not missing[k]:
                    drawn.append(k)
        waiting = sorted(set(range(len(missing))) - set(drawn))
        if waiting:
            listed = ", ".join(short(self._names[j]) for j in waiting[:6])
            raise NetworkError(
                f"The parents of {listed} run in a circle; a tuple is drawn after its parents.",
                Where("axis", axis=waiting[0]),
            )

    # Other sources

    @classmethod
    def chain(
        cls,
        transitions: ArrayLike | MarkovChain,
        steps: int,
        start: ArrayLike | None = None,
        states: Iterable[Any] | None = None,
        names: Iterable[str] | None = None,
    ) -> BayesianNetwork:
        """Return a Markov chain of first order as a network with one tuple for each step.

        Parameters
        ----------
        transitions
            A `MarkovChain`; one matrix for all steps, shape (n, n); or one for each step but the first, shape
            (steps - 1, n, n). Entry ``[i, j]`` is the probability of j after i.
        steps
            Number of tuples.
        start
            Law of the first; without it the stationary one, which is solved for. Matrices that differ have
            none.
        states
            Labels of every step; without it those of the chain, else 0, 1, 2, ...
        names
            Names of the tuples; without it step 1, step 2, ...

        Raises
        ------
        ChainError
            A matrix is no law, the chain is of second order, the stationary law is not unique, or the
            matrices do not fit the steps.

        Examples
        --------
        >>> net = BayesianNetwork.chain([[0.9, 0.1], [0.4, 0.6]], 3)
        >>> net.marginal("step 3").round(6).tolist()
        [0.8, 0.2]
        """
        many = as_size(steps, "steps", 1, 100_000, ChainError)
        if isinstance(transitions, MarkovChain):
            if transitions.order != 1:
                raise ChainError(
                    "The chain is of second order; take that of its pairs, chain.pairs.",
                    Where("parameter", name="transitions"),
                )
            start = transitions.start if start is None else start
            states = transitions.states if states is None else states
            transitions = transitions.transitions
        given: Any = transitions
        if array_of(given).ndim == 3:
            moves = [as_laws(one, "transitions", "transitions") for one in given]
            alike = all(np.array_equal(one, moves[0]) for one in moves)
            if len(moves) != many - 1:
                raise ChainError(
                    f"There are {len(moves)} matrices for {many} steps; give one for each but the first.",
                    Where("parameter", name="transitions"),
                )
            if start is None and not alike:
                raise ChainError(
                    "The matrices differ, so that no law is stationary; give the law of the first step.",
                    Where("parameter", name="start"),
                )
            size = len(moves[0]) if moves else np.shape(given)[-1]
        else:
            moves = [as_laws(given, "transitions", "transitions")] * (many - 1)
            size = len(as_laws(given, "transitions", "transitions"))
        if any(one.shape != (size, size) for one in moves):
            raise ChainError("All matrices have one shape, (n, n).", Where("parameter", name="transitions"))
        if start is None:
            first = MarkovChain(moves[0] if moves else given).stationary
        else:
            first = as_law(start, size, "start law", "start")
        named = as_names([f"step {t + 1}" for t in range(many)] if names is None else names, many)
        labels = as_domain(range(size) if states is None else states, 0, "the chain")
        if len(labels) != size:
            raise DomainError(
                f"There are {len(labels)} labels for {size} states.", Where("parameter", name="states")
            )
        above: list[tuple[int, ...]] = [(), *((t,) for t in range(many - 1))]
        return cls._build(named, (labels,) * many, above, [first, *moves])

    @classmethod
    def from_bif(cls, source: str | os.PathLike[str]) -> BayesianNetwork:
        """Return the network of a file in the Bayesian interchange format (BIF), or of its text.

        Parameters
        ----------
        source
            Path of a file; text that contains ``{`` is taken as what a file holds.

        Raises
        ------
        NetworkError
            The text is not of the format; the message has the line.
        TableError
            An entry is negative or not finite, or a row does not sum to 1 within 1e-6; the message has the
            line.
        LimitError
            The file has more than 50 MB, or a table more than 67,108,864 entries.

        Examples
        --------
        >>> text = "variable x { type discrete [2] { no, yes }; } probability (x) { table .9, .1; }"
        >>> BayesianNetwork.from_bif(text).table("x").tolist()
        [0.9, 0.1]
        """
        parts, lines = read_bif(source)
        try:
            return cls._build(*parts, tolerance=_FILE_TOLERANCE)
        except TableError as fault:
            where = fault.where
            if where is None or where.axis is None or where.index is None:
                raise
            line = lines[where.axis][where.index[: lines[where.axis].ndim]]
            raise TableError(f"Line {line}: {fault.plain}", where) from None

    def to_bif(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the network in the Bayesian interchange format, and write it to a file if there is a path.

        Numbers keep all their digits; labels are read back as text.
        """
        text = written_bif(self._names, self._domains, self._parents, self._tables)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    @classmethod
    def chow_liu(
        cls,
        frame: Any,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        *,
        alpha: float = 1.0,
        domains: Mapping[str, Iterable[Any]] | None = None,
    ) -> BayesianNetwork:
        """Return the tree that explains records best: neighbours share as much information as a tree allows.

        Parameters
        ----------
        frame
            One record a row: a data frame of any library, a lazy one, or a dict of lists.
        columns, weight, domains
            As for `JointDistribution.from_dataframe`.
        alpha
            Pseudo-records, in all, spread evenly over the labels of every pair; 0 or more. With 0, labels
            that are not seen together cannot occur together.

        Returns
        -------
        BayesianNetwork
            Tuples that share no information stay apart. The root of each component is its first tuple.

        Warns
        -----
        FewRecordsWarning
            ``alpha`` is 0 and labels of neighbours are not seen together.

        Notes
        -----
        Chow and Liu (1968). Pr(a, b) = (N_ab + alpha / (c_i c_j)) / (N + alpha). A learned model is no known
        law: `NetworkAnalysis.interval` says how far leakages may be off, and records that a model was learned
        from should not be released under it.

        Examples
        --------
        >>> net = BayesianNetwork.chow_liu({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1], "c": [0, 1, 0, 1]}, alpha=1)
        >>> net.edges()
        [('a', 'b')]
        """
        names, labels, parents, tables, counts = learned_tree(frame, columns, weight, alpha, domains)
        return cls._build(names, labels, parents, tables, counts=counts)

    @classmethod
    def from_networkx(cls, graph: Any, attribute: str = "cpt") -> BayesianNetwork:
        """Return the network of a ``networkx.DiGraph`` whose nodes have tables.

        Parameters
        ----------
        graph
            Nodes have the table in an attribute, axes as for the class with parents in the order in which
            ``graph.predecessors`` gives them, and may have ``labels``.
        attribute
            Name of the attribute with the table.
        """
        tables, domains = {}, {}
        for node, data in graph.nodes(data=True):
            if attribute not in data:
                raise TableError(
                    f"Node {shown(node)} has no attribute {attribute!r}; it has its table there.",
                    Where("parameter", name="attribute"),
                )
            tables[str(node)] = data[attribute]
            if "labels" in data:
                domains[str(node)] = data["labels"]
        edges = [(str(above), str(node)) for node in graph.nodes for above in graph.predecessors(node)]
        return cls(edges, tables, domains)

    @classmethod
    def from_pgmpy(cls, model: Any) -> BayesianNetwork:
        """Return the network of a discrete Bayesian network of pgmpy."""
        # The axes of its tables are the tuple and then the parents.
        edges, tables, domains = [], {}, {}
        for node in model.nodes():
            cpd = model.get_cpds(node)
            if cpd is None:
                raise TableError(f"{shown(node)} has no table; add its TabularCPD.", Where("table"))
            variables = [str(one) for one in cpd.variables]
            edges += [(above, variables[0]) for above in variables[1:]]
            tables[variables[0]] = np.moveaxis(np.asarray(cpd.values, dtype=np.float64), 0, -1)
            domains[variables[0]] = cpd.state_names[cpd.variables[0]]
        return cls(edges, tables, domains)

    @classmethod
    def from_pyagrum(cls, model: Any) -> BayesianNetwork:
        """Return the network of a ``BayesNet`` of pyAgrum."""
        # The axes of its arrays are in the reverse order of the names, which begin with the tuple itself.
        edges, tables, domains = [], {}, {}
        for node in model.nodes():
            variable, cpt = model.variable(node), model.cpt(node)
            above = list(cpt.names)[1:]
            array = np.asarray(cpt.toarray(), dtype=np.float64)
            edges += [(one, variable.name()) for one in above]
            tables[variable.name()] = array.transpose([*reversed(range(len(above))), len(above)])
            domains[variable.name()] = list(variable.labels())
        return cls(edges, tables, domains)

    # What it holds

    def parents(self, tuple_: str | int) -> tuple[str, ...]:
        """Return the names of the parents of a tuple, in the order of the axes of its table."""
        return tuple(self._names[p] for p in self._parents[self.axis(tuple_)])

    def table(self, tuple_: str | int) -> Floats:
        """Return the table of a tuple, read-only: axes are its parents, and its own labels last."""
        return self._tables[self.axis(tuple_)]

    def edges(self) -> list[tuple[str, str]]:
        """Return all pairs parent, child."""
        return [(self._names[p], self._names[j]) for j, above in enumerate(self._parents) for p in above]

    @property
    def parent_positions(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the parents of every tuple."""
        return self._parents

    @property
    def tables(self) -> tuple[Floats, ...]:
        """Tables of all tuples, see `table`."""
        return self._tables

    @property
    def counts(self) -> tuple[Floats, ...] | None:
        """Records and pseudo-records behind the tables, in their shapes; None where it was not learned."""
        return self._counts

    def drawn(self, rng: np.random.Generator | int | None = None) -> BayesianNetwork:
        """Return the same tree with tables drawn from what the records make plausible (Dirichlet).

        Raises
        ------
        TableError
            The network was not learned from records.
        """
        if self._counts is None:
            raise TableError(
                "The network was not learned from records, so there is nothing to say how uncertain it is; "
                "make it with BayesianNetwork.chow_liu.",
                Where("table"),
            )
        generator = as_generator(rng)
        tables = []
        for table, counts in zip(self._tables, self._counts, strict=True):
            weights = generator.standard_gamma(counts)
            sums = weights.sum(axis=-1, keepdims=True)
            tables.append(np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), table))
        return self._build(self._names, self._domains, self._parents, tables)

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph``: nodes have ``labels`` and, as ``cpt``, the table.

        Examples
        --------
        >>> net = BayesianNetwork.chain([[0.9, 0.1], [0.4, 0.6]], 3)
        >>> BayesianNetwork.from_networkx(net.to_networkx()) == net
        True
        """
        import networkx as nx

        made = nx.DiGraph()
        for name, domain, table in zip(self._names, self._domains, self._tables, strict=True):
            made.add_node(name, labels=domain, cpt=table)
        made.add_edges_from(self.edges())
        return made

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        if same is not True or not isinstance(other, BayesianNetwork):
            return same
        return self._parents == other._parents

    __hash__ = Network.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._names, self._domains, self._parents, self._tables, self._counts)


def _again(names: Any, domains: Any, parents: Any, tables: Any, counts: Any) -> BayesianNetwork:
    return BayesianNetwork._build(names, domains, parents, tables, counts=counts)
