"""The results of an anonymity explorer: those that are there, and those that are awaited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.noiseless.anonymity_curves import releases_by_share
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs
from pdp_widgets.leakage.noiseless.anonymity_results import (
    AnonymityResults,
    Removals,
    analysis_of,
    anonymity_removals,
    anonymity_results,
    checked_question,
)
from pdp_widgets.leakage.noiseless.hidden_release import find_laws
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.widgets.anonymity_limits import law_seconds, removal_seconds, seconds_for
from pdp_widgets.widgets.computed_beside import LONG, Awaited, part
from pdp_widgets.widgets.late import new_number

__all__ = ["PATIENCE", "AnonymitySolved", "AnonymityTask"]

#: Seconds, by their estimate, for which a step from Python waits for its results.
PATIENCE = 1.0


@dataclass(frozen=True, eq=False)
class AnonymityTask:
    """What is computed beside.

    Parameters
    ----------
    inputs
        What it belongs to.
    kind
        ``"results"`` where they take long themselves; then ``"removals"``: the classes without each record.
    """

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


class AnonymitySolved:
    """Results for the last inputs that made sense.

    Parameters
    ----------
    wanted
        The first inputs; their results are computed at once, but for exact slacks that take long.

    Attributes
    ----------
    results
        Those of the last inputs that made sense.
    awaited
        What takes long and is not there, or None.
    fault
        What is wrong with the inputs that stand, or None.
    """

    def __init__(self, wanted: AnonymityInputs) -> None:
        self.awaited: Awaited[AnonymityTask] | None = None
        self.fault: PdpError | None = None
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
    def running(self) -> Awaited[AnonymityTask] | None:
        """What somebody computes, or None."""
        return self.awaited if self.awaited is not None and not self.awaited.stopped else None

    @property
    def present(self) -> bool:
        """Whether the results belong to what stands in the controls; what takes long may be missing."""
        now = self.awaited
        return self.fault is None and (now is None or now.inputs.late or now.inputs.inputs == self.inputs)

    @property
    def current(self) -> bool:
        """Whether all results belong to what stands in the controls."""
        return self.fault is None and self.awaited is None

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
        now = self.running
        if now is None or now.number != number:
            return
        self.awaited = None
        if isinstance(found, AnonymityResults):
            self._put(found)
        elif now.inputs.inputs.grouped == self.inputs.grouped:
            self.results = self.results.with_removals(found)
        self._finish(LONG)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give awaited results up: the last ones stay, and the state says so."""
        now = self.running
        if now is None or now.number != number:
            return
        if isinstance(reason, PdpError):
            self.awaited, self.fault = None, reason
            if not now.inputs.late:
                self._refused = now.inputs.inputs, reason
            return
        what = "The results belong to the values as last computed."
        if now.inputs.late:
            what = "What changes without each record is missing."
        elif now.inputs.inputs == self.inputs:
            what = "The exact slack is missing."
        self.awaited = replace(now, stopped=f"{reason} {what}")
