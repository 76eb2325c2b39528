"""The example of two symbols: what two releases leak together, and what bounded noise allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON, PROBABILITY
from pdp_widgets.core.chart import Axis, Chart, curves
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.core.results import Figures, Result, plotted
from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.leakage.sequence.sequence_leakage import SequenceLeakage, sequence_leakage
from pdp_widgets.leakage.sequence.step_leakage import SOURCE
from pdp_widgets.leakage.sequence.stream_source import FirstOrderSource
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyAgain
from pdp_widgets.models.labels import as_choice

Floats = NDArray[np.float64]
Kind = Callable[[float], SequenceMechanism]
#: What a figure has up, by the name of the attribute: its title and its axis.
_DRAWN = {
    "noise_correlation": ("How errors are correlated", "correlation of the errors"),
    "noise_information": ("What one error says about the other", "mutual information, nats"),
    "noise_2": ("How often the second release is wrong", "probability"),
    "leakage": ("What both releases leak", "leakage, nats"),
}


@dataclass(frozen=True)
class TwoPoints(ReadOnlyAgain):
    """Two answers of 0 or 1; the second differs from the first with some probability.

    Parameters
    ----------
    p1
        Probability that the first answer is 1.
    phi
        Probability that the second one differs from it.
    epsilon_1, epsilon_2
        The budgets of the two releases, in nats.
    kind
        The mechanism of both releases, by its class: called with a budget.

    Notes
    -----
    Example 1 of the paper, with conditional response as printed. It breaks its promise where an answer is
    rare; ``kind=BinaryOptimum`` is the least noise that keeps it. The standard deviation of the paper's
    appendix lacks its square root; `noise_correlation` has it, and `printed_noise_correlation` has not.

    Examples
    --------
    >>> found = TwoPoints(0.5, 0.1, 1.0, 1.0)
    >>> round(found.data_correlation, 3), round(found.noise_correlation, 5), round(found.noise_2, 5)
    (0.8, 0.16775, 0.1369)
    >>> round(float(found.leakage), 3), found.leakage.per_step.round(3).tolist()
    (2.0, [1.0, 1.073])
    """

    p1: float
    phi: float
    epsilon_1: float
    epsilon_2: float
    kind: Kind = ConditionalResponse

    def __post_init__(self) -> None:
        object.__setattr__(self, "p1", PROBABILITY.take(self.p1, "p1"))
        object.__setattr__(self, "phi", PROBABILITY.take(self.phi, "phi"))
        object.__setattr__(self, "epsilon_1", EPSILON.take(self.epsilon_1, "epsilon_1"))
        object.__setattr__(self, "epsilon_2", EPSILON.take(self.epsilon_2, "epsilon_2"))

    @property
    def source(self) -> FirstOrderSource:
        """The law of the two answers."""
        start = np.array([1 - self.p1, self.p1])
        moves = np.array([[1 - self.phi, self.phi], [self.phi, 1 - self.phi]])
        return FirstOrderSource(start, moves)

    @property
    def data_correlation(self) -> float:
        """Correlation of the two answers (Eq. 16); NaN where one of them is certain."""
        second = float(self.source.start @ self.source.transitions[:, 1])
        spread = sqrt(self.p1 * (1 - self.p1)) * sqrt(second * (1 - second))
        return (1 - 2 * self.phi) * self.p1 * (1 - self.p1) / spread if spread > 0 else nan

    @cached_property
    def beliefs(self) -> Floats:
        """Belief in the second answer after each release of the first one: rows are releases, read-only.

        A row is NaN where that release cannot occur.
        """
        source = self.source
        first = self.kind(self.epsilon_1).matrices(source.start[None])[0]
        joint = source.start[:, None] * first
        law = joint.sum(axis=0)
        posterior = np.full((2, 2), nan)
        posterior[law > 0] = (joint[:, law > 0] / law[law > 0]).T
        found = posterior @ source.transitions
        found.setflags(write=False)
        return found

    @cached_property
    def joint(self) -> Floats:
        """Probability of both answers and both releases, axes (x1, y1, x2, y2), read-only."""
        source = self.source
        first = self.kind(self.epsilon_1).matrices(source.start[None])[0]
        possible = ~np.isnan(self.beliefs[:, 0])
        second = np.full((2, 2, 2), 0.5)
        second[possible] = self.kind(self.epsilon_2).matrices(self.beliefs[possible])
        found: Floats = np.einsum("a,ab,ac,bcd->abcd", source.start, first, source.transitions, second)
        found.setflags(write=False)
        return found

    @cached_property
    def noise(self) -> Floats:
        """Probability of the two errors together, axes (first release wrong, second one wrong), read-only."""
        wrong = np.zeros((2, 2))
        for (x1, y1, x2, y2), chance in np.ndenumerate(self.joint):
            wrong[int(x1 != y1), int(x2 != y2)] += chance
        wrong.setflags(write=False)
        return wrong

    @property
    def noise_1(self) -> float:
        """Probability that the first release is wrong."""
        return float(self.noise[1].sum())

    @property
    def noise_2(self) -> float:
        """Probability that the second release is wrong."""
        return float(self.noise[:, 1].sum())

    @property
    def both_wrong(self) -> float:
        """Probability that both releases are wrong."""
        return float(self.noise[1, 1])

    @property
    def noise_correlation(self) -> float:
        """Correlation of the two errors; NaN where one of them is certain."""
        spread = sqrt(self._variance(self.noise_1)) * sqrt(self._variance(self.noise_2))
        return (self.both_wrong - self.noise_1 * self.noise_2) / spread if spread > 0 else nan

    @property
    def printed_noise_correlation(self) -> float:
        """The same with the standard deviations as printed, which are variances: no correlation at all."""
        spread = self._variance(self.noise_1) * self._variance(self.noise_2)
        return (self.both_wrong - self.noise_1 * self.noise_2) / spread if spread > 0 else nan

    @property
    def noise_information(self) -> float:
        """Mutual information of the two errors, in nats."""
        law = np.outer(self.noise.sum(axis=1), self.noise.sum(axis=0))
        seen = self.noise > 0
        return max(0.0, float((self.noise[seen] * np.log(self.noise[seen] / law[seen])).sum()))

    @cached_property
    def leakage(self) -> SequenceLeakage:
        """What the releases leak, together and one by one."""
        return sequence_leakage(self.source, [self.kind(self.epsilon_1), self.kind(self.epsilon_2)], 2)

    @staticmethod
    def _variance(share: float) -> float:
        return max(0.0, share * (1 - share))


@dataclass(frozen=True, eq=False)
class TwoPointsCurve(EqualByFields, Result, NumberTable):
    """The two-point example for several correlations.

    Its tables have one correlation a row; ``IIL 1`` and ``IIL 2`` are what each step leaks at most.

    Parameters
    ----------
    points
        One example for each, by ascending ``phi``.

    Notes
    -----
    Its figure is ``"curves"``: the correlation of the errors, what one says about the other, and how often
    the second release is wrong, by the correlation of the data.

    Examples
    --------
    >>> from pdp_widgets.streams import two_points_curve
    >>> two_points_curve(0.5, phis=[0.1, 0.5]).values("noise_2").round(4).tolist()
    [0.1369, 0.1839]
    """

    points: tuple[TwoPoints, ...]

    def values(self, name: str) -> Floats:
        """Return one number of every point by the name of its attribute."""
        return np.array([float(getattr(point, name)) for point in self.points])

    def _numbers(self) -> Numbers:
        written: dict[str, Written] = {
            "phi": "probability",
            "data_correlation": "number",
            "noise_correlation": "number",
            "noise_information": "nats",
            "noise_1": "probability",
            "noise_2": "probability",
            "leakage": "nats",
        }
        each = {f"IIL {k + 1}": [point.leakage.per_step[k] for point in self.points] for k in range(2)}
        return Numbers(
            {name: self.values(name) for name in written} | each,
            written,
            {"unit": "nats", "source": SOURCE, "status": {"leakage": "exact"}},
        )

    def plot(self, value: str = "noise_correlation") -> Any:
        """Return a bqplot figure: the correlation of the data across.

        Parameters
        ----------
        value
            What goes up: ``"noise_correlation"``, ``"noise_information"``, ``"noise_2"`` or ``"leakage"``.
        """
        return plotted(self._chart(as_choice(value, "value", _DRAWN)))

    def _figures(self) -> Figures:
        return {"curves": lambda: [self._chart(name) for name in _DRAWN if name != "leakage"]}

    def _chart(self, value: str) -> Chart:
        across = self.values("data_correlation")
        order = np.argsort(across)[: int(np.isfinite(across).sum())]
        if not order.size:
            raise DomainError(
                "The first answer is certain: there is no correlation to draw.", Where("parameter", name="p1")
            )
        first = self.points[0]
        named = str(getattr(first.kind(first.epsilon_2), "label", "exact"))
        title, up = _DRAWN[value]
        drawn = curves(across[order], [(named, self.values(value)[order])])
        return Chart(title, drawn, Axis("correlation of the data"), Axis(up), note=f"{named}; exact.")


def two_points_curve(
    p1: float = 0.5,
    epsilon_1: float = 1.0,
    epsilon_2: float = 1.0,
    phis: ArrayLike | None = None,
    kind: Kind = ConditionalResponse,
) -> TwoPointsCurve:
    """Return the two-point example for several probabilities of a change.

    Parameters
    ----------
    p1, epsilon_1, epsilon_2, kind
        As for `TwoPoints`.
    phis
        Probabilities that the second answer differs from the first; without them 101 from 0 to 1.

    Examples
    --------
    >>> found = two_points_curve(0.5, phis=[0, 0.5, 1])
    >>> found.values("data_correlation").tolist(), found.values("noise_2").round(3).tolist()
    ([1.0, 0.0, -1.0], [0.11, 0.184, 0.11])
    """
    where = Where("parameter", name="phis")
    refuse_masked(phis, "phis")
    try:
        levels = np.linspace(0, 1, 101) if phis is None else np.atleast_1d(plain_numbers(phis))
    except (TypeError, ValueError, OverflowError):
        raise BudgetError("phis holds something that is no number.", where) from None
    if levels.ndim != 1:
        raise BudgetError(f"phis has {levels.ndim} axes; give one row of probabilities.", where)
    return TwoPointsCurve(
        tuple(TwoPoints(p1, float(phi), epsilon_1, epsilon_2, kind) for phi in np.sort(levels))
    )


_LARGEST = 700.0


@dataclass(frozen=True)
class NoiseBound:
    """Least budgets of the second release, in nats, for errors with probability eta at most.

    The first release is conditional response with its budget. The paper draws the curve and defines it
    nowhere; this is the definition used here.

    Parameters
    ----------
    epsilon_1
        The budget of the first release.
    eta
        The largest probability of an error of the second release.
    correlated_printed
        With the belief after the first release, by conditional response as printed.
    correlated_private
        The same by the least noise that keeps its budget.
    independent_printed
        For someone who does not use the first release, by conditional response as printed.
    independent_private
        The same by the least noise that keeps its budget.
    printed_keeps
        Whether conditional response keeps the budget ``correlated_printed`` after either first release.

    Examples
    --------
    >>> found = noise_bound(0.5, 0.02, 1.0, 0.12)
    >>> round(found.correlated_printed, 3), round(found.correlated_private, 3), found.printed_keeps
    (0.968, 1.224, False)
    """

    epsilon_1: float
    eta: float
    correlated_printed: float
    correlated_private: float
    independent_printed: float
    independent_private: float
    printed_keeps: bool

    @property
    def total_correlated(self) -> float:
        """Both budgets, with the belief after the first release, as printed."""
        return self.epsilon_1 + self.correlated_printed

    @property
    def total_independent(self) -> float:
        """Both budgets, without using the first release, as printed."""
        return self.epsilon_1 + self.independent_printed


def noise_bound(p1: float, phi: float, epsilon_1: float, eta: float) -> NoiseBound:
    """Return the least budgets of the second release.

    Parameters
    ----------
    p1, phi, epsilon_1
        As for `TwoPoints`.
    eta
        The largest probability of an error of the second release.

    Examples
    --------
    >>> from pdp_widgets.streams import noise_bound
    >>> round(noise_bound(0.5, 0.1, 1.0, 0.1).total_correlated, 4)
    2.3141
    """
    most = PROBABILITY.take(eta, "eta")
    example = TwoPoints(p1, phi, epsilon_1, 0.0)
    possible = ~np.isnan(example.beliefs[:, 0])
    weights = example.joint.sum(axis=(0, 2, 3))[possible]
    after = example.beliefs[possible, 1]
    alone = np.array([float(example.source.start @ example.source.transitions[:, 1])])
    printed = _printed(weights, after, most)
    mechanism = ConditionalResponse(printed)
    return NoiseBound(
        example.epsilon_1,
        most,
        printed,
        _private(weights, after, most),
        _printed(np.ones(1), alone, most),
        _private(np.ones(1), alone, most),
        all(mechanism.valid([1 - belief, belief]) for belief in after.tolist()),
    )


def _printed(weights: Floats, beliefs: Floats, most: float) -> float:
    """Return the budget at which conditional response errs with the given probability at most."""
    noise = float(weights @ (2 * beliefs * (1 - beliefs)))
    if noise <= most:
        return 0.0
    return log(noise / most) if most > 0 else inf


def _private(weights: Floats, beliefs: Floats, most: float) -> float:
    """Return the budget at which the best private release errs with the given probability at most."""

    def noise(epsilon: float) -> float:
        return float(sum(w * _least_noise(b, epsilon) for w, b in zip(weights, beliefs, strict=True)))

    if noise(0.0) <= most:
        return 0.0
    if noise(_LARGEST) > most:
        return inf
    low, high = 0.0, 1.0
    while noise(high) > most:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if noise(middle) <= most else (middle, high)
    return high


def _least_noise(belief: float, epsilon: float) -> float:
    """Return the least probability of an error for two symbols."""
    # Written out: bisection asks for thousands of budgets at the same beliefs.
    minor, weight = min(belief, 1 - belief), exp(-epsilon)
    if minor <= weight / 2:
        return minor
    if minor < weight / (1 + weight):
        return (weight - minor * (1 - weight)) / (1 + weight)
    return 2 * minor * (1 - minor) * weight
