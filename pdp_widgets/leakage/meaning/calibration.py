"""The least noise with which adversaries keep a slack: exact, for one of them or for all."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdp_widgets.core.amounts import EPSILON, PROBABILITY
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import DomainError, LimitError, ScaleError, Where
from pdp_widgets.leakage.adversary import Adversary, known_of
from pdp_widgets.leakage.meaning.all_adversaries import Block, Lattice
from pdp_widgets.leakage.meaning.mixtures import LARGEST_LOG
from pdp_widgets.leakage.meaning.sources import table_cases, table_laws
from pdp_widgets.leakage.prior.exact_all import instance_positions
from pdp_widgets.leakage.value import Convention, check_convention
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.noise import (
    NOISES,
    DiscreteGaussianNoise,
    GaussianNoise,
    IntegerNoise,
    Noise,
    NoNoise,
)
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_choice

__all__ = ["NoiseCalibration", "calibrate_noise"]

_STEPS_A_DOUBLING = 200
_MOST_SCANNED = 20_000
#: With no slack at all, scales are the larger the smaller epsilon is: this one is still a number.
_LEAST_PURE = 1e-100
#: By what factor a scale is raised first that rounding leaves a little short.
_NUDGE = 2.0**-50


@dataclass(frozen=True)
class NoiseCalibration:
    """The least noise with which chosen adversaries keep a slack at some epsilon.

    Parameters
    ----------
    noise
        Kind of noise.
    scale
        Its scale, in units of the query; 0 where none is needed.
    epsilon, delta
        What is kept: the largest slack over all pairs of labels at this epsilon is at most delta.
    slack
        The largest slack at this scale, exact.
    convention
        ``"instance"`` or ``"sup"``.
    status
        ``"least scale"``, or ``"passes, larger ones not checked"`` for normal noise on the integers, whose
        slack may rise with the scale; ``"no noise needed"``.

    Examples
    --------
    >>> print(NoiseCalibration("laplace", 2.0, 0.5, 0.01, 0.01, "sup", "least scale"))
    laplace noise of scale 2 (least scale): delta 0.01 at epsilon 0.5 nats
    """

    noise: str
    scale: float
    epsilon: float
    delta: float
    slack: float
    convention: Convention
    status: str

    def __str__(self) -> str:
        return (
            f"{self.noise} noise of scale {self.scale:.6g} ({self.status}): delta {self.slack:.6g} at "
            f"epsilon {self.epsilon:g} nats"
        )


def calibrate_noise(
    distribution: JointDistribution,
    query: LinearQuery,
    noise: str,
    epsilon: float,
    delta: float,
    *,
    adversary: tuple[str | int, Sequence[str | int]] | None = None,
    instance: Sequence[Any] | None = None,
    convention: Convention = "sup",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> NoiseCalibration:
    """Return the least noise with which one adversary, or all of them, keep a slack at an epsilon.

    Parameters
    ----------
    distribution, query
        What is released.
    noise
        ``"laplace"``, ``"gaussian"``, ``"discrete_laplace"`` or ``"discrete_gaussian"``.
    epsilon
        Nats, 0 or more.
    delta
        The slack, 0 to 1.
    adversary
        Target and known tuples; without it all adversaries.
    instance, convention
        As for `PriorAnalysis`.
    limit, progress
        Seconds after which it is ended, and who is told the share done.

    Raises
    ------
    ScaleError
        The slack is 0 and the noise normal, or epsilon 0 too: no scale is enough.
    DomainError
        There is no such noise.
    LimitError
        It takes longer than the limit.

    Notes
    -----
    The slack falls with the scale for Laplace and normal noise and Laplace noise on the integers. For normal
    noise on the integers it may rise: scales are gone down in small steps from a passing one, and the last
    one before the first that fails is returned.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, LinearQuery
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> print(calibrate_noise(joint, LinearQuery.sum(joint), "gaussian", 1.0, 1e-5))
    gaussian noise of scale 4.41402 (least scale): delta 1e-05 at epsilon 1 nats
    """
    check_convention(convention)
    kind = NOISES[as_choice(noise, "noise", [name for name in NOISES if name != "none"], DomainError)]
    level = EPSILON.take(epsilon, "epsilon")
    if LARGEST_LOG < level < math.inf:
        raise DomainError(
            f"epsilon is {level:.6g}; give at most {LARGEST_LOG:g} nats, or math.inf for no promise.",
            Where("parameter", name="epsilon"),
        )
    most = PROBABILITY.take(delta, "delta")
    query.check_fits(distribution)
    told = timed(progress, limit, "The calibration", "Take fewer tuples.")
    kept = _Kept(distribution, query, instance_positions(distribution, instance), convention, adversary, told)
    none = kept.worst(NoNoise(), level)
    if none <= most or level == math.inf:
        kept.finish()
        return NoiseCalibration(noise, 0.0, level, most, none, convention, "no noise needed")
    if issubclass(kind, IntegerNoise):
        for contributions in query.contributions:
            IntegerNoise.whole(np.asarray(contributions, dtype=np.float64))
    if most == 0:
        if kind in (GaussianNoise, DiscreteGaussianNoise):
            raise ScaleError(
                f"A slack of 0 is out of reach with {noise} noise; give a delta above 0.",
                Where("parameter", name="delta"),
            )
        if level < _LEAST_PURE:
            raise ScaleError(
                f"A slack of 0 at an epsilon of {level:g} is out of reach with noise of any scale; give a "
                f"delta above 0, or an epsilon of {_LEAST_PURE:g} or more.",
                Where("parameter", name="epsilon"),
            )
        scale = kept.pure(level)
        kept.finish()
        return NoiseCalibration(noise, scale, level, most, 0.0, convention, "least scale")
    scale = kept.least(GaussianNoise if kind is DiscreteGaussianNoise else kind, level, most)
    status = "least scale"
    if kind is DiscreteGaussianNoise:
        scale, status = kept.scanned(scale, level, most), "passes, larger ones not checked"
    slack = kept.worst(kind(scale), level)
    kept.finish()
    return NoiseCalibration(noise, scale, level, most, slack, convention, status)


class _Kept:
    """The rows of all chosen adversaries, whose largest slack is to be kept."""

    def __init__(
        self,
        distribution: JointDistribution,
        query: LinearQuery,
        positions: tuple[int, ...],
        convention: Convention,
        adversary: Any,
        progress: ProgressHook | None,
    ) -> None:
        self._distribution, self._query, self._positions = distribution, query, positions
        self._convention = convention
        one = None if adversary is None else Adversary.of(distribution, *adversary)
        lattice = None if one else Lattice.of(distribution, query, positions, convention == "instance")
        self._lattice = lattice
        self._blocks: list[Block] | None = None
        if lattice is None:
            n = distribution.n_tuples
            chosen = (
                [one]
                if one
                else [Adversary(i, known_of(n, i, c)) for i in range(n) for c in range(1 << (n - 1))]
            )
            self._blocks = [block for each in chosen for block in self._of(each)]
        several = distribution.n_tuples if self._blocks is None else len(self._blocks)
        # How often all rows are gone through is not known before: a few times is usual.
        self._told = Progress(progress, 4 * several)

    def finish(self) -> None:
        """Tell that all is done."""
        self._told.finish()

    def _of(self, one: Adversary) -> Iterator[Block]:
        """Give the laws of one adversary, one block for each combination of known values."""
        if self._convention == "sup":
            laws = [
                case.laws
                for case in table_cases(self._distribution, self._query, NoNoise(), one.target, one.known)
            ]
        else:
            given = {k: self._distribution.domains[k][self._positions[k]] for k in one.known}
            laws = [table_laws(self._distribution, self._query, NoNoise(), one.target, given)]
        for each in laws:
            yield Block(each.weights.T[:, :, None], each.prior[:, None], each.centres)  # type: ignore[attr-defined]

    def _every(self) -> Iterator[Block]:
        if self._blocks is not None:
            for block in self._blocks:
                yield block
                self._told.step()
            return
        assert self._lattice is not None
        for target in range(self._distribution.n_tuples):
            for _, weights in self._lattice.blocks(target):
                yield Block.of(weights, self._lattice.step)
                self._told.wait()
            self._told.step()

    def worst(self, noise: Noise, epsilon: float) -> float:
        """Return the largest slack of all rows."""
        return max(
            float(block.delta(noise, min(epsilon, LARGEST_LOG)).max(initial=0.0)) for block in self._every()
        )

    def pure(self, epsilon: float) -> float:
        """Return the scale at which the largest leakage is epsilon, of Laplace noise of both kinds."""

        def leaks(scale: float) -> float:
            largest = 0.0
            for block in self._every():
                logs = -np.abs(np.subtract.outer(block.centres, block.centres)) / scale
                # Of wide noise densities are near 1: what they lack has more digits.
                lacking = np.einsum("rk,kmb->rmb", np.expm1(logs), block.laws)
                with np.errstate(divide="ignore", invalid="ignore"):
                    found = np.log(np.einsum("rk,kmb->rmb", np.exp(logs), block.laws))
                    found = np.where(lacking > -0.5, np.log1p(lacking), found)
                possible = block.joint > 0
                high = np.where(possible, found, -np.inf).max(axis=1)
                low = np.where(possible, found, np.inf).min(axis=1)
                several = possible.sum(axis=0) > 1
                largest = max(largest, float(np.where(several, high - low, 0.0).max(initial=0.0)))
            return largest

        return _root(leaks, epsilon)

    def least(self, kind: type[Noise], epsilon: float, delta: float) -> float:
        """Return the least scale with which no row has a larger slack; slacks fall with the scale."""
        at, nudge = 0.0, _NUDGE
        for block in self._every():
            # Every round calibrates the row that is worst so far, and keeps those that it leaves above.
            waiting, worst = _above([block], _of_kind(kind, at), epsilon, delta)
            while worst is not None:
                self._told.wait()
                found = _least_of(worst, kind, at, epsilon, delta)
                if found <= at:
                    # Rounding of the slack leaves the row above where its root is.
                    found, nudge = at * (1 + nudge), 2 * nudge
                at = found
                waiting, worst = _above(waiting, kind(at), epsilon, delta)
        return at

    def scanned(self, scale: float, epsilon: float, delta: float) -> float:
        """Return the last scale that passes on the way down from one that does."""
        start = scale
        while self.worst(DiscreteGaussianNoise(start), epsilon) > delta:
            start *= 2
        for k in range(1, _MOST_SCANNED):
            tried = start * 2 ** (-k / _STEPS_A_DOUBLING)
            if self.worst(DiscreteGaussianNoise(tried), epsilon) > delta:
                return start * 2 ** (-(k - 1) / _STEPS_A_DOUBLING)
        raise LimitError("Scales pass down to nothing.", Where("parameter", name="delta"))


def _of_kind(kind: type[Noise], scale: float) -> Noise:
    return kind(scale) if scale else NoNoise()


def _above(
    blocks: Sequence[Block], noise: Noise, epsilon: float, delta: float
) -> tuple[list[Block], Block | None]:
    """Return the rows whose slack is too large, and the one of them that has the largest."""
    kept: list[Block] = []
    worst, largest = None, delta * (1 + 1e-12)
    for block in blocks:
        slack = block.delta(noise, epsilon)
        rows = np.flatnonzero(slack > delta * (1 + 1e-12))
        if len(rows):
            kept.append(block.rows_of(rows))
        if slack.max(initial=0.0) > largest:
            worst, largest = block.rows_of(np.array([slack.argmax()])), float(slack.max())
    return kept, worst


def _least_of(one: Block, kind: type[Noise], scale: float, epsilon: float, delta: float) -> float:
    """Return the least scale, not below one that is too small, that is enough for a single row."""
    return _root(lambda tried: float(one.delta(kind(tried), epsilon)[0]), delta, scale)


def _root(falling: Callable[[float], float], target: float, low: float = 0.0) -> float:
    """Return where a falling function of the scale reaches a target, in logarithms of both."""
    from scipy.optimize import brentq

    def gap(log_scale: float) -> float:
        return math.log(max(falling(math.exp(log_scale)), 1e-300)) - math.log(max(target, 1e-300))

    start = math.log(low) if low else 0.0
    high, step = start, 0.5
    while gap(high) > 0:
        start, high, step = high, high + step, 2 * step
    step = 0.5
    while gap(start) <= 0 and start > -600:
        high, start, step = start, start - step, 2 * step
    return math.exp(brentq(gap, start, high, xtol=1e-15, rtol=1e-14))
