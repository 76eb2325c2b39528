"""What one adversary learns, in every measure that people judge it by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.chart import Chart
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.core.results import Figures, Result, plotted
from pdp_widgets.errors import AdversaryError, DomainError, Where
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.meaning.composition import Composition, composition
from pdp_widgets.leakage.meaning.figures import (
    ALARMS,
    Beliefs,
    budgets,
    guesses_chart,
    profile_chart,
    tests_chart,
)
from pdp_widgets.leakage.meaning.guessing import (
    Gain,
    Vulnerability,
    bayes_capacity,
    gain_vulnerability,
    largest_pointwise_leakage,
    pointwise_leakage,
    pointwise_tail,
    posterior_range,
    vulnerability,
    worst_advantage,
)
from pdp_widgets.leakage.meaning.information import (
    NATS_OR_MORE,
    LeakageBounds,
    chi_squared,
    expected_posteriors,
    gaussian_information,
    leakage_bounds,
    mutual_information,
    renyi,
    squared_hellinger,
)
from pdp_widgets.leakage.meaning.laws import BestTest, Laws
from pdp_widgets.leakage.meaning.sources import Case, gaussian_laws
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import About
from pdp_widgets.mechanisms.noise import LaplaceNoise, Noise
from pdp_widgets.models.amount import Status
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, short, shown

__all__ = [
    "MEASURES",
    "Known",
    "Meaning",
    "Measure",
    "MeasureCurve",
    "MeasureKind",
    "MeasureUnit",
    "arguments",
]

Floats = NDArray[np.float64]
Pair: TypeAlias = tuple[Any, Any]
#: Labels whose beliefs are drawn.
_MOST_BELIEFS = 20
#: Pairs of labels, in all cases, whose curves take a moment.
_MOST_PAIRS = 200
MeasureUnit: TypeAlias = Literal["nats", "chance", "guesses", "number"]
#: The known values are those of one row, the worst that can occur, or averaged over.
Known: TypeAlias = Literal["instance", "sup", "mean"]


@dataclass(frozen=True, eq=False)
class MeasureKind:
    """How one measure is computed; see `MEASURES`, which has them by name."""

    unit: MeasureUnit
    source: str
    #: Of two rows at some places, shape (k,): the worst of all ordered pairs counts.
    of_pair: Callable[[Laws, int, int, Floats], Any] | None = None
    #: Of all labels together.
    of_laws: Callable[[Laws, Floats], Any] | None = None
    #: What the places are: ``"epsilon"``, ``"delta"``, ``"alpha"``, ``"order"``, ``"level"`` or ``"r"``.
    argument: str | None = None
    #: Whether known values are averaged over; otherwise the worst count.
    averaged: bool = False
    #: Whether the smallest value is the worst.
    smallest: bool = False
    #: The value where there is nothing to learn.
    determined: Callable[[Floats], Any] = np.zeros_like


def _at_least(at: Floats) -> Floats:
    return np.maximum(-np.expm1(np.minimum(at, 0.0)), 0.0)


def _half(at: Floats) -> Floats:
    return np.full_like(at, 0.5)


def _advantage(laws: Laws, v: int, w: int, at: Floats) -> Floats:
    return laws.delta(v, w, np.zeros(1))


def _guesses(part: str) -> Callable[[Laws, Floats], float]:
    return lambda laws, _: float(getattr(vulnerability(laws), part))


_LI, _DONG, _BALLE = "Li, Ren, Yang and Yang, Eq. 2", "Dong, Roth and Su", "Balle and Wang"
_ALVIM, _SAEIDIAN = "Alvim and others", "Saeidian and others"

#: The measures by name; each is exact.
MEASURES: Mapping[str, MeasureKind] = {
    "leakage": MeasureKind("nats", _LI, lambda laws, v, w, _: laws.log_ratios[v, w]),
    "delta": MeasureKind(
        "chance",
        _BALLE,
        lambda laws, v, w, at: laws.delta(v, w, at),
        argument="epsilon",
        determined=_at_least,
    ),
    "epsilon": MeasureKind("nats", _BALLE, lambda laws, v, w, at: laws.epsilon(v, w, at), argument="delta"),
    # The chance that the loss of v over w is above a level, given v.
    "privacy_loss": MeasureKind(
        "chance",
        _BALLE,
        lambda laws, v, w, at: [one.power for one in laws.tests(w, v, np.exp(np.clip(at, -700, 700)))],
        argument="level",
    ),
    "trade_off": MeasureKind(
        "chance",
        _DONG,
        lambda laws, v, w, at: laws.trade_off(v, w, at),
        argument="alpha",
        smallest=True,
        determined=lambda at: 1 - at,
    ),
    "advantage": MeasureKind("chance", _DONG, _advantage),
    "balanced_guess": MeasureKind(
        "chance", _DONG, lambda *rows: (1 + _advantage(*rows)) / 2, determined=_half
    ),
    "auc": MeasureKind("chance", _DONG, lambda laws, v, w, _: laws.area(v, w), determined=_half),
    "equal_error": MeasureKind(
        "chance", _DONG, lambda laws, v, w, _: laws.equal_error(v, w), smallest=True, determined=_half
    ),
    "kl": MeasureKind("nats", "Kullback and Leibler", lambda laws, v, w, _: renyi(laws, v, w, np.ones(1))),
    "renyi_divergence": MeasureKind(
        "nats", "Pierquin and others", lambda laws, v, w, at: renyi(laws, v, w, at), argument="order"
    ),
    "chi_squared": MeasureKind("number", "Pearson", lambda laws, v, w, _: chi_squared(laws, v, w)),
    "squared_hellinger": MeasureKind(
        "chance", "Hellinger", lambda laws, v, w, _: squared_hellinger(laws, v, w)
    ),
    "bayes_capacity": MeasureKind(
        "number", _ALVIM, None, lambda laws, _: bayes_capacity(laws), determined=np.ones_like
    ),
    "maximal_leakage": MeasureKind(
        "nats", "Issa, Wagner and Kamath", None, lambda laws, _: math.log(bayes_capacity(laws))
    ),
    "bayes_security_worst": MeasureKind(
        "chance",
        "Chatzikokolakis and others",
        None,
        lambda laws, _: 1 - worst_advantage(laws),
        smallest=True,
        determined=np.ones_like,
    ),
    "pointwise_maximal_leakage": MeasureKind("nats", _SAEIDIAN, None, pointwise_leakage, "r"),
    # Processing what was released may raise it.
    "pointwise_tail": MeasureKind("chance", _SAEIDIAN, None, pointwise_tail, "level"),
    "largest_pointwise_leakage": MeasureKind(
        "nats", _SAEIDIAN, None, lambda laws, _: largest_pointwise_leakage(laws)
    ),
    "prior_vulnerability": MeasureKind("chance", _ALVIM, None, _guesses("prior"), averaged=True),
    "posterior_vulnerability": MeasureKind("chance", _ALVIM, None, _guesses("posterior"), averaged=True),
    "guesses_before": MeasureKind("guesses", _ALVIM, None, _guesses("guesses_before"), averaged=True),
    "guesses_after": MeasureKind("guesses", _ALVIM, None, _guesses("guesses_after"), averaged=True),
    "mutual_information": MeasureKind(
        "nats", "Shannon", None, lambda laws, _: mutual_information(laws), averaged=True
    ),
    "expected_posterior": MeasureKind(
        "chance", _ALVIM, None, lambda laws, _: laws.prior @ expected_posteriors(laws), averaged=True
    ),
}

_RANGES: Mapping[str, tuple[float, float]] = {
    "epsilon": (-math.inf, math.inf),
    "delta": (0, 1),
    "alpha": (0, 1),
    "order": (0, math.inf),
    "level": (-math.inf, math.inf),
    "r": (-math.inf, math.inf),
}


def arguments(name: str, **given: Any) -> tuple[MeasureKind, Floats]:
    """Return a measure by name with the places at which it is asked for, or raise DomainError."""
    kind = MEASURES[as_choice(name, "measure", MEASURES, DomainError)]
    for key, value in given.items():
        if value is not None and key != kind.argument:
            raise DomainError(f"The measure {name!r} takes no {key}.", Where("parameter", name=key))
    if kind.argument is None:
        return kind, np.zeros(())
    value = given.get(kind.argument)
    if value is None:
        raise DomainError(
            f"The measure {name!r} is asked for at some {kind.argument}; give {kind.argument}=.",
            Where("parameter", name=kind.argument),
        )
    at = as_sizes(value, kind.argument, DomainError, *_RANGES[kind.argument])
    if at.ndim > 1:
        raise DomainError(
            f"{kind.argument} has the shape {at.shape}; give one number or a list of numbers.",
            Where("parameter", name=kind.argument),
        )
    refused = {"epsilon": -math.inf, "order": 0.0}.get(kind.argument)
    if refused is not None and (at == refused).any():
        raise DomainError(
            f"{kind.argument} holds {refused:g}; its numbers must be above.",
            Where("parameter", name=kind.argument),
        )
    return kind, at


@dataclass(frozen=True)
class Measure:
    """One number that says what an adversary learns; ``float(measure)`` returns it.

    Parameters
    ----------
    name, value, unit
        What is measured, the number, and in what.
    about
        The adversary.
    convention
        ``"instance"``: the known values are those of one row. ``"sup"``: the worst that can occur.
        ``"mean"``: averaged over.
    source
        Whose definition it is.
    pair
        The ordered pair of labels it is about; None where it is the worst of all or about no pair.
    status
        ``"exact"`` or ``"bound"``.

    Examples
    --------
    >>> print(Measure("advantage", 0.5, "chance", About("Ann"), "instance", ""))
    advantage 0.5 chance (exact): Ann, knowing none
    """

    name: str
    value: float
    unit: MeasureUnit
    about: About
    convention: Known
    source: str
    pair: Pair | None = None
    status: Status = "exact"

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        unit = "" if self.unit == "number" else f" {self.unit}"
        return f"{self.name} {self.value:.6g}{unit} ({self.status}): {self.about}"


@dataclass(frozen=True, eq=False)
class MeasureCurve(EqualByFields, ReadOnlyArrays, NumberTable):
    """A measure at several places.

    Parameters
    ----------
    name, unit, about, convention, source, pair, status
        As for `Measure`.
    at
        Places, such as epsilons in nats or chances of a false alarm, shape (k,).
    values
        The numbers, shape (k,).

    Examples
    --------
    >>> from pdp_widgets.meaning import channel_laws
    >>> Meaning(channel_laws([[0.75, 0.25], [0.25, 0.75]])).delta([0.0, 1.0]).values.round(4).tolist()
    [0.5, 0.0704]
    """

    name: str
    at: Floats = field(repr=False)
    values: Floats
    unit: MeasureUnit
    about: About
    convention: Known
    source: str
    pair: Pair | None = None
    status: Status = "exact"

    def _numbers(self) -> Numbers:
        at = str(MEASURES[self.name].argument)
        about = {"unit": self.unit, "source": self.source, "status": {self.name: self.status}}
        return Numbers({at: self.at, self.name: self.values}, {at: "parameter", self.name: "number"}, about)


class Meaning(NumberTable, Result):
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
        guesses, mutual information) the mean over them, marked ``"mean"``. Without it ``"sup"`` for cases.
    promise
        What the release promises for the ratio of two labels, nats: figures show what it allows.

    Raises
    ------
    AdversaryError
        No known values can occur.
    BudgetError
        The promise is no number of nats.

    Notes
    -----
    Measures of two labels take a ``pair``: "v over w" has v in the numerator, tests decide for w against v.
    Without a pair the worst of all ordered pairs is given.

    Figures: ``"tests"``, ``"profile"`` and, where it is known how likely the labels are, ``"guesses"``; of
    one pair of labels with ``pair=``.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
    >>> joint = lsat6()
    >>> found = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).meaning("item 1")
    >>> print(found.measure("advantage"))
    advantage 0.347221 chance (exact): item 1, knowing none
    >>> found.delta([0.5, 1.0]).values.round(4).tolist()
    [0.1935, 0.0712]
    >>> found.vulnerability().posterior, [round(p, 3) for p in found.chance(1)]
    (0.924, [0.732, 0.978])
    """

    def __init__(
        self,
        laws: Laws | Iterable[Case],
        about: About | None = None,
        convention: Literal["instance", "sup"] | None = None,
        promise: float | None = None,
    ) -> None:
        one = isinstance(laws, Laws)
        self._cases = (Case((), 1.0, laws),) if isinstance(laws, Laws) else tuple(laws)
        if not self._cases:
            raise AdversaryError("No known values can occur.", Where("parameter", name="known"))
        self._about = About("the label") if about is None else about
        self._convention: Known = convention or ("instance" if one else "sup")
        self._gaussian: tuple[GaussianAdversary, Noise] | None = None
        self._promise = None if promise is None else NATS_OR_MORE.take(promise, "promise")

    @classmethod
    def of_gaussian(
        cls,
        one: GaussianAdversary,
        noise: Noise | None = None,
        distance: float | None = None,
        promise: float | None = None,
    ) -> Meaning:
        """Return what one adversary of Gaussian data learns, see `gaussian_laws`."""
        about = About(one.target, tuple((name, None) for name in one.known))
        made = cls(gaussian_laws(one, noise, distance), about, "sup", promise)
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
    def promise(self) -> float | None:
        """What the release promises for the ratio of two labels, in nats, or None."""
        return self._promise

    @property
    def determined(self) -> bool:
        """Whether all known values leave the target one label: nothing is to be learned."""
        return all(case.laws.determined for case in self._cases)

    @property
    def has_prior(self) -> bool:
        """Whether it is known how likely the labels are, which guesses and information need."""
        return all(case.laws.has_prior for case in self._cases)

    @property
    def labels(self) -> dict[int, Any]:
        """Labels of the target that can occur with some known values, by their place among all."""
        laws = [case.laws for case in self._cases]
        found = {p: label for one in laws for p, label in zip(one.places, one.labels, strict=True)}
        return {place: found[place] for place in sorted(found)}

    def measure(
        self,
        name: str,
        pair: Pair | None = None,
        *,
        epsilon: ArrayLike | None = None,
        delta: ArrayLike | None = None,
        alpha: ArrayLike | None = None,
        order: ArrayLike | None = None,
        level: ArrayLike | None = None,
        r: ArrayLike | None = None,
    ) -> Any:
        """Return a measure by name.

        Parameters
        ----------
        name
            Of two labels: ``"leakage"``, ``"delta"``, ``"epsilon"``, ``"privacy_loss"``, ``"trade_off"``,
            ``"advantage"``, ``"balanced_guess"``, ``"auc"``, ``"equal_error"``, ``"kl"``,
            ``"renyi_divergence"``, ``"chi_squared"``, ``"squared_hellinger"``. Of all:
            ``"bayes_capacity"``, ``"maximal_leakage"``, ``"bayes_security_worst"``,
            ``"pointwise_maximal_leakage"``, ``"pointwise_tail"``, ``"largest_pointwise_leakage"``,
            ``"prior_vulnerability"``, ``"posterior_vulnerability"``, ``"guesses_before"``,
            ``"guesses_after"``, ``"mutual_information"``, ``"expected_posterior"``.
        pair
            Labels (v, w), for measures of two labels; without it the worst of all ordered pairs.
        epsilon, delta, alpha, order, level, r
            The places at which ``"delta"``, ``"epsilon"``, ``"trade_off"``, ``"renyi_divergence"``,
            ``"privacy_loss"`` and ``"pointwise_tail"``, and ``"pointwise_maximal_leakage"`` are asked for:
            one number, or several.

        Returns
        -------
        measure
            A `Measure`, or a `MeasureCurve` where several numbers are asked for.

        Raises
        ------
        DomainError
            There is no such measure, or it lacks its argument, or that is out of range.
        AdversaryError
            A label of the pair cannot occur.
        TableError
            It is not known how likely the labels are, and the measure needs that.
        """
        kind, at = arguments(name, epsilon=epsilon, delta=delta, alpha=alpha, order=order, level=level, r=r)
        values = self._values(kind, pair, np.atleast_1d(at))
        convention: Known = "mean" if kind.averaged and self._convention == "sup" else self._convention
        described = kind.unit, self._about, convention, kind.source, pair
        if at.ndim:
            return MeasureCurve(name, at, values, *described)
        return Measure(name, float(values[0]), *described)

    def _values(self, kind: MeasureKind, pair: Pair | None, at: Floats) -> Floats:
        """Return a measure at every place: the worst, or the mean over known values."""
        if kind.of_pair is not None:
            found = [kind.of_pair(*rows, at) for rows in self._pairs(pair)]
            if pair is None:
                found.append(kind.determined(at))
        else:
            assert kind.of_laws is not None
            if pair is not None:
                raise DomainError("The measure is about no pair of labels.", Where("parameter", name="pair"))
            if self._gaussian is not None and kind is MEASURES["mutual_information"]:
                return np.array([gaussian_information(*self._gaussian)])
            found = [kind.of_laws(case.laws, at) for case in self._cases]
        values = np.array([np.broadcast_to(one, at.shape) for one in found])
        if kind.averaged:
            return np.average(values, axis=0, weights=[case.chance for case in self._cases])
        return np.asarray(values.min(axis=0) if kind.smallest else values.max(axis=0))

    def _pairs(self, pair: Pair | None) -> list[tuple[Laws, int, int]]:
        """Return the rows that are compared, of every case in which they can occur."""
        if pair is None:
            return [(case.laws, v, w) for case in self._cases for v, w in case.laws.ordered_pairs]
        v, w = self._listed(pair)
        rows = [(case.laws, case.laws.row_of(v), case.laws.row_of(w)) for case in self._cases]
        found = [(laws, v, w) for laws, v, w in rows if v is not None and w is not None]
        if not found:
            raise AdversaryError(
                f"The labels {shown(pair)} cannot both occur with any known values.",
                Where("parameter", name="pair"),
            )
        return found

    def _listed(self, pair: Any) -> Pair:
        listed = tuple(pair) if isinstance(pair, tuple | list) else ()
        possible = [any(case.laws.row_of(one) is not None for case in self._cases) for one in listed]
        if possible != [True, True] or listed[0] == listed[1]:
            raise AdversaryError(
                f"The pair is {shown(pair)}; give two different labels that can occur with the known values: "
                f"{', '.join(map(shown, self.labels.values()))}.",
                Where("parameter", name="pair"),
            )
        return listed[0], listed[1]

    def _one(self) -> Laws:
        if len(self._cases) > 1:
            raise AdversaryError(
                "There are several combinations of known values; take an analysis of one row.",
                Where("parameter", name="known"),
            )
        return self._cases[0].laws

    # Of two labels

    @property
    def leakage(self) -> Measure:
        """The largest log ratio over all ordered pairs of labels, in nats."""
        return self.measure("leakage")  # type: ignore[no-any-return]

    def delta(self, epsilon: ArrayLike, pair: Pair | None = None) -> Any:
        """Return the privacy profile: the slack at every epsilon, in nats and of any sign.

        The largest of P_v(S) - exp(epsilon) P_w(S) over all sets of outputs S (hockey-stick divergence; Balle
        and Wang, "Improving the Gaussian mechanism for differential privacy", 2018). It is no probability of
        failure. At infinity it is the chance of an output that rules w out.
        """
        return self.measure("delta", pair, epsilon=epsilon)

    def epsilon(self, delta: ArrayLike, pair: Pair | None = None) -> Any:
        """Return the smallest epsilon, 0 or more, at every slack, in nats; infinite where none is enough."""
        return self.measure("epsilon", pair, delta=delta)

    def trade_off(self, alpha: ArrayLike, pair: Pair | None = None) -> Any:
        """Return the least chance of missing w at every chance of a false alarm.

        Dong, Roth and Su, "Gaussian differential privacy" (2022).
        """
        return self.measure("trade_off", pair, alpha=alpha)

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
        self._one()
        laws, v, w = self._pairs(pair)[0]
        return laws.tests(v, w, at)

    def roc(self, pair: Pair) -> tuple[Floats, Floats]:
        """Return points of the curve of all best tests: false alarms ascending, and powers."""
        self._one()
        laws, v, w = self._pairs(pair)[0]
        return laws.roc(v, w)

    def ends(self, pair: Pair) -> tuple[float | None, float | None]:
        """Return the limits of the log ratio for releases far out to the left and to the right, or None."""
        self._one()
        laws, v, w = self._pairs(pair)[0]
        return laws.largest_log(np.eye(laws.many)[v], np.eye(laws.many)[w])[1:]

    # Of all labels

    def vulnerability(self) -> Vulnerability:
        """Return the chance of guessing the label right and the guesses it takes, before and after.

        Bayes vulnerability (Alvim and others, "The Science of Quantitative Information Flow", 2020). With
        several known values means over them; ratios are formed of the means. The chance may stay the same
        although much leaks, where the best guess does not change: see `chance`.
        """
        names = "prior_vulnerability", "posterior_vulnerability", "guesses_before", "guesses_after"
        return Vulnerability(*(float(self.measure(name)) for name in names))

    def gain(self, gain: ArrayLike) -> Gain:
        """Return the expected gain of the best guess before and after (g-vulnerability).

        Parameters
        ----------
        gain
            A row for each guess, a column for each label of the target, those that cannot occur among them.
        """
        found = [gain_vulnerability(case.laws, gain) for case in self._cases]
        chances = [case.chance for case in self._cases]
        before, after = (
            float(np.average([getattr(one, part) for one in found], weights=chances))
            for part in ("prior", "posterior")
        )
        return Gain(before, after)

    def chance(self, label: Any) -> tuple[float, float]:
        """Return between which chances a label may lie after the release, over all known values."""
        rows = [(case.laws, case.laws.row_of(label)) for case in self._cases]
        found = [posterior_range(laws, row) for laws, row in rows if row is not None]
        if not found:
            raise AdversaryError(
                f"The label {shown(label)} cannot occur with the known values.",
                Where("parameter", name="label"),
            )
        return min(low for low, _ in found), max(high for _, high in found)

    def expected_posteriors(self) -> list[float | None]:
        """Return the expected chance of every true label after the release, None if it cannot occur."""
        laws = self._one()
        found: list[float | None] = [None] * laws.size
        for place, value in zip(laws.places, expected_posteriors(laws), strict=True):
            found[place] = float(value)
        return found

    # What the leakage alone says, and several releases

    def bounds(self) -> LeakageBounds:
        """Return what the leakage alone bounds, at the given prior or, without one, a uniform one."""
        laws = max((case.laws for case in self._cases), key=lambda one: float(one.log_ratios.max()))
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
        self._one()
        if self._gaussian is not None:
            raise DomainError(
                "Several releases of Gaussian data are computed by gaussian_composition.",
                Where("parameter", name="repeats"),
            )
        return composition(*self._pairs(pair)[0], epsilon, repeats)

    def plot(self, part: str = "tests", pair: Pair | None = None) -> Any:
        """Return a bqplot figure.

        Parameters
        ----------
        part
            ``"tests"``: what the best test finds by its false alarms. ``"profile"``: the slack by budget.
            ``"guesses"``: beliefs before and after the release, where it is known how likely labels are.
        pair
            Two labels, v over w; without it the worst of all ordered pairs.

        Raises
        ------
        DomainError
            There is no such part.

        Examples
        --------
        >>> from pdp_widgets.meaning import channel_laws
        >>> Meaning(channel_laws([[0.75, 0.25], [0.25, 0.75]]), promise=1.2).plot("profile").title
        'How much lies beyond a budget'
        """
        figures = self._figures(pair)
        return plotted(figures[as_choice(part, "part", figures, DomainError)]())

    def _figures(self, pair: Pair | None = None) -> Figures:
        """Return its charts: of a pair of labels or, without one, of the worst of all."""
        of = "the worst of all pairs" if pair is None else " over ".join(map(shown, self._listed(pair)))
        note = f"{self._about}; {of}"
        made = {
            "tests": lambda: tests_chart(self.trade_off(ALARMS, pair).values, self._promise, note),
            "profile": lambda: self._profile(pair, note),
        }
        return {**made, "guesses": self._guesses} if self.has_prior and not self.determined else made

    def _repr_html_(self) -> str | None:
        # Curves of many pairs take seconds: what a cell shows unasked is then the text.
        pairs = sum(len(case.laws.ordered_pairs) for case in self._cases)
        return super()._repr_html_() if pairs <= _MOST_PAIRS else None

    def _profile(self, pair: Pair | None, note: str) -> Chart:
        leakage = float(self.measure("leakage", pair))
        at = budgets(leakage, self._promise)
        return profile_chart(at, self.delta(at, pair).values, leakage, self._promise, note)

    def _guesses(self) -> Chart:
        guessed = self.vulnerability()
        rows = [Beliefs("the best guess is right", guessed.prior, guessed.posterior)]
        note = f"{self._about}; after the release the mean belief in a label where it is the true one"
        if len(self._cases) == 1:
            laws = self._cases[0].laws
            means = expected_posteriors(laws)
            likeliest = sorted(np.argsort(-laws.prior, kind="stable")[:_MOST_BELIEFS].tolist())
            rows += [
                Beliefs(short(laws.labels[v]), laws.prior[v], means[v], *self.chance(laws.labels[v]))
                for v in likeliest
            ]
            if len(likeliest) < laws.many:
                note += f"; the {_MOST_BELIEFS} likeliest of {laws.many} labels"
        return guesses_chart(rows, note)

    def _numbers(self) -> Numbers:
        """Return one measure a row, beside it what the leakage alone allows, NaN where it says nothing."""
        simple = [name for name, kind in MEASURES.items() if kind.argument is None]
        rows = [
            self.measure(name)
            for name in simple
            if self.has_prior or not (MEASURES[name].averaged or name == "largest_pointwise_leakage")
        ]
        bound: Any = None if self.determined else self.bounds()
        columns = {
            "measure": [one.name for one in rows],
            "exact": [one.value for one in rows],
            # The mean of a measure is not bounded by the largest leakage at the prior where that is reached.
            "bound": [
                math.nan if one.convention == "mean" else float(getattr(bound, one.name, math.nan))
                for one in rows
            ],
            "unit": [one.unit for one in rows],
            "convention": [one.convention for one in rows],
            "source": [one.source for one in rows],
        }
        source = "; ".join(dict.fromkeys(one.source for one in rows))
        return Numbers(
            columns,
            {"measure": "text", "exact": "number", "bound": "upper", "unit": "text"},
            {"unit": "that of each row", "source": source, "status": {"exact": "exact", "bound": "bound"}},
            noun="measure",
        )

    def __repr__(self) -> str:
        many = len(self._cases)
        known = "" if many == 1 else f", {many:,} combinations of known values"
        return f"Meaning({self._about}{known})"
