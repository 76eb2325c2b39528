"""What one adversary learns, in every measure that people judge it by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import as_sizes
from pdp_widgets.errors import AdversaryError, DomainError, Where
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.meaning.composition import Composition, composition
from pdp_widgets.leakage.meaning.guessing import (
    Gain,
    Vulnerability,
    as_levels,
    bayes_capacity,
    gain_vulnerability,
    largest_pointwise_leakage,
    pointwise_leakage,
    pointwise_tail,
    posterior_range,
    total_variations,
    vulnerability,
)
from pdp_widgets.leakage.meaning.information import (
    LeakageBounds,
    as_orders,
    chi_squared,
    divergences,
    expected_posteriors,
    leakage_bounds,
    mutual_information,
    renyi,
)
from pdp_widgets.leakage.meaning.laws import BestTest, Laws
from pdp_widgets.leakage.meaning.mixtures import MixtureLaws
from pdp_widgets.leakage.meaning.signed_mixtures import NormalLaplaceNoise
from pdp_widgets.leakage.meaning.sources import Case, gaussian_laws
from pdp_widgets.leakage.result_frames import as_dataframe
from pdp_widgets.leakage.value import About
from pdp_widgets.mechanisms.noise import GaussianNoise, LaplaceNoise, Noise
from pdp_widgets.models.amount import Status
from pdp_widgets.models.labels import shown

__all__ = ["MEASURES", "Known", "Meaning", "Measure", "MeasureCurve", "MeasureUnit"]

Floats = NDArray[np.float64]
Pair: TypeAlias = tuple[Any, Any]
MeasureUnit: TypeAlias = Literal["nats", "bits", "chance", "guesses", "number"]
#: The known values are those of one row, the worst that can occur, or averaged over.
Known: TypeAlias = Literal["instance", "sup", "mean"]

_KAIROUZ = "Kairouz, Oh and Viswanath"
_DONG = "Dong, Roth and Su"
_BALLE = "Balle and Wang"
_ALVIM = "Alvim and others"


@dataclass(frozen=True)
class _Described:
    """What a measure is, of whom, and how far it can be trusted."""

    name: str
    unit: MeasureUnit
    about: About
    convention: Known
    source: str
    status: Status = "exact"
    #: Labels of the ordered pair it is about; None where it is the worst of all or about no pair.
    pair: Pair | None = None


@dataclass(frozen=True)
class Measure(_Described):
    """One number that says what an adversary learns; ``float(measure)`` returns it.

    Parameters
    ----------
    name, unit, about, convention, source, status, pair
        What is measured, in what, of whom, at which known values, by whose definition, and how far it can be
        trusted.
    value
        The number.

    Examples
    --------
    >>> print(Measure("advantage", "chance", About("Ann"), "instance", "", value=0.5))
    advantage 0.5 chance (exact): Ann, knowing none
    """

    value: float = field(kw_only=True)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        unit = "" if self.unit == "number" else f" {self.unit}"
        return f"{self.name} {self.value:.6g}{unit} ({self.status}): {self.about}"


@dataclass(frozen=True, eq=False)
class MeasureCurve(_Described):
    """A measure at several places.

    Parameters
    ----------
    name, unit, about, convention, source, status, pair
        As for `Measure`.
    at
        Places: epsilons in nats, false alarms, orders, released numbers; shape (k,).
    values
        The numbers, shape (k,).
    """

    at: Floats = field(kw_only=True)
    values: Floats = field(kw_only=True)

    def __str__(self) -> str:
        return f"{self.name} at {len(self.at)} places ({self.status}): {self.about}"


class Meaning:
    """What a leakage means to one adversary: tests, profiles, guesses and information.

    Parameters
    ----------
    laws
        The output laws of the adversary, or one `Case` for every combination of known values.
    about
        The adversary.
    convention
        ``"instance"``: the known values are those of one row. ``"sup"``: of worst cases (tests, profiles,
        divergences, maximal leakage) the worst over all known values is given, of averages (chances, gains,
        guesses, mutual information) the mean over them, marked ``"mean"``. Without it ``"sup"`` where there
        are cases.

    Raises
    ------
    AdversaryError
        No known values can occur.

    Notes
    -----
    Measures of two labels take a ``pair`` of labels: "v over w" has v in the numerator, tests decide for w
    against v. Without a pair the worst of all ordered pairs is given.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
    >>> joint = lsat6()
    >>> found = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).meaning("item 1")
    >>> print(found.advantage())
    advantage 0.347221 chance (exact): item 1, knowing none
    >>> found.delta([0.5, 1.0]).values.round(4).tolist()
    [0.1935, 0.0712]
    >>> found.vulnerability().posterior
    0.924
    >>> [round(p, 3) for p in found.chance(1)]
    [0.732, 0.978]
    """

    def __init__(
        self,
        laws: Laws | Iterable[Case],
        about: About | None = None,
        convention: Literal["instance", "sup"] | None = None,
    ) -> None:
        one = isinstance(laws, Laws)
        self._cases = (Case((), 1.0, laws),) if isinstance(laws, Laws) else tuple(laws)
        if not self._cases:
            raise AdversaryError("No known values can occur.", Where("parameter", name="known"))
        self._about = About("the label") if about is None else about
        self._convention: Literal["instance", "sup"] = convention or ("instance" if one else "sup")
        self._gaussian: tuple[GaussianAdversary, Noise] | None = None

    @classmethod
    def of_gaussian(
        cls, one: GaussianAdversary, noise: Noise | None = None, distance: float | None = None
    ) -> Meaning:
        """Return what one adversary of Gaussian data learns, see `gaussian_laws`."""
        about = About(one.target, tuple((name, None) for name in one.known))
        made = cls(gaussian_laws(one, noise, distance), about, "sup")
        made._gaussian = one, LaplaceNoise(one.release.scale) if noise is None else noise
        return made

    @property
    def about(self) -> About:
        """The adversary."""
        return self._about

    @property
    def cases(self) -> tuple[Case, ...]:
        """The known values with their probabilities and laws."""
        return self._cases

    @property
    def determined(self) -> bool:
        """Whether all known values leave the target one label: nothing is to be learned."""
        return all(case.laws.determined for case in self._cases)

    @property
    def has_prior(self) -> bool:
        """Whether it is known how likely the labels are, which guesses and information need."""
        return all(case.laws.has_prior for case in self._cases)

    @property
    def has_information(self) -> bool:
        """Whether there is a mutual information: of Gaussian data that of the real number."""
        return self.has_prior or self._gaussian is not None

    @cached_property
    def labels(self) -> tuple[Any, ...]:
        """Labels of the target that can occur with some known values."""
        places = {
            p: label
            for case in self._cases
            for p, label in zip(case.laws.places, case.laws.labels, strict=True)
        }
        return tuple(places[p] for p in sorted(places))

    def label(self, place: int) -> Any:
        """Return the label at a place among all labels of the target, or raise AdversaryError."""
        for case in self._cases:
            if place in case.laws.places:
                return case.laws.labels[case.laws.places.index(place)]
        raise AdversaryError(
            f"The label at place {place} cannot occur with the known values.", Where("parameter", name="pair")
        )

    # Of two labels, or the worst of all pairs

    def _pairs(self, pair: Pair | None) -> list[tuple[Laws, int, int]]:
        """Return the rows that are compared, of every case in which they can occur."""
        if pair is None:
            return [(case.laws, v, w) for case in self._cases for v, w in case.laws.ordered_pairs]
        listed = tuple(pair)
        if len(listed) != 2 or listed[0] == listed[1]:
            raise AdversaryError(
                f"The pair is {shown(pair)}; give two different labels.", Where("parameter", name="pair")
            )
        for label in listed:
            if label not in self.labels:
                raise AdversaryError(
                    f"The label {shown(label)} cannot occur with the known values; labels that can: "
                    f"{', '.join(shown(one) for one in self.labels)}.",
                    Where("parameter", name="pair"),
                )
        found = [
            (case.laws, case.laws.labels.index(listed[0]), case.laws.labels.index(listed[1]))
            for case in self._cases
            if listed[0] in case.laws.labels and listed[1] in case.laws.labels
        ]
        if not found:
            raise AdversaryError(
                f"The labels {shown(pair)} cannot both occur with any known values.",
                Where("parameter", name="pair"),
            )
        return found

    def _worst(
        self,
        name: str,
        unit: MeasureUnit,
        source: str,
        pair: Pair | None,
        function: Callable[[Laws, int, int], float],
        least: float = 0.0,
        smallest: bool = False,
    ) -> Measure:
        """Return the worst value over pairs and known values; ``least`` where the target is determined."""
        values = [function(*rows) for rows in self._pairs(pair)]
        best = min if smallest else max
        value = float(best(values)) if values else least
        return Measure(name, unit, self._about, self._convention, source, pair=pair, value=value)

    def _curve(
        self,
        name: str,
        unit: MeasureUnit,
        source: str,
        pair: Pair | None,
        at: Floats,
        function: Callable[[Laws, int, int], Floats],
        without: Floats,
        smallest: bool = False,
    ) -> MeasureCurve:
        found = [function(*rows) for rows in self._pairs(pair)]
        best = np.min if smallest else np.max
        values = best(found, axis=0) if found else without
        return MeasureCurve(
            name, unit, self._about, self._convention, source, pair=pair, at=at, values=np.asarray(values)
        )

    def delta(self, epsilon: ArrayLike, pair: Pair | None = None) -> MeasureCurve:
        """Return the privacy profile: the slack at every epsilon.

        Parameters
        ----------
        epsilon
            Nats, any sign; infinity for the chance of an output that rules the second label out.
        pair
            Labels, v over w; without it the worst of all ordered pairs.

        Notes
        -----
        The largest of P_v(S) - exp(epsilon) P_w(S) over all sets of outputs S (hockey-stick divergence; Balle
        and Wang, "Improving the Gaussian mechanism for differential privacy", 2018). It is no probability of
        failure.
        """
        at = np.atleast_1d(as_sizes(epsilon, "epsilon", DomainError, -math.inf))
        if (at == -math.inf).any():
            raise DomainError(
                "epsilon is minus infinity; the slack has no meaning there.",
                Where("parameter", name="epsilon"),
            )
        without = np.maximum(-np.expm1(np.minimum(at, 0.0)), 0.0)
        return self._curve("delta", "chance", _BALLE, pair, at, lambda l, v, w: l.delta(v, w, at), without)

    def epsilon(self, delta: ArrayLike, pair: Pair | None = None) -> MeasureCurve:
        """Return the smallest epsilon, 0 or more, at every slack, in nats; infinite where none is enough."""
        at = np.atleast_1d(as_sizes(delta, "delta", DomainError, 0, 1))
        return self._curve(
            "epsilon", "nats", _BALLE, pair, at, lambda l, v, w: l.epsilon(v, w, at), np.zeros(len(at))
        )

    def privacy_loss(self, level: ArrayLike, pair: Pair) -> MeasureCurve:
        """Return the chance that the privacy loss of v over w is above every level, given v."""
        at = as_levels(level)
        thresholds = np.exp(np.clip(at, -700.0, 700.0))
        found = self._curve(
            "privacy_loss",
            "chance",
            _BALLE,
            pair,
            at,
            lambda l, v, w: np.array([t.power for t in l.tests(w, v, thresholds)]),
            np.zeros(len(at)),
        )
        return found

    def trade_off(self, alpha: ArrayLike, pair: Pair | None = None) -> MeasureCurve:
        """Return the trade-off function: the least chance of missing w at every chance of a false alarm.

        Parameters
        ----------
        alpha
            Chances of deciding for w when the label is v, 0 to 1.
        pair
            Labels (v, w); without it the smallest of all ordered pairs.

        Notes
        -----
        Dong, Roth and Su, "Gaussian differential privacy" (2022).
        """
        at = np.atleast_1d(as_sizes(alpha, "alpha", DomainError, 0, 1))
        return self._curve(
            "trade_off", "chance", _DONG, pair, at, lambda l, v, w: l.trade_off(v, w, at), 1 - at, True
        )

    def tests(self, threshold: ArrayLike, pair: Pair) -> list[BestTest]:
        """Return the best tests of w against v at likelihood ratios: where they decide for w, and how well.

        Raises
        ------
        DomainError
            A threshold is negative or NaN.
        AdversaryError
            A label cannot occur, or there are several combinations of known values.
        """
        at = np.atleast_1d(as_sizes(threshold, "threshold", DomainError))
        laws, v, w = self._one(pair)
        return laws.tests(v, w, at)

    def roc(self, pair: Pair) -> tuple[Floats, Floats]:
        """Return points of the curve of all best tests: false alarms ascending, and powers."""
        laws, v, w = self._one(pair)
        return laws.roc(v, w)

    def _one(self, pair: Pair) -> tuple[Laws, int, int]:
        if len(self._cases) > 1:
            raise AdversaryError(
                "There are several combinations of known values; take an analysis of one row.",
                Where("parameter", name="known"),
            )
        return self._pairs(pair)[0]

    def auc(self, pair: Pair | None = None) -> Measure:
        """Return the area under the curve of all best tests: the same for (v, w) and (w, v)."""
        return self._worst("auc", "chance", _DONG, pair, lambda l, v, w: l.area(v, w), 0.5)

    def advantage(self, pair: Pair | None = None) -> Measure:
        """Return the total variation: how far the best test is above chance, 0 to 1."""
        zero = np.zeros(1)
        return self._worst("advantage", "chance", _DONG, pair, lambda l, v, w: float(l.delta(v, w, zero)[0]))

    def balanced_guess(self, pair: Pair | None = None) -> Measure:
        """Return the chance of telling two labels apart that are equally likely beforehand."""
        found = self.advantage(pair)
        return replace(found, name="balanced_guess", value=(1 + found.value) / 2)

    def equal_error(self, pair: Pair | None = None) -> Measure:
        """Return the error of the test that misses as often as it gives a false alarm."""
        return self._worst(
            "equal_error", "chance", _DONG, pair, lambda l, v, w: l.equal_error(v, w), 0.5, smallest=True
        )

    def sup_log_ratio(self, pair: Pair | None = None) -> Measure:
        """Return the largest log ratio of the densities: without a pair the leakage, in nats."""
        found = self._worst(
            "sup_log_ratio",
            "nats",
            "Li, Ren, Yang and Yang, Eq. 2",
            pair,
            lambda l, v, w: float(l.log_ratios[v, w]),
        )
        return found if pair is not None else replace(found, name="leakage", value=max(0.0, found.value))

    @property
    def leakage(self) -> Measure:
        """The largest log ratio over all ordered pairs of labels, in nats."""
        return self.sup_log_ratio()

    def ends(self, pair: Pair) -> tuple[float | None, float | None]:
        """Return the limits of the log ratio for releases far out to the left and to the right, or None."""
        laws, v, w = self._one(pair)
        unit = np.eye(laws.many)
        return laws.largest_log(unit[v], unit[w])[1:]

    def kl(self, pair: Pair | None = None) -> Measure:
        """Return the Kullback-Leibler divergence of v from w, in nats."""
        one = np.ones(1)
        return self._worst("kl", "nats", "", pair, lambda l, v, w: float(renyi(l, v, w, one)[0]))

    def renyi_divergence(self, order: ArrayLike, pair: Pair | None = None) -> MeasureCurve:
        """Return Renyi divergences of v from w at every order, in nats; the worst is Pufferfish-Renyi."""
        at = as_orders(order)
        return self._curve(
            "renyi_divergence",
            "nats",
            "Pierquin and others",
            pair,
            at,
            lambda l, v, w: renyi(l, v, w, at),
            np.zeros(len(at)),
        )

    def chi_squared(self, pair: Pair | None = None) -> Measure:
        """Return the chi-squared divergence of v from w, a number."""
        return self._worst("chi_squared", "number", "", pair, chi_squared)

    def squared_hellinger(self, pair: Pair | None = None) -> Measure:
        """Return the squared Hellinger distance, 0 to 1."""
        return self._worst(
            "squared_hellinger",
            "chance",
            "",
            pair,
            lambda l, v, w: divergences(l, v, w).squared_hellinger,
        )

    # Guesses

    def _mean(self, name: str, unit: MeasureUnit, source: str, function: Callable[[Laws], float]) -> Measure:
        """Return the mean of a measure over the known values."""
        total = sum(case.chance for case in self._cases)
        value = sum(case.chance * function(case.laws) for case in self._cases) / total
        return Measure(name, unit, self._about, self._averaged, source, value=float(value))

    @property
    def _averaged(self) -> Known:
        return "instance" if self._convention == "instance" else "mean"

    def _largest(
        self, name: str, unit: MeasureUnit, source: str, function: Callable[[Laws], float]
    ) -> Measure:
        value = max(function(case.laws) for case in self._cases)
        return Measure(name, unit, self._about, self._convention, source, value=float(value))

    def vulnerability(self) -> Vulnerability:
        """Return the chance of guessing the label right and the guesses it takes, before and after.

        With several known values means over them; ratios are formed of the means.

        Raises
        ------
        TableError
            It is not known how likely the labels are.

        Notes
        -----
        Bayes vulnerability (Alvim and others, "The Science of Quantitative Information Flow", 2020). The
        chance may stay the same although much leaks: the best guess does not change. See `chance`.
        """
        found = [(case.chance, vulnerability(case.laws)) for case in self._cases]
        total = sum(chance for chance, _ in found)

        def mean(name: str) -> float:
            return float(sum(chance * getattr(one, name) for chance, one in found) / total)

        return Vulnerability(*map(mean, ("prior", "posterior", "guesses_before", "guesses_after")))

    def gain(self, gain: ArrayLike) -> Gain:
        """Return the expected gain of the best guess before and after (g-vulnerability).

        Parameters
        ----------
        gain
            A row for each guess, a column for each label of the target, those that cannot occur among them.
        """
        found = [(case.chance, gain_vulnerability(case.laws, gain)) for case in self._cases]
        total = sum(chance for chance, _ in found)
        before, after = (
            float(sum(chance * getattr(one, part) for chance, one in found) / total)
            for part in ("prior", "posterior")
        )
        return Gain(before, after)

    @property
    def bayes_capacity(self) -> Measure:
        """The largest factor by which the chance of a right guess rises, over all priors."""
        return self._largest("bayes_capacity", "number", _ALVIM, bayes_capacity)

    @property
    def maximal_leakage(self) -> Measure:
        """Logarithm of the Bayes capacity, in nats (Issa, Wagner and Kamath); the worst known values count."""
        found = self._largest(
            "maximal_leakage", "nats", "Issa, Wagner and Kamath", lambda l: math.log(bayes_capacity(l))
        )
        return found

    @property
    def bayes_security_worst(self) -> Measure:
        """The least share of wrong guesses that is left, over all priors: one minus the worst advantage."""
        value = min(1 - float(total_variations(case.laws).max()) for case in self._cases)
        return Measure(
            "bayes_security_worst",
            "chance",
            self._about,
            self._convention,
            "Chatzikokolakis and others",
            value=value,
        )

    def pointwise_maximal_leakage(self, r: ArrayLike) -> MeasureCurve:
        """Return the pointwise maximal leakage of released numbers, in nats (Saeidian and others).

        The largest log ratio of a label's chance after and before; the largest over known values.
        """
        at = np.atleast_1d(as_sizes(r, "released numbers", DomainError, -math.inf))
        values = np.max([pointwise_leakage(case.laws, at) for case in self._cases], axis=0)
        return self._pointwise("pointwise_maximal_leakage", "nats", at, values)

    def _pointwise(self, name: str, unit: MeasureUnit, at: Floats, values: Floats) -> MeasureCurve:
        return MeasureCurve(
            name, unit, self._about, self._convention, "Saeidian and others", at=at, values=np.asarray(values)
        )

    @property
    def largest_pointwise_leakage(self) -> Measure:
        """The supremum of the pointwise maximal leakage over all releases, in nats."""
        return self._largest(
            "largest_pointwise_leakage", "nats", "Saeidian and others", largest_pointwise_leakage
        )

    def pointwise_tail(self, level: ArrayLike) -> MeasureCurve:
        """Return the chance of a release whose pointwise maximal leakage is above every level.

        Processing what was released may raise it.
        """
        at = as_levels(level)
        values = np.max([pointwise_tail(case.laws, at) for case in self._cases], axis=0)
        return self._pointwise("pointwise_tail", "chance", at, values)

    def chance(self, label: Any) -> tuple[float, float]:
        """Return between which chances a label may lie after the release, over all known values."""
        found = [
            posterior_range(case.laws, case.laws.labels.index(label))
            for case in self._cases
            if label in case.laws.labels
        ]
        if not found:
            raise AdversaryError(
                f"The label {shown(label)} cannot occur with the known values.",
                Where("parameter", name="label"),
            )
        return min(low for low, _ in found), max(high for _, high in found)

    # Information

    @property
    def mutual_information(self) -> Measure:
        """Mutual information of target and release in nats, given the known values."""
        name, source = "mutual_information", "Shannon"
        if self._gaussian is None or self.has_prior:
            return self._mean(name, "nats", source, mutual_information)
        value = _gaussian_information(*self._gaussian)
        return Measure(name, "nats", self._about, self._averaged, source, value=value)

    @property
    def expected_posterior(self) -> Measure:
        """Expected chance of the true label after the release."""
        return self._mean(
            "expected_posterior", "chance", _ALVIM, lambda l: float(l.prior @ expected_posteriors(l))
        )

    def expected_posteriors(self) -> list[float | None]:
        """Return the expected chance of the true label for every label, None for one that cannot occur."""
        laws = self._only()
        found: list[float | None] = [None] * laws.size
        for place, value in zip(laws.places, expected_posteriors(laws), strict=True):
            found[place] = float(value)
        return found

    def _only(self) -> Laws:
        if len(self._cases) > 1:
            raise AdversaryError(
                "There are several combinations of known values; take an analysis of one row.",
                Where("parameter", name="known"),
            )
        return self._cases[0].laws

    # What the leakage alone says, and several releases

    def bounds(self) -> LeakageBounds:
        """Return what the leakage alone bounds, at the given prior or, without one, a uniform one."""
        case = max(self._cases, key=lambda one: float(one.laws.log_ratios.max()))
        laws = case.laws
        if laws.determined:
            raise AdversaryError(
                "The known values determine the target: there is nothing to bound.",
                Where("parameter", name="known"),
            )
        prior = laws.prior if laws.has_prior else np.full(laws.many, 1 / laws.many)
        return leakage_bounds(max(0.0, float(laws.log_ratios.max())), prior)

    def compose(self, repeats: int, epsilon: ArrayLike, pair: Pair) -> Composition:
        """Return several releases of the same data together: joint, composed, and a bound that always holds.

        Parameters
        ----------
        repeats
            How often the same query is answered with fresh noise; 1 for reports of several attributes or
            steps, which are several releases already.
        epsilon
            Nats.
        pair
            Labels, v over w.

        Notes
        -----
        What composing says is right if the releases are independent given either label; on correlated data
        it is otherwise neither a bound nor an estimate.
        """
        laws, v, w = self._one(pair)
        if self._gaussian is not None:
            raise DomainError(
                "Several releases of Gaussian data are computed by gaussian_composition.",
                Where("parameter", name="repeats"),
            )
        return composition(laws, v, w, epsilon, repeats)

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one measure a row: ``measure``, ``exact``, ``bound`` and ``unit``.

        ``bound`` is what the leakage alone allows, NaN where it says nothing; ``attrs`` has the status of both.
        """
        named = [name for name in MEASURES if MEASURES[name].argument is None]
        rows: list[Measure] = []
        for name in named:
            if MEASURES[name].needs_prior and not self.has_prior:
                continue
            rows.append(MEASURES[name].of(self))
        bound: Any = None if self.determined else self.bounds()
        columns = {
            "measure": [one.name for one in rows],
            "exact": [one.value for one in rows],
            "bound": [float(getattr(bound, one.name, math.nan)) for one in rows],
            "unit": [one.unit for one in rows],
            "convention": [one.convention for one in rows],
        }
        return as_dataframe(columns, {"status": {"exact": "exact", "bound": "bound"}})

    def __repr__(self) -> str:
        many = len(self._cases)
        known = "" if many == 1 else f", {many:,} combinations of known values"
        return f"Meaning({self._about}{known})"


