"""Checked parameters of local mechanisms: how many symbols and reports there are, and codes of symbols."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import MOST_EXACT, as_size
from pdp_widgets.core.converters import refuse_masked
from pdp_widgets.errors import DomainError, TableError, Where

__all__ = [
    "as_alphabet_size",
    "as_codes",
    "as_count",
]


def as_alphabet_size(k: Any) -> int:
    """Return a number of symbols, at least 1, or raise DomainError."""
    return as_size(k, "k", 1, MOST_EXACT, DomainError, "The number of symbols k")


def as_count(n: Any) -> int:
    """Return a number of reports, at least 1, or raise TableError."""
    return as_size(n, "n", 1, MOST_EXACT, TableError, "The number of reports n")


def as_codes(codes: Any, k: int) -> NDArray[np.int64]:
    """Return symbols as whole numbers 0 to k - 1, shape (n,), or raise DomainError."""
    where = Where("parameter", name="codes")
    refuse_masked(codes, "codes")
    try:
        found = np.asarray(codes)
    except (ValueError, OverflowError):
        raise DomainError(
            "The codes are no list of whole numbers; give one for each person.", where
        ) from None
    if found.ndim != 1:
        raise DomainError(
            f"The codes have {found.ndim} axes; give a list with one code for each person.", where
        )
    if found.size and found.dtype.kind not in "iu":
        raise DomainError(
            f"The codes are {found.dtype} values; give whole numbers from 0 to {k - 1:,}.", where
        )
    wrong = (found < 0) | (found >= k)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DomainError(
            f"Code {row:,} is {int(found[row])}; a code is a whole number from 0 to {k - 1:,}"
            f"{', and missing values cannot be reported' if found[row] == -1 else ''}.",
            where,
        )
    return found.astype(np.int64)
