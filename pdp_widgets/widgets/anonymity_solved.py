"""The results of an anonymity explorer: those that are there, and those that are awaited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pdp_widgets.core.progress import ProgressHook, part
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_curves import MOST_WORK, releases_by_share
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs
from pdp_widgets.leakage.noiseless.anonymity_results import (
    AnonymityResults,
    Removals,
    analysis_of,
    anonymity_removals,
    anonymity_results,
    checked_question,
)
from pdp_widgets.leakage.noiseless.hidden_release import find_laws, laws_work
from pdp_widgets.widgets.computed_beside import LONG, Awaited, Awaiting
from pdp_widgets.widgets.late import new_number

#: Seconds of one multiplication in a convolution.
_MULTIPLICATION = 1.5e-9
#: Classes that take longer, in seconds, are not made only to say how long the rest takes.
_WAITED = 0.1

#: Records of which every one is left out in turn; of more so many are tried.
_ALL, _TRIED = 2000, 500


def removal_seconds(inputs: AnonymityInputs) -> float:
    """Return about how long it takes to leave records out."""
    n = inputs.data.runs.many
    return 0.005 + 8e-8 * n * (n if n <= _ALL else _TRIED) * (len(inputs.quasi) + 1)


def seconds_for(wanted: AnonymityInputs, last: AnonymityResults) -> float:
    """Return about how long results take where the last ones are there."""
    n, seconds = wanted.data.runs.many, 0.01
    if wanted.grouped != last.inputs.grouped:
        seconds += 1e-6 * n * (len(wanted.quasi) + 1)
    if seconds > _WAITED or (last.whole and _published(wanted) == _published(last.inputs)):
        return seconds
    return seconds + law_seconds(analysis_of(wanted))


def law_seconds(analysis: AnonymityAnalysis) -> float:
    """Return about how long the exact laws take: of what is published, and by the share known where quick."""
    here = analysis.hidden
    if here.kind != "sum" or here.fault is not None:
        return 0.0
    shares = laws_work(releases_by_share(analysis))
    return _MULTIPLICATION * (laws_work([here]) + (shares if shares <= MOST_WORK else 0.0))


def _published(inputs: AnonymityInputs) -> tuple[object, ...]:
    """Return what the laws of a release depend on."""
    return (
        *(inputs.data, inputs.quasi, inputs.secret, inputs.k, inputs.release, inputs.neighbour),
        *(inputs.level, inputs.known, inputs.neighbours, inputs.shift, inputs.group_change, inputs.n),
    )


#: Seconds, by their estimate, for which a step from Python waits for its results.
PATIENCE = 1.0


@dataclass(frozen=True, eq=False)
class AnonymityTask:
    """What is computed beside."""

    inputs: AnonymityInputs
    kind: Literal["results", "removals"]

    @property
    def late(self) -> bool:
        """Whether the results themselves are there."""
        return self.kind == "removals"

    def run(self, progress: ProgressHook | None = None) -> AnonymityResults | Removals | None:
        """Return results, or what changes without each record."""
        if self.late:
            return anonymity_removals(self.inputs, progress)
        analysis = analysis_of(self.inputs)
        # The longest part; what follows reads these laws.
        find_laws([analysis.hidden, *releases_by_share(analysis)], part(progress, 0.0, 0.95))
        return anonymity_results(self.inputs)


class AnonymitySolved(Awaiting[AnonymityTask]):
    """Results for the last inputs that made sense."""

    def __init__(self, wanted: AnonymityInputs) -> None:
        self._refused: tuple[AnonymityInputs, PdpError] | None = None
        if law_seconds(analysis_of(wanted)) <= PATIENCE:
            self.results = anonymity_results(wanted)
        else:
            self.results = anonymity_results(wanted, whole=False)
            self.awaited = Awaited(new_number(), AnonymityTask(wanted, "results"))
        self._finish(PATIENCE)

    @property
    def inputs(self) -> AnonymityInputs:
        """The last inputs that made sense and have results."""
        return self.results.inputs

    @property
    def sound(self) -> AnonymityInputs:
        """The last inputs that made sense, whether or not their results are there."""
        now = self.running
        return self.inputs if now is None or now.inputs.late else now.inputs.inputs

    @property
    def present(self) -> bool:
        """Whether the results belong to what stands in the controls; what takes long may be missing."""
        now = self.awaited
        return self.fault is None and (now is None or now.inputs.late or now.inputs.inputs == self.inputs)

    def _solve(self, wanted: AnonymityInputs, patience: float) -> None:
        if self._refused is not None and self._refused[0] == wanted:
            raise self._refused[1].with_traceback(None)
        if wanted == self.inputs and self.results.whole:
            if self.awaited is not None and not self.awaited.inputs.late:
                self.awaited = None
            return
        now = self.awaited
        if now is not None and not now.inputs.late and now.inputs.inputs == wanted:
            return
        if seconds_for(wanted, self.results) <= patience:
            self._put(anonymity_results(wanted, self.results))
        else:
            # Before what takes long, which would find it out at its end.
            checked_question(wanted)
            self.awaited = Awaited(new_number(), AnonymityTask(wanted, "results"))

    def _put(self, results: AnonymityResults) -> None:
        """Take results; changes of classes that are the same stay with them."""
        if results.removals is None and results.inputs.grouped == self.inputs.grouped:
            results = results.with_removals(self.results.removals)
        self.results = results
        if self.awaited is not None and not self.awaited.inputs.late:
            self.awaited = None

    def _finish(self, patience: float) -> None:
        """Bring what changes without each record up to date, or await it."""
        now = self.awaited
        if now is not None and not now.inputs.late:
            return
        inputs = self.inputs
        if self.results.removals is not None or not self.results.removable:
            self.awaited = None
        elif now is not None and now.inputs.inputs.grouped == inputs.grouped:
            return
        elif removal_seconds(inputs) <= patience:
            self.results = self.results.with_removals(anonymity_removals(inputs))
            self.awaited = None
        else:
            self.awaited = Awaited(new_number(), AnonymityTask(inputs, "removals"))

    def take(self, number: int, found: AnonymityResults | Removals | None) -> None:
        """Take awaited results, unless others are awaited by now."""
        now = self.expected(number)
        if now is None:
            return
        self.awaited = None
        if isinstance(found, AnonymityResults):
            self._put(found)
        elif now.inputs.inputs.grouped == self.inputs.grouped:
            self.results = self.results.with_removals(found)
        self._finish(LONG)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give awaited results up; what cannot be computed is not begun again."""
        now = self.expected(number)
        super().stop(number, reason)
        if now is not None and isinstance(reason, PdpError) and not now.inputs.late:
            self._refused = now.inputs.inputs, reason

    def _leave(self, now: Awaited[AnonymityTask], reason: str) -> None:
        what = "The results belong to the values as last computed."
        if now.inputs.late:
            what = "What changes without each record is missing."
        elif now.inputs.inputs == self.inputs:
            what = "The exact slack is missing."
        self.awaited = replace(now, stopped=f"{reason} {what}")
