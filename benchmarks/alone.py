"""Measure all adversaries in a process of their own: ``python -m benchmarks.alone N``.

Prints first call and warm median in seconds and the peak memory of the process in bytes, as JSON.
"""

from __future__ import annotations

import json
import re
import sys
from functools import partial
from pathlib import Path

from benchmarks.cases import problem
from benchmarks.timing import measure
from pdp_widgets.leakage.prior import grouped

__all__ = ["main", "peak_memory"]


def peak_memory() -> float:
    """Return the largest amount of memory this process has held, in bytes."""
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s*(\d+) kB", status.read_text())):
        return 1024.0 * int(found[1])
    import resource

    # In kilobytes; unlike the line above it includes the process that started this one.
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(n: int) -> None:
    """Measure and print."""
    first, warm = measure(partial(grouped.all_adversaries, *problem(n)))
    print(json.dumps([first, warm, peak_memory()]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
