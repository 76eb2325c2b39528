"""A joint distribution read row by row: values, probabilities, and the laws of single tuples and pairs."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.named_tuples import NamedTuples
from pdp_widgets.models.support_numbers import diameter_of, pair_tables_of, sums_of
from pdp_widgets.models.support_rows import Value, points_of

__all__ = ["JointRows"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class JointRows(NamedTuples):
    """Rows of values of n tuples with their probabilities; see `SparseJoint`, which makes them.

    Examples
    --------
    >>> from pdp_widgets import SparseJoint
    >>> isinstance(SparseJoint([[0, 0], [1, 1]], [0.5, 0.5]), JointRows)
    True
    """

    __slots__ = ("__dict__", "_codes", "_domains", "_probabilities", "_title")

    _codes: Integers
    _domains: tuple[tuple[Value, ...], ...]
    _probabilities: Floats
    _title: str

    def _made(self) -> bool:
        # The __dict__ is always there: what is found late is kept in it.
        return hasattr(self, "_codes")

    @property
    def tuples(self) -> tuple[str, ...]:
        """Name of every tuple."""
        return self._names

    @property
    def n(self) -> int:
        """Number of tuples."""
        return len(self._names)

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @property
    def domains(self) -> tuple[tuple[Value, ...], ...]:
        """Values of every tuple, those that only rows of probability 0 have among them."""
        return self._domains

    @property
    def codes(self) -> Integers:
        """Positions of the values in their domains, shape (rows, n) (read-only)."""
        return self._codes

    @property
    def probabilities(self) -> Floats:
        """Probability of every row (read-only)."""
        return self._probabilities

    @property
    def support(self) -> list[list[Value]]:
        """The rows as values."""
        return [[d[k] for d, k in zip(self._domains, row, strict=True)] for row in self._codes.tolist()]

    @cached_property
    def points(self) -> tuple[Floats, ...]:
        """Values of every tuple as points, shape (values, coordinates) (read-only).

        Raises
        ------
        DomainError
            A value is text.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([[[0, 1], 5], [[2, 3], 6]], [0.5, 0.5]).points[0].tolist()
        [[0.0, 1.0], [2.0, 3.0]]
        """
        found = tuple(
            points_of(domain, axis, name)
            for axis, (domain, name) in enumerate(zip(self._domains, self._names, strict=True))
        )
        for points in found:
            points.flags.writeable = False
        return found

    @cached_property
    def diameters(self) -> Floats:
        """Largest L1 distance of two values of every tuple, DD_j (read-only).

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([[0, 1], [5, 1]], [0.5, 0.5]).diameters.tolist()
        [5.0, 0.0]
        """
        found = np.array([diameter_of(points) for points in self.points])
        found.flags.writeable = False
        return found

    def diameter(self, tuple_: str | int) -> float:
        """Return the largest L1 distance of two values of one tuple; others may be text."""
        axis = self.axis(tuple_)
        return diameter_of(points_of(self._domains[axis], axis, self._names[axis]))

    @cached_property
    def offsets(self) -> Integers:
        """Where the values of every tuple begin when all domains are put in one row, shape (n + 1,)."""
        found = np.cumsum([0, *(len(domain) for domain in self._domains)])
        found.flags.writeable = False
        return np.asarray(found)

    @cached_property
    def pair_tables(self) -> Floats:
        """Joint probabilities of all pairs of values of all pairs of tuples (read-only).

        The table of tuples i and j is ``pair_tables[o[i] : o[i + 1], o[j] : o[j + 1]]`` with `offsets` o.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([[0, 0], [1, 1]], [0.5, 0.5]).pair_tables[:2, 2:].tolist()
        [[0.5, 0.0], [0.0, 0.5]]
        """
        found = pair_tables_of(self._codes, self._probabilities, self.offsets)
        found.flags.writeable = False
        return found

    def law(self, tuple_: str | int) -> Floats:
        """Return the probabilities of the values of one tuple.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([["a"], ["b"]], [0.25, 0.75]).law(0).tolist()
        [0.25, 0.75]
        """
        axis = self.axis(tuple_)
        return sums_of(self._codes[:, axis], self._probabilities, len(self._domains[axis]))

    def pair(self, i: str | int, j: str | int) -> Floats:
        """Return the joint probabilities of two tuples, one row for each value of the first."""
        a, b = self.axis(i), self.axis(j)
        shape = len(self._domains[a]), len(self._domains[b])
        index = self._codes[:, a] * shape[1] + self._codes[:, b]
        return sums_of(index, self._probabilities, shape[0] * shape[1]).reshape(shape)

    def conditional(self, i: str | int, j: str | int) -> Floats:
        """Return P(D_j | D_i = a), one row for each value a of the first; 0 where a cannot occur.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> joint = SparseJoint([[0, 0], [0, 1], [1, 1]], [0.25, 0.25, 0.5], ["Ann", "Bob"])
        >>> joint.conditional("Ann", "Bob").tolist()
        [[0.5, 0.5], [0.0, 1.0]]
        """
        table = self.pair(i, j)
        sums = table.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(table, sums, out=np.zeros_like(table), where=sums > 0))
