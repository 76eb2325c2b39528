"""The results of a dependence explorer: those that are there, and those that are awaited."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.dependent.dependence_results import (
    DependenceInputs,
    DependenceResults,
    dependence_results,
)
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.widgets.computed_beside import Awaited
from pdp_widgets.widgets.dependence_limits import check_inputs, seconds_for
from pdp_widgets.widgets.late import new_number

__all__ = ["DependenceSolved"]


class DependenceSolved:
    """Results for the last inputs that made sense, and the pair of tuples that is chosen in them.

    Parameters
    ----------
    wanted
        The first inputs; their results are computed at once.

    Attributes
    ----------
    solved
        The results.
    awaited
        Results that take long, or None.
    target, other
        Positions of the chosen tuple and of the one that its table is shown with; None for a single tuple.
    fault
        What is wrong with the inputs that stand, or None.
    """

    def __init__(self, wanted: DependenceInputs) -> None:
        check_inputs(wanted)
        self.solved = dependence_results(wanted)
        self.awaited: Awaited[DependenceInputs] | None = None
        self.fault: PdpError | None = None
        self.target, self.other = self._start()

    @property
    def results(self) -> DependenceAnalysis:
        """The analysis of the last inputs that made sense."""
        return self.solved.analysis

    @property
    def joint(self) -> SparseJoint:
        """The joint distribution that the results belong to."""
        return self.solved.inputs.joint

    @property
    def sound(self) -> DependenceInputs:
        """The last inputs that made sense, whether or not their results are there."""
        return self.solved.inputs if self.running is None else self.running.inputs

    @property
    def running(self) -> Awaited[DependenceInputs] | None:
        """What somebody computes, or None."""
        return self.awaited if self.awaited is not None and not self.awaited.stopped else None

    def _start(self) -> tuple[int, int | None]:
        """Return the tuple that leaks most, and the one that it is joined to most closely."""
        first = self.solved.most
        return first, self._closest(first)

    def _closest(self, first: int) -> int | None:
        n = self.joint.n
        if n == 1:
            return None
        block = next(block for block in self.results.blocks if first in block)
        # Of coefficients that are equal but for rounding the first counts.
        ties = self.results.coefficients("mean")[first].round(9) + [10.0 * (j in block) for j in range(n)]
        ties[first] = -1.0
        return int(np.argmax(ties))

    def _solve(self, wanted: DependenceInputs, patience: float) -> None:
        if wanted == self.solved.inputs:
            self.awaited = None
            return
        if self.awaited is not None and wanted == self.awaited.inputs:
            return
        check_inputs(wanted)
        if seconds_for(wanted) <= patience:
            self._put(dependence_results(wanted))
        else:
            self.awaited = Awaited(new_number(), wanted)

    def _put(self, solved: DependenceResults) -> None:
        old = self.joint
        self.solved, self.awaited = solved, None
        if old.tuples != self.joint.tuples or old.domains != self.joint.domains:
            self.target, self.other = self._start()

    def take(self, number: int, solved: DependenceResults) -> None:
        """Take awaited results, unless others are awaited by now."""
        now = self.running
        if now is not None and now.number == number:
            self._put(solved)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give awaited results up: the last ones stay, and the state says so."""
        now = self.running
        if now is None or now.number != number:
            return
        if isinstance(reason, PdpError):
            self.awaited, self.fault = None, reason
        else:
            self.awaited = replace(
                now, stopped=f"{reason} The results belong to the values as last computed."
            )
