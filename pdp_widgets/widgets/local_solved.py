"""The results of a local explorer, and those of its numbers that take longer and are awaited."""

from __future__ import annotations

from dataclasses import replace

from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.reports_curve import ReportsCurve
from pdp_widgets.widgets.computed_beside import Awaited
from pdp_widgets.widgets.late import new_number
from pdp_widgets.widgets.local_curve import PairCurve, late_curve_seconds
from pdp_widgets.widgets.local_late import LateInputs, LateNumbers, late_for, late_seconds
from pdp_widgets.widgets.local_late_reports import has_reports
from pdp_widgets.widgets.local_results import LocalInputs, LocalResults

__all__ = ["LocalSolved"]


class LocalSolved:
    """Results for the last inputs that made sense.

    Those of every pair are there at once. Numbers that take longer are there, computed by somebody beside, or
    given up.

    Parameters
    ----------
    solved
        The results of every pair.
    budget
        Goal of a calibration in nats, or None.

    Attributes
    ----------
    solved
        The results; its late numbers may be None.
    awaited
        The late numbers that were asked for in a browser and take long, or None.
    pair
        Positions of source and secret among all attributes, or None for a single attribute.
    """

    def __init__(self, solved: LocalResults, budget: float | None) -> None:
        self.solved = solved
        self.awaited: Awaited[LateInputs] | None = None
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
    def late_curve(self) -> PairCurve | None:
        """The curve of the chosen pair, where it takes longer than a moment and is there."""
        late = self.late
        return late.curve if late is not None and late.inputs.same_curve(self._wanted_late()) else None

    @property
    def reports_curve(self) -> ReportsCurve | None:
        """All reports together about the chosen secret by budget, as far as it is there."""
        last = self.last_late
        return last.reports if last is not None and last.inputs.same_reports(self._wanted_late()) else None

    @property
    def running(self) -> Awaited[LateInputs] | None:
        """What somebody computes, or None."""
        return self.awaited if self.awaited is not None and not self.awaited.stopped else None

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
        """Bring the numbers that take longer up to date, or await them.

        Parameters
        ----------
        patience
            Seconds that they may take now, by their estimate.
        """
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

    def take(self, number: int, late: LateNumbers) -> None:
        """Take awaited numbers, unless others are awaited by now."""
        now = self.running
        if now is not None and now.number == number:
            self._put(late)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give awaited numbers up: those of each pair stay."""
        now = self.running
        if now is None or now.number != number:
            return
        self.awaited = Awaited(now.number, now.inputs, str(reason))
