"""Which browser the tests use, and how it is started. The bridge and the JupyterLab tests share it."""

from __future__ import annotations

import os
import shutil
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Playwright

# The build without windows draws the same pages in two thirds of the time.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# The page needs no network, and a browser that asks for updates makes tests slow where there is none.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

ADVICE = (
    "No Chromium was found that starts, and the browser tests cannot run without one. Either of these brings "
    f"one: 'apt install {SHELL}' (Debian, as root), or "
    "'python -m playwright install --with-deps --only-shell chromium'. "
    "A browser elsewhere is named by the variable PDP_CHROMIUM."
)


#: Milliseconds that a page is waited for, by whatever waits. It is for what never comes, not for how fast it
#: comes: a busy machine is no failure.
PATIENCE = 90_000


class NoBrowserError(RuntimeError):
    """There is no browser; the message says how to get one."""


def on_path() -> str | None:
    """Find the browser that PDP_CHROMIUM names, else the first one on PATH."""
    named = os.environ.get("PDP_CHROMIUM")
    if named:
        found = shutil.which(named)
        if not found:
            raise NoBrowserError(f"PDP_CHROMIUM names {named!r}, which is no program.")
        return found
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def launch(playwright: Playwright) -> Browser:
    """Start the machine's browser, else Playwright's own, without a window."""
    path = on_path()
    try:
        started = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
    except Error as error:
        if path is None:
            raise NoBrowserError(f"{ADVICE}\nPlaywright says: {error}") from None
        raise
    make = started.new_context

    def patient(**options: Any) -> BrowserContext:
        made = make(**options)
        made.set_default_timeout(PATIENCE)
        return made

    # A context takes its limit from nowhere else, and those of all tests come from here.
    setattr(started, "new_context", patient)  # noqa: B010
    return started
