"""Exact leakage of all adversaries at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import InstanceError, LimitError, Where
from pdp_widgets.leakage.adversary import Adversary, known_of
from pdp_widgets.leakage.prior import direct, exact_sup, grouped
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.prior.group_bound import within_bounds
from pdp_widgets.leakage.prior.releases import is_narrow, needs_logarithms, number_of_values
from pdp_widgets.leakage.threads import as_threads
from pdp_widgets.leakage.value import check_convention
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import place

__all__ = [
    "MOST_TUPLES",
    "MOST_TUPLES_SUP",
    "check_work",
    "exact_all",
    "instance_positions",
]

Floats = NDArray[np.float64]

#: Most tuples with the known values of one row, and with the worst of all known values.
MOST_TUPLES = 20
MOST_TUPLES_SUP = 15
_ADDITIONS_PER_SECOND = 4e8
_SHORT_LATTICE = 65
_SMALL = 1 << 12
#: Cells from which threads share the work: below, to begin one takes longer.
_SHARED = 1 << 14
#: One adversary by itself, and each row that it sees.
_SECONDS_A_NODE, _SECONDS_A_ROW = 4e-4, 8e-6


def instance_positions(distribution: JointDistribution, instance: Sequence[Any] | None) -> tuple[int, ...]:
    """Return the label positions of the instance; without one, of the most probable row."""
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
    progress: ProgressHook | None = None,
    threads: int | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the exact leakage of every adversary, in nats, and whether its target is determined.

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release.
    instance
        One row of labels: with convention ``"instance"`` the known values are those of this row. Without it
        the most probable row.
    convention
        ``"instance"``: the known values are those of one row. ``"sup"``: the largest leakage over all known
        values that can occur, which is what a guarantee needs; the row does not matter.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does. More than 20 tuples (15 with
        convention ``"sup"``) are refused too; ``math.inf`` to go ahead.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels the computation.
    threads
        How many threads share the work on large binary tables; without it what the machine offers, up to 8.
        The numbers do not depend on it.

    Returns
    -------
    values, determined
        Node arrays of shape (n, 2**(n-1)): row = attacked tuple, column = bitmask of the known tuples among
        the others, see `pdp_widgets.leakage.adversary`. With convention ``"sup"`` a target is determined if
        all known values that can occur leave it one label.

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
    Li, Ren, Yang and Yang, Eq. 2, for all n 2**(n-1) adversaries. The absolute error is about 1e-15 times
    the larger of 1 and range of the query / scale; no value is above the group bound. Where that range is
    more than 1e6 scales (1e9 for more than 256 rows), or floats take values for one that the noise tells
    apart, each adversary is looked at alone with exact sums, which is slower and loses no digits. Time
    O(R n log n 2**n) for R values of the query and two labels a tuple; with convention ``"sup"`` O(R n 3**n).

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> values, determined = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
    >>> values.round(6).tolist()
    [[1.185376, 1.0], [1.185376, 1.0]]

    Knowing the row (0, 0) the second tuple is open, knowing another row it may not be:

    >>> joint = JointDistribution([[0.5, 0.25], [0, 0.25]])
    >>> mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1)
    >>> exact_all(joint, mechanism, [0, 0])[1].tolist()
    [[False, True], [False, False]]
    >>> exact_all(joint, mechanism, convention="sup")[1].any()
    np.False_
    """
    check_convention(convention)
    limit, many = SECONDS.take(limit, "limit"), as_threads(threads)
    mechanism.query.check_fits(distribution)
    positions = instance_positions(distribution, instance)
    table, contributions, scale = distribution.table, mechanism.query.contributions, mechanism.scale
    narrow = is_narrow(contributions, scale)
    # What is never refused need not be estimated: at ten tuples that would cost more than the leakages.
    if not math.isinf(limit) and (narrow or convention == "sup" or not _never_refused(table)):
        check_work(distribution, mechanism, convention, limit)
    n = distribution.n_tuples
    progress = timed(progress, limit, f"What all {n << (n - 1):,} adversaries learn", "Take fewer tuples.")
    if narrow:
        found = _one_by_one(distribution, mechanism, positions, convention, progress)
    elif convention == "sup":
        found = exact_sup.all_adversaries(table, contributions, scale, progress)
    else:
        if grouped.applies(table, contributions, scale):
            many = many if table.size >= _SHARED else 1
            found = grouped.all_adversaries(table, contributions, scale, positions, progress, many)
        else:
            found = direct.all_adversaries(table, contributions, scale, positions, progress)
    within_bounds(found[0], mechanism.query.local_sensitivities, scale)
    return found


