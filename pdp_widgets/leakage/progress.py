"""Progress of a long computation, told to the caller, who may cancel it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import TypeAlias

__all__ = ["Progress", "ProgressHook", "part"]

ProgressHook: TypeAlias = Callable[[float], None]

#: Smallest growth of the share that is told: the hook may draw or answer messages.
_LEAST = 0.01


def part(progress: ProgressHook | None, low: float, high: float) -> ProgressHook | None:
    """Return a hook for one part of the whole."""
    if progress is None:
        return None
    whole: ProgressHook = progress
    return lambda share: whole(low + (high - low) * share)


class Progress:
    """Counts steps and tells the share done: never less than before, 1.0 once, at the end."""

    # The hook runs with the caller's numpy settings (error state, buffer size), whatever the computation has
    # set for itself. What it raises ends the computation.

    __slots__ = ("_context", "_done", "_hook", "_steps", "_told")

    def __init__(self, hook: ProgressHook | None, steps: int = 1) -> None:
        self._hook = hook
        self._steps = steps
        self._done = 0
        self._told = 0.0
        self._context = None if hook is None else copy_context()

    def expect(self, steps: int) -> None:
        """Set the number of steps, before the first one."""
        self._steps = steps

    def step(self) -> None:
        """Count one step."""
        if self._hook is None:
            return
        self._done += 1
        # The last step is not the end: the results still have to be put together.
        if self._done < self._steps and self._done / self._steps >= self._told + _LEAST:
            self._tell(self._done / self._steps)

    def finish(self) -> None:
        """Tell that all is done."""
        self._tell(1.0)

    def _tell(self, share: float) -> None:
        if self._hook is not None and self._context is not None:
            self._told = share
            self._context.run(self._hook, share)
