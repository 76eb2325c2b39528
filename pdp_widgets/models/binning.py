"""Numbers put into bins, so that a column of numbers becomes an attribute with a few labels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.checks import plain_number
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import refuse_set, shown

__all__ = ["Bins"]

_MOST_BINS = 1000
_LARGEST = float(np.finfo(np.float64).max)
_TINY = 1e-300
#: Below it numbers may be years and have no commas; 9999.5 is the first that rounds to it.
_TEN_THOUSAND = 9999.5
#: Numbers as large as this have exponents.
_LONG = 1e15


def _numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    refuse_masked(values, "values")
    try:
        found = plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        raise DomainError(
            f"{what} are {shown(values)}; bins are for numbers.", Where("parameter", name="values")
        ) from None
    if found.ndim != 1:
        raise DomainError(
            f"{what} have {found.ndim} axes; give a list of numbers.", Where("parameter", name="values")
        )
    return found


def _known(values: ArrayLike) -> NDArray[np.float64]:
    """Return the values that are not missing, or raise DomainError where no bins can be found from them."""
    found = _numbers(values, "The values")
    known = found[~np.isnan(found)]
    if not known.size:
        raise DomainError("There is no value to find bins from.", Where("parameter", name="values"))
    if not np.isfinite(known).all():
        raise DomainError(
            "A value is infinite; bins between infinite values need edges of their own.",
            Where("parameter", name="values"),
        )
    return known


def _how_many(bins: Any) -> int:
    return as_size(bins, "bins", 1, _MOST_BINS, DomainError, "The number of bins")


def _written(edges: tuple[float, ...], digits: int) -> list[str]:
    """Return edges with so many digits, whole numbers in full; with commas where one has five digits."""
    grouped = any(_TEN_THOUSAND <= abs(edge) < _LONG for edge in edges)
    found = []
    for edge in edges:
        text = f"{edge:.{digits}g}"
        if grouped and 1000 <= abs(edge) < _LONG:
            text = f"{edge:,.{max(0, digits - len(f'{abs(edge):.0f}'))}f}"
            text = text.rstrip("0").rstrip(".") if "." in text else text
        found.append(text)
    return found


class Bins(Immutable):
    """Bins between edges; the outermost edges belong to the outermost bins.

    Parameters
    ----------
    edges
        At least two numbers in ascending order; the first may be -inf and the last inf.
    closed
        Which edge belongs to a bin: ``"right"``, as in pandas.cut, or ``"left"``.

    Raises
    ------
    DomainError
        There are fewer than two edges, they do not ascend, or one is no number.

    Examples
    --------
    >>> bins = Bins([0, 10, 20, 30])
    >>> bins.labels
    ('[0, 10]', '(10, 20]', '(20, 30]')
    >>> bins.codes([0, 10, 10.5, 30, float("nan")]).tolist()
    [0, 0, 1, 2, -1]
    """

    __slots__ = ("_closed", "_edges")

    _edges: tuple[float, ...]
    _closed: Literal["left", "right"]

    def __init__(self, edges: Iterable[float], closed: Literal["left", "right"] = "right") -> None:
        self._begin()
        where = Where("parameter", name="edges")
        refuse_set(edges, "The edges", "edges")
        if not isinstance(closed, str) or closed not in ("left", "right"):
            raise DomainError(
                f"The closed side is {shown(closed)}; give 'left' or 'right'.",
                Where("parameter", name="closed"),
            )
        refuse_masked(edges, "edges")
        try:
            if isinstance(edges, str | bytes):
                raise TypeError
            found = [plain_number(edge) for edge in edges]
        except (TypeError, ValueError, OverflowError):
            raise DomainError(
                f"The edges are {shown(edges)}; give at least two numbers in ascending order.", where
            ) from None
        if len(found) < 2:
            raise DomainError(f"There are {len(found)} edges; give at least two, in ascending order.", where)
        for low, high in pairwise(found):
            if not low < high:
                raise DomainError(f"Edge {high:.12g} follows {low:.12g}; edges must ascend.", where)
        if len(found) > _MOST_BINS + 1:
            raise DomainError(f"There are {len(found):,} edges; at most {_MOST_BINS + 1:,} are taken.", where)
        object.__setattr__(self, "_edges", tuple(found))
        object.__setattr__(self, "_closed", closed)

    @classmethod
    def equal_width(cls, values: ArrayLike, bins: int, closed: Literal["left", "right"] = "right") -> Bins:
        """Return bins of equal width from the smallest to the largest value.

        Parameters
        ----------
        values
            Numbers; nan is passed over.
        bins
            How many.
        closed
            Which edge belongs to a bin.

        Examples
        --------
        >>> Bins.equal_width([17, 90, 30], 2).edges
        (17.0, 53.5, 90.0)
        """
        known = _known(values)
        low, high = float(known.min()), float(known.max())
        number = _how_many(bins)
        if low == high:
            # As pandas.cut: a little room around the only value.
            room = 0.001 * abs(low) if abs(low) > _TINY else 0.001
            low, high = max(low - room, -_LARGEST), min(high + room, _LARGEST)
        # Half of it: the distance between the largest numbers of both signs is none.
        scale = 2.0 if high - low > _LARGEST else 1.0
        edges = scale * np.linspace(low / scale, high / scale, number + 1)
        if not (np.diff(edges / scale) > 0).all():
            raise DomainError(
                f"The values from {low:.17g} to {high:.17g} are too close for {number:,} bins; take fewer.",
                Where("parameter", name="bins"),
            )
        return cls(edges.tolist(), closed)

    @classmethod
    def quantiles(cls, values: ArrayLike, bins: int, closed: Literal["left", "right"] = "right") -> Bins:
        """Return bins with about equally many values each; fewer where many values are equal.

        Parameters are those of `equal_width`.

        Examples
        --------
        >>> Bins.quantiles([1, 2, 3, 4, 100], 2).edges
        (1.0, 3.0, 100.0)
        """
        known = _known(values)
        scale = 2.0 if float(known.max()) / 2 - float(known.min()) / 2 > _LARGEST / 2 else 1.0
        edges = scale * np.unique(np.quantile(known / scale, np.linspace(0, 1, _how_many(bins) + 1)))
        if edges.size < 2:
            return cls.equal_width(known, 1, closed)
        return cls(edges.tolist(), closed)

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges, one more than there are bins."""
        return self._edges

    @property
    def closed(self) -> Literal["left", "right"]:
        """Which edge belongs to a bin."""
        return self._closed

    def __len__(self) -> int:
        return len(self._edges) - 1

    @property
    def labels(self) -> tuple[str, ...]:
        """The bins in words, with as few digits as keep the edges apart.

        Examples
        --------
        >>> Bins([9100, 12200, 1.5e6]).labels
        ('[9,100, 12,200]', '(12,200, 1,500,000]')
        >>> Bins([1900, 1950, 2000]).labels
        ('[1900, 1950]', '(1950, 2000]')
        """
        shown_edges: list[str] = []
        for digits in range(4, 18):
            shown_edges = _written(self._edges, digits)
            if len(set(shown_edges)) == len(shown_edges):
                break
        found = []
        for place, (low, high) in enumerate(pairwise(shown_edges)):
            right = self._closed == "right"
            left = "[" if not right or place == 0 else "("
            end = "]" if right or place == len(self) - 1 else ")"
            found.append(f"{left}{low}, {high}{end}")
        return tuple(found)

    def codes(self, values: ArrayLike) -> NDArray[np.int64]:
        """Return the bin of every value, -1 for nan.

        Raises
        ------
        DomainError
            A value lies outside the edges.

        Examples
        --------
        >>> Bins([18, 40, 65]).codes([20, 40, 60, float("nan")]).tolist()
        [0, 0, 1, -1]
        """
        found = _numbers(values, "The values")
        missing = np.isnan(found)
        outside = ~missing & ~((found >= self._edges[0]) & (found <= self._edges[-1]))
        if outside.any():
            row = int(np.argmax(outside))
            raise DomainError(
                f"The value of row {row:,} is {found[row]:.12g}, outside the bins; they go from "
                f"{self._edges[0]:.12g} to {self._edges[-1]:.12g}.",
                Where("parameter", name="values"),
            )
        inner = np.array(self._edges[1:-1])
        codes = np.searchsorted(inner, found, side="left" if self._closed == "right" else "right")
        return np.where(missing, -1, codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bins):
            return NotImplemented
        return self._edges == other._edges and self._closed == other._closed

    def __hash__(self) -> int:
        return hash((self._edges, self._closed))

    def __reduce__(self) -> tuple[Any, ...]:
        return Bins, (self._edges, self._closed)

    def __repr__(self) -> str:
        edges = ", ".join(f"{edge:g}" for edge in self._edges[:6])
        more = ", ..." if len(self._edges) > 6 else ""
        return f"Bins([{edges}{more}], closed={self._closed!r})"
