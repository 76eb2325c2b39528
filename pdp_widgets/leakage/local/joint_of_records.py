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


def dense_joint(data: Any, attributes: Sequence[int], min_count: float = 0) -> Floats | None:
    """Return the joint table of some attributes, in the given order; None where it has too many cells.

    Parameters
    ----------
    data
        Records, a joint distribution, or an array of probabilities or counts.
    attributes
        Positions.
    min_count
        Values of the first one with fewer records become impossible.
    """
    if isinstance(data, AttributeTable):
        if prod(data.sizes[a] for a in attributes) > _MOST_CELLS:
            return None
        numbers: Any = _counted(data, attributes)
    else:
        if isinstance(data, JointDistribution):
            numbers = data.table if min_count == 0 or data.counts is None else data.counts
        else:
            numbers = np.asarray(data, dtype=np.float64)
        rest = tuple(a for a in range(numbers.ndim) if a not in attributes)
        kept = sorted(attributes)
        numbers = numbers.sum(axis=rest).transpose([kept.index(a) for a in attributes])
    found = np.asarray(numbers, dtype=np.float64)
    if min_count > 0:
        rare = found.reshape(len(found), -1).sum(axis=1) < min_count
        found = np.where(rare.reshape(-1, *(1,) * (found.ndim - 1)), 0.0, found)
    return found


def _counted(table: AttributeTable, attributes: Sequence[int]) -> Floats:
    """Return how many records have each combination; those with a missing value do not count."""
    codes = table.codes[:, list(attributes)]
    codes = codes[(codes >= 0).all(axis=1)]
    sizes = [table.sizes[a] for a in attributes]
    flat = np.zeros(len(codes), dtype=np.int64)
    for column, size in zip(codes.T, sizes, strict=True):
        flat *= size
        flat += column
    return np.bincount(flat, minlength=prod(sizes)).reshape(sizes).astype(np.float64)


def observed_rows(table: AttributeTable, attributes: Sequence[int], min_count: float = 0) -> Floats:
    """Return P(combination of the others | value of the first), for combinations that occur.

    Parameters
    ----------
    table
        Records; those where one of the attributes is missing do not count.
    attributes
        Positions: the secret first.
    min_count
        Secret values with fewer records are left out.
    """
    codes = table.codes[:, list(attributes)]
    codes = codes[(codes >= 0).all(axis=1)]
    place = _combinations(codes[:, 1:], [table.sizes[a] for a in attributes[1:]])
    width = int(place.max(initial=-1)) + 1
    m = table.sizes[attributes[0]]
    flat = codes[:, 0].astype(np.int64) * width + place.ravel()
    counts = np.bincount(flat, minlength=m * width).reshape(m, width).astype(np.float64)
    return _conditional_rows(counts, min_count)


def _conditional_rows(counts: Floats, min_count: float) -> Floats:
    totals = counts.sum(axis=1)
    kept = (totals > 0) & (totals >= min_count)
    return np.asarray(counts[kept] / totals[kept, None])


def _combinations(codes: NDArray[Any], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the number of each record's combination of codes, among those that occur."""
    if prod(sizes) >= 2**62:
        _, place = np.unique(codes, axis=0, return_inverse=True)
    else:
        # One whole number for a combination: sorting numbers is many times as fast as sorting rows.
        flat = np.zeros(len(codes), dtype=np.int64)
        for column, size in zip(codes.T, sizes, strict=True):
            flat *= size
            flat += column
        _, place = np.unique(flat, return_inverse=True)
    return np.asarray(place.ravel(), dtype=np.int64)


def joint_loss(
    data: Any,
    attributes: Sequence[int],
    mechanisms: Sequence[LocalMechanism],
    output: Output,
    exact: bool | None,
    min_count: float = 0,
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
    min_count
        Secret values with fewer records are left out.
    """
    if isinstance(data, PairTables):
        raise LimitError(
            "Tables of pairs do not say how more than two attributes hang together; give records."
        )
    dense = dense_joint(data, attributes, min_count)
    if dense is not None and not dense.any():
        return _of_nobody(data, attributes, mechanisms, output)
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
    rows = observed_rows(data, attributes, min_count)
    sizes = [data.sizes[a] for a in attributes]
    own, *budgets = (dpl_of(one, k, output) for one, k in zip(mechanisms, sizes, strict=True))
    alone = [
        float(best_of(Conditionals.of(observed), [read(one, k, output)]).value[0])
        for observed, one, k in zip(
            (_source_rows(data, attributes, i, min_count) for i in range(1, len(attributes))),
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


def _of_nobody(
    data: Any, attributes: Sequence[int], mechanisms: Sequence[LocalMechanism], output: Output
) -> JointPrivacyLoss:
    """Return the loss where no value of the secret is left to tell apart: that of its own report."""
    tables = PairTables.of(data)
    sizes = [int(tables.sizes[a]) for a in attributes]
    own, *budgets = (dpl_of(one, k, output) for one, k in zip(mechanisms, sizes, strict=True))
    target, *others = (tables.names[a] for a in attributes)
    return bracket(target, others, output, own, [0.0] * len(others), budgets, 0.0, own, 0.0)


def _source_rows(table: AttributeTable, attributes: Sequence[int], place: int, min_count: float) -> Floats:
    """Return P(one source | secret) among the records that have all of the attributes."""
    codes = table.codes[:, list(attributes)]
    codes = codes[(codes >= 0).all(axis=1)]
    m, t = table.sizes[attributes[0]], table.sizes[attributes[place]]
    flat = codes[:, 0].astype(np.int64) * t + codes[:, place]
    counts = np.bincount(flat, minlength=m * t).reshape(m, t).astype(np.float64)
    return _conditional_rows(counts, min_count)
