"""Records listed one by one, from a table of counts or drawn from a joint distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, TableError, Where
from pdp_widgets.models.attribute_codes import codes_of_cells
from pdp_widgets.models.given_numbers import as_generator, is_whole
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown

__all__ = ["codes_drawn", "codes_of_counts"]

#: Records made at once: more would fill the memory.
_MOST_RECORDS = 100_000_000
#: Values of all their attributes together, each a byte or a few.
_MOST_VALUES = 500_000_000


def codes_of_counts(joint: Any) -> NDArray[np.signedinteger[Any]]:
    """Return one row of codes for each record that was counted, in table order.

    Examples
    --------
    >>> codes_of_counts(JointDistribution.from_counts([[2, 0], [0, 1]])).tolist()
    [[0, 0], [0, 0], [1, 1]]
    """
    if not isinstance(joint, JointDistribution):
        raise TypeError(f"The counts are a {type(joint).__name__}; give a JointDistribution.")
    if joint.counts is None:
        raise TableError(
            "The distribution has probabilities and no counts of records; draw records from it instead "
            "(AttributeTable.drawn).",
            Where("table"),
        )
    counts = joint.counts.ravel()
    # Added up as Python's integers: those of numpy turn around beyond 9e18.
    _check_records(sum(counts[counts > 0].tolist()), len(joint.names))
    seen = np.flatnonzero(counts)
    return np.repeat(codes_of_cells(seen, joint.counts.shape), counts[seen], axis=0)


def codes_drawn(joint: Any, records: Any, rng: Any) -> NDArray[np.signedinteger[Any]]:
    """Return one row of codes for each record, drawn independently.

    Examples
    --------
    >>> codes_drawn(JointDistribution([[0, 0], [0, 1]]), 2, 1).tolist()
    [[1, 1], [1, 1]]
    """
    if not isinstance(joint, JointDistribution):
        raise TypeError(f"The joint distribution is a {type(joint).__name__}; give a JointDistribution.")
    if not is_whole(records) or records < 1:
        raise TableError(
            f"The number of records is {shown(records)}; it must be a whole number, 1 or more.",
            Where("parameter", name="records"),
        )
    _check_records(int(records), len(joint.names))
    reached = np.cumsum(joint.table.ravel())
    drawn = as_generator(rng).random(int(records)) * reached[-1]
    return codes_of_cells(np.searchsorted(reached, drawn, side="right"), joint.table.shape)


def _check_records(records: int, attributes: int) -> None:
    if records > _MOST_RECORDS or records * attributes > _MOST_VALUES:
        many = f"{records:,}" if records < 10**18 else shown(records)
        raise LimitError(
            f"The number of records is {many}, of {attributes} attribute{'s' * (attributes != 1)}; at most "
            f"{_MOST_RECORDS:,} records and {_MOST_VALUES:,} values are listed. LocalAnalysis and the "
            "explorers take the joint distribution itself.",
            Where("parameter", name="records"),
        )
