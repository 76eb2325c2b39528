"""The frame of a published page: what it allows, and its style."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection, Mapping
from html import escape
from typing import Any

from pdp_widgets.publish.page_script import page_script
from pdp_widgets.publish.page_state import data_block
from pdp_widgets.publish.page_style import PAGE_STYLE
from pdp_widgets.version import __version__

__all__ = ["document", "slot"]

_CAPTION = re.compile(r"<figcaption>.*?</figcaption>", re.DOTALL)
_PICTURE = "A picture of what was published. Where scripts may run, the explorer itself stands here."


def slot(figure: str, state: Mapping[str, Any]) -> str:
    """Return the place of one widget in a page: its picture, and the state that the script draws it from.

    Parameters
    ----------
    figure
        HTML of the picture, a ``<figure>``, safe to stand in the page.
    state
        See `pdp_widgets.publish.page_state.page_state`.
    """
    captioned = _CAPTION.sub(f"<figcaption>{_PICTURE}</figcaption>", figure, count=1)
    return f'<div class="pdp-slot">{captioned}{data_block(state)}</div>'


def document(title: str, body: str, *, modules: Collection[str] = ()) -> str:
    """Return a page as one HTML document that loads nothing.

    Parameters
    ----------
    title
        Text.
    body
        HTML, safe to stand in the page.
    modules
        Those of the widgets in the slots, whose code the page carries; without any it has no script at all.

    Notes
    -----
    The Content-Security-Policy allows the one script by its hash, style sheets and style attributes, and
    pictures that stand in the page. Nothing else may run or be fetched.
    """
    script = page_script(modules) if modules else ""
    allowed = "'none'"
    if script:
        allowed = f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    # The policy stands first: it holds for what comes after it.
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="pdp_widgets {__version__}">\n'
        f"<title>{escape(title)}</title>\n<style>{PAGE_STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n{body}\n"
        f"<footer>pdp_widgets {__version__}. One file: no kernel, no network.</footer>\n</main>\n"
        f"{f'<script>{script}</script>' if script else ''}\n</body>\n</html>\n"
    )
