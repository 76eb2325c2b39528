"""What the theme leaves out for those who read with the keyboard or by ear."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["setup"]


def _complete(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let the keyboard scroll code that is wider than the page, and give the heads of the menu a level."""
    if "body" in context:
        context["body"] = context["body"].replace("<pre>", '<pre tabindex="0">')
    if "furo_navigation_tree" in context:
        menu = context["furo_navigation_tree"]
        context["furo_navigation_tree"] = menu.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> None:
    """Change the pages after the theme has filled in its own parts."""
    app.connect("html-page-context", _complete, priority=900)
