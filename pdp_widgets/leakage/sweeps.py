"""The same computation over many parts, here or by the workers of an executor."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from multiprocessing import parent_process
from pickle import PicklingError
from typing import Any, TypeVar

from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.models.labels import shown

__all__ = ["as_executor", "in_parts", "swept"]

Part = TypeVar("Part", bound=Sized)
Result = TypeVar("Result")

#: Parts of a sweep for an executor: enough for its workers to end together, few enough to send. As many are
#: with it at a time.
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


def in_parts(items: Any, executor: Executor | None) -> list[Any]:
    """Return items of a list or an array in parts: all together here, a few together for workers."""
    size = max(1, len(items) if executor is None else -(-len(items) // _PARTS))
    return [items[first : first + size] for first in range(0, len(items), size)]


def swept(
    function: Callable[[Part, Progress], Result],
    parts: Iterable[Part],
    executor: Executor | None,
    told: Progress,
    each: int = 1,
) -> list[Result]:
    """Return what a function makes of each part, in their order; the numbers do not depend on who does it.

    The function counts ``each`` steps for every item of its part. Workers tell nobody: what they have done is
    counted here. Parts may be made one by one, when there is room for them.
    """
    if executor is None:
        return [function(part, told) for part in parts]
    found: list[Result] = []
    running: deque[tuple[Future[Result], int]] = deque()
    coming = iter(parts)
    try:
        while True:
            _send(function, coming, executor, running)
            if not running:
                return found
            first, items = running[0]
            while wait([first], _OFTEN).not_done:
                told.wait()
            found.append(first.result())
            running.popleft()
            told.step(each * items)
    except _losses() as fault:
        why = (str(fault) or type(fault).__name__).rstrip(".")
        raise PdpError(
            f"A worker was lost when {told.done // each:,} of {told.steps // each:,} were computed: {why}. "
            "Nothing of it is kept. Make another executor, with fewer workers if their memory was short. "
            "Where workers are started anew, as on macOS and Windows, a script makes its executor under "
            "if __name__ == '__main__':.",
            Where("parameter", name="executor"),
        ) from fault
    except (PicklingError, AttributeError, TypeError) as fault:
        if not isinstance(fault, PicklingError) and not re.search("pickle|local object", str(fault)):
            raise
        raise PdpError(
            f"What the executor is to compute cannot be sent to a worker: {str(fault).rstrip('.')}. "
            "Functions and classes stand at the top of a module for that: no lambda, none inside another "
            "function. Or leave the executor out.",
            Where("parameter", name="executor"),
        ) from fault
    finally:
        for one, _ in running:
            one.cancel()


def _send(
    function: Callable[[Part, Progress], Result],
    coming: Iterator[Part],
    executor: Executor,
    running: deque[tuple[Future[Result], int]],
) -> None:
    """Give the executor the next parts, up to as many as it may hold."""
    while len(running) < _PARTS:
        part = next(coming, None)
        if part is None:
            return
        running.append((executor.submit(_by_worker, function, part), len(part)))


def _losses() -> tuple[type[BaseException], ...]:
    """Return what executors raise when their workers are gone."""
    # Dask has an error of its own, which is no other's; whoever passes its executor has imported it.
    dask = getattr(sys.modules.get("distributed"), "KilledWorker", None)
    return (BrokenExecutor, CancelledError, *([] if dask is None else [dask]))


def _by_worker(function: Callable[[Part, Progress], Result], part: Part) -> Result:
    """Compute a part in a worker: in a process of its own on one thread of BLAS, where that can be said."""
    if parent_process() is None:
        return function(part, Progress(None))
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return function(part, Progress(None))
    # As many threads in each worker as there are cores would wait for each other.
    with threadpool_limits(1, user_api="blas"):
        return function(part, Progress(None))
