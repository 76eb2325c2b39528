"""Sensitivity under dependence, and the noise that each mechanism adds for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.dependent.budget import as_budget, laplace_scale
from pdp_widgets.leakage.dependent.coefficients import Coefficient, as_coefficient, dependent_ratios
from pdp_widgets.leakage.dependent.falling_root import falling_root
from pdp_widgets.leakage.dependent.least_scale import least_scale
from pdp_widgets.mechanisms.identity_query import IdentityQuery
from pdp_widgets.mechanisms.joint_query import JointQuery, LinearRows, as_joint_query
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.models.given_joint import as_sparse_joint
from pdp_widgets.models.independent_blocks import as_blocks
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = [
    "MECHANISMS",
    "Mechanism",
    "as_mechanism",
    "dependent_scale",
    "dependent_sensitivities",
    "guaranteed",
]

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
    """Return the key of a mechanism, or raise DomainError.

    Examples
    --------
    >>> as_mechanism("lpm")
    'lpm'
    """
    keys: tuple[Mechanism, ...] = get_args(Mechanism)
    for key in keys:
        if isinstance(mechanism, str) and mechanism == key:
            return key
    raise DomainError(
        f"The mechanism is {shown(mechanism)}; it is one of {', '.join(keys)}.",
        Where("parameter", name="mechanism"),
    )


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
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> dependent_sensitivities(agreeing_bits(0.9), "sum", 1.0).round(4).tolist()
    [1.7761, 1.7761]
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    return _sensitivities(rows, asked, as_scale(scale), as_coefficient(kind), as_blocks(rows, blocks))


def dependent_scale(
    joint: Any, query: Any, epsilon: float, mechanism: Mechanism = "dpm_exact", blocks: Any = None
) -> float:
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

    Returns
    -------
    scale
        0 where no tuple changes the output.

    Notes
    -----
    Liu, Chakraborty and Mittal, Eq. 25. The scale stands on both sides of it, for the coefficients depend on
    it; here the equation is solved. What each mechanism guarantees is told by `guaranteed`.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> round(dependent_scale(agreeing_bits(0.9), "sum", 1.0), 6)
    1.792541
    >>> [dependent_scale(agreeing_bits(0.9), "sum", 1.0, key) for key in ("lpm", "baseline", "dpm_mean")]
    [1.0, 2.0, 1.9]
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    budget, key = as_budget(epsilon), as_mechanism(mechanism)
    changes = asked.sensitivities(rows)
    least = laplace_scale(float(changes.max()), budget)
    if key == "lpm" or least == 0:
        return least
    if key == "calibrated":
        return float(least_scale(rows, asked, budget).with_floor)
    parts = as_blocks(rows, blocks)
    if key == "baseline":
        return laplace_scale(max(map(len, parts)) * float(changes.max()), budget)
    kind: Coefficient = "exact" if key == "dpm_exact" else "mean" if key == "dpm_mean" else "eq18"
    if kind == "mean":
        return laplace_scale(float(_sensitivities(rows, asked, 1.0, kind, parts).max()), budget)

    def loss(scale: float) -> float:
        return float(_sensitivities(rows, asked, scale, kind, parts).max()) / scale

    # What is above by rounding alone is not above.
    if loss(least) <= budget * (1 + 1e-13):
        return least
    most = laplace_scale(max(float(changes[list(part)].sum()) for part in parts), budget)
    return falling_root(loss, budget, least, most)


def guaranteed(
    mechanism: Mechanism, query: JointQuery, blocks: Blocks, refuted: bool = False, some_known: bool = False
) -> bool:
    """Tell whether a mechanism keeps its promise by its construction, to one who knows no tuple, or to any.

    The Laplace mechanism does where all tuples are independent, and the baseline always, whoever asks. Exact
    coefficients do for blocks of at most two and a linear query or the identity: who knows the other one is
    told less. The bounds do for any blocks and such queries, and the exact calibration always; both are made
    for one who knows no tuple. Where some are known, bounds hold for blocks of at most two, and the
    calibration where all tuples are independent. Blocks that the table refutes guarantee nothing; the
    calibration needs none.

    Parameters
    ----------
    mechanism, query, blocks
        The release.
    refuted
        The table refutes the blocks.
    some_known
        The adversary may know some tuples.

    Examples
    --------
    >>> guaranteed("dpm_exact", IdentityQuery(), [(0, 1, 2)])
    False
    >>> [guaranteed("calibrated", IdentityQuery(), [(0, 1)], some_known=some) for some in (False, True)]
    [True, False]
    """
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
    joint: SparseJoint, query: JointQuery, scale: float, kind: Coefficient, blocks: Blocks
) -> Floats:
    changes = query.sensitivities(joint)
    if max(map(len, blocks)) == 1:
        return changes
    ratios = dependent_ratios(joint, query.reach(joint), scale, kind)
    together = np.zeros_like(ratios)
    for block in blocks:
        together[np.ix_(block, block)] = 1.0
    # Each share is one of a change; ratios alone may add up to more than floats hold.
    return np.asarray(changes + (scale * ratios * together).sum(axis=1))
