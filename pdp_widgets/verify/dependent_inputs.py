"""Joint distributions and queries of dependent tuples as the input of a case describes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.mechanisms.identity_query import IdentityQuery
from pdp_widgets.mechanisms.table_query import TableQuery
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.verify.documents import Input, VectorError

__all__ = ["joint_of", "pair_of", "query_of"]


def joint_of(data: Input) -> SparseJoint:
    """Return the joint distribution of a case."""
    described = data["joint"]
    return SparseJoint(described["support"], described["prob"])


def query_of(described: Any) -> Any:
    """Return a query of a case: one weight for each tuple, all values, or an output for each row."""
    kind = described.get("type") if isinstance(described, dict) else None
    if kind == "linear":
        return list(described["coef"])
    if kind == "identity":
        return IdentityQuery()
    if kind == "table":
        return TableQuery(described["outputs"])
    raise VectorError("a query is an object with type linear, identity or table")


def pair_of(data: Input) -> SparseJoint:
    """Return two tuples with given conditionals of the second; values of the first that can occur, alike."""
    rows = np.asarray(data["conditional"], dtype=float)
    prior = rows.any(axis=1) / rows.any(axis=1).sum()
    support = [[a, value] for a in range(len(rows)) for value in data["values"]]
    return SparseJoint(support, (prior[:, None] * rows).ravel())
