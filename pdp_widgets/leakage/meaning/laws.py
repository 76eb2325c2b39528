"""What one adversary sees: the law of the release for every label of the target that can still occur.

A law is a row of a finite channel, or a mixture of shifted kernels (see `mixtures`). Both answer the same
questions, all that the measures ask: the best test between two labels, the largest log ratio, how laws split
the outputs between them, and where to sum over outputs.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import as_sizes
from pdp_widgets.errors import AdversaryError, TableError, Where
from pdp_widgets.mechanisms.noise import DiscreteGaussianNoise, IntegerNoise, Noise, log_sum_exp
from pdp_widgets.models.labels import shown

__all__ = [
    "BestTest",
    "ChannelLaws",
    "LatticeLaws",
    "Laws",
    "as_prior",
    "as_stochastic_rows",
    "channel_laws",
    "crossed",
]

Floats = NDArray[np.float64]

_ROUNDING = 1e-9
TIE = 1e-13
#: A slack that equals the mass of infinite loss but for this is that mass.
_SAME_DELTA = 1e-12


@dataclass(frozen=True)
class BestTest:
    """The likelihood-ratio test of "the label is w" against "it is v" at one threshold.

    Parameters
    ----------
    threshold
        Decide for w where its density is more than so many times that of v.
    region
        Where that is: intervals of released numbers, or the outputs themselves; of noise on the integers
        runs of them, from the first to the last, infinite where they reach the end.
    false_alarm
        Chance of deciding for w when the label is v (type I error).
    power
        Chance of deciding for w when it is w; the rest is missed.
    tie_null, tie_alternative
        Chances of an output where the ratio equals the threshold, given v and given w: there a best test
        may decide by chance.

    Examples
    --------
    >>> from pdp_widgets.meaning import Meaning, channel_laws
    >>> test = Meaning(channel_laws([[0.75, 0.25], [0.25, 0.75]])).tests(1.0, (0, 1))[0]
    >>> test.region, test.false_alarm, test.missed
    ((1,), 0.25, 0.25)
    """

    threshold: float
    region: tuple[Any, ...]
    false_alarm: float
    power: float
    tie_null: float
    tie_alternative: float

    @property
    def missed(self) -> float:
        """Chance of deciding for v when the label is w (type II error)."""
        return 1 - self.power


def as_stochastic_rows(values: Any, what: str) -> Floats:
    """Return probabilities in rows, or raise TableError; a row of zeros stands for a label that cannot be."""
    rows = as_sizes(values, what, TableError, 0, 1 + _ROUNDING)
    if rows.ndim != 2 or not rows.size:
        raise TableError(f"{what} has the shape {rows.shape}; give one row for each label.")
    sums = rows.sum(axis=1)
    wrong = (np.abs(sums - 1) > _ROUNDING) & (sums != 0)
    if wrong.any():
        row = int(wrong.argmax())
        raise TableError(
            f"Row {row} of {what} sums to {sums[row]:.12g}; the probabilities of a row sum to 1.",
            Where("row", index=(row,)),
        )
    return rows


def as_prior(prior: Any, many: int | None = None) -> Floats:
    """Return the probabilities of the labels, or raise TableError."""
    given = as_sizes(prior, "prior", TableError, 0, 1 + _ROUNDING)
    if given.ndim != 1 or (many is not None and given.size != many):
        raise TableError(
            f"The prior has the shape {given.shape}; give one number for each label.",
            Where("parameter", name="prior"),
        )
    if abs(float(given.sum()) - 1) > _ROUNDING:
        raise TableError(
            f"The prior sums to {given.sum():.12g}; probabilities sum to 1.",
            Where("parameter", name="prior"),
        )
    return given


def _names(labels: Sequence[Any] | None, many: int) -> tuple[Any, ...]:
    """Return one different name for each row, its position where there are none."""
    if labels is None:
        return tuple(range(many))
    listed = tuple(labels)
    if len(listed) != many or len(set(listed)) != many:
        raise TableError(
            f"The labels are {shown(list(listed))} for {many} rows; give a different one for each.",
            Where("parameter", name="labels"),
        )
    return listed


class Laws(ABC):
    """The laws of the release given every feasible label of the target, and how likely the labels are."""

    #: Feasible labels, and their places among all labels of the target.
    labels: tuple[Any, ...]
    places: tuple[int, ...]
    #: How many labels the target has.
    size: int
    _prior: Floats | None

    def _keep(self, rows: Floats, prior: Any, labels: Sequence[Any] | None) -> NDArray[np.bool_]:
        """Take labels and prior; return which rows belong to labels that can occur."""
        self.size = len(rows)
        every = _names(labels, self.size)
        given = None if prior is None else as_prior(prior, self.size)
        kept = rows.any(axis=1) if given is None else rows.any(axis=1) & (given > 0)
        if not kept.any():
            raise AdversaryError("No label of the target can occur.", Where("parameter", name="prior"))
        self.places = tuple(int(k) for k in np.flatnonzero(kept))
        self.labels = tuple(every[k] for k in self.places)
        self._prior = None if given is None else given[kept] / given[kept].sum()
        return np.asarray(kept)

    @property
    def many(self) -> int:
        """Number of feasible labels."""
        return len(self.labels)

    @property
    def determined(self) -> bool:
        """Whether one label is left: nothing is to be learned."""
        return self.many < 2

    @property
    def has_prior(self) -> bool:
        """Whether it is known how likely the labels are."""
        return self._prior is not None

    @property
    def prior(self) -> Floats:
        """How likely the feasible labels are before the release.

        Raises
        ------
        TableError
            No prior was given.
        """
        if self._prior is None:
            raise TableError(
                "This measure needs to know how likely the labels are; give a prior.",
                Where("parameter", name="prior"),
            )
        return self._prior

    @property
    def ordered_pairs(self) -> list[tuple[int, int]]:
        """All ordered pairs of different rows."""
        return [(v, w) for v in range(self.many) for w in range(self.many) if v != w]

    def row_of(self, label: Any) -> int | None:
        """Return the row of a label, or None where it cannot occur; True is not 1."""
        flag = isinstance(label, bool | np.bool_)
        if not isinstance(label, np.ndarray):
            for row, one in enumerate(self.labels):
                if one == label and isinstance(one, bool | np.bool_) == flag:
                    return row
        return None

    # What measures ask

    @abstractmethod
    def delta(self, v: int, w: int, epsilons: Floats) -> Floats:
        """Return the slack of row v over row w at every epsilon."""

    @abstractmethod
    def epsilon(self, v: int, w: int, deltas: Floats) -> Floats:
        """Return the smallest epsilon, 0 or more, at every slack of row v over row w."""

    @abstractmethod
    def trade_off(self, v: int, w: int, alphas: Floats) -> Floats:
        """Return the least chance of missing w at every chance of a false alarm under v."""

    @abstractmethod
    def tests(self, v: int, w: int, thresholds: Floats) -> list[BestTest]:
        """Return the likelihood-ratio tests of w against v."""

    @abstractmethod
    def roc(self, v: int, w: int) -> tuple[Floats, Floats]:
        """Return false alarms, ascending, and powers on the curve of all best tests."""

    @abstractmethod
    def area(self, v: int, w: int) -> float:
        """Return the area under that curve."""

    @abstractmethod
    def equal_error(self, v: int, w: int) -> float:
        """Return the error that is the same of both kinds."""

    @abstractmethod
    def largest_log(self, above: Floats, below: Floats) -> tuple[float, float | None, float | None]:
        """Return the supremum of a log ratio of mixtures of rows, and its limits at both ends or None."""

    @abstractmethod
    def pieces(self, rows: Floats) -> Floats:
        """Return masses of outputs, shape (m, P), on pieces where no given mixture of rows changes sign."""

    @abstractmethod
    def nodes(self, order: float = 1.0) -> tuple[Floats, Floats]:
        """Return weights and log densities, shape (m, N), at which functions of the laws are summed up."""

    @abstractmethod
    def log_densities(self, at: ArrayLike) -> Floats:
        """Return the log density, or log mass, of every row at released numbers."""

    @cached_property
    def log_ratios(self) -> Floats:
        """The supremum of the log ratio for every ordered pair of rows, shape (m, m)."""
        found = np.zeros((self.many, self.many))
        unit = np.eye(self.many)
        for v, w in self.ordered_pairs:
            found[v, w] = self.largest_log(unit[v], unit[w])[0]
        return found


class ChannelLaws(Laws):
    """Laws with finitely many outputs: one row of probabilities for each label, zeros for none."""

    #: The channels of several reports of which this is the joint one, and whether the inputs of the reports
    #: are independent given every feasible label.
    parts: tuple[ChannelLaws, ...] = ()
    independent: tuple[bool, ...] = ()

    def __init__(self, rows: ArrayLike, prior: Any = None, labels: Sequence[Any] | None = None) -> None:
        given = as_stochastic_rows(rows, "The channel")
        kept = self._keep(given, prior, labels)
        with np.errstate(divide="ignore"):
            self.logs: Floats = np.log(given[kept])

    @cached_property
    def masses(self) -> Floats:
        """Probabilities of the outputs, shape (m, C)."""
        return np.asarray(np.exp(self.logs))

    def _log_ratio(self, v: int, w: int) -> Floats:
        """Return the log ratio at every output; minus infinity where neither row leads."""
        with np.errstate(invalid="ignore"):
            found = self.logs[v] - self.logs[w]
        return np.where(np.isnan(found), -np.inf, found)

    def _infinite_loss(self, v: int, w: int) -> float:
        return float(self.masses[v][self.logs[w] == -np.inf].sum())

    def delta(self, v: int, w: int, epsilons: Floats) -> Floats:
        """Return the slack of row v over row w at every epsilon."""
        loss, mass = self._log_ratio(v, w), self.masses[v]

        def one(epsilon: float) -> float:
            if epsilon == math.inf:
                return self._infinite_loss(v, w)
            more = loss > epsilon
            return float(-(mass[more] * np.expm1(epsilon - loss[more])).sum())

        return np.array([one(float(e)) for e in epsilons])

    def epsilon(self, v: int, w: int, deltas: Floats) -> Floats:
        """Return the smallest epsilon at every slack: the largest that a set of outputs asks for."""
        loss = self._log_ratio(v, w)
        order = np.argsort(-loss, kind="stable")
        gained = np.cumsum(self.masses[v][order])
        log_other = np.logaddexp.accumulate(self.logs[w][order])
        certain = self._infinite_loss(v, w)
        finite = loss[np.isfinite(loss)]
        last = max(0.0, float(finite.max(initial=0.0)))

        def one(delta: float) -> float:
            if delta < certain - _SAME_DELTA:
                return math.inf
            if delta <= certain + _SAME_DELTA:
                return last
            asks = (gained > delta) & (log_other > -np.inf)
            return max(0.0, float((np.log(gained[asks] - delta) - log_other[asks]).max(initial=0.0)))

        return np.array([one(float(d)) for d in deltas])

    def roc(self, v: int, w: int) -> tuple[Floats, Floats]:
        """Return the corners of the curve of all best tests."""
        gain = self._log_ratio(w, v)
        order = np.argsort(-gain, kind="stable")
        alarm, power = np.cumsum(self.masses[v][order]), np.cumsum(self.masses[w][order])
        free = int((gain == np.inf).sum())
        start = power[free - 1] if free else 0.0
        # What is seen under w alone costs no false alarm: the curve begins above 0.
        alarm = np.concatenate([[0.0], np.minimum(alarm[free:], 1.0)])
        power = np.concatenate([[start], np.minimum(power[free:], 1.0)])
        alarm[-1] = power[-1] = 1.0
        return alarm, power

    def trade_off(self, v: int, w: int, alphas: Floats) -> Floats:
        """Return the least chance of missing w at every chance of a false alarm under v."""
        alarm, power = self.roc(v, w)
        return np.asarray(np.clip(1 - np.interp(alphas, alarm, power), 0.0, 1.0))

    def area(self, v: int, w: int) -> float:
        """Return the area under the curve of all best tests."""
        alarm, power = self.roc(v, w)
        return float((np.diff(alarm) * (power[1:] + power[:-1])).sum() / 2)

    def equal_error(self, v: int, w: int) -> float:
        """Return the error that is the same of both kinds."""
        alarm, power = self.roc(v, w)
        total = alarm + power
        # Ties of the sum would not change where it reaches 1.
        return float(np.interp(1.0, total, alarm))

    def tests(self, v: int, w: int, thresholds: Floats) -> list[BestTest]:
        """Return the likelihood-ratio tests of w against v."""
        null, other = self.masses[v], self.masses[w]
        found = []
        for t in thresholds:
            excess, slack = other - t * null, TIE * (other + t * null)
            tied, chosen = np.abs(excess) <= slack, excess > slack
            found.append(
                BestTest(
                    float(t),
                    self._region(chosen),
                    float(null[chosen].sum()),
                    float(other[chosen].sum()),
                    float(null[tied].sum()),
                    float(other[tied].sum()),
                )
            )
        return found

    def _region(self, chosen: NDArray[np.bool_]) -> tuple[Any, ...]:
        return tuple(int(k) for k in np.flatnonzero(chosen))

    def largest_log(self, above: Floats, below: Floats) -> tuple[float, float | None, float | None]:
        """Return the supremum of a log ratio of mixtures of rows; there are no ends."""
        found = self._mixed_ratio(above, below)
        return float(found.max()), None, None

    def _mixed_ratio(self, above: Floats, below: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [log_sum_exp(self.logs + np.log(part)[:, None], axis=0) for part in (above, below)]
            found = logs[0] - logs[1]
        return np.where(np.isnan(found), -np.inf, found)

    def pieces(self, rows: Floats) -> Floats:
        """Return the probabilities of the outputs."""
        return self.masses

    def nodes(self, order: float = 1.0) -> tuple[Floats, Floats]:
        """Return the outputs that occur, each once."""
        seen = (self.logs > -np.inf).any(axis=0)
        return np.ones(int(seen.sum())), self.logs[:, seen]

    def log_densities(self, at: ArrayLike) -> Floats:
        """Return the log mass of every row at outputs, given by position."""
        return self.logs[:, np.asarray(at, dtype=np.int64)]

    def like(self, logs: Floats) -> ChannelLaws:
        """Return laws of the same labels with other outputs, given by log masses (m, C)."""
        made = ChannelLaws.__new__(ChannelLaws)
        made.labels, made.places, made.size, made._prior = self.labels, self.places, self.size, self._prior
        made.logs = logs
        return made


def crossed(logs: Sequence[Floats]) -> Floats:
    """Return log masses of all combinations of outputs, row by row; the last one is the fastest."""
    found = logs[0]
    for one in logs[1:]:
        found = (found[:, :, None] + one[:, None, :]).reshape(len(found), -1)
    return found


def channel_laws(rows: ArrayLike, prior: Any = None, labels: Sequence[Any] | None = None) -> Laws:
    """Return the laws that a finite channel makes of the labels.

    Parameters
    ----------
    rows
        Probabilities of the outputs, a row for each label; a row of zeros for a label that cannot occur.
    prior
        How likely the labels are; without it only what does not depend on that is computed.
    labels
        Names of the rows; without it their positions.

    Raises
    ------
    TableError
        A row or the prior does not sum to 1 or has negative entries, or they do not fit each other.

    Examples
    --------
    >>> from pdp_widgets.meaning import Meaning
    >>> found = Meaning(channel_laws([[0.75, 0.25], [0.25, 0.75]], [0.5, 0.5]))
    >>> float(found.measure("advantage")), found.vulnerability().posterior
    (0.5, 0.75)
    """
    return ChannelLaws(rows, prior, labels)


class LatticeLaws(ChannelLaws):
    """Laws of a query with noise on the integers, or without noise: the outputs are released numbers.

    Masses are kept as logarithms, so that none is falsely 0. Centres have shape (R,), weights (m, R).
    """

    def __init__(
        self,
        noise: Noise,
        centres: ArrayLike,
        weights: ArrayLike,
        prior: Any = None,
        labels: Sequence[Any] | None = None,
    ) -> None:
        given = as_stochastic_rows(weights, "weights")
        kept = self._keep(given, prior, labels)
        seen = given[kept].any(axis=0)
        self.noise = noise
        self.centres: Floats = np.asarray(centres, dtype=np.float64)[seen]
        self.weights: Floats = given[kept][:, seen]
        if isinstance(noise, IntegerNoise):
            self.centres = noise.whole(self.centres)
            self.values, self.kernel = noise.columns(self.centres)
        else:
            self.values = self.centres
            self.kernel = np.where(np.eye(len(self.centres)) > 0, 0.0, -np.inf)
        with np.errstate(divide="ignore"):
            log_weights = np.log(self.weights)
        self.logs = log_sum_exp(log_weights[:, :, None] + self.kernel, axis=1)

    def _region(self, chosen: NDArray[np.bool_]) -> tuple[Any, ...]:
        if not isinstance(self.noise, IntegerNoise):
            return tuple(float(r) for r in self.values[chosen])
        padded = np.concatenate([[False], chosen, [False]]).astype(int)
        first, last = np.flatnonzero(np.diff(padded) > 0), np.flatnonzero(np.diff(padded) < 0) - 1
        return tuple(
            (
                -math.inf if a == 0 else float(self.values[a]),
                math.inf if b == len(chosen) - 1 else float(self.values[b]),
            )
            for a, b in zip(first, last, strict=True)
        )

    def largest_log(self, above: Floats, below: Floats) -> tuple[float, float | None, float | None]:
        """Return the supremum of a log ratio of mixtures of rows, and its limits at both ends."""
        found = self._mixed_ratio(above, below)
        if isinstance(self.noise, DiscreteGaussianNoise):
            ends = end_limits(above @ self.weights, below @ self.weights)
            return max(float(found.max()), *ends), *ends
        if isinstance(self.noise, IntegerNoise):
            return float(found.max()), float(found[0]), float(found[-1])
        return float(found.max()), None, None

    def log_densities(self, at: ArrayLike) -> Floats:
        """Return the log mass of every row at released numbers; of noise on the integers the ends count."""
        places = np.asarray(at, dtype=np.float64)
        if isinstance(self.noise, IntegerNoise):
            places = np.clip(places, self.values[0], self.values[-1])
        index = np.minimum(np.searchsorted(self.values, places - _ROUNDING), len(self.values) - 1)
        there = np.abs(self.values[index] - places) <= _ROUNDING
        return np.where(there, self.logs[:, index], -np.inf)


def end_limits(above: Floats, below: Floats) -> tuple[float, float]:
    """Return the limits of a log ratio of normal mixtures at both ends, by their outermost centres."""

    def one(first: Floats, second: Floats) -> float:
        a, b = int((first > 0).argmax()), int((second > 0).argmax())
        if a != b:
            return math.inf if a < b else -math.inf
        return math.log(first[a]) - math.log(second[b])

    return one(above, below), one(above[::-1], below[::-1])
