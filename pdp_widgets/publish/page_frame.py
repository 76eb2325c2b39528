"""The frame of a published page: what it allows, its style, its one script."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from pdp_widgets.publish.page_state import data_block
from pdp_widgets.publish.page_style import PAGE_STYLE
from pdp_widgets.version import __version__

__all__ = ["document", "page_script", "slot"]

_SCRIPT = Path(__file__).resolve().parent.parent / "static" / "page.js"
_ENDS = re.compile(r"</script|<!--|\r", re.IGNORECASE)
_CAPTION = re.compile(r"<figcaption>.*?</figcaption>", re.DOTALL)
_PICTURE = "A picture of what was published. Where scripts may run, the explorer itself stands here."


def page_script() -> str:
    """Return the script that brings the slots of a page to life, see `slot`.

    It needs nothing else, asks for nothing, and may stand in a page as text or be loaded from a file.

    Raises
    ------
    RuntimeError
        The front end was not built.
    """
    try:
        script = _SCRIPT.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RuntimeError(
            "The front end is missing: there is no pdp_widgets/static/page.js. In a clone, build it with "
            "`npm ci` and `npm run build:widgets` in the folder js."
        ) from None
    found = _ENDS.search(script)
    if found:
        raise RuntimeError(
            f"pdp_widgets/static/page.js holds {found[0]!r} and cannot stand in a page; build it again."
        )
    return script


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


def document(title: str, body: str, *, live: bool) -> str:
    """Return a page as one HTML document that loads nothing.

    Parameters
    ----------
    title
        Text.
    body
        HTML, safe to stand in the page.
    live
        Whether there are slots; without any the page has no script at all.

    Notes
    -----
    The Content-Security-Policy allows the one script by its hash, style sheets and style attributes, and
    pictures that stand in the page. Nothing else may run or be fetched.
    """
    script = page_script() if live else ""
    allowed = "'none'"
    if live:
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
        f"{f'<script>{script}</script>' if live else ''}\n</body>\n</html>\n"
    )
