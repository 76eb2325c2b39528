"""Calibration: the least Laplace scale at which chosen adversaries learn no more than a target."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from pdp_widgets.core.amounts import NOT_NEGATIVE
from pdp_widgets.core.chart import nats
from pdp_widgets.errors import ScaleError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior.chosen_adversaries import Adversaries, ChosenAdversaries
from pdp_widgets.leakage.target_leakage import as_target, rounded_up, scale_for
from pdp_widgets.leakage.value import Convention, Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution

if TYPE_CHECKING:
    from pdp_widgets.core.progress import ProgressHook

__all__ = [
    "Calibration",
    "NoiseErrors",
    "calibrate",
    "calibrate_chosen",
    "least_scale",
    "missing",
    "without_noise",
]

CalibrationStatus: TypeAlias = Literal["least scale", "no noise needed"]

_EPSILON = float(np.finfo(np.float64).eps)


class NoiseErrors:
    """What Laplace noise of some scale does to a number."""

    scale: float

    @property
    def expected_absolute_error(self) -> float:
        """Mean of the size of the noise, in units of the query: the scale."""
        return self.scale

    @property
    def expected_squared_error(self) -> float:
        """Mean of noise squared: twice the scale squared."""
        return 2.0 * self.scale**2


@dataclass(frozen=True)
class Calibration(NoiseErrors):
    """The least noise that is enough for some adversaries.

    Parameters
    ----------
    scale
        Laplace scale, in units of the query; 0 when no noise is needed.
    target_leakage
        What the adversaries may learn at most, in nats.
    leakage
        What they do learn at this scale: exact, that of the adversary who learns most.
    adversary
        The adversary who learns most, by positions.
    adversaries
        Who was chosen, in words.
    convention
        ``"instance"`` or ``"sup"``.
    evaluations
        How many scales were tried.
    status
        ``"least scale"``: a smaller scale leaks more than the target.
        ``"no noise needed"``: the query itself, released without noise, leaks no more than the target.
    query
        The query.

    Examples
    --------
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> print(calibrate(joint, LinearQuery.sum(joint), 1.0))
    scale 1.1894 (least scale) for all 4 adversaries: at most 1 nat, reached by x1, knowing none
    """

    scale: float
    target_leakage: float
    leakage: Leakage
    adversary: Adversary
    adversaries: str
    convention: Convention
    evaluations: int
    status: CalibrationStatus
    query: LinearQuery = field(repr=False)

    @property
    def mechanism(self) -> LaplaceMechanism:
        """The release with this scale.

        Raises
        ------
        ScaleError
            No noise is needed: there is no Laplace mechanism of scale 0.
        """
        if self.scale == 0:
            raise ScaleError(
                "No noise is needed: release the query itself. A Laplace mechanism has a positive scale.",
                Where("parameter", name="scale"),
            )
        return LaplaceMechanism(self.query, self.scale)

    def __str__(self) -> str:
        return (
            f"scale {rounded_up(self.scale)} ({self.status}) for {self.adversaries}: at most "
            f"{nats(self.target_leakage)}, reached by {self.leakage.about}"
        )


def calibrate(
    distribution: JointDistribution,
    query: LinearQuery,
    target_leakage: float,
    *,
    adversaries: Adversaries = "all",
    instance: Sequence[Any] | None = None,
    convention: Convention = "instance",
    rtol: float = 1e-10,
    atol: float = 1e-9,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Calibration:
    """Return the least Laplace scale at which the chosen adversaries learn no more than a target.

    Parameters
    ----------
    distribution
        The joint distribution.
    query
        The query to be released.
    target_leakage
        What the adversaries may learn at most, in nats; positive. ``math.inf`` is no limit: the scale is 0.
    adversaries
        ``"all"``; the number of a layer (1 = the strongest adversaries, n = the weakest); one adversary as
        ``(target, known)`` or `Adversary`, whose known values are those of the instance unless ``known`` is
        ``{tuple: label}``; or a list of layers and adversaries (a list, since a pair is one adversary).
    instance
        One row of labels: the known values are those of this row. Without it the most probable row.
    convention
        ``"instance"``, or ``"sup"``: the largest leakage over all known values that can occur, which is what
        a guarantee needs.
    rtol, atol
        The leakage at the scale found is at most the target, and at least the target minus the smaller of
        ``atol`` and ``rtol`` times the target, or as near as rounding allows. Finite, 0 or more.
    limit
        Seconds for the whole search: refuse one that would take longer by an estimate, and end one that
        does; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0; how many scales will be tried is not known,
        so that the share grows ever more slowly. What it raises cancels the search.

    Returns
    -------
    calibration
        Scale, exact leakage there, the adversary who attains it, and how the scale was found.

    Raises
    ------
    ScaleError
        The target is not positive, ``rtol`` or ``atol`` is negative or not finite, or the scale would be
        beyond what numbers can hold.
    AdversaryError
        A layer or tuple does not exist, nobody is chosen, or the known values cannot occur.
    InstanceError
        The row is not one of the table or has probability 0.
    LimitError
        The search would take longer than the limit, or does.
    QueryError
        The contributions do not fit the distribution.

    Notes
    -----
    Leakage is that of Li, Ren, Yang and Yang, Eq. 2. It never increases with the scale: Laplace noise of
    scale b > a is Laplace noise of scale a plus independent noise, and what is added after a release tells
    nothing new. The group bound (Eq. 16) gives a scale that is enough; from there the scale goes down until
    the target is passed, and Brent's method finds the place between. One or a few adversaries are evaluated
    by themselves; ``"all"`` and layers above the first take all n 2**(n-1) at every scale tried.

    Examples
    --------
    Two positively correlated tuples; the promise of differential privacy, scale 1, would not be enough:

    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> found = calibrate(joint, LinearQuery.sum(joint), 1.0)
    >>> round(found.scale, 6), found.adversary
    (1.189395, Adversary(target=0, known=()))
    >>> calibrate(joint, LinearQuery.sum(joint), 1.0, adversaries=("x1", ["x2"])).scale
    1.0
    """
    target = as_target(target_leakage)
    tolerance = missing(target, rtol, atol)
    chosen = ChosenAdversaries(
        distribution,
        query,
        adversaries,
        instance=instance,
        convention=convention,
        limit=limit,
        progress=progress,
    )
    found = calibrate_chosen(chosen, target, tolerance)
    chosen.progress.finish()
    return found


def missing(target: float, rtol: float = 1e-10, atol: float = 1e-9) -> float:
    """Return by how much a leakage may stay below a target, in nats; see `calibrate`."""
    relative = NOT_NEGATIVE.take(rtol, "rtol", ScaleError)
    absolute = NOT_NEGATIVE.take(atol, "atol", ScaleError)
    return min(absolute, relative * target) if math.isfinite(target) else 0.0


def calibrate_chosen(chosen: ChosenAdversaries, target: float, tolerance: float) -> Calibration:
    """Return what `calibrate` returns, for adversaries that are chosen already."""
    before = chosen.evaluations
    chosen.begin_search()
    enough = scale_for(chosen.reach, target)
    status: CalibrationStatus = "least scale"
    scale = 0.0
    if enough and chosen.determined:
        scale = 0.0
    elif enough:
        scale = least_scale(chosen.largest, target, tolerance, enough, chosen.noiseless_scale(target))
    if scale == 0:
        status = "no noise needed"
        leakage, adversary = without_noise(chosen, target)
    else:
        scale, leakage, adversary = _settled(chosen, target, scale)
        leakage = replace(leakage, value=min(leakage.value, chosen.reach / scale))
    return Calibration(
        scale,
        target,
        leakage,
        adversary,
        chosen.words,
        chosen.convention,
        chosen.evaluations - before,
        status,
        chosen.query,
    )


def without_noise(chosen: ChosenAdversaries, target: float = math.inf) -> tuple[Leakage, Adversary]:
    """Return what a release of the query itself, without noise, leaks: infinity or at most log(1/p)."""
    if chosen.reach == 0 or chosen.determined:
        return chosen.leakage(1.0)
    leakage, adversary = chosen.leakage(chosen.noiseless_scale(target))
    # At this scale nothing lies between what is bounded and what grows without bound.
    if leakage.value > chosen.largest_without_noise + 1.0:
        leakage = replace(leakage, value=math.inf)
    return leakage, adversary


def _settled(chosen: ChosenAdversaries, target: float, scale: float) -> tuple[float, Leakage, Adversary]:
    """Move the scale up by a few roundings until every way to compute the leakage stays within the target."""
    leakage, adversary = chosen.leakage(scale)
    found = scale, leakage, adversary
    step, moved = _EPSILON, scale
    while leakage.value > target and step < max(1e-11, min(1e-9, 1e-14 / target)):
        moved, step = moved * (1 + step), 4 * step
        leakage, adversary = chosen.leakage(moved)
    return (moved, leakage, adversary) if leakage.value <= target else found


def least_scale(
    largest: Callable[[float], float], target: float, tolerance: float, enough: float, floor: float
) -> float:
    """Return the least scale at which a leakage that never increases with it is at most the target."""
    # Accepted is what leaks between target - tolerance and target; the scale ``enough`` is known to be
    # enough. If the leakage at the scale ``floor`` is within the target, so it is without noise: the answer
    # is 0.
    high, low, gain = enough, enough, largest(enough)
    if gain >= target - tolerance:
        return high
    for halvings in range(2000):
        # Leakage times scale changes slowly, if at all: try that first, then go down ever faster.
        low = max(floor, high * min(gain / target, 0.5**halvings))
        value = largest(low)
        if value > target:
            break
        high, gain = low, value
        if gain >= target - tolerance:
            return high
        if high <= floor:
            return 0.0
    from scipy.optimize import brentq

    aim = target - tolerance / 2
    best = start = high
    span = math.log(start / low)
    ends = {0.0: gain, span: value}

    def miss(down: float) -> float:
        nonlocal best
        scale = start * math.exp(-down)
        value = ends[down] if down in ends else largest(scale)
        if value <= target:
            best = min(best, scale)
            if value >= target - tolerance:
                return 0.0
        return math.log(max(value, 1e-300) / aim)

    brentq(miss, 0.0, span, xtol=1e-15, rtol=4 * _EPSILON, maxiter=200, disp=False)
    return best
