"""Which of several equal worst cases is named: the first in row-major order, here as in a page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.local.hull import LARGE, two_level
from pdp_widgets.leakage.local.mechanism_reading import Reading
from pdp_widgets.leakage.local.subsets import reaching, top_symbols

__all__ = ["first_pair_of_values", "first_place", "least_equal"]

Floats = NDArray[np.float64]

#: Pairs times symbols that are tried one by one: more than a page has tables for.
_MOST = 2e6
#: Of a leakage, or of a small budget: what sums in another order differ by is far less.
_ROUNDING = 1e-12


def least_equal(value: float, level: float = np.inf) -> float:
    """Return the least leakage that is equal to the largest at a budget, but for rounding."""
    if np.isinf(value):
        return value
    return value - _ROUNDING * (level if level < 1 else max(1.0, value))


def first_place(values: Floats) -> tuple[int, int]:
    """Return the first place in row-major order of the largest entry off the diagonal, but for rounding."""
    off = np.where(np.eye(len(values), dtype=np.bool_), -1.0, values)
    most = float(off.max())
    # Relative here: no budget is given.
    least = most if np.isinf(most) else most * (1 - _ROUNDING)
    row, column = np.unravel_index(int((off >= least).argmax()), off.shape)
    return int(row), int(column)


def first_pair_of_values(
    rows: Floats, reading: Reading, value: float, found: tuple[int, int]
) -> tuple[int, int]:
    """Return the first pair of rows, in row-major order, that reaches the largest leakage."""
    if value <= 0 or reading.kind == "matrix":
        return found
    least = least_equal(value, reading.log_rho)
    if reading.kind == "singletons":
        low = rows.min(axis=0)
        x = int((two_level(rows, low, reading.log_rho).max(axis=1) >= least).argmax())
        leaks = two_level(rows[x], rows, reading.log_rho).max(axis=1)
        return (x, int((leaks >= least).argmax())) if (leaks >= least).any() else found
    if len(rows) * rows.size > _MOST:
        return found
    for x in range(found[0] + 1):
        for other in _candidates(rows, x, reading, value):
            if other != x and _leak(rows, x, int(other), reading, value) >= least:
                return x, int(other)
    return found


def _candidates(rows: Floats, x: int, reading: Reading, value: float) -> NDArray[np.int64]:
    """Return the rows that may reach a value together with one: by what a set has more than its share."""
    level, t = reading.log_rho, rows.shape[1]
    if value > LARGE:
        # Only sets without any chance in the other row come near a large budget.
        return np.flatnonzero(((rows == 0) & (rows[x] > 0)).any(axis=1))
    h = np.exp(value)
    if level > LARGE and reading.kind == "all":
        # Single symbols decide.
        return np.flatnonzero((rows[x] > h * (1 - 1e-6) * rows).any(axis=1))
    more = rows[x] - h * rows
    if reading.kind == "exactly":
        excess = np.partition(more, t - reading.size, axis=1)[:, t - reading.size :].sum(axis=1)
    else:
        excess = np.maximum(more, 0.0).sum(axis=1)
    # Probabilities are added up: what is missed by rounding is a candidate too.
    least = 0.0 if level > LARGE else np.expm1(value) / np.expm1(level) * (1 - 1e-6)
    return np.flatnonzero(excess >= least - 1e-9)


def _leak(rows: Floats, x: int, other: int, reading: Reading, value: float) -> float:
    """Return what the set that would reach a value leaks of two rows."""
    upper, lower = rows[x], rows[other]
    if reading.kind == "exactly":
        chosen = top_symbols(upper, lower, reading.size, value)
    else:
        chosen = np.flatnonzero(reaching(upper, lower, value))
    return float(two_level(upper[chosen].sum(), lower[chosen].sum(), reading.log_rho))
