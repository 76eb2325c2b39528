"""A page and notebooks saved before still open, show their numbers and answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import expect

from pdp_widgets.publish.page import html
from tests.every_widget import CELLS, printed, setup
from tests.golden.saved import ALL, ONE, PAGE, unpacked
from tests.hosts.conftest import WAIT, Watched, bundle_widget_parts
from tests.hosts.test_every_widget import assert_it_answers, assert_it_stands
from tests.hosts.test_nbconvert import BESIDE


@pytest.mark.parametrize("name", [PAGE, ALL])
def test_all_widgets_of_a_saved_page_and_of_a_page_of_a_saved_notebook(
    name: str, tmp_path: Path, watch: Callable[..., Watched]
) -> None:
    path, names, host = unpacked(name, tmp_path), setup(), watch()
    host.page.goto((path if name == PAGE else html(path, tmp_path / "made.html")).as_uri())
    # The files are older than questions and networks.
    modules = [module for module in CELLS if module not in ("question", "network_explorer")]
    expect(host.view).to_have_count(len(modules), timeout=WAIT)
    for k, module in enumerate(modules):
        assert_it_stands(host.view.nth(k), module, names)
        assert_it_answers(host.page, host.view.nth(k), module, names)


def test_the_saved_state_of_a_model(tmp_path: Path, watch: Callable[..., Watched]) -> None:
    names, host = setup(), watch()
    bundle_widget_parts(tmp_path)
    page, _ = HTMLExporter(**BESIDE).from_filename(str(unpacked(ONE, tmp_path)))
    (tmp_path / "one.html").write_text(page, encoding="utf-8")
    host.page.goto((tmp_path / "one.html").as_uri())
    expect(host.view).to_have_count(1, timeout=WAIT)
    assert_it_stands(host.view, "prior_explorer", names)
    host.has_no_kernel()
    # On paper it is the picture, which has the numbers as text beside it.
    host.page.emulate_media(media="print")
    expect(host.page.locator(".pdp-static img")).to_be_visible()
    said = host.page.locator(".pdp-static").text_content()
    assert [
        number for number in printed(eval(CELLS["prior_explorer"].numbers, names)) if number not in said
    ] == []
