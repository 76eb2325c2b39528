"""How far noisy outputs are from the true ones, by the chance of it, and as curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import FACTOR, NOT_NEGATIVE, POSITIVE, SCALE, as_size
from pdp_widgets.core.chart import Axis, Chart, curves, number
from pdp_widgets.core.converters import as_sizes, check_many
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, ScaleError, Where
from pdp_widgets.leakage.dependent.budget import budgets_across, falling_root, laplace_scale
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, how_many, is_text, shown

Floats = NDArray[np.float64]

#: ``"one output"``: of one number. ``"sum"``: all errors added up, L1. ``"largest"``: of any output.
ErrorKind: TypeAlias = Literal["one output", "sum", "largest"]
ERRORS: tuple[ErrorKind, ...] = ("one output", "sum", "largest")

#: Released numbers; their harmonic sum takes a second.
_MOST_OUTPUTS = 10_000_000


@dataclass(frozen=True)
class LaplaceAccuracy:
    """The chances that a release is off by alpha or more.

    Parameters
    ----------
    alpha
        Size of the error, 0 or more.
    scale
        Scale of the Laplace noise.
    outputs
        How many numbers are released, each with noise of its own.
    one_output
        Chance that one given output is off by alpha or more: ``exp(-alpha / scale)``, the paper's formula.
    sum
        Chance that the errors of all outputs add up to alpha or more.
    largest
        Chance that some output is off by alpha or more.

    Notes
    -----
    Theorem 10 of the paper applies the first formula to the L1 error of any number of outputs. It is exact
    for one output, and no bound for more.

    Examples
    --------
    >>> found = laplace_accuracy(96, 1.0, outputs=96)
    >>> f"{found.one_output:.3g}", round(found.sum, 3)
    ('2.03e-42', 0.486)
    """

    alpha: float
    scale: float
    outputs: int
    one_output: float
    sum: float
    largest: float

    @property
    def printed_holds(self) -> bool:
        """Whether the printed formula is right for the L1 error: for one output, or alpha 0."""
        return self.outputs == 1 or self.alpha == 0


def laplace_accuracy(alpha: float, scale: float, outputs: int = 1) -> LaplaceAccuracy:
    """Return the chances that a release is off by alpha or more.

    Parameters
    ----------
    alpha
        Size of the error, 0 or more.
    scale
        Scale of the Laplace noise, positive.
    outputs
        How many numbers are released.

    Raises
    ------
    BudgetError
        Alpha is negative or no number, or there is no output.
    ScaleError
        The scale is not a positive finite number.

    Examples
    --------
    >>> found = laplace_accuracy(2.0, 1.5)
    >>> round(found.one_output, 6), found.one_output == found.sum == found.largest
    (0.263597, True)
    >>> laplace_accuracy(0.0, 1.0).sum
    1.0
    """
    error, noise, many = NOT_NEGATIVE.take(alpha, "alpha"), SCALE.take(scale, "scale"), as_outputs(outputs)
    one, total, most = (float(chance_of_error(error, noise, many, kind)) for kind in ERRORS)
    return LaplaceAccuracy(error, noise, many, one, total, most)


def chance_of_error(
    alpha: ArrayLike, scale: ArrayLike, outputs: int = 1, kind: ErrorKind = "largest"
) -> Floats:
    """Return the chance of an error of alpha or more, for arrays of errors and scales."""
    many, chosen = as_outputs(outputs), as_error_kind(kind)
    errors = as_sizes(alpha, "alpha")
    scales = _as_scales(scale)
    with np.errstate(over="ignore"):
        return _tail(errors / scales, many, chosen)


def error_at(beta: float, scale: float, outputs: int = 1, kind: ErrorKind = "largest") -> float:
    """Return the error that is reached or passed with a given chance."""
    chance, many, chosen = FACTOR.take(beta, "beta"), as_outputs(outputs), as_error_kind(kind)
    return SCALE.take(scale, "scale") * _quantile(chance, many, chosen)


def mean_error(scale: ArrayLike, outputs: int = 1, kind: ErrorKind = "largest") -> Floats:
    """Return the expected error, in the units of the scale."""
    # For the largest error the scale times 1 + 1/2 + ... + 1/outputs: the largest of so many exponential
    # errors.
    many, chosen = as_outputs(outputs), as_error_kind(kind)
    factor = {"one output": 1.0, "sum": float(many)}.get(chosen)
    if factor is None:
        factor = math.fsum(1 / k for k in range(1, many + 1))
    return factor * _as_scales(scale)


def _tail(at: ArrayLike, outputs: int, kind: ErrorKind) -> Floats:
    """Return the chance of an error of so many scales or more."""
    reached: Floats = np.asarray(at, dtype=np.float64)
    if kind == "one output" or outputs == 1:
        return np.asarray(np.exp(-reached))
    if kind == "sum":
        from scipy.special import gammaincc

        return np.asarray(gammaincc(outputs, reached))
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(outputs * np.log1p(-np.exp(-reached))))


def _quantile(beta: float, outputs: int, kind: ErrorKind) -> float:
    """Return the error in scales whose chance is beta."""
    if kind == "one output" or outputs == 1:
        return -math.log(beta) + 0.0
    if kind == "sum":
        from scipy.special import gammainccinv

        return float(gammainccinv(outputs, beta))
    if beta == 1:
        return 0.0
    return -math.log(-math.expm1(math.log1p(-beta) / outputs))


def as_outputs(outputs: Any) -> int:
    """Return a number of released numbers, 1 or more, or raise BudgetError."""
    return as_size(outputs, "outputs", 1, _MOST_OUTPUTS)


def as_error_kind(kind: Any) -> ErrorKind:
    """Return a kind of error, or raise BudgetError."""
    return as_choice(kind, "kind", ERRORS, BudgetError, "kind of error")


def _as_scales(scale: ArrayLike) -> Floats:
    numbers = as_sizes(scale, "scale", ScaleError)
    if not ((numbers > 0) & np.isfinite(numbers)).all():
        raise ScaleError(
            "A scale is not positive and finite; no noise has no chance of an error.",
            Where("parameter", name="scale"),
        )
    return numbers


#: Points of a curve: the scale of every mechanism is asked for at each.
_MOST = 10_000

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


def _about(
    alpha: float, outputs: int, kind: ErrorKind, column: str, unit: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what a table of chances of an error is about, for a data frame and as a note."""
    told = {
        "alpha": alpha,
        "outputs": outputs,
        "error": kind,
        "unit": unit,
        "source": _THEOREM,
        "status": {column: "exact"},
    }
    return told, (f"chance of an error of {number(alpha)} or more: {_WORDS[kind]}",)


