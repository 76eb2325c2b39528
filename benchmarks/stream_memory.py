"""What a stream simulator that plays for minutes leaves in memory: ``python -m benchmarks.stream_frames``.

With ``--minutes 10``: four lanes at the highest speed there is, 1,000 steps a second; a run that has ended
begins again. Every minute: the page's heap and nodes after a collection, which are those of all JupyterLab,
and what the kernel's process has resident. A kernel keeps every step of a run: within one it grows a little,
and from one to the next it must not.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from playwright.sync_api import Page

from benchmarks.keystroke import run_all

__all__ = ["CELL", "Minute", "minutes", "table"]

CELL = """import os
from pathlib import Path
from pdp_widgets import MarkovChain, StreamSimulator
Path("kernel").write_text(str(os.getpid()))
lanes = ("crr", "crr_balanced", "grr", "grr2")
stream = StreamSimulator(MarkovChain.symmetric(0.9), 0.5, lanes, rng=10, steps=2000)
stream.speed = 1000.0
stream"""
# Pages and kernels grow while they warm up; from here on, they are to stay as they are.
WARM = 2
# What later minutes may need more than earlier ones: code is compiled late, and buffers are not full.
HEAP_SLACK, KERNEL_SLACK = 0.05, 0.10
MEGABYTE = 1e6


@dataclass(frozen=True)
class Minute:
    """What is used after so many minutes, in bytes."""

    at: float
    runs: int
    step: int
    heap: float
    nodes: int
    listeners: int
    kernel: int


def minutes(page: Page, url: str, folder: Path, count: int) -> Iterator[Minute]:
    """Let it play, and measure at the start and after every minute."""
    run_all(page, url)
    page.locator(".pdp canvas").wait_for()
    page.locator(".pdp label.segment", has_text="2,000").click()
    kernel = psutil.Process(int((folder / "kernel").read_text()))
    session = page.context.new_cdp_session(page)
    play, pause, reset = (
        page.locator(f".pdp [aria-label='{name}']") for name in ("Play", "Pause", "Back to the start")
    )
    play.click()
    runs, begun = 1, time.monotonic()
    for minute in range(count + 1):
        while time.monotonic() < begun + 60 * minute:
            page.wait_for_timeout(500)
            if pause.count() == 0:
                reset.click()
                page.locator(".pdp .sx-empty").wait_for()
                play.click()
                runs += 1
        # What the first collection lets go of may have held on to more.
        for _ in range(2):
            session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"]
        counters = session.send("Memory.getDOMCounters")
        step = int(page.locator(".pdp .sx-at").inner_text().removeprefix("step ").replace(",", "") or 0)
        resident = kernel.memory_info().rss
        at = (time.monotonic() - begun) / 60
        yield Minute(at, runs, step, heap, counters["nodes"], counters["jsEventListeners"], resident)


def table(found: list[Minute]) -> Iterator[str]:
    """Return the lines of a table, and whether anything grows."""
    heads = f"{'minute':>6} {'run':>4} {'step':>8} {'page heap MB':>13} {'nodes':>7} {'listeners':>10}"
    yield f"{heads} {'kernel MB':>10}"
    for one in found:
        yield (
            f"{one.at:>6.1f} {one.runs:>4} {one.step:>8,} {one.heap / MEGABYTE:>13.1f} {one.nodes:>7,} "
            f"{one.listeners:>10,} {one.kernel / MEGABYTE:>10.1f}"
        )
    warm = found[WARM:]
    if len(warm) < 2 * WARM:
        return
    middle = len(warm) // 2
    early, late = warm[:middle], warm[middle:]
    for name, slack in (("heap", HEAP_SLACK), ("nodes", HEAP_SLACK), ("kernel", KERNEL_SLACK)):
        before, after = (max(getattr(one, name) for one in half) for half in (early, late))
        verdict = "yes" if after <= before * (1 + slack) else "NO"
        change = f"{after / before - 1:+.1%}"
        yield f"{name}: largest of the later minutes against the earlier ones {change}; stays: {verdict}"
