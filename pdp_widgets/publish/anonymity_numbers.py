"""Slack, shares and factors as people read them: the same rules as in the browser."""

from __future__ import annotations

import math

from pdp_widgets.publish.formatting import fixed, parameter, scientific

__all__ = ["budget_text", "factor_text", "percent", "slack_text"]

#: Rounding of a binary number below its decimal one.
_ROUNDING = 1e-9
#: Powers of ten begin below these: what would be written 1.0e−3 is not.
_LEAST, _LEAST_UP = 0.000995, 0.00099
#: Of a larger exponent the factor is no number of a computer.
_MOST_EXPONENT = 700.0


def slack_text(value: float, up: bool = False) -> str:
    """Return a slack δ: three decimals, four below 0.01, powers of ten below 0.001.

    Parameters
    ----------
    value
        Any float; what rounds to 0 or 1 without being it has a power of ten, or reads 0.9999.
    up
        Round up in the last digit, as bounds are.

    Examples
    --------
    >>> slack_text(0.17274), slack_text(0.17274, up=True), slack_text(0.009761), slack_text(0.0000234)
    ('0.173', '0.173', '0.0098', '2.3e−5')
    >>> slack_text(9.88), slack_text(1.0), slack_text(0.0), slack_text(0.99999), slack_text(math.inf)
    ('9.880', '1', '0', '0.9999', '∞')
    """
    if not math.isfinite(value) or value in (0.0, 1.0):
        return fixed(value, 0)
    size = abs(value)
    if size < (_LEAST_UP if up else _LEAST):
        return _power(value, up)
    digits = 4 if size < 0.01 else 3
    steps = value * 10.0**digits
    if size >= 1e12:
        return scientific(value, 2)
    whole = math.ceil(steps - _ROUNDING) if up else math.copysign(math.floor(abs(steps) + 0.5), value)
    shown = whole / 10.0**digits
    if shown == 1.0 and value < 1.0 and not up:
        return fixed(math.floor(value * 1e4) / 1e4, 4)
    return fixed(shown, digits)


def _power(value: float, up: bool) -> str:
    """Return a power of ten with one decimal."""
    power = math.floor(math.log10(abs(value)))
    if not up or power < -300:
        return scientific(value, 1)
    tenths = math.ceil(value / 10.0 ** (power - 1) - 1e-6)
    if tenths >= 100:
        tenths, power = 10, power + 1
    return f"{tenths // 10}.{tenths % 10}e−{-power}"


def budget_text(epsilon: float) -> str:
    """Return a budget ε in nats; it may be infinite.

    Examples
    --------
    >>> budget_text(1.0), budget_text(0.125), budget_text(math.inf)
    ('1.00', '0.125', '∞')
    """
    return parameter(epsilon) if math.isfinite(epsilon) else fixed(epsilon, 0)


def percent(share: float) -> str:
    """Return a share in percent, as few digits as it takes, at most two.

    Examples
    --------
    >>> percent(0.3), percent(0.125), percent(1.0), percent(0.0)
    ('30 %', '12.5 %', '100 %', '0 %')
    """
    hundredths = math.floor(10000 * share + 0.5)
    text = f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").removesuffix(".")
    return f"{text} %"


def factor_text(epsilon: float) -> str:
    """Return the factor e^ε: two decimals, none from 100 on, a power of ten from a million on.

    Examples
    --------
    >>> factor_text(1.0), factor_text(5.0), factor_text(20.0), factor_text(800.0)
    ('2.72', '148', '4.9e8', 'e^800.00')
    """
    if epsilon > _MOST_EXPONENT:
        return f"e^{parameter(epsilon)}"
    factor = math.exp(epsilon)
    return fixed(factor, 2) if factor < 100 else fixed(factor, 0) if factor < 1e6 else scientific(factor)
