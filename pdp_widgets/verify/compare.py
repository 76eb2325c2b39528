"""How a computed result is compared with the one a file of reference cases expects."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pdp_widgets.models.labels import shown

# Lists that are sets, keyed by all but the last entry of a row; a file may give a part of them.
_SETS = ("nodes", "edges")


@dataclass(frozen=True)
class InBand:
    """Numbers that depend on chance: a case gives the two ends between which all of them are.

    Examples
    --------
    >>> difference(InBand((1.0, 3.0)), [0, 2], 0.0, "mean")
    'mean: expected 0 to 2, got 3.0'
    """

    numbers: tuple[float, ...]

    def outside(self, band: Any) -> str:
        """Return what is wrong in words, or empty text."""
        if not isinstance(band, list) or len(band) != 2:
            return f"expected {shown(band)}, which is no band of two ends"
        wrong = [number for number in self.numbers if not band[0] <= number <= band[1]]
        return f"expected {shown(band[0])} to {shown(band[1])}, got {shown(wrong[0])}" if wrong else ""


def decoded(value: Any, floats: Mapping[str, float]) -> Any:
    """Replace the strings that stand for floats without a JSON number."""
    if isinstance(value, str):
        return floats.get(value, value)
    if isinstance(value, list):
        return [decoded(v, floats) for v in value]
    if isinstance(value, dict):
        return {key: decoded(v, floats) for key, v in value.items()}
    return value


def difference(got: Any, expected: Any, tol: float, at: str) -> str | None:
    """Return the first difference in words, or None."""
    if isinstance(got, InBand):
        outside = got.outside(expected)
        return f"{at}: {outside}" if outside else None
    if isinstance(expected, dict):
        if not expected:
            return f"{at}: nothing is expected; a case names at least one result"
        for key, value in expected.items():
            if not isinstance(got, dict) or key not in got:
                return f"{at}{key} is missing"
            if key in _SETS and isinstance(value, list):
                found = _set_difference(got[key], value, tol, f"{at}{key}")
            else:
                found = difference(got[key], value, tol, f"{at}{key}")
            if found:
                return found
        return None
    if isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            return f"{at}: expected {len(expected)} entries, got {shown(got)}"
        parts = (
            difference(g, e, tol, f"{at}[{k}]") for k, (g, e) in enumerate(zip(got, expected, strict=True))
        )
        return next((part for part in parts if part), None)
    if isinstance(expected, bool) or expected is None or isinstance(expected, str):
        return (
            None
            if type(got) is type(expected) and got == expected
            else f"{at}: expected {shown(expected)}, got {shown(got)}"
        )
    if isinstance(got, bool) or not isinstance(got, int | float):
        return f"{at}: expected {shown(expected)}, got {shown(got)}"
    if isinstance(expected, int) and isinstance(got, int):
        # Integers of any size are compared as they are.
        near = abs(got - expected) <= tol * max(1, abs(expected)) if tol else got == expected
        return None if near else f"{at}: expected {shown(expected)}, got {shown(got)}"
    if isinstance(expected, float) and not math.isfinite(expected):
        same = math.isnan(got) if math.isnan(expected) else got == expected
        return None if same else f"{at}: expected {shown(expected)}, got {shown(got)}"
    if abs(got - expected) <= tol * max(1.0, abs(expected)):
        return None
    return f"{at}: expected {shown(expected)}, got {shown(got)}"


def _key(row: list[Any]) -> str:
    return json.dumps([sorted(part, key=str) if isinstance(part, list) else part for part in row[:-1]])


def _set_difference(got: Any, expected: list[Any], tol: float, at: str) -> str | None:
    if got and not expected:
        return f"{at}: the expected list is empty and {len(got)} rows were computed"
    rows = {_key(row): row[-1] for row in got}
    for row in expected:
        if not isinstance(row, list) or len(row) < 2:
            return f"{at}: {shown(row)} is no row of a key and a value"
        key = _key(row)
        if key not in rows:
            return f"{at}: {key} is missing"
        found = difference(rows[key], row[-1], tol, f"{at} {key}")
        if found:
            return found
    return None
