"""Frames of a stream simulator that plays in JupyterLab: ``python -m benchmarks.stream_frames``.

A stock server, a real browser, four lanes and 2,000 steps on screen, at 200 steps a second. The time between
frames runs in the page; beside it, what a frame costs the page to draw. With ``--minutes`` it plays on
instead, and memory is measured every minute (``benchmarks/stream_memory.py``).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks import stream_memory
from benchmarks.keystroke import notebook, run_all, serve
from tests.browser import launch

__all__ = ["main"]

GOAL = 30.0
CELL = """import numpy as np
from pdp_widgets import MarkovChain, StreamSimulator
n = {states}
chain = MarkovChain(np.full((n, n), 0.1 / (n - 1)) + (0.9 - 0.1 / (n - 1)) * np.eye(n))
lanes = ("crr", "crr_balanced", "grr", "grr2")
stream = StreamSimulator(chain, 0.5, lanes, rng=10, steps=2000)
stream.speed = 200.0
stream"""
# Every callback of a frame is timed; the time of the frame itself says when the last one was.
WATCH = """() => {
    const ask = window.requestAnimationFrame.bind(window);
    window.__at = [];
    window.__cost = [];
    window.requestAnimationFrame = (draw) => ask((time) => {
        const begin = performance.now();
        draw(time);
        window.__cost.push(performance.now() - begin);
    });
    const note = (time) => {
        window.__at.push(time);
        ask(note);
    };
    ask(note);
}"""


def _frames(page: Page, url: str, seconds: float) -> dict[str, Any]:
    run_all(page, url)
    page.locator(".pdp canvas").wait_for()
    page.evaluate(WATCH)
    page.locator(".pdp label.segment", has_text="2,000").click()
    page.wait_for_timeout(1500)
    shown = page.locator(".pdp .sx-at")
    page.locator(".pdp [aria-label=Play]").click()
    page.wait_for_timeout(1000)
    page.evaluate("() => { window.__at = []; window.__cost = [] }")
    begin = _step(shown.inner_text())
    page.wait_for_timeout(1000 * seconds)
    end = _step(shown.inner_text())
    found: dict[str, Any] = page.evaluate("() => ({ at: window.__at, cost: window.__cost })")
    page.locator(".pdp [aria-label=Pause]").click()
    return found | {"steps": end - begin}


def _step(text: str) -> int:
    return int(text.removeprefix("step ").replace(",", ""))


@contextmanager
def _lab(cell: str) -> Iterator[tuple[Page, str, Path]]:
    """A page, the address of a JupyterLab that serves a notebook of this cell, and its folder."""
    with tempfile.TemporaryDirectory(prefix="pdp-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "bench.ipynb").write_text(json.dumps(notebook(cell)))
        process, url = serve(folder)
        try:
            with sync_playwright() as playwright:
                browser = launch(playwright)
                yield browser.new_page(viewport={"width": 1400, "height": 1300}), url, folder
                browser.close()
        finally:
            process.terminate()
            process.wait()


def _machine(page: Page) -> str:
    browser = page.context.browser
    version = browser.version if browser else "?"
    return f"Chromium {version}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}"


def _memory(count: int) -> None:
    with _lab(stream_memory.CELL) as (page, url, folder):
        found = list(stream_memory.minutes(page, url, folder, count))
        print(_machine(page), "\n")
    print(*stream_memory.table(found), sep="\n")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--minutes", type=int, help="play for so long and measure memory")
    options = parser.parse_args()
    if options.minutes is not None:
        return _memory(max(1, options.minutes))
    rows = []
    for states in (2, 10):
        with _lab(CELL.format(states=states)) as (page, url, _):
            rows.append((states, _frames(page, url, options.seconds)))
            machine = _machine(page)
    print(machine, "\n")
    head = (
        f"{'what':<38} {'a second':>9} {'p95 ms':>7} {'drawing p50':>12} {'p95 ms':>7} {'steps/s':>8}  goal"
    )
    print(head)
    for states, found in rows:
        at = found["at"]
        gaps = [later - earlier for earlier, later in pairwise(at)]
        spent = (at[-1] - at[0]) / 1000
        rate = len(gaps) / spent
        slow = quantiles(gaps, n=20, method="inclusive")[18]
        cost = quantiles(found["cost"], n=20, method="inclusive")
        verdict = "yes" if rate >= GOAL else "NO"
        print(
            f"{f'4 lanes, 2,000 steps, {states} states':<38} {rate:>9.1f} {slow:>7.1f} {cost[9]:>12.1f} "
            f"{cost[18]:>7.1f} {found['steps'] / options.seconds:>8.0f}  {GOAL:.0f} frames: {verdict}"
        )


if __name__ == "__main__":
    main()
