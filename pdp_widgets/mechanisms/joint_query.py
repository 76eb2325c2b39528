"""Questions about all tuples: every value itself, a table of answers, or sums and counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import QueryError, Where
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import is_text, short, shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import points_of

__all__ = ["IdentityQuery", "JointQuery", "LinearRows", "TableQuery", "as_joint_query"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class IdentityQuery:
    """Publish all coordinates of all tuples, each with noise of its own.

    Parameters
    ----------
    name
        Short text for pictures.

    Examples
    --------
    >>> joint = SparseJoint([[0, 2], [1, 5]], [0.5, 0.5])
    >>> IdentityQuery().outputs(joint).tolist(), IdentityQuery().sensitivities(joint).tolist()
    ([[0.0, 2.0], [1.0, 5.0]], [1.0, 3.0])
    """

    name: str = "identity"

    def outputs(self, joint: SparseJoint) -> Floats:
        """Return the output of every row, shape (rows, numbers)."""
        return np.concatenate([points[joint.codes[:, j]] for j, points in enumerate(joint.points)], axis=1)

    def sensitivities(self, joint: SparseJoint) -> Floats:
        """Return the largest L1 change of the output when one tuple changes, shape (n,)."""
        return np.array(joint.diameters)

    def reach(self, joint: SparseJoint) -> tuple[Floats, ...]:
        """Return the values of every tuple as they enter the output."""
        return joint.points


class TableQuery(Immutable):
    """One output, a number or several, for every row of a joint distribution.

    Sensitivities are about all databases, likely or not: for them the distribution must have a row for every
    combination of values, see `SparseJoint.with_all_rows`.

    Parameters
    ----------
    outputs
        Shape (rows,) or (rows, numbers), in the order of the rows of the support.
    name
        Short text for pictures.

    Raises
    ------
    QueryError
        An output is not a finite number.

    Examples
    --------
    >>> joint = SparseJoint([[0, 0], [0, 1], [1, 0], [1, 1]], [0.25] * 4)
    >>> TableQuery([0, 1, 1, 1], name="any").sensitivities(joint).tolist()
    [1.0, 1.0]
    """

    __slots__ = ("_name", "_outputs")

    _outputs: Floats
    _name: str

    def __init__(self, outputs: ArrayLike, *, name: str = "table") -> None:
        self._begin()
        where = Where("parameter", name="outputs")
        refuse_masked(outputs, "outputs")
        try:
            numbers = plain_numbers(outputs)
        except (TypeError, ValueError, OverflowError):
            numbers = np.empty(0)
        if numbers.ndim not in (1, 2) or not numbers.size:
            raise QueryError(
                f"The outputs are {shown(outputs)}; give one number, or a list of numbers, for each row.",
                where,
            )
        if not np.isfinite(numbers).all():
            row = int(np.argmin(np.isfinite(numbers).reshape(len(numbers), -1).all(axis=1)))
            raise QueryError(f"The output of row {row} is not finite; outputs are finite numbers.", where)
        if not is_text(name):
            raise QueryError(
                f"The name of the query is {shown(name)}; give text.", Where("parameter", name="name")
            )
        numbers = numbers.reshape(len(numbers), -1) + 0.0
        numbers.flags.writeable = False
        object.__setattr__(self, "_outputs", numbers)
        object.__setattr__(self, "_name", str(name))

    @classmethod
    def of(cls, joint: SparseJoint, function: Callable[..., Any], *, name: str = "table") -> TableQuery:
        """Return the query that calls a function with the values of every row.

        Examples
        --------
        >>> bits = SparseJoint([[0, 0], [1, 1]], [0.5, 0.5]).with_all_rows()
        >>> TableQuery.of(bits, max).outputs(bits).ravel().tolist()
        [0.0, 1.0, 1.0, 1.0]
        """
        return cls([function(*row) for row in joint.support], name=name)

    @property
    def name(self) -> str:
        """Short text for pictures."""
        return self._name

    def outputs(self, joint: SparseJoint) -> Floats:
        """Return the output of every row, shape (rows, numbers).

        Raises
        ------
        QueryError
            There are not as many outputs as rows.
        """
        if len(self._outputs) != len(joint.codes):
            raise QueryError(
                f"The query has {len(self._outputs):,} outputs and the distribution {len(joint.codes):,} "
                "rows; give one output for each row.",
                Where("parameter", name="outputs"),
            )
        return self._outputs

    def sensitivities(self, joint: SparseJoint) -> Floats:
        """Return the largest L1 change of the output when one tuple changes, shape (n,).

        Raises
        ------
        QueryError
            A combination of values has no row: what the query says there is not known.
        """
        outputs = self.outputs(joint)
        shape = tuple(len(domain) for domain in joint.domains)
        if len(outputs) != prod(shape):
            raise QueryError(
                f"The distribution has {len(outputs):,} of {prod(shape):,} combinations of values as rows; a "
                "query given by its outputs needs all of them (SparseJoint.with_all_rows).",
                Where("parameter", name="outputs"),
            )
        table = np.empty((*shape, outputs.shape[1]))
        table[tuple(joint.codes.T)] = outputs
        return np.array([_largest_change(np.moveaxis(table, j, 0)) for j in range(joint.n)])

    def reach(self, joint: SparseJoint) -> tuple[Floats, ...]:
        """Return the values of every tuple, stretched so that the largest distance is the sensitivity.

        There is no other way in which they enter a query of which only outputs are known. Values of a tuple
        that has text among them have no distances: any two are as far apart as the sensitivity.

        Examples
        --------
        >>> joint = SparseJoint([["a"], ["b"], ["c"]], [0.25, 0.25, 0.5])
        >>> TableQuery([0, 1, 4]).reach(joint)[0].tolist()
        [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]
        """
        found = []
        for axis, (domain, change) in enumerate(zip(joint.domains, self.sensitivities(joint), strict=True)):
            if any(isinstance(value, str) for value in domain):
                apart = np.eye(len(domain)) / 2 if len(domain) > 2 else np.arange(float(len(domain)))[:, None]
                found.append(apart * change)
                continue
            span = joint.diameter(axis)
            points = points_of(domain, axis, joint.tuples[axis])
            found.append(points * (change / span if span else 0.0))
        return tuple(found)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableQuery):
            return NotImplemented
        return self._name == other._name and bool(np.array_equal(self._outputs, other._outputs))

    def __hash__(self) -> int:
        return hash((self._name, self._outputs.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._outputs.tolist(), self._name)

    def __repr__(self) -> str:
        rows, numbers = self._outputs.shape
        each = "" if numbers == 1 else f", {numbers} numbers each"
        return f"TableQuery({rows:,} outputs{each}, name={self._name!r})"


def _restore(outputs: list[list[float]], name: str) -> TableQuery:
    return TableQuery(outputs, name=name)


def _largest_change(table: Floats) -> float:
    if table.shape[-1] == 1:
        return float(np.ptp(table, axis=0).max())
    return max(float(np.abs(table - one).sum(axis=-1).max()) for one in table)


_COUNT = "count:"


class JointQuery(Protocol):
    """What can be asked of a query: an `IdentityQuery`, a `TableQuery`, or a linear one as `LinearRows`."""

    @property
    def name(self) -> str:
        """Short text for pictures."""
        ...

    def outputs(self, joint: SparseJoint) -> Floats:
        """Return the output of every row, shape (rows, numbers)."""
        ...

    def sensitivities(self, joint: SparseJoint) -> Floats:
        """Return the largest L1 change of the output when one tuple changes, shape (n,)."""
        ...

    def reach(self, joint: SparseJoint) -> tuple[Floats, ...]:
        """Return the values of every tuple as they enter the output, shape (values, numbers) each."""
        ...


@dataclass(frozen=True)
class LinearRows:
    """A linear query, asked of rows.

    Parameters
    ----------
    query
        Contributions of the values of every tuple.

    Examples
    --------
    >>> joint = SparseJoint([[0, 0], [1, 1]], [0.5, 0.5])
    >>> LinearRows(LinearQuery([[0, 1], [0, 5]])).outputs(joint).tolist()
    [[0.0], [6.0]]
    """

    query: LinearQuery

    @property
    def name(self) -> str:
        """Short text for pictures."""
        return self.query.name

    def outputs(self, joint: SparseJoint) -> Floats:
        """Return the output of every row, shape (rows, 1).

        Raises
        ------
        QueryError
            There is not one contribution for each value.
        """
        self._check(joint)
        total = np.zeros(len(joint.codes))
        for j, values in enumerate(self.query.contributions):
            total += values[joint.codes[:, j]]
        return total[:, None]

    def sensitivities(self, joint: SparseJoint) -> Floats:
        """Return the range of the contributions of every tuple, shape (n,)."""
        self._check(joint)
        return self.query.local_sensitivities

    def reach(self, joint: SparseJoint) -> tuple[Floats, ...]:
        """Return the contributions of every tuple as points."""
        self._check(joint)
        return tuple(values[:, None] for values in self.query.contributions)

    def _check(self, joint: SparseJoint) -> None:
        sizes = [len(values) for values in self.query.contributions]
        if len(sizes) != joint.n:
            raise QueryError(
                f"The query has contributions for {len(sizes)} tuples and the distribution has {joint.n}; "
                "give one list for each tuple.",
                Where("parameter", name="query"),
            )
        for axis, (have, domain) in enumerate(zip(sizes, joint.domains, strict=True)):
            if have != len(domain):
                raise QueryError(
                    f"{short(joint.tuples[axis])} has {len(domain)} values and {have} contributions; give "
                    "one for each value.",
                    Where("axis", axis=axis),
                )


def as_joint_query(query: Any, joint: SparseJoint) -> JointQuery:
    """Return a query from what stands for one."""
    if isinstance(query, IdentityQuery | TableQuery | LinearRows):
        return query
    if isinstance(query, LinearQuery):
        return LinearRows(query)
    if isinstance(query, str):
        if query == "identity":
            return IdentityQuery()
        if query in ("sum", "mean"):
            weight = 1.0 if query == "sum" else 1 / joint.n
            return _weighted(joint, np.full(joint.n, weight), query)
        if query.startswith(_COUNT):
            return _count(joint, query.removeprefix(_COUNT))
    elif isinstance(query, list | tuple) or hasattr(query, "__array__"):
        refuse_masked(query, "query")
        try:
            weights = plain_numbers(query)
        except (TypeError, ValueError, OverflowError):
            weights = np.empty(0)
        if weights.shape != (joint.n,) or not np.isfinite(weights).all():
            raise QueryError(
                f"The weights are {shown(query)}; give {joint.n} finite numbers, one for each tuple.",
                Where("parameter", name="query"),
            )
        return _weighted(joint, weights, "sum" if (weights == 1).all() else "weighted sum")
    raise QueryError(
        f"The query is {shown(query)}; give 'sum', 'mean', 'identity', 'count:VALUE', one weight for each "
        "tuple, a LinearQuery, an IdentityQuery or a TableQuery.",
        Where("parameter", name="query"),
    )


def _count_of(value: Any) -> str:
    """Return a query that counts a value, as it is written; the pattern of it for places."""
    return repr(f"count:{short(value)}") if isinstance(value, str) else "'count:VALUE'"


def _weighted(joint: SparseJoint, weights: Floats, name: str) -> LinearRows:
    contributions = []
    for axis, (domain, tuple_) in enumerate(zip(joint.domains, joint.tuples, strict=True)):
        if isinstance(domain[0], tuple) or any(isinstance(value, str) for value in domain):
            kind = "have coordinates" if isinstance(domain[0], tuple) else "are text"
            raise QueryError(
                f"The values of {short(tuple_)} {kind} and cannot be added to one number; ask 'identity' or "
                f"{_count_of(domain[0])}, or give a TableQuery.",
                Where("axis", axis=axis),
            )
        contributions.append(points_of(domain, axis, tuple_)[:, 0] * weights[axis])
    return LinearRows(LinearQuery(contributions, name=name))


def _count(joint: SparseJoint, written: str) -> LinearRows:
    counted = [[float(written in (str(value), shown(value))) for value in domain] for domain in joint.domains]
    if not any(map(any, counted)):
        raise QueryError(
            f"The value {short(written)} is in no domain; count one that is.",
            Where("parameter", name="query"),
        )
    return LinearRows(LinearQuery(counted, name=f"count of {short(written)}"))
