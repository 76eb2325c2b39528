"""Several releases of the same data: what they say together, and what adding up their losses says.

The unknown others are drawn once and shared by all releases, so that adding up is in general neither a bound
nor an estimate; a bound that always holds stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import MAX_CHANGE, as_size
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.errors import DomainError, LimitError, QueryError, ScaleError, Where
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.meaning.information import slack_bound
from pdp_widgets.leakage.meaning.laws import ChannelLaws, LatticeLaws, Laws, crossed
from pdp_widgets.leakage.meaning.mixtures import MixtureLaws
from pdp_widgets.leakage.meaning.signed_mixtures import positive_part
from pdp_widgets.leakage.meaning.sources import MOST_OUTPUTS
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.mechanisms.noise import GaussianNoise, LaplaceNoise, log_sum_exp
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import shown

__all__ = ["Composition", "GaussianComposition", "composition", "gaussian_composition"]

Floats = NDArray[np.float64]

_INDEPENDENT = 1e-12
_MOST_REPEATS = 10_000
_WIDEST = 1e150
_MOST_CENTRES = 2_000_000
_ROWS_AT_ONCE = 1 << 14


@dataclass(frozen=True, eq=False)
class Composition(EqualByFields, ReadOnlyArrays, NumberTable):
    """Several releases together, for one ordered pair of labels.

    Parameters
    ----------
    epsilons
        Nats, shape (k,).
    joint
        The slack of all releases together, exact; None where it is not computed.
    composed
        The slack of the single releases together as if they were independent given the label; None where it
        is not computed. It is right where ``exact``, otherwise neither a bound nor an estimate.
    bound
        A bound on the joint slack that always holds.
    joint_sup, composed_sup
        Largest log ratio of all together, and the sum of the single ones, in nats.
    exact
        Whether the releases are independent given either label, so that both are the same.

    Examples
    --------
    >>> from pdp_widgets.meaning import Meaning, channel_laws
    >>> found = Meaning(channel_laws([[0.75, 0.25], [0.25, 0.75]])).compose(2, [0.0, 1.0], (0, 1))
    >>> found.joint.round(4).tolist(), found.exact
    ([0.5, 0.3926], True)
    """

    epsilons: Floats
    joint: Floats | None
    composed: Floats | None
    bound: Floats
    joint_sup: float | None
    composed_sup: float
    exact: bool

    def _numbers(self) -> Numbers:
        none = np.full(len(self.epsilons), math.nan)
        return Numbers(
            {
                "epsilon": self.epsilons,
                "joint": none if self.joint is None else self.joint,
                "composed": none if self.composed is None else self.composed,
                "bound": self.bound,
            },
            {"epsilon": "nats", "joint": "number", "composed": "number", "bound": "upper"},
            {
                "unit": "chance",
                "source": "Kairouz, Oh and Viswanath",
                "status": {"joint": "exact", "composed": "as printed", "bound": "bound"},
            },
        )

    @property
    def understates(self) -> bool:
        """Whether adding up says less than what is learned."""
        if self.joint is None or self.composed is None:
            return self.joint_sup is not None and self.joint_sup > self.composed_sup * (1 + 1e-12)
        return bool((self.joint > self.composed + 1e-12).any())


def composition(laws: Laws, v: int, w: int, epsilons: Any, repeats: int = 1) -> Composition:
    """Return several releases together: the same one so many times, or all reports of one record."""
    times = as_size(repeats, "repeats", 1, _MOST_REPEATS)
    given = np.atleast_1d(as_sizes(epsilons, "epsilon", DomainError, -math.inf))
    if isinstance(laws, MixtureLaws):
        return _of_mixture(laws, v, w, given, times)
    assert isinstance(laws, ChannelLaws)
    _check_outputs(laws.logs.shape[1], times if not laws.parts else 1)
    if isinstance(laws, LatticeLaws):
        joint: ChannelLaws = _lattice_joint(laws, times)
        composed, exact = _product((laws,) * times), times == 1 or _is_point(laws.weights[[v, w]])
        parts: Sequence[ChannelLaws] = (laws,) * times
    elif laws.parts:
        if times > 1:
            raise DomainError(
                "These laws are those of several reports already; give repeats 1.",
                Where("parameter", name="repeats"),
            )
        parts, joint = laws.parts, laws
        composed, exact = _product(laws.parts), laws.independent[v] and laws.independent[w]
    else:
        joint = composed = _product((laws,) * times)
        exact, parts = True, (laws,) * times
    together = joint.delta(v, w, given)
    return Composition(
        epsilons=given,
        joint=together,
        composed=composed.delta(v, w, given),
        bound=together,
        joint_sup=float(joint.log_ratios[v, w]),
        composed_sup=float(sum(part.log_ratios[v, w] for part in parts)),
        exact=exact,
    )


def _check_outputs(outputs: int, times: int) -> None:
    if times * math.log(outputs) > math.log(MOST_OUTPUTS):
        raise LimitError(
            f"{times} releases have {outputs:,} to the power of {times} combinations of outputs (limit "
            f"{MOST_OUTPUTS:,}); take fewer.",
            Where("parameter", name="repeats"),
        )


def _product(parts: Sequence[ChannelLaws]) -> ChannelLaws:
    """Return the laws of reports as if they were independent given the label."""
    return parts[0].like(crossed([part.logs for part in parts]))


def _lattice_joint(laws: LatticeLaws, times: int) -> ChannelLaws:
    """Return the laws of several answers of one query: its value is the same in all of them."""
    kernel = crossed([laws.kernel] * times)
    with np.errstate(divide="ignore"):
        weights = np.log(laws.weights)
    return laws.like(np.stack([log_sum_exp(row[:, None] + kernel, axis=0) for row in weights]))


def _is_point(weights: Floats) -> bool:
    """Whether the answers of a query are independent given either label: it takes one value there."""
    apart = (np.abs(np.diag(row) - np.multiply.outer(row, row)).max() for row in weights)
    return bool(max(apart) < _INDEPENDENT)


def _of_mixture(laws: MixtureLaws, v: int, w: int, epsilons: Floats, times: int) -> Composition:
    """Return `composition` for a query that is answered several times with smooth noise."""
    laws = _two(laws, v, w)
    single = laws.log_ratios[0, 1]
    exact = times == 1 or _is_point(laws.weights)
    plain = times == 2 and not (epsilons > 700).any()
    composed = joint = None
    if times == 1:
        joint = composed = laws.delta(0, 1, epsilons)
    elif plain:
        composed = _composed_twice(laws, epsilons)
    if isinstance(laws.noise, GaussianNoise):
        # The mean of all answers is all there is to know.
        mean = laws.with_noise(GaussianNoise(laws.noise.scale / math.sqrt(times)))
        joint, joint_sup = mean.delta(0, 1, epsilons), float(mean.log_ratios[0, 1])
    elif isinstance(laws.noise, LaplaceNoise):
        joint_sup = _laplace_sup(laws, times)
        if plain:
            joint = _laplace_twice(laws, epsilons)
    else:
        raise DomainError(
            "Several releases of Gaussian data are computed for normal noise; see gaussian_composition.",
            Where("parameter", name="repeats"),
        )
    if joint is None:
        reverse = _laplace_sup(_two(laws, 1, 0), times)
        bound = _always(laws, epsilons, max(joint_sup, reverse))
    else:
        bound = joint
    return Composition(epsilons, joint, composed, bound, joint_sup, times * float(single), exact)


def _two(laws: MixtureLaws, v: int, w: int) -> MixtureLaws:
    """Return the laws of two labels alone."""
    weights = laws.weights[[v, w]]
    seen = weights.any(axis=0)
    return MixtureLaws(laws.noise, laws.centres[seen], weights[:, seen])


def _always(laws: MixtureLaws, epsilons: Floats, level: float) -> Floats:
    """Return bounds on the joint slack: that of the values without noise, and what the joint sup allows."""
    c = laws.weights[0][:, None] - np.exp(np.minimum(epsilons, 700.0)) * laws.weights[1][:, None]
    noiseless = np.maximum(c, 0.0).sum(axis=0)
    return np.asarray(np.minimum(noiseless, slack_bound(level, epsilons)))


def _laplace_sup(laws: MixtureLaws, times: int) -> float:
    """Return the largest log ratio of several answers: it is attained at a multiset of centres."""
    many = len(laws.centres)
    combinations = math.comb(many + times - 1, times)
    if combinations * many > _MOST_CENTRES * 16:
        raise LimitError(
            f"{times} releases of a query of {many} values have "
            f"{shown(combinations)} combinations of centres; take fewer.",
            Where("parameter", name="repeats"),
        )
    kernel = laws.noise.log_density(np.subtract.outer(laws.centres, laws.centres))
    with np.errstate(divide="ignore"):
        weights = np.log(laws.weights)
    chosen = np.array(list(combinations_with_replacement(range(many), times)))
    logs = kernel[chosen[:, 0]].copy()
    for column in chosen.T[1:]:
        logs += kernel[column]
    first, second = (log_sum_exp(logs + row) for row in weights)
    return float((first - second).max())


def _laplace_twice(laws: MixtureLaws, epsilons: Floats) -> Floats:
    """Return the joint slack of two answers: over the first one, of the best set for the second."""
    found = []
    for epsilon in epsilons:
        c = laws.weights[0] - math.exp(epsilon) * laws.weights[1]
        # The inner positive part has a corner where the mixture at a centre of the second is 0.
        kernel = np.exp(laws.noise.log_density(np.subtract.outer(laws.centres, laws.centres)))
        corners = _zeros(laws, c[:, None] * kernel)
        at, weights = laws.nodes_between(np.concatenate([laws.centres, corners]))
        rows = np.exp(laws.noise.log_density(np.subtract.outer(laws.centres, at))) * c[:, None]
        found.append(float(weights @ _inner(laws, rows)))
    return np.clip(found, 0.0, 1.0)


def _composed_twice(laws: MixtureLaws, epsilons: Floats) -> Floats:
    """Return the slack of two answers as if they were independent given the label."""
    found = []
    for epsilon in epsilons:
        t = math.exp(epsilon)
        if isinstance(laws.noise, LaplaceNoise):
            here = np.exp(laws.log_densities(laws.centres))
            mixed = laws.weights[0][:, None] * here[0] - t * laws.weights[1][:, None] * here[1]
            at, weights = laws.nodes_between(np.concatenate([laws.centres, _zeros(laws, mixed)]))
        else:
            at, weights = laws.outer_nodes(0, 1)
        there = np.exp(laws.log_densities(at))
        rows = laws.weights[0][:, None] * there[0] - t * laws.weights[1][:, None] * there[1]
        found.append(float(weights @ _inner(laws, rows)))
    return np.clip(found, 0.0, 1.0)


def _zeros(laws: MixtureLaws, c: Floats) -> Floats:
    runs = positive_part(laws.noise, laws.centres, c, with_runs=True)[2]
    assert runs is not None
    return runs.zeros


def _inner(laws: MixtureLaws, c: Floats) -> Floats:
    """Return the positive parts of many mixtures, some at a time."""
    parts = [
        positive_part(laws.noise, laws.centres, c[:, start : start + _ROWS_AT_ONCE])[0]
        for start in range(0, c.shape[1], _ROWS_AT_ONCE)
    ]
    return np.concatenate(parts)


@dataclass(frozen=True)
class GaussianComposition:
    """Normal noise on linear queries of Gaussian data: one number says all.

    Parameters
    ----------
    mu
        The releases are exactly mu-GDP for this adversary: as hard to tell apart as two normal laws at this
        distance.
    mu_composed
        What composing the single releases would say; right where ``exact``.
    mutual_information
        Of the target and all releases, in nats, given the known values.
    exact
        Whether the releases are independent given the target.

    Examples
    --------
    >>> round(GaussianComposition(1.0, 1.0, 0.5, True).auc, 6)
    0.76025
    """

    mu: float
    mu_composed: float
    mutual_information: float
    exact: bool

    @property
    def zcdp_rho(self) -> float:
        """Zero-concentrated differential privacy: half the square of mu, in nats."""
        return self.mu**2 / 2

    @property
    def auc(self) -> float:
        """Area under the curve of all best tests."""
        from scipy.special import ndtr

        return float(ndtr(self.mu / math.sqrt(2)))

    @property
    def maximal_leakage(self) -> float:
        """Maximal leakage in nats, of a target that is known to lie in an interval of that length."""
        return math.log1p(self.mu / math.sqrt(2 * math.pi))

    def delta(self, epsilons: Any) -> Floats:
        """Return the slack at every epsilon."""
        from scipy.special import log_ndtr

        given = np.atleast_1d(as_sizes(epsilons, "epsilon", DomainError, -math.inf))
        if self.mu == 0:
            return np.asarray(np.maximum(-np.expm1(given), 0.0))
        with np.errstate(invalid="ignore"):
            first = log_ndtr(self.mu / 2 - given / self.mu)
            second = given + log_ndtr(-self.mu / 2 - given / self.mu)
        found = np.exp(first) - np.exp(np.minimum(second, first))
        return np.where(given == math.inf, 0.0, np.maximum(found, 0.0))


def gaussian_composition(
    model: GaussianModel,
    queries: ArrayLike,
    scales: ArrayLike,
    target: str | int,
    known: Sequence[str | int] = (),
    distance: float = 1.0,
) -> GaussianComposition:
    """Return what several noisy weighted sums of Gaussian data say about one tuple.

    Parameters
    ----------
    model
        Mean and covariance.
    queries
        Weights, a row for each release, shape (q, n).
    scales
        Standard deviation of the normal noise of each, shape (q,).
    target, known
        The adversary.
    distance
        How far apart the two values of the target are.

    Raises
    ------
    QueryError
        The weights are not finite or do not fit the model, or the distance is negative.
    ScaleError
        A scale is not positive, or there is not one for each query.
    AdversaryError
        A tuple does not exist, is known twice or both attacked and known.

    Notes
    -----
    Dong, Roth and Su, "Gaussian differential privacy" (2022): exactly mu-GDP, with
    ``mu = M sqrt(m' V^-1 m)``, m the means that the releases move by, V their covariance given the target.

    Examples
    --------
    Two sums that cancel the unknown tuple, which composition cannot see:

    >>> model = GaussianModel(None, [[1, 0], [0, 25]])
    >>> found = gaussian_composition(model, [[1, 1], [1, -1]], [0.5, 0.5], 0)
    >>> round(found.mu, 4), round(found.mu_composed, 4)
    (2.8284, 0.2814)
    """
    weights = as_sizes(queries, "queries", QueryError, -_WIDEST, _WIDEST)
    if weights.ndim != 2 or not len(weights) or weights.shape[1] != model.n_tuples:
        raise QueryError(
            f"The queries have the shape {weights.shape}; give one weight for each of the {model.n_tuples} "
            "tuples, a row for each release.",
            Where("parameter", name="queries"),
        )
    noise = as_sizes(scales, "scales", ScaleError, 0, _WIDEST)
    if noise.shape != (len(weights),) or not (noise > 0).all():
        raise ScaleError(
            f"The scales are {noise.tolist()}; give one positive number for each of the {len(weights)} "
            "queries.",
            Where("parameter", name="scales"),
        )
    change = MAX_CHANGE.take(distance, "distance", QueryError)
    one = GaussianAdversary(model, target, known)
    if one.determined:
        return GaussianComposition(0.0, 0.0, 0.0, True)
    i, given = one.adversary.target, list(one.adversary.known)
    unknown = [j for j in range(model.n_tuples) if j != i and j not in given]
    cov = np.asarray(model.cov)
    seen = [i, *given]
    # Of the others given the target and the known tuples; what these determine has no inverse.
    inverse = np.linalg.pinv(cov[np.ix_(seen, seen)], hermitian=True)
    slopes = cov[np.ix_(unknown, seen)] @ inverse
    spread = cov[np.ix_(unknown, unknown)] - slopes @ cov[np.ix_(seen, unknown)]
    moved = weights[:, i] + weights[:, unknown] @ slopes[:, 0]
    covariance = weights[:, unknown] @ spread @ weights[:, unknown].T + np.diag(noise**2)
    strength = float(moved @ np.linalg.solve(covariance, moved))
    alone = float((moved**2 / np.diag(covariance)).sum())
    off = covariance - np.diag(np.diag(covariance))
    return GaussianComposition(
        mu=change * math.sqrt(strength),
        mu_composed=change * math.sqrt(alone),
        mutual_information=math.log1p(one.spread**2 * strength) / 2,
        exact=bool(np.abs(off).max(initial=0.0) < _INDEPENDENT * np.abs(covariance).max()),
    )
