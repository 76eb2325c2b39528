"""What counts as a number where one is due, and as a seed of random numbers.

Python and numpy read text and points in time as numbers: "1" becomes 1.0, a day its distance from 1970. Both
are slips where a scale, a weight or a probability is due.
"""

from __future__ import annotations

import datetime
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.labels import shown

__all__ = ["as_flag", "as_generator", "is_whole", "plain_number", "plain_numbers", "refuse_masked"]

_NO_NUMBERS = (
    str,
    bytes,
    bytearray,
    np.datetime64,
    np.timedelta64,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    set,
    frozenset,
    dict,
)

#: What may hold a masked entry.
_HOLDERS = (list, tuple, np.ma.MaskedArray)


def as_flag(value: Any, name: str) -> bool:
    """Return True or False; an array or a number is none.

    Raises
    ------
    DomainError
        It is something else.

    Examples
    --------
    >>> as_flag(np.True_, "previous")
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise DomainError(f"{name} is {shown(value)}; give True or False.", Where("parameter", name=name))
    return bool(value)


def plain_number(value: Any) -> float:
    """Return a number as a float; text and time are none.

    Raises
    ------
    TypeError, ValueError, OverflowError
        It is none, or an integer too large for a float.

    Examples
    --------
    >>> plain_number(2), plain_number(np.float32(0.5))
    (2.0, 0.5)
    """
    if isinstance(value, _NO_NUMBERS) or np.ma.is_masked(value):
        raise TypeError
    if isinstance(value, np.ndarray) and (value.ndim or value.dtype.kind not in "biufO"):
        raise TypeError
    if isinstance(value, np.ndarray):
        return plain_number(value.item())
    if isinstance(value, np.complexfloating):
        raise TypeError
    return float(value)


def plain_numbers(values: Any) -> NDArray[np.float64]:
    """Return numbers of any shape as a fresh float64 array in C order; text, time and masks are none.

    Raises
    ------
    TypeError, ValueError, OverflowError
        One is none, or too large for a float; or the shape is ragged.

    Examples
    --------
    >>> plain_numbers([[1, 2], [3, 4]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if isinstance(values, _NO_NUMBERS) or _masked_place(values) is not None:
        raise TypeError
    raw = np.asarray(values)
    if raw.dtype.kind not in "biufO":
        raise TypeError
    if raw.dtype.kind == "O":
        return np.array([plain_number(v) for v in raw.ravel()], dtype=np.float64).reshape(raw.shape)
    return np.array(raw, dtype=np.float64, order="C")


def refuse_masked(values: Any, what: str) -> None:
    """Raise TableError where an entry is masked, in an array or a list: nobody says what stands there.

    Examples
    --------
    >>> refuse_masked(np.ma.array([1, 2], mask=[False, False]), "table")
    """
    index = _masked_place(values)
    if index is None:
        return
    at = f" at {index[0] if len(index) == 1 else index}" if index else ""
    raise TableError(
        f"The entry{at} of the {what} is masked; fill it with what stands there, or leave it out.",
        Where("cell", index=index),
    )


def _masked_place(values: Any) -> tuple[int, ...] | None:
    if isinstance(values, np.ma.MaskedArray):
        hidden = np.ma.getmaskarray(values)
        if not hidden.any():
            return None
        return tuple(int(p) for p in np.unravel_index(int(np.argmax(hidden)), hidden.shape))
    if not isinstance(values, list | tuple):
        return None
    # Lists may be long: what they hold is asked for once, not entry by entry.
    if id(np.ma.masked) in map(id, values):
        return (next(k for k, value in enumerate(values) if value is np.ma.masked),)
    if set(map(type, values)).isdisjoint(_HOLDERS):
        return None
    for k, value in enumerate(values):
        within = _masked_place(value)
        if within is not None:
            return (k, *within)
    return None


def is_whole(value: Any) -> TypeGuard[int]:
    """Tell whether a value is an integer; to numpy a span of time is one too, and here it is none.

    Examples
    --------
    >>> is_whole(np.int8(2)), is_whole(2.0), is_whole(True), is_whole(np.timedelta64(2, "s"))
    (True, False, False, False)
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def as_generator(rng: Any) -> np.random.Generator:
    """Return a generator of random numbers from one, from a seed, or from None for fresh randomness.

    Raises
    ------
    DomainError
        It is none of them: a seed is a whole number, 0 or more, or a list of such.

    Examples
    --------
    >>> as_generator(7).random() == as_generator(np.random.default_rng(7)).random()
    True
    """
    seeds = rng if isinstance(rng, list | tuple) else [rng]
    known = isinstance(rng, np.random.Generator | np.random.BitGenerator | np.random.SeedSequence)
    if rng is None or known or (seeds and all(map(_is_seed, seeds))):
        return np.random.default_rng(rng)
    raise DomainError(
        f"rng is {shown(rng)}; give a seed (a whole number, 0 or more), a numpy Generator, or None for fresh "
        "randomness.",
        Where("parameter", name="rng"),
    )


def _is_seed(value: Any) -> bool:
    return is_whole(value) and bool(value >= 0)
