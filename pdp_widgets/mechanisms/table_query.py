"""A query given by its output for every row: any function of the tuples, additive or not."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import QueryError, Where
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import is_text, shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import points_of

__all__ = ["TableQuery"]

Floats = NDArray[np.float64]


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
