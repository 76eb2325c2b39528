"""What the single steps of a stream leak, cost and say, and how they are gathered on one walk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.sequence.batched_stream import as_released, distances_by_step
from pdp_widgets.leakage.sequence.release_levels import Level, Step, release_levels
from pdp_widgets.leakage.sequence.sequence_leakage import SequenceLeakage
from pdp_widgets.leakage.sequence.step_leakage import SOURCE, StreamUnit, as_steps, step_leakage
from pdp_widgets.leakage.sequence.stream_source import source_of
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.sequence.sequence_mechanism import within
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays

Floats = NDArray[np.float64]


def expected_errors(
    chain: Any,
    mechanism: Step | Sequence[Step],
    steps: int,
    distance: Any = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Floats:
    """Return the mean distance of release and data at each step, exactly.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step; or a `BatchRelease`.
    steps
        Number of steps.
    distance
        A `Distance`, its name, a matrix, or None for 0 or 1; of batches, summed over their steps.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.

    Returns
    -------
    numpy.ndarray
        Shape (steps,); the mean is over data and releases.

    Raises
    ------
    LimitError
        There are too many release histories, or they take longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
    >>> chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> expected_errors(chain, ConditionalResponse(1.0), 3).round(4).tolist()
    [0.1839, 0.1369, 0.1188]
    """
    given: Any = mechanism
    source, each, length = as_released(source_of(chain), given, as_steps(steps))
    distances = distances_by_step(source, given, distance)
    levels = release_levels(source, each, length, limit=limit, progress=progress)
    return np.array([error_of(level, distances(level.step)) for level in levels])


def error_of(level: Level, distances: Floats) -> float:
    """Return the mean distance of release and data at one step."""
    costs = (level.beliefs[:, :, None] * level.matrices * distances[level.row_symbols]).sum(axis=(1, 2))
    return float(level.chance @ costs)


@dataclass(frozen=True, eq=False)
class SequenceInformation(EqualByFields, ReadOnlyArrays):
    """The mutual information of data and releases, in nats.

    Parameters
    ----------
    per_step
        What the release of each step adds, given the releases before it, shape (steps,).

    Notes
    -----
    It adds up over the steps. It is never above the leakage of the stream, and a bound on it bounds no worst
    case.

    Examples
    --------
    >>> float(SequenceInformation(np.array([0.25, 0.125])))
    0.375
    """

    per_step: NDArray[np.float64]

    @property
    def total(self) -> float:
        """Of all steps."""
        return float(self.per_step.sum())

    def __float__(self) -> float:
        return self.total


def sequence_mutual_information(
    chain: Any,
    mechanism: Step | Sequence[Step],
    steps: int,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> SequenceInformation:
    """Return the exact mutual information of a stream and its releases.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step; or a `BatchRelease`.
    steps
        Number of steps.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    LimitError
        There are too many release histories, or they take longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
    >>> chain = ([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]])
    >>> found = sequence_mutual_information(chain, ConditionalResponse(1.0), 4)
    >>> round(found.total, 6), found.per_step.round(3).tolist()
    (0.802725, [0.216, 0.199, 0.195, 0.194])
    """
    source, mechanism, length = as_released(source_of(chain), mechanism, as_steps(steps))
    levels = release_levels(source, mechanism, length, limit=limit, progress=progress)
    return SequenceInformation(np.array([information_of(level) for level in levels]))


def information_of(level: Level) -> float:
    """Return what the releases of one step say about its symbol on average, given the releases before it."""
    weights = level.beliefs[:, :, None] * level.matrices
    mean = (weights * np.where(weights > 0, level.ratios, 0.0)).sum(axis=(1, 2))
    return max(0.0, float(level.chance @ mean))


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
            {"unit": "nats", "source": SOURCE, "status": status},
        )


class StepGatherer:
    """Watches a walk over release histories; a budget is NaN for a mechanism without one."""

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
