"""The log ratio of two likelihoods with two levels, for any budget from next to nothing to infinity."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["LARGE", "two_level"]

Floats = NDArray[np.float64]

# Below, ln(1 + x) of a small x keeps all digits; above LARGE, exp(-budget) underflows.
_SMALL = 0.5
LARGE = 700.0


def two_level(a: ArrayLike, b: ArrayLike, log_rho: ArrayLike) -> Floats:
    """Return ln (1 + (rho - 1) a) / (1 + (rho - 1) b), at least 0 and at most ln rho.

    Parameters
    ----------
    a, b
        Probability that the source lies in the favoured set, for the one and for the other secret value.
    log_rho
        ln rho, 0 to infinity. At infinity the result is ln a - ln b, where a positive a over b = 0 gives
        infinity, and 0 over 0 tells nothing.

    Examples
    --------
    >>> float(two_level(0.5, 0.5, 1.0)), float(two_level(1.0, 0.0, 3.0)), float(two_level(0.6, 0.0, np.inf))
    (0.0, 3.0, inf)
    >>> print(f"{two_level(0.6, 0.1, 1e-9):.12g}")
    5.00000000075e-10
    """
    first, second, level = (np.asarray(part, dtype=np.float64) for part in (a, b, log_rho))
    forms = _form(level)
    if level.size and (level.ndim == 0 or (forms == forms.flat[0]).all()):
        return _FORMS[int(forms.flat[0])](first, second, level)
    first, second, level, forms = np.broadcast_arrays(first, second, level, forms)
    found = np.zeros(level.shape)
    for number, form in enumerate(_FORMS):
        part = forms == number
        if part.any():
            found[part] = form(first[part], second[part], level[part])
    return found


def _form(level: Floats) -> NDArray[np.int64]:
    return (level >= _SMALL).astype(np.int64) + (level > LARGE) + np.isinf(level)


def _clipped(value: Floats, level: Floats) -> Floats:
    return np.clip(value, 0.0, level)


def _small(a: Floats, b: Floats, level: Floats) -> Floats:
    gain = np.expm1(level)
    return _clipped(np.log1p(gain * a) - np.log1p(gain * b), level)


def _usual(a: Floats, b: Floats, level: Floats) -> Floats:
    low = np.exp(-level)
    upper = np.log(a + low * np.maximum(1.0 - a, 0.0))
    return _clipped(upper - np.log(b + low * np.maximum(1.0 - b, 0.0)), level)


def _large(a: Floats, b: Floats, level: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        upper, lower = (np.logaddexp(np.log(p), np.log(np.maximum(1.0 - p, 0.0)) - level) for p in (a, b))
    return _clipped(upper - lower, level)


def _infinite(a: Floats, b: Floats, level: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.log(a) - np.log(b)
    return np.maximum(np.where(a > 0, value, 0.0), 0.0)


_FORMS = (_small, _usual, _large, _infinite)
