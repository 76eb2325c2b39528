"""Threads that share the steps of one computation where numpy lets go of the interpreter."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from types import TracebackType

from pdp_widgets.core.amounts import as_size
from pdp_widgets.errors import LimitError

__all__ = ["MOST_THREADS", "Team", "as_threads"]

#: More threads would wait for each other's memory.
MOST_THREADS = 8
_MOST_ASKED = 256
#: Most steps that a thread takes at once: handing one over costs about as much as a small product.
_AT_ONCE = 8


def as_threads(threads: int | None) -> int:
    """Return how many threads compute: those that are asked for, else what the machine offers up to 8."""
    if threads is not None:
        return as_size(threads, "threads", 1, _MOST_ASKED, LimitError)
    offered = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_THREADS, offered)


class Team:
    """Some threads, for as long as a ``with`` block lasts; of one thread the caller does all steps."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Team:
        if self._threads > 1:
            self._pool = ThreadPoolExecutor(self._threads)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Whatever ends the block: nobody writes into its arrays any more when it is left.
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def run(self, steps: Sequence[Callable[[], None]], told: Callable[[], None] | None = None) -> None:
        """Do all steps, in any order; ``told`` hears of each on the caller's thread."""
        if self._pool is None:
            for step in steps:
                step()
                if told is not None:
                    told()
            return
        many = max(1, min(_AT_ONCE, len(steps) // (4 * self._threads)))
        parts = [steps[first : first + many] for first in range(0, len(steps), many)]
        # With the caller's numpy settings: a context runs on one thread at a time, so that each has a copy.
        running = [self._pool.submit(copy_context().run, _do, part) for part in parts]
        for done, part in zip(running, parts, strict=True):
            done.result()
            if told is not None:
                for _ in part:
                    told()


def _do(steps: Sequence[Callable[[], None]]) -> None:
    for step in steps:
        step()
