"""Scales that keep a promise about dependent tuples: the least one, and those by coefficients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET, SCALE
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.leakage.dependent.budget import falling_root, laplace_scale
from pdp_widgets.leakage.dependent.coefficients import Coefficient, DependentRatios, as_coefficient
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs
from pdp_widgets.mechanisms.joint_query import IdentityQuery, JointQuery, LinearRows, as_joint_query
from pdp_widgets.models.amount import Amount
from pdp_widgets.models.dependence import as_blocks
from pdp_widgets.models.labels import as_choice, how_many
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint

_TIE = 1e-12


@dataclass(frozen=True)
class LeastScale:
    """The least scale for a promise about every tuple, to an adversary who knows none.

    Parameters
    ----------
    epsilon
        The promise in nats.
    scale
        The least scale; 0 where the release keeps the promise without noise.
    floor
        The scale of the Laplace mechanism, which is enough for an adversary who knows all other tuples.
    noiseless
        What leaks without noise; often infinite.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import xor_bits
    >>> found = least_scale(xor_bits(), "sum", 1.0)
    >>> round(found.scale, 6), found.floor, found.noiseless
    (1.34239, 1.0, inf)
    """

    epsilon: float
    scale: float
    floor: float
    noiseless: float

    @property
    def with_floor(self) -> float:
        """The larger of the least scale and that of the Laplace mechanism: the one to release with."""
        return max(self.scale, self.floor)


def least_scale(
    joint: Any, query: Any, epsilon: float, *, limit: float = 60.0, progress: ProgressHook | None = None
) -> LeastScale:
    """Return the least scale of Laplace noise that leaks at most epsilon about any tuple.

    Parameters
    ----------
    joint, query
        As for `dependent_leakage`.
    epsilon
        The promise in nats; positive and finite.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    LimitError
        The outputs span too large a grid, or it takes longer than the limit.

    Notes
    -----
    For one release, and an adversary who knows the law and no tuple. It does not compose: for several
    releases compute what they leak together.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> opposite = least_scale(agreeing_bits(0.0), "sum", 1.0)
    >>> opposite.scale, opposite.with_floor
    (0.0, 1.0)
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    told = _searched(rows, "The least scale", limit, progress)
    found = _least_scale(rows, asked, BUDGET.take(epsilon, "epsilon"), told.step)
    told.finish()
    return found


def _searched(rows: SparseJoint, work: str, limit: float, progress: ProgressHook | None) -> Progress:
    """Return what counts the scales tried for a number of tuples, about so many."""
    hook = timed(progress, limit, f"{work} for {how_many(rows.n, 'tuple')}", "Take fewer tuples or values.")
    return Progress(hook, _SCALES_TRIED * rows.n)


def _least_scale(rows: SparseJoint, asked: JointQuery, budget: float, wait: Callable[[], None]) -> LeastScale:
    """Return the least scale; ``wait`` is called for every tuple and scale."""
    changes = asked.sensitivities(rows)
    seen = ConditionalOutputs.of(rows, asked.outputs(rows))
    noiseless = max(seen.noiseless(j) for j in range(rows.n))
    floor = float(changes.max()) / budget
    if noiseless <= budget * (1 + _TIE):
        return LeastScale(budget, 0.0, floor, noiseless)

    def leaks(scale: float) -> float:
        found = max(float(peaks.values[0]) for peaks in seen.peaks(range(rows.n), scale))
        for _ in range(rows.n):
            wait()
        return found

    most = laplace_scale(float(changes.sum()), budget)
    low = most / 2
    while leaks(low) <= budget:
        most, low = low, low / 2
    return LeastScale(budget, falling_root(leaks, budget, low, most), floor, noiseless)


# A search for a scale takes ten to twenty, mostly.
_SCALES_TRIED = 20
_SOURCE = "Liu, Chakraborty and Mittal, Eq. 25"

Floats = NDArray[np.float64]
Blocks: TypeAlias = Sequence[tuple[int, ...]]

Mechanism: TypeAlias = Literal["lpm", "baseline", "dpm_exact", "dpm_mean", "dpm_eq18", "calibrated"]
#: In words: what each of them takes as the sensitivity.
MECHANISMS: dict[Mechanism, str] = {
    "lpm": "Laplace mechanism: one tuple changes",
    "baseline": "Baseline: a whole block changes",
    "dpm_exact": "Dependent perturbation: exact coefficients of pairs",
    "dpm_mean": "Dependent perturbation: mean distances",
    "dpm_eq18": "Dependent perturbation: the paper's bound",
    "calibrated": "Least scale that keeps the promise if no tuple is known, not below the Laplace mechanism",
}


def as_mechanism(mechanism: Any) -> Mechanism:
    """Return the key of a mechanism, or raise DomainError."""
    keys: tuple[Mechanism, ...] = get_args(Mechanism)
    return as_choice(mechanism, "mechanism", keys)


