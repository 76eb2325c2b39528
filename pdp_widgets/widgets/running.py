"""A long computation beside the kernel: the newest one runs, tells how far it is, and can be ended."""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from traitlets.log import get_logger

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.widgets.browser_kernel import beside, in_browser

Work: TypeAlias = Callable[[ProgressHook], Any]

#: Seconds between two reports of the share done.
_PAUSE = 0.1
#: Seconds for which the end of Python waits for what runs.
_LAST = 10.0
#: All that there are, to be ended with Python.
_RUNNERS: weakref.WeakSet[Runner] = weakref.WeakSet()


def weakly(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls a method while its object lives, and otherwise returns None."""
    reference = weakref.WeakMethod(method)

    def call(*arguments: Any) -> Any:
        alive = reference()
        return None if alive is None else alive(*arguments)

    return call


def failure_words(error: Exception) -> str:
    """Return one sentence on why a computation failed that should not have."""
    if isinstance(error, MemoryError):
        return "There is not enough memory for this."
    text = str(error).strip().removesuffix(".")
    return f"Something went wrong: {type(error).__name__}{': ' if text else ''}{text}."


def tell(callback: Callable[..., object], *arguments: Any) -> None:
    """Call back; what that raises is no failure of the computation, and is logged."""
    try:
        callback(*arguments)
    except Exception as error:
        get_logger().error("A computation beside the kernel could not be reported.", exc_info=error)


@atexit.register
def _end_all() -> None:
    """End what still runs: a thread that is within compiled code when Python ends takes the process down."""
    runners = list(_RUNNERS)
    for runner in runners:
        runner.cancel()
    # In a browser there are no threads.
    end = time.monotonic() + (0.0 if in_browser() else _LAST)
    while any(runner.running for runner in runners) and time.monotonic() < end:
        time.sleep(0.005)


def _forget_all() -> None:
    """Let runners of a forked process start: what ran did so on threads that it has not."""
    for runner in list(_RUNNERS):
        runner._forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


class Ended(Exception):
    """The computation is no longer wanted."""


class Runner:
    """Runs one computation at a time on a thread that lives while there is one."""

    # A computation that is started takes the place of the one that runs, which ends at its next step: two at
    # a time would take twice the memory. What a callback raises is logged, and the next computation runs.

    def __init__(
        self,
        told: Callable[[int, float], object],
        done: Callable[[int, Any], object],
        failed: Callable[[int, Exception], object],
        name: str = "pdp-widgets-run",
    ) -> None:
        self._told, self._done, self._failed, self._name = told, done, failed, name
        self._forget()
        _RUNNERS.add(self)

    def _forget(self) -> None:
        """Have nothing at work."""
        self._guard = threading.Lock()
        self._wanted: tuple[int, Work] | None = None
        #: Stands for the thread at work.
        self._running: object | None = None

    @property
    def running(self) -> bool:
        """Whether a thread is at work, though nobody may want its result."""
        return self._running is not None

    @property
    def number(self) -> int | None:
        """Number of the computation that is wanted, or None."""
        wanted = self._wanted
        return None if wanted is None else wanted[0]

    def start(self, number: int, work: Work) -> None:
        """Run a computation in place of what runs; ``work`` gets a hook for its progress."""
        mine = object()
        try:
            with self._guard:
                self._wanted = number, work
                if self._running is not None:
                    return
                self._running = mine
            beside(partial(self._run, mine), self._name)
        except BaseException:
            # No more threads, or an interrupt: the next start tries again. One that was started ends itself.
            if self._running is mine:
                self._wanted = self._running = None
            raise

    def cancel(self) -> None:
        """End what runs at its next step; nothing of it is reported any more."""
        # Without the guard: a collection that frees an explorer may run on this thread while it has it.
        self._wanted = None

    def _run(self, mine: object) -> None:
        while True:
            with self._guard:
                now = self._wanted
                if self._running is not mine:
                    return
                if now is None:
                    self._running = None
                    return
            number, work = now
            try:
                result = work(self._hook(now))
            except Ended:
                continue
            except Exception as error:
                if self._finish(now):
                    tell(self._failed, number, error)
            else:
                if self._finish(now):
                    tell(self._done, number, result)
                # Results are not held here any longer than they are wanted.
                del result

    def _finish(self, mine: tuple[int, Work]) -> bool:
        with self._guard:
            if self._wanted is not mine:
                return False
            self._wanted = None
            return True

    def _hook(self, mine: tuple[int, Work]) -> ProgressHook:
        told_at = time.monotonic()

        def hook(share: float) -> None:
            nonlocal told_at
            if self._wanted is not mine:
                raise Ended
            now = time.monotonic()
            if now - told_at >= _PAUSE:
                told_at = now
                tell(self._told, mine[0], share)

        return hook