def _one_by_one(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    positions: tuple[int, ...],
    convention: str,
    progress: ProgressHook | None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return what `exact_all` does, where sums of contributions must not be rounded: slower."""
    n, shape = distribution.n_tuples, distribution.shape
    values = np.zeros((n, 1 << (n - 1)))
    determined = np.ones(values.shape, dtype=bool)
    told = Progress(progress, values.size)
    for node in range(values.size):
        target, column = divmod(node, values.shape[1])
        known = known_of(n, target, column)
        given = [(positions[k],) if convention == "instance" else range(shape[k]) for k in known]
        for labels in product(*given):
            model = PriorAdversary._at(
                distribution, mechanism, Adversary(target, known), dict(zip(known, labels, strict=True))
            )
            if model._weights.any():
                leakage = model.leakage
                values[target, column] = max(values[target, column], leakage.value)
                determined[target, column] &= leakage.determined
        told.step()
    told.finish()
    return values, determined


def _never_refused(table: Floats) -> bool:
    """Whether a table is too small to be refused with the known values of one row."""
    return table.ndim <= MOST_TUPLES and table.size <= _SMALL


def check_work(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    convention: str = "instance",
    limit: float = 60.0,
) -> float:
    """Return about how many seconds `exact_all` takes on one thread; nothing is computed."""
    table, contributions, scale = distribution.table, mechanism.query.contributions, mechanism.scale
    if is_narrow(contributions, scale):
        return _check_narrow(limit, table.shape, scale, convention)
    releases = number_of_values(contributions)
    logarithms = needs_logarithms(table, contributions, scale)
    if convention == "sup":
        return _check_sup(limit, table, releases, logarithms)
    return _check_instance(limit, table, releases, logarithms, grouped.applies(table, contributions, scale))


def _check_instance(limit: float, table: Floats, releases: int, logarithms: bool, fast: bool) -> float:
    n = table.ndim
    nodes = n * 2.0 ** (n - 1)
    passes = n * (math.log2(n) + 1)
    slower = 20.0 if logarithms else 1.0 if fast else 4.0
    # On a short lattice the table is weighted after most of it is summed up.
    faster = 3.0 if fast and releases <= _SHORT_LATTICE else 1.0
    seconds = releases * passes * table.size * slower / faster / _ADDITIONS_PER_SECOND
    if math.isinf(limit) or _never_refused(table):
        return seconds
    if n > MOST_TUPLES:
        raise LimitError(
            f"{n} tuples have {nodes:,.0f} adversaries: {nodes * 9 / 1e6:,.0f} MB of results, "
            f"about {seconds:,.0f} s. The limit is {MOST_TUPLES} tuples.",
            Where("parameter", name="distribution"),
            call="limit=math.inf goes ahead.",
            cost=f"about {seconds:,.0f} s",
        )
    if seconds > limit:
        raise LimitError(
            f"The query takes {releases:,} values on {table.size:,} cells: about {seconds:,.0f} s. "
            f"The limit is {limit:g} s. Round the contributions to a common step.",
            Where("parameter", name="mechanism"),
            call="A larger limit goes ahead.",
            cost=f"about {seconds:,.0f} s",
        )
    return seconds


def _check_narrow(limit: float, shape: tuple[int, ...], scale: float, convention: str) -> float:
    n = len(shape)
    # Rows of all nodes together, and the nodes, each with its known values.
    rows = math.prod(d + 1.0 for d in shape)
    many = rows if convention == "sup" else 2.0**n
    seconds = n * (many * _SECONDS_A_NODE + rows * _SECONDS_A_ROW)
    if seconds > limit:
        cost = f"about {seconds:,.0f} s"
        raise LimitError(
            f"Noise of {scale:.6g} is so narrow beside the values of the query that each adversary is looked "
            f"at alone: {cost}. The limit is {limit:g} s.",
            Where("parameter", name="mechanism"),
            call="Take fewer tuples, or pass a larger limit.",
            cost=cost,
        )
    return seconds


def _check_sup(limit: float, table: Floats, releases: int, logarithms: bool) -> float:
    n = table.ndim
    needed = exact_sup.work(table.shape, releases, logarithms)
    if math.isinf(limit):
        return needed.seconds
    cost = f"about {needed.seconds:,.0f} s and {needed.megabytes:,.0f} MB"
    if n > MOST_TUPLES_SUP:
        raise LimitError(
            f"The worst case over all known values of {n} tuples takes {cost}. The limit is "
            f"{MOST_TUPLES_SUP} tuples.",
            Where("parameter", name="distribution"),
            call="Ask for convention 'instance', or limit=math.inf to go ahead.",
            cost=cost,
        )
    if needed.seconds > limit:
        combinations = math.prod(d + 1 for d in table.shape)
        raise LimitError(
            f"The worst case over all known values takes {cost}: {combinations:,} combinations for each of "
            f"{releases:,} values of the query. The limit is {limit:g} s. Round the contributions to a "
            "common step.",
            Where("parameter", name="mechanism"),
            call="Or ask for convention 'instance', or pass a larger limit.",
            cost=cost,
        )
    return needed.seconds
