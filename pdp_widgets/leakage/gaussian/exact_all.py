"""Exact leakage of all adversaries of Gaussian data at once, and the release as one expects it.

With C the covariance given the known tuples K, the leakage about tuple i is abs(Cov(f, x_i)) / Var(x_i) in C,
times M / lambda. One more known tuple k takes C to its Schur complement C - C[:,k] C[k,:] / C[k,k]. Subsets
are treated in doubling order: conditioning on tuple k turns the results of the subsets of the tuples before k
into those of the subsets that hold k as well. Of each C only what is still needed is kept: the columns of
tuples not yet decided, the variances, and the covariances with f.

A tuple enters f when it is decided to be unknown, and not before: a known tuple in large units would leave
its rounding in the covariances with f, and one that those before fix would leave what the tolerance leaves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.models.covariance_matrix import TOLERANCE, Regression, units_of
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.immutable import ReadOnlyMapping

__all__ = ["ExpectedRelease", "all_adversaries", "gaussian_exact_all", "taking_up"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_MOST_TUPLES = 20
# Tuples decided within one block: its arrays stay in the cache.
_INNER = 12
_NODES_PER_SECOND = 1.5e7


def gaussian_exact_all(
    model: GaussianModel,
    weights: Sequence[float] | None = None,
    scale: float = 1.0,
    max_change: float = 1.0,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> tuple[Floats, Flags]:
    """Return the exact leakage of every adversary, in nats, and whether its target is determined.

    Parameters
    ----------
    model
        Mean and covariance; the covariance may be singular.
    weights
        The release is the sum of ``weights[j] * x[j]`` with Laplace noise; without it the plain sum.
    scale
        The noise scale lambda.
    max_change
        The largest change M of one tuple that is to be hidden.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does. More than 20 tuples are
        refused too; ``math.inf`` to go ahead.
    progress
        Called now and then with the share done. What it raises cancels.

    Returns
    -------
    values, determined
        Node arrays of shape (n, 2**(n-1)): row = attacked tuple, column = bitmask of the known tuples among
        the others, see `pdp_widgets.leakage.adversary`.

    Raises
    ------
    QueryError
        The weights do not fit the model, or the largest change is negative or not finite.
    ScaleError
        The scale is not a positive finite number.
    LimitError
        The work exceeds the limit.

    Notes
    -----
    Li, Ren, Yang and Yang, Theorem 6, for all n 2**(n-1) adversaries. A target counts as determined when the
    known tuples leave it at most 1e-9 of its variance.

    Examples
    --------
    >>> values, _ = gaussian_exact_all(GaussianModel(None, [[1, 0.5], [0.5, 1]]))
    >>> values.tolist()
    [[1.5, 1.0], [1.5, 1.0]]
    """
    release, limit = WeightedRelease.of(model, weights, scale, max_change), SECONDS.take(limit, "limit")
    n = model.n_tuples
    nodes = n * 2.0 ** (n - 1)
    seconds = nodes / _NODES_PER_SECOND
    if not math.isinf(limit) and (n > _MOST_TUPLES or seconds > limit):
        raise LimitError(
            f"{n} tuples have {nodes:,.0f} adversaries: {nodes * 9 / 1e6:,.0f} MB of results, about "
            f"{seconds:,.2g} s. The limit is {_MOST_TUPLES} tuples and {limit:g} s.",
            Where("parameter", name="model"),
            call="limit=math.inf goes ahead.",
        )
    progress = timed(progress, limit, f"What all {nodes:,.0f} adversaries learn", "Take fewer tuples.")
    return all_adversaries(model.cov, release, progress)


def all_adversaries(
    cov: Floats, release: WeightedRelease, progress: ProgressHook | None = None
) -> tuple[Floats, Flags]:
    """Return leakage and determined flags, node arrays, of a checked covariance and release."""
    n = cov.shape[0]
    units = units_of(cov)
    scaled = cov / units / units[:, None]
    # What never varies says nothing of others. Weights and units apart, since their products may be no
    # numbers where their quotients are.
    varying = np.diag(cov) > 0
    own = np.where(varying, release.array, 0.0)
    heaviest = float(np.abs(own).max())
    widest = float(units[varying].max(initial=0.0)) or 1.0
    weights = own / (heaviest or 1.0) * (np.where(varying, units, 0.0) / widest)
    top = float(np.abs(weights).max())
    weights = weights / (top or 1.0)
    inner = min(n, _INNER)
    stack = np.zeros((1, n + 1, n))
    stack[0, :n] = scaled
    floors = TOLERANCE * np.diag(scaled)
    for k in range(inner, n):
        known = _given(stack, k, floors[k])
        stack[:, n] += weights[k] * stack[:, k]
        stack = np.concatenate([stack, known])
    values = np.empty((n, 1 << (n - 1)))
    determined = np.empty(values.shape, dtype=bool)
    block = _Block(n, inner, floors, weights)
    share = Progress(progress, stack.shape[0])
    for outer in range(stack.shape[0]):
        block.run(stack[outer])
        _put(block, outer, values, determined)
        share.step()
    # A large change of a tuple in large units: the factors alone can be no numbers.
    with np.errstate(over="ignore", invalid="ignore"):
        values *= (top * (widest / units))[:, None]
        values *= heaviest * release.factor
    values[determined] = 0.0
    # The strongest adversary sees the target alone: no rounding is due.
    values[:, -1] = np.where(determined[:, -1], 0.0, np.abs(release.array) * release.factor)
    share.finish()
    return values, determined


def taking_up(known: Iterable[int]) -> list[int]:
    """Return known tuples in the order in which `all_adversaries` conditions on them."""
    return sorted(known, key=lambda k: (k < _INNER, k))


def _given(stack: Floats, k: int, floor: float) -> Floats:
    """Return Schur complements with respect to tuple k; rows: the tuples, then the query."""
    column = stack[:, :, k]
    ratios = column * _inverse(stack[:, k, k], floor)[:, None]
    return np.asarray(stack - ratios[:, :, None] * column[:, None, :-1])


def _inverse(pivots: Floats, floor: float) -> Floats:
    """Return the reciprocals of variances, 0 for those that count as none: nothing is subtracted then."""
    return np.divide(1.0, pivots, out=np.zeros_like(pivots), where=pivots > floor)


class _Block:
    """All subsets of the first tuples, with one subset of the others known."""

    def __init__(self, n: int, inner: int, floors: Floats, weights: Floats) -> None:
        width = 1 << inner
        self.n, self.inner, self.floors, self.weights = n, inner, floors, weights
        # Column k is needed for the subsets of the tuples before k alone.
        self._columns = [np.empty((n + 1, 1 << k)) for k in range(inner)]
        self._variances = np.empty((n, width))
        self._covariances = np.empty((n, width))
        self._work = np.empty((n + 1, max(width >> 1, 1)))
        self.values = np.empty((n, width))
        self.determined = np.empty((n, width), dtype=bool)

    def run(self, start: Floats) -> None:
        """Compute values and flags from one matrix: rows are the tuples, then the query so far."""
        n = self.n
        for k, column in enumerate(self._columns):
            column[:, 0] = start[:, k]
        self._variances[:, 0] = np.diag(start[:n])
        self._covariances[:, 0] = start[n]
        for k, column in enumerate(self._columns):
            half = 1 << k
            ratios = np.multiply(column, _inverse(column[k], self.floors[k]), out=self._work[:, :half])
            weight = self.weights[k]
            for later in range(k + 1, self.inner):
                target = self._columns[later]
                _subtract(target[:, :half], ratios, column[later], target[:, half : 2 * half])
                target[n, :half] += weight * target[k, :half]
            old, new = slice(0, half), slice(half, 2 * half)
            _subtract(self._variances[:, old], ratios[:n], column[:n], self._variances[:, new])
            _subtract(self._covariances[:, old], ratios[:n], column[n], self._covariances[:, new])
            self._covariances[:, old] += np.multiply(weight, column[:n], out=self._work[:n, :half])
        np.less_equal(self._variances, self.floors[:, None], out=self.determined)
        np.abs(self._covariances, out=self._covariances)
        self._variances[self.determined] = 1.0
        self._covariances[self.determined] = 0.0
        np.divide(self._covariances, self._variances, out=self.values)


def _subtract(before: Floats, ratios: Floats, other: Floats, out: Floats) -> None:
    np.multiply(ratios, other, out=out)
    np.subtract(before, out, out=out)


def _put(block: _Block, outer: int, values: Floats, determined: Flags) -> None:
    """Store one block in node arrays, whose columns leave out the bit of the target."""
    n, inner = block.n, block.inner
    for found, into in ((block.values, values), (block.determined, determined)):
        half = 1 << (inner - 1)
        for i in range(inner):
            part = found[i].reshape(half >> i, 2, 1 << i)[:, 0]
            into[i, outer * half : (outer + 1) * half] = part.ravel()
        for i in range(inner, n):
            bit = i - inner
            if not outer >> bit & 1:
                place = outer & ((1 << bit) - 1) | outer >> (bit + 1) << bit
                into[i, place << inner : (place + 1) << inner] = found[i]


class ExpectedRelease:
    """Distribution of the weighted sum given the target and the known tuples, see `GaussianAdversary`."""

    # Li, Ren, Yang and Yang, Theorem 6: given the target x_i and the known x_K, the weighted sum of the
    # unknown tuples is normal with mean mu00 + mu0i x_i + mu0k x_K and standard deviation sigma0.
    model: GaussianModel
    release: WeightedRelease
    adversary: Adversary

    def _prepare(self, model: GaussianModel, release: WeightedRelease, adversary: Adversary) -> None:
        self.model = model
        self.release = release
        self.adversary = adversary
        i, known = adversary.target, list(adversary.known)
        self._unknown = [j for j in range(model.n_tuples) if j != i and j not in known]
        self._known_regression = Regression(model.cov, known, taking_up(known))
        left = self._known_regression.residual
        self._variance = float(left[i, i])
        self._determined = self._variance <= TOLERANCE * float(model.cov[i, i])
        n = model.n_tuples
        self._slopes: Floats = np.zeros(n) if self._determined else left[:, i] / self._variance

    @classmethod
    def _at(cls, model: GaussianModel, release: WeightedRelease, adversary: Adversary) -> Self:
        made = cls.__new__(cls)
        made._prepare(model, release, adversary)
        return made

    @property
    def target(self) -> str:
        """Name of the attacked tuple."""
        return self.model.names[self.adversary.target]

    @property
    def known(self) -> tuple[str, ...]:
        """Names of the known tuples."""
        return tuple(self.model.names[k] for k in self.adversary.known)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names of the tuples that are neither attacked nor known."""
        return tuple(self.model.names[u] for u in self._unknown)

    @property
    def determined(self) -> bool:
        """Whether the known tuples leave the target no variance (at most 1e-9 of its own)."""
        return self._determined

    @property
    def spread(self) -> float:
        """Standard deviation of the target, given the known tuples; 0 when they determine it."""
        return 0.0 if self._determined else math.sqrt(self._variance)

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: the largest abs(weight) M / scale, in nats."""
        return self.release.promise

    @property
    def own(self) -> float:
        """The target's own weight a_i: its part of the coefficient."""
        return self.release.weights[self.adversary.target]

    @cached_property
    def through(self) -> Mapping[str, float]:
        """What one more unit of the target shows through every unknown tuple: a_u times its slope, by name.

        With the target determined its slopes are taken as 0: it cannot move.
        """
        weights, slopes = self.release.weights, self._slopes
        return ReadOnlyMapping({self.model.names[u]: float(weights[u] * slopes[u]) for u in self._unknown})

    @property
    def mu0i(self) -> float:
        """Slope of the mean of the unknown sum in the target."""
        return math.fsum(self.through.values())

    @property
    def coefficient(self) -> float:
        """By how much the mean of the release moves per unit of the target: a_i + mu0i."""
        return math.fsum([self.own, *self.through.values()])

    @cached_property
    def mu0k(self) -> Floats:
        """Slopes of the mean of the unknown sum in the known tuples, in the order of ``known``."""
        given = self._known_regression.coefficients
        partial = given - np.outer(self._slopes, given[self.adversary.target])
        found = np.asarray(self.release.array[self._unknown] @ partial[self._unknown])
        found.flags.writeable = False
        return found

    @cached_property
    def mu00(self) -> float:
        """Mean of the unknown sum with the target and all known tuples at 0."""
        mean, u = self.model.mean, self._unknown
        start = float(self.release.array[u] @ mean[u])
        known = float(self.mu0k @ mean[list(self.adversary.known)])
        return start - self.mu0i * float(mean[self.adversary.target]) - known

    @cached_property
    def sigma0(self) -> float:
        """Standard deviation of the unknown sum, given the target and the known tuples."""
        u, i = self._unknown, self.adversary.target
        left = self._known_regression.residual
        partial = left - np.outer(self._slopes, left[i])
        weights = self.release.array[u]
        found = float(weights @ partial[np.ix_(u, u)] @ weights)
        # What rounding leaves of a variance that is 0.
        floor = 1e-14 * float(np.abs(weights) @ self.model.standard_deviations[u]) ** 2
        return math.sqrt(found) if found > floor else 0.0
