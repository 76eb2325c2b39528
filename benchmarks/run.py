"""Print a table of measured times.

Run ``python -m benchmarks`` (or ``python benchmarks/run.py``) in the root of the project. Times are medians
of warm calls with BLAS on one thread; the first call, which makes the working arrays, stands apart. Every
line gives the load of the machine over the last minute: other work on the same cores makes times longer,
ratios less so. The time from a keystroke to the new number on screen needs a browser and is measured by
``benchmarks/keystroke.py``, the frames of a stream that plays by ``benchmarks/stream_frames.py``, and what it
leaves in memory by the same with ``--minutes 10``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from threadpoolctl import threadpool_limits

from benchmarks import timing
from benchmarks.anonymity import anonymity_rows
from benchmarks.anonymity_tables import anonymity_table_rows
from benchmarks.attack_rows import attack_rows
from benchmarks.dependent_release_rows import dependent_release_rows
from benchmarks.dependent_rows import dependent_rows
from benchmarks.editing_rows import editing_rows
from benchmarks.exact_rows import instance_rows, other_contributions, worst_case_rows
from benchmarks.file_rows import file_rows
from benchmarks.frame_rows import frame_rows
from benchmarks.local_rows import local_leakage_rows
from benchmarks.local_sampler_rows import local_sampler_rows
from benchmarks.meaning_rows import meaning_rows
from benchmarks.network_rows import network_rows
from benchmarks.other_rows import gaussian_rows, import_rows, interval_rows, noise_rows
from benchmarks.paper_rows import chain_rows, search_rows
from benchmarks.sequence_lp_rows import sequence_lp_rows
from benchmarks.sequence_rows import sequence_rows
from benchmarks.timing import headline, line

__all__ = ["main"]

_ROWS = (
    instance_rows,
    worst_case_rows,
    other_contributions,
    editing_rows,
    chain_rows,
    search_rows,
    gaussian_rows,
    noise_rows,
    interval_rows,
    meaning_rows,
    local_sampler_rows,
    local_leakage_rows,
    sequence_rows,
    sequence_lp_rows,
    dependent_rows,
    dependent_release_rows,
    attack_rows,
    network_rows,
    anonymity_rows,
    anonymity_table_rows,
    frame_rows,
    file_rows,
    import_rows,
)


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=20, help="largest number of tuples (default 20)")
    parser.add_argument("--blas-threads", type=int, default=1, help="threads of BLAS; 0 leaves its default")
    parser.add_argument("--budget", type=float, default=0.4, help="seconds for each median (default 0.4)")
    options = parser.parse_args(arguments)
    timing.budget = options.budget
    threads = options.blas_threads or None
    print(headline(f"{threads} thread{'s' * (threads != 1)}" if threads else "its default threads"))
    with threadpool_limits(threads, user_api="blas"):
        for rows in _ROWS:
            for row in rows(options.largest):
                print(line(row), flush=True)


if __name__ == "__main__":
    main()
