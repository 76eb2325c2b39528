"""What a dependence explorer can show, and how long its numbers take."""

from __future__ import annotations

from math import prod

import numpy as np

from pdp_widgets.errors import LimitError, ScaleError, Where
from pdp_widgets.leakage.dependent.dependence_results import COMPARED, FEW_SETS, DependenceInputs
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["MOST_ROWS", "MOST_TUPLES", "MOST_VALUES", "check_inputs", "check_size", "seconds_for"]

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
    """Return about how long the results take.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.joint_query import as_joint_query
    >>> from pdp_widgets.models.dependent_examples import xor_bits
    >>> seconds_for(DependenceInputs(xor_bits(), as_joint_query("sum", xor_bits()), 1.0, "dpm_exact")) < 0.1
    True
    """
    rows, n = inputs.joint.codes.shape
    values = [len(domain) for domain in inputs.joint.domains]
    outputs = inputs.query.outputs(inputs.joint)
    width = outputs.shape[1]
    points = min(prod(len(np.unique(column)) for column in outputs.T), _MOST_POINTS)
    # To one who knows nobody: coefficients of all pairs, and all outputs at some twenty scales.
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