def _gaussian_information(one: GaussianAdversary, noise: Noise) -> float:
    """Return the mutual information of a Gaussian target and the release, in nats."""
    if one.determined:
        return 0.0
    through = one.coefficient * one.spread
    if isinstance(noise, GaussianNoise):
        return math.log1p(through**2 / (one.sigma0**2 + noise.scale**2)) / 2
    return _entropy(math.hypot(one.sigma0, through), noise.scale) - _entropy(one.sigma0, noise.scale)


def _entropy(spread: float, scale: float) -> float:
    """Return the differential entropy of Laplace noise and a normal spread together, in nats."""
    noise = NormalLaplaceNoise(scale, spread) if spread > 1e-8 * scale else LaplaceNoise(scale)
    weights, logs = MixtureLaws(noise, np.zeros(1), np.ones((1, 1))).nodes()
    return -float((weights * np.exp(logs[0])) @ logs[0])


@dataclass(frozen=True)
class _Kind:
    """A measure of all adversaries by name."""

    of: Callable[..., Any]
    #: The parameter it needs, or None.
    argument: str | None = None
    #: Whether it is a worst case over known values, or a mean.
    worst: bool = True
    needs_prior: bool = False


def _attribute(name: str) -> Callable[[Meaning], Measure]:
    return lambda meaning: getattr(meaning, name)  # type: ignore[no-any-return]


