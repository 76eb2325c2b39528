"""The last steps of a run, and where each of them stands in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.stream_record import LaneRecord, StreamRecord
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.publish.stream_wording import StreamCase

__all__ = ["LAST", "LINES", "StreamWindow", "runs"]

#: Steps that the picture of a simulator shows.
LAST = 60
#: Colours and dashes of lines; a mechanism keeps its own as long as it is shown.
LINES: tuple[tuple[str, str], ...] = (("b", ""), ("a", "5 2.5"), ("c", "8 2 2 2"), ("d", "2 2"))
# In an explorer's picture a step takes 9 px: whole numbers are short.
_LEFT, _RIGHT = 76.0, 128.0


@dataclass(frozen=True, eq=False)
class StreamWindow:
    """The last steps of a run.

    Parameters
    ----------
    run
        The run.
    case
        The same in words.
    last
        How many steps there is room for.
    """

    run: StreamRun
    case: StreamCase
    last: int = LAST

    @cached_property
    def first(self) -> int:
        """Steps before the first that is shown."""
        return max(0, self.run.steps - self.last)

    @cached_property
    def record(self) -> StreamRecord:
        """The steps that are shown."""
        return self.run.record(self.first, delta=self.case.delta)

    @property
    def steps(self) -> int:
        """How many are shown."""
        return self.run.steps - self.first

    @property
    def lanes(self) -> list[LaneRecord]:
        """The mechanisms in order."""
        return list(self.record.lanes.values())

    @property
    def keys(self) -> list[str]:
        """Keys of the mechanisms in order."""
        return list(self.record.lanes)

    def ends(self, w: float) -> tuple[float, float]:
        """Return where the first step begins and where the last place ends, px."""
        return _LEFT, w - (_RIGHT if w >= 480 else 66.0)

    def pitch(self, w: float) -> float:
        """Return the width of a step, px."""
        left, right = self.ends(w)
        return (right - left) / self.last

    def x(self, step: float, w: float) -> float:
        """Return where a step begins; steps count from 1."""
        return self.ends(w)[0] + (step - 1 - self.first) * self.pitch(w)

    @cached_property
    def edits(self) -> list[int]:
        """First steps of what was edited, within what is shown and the step to come."""
        found = [each.first for each in self.run.script.segments[1:]]
        return [step for step in found if self.first + 1 < step <= self.run.steps + 1]

    @cached_property
    def top(self) -> float:
        """The largest finite number of leakage bars and promises, nats; 1 where there is none."""
        arrays = [self.record.promise, *(lane.leakage for lane in self.lanes)]
        found = [values[np.isfinite(values)].max(initial=0.0) for values in arrays]
        found.append(self.case.epsilon if np.isfinite(self.case.epsilon) else 0.0)
        return float(max(found)) or 1.0


def runs(flags: NDArray[np.bool_], before: int) -> list[tuple[int, int]]:
    """Return consecutive steps that are marked, first and last of each run; steps count from 1.

    Examples
    --------
    >>> runs(np.array([True, True, False, True]), 40)
    [(41, 42), (44, 44)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(before + int(a) + 1, before + int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
