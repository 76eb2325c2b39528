"""What one noisy number looks like for each value of a tuple: mixtures of Laplace densities on a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import QueryError, ScaleError, Where
from pdp_widgets.leakage.dependent.equal_outputs import equal_outputs
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import short
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import Value

__all__ = ["ScalarMixtures", "scalar_mixtures"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScalarMixtures(ReadOnlyArrays):
    """The answers of a query of one number, by the value of one tuple.

    Parameters
    ----------
    values
        Values of the tuple that can occur.
    law
        Their probabilities, shape (values,).
    points
        Answers that can occur, ascending, shape (points,).
    weights
        Probability of every answer given every value, shape (values, points).

    Examples
    --------
    >>> joint = SparseJoint([[0, 0], [0, 1], [1, 1]], [0.25, 0.25, 0.5])
    >>> found = scalar_mixtures(joint, "sum", 0)
    >>> found.values, found.points.tolist(), found.weights.tolist()
    ((0, 1), [0.0, 1.0, 2.0], [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    """

    values: tuple[Value, ...]
    law: Floats
    points: Floats
    weights: Floats

    def log_sides(self, scale: float) -> tuple[Floats, Floats]:
        """Return the logarithms of what each point gets from the left, itself included, and from the right.

        Parameters
        ----------
        scale
            Of the noise.

        Returns
        -------
        left, right
            Entry ``[a, k]`` is ``log sum w[a, l] exp(-|points[k] - points[l]| / scale)`` over l up to k, and
            over l from k on. Between two neighbouring points the density falls from the left one with the
            first and rises to the right one with the second, without further terms.

        Examples
        --------
        >>> joint = SparseJoint([[0], [1]], [0.5, 0.5])
        >>> left, right = scalar_mixtures(joint, "sum", 0).log_sides(1.0)
        >>> left.tolist(), right.tolist()
        ([[0.0, -1.0], [-inf, 0.0]], [[0.0, -inf], [-1.0, 0.0]])
        """
        with np.errstate(over="ignore", divide="ignore"):
            at = (self.points - self.points[0]) / scale
            logs = np.log(self.weights)
        if not np.isfinite(at[-1]):
            raise ScaleError(
                f"The scale {scale:.6g} is too small beside answers from {self.points[0]:.6g} to "
                f"{self.points[-1]:.6g}.",
                Where("parameter", name="scale"),
            )
        left = np.logaddexp.accumulate(logs + at, axis=1) - at
        right = np.logaddexp.accumulate((logs - at)[:, ::-1], axis=1)[:, ::-1] + at
        return left, right

    def log_densities(self, scale: float) -> Floats:
        """Return the logarithm of every density at every point but for one constant, shape (values, points).

        The largest ratio of two densities is at one of these points.

        Examples
        --------
        >>> joint = SparseJoint([[0], [2]], [0.5, 0.5])
        >>> scalar_mixtures(joint, "sum", 0).log_densities(4.0).tolist()
        [[0.0, -0.5], [-0.5, 0.0]]
        """
        left, right = self.log_sides(scale)
        gaps = np.diff(self.points) / scale
        return np.concatenate([np.logaddexp(left[:, :-1], right[:, 1:] - gaps), left[:, -1:]], axis=1)

    def leakage(self, scale: float) -> float:
        """Return the largest log ratio of two densities, in nats.

        Examples
        --------
        >>> joint = SparseJoint([[0, 0], [1, 1]], [0.5, 0.5])
        >>> scalar_mixtures(joint, "sum", 0).leakage(1.0)
        2.0
        """
        logs = self.log_densities(scale)
        return max(0.0, float((logs.max(axis=0) - logs.min(axis=0)).max()))


def scalar_mixtures(joint: SparseJoint, query: Any, target: str | int) -> ScalarMixtures:
    """Return the answers of a query of one number, by the value of one tuple.

    Parameters
    ----------
    joint
        How the tuples hang together.
    query
        As for `pdp_widgets.mechanisms.joint_query.as_joint_query`; its answer is one number.
    target
        Name or position of the tuple.

    Raises
    ------
    QueryError
        The answer has several numbers.
    """
    asked = as_joint_query(query, joint)
    outputs = asked.outputs(joint)
    if outputs.shape[1] != 1:
        raise QueryError(
            f"The query {short(asked.name)} gives {outputs.shape[1]} numbers; this is computed for one.",
            Where("parameter", name="query"),
        )
    axis = joint.axis(target)
    chances, codes = joint.probabilities, joint.codes[:, axis]
    possible = chances > 0
    points, index = equal_outputs(outputs[possible, 0])
    size = len(joint.domains[axis])
    table = np.bincount(
        codes[possible] * len(points) + index.reshape(-1), chances[possible], size * len(points)
    ).reshape(size, len(points))
    law = table.sum(axis=1)
    there = np.flatnonzero(law > 0)
    values = tuple(joint.domains[axis][k] for k in there.tolist())
    return ScalarMixtures(values, law[there] / law.sum(), points, table[there] / law[there, None])
