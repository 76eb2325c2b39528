"""What a release leaks whose noise was computed from coefficients that are too small: Fig. 7."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import BUDGET, FACTOR
from pdp_widgets.core.chart import Axis, Chart, Level, curves, number, told_apart
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.core.progress import Progress, ProgressHook, part, timed
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.dependent.budget import as_noise, budgets_across, laplace_scale
from pdp_widgets.leakage.dependent.coefficients import DependentRatios
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs
from pdp_widgets.leakage.dependent.dependent_scale import Blocks, scale_of
from pdp_widgets.leakage.dependent.small_delta import SmallDelta, small_delta
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage, largest_leakage
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written, epsilon_words
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.joint_query import JointQuery, as_joint_query
from pdp_widgets.models.dependence import as_blocks
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import how_many, shown
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint

Floats = NDArray[np.float64]

_SOURCE = "Liu, Chakraborty and Mittal, Section VI-D3 and Fig. 7"


@dataclass(frozen=True, eq=False)
class Underestimation(EqualByFields, ReadOnlyArrays, NumberTable):
    """A release with the noise of coefficients that are too small by one factor.

    Parameters
    ----------
    epsilon
        The promise in nats.
    factor
        What the coefficients of other tuples were multiplied by, above 0 and at most 1.
    coefficients
        Exact ones at the true scale, shape (n, n), 1 on the diagonal; 0 between blocks.
    scale_true, scale_under
        Of the noise with the exact coefficients, and of the one that is used.
    per_tuple
        What that release leaks about every tuple, exactly.
    small_delta
        With which delta it keeps the promise all the same; None where the answer has several numbers.

    Notes
    -----
    The scale is never below that of plain Laplace noise. Coefficients that are too large are safe only where
    the exact ones are enough, that is for blocks of two.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import identical_tuples
    >>> found = underestimated(identical_tuples(5), "sum", 1.0, factor=0.8)
    >>> round(found.scale_true, 6), round(found.scale_under, 6), round(float(found.largest), 4)
    (5.0, 4.2, 1.1905)
    """

    epsilon: float
    factor: float
    coefficients: Floats
    scale_true: float
    scale_under: float
    per_tuple: tuple[Leakage, ...]
    small_delta: SmallDelta | None

    @property
    def largest(self) -> Leakage:
        """The largest leakage of all tuples."""
        return largest_leakage(self.per_tuple)

    @property
    def delta(self) -> float | None:
        """The largest delta of all tuples."""
        return None if self.small_delta is None else self.small_delta.delta

    def _numbers(self) -> Numbers:
        deltas = {} if self.small_delta is None else {"delta": list(self.small_delta.per_tuple)}
        written: dict[str, Written] = {"tuple": "text", "leakage": "nats"}
        if deltas:
            written["delta"] = "probability"
        return Numbers(
            {
                "tuple": [one.about.target for one in self.per_tuple],
                "leakage": [float(one) for one in self.per_tuple],
                **deltas,
            },
            written,
            {
                "unit": "nats",
                "source": _SOURCE,
                "epsilon": self.epsilon,
                "factor": self.factor,
                "status": {"leakage": "exact"} | dict.fromkeys(deltas, "exact"),
            },
            (
                f"{epsilon_words(self.epsilon)}, coefficients times {number(self.factor, 4)}, "
                f"scale {number(self.scale_under)} in place of {number(self.scale_true)}",
            ),
        )


def underestimated(
    joint: Any,
    query: Any = "sum",
    epsilon: float = 1.0,
    factor: float = 0.8,
    blocks: Any = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Underestimation:
    """Return what a release leaks whose coefficients are too small by one factor.

    Parameters
    ----------
    joint, query, blocks
        As for `pdp_widgets.leakage.dependent.dependent_scale.dependent_scale`.
    epsilon
        The promise in nats, positive and finite.
    factor
        Above 0 and at most 1.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    BudgetError
        A number is not what it must be.
    ScaleError
        No tuple changes the answer: there is no noise to be too small.
    LimitError
        It takes longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> found = underestimated(agreeing_bits(0.9), "sum", 1.0, factor=0.8)
    >>> round(found.scale_under, 6), round(float(found.largest), 6), round(found.delta, 6)
    (1.634033, 1.096078, 0.044823)
    """
    rows = as_sparse_joint(joint)
    asked, budget, share = (
        as_joint_query(query, rows),
        BUDGET.take(epsilon, "epsilon"),
        FACTOR.take(factor, "factor"),
    )
    hook = timed(
        progress, limit, f"One release of {how_many(rows.n, 'tuple')}", "Take fewer tuples or values."
    )
    told = Progress(part(hook, 0.0, 0.5))
    ratios = DependentRatios(rows, asked.reach(rows))
    true, coefficients = _at_the_root(rows, asked, budget, as_blocks(rows, blocks), ratios, told)
    under = _under(asked.sensitivities(rows), coefficients, budget, share)
    # With one number as the answer, the release may keep the promise but for a small chance.
    single = asked.outputs(rows).shape[1] == 1
    leakages = dependent_leakage(rows, asked, under)
    told.finish()
    delta = None
    if single:
        delta = small_delta(rows, asked, under, budget, limit=math.inf, progress=part(hook, 0.5, 1.0))
    elif hook is not None:
        hook(1.0)
    return Underestimation(budget, share, coefficients, true, under, leakages, delta)


@dataclass(frozen=True, eq=False, repr=False)
class UnderestimationCurve(EqualByFields, ReadOnlyArrays, NumberTable, Result):
    """What releases leak with coefficients that are too small, by budget and factor.

    Parameters
    ----------
    epsilons
        Promises in nats, ascending.
    factors
        As for `underestimated`.
    scales, leakages
        Of the noise that is used, and what leaks at most about any tuple, shape (factors, budgets).

    Notes
    -----
    Its figure is ``"curves"``: budgets across, what leaks over the budget up.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import identical_tuples
    >>> found = underestimation_curve(identical_tuples(5), "sum", [1.0, 2.0], factors=[0.8, 1.0])
    >>> found.leakages.round(4).tolist()
    [[1.1905, 2.381], [1.0, 2.0]]
    """

    epsilons: Floats
    factors: Floats
    scales: Floats
    leakages: Floats

    def _numbers(self) -> Numbers:
        many = len(self.epsilons)
        return Numbers(
            {
                "factor": np.repeat(self.factors, many),
                "epsilon": np.tile(self.epsilons, len(self.factors)),
                "scale": self.scales.ravel(),
                "leakage": self.leakages.ravel(),
            },
            {"factor": "parameter", "epsilon": "parameter", "scale": "number", "leakage": "nats"},
            {"unit": "nats", "source": _SOURCE, "status": {"leakage": "exact"}},
        )

    def _figures(self) -> Figures:
        return {"curves": self._chart}

    def _chart(self) -> Chart:
        at, across = budgets_across(self.epsilons)
        names = [f"coefficients times {text}" for text in told_apart(self.factors.tolist(), 4)]
        return Chart(
            "Coefficients that are too small",
            curves(at, zip(names, self.leakages / self.epsilons, strict=True)),
            across,
            Axis("leakage over promise"),
            [Level("promise", 1.0)],
            note="Leakages are exact for this table, to an adversary who knows no tuple.",
        )


def underestimation_curve(
    joint: Any,
    query: Any = "sum",
    epsilons: ArrayLike | None = None,
    factors: ArrayLike = (0.8, 0.9, 1.0),
    blocks: Any = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> UnderestimationCurve:
    """Return what releases leak with coefficients that are too small, by budget and factor.

    Parameters
    ----------
    joint, query, blocks
        As for `underestimated`.
    epsilons
        Promises in nats; without them 13 from 0.1 to 3.
    factors
        Above 0 and at most 1.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers take some of the budgets, as for `pdp_widgets.prior.leakage_intervals`.

    Raises
    ------
    BudgetError, ScaleError
        As for `underestimated`.
    LimitError
        It takes longer than the limit.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> underestimation_curve(agreeing_bits(0.9), "sum", [1.0]).leakages.round(4).ravel().tolist()
    [1.0961, 1.0458, 1.0]
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    budgets = np.sort(
        np.atleast_1d(np.geomspace(0.1, 3, 13) if epsilons is None else as_sizes(epsilons, "epsilons"))
    )
    shares = np.atleast_1d(as_sizes(factors, "factors"))
    for name, row in (("epsilons", budgets), ("factors", shares)):
        if row.ndim != 1 or not row.size:
            raise BudgetError(
                f"{name} is {shown(row.tolist())}; give a row of at least one number.",
                Where("parameter", name=name),
            )
    levels, parts = (
        [BUDGET.take(e, "epsilon") for e in budgets.tolist()],
        [FACTOR.take(f, "factor") for f in shares.tolist()],
    )
    work = f"The curve of {how_many(len(levels), 'budget')} for {how_many(rows.n, 'tuple')}"
    hook = timed(progress, limit, work, "Take fewer budgets or tuples.")
    each, workers = 1 + len(parts), as_executor(executor)
    told = Progress(hook, each * len(levels))
    together = as_blocks(rows, blocks)
    told.wait()
    seen = ConditionalOutputs.of(rows, asked.outputs(rows))
    of_budgets = partial(_of_budgets, rows, asked, parts, together, seen)
    found = np.concatenate(swept(of_budgets, in_parts(levels, workers), workers, told, each), axis=2)
    told.finish()
    return UnderestimationCurve(budgets, shares, *found)


