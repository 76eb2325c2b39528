"""What a release without noise leaves of a promise: the slack delta at an epsilon, and a curve of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.core.chart import Axis, Chart, Level, Series, curve, nats
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import MOST_POINTS, check_many, refuse_masked
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, DomainError, TableError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown

Floats = NDArray[np.float64]

#: Which events the inequality is about: any, stretches of the real line, or one-sided ones (threshold tests).
Events: TypeAlias = Literal["all", "interval", "halfline"]
EVENTS: tuple[Events, ...] = ("all", "interval", "halfline")
SlackStatus: TypeAlias = Literal["exact", "bound", "as printed"]
#: What becomes of a number: it can be used; it says nothing; it cannot be a probability; there is none.
SlackState: TypeAlias = Literal["ok", "vacuous", "negative", "undefined"]

PAPER = "Zhao, Jiang, Wang and Huang, Non-asymptotic bound on the performance of k-anonymity"

#: Of what falls below the largest slack of a chart so many powers of ten are shown.
_MOST_POWERS = 12
_EVENT_WORDS = {"all": "any event", "interval": "intervals", "halfline": "threshold tests"}


def event_words(events: Events) -> str:
    """Return what a class of events is called."""
    return _EVENT_WORDS[events]


def slack_state(delta: float) -> SlackState:
    """Return what becomes of a slack: one of 1 or more promises nothing."""
    if isnan(delta):
        return "undefined"
    if delta < 0:
        return "negative"
    return "vacuous" if delta >= 1 else "ok"


@dataclass(frozen=True)
class Slack:
    """By how much the odds may fail to hold: the smallest or a sufficient delta at one epsilon.

    Parameters
    ----------
    delta
        The number, a probability; ``float(slack)`` returns it. Formulas as printed may leave 0 to 1, and NaN
        stands where they have no value.
    status
        ``"exact"``, ``"bound"`` (proved, never below the truth) or ``"as printed"`` (the paper's, right or
        wrong).
    events
        The events it holds for: ``"all"``, ``"interval"`` or ``"halfline"``.
    epsilon
        The factor on the odds, in nats.
    about
        What is compared.
    source
        Paper and equation.

    Examples
    --------
    >>> found = Slack(0.01, "exact", "all", 1.0, "a count", "Theorem 1")
    >>> float(found), found.state
    (0.01, 'ok')
    >>> print(found)
    delta = 0.01 at epsilon = 1 nat (exact, any event): a count
    """

    delta: float
    status: SlackStatus
    events: Events
    epsilon: float
    about: str
    source: str = field(default="")

    @property
    def state(self) -> SlackState:
        """What becomes of it: ``"ok"``, ``"vacuous"``, ``"negative"`` or ``"undefined"``."""
        return slack_state(self.delta)

    @property
    def unit(self) -> str:
        """What the number is: a probability."""
        return "probability"

    def __float__(self) -> float:
        return self.delta

    def __str__(self) -> str:
        state = "" if self.state == "ok" else f", {self.state}"
        return (
            f"delta = {self.delta:.6g} at epsilon = {nats(self.epsilon)} "
            f"({self.status}, {event_words(self.events)}{state}): {self.about}"
        )


@dataclass(frozen=True)
class LeastEpsilon:
    """The epsilon at which a slack is kept.

    Parameters
    ----------
    epsilon
        The number in nats; ``float(...)`` returns it. Infinite where no finite one is enough, NaN where a
        formula has no value.
    status
        As for `Slack`.
    events
        The events it holds for.
    delta
        The slack that is kept, a probability.
    about
        What is compared.
    source
        Paper and equation.

    Examples
    --------
    >>> found = LeastEpsilon(float("inf"), "bound", "all", 1e-6, "a count", "Theorem 1")
    >>> found.state
    'vacuous'
    """

    epsilon: float
    status: SlackStatus
    events: Events
    delta: float
    about: str
    source: str = field(default="")

    @property
    def state(self) -> SlackState:
        """What becomes of it: ``"ok"``, ``"vacuous"`` (infinite) or ``"undefined"``."""
        if isnan(self.epsilon):
            return "undefined"
        return "vacuous" if self.epsilon == float("inf") else "ok"

    @property
    def unit(self) -> str:
        """What the number is in: nats."""
        return "nats"

    def __float__(self) -> float:
        return self.epsilon

    def __str__(self) -> str:
        state = "" if self.state == "ok" else f", {self.state}"
        return (
            f"epsilon = {nats(self.epsilon)} at delta = {self.delta:.6g} "
            f"({self.status}, {event_words(self.events)}{state}): {self.about}"
        )


@dataclass(frozen=True, eq=False)
class SlackCurve(ReadOnlyArrays, Result, NumberTable):
    """The slack delta at several epsilons.

    Parameters
    ----------
    epsilons
        Nats, shape (m,).
    delta
        The slacks, probabilities, shape (m,), as they are computed: bounds and printed formulas may leave 0
        to 1, and NaN stands where a formula has no value.
    status, events, about, source
        As for `Slack`.

    Raises
    ------
    TableError
        There is not one slack for each epsilon, or there is none at all.

    Notes
    -----
    Figures: ``"curves"``, the slack by epsilon in powers of ten.

    Examples
    --------
    >>> slacks = np.array([0.3, 0.2, 0.25])
    >>> curve = SlackCurve(np.array([0.0, 1.0, 2.0]), slacks, "bound", "halfline", "a sum")
    >>> curve.drawn.tolist(), curve.states
    ([0.3, 0.2, 0.2], ('ok', 'ok', 'ok'))
    >>> curve.at(1).delta
    0.2
    """

    epsilons: Floats
    delta: Floats
    status: SlackStatus
    events: Events
    about: str
    source: str = field(default="")

    def __post_init__(self) -> None:
        for name in ("epsilons", "delta"):
            refuse_masked(getattr(self, name), name)
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        if self.epsilons.ndim != 1 or not self.epsilons.size or self.epsilons.shape != self.delta.shape:
            raise TableError(
                f"The epsilons have the shape {self.epsilons.shape} and the slacks {self.delta.shape}; "
                "give one slack for each epsilon, and at least one.",
                Where("parameter", name="delta"),
            )
        super().__post_init__()

    @property
    def drawn(self) -> Floats:
        """The least slack at this or a smaller epsilon, shape (m,). It holds at larger ones too."""
        order = np.argsort(self.epsilons, kind="stable")
        found = np.empty(len(order))
        found[order] = np.fmin.accumulate(self.delta[order])
        found.setflags(write=False)
        return found

    @property
    def states(self) -> tuple[SlackState, ...]:
        """What becomes of every number: ``"ok"``, ``"vacuous"``, ``"negative"`` or ``"undefined"``."""
        return tuple(slack_state(float(value)) for value in self.delta)

    @property
    def unit(self) -> str:
        """What the slacks are: probabilities."""
        return "probability"

    def at(self, position: int) -> Slack:
        """Return one slack by its position among the epsilons.

        Raises
        ------
        DomainError
            There is no such position.
        """
        if not is_whole(position) or not 0 <= position < len(self.epsilons):
            raise DomainError(
                f"The position is {shown(position)}; give one of an epsilon, from 0 to "
                f"{len(self.epsilons) - 1:,}.",
                Where("parameter", name="position"),
            )
        return Slack(
            float(self.delta[position]),
            self.status,
            self.events,
            float(self.epsilons[position]),
            self.about,
            self.source,
        )

    def above(self, other: SlackCurve) -> tuple[tuple[float, float], ...]:
        """Return the stretches of epsilon, first and last point, where this curve lies above another.

        Parameters
        ----------
        other
            A curve over the same epsilons; where it has no value nothing lies above it. Compared is what it
            says itself, with a relative tolerance of 1e-9.

        Raises
        ------
        DomainError
            The curves have different epsilons.

        Examples
        --------
        >>> axis = np.array([0.0, 1.0, 2.0])
        >>> exact = SlackCurve(axis, np.array([0.3, 0.2, 0.1]), "exact", "all", "a sum")
        >>> exact.above(SlackCurve(axis, np.array([0.2, 0.1, 0.1]), "as printed", "all", "a sum"))
        ((0.0, 1.0),)
        """
        if not np.array_equal(self.epsilons, other.epsilons):
            raise DomainError(
                "The curves have different epsilons; compute both at the same.",
                Where("parameter", name="epsilons"),
            )
        order = np.argsort(self.epsilons, kind="stable")
        above = self.delta > other.delta + 1e-9 * np.abs(other.delta)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], above[order], [False]]).astype(np.int8)))
        axis = self.epsilons[order]
        return tuple(
            (float(axis[low]), float(axis[high - 1]))
            for low, high in zip(edges[::2], edges[1::2], strict=True)
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one epsilon a row.

        Returns
        -------
        frame
            Columns ``epsilon`` (nats), ``delta``, ``drawn`` (probabilities), ``state``, ``events`` and
            ``about``; the ``attrs`` say the ``unit``, the ``source`` and the ``status``.

        Examples
        --------
        >>> curve = SlackCurve(np.array([1.0]), np.array([0.2]), "exact", "all", "a sum")
        >>> curve.to_dataframe().delta.tolist()
        [0.2]
        """
        return super().to_dataframe()

    def _numbers(self) -> Numbers:
        status = {"delta": self.status, "drawn": self.status}
        return Numbers(
            {
                "epsilon": self.epsilons,
                "delta": self.delta,
                "drawn": self.drawn,
                "state": list(self.states),
                "events": self.events,
                "about": self.about,
            },
            {
                "epsilon": "parameter",
                "delta": "upper" if self.status == "bound" else "number",
                "state": "text",
            },
            {"unit": "probability", "source": self.source, "status": status},
            (self.about, f"{self.status}, {event_words(self.events)}"),
        )

    def _figures(self) -> Figures:
        return {"curves": self._chart}

    def _chart(self) -> Chart:
        line = slack_series(
            f"{self.status}, {event_words(self.events)}", self.epsilons, self.drawn, self.status, self.events
        )
        if not np.isfinite(line.y).any():
            raise DomainError(
                "The curve has no point with a finite epsilon and slack; give finite epsilons.",
                Where("parameter", name="epsilon"),
            )
        return slack_chart("Slack by ε", [line], Axis("ε, nats"), f"Compared: {self.about}.")

    def __repr__(self) -> str:
        return f"SlackCurve({self.about!r}, {self.status}, {self.events}, {len(self.epsilons)} epsilons)"


