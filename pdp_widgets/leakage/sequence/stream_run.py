"""Several mechanisms on one stream: the same symbols, the same random numbers, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import DELTA, as_size
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Reported, Result, drawer, plotted
from pdp_widgets.errors import DomainError, StreamError, Where
from pdp_widgets.leakage.sequence.composition import Composition, compose
from pdp_widgets.leakage.sequence.lanes import (
    LaneBlock,
    LaneState,
    LaneTotals,
    MadeOf,
    Make,
    release_on,
    shortened,
    whole_lane,
)
from pdp_widgets.leakage.sequence.step_leakage import step_leakage, stream_leakage
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU, as_lanes, default_lanes
from pdp_widgets.leakage.sequence.stream_record import StreamRecord, run_record, running_bounds
from pdp_widgets.leakage.sequence.stream_script import BLOCK, StreamScript
from pdp_widgets.leakage.sequence.worst_sequence import first_largest
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.immutable import Immutable, ReadOnlyMapping, read_only
from pdp_widgets.models.labels import how_many, shown
from pdp_widgets.models.markov_chain import MarkovChain

Floats = NDArray[np.float64]


class StreamRun(Immutable, Result, Reported):
    """What several mechanisms release of one stream; the object is immutable, a longer run is a new one.

    All mechanisms see the same true symbols and use the same random number in a step, so that they differ by
    what they do and not by luck.

    Parameters
    ----------
    script
        Chains, budgets, seed, distance.
    mechanisms
        By key, a class of mechanisms that is called with a budget, or a function of a budget and a law of the
        stream. Runs of classes are equal where they say the same, and can be pickled.

    Notes
    -----
    Figures: ``"lanes"``, all steps, or the last ones that there is room for; ``"curves"``, the sums of all
    steps; ``"table"``, the law of the stream.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse, MarkovChain
    >>> from pdp_widgets.streams import StreamScript
    >>> script = StreamScript.of(MarkovChain.symmetric(0.9), 0.5, seed=10)
    >>> run = StreamRun(script, {"crr": ConditionalResponse}).extended(50)
    >>> run.steps, run.totals("crr").over > 0
    (50, True)
    >>> run == run.extended(60).cut(50)
    True
    """

    __slots__ = ("_blocks", "_mechanisms", "_script", "_steps", "_symbols")

    _width = "page"
    _script: StreamScript
    _mechanisms: ReadOnlyMapping[str, Make]
    _steps: int
    _symbols: tuple[NDArray[np.int64], ...]
    _blocks: ReadOnlyMapping[str, tuple[LaneBlock, ...]]

    def __init__(
        self, script: StreamScript, mechanisms: Mapping[str, Make | type[SequenceMechanism]]
    ) -> None:
        self._begin()
        makes = {key: MadeOf(make) if isinstance(make, type) else make for key, make in mechanisms.items()}
        self._keep(script, makes, 0, (), dict.fromkeys(makes, ()))

    def _keep(
        self,
        script: StreamScript,
        mechanisms: Mapping[str, Make],
        steps: int,
        symbols: Iterable[NDArray[np.int64]],
        blocks: Mapping[str, tuple[LaneBlock, ...]],
    ) -> None:
        for name, value in (
            ("_script", script),
            ("_mechanisms", ReadOnlyMapping(mechanisms)),
            ("_steps", steps),
            ("_symbols", tuple(read_only(block) for block in symbols)),
            ("_blocks", ReadOnlyMapping(blocks)),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def _again(cls, *parts: Any) -> StreamRun:
        run = cls.__new__(cls)
        run._keep(*parts)
        return run

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self._script, dict(self._mechanisms), self._steps, self._symbols, dict(self._blocks)
        return type(self)._again, parts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StreamRun):
            return NotImplemented
        return self._decided() == other._decided()

    def __hash__(self) -> int:
        return hash((self._script, tuple(self._mechanisms), self._steps))

    def _decided(self) -> tuple[Any, ...]:
        """Return what decides all that happens; lanes are drawn in their order."""
        return self._script, tuple(self._mechanisms.items()), self._steps

    @property
    def script(self) -> StreamScript:
        """Chains, budgets, seed, distance."""
        return self._script

    @property
    def mechanisms(self) -> Mapping[str, Make]:
        """By key, what makes the mechanism of a budget and a law of the stream."""
        return self._mechanisms

    @property
    def steps(self) -> int:
        """How many are released."""
        return self._steps

    @classmethod
    def of(
        cls,
        chain: MarkovChain,
        epsilon: float,
        lanes: str | Iterable[str] | None = None,
        steps: int = 60,
        *,
        seed: int,
        distance: Any = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> StreamRun:
        """Return the run of some mechanisms on symbols drawn from a chain.

        Parameters
        ----------
        chain
            The law of the stream.
        epsilon
            What is promised for each step, in nats.
        lanes
            One to four mechanisms by key, as for `StreamSimulator`; without it the printed one beside one
            that keeps its promise.
        steps
            How many are released.
        seed
            Of all random numbers.
        distance
            What errors are counted in.
        limit, progress
            As for `extended`.

        Examples
        --------
        >>> from pdp_widgets import MarkovChain
        >>> run = StreamRun.of(MarkovChain.symmetric(0.9), 0.5, ["crr", "optimum"], 50, seed=10)
        >>> run.totals("crr").over > 0, run.totals("optimum").over
        (True, 0)
        """
        keys = default_lanes(chain) if lanes is None else as_lanes(lanes, chain)
        script = StreamScript.of(chain, epsilon, seed, distance)
        return cls(script, {key: STREAM_MENU[key].make for key in keys}).extended(
            steps, progress, limit=limit
        )

    def extended(self, steps: int, progress: ProgressHook | None = None, *, limit: float = 60.0) -> StreamRun:
        """Return the run with more steps.

        Parameters
        ----------
        steps
            How many there are then; a run that has them already is returned as it is.
        progress
            Called with the share done, 0 to 1; what it raises ends the work.
        limit
            Seconds, after which it is ended; ``math.inf`` for no limit.

        Raises
        ------
        LimitError, StreamError
            There are no so many steps; nothing is computed then. Or they take longer than the limit.
        """
        steps = as_size(steps, "steps", 0)
        if steps > self.script.steps:
            self.script.refuse(steps)
        run = self
        hook = timed(progress, limit, f"The run of {steps:,} steps", "Take fewer steps.")
        told = Progress(hook, max(1, steps - run.steps) * len(self.mechanisms))
        while run.steps < steps:
            run = run._with_block(min(BLOCK, steps - run.steps), told)
        told.finish()
        return run

    def cut(self, steps: int) -> StreamRun:
        """Return the run with its first steps alone."""
        steps = as_size(steps, "steps", 0)
        if steps >= self.steps:
            return self
        kept, index = 0, 0
        while index < len(self._symbols) and kept + len(self._symbols[index]) <= steps:
            kept += len(self._symbols[index])
            index += 1
        blocks = {key: of[:index] for key, of in self._blocks.items()}
        whole = self._with(self.script, kept, self._symbols[:index], blocks)
        if kept == steps:
            return whole
        part = self._symbols[index][: steps - kept].copy()
        ends = {
            key: shortened(self.script, make, self._blocks[key][index], whole._end(key), kept, part)
            for key, make in self.mechanisms.items()
        }
        return self._with(
            self.script,
            steps,
            (*whole._symbols, part),
            {key: (*blocks[key], end) for key, end in ends.items()},
        )

    def changed(self, script: StreamScript) -> StreamRun:
        """Return the run so far with another future: `script` differs from this run's after its last step."""
        return self._with(script, self.steps, self._symbols, self._blocks)

    def with_lanes(
        self,
        mechanisms: Mapping[str, Make],
        progress: ProgressHook | None = None,
        *,
        limit: float = 60.0,
    ) -> StreamRun:
        """Return the run of other mechanisms on the same stream; those that are in both are not run again.

        Parameters
        ----------
        mechanisms
            What makes each of them, by its key.
        progress, limit
            As for `extended`.
        """
        work = f"The run of {how_many(len(mechanisms), 'mechanism')}"
        wanted = dict(mechanisms)
        fresh = [key for key in wanted if key not in self._blocks]
        told = Progress(timed(progress, limit, work, "Take fewer mechanisms."), len(fresh) * self.steps)
        made = {key: whole_lane(self.script, wanted[key], self._symbols, told) for key in fresh}
        told.finish()
        all_blocks = {key: self._blocks.get(key, made.get(key, ())) for key in wanted}
        return self._again(self.script, wanted, self.steps, self._symbols, all_blocks)

    def _with(
        self,
        script: StreamScript,
        steps: int,
        symbols: tuple[NDArray[np.int64], ...],
        blocks: Mapping[str, tuple[LaneBlock, ...]],
    ) -> StreamRun:
        return self._again(script, self._mechanisms, steps, symbols, blocks)

    def _with_block(self, count: int, told: Progress) -> StreamRun:
        last = tuple(int(x) for x in np.concatenate(self._symbols[-2:])[-2:]) if self._symbols else ()
        symbols = self.script.symbols(self.steps, count, last)
        made = {
            key: release_on(self.script, make, self._end(key), self.steps, symbols, told)
            for key, make in self.mechanisms.items()
        }
        # Single steps are put together: a record of many tiny blocks would be slow to read.
        joins = bool(self._symbols) and len(self._symbols[-1]) + count <= BLOCK
        kept = -1 if joins else len(self._symbols)
        tail = np.concatenate([self._symbols[-1], symbols]) if joins else symbols
        blocks = {
            key: (*self._blocks[key][:kept], self._blocks[key][-1].followed(block) if joins else block)
            for key, block in made.items()
        }
        return self._with(self.script, self.steps + count, (*self._symbols[:kept], tail), blocks)

    def _end(self, key: str) -> LaneState:
        blocks = self._blocks[key]
        return blocks[-1].end if blocks else LaneState()

    def totals(self, key: str) -> LaneTotals:
        """Return the sums of a mechanism over all steps."""
        self._check(key)
        return self._end(key).totals

    def largest(self, key: str) -> Leakage:
        """Return the largest leakage that a mechanism achieved in one step, and which step that was.

        Parameters
        ----------
        key
            Of the mechanism.
        """
        self._check(key)
        leakages = self.record().lanes[key].leakage
        if not len(leakages) or np.isnan(leakages).all():
            return step_leakage(0.0, 1, self.steps)
        # Of steps that are equal but for rounding the first one is named.
        _, first = first_largest(np.nan_to_num(leakages, nan=-np.inf, posinf=np.inf)[None])
        return step_leakage(float(np.nanmax(leakages)), first + 1, self.steps)

    def so_far(self, key: str) -> Leakage:
        """Return the sum of the leakages that a mechanism achieved: all steps together leak no more."""
        source = "Jiang, Li and Tandon, Theorem 1, of achieved leakages"
        return stream_leakage(self.totals(key).leakage, "bound", self.steps, source)

    def _check(self, key: str) -> None:
        if not isinstance(key, str) or key not in self.mechanisms:
            raise DomainError(
                f"There is no lane {shown(key)}; the run has {', '.join(self.mechanisms)}.",
                Where("parameter", name="key"),
            )

    def __repr__(self) -> str:
        steps = f"{self.steps:,} step{'' if self.steps == 1 else 's'}"
        return f"StreamRun({steps}, {', '.join(self.mechanisms)})"

    @property
    def composition(self) -> Composition:
        """What all steps leak at most if every promise is kept, with delta 1e-5; see `compose` for others."""
        return compose([float(level) for level in self.promises()], delta=1e-5)

    def to_dataframe(self, delta: float = 1e-5) -> Any:
        """Return one row for each step and mechanism, as a pandas DataFrame.

        All steps of the first mechanism come first. Columns are ``mechanism``, ``step`` from 1, ``true`` and
        ``released`` (labels; None where nothing was released any more), ``promise``, ``leakage`` (achieved),
        ``over``, ``sum_so_far`` (of the leakages: a bound on what these releases say together), ``linear``,
        ``advanced``, ``mean_error``, ``expected_error``, and the belief before the release in each state as
        ``belief: label``. The frame's ``attrs`` name unit, source and status.

        Parameters
        ----------
        delta
            Of the advanced composition.
        """
        from pdp_widgets.leakage.sequence.run_frame import run_frame

        return run_frame(self, delta)

    def plot(self, delta: float = 1e-5) -> Any:
        """Return a bqplot figure: the sum of step leakages, a bound, against what was promised.

        Parameters
        ----------
        delta
            Of the advanced composition.
        """
        from pdp_widgets.leakage.sequence.run_frame import sums_chart

        return plotted(sums_chart(self, delta))

    def _figures(self) -> Figures:
        from pdp_widgets.leakage.sequence.run_frame import run_figures

        return run_figures(self)

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        delta: float = 1e-5,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the mechanisms as a LaTeX table for the package booktabs, with what composition allows.

        Parameters
        ----------
        columns
            Some of ``"mechanism"``, ``"largest"``, ``"over"``, ``"first"``, ``"sum"``, ``"error"`` and
            ``"expected"``.
        delta
            Of the advanced composition.
        caption, label
            Make it a floating table. The caption is LaTeX and goes in as it is.
        """
        return str(drawer("latex").table(self, columns, delta=delta, caption=caption, label=label))

    def ended(self, key: str) -> str:
        """Return why a mechanism releases nothing more; empty while it does."""
        return self._end(key).ended

    def promises(self) -> Floats:
        """Return what each step promises, in nats."""
        return running_bounds(self.script.segments, 0, self.steps, 0.0)[0]

    def record(self, first: int = 0, count: int | None = None, *, delta: float = 1e-5) -> StreamRecord:
        """Return consecutive steps.

        Parameters
        ----------
        first
            Steps before them.
        count
            How many; without it all that are left.
        delta
            Of the advanced composition.
        """
        chance = DELTA.take(delta, "delta")
        end = self.steps if count is None else first + count
        if not 0 <= first <= end <= self.steps:
            raise StreamError(
                f"Steps {shown(first + 1)} to {shown(end)} are asked for; the run has {self.steps:,}.",
                Where("parameter", name="steps"),
            )
        return run_record(self.script, self._symbols, self._blocks, (first, end), chance)
