"""Exact leakage of several numbers released together, such as a whole histogram.

With independent Laplace noise the ratio of two densities is, in each coordinate alone, monotone between
neighbouring values of that query and constant outside them. So its supremum is attained on the grid of all
combinations of values of the queries.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.core.progress import Progress, ProgressHook, part, timed
from pdp_widgets.errors import AdversaryError, LimitError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior import direct, exact_sup
from pdp_widgets.leakage.prior.exact_all import MOST_TUPLES, MOST_TUPLES_SUP, instance_positions
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, as_mapping, prior_leakage
from pdp_widgets.leakage.prior.releases import (
    LARGEST_EXPONENT,
    joint_centres,
    needs_logarithms,
    number_of_values,
)
from pdp_widgets.leakage.value import About, Convention, Leakage, check_convention
from pdp_widgets.mechanisms.histogram_query import is_histogram
from pdp_widgets.mechanisms.laplace import VectorLaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, short

__all__ = ["JointRelease", "check_joint_work", "joint_exact_all", "joint_leakage"]

Floats = NDArray[np.float64]

_SOURCE = "Li, Ren, Yang and Yang, Eq. 2, for several numbers"
_BOUND = "Two bins change by 1 for each tuple that is not known; as Li, Ren, Yang and Yang, Eq. 16"
_TIE = 1e-12
# A grid needs about six arrays of its size at once.
_BYTES_PER_CELL = 48
_MOST_BYTES = 1 << 30
_SECONDS_PER_STEP = 1.5e-8
_SLOWER_IN_LOGARITHMS = 3.0
_SECONDS_PER_MODEL = 1e-4


@dataclass(frozen=True)
class JointRelease:
    """What an adversary learns from several numbers together, and from each alone.

    Parameters
    ----------
    leakage
        Exact, of all numbers together. It can exceed the sum of ``per_coordinate`` where tuples are
        correlated.
    per_coordinate
        Exact, of each number alone, in the order of the queries.
    bound
        For a histogram, 2 (|U| + 1) / scale with U the unknown tuples: never below the leakage, for any
        table. None for other queries.
    r
        Released numbers at which the leakage is reached; empty when the target is determined.
    pair
        Labels of the attacked tuple: the one made more likely there, the one made less likely.
    known
        Labels of the known tuples at which it is reached, by name.

    Examples
    --------
    >>> from pdp_widgets import HistogramQuery
    >>> joint = JointDistribution([[0.5, 0], [0, 0.5]])
    >>> both = joint_leakage(joint, HistogramQuery.of_labels(joint), scale=1, target="x1")
    >>> float(both), [float(one) for one in both.per_coordinate], float(both.bound)
    (4.0, [2.0, 2.0], 4.0)
    """

    leakage: Leakage
    per_coordinate: tuple[Leakage, ...]
    bound: Leakage | None
    r: tuple[float, ...] = ()
    pair: tuple[Label, Label] | None = None
    known: tuple[tuple[str, Label], ...] = ()

    def __float__(self) -> float:
        return self.leakage.value


class _Grid:
    """All combinations of values of the queries, for one adversary with its known values."""

    def __init__(self, models: list[PriorAdversary]) -> None:
        self.models = models
        self.scale = models[0].mechanism.scale
        self._weights = models[0]._weights
        self._possible = np.asarray(self._weights > 0)
        self.feasible = np.flatnonzero(self._possible.any(axis=1)).tolist()
        self.points: list[Floats] = []
        self._codes: list[NDArray[np.intp]] = []
        for model in models:
            points, codes = np.unique(model._values[self._possible], return_inverse=True)
            self.points.append(points)
            self._codes.append(codes.astype(np.intp))
        # A query with one value tells nothing and is no axis.
        self._axes = [b for b, points in enumerate(self.points) if points.size > 1] or [0]

    @property
    def determined(self) -> bool:
        return len(self.feasible) < 2

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.points[b].size for b in self._axes)

    @property
    def cells(self) -> int:
        """Number of combinations, of any size."""
        return 0 if self.determined else prod(self.shape)

    @property
    def logarithmic(self) -> bool:
        """Whether products of probabilities and noise densities could underflow."""
        reach = sum(float(np.ptp(points)) for points in self.points) / self.scale
        smallest = np.log(np.min(self._weights[self._possible])) - np.log(self._weights.max())
        return bool(reach - smallest > LARGEST_EXPONENT)

    @property
    def seconds(self) -> float:
        """Estimate of the time that `peak` takes."""
        steps = float(min(self.cells, 10**300)) * len(self.feasible) * len(self._axes)
        return steps * _SECONDS_PER_STEP * (_SLOWER_IN_LOGARITHMS if self.logarithmic else 1.0)

    def _log_masses(self, v: int) -> Floats:
        mass = self._weights[v][self._possible[v]]
        # Divide by the largest first: weights may be as small as the smallest float.
        mass = mass / mass.max()
        return np.asarray(np.log(mass) - np.log(mass.sum()))

    def _densities(self, logarithmic: bool, told: Progress) -> Iterable[Floats]:
        """Yield the density on the grid, up to one constant, for every label that can occur."""
        flat = np.ravel_multi_index(tuple(self._codes[b] for b in self._axes), self.shape)
        rows = np.nonzero(self._possible)[0]
        for v in self.feasible:
            # Rows with the same values of all queries are one cell.
            joined: Floats = np.zeros(self.cells)
            np.add.at(joined, flat[rows == v], np.exp(self._log_masses(v)))
            grid = joined.reshape(self.shape)
            if logarithmic:
                with np.errstate(divide="ignore"):
                    np.log(grid, out=grid)
            for axis, b in enumerate(self._axes):
                gaps = np.diff(self.points[b]) / self.scale
                _spread(np.moveaxis(grid, axis, 0), gaps, logarithmic, told)
                told.step()
            yield grid

    def _log_densities_at(self, index: tuple[int, ...]) -> list[float]:
        """Return log densities at one place, up to a constant, from the definition."""
        distance = np.zeros(np.count_nonzero(self._possible))
        for b, k in zip(self._axes, index, strict=True):
            distance += np.abs(self.points[b][self._codes[b]] - self.points[b][k]) / self.scale
        rows = np.nonzero(self._possible)[0]
        terms = (self._log_masses(v) - distance[rows == v] for v in self.feasible)
        return [float(np.logaddexp.reduce(t)) for t in terms]

    def peak(self, told: Progress) -> tuple[float, tuple[float, ...], tuple[Label, Label]]:
        """Return the largest log ratio, and the release and the labels at which it is reached."""
        logarithmic = self.logarithmic
        high: Floats | None = None
        low: Floats | None = None
        for grid in self._densities(logarithmic, told):
            if high is None or low is None:
                high, low = grid, grid.copy()
            else:
                np.maximum(high, grid, out=high)
                np.minimum(low, grid, out=low)
        assert high is not None  # at least two labels can occur
        assert low is not None
        gains = (np.subtract if logarithmic else np.divide)(high, low, out=high)
        if not logarithmic:
            np.log(gains, out=gains)
        largest = float(gains.max())
        place = int(np.argmax(gains >= largest - _TIE * max(1.0, largest)))
        index = tuple(int(k) for k in np.unravel_index(place, self.shape))
        logs = self._log_densities_at(index)
        more, less = int(np.argmax(logs)), int(np.argmin(logs))
        if more == less:
            more, less = 0, 1
        at = dict(zip(self._axes, index, strict=True))
        r = tuple(
            float(points[at.get(b, 0)]) + model._offset
            for b, (points, model) in enumerate(zip(self.points, self.models, strict=True))
        )
        labels = self.models[0].labels
        value = logs[more] - logs[less] if self.cells > 1 else 0.0
        return value, r, (labels[self.feasible[more]], labels[self.feasible[less]])


def _spread(grid: Floats, gaps: Floats, logarithmic: bool, told: Progress) -> None:
    """Spread weights by Laplace noise along the first axis, in place: once each way, from point to point."""
    grid = grid[..., np.newaxis]  # even with one axis, every point is an array that can be written to
    size = grid.shape[0]
    add = np.logaddexp if logarithmic else np.add
    shift = np.add if logarithmic else np.multiply
    fades = -gaps if logarithmic else np.exp(-gaps)
    # What arrives at a point from all later ones.
    later = np.empty_like(grid)
    for k in range(size - 2, -1, -1):
        later[k] = grid[k + 1]
        if k < size - 2:
            add(later[k], later[k + 1], out=later[k])
        shift(later[k], fades[k], out=later[k])
        told.wait()
    for k in range(1, size):
        add(grid[k], shift(grid[k - 1], fades[k - 1]), out=grid[k])
        told.wait()
    for k in range(size - 1):
        add(grid[k], later[k], out=grid[k])


def joint_leakage(
    distribution: JointDistribution,
    queries: Iterable[LinearQuery],
    scale: float,
    target: str | int,
    known: Mapping[Any, Any] | Iterable[str | int] = (),
    *,
    convention: Convention = "instance",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> JointRelease:
    """Return the exact leakage of several numbers released together, each with Laplace noise of its own.

    Parameters
    ----------
    distribution
        The joint distribution.
    queries
        A `HistogramQuery`, or queries over the labels of the distribution.
    scale
        The noise scale of every number.
    target
        Name or position of the attacked tuple.
    known
        With convention ``"instance"`` the labels of the known tuples, ``{tuple: label}``; with ``"sup"`` the
        known tuples alone.
    convention
        ``"instance"``: for these known values. ``"sup"``: the largest over all known values that can occur.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    AdversaryError
        See `PriorAdversary`.
    LimitError
        The grid of all combinations of values takes too much memory or time, or longer than the limit.
    QueryError
        There is no query, or the contributions do not fit the distribution.
    ScaleError
        The scale is not a positive finite number.

    Notes
    -----
    Li, Ren, Yang and Yang, Eq. 2, which the paper uses for one number. The cost grows with the product of the
    numbers of values that the queries can take.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.histogram_query import HistogramQuery
    >>> joint = JointDistribution.from_counts([[9, 1, 2], [1, 6, 1], [3, 1, 8]])
    >>> found = joint_leakage(joint, HistogramQuery.of_labels(joint), 1.0, "x1")
    >>> round(float(found), 6), [round(float(one), 3) for one in found.per_coordinate], float(found.bound)
    (3.329593, [1.633, 1.694, 1.569], 4.0)
    """
    check_convention(convention)
    limit = SECONDS.take(limit, "limit")
    mechanism = VectorLaplaceMechanism(queries, scale)
    for query in mechanism.queries:
        query.check_fits(distribution)
    hook = timed(progress, limit, "What one adversary learns from all numbers", "Release fewer bins.")
    grids = _grids(distribution, mechanism, target, known, convention, limit, part(hook, 0.0, 0.1))
    _refuse_beyond(limit, grids)
    told = Progress(part(hook, 0.1, 1.0), sum(len(grid.feasible) * len(grid.shape) for grid in grids))
    adversary = grids[0].models[0].adversary
    best: tuple[float, tuple[float, ...], tuple[Label, Label]] | None = None
    at = grids[0]
    for grid in grids:
        if not grid.determined:
            found = grid.peak(told)
            if best is None or found[0] > best[0]:
                best, at = found, grid
    names = distribution.names
    about = About(names[adversary.target], tuple((names[k], None) for k in adversary.known))
    labels = tuple(at.models[0].known.items())
    leakage = Leakage(
        value=0.0 if best is None else best[0],
        status="exact",
        about=About(about.target, labels) if convention == "instance" else about,
        convention=convention,
        source=_SOURCE,
        determined=best is None,
    )
    bound: Leakage | None = None
    if is_histogram(mechanism.queries):
        unknown = distribution.n_tuples - len(adversary.known)
        bound = Leakage(2 * unknown / mechanism.scale, "bound", about, "sup", source=_BOUND)
    if convention == "instance":
        alone = tuple(model.leakage for model in at.models)
    else:
        alone = tuple(
            prior_leakage(distribution, one, adversary.target, adversary.known, convention="sup")
            for one in mechanism.coordinates
        )
    told.finish()
    if best is None:
        return JointRelease(leakage, alone, bound)
    return JointRelease(leakage, alone, bound, best[1], best[2], labels)


def _grids(
    distribution: JointDistribution,
    mechanism: VectorLaplaceMechanism,
    target: str | int,
    known: Mapping[Any, Any] | Iterable[str | int],
    convention: str,
    limit: float,
    progress: ProgressHook | None,
) -> list[_Grid]:
    """Return one grid for each combination of known values that is considered."""
    if convention == "instance":
        given = as_mapping(known)
        return [_Grid([PriorAdversary(distribution, one, target, given) for one in mechanism.coordinates])]
    if isinstance(known, Mapping):
        raise AdversaryError(
            "Convention 'sup' considers every value of the known tuples; name the tuples without labels.",
            Where("parameter", name="known"),
        )
    adversary = Adversary.of(distribution, target, known)
    sizes = [distribution.shape[k] for k in adversary.known]
    seconds = prod(sizes) * len(mechanism.coordinates) * 2 * _SECONDS_PER_MODEL
    if seconds > limit:
        raise LimitError(
            f"{short(distribution.names[adversary.target])} has {prod(sizes):,} combinations of known "
            f"values: about {seconds:,.0f} s. The limit is {limit:g} s; ask for fewer known tuples, or pass "
            "a larger limit.",
            Where("parameter", name="known"),
        )
    made, told = [], Progress(progress, prod(sizes))
    for combination in product(*map(range, sizes)):
        positions = dict(zip(adversary.known, combination, strict=True))
        models = [
            PriorAdversary._at(distribution, one, adversary, positions) for one in mechanism.coordinates
        ]
        if models[0]._weights.any():
            made.append(_Grid(models))
        told.step()
    return made


def _refuse_beyond(limit: float, grids: list[_Grid]) -> None:
    largest = max(grids, key=lambda grid: grid.cells)
    seconds = sum(grid.seconds for grid in grids)
    memory = float(min(largest.cells, 10**300)) * _BYTES_PER_CELL
    if memory <= _MOST_BYTES and seconds <= limit:
        return
    sizes = " x ".join(f"{size:,}" for size in largest.shape[:6])
    more = " x ..." if len(largest.shape) > 6 else ""
    raise LimitError(
        f"The queries take {sizes}{more} values together: {memory / 1e9:,.3g} GB and about {seconds:,.3g} s. "
        f"The limit is {_MOST_BYTES / 1e9:,.3g} GB and {limit:g} s; release fewer or coarser bins, or ask "
        "about an adversary who knows more.",
        Where("parameter", name="queries"),
    )


_ADDITIONS_PER_SECOND = 1e8
_ALL_SLOWER_IN_LOGARITHMS = 5.0
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
    """Return exact leakage of several numbers together, and whether the target is determined."""
    # Node arrays of shape (n, 2**(n-1)), in nats, as of `exact_all`: Eq. 2 for several numbers. Time as for
    # one number whose values are all combinations of a value of each query.
    check_convention(convention)
    positions = instance_positions(distribution, instance)
    check_joint_work(distribution, mechanism, convention, limit)
    table = distribution.table
    centres = joint_centres(table, [query.contributions for query in mechanism.queries], mechanism.scale)
    work = f"What all {table.ndim << (table.ndim - 1):,} adversaries learn from all numbers"
    progress = timed(progress, limit, work, "Release fewer or coarser bins.")
    if convention == "sup":
        return exact_sup.over_releases(table, centres, progress)
    return direct.over_releases(table, centres, positions, progress)


def check_joint_work(
    distribution: JointDistribution,
    mechanism: VectorLaplaceMechanism,
    convention: str = "instance",
    limit: float = 60.0,
) -> float:
    """Return about how many seconds `joint_exact_all` takes on one thread; nothing is computed."""
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
        slower = _ALL_SLOWER_IN_LOGARITHMS if logarithms else 1.0
        blocks = math.ceil(releases / max(1, _BLOCK // table.size))
        seconds = float(min(releases, 10**300)) * (passes + len(queries)) * table.size * slower
        seconds = seconds / _ADDITIONS_PER_SECOND + float(min(blocks, 10**300)) * passes * _SECONDS_PER_BLOCK
    limit = SECONDS.take(limit, "limit")
    if math.isinf(limit):
        return seconds
    most = MOST_TUPLES_SUP if convention == "sup" else MOST_TUPLES
    if n > most or seconds > limit:
        shown = " x ".join(f"{size:,}" for size in sizes[:6]) + (" x ..." if len(sizes) > 6 else "")
        raise LimitError(
            f"All {n * 2 ** (n - 1):,} adversaries and {shown} = {min(releases, 10**18):,} combinations "
            f"of {len(sizes)} released numbers take about {min(seconds, 1e12):,.0f} s. The limit is "
            f"{limit:g} s and {most} tuples. Release fewer or coarser bins.",
            Where("parameter", name="query"),
            call="joint_leakage answers for one adversary; limit=math.inf goes ahead.",
            cost=f"about {min(seconds, 1e12):,.0f} s",
        )
    return seconds
