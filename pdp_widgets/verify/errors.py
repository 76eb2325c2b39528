"""Cases in which an error is due: faulty input to what another kind of case computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from pdp_widgets.errors import PdpError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.verify.documents import Input, VectorError

__all__ = ["ERROR", "called_by", "missing_error"]

#: The kind of these cases, in every format.
ERROR = "error"
_PARTS = {field.name for field in fields(Where)}


def called_by(data: Input) -> tuple[str, Input]:
    """Return the kind that a case calls and its input, or raise VectorError."""
    if not isinstance(data.get("call"), str) or not isinstance(data.get("args"), dict):
        raise VectorError("the input of an error case has a call (text) and its args (an object)")
    return data["call"], data["args"]


def missing_error(run: Callable[[Input], Any], data: Input, expected: Input) -> str:
    """Return what is wrong, in words: no error, one that says nothing, or another than is due. Else empty.

    Parameters
    ----------
    run
        What the case calls.
    data
        Its input.
    expected
        ``error``: the meaning in words, which no program can compare. If a case says more it must hold:
        ``type``, the name of the exception, and ``where``, parts of the place of the fault (`Where`).

    Raises
    ------
    VectorError
        What is expected of the error is not of this form.
    """
    kind, place = _expected(expected)
    try:
        run(data)
    except PdpError as fault:
        name = type(fault).__name__
        if not str(fault):
            return f"{name} without a message"
        if kind is not None and name != kind:
            return f"{kind} is due, got {name}: {fault}"
        found = {key: _as_written(getattr(fault.where, key, None)) for key in place}
        if found != place:
            return f"an error at {shown(place)} is due, got {shown(found)}: {fault}"
        return ""
    return f"no error where one is due: {shown(expected.get('error'))}"


def _expected(expected: Input) -> tuple[str | None, dict[str, Any]]:
    """Return the type that an error must have, or None, and the parts of its place that must agree."""
    kind, place = expected.get("type"), expected.get("where")
    if kind is not None and not isinstance(kind, str):
        raise VectorError(f"the type of the error is {shown(kind)}; it is text")
    if place is not None and (not isinstance(place, dict) or not place.keys() <= _PARTS):
        raise VectorError(f"the place of the error is {shown(place)}; it has {', '.join(sorted(_PARTS))}")
    return kind, dict(place or {})


def _as_written(part: Any) -> Any:
    """Return a part of a place as a vector file writes it."""
    return list(part) if isinstance(part, tuple) else part
