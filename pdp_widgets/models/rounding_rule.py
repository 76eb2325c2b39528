"""What rounding makes of leakages: one rule for verdicts and for the numbers beside them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["NOTHING", "SHARE", "at_most", "is_nothing"]

#: What rounding makes of a leakage of 0 at most, nats. As in js/src/ui/rounding.ts.
NOTHING = 1e-14
#: What two ways to compute one leakage may differ by, as a share of it.
SHARE = 1e-9
#: A line is of ordinary size where what counts as nothing is a smaller share of it.
_SEEN = 1e-6


def at_most(line: Any, share: float = SHARE, precision: float = 0.0) -> Any:
    """Return the largest number that is no more than a line, rounding aside: that is a share of the line.

    Parameters
    ----------
    line
        A promise or another leakage, in nats; or an array of them.
    share
        The share of the line that is rounding.
    precision
        What a leakage compared with it may be off by as it is computed, in nats: a logarithm of a quotient of
        floats has no smaller one, whatever its size. A line of 0 has at least that of `NOTHING`.

    Examples
    --------
    >>> at_most(1.0), at_most(1e-30), at_most(0.0), round(at_most(1e-30, precision=NOTHING), 20)
    (1.000000001, 1.0000000010000001e-30, 1e-14, 1e-14)
    """
    if isinstance(line, float | int):
        return line + (max(NOTHING, precision) if line == 0 else share * abs(line) + precision)
    with np.errstate(over="ignore"):
        room = np.where(np.equal(line, 0), max(NOTHING, precision), share * np.abs(line) + precision)
        return (np.asarray(line) + room)[()]


def is_nothing(size: float, line: float) -> bool:
    """Tell whether a number is what rounding makes of 0, beside a line of 0 or of ordinary size.

    Examples
    --------
    >>> is_nothing(4e-16, 1.0), is_nothing(4e-16, 0.0), is_nothing(4e-16, 1e-15), is_nothing(1e-13, 1.0)
    (True, True, False, False)
    """
    return abs(size) <= NOTHING and (line == 0 or _SEEN * abs(line) > NOTHING)
