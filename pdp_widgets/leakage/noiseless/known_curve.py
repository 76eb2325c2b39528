"""The slack of a release by the share of records that the adversary knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Level, nats
from pdp_widgets.core.converters import as_sizes, refuse_masked
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import TableError, Where
from pdp_widgets.leakage.noiseless.slack import slack_chart, slack_series
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class KnownCurve(EqualByFields, ReadOnlyArrays, Result, NumberTable):
    """The exact slack at one epsilon by the share of records known.

    Parameters
    ----------
    known
        Shares, 0 to 1, shape (m,).
    delta
        Slacks, probabilities, shape (m,).
    epsilon
        The factor on the odds, in nats.
    about
        What is published.
    source
        Paper and definition.

    Raises
    ------
    TableError
        There is not one slack for each share.

    Notes
    -----
    Figures: ``"known"``, the slack by the share known in powers of ten.

    Examples
    --------
    >>> KnownCurve(np.array([0.0, 1.0]), np.array([0.1, 1.0]), 1.0, "a count")
    KnownCurve(2 shares, epsilon=1, 'a count')
    """

    known: Floats
    delta: Floats
    epsilon: float
    about: str
    source: str = field(default="")

    def __post_init__(self) -> None:
        for name in ("known", "delta"):
            refuse_masked(getattr(self, name), name)
            object.__setattr__(self, name, as_sizes(getattr(self, name), name, TableError, 0.0, 1.0))
        if self.known.ndim != 1 or not self.known.size or self.known.shape != self.delta.shape:
            raise TableError(
                f"The shares have the shape {self.known.shape} and the slacks {self.delta.shape}; give one "
                "slack for each share, and at least one.",
                Where("parameter", name="delta"),
            )
        super().__post_init__()

    @property
    def status(self) -> Literal["exact"]:
        """How far the slacks can be trusted."""
        return "exact"

    @property
    def unit(self) -> str:
        """What the slacks are: probabilities."""
        return "probability"

    def _figures(self) -> Figures:
        return {"known": self._chart}

    def _chart(self) -> Chart:
        return known_chart(self.known, self.delta, self.epsilon, f"Published: {self.about}.")

    def _numbers(self) -> Numbers:
        return Numbers(
            {"known": self.known, "delta": self.delta},
            {"known": "parameter", "delta": "number"},
            {"unit": "probability", "source": self.source, "status": {"delta": "exact"}},
            (self.about, f"{epsilon_words(self.epsilon)}, exact, any event"),
        )

    def __repr__(self) -> str:
        return f"KnownCurve({len(self.known)} shares, epsilon={self.epsilon:.6g}, {self.about!r})"


def known_chart(known: Floats, delta: Floats, epsilon: float, note: str, here: Sequence[Level] = ()) -> Chart:
    """Return exact slacks by the share of records known."""
    title = f"Slack by what is known, ε = {nats(epsilon)}"
    line = slack_series("exact, any event", known, delta, "exact")
    return slack_chart(title, [line], Axis("share of the records known", 0.0, 1.0), note, here)
