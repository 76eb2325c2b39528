"""Fixtures of the tests that look at widgets in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import comm
import pytest
import traitlets.log
from ipywidgets import Widget
from playwright.sync_api import Browser

from tests.ui.bridge import Bridge, ErrorLog


@contextmanager
def connected(bridge: Bridge, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bridge]:
    """Connect the widgets that are made with a page; at the end neither may have reported an error."""
    logger = traitlets.log.get_logger()
    handler = ErrorLog(bridge.errors)
    logger.addHandler(handler)
    monkeypatch.setattr(comm, "create_comm", bridge.create_comm)
    try:
        yield bridge
        bridge.settle()
    finally:
        Widget.close_all()
        logger.removeHandler(handler)
    faults = "\n".join(bridge.errors)
    assert not faults, f"The page or a callback reported errors:\n{faults}"


@pytest.fixture
def open_bridge(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Bridge]]:
    """Open a page with options of its own (``viewport``, ``device_scale_factor``, ...)."""
    with ExitStack() as stack:

        def open_one(**context: Any) -> Bridge:
            bridge = Bridge(chromium, **context)
            stack.callback(bridge.close)
            return stack.enter_context(connected(bridge, monkeypatch))

        yield open_one


@pytest.fixture(scope="module")
def page_of_module(chromium: Browser) -> Iterator[Bridge]:
    """The page that the tests of a file load one after another: opening one takes longer than most tests."""
    bridge = Bridge(chromium)
    yield bridge
    bridge.close()


@pytest.fixture
def bridge(page_of_module: Bridge, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bridge]:
    """A page connected to the widgets that the test makes."""
    page_of_module.begin()
    with connected(page_of_module, monkeypatch):
        yield page_of_module
