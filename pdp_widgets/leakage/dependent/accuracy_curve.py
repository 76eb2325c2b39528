"""The chance of an error by budget, and the budget for a chance, for several mechanisms: Fig. 8."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.dependent.accuracy import (
    ErrorKind,
    as_error_kind,
    as_outputs,
    chance_of_error,
    error_at,
    mean_error,
)
from pdp_widgets.leakage.dependent.budget import laplace_scale
from pdp_widgets.leakage.dependent.falling_root import falling_root
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.figure_file import FigureFile
from pdp_widgets.models.given_sizes import as_not_negative, as_positive, as_sizes
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown

__all__ = ["AccuracyCurve", "BudgetCurve", "accuracy_curve", "budget_curve"]

Floats = NDArray[np.float64]

#: By name: a sensitivity, or a function from a budget to a scale.
Mechanisms: TypeAlias = Mapping[str, float | Callable[[float], float]]

_THEOREM = "Liu, Chakraborty and Mittal, Definition 5 and Theorem 10"
_WORDS: Mapping[ErrorKind, str] = {
    "one output": "of one output",
    "sum": "of all outputs added up",
    "largest": "of any output",
}
#: Budgets that are looked at: from this share of a nat to so many.
_WIDEST = 2.0**40


def _about(alpha: float, outputs: int, kind: ErrorKind) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what a table of chances of an error is about, for a data frame and as a note."""
    told = {"alpha": alpha, "outputs": outputs, "error": kind, "unit": "nats", "source": _THEOREM}
    return told, (f"chance of an error of {alpha:.6g} or more: {_WORDS[kind]}",)


@dataclass(frozen=True, eq=False, repr=False)
class AccuracyCurve(EqualByFields, ReadOnlyArrays, NumberTable, FigureFile):
    """The chance of an error of alpha or more, by budget, for several mechanisms: Fig. 8 of the paper.

    Parameters
    ----------
    epsilons
        Budgets in nats, ascending.
    names
        Of the mechanisms.
    scales
        Their scales, shape (mechanisms, budgets).
    alpha, outputs, kind
        As for `chance_of_error`.

    Examples
    --------
    >>> found = accuracy_curve({"lpm": 1.0, "baseline": 3.0}, [0.5, 1.0], alpha=2.0)
    >>> found.chances.round(4).tolist()
    [[0.3679, 0.1353], [0.7165, 0.5134]]
    """

    epsilons: Floats
    names: tuple[str, ...]
    scales: Floats
    alpha: float
    outputs: int
    kind: ErrorKind

    @property
    def chances(self) -> Floats:
        """Chance of failure of every mechanism at every budget, shape (mechanisms, budgets)."""
        found = np.where(self.alpha > 0, 0.0, np.ones_like(self.scales))
        noisy = self.scales > 0
        found[noisy] = chance_of_error(self.alpha, self.scales[noisy], self.outputs, self.kind)
        return found

    @property
    def mean_errors(self) -> Floats:
        """Expected error of every mechanism at every budget, shape (mechanisms, budgets)."""
        return self.scales * float(mean_error(1.0, self.outputs, self.kind))

    def _numbers(self) -> Numbers:
        many = len(self.epsilons)
        names = [name for name in self.names for _ in range(many)]
        return Numbers(
            {
                "mechanism": names,
                "epsilon": np.tile(self.epsilons, len(self.names)),
                "scale": self.scales.ravel(),
                "chance": self.chances.ravel(),
                "mean_error": self.mean_errors.ravel(),
            },
            {
                "mechanism": "text",
                "epsilon": "parameter",
                "scale": "number",
                "chance": "probability",
                "mean_error": "number",
            },
            *_about(self.alpha, self.outputs, self.kind),
        )

    def plot(self) -> Any:
        """Return a bqplot figure: budgets across, chances up."""
        from pdp_widgets.widgets.dependence_curves import plot_accuracy

        return plot_accuracy(self)


def accuracy_curve(
    mechanisms: Mechanisms,
    epsilons: ArrayLike | None = None,
    alpha: float = 1.0,
    outputs: int = 1,
    kind: ErrorKind = "largest",
) -> AccuracyCurve:
    """Return the chance of an error of alpha or more, by budget, for several mechanisms.

    Parameters
    ----------
    mechanisms
        By name: a sensitivity, where the scale is that over the budget; or a function from a budget to a
        scale, where it is not.
    epsilons
        Budgets in nats, positive; without them 61 from 0.1 to 10.
    alpha, outputs, kind
        As for `chance_of_error`.

    Examples
    --------
    >>> found = accuracy_curve({"lpm": 1.0, "dpm": lambda epsilon: 1.5 / epsilon}, [1.0], alpha=3.0)
    >>> found.chances.round(4).tolist(), found.mean_errors.tolist()
    ([[0.0498], [0.1353]], [[1.0], [1.5]])
    """
    given = np.geomspace(0.1, 10, 61) if epsilons is None else as_sizes(epsilons, "epsilons")
    budgets = np.sort(np.atleast_1d(given))
    where = Where("parameter", name="epsilons")
    if budgets.ndim != 1 or not budgets.size or budgets[0] <= 0 or not np.isfinite(budgets[-1]):
        raise BudgetError("epsilons is no row of budgets; give positive finite numbers of nats.", where)
    _check_mechanisms(mechanisms)
    rows = []
    for name, made in mechanisms.items():
        if callable(made):
            rows.append([as_not_negative(made(e), f"the scale of {name}") for e in budgets.tolist()])
        else:
            reach = as_not_negative(made, f"the sensitivity of {name}")
            rows.append([laplace_scale(reach, e) for e in budgets.tolist()])
    return AccuracyCurve(
        budgets,
        tuple(map(str, mechanisms)),
        np.array(rows),
        as_not_negative(alpha, "alpha"),
        as_outputs(outputs),
        as_error_kind(kind),
    )


