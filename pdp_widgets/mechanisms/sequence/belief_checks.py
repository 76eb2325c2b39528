"""Given beliefs, symbols and uniform numbers, checked, and symbols drawn from rows by such numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import array_of, plain_numbers, refuse_masked
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.labels import shown

__all__ = ["SMALLEST", "as_belief", "as_beliefs", "as_symbols", "as_uniforms", "drawn"]

#: Beliefs below this are zero: smaller floats have lost digits, and ratios of them say nothing.
SMALLEST = 2.3e-308

_BELIEF = Where("parameter", name="belief")


def as_beliefs(beliefs: Any) -> NDArray[np.float64]:
    """Return beliefs over n symbols, shape (..., n); sums, which may be off by 1e-8, become 1."""
    refuse_masked(beliefs, "belief")
    try:
        found = plain_numbers(beliefs)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The belief is {shown(beliefs)}; give one probability for each symbol.", _BELIEF
        ) from None
    if found.ndim == 0 or found.shape[-1] == 0:
        raise TableError("The belief has no symbol; give one probability for each.", _BELIEF)
    with np.errstate(over="ignore"):
        sums = found.sum(axis=-1, keepdims=True)
    # NaN fails both comparisons.
    if not (bool((found >= 0).all()) and bool((np.abs(sums - 1) <= 1e-8).all())):
        _refuse(found, sums[..., 0])
    found /= sums
    found[found < SMALLEST] = 0.0
    return found


def _refuse(found: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise TableError(
            f"The belief in symbol {index[-1]} is {found[index]:.12g}; it must be a probability, 0 to 1.",
            Where("cell", index=index, name="belief"),
        )
    off = np.abs(sums - 1) > 1e-8
    place = tuple(int(i) for i in np.argwhere(off)[0]) if sums.ndim else ()
    which = f" of user {place[0]}" if len(place) == 1 else ""
    raise TableError(f"The belief{which} sums to {sums[place]:.12g}; it must sum to 1.", _BELIEF)


def as_belief(belief: Any) -> NDArray[np.float64]:
    """Return one belief over n symbols, shape (n,), or raise TableError."""
    found = as_beliefs(belief)
    if found.ndim != 1:
        raise TableError(
            f"The belief has the shape {found.shape}; give one list with a probability for each symbol.",
            _BELIEF,
        )
    return found


def as_symbols(symbols: Any, users: int, n: int, name: str = "symbols") -> NDArray[np.int64]:
    """Return one symbol for each user, or raise DomainError naming the first wrong one."""
    where = Where("parameter", name=name)
    refuse_masked(symbols, name)
    found = array_of(symbols)
    if found.dtype.kind not in "iu" or found.shape != (users,):
        raise DomainError(
            f"The {name} are an array of {found.dtype} with the shape {found.shape}; "
            f"give {users:,} whole numbers, one for each belief.",
            where,
        )
    wrong = (found < 0) | (found >= n)
    if wrong.any():
        user = int(np.argmax(wrong))
        raise DomainError(
            f"{name[:-1].capitalize()} {user:,} is {int(found[user])}; it must be 0 to {n - 1:,}.", where
        )
    return found.astype(np.int64)


def as_uniforms(uniforms: Any, users: int) -> NDArray[np.float64]:
    """Return one number in [0, 1) for each user, or raise TableError."""
    where = Where("parameter", name="uniforms")
    refuse_masked(uniforms, "uniforms")
    try:
        found = plain_numbers(uniforms)
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if found.shape != (users,) or not bool(((found >= 0) & (found < 1)).all()):
        raise TableError(f"The uniforms must be {users:,} numbers, at least 0 and below 1.", where)
    return found


def drawn(rows: NDArray[np.float64], uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the symbol that each uniform number falls on; rows: their probabilities, or proportions."""
    # A symbol of probability 0 is never drawn: the running sum is divided by its last value, so that it is
    # exactly 1 from the last possible symbol on.
    sums = np.cumsum(rows, axis=1)
    sums /= sums[:, -1:]
    # The last column is 1 and never counted.
    counted: NDArray[np.int64] = np.sum(sums[:, :-1] <= uniforms[:, None], axis=1, dtype=np.int64)
    return counted
