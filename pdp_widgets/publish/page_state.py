"""The state of a widget as a saved notebook and a page carry it: what its module needs to draw it again."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from pdp_widgets.errors import PdpError, Where
from pdp_widgets.version import __version__

__all__ = [
    "MODULES",
    "STATE_VERSION",
    "VIEW_TYPE",
    "PageError",
    "checked_state",
    "data_block",
    "modules_within",
    "page_state",
]

#: Media type of the state, beside the picture in the same output. No host draws it.
VIEW_TYPE = "application/vnd.pdp-widgets.view+json"
#: Counts changes that an older reader cannot follow.
STATE_VERSION = 1
#: Widgets that a page knows: those that js/src/page joins.
MODULES = frozenset(
    {
        "anonymity_explorer",
        "attack_explorer",
        "covariance_editor",
        "dependence_explorer",
        "gaussian_explorer",
        "joint_table",
        "local_explorer",
        "network_explorer",
        "prior_explorer",
        "question",
        "stream_simulator",
        "whg_graph",
    }
)
_BLOCK = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
_BYTES = "base64"
_DEEPEST = 100


class PageError(PdpError):
    """No page can be made of this: it is no notebook, or one that holds nothing to show."""


def page_state(
    module: str, traits: Mapping[str, Any], embedded: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the state of a widget as JSON."""
    view = {**traits["_view"], "revision": 1, "since": 1, "ack": None}
    made = {
        "version": STATE_VERSION,
        "package": __version__,
        "module": module,
        "traits": _encoded({**traits, "_view": view}),
    }
    if embedded:
        made["embedded"] = _encoded(embedded)
    return made


def _encoded(value: Any) -> Any:
    if isinstance(value, bytes | bytearray | memoryview):
        return {_BYTES: base64.b64encode(value).decode()}
    if isinstance(value, Mapping):
        return {str(key): _encoded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encoded(item) for item in value]
    return value


def checked_state(state: Any) -> dict[str, Any]:
    """Return a state that was read from a file, or raise PageError for what is wrong with it."""
    where = Where("parameter", name="source")
    version = state.get("version") if isinstance(state, dict) else None
    if not isinstance(state, dict) or type(version) is not int or version < 1:
        raise PageError(f"An output of the type {VIEW_TYPE} holds no state; run the notebook again.", where)
    if version > STATE_VERSION:
        newer = str(state.get("package", "a newer one"))[:40]
        raise PageError(
            f"The notebook was saved by pdp_widgets {newer} (state {str(version)[:9]}); this is pdp_widgets "
            f"{__version__}, which reads states up to {STATE_VERSION}. Install the newer version, or run the "
            "notebook again with this one.",
            where,
        )
    traits, module = state.get("traits"), state.get("module")
    if (
        not isinstance(module, str)
        or not isinstance(traits, dict)
        or not isinstance(traits.get("_view"), dict)
    ):
        raise PageError(f"An output of the type {VIEW_TYPE} holds no view; run the notebook again.", where)
    if module not in MODULES:
        raise PageError(
            f"The notebook shows the widget {module[:40]!r}, which pdp_widgets {__version__} does not have; "
            "run the notebook again with this version.",
            where,
        )
    try:
        _check_numbers(state)
    except (binascii.Error, TypeError, ValueError):
        raise PageError(
            "The numbers in the saved state are damaged; run the notebook again.", where
        ) from None
    return state


def _check_numbers(value: Any, depth: int = 0) -> None:
    # JSON, and the page that reads it, have finite numbers only; and no state is nested so deep.
    if depth > _DEEPEST or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError
    if isinstance(value, dict):
        if set(value) == {_BYTES}:
            base64.b64decode(value[_BYTES], validate=True)
        for item in value.values():
            _check_numbers(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check_numbers(item, depth + 1)


def modules_within(html: str) -> set[str]:
    """Return the modules of the widgets whose states stand in a page, as `data_block` wrote them."""
    return {json.loads(block)["module"] for block in _BLOCK.findall(html)}


def data_block(state: Mapping[str, Any]) -> str:
    """Return an element of a page that holds a state and runs nothing."""
    text = json.dumps(state, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Nothing in it may end the element, open a comment, or be a line end of old JavaScript.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/json">{text}</script>'
