"""Laws of a query with smooth noise: mixtures of shifted kernels, and what the best test makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import LARGEST, as_sizes
from pdp_widgets.errors import LimitError, QueryError, Where
from pdp_widgets.leakage.meaning.laws import BestTest, LatticeLaws, Laws, as_stochastic_rows, end_limits
from pdp_widgets.leakage.meaning.signed_mixtures import (
    FAR,
    NEAR,
    NormalLaplaceNoise,
    Runs,
    grid_of,
    log_mixture,
    positive_part,
    refined,
)
from pdp_widgets.mechanisms.noise import LaplaceNoise, Noise, SmoothNoise, check_noise, log_sum_exp

__all__ = ["LARGEST_LOG", "MixtureLaws", "least_epsilons", "noisy_laws"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: exp of more is no number that products may be made of.
LARGEST_LOG = 700.0
_HALVINGS = 80
_MOST_STEPS = 500
# How far above a chord of the curve of best tests none is any more.
_CHORD = 1e-15
_MOST_CHORDS = 200
# Share of the range of the centres within which places are told apart well enough to sum over them.
_HELD = 1e-5
_NODES, _FEW_NODES = 40, 12
_MOST_PIECES = 50_000


def noisy_laws(
    noise: Noise,
    centres: ArrayLike,
    weights: ArrayLike,
    prior: Any = None,
    labels: Sequence[Any] | None = None,
) -> Laws:
    """Return the laws of a query with noise.

    Parameters
    ----------
    noise
        Of any kind, see `noise_named`.
    centres
        Values of the query, shape (R,), in any order.
    weights
        How likely they are, a row for each label, shape (m, R); a row of zeros for a label that cannot occur.
    prior
        How likely the labels are; without it only what does not depend on that is computed.
    labels
        Names of the rows; without it their positions.

    Returns
    -------
    laws
        To be given to `Meaning`.

    Raises
    ------
    QueryError
        The centres are not finite or do not fit the weights, or not whole with noise on the integers.
    TableError
        A row or the prior does not sum to 1 or has negative entries, or they do not fit each other.

    Examples
    --------
    >>> from pdp_widgets.meaning import LaplaceNoise, Meaning
    >>> laws = noisy_laws(LaplaceNoise(1.0), [0, 1], [[1, 0], [0, 1]])
    >>> round(float(Meaning(laws).measure("auc")), 6)
    0.72409
    """
    at = as_sizes(centres, "centres", QueryError, -LARGEST, LARGEST)
    rows = as_stochastic_rows(weights, "weights")
    if at.shape != rows.shape[1:]:
        raise QueryError(f"There are {at.size} centres for weights in rows of {rows.shape[1]}.")
    distinct, index = np.unique(at, return_inverse=True)
    joined = np.zeros((len(rows), len(distinct)))
    np.add.at(joined.T, index, rows.T)
    check_noise(noise)
    if isinstance(noise, SmoothNoise):
        return MixtureLaws(noise, distinct, joined, prior, labels)
    return LatticeLaws(noise, distinct, joined, prior, labels)


class MixtureLaws(Laws):
    """Laws of a query with smooth noise, of ascending centres (R,) and weights (m, R); see `noisy_laws`."""

    def __init__(
        self,
        noise: SmoothNoise,
        centres: Floats,
        weights: Floats,
        prior: Any = None,
        labels: Sequence[Any] | None = None,
    ) -> None:
        kept = self._keep(weights, prior, labels)
        seen = weights[kept].any(axis=0)
        self.noise = noise
        self.centres: Floats = centres[seen]
        self.weights: Floats = weights[kept][:, seen]
        with np.errstate(divide="ignore"):
            self._log_weights = np.log(self.weights)

    def with_noise(self, noise: SmoothNoise) -> MixtureLaws:
        """Return the laws of the same query with other noise."""
        made = MixtureLaws.__new__(MixtureLaws)
        made.__dict__.update({k: v for k, v in self.__dict__.items() if k != "log_ratios"}, noise=noise)
        return made

    def positive(
        self, rows: Floats, reach: float = FAR, with_runs: bool = False
    ) -> tuple[Floats, Floats, Runs | None]:
        """Return the positive parts of mixtures of rows, shape (B, m), and what each row weighs there."""
        bases = self.weights.T[:, None, :]
        size = (np.abs(rows) @ self.weights).T
        return positive_part(self.noise, self.centres, (rows @ self.weights).T, bases, size, reach, with_runs)

    def _against(self, w: int, v: int, thresholds: Floats) -> Floats:
        """Return the mixtures p_w - t p_v, one for each threshold."""
        rows = np.zeros((len(thresholds), self.many))
        rows[:, w], rows[:, v] = 1.0, -thresholds
        return rows

    # Two labels

    def delta(self, v: int, w: int, epsilons: Floats) -> Floats:
        """Return the slack of row v over row w at every epsilon."""
        found = np.zeros(len(epsilons))
        plain = epsilons <= LARGEST_LOG
        found[plain] = self.positive(self._against(v, w, np.exp(epsilons[plain])))[0]
        for k in np.flatnonzero(~plain & np.isfinite(epsilons)):
            found[k] = self._far_delta(v, w, float(epsilons[k]))
        return np.asarray(np.clip(found, 0.0, 1.0))

    def _far_delta(self, v: int, w: int, epsilon: float) -> float:
        """Return the slack where exp(epsilon) is no number: by logarithms of densities and of tails."""
        if epsilon >= self.log_ratios[v, w]:
            return 0.0
        both = self._log_weights[[v, w]]

        def loss(r: Floats, _: Any = None) -> Floats:
            logs = log_mixture(self.noise, self.centres, both, r)
            return np.asarray(logs[0] - logs[1] - epsilon)

        grid = np.union1d(grid_of(self.noise, self.centres, FAR), self.centres)
        more = loss(grid) > 0
        cell = np.flatnonzero(more[1:] != more[:-1])
        zeros = refined(loss, grid[cell], grid[cell + 1])
        ends = np.concatenate([[-np.inf], zeros, [np.inf]])
        first = 0 if more[0] else 1
        low, high = ends[:-1][first::2, None], ends[1:][first::2, None]
        logs = self.noise.log_mass(low - self.centres, high - self.centres)
        mine, others = (float(log_sum_exp((logs + row).ravel())) for row in both)
        return max(0.0, math.exp(mine) - math.exp(min(epsilon + others, mine)))

    def epsilon(self, v: int, w: int, deltas: Floats) -> Floats:
        """Return the smallest epsilon at every slack."""
        found = np.full(len(deltas), max(0.0, self.log_ratios[v, w]))

        def slack(t: Floats, kept: Integers) -> tuple[Floats, Floats]:
            positive, masses, _ = self.positive(self._against(v, w, t))
            return positive, masses[:, w]

        some = deltas > 0
        found[some] = least_epsilons(slack, deltas[some], lambda k: self.far_epsilon(v, w, deltas[some][k]))
        return found

    def far_epsilon(self, v: int, w: int, delta: float) -> float:
        """Return the smallest epsilon at a slack where exp(epsilon) is no number, by halving."""
        low, high = LARGEST_LOG, min(float(self.log_ratios[v, w]), 2 * LARGEST_LOG)
        while self._far_delta(v, w, high) > delta:
            low, high = high, 2 * high
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._far_delta(v, w, middle) > delta else (low, middle)
        return high

    def _missed(
        self, v: int, w: int, sums: Floats, share: Callable[[Floats, Floats], Floats]
    ) -> tuple[Floats, Floats]:
        """Return false alarms and misses of the best tests whose share of both is the given one.

        A share of false alarm and power grows along the curve. The test at the slope of a chord is the one
        farthest above it: the chord is as wrong as that test is far, and is cut in two there. No threshold is
        looked for, which narrow noise would not tell from its neighbours.
        """
        # False alarm and power at the ends of every chord.
        left, right = np.zeros((2, len(sums))), np.ones((2, len(sums)))
        waiting = np.arange(len(sums))
        for _ in range(_MOST_CHORDS):
            if not len(waiting):
                break
            low, high = left[:, waiting], right[:, waiting]
            width, rise = high - low
            with np.errstate(divide="ignore", over="ignore"):
                slope = np.minimum(rise / width, math.exp(LARGEST_LOG))
            new = self.positive(self._against(w, v, slope))[1][:, [v, w]].T
            over = (new[1] - low[1]) - slope * (new[0] - low[0])
            beyond = share(*new) >= sums[waiting]
            right[:, waiting[beyond]], left[:, waiting[~beyond]] = new[:, beyond], new[:, ~beyond]
            waiting = waiting[(over > _CHORD) & (new != low).any(axis=0) & (new != high).any(axis=0)]
        starts, ends = share(*left), share(*right)
        part = np.divide(sums - starts, ends - starts, out=np.ones(len(sums)), where=ends > starts)
        alarm, missed = (
            left[0] + part * (right[0] - left[0]),
            (1 - left[1]) * (1 - part) + (1 - right[1]) * part,
        )
        return alarm, missed

    def trade_off(self, v: int, w: int, alphas: Floats) -> Floats:
        """Return the least chance of missing w at every chance of a false alarm under v."""
        inner = (alphas > 0) & (alphas < 1)
        found = np.where(alphas == 0, 1.0, 0.0)
        missed = self._missed(v, w, alphas[inner], lambda alarm, _: alarm)[1]
        found[inner] = np.clip(missed, 0.0, 1 - alphas[inner])
        return found

    def equal_error(self, v: int, w: int) -> float:
        """Return the error that is the same of both kinds: no test has a smaller larger error."""
        return float(self._missed(v, w, np.ones(1), lambda alarm, power: alarm + power)[1][0])

    def roc(self, v: int, w: int) -> tuple[Floats, Floats]:
        """Return false alarms and powers at the ratios of outputs over the whole range."""
        at = np.linspace(self.centres[0], self.centres[-1], 101)
        if not isinstance(self.noise, LaplaceNoise):
            margin = 6 * math.sqrt(self.noise.variance)
            at = np.linspace(self.centres[0] - margin, self.centres[-1] + margin, 201)
        logs = self.log_densities(at)
        ratios = np.unique(np.clip(logs[w] - logs[v], -LARGEST_LOG, LARGEST_LOG))
        masses = self.positive(self._against(w, v, np.exp(ratios)))[1]
        alarm = np.concatenate([[0.0], masses[::-1, v], [1.0]])
        power = np.concatenate([[0.0], masses[::-1, w], [1.0]])
        return np.maximum.accumulate(alarm), np.maximum.accumulate(power)

    def tests(self, v: int, w: int, thresholds: Floats) -> list[BestTest]:
        """Return the likelihood-ratio tests of w against v."""
        rows = self._against(w, v, thresholds)
        _, masses, runs = self.positive(rows, with_runs=True)
        assert runs is not None
        # Where neither mixture is ahead they tie.
        ties = 1 - masses - self.positive(-rows)[1]
        ties = np.where(ties > 1e-12, ties, 0.0)
        return [
            BestTest(
                float(t),
                tuple(
                    (float(a), float(b))
                    for a, b in zip(runs.low[runs.row == k], runs.high[runs.row == k], strict=True)
                ),
                float(masses[k, v]),
                float(masses[k, w]),
                float(ties[k, v]),
                float(ties[k, w]),
            )
            for k, t in enumerate(thresholds)
        ]

    def area(self, v: int, w: int) -> float:
        """Return the area under the curve of all best tests, by its double integral."""
        at, weights = self.outer_nodes(v, w)
        logs = self.log_densities(at)
        rows = np.zeros((len(at), self.many))
        rows[:, w], rows[:, v] = np.exp(logs[v]), -np.exp(logs[w])
        return float(1 + weights @ self.positive(rows, reach=NEAR)[0]) / 2

    def outer_nodes(self, v: int, w: int) -> tuple[Floats, Floats]:
        """Return places and weights for sums over a release of what is best in another one of the same law.

        The inner part has corners where the ratio here equals that at a centre.
        """
        if isinstance(self.noise, LaplaceNoise):
            logs = self.log_densities(self.centres)
            rows = np.zeros((len(self.centres), self.many))
            rows[:, w], rows[:, v] = np.exp(logs[v]), -np.exp(logs[w])
            runs = self.positive(rows, with_runs=True)[2]
            assert runs is not None
            return self.nodes_between(np.concatenate([self.centres, runs.zeros]))
        if isinstance(self.noise, NormalLaplaceNoise):
            return self._spread_nodes(self.noise)
        return self._clustered_nodes(NEAR * self.noise.scale, self.noise.scale / 8, _FEW_NODES)

    def nodes_between(self, breaks: Floats) -> tuple[Floats, Floats]:
        """Return nodes and weights between breaks; of Laplace noise, whose tails are those of the ends."""
        return _gauss(breaks, 2 * self.noise.scale, _NODES, self.noise.scale)

    def _spread_nodes(self, noise: NormalLaplaceNoise) -> tuple[Floats, Floats]:
        """Return nodes and weights for a kernel that is normal near a centre and falls off as Laplace's."""
        near, far = FAR * noise.spread, FAR * noise.spread + 60 * noise.scale
        ends = np.array([self.centres[0] - far, self.centres[-1] + far])
        breaks = np.unique(np.concatenate([self.centres - near, self.centres, self.centres + near, ends]))
        return _gauss(breaks, np.where(self._close(breaks, near), noise.spread / 2, noise.scale), _NODES)

    def _clustered_nodes(self, margin: float, longest: float, order: int) -> tuple[Floats, Floats]:
        """Return nodes and weights for what is nothing farther than a margin from all centres."""
        # Beside much larger values floats do not hold places so near: the whole range is then refused.
        held = np.bool_(margin > _HELD * np.ptp(self.centres))
        apart = (np.diff(self.centres) > 2 * margin) & held
        first, last = np.append(True, apart), np.append(apart, True)
        breaks = np.unique([self.centres[first] - margin, self.centres[last] + margin])
        return _gauss(breaks, np.where(self._close(breaks, margin) | ~held, longest, np.inf), order)

    def _close(self, breaks: Floats, margin: float) -> NDArray[np.bool_]:
        """Return whether the middle of every piece is as near as that to a centre."""
        middles = (breaks[1:] + breaks[:-1]) / 2
        return np.asarray(np.abs(np.subtract.outer(middles, self.centres)).min(axis=1) <= margin)

    # Any functions of the laws

    def largest_log(self, above: Floats, below: Floats) -> tuple[float, float | None, float | None]:
        """Return the supremum of a log ratio of mixtures of rows, and its limits at both ends."""
        weights = np.stack([above, below]) @ self.weights
        with np.errstate(divide="ignore"):
            logs = np.log(weights)

        def ratio(r: Floats) -> Floats:
            found = log_mixture(self.noise, self.centres, logs, r)
            return np.asarray(found[0] - found[1])

        if isinstance(self.noise, LaplaceNoise):
            # Between two centres the ratio is monotone, beyond them constant.
            at = ratio(self.centres)
            return float(at.max()), float(at[0]), float(at[-1])
        if isinstance(self.noise, NormalLaplaceNoise):
            tilt = self.centres / self.noise.scale
            low, high = (log_sum_exp(logs + sign * tilt) for sign in (-1, 1))
            ends = float(low[0] - low[1]), float(high[0] - high[1])
        else:
            ends = end_limits(*weights)
        # Of two single kernels the ratio is monotone.
        if math.inf in ends or (np.count_nonzero(weights, axis=1) == 1).all():
            return max(ends), *ends
        # No ratio of mixtures is above the largest ratio of their weights, whatever rounding says far out.
        seen = weights[0] > 0
        most = float((logs[0, seen] - logs[1, seen]).max())
        return max(*ends, min(most, self._inner_maximum(ratio, weights))), *ends

    def _inner_maximum(self, ratio: Callable[[Floats], Floats], weights: Floats) -> float:
        """Return the largest local maximum of a log ratio: a fine grid, then golden sections."""
        sd = math.sqrt(self.noise.variance)
        some = weights[weights > 0]
        gap = float(np.diff(self.centres).min())
        reach = sd * sd * (40 + math.log(some.max() / some.min())) / gap
        many = min((self.centres[-1] - self.centres[0] + 2 * reach) / (sd / 16), 400_000.0)
        grid = np.linspace(self.centres[0] - reach, self.centres[-1] + reach, int(many) + 3)
        found = ratio(grid)
        top = np.flatnonzero((found[1:-1] >= found[:-2]) & (found[1:-1] >= found[2:])) + 1
        if not len(top):
            return float(found.max())
        # Of plateaus, which rounding makes many, the highest places are enough.
        top = top[np.argsort(-found[top], kind="stable")[:64]]
        low, high = grid[top - 1], grid[top + 1]
        golden = (math.sqrt(5) - 1) / 2
        for _ in range(60):
            one, two = high - golden * (high - low), low + golden * (high - low)
            rising = ratio(one) < ratio(two)
            low, high = np.where(rising, one, low), np.where(rising, high, two)
        return float(max(found.max(), ratio((low + high) / 2).max()))

    def pieces(self, rows: Floats) -> Floats:
        """Return masses of outputs on pieces where no given mixture of rows changes sign."""
        runs = self.positive(rows, with_runs=True)[2]
        assert runs is not None
        cuts = np.concatenate([[-np.inf], np.unique(runs.zeros), [np.inf]])
        mass = self.noise.mass(cuts[:-1, None] - self.centres, cuts[1:, None] - self.centres)
        return np.asarray(self.weights @ mass.T)

    def nodes(self, order: float = 1.0) -> tuple[Floats, Floats]:
        """Return weights and log densities at Gauss-Legendre nodes, of Laplace noise with exact tails."""
        noise, low, high = self.noise, self.centres[0], self.centres[-1]
        if isinstance(noise, LaplaceNoise):
            at, weights = _gauss(self.centres, noise.scale, _NODES, noise.scale)
        elif isinstance(noise, NormalLaplaceNoise):
            at, weights = self._spread_nodes(noise)
        elif order == 1:
            at, weights = self._clustered_nodes(10 * noise.scale, noise.scale / 2, _NODES)
        else:
            # Powers of densities may be largest far from all centres.
            margin = 10 * noise.scale + max(0.0, order - 1) * (high - low)
            at, weights = _gauss(np.array([low - margin, high + margin]), noise.scale / 2, _NODES)
        return weights, self.log_densities(at)

    def log_densities(self, at: ArrayLike) -> Floats:
        """Return the log density of every row at released numbers."""
        return log_mixture(self.noise, self.centres, self._log_weights, np.asarray(at, dtype=np.float64))


