"""Numbers as people read them: the same rules as in the browser (js/src/ui/format.ts)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.amount import is_nothing

__all__ = [
    "bound",
    "cell",
    "count",
    "decimals_for",
    "entry",
    "fixed",
    "leakage",
    "leakage_decimals",
    "parameter",
    "probability",
    "probability_decimals",
    "scientific",
    "short",
    "signed_domain",
]

MINUS = "−"
_HUGE = 1e21
#: Where a scale may end, times a power of ten.
_ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def _rounded(value: float, decimals: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def fixed(value: float, decimals: int) -> str:
    """Return fixed decimals with a true minus sign and thousands separated by commas."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if abs(value) >= _HUGE:
        return scientific(value, 3)
    digits = _rounded(abs(value), decimals)
    sign = MINUS if value < 0 and digits != 0 else ""
    return f"{sign}{digits:,f}"


def leakage_decimals(value: float) -> int:
    """Return decimals that show four significant digits, at most three."""
    size = abs(value)
    if not size >= 1:
        return 3
    if math.isinf(size):
        return 0
    decimals = max(0, min(3, 3 - math.floor(math.log10(size))))
    carried = decimals > 0 and _rounded(size, decimals) >= 10 ** (4 - decimals)
    return decimals - 1 if carried else decimals


def leakage(value: float, promise: float | None = None) -> str:
    """Return a leakage in nats: four significant digits, at most three decimals."""
    # A value that is not the promise never reads like it: digits are added until the two part. What three
    # decimals would show as zero is written as ``2.1e−5``; only what rounding alone makes of 0 reads 0.
    if value == 0:
        return "0"
    if promise is not None and is_nothing(value, promise):
        return "0"
    size = abs(value)
    same = 1e-9 * size if size < 1e-3 else 1e-12 * max(1.0, size)
    part = promise is not None and math.isfinite(value) and abs(value - promise) > same
    tiny = abs(value) < 0.0005
    write = scientific if tiny else fixed
    decimals = 1 if tiny else leakage_decimals(value)
    if part and promise is not None:
        while decimals < 12 and write(value, decimals) == write(promise, decimals):
            decimals += 1
    return write(value, decimals)


def bound(value: float) -> str:
    """Return an upper bound in nats, rounded up in its last shown digit."""
    if value == 0 or not math.isfinite(value) or abs(value) < 0.0005 or abs(value) >= _HUGE:
        return leakage(value)
    decimals = leakage_decimals(value)
    shown = float(_rounded(value, decimals))
    if shown < value - 1e-12 * abs(value):
        shown += 10.0**-decimals
    return fixed(shown, decimals)


def probability_decimals(entries: Iterable[float]) -> int:
    """Return decimals that let the smallest non-zero probability of a table show one digit: 3 to 6."""
    if isinstance(entries, np.ndarray):
        smallest = float(np.min(entries, where=entries > 0, initial=np.inf))
    else:
        smallest = min((float(p) for p in entries if p > 0), default=math.inf)
    if not math.isfinite(smallest):
        return 3
    return min(6, max(3, math.ceil(-math.log10(smallest) - 1e-9)))


def probability(value: float, decimals: int = 3) -> str:
    """Return a probability; exact 0 and 1 have no decimals, what is too small for them is written 2.1e−8."""
    if value == 0:
        return "0"
    if value == 1:
        return "1"
    if abs(value) < 0.5 * 10.0**-decimals:
        return scientific(value)
    return fixed(value, decimals)


def scientific(value: float, digits: int = 1) -> str:
    """Return a power of ten written on one line."""
    size = Decimal(abs(value))
    power = 0 if size == 0 else size.adjusted()
    mantissa = size.scaleb(-power).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    if mantissa >= 10:
        mantissa, power = mantissa.scaleb(-1).quantize(Decimal(1).scaleb(-digits)), power + 1
    sign = MINUS if value < 0 else ""
    return f"{sign}{mantissa:f}e{MINUS if power < 0 else ''}{abs(power)}"


def trimmed(value: float, digits: int) -> str:
    """Return a power of ten without zeros at the end of its digits."""
    return re.sub(r"\.?0+(?=e)", "", scientific(value, digits))


def short(value: float) -> str:
    """Return a number with four significant digits and no zeros at its end; whole numbers as they are."""
    size = abs(value)
    if not math.isfinite(value) or (value.is_integer() and size < 1e15):
        return fixed(value, 0)
    if size >= 1e6 or size < 1e-3:
        return trimmed(value, 3)
    return re.sub(r"\.?0+$", "", fixed(float(f"{value:.4g}"), 6))


def cell(value: float, signed: bool = False) -> str:
    """Return a number of a table of cells; of signed ones those above 0 have their sign too."""
    if math.isnan(value):
        return "–"
    if value.is_integer():
        return short(value)
    return f"{'+' if signed and value > 0 else ''}{leakage(value)}"


def parameter(value: float) -> str:
    """Return a parameter such as the scale: two decimals where they suffice, more where they do not."""
    if value != 0 and (abs(value) < 0.01 or abs(value) >= 1e6):
        return scientific(value, 2)
    for decimals in range(2, 6):
        if abs(float(_rounded(value, decimals)) - value) <= 1e-9 * abs(value):
            return fixed(value, decimals)
    return fixed(value, 4)


def count(n: int, one: str, many: str | None = None) -> str:
    """Return a number of things."""
    return f"{n:,} {one if n == 1 else (many or one + 's')}"


def signed_domain(values: NDArray[np.float64]) -> float:
    """Return where the signed scale ends: the largest entry in size, rounded up."""
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    if largest == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    step = next((s for s in _ROUND if s * power >= largest * (1 - 1e-9)), 10)
    return float(f"{step * power:.12g}")


def entry(value: float, decimals: int) -> str:
    """Return one number of a matrix: exact zero is `0`, a tiny one is written 3e−5, a large one 1.23e6."""
    if value == 0:
        return "0"
    size = abs(value)
    # Beside a large number a small one keeps two decimals of its own.
    own = max(decimals, min(2, decimals_for(size)))
    if size >= 1e6:
        return trimmed(value, 2)
    return scientific(value, 0) if size < 0.5 * 10.0**-own else fixed(value, own)


def decimals_for(largest: float) -> int:
    """Return the decimals that give the largest number three digits, at most six."""
    if not (largest > 0 and math.isfinite(largest)):
        return 2
    return max(0, min(6, 2 - math.floor(math.log10(largest) + 1e-9)))
