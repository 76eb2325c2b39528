"""What a noisy release leaks about each of several dependent tuples, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pdp_widgets.leakage.dependent.about import AttainedAt, determined_leakage, tuple_leakage
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs, GroupPeaks
from pdp_widgets.leakage.dependent.known_tuples import known_tuples
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.models.given_joint import as_sparse_joint
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["dependent_leakage", "largest_leakage", "leakage_of", "leakage_values"]

_TIE = 1e-12


def dependent_leakage(
    joint: Any, query: Any, scale: float, known: Iterable[str | int] = ()
) -> tuple[Leakage, ...]:
    """Return what a release with Laplace noise leaks about every tuple, to one who knows its law.

    It is the largest log ratio of the densities of an output given two values of the tuple, the others
    averaged out by the joint distribution. It differs from the loss of differential privacy, which holds all
    others fixed, in both directions.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    query
        ``"sum"``, ``"mean"``, ``"identity"``, ``"count:VALUE"``, one weight for each tuple, or a query.
    scale
        Of the noise of every number; positive and finite.
    known
        Tuples that are known beside the law; the largest leakage over their values is given. A tuple is
        taken out of its own known ones.

    Returns
    -------
    leakages
        One for each tuple, with the pair of values and the output where it is attained.

    Raises
    ------
    LimitError
        The outputs span a grid of more than 2,000,000 points.

    Notes
    -----
    Liu, Chakraborty and Mittal, Definition 4, read as an average over the tuples that are not known. The
    supremum is attained on the grid of all coordinates of outputs.

    Examples
    --------
    >>> from pdp_widgets import SparseJoint, dependent_leakage
    >>> xor = SparseJoint([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], [0.25] * 4)
    >>> print(dependent_leakage(xor, "sum", 1.0)[0])
    1.43378 nats (exact): x1, knowing none
    >>> print(dependent_leakage(xor, "sum", 1.0, known=["x2"])[0])
    2 nats (exact): x1, knowing x2
    """
    rows = as_sparse_joint(joint)
    outputs = as_joint_query(query, rows).outputs(rows)
    size = as_scale(scale)
    given = list(known_tuples(rows, known))
    seen = ConditionalOutputs.of(rows, outputs)
    found: list[Leakage | None] = [None] * rows.n
    # Those who are not known share one set of known tuples; every other tuple has a set of its own.
    shared = [j for j in range(rows.n) if j not in given]
    for targets, others in [(shared, given), *(([j], [k for k in given if k != j]) for j in given)]:
        about = seen.knowing(others)
        for peaks in about.peaks(targets, size):
            found[peaks.target] = leakage_of(rows, about, peaks)
    return tuple(one for one in found if one is not None)


def leakage_values(joint: SparseJoint, outputs: np.ndarray[Any, Any], scale: float) -> np.ndarray[Any, Any]:
    """Return what a release leaks about every tuple to one who knows none, as numbers.

    Examples
    --------
    >>> joint = SparseJoint([[0, 0], [1, 1]], [0.5, 0.5])
    >>> leakage_values(joint, np.array([[0.0], [2.0]]), 4.0).tolist()
    [0.5, 0.5]
    """
    peaks = ConditionalOutputs.of(joint, outputs).peaks(range(joint.n), scale)
    return np.array([float(one.values[0]) for one in peaks])


def leakage_of(joint: SparseJoint, about: ConditionalOutputs, peaks: GroupPeaks) -> Leakage:
    """Return the largest leakage about one tuple over the values of the known ones, as a value."""
    top = float(peaks.values.max())
    # Of combinations that are equal but for rounding the first is named, among those that leave two values.
    near = peaks.values >= top - _TIE * max(1.0, top)
    group = int(((peaks.more >= 0) & near).argmax())
    name, domain = joint.tuples[peaks.target], joint.domains[peaks.target]
    names = [joint.tuples[k] for k in about.known]
    if (peaks.more < 0).all():
        return determined_leakage(name, [(known, None) for known in names])
    row = about.codes[about.first_rows[group]]
    values: Any = tuple(
        (known, joint.domains[k][row[k]]) for known, k in zip(names, about.known, strict=True)
    )
    at, last = int(peaks.at[group]), about.last
    ends = about.outputs.shape[1] == 1
    pair: Any = (domain[int(peaks.more[group])], domain[int(peaks.less[group])])
    output = about.output(at, group)
    attained = AttainedAt(
        output[0], "<=" if ends and at == 0 else ">=" if ends and at == last else "=", pair, values, output
    )
    return tuple_leakage(top, name, [(known, None) for known in names], attained)


def largest_leakage(leakages: Iterable[Leakage]) -> Leakage:
    """Return the largest of several leakages, the first among equal ones.

    Examples
    --------
    >>> print(largest_leakage([tuple_leakage(1, "a"), tuple_leakage(2, "b")]))
    2 nats (exact): b, knowing none
    """
    return max(leakages, key=float)