def least_epsilons(
    slack: Callable[[Floats, Integers], tuple[Floats, Floats]],
    deltas: Floats,
    far: Callable[[int], float],
) -> Floats:
    """Return the smallest epsilon at every positive slack: Newton's steps from below, which never pass it.

    ``slack`` gives the positive parts of P - t Q at thresholds t for some of the places, and what Q weighs
    there; ``far`` settles one place where exp(epsilon) is no number.
    """
    t = np.ones(len(deltas))
    waiting = np.arange(len(deltas))
    for _ in range(_MOST_STEPS):
        if not len(waiting):
            break
        positive, mass = slack(t[waiting], waiting)
        more = positive - deltas[waiting]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            new = t[waiting] + np.where(more > 0, more / mass, 0.0)
        grown = new > t[waiting] * (1 + 1e-15)
        t[waiting] = np.where(np.isfinite(new), new, np.inf)
        waiting = waiting[grown & (new < math.exp(LARGEST_LOG))]
    beyond = t >= math.exp(LARGEST_LOG)
    found = np.log(np.where(beyond, 1.0, t))
    for k in np.flatnonzero(beyond):
        found[k] = far(int(k))
    return found


def _gauss(breaks: Floats, longest: float | Floats, order: int, tail: float = 0.0) -> tuple[Floats, Floats]:
    """Return nodes and weights on pieces between breaks that are nowhere longer than so much.

    With a tail, both ends stand for what lies beyond them too, of densities that fall off exponentially.
    """
    cuts = np.unique(breaks)
    x, mass = np.polynomial.legendre.leggauss(order)
    parts = np.maximum(1.0, np.ceil(np.diff(cuts) / longest))
    if parts.sum() > _MOST_PIECES:
        raise LimitError(
            f"The noise is so narrow beside the values of the query that sums over releases take "
            f"{parts.sum():.3g} pieces (limit {_MOST_PIECES:,}); tests and slacks are computed without them.",
            Where("parameter", name="noise"),
        )
    ends = [np.linspace(a, b, int(k) + 1) for a, b, k in zip(cuts[:-1], cuts[1:], parts, strict=True)]
    low = np.concatenate([e[:-1] for e in ends] or [np.empty(0)])
    high = np.concatenate([e[1:] for e in ends] or [np.empty(0)])
    at = (low + high)[:, None] / 2 + np.multiply.outer((high - low) / 2, x)
    weights = np.multiply.outer((high - low) / 2, mass)
    if not tail:
        return at.ravel(), weights.ravel()
    return (
        np.concatenate([at.ravel(), cuts[[0, -1]]]),
        np.concatenate([weights.ravel(), [tail, tail]]),
    )
