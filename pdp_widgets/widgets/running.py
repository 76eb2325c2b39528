"""A long computation beside the kernel: the newest one runs, tells how far it is, and can be ended."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, TypeAlias

from pdp_widgets.leakage.prior.progress import ProgressHook

__all__ = ["Runner", "Work", "weakly"]

Work: TypeAlias = Callable[[ProgressHook], Any]

#: Seconds between two reports of the share done.
_PAUSE = 0.1


def weakly(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls a method while its object lives, and otherwise returns None."""
    reference = weakref.WeakMethod(method)

    def call(*arguments: Any) -> Any:
        alive = reference()
        return None if alive is None else alive(*arguments)

    return call


class _Ended(Exception):
    """The computation is no longer wanted."""


class Runner:
    """Runs one computation at a time on a thread that lives while there is one.

    A computation that is started takes the place of the one that runs, which ends at its next step: two at
    a time would take twice the memory.

    Parameters
    ----------
    told
        Called on that thread with the number of the computation and the share done.
    done
        Called on that thread with the number and the result.
    failed
        Called on that thread with the number and the exception.
    """

    def __init__(
        self,
        told: Callable[[int, float], None],
        done: Callable[[int, Any], None],
        failed: Callable[[int, Exception], None],
    ) -> None:
        self._told, self._done, self._failed = told, done, failed
        self._guard = threading.Lock()
        self._wanted: tuple[int, Work] | None = None
        self._running = False

    @property
    def number(self) -> int | None:
        """Number of the computation that is wanted, or None."""
        wanted = self._wanted
        return None if wanted is None else wanted[0]

    def start(self, number: int, work: Work) -> None:
        """Run a computation in place of what runs; ``work`` gets a hook for its progress."""
        with self._guard:
            self._wanted = number, work
            if self._running:
                return
            self._running = True
        threading.Thread(target=self._run, name="pdp-widgets-run", daemon=True).start()

    def cancel(self) -> None:
        """End what runs at its next step; nothing of it is reported any more."""
        with self._guard:
            self._wanted = None

    def _run(self) -> None:
        while True:
            with self._guard:
                now = self._wanted
                if now is None:
                    self._running = False
                    return
            number, work = now
            try:
                result = work(self._hook(now))
            except _Ended:
                continue
            except Exception as error:
                if self._finish(now):
                    self._failed(number, error)
            else:
                if self._finish(now):
                    self._done(number, result)

    def _finish(self, mine: tuple[int, Work]) -> bool:
        with self._guard:
            if self._wanted is not mine:
                return False
            # Its results are not held here any longer than they are wanted.
            self._wanted = None
            return True

    def _hook(self, mine: tuple[int, Work]) -> ProgressHook:
        told_at = time.monotonic()

        def hook(share: float) -> None:
            nonlocal told_at
            if self._wanted is not mine:
                raise _Ended
            now = time.monotonic()
            if now - told_at >= _PAUSE:
                told_at = now
                self._told(mine[0], share)

        return hook
