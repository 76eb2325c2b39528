"""A noisy release of dependent tuples: its query, its budget, and how much noise the dependence asks for."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import BUDGET, SCALE
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.leakage.dependent.accuracy import (
    AccuracyCurve,
    ErrorKind,
    LaplaceAccuracy,
    accuracy_curve,
    laplace_accuracy,
)
from pdp_widgets.leakage.dependent.budget import as_noise
from pdp_widgets.leakage.dependent.coefficients import (
    Coefficient,
    DependentRatios,
    as_coefficient,
    dependent_ratios,
)
from pdp_widgets.leakage.dependent.dependent_scale import (
    MECHANISMS,
    Blocks,
    Mechanism,
    as_mechanism,
    dependent_scale,
    dependent_sensitivities,
    scale_of,
)
from pdp_widgets.mechanisms.joint_query import JointQuery, as_joint_query
from pdp_widgets.models.dependence import are_refuted, as_blocks
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint

Floats = NDArray[np.float64]

_KINDS: dict[Mechanism, Coefficient] = {"dpm_mean": "mean", "dpm_eq18": "eq18"}


class DependentRelease(Immutable):
    """Dependent tuples, what is published about them, and the noise: the part that no adversary changes."""

    __slots__ = ("__dict__", "_blocks", "_epsilon", "_given", "_joint", "_mechanism", "_query")

    _joint: SparseJoint
    _query: JointQuery
    _epsilon: float
    _mechanism: Mechanism
    _blocks: tuple[tuple[int, ...], ...]
    _given: float | None

    def __init__(
        self,
        joint: Any,
        query: Any = "sum",
        epsilon: float = 1.0,
        mechanism: Mechanism = "dpm_exact",
        blocks: Any = None,
        scale: float | None = None,
    ) -> None:
        self._begin()
        rows = as_sparse_joint(joint)
        for slot, value in (
            ("_joint", rows),
            ("_query", as_joint_query(query, rows)),
            ("_epsilon", BUDGET.take(epsilon, "epsilon")),
            ("_mechanism", as_mechanism(mechanism)),
            ("_blocks", tuple(as_blocks(rows, blocks))),
            ("_given", None if scale is None else SCALE.take(scale, "scale")),
        ):
            object.__setattr__(self, slot, value)
        # What does not fit is named now, not when a number is asked for.
        self._query.outputs(rows)

    def _made(self) -> bool:
        return hasattr(self, "_joint")

    @property
    def joint(self) -> SparseJoint:
        """How the tuples depend on each other."""
        return self._joint

    @property
    def query(self) -> JointQuery:
        """What is published, before noise."""
        return self._query

    @property
    def epsilon(self) -> float:
        """The promise in nats."""
        return self._epsilon

    @property
    def mechanism(self) -> Mechanism:
        """The key of the mechanism."""
        return self._mechanism

    @property
    def given_scale(self) -> float | None:
        """A scale of one's own in place of the mechanism's, or None."""
        return self._given

    @property
    def mechanism_label(self) -> str:
        """How the noise was chosen, in words."""
        return "A scale of one's own" if self._given is not None else MECHANISMS[self._mechanism]

    @property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the tuples by block."""
        return self._blocks

    @property
    def outputs(self) -> int:
        """How many numbers are published."""
        return int(self._query.outputs(self._joint).shape[1])

    @cached_property
    def scale(self) -> float:
        """The noise scale; 0 where no tuple changes the output."""
        if self._given is not None:
            return self._given
        return dependent_scale(self._joint, self._query, self._epsilon, self._mechanism, self._blocks)

    @cached_property
    def _refuted(self) -> bool:
        return are_refuted(self._joint, self._blocks)

    @property
    def sensitivities(self) -> Floats:
        """Largest change of the output when one tuple changes, shape (n,)."""
        return np.array(self._query.sensitivities(self._joint))

    def dependent_sensitivities(self, kind: Coefficient = "exact") -> Floats:
        """Return the dependent sensitivity of every tuple at this scale, DS_i; see the function of that name.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import covered_shift
        >>> DependentRelease(covered_shift()).dependent_sensitivities("mean").round(6).tolist()
        [2.0, 2.19, 2.19, 1.6, 1.6, 1.0]
        """
        if not self.scale:
            return self.sensitivities
        return dependent_sensitivities(self._joint, self._query, self.scale, kind, self._blocks)

    @property
    def dependent_sensitivity(self) -> float:
        """The largest of them, with the coefficients of the mechanism: exact ones where it has none."""
        return float(self.dependent_sensitivities(_KINDS.get(self._mechanism, "exact")).max())

    def coefficients(self, kind: Coefficient = "exact") -> Floats:
        """Return the dependence coefficients of all pairs at this release, shape (n, n).

        For a linear query they are about what the values contribute, that is, at the scale that each tuple
        sees.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import agreeing_bits
        >>> DependentRelease(agreeing_bits(0.9)).coefficients().round(6).tolist()
        [[1.0, 0.792541], [0.792541, 1.0]]
        """
        name = as_coefficient(kind)
        found = np.zeros((self._joint.n, self._joint.n))
        if self.scale:
            ratios = dependent_ratios(self._joint, self._query.reach(self._joint), self.scale, name)
            changes = self.sensitivities
            np.divide(ratios * self.scale, changes, out=found, where=changes > 0)
        np.fill_diagonal(found, 1.0)
        return np.asarray(np.minimum(found, 1.0))

    @property
    def dp_losses(self) -> Floats:
        """What leaks about every tuple to an adversary who knows all others, at most: DQ_i / scale."""
        return self.sensitivities / self.scale if self.scale else np.zeros(self._joint.n)

    @property
    def dp_loss(self) -> float:
        """Loss of differential privacy of the release, the largest of these."""
        return float(self.dp_losses.max())

    def accuracy(self, alpha: float) -> LaplaceAccuracy:
        """Return the chances that the release is off by alpha or more.

        Examples
        --------
        >>> from pdp_widgets.models.joint_examples import agreeing_bits
        >>> round(DependentRelease(agreeing_bits(), scale=2.0).accuracy(4.0).one_output, 6)
        0.135335
        """
        return laplace_accuracy(alpha, as_noise(self.scale), self.outputs)

    def accuracy_curve(
        self,
        alpha: float,
        epsilons: ArrayLike | None = None,
        kind: ErrorKind = "largest",
        mechanisms: Iterable[Mechanism] = ("lpm", "baseline", "dpm_exact", "dpm_mean"),
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
        executor: Executor | None = None,
    ) -> AccuracyCurve:
        """Return the chance of an error of alpha or more for several mechanisms, by budget.

        Parameters
        ----------
        alpha, epsilons, kind
            As for `accuracy_curve`.
        mechanisms
            Keys, see `dependent_scale`.
        limit, progress, executor
            As for `accuracy_curve`.
        """
        ratios = DependentRatios(self._joint, self._query.reach(self._joint))
        scale = partial(_scale, self._joint, self._query, self._blocks, ratios)
        named: dict[str, Any] = {key: partial(scale, as_mechanism(key)) for key in mechanisms}
        return accuracy_curve(
            named,
            epsilons,
            alpha,
            self.outputs,
            kind,
            limit=limit,
            progress=progress,
            executor=executor,
        )


def _scale(
    joint: SparseJoint,
    query: JointQuery,
    blocks: Blocks,
    ratios: DependentRatios,
    mechanism: Mechanism,
    epsilon: float,
) -> float:
    """Return the scale of a mechanism at a budget."""
    return scale_of(joint, query, BUDGET.take(epsilon, "epsilon"), mechanism, blocks, ratios=ratios)
