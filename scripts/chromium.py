"""Makes sure that there is a Chromium that starts. Runs in the environment, which holds Playwright.

The machine's own browser is taken when it starts. Else Debian's package is installed where that is possible
without asking anyone (apt-get, and root or sudo without a password), else Playwright's own build. If neither
works, the command fails and says what to install: browser tests are never left out in silence.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests import browser


def version() -> str | None:
    """The version of the browser the tests would use, or None when there is none that starts."""
    with sync_playwright() as playwright:
        try:
            started = browser.launch(playwright)
        except (browser.NoBrowserError, Error):
            return None
        found = started.version
        started.close()
        return found


def as_root() -> list[str] | None:
    """What to put before a command to run it as root without a question, None when that cannot be done."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def run(*command: str) -> bool:
    """Run one step of an installation; whether it worked."""
    print(f"  $ {' '.join(command)}", flush=True)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 0


def from_debian() -> bool:
    """Install the distribution's package, with a font to draw text in."""
    root = as_root()
    if root is None or not shutil.which("apt-get"):
        return False
    print("Chromium: installing the distribution's package.", flush=True)
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    install = [*apt, "install", "-y", "--no-install-recommends", "fonts-liberation"]
    return run(*apt, "update") and (run(*install, browser.SHELL) or run(*install, "chromium"))


def from_playwright() -> bool:
    """Install Playwright's own build; the libraries it needs come along where we may install them."""
    print("Chromium: installing Playwright's own build.", flush=True)
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    return run(*command, "--with-deps") if os.geteuid() == 0 and shutil.which("apt-get") else run(*command)


def main() -> int:
    """Exit status 0 when a browser starts."""
    ways: tuple[Callable[[], bool], ...] = (lambda: True, from_debian, from_playwright)
    for way in ways:
        if way() and (found := version()):
            print(f"Chromium: {found}.", flush=True)
            return 0
    print(f"\n{browser.ADVICE}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