def _of_budgets(
    joint: SparseJoint,
    query: JointQuery,
    factors: Sequence[float],
    blocks: Blocks,
    seen: ConditionalOutputs,
    budgets: Sequence[float],
    told: Progress,
) -> Floats:
    """Return scale and largest leakage for every factor and budget, shape (2, factors, budgets)."""
    changes, ratios = query.sensitivities(joint), DependentRatios(joint, query.reach(joint))
    found = np.empty((2, len(factors), len(budgets)))
    for k, budget in enumerate(budgets):
        _, coefficients = _at_the_root(joint, query, budget, blocks, ratios, told)
        told.step()
        for f, share in enumerate(factors):
            scale = _under(changes, coefficients, budget, share)
            peaks = seen.peaks(range(joint.n), float(scale))
            found[:, f, k] = scale, max(float(one.values.max()) for one in peaks)
            told.step()
    return found


def _at_the_root(
    joint: SparseJoint,
    query: JointQuery,
    epsilon: float,
    blocks: Blocks,
    ratios: DependentRatios,
    told: Progress,
) -> tuple[float, Floats]:
    """Return the true scale and the exact coefficients there, as they enter the sensitivity."""
    true = scale_of(joint, query, epsilon, "dpm_exact", blocks, told.wait, ratios)
    changes, found = query.sensitivities(joint), np.zeros((joint.n, joint.n))
    if true > 0:
        shares = ratios.at(true, "exact", told.wait) * true
        for block in blocks:
            here = np.ix_(block, block)
            found[here] = np.divide(
                shares[here],
                changes[list(block)],
                out=np.zeros_like(shares[here]),
                where=changes[list(block)] > 0,
            )
    np.fill_diagonal(found, 1.0)
    return true, np.minimum(found, 1.0)


def _under(changes: Floats, coefficients: Floats, epsilon: float, factor: float) -> float:
    rows = (1 - factor) * changes + factor * (coefficients @ changes)
    return as_noise(laplace_scale(float(rows.max()), epsilon))
