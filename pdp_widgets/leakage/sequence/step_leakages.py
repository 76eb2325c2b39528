"""What the single steps of a stream leak, cost and say, and how they are gathered on one walk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.sequence.about import StreamUnit, step_leakage
from pdp_widgets.leakage.sequence.mutual_information import information_of
from pdp_widgets.leakage.sequence.release_levels import Level
from pdp_widgets.leakage.sequence.sequence_leakage import SequenceLeakage
from pdp_widgets.leakage.sequence.stream_errors import error_of
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.mechanisms.sequence.step_channel import within
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["StepGatherer", "StepLeakages"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StepLeakages(EqualByFields, ReadOnlyArrays, NumberTable):
    """What the single steps of a stream leak, each of shape (steps,).

    Its tables have one step, or one batch, a row.

    Parameters
    ----------
    worst
        The largest leakage over the releases before the step (IIL), in nats.
    expected
        Its mean over the releases before the step, in nats.
    promised
        The budgets of the mechanisms, in nats; NaN for a mechanism without one.
    broken
        Probability that the step leaks more than its budget.
    local
        The largest level of local privacy over the releases before the step, on symbols that can occur.
    error
        Mean distance of release and data.
    information
        Mutual information that the release adds, in nats.
    unit
        ``"step"``, or ``"batch"`` where several steps are released together.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, SequenceAnalysis
    >>> steps = SequenceAnalysis(MarkovChain.symmetric(0.9), "crr", 3, epsilon=1.0).steps
    >>> steps.worst.round(3).tolist(), steps.broken.round(3).tolist()
    ([1.0, 1.073, 1.393], [0.0, 1.0, 0.753])
    """

    worst: Floats
    expected: Floats
    promised: Floats
    broken: Floats
    local: Floats
    error: Floats
    information: Floats
    unit: StreamUnit = "step"

    def step(self, number: int) -> Leakage:
        """Return what one step leaks at most; steps are counted from 1."""
        k = as_size(number, "number", 1, len(self.worst))
        return step_leakage(float(self.worst[k - 1]), k, len(self.worst), self.unit)

    def _numbers(self) -> Numbers:
        written: dict[str, Written] = {
            self.unit: "count",
            "promised": "nats",
            "worst": "nats",
            "expected": "nats",
            "broken": "probability",
            "local": "nats",
            "error": "number",
            "information": "nats",
        }
        columns = {name: getattr(self, name) for name in written if name != self.unit}
        status = dict.fromkeys(("worst", "expected", "broken", "local", "error", "information"), "exact")
        return Numbers(
            {self.unit: np.arange(1, len(self.worst) + 1), **columns},
            written,
            {"unit": "nats", "status": status},
        )


class StepGatherer:
    """Watches a walk over release histories and keeps what `StepLeakages` needs beyond the leakage.

    Parameters
    ----------
    budgets
        The budget of every step, NaN for a mechanism without one.
    distances
        Tells the distances of symbols at each step, shape (n, n).
    """

    def __init__(self, budgets: Floats, distances: Callable[[int], Floats]) -> None:
        self._budgets, self._distances = budgets, distances
        self._broken: list[float] = []
        self._errors: list[float] = []
        self._information: list[float] = []

    def watch(self, level: Level) -> None:
        """Take in one level."""
        budget = float(self._budgets[level.step])
        over = np.zeros(len(level.chance)) if np.isnan(budget) else ~within(level.leakage, budget)
        self._broken.append(min(1.0, float(level.chance @ over)))
        self._errors.append(error_of(level, self._distances(level.step)))
        self._information.append(information_of(level))

    def with_leakages(self, result: SequenceLeakage) -> StepLeakages:
        """Return everything about the steps, given what they leak."""
        parts = (self._budgets, self._broken, self._errors, self._information)
        budgets, broken, errors, information = (np.array(part, dtype=np.float64) for part in parts)
        for part in (budgets, broken, errors, information):
            part.setflags(write=False)
        return StepLeakages(
            result.per_step,
            result.expected_per_step,
            budgets,
            broken,
            result.local_per_step,
            errors,
            information,
            result.unit,
        )
