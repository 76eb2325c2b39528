"""What a vector file and a case in it must have, and which module computes the cases of which format.

A format belongs to one paper. Its module, named here, has a dictionary ``KINDS``: a key is a kind with a
convention, or with None where cases of that kind have none; a value takes the input of a case and returns all
that may be expected of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from pdp_widgets.errors import PdpError
from pdp_widgets.models.labels import shown

Input: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = tuple[str, str | None]
Kinds: TypeAlias = Mapping[Kind, Callable[[Input], dict[str, Any]]]

#: The module of every format.
FORMATS: Mapping[str, str] = {
    "pdp-vectors/1": "prior",
    "cpl-vectors/1": "local",
    "sip-vectors/1": "sequence",
    "ddp-vectors/1": "dependent",
    "kanon-vectors/1": "anonymity",
    "meaning-vectors/1": "meaning",
    "networks-vectors/1": "networks",
}

# Texts that stand for floats without a JSON number: everywhere, and in some formats.
_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_MORE_FLOATS = {
    "cpl-vectors/1": {"inf": math.inf},
    "sip-vectors/1": {"inf": math.inf, "-inf": -math.inf},
    "ddp-vectors/1": {"nan": math.nan},
    "kanon-vectors/1": {"inf": math.inf},
    "meaning-vectors/1": {"inf": math.inf, "-inf": -math.inf},
    "networks-vectors/1": {"inf": math.inf},
}


class VectorError(ValueError):
    """A document or a case is not of the vector format."""


def checked_document(document: Any) -> tuple[str, list[Any]]:
    """Return format and cases of a vector file, or raise VectorError."""
    if not isinstance(document, Mapping) or not {"format", "cases"} <= document.keys():
        raise VectorError("it has no format and cases")
    name, cases = document["format"], document["cases"]
    if not isinstance(name, str) or name not in FORMATS:
        raise VectorError(f"the format is {shown(name)}; known are {', '.join(FORMATS)}")
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


def floats_of(name: str) -> Mapping[str, float]:
    """Return the texts of a format that stand for floats."""
    return _FLOATS | _MORE_FLOATS.get(name, {})


def numbers(values: Any) -> Any:
    """Return an array as nested lists."""
    return np.asarray(values).tolist()


def refusing(run: Callable[[Input], dict[str, Any]]) -> Callable[[Input], dict[str, Any]]:
    """Return a kind whose cases may expect that the call is refused, with a message."""

    def checked(data: Input) -> dict[str, Any]:
        try:
            return run(data)
        except PdpError as fault:
            return {"raises": "ValueError"} if str(fault) else {"raises": "an error without a message"}

    return checked


def kinds_of(name: str) -> Kinds:
    """Return what is offered of a format; its module is imported by now."""
    kinds: Kinds = import_module(f"pdp_widgets.verify.{FORMATS[name]}").KINDS
    return kinds