@dataclass(frozen=True, eq=False, repr=False)
class BudgetCurve(EqualByFields, ReadOnlyArrays, NumberTable, FigureFile):
    """The budget at which an error of alpha or more has a given chance, for several mechanisms: Fig. 8 (b).

    Parameters
    ----------
    chances
        Of an error of alpha or more, ascending.
    names
        Of the mechanisms.
    epsilons
        Their budgets in nats, shape (mechanisms, chances).
    alpha, outputs, kind
        As for `chance_of_error`.

    Examples
    --------
    >>> found = budget_curve({"lpm": 1.0, "baseline": 3.0}, [0.1, 0.5], alpha=2.0)
    >>> found.epsilons.round(4).tolist()
    [[1.1513, 0.3466], [3.4539, 1.0397]]
    """

    chances: Floats
    names: tuple[str, ...]
    epsilons: Floats
    alpha: float
    outputs: int
    kind: ErrorKind

    def _numbers(self) -> Numbers:
        many = len(self.chances)
        return Numbers(
            {
                "mechanism": [name for name in self.names for _ in range(many)],
                "chance": np.tile(self.chances, len(self.names)),
                "epsilon": self.epsilons.ravel(),
            },
            {"mechanism": "text", "chance": "probability", "epsilon": "nats"},
            *_about(self.alpha, self.outputs, self.kind),
        )

    def plot(self) -> Any:
        """Return a bqplot figure: chances across, budgets up."""
        from pdp_widgets.widgets.dependence_curves import plot_budgets

        return plot_budgets(self)


def budget_curve(
    mechanisms: Mechanisms,
    chances: ArrayLike | None = None,
    alpha: float = 1.0,
    outputs: int = 1,
    kind: ErrorKind = "largest",
) -> BudgetCurve:
    """Return the budget at which an error of alpha or more has a given chance, for several mechanisms.

    Parameters
    ----------
    mechanisms
        As for `accuracy_curve`; the scale of a function falls as the budget grows.
    chances
        Above 0 and below 1; without them 49 from 0.02 to 0.98.
    alpha
        Size of the error, positive.
    outputs, kind
        As for `chance_of_error`.

    Notes
    -----
    Lemma 2 of the paper: what has the smaller scale at every budget needs the smaller budget.

    Examples
    --------
    >>> budget_curve({"dpm": lambda epsilon: 1.5 / epsilon}, [0.05], alpha=3.0).epsilons.round(6).tolist()
    [[1.497866]]
    """
    given = np.linspace(0.02, 0.98, 49) if chances is None else as_sizes(chances, "chances")
    levels = np.sort(np.atleast_1d(given))
    if levels.ndim != 1 or not levels.size or levels[0] <= 0 or levels[-1] >= 1:
        raise BudgetError(
            "chances is no row of chances of an error; they are above 0 and below 1.",
            Where("parameter", name="chances"),
        )
    _check_mechanisms(mechanisms)
    size, many, chosen = as_positive(alpha, "alpha"), as_outputs(outputs), as_error_kind(kind)
    wanted = [size / error_at(level, 1.0, many, chosen) for level in levels.tolist()]
    rows = []
    for name, made in mechanisms.items():
        if callable(made):
            rows.append([_budget_of(made, scale, f"the scale of {name}") for scale in wanted])
        else:
            reach = as_not_negative(made, f"the sensitivity of {name}")
            rows.append([reach / scale for scale in wanted])
    return BudgetCurve(levels, tuple(map(str, mechanisms)), np.array(rows), size, many, chosen)


def _budget_of(made: Callable[[float], float], scale: float, name: str) -> float:
    """Return the budget at which a mechanism has a scale."""

    def found(epsilon: float) -> float:
        return as_not_negative(made(epsilon), name)

    low = high = 1.0
    while found(high) > scale and high < _WIDEST:
        high *= 2
    while found(low) <= scale and low > 1 / _WIDEST:
        low /= 2
    if not low < high:
        # Without noise at any budget, or with more than that at all.
        return low if found(low) <= scale else high
    return falling_root(found, scale, low, high)


def _check_mechanisms(mechanisms: Any) -> None:
    if not isinstance(mechanisms, Mapping) or not mechanisms:
        raise BudgetError(
            f"mechanisms is {shown(mechanisms)}; give a sensitivity or a function for each name.",
            Where("parameter", name="mechanisms"),
        )
