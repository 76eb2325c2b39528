"""What a vector file and a case in it must have, whatever the format."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from pdp_widgets.models.labels import shown

__all__ = ["Input", "VectorError", "check_case", "checked_document", "tolerance"]

Input: TypeAlias = Mapping[str, Any]


class VectorError(ValueError):
    """A document or a case is not of the vector format."""


def checked_document(document: Any, known: Collection[str]) -> tuple[str, list[Any]]:
    """Return format and cases of a vector file, or raise VectorError.

    Parameters
    ----------
    document
        Content of a file: ``{"format": ..., "cases": [...]}``.
    known
        Names of the formats that can be read.
    """
    if not isinstance(document, Mapping) or not {"format", "cases"} <= document.keys():
        raise VectorError("it has no format and cases")
    name, cases = document["format"], document["cases"]
    if not isinstance(name, str) or name not in known:
        raise VectorError(f"the format is {shown(name)}; known are {', '.join(known)}")
    if not isinstance(cases, list) or not cases:
        raise VectorError("it has no cases; cases are a list with at least one")
    return name, cases


def check_case(case: Any) -> None:
    """Raise VectorError unless a case has the parts that every case has."""
    if not isinstance(case, dict):
        raise VectorError(f"a case is {shown(case)}; it is an object with id, kind, input and expected")
    if not isinstance(case.get("kind"), str):
        raise VectorError(f"the kind is {shown(case.get('kind'))}; it is text")
    if not isinstance(case.get("input"), dict):
        raise VectorError("it has no input; an input is an object")


def tolerance(case: Input) -> float:
    """Return by how much the numbers of a case may differ, or raise VectorError."""
    tol = case.get("tol")
    if isinstance(tol, bool) or not isinstance(tol, int | float) or not 0 <= tol < float("inf"):
        raise VectorError(f"the tolerance is {shown(tol)}; it is a finite number, 0 or more")
    return float(tol)
