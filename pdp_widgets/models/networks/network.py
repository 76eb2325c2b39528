"""What networks have in common: their graph, what can occur, posteriors, and the joint table when small."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import InstanceError, LimitError, TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short
from pdp_widgets.models.names import NamedAxes
from pdp_widgets.models.networks.elimination import (
    LOGS,
    POSSIBLE,
    Arithmetic,
    Factor,
    Graph,
    Message,
    component_of,
    eliminated,
    in_logs_too,
    messages_of,
    tree_messages,
)
from pdp_widgets.models.table_checks import as_numbers

__all__ = ["Network", "as_table"]

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

#: Cells of a joint or posterior table.
_MOST_CELLS = 1 << 20


def as_table(table: Any, name: str, axis: int) -> Floats:
    """Return a table of a network as fresh numbers, 0 or more and finite, or raise TableError."""
    numbers = as_numbers(table, f"table of {short(name)}")
    wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    if wrong.any():
        index = tuple(int(p) for p in np.argwhere(wrong)[0])
        raise TableError(
            f"The table of {short(name)} has the entry {numbers[index]:g} at {list(index)}; entries are "
            "finite and 0 or more.",
            Where("cell", index=index, axis=axis, name=name),
        )
    return numbers + 0.0


class Network(NamedAxes):
    """Named tuples with labels, and tables whose product is their joint distribution up to a factor.

    Base of `BayesianNetwork` and `MarkovNetwork`. The object is immutable. Two tuples are neighbours in the
    graph if a table has both.
    """

    _factors: tuple[Factor, ...]

    def _set_factors(self, factors: Iterable[tuple[Sequence[int], Floats]]) -> None:
        """Keep tables by scopes in ascending order; a tuple without any gets one of ones."""
        kept: list[Factor] = []
        for scope, table in factors:
            order = np.argsort(scope)
            ordered = np.ascontiguousarray(table.transpose(order))
            ordered.setflags(write=False)
            kept.append((tuple(int(scope[k]) for k in order), ordered))
        covered = {j for scope, _ in kept for j in scope}
        kept += [((j,), np.ones(size)) for j, size in enumerate(self.shape) if j not in covered]
        object.__setattr__(self, "_factors", tuple(kept))

    @property
    def factors(self) -> tuple[Factor, ...]:
        """Tables with their scopes, tuples in ascending order of position; arrays are read-only."""
        return self._factors

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of labels of every tuple."""
        return tuple(map(len, self._domains))

    @cached_property
    def graph(self) -> Graph:
        """Neighbours of every tuple, by position: tuples that a table has beside it."""
        near: list[set[int]] = [set() for _ in self._names]
        for scope, _ in self._factors:
            for j in scope:
                near[j].update(scope)
        return tuple(frozenset(around - {j}) for j, around in enumerate(near))

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the tuples of each connected component, ascending."""
        found: list[tuple[int, ...]] = []
        seen: set[int] = set()
        for j in range(self.n_tuples):
            if j not in seen:
                found.append(tuple(sorted(component_of(self.graph, j))))
                seen.update(found[-1])
        return tuple(found)

    @cached_property
    def is_tree(self) -> bool:
        """Whether no table has more than two tuples and the graph no circle; a forest is a tree here."""
        edges = sum(map(len, self.graph)) // 2
        pairwise = all(len(scope) < 3 for scope, _ in self._factors)
        return pairwise and edges == self.n_tuples - len(self.components)

    @cached_property
    def is_path(self) -> bool:
        """Whether the graph is a line through all tuples in their order, as that of a chain is."""
        n = self.n_tuples
        line = (frozenset(k for k in (j - 1, j + 1) if 0 <= k < n) for j in range(n))
        return all(around == wanted for around, wanted in zip(self.graph, line, strict=True))

    def messages(
        self, ring: Arithmetic, known: Mapping[int, int] | None = None, *, exact: bool = False
    ) -> Any:
        """Return the tables at known labels, by position, as `eliminated` takes them."""
        made = messages_of(self._factors, ring, exact=exact)
        return made if not known else [message.sliced(known) for message in made]

    def tree_parts(
        self, ring: Arithmetic, *, exact: bool = False
    ) -> tuple[list[Message], dict[Any, Message]]:
        """Return the tables of every tuple alone, and of every two neighbours, of a tree."""
        own: list[Floats] = [np.ones(size) for size in self.shape]
        pairs: dict[tuple[int, ...], Floats] = {}
        for scope, table in self._factors:
            if len(scope) == 1:
                own[scope[0]] = own[scope[0]] * table
            else:
                pairs[scope] = pairs[scope] * table if scope in pairs else table
        alone = messages_of((((j,), table) for j, table in enumerate(own)), ring, exact=exact)
        return alone, dict(zip(pairs, messages_of(pairs.items(), ring, exact=exact), strict=True))

    # What can occur

    @cached_property
    def possible(self) -> tuple[Booleans, ...]:
        """For every tuple, which of its labels can occur: decided by the zeros of the tables alone."""
        if all((table > 0).all() for _, table in self._factors):
            return tuple(np.ones(size, dtype=bool) for size in self.shape)
        if self.is_tree:
            own, pairs = self.tree_parts(POSSIBLE)
            still = [np.zeros(size, dtype=np.int64) for size in self.shape]
            sent = tree_messages(own, pairs, self.graph, POSSIBLE, still)
            found = []
            for j, around in enumerate(self.graph):
                found.append(
                    np.logical_and.reduce(
                        [own[j].values[:, 0], *(sent[k, j].values[:, 0] for k in around)], axis=0
                    )
                )
            return tuple(found)
        return tuple(self._possible_of([j], {}) for j in range(self.n_tuples))

    def _possible_of(self, keep: Sequence[int], known: Mapping[int, int]) -> Booleans:
        messages = self.messages(POSSIBLE, known)
        return np.asarray(eliminated(messages, keep, self.graph, POSSIBLE).values[..., 0])

    def possible_table(self, tuples: Sequence[int], known: Mapping[int, int]) -> Booleans:
        """Return which labels of some tuples, in ascending order, can occur together given known labels."""
        if prod(self.shape[j] for j in tuples) > _MOST_CELLS:
            raise LimitError("Too many combinations of labels.", Where("parameter", name="known"))
        return self._possible_of(tuples, known)

    def can_occur(self, known: Mapping[int, int]) -> bool:
        """Return whether known labels, by position, can occur together; the whole network is looked at."""
        if all((table > 0).all() for _, table in self._factors):
            return True
        return bool(self._possible_of((), known))

    def as_known(self, known: Any) -> dict[int, int]:
        """Return known labels as positions by position, or raise an error where they cannot occur."""
        given = self.by_axis(known, "known")
        found = {axis: self.label_position(axis, label) for axis, label in sorted(given.items())}
        if found and not self.can_occur(found):
            listed = ", ".join(
                f"{short(self._names[j])} = {short(self._domains[j][p])}" for j, p in list(found.items())[:12]
            )
            raise InstanceError(
                f"The known values {listed}{', ...' if len(found) > 12 else ''} have probability 0; give "
                "values that can occur.",
                Where("row"),
            )
        return found

    def some_row(self, known: Mapping[int, int]) -> tuple[int, ...]:
        """Return a row that can occur with known labels, as positions."""
        row = dict(known)
        positive = all((table > 0).all() for _, table in self._factors)
        for j in range(self.n_tuples):
            if j not in row:
                row[j] = 0 if positive else int(np.argmax(self._possible_of([j], row)))
        return tuple(row[j] for j in range(self.n_tuples))

    # Laws of few tuples

    def posterior(
        self, tuples: Iterable[str | int] | str | int, known: Mapping[Any, Any] | None = None
    ) -> JointDistribution:
        """Return the joint distribution of some tuples given the labels of others.

        Parameters
        ----------
        tuples
            Names or positions, none of them known; they are the axes of the result in this order.
        known
            Labels by tuple name or position.

        Returns
        -------
        JointDistribution
            Computed by variable elimination, without a joint table of all tuples.

        Raises
        ------
        InstanceError
            A label is unknown, or the known labels have probability 0: also where the rest could be answered.
        DomainError
            A tuple does not exist, or is named twice.
        LimitError
            The table would have more than 1,048,576 cells.

        Examples
        --------
        >>> from pdp_widgets.networks import BayesianNetwork
        >>> net = BayesianNetwork([("rain", "wet")], {"rain": [0.7, 0.3], "wet": [[0.9, 0.1], [0.2, 0.8]]})
        >>> net.posterior("rain", {"wet": 1}).table.round(4).tolist()
        [0.2258, 0.7742]
        """
        targets = self.axes([tuples] if isinstance(tuples, str | int) else tuples)
        evidence = self.as_known({} if known is None else known)
        both = next((j for j in targets if j in evidence), None)
        if both is not None:
            raise InstanceError(
                f"{short(self._names[both])} is asked for and known at once; leave it out of the known ones.",
                Where("axis", axis=both),
            )
        cells = prod(self.shape[j] for j in targets)
        if cells > _MOST_CELLS or len(targets) > 60:
            raise LimitError(
                f"The table of {len(targets)} tuples would have {cells:,} cells; at most {_MOST_CELLS:,} "
                "are made. Ask for fewer tuples.",
                Where("parameter", name="tuples"),
            )

        def compute(ring: Arithmetic) -> Floats:
            messages = self.messages(ring, evidence)
            found: Floats = eliminated(messages, targets, self.graph, ring).values[..., 0]
            return np.exp(found - found.max()) if ring is LOGS else found

        table = in_logs_too(compute)
        kept = sorted(targets)
        order = [kept.index(j) for j in targets]
        return JointDistribution.normalised(
            table.transpose(order), [self._domains[j] for j in targets], [self._names[j] for j in targets]
        )

    def marginal(self, tuple_: str | int) -> Floats:
        """Return the probabilities of the labels of one tuple.

        Examples
        --------
        >>> from pdp_widgets.networks import BayesianNetwork
        >>> net = BayesianNetwork([("rain", "wet")], {"rain": [0.7, 0.3], "wet": [[0.9, 0.1], [0.2, 0.8]]})
        >>> net.marginal("wet").round(4).tolist()
        [0.69, 0.31]
        """
        return self.posterior([tuple_]).table

    @property
    def joint_cells(self) -> int:
        """How many cells the table of all tuples has: say it before you make it."""
        return prod(self.shape)

    def joint(self) -> JointDistribution:
        """Return the joint distribution of all tuples as a table; `joint_cells` says how large it is.

        Raises
        ------
        LimitError
            It would have more than 1,048,576 cells.

        Examples
        --------
        >>> from pdp_widgets.networks import BayesianNetwork
        >>> net = BayesianNetwork([("rain", "wet")], {"rain": [0.7, 0.3], "wet": [[0.9, 0.1], [0.2, 0.8]]})
        >>> net.joint_cells, net.joint().table.round(4).tolist()
        (4, [[0.63, 0.07], [0.06, 0.24]])
        """
        if self.joint_cells > _MOST_CELLS or self.n_tuples > 60:
            cells = f"{self.joint_cells:,}" if self.joint_cells < 1 << 60 else "too many"
            raise LimitError(
                f"The table of all {self.n_tuples} tuples would have {cells} cells; at most "
                f"{_MOST_CELLS:,} are made. Ask for the posterior of fewer tuples, or take NetworkAnalysis, "
                "which needs no table.",
                Where("table"),
            )
        return self.posterior(range(self.n_tuples))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Network):
            return NotImplemented
        same = self._names == other._names and self._domains == other._domains
        return same and _keys(self._factors) == _keys(other._factors)

    def __hash__(self) -> int:
        return hash((self._names, self._domains, *_keys(self._factors)))

    def __repr__(self) -> str:
        listed = [f"{short(name)}: {len(d)}" for name, d in zip(self._names, self._domains, strict=True)]
        if len(listed) > 6:
            listed = [*listed[:5], f"and {len(listed) - 5} more"]
        edges = sum(map(len, self.graph)) // 2
        kind = "tree" if self.is_tree else "network"
        tuples = f"{self.n_tuples:,} tuples with labels ({', '.join(listed)})"
        return f"{type(self).__name__}({tuples}, {kind} of {edges:,} pairs of neighbours)"


def _keys(factors: Iterable[Factor]) -> list[tuple[tuple[int, ...], bytes]]:
    return [(scope, table.tobytes()) for scope, table in factors]
