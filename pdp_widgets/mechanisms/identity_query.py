"""The query that asks for everything: all values of all tuples side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["IdentityQuery"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class IdentityQuery:
    """Publish all coordinates of all tuples, each with noise of its own.

    Parameters
    ----------
    name
        Short text for pictures.

    Examples
    --------
    >>> joint = SparseJoint([[0, 2], [1, 5]], [0.5, 0.5])
    >>> IdentityQuery().outputs(joint).tolist(), IdentityQuery().sensitivities(joint).tolist()
    ([[0.0, 2.0], [1.0, 5.0]], [1.0, 3.0])
    """

    name: str = "identity"

    def outputs(self, joint: SparseJoint) -> Floats:
        """Return the output of every row, shape (rows, numbers)."""
        return np.concatenate([points[joint.codes[:, j]] for j, points in enumerate(joint.points)], axis=1)

    def sensitivities(self, joint: SparseJoint) -> Floats:
        """Return the largest L1 change of the output when one tuple changes, shape (n,)."""
        return np.array(joint.diameters)

    def reach(self, joint: SparseJoint) -> tuple[Floats, ...]:
        """Return the values of every tuple as they enter the output."""
        return joint.points
