"""A Markov network: tables over some tuples each, whose product is the joint distribution up to a factor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.labels import as_domain, as_names, short, shown
from pdp_widgets.models.names import positions_of
from pdp_widgets.models.networks.network import Network, as_table

__all__ = ["MarkovNetwork"]


class MarkovNetwork(Network):
    """Tuples whose joint distribution is proportional to a product of tables (factors).

    Parameters
    ----------
    factors
        Pairs of a scope, names of tuples, and a table with one axis for each, in this order; entries are 0 or
        more. Several may have one scope, and nothing has to sum to 1.
    domains
        Labels by tuple name; the tuples are in this order. Without it they are in the order in which scopes
        name them, with labels 0, 1, 2, ...

    Raises
    ------
    DomainError
        A tuple is unknown or twice in a scope, or a domain has two equal labels.
    TableError
        A table has a wrong shape or entry, or no row has positive weight.

    Examples
    --------
    >>> net = MarkovNetwork([(["a", "b"], [[3, 1], [1, 3]]), (["b", "c"], [[2, 1], [1, 2]]), ("a", [1, 2])])
    >>> net
    MarkovNetwork(3 tuples with labels (a: 2, b: 2, c: 2), tree of 2 pairs of neighbours)
    >>> net.posterior("a", {"c": 0}).table.round(4).tolist()
    [0.4118, 0.5882]
    """

    def __init__(
        self,
        factors: Iterable[tuple[Iterable[str] | str, ArrayLike]],
        domains: Mapping[str, Iterable[Any]] | None = None,
    ) -> None:
        self._begin()
        scopes: list[list[Any]] = []
        tables = []
        for number, given in enumerate(factors):
            if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
                raise TableError(
                    f"Factor {number} is {shown(given)}; give a scope and a table.",
                    Where("parameter", name="factors"),
                )
            one = isinstance(given[0], str) or not isinstance(given[0], Iterable)
            scopes.append([given[0]] if one else list(given[0]))
            tables.append(as_table(given[1], f"factor {number}", number))
        named = dict.fromkeys(name for scope in scopes for name in scope)
        names = as_names(named if domains is None else domains, len(named if domains is None else domains))
        if not names:
            raise DomainError(
                "There is no tuple; give at least one factor.", Where("parameter", name="factors")
            )
        places = [positions_of(scope, names, "tuple") for scope in scopes]
        sizes: dict[int, int] = {}
        if domains is not None:
            labels = [as_domain(domains[name], j, name) for j, name in enumerate(names)]
            sizes = {j: len(domain) for j, domain in enumerate(labels)}
        for number, (scope, table) in enumerate(zip(places, tables, strict=True)):
            wanted = tuple(sizes.setdefault(j, size) for j, size in zip(scope, table.shape, strict=False))
            if table.shape != wanted or len(scope) != table.ndim:
                raise TableError(
                    f"Factor {number} of {', '.join(short(names[j]) for j in scope)} has the shape "
                    f"{table.shape}; their labels ask for {tuple(sizes.get(j, '?') for j in scope)}.",
                    Where("table", index=(number,)),
                )
        if domains is None:
            labels = [as_domain(range(sizes[j]), j, name) for j, name in enumerate(names)]
        self._set_axes(names, tuple(labels))
        self._set_factors(zip(places, tables, strict=True))
        if not self.can_occur({}):
            raise TableError(
                "No row has a positive weight: the zeros of the factors exclude each other.", Where("table")
            )

    def to_networkx(self) -> Any:
        """Return a ``networkx.Graph`` of neighbours; a node has ``labels``, the graph its ``factors``.

        Examples
        --------
        >>> sorted(MarkovNetwork([(["a", "b"], [[3, 1], [1, 3]])]).to_networkx().edges())
        [('a', 'b')]
        """
        import networkx as nx

        made = nx.Graph(factors=[([self._names[j] for j in scope], table) for scope, table in self._factors])
        for name, domain in zip(self._names, self._domains, strict=True):
            made.add_node(name, labels=domain)
        made.add_edges_from(
            (self._names[j], self._names[k]) for j, around in enumerate(self.graph) for k in around if j < k
        )
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        named = [([self._names[j] for j in scope], table) for scope, table in self._factors]
        return MarkovNetwork, (named, dict(zip(self._names, self._domains, strict=True)))
