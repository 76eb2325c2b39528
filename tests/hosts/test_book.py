"""A book of Sphinx with MyST-NB, the engine of Jupyter Book 1: with the widget's scripts and without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.hosts.conftest import Watched, largest, levels


@pytest.fixture
def book(built_book: Path) -> str:
    """Address of the page of one explorer."""
    return (built_book / "index.html").as_uri()


def test_the_explorer_is_drawn_from_its_saved_state(book: str, watch: Callable[..., Watched]) -> None:
    host = watch(color_scheme="dark")
    host.page.goto(book)
    host.shows(largest(1.0))
    host.says(host.view, levels())
    host.no_picture_beside()
    host.looks_like_itself()
    host.has_no_kernel()
    expect(host.view).to_have_attribute("data-dark", "")
    host.page.emulate_media(color_scheme="light")
    expect(host.view).not_to_have_attribute("data-dark", "")
    host.page.emulate_media(media="print")
    expect(host.view).to_be_hidden()
    expect(host.page.locator(".pdp-static img").first).to_be_visible()


def test_without_scripts_picture_and_numbers_are_seen(book: str, watch: Callable[..., Watched]) -> None:
    host = watch(java_script_enabled=False)
    host.page.goto(book)
    figure = host.page.locator("figure.pdp-static")
    for scheme in ("light", "dark"):
        host.page.emulate_media(color_scheme=scheme)
        expect(figure.locator("img").first).to_be_visible()
        decoded = "img => img.decode().then(() => img.naturalWidth)"
        assert figure.locator("img").first.evaluate(decoded) > 300, scheme
    figure.locator("summary").click()
    host.says(figure, levels())
    host.says(figure, [largest(1.0)])
    assert host.view.count() == 0
