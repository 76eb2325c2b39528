"""What several releases leak together: exactly, beside the sum and the maximum that the paper promises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import POSITIVE, SCALE, as_size
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import BudgetError, LimitError, QueryError, Where
from pdp_widgets.leakage.dependent.conditional_outputs import equal_outputs
from pdp_widgets.leakage.dependent.known_tuples import known_tuples, tuple_leakage
from pdp_widgets.leakage.dependent.product_grid import MOST_POINTS
from pdp_widgets.leakage.dependent.small_delta import ScalarMixtures, scalar_mixtures
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage, largest_leakage
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import TableQuery, as_joint_query
from pdp_widgets.models.amount import at_most
from pdp_widgets.models.labels import how_many, shown
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint
from pdp_widgets.models.table_checks import SUM_TOLERANCE

Floats = NDArray[np.float64]

_MOST_TIMES = 1_000_000
_ABOUT = "Liu, Chakraborty and Mittal, Theorems 3 and 4"
#: Numbers in one array of log densities.
_BLOCK = 1 << 22


@dataclass(frozen=True)
class StackedReleases(NumberTable):
    """What several releases of the same data leak, one by one and together.

    Parameters
    ----------
    each
        The largest leakage of every release alone.
    per_tuple
        What all of them leak together about every tuple.

    Notes
    -----
    The paper promises the sum of the parts, and the largest of them where queries are about different tuples.
    Neither holds for dependent tuples: answers are not independent given one tuple. Budgets do add up where
    each scale is that of the baseline, or of a coefficient that holds for blocks of any size and a linear
    query; else what stands here is the number to go by.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import identical_tuples
    >>> found = stacked_leakage(identical_tuples(2), [[1, 0], [0, 1]], [1.0, 1.0])
    >>> [float(one) for one in found.each], float(found.together), found.exceeds_largest
    ([1.0, 1.0], 2.0, True)
    """

    each: tuple[Leakage, ...]
    per_tuple: tuple[Leakage, ...]

    @property
    def together(self) -> Leakage:
        """The largest over all tuples of what all releases leak."""
        return largest_leakage(self.per_tuple)

    @property
    def sum_of_each(self) -> Leakage:
        """What Theorem 3 of the paper promises, whichever tuple it is about."""
        return self._promised(sum(float(one) for one in self.each))

    @property
    def largest_of_each(self) -> Leakage:
        """What Theorem 4 of the paper promises for queries about different tuples, whichever it is about."""
        return self._promised(max(float(one) for one in self.each))

    def _promised(self, value: float) -> Leakage:
        # The parts may leak most about different tuples: the number is that of none of them alone.
        known = {one for leak in self.per_tuple for one, _ in leak.about.known}
        order = [leak.about.target for leak in self.per_tuple if leak.about.target in known]
        return tuple_leakage(
            value, "any tuple", [(one, None) for one in order], status="as printed", source=_ABOUT
        )

    @property
    def exceeds_sum(self) -> bool:
        """Whether all together leak more than the sum of what each leaks."""
        return bool(float(self.together) > at_most(float(self.sum_of_each)))

    @property
    def exceeds_largest(self) -> bool:
        """Whether all together leak more than the largest of what each leaks."""
        return bool(float(self.together) > at_most(float(self.largest_of_each)))

    def _numbers(self) -> Numbers:
        rows = [(f"release {k + 1}", one, one.status) for k, one in enumerate(self.each)]
        rows += [
            ("sum of each", self.sum_of_each, "as printed"),
            ("largest of each", self.largest_of_each, "as printed"),
            ("all together", self.together, "exact"),
        ]
        return Numbers(
            {
                "what": [what for what, _, _ in rows],
                "leakage": [float(one) for _, one, _ in rows],
                "status": [status for _, _, status in rows],
            },
            {"what": "text", "leakage": "nats", "status": "text"},
            {"unit": "nats", "source": _ABOUT, "status": {}},
        )


def stacked_leakage(
    joint: Any, queries: Sequence[Any], scales: Any, known: Iterable[str | int] = ()
) -> StackedReleases:
    """Return what several releases leak together, exactly.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    queries
        At least one; each as for `pdp_widgets.mechanisms.joint_query.as_joint_query`.
    scales
        Of the noise of each, or one for all.
    known
        As for `pdp_widgets.leakage.dependent.tuple_leakage.dependent_leakage`.

    Raises
    ------
    QueryError
        There is no query, or not one scale for each.
    LimitError
        The answers span a grid of more than 2,000,000 points; `repeated_leakage` takes many equal releases.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import mod_three
    >>> pads = [TableQuery.of(mod_three(), lambda a, b, k=k: (a + k * b) % 3) for k in (1, 2)]
    >>> found = stacked_leakage(mod_three(), pads, 0.5)
    >>> [round(float(one), 4) for one in found.each], round(float(found.together), 4), found.exceeds_sum
    ([0.0, 0.0], 2.9063, True)
    """
    rows = as_sparse_joint(joint)
    noises = _as_scales(queries, scales)
    others = known_tuples(rows, known)
    each = [
        largest_leakage(dependent_leakage(rows, query, noise, others))
        for query, noise in zip(queries, noises, strict=True)
    ]
    together = dependent_leakage(rows, stacked_query(rows, queries, noises), 1.0, others)
    return StackedReleases(tuple(each), together)


def stacked_query(joint: SparseJoint, queries: Sequence[Any], scales: Any) -> TableQuery:
    """Return one query with all answers, each over its scale: noise of scale 1 makes it all the releases."""
    noises = _as_scales(queries, scales)
    parts = [
        as_joint_query(query, joint).outputs(joint) / noise
        for query, noise in zip(queries, noises, strict=True)
    ]
    return TableQuery(np.concatenate(parts, axis=1), name=f"{len(parts)} releases")


def repeated_leakage(
    joint: Any,
    query: Any = "sum",
    scale: float = 1.0,
    times: int = 2,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> tuple[Leakage, ...]:
    """Return what one query leaks about every tuple when it is answered many times, each with fresh noise.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    query
        As for `pdp_widgets.mechanisms.joint_query.as_joint_query`; its answer is one number.
    scale
        Of the noise of every answer.
    times
        How many answers, 1 or more.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    LimitError
        There are more than 2,000,000 ways in which so many answers can fall on the points; the order of
        answers does not count. Or it takes longer than the limit.

    Examples
    --------
    >>> pair = SparseJoint([[0, 0], [1, 0], [1, 1]], [0.01, 0.9801, 0.0099])
    >>> alone = max(map(float, repeated_leakage(pair, "sum", 10.0, 1)))
    >>> many = max(map(float, repeated_leakage(pair, "sum", 10.0, 100)))
    >>> round(100 * alone, 3), round(many, 3)
    (10.106, 15.409)
    """
    rows, noise = as_sparse_joint(joint), SCALE.take(scale, "scale")
    many = as_size(times, "times", 1, _MOST_TIMES)
    work = f"The leakage of {how_many(many, 'answer')} about {how_many(rows.n, 'tuple')}"
    told = Progress(timed(progress, limit, work, "Take fewer answers or tuples."), rows.n)
    found = []
    for axis in range(rows.n):
        found.append(_repeated(rows, query, noise, many, axis))
        told.step()
    told.finish()
    return tuple(found)


def chosen_release_leakage(
    joint: Any, queries: Sequence[Any], scale: float, chances: Any
) -> tuple[Leakage, ...]:
    """Return what is leaked about every tuple by one of several releases, chosen at random and not named.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`.
    queries
        At least one, each with one number as answer.
    scale
        Of the noise, the same for all.
    chances
        Probability of each query; they sum to 1.

    Notes
    -----
    Theorem 6 of the paper, which prints the chances p and p: such a release leaks no more than the largest of
    its parts.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import identical_tuples
    >>> found = chosen_release_leakage(identical_tuples(2), ["sum", [1, 0]], 1.0, [0.5, 0.5])
    >>> [round(float(one), 4) for one in found]
    [1.6201, 1.6201]
    """
    rows, noise = as_sparse_joint(joint), SCALE.take(scale, "scale")
    _check_queries(queries)
    shares = as_sizes(chances, "chances")
    if (
        shares.shape != (len(queries),)
        or not (shares <= 2).all()
        or not abs(float(shares.sum()) - 1) <= SUM_TOLERANCE
    ):
        raise BudgetError(
            f"The chances are {shown(chances)}; give one for each of {len(queries)} queries, with sum 1.",
            Where("parameter", name="chances"),
        )
    found = []
    for axis in range(rows.n):
        parts = [scalar_mixtures(rows, query, axis) for query in queries]
        points, places = equal_outputs(np.concatenate([part.points for part in parts]))
        weights = np.zeros((len(parts[0].values), len(points)))
        all_weights = [share * part.weights for share, part in zip(shares.tolist(), parts, strict=True)]
        np.add.at(weights.T, places, np.concatenate(all_weights, axis=1).T)
        mixed = ScalarMixtures(parts[0].values, parts[0].law, points, weights)
        found.append(tuple_leakage(mixed.leakage(noise), rows.tuples[axis]))
    return tuple(found)


def _repeated(joint: SparseJoint, query: Any, scale: float, times: int, axis: int) -> Leakage:
    mixtures = scalar_mixtures(joint, query, axis)
    name, size = joint.tuples[axis], len(mixtures.points)
    # The number of ways itself may have thousands of digits.
    if lgamma(times + size) - lgamma(times + 1) - lgamma(size) > log(2 * MOST_POINTS):
        ways = MOST_POINTS + 1
    else:
        ways = comb(times + size - 1, times)
    if ways > MOST_POINTS:
        raise LimitError(
            f"{times:,} answers fall on {size:,} points in more than {MOST_POINTS:,} ways, and no more are "
            "looked at. Take fewer answers.",
            Where("parameter", name="times"),
        )
    if len(mixtures.values) < 2:
        return tuple_leakage(0.0, name)
    counts = _counts(times, size)
    with np.errstate(over="ignore"):
        apart = np.abs(mixtures.points[:, None] - mixtures.points) / POSITIVE.take(scale, "scale")
        beyond = not np.isfinite(apart * times).all()
    if beyond:
        raise BudgetError(
            f"scale is {scale:.6g}: what such noise leaks is beyond every float. Give a larger one.",
            Where("parameter", name="scale"),
        )
    with np.errstate(divide="ignore"):
        logs = np.log(mixtures.weights)
    largest, step = 0.0, max(1, _BLOCK // (size * len(logs)))
    for start in range(0, ways, step):
        # What the answers say of every point without noise, then of every value of the tuple.
        far = counts[start : start + step] @ apart
        terms = logs[:, None, :] - far
        top = terms.max(axis=2)
        densities = top + np.log(np.exp(terms - top[:, :, None]).sum(axis=2))
        largest = max(largest, float((densities.max(axis=0) - densities.min(axis=0)).max()))
    return tuple_leakage(largest, name)


def _counts(times: int, size: int) -> Floats:
    """Return all ways in which answers fall on points: how many on each, shape (ways, size)."""
    if size == 1:
        return np.full((1, 1), float(times))
    found = np.zeros((1, 0), dtype=np.int64)
    left = np.array([times])
    for _ in range(size - 1):
        many = left + 1
        here = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        found = np.column_stack([np.repeat(found, many, axis=0), here])
        left = np.repeat(left, many) - here
    return np.column_stack([found, left]).astype(np.float64)


def _check_queries(queries: Any) -> None:
    if not isinstance(queries, list | tuple) or not queries:
        raise QueryError(
            f"The queries are {shown(queries)}; give a list with at least one.",
            Where("parameter", name="queries"),
        )


def _as_scales(queries: Any, scales: Any) -> list[float]:
    _check_queries(queries)
    if not isinstance(scales, list | tuple) and not np.ndim(scales):
        return [SCALE.take(scales, "scale")] * len(queries)
    if len(scales) != len(queries):
        raise QueryError(
            f"There are {len(scales)} scales for {len(queries)} queries; give one for each, or one for all.",
            Where("parameter", name="scales"),
        )
    return [SCALE.take(scale, "scale") for scale in scales]
