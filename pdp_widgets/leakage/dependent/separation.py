"""How far apart two values of a number put the noisy answer, when another number depends on it: Fig. 6."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import BUDGET, PROBABILITY
from pdp_widgets.core.chart import Axis, Chart, curves, number
from pdp_widgets.core.converters import as_flag, as_sizes
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import About, Attained, Leakage
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice

Floats = NDArray[np.float64]

PairQuery: TypeAlias = Literal["sum", "subtraction", "multiplication"]
#: Queries on two numbers: D_i + D_j, D_i - D_j, D_i D_j.
PAIR_QUERIES: tuple[PairQuery, ...] = ("sum", "subtraction", "multiplication")

_SOURCE = "Liu, Chakraborty and Mittal, Example 1 and Fig. 6"
#: Below, log(sinh(x) / x) by its series: what follows is smaller than a rounding.
_SMALL = 0.1


def separation(
    query: PairQuery = "sum", epsilon: float = 1.0, c: float = 0.5, dependent: bool = True
) -> Leakage:
    """Return the separation of D_i: the largest log ratio of the noisy answer for two of its values.

    Parameters
    ----------
    query
        ``"sum"``, ``"subtraction"`` (D_i - D_j) or ``"multiplication"``.
    epsilon
        The scale of the noise is 1 / epsilon.
    c
        D_j is ``c D_i + (1 - c) X``; D_i and X are independent and uniform on [0, 1].
    dependent
        False: D_j is uniform on [0, 1] and independent of D_i, whatever c is.

    Returns
    -------
    Leakage
        Exact, with the pair of values of D_i and the answers that attain it.

    Notes
    -----
    Closed forms: ``(1 + c) epsilon`` for the sum, ``(1 - c) epsilon`` for the difference, and for the product
    the logarithm of the mean of ``exp(epsilon y)`` over y uniform on [c, 1]. The paper says that without
    dependence all three are epsilon; the product reaches that for D_j held at 1 only. About D_j the sum
    says more, ``2 epsilon``, which the paper leaves out.

    Examples
    --------
    >>> [round(float(separation(query)), 6) for query in PAIR_QUERIES]
    [1.5, 0.5, 0.760395]
    >>> [round(float(separation(query, dependent=False)), 6) for query in PAIR_QUERIES]
    [1.0, 1.0, 0.541325]
    >>> separation("multiplication").attained.pair
    (1, 0)
    """
    chosen, budget = as_choice(query, "query", PAIR_QUERIES, BudgetError), BUDGET.take(epsilon, "epsilon")
    coupling = PROBABILITY.take(c, "c") if as_flag(dependent, "dependent") else 0.0
    value = _closed_form(chosen, budget, coupling)
    highest = {"sum": 2.0, "subtraction": 1 - coupling, "multiplication": 1.0}[chosen]
    attained = Attained(highest, ">=", (1, 0)) if value > 0 else None
    return Leakage(value, "exact", About("D_i"), "sup", attained=attained, source=_SOURCE)


@dataclass(frozen=True, eq=False, repr=False)
class SeparationCurve(EqualByFields, ReadOnlyArrays, NumberTable, Result):
    """Separations by budget, of the three queries, with and without dependence: Fig. 6 of the paper.

    Parameters
    ----------
    epsilons
        Budgets in nats, ascending.
    c
        As for `separation`.
    dependent, independent
        Separations in nats, shape (3, budgets), in the order of ``PAIR_QUERIES``.

    Notes
    -----
    Its figure is ``"curves"``, side by side with dependence and without it: budgets across, separations up.

    Examples
    --------
    >>> found = separation_curve([1.0, 2.0])
    >>> found.dependent.round(3).tolist()
    [[1.5, 3.0], [0.5, 1.0], [0.76, 1.541]]
    """

    epsilons: Floats
    c: float
    dependent: Floats
    independent: Floats

    def _numbers(self) -> Numbers:
        many, rows = len(self.epsilons), len(PAIR_QUERIES)
        return Numbers(
            {
                "data": ["dependent"] * (rows * many) + ["independent"] * (rows * many),
                "query": [query for query in PAIR_QUERIES for _ in range(many)] * 2,
                "epsilon": np.tile(self.epsilons, 2 * rows),
                "separation": np.concatenate([self.dependent.ravel(), self.independent.ravel()]),
            },
            {"data": "text", "query": "text", "epsilon": "parameter", "separation": "nats"},
            {"unit": "nats", "c": self.c, "source": _SOURCE, "status": {"separation": "exact"}},
        )

    def _figures(self) -> Figures:
        return {"curves": self._charts}

    def _charts(self) -> list[Chart]:
        across = Axis("budget ε, nats", low=0.0)
        up = Axis("separation, nats", low=0.0, high=float(max(self.dependent.max(), self.independent.max())))
        return [
            Chart(title, curves(self.epsilons, zip(PAIR_QUERIES, rows, strict=True)), across, up)
            for title, rows in (
                (f"D_j = {number(self.c, 4)} D_i + {number(1 - self.c, 4)} X", self.dependent),
                ("D_j independent of D_i", self.independent),
            )
        ]


def separation_curve(epsilons: ArrayLike | None = None, c: float = 0.5) -> SeparationCurve:
    """Return separations by budget.

    Parameters
    ----------
    epsilons
        Budgets in nats, positive; without them 41 from 0.1 to 10.
    c
        As for `separation`.

    Examples
    --------
    >>> separation_curve([1.0], c=0.25).independent.round(4).ravel().tolist()
    [1.0, 1.0, 0.5413]
    """
    given = np.geomspace(0.1, 10, 41) if epsilons is None else as_sizes(epsilons, "epsilons")
    budgets = np.sort(np.atleast_1d(given))
    if budgets.ndim != 1 or not budgets.size or budgets[0] <= 0 or not np.isfinite(budgets[-1]):
        raise BudgetError(
            "epsilons is no row of budgets; give positive finite numbers of nats.",
            Where("parameter", name="epsilons"),
        )
    coupling = PROBABILITY.take(c, "c")
    levels = budgets.tolist()
    rows = [[[_closed_form(q, e, k) for e in levels] for q in PAIR_QUERIES] for k in (coupling, 0.0)]
    return SeparationCurve(budgets, coupling, np.array(rows[0]), np.array(rows[1]))


def _closed_form(query: PairQuery, epsilon: float, c: float) -> float:
    if query == "sum":
        return (1 + c) * epsilon
    if query == "subtraction":
        return (1 - c) * epsilon
    half = (1 - c) * epsilon / 2
    return (1 + c) * epsilon / 2 + _log_sinh_ratio(half)


def _log_sinh_ratio(x: float) -> float:
    """Return log(sinh(x) / x) for x, 0 or more."""
    if x < _SMALL:
        square = x * x
        return square * (1 / 6 - square * (1 / 180 - square * (1 / 2835 - square / 37800)))
    return x + math.log1p(-math.exp(-2 * x)) - math.log(2 * x)
