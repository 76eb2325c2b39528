"""What a leakage of a stream is about: one step after the releases before it, or all steps together."""

from __future__ import annotations

from dataclasses import dataclass

from pdp_widgets.leakage.value import About, Leakage, Status

__all__ = ["SOURCE", "AboutSteps", "step_leakage", "stream_leakage"]

#: Whose definitions they are.
SOURCE = "Jiang, Li and Tandon, Definitions 1 and 2"


@dataclass(frozen=True)
class AboutSteps(About):
    """The steps of a stream that a leakage is about.

    Parameters
    ----------
    target
        In words; ``one`` and ``all_of`` write it.
    known
        Nothing: the adversary knows the law of the stream and all releases so far.
    steps
        Number of steps.
    step
        The one step, counted from 1; None for all of them.
    delta
        The leakage may be exceeded with this probability; 0 where it holds for every release.

    Examples
    --------
    >>> print(AboutSteps.one(7, 12))
    step 7, after the releases so far
    >>> print(AboutSteps.all_of(6, delta=1e-5))
    all 6 steps, but for delta 1e-05
    """

    steps: int = 0
    step: int | None = None
    delta: float = 0.0

    @classmethod
    def one(cls, step: int, steps: int) -> AboutSteps:
        """Return one step of several, counted from 1."""
        return cls(f"step {step}, after the releases so far", (), steps, step)

    @classmethod
    def all_of(cls, steps: int, delta: float = 0.0) -> AboutSteps:
        """Return all steps together."""
        return cls(f"all {steps:,} steps" if steps != 1 else "the one step", (), steps, None, delta)

    def __str__(self) -> str:
        return self.target + (f", but for delta {self.delta:.6g}" if self.delta else "")


def stream_leakage(
    value: float, status: Status, steps: int, source: str = SOURCE, delta: float = 0.0
) -> Leakage:
    """Return a leakage about all steps.

    Examples
    --------
    >>> print(stream_leakage(2.0, "bound", 4, "Theorem 1"))
    2 nats (bound): all 4 steps
    """
    return Leakage(float(value), status, AboutSteps.all_of(steps, delta), "sup", source=source)


def step_leakage(value: float, step: int, steps: int) -> Leakage:
    """Return the exact leakage about one step, counted from 1.

    Examples
    --------
    >>> print(step_leakage(0.5, 2, 4))
    0.5 nats (exact): step 2, after the releases so far
    """
    return Leakage(float(value), "exact", AboutSteps.one(step, steps), "sup", source=SOURCE)
