"""What many pages have in common is made once: the menu beside those that are not in it, stems of words."""

from __future__ import annotations

from functools import cache
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

__all__ = ["setup"]


class _English(SearchEnglish):
    """Words are English, and each is looked at once: pages of the reference share most of theirs."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(super().stem)  # type: ignore[method-assign]


def _menus(app: Sphinx) -> None:
    """Make the menu once for all pages of a folder that do not stand in it: it marks none of them."""
    made: dict[tuple[str, tuple[tuple[str, Any], ...]], str] = {}

    def _one_menu(
        app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
    ) -> None:
        included = app.env.toctree_includes.values()
        listed = page == app.config.root_doc or any(page in names for names in included)
        if listed or "toctree" not in context:
            return
        own, folder = context["toctree"], page.rpartition("/")[0]

        def toctree(**options: Any) -> str:
            asked = folder, tuple(sorted(options.items()))
            if asked not in made:
                made[asked] = own(**options)
            return made[asked]

        context["toctree"] = toctree

    # Before the theme asks for it.
    app.connect("html-page-context", _one_menu, priority=100)


def setup(app: Sphinx) -> None:
    """Take the place of what Sphinx would do for each page."""
    app.add_search_language(_English)
    app.connect("builder-inited", _menus)
