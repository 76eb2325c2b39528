"""Queries of several dependent tuples: what each row of their joint distribution gives as output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import QueryError, Where
from pdp_widgets.mechanisms.identity_query import IdentityQuery
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.table_query import TableQuery
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import points_of

__all__ = ["JointQuery", "LinearRows", "as_joint_query"]

Floats = NDArray[np.float64]

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
    """Return a query from what stands for one.

    Parameters
    ----------
    query
        ``"sum"``, ``"mean"``, ``"identity"``, ``"count:VALUE"``, one weight for each tuple, or a query:
        `LinearQuery`, `IdentityQuery`, `TableQuery`.
    joint
        What it is asked of.

    Raises
    ------
    QueryError
        It is none of these, or values cannot be added.

    Examples
    --------
    >>> joint = SparseJoint([[0, 0], [1, 1]], [0.5, 0.5], ["Ann", "Bob"])
    >>> as_joint_query("sum", joint).sensitivities(joint).tolist()
    [1.0, 1.0]
    >>> as_joint_query([1, -2], joint).outputs(joint).ravel().tolist()
    [0.0, -1.0]
    >>> as_joint_query("count:1", joint).name
    'count of 1'
    """
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
    elif isinstance(query, list | tuple | np.ndarray):
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