def dependent_sensitivities(
    joint: Any, query: Any, scale: float, kind: Coefficient = "exact", blocks: Any = None
) -> Floats:
    """Return the dependent sensitivity of every tuple at a release scale, DS_i.

    It is the sensitivity of the tuple and, for every other tuple of its block, that tuple's sensitivity times
    the dependence coefficient.

    Parameters
    ----------
    joint, query
        As for `dependent_leakage`. A linear query has coefficients of what the values contribute, so that a
        large weight counts.
    scale
        Of the noise: coefficients depend on it.
    kind
        As for `dependence_coefficients`.
    blocks
        Lists of tuples that are independent of each other; without it those of the table.

    Notes
    -----
    Liu, Chakraborty and Mittal, Eq. 22 to 24, with the coefficient of a linear query taken at the scale that
    a tuple sees.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> dependent_sensitivities(agreeing_bits(0.9), "sum", 1.0).round(4).tolist()
    [1.7761, 1.7761]
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    return _sensitivities(
        rows, asked, SCALE.take(scale, "scale"), as_coefficient(kind), as_blocks(rows, blocks)
    )


def dependent_scale(
    joint: Any,
    query: Any,
    epsilon: float,
    mechanism: Mechanism = "dpm_exact",
    blocks: Any = None,
    *,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> Amount:
    """Return the noise scale of a mechanism.

    Parameters
    ----------
    joint, query
        As for `dependent_leakage`.
    epsilon
        The promise in nats; positive and finite.
    mechanism
        ``"lpm"``, ``"baseline"``, ``"dpm_exact"``, ``"dpm_mean"``, ``"dpm_eq18"`` or ``"calibrated"``.
    blocks
        As for `dependent_sensitivities`.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Returns
    -------
    scale
        In units of the query; exact, as what solves the equation of the mechanism. 0 where no tuple changes
        the output.

    Raises
    ------
    LimitError
        It takes longer than the limit.

    Notes
    -----
    Liu, Chakraborty and Mittal, Eq. 25. The scale stands on both sides of it, for the coefficients depend on
    it; here the equation is solved. What each mechanism guarantees is told by `guaranteed`.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> round(dependent_scale(agreeing_bits(0.9), "sum", 1.0), 6)
    1.792541
    >>> [dependent_scale(agreeing_bits(0.9), "sum", 1.0, key) for key in ("lpm", "baseline", "dpm_mean")]
    [1.0, 2.0, 1.9]
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    told = _searched(rows, "The scale", limit, progress)
    budget, key = BUDGET.take(epsilon, "epsilon"), as_mechanism(mechanism)
    found = scale_of(rows, asked, budget, key, blocks, told.step)
    told.finish()
    return Amount(found, "units of the query", "exact", _SOURCE)


def _nobody() -> None:
    """Wait for nothing."""


def scale_of(
    rows: SparseJoint,
    asked: JointQuery,
    budget: float,
    key: Mechanism,
    blocks: Any,
    wait: Callable[[], None] = _nobody,
    ratios: DependentRatios | None = None,
) -> float:
    """Return the scale of `dependent_scale` as a number.

    Parameters
    ----------
    rows, asked, budget, key, blocks
        As there, checked.
    wait
        Called for every tuple and scale that is tried.
    ratios
        Those of the query, where they are at hand: other budgets have the same.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> joint = agreeing_bits(0.9)
    >>> scale_of(joint, as_joint_query("sum", joint), 1.0, "baseline", None)
    2.0
    """
    changes = asked.sensitivities(rows)
    least = laplace_scale(float(changes.max()), budget)
    if key == "lpm" or least == 0:
        return least
    if key == "calibrated":
        return float(_least_scale(rows, asked, budget, wait).with_floor)
    parts = as_blocks(rows, blocks)
    if key == "baseline":
        return laplace_scale(max(map(len, parts)) * float(changes.max()), budget)
    kind: Coefficient = "exact" if key == "dpm_exact" else "mean" if key == "dpm_mean" else "eq18"
    if kind == "mean":
        return laplace_scale(float(_sensitivities(rows, asked, 1.0, kind, parts).max()), budget)

    known = ratios or DependentRatios(rows, asked.reach(rows))

    def loss(scale: float) -> float:
        return float(_sensitivities(rows, asked, scale, kind, parts, known, wait).max()) / scale

    # What is above by rounding alone is not above.
    if loss(least) <= budget * (1 + 1e-13):
        return least
    most = laplace_scale(max(float(changes[list(part)].sum()) for part in parts), budget)
    return falling_root(loss, budget, least, most)


def guaranteed(
    mechanism: Mechanism, query: JointQuery, blocks: Blocks, refuted: bool = False, some_known: bool = False
) -> bool:
    """Tell if a mechanism keeps its promise by construction, where no tuple is known or where some are."""
    # The Laplace mechanism keeps it where all tuples are independent, and the baseline always, whoever asks.
    # Exact coefficients do for blocks of at most two and a linear query or the identity: somebody who knows
    # the other one is told less. The bounds do for any blocks and such queries, and the exact calibration
    # always; both are made for an adversary who knows no tuple. Where some are known, bounds hold for blocks
    # of at most two, and the calibration where all tuples are independent. Blocks that the table refutes
    # guarantee nothing; the calibration needs none.
    largest = max(map(len, blocks))
    if mechanism == "calibrated":
        return not some_known or (largest == 1 and not refuted)
    if refuted:
        return False
    additive = isinstance(query, LinearRows | IdentityQuery)
    if mechanism == "lpm":
        return largest == 1
    if mechanism == "dpm_exact":
        # Alone in its block, every tuple has the scale of the Laplace mechanism.
        return largest == 1 or (largest == 2 and additive)
    if mechanism in ("dpm_mean", "dpm_eq18"):
        return largest == 1 or (additive and (largest == 2 or not some_known))
    return True


def _sensitivities(
    joint: SparseJoint,
    query: JointQuery,
    scale: float,
    kind: Coefficient,
    blocks: Blocks,
    ratios: DependentRatios | None = None,
    wait: Callable[[], None] | None = None,
) -> Floats:
    changes = query.sensitivities(joint)
    if max(map(len, blocks)) == 1:
        return changes
    ratios = ratios or DependentRatios(joint, query.reach(joint))
    found = ratios.at(scale, kind, wait)
    together = np.zeros_like(found)
    for block in blocks:
        together[np.ix_(block, block)] = 1.0
    # Each share is one of a change; ratios alone may add up to more than floats hold.
    return np.asarray(changes + (scale * found * together).sum(axis=1))
