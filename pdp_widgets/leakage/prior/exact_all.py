"""Exact leakage of all adversaries at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import AdversaryError, InstanceError, LimitError, Where
from pdp_widgets.leakage.prior import direct
from pdp_widgets.leakage.prior.releases import needs_logarithms, number_of_values
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import place

__all__ = ["exact_all", "instance_positions"]

Floats = NDArray[np.float64]

_MOST_TUPLES = 20
_ADDITIONS_PER_SECOND = 4e8


def instance_positions(distribution: JointDistribution, instance: Sequence[Any] | None) -> tuple[int, ...]:
    """Return the label positions of the instance; without one, of the most probable row.

    Raises
    ------
    InstanceError
        A label is not in its domain, or the row has probability 0.
    """
    if instance is None:
        instance = distribution.most_probable()
    positions = distribution.position(instance)
    if not distribution.table[positions] > 0:
        raise InstanceError(
            f"The row ({place(distribution.names, distribution.domains, positions)}) has probability 0; "
            "choose a row that can occur.",
            Where("row", index=positions),
        )
    return positions


def exact_all(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    instance: Sequence[Any] | None = None,
    convention: str = "instance",
    *,
    limit: float = 60.0,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the exact leakage of every adversary, in nats, and whether its target is determined.

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release.
    instance
        One row of labels: the known values are those of this row. Without it the most probable row.
    convention
        Only ``"instance"`` is offered for all adversaries at once.
    limit
        Refuse work that would take longer than this many seconds, or more than 20 tuples; ``math.inf`` to go
        ahead.

    Returns
    -------
    values, determined
        Node arrays of shape (n, 2**(n-1)): row = attacked tuple, column = bitmask of the known tuples among
        the others, see `pdp_widgets.leakage.adversary`.

    Raises
    ------
    InstanceError
        The row is not one of the table or has probability 0.
    AdversaryError
        The convention is not offered.
    LimitError
        The work exceeds the limit.
    QueryError
        The contributions do not fit the distribution.

    Notes
    -----
    Li, Ren, Yang and Yang, Eq. 2, for all n 2**(n-1) adversaries. The absolute error is about 1e-15 times
    the larger of 1 and range of the query / scale.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> values, determined = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
    >>> values.round(6).tolist()
    [[1.185376, 1.0], [1.185376, 1.0]]
    """
    if convention != "instance":
        raise AdversaryError(
            f"The convention {convention!r} is not offered for all adversaries at once; "
            "accepted: 'instance'.",
            Where("parameter", name="convention"),
        )
    mechanism.query.check_fits(distribution)
    positions = instance_positions(distribution, instance)
    table, contributions, scale = distribution.table, mechanism.query.contributions, mechanism.scale

    from pdp_widgets.leakage.prior import grouped

    fast = grouped.applies(table, contributions, scale)
    _refuse_beyond(limit, table, contributions, scale, fast)
    if fast:
        return grouped.all_adversaries(table, contributions, scale, positions)
    return direct.all_adversaries(table, contributions, scale, positions)


def _refuse_beyond(
    limit: float, table: Floats, contributions: Sequence[Floats], scale: float, fast: bool
) -> None:
    if math.isinf(limit):
        return
    n = table.ndim
    nodes = n * 2.0 ** (n - 1)
    if n > _MOST_TUPLES:
        raise LimitError(
            f"{n} tuples have {nodes:,.0f} adversaries: {nodes * 9 / 1e6:,.0f} MB of results. "
            f"The limit is {_MOST_TUPLES} tuples; limit=math.inf goes ahead.",
            Where("parameter", name="distribution"),
        )
    if table.size <= 1 << 12:
        return
    releases = number_of_values(contributions)
    passes = n * (math.log2(n) + 1)
    slower = 20.0 if needs_logarithms(table, contributions, scale) else 1.0 if fast else 4.0
    seconds = releases * passes * table.size * slower / _ADDITIONS_PER_SECOND / (8 if fast else 1)
    if seconds > limit:
        raise LimitError(
            f"The query takes {releases:,} values on {table.size:,} cells: about {seconds:,.0f} s. "
            f"The limit is {limit:g} s; round the contributions to a common step, or pass a larger limit.",
            Where("parameter", name="mechanism"),
        )
