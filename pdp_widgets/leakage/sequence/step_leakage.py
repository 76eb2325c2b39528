"""What a leakage of a stream is about: one step after the releases before it, or all steps together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.chart import number
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.value import About, Leakage, Status
from pdp_widgets.models.labels import shown

#: What is released at once.
StreamUnit: TypeAlias = Literal["step", "batch"]
#: Whose definitions they are.
SOURCE = "Jiang, Li and Tandon, Definitions 1 and 2"

#: Steps whose budgets or mechanisms are looked at one by one, which takes two seconds and 100 MB.
_MOST_STEPS = 1_000_000


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
    unit
        ``"step"``, or ``"batch"`` where several steps are released together.

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
    unit: StreamUnit = "step"

    @classmethod
    def one(cls, step: int, steps: int, unit: StreamUnit = "step") -> AboutSteps:
        """Return one step of several, counted from 1."""
        return cls(f"{unit} {step}, after the releases so far", (), steps, step, unit=unit)

    @classmethod
    def all_of(cls, steps: int, delta: float = 0.0, unit: StreamUnit = "step") -> AboutSteps:
        """Return all steps together."""
        many = "batches" if unit == "batch" else "steps"
        return cls(f"all {steps:,} {many}" if steps != 1 else f"the one {unit}", (), steps, None, delta, unit)

    def __str__(self) -> str:
        return self.target + (f", but for delta {self.delta:.6g}" if self.delta else "")


def stream_leakage(
    value: float,
    status: Status,
    steps: int,
    source: str = SOURCE,
    delta: float = 0.0,
    unit: StreamUnit = "step",
) -> Leakage:
    """Return a leakage about all steps."""
    return Leakage(float(value), status, AboutSteps.all_of(steps, delta, unit), "sup", source=source)


def step_leakage(value: float, step: int, steps: int, unit: StreamUnit = "step") -> Leakage:
    """Return the exact leakage about one step, counted from 1."""
    return Leakage(float(value), "exact", AboutSteps.one(step, steps, unit), "sup", source=SOURCE)


def as_drawn(steps: int, most: int = 1000) -> NDArray[np.int64]:
    """Return the positions of the steps a line is drawn through: of many every so many, with the last."""
    if not steps:
        raise DomainError("There is no step to draw; take one or more.", Where("parameter", name="steps"))
    return np.arange(steps)[:: -max(1, -(-steps // most))][::-1]


def as_steps(steps: Any, most: int = _MOST_STEPS) -> int:
    """Return a number of steps, or raise BudgetError, or LimitError where there are too many."""
    length = as_size(steps, "steps", 0)
    if length > most:
        raise LimitError(
            f"steps is {shown(length)}; at most {most:,} steps are taken here, for their time and memory.",
            Where("parameter", name="steps"),
        )
    return length


def delta_words(delta: float) -> str:
    """Return a small probability as text."""
    return number(delta, 2 if delta < 0.001 else 4)
