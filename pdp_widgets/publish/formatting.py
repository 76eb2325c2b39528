"""Numbers as people read them: the same rules as in the browser (js/src/ui/format.ts)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from pdp_widgets.models.rounding_rule import is_nothing

__all__ = [
    "bound",
    "change",
    "count",
    "fixed",
    "leakage",
    "leakage_decimals",
    "listed",
    "parameter",
    "probability",
    "probability_decimals",
    "scientific",
    "signed",
    "tick",
]

MINUS = "−"
_HUGE = 1e21
#: What rounding alone makes of a difference of 0 between numbers of ordinary size.
_NOTHING = 1e-12


def _rounded(value: float, decimals: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def _vanishes(size: float, decimals: int) -> bool:
    return size < 0.5 and _rounded(size, decimals) == 0


def fixed(value: float, decimals: int) -> str:
    """Return fixed decimals with a true minus sign and thousands separated by commas.

    Parameters
    ----------
    value
        Any float; infinities read ``∞``, NaN reads ``undefined``. From 1e21 on in powers of ten.
    decimals
        Digits after the point. Ties round away from zero.

    Examples
    --------
    >>> fixed(2041.2, 1), fixed(-0.5, 2), fixed(float("inf"), 3)
    ('2,041.2', '−0.50', '∞')
    """
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
    """Return decimals that show four significant digits, at most three.

    Examples
    --------
    >>> leakage_decimals(1.398), leakage_decimals(23.09), leakage_decimals(2041.0)
    (3, 2, 0)
    """
    size = abs(value)
    if not size >= 1:
        return 3
    if math.isinf(size):
        return 0
    decimals = max(0, min(3, 3 - math.floor(math.log10(size))))
    carried = decimals > 0 and _rounded(size, decimals) >= 10 ** (4 - decimals)
    return decimals - 1 if carried else decimals


def leakage(value: float, promise: float | None = None) -> str:
    """Return a leakage in nats: four significant digits, at most three decimals.

    A value that is not the promise never reads like it: digits are added until the two part. What three
    decimals would show as zero is written as ``2.1e−5``; only what rounding alone makes of 0 reads 0.

    Parameters
    ----------
    value
        Leakage in nats.
    promise
        The promise it stands beside, in nats.

    Examples
    --------
    >>> leakage(1.39787), leakage(23.094), leakage(2041.4), leakage(0.0)
    ('1.398', '23.09', '2,041', '0')
    >>> leakage(1.00002, promise=1.0), leakage(4.4e-16, promise=1.0)
    ('1.00002', '0')
    """
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
    """Return an upper bound in nats, rounded up in its last shown digit.

    Examples
    --------
    >>> bound(3.0), bound(7.142857142857142), bound(2.00001)
    ('3.000', '7.143', '2.001')
    """
    if value == 0 or not math.isfinite(value) or abs(value) < 0.0005 or abs(value) >= _HUGE:
        return leakage(value)
    decimals = leakage_decimals(value)
    shown = float(_rounded(value, decimals))
    if shown < value - 1e-12 * abs(value):
        shown += 10.0**-decimals
    return fixed(shown, decimals)


def signed(value: float, decimals: int = 3) -> str:
    """Return a difference, an increment or a correlation with its sign.

    What would read +0.000 has the digits that it needs; what rounding alone makes of 0 reads 0.

    Examples
    --------
    >>> signed(0.364), signed(-0.0281), signed(-0.0002), signed(2.1e-7), signed(1e-17)
    ('+0.364', '−0.028', '−0.0002', '+2.1e−7', '0')
    """
    size = abs(value)
    if size <= _NOTHING:
        return "0"
    digits = decimals
    while digits < 4 and _vanishes(size, digits):
        digits += 1
    body = scientific(size) if _vanishes(size, digits) else fixed(size, digits)
    return f"{MINUS if value < 0 else '+'}{body}"


def change(value: float, promise: float = 1.0) -> str:
    """Return a difference of two leakages, always with its sign.

    What three decimals would show as zero is written as a power of ten; only what rounding makes of 0 beside
    the promise reads 0.

    Examples
    --------
    >>> change(-0.0281), change(-2.13e-5), change(1e-16), change(1e-16, 1e-15)
    ('−0.028', '−2.1e−5', '0', '+1.0e−16')
    """
    size = abs(value)
    rounding = size == 0 or is_nothing(size, promise)
    if size >= 0.0005 or rounding:
        return signed(value)
    return f"{MINUS if value < 0 else '+'}{scientific(size)}"


def probability_decimals(entries: Iterable[float]) -> int:
    """Return decimals that let the smallest non-zero probability of a table show one digit: 3 to 6.

    Examples
    --------
    >>> probability_decimals([0.5, 0.4999, 0.0001]), probability_decimals([0.0, 1.0])
    (4, 3)
    """
    if isinstance(entries, np.ndarray):
        smallest = float(np.min(entries, where=entries > 0, initial=np.inf))
    else:
        smallest = min((float(p) for p in entries if p > 0), default=math.inf)
    if not math.isfinite(smallest):
        return 3
    return min(6, max(3, math.ceil(-math.log10(smallest) - 1e-9)))


def probability(value: float, decimals: int = 3) -> str:
    """Return a probability; exact 0 and 1 have no decimals, what is too small for them is written 2.1e−8.

    Examples
    --------
    >>> probability(0.0762), probability(0.0), probability(1.0), probability(2.1e-8)
    ('0.076', '0', '1', '2.1e−8')
    """
    if value == 0:
        return "0"
    if value == 1:
        return "1"
    if abs(value) < 0.5 * 10.0**-decimals:
        return scientific(value)
    return fixed(value, decimals)


def scientific(value: float, digits: int = 1) -> str:
    """Return a power of ten written on one line.

    Examples
    --------
    >>> scientific(2.1e-8), scientific(1e6, 0)
    ('2.1e−8', '1e6')
    """
    size = Decimal(abs(value))
    power = 0 if size == 0 else size.adjusted()
    mantissa = size.scaleb(-power).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    if mantissa >= 10:
        mantissa, power = mantissa.scaleb(-1).quantize(Decimal(1).scaleb(-digits)), power + 1
    sign = MINUS if value < 0 else ""
    return f"{sign}{mantissa:f}e{MINUS if power < 0 else ''}{abs(power)}"


def tick(value: float) -> str:
    """Return a tick label: as short as it can be.

    Examples
    --------
    >>> tick(0.5), tick(2.0), tick(1e-5), tick(-1.0)
    ('0.5', '2', '1e−5', '−1')
    """
    if value == 0:
        return "0"
    if abs(value) >= 1e6 or abs(value) < 1e-3:
        return scientific(value, 0)
    return re.sub(r"\.?0+$", "", fixed(value, 6))


def parameter(value: float) -> str:
    """Return a parameter such as the scale: two decimals where they suffice, more where they do not.

    Examples
    --------
    >>> parameter(1.0), parameter(0.125), parameter(0.001)
    ('1.00', '0.125', '1.00e−3')
    """
    if value != 0 and (abs(value) < 0.01 or abs(value) >= 1e6):
        return scientific(value, 2)
    for decimals in range(2, 6):
        if abs(float(_rounded(value, decimals)) - value) <= 1e-9 * abs(value):
            return fixed(value, decimals)
    return fixed(value, 4)


def count(n: int, one: str, many: str | None = None) -> str:
    """Return a number of things.

    Examples
    --------
    >>> count(1, "tuple"), count(1024, "cell"), count(2, "adversary", "adversaries")
    ('1 tuple', '1,024 cells', '2 adversaries')
    """
    return f"{n:,} {one if n == 1 else (many or one + 's')}"


def listed(parts: Sequence[str]) -> str:
    """Return words in a row.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(parts) < 2:
        return parts[0] if parts else ""
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
