"""What all tests share: one browser, since Playwright runs once in a process."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright
from xdist.remote import Producer

from tests import browser
from tests.by_file import ByFile

expect.set_options(timeout=browser.PATIENCE)
# The same examples judge a change every time and everywhere; `make fuzz` draws ten times as many, new ones.
_ALIKE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("suite", _ALIKE, derandomize=True, max_examples=30)
settings.register_profile("fuzz", _ALIKE, derandomize=False, max_examples=300, print_blob=True)
settings.load_profile("suite")
# A hundred kernels, servers and scripts are started below. Without compiled files beside the sources (git
# ignores them) each of those would compile the whole package, and every run all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Reading the tests makes millions of objects of which nearly all stay: looking for garbage among them, again
# and again, took a third of that time.
gc.disable()


def few() -> settings:
    """Return the settings of tests whose examples take long: a third as many."""
    return settings(max_examples=settings.default.max_examples // 3)


def pytest_collection_finish() -> None:
    """Look for garbage again, but no more among what stays to the end."""
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    """Take the files in the order of their names: those that wait most, in JupyterLab, come first."""
    config.option.loadscopereorder = False
    return ByFile(config, log)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of all browser tests. Without one they fail and say what to install."""
    with sync_playwright() as playwright:
        started = browser.launch(playwright)
        yield started
        started.close()
