"""What counts as numbers where many are due, as a flag, and as a seed."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import NO_NUMBERS, is_whole, plain_number, shown
from pdp_widgets.errors import BudgetError, DomainError, LimitError, PdpError, TableError, Where

__all__ = [
    "LARGEST",
    "MOST_POINTS",
    "array_of",
    "as_flag",
    "as_flags",
    "as_floats",
    "as_generator",
    "as_sizes",
    "as_whole_numbers",
    "check_many",
    "plain_numbers",
    "refuse_masked",
]

#: What may hold a masked entry.
_HOLDERS = (list, tuple, np.ma.MaskedArray)


def as_flag(value: Any, name: str) -> bool:
    """Return True or False; an array or a number is none."""
    if not isinstance(value, bool | np.bool_):
        raise DomainError(f"{name} is {shown(value)}; give True or False.", Where("parameter", name=name))
    return bool(value)


def as_flags(values: Any, name: str) -> NDArray[np.bool_]:
    """Return an array of True and False, fresh, or raise DomainError: a number or a text is neither."""
    refuse_masked(values, name)
    try:
        found = np.array(values)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.dtype == object and all(isinstance(value, bool | np.bool_) for value in found.ravel()):
        found = found.astype(bool)
    if found.dtype != bool:
        raise DomainError(
            f"{name} is {shown(values)}; give an array of True and False.", Where("parameter", name=name)
        )
    return found


def plain_numbers(values: Any, *, flags: bool = False) -> NDArray[np.float64]:
    """Return numbers of any shape as a fresh float64 array in C order; text, time and masks are none."""
    if isinstance(values, NO_NUMBERS) or _masked_place(values) is not None:
        raise TypeError
    raw = np.asarray(values)
    if flags and raw.dtype.kind == "b":
        return raw.astype(np.float64)
    if raw.dtype.kind not in "iufO" or (not flags and _holds_flag(values)):
        raise TypeError
    if raw.dtype.kind == "O":
        return np.array([plain_number(v) for v in raw.ravel()], dtype=np.float64).reshape(raw.shape)
    return _as_floats(raw)


def array_of(values: Any) -> NDArray[Any]:
    """Return an array of values; a ragged list is one of None, of no kind that is taken."""
    try:
        return np.asarray(values)
    except (ValueError, OverflowError):
        return np.array([None])


def _holds_flag(values: Any) -> bool:
    """Tell whether True or False stands in a list beside numbers: in an array of numpy it would be one."""
    if isinstance(values, np.ndarray):
        return bool(values.dtype.kind == "b")
    if not isinstance(values, list | tuple):
        return False
    types = set(map(type, values))
    if not types.isdisjoint((bool, np.bool_)):
        return True
    return not types.isdisjoint((list, tuple, np.ndarray)) and any(map(_holds_flag, values))


def _as_floats(raw: NDArray[Any]) -> NDArray[np.float64]:
    """Return a fresh float64 array; a long double beyond the largest float is too large, as an integer is."""
    with np.errstate(over="ignore"):
        found = np.array(raw, dtype=np.float64, order="C")
    if raw.dtype == np.longdouble and not np.array_equal(np.isinf(found), np.isinf(raw)):
        raise OverflowError
    return found


def refuse_masked(values: Any, what: str) -> None:
    """Raise TableError where an entry is masked, in an array or a list: nobody says what stands there."""
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


def as_generator(rng: Any) -> np.random.Generator:
    """Return a generator of random numbers from one, from a seed, or from None for fresh randomness."""
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


#: The largest float: what is beyond it is not finite.
LARGEST = sys.float_info.max
#: Points of a curve: more than any screen or table shows.
MOST_POINTS = 100_000


def as_sizes(
    values: Any,
    name: str,
    error: type[PdpError] = BudgetError,
    least: float = 0.0,
    most: float = math.inf,
) -> NDArray[np.float64]:
    """Return numbers of any shape, ``least`` to ``most`` and none NaN, or raise an error naming the first."""
    numbers = as_floats(values, name, error)
    wrong = ~((numbers >= least) & (numbers <= most))
    if wrong.any():
        culprit = float(numbers[wrong][0])
        low = "" if least == -math.inf else f"{least:g} or more"
        high = "" if most == math.inf else "finite" if most == LARGEST else f"at most {most:g}"
        accepted = " and ".join(filter(None, (low, high))) or "numbers"
        raise error(
            f"{name} holds {culprit:.12g}; its numbers must be {accepted}.", Where("parameter", name=name)
        )
    return numbers + 0.0


def check_many(many: int, most: int, name: str, each: float = 0.0) -> None:
    """Raise LimitError before more is computed in one call than is meant, with what it would take."""
    if many <= most:
        return
    listed = f"{many:,}" if many < 10**15 else shown(int(many))
    took = f", about {many * each:,.0f} s" if each and many < 10**15 else ""
    raise LimitError(
        f"{name} asks for {listed} values{took}; at most {most:,} are computed in one call.",
        Where("parameter", name=name),
    )


def as_whole_numbers(
    values: Any, name: str, error: type[PdpError], least: int = -(1 << 62), most: int = 1 << 62
) -> NDArray[np.int64]:
    """Return integers of any type and shape as int64, or raise an error naming the first other one."""
    where = Where("parameter", name=name)
    refuse_masked(values, name)
    try:
        found = np.asarray(values)
    except (ValueError, OverflowError):
        raise error(f"{name} is {shown(values)}; give whole numbers in rows of one length.", where) from None
    if not found.size:
        return np.zeros(found.shape, np.int64)
    if found.dtype.kind == "O" and all(map(is_whole, found.ravel())):
        culprit = next((v for v in found.ravel() if not least <= v <= most), None)
        if culprit is not None:
            raise error(f"{name} holds {shown(culprit)}; its numbers must be {least:,} to {most:,}.", where)
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise error(f"{name} is {shown(values)}; give whole numbers.", where)
    wrong = (found < least) | (found > most)
    if wrong.any():
        raise error(f"{name} holds {int(found[wrong][0])}; its numbers must be {least:,} to {most:,}.", where)
    return found.astype(np.int64)


def as_floats(values: Any, name: str, error: type[PdpError]) -> NDArray[np.float64]:
    """Return numbers of any shape, NaN among them, or raise an error that names the parameter."""
    refuse_masked(values, name)
    try:
        return plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        raise error(
            f"{name} holds something that is no number, or none for a float.", Where("parameter", name=name)
        ) from None
