"""The same computation over many parts, here or by the workers of an executor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, wait
from multiprocessing import parent_process
from typing import Any, TypeVar

from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.leakage.progress import Progress
from pdp_widgets.models.labels import shown

__all__ = ["as_executor", "parted", "swept"]

Part = TypeVar("Part")
Result = TypeVar("Result")

#: Parts of a sweep for an executor: enough for its workers to end together, few enough to send.
_PARTS = 32
#: Seconds after which whoever cancels, or keeps the time, is asked.
_OFTEN = 0.2


def as_executor(executor: Any) -> Executor | None:
    """Return an executor, or None where all is computed here; DomainError for anything else."""
    if executor is None or isinstance(executor, Executor):
        return executor
    raise DomainError(
        f"The executor is {shown(executor)}; give one of concurrent.futures, such as ProcessPoolExecutor(), "
        "or what client.get_executor() of Dask returns.",
        Where("parameter", name="executor"),
    )


def parted(items: Any, executor: Executor | None) -> list[Any]:
    """Return items of a list or an array in parts: one by one here, a few together for workers."""
    size = 1 if executor is None else max(1, -(-len(items) // _PARTS))
    return [items[first : first + size] for first in range(0, len(items), size)]


def swept(
    function: Callable[[Sequence[Part]], Result],
    parts: Sequence[Sequence[Part]],
    executor: Executor | None,
    told: Progress,
) -> list[Result]:
    """Return what a function makes of each part, in their order; the numbers do not depend on who does it."""
    found: list[Result] = []
    if executor is None:
        for part in parts:
            found.append(function(part))
            told.step(len(part))
        return found
    running = [executor.submit(_by_worker, function, part) for part in parts]
    try:
        for one, part in zip(running, parts, strict=True):
            while wait([one], _OFTEN).not_done:
                told.wait()
            found.append(one.result())
            told.step(len(part))
    except BrokenExecutor as fault:
        done, many = sum(map(len, parts[: len(found)])), sum(map(len, parts))
        raise PdpError(
            f"A worker was lost when {done:,} of {many:,} were computed: {fault} Nothing of it is kept. "
            "Make another executor, with fewer workers if their memory was short.",
            Where("parameter", name="executor"),
        ) from fault
    finally:
        for one in running:
            one.cancel()
    return found


def _by_worker(function: Callable[[Sequence[Part]], Result], part: Sequence[Part]) -> Result:
    """Compute a part in a worker: in a process of its own on one thread of BLAS, where that can be said."""
    if parent_process() is None:
        return function(part)
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return function(part)
    # As many threads in each worker as there are cores would wait for each other.
    with threadpool_limits(1, user_api="blas"):
        return function(part)
