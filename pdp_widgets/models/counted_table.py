"""A table that may come from counts: how many records are behind it, and what they are too few for.

A table with more cells than records is mostly empty. Its exact leakages are those of the sample: where the
few records that agree with the known values have one label, the others read as impossible, and the largest of
many leakages is the one on which chance fell hardest.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.named_axes import NamedAxes

__all__ = ["CountedTable", "few_records", "pulled_to_independence"]

Floats = NDArray[np.float64]
#: More cells than these are told by their order of magnitude.
_COUNTED = 10**12


class CountedTable(NamedAxes):
    """Probabilities with the counts behind them, when there are any."""

    __slots__ = ("_counts", "_table")

    _table: Floats
    _counts: NDArray[np.int64] | None

    @property
    def table(self) -> Floats:
        """Probabilities, float64, read-only, one axis for each tuple."""
        return self._table

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of labels of every tuple."""
        return self._table.shape

    @property
    def counts(self) -> NDArray[np.int64] | None:
        """Counts behind the table (read-only), or None when it was not made from counts."""
        return self._counts

    @property
    def records(self) -> int | None:
        """Number of records behind the table, or None when it was not made from counts."""
        return None if self._counts is None else int(self._counts.sum())

    @property
    def records_per_cell(self) -> float | None:
        """Records divided by cells, or None when the table was not made from counts."""
        return None if self.records is None else self.records / self._table.size

    @property
    def sparse(self) -> bool:
        """Whether the table was made from fewer records than it has cells."""
        return self.records is not None and self.records < self._table.size

    @property
    def caution(self) -> str:
        """What to know before leakages of a sparse table are believed; empty for any other table.

        Examples
        --------
        >>> from pdp_widgets import JointDistribution
        >>> JointDistribution.from_counts([[1, 0], [1, 1]]).caution
        '3 records in 4 cells: 1 cell is empty; the largest leakages are mostly chance'
        >>> JointDistribution.from_counts([[2, 1], [1, 2]]).caution
        ''
        """
        if self._counts is None:
            return ""
        return few_records(int(self._counts.sum()), self._table.size, int(np.count_nonzero(self._counts)))


def few_records(records: int, cells: int, filled: int) -> str:
    """Say that there are fewer records than cells: the one rule of what is too few; empty where it is not.

    Parameters
    ----------
    records
        How many there are.
    cells
        Combinations of values, of any number.
    filled
        Those that occur.

    Examples
    --------
    >>> few_records(3, 4, 3)
    '3 records in 4 cells: 1 cell is empty; the largest leakages are mostly chance'
    >>> few_records(4, 4, 3), few_records(9, 2**60, 7).partition(":")[0]
    ('', '9 records in about 10^18 cells')
    """
    if records >= cells:
        return ""
    empty = cells - filled
    found = f"{records:,} {'record' if records == 1 else 'records'} in {_number(cells)} cells"
    gone = "1 cell is" if empty == 1 else f"{empty:,} cells are" if cells < _COUNTED else "nearly all are"
    return f"{found}: {gone} empty; the largest leakages are mostly chance"


def _number(cells: int) -> str:
    return f"{cells:,}" if cells < _COUNTED else f"about 10^{round(math.log10(cells))}"


def pulled_to_independence(counts: NDArray[np.int64], pseudo_records: Any = None) -> Floats:
    """Return counts and pseudo-records added up, any total; see `JointDistribution.smoothed`.

    Raises
    ------
    TableError
        The number of pseudo-records is negative or no finite number.
    """
    records = float(counts.sum())
    independent: Floats = np.ones(())
    for j in range(counts.ndim):
        others = tuple(k for k in range(counts.ndim) if k != j)
        independent = np.multiply.outer(independent, counts.sum(axis=others) / records)
    if pseudo_records is None:
        shares = counts / records
        away = float(((shares - independent) ** 2).sum())
        spread = 1.0 - float((shares**2).sum())
        # Counts that are independent but for rounding have nothing to lose.
        pseudo_records = spread / away if away > spread * 1e-12 else None
        return counts + pseudo_records * independent if pseudo_records is not None else independent
    number = pseudo_records
    if (
        isinstance(number, bool | str)
        or not isinstance(number, int | float | np.number)
        or not 0 <= number < math.inf
    ):
        raise TableError(
            f"The number of pseudo-records is {shown(number)}; it is a finite number, 0 or more.",
            Where("parameter", name="pseudo_records"),
        )
    return counts + float(number) * independent