def slack_series(
    name: str, x: ArrayLike, delta: ArrayLike, status: SlackStatus, events: Events = "all"
) -> Series:
    """Return slacks as a series: full where exact, dashed where a bound, dotted as printed."""
    across, up = np.asarray(x, dtype=np.float64), np.asarray(delta, dtype=np.float64)
    order = np.argsort(across, kind="stable")
    order = order[np.isfinite(across[order])]
    if status == "exact":
        return curve(name, across[order], up[order], "ink")
    if status == "as printed":
        return curve(name, across[order], up[order], "paper", "dotted")
    # Two bounds often stand in one chart: for any event, and for those of a kind.
    return curve(name, across[order], up[order], "promise" if events == "all" else "b", "dashed")


def slack_chart(
    title: str, lines: Sequence[Series], x: Axis, note: str = "", levels: Sequence[Level] = ()
) -> Chart:
    """Return slacks in powers of ten, with the line where they begin to promise nothing."""
    label = "slack δ, probability"
    drawn = [replace(line, y=_powers(line.y)) for line in lines]
    found = _ends(drawn)
    if found is None:
        return Chart(title, lines, x, Axis(label), levels, note)
    low, top = found
    high = min(0.0, top)
    if top >= 0:
        levels = (*levels, Level("promises nothing", 0.0, colour="ink2"))
    # What is printed may fall far below what is true: it leaves the chart one power of ten below.
    proved = _ends([line for line in drawn if line.colour != "paper"])
    low = max(low, high - _MOST_POWERS, -np.inf if proved is None else proved[0] - 1)
    slacks = np.concatenate([line.y for line in lines])
    if (slacks <= 0).any():
        what = "of 0 or less" if (slacks < 0).any() else "of 0"
        note = f"{note} Slacks {what} have no power of ten and are not drawn.".strip()
    # One power of ten is shown at least.
    return Chart(title, drawn, x, Axis(label, min(low, high - 1), high, powers=True), levels, note)


