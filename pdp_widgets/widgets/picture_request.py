"""The answer to a page that wants to save the picture."""

from __future__ import annotations

import copy
from typing import Any

from pdp_widgets.errors import PdpError
from pdp_widgets.widgets.base import LOCK, PdpWidget
from pdp_widgets.widgets.wire import LONGEST_TEXT

__all__ = ["answer_picture"]


def answer_picture(widget: PdpWidget, content: Any, name: str) -> None:
    """Send the static picture to the view that asked for it; other messages are left alone.

    Parameters
    ----------
    widget
        Whose picture it is.
    content
        The message of the page: ``{"picture": token}``.
    name
        File name of the picture.
    """
    if not isinstance(content, dict) or widget._closed or not isinstance(content.get("picture"), str):
        return
    answer: dict[str, Any] = {"asked": content["picture"][:LONGEST_TEXT]}
    try:
        # As it is: a page does not wait for what is computed.
        with LOCK:
            core = copy.copy(widget._core)
        answer |= {"svg": widget._drawn(core).svg, "name": name}
    except Exception as error:
        answer["fault"] = str(error) or type(error).__name__
        if not isinstance(error, PdpError):
            widget._report(error, "the picture")
    widget.send({"picture": answer})
