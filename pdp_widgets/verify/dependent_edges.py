"""Cases at the edge: calls that give a number or are refused. Modules of the format offer them as CALLS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from pdp_widgets.errors import PdpError
from pdp_widgets.models.labels import shown
from pdp_widgets.verify.documents import Input, VectorError
from pdp_widgets.verify.formats import FORMATS, Kinds

__all__ = ["KINDS"]


def _calls() -> Mapping[str, Callable[[Input], float]]:
    found: dict[str, Callable[[Input], float]] = {}
    for module in FORMATS["ddp-vectors/1"]:
        found |= getattr(import_module(f"pdp_widgets.verify.{module}"), "CALLS", {})
    return found


def _edge(data: Input) -> dict[str, Any]:
    call = _calls().get(data["call"]) if isinstance(data["call"], str) else None
    if call is None:
        raise VectorError(f"there is no call {shown(data['call'])}")
    try:
        return {"value": call(data["args"])}
    except PdpError as fault:
        return {"raises": "ValueError"} if str(fault) else {"raises": "an error without a message"}


KINDS: Kinds = {("edge_case", None): _edge}
