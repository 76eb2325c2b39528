"""Progress of a long computation, told to the caller, who may cancel it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeAlias

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.errors import LimitError, Where

__all__ = ["Progress", "ProgressHook", "part", "refuse_beyond", "timed"]

ProgressHook: TypeAlias = Callable[[float], None]

#: Smallest growth of the share that is told: the hook may draw or answer messages.
_LEAST = 0.01
#: Seconds after which a smaller growth is told too: whoever cancels, and a limit, are not to wait.
_OFTEN = 0.25


def timed(progress: ProgressHook | None, limit: float, work: str, instead: str = "") -> ProgressHook | None:
    """Return a hook that passes the share on, and ends work that takes longer than its limit.

    Parameters
    ----------
    progress
        Another hook, told first; None to tell nobody.
    limit
        Seconds from now on; ``math.inf`` for no limit.
    work
        What takes so long, as the beginning of a sentence: "The curve of 13 budgets".
    instead
        A sentence that says what would take less.

    Returns
    -------
    hook
        It raises LimitError once the time is over; what is done by then is returned all the same.

    Raises
    ------
    LimitError
        The limit is no number of seconds.

    Examples
    --------
    >>> hook = timed(print, 60.0, "The curve", "Take fewer budgets.")
    >>> hook(0.5)
    0.5
    >>> timed(None, math.inf, "The curve") is None
    True
    """
    seconds = SECONDS.take(limit, "limit")
    if math.isinf(seconds):
        return progress
    begun = time.monotonic()

    def hook(share: float) -> None:
        if progress is not None:
            progress(share)
        taken = time.monotonic() - begun
        if share < 1 and taken > seconds:
            raise _too_long(seconds, taken, share, work, instead)

    return hook


def _too_long(limit: float, taken: float, share: float, work: str, instead: str) -> LimitError:
    """Return the error of work that its limit has ended, with how far it was."""
    cost = f"about {taken / share:,.0f} s" if share > 0 else ""
    all_of_it = f", of {cost} in all" if cost else ""
    done = f"{share:.0%}" if share >= 0.005 or share == 0 else "less than 1%"
    return LimitError(
        f"{work} was ended at the limit of {limit:g} s, with {done} done{all_of_it}. {instead}".rstrip(),
        Where("parameter", name="limit"),
        call="A larger limit goes ahead.",
        cost=cost,
    )


def refuse_beyond(limit: float, seconds: float, work: str, instead: str = "") -> None:
    """Refuse work that takes longer than its limit by an estimate, before any of it is done.

    Parameters
    ----------
    limit, work, instead
        As for `timed`.
    seconds
        The estimate.

    Raises
    ------
    LimitError
        The estimate is above the limit, or the limit is no number of seconds.

    Examples
    --------
    >>> try:
    ...     refuse_beyond(60.0, 90.0, "The curve", "Take fewer budgets.")
    ... except LimitError as error:
    ...     print(error.plain)
    The curve takes about 90 s. The limit is 60 s. Take fewer budgets.
    """
    most = SECONDS.take(limit, "limit")
    if seconds > most:
        cost = f"about {seconds:,.0f} s"
        raise LimitError(
            f"{work} takes {cost}. The limit is {most:g} s. {instead}".rstrip(),
            Where("parameter", name="limit"),
            call="A larger limit goes ahead.",
            cost=cost,
        )


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

    __slots__ = ("_at", "_context", "_done", "_hook", "_steps", "_told")

    def __init__(self, hook: ProgressHook | None, steps: int = 1) -> None:
        self._hook = hook
        self._steps = steps
        self._done = 0
        self._told = 0.0
        self._at = time.monotonic()
        self._context = None if hook is None else copy_context()

    def expect(self, steps: int) -> None:
        """Set the number of steps, before the first one."""
        self._steps = steps

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return self._steps

    @property
    def done(self) -> int:
        """How many of them are counted."""
        return self._done

    def step(self, steps: int = 1) -> None:
        """Count one step, or several."""
        self._done += steps
        if self._hook is None:
            return
        # The last step is not the end: the results still have to be put together. Nor are more than expected.
        share = self._done / self._steps if self._done < self._steps else self._told
        if share >= self._told + _LEAST or self._is_late:
            self._tell(share)

    def wait(self) -> None:
        """Say that a step is still under way: whoever wants to cancel, or keeps the time, is asked."""
        if self._hook is not None and self._is_late:
            self._tell(self._told)

    @property
    def _is_late(self) -> bool:
        return time.monotonic() - self._at > _OFTEN

    def finish(self) -> None:
        """Tell that all is done."""
        self._tell(1.0)

    def _tell(self, share: float) -> None:
        if self._hook is not None and self._context is not None:
            self._told, self._at = share, time.monotonic()
            self._context.run(self._hook, share)
