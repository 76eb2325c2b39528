"""Exact leakage of one adversary, with everything it sees: densities, log ratios, posteriors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import as_floats
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import AdversaryError, InstanceError, LimitError, QueryError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.laplace_mixture import (
    LaplaceMixture,
    Peak,
    ends,
    largest_log_ratio,
    log_ratio,
    rescaled,
)
from pdp_widgets.leakage.prior.group_bound import ROUNDING, group_bound
from pdp_widgets.leakage.prior.releases import NarrowMixtures, is_narrow, query_values, snapped
from pdp_widgets.leakage.value import About, Attained, Convention, Leakage, check_convention
from pdp_widgets.mechanisms.laplace import LaplaceMechanism, as_laplace
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, short

__all__ = ["PriorAdversary", "as_mapping", "check_kinds", "prior_leakage"]

Floats = NDArray[np.float64]

_LARGEST_LOG = float(np.log(np.finfo(np.float64).max))
_SOURCE = "Li, Ren, Yang and Yang, Eq. 2"
_MOST_KNOWN_VALUES = 1 << 18


def check_kinds(distribution: Any, mechanism: Any) -> None:
    """Raise TypeError or QueryError unless a mechanism and a distribution belong together."""
    as_laplace(mechanism).query.check_fits(distribution)


class PriorAdversary:
    """One adversary who knows the values of some tuples and attacks another one.

    Parameters
    ----------
    distribution
        The joint distribution, which the adversary knows too.
    mechanism
        The release.
    target
        Name or position of the attacked tuple.
    known
        Labels of the known tuples, by name or position.

    Raises
    ------
    AdversaryError
        A tuple does not exist, is known twice or both attacked and known; a known label is not in its domain;
        or the known values have probability 0.
    QueryError
        The contributions of the query do not fit the distribution.

    Examples
    --------
    The weakest adversary of two positively correlated tuples learns more than the promise of 1:

    >>> from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> mechanism = LaplaceMechanism(LinearQuery.sum(joint), scale=1)
    >>> weak = PriorAdversary(joint, mechanism, target="x1", known={})
    >>> round(float(weak.leakage), 6)
    1.185376
    >>> weak.posterior([2.0]).round(4).tolist()
    [[0.2341, 0.7659]]
    """

    def __init__(
        self,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        target: str | int,
        known: Mapping[Any, Any] | None = None,
    ) -> None:
        check_kinds(distribution, mechanism)
        given = as_mapping(known)
        adversary = Adversary.of(distribution, target, list(given))
        labels = {distribution.axis(t): label for t, label in given.items()}
        positions: dict[int, int] = {}
        for axis in adversary.known:
            try:
                positions[axis] = distribution.label_position(axis, labels[axis])
            except InstanceError as fault:
                raise AdversaryError(f"A known value: {fault}", fault.where) from None
        self._prepare(distribution, mechanism, adversary, positions)
        if not self._weights.any():
            raise AdversaryError(
                f"The known values {self._known_text()} have probability 0; "
                "give values that can occur together.",
                Where("parameter", name="known"),
            )

    def _prepare(
        self,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        adversary: Adversary,
        positions: Mapping[int, int],
    ) -> None:
        self.distribution = distribution
        self.mechanism = mechanism
        self.adversary = adversary
        i = adversary.target
        where = tuple(positions.get(j, slice(None)) for j in range(distribution.n_tuples))
        rest = [j for j in range(distribution.n_tuples) if j not in positions]
        contributions = mechanism.query.contributions
        # Rows that agree with the known values: labels of the target, then all unknown tuples.
        self._weights: Floats = np.moveaxis(distribution.table[where], rest.index(i), 0).reshape(
            distribution.shape[i], -1
        )
        values = snapped(query_values([contributions[j] for j in rest]))
        self._values: Floats = np.moveaxis(values, rest.index(i), 0).reshape(distribution.shape[i], -1)
        self._offset = sum(float(contributions[j].min()) for j in rest) + sum(
            float(contributions[j][p]) for j, p in positions.items()
        )
        self._positions = dict(positions)
        self._unknown = [contributions[j] for j in rest]
        self._place = rest.index(i)

    @classmethod
    def _at(
        cls,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        adversary: Adversary,
        positions: Mapping[int, int],
    ) -> PriorAdversary:
        made = cls.__new__(cls)
        made._prepare(distribution, mechanism, adversary, positions)
        return made

    @property
    def target(self) -> str:
        """Name of the attacked tuple."""
        return self.distribution.names[self.adversary.target]

    @property
    def known(self) -> dict[str, Label]:
        """Labels of the known tuples by name."""
        return {
            self.distribution.names[j]: self.distribution.domains[j][self._positions[j]]
            for j in self.adversary.known
        }

    @property
    def labels(self) -> tuple[Label, ...]:
        """Labels of the attacked tuple."""
        return self.distribution.domains[self.adversary.target]

    @cached_property
    def feasible(self) -> tuple[Label, ...]:
        """Labels of the attacked tuple that can occur with the known values."""
        return tuple(label for label, p in zip(self.labels, self._masses, strict=True) if p > 0)

    @cached_property
    def _masses(self) -> Floats:
        return np.asarray(self._weights.sum(axis=1))

    @property
    def support(self) -> float:
        """Probability of the known values."""
        return float(self._masses.sum())

    @property
    def records(self) -> int | None:
        """Number of records that agree with the known values, when the distribution came from counts."""
        counts = self.distribution.counts
        if counts is None:
            return None
        where = tuple(self._positions.get(j, slice(None)) for j in range(self.distribution.n_tuples))
        return int(counts[where].sum())

    @cached_property
    def prior(self) -> Floats:
        """Probability of every label of the attacked tuple given the known values."""
        scaled = self._masses / self._masses.max()
        found = np.asarray(scaled / scaled.sum())
        found.flags.writeable = False
        return found

    @cached_property
    def _relative(self) -> dict[Label, LaplaceMixture]:
        return {
            label: LaplaceMixture(values, weights, self.mechanism.scale)
            for label, values, weights in zip(self.labels, self._values, self._weights, strict=True)
            if weights.any()
        }

    def mixtures(self) -> dict[Label, LaplaceMixture]:
        """Return the density of the release for every feasible label, as a mixture of Laplace densities."""
        return {
            label: LaplaceMixture(m.centres + self._offset, m.weights, m.scale)
            for label, m in self._relative.items()
        }

    def _mixture(self, label: Any) -> LaplaceMixture:
        axis = self.adversary.target
        try:
            position = self.distribution.label_position(axis, label)
        except InstanceError as fault:
            raise AdversaryError(str(fault), fault.where) from None
        found = self._relative.get(self.labels[position])
        if found is None:
            given = f" with {self._known_text()}" if self.adversary.known else ""
            raise AdversaryError(
                f"{short(self.target)} = {short(label)} cannot occur{given}: it has no density. "
                f"Labels that can occur: {', '.join(short(v) for v in self.feasible)}.",
                Where("axis", axis=axis),
            )
        return found

    def _release(self, r: ArrayLike) -> Floats:
        at = as_floats(r, "released numbers", QueryError)
        if np.isnan(at).any():
            raise QueryError("A released number is NaN; give real numbers.", Where("parameter", name="r"))
        return np.asarray(at - self._offset)

    def density(self, label: Any, r: ArrayLike) -> Floats:
        """Return p(r | label, known values) at every r, in the shape of r (per unit of the query).

        What is more than the largest float is that.
        """
        mixture = self._mixture(label)
        at = self._release(r)
        finite = np.isfinite(at)
        logs = mixture.log_density(np.where(finite, at, 0.0))
        return np.asarray(np.where(finite, np.exp(np.minimum(logs, _LARGEST_LOG)), 0.0))

    def log_ratio(self, a: Any, b: Any, r: ArrayLike) -> Floats:
        """Return log p(r | a) - log p(r | b) at every r, in nats; infinite r gives the limits.

        Raises
        ------
        AdversaryError
            A label is not in the domain, or cannot occur with the known values.
        """
        first, second = self._mixture(a), self._mixture(b)
        # Outside all centres the ratio is constant: stay at the outermost ones.
        low = min(first.centres[0], second.centres[0])
        high = max(first.centres[-1], second.centres[-1])
        at = np.clip(self._release(r), low, high)
        return log_ratio(first, second, at)

    def ends(self, a: Any, b: Any) -> tuple[float, float]:
        """Return the limits of the log ratio of a over b for r to minus and to plus infinity."""
        return ends(self._mixture(a), self._mixture(b))

    def posterior(self, r: ArrayLike) -> Floats:
        """Return the probability of every label after seeing r: shape of r, then one axis of labels."""
        at = self._release(r)
        mixtures = self._relative
        low = min(m.centres[0] for m in mixtures.values())
        high = max(m.centres[-1] for m in mixtures.values())
        at = np.clip(at, low, high)
        logs = np.full((*at.shape, len(self.labels)), -np.inf)
        for position, label in enumerate(self.labels):
            if label in mixtures:
                logs[..., position] = np.log(self.prior[position]) + mixtures[label].log_density(at)
        weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True))

    def gain(self, a: Any, b: Any, r: ArrayLike) -> Floats:
        """Return the change of the log odds of a against b after seeing r (Eq. 3); 0 if one cannot occur."""
        for label in (a, b):
            self.distribution.label_position(self.adversary.target, label)
        if a not in self._relative or b not in self._relative:
            return np.zeros(np.shape(self._release(r)))
        return self.log_ratio(a, b, r)

    @cached_property
    def leakage(self) -> Leakage:
        """Exact leakage to this adversary (Eq. 2)."""
        about = About(self.target, tuple(self.known.items()))
        if len(self._relative) < 2:
            return Leakage(0.0, "exact", about, "instance", source=_SOURCE, determined=True)
        labels = list(self._relative)
        peak = self._peak(self.mechanism.scale)
        attained = Attained(peak.r + self._offset, peak.side, (labels[peak.more], labels[peak.less]))
        return Leakage(
            self._bounded(peak.value), "exact", about, "instance", attained=attained, source=_SOURCE
        )

    @cached_property
    def _narrow(self) -> NarrowMixtures:
        shape = [len(y) for y in self._unknown]
        target = shape.pop(self._place)
        weights = np.moveaxis(self._weights.reshape(target, *shape), 0, self._place)
        return NarrowMixtures.of(self._unknown, weights, self._place)

    def _peak(self, scale: float) -> Peak:
        """Return the largest log ratio at some scale."""
        mixtures = list(self._relative.values())
        if scale != self.mechanism.scale:
            mixtures = [rescaled(mixture, scale) for mixture in mixtures]
        peak = largest_log_ratio(mixtures)
        if not is_narrow(self._unknown, scale):
            return peak
        found = self._narrow.largest(scale)
        # The place as a float, which tells it as well as a float can.
        return replace(peak, value=found.value, more=found.more, less=found.less)

    def _bounded(self, value: float) -> float:
        bound = group_bound(self.mechanism, self.adversary.target, self.adversary.known).value
        return bound if bound < value <= bound + ROUNDING * max(1.0, bound) else value

    def _known_text(self) -> str:
        return ", ".join(f"{short(name)} = {short(label)}" for name, label in self.known.items())

    def __reduce__(self) -> tuple[Any, ...]:
        # Made again, so that a copy is as read-only as this one.
        return type(self)._at, (self.distribution, self.mechanism, self.adversary, self._positions)

    def __repr__(self) -> str:
        known = f", knowing {self._known_text()}" if self.adversary.known else ", knowing none"
        return f"PriorAdversary({short(self.target)}{known})"


def as_mapping(known: Mapping[Any, Any] | Iterable[Any] | None) -> dict[Any, Any]:
    """Return known values as a dict, or raise AdversaryError for tuples without values."""
    if known is None:
        return {}
    if isinstance(known, Mapping):
        return dict(known)
    listed = [known] if isinstance(known, str | int) else list(known)
    if listed:
        raise AdversaryError(
            "The known tuples come without values; give them as {tuple: label}, or ask for convention 'sup'.",
            Where("parameter", name="known"),
        )
    return {}


def prior_leakage(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    target: str | int,
    known: Mapping[Any, Any] | Iterable[str | int] = (),
    *,
    convention: Convention = "instance",
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Leakage:
    """Return the exact leakage of one adversary, in nats.

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release.
    target
        Name or position of the attacked tuple.
    known
        With convention ``"instance"`` the labels of the known tuples, ``{tuple: label}``; with ``"sup"`` the
        known tuples alone.
    convention
        ``"instance"``: for these known values. ``"sup"``: the largest over all known values that can occur,
        which is what a guarantee needs.
    limit
        Seconds, after which the search for the largest is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    AdversaryError
        See `PriorAdversary`; or there is no such convention.
    LimitError
        Convention ``"sup"`` with more than 262,144 combinations of known values, or they take longer than the
        limit.

    Notes
    -----
    Li, Ren, Yang and Yang, Eq. 2. The supremum over releases is attained at a value of the query.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, LinearQuery
    >>> joint = JointDistribution([[0.25, 0, 0.25], [0, 0.5, 0]], domains=[[0, 1], [0, 4, 10]])
    >>> mechanism = LaplaceMechanism(LinearQuery.sum(joint), scale=1)
    >>> found = prior_leakage(joint, mechanism, "x1")
    >>> float(found), found.attained.r
    (5.0, 5.0)
    >>> prior_leakage(joint, mechanism, "x1", ["x2"], convention="sup").determined
    True
    """
    check_convention(convention)
    hook = timed(progress, limit, "The largest over all known values", "Ask for fewer known tuples.")
    told = Progress(hook)
    if convention == "instance":
        found = PriorAdversary(distribution, mechanism, target, as_mapping(known)).leakage
        told.finish()
        return found
    if isinstance(known, Mapping):
        raise AdversaryError(
            "Convention 'sup' considers every value of the known tuples; name the tuples without labels.",
            Where("parameter", name="known"),
        )
    check_kinds(distribution, mechanism)
    adversary = Adversary.of(distribution, target, known)
    sizes = [distribution.shape[k] for k in adversary.known]
    combinations = int(np.prod(sizes, dtype=np.float64)) if sizes else 1
    if combinations > _MOST_KNOWN_VALUES:
        raise LimitError(
            f"There are {combinations:,} combinations of known values (limit {_MOST_KNOWN_VALUES:,}): "
            f"about {combinations * 1e-4:.0f} s. Ask for fewer known tuples, or for one combination.",
            Where("parameter", name="known"),
        )
    best: Leakage | None = None
    determined = True
    told.expect(combinations)
    for combination in product(*(range(size) for size in sizes)):
        told.step()
        candidate = PriorAdversary._at(
            distribution, mechanism, adversary, dict(zip(adversary.known, combination, strict=True))
        )
        if not candidate._weights.any():
            continue
        found = candidate.leakage
        determined = determined and found.determined
        # Among equals take one with a choice of labels: it has a place where it is reached.
        if best is None or (found.value, best.determined) > (best.value, found.determined):
            best = found
    told.finish()
    assert best is not None  # some row has positive probability
    about = About(best.about.target, tuple((name, None) for name, _ in best.about.known))
    attained = None if best.attained is None else replace(best.attained, known=best.about.known)
    return replace(best, about=about, convention="sup", determined=determined, attained=attained)
