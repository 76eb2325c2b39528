"""A page of nbconvert in which widgets are drawn: by the files of ipywidgets and anywidget beside it.

In the light theme it is in test_every_widget.py; what a reader sees where no script may be fetched is tested
with saved notebooks (tests/lab).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nbconvert import HTMLExporter
from playwright.sync_api import expect

from tests.hosts.conftest import Watched, bundle_widget_parts, largest, levels

# The parts by name, in place of the addresses of their CDNs.
BESIDE = {"require_js_url": "require.min.js", "widget_renderer_url": "embed-amd.js", "mathjax_url": ""}


def test_in_the_dark_theme_the_explorer_is_drawn_from_its_saved_state(
    executed: Path, tmp_path: Path, watch: Callable[..., Watched]
) -> None:
    bundle_widget_parts(tmp_path)
    html, _ = HTMLExporter(theme="dark", **BESIDE).from_filename(str(executed))
    page = tmp_path / "dark.html"
    page.write_text(html, encoding="utf-8")
    host = watch()
    host.page.goto(page.as_uri())
    host.shows(largest(1.0))
    host.says(host.view, levels())
    host.no_picture_beside()
    host.looks_like_itself()
    host.has_no_kernel()
    assert host.view.get_attribute("data-dark") == ""
    # On paper it is the picture.
    host.page.emulate_media(media="print")
    expect(host.view).to_be_hidden()
    expect(host.page.locator(".pdp-static img").first).to_be_visible()
