"""What makes an array a table of probabilities, and the faults it can have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import LimitError, TableError, Where
from pdp_widgets.models.labels import Domain, as_domains, as_names, listed_domains, place, shown

__all__ = [
    "MOST_AXES",
    "MOST_CELLS",
    "SUM_TOLERANCE",
    "as_counts",
    "as_numbers",
    "check_cells",
    "check_described",
    "check_entries",
    "check_shape",
    "check_sum",
    "product_of",
]

SUM_TOLERANCE = 1e-9
#: numpy's own limit.
MOST_AXES = 64
#: Half a gigabyte of float64.
MOST_CELLS = 1 << 26
_MOST_RECORDS = 2.0**62


def check_cells(sizes: Sequence[int], what: str, most: int = MOST_CELLS) -> None:
    """Raise LimitError before a table is made that has too many axes or cells."""
    if len(sizes) > MOST_AXES:
        raise LimitError(
            f"{what} would have {len(sizes)} axes, one for each tuple; an array has at most {MOST_AXES}.",
            Where("table"),
        )
    size = prod(sizes)
    if size > most:
        raise LimitError(
            f"{what} would have {size:,} cells ({size * 8 / 1e9:,.1f} GB); at most {most:,} are made. "
            "Take fewer tuples or labels.",
            Where("table"),
        )


def is_records(table: Any) -> bool:
    """Tell whether something is a data frame of records, no contingency table with labels on its sides."""
    if hasattr(table, "iloc") and hasattr(table, "columns"):
        # What pandas numbers by itself are rows; pivot and crosstab put labels there.
        return type(table.index).__name__ == "RangeIndex"
    if hasattr(table, "collect_schema"):
        return True
    return hasattr(table, "column_names") or (hasattr(table, "columns") and hasattr(table, "get_column"))


def refuse_records(table: Any) -> None:
    """Raise TableError for a data frame of records: its rows are no axis of a table."""
    if is_records(table):
        raise TableError(
            f"A {type(table).__name__} of records is not an array with one axis for each tuple; use "
            "JointDistribution.from_dataframe (a contingency table is given as frame.to_numpy()).",
            Where("table"),
        )


def as_numbers(table: Any, what: str) -> NDArray[np.float64]:
    """Return a float64 array in C order, or raise TableError for ragged or non-numeric input."""
    refuse_masked(table, what)
    try:
        numbers = plain_numbers(table)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The {what} is not an array of numbers; it needs one axis for each tuple.",
            Where("table"),
        ) from None
    if numbers.ndim == 0:
        raise TableError(f"The {what} is a single number; it needs one axis for each tuple.", Where("table"))
    return numbers


def check_shape(shape: Sequence[int], domains: Sequence[Domain], names: Sequence[str]) -> None:
    """Raise TableError unless axis j of the table has one entry for each label of domain j."""
    wanted = tuple(len(domain) for domain in domains)
    if tuple(shape) == wanted:
        return
    if len(shape) != len(wanted):
        raise TableError(
            f"The table has {len(shape)} axes and there are {len(wanted)} domains; "
            "each tuple needs one axis and one domain.",
            Where("table"),
        )
    axis = next(j for j, (have, want) in enumerate(zip(shape, wanted, strict=True)) if have != want)
    raise TableError(
        f"The table has {shape[axis]} entries along {names[axis]}, whose domain has {wanted[axis]} labels; "
        f"its shape must be {wanted}.",
        Where("axis", axis=axis),
    )


def check_entries(
    numbers: NDArray[np.float64], domains: Sequence[Domain], names: Sequence[str], noun: str
) -> None:
    """Raise TableError at the first entry that is not finite, then at the first negative one."""
    for bad, demand in (
        (~np.isfinite(numbers), "must be a finite number"),
        (numbers < 0, "must not be negative"),
    ):
        if bad.any():
            index = tuple(int(p) for p in np.unravel_index(int(np.argmax(bad)), numbers.shape))
            raise TableError(
                f"The {noun} of ({place(names, domains, index)}) is {numbers[index]:.12g}; it {demand}.",
                Where("cell", index=index),
            )


def check_sum(numbers: NDArray[np.float64]) -> None:
    """Raise TableError unless the entries sum to 1 within 1e-9."""
    # Entries may be huge before this check; the sum is reported, so it may be inf but never a warning.
    with np.errstate(over="ignore"):
        total = float(numbers.sum())
    if not abs(total - 1) <= SUM_TOLERANCE:
        counted = total > 1 and bool((numbers == np.floor(numbers)).all())
        instead = (
            "from_counts takes counts of records" if counted else "normalised divides weights by their sum"
        )
        raise TableError(
            f"The probabilities sum to {total:.12g}; they must sum to 1 within {SUM_TOLERANCE:g}. "
            f"JointDistribution.{instead}.",
            Where("table"),
        )


def check_described(
    numbers: NDArray[np.float64],
    domains: Iterable[Iterable[Any]] | None,
    names: Iterable[str] | None,
    noun: str,
) -> tuple[tuple[Domain, ...], tuple[str, ...]]:
    """Return the domains and names of a table after checking them, its shape and its entries."""
    given = None if domains is None else listed_domains(domains)
    checked_names = as_names(names, numbers.ndim if given is None else len(given))
    checked_domains = as_domains(given, numbers.shape, checked_names)
    check_shape(numbers.shape, checked_domains, checked_names)
    check_entries(numbers, checked_domains, checked_names, noun)
    return checked_domains, checked_names


def as_counts(
    numbers: NDArray[np.float64], domains: Sequence[Domain], names: Sequence[str]
) -> NDArray[np.int64]:
    """Return counts as integers, or raise TableError where one is not whole or all are 0."""
    odd = (numbers != np.floor(numbers)) | (numbers > 2**53)
    if odd.any():
        index = tuple(int(p) for p in np.unravel_index(int(np.argmax(odd)), numbers.shape))
        raise TableError(
            f"The count of ({place(names, domains, index)}) is {numbers[index]:.12g}; "
            "a count is a whole number up to 2^53.",
            Where("cell", index=index),
        )
    if not numbers.any():
        raise TableError("All counts are 0; at least one must be positive.", Where("table"))
    total = float(numbers.sum())
    if total > _MOST_RECORDS:
        raise TableError(
            f"The counts sum to {total:.4g}; they are kept exactly up to 2^62 records.", Where("table")
        )
    return numbers.astype(np.int64)


def product_of(marginals: Iterable[ArrayLike]) -> NDArray[np.float64]:
    """Return the outer product of marginals, or raise TableError where one is not a distribution."""
    if isinstance(marginals, str | bytes | set | frozenset) or not isinstance(marginals, Iterable):
        raise TableError(
            f"The marginals are {shown(marginals)}; give one list of probabilities for each tuple.",
            Where("parameter", name="marginals"),
        )
    factors: list[NDArray[np.float64]] = []
    for axis, given in enumerate(marginals):
        factor = as_numbers(given, f"marginal of tuple {axis}")
        where = Where("axis", axis=axis)
        if factor.ndim != 1 or not np.isfinite(factor).all() or (factor < 0).any():
            raise TableError(
                f"The marginal of tuple {axis} is not a list of probabilities; "
                "it needs finite numbers, 0 or more.",
                where,
            )
        with np.errstate(over="ignore"):
            total = float(factor.sum())
        if not abs(total - 1) <= SUM_TOLERANCE:
            raise TableError(f"The marginal of tuple {axis} sums to {total:.12g}; it must sum to 1.", where)
        factors.append(factor)
    if not factors:
        raise TableError(
            "There are no marginals; give one list of probabilities for each tuple.", Where("table")
        )
    check_cells([factor.size for factor in factors], "The product of the marginals")
    numbers = factors[0]
    for factor in factors[1:]:
        numbers = np.multiply.outer(numbers, factor)
    return numbers
