"""Best paths through release histories: the largest sum of log ratios, and the sequences that reach it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.release_levels import Level, joined
from pdp_widgets.leakage.sequence.stream_source import StreamSource

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class _Walked:
    """One step of a path: continuations, what the sums are after it, and the symbol of every state."""

    parent: Ints
    output: Ints
    into: Ints
    after: Floats
    symbols: Ints


@dataclass(eq=False)
class BestPath:
    """The largest sum of signed log ratios over possible data and releases; levels are added in order."""

    source: StreamSource
    sign: int  # 1 for log ratios, -1 for minus log ratios
    #: Take the worst symbol of every step by itself, which is right where every symbol may follow every other
    #: one, and quicker.
    separated: bool = False
    _steps: list[_Walked] = field(default_factory=list)

    def add(self, level: Level) -> None:
        """Go one step on."""
        if self._steps:
            last = self._steps[-1]
            grown = last.after if self.separated else self.source.best(last.after, level.step - 1)
            before = joined(grown, last.into, np.maximum)
        elif self.separated:
            before = np.zeros((1, 1))
        else:
            before = np.where(self.source.start > 0, 0.0, -np.inf)[None]
        reached = before[level.parent]
        if self.separated:
            # Every symbol has positive belief here.
            signed = self.sign * level.ratios[level.parent, :, level.output]
            worst = signed.argmax(axis=1)
            gains, symbols = np.take_along_axis(signed, worst[:, None], axis=1), worst
        else:
            gains = self.sign * level.ratios[level.parent[:, None], level.rows[None], level.output[:, None]]
            symbols = level.symbols
        # What cannot occur stays so, whatever its ratio is.
        gone = reached == -np.inf
        after = np.where(gone, -np.inf, reached + np.where(gone, 0.0, gains))
        self._steps.append(_Walked(level.parent, level.output, level.into, after, symbols))

    @property
    def value(self) -> float:
        """The largest sum, 0 at least."""
        return max(0.0, float(self._steps[-1].after.max())) if self._steps else 0.0

    @property
    def by_release(self) -> Floats:
        """The largest sum for each release sequence, where none were merged."""
        return np.asarray(self._steps[-1].after.max(axis=1)) if self._steps else np.zeros(1)

    def sequences(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return a data and a release sequence that reach the value, as positions of symbols."""
        if not self._steps:
            return (), ()
        data: list[int] = []
        released: list[int] = []
        at, state = first_largest(self._steps[-1].after)
        for step in range(len(self._steps) - 1, -1, -1):
            walked = self._steps[step]
            data.append(int(walked.symbols[at if self.separated else state]))
            released.append(int(walked.output[at]))
            if step:
                # The continuations of the step before that became this history, and the states before this.
                into = np.flatnonzero(self._steps[step - 1].into == walked.parent[at])
                values = self._steps[step - 1].after[into]
                if not self.separated:
                    targets, chances = self.source.successors(step - 1)
                    leads = ((targets == state) & (chances > 0)).any(axis=1)
                    values = np.where(leads, values, -np.inf)
                place, state = first_largest(values)
                at = int(into[place])
        return tuple(reversed(data)), tuple(reversed(released))


def first_largest(values: Floats) -> tuple[int, int]:
    """Return the first place of the largest value, rounding aside."""
    top = float(values.max())
    near = values >= top - _TIE * max(1.0, abs(top)) if np.isfinite(top) else values == top
    row, column = np.unravel_index(int(near.argmax()), values.shape)
    return int(row), int(column)


@dataclass(eq=False)
class StepSums:
    """Largest sums, along release sequences, of what single steps add: no data sequence is followed."""

    kinds: int  # how many different sums
    _carried: Floats | None = None
    _into: Ints | None = None

    def add(self, level: Level, *parts: Floats) -> None:
        """Go one step on; every part has shape (histories, releases) or (histories,)."""
        before = np.zeros((len(level.chance), self.kinds))
        if self._carried is not None and self._into is not None:
            before = joined(self._carried, self._into, np.maximum)
        added = [part[level.parent, level.output] if part.ndim == 2 else part[level.parent] for part in parts]
        self._carried = before[level.parent] + np.column_stack(added)
        self._into = level.into

    def value(self, kind: int) -> float:
        """Return the largest sum of one kind, 0 at least."""
        return 0.0 if self._carried is None else max(0.0, float(self._carried[:, kind].max()))
