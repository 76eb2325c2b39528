"""What the numbers of a graph of adversaries measure: leakages, or what they mean as chances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pdp_widgets.core.amounts import MEASURE_EPSILON
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import as_choice

__all__ = ["GRAPH_MEASURES", "GraphMeasure", "graph_measure"]

#: What a graph may show, by the names of `PriorAnalysis.measure`.
GRAPH_MEASURES = ("leakage", "delta", "advantage", "posterior_vulnerability")

_WORDS = {
    "leakage": "leakage",
    "advantage": "advantage",
    "posterior_vulnerability": "chance to guess right",
}
_SOURCES = {
    "delta": "Balle and Wang (2018), the privacy profile",
    "advantage": "Dong, Roth and Su (2022), the best test",
    "posterior_vulnerability": "Alvim and others (2020), Bayes vulnerability",
}


@dataclass(frozen=True)
class GraphMeasure:
    """What the numbers of a graph measure.

    Parameters
    ----------
    name
        ``"leakage"`` in nats, or a probability: ``"delta"``, ``"advantage"`` or
        ``"posterior_vulnerability"``.
    epsilon
        Where delta is taken, in nats; None for the others.

    Examples
    --------
    >>> measure = GraphMeasure("delta", 0.5)
    >>> print(measure)
    delta at 0.5
    >>> round(measure.allowed(1.0), 6)
    0.287649
    """

    name: str = "leakage"
    epsilon: float | None = None

    def __str__(self) -> str:
        return f"delta at {self.epsilon:.6g}" if self.epsilon is not None else _WORDS[self.name]

    @property
    def is_leakage(self) -> bool:
        """Whether the numbers are leakages in nats, not probabilities."""
        return self.name == "leakage"

    @property
    def unit(self) -> str:
        """``"nats"`` or ``"probability"``."""
        return "nats" if self.is_leakage else "probability"

    @property
    def line(self) -> str:
        """What stands where a leakage has its promise."""
        if self.name == "posterior_vulnerability":
            return "certain"
        return "promise" if self.is_leakage else "promise allows"

    @property
    def beside(self) -> str:
        """The same in a sentence."""
        if self.name == "posterior_vulnerability":
            return "certainty"
        return "the promise" if self.is_leakage else "what the promise allows"

    def allowed(self, leakage: float) -> float:
        """Return the most that a leakage allows, which randomised response attains.

        How well somebody may guess depends on what was believed before the release: of that a leakage alone
        allows 1.
        """
        if self.is_leakage:
            return leakage
        if self.name == "posterior_vulnerability" or leakage == math.inf:
            return 1.0
        beyond = min((self.epsilon or 0.0) - leakage, 0.0)
        return -math.expm1(beyond) / (1 + math.exp(-leakage)) + 0.0

    def about(self, source: str) -> str:
        """Return the source of the numbers, made from that of the leakages."""
        return source if self.is_leakage else f"{source}; {_SOURCES[self.name]}"


def graph_measure(name: Any, epsilon: Any, promise: float) -> GraphMeasure:
    """Return a measure; delta is taken at the promise where no epsilon is given.

    Raises
    ------
    DomainError
        There is no such measure, or it is not taken at an epsilon.
    BudgetError
        The epsilon is no number of nats.
    """
    name = as_choice(name, "measure", GRAPH_MEASURES, DomainError)
    if name != "delta":
        if epsilon is not None:
            raise DomainError(
                f"The measure {name!r} is not taken at an epsilon; that belongs to 'delta'.",
                Where("parameter", name="epsilon"),
            )
        return GraphMeasure(name)
    found = MEASURE_EPSILON.maybe(epsilon, "epsilon")
    return GraphMeasure(name, promise if found is None else found)
