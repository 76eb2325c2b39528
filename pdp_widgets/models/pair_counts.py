"""The contingency tables of all pairs of attributes, in one pass over the records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import shown

__all__ = ["PairCounts", "count_packed", "count_pairs", "laid_out", "packed_labels"]

#: Half a gigabyte of whole numbers.
_MOST_SYMBOLS = 8192
#: Pairs with more cells are counted by their combined code, the others by common bits.
_FEW_CELLS = 128
#: Cells of one step: what stays in the cache of a processor.
_STEP = 1 << 16
#: Labels of an attribute that are looked for in turn.
_LOOKED_FOR = 8


class PairCounts(Immutable):
    """How many records have each pair of labels, for all pairs of attributes.

    Parameters
    ----------
    table
        Symmetric whole numbers, shape (K, K), where K is the number of labels of all attributes together.
    sizes
        Number of labels of every attribute.

    Notes
    -----
    A record counts for a pair of attributes if neither is missing.

    Examples
    --------
    >>> codes = np.array([[0, 0], [0, 1], [1, 1], [1, -1]])
    >>> pairs = count_pairs(codes, [2, 2])
    >>> pairs.counts(0, 1).tolist()
    [[1, 1], [0, 1]]
    >>> pairs.marginal(0).tolist()
    [2, 2]
    """

    __slots__ = ("_offsets", "_sizes", "_table")

    _table: NDArray[np.int64]
    _sizes: tuple[int, ...]
    _offsets: tuple[int, ...]

    def __init__(self, table: NDArray[np.int64], sizes: Sequence[int]) -> None:
        self._begin()
        own = np.array(table, dtype=np.int64)
        own.setflags(write=False)
        object.__setattr__(self, "_table", own)
        object.__setattr__(self, "_sizes", tuple(int(size) for size in sizes))
        object.__setattr__(self, "_offsets", (0, *(int(x) for x in np.cumsum(self._sizes))))

    @property
    def table(self) -> NDArray[np.int64]:
        """All counts, shape (K, K), read-only; blocks in the order of the attributes."""
        return self._table

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of labels of every attribute."""
        return self._sizes

    def labels(self, attribute: int) -> slice:
        """Return where the labels of an attribute stand in the table."""
        if not is_whole(attribute) or not 0 <= attribute < len(self._sizes):
            raise DomainError(
                f"There is no attribute {shown(attribute)}; positions run from 0 to {len(self._sizes) - 1}.",
                Where("parameter", name="attribute"),
            )
        return slice(self._offsets[attribute], self._offsets[attribute + 1])

    def counts(self, rows: int, columns: int) -> NDArray[np.int64]:
        """Return the contingency table of two attributes given by position, read-only."""
        return self._table[self.labels(rows), self.labels(columns)]

    def marginal(self, attribute: int) -> NDArray[np.int64]:
        """Return how many records have each label of an attribute."""
        return self.counts(attribute, attribute).diagonal()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairCounts):
            return NotImplemented
        return self._sizes == other._sizes and bool(np.array_equal(self._table, other._table))

    def __hash__(self) -> int:
        return hash((self._sizes, self._table.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return PairCounts, (self._table, self._sizes)

    def __repr__(self) -> str:
        return f"PairCounts({len(self._sizes)} attributes, {len(self._table)} labels)"


def count_pairs(codes: NDArray[np.signedinteger[Any]], sizes: Sequence[int]) -> PairCounts:
    """Return the contingency tables of all pairs of columns, exactly."""
    # Pairs of few labels are counted as common bits of packed columns, pairs of many by combined codes.
    total = sum(sizes)
    if total > _MOST_SYMBOLS:
        raise LimitError(
            f"The attributes have {total:,} labels together, and pairs are counted for at most "
            f"{_MOST_SYMBOLS:,}. Choose fewer attributes, or put numbers into bins.",
            Where("parameter", name="attributes"),
        )
    # In ascending order of size, the partners that are counted by bits stand side by side.
    order = sorted(range(len(sizes)), key=lambda a: sizes[a])
    ordered = [sizes[a] for a in order]
    starts = [0, *(int(x) for x in np.cumsum(ordered))]
    table = np.zeros((total, total), np.int64)
    packed = _packed_columns(codes, order, sizes)
    marginals = np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
    wide: dict[int, NDArray[np.int64]] = {}
    for place, attribute in enumerate(order):
        low, high = starts[place], starts[place + 1]
        stop = place + 1
        while stop < len(order) and ordered[place] * ordered[stop] <= _FEW_CELLS:
            stop += 1
        _count_bits(packed, slice(low, high), slice(high, starts[stop]), table)
        for other in range(stop, len(order)):
            for column in (attribute, order[other]):
                if column not in wide:
                    wide[column] = codes[:, column].astype(np.int64) + 1
            block = _combined(wide[attribute], wide[order[other]], ordered[place], ordered[other])
            table[low:high, starts[other] : starts[other + 1]] = block
    table += table.T
    np.fill_diagonal(table, marginals)
    back = np.concatenate(
        [np.arange(starts[order.index(a)], starts[order.index(a) + 1]) for a in range(len(sizes))]
    )
    return PairCounts(table[np.ix_(back, back)], sizes)


def laid_out(table: NDArray[np.int64], places: Iterable[NDArray[np.int64]], sizes: Sequence[int]) -> Any:
    """Return a table of all pairs with the labels of every attribute at other places."""
    begins = np.cumsum([0, *sizes[:-1]])
    at = np.concatenate([begin + place for begin, place in zip(begins, places, strict=True)])
    found = np.zeros((sum(sizes),) * 2, np.int64)
    found[np.ix_(at, at)] = table
    return found


def packed_labels(
    arrays: Sequence[NDArray[Any] | None], labels: Sequence[Sequence[Any]]
) -> NDArray[np.uint64] | None:
    """Return which records have each label but the last of an attribute, a bit for each; None if in doubt."""
    # Only few labels, all of them known, are looked for one by one.
    first = arrays[0]
    if first is None or not all(0 < len(known) <= _LOOKED_FOR for known in labels):
        return None
    rows = []
    for array, known in zip(arrays, labels, strict=True):
        # For Python true is 1, and no label of such a column.
        if (
            array is None
            or len(array) != len(first)
            or (array.dtype.kind == "b") != isinstance(known[0], bool)
        ):
            return None
        have = [array == label for label in known]
        if sum(map(np.count_nonzero, have)) != len(array):
            return None
        rows += [np.packbits(one) for one in have[:-1]]
    packed = np.zeros((len(rows), 8 * -(-len(first) // 64)), np.uint8)
    for row, bits in enumerate(rows):
        packed[row, : bits.size] = bits
    return packed.view(np.uint64)


def count_packed(packed: NDArray[np.uint64], sizes: Sequence[int], records: int) -> NDArray[np.int64]:
    """Return the tables of all pairs of attributes without missing values, as one table.

    ``packed`` has a row of bits for every label of an attribute but its last one, which all others have.
    """
    kept = len(packed)
    gram = np.zeros((kept + 1, kept + 1), np.int64)
    for row in range(kept - 1):
        _count_bits(packed, slice(row, row + 1), slice(row + 1, kept), gram)
    gram[:kept, kept] = marginals = np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
    gram += gram.T
    np.fill_diagonal(gram, [*marginals, records])
    # Who has the last label is counted by all records less those of the other labels.
    labels = np.zeros((sum(sizes), kept + 1), np.int64)
    row = column = 0
    for size in sizes:
        last = row + size - 1
        others = np.arange(size - 1)
        labels[row + others, column + others] = 1
        labels[last, column + others], labels[last, kept] = -1, 1
        row, column = row + size, column + size - 1
    return labels @ gram @ labels.T


def _packed_columns(
    codes: NDArray[np.signedinteger[Any]], order: Sequence[int], sizes: Sequence[int]
) -> NDArray[np.uint64]:
    """Return one row of bits for every label: which records have it."""
    width = -(-len(codes) // 64)
    packed = np.zeros((sum(sizes), 8 * width), np.uint8)
    row = 0
    for attribute in order:
        column = np.ascontiguousarray(codes[:, attribute])
        for label in range(sizes[attribute]):
            bits = np.packbits(column == label)
            packed[row, : bits.size] = bits
            row += 1
    return packed.view(np.uint64)


def _count_bits(packed: NDArray[np.uint64], rows: slice, columns: slice, table: NDArray[np.int64]) -> None:
    """Add the numbers of common bits of some rows with some others, both of them rows of ``packed``."""
    many = (rows.stop - rows.start) * (columns.stop - columns.start)
    if not many:
        return
    step = max(64, _STEP // many)
    target = table[rows, columns]
    for start in range(0, packed.shape[1], step):
        words = slice(start, start + step)
        common = packed[rows, None, words] & packed[None, columns, words]
        target += np.bitwise_count(common).sum(axis=2, dtype=np.int64)


def _combined(a: NDArray[np.int64], b: NDArray[np.int64], size: int, other: int) -> NDArray[np.int64]:
    """Return the table of two columns whose codes are raised by 1, so that 0 is missing."""
    counts = np.bincount(a * (other + 1) + b, minlength=(size + 1) * (other + 1))
    return counts.reshape(size + 1, other + 1)[1:, 1:]
