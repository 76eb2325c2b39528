"""What many steps leak together, from what each of them leaks: the linear and the advanced bound."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import DELTA, EPSILON
from pdp_widgets.core.chart import nats
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.sequence.step_leakage import StreamUnit, as_steps, stream_leakage
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.labels import as_choice, shown

_THEOREM_1 = "Jiang, Li and Tandon, Theorem 1"
_THEOREM_2 = "Jiang, Li and Tandon, Theorem 2"
#: Steps of one budget: it stands so many times in the result, which takes 80 MB.
_MOST_EQUAL = 10_000_000
_DELTA = "for every data sequence of positive probability, over the releases"


@dataclass(frozen=True, repr=False)
class Composition(NumberTable):
    r"""Bounds on what a stream leaks, given the leakage of every step.

    Its tables have one bound a row.

    Parameters
    ----------
    epsilons
        What each step leaks at most, after whatever was released before, in nats.
    delta
        How often the advanced bounds may be passed: for every data sequence of positive probability, the
        releases drawn given that sequence leak more with at most this probability.
    linear
        The sum, Theorem 1; it is never passed.
    advanced
        Theorem 2 with the drift ``eps tanh(eps / 2)``, the largest Kullback-Leibler divergence of two laws
        with log ratios within eps; one-sided.
    printed
        Theorem 2 as the paper prints it, with the larger drift ``eps (exp(eps) - 1)``.
    printed_batched
        The paper's form for batches, where the number of batches is not under the square root: a bound too,
        but never below the sum once ``2 ln(1 / delta)`` is 1 or more.

    Notes
    -----
    The advanced bounds hold for the log ratio itself. For its size, both signs together, the probability is
    at most ``2 delta``.

    Examples
    --------
    >>> found = compose(0.1, 100, delta=1e-5)
    >>> print(found.linear, found.best, sep="\n")
    10 nats (bound): all 100 steps
    5.29811 nats (bound): all 100 steps, but for delta 1e-05
    >>> found
    Composition(100 steps, delta=1e-05, linear 10 nats, advanced 5.29811 nats)
    """

    epsilons: tuple[float, ...]
    delta: float
    linear: Leakage
    advanced: Leakage
    printed: Leakage
    printed_batched: Leakage

    @property
    def steps(self) -> int:
        """Number of steps, or of batches."""
        return len(self.epsilons)

    @property
    def best(self) -> Leakage:
        """The smaller one of the linear and the advanced bound."""
        return self.advanced if float(self.advanced) < float(self.linear) else self.linear

    @property
    def meaning(self) -> str:
        """What delta is a probability of, in words."""
        return _DELTA

    def _numbers(self) -> Numbers:
        bounds = (self.linear, self.advanced, self.printed, self.printed_batched)
        return Numbers(
            {
                "bound": ["linear", "advanced", "advanced, larger drift", "advanced, of batches"],
                "leakage": [float(one) for one in bounds],
                "delta": [0.0, *3 * [self.delta]],
                "status": [one.status for one in bounds],
                "source": [one.source for one in bounds],
            },
            {"bound": "text", "leakage": "bound", "delta": "probability", "status": "text"},
            {
                "unit": "nats",
                "source": f"{_THEOREM_1} and Theorem 2",
                "status": {},
                "steps": self.steps,
                "delta": f"passed with at most this probability, {_DELTA}",
            },
            (f"{self.linear.about.target}; passed with probability δ at most",),
        )

    def __repr__(self) -> str:
        both = f"linear {nats(float(self.linear))}, advanced {nats(float(self.advanced))}"
        return f"Composition({self.linear.about.target.removeprefix('all ')}, delta={self.delta:g}, {both})"


def compose(
    epsilon: float | Sequence[float],
    steps: int | None = None,
    delta: float = 1e-5,
    unit: StreamUnit = "step",
) -> Composition:
    """Return bounds on what all steps leak together.

    Parameters
    ----------
    epsilon
        What every step leaks at most, in nats; or one number for each step, as batches of different sizes
        have.
    steps
        Number of steps; not with a list.
    delta
        Probability with which the advanced bounds may be passed, at least 0 and below 1. With 0 the linear
        bound is the only one.
    unit
        ``"step"``, or ``"batch"`` where several steps are released together.

    Raises
    ------
    BudgetError
        A number is outside its range.
    LimitError
        There are more than 10,000,000 steps, or a list of more than 1,000,000.

    Examples
    --------
    >>> found = compose(1.0, 50)
    >>> float(found.best), round(float(found.advanced), 3), found.printed.status
    (50.0, 57.037, 'as printed')
    """
    as_choice(unit, "unit", get_args(StreamUnit), BudgetError)
    levels = _levels(epsilon, steps)
    chance = DELTA.take(delta, "delta")
    length = len(levels)
    parts = _alike(levels)
    linear = _total(parts)
    drift = _total([(level * math.tanh(level / 2), many) for level, many in parts])
    total = _total([(level * math.expm1(level) if level < 700 else math.inf, many) for level, many in parts])
    root = math.sqrt(2 * math.log(1 / chance)) if chance else math.inf
    # Without a leakage nothing is passed, whatever delta is.
    spread = root * math.hypot(*(level * math.sqrt(many) for level, many in parts)) if linear else 0.0
    batched = root * linear if linear else 0.0
    return Composition(
        tuple(levels),
        chance,
        stream_leakage(linear, "bound", length, _THEOREM_1, unit=unit),
        stream_leakage(drift + spread, "bound", length, f"{_THEOREM_2}, smaller drift", chance, unit),
        stream_leakage(total + spread, "as printed", length, _THEOREM_2, chance, unit),
        stream_leakage(total + batched, "as printed", length, f"{_THEOREM_2}, batches", chance, unit),
    )


def best_bounds(epsilons: ArrayLike, delta: float = 1e-5) -> dict[str, NDArray[np.float64]]:
    """Return the linear, the advanced and the smaller bound after each step, for curves."""
    levels = np.array(_levels([float(one) for one in np.ravel(np.asarray(epsilons))], None))
    chance = DELTA.take(delta, "delta")
    root = math.sqrt(2 * math.log(1 / chance)) if chance else math.inf
    # Beyond the largest floats a bound is infinite.
    with np.errstate(over="ignore"):
        linear = np.cumsum(levels)
        # Not by squares: those of tiny budgets are 0.
        length = np.hypot.accumulate(levels)
        spread = np.zeros_like(length)
        spread[length > 0] = root * length[length > 0]
        advanced = np.cumsum(levels * np.tanh(levels / 2)) + spread
    return {"linear": linear, "advanced": advanced, "best": np.minimum(linear, advanced)}


def first_useful_step(
    epsilon: float, delta: float = 1e-5, *, printed: bool = False, most: int = 10**9
) -> int | None:
    """Return the first number of steps at which the advanced bound is below the linear one."""
    level, chance = EPSILON.take(epsilon, "epsilon"), DELTA.take(delta, "delta")
    if not chance or not 0 < level < math.inf:
        return None
    # With T steps: T drift + eps root sqrt(T) < T eps. All divided by eps.
    gain = 1 - (math.expm1(min(level, 700.0)) if as_flag(printed, "printed") else math.tanh(level / 2))
    if gain <= 0:
        return None
    bound = 2 * math.log(1 / chance) / gain**2
    if bound >= most:
        return None
    return math.floor(bound) + 1


def _levels(epsilon: float | Sequence[float], steps: int | None) -> list[float]:
    one = isinstance(epsilon, str | bytes) or (isinstance(epsilon, np.ndarray) and not epsilon.ndim)
    if isinstance(epsilon, Sequence | np.ndarray) and not one:
        if steps is not None and steps != len(epsilon):
            raise BudgetError(
                f"There are {len(epsilon)} budgets and steps is {shown(steps)}; give the list alone.",
                Where("parameter", name="steps"),
            )
        as_steps(len(epsilon))
        return [EPSILON.take(level, f"epsilon of step {k + 1}") for k, level in enumerate(epsilon)]
    if steps is None:
        raise BudgetError(
            "steps is missing; give the number of steps, or one budget for each step.",
            Where("parameter", name="steps"),
        )
    return [EPSILON.take(epsilon, "epsilon")] * as_steps(steps, _MOST_EQUAL)


def _alike(levels: list[float]) -> list[tuple[float, int]]:
    """Return each budget and for how many steps it holds; budgets that are all the same stand once."""
    if levels and levels.count(levels[0]) == len(levels):
        return [(levels[0], len(levels))]
    return [(level, 1) for level in levels]


def _total(parts: list[tuple[float, int]]) -> float:
    try:
        return math.fsum(value * many for value, many in parts)
    except OverflowError:
        # Of numbers that are 0 or more: the sum is beyond the largest float.
        return math.inf
