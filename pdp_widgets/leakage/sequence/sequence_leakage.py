"""What a whole stream leaks (SIL), exactly, beside the sum of what its steps leak along one history."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.progress import ProgressHook, part, timed
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.sequence.batched_stream import as_released
from pdp_widgets.leakage.sequence.pointwise import MOST_PAIRS, pointwise_leakages
from pdp_widgets.leakage.sequence.release_levels import MOST_HISTORIES, Level, Step, release_levels
from pdp_widgets.leakage.sequence.step_leakage import (
    SOURCE,
    AboutSteps,
    StreamUnit,
    as_steps,
    step_leakage,
    stream_leakage,
)
from pdp_widgets.leakage.sequence.stream_source import StreamSource, source_of
from pdp_widgets.leakage.sequence.worst_sequence import BestPath, StepSums
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.sequence.log_lift import LOCAL_LEVEL
from pdp_widgets.models.amount import Amount
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice

Floats = NDArray[np.float64]

Method: TypeAlias = Literal["enumeration", "tree", "separated"]
#: How the leakage of a stream may be computed; all of them are exact.
METHODS: tuple[Method, ...] = ("enumeration", "tree", "separated")
_LINEAR = "Jiang, Li and Tandon, Theorem 1"
_COMPOSED = f"{_LINEAR}, along one release history"


@dataclass(frozen=True, eq=False)
class SequenceLeakage(EqualByFields, ReadOnlyArrays, NumberTable):
    r"""What a stream leaks, all steps together and one by one.

    Parameters
    ----------
    leakage
        The sequence information leakage: the largest size of the log ratio of what is believed of a data
        sequence after and before the releases.
    upper, lower
        The largest log ratio and the largest minus log ratio, in nats.
    composed
        The largest sum of what the steps leak along one release history. Never below the leakage: the worst
        data of one step need not lead to the worst of the next.
    so_far
        The leakage of the first steps alone, for each number of them, shape (steps,), in nats.
    composed_so_far
        The same for ``composed``.
    per_step
        What each step leaks at most, over the releases before it (IIL), shape (steps,), in nats.
    expected_per_step
        What each step leaks on average over the releases before it, shape (steps,), in nats.
    local_per_step
        The level of local privacy of each step's channel on the symbols that can occur, the largest over the
        releases before it, shape (steps,), in nats.
    local_level
        The level of local privacy of all releases together, on data sequences that can occur; it survives
        any wrong belief about which of them is likely. None where histories were merged: the sum of
        ``local_per_step`` is a bound for it.
    data, released
        A data and a release sequence that reach the leakage, as positions of symbols.
    method
        ``"enumeration"``, ``"tree"`` or ``"separated"``.
    histories
        Number of release histories with a belief of their own, all steps together.

    Examples
    --------
    >>> flip = lambda belief: np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> found = sequence_leakage(([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]]), flip, 4)
    >>> print(found.leakage, found.composed, sep="\n")
    3.5088 nats (exact): all 4 steps
    3.5088 nats (bound): all 4 steps
    >>> found.method, found.data, found.released
    ('separated', (0, 0, 0, 0), (1, 1, 1, 1))
    """

    leakage: Leakage
    upper: Amount
    lower: Amount
    composed: Leakage
    so_far: Floats
    composed_so_far: Floats
    per_step: Floats
    expected_per_step: Floats
    local_per_step: Floats
    local_level: Amount | None
    data: tuple[int, ...]
    released: tuple[int, ...]
    method: Method
    histories: int

    @property
    def steps(self) -> int:
        """Number of steps."""
        return len(self.per_step)

    def _numbers(self) -> Numbers:
        columns = {
            self.unit: np.arange(1, self.steps + 1),
            "leakage": self.per_step,
            "expected": self.expected_per_step,
            "so far": self.so_far,
            "composed so far": self.composed_so_far,
            "local level": self.local_per_step,
        }
        status = dict.fromkeys(("leakage", "expected", "so far", "local level"), "exact")
        written: dict[str, Written] = {self.unit: "count", **dict.fromkeys(status, "nats")}
        written["composed so far"] = "bound"
        return Numbers(
            columns,
            {name: written[name] for name in columns},
            {"unit": "nats", "status": {**status, "composed so far": "bound"}, "source": self.leakage.source},
            (str(self.leakage),),
        )

    @property
    def unit(self) -> StreamUnit:
        """``"step"``, or ``"batch"`` where several steps are released together."""
        about = self.leakage.about
        return about.unit if isinstance(about, AboutSteps) else "step"

    @property
    def sum_of_steps(self) -> Leakage:
        """The sum of what each step leaks at most, whatever was released before: the linear bound."""
        with np.errstate(over="ignore"):
            total = float(self.per_step.sum())
        return stream_leakage(total, "bound", self.steps, _LINEAR, unit=self.unit)

    def step(self, number: int) -> Leakage:
        """Return what one step leaks at most; steps are counted from 1."""
        k = as_size(number, "number", 1, self.steps)
        return step_leakage(float(self.per_step[k - 1]), k, self.steps, self.unit)

    def __float__(self) -> float:
        return float(self.leakage)


@np.errstate(over="ignore")
def sequence_leakage(
    chain: Any,
    mechanism: Step | Sequence[Step],
    steps: int,
    method: Method | None = None,
    *,
    most: int = MOST_HISTORIES,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    watch: Callable[[Level], None] | None = None,
) -> SequenceLeakage:
    """Return what a stream leaks, exactly.

    Parameters
    ----------
    chain
        A `MarkovChain`, a `HistorySource`, or a pair of a start law and a transition matrix.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step; or a `BatchRelease`,
        and what is said of steps is then said of batches, the last of which may be shorter.
    steps
        Number of steps.
    method
        ``"separated"``: sums along release histories, where every symbol may follow every other one.
        ``"tree"``: release histories with the best data sequence for each. ``"enumeration"``: all pairs of a
        data and a release sequence. Without it the first that applies.
    most
        Refuse more release histories at one step.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.
    watch
        Called with every level, for other numbers of the same walk.

    Raises
    ------
    LimitError
        There are too many release histories or pairs, or they take longer than the limit.
    DomainError
        There is no such method, or it does not apply.

    Notes
    -----
    Histories that lead to the same belief are followed once. A source without memory, or a mechanism that
    often publishes a constant, therefore allows many more steps than the number of release sequences says.

    Examples
    --------
    >>> from pdp_widgets import BalancedResponse, MarkovChain, sequence_leakage
    >>> print(sequence_leakage(MarkovChain.symmetric(0.9), BalancedResponse(1.0), 8).leakage)
    7.83033 nats (exact): all 8 steps
    """
    source, mechanism, length = as_released(source_of(chain), mechanism, as_steps(steps))
    chosen = _method(method, source)
    work = f"The leakage of {length} steps of {source.n:,} symbols"
    hook = timed(progress, limit, work, "Take fewer steps.")
    if chosen == "enumeration":
        # The last one first: it is refused if any is.
        lists = [
            pointwise_leakages(
                source,
                _first(mechanism, k),
                k,
                most_pairs=MOST_PAIRS,
                limit=math.inf,
                progress=part(hook, 0.5 * (length - k) / length, 0.5 * (length - k + 1) / length),
            )
            for k in range(length, 0, -1)
        ][::-1]
        so_far = [float(max(one.upper, one.lower)) for one in lists]
        hook = part(hook, 0.5, 1.0)
    else:
        paths = [BestPath(source, sign, chosen == "separated") for sign in (1, -1)]
        so_far = []
    sums, merged = StepSums(2), False
    worst, mean, local, composed, histories = [], [], [], [], 0
    for level in release_levels(source, mechanism, length, most=most, progress=hook):
        leakage, private = level.leakage, level.lifts
        sums.add(level, leakage, private[0] + private[1])
        if chosen != "enumeration":
            for path in paths:
                path.add(level)
            so_far.append(max(path.value for path in paths))
        worst.append(leakage.max())
        # A history may be possible, and its probability too small for a float.
        mean.append(np.inf if np.isinf(leakage).any() else level.chance @ leakage)
        local.append(level.local_level.max())
        composed.append(sums.value(0))
        histories += len(level.chance)
        merged = merged or int(level.into.max(initial=-1)) + 1 < len(level.into)
        if watch is not None:
            watch(level)
    if chosen == "enumeration":
        pairs = lists[-1] if lists else pointwise_leakages(source, mechanism, 0)
        high, low = float(pairs.upper), float(pairs.lower)
        data, released = pairs.largest_pair
        together: float | None = pairs.local_level
    else:
        high, low = (path.value for path in paths)
        data, released = paths[0 if high > low else 1].sequences()
        if chosen == "separated":
            together = sums.value(1)
        else:
            both = paths[0].by_release + paths[1].by_release
            together = None if merged else max(0.0, float(both.max()))
    return SequenceLeakage(
        stream_leakage(max(high, low), "exact", length, unit=source.unit),
        Amount(high, "nats", "exact", SOURCE),
        Amount(low, "nats", "exact", SOURCE),
        stream_leakage(sums.value(0), "bound", length, _COMPOSED, unit=source.unit),
        np.array(so_far),
        np.array(composed),
        np.array(worst),
        np.array(mean),
        np.array(local),
        None if together is None else Amount(together, "nats", "exact", LOCAL_LEVEL),
        data,
        released,
        chosen,
        histories,
    )


def _first(mechanism: Step | Sequence[Step], steps: int) -> Any:
    return mechanism[:steps] if isinstance(mechanism, list | tuple) else mechanism


def _method(method: Any, source: StreamSource) -> Method:
    if method is None:
        return "separated" if source.strict else "tree"
    chosen = as_choice(method, "method", METHODS)
    if chosen == "separated" and not source.strict:
        raise DomainError(
            "Sums of single steps are the leakage only where every symbol may follow every other one, by a "
            "first-order chain.",
            Where("parameter", name="method"),
            call="Take method='tree'.",
        )
    return chosen
