"""Cases in which an error is due: faulty input to what another kind of case computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pdp_widgets.errors import PdpError
from pdp_widgets.models.labels import shown
from pdp_widgets.verify.documents import Input, VectorError

__all__ = ["ERROR", "called_by", "missing_error"]

#: The kind of these cases, in every format.
ERROR = "error"


def called_by(data: Input) -> tuple[str, Input]:
    """Return the kind that a case calls and its input, or raise VectorError."""
    if not isinstance(data.get("call"), str) or not isinstance(data.get("args"), dict):
        raise VectorError("the input of an error case has a call (text) and its args (an object)")
    return data["call"], data["args"]


def missing_error(run: Callable[[Input], Any], data: Input, expected: Input) -> str:
    """Return what is wrong, in words: no error, or one that says nothing. Empty if the error is as due."""
    try:
        run(data)
    except PdpError as fault:
        return "" if str(fault) else f"{type(fault).__name__}: {fault}"
    return f"no error where one is due: {shown(expected.get('error'))}"
