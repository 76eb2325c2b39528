"""Measuring and printing."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

__all__ = ["Row", "headline", "line", "measure", "seconds"]


@dataclass(frozen=True)
class Row:
    """One line of the table; times in seconds."""

    what: str
    size: str
    time: float
    first: float | None = None
    reference: float | None = None
    reference_name: str = ""
    target: float | None = None


#: Seconds spent on each median.
budget = 1.0


def measure(call: Callable[[], Any], most: int = 200) -> tuple[float, float]:
    """Return the first time and the median of the warm times, at least three, within about the budget."""
    start = perf_counter()
    call()
    first = perf_counter() - start
    times: list[float] = []
    while len(times) < 3 or (sum(times) < budget and len(times) < most):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return first, median(times)


def seconds(value: float | None) -> str:
    """Write a time with three figures and its unit."""
    if value is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size or unit == "µs":
            return f"{value / size:.3g} {unit}" if value / size < 1000 else f"{value / size:.0f} {unit}"
    return ""


def line(row: Row) -> str:
    """Write one line of the table."""
    ratio = f"{row.time / row.reference:.3g} x {row.reference_name}" if row.reference else ""
    goal = ""
    if row.target is not None:
        goal = f"under {seconds(row.target)}: {'yes' if row.time < row.target else 'NO'}"
    cells = (row.what, row.size, seconds(row.time), seconds(row.first), ratio, goal)
    return "{:<46} {:<8} {:>9} {:>11}  {:<42} {}".format(*cells).rstrip()


def headline(blas_threads: str) -> str:
    """Describe the machine: what a number without it cannot say."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    load = " ".join(f"{value:.2f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    return "\n".join(
        (
            f"Python {platform.python_version()}, numpy {np.__version__}, "
            f"{blas['name']} {blas['version']} ({blas_threads})",
            f"{platform.machine()}, {os.cpu_count()} cores, load average {load}",
            "",
            "{:<46} {:<8} {:>9} {:>11}  {:<42} {}".format(
                "what", "size", "median", "first call", "ratio to", "goal"
            ),
        )
    )
