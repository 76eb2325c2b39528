"""Progress of a search over noise scales, of which nobody knows how many it will try."""

from __future__ import annotations

from pdp_widgets.leakage.progress import ProgressHook

__all__ = ["ScalesProgress"]

#: So many scales tried halve what is left: most searches take five to twelve.
_HALF = 5


class ScalesProgress:
    """Counts scales tried and tells the share done: never less than before, 1.0 once, at the end.

    Parameters
    ----------
    hook
        Called with the share done; None to tell nobody. What it raises ends the search.

    Examples
    --------
    >>> told = []
    >>> progress = ScalesProgress(told.append)
    >>> for _ in range(5):
    ...     progress.within(0.5)
    ...     progress.step()
    >>> progress.finish()
    >>> [round(share, 2) for share in told]
    [0.07, 0.13, 0.19, 0.24, 0.29, 0.34, 0.38, 0.43, 0.46, 0.5, 1.0]
    """

    __slots__ = ("_done", "_hook")

    def __init__(self, hook: ProgressHook | None) -> None:
        self._hook = hook
        self._done = 0

    def within(self, share: float) -> None:
        """Tell a share of the work at the scale that is being tried."""
        if share < 1:
            self._tell(self._done + share)

    def step(self) -> None:
        """Count one scale."""
        self._done += 1
        self._tell(self._done)

    def finish(self) -> None:
        """Tell that all is done."""
        if self._hook is not None:
            self._hook(1.0)

    def _tell(self, done: float) -> None:
        if self._hook is not None:
            self._hook(1 - 0.5 ** (done / _HALF))
