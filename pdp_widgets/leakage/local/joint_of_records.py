"""What several reports together say about an attribute of records, whose joint table may be too large."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.joint_privacy_loss import (
    JointPrivacyLoss,
    as_one_source,
    bracket,
    dpl_of,
    joint_privacy_loss,
)
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.local.reading import best_of, read
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["dense_joint", "joint_loss", "observed_rows"]

Floats = NDArray[np.float64]

_MOST_CELLS = 1 << 20


def dense_joint(data: Any, attributes: Sequence[int]) -> Floats | None:
    """Return the joint table of some attributes, in the given order; None where it has too many cells.

    Parameters
    ----------
    data
        Records, a joint distribution, or an array of probabilities or counts.
    attributes
        Positions.
    """
    if isinstance(data, AttributeTable):
        if prod(data.sizes[a] for a in attributes) > _MOST_CELLS:
            return None
        return data.marginal(list(attributes)).table
    numbers = data.table if isinstance(data, JointDistribution) else np.asarray(data, dtype=np.float64)
    rest = tuple(a for a in range(numbers.ndim) if a not in attributes)
    kept = sorted(attributes)
    found: Floats = numbers.sum(axis=rest).transpose([kept.index(a) for a in attributes])
    return found


def observed_rows(table: AttributeTable, attributes: Sequence[int]) -> Floats:
    """Return P(combination of the others | value of the first), for combinations that occur.

    Parameters
    ----------
    table
        Records; those where one of the attributes is missing do not count.
    attributes
        Positions: the secret first.
    """
    codes = table.codes[:, list(attributes)]
    codes = codes[(codes >= 0).all(axis=1)]
    _, place = np.unique(codes[:, 1:], axis=0, return_inverse=True)
    width = int(place.max(initial=-1)) + 1
    m = table.sizes[attributes[0]]
    flat = codes[:, 0].astype(np.int64) * width + place.ravel()
    counts = np.bincount(flat, minlength=m * width).reshape(m, width).astype(np.float64)
    counts = counts[counts.any(axis=1)]
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def joint_loss(
    data: Any,
    attributes: Sequence[int],
    mechanisms: Sequence[LocalMechanism],
    output: Output,
    exact: bool | None,
) -> JointPrivacyLoss:
    """Return what several reports say about the first of some attributes.

    Parameters
    ----------
    data
        Records, a joint distribution, an array, or tables of pairs.
    attributes
        Positions: the secret first.
    mechanisms
        One for each of them.
    output
        ``"raw"`` or ``"inferred"``.
    exact
        As for `LocalAnalysis.joint`.
    """
    if isinstance(data, PairTables):
        raise LimitError(
            "Tables of pairs do not say how more than two attributes hang together; give records."
        )
    dense = dense_joint(data, attributes)
    if dense is not None:
        names = PairTables.of(data).names if not isinstance(data, AttributeTable) else data.names
        joint = JointDistribution.normalised(dense, names=[names[a] for a in attributes])
        if exact is not None:
            return joint_privacy_loss(joint, 0, mechanisms, output, exact=exact)
        try:
            return joint_privacy_loss(joint, 0, mechanisms, output)
        except LimitError:
            return joint_privacy_loss(joint, 0, mechanisms, output, exact=False)
    if exact:
        cells = prod(data.sizes[a] for a in attributes)
        raise LimitError(
            f"The joint table of {len(attributes)} attributes has {cells:.3g} cells (limit {_MOST_CELLS:,}); "
            "take fewer of them as sources, or exact=False for the bounds."
        )
    rows = observed_rows(data, attributes)
    sizes = [data.sizes[a] for a in attributes]
    own, *budgets = (dpl_of(one, k, output) for one, k in zip(mechanisms, sizes, strict=True))
    alone = [
        float(best_of(Conditionals.of(observed), [read(one, k, output)]).value[0])
        for observed, one, k in zip(
            (_source_rows(data, attributes, i) for i in range(1, len(attributes))),
            mechanisms[1:],
            sizes[1:],
            strict=True,
        )
    ]
    return bracket(
        data.names[attributes[0]],
        [data.names[a] for a in attributes[1:]],
        output,
        own,
        alone,
        budgets,
        as_one_source(rows, sum(budgets)),
    )


def _source_rows(table: AttributeTable, attributes: Sequence[int], place: int) -> Floats:
    """Return P(one source | secret) among the records that have all of the attributes."""
    codes = table.codes[:, list(attributes)]
    codes = codes[(codes >= 0).all(axis=1)]
    m, t = table.sizes[attributes[0]], table.sizes[attributes[place]]
    flat = codes[:, 0].astype(np.int64) * t + codes[:, place]
    counts = np.bincount(flat, minlength=m * t).reshape(m, t).astype(np.float64)
    counts = counts[counts.any(axis=1)]
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))
