"""What people send: their randomised reports, what these support, and what is guessed from each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import LimitError, Where

__all__ = [
    "BitReports",
    "HashedReports",
    "NoisyReports",
    "Reports",
    "SetReports",
    "SymbolReports",
    "check_room",
    "hashed",
    "row_blocks",
]

#: Cells that are worked on at a time: a few ten megabytes.
_BLOCK = 1 << 22


#: Bytes of all reports together.
_MOST_BYTES = 4_000_000_000


def check_room(reports: int, numbers: int, size: int) -> None:
    """Raise LimitError for reports that would take more than 4 GB."""
    if reports * numbers * size > _MOST_BYTES:
        raise LimitError(
            f"{reports:,} report{'s'[: reports != 1]} of {numbers:,} numbers would take "
            f"{reports * numbers * size / 1e9:,.1f} GB; at most {_MOST_BYTES / 1e9:.0f} GB are made. Take "
            "fewer symbols or people, or hashes of symbols (OLH).",
            Where("parameter", name="k"),
        )


def row_blocks(rows: int, width: int) -> Iterator[slice]:
    """Yield slices of rows, each with a bounded number of cells."""
    step = max(1, _BLOCK // max(width, 1))
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def hashed(seeds: NDArray[np.uint64], symbols: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
    """Return the groups, 0 to ``groups`` - 1, of symbols under hash functions with these seeds, broadcast."""
    # The symbols of one seed are the successive numbers of a SplitMix64 generator: all are spread
    # independently.
    # Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
    with np.errstate(over="ignore"):
        z = seeds + (symbols.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    found = np.empty(z.shape, np.int64)
    np.remainder(z, np.uint64(groups), out=found, casting="unsafe")
    return found


def _one_of(candidates: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return one candidate of every row, drawn uniformly; any symbol where there is none."""
    many = candidates.sum(axis=1)
    drawn = np.floor(rng.random(len(candidates)) * np.where(many, many, candidates.shape[1])).astype(np.int64)
    place = np.cumsum(candidates, axis=1) > drawn[:, None]
    return np.asarray(np.where(many > 0, np.argmax(place, axis=1), drawn))


@dataclass(frozen=True, eq=False)
class Reports(ABC):
    """Reports of n people about one attribute.

    Parameters
    ----------
    values
        One report in every row; made read-only.
    k
        Number of symbols of the attribute.
    """

    values: NDArray[np.generic]
    k: int

    def __post_init__(self) -> None:
        self.values.setflags(write=False)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def n(self) -> int:
        """Number of reports."""
        return len(self.values)

    @abstractmethod
    def support_counts(self) -> NDArray[np.generic]:
        """Return how many reports support each symbol, shape (k,)."""

    @abstractmethod
    def _guess(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the symbol guessed from every report."""

    def inferred(self, rng: np.random.Generator | int | None = None) -> NDArray[np.int64]:
        """Return the symbol that is guessed from every report, shape (n,).

        Parameters
        ----------
        rng
            Generator or seed for guesses among equally likely symbols; without it fresh randomness.
        """
        return self._guess(as_generator(rng))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n:,} reports, k={self.k})"


class SymbolReports(Reports):
    """Each report is one symbol: it supports that symbol, and that is the guess.

    Examples
    --------
    >>> SymbolReports(np.array([0, 2, 2]), 3).support_counts().tolist()
    [1, 0, 2]
    """

    values: NDArray[np.int64]

    def support_counts(self) -> NDArray[np.int64]:
        """Return how many reports are each symbol."""
        return np.bincount(self.values, minlength=self.k).astype(np.int64)

    def _guess(self, rng: np.random.Generator) -> NDArray[np.int64]:
        return self.values.copy()


class BitReports(Reports):
    """Each report has one bit for every symbol: it supports those whose bit is set.

    Examples
    --------
    >>> BitReports(np.array([[True, False], [True, True]]), 2).support_counts().tolist()
    [2, 1]
    """

    values: NDArray[np.bool_]

    def support_counts(self) -> NDArray[np.int64]:
        """Return in how many reports each bit is set."""
        counts: NDArray[np.int64] = self.values.sum(axis=0, dtype=np.int64)
        return counts

    def _guess(self, rng: np.random.Generator) -> NDArray[np.int64]:
        blocks = [_one_of(self.values[rows], rng) for rows in row_blocks(self.n, self.k)]
        return np.concatenate(blocks) if blocks else np.zeros(0, np.int64)


class SetReports(Reports):
    """Each report is a set of symbols, in ascending order: it supports its members.

    Examples
    --------
    >>> SetReports(np.array([[0, 2], [1, 2]]), 3).support_counts().tolist()
    [1, 1, 2]
    """

    values: NDArray[np.int64]

    def support_counts(self) -> NDArray[np.int64]:
        """Return how many sets hold each symbol."""
        return np.bincount(self.values.ravel(), minlength=self.k).astype(np.int64)

    def _guess(self, rng: np.random.Generator) -> NDArray[np.int64]:
        drawn = rng.integers(0, self.values.shape[1], self.n)
        return self.values[np.arange(self.n), drawn]


class NoisyReports(Reports):
    """Each report has one noisy number for every symbol; the guess is the largest.

    Numbers above 1 are equally likely to be the true symbol's, and so are those below 0 to be another's; the
    largest number is one of the best guesses.
    """

    values: NDArray[np.float64]

    def support_counts(self) -> NDArray[np.float64]:
        """Return the sum of the numbers of each symbol: the counts with noise."""
        return np.asarray(self.values.sum(axis=0))

    def _guess(self, rng: np.random.Generator) -> NDArray[np.int64]:
        # With infinite noise there are ties, and they say nothing.
        blocks = [
            _one_of(block == block.max(axis=1, keepdims=True), rng)
            for block in (self.values[rows] for rows in row_blocks(self.n, self.k))
        ]
        return np.concatenate(blocks) if blocks else np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class HashedReports(Reports):
    """Each report is a hash function and one of its groups: it supports the symbols that fall into the group.

    Parameters
    ----------
    values
        The reported groups.
    k
        Number of symbols.
    seeds
        One hash function for every report.
    groups
        Number of groups of a hash function.
    """

    values: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    groups: int

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seeds.setflags(write=False)

    def _supported(self, rows: slice) -> NDArray[np.bool_]:
        found = hashed(self.seeds[rows, None], np.arange(self.k), self.groups)
        return np.asarray(found == self.values[rows, None])

    def support_counts(self) -> NDArray[np.int64]:
        """Return how many reported groups hold each symbol."""
        counts = np.zeros(self.k, np.int64)
        for rows in row_blocks(self.n, self.k):
            counts += self._supported(rows).sum(axis=0)
        return counts

    def _guess(self, rng: np.random.Generator) -> NDArray[np.int64]:
        blocks = [_one_of(self._supported(rows), rng) for rows in row_blocks(self.n, self.k)]
        return np.concatenate(blocks) if blocks else np.zeros(0, np.int64)
