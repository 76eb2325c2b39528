"""A page of nbconvert in which widgets are drawn: by the files of ipywidgets and anywidget beside it.

What a reader sees where no script may be fetched is tested with saved notebooks (tests/lab).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import expect

from tests.hosts.conftest import Watched, bundle_widget_parts, largest, levels

# The parts by name, in place of the addresses of their CDNs.
BESIDE = {"require_js_url": "require.min.js", "widget_renderer_url": "embed-amd.js", "mathjax_url": ""}


@pytest.fixture(scope="module")
def folder(executed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with its parts, in the light and the dark theme."""
    place = tmp_path_factory.mktemp("pages")
    bundle_widget_parts(place)
    for theme in ("light", "dark"):
        html, _ = HTMLExporter(theme=theme, **BESIDE).from_filename(str(executed))
        (place / f"{theme}.html").write_text(html, encoding="utf-8")
    return place


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_explorer_is_drawn_from_its_saved_state(
    folder: Path, watch: Callable[..., Watched], theme: str
) -> None:
    host = watch()
    host.page.goto((folder / f"{theme}.html").as_uri())
    host.shows(largest(1.0))
    host.says(host.view, levels())
    host.no_picture_beside()
    host.looks_like_itself()
    host.has_no_kernel()
    assert host.view.get_attribute("data-dark") == ("" if theme == "dark" else None)
    # On paper it is the picture.
    host.page.emulate_media(media="print")
    expect(host.view).to_be_hidden()
    expect(host.page.locator(".pdp-static img").first).to_be_visible()