@dataclass(frozen=True, eq=False, repr=False)
class AccuracyCurve(EqualByFields, ReadOnlyArrays, NumberTable, Result):
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

    Notes
    -----
    Its figure is ``"curves"``: budgets across, chances up.

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
            *_about(self.alpha, self.outputs, self.kind, "chance", "probability"),
        )

    def _figures(self) -> Figures:
        return {"curves": self._chart}

    def _chart(self) -> Chart:
        at, across = budgets_across(self.epsilons)
        return Chart(
            f"Chance of an error of {number(self.alpha)} or more",
            curves(at, zip(self.names, self.chances, strict=True)),
            across,
            Axis("probability", low=0.0, high=1.0),
            note=f"Exact chance of an error {_WORDS[self.kind]}.",
        )


def accuracy_curve(
    mechanisms: Mechanisms,
    epsilons: ArrayLike | None = None,
    alpha: float = 1.0,
    outputs: int = 1,
    kind: ErrorKind = "largest",
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
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
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers take some of the budgets, as for `pdp_widgets.prior.leakage_intervals`; functions must
        be ones that can be sent to them.

    Raises
    ------
    BudgetError
        A number is not what it must be.
    LimitError
        It takes longer than the limit.

    Examples
    --------
    >>> found = accuracy_curve({"lpm": 1.0, "dpm": lambda epsilon: 1.5 / epsilon}, [1.0], alpha=3.0)
    >>> found.chances.round(4).tolist(), found.mean_errors.tolist()
    ([[0.0498], [0.1353]], [[1.0], [1.5]])
    """
    given = np.geomspace(0.1, 10, 61) if epsilons is None else as_sizes(epsilons, "epsilons")
    budgets = np.sort(np.atleast_1d(given))
    check_many(budgets.size, _MOST, "epsilons", 1e-4)
    where = Where("parameter", name="epsilons")
    if budgets.ndim != 1 or not budgets.size or budgets[0] <= 0 or not np.isfinite(budgets[-1]):
        raise BudgetError("epsilons is no row of budgets; give positive finite numbers of nats.", where)
    _check_mechanisms(mechanisms)
    work = f"The curve of {how_many(budgets.size, 'budget')}"
    hook = timed(progress, limit, work, "Take fewer budgets.")
    scales = _of_each(_scales, mechanisms, budgets.tolist(), executor, hook)
    return AccuracyCurve(
        budgets,
        tuple(map(str, mechanisms)),
        scales,
        NOT_NEGATIVE.take(alpha, "alpha"),
        as_outputs(outputs),
        as_error_kind(kind),
    )


@dataclass(frozen=True, eq=False, repr=False)
class BudgetCurve(EqualByFields, ReadOnlyArrays, NumberTable, Result):
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

    Notes
    -----
    Its figure is ``"curves"``: chances across, budgets up.

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
            *_about(self.alpha, self.outputs, self.kind, "epsilon", "nats"),
        )

    def _figures(self) -> Figures:
        return {"curves": self._chart}

    def _chart(self) -> Chart:
        return Chart(
            f"Budget for an error of {number(self.alpha)} or more",
            curves(self.chances, zip(self.names, self.epsilons, strict=True)),
            Axis(f"chance of an error of {number(self.alpha)} or more"),
            Axis("budget ε, nats", low=0.0),
            note=f"Exact chance of an error {_WORDS[self.kind]}.",
        )


def budget_curve(
    mechanisms: Mechanisms,
    chances: ArrayLike | None = None,
    alpha: float = 1.0,
    outputs: int = 1,
    kind: ErrorKind = "largest",
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
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
    limit, progress, executor
        As for `accuracy_curve`.

    Raises
    ------
    BudgetError, LimitError
        As for `accuracy_curve`.

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
    check_many(levels.size, _MOST, "chances", 1e-4)
    if levels.ndim != 1 or not levels.size or levels[0] <= 0 or levels[-1] >= 1:
        raise BudgetError(
            "chances is no row of chances of an error; they are above 0 and below 1.",
            Where("parameter", name="chances"),
        )
    _check_mechanisms(mechanisms)
    size, many, chosen = POSITIVE.take(alpha, "alpha"), as_outputs(outputs), as_error_kind(kind)
    wanted = [size / error_at(level, 1.0, many, chosen) for level in levels.tolist()]
    if not min(wanted) > 0:
        raise BudgetError(
            f"alpha is {size:.12g}: noise for such an error is too small for a float. Give a larger one.",
            Where("parameter", name="alpha"),
        )
    work = f"The curve of {how_many(len(wanted), 'chance')}"
    hook = timed(progress, limit, work, "Take fewer chances.")
    found = _of_each(_budgets, mechanisms, wanted, executor, hook)
    return BudgetCurve(levels, tuple(map(str, mechanisms)), found, size, many, chosen)


#: The name of a mechanism, its sensitivity or function, and one budget or scale.
_Asked: TypeAlias = tuple[str, float | Callable[[float], float], float]


def _of_each(
    function: Callable[[list[_Asked], Progress], list[float]],
    mechanisms: Mechanisms,
    numbers: list[float],
    executor: Executor | None,
    hook: ProgressHook | None,
) -> Floats:
    """Return what a function finds for every mechanism and number, shape (mechanisms, numbers)."""
    asked: list[_Asked] = []
    for name, made in mechanisms.items():
        given = made if callable(made) else NOT_NEGATIVE.take(made, f"the sensitivity of {name}")
        asked += [(name, given, number) for number in numbers]
    told, workers = Progress(hook, len(asked)), as_executor(executor)
    found = np.concatenate(swept(function, in_parts(asked, workers), workers, told))
    told.finish()
    return found.reshape(len(mechanisms), len(numbers))


def _scales(asked: list[_Asked], told: Progress) -> list[float]:
    """Return scales at budgets."""
    found = []
    for name, made, epsilon in asked:
        if callable(made):
            found.append(NOT_NEGATIVE.take(made(epsilon), f"the scale of {name}"))
        else:
            found.append(laplace_scale(made, epsilon))
        told.step()
    return found


def _budgets(asked: list[_Asked], told: Progress) -> list[float]:
    """Return budgets at scales."""
    found = []
    for name, made, scale in asked:
        found.append(_budget_of(made, scale, f"the scale of {name}") if callable(made) else made / scale)
        told.step()
    return found


def _budget_of(made: Callable[[float], float], scale: float, name: str) -> float:
    """Return the budget at which a mechanism has a scale."""

    def found(epsilon: float) -> float:
        return NOT_NEGATIVE.take(made(epsilon), name)

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
    for name in mechanisms:
        if not is_text(name):
            raise BudgetError(
                f"A mechanism is named {shown(name)}; a name is text, without half a character.",
                Where("parameter", name="mechanisms"),
            )
