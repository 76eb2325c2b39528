"""The results of a local explorer, and those of its numbers that take longer and are awaited."""

from __future__ import annotations

from dataclasses import replace

from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.local.all_reports import ReportsCurve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.widgets.computed_beside import Awaited, Awaiting
from pdp_widgets.widgets.late import new_number
from pdp_widgets.widgets.local_late import (
    LateInputs,
    LateNumbers,
    has_reports,
    late_curve_seconds,
    late_for,
    late_seconds,
)
from pdp_widgets.widgets.local_results import LocalInputs, LocalResults


class LocalSolved(Awaiting[LateInputs]):
    """Results for the last sound inputs; what takes longer is there, computed beside, or given up."""

    def __init__(self, solved: LocalResults, budget: float | None) -> None:
        self.solved = solved
        self.pair: tuple[int, int] | None = None
        self._budget = budget
        self._latest: LateNumbers | None = None

    # What there is

    @property
    def results(self) -> LocalAnalysis:
        """The analysis of the last inputs that made sense."""
        return self.solved.analysis

    @property
    def inputs(self) -> LocalInputs:
        """The last inputs that made sense."""
        return self.solved.inputs

    @property
    def late(self) -> LateNumbers | None:
        """All reports together, if they are there."""
        return self.solved.late

    @property
    def reports_curve(self) -> ReportsCurve | None:
        """All reports together about the chosen secret by budget, as far as it is there."""
        last = self.last_late
        return last.reports if last is not None and last.inputs.same_reports(self._wanted_late()) else None

    @property
    def last_late(self) -> LateNumbers | None:
        """The newest numbers of all reports together, of these or of earlier inputs."""
        return self._latest

    # What is awaited

    def _wanted_late(self) -> LateInputs:
        chosen = self.inputs.attributes
        pair = None if self.pair is None else (chosen.index(self.pair[0]), chosen.index(self.pair[1]))
        slow = pair is not None and late_curve_seconds(self.results, *pair) > 0
        secret = None if pair is None or not has_reports(self.results) else pair[1]
        return LateInputs(self.inputs, self._budget, pair if slow else None, secret)

    def _finish(self, patience: float) -> None:
        """Bring the numbers that take longer up to date, or await them."""
        wanted = self._wanted_late()
        last, now = self.late, self.running
        if last is not None and last.inputs.same(wanted):
            self.awaited = None
        elif late_seconds(self.solved, wanted, self.last_late) <= patience:
            self._put(late_for(self.solved, wanted, self.last_late))
        elif now is None or not now.inputs.same(wanted):
            self.awaited = Awaited(new_number(), wanted)

    def _put(self, late: LateNumbers) -> None:
        self._latest = late
        self.solved, self.awaited = replace(self.solved, late=late), None

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give awaited numbers up: those of each pair stay."""
        now = self.expected(number)
        if now is not None:
            self.awaited = replace(now, stopped=str(reason))
