"""What makes an array a table of probabilities, and the faults it can have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.labels import Domain, place

SUM_TOLERANCE = 1e-9


def as_numbers(table: Any, what: str) -> NDArray[np.float64]:
    """Return a float64 array in C order, or raise TableError for ragged or non-numeric input."""
    try:
        raw = np.asarray(table)
        if raw.dtype.kind not in "biufO":
            raise TypeError
        numbers = np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The {what} is not an array of numbers; give nested lists or an array with one axis for each tuple.",
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
    for bad, demand in ((~np.isfinite(numbers), "must be a finite number"), (numbers < 0, "must not be negative")):
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
        raise TableError(
            f"The probabilities sum to {total:.12g}; they must sum to 1 within {SUM_TOLERANCE:g}. "
            "JointDistribution.normalised divides weights by their sum.",
            Where("table"),
        )
