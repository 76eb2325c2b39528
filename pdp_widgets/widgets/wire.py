"""What travels to the browser and back: JSON without NaN, arrays as little-endian bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import PdpError, Where

__all__ = ["fault", "flag_bytes", "flags", "float_bytes", "floats", "json_safe", "number"]

_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def json_safe(value: Any) -> Any:
    """Return a value that is valid JSON once its bytes are taken out.

    NaN and infinities become the words ``"NaN"``, ``"Infinity"``, ``"-Infinity"``; numpy scalars become
    Python numbers; tuples become lists. Bytes stay.

    Examples
    --------
    >>> json_safe({"a": (1.0, float("inf")), "b": np.float64("nan")})
    {'a': [1.0, 'Infinity'], 'b': 'NaN'}
    """
    if value is None or isinstance(value, str | bytes | bool):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {str(k): json_safe(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(v) for v in value]
    raise TypeError(f"{type(value).__name__} cannot be sent to the browser")


def number(value: Any) -> float:
    """Return the number that JSON or one of its three words stands for; NaN for anything else.

    Examples
    --------
    >>> number("-Infinity"), number(2)
    (-inf, 2.0)
    """
    if isinstance(value, str):
        return _WORDS.get(value, math.nan)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value)


def float_bytes(values: NDArray[np.float64]) -> bytes:
    """Return float64 numbers in C order as little-endian bytes."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def flag_bytes(values: NDArray[Any]) -> bytes:
    """Return flags in C order, one byte each: 1 for true."""
    return np.ascontiguousarray(values, dtype=np.bool_).tobytes()


def floats(data: Any) -> NDArray[np.float64]:
    """Return the numbers of little-endian float64 bytes, as an array of its own."""
    return np.frombuffer(bytes(data), dtype="<f8").astype(np.float64)


def flags(data: Any) -> NDArray[np.bool_]:
    """Return the flags of a string of bytes, as an array of its own."""
    return np.frombuffer(bytes(data), dtype=np.uint8) != 0


def fault(text: str, where: Where | None = None) -> dict[str, Any]:
    """Return a fault as the browser expects it."""
    place = None
    if where is not None:
        place = {"kind": where.kind, "index": where.index, "axis": where.axis, "name": where.name}
        place = {k: v for k, v in place.items() if v is not None}
    return {"text": text, "where": place}


def fault_of(error: PdpError | None) -> dict[str, Any] | None:
    """Return the fault of an error about input, or None."""
    return None if error is None else fault(str(error), error.where)
