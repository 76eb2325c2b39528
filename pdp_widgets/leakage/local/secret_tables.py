"""What several attributes of a record say about a secret: P(sources | secret value), counted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.pair_tables import PairTables, as_numbers
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["MOST_CELLS", "SecretTables"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Cells of a table of all attributes; with more, only combinations that occur are listed.
MOST_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class SecretTables:
    """Rows P(sources | secret value), one for each secret value that counts.

    Parameters
    ----------
    names
        The secret, then the sources.
    sizes
        Their numbers of symbols.
    kept
        Positions of the secret values that count.
    rows
        One column for each combination of source symbols; without `dense`, only for those that occur.
    dense
        The same with one axis for each source, shape (secret values, *sizes of sources); None where that
        would have too many cells.
    alone
        The same for every source by itself, side by side.
    records
        How many records there are that have the secret and all sources; None for probabilities.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> tables = SecretTables.of(titanic(), [3, 1])
    >>> tables.names, tables.records, tables.rows.round(3).tolist()
    (('survived', 'sex'), 2201, [[0.915, 0.085], [0.516, 0.484]])
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    kept: Ints
    rows: Floats
    dense: Floats | None
    alone: Conditionals
    records: int | None

    @classmethod
    def of(
        cls,
        data: AttributeTable | JointDistribution | PairTables | ArrayLike,
        attributes: Sequence[int],
        min_count: float = 0,
    ) -> SecretTables:
        """Return the tables of some attributes.

        Parameters
        ----------
        data
            Records (those where one of the attributes is missing do not count), a joint distribution, or an
            array of probabilities or counts.
        attributes
            Positions: the secret first.
        min_count
            Secret values with fewer records do not count.

        Raises
        ------
        LimitError
            The data are tables of pairs, which do not hold what is asked for.
        """
        if isinstance(data, PairTables):
            raise LimitError(
                "Tables of pairs do not say how more than two attributes hang together; give records.",
                Where("parameter", name="data"),
            )
        if isinstance(data, AttributeTable):
            return cls._of_records(data, attributes, min_count)
        numbers, names, counted = as_numbers(data)
        rest = tuple(a for a in range(numbers.ndim) if a not in attributes)
        left = sorted(attributes)
        table = numbers.sum(axis=rest).transpose([left.index(a) for a in attributes])
        records = int(table.sum()) if counted else None
        return cls._of_table([names[a] for a in attributes], table, min_count, records)

    @classmethod
    def _of_records(cls, data: AttributeTable, attributes: Sequence[int], min_count: float) -> SecretTables:
        codes = data.codes[:, list(attributes)]
        codes = codes[(codes >= 0).all(axis=1)]
        names, sizes = [data.names[a] for a in attributes], [data.sizes[a] for a in attributes]
        if prod(sizes) <= MOST_CELLS:
            counts = _counts(codes, sizes)
            return cls._of_table(names, counts, min_count, len(codes))
        # Only the combinations of sources that occur get a column.
        place = _combinations(codes[:, 1:], sizes[1:])
        pairs = np.stack((codes[:, 0].astype(np.int64), place), axis=1)
        rows, kept = _shares(_counts(pairs, [sizes[0], int(place.max(initial=-1)) + 1]), min_count)
        alone = [
            _shares(_counts(codes[:, [0, i]], [sizes[0], sizes[i]]), min_count)[0]
            for i in range(1, len(sizes))
        ]
        return cls(tuple(names), tuple(sizes), kept, rows, None, _side_by_side(alone, len(kept)), len(codes))

    @classmethod
    def _of_table(
        cls, names: Sequence[str], table: NDArray[Any], min_count: float, records: int | None
    ) -> SecretTables:
        rows, kept = _shares(table.reshape(len(table), -1), min_count)
        dense = rows.reshape(len(kept), *table.shape[1:])
        axes = range(1, table.ndim)
        alone = [dense.sum(axis=tuple(a for a in axes if a != axis)) for axis in axes]
        return cls(tuple(names), table.shape, kept, rows, dense, _side_by_side(alone, len(kept)), records)

    @cached_property
    def observed(self) -> Floats:
        """The rows without columns of combinations that never occur."""
        return self.rows[:, self.rows.any(axis=0)]


def _counts(codes: NDArray[Any], sizes: Sequence[int]) -> Floats:
    """Return how many rows of codes have each combination, in the shape of the sizes."""
    flat = np.ravel_multi_index(tuple(codes.T), tuple(sizes)) if len(codes) else np.zeros(0, dtype=np.int64)
    return np.bincount(flat, minlength=prod(sizes)).reshape(sizes).astype(np.float64)


def _combinations(codes: NDArray[Any], sizes: Sequence[int]) -> Ints:
    """Return the number of each record's combination of codes, among those that occur."""
    if prod(sizes) >= 2**62:
        _, place = np.unique(codes, axis=0, return_inverse=True)
    else:
        # One whole number for a combination: sorting numbers is many times as fast as sorting rows.
        flat = np.ravel_multi_index(tuple(codes.T), tuple(sizes)) if sizes else np.zeros(len(codes))
        _, place = np.unique(flat, return_inverse=True)
    return np.asarray(place.ravel(), dtype=np.int64)


def _shares(counts: NDArray[Any], min_count: float) -> tuple[Floats, Ints]:
    """Return the rows that count, each divided by its sum, and their positions."""
    totals = counts.sum(axis=1, dtype=np.float64)
    kept = np.flatnonzero((totals > 0) & (totals >= min_count))
    return np.asarray(counts[kept] / totals[kept, None]), kept


def _side_by_side(alone: Sequence[Floats], values: int) -> Conditionals:
    sizes = np.array([rows.shape[1] for rows in alone], dtype=np.int64)
    rows = np.concatenate([np.zeros((values, 0)), *alone], axis=1)
    return Conditionals(rows, sizes, np.ones((values, len(alone)), dtype=np.bool_))
