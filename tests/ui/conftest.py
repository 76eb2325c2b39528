"""Fixtures of the tests that look at widgets in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import comm
import pytest
import traitlets.log
from ipywidgets import Widget
from playwright.sync_api import Browser

from tests.ui.bridge import Bridge, ErrorLog


@pytest.fixture
def open_bridge(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Bridge]]:
    """Open a page with options of its own (``viewport``, ``device_scale_factor``, ...)."""
    opened: list[tuple[Bridge, ErrorLog]] = []
    logger = traitlets.log.get_logger()

    def open_one(**context: Any) -> Bridge:
        bridge = Bridge(chromium, **context)
        handler = ErrorLog(bridge.errors)
        logger.addHandler(handler)
        monkeypatch.setattr(comm, "create_comm", bridge.create_comm)
        opened.append((bridge, handler))
        return bridge

    yield open_one
    for bridge, _ in opened:
        bridge.settle()
    Widget.close_all()
    faults = []
    for bridge, handler in opened:
        logger.removeHandler(handler)
        faults += bridge.errors
        bridge.close()
    assert not faults, "The page or a callback reported errors:\n" + "\n".join(faults)


@pytest.fixture
def bridge(open_bridge: Callable[..., Bridge]) -> Bridge:
    """A page connected to the widgets that the test makes."""
    return open_bridge()
