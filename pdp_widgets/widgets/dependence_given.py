"""What a dependence explorer is given in Python: a joint distribution, and numbers to look at it with."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import FewRecordsWarning, QueryError, TableError, Where
from pdp_widgets.models.caller_warning import warn_caller
from pdp_widgets.models.frames import is_frame
from pdp_widgets.models.given_joint import as_sparse_joint
from pdp_widgets.models.given_sizes import as_not_negative
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.widgets.dependence_limits import check_size

__all__ = ["as_alpha", "as_dependent_value"]


def as_dependent_value(value: Any) -> SparseJoint:
    """Return the joint distribution given in Python; a data frame becomes that of its rows.

    Warns
    -----
    FewRecordsWarning, CountColumnWarning
        As for `SparseJoint.from_dataframe`; a table of few counts is warned of too.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"Ann": [0, 1, 0, 1], "Bob": [0, 1, 0, 1]})
    >>> as_dependent_value(frame).probabilities.tolist()
    [0.5, 0.5]
    """
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


def as_alpha(alpha: Any) -> float:
    """Return the size of an error, or raise QueryError.

    Examples
    --------
    >>> as_alpha(3)
    3.0
    """
    return as_not_negative(alpha, "alpha", QueryError, "the size of an error, 0 or more")