def _guess(part: str, name: str, unit: MeasureUnit) -> Callable[[Meaning], Measure]:
    def of(meaning: Meaning) -> Measure:
        value = getattr(meaning.vulnerability(), part)
        return Measure(name, unit, meaning.about, meaning._averaged, _ALVIM, value=float(value))

    return of


#: The measures that there is one number of for every adversary, by name.
MEASURES: Mapping[str, _Kind] = {
    "leakage": _Kind(lambda m: m.leakage),
    "delta": _Kind(lambda m, epsilon: float(m.delta(epsilon).values[0]), "epsilon"),
    "epsilon": _Kind(lambda m, delta: float(m.epsilon(delta).values[0]), "delta"),
    "advantage": _Kind(lambda m: m.advantage()),
    "balanced_guess": _Kind(lambda m: m.balanced_guess()),
    "auc": _Kind(lambda m: m.auc()),
    "equal_error": _Kind(lambda m: m.equal_error()),
    "kl": _Kind(lambda m: m.kl()),
    "renyi_divergence": _Kind(lambda m, order: float(m.renyi_divergence(order).values[0]), "order"),
    "chi_squared": _Kind(lambda m: m.chi_squared()),
    "squared_hellinger": _Kind(lambda m: m.squared_hellinger()),
    "maximal_leakage": _Kind(_attribute("maximal_leakage")),
    "bayes_capacity": _Kind(_attribute("bayes_capacity")),
    "bayes_security_worst": _Kind(_attribute("bayes_security_worst")),
    "largest_pointwise_leakage": _Kind(_attribute("largest_pointwise_leakage"), needs_prior=True),
    "prior_vulnerability": _Kind(_guess("prior", "prior_vulnerability", "chance"), None, False, True),
    "posterior_vulnerability": _Kind(
        _guess("posterior", "posterior_vulnerability", "chance"), None, False, True
    ),
    "guesses_before": _Kind(_guess("guesses_before", "guesses_before", "guesses"), None, False, True),
    "guesses_after": _Kind(_guess("guesses_after", "guesses_after", "guesses"), None, False, True),
    "mutual_information": _Kind(_attribute("mutual_information"), None, False, True),
    "expected_posterior": _Kind(_attribute("expected_posterior"), None, False, True),
}
