"""The least noise with which a release of dependent tuples really keeps its promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pdp_widgets.leakage.dependent.budget import as_budget, laplace_scale
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs
from pdp_widgets.leakage.dependent.falling_root import falling_root
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.models.given_joint import as_sparse_joint

__all__ = ["LeastScale", "least_scale"]

_TIE = 1e-12


@dataclass(frozen=True)
class LeastScale:
    """The least scale for a promise about every tuple, to one who knows none.

    Parameters
    ----------
    epsilon
        The promise in nats.
    scale
        The least scale; 0 where the release keeps the promise without noise.
    floor
        The scale of the Laplace mechanism, which keeps the promise to one who knows all other tuples.
    noiseless
        What leaks without noise; often infinite.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import xor_bits
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


def least_scale(joint: Any, query: Any, epsilon: float) -> LeastScale:
    """Return the least scale of Laplace noise that leaks at most epsilon about any tuple.

    Parameters
    ----------
    joint, query
        As for `dependent_leakage`.
    epsilon
        The promise in nats; positive and finite.

    Notes
    -----
    For one release, and an adversary who knows the law and no tuple. It does not compose: for several
    releases compute what they leak together.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> opposite = least_scale(agreeing_bits(0.0), "sum", 1.0)
    >>> opposite.scale, opposite.with_floor
    (0.0, 1.0)
    """
    rows = as_sparse_joint(joint)
    asked = as_joint_query(query, rows)
    budget = as_budget(epsilon)
    changes = asked.sensitivities(rows)
    seen = ConditionalOutputs.of(rows, asked.outputs(rows))
    noiseless = max(seen.noiseless(j) for j in range(rows.n))
    floor = float(changes.max()) / budget
    if noiseless <= budget * (1 + _TIE):
        return LeastScale(budget, 0.0, floor, noiseless)

    def leaks(scale: float) -> float:
        return max(float(peaks.values[0]) for peaks in seen.peaks(range(rows.n), scale))

    most = laplace_scale(float(changes.sum()), budget)
    low = most / 2
    while leaks(low) <= budget:
        most, low = low, low / 2
    return LeastScale(budget, falling_root(leaks, budget, low, most), floor, noiseless)
