"""What a dependence explorer is given and can show, and its results: those that are there, those awaited."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from pdp_widgets.errors import (
    FewRecordsWarning,
    LimitError,
    ScaleError,
    TableError,
    Where,
    warn_caller,
)
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.dependent.dependence_results import (
    COMPARED,
    FEW_SETS,
    DependenceInputs,
    DependenceResults,
    dependence_results,
)
from pdp_widgets.models.frames import is_frame
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint
from pdp_widgets.widgets.computed_beside import Awaited, Awaiting
from pdp_widgets.widgets.late import new_number

#: What a screen has room for, and what one computation may begin.
MOST_TUPLES, MOST_VALUES, MOST_ROWS = 60, 1000, 100_000
#: Sets of known tuples, times rows, times tuples: a minute at most.
_MOST_SETS = 1 << 22

#: Points of one grid, as the computation takes them.
_MOST_POINTS = 2_000_000
#: Smaller scales of noise have no digits left to divide by.
_LEAST_SCALE = 1e-290


def check_size(joint: SparseJoint) -> None:
    """Raise LimitError for a joint distribution that is too large for a screen, with what to do instead."""
    where = Where("parameter", name="value")
    values = sum(len(domain) for domain in joint.domains)
    if joint.n > MOST_TUPLES:
        raise LimitError(
            f"There are {joint.n:,} tuples; the explorer shows at most {MOST_TUPLES}. Take some of them with "
            "joint.marginal([...]), or compute all with DependenceAnalysis.",
            where,
        )
    if values > MOST_VALUES:
        raise LimitError(
            f"The tuples have {values:,} values together; the explorer shows at most {MOST_VALUES:,}. Take "
            "fewer tuples, or put values into bins.",
            where,
        )
    if len(joint.codes) > MOST_ROWS:
        raise LimitError(
            f"There are {len(joint.codes):,} rows; the explorer takes at most {MOST_ROWS:,}. Take the "
            "marginal of fewer tuples, or compute with DependenceAnalysis.",
            where,
        )


def check_inputs(inputs: DependenceInputs) -> None:
    """Raise LimitError for what would take too long, and ScaleError for noise that numbers cannot hold."""
    check_size(inputs.joint)
    changes = float(max(inputs.query.sensitivities(inputs.joint)))
    if changes and not changes / inputs.epsilon > _LEAST_SCALE:
        raise ScaleError(
            f"One tuple changes the query by {changes:.3g} at most, and epsilon is {inputs.epsilon:.3g}: the "
            "noise is too small for the numbers of a computer. Multiply the weights.",
            Where("parameter", name="epsilon"),
        )
    if inputs.knowing == "worst" and inputs.sets > _MOST_SETS:
        raise LimitError(
            f"{inputs.joint.n} tuples have too many sets that may be known to find the worst; choose the "
            "known tuples.",
            Where("parameter", name="knowing"),
        )


def seconds_for(inputs: DependenceInputs) -> float:
    """Return about how long the results take."""
    rows, n = inputs.joint.codes.shape
    values = [len(domain) for domain in inputs.joint.domains]
    outputs = inputs.query.outputs(inputs.joint)
    width = outputs.shape[1]
    points = min(prod(len(np.unique(column)) for column in outputs.T), _MOST_POINTS)
    # To an adversary who knows nobody: coefficients of all pairs, and all outputs at some twenty scales.
    grid = 1.1e-7 * points * sum(values) * width
    work = 0.012 + 1.2e-3 * n + 5e-6 * sum(values) ** 2 + grid
    # One set of known tuples at one scale, one row of it, and one leakage that is kept as a value.
    sets = 1 << min(n, 62)
    once = sets * (6e-5 + 4.5e-8 * rows * n * max(values)) * (1.0 if width == 1 else 2.2)
    kept = 1.25e-5 * sets * n
    if inputs.knowing == "worst":
        work += once * (1 + len(COMPARED)) + kept + (4 * grid if width > 1 else 0)
    elif inputs.sets <= FEW_SETS:
        work += once + kept
    return work


def as_dependent_value(value: Any) -> SparseJoint:
    """Return the joint distribution given in Python; a data frame becomes that of its rows."""
    if isinstance(value, SparseJoint | JointDistribution):
        joint = as_sparse_joint(value)
        if isinstance(value, JointDistribution) and value.caution:
            warn_caller(f"{value.caution}.", FewRecordsWarning)
    elif is_frame(value):
        joint = SparseJoint.from_dataframe(value)
    else:
        raise TableError(
            f"The value is {shown(value)}; give a SparseJoint, a JointDistribution or a data frame.",
            Where("parameter", name="value"),
        )
    check_size(joint)
    return joint


class DependenceSolved(Awaiting[DependenceInputs]):
    """Results for the last inputs that made sense, and the pair of tuples that is chosen in them."""

    def __init__(self, wanted: DependenceInputs) -> None:
        check_inputs(wanted)
        self.solved = dependence_results(wanted)
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
