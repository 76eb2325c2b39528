"""Exact leakage of all adversaries at once when several numbers are released, such as a whole histogram."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.prior import direct, exact_sup
from pdp_widgets.leakage.prior.centres import joint_centres
from pdp_widgets.leakage.prior.exact_all import (
    MOST_TUPLES,
    MOST_TUPLES_SUP,
    check_convention,
    instance_positions,
)
from pdp_widgets.leakage.prior.releases import needs_logarithms, number_of_values
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.value import Convention
from pdp_widgets.mechanisms.vector_laplace import VectorLaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["check_joint_work", "joint_exact_all"]

Floats = NDArray[np.float64]

_ADDITIONS_PER_SECOND = 1e8
_SLOWER_IN_LOGARITHMS = 5.0
#: Every block of releases has a few calls of numpy for each tuple, however small the table is.
_SECONDS_PER_BLOCK = 3e-5
_BLOCK = 1 << 17


def joint_exact_all(
    distribution: JointDistribution,
    mechanism: VectorLaplaceMechanism,
    instance: Sequence[Any] | None = None,
    convention: Convention = "instance",
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return exact leakage of several numbers together, and whether the target is determined.

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release of all numbers, each with noise of its own.
    instance, convention, progress
        As for `pdp_widgets.exact_all`.
    limit
        Refuse work that would take longer than about this many seconds, or more than 20 tuples (15 with
        convention ``"sup"``); ``math.inf`` to go ahead.

    Returns
    -------
    values, determined
        Node arrays of shape (n, 2**(n-1)), in nats, as of `pdp_widgets.exact_all`.

    Raises
    ------
    InstanceError
        The row is not one of the table or has probability 0.
    AdversaryError
        There is no such convention.
    LimitError
        The work exceeds the limit.
    QueryError
        The contributions do not fit the distribution.

    Notes
    -----
    Li, Ren, Yang and Yang, Eq. 2, for several numbers. Time as for one number whose values are all
    combinations of a value of each query.

    Examples
    --------
    >>> from pdp_widgets import HistogramQuery
    >>> joint = JointDistribution([[0.5, 0], [0, 0.5]])
    >>> mechanism = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), 1)
    >>> joint_exact_all(joint, mechanism)[0].tolist()
    [[4.0, 0.0], [4.0, 0.0]]
    """
    check_convention(convention)
    positions = instance_positions(distribution, instance)
    check_joint_work(distribution, mechanism, convention, limit)
    table = distribution.table
    centres = joint_centres(table, [query.contributions for query in mechanism.queries], mechanism.scale)
    if convention == "sup":
        return exact_sup.over_releases(table, centres, progress)
    return direct.over_releases(table, centres, positions, progress)


def check_joint_work(
    distribution: JointDistribution,
    mechanism: VectorLaplaceMechanism,
    convention: str = "instance",
    limit: float = 60.0,
) -> float:
    """Return about how many seconds `joint_exact_all` takes on one thread; nothing is computed.

    Raises
    ------
    LimitError
        The work exceeds the limit.
    QueryError
        The contributions do not fit the distribution.
    """
    queries = mechanism.queries
    for query in queries:
        query.check_fits(distribution)
    table = distribution.table
    n = table.ndim
    sizes = [number_of_values(query.contributions) for query in queries]
    releases = math.prod(sizes)
    every = [values for query in queries for values in query.contributions]
    logarithms = needs_logarithms(table, every, mechanism.scale)
    if convention == "sup":
        counted = min(releases, 10**15)
        seconds = exact_sup.work(table.shape, counted, logarithms).seconds
    else:
        passes = n * (math.log2(n) + 1)
        slower = _SLOWER_IN_LOGARITHMS if logarithms else 1.0
        blocks = math.ceil(releases / max(1, _BLOCK // table.size))
        seconds = float(min(releases, 10**300)) * (passes + len(queries)) * table.size * slower
        seconds = seconds / _ADDITIONS_PER_SECOND + float(min(blocks, 10**300)) * passes * _SECONDS_PER_BLOCK
    if math.isinf(limit):
        return seconds
    most = MOST_TUPLES_SUP if convention == "sup" else MOST_TUPLES
    if n > most or seconds > limit:
        shown = " x ".join(f"{size:,}" for size in sizes[:6]) + (" x ..." if len(sizes) > 6 else "")
        raise LimitError(
            f"All {n * 2 ** (n - 1):,} adversaries and {shown} = {min(releases, 10**18):,} combinations "
            f"of {len(sizes)} released numbers take about {min(seconds, 1e12):,.0f} s. The limit is "
            f"{limit:g} s and {most} tuples; release fewer or coarser bins, or ask about one adversary: "
            "joint_leakage.",
            Where("parameter", name="query"),
        )
    return seconds
