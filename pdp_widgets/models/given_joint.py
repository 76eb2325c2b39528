"""What counts as a joint distribution of dependent tuples where one is due."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["as_sparse_joint"]


def as_sparse_joint(value: Any) -> SparseJoint:
    """Return a `SparseJoint` as it is and a `JointDistribution` as its rows, or raise TableError.

    Examples
    --------
    >>> as_sparse_joint(JointDistribution([0.5, 0.5], names=["Ann"]))
    SparseJoint(Ann: 2 values, rows=2)
    """
    if isinstance(value, SparseJoint):
        return value
    if isinstance(value, JointDistribution):
        return SparseJoint.from_joint(value)
    raise TableError(
        f"The joint distribution is {shown(value)}; give a SparseJoint or a JointDistribution.",
        Where("parameter", name="joint"),
    )
