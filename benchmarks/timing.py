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

__all__ = ["Row", "headline", "line", "measure", "written"]

_COLUMNS = "{:<46} {:<7} {:>10} {:>11} {:>8}  {:<32} {:>5}  {}"
# A call that takes longer is repeated once only.
_LONG = 3.0


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Parameters
    ----------
    what, size
        What was measured; empty where a line compares the one above with something else.
    value
        Warm median in seconds, or memory in bytes.
    first
        Time of the first call in seconds.
    reference, reference_name
        What the value is divided by, and its name.
    most, least_ratio
        Goals: the value is below ``most``; the ratio is at least ``least_ratio``.
    unit
        ``"s"`` or ``"B"``.
    """

    what: str
    size: str
    value: float
    first: float | None = None
    reference: float | None = None
    reference_name: str = ""
    most: float | None = None
    least_ratio: float | None = None
    unit: str = "s"

    @property
    def goal(self) -> str:
        """The goal and whether it is reached; empty without one."""
        if self.most is not None:
            reached = self.value < self.most
            return f"under {written(self.most, self.unit)}: {'yes' if reached else 'NO'}"
        if self.least_ratio is not None and self.reference:
            reached = self.value / self.reference >= self.least_ratio
            return f"ratio {self.least_ratio:,g} or more: {'yes' if reached else 'NO'}"
        return ""


#: Seconds spent on each median.
budget = 0.4


def measure(call: Callable[[], Any], most: int = 200) -> tuple[float, float]:
    """Return the first time and the median of the warm times.

    Warm calls are at least three and go on for about the budget; one only, if it takes seconds.
    """
    times: list[float] = []
    while len(times) < 4 or (sum(times[1:]) < budget and len(times) <= most):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
        if len(times) > 1 and times[-1] > _LONG:
            break
    return times[0], median(times[1:])


def written(value: float | None, unit: str = "s") -> str:
    """Write a time or an amount of memory with three figures and its unit.

    Examples
    --------
    >>> written(0.00234), written(12.34), written(361e6, "B")
    ('2.34 ms', '12.3 s', '361 MB')
    """
    if value is None:
        return ""
    if unit == "B":
        return f"{value / 1e6:.0f} MB"
    for name, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size or name == "µs":
            return f"{value / size:.3g} {name}" if value / size < 1000 else f"{value / size:.0f} {name}"
    return ""


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?"


def line(row: Row) -> str:
    """Write one line of the table, with the load of the last minute."""
    ratio = row.value / row.reference if row.reference else None
    return _COLUMNS.format(
        row.what,
        row.size,
        written(row.first),
        written(row.value, row.unit),
        "" if ratio is None else f"{ratio:,.0f}" if ratio >= 1000 else f"{ratio:.3g}",
        row.reference_name,
        _load(),
        row.goal,
    ).rstrip()


def headline(blas_threads: str) -> str:
    """Describe the machine, without which a number says little, and name the columns."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return "\n".join(
        (
            f"Python {platform.python_version()}, numpy {np.__version__}, "
            f"{blas['name']} {blas['version']} ({blas_threads})",
            f"{platform.machine()}, {os.cpu_count()} cores, load average {_load()}",
            "",
            _COLUMNS.format("what", "size", "first call", "warm median", "ratio", "to what", "load", "goal"),
        )
    )
