"""Sums over records that add up part by part, in any order: of rows that differ, and of moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import MOST_EXACT
from pdp_widgets.errors import LimitError, PdpError, TableError, Where

__all__ = ["MOST_ROWS", "MomentSums", "RowAdder", "RowSums", "numbered", "refuse_many_rows"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Rows that differ: more come from measured numbers, or from keys of records.
MOST_ROWS = 2_000_000
_MOST_COUNT = 1 << 53
#: Rows that wait to be added to the others, if there are not more of those.
_WAITING = 1 << 17
#: Different rows that may be: each has a place then, and none is sorted.
_FEW = 1 << 16


def refuse_many_rows(many: int) -> None:
    """Raise where there are more different rows than are told apart."""
    if many > MOST_ROWS:
        raise LimitError(
            f"More than {MOST_ROWS:,} rows of the frame differ. Choose fewer columns, or group numbers.",
            Where("parameter", name="columns"),
        )


def numbered(codes: Sequence[NDArray[Any]], sizes: Sequence[int]) -> tuple[Integers, Integers]:
    """Return the number of every row among those that differ, as they appear, and their first rows."""
    index = np.zeros(len(codes[0]), dtype=np.int64)
    size = 1
    for column, many in zip(codes, sizes, strict=True):
        if size * many >= 1 << 62:
            _, index = np.unique(index, return_inverse=True)
            size = len(index)
        if size > 1:
            index *= many
        index, size = index + column, size * many
    if size <= max(4 * len(index), _FEW):
        # Of several rows at one place the first is written last.
        first = np.full(size, -1, dtype=np.int64)
        first[index[::-1]] = np.arange(len(index))[::-1]
        there = np.flatnonzero(first >= 0)
        inverse, first = np.cumsum(first >= 0)[index] - 1, first[there]
    else:
        _, first, inverse = np.unique(index, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(first), dtype=np.int64)
    number[order] = np.arange(len(first))
    return number[inverse], first[order].astype(np.int64)


@dataclass(eq=False)
class RowSums:
    """Rows of codes that differ, with how many records each stands for, their weight, and the first of them.

    Codes have the shape (rows, columns); weights are whole numbers where all of them were.
    """

    codes: NDArray[np.int32]
    records: Integers
    weights: NDArray[Any]
    first: Integers

    @classmethod
    def of(cls, codes: Sequence[NDArray[Any]], places: Integers) -> RowSums:
        """Return the sums of rows, which stand at places that ascend."""
        index, first = numbered(codes, [int(column.max(initial=-1)) + 1 for column in codes])
        records = np.bincount(index, minlength=len(first)).astype(np.int64)
        rows = np.stack([column[first] for column in codes], axis=1)
        return cls(rows.astype(np.int32), records, records, places[first])

    @classmethod
    def of_groups(
        cls, codes: Sequence[NDArray[Any]], records: NDArray[Any], first: NDArray[Any], weights: Any = None
    ) -> RowSums:
        """Return the sums of rows that are grouped already, in any order."""
        order = np.argsort(first, kind="stable")
        many = records[order].astype(np.int64)
        rows = np.stack([column[order] for column in codes], axis=1).astype(np.int32)
        return cls(rows, many, many if weights is None else weights[order], first[order].astype(np.int64))

    @classmethod
    def joined(cls, parts: Sequence[RowSums]) -> RowSums:
        """Return the sums of several parts, in the order of the first records."""
        if len(parts) == 1:
            return parts[0]
        codes = np.concatenate([part.codes for part in parts])
        first = np.concatenate([part.first for part in parts])
        order = np.argsort(first, kind="stable")
        codes, first = codes[order], first[order]
        records = np.concatenate([part.records for part in parts])[order]
        weights = np.concatenate([part.weights for part in parts])[order]
        index, at = numbered(list(codes.T), (codes.max(axis=0, initial=0) + 1).tolist())
        refuse_many_rows(len(at))
        return cls(codes[at], _added(index, records, len(at)), _added(index, weights, len(at)), first[at])


def _added(index: Integers, numbers: NDArray[Any], size: int) -> NDArray[Any]:
    """Return sums by index, exact where numbers are whole."""
    if numbers.dtype.kind == "f":
        return np.bincount(index, numbers, size)
    if numbers.sum(dtype=np.float64) > _MOST_COUNT:
        raise TableError("The counts sum to more than 2^53, the most that is counted.", Where("table"))
    return np.bincount(index, numbers, size).astype(np.int64)


class RowAdder:
    """Parts of `RowSums` that are joined now and then, so that few rows wait and few are sorted again."""

    def __init__(self) -> None:
        self._parts: list[RowSums] = []
        self._waiting, self._sum = 0, 0.0

    def add(self, part: RowSums) -> None:
        """Add one part, or raise and have what there was."""
        before = self._parts, self._waiting, self._sum
        self._parts = [*self._parts, part]
        self._waiting += len(part.first)
        self._sum += float(part.weights.sum(dtype=np.float64))
        first = len(self._parts[0].first)
        if self._waiting - first > max(_WAITING, first) or self._sum > MOST_EXACT:
            try:
                self.total()
            except PdpError:
                self._parts, self._waiting, self._sum = before
                raise

    def total(self) -> RowSums | None:
        """Return the sums of all parts; None where there is none."""
        if self._parts:
            self._parts = [RowSums.joined(self._parts)]
            self._waiting = len(self._parts[0].first)
        return self._parts[0] if self._parts else None


@dataclass(frozen=True, eq=False)
class MomentSums:
    """Number, mean and sums of products of the deviations from it, of records of several numbers.

    Parts are merged as in T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for computing the sample
    variance", The American Statistician 37 (1983), Eq. 2.1. Means are counted from a record, so that none of
    their digits is lost to where the numbers lie.
    """

    records: int
    origin: Floats
    offset: Floats
    products: Floats

    @classmethod
    def of(cls, numbers: Floats, counts: Integers | None = None) -> MomentSums:
        """Return the sums of records, shape (records, columns); counts say how many each row stands for."""
        if counts is not None:
            numbers, counts = numbers[counts > 0], counts[counts > 0]
        rows, columns = numbers.shape
        many = rows if counts is None else int(counts.sum())
        if not rows:
            return cls(0, np.zeros(columns), np.zeros(columns), np.zeros((columns, columns)))
        # A constant column has variance 0, not what rounding its mean leaves.
        moved = numbers - numbers[0]
        offset = moved.mean(axis=0) if counts is None else counts @ moved / many
        centred = moved - offset
        weighted = centred if counts is None else centred * counts[:, None]
        return cls(many, numbers[0], offset, weighted.T @ centred)

    @property
    def mean(self) -> Floats:
        """Mean of the records."""
        return self.origin + self.offset

    def merged(self, other: MomentSums) -> MomentSums:
        """Return the sums of both."""
        if not self.records or not other.records:
            return self if self.records else other
        many = self.records + other.records
        apart = (other.origin - self.origin) + (other.offset - self.offset)
        products = self.products + other.products
        products = products + np.outer(apart, apart) * (self.records / many * other.records)
        return MomentSums(many, self.origin, self.offset + apart * (other.records / many), products)