def _powers(slacks: Floats) -> Floats:
    found = np.full(len(slacks), np.nan)
    np.log10(slacks, out=found, where=np.isfinite(slacks) & (slacks > 0))
    return found


def _ends(lines: Sequence[Series]) -> tuple[float, float] | None:
    """Return the least and the largest number of series; None where there is none."""
    values = np.concatenate([np.empty(0), *(line.y for line in lines)])
    values = values[~np.isnan(values)]
    return (float(values.min()), float(values.max())) if values.size else None


def epsilons_of(epsilon: ArrayLike, name: str = "epsilon") -> Floats:
    """Return checked epsilons, shape (m,), from a number or several."""
    refuse_masked(epsilon, name)
    check_many(np.size(epsilon), MOST_POINTS, name)
    try:
        given = np.atleast_1d(np.asarray(epsilon, dtype=object))
    except ValueError:
        given = np.empty(0)
    if given.ndim != 1 or not given.size:
        raise BudgetError(
            f"{name} is {shown(epsilon)}; give a number of nats, 0 or more, or a list of such.",
            Where("parameter", name=name),
        )
    return np.array([EPSILON.take(value, name) for value in given], dtype=np.float64)


def told(
    epsilon: ArrayLike, delta: Floats, status: SlackStatus, events: Events, about: str, source: str
) -> Slack | SlackCurve:
    """Return slacks in the form of the epsilons they were asked for: one for a number, else a curve."""
    levels = epsilons_of(epsilon)
    if np.ndim(epsilon) == 0:
        return Slack(float(delta[0]), status, events, float(levels[0]), about, source)
    return SlackCurve(levels, np.asarray(delta, dtype=np.float64), status, events, about, source)
