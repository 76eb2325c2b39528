"""What makes arrays the laws of a chain, what is given beside them, and the faults they can have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import ChainError, DomainError, LimitError, TableError, Where
from pdp_widgets.models.labels import Domain, Label, as_domain, short, shown

__all__ = [
    "MOST_CELLS",
    "ROW_TOLERANCE",
    "as_count",
    "as_law",
    "as_laws",
    "as_states",
    "check_size",
    "on_pairs",
    "rows_of",
]

Floats = NDArray[np.float64]

#: How far the sum of a row may be from 1: what is nearer is brought to 1, what is farther is refused.
ROW_TOLERANCE = 1e-8
#: Half a gigabyte of float64.
MOST_CELLS = 1 << 26


def check_size(cells: int, what: str) -> None:
    """Raise LimitError before arrays are made that have too many cells."""
    if cells > MOST_CELLS:
        # Nobody reads a number of hundreds of digits, and no float holds it.
        many = (
            f"{cells:,} probabilities ({cells * 8 / 1e9:,.1f} GB)"
            if cells < 1 << 53
            else "too many probabilities"
        )
        raise LimitError(
            f"{what} would have {many}; at most {MOST_CELLS:,} are kept. Keep the most frequent states and "
            "put the others together.",
            Where("table"),
        )


def _numbers(given: Any, what: str, name: str, is_law: bool) -> Floats:
    where = Where("parameter", name=name)
    try:
        refuse_masked(given, what)
    except TableError as error:
        raise ChainError(str(error), where) from None
    if hasattr(given, "to_numpy"):
        given = given.to_numpy()
    try:
        return plain_numbers(given)
    except (TypeError, ValueError, OverflowError):
        accepted = "one probability for each state" if is_law else "rows of probabilities, all of one length"
        raise ChainError(
            f"The {what} {'is' if is_law else 'are'} {shown(given)}; give {accepted}.", where
        ) from None


def as_laws(given: Any, what: str, name: str) -> Floats:
    """Return transitions as a fresh array: its last axis is the next state, all axes have one length."""
    # Shape (n, n) or (n, n, n); sums within 1e-8 of 1 are brought to 1.
    numbers = _numbers(given, what, name, is_law=False)
    if numbers.ndim not in (2, 3) or not numbers.size or len(set(numbers.shape)) != 1:
        raise ChainError(
            f"The {what} have the shape {numbers.shape}; give n rows of n probabilities, or for a chain of "
            "second order n such tables.",
            Where("parameter", name=name),
        )
    return _checked(numbers, what, name, None)


def as_law(given: Any, n: int, what: str, name: str, states: Sequence[Label] | None = None) -> Floats:
    """Return the law of one state as a fresh array."""
    numbers = _numbers(given, what, name, is_law=True)
    if numbers.shape != (n,):
        raise ChainError(
            f"The {what} has the shape {numbers.shape}; give one probability for each of the {n} "
            f"state{'s'[: n != 1]}.",
            Where("parameter", name=name),
        )
    return _checked(numbers, what, name, states)


def _checked(numbers: Floats, what: str, name: str, states: Sequence[Label] | None) -> Floats:
    single = numbers.ndim == 1
    wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    if wrong.any():
        index = tuple(int(p) for p in np.argwhere(wrong)[0])
        spot = (
            f"for state {_state(index[0], states)}"
            if single
            else f"in {_row(index[:-1])}, column {index[-1]}"
        )
        raise ChainError(
            f"The {what} {'has' if single else 'have'} {_value(numbers[index])} {spot}; an entry is a "
            "probability, from 0 to 1.",
            Where("cell", index=index, name=name),
        )
    # A copy in which -0.0 has become 0.0.
    numbers = numbers + 0.0
    with np.errstate(over="ignore"):
        sums = numbers.sum(axis=-1)
    off = ~(np.abs(sums - 1) <= ROW_TOLERANCE)
    if off.any():
        if single:
            raise ChainError(
                f"The {what} sums to {_value(sums)}; it must sum to 1.", Where("parameter", name=name)
            )
        index = tuple(int(p) for p in np.argwhere(off)[0])
        raise ChainError(
            f"The {what}: {_row(index)} sums to {_value(sums[index])}; every row must sum to 1.",
            Where("row", index=index, name=name),
        )
    return np.asarray(numbers / sums[..., None])


def _state(position: int, states: Sequence[Label] | None) -> str:
    return short(position if states is None else states[position])


def _row(index: Sequence[int]) -> str:
    return f"row {index[0]}" if len(index) == 1 else f"row {tuple(index)}"


def _value(number: Any) -> str:
    return f"{float(number):.12g}"


def as_states(states: int | Iterable[Any]) -> Domain:
    """Return labels of the states of a chain from their number or a list."""
    if not isinstance(states, int | np.integer) or isinstance(states, np.timedelta64):
        found = as_domain(states, 0, "the chain")
        check_size(len(found) ** 2, "The chain")
        return found
    if isinstance(states, bool) or states < 1:
        raise DomainError(
            f"The states are {shown(states)}; give how many there are, 1 or more, or their labels.",
            Where("parameter", name="states"),
        )
    check_size(int(states) ** 2, "The chain")
    return tuple(range(int(states)))


def as_count(value: Any, name: str, least: int = 0, most: int | None = None) -> int:
    """Return a whole number, or raise ChainError naming what it counts, LimitError if it is too large."""
    number = as_size(value, name, least, error=ChainError, subject=f"The number of {name}")
    if most is not None and number > most:
        raise LimitError(
            f"The number of {name} is {shown(number)}; at most {most:,} are taken.",
            Where("parameter", name=name),
        )
    return number


def rows_of(joint: Floats) -> Floats:
    """Return the conditional laws of a joint law; rows that cannot occur are uniform."""
    sums = joint.sum(axis=1, keepdims=True)
    rows = np.full(joint.shape, 1 / joint.shape[1])
    np.divide(joint, sums, out=rows, where=sums > 0)
    return rows


def on_pairs(moves: Floats) -> Floats:
    """Return transitions of second order as transitions between pairs, (i, j) at position ``i * n + j``."""
    n = len(moves)
    check_size(n**4, "The chain of pairs")
    matrix = np.zeros((n, n, n, n))
    middle = np.arange(n)
    matrix[:, middle, middle, :] = moves
    return matrix.reshape(n * n, n * n)
