"""What all tests share: one browser, since Playwright runs once in a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright

from tests import browser

# The limit is for what never comes, not for how fast it comes: a busy machine is no failure.
expect.set_options(timeout=20_000)
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a file in one process, and all that builds the package in one: a build is nobody else's read."""
    for item in items:
        group = "packaging" if "packaging" in item.path.parts else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of all browser tests. Without one they fail and say what to install."""
    with sync_playwright() as playwright:
        started = browser.launch(playwright)
        yield started
        started.close()
