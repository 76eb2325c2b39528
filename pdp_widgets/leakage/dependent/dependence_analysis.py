"""Several dependent tuples and one noisy release: what was promised about each, and what leaks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.dependent.about import tuple_leakage
from pdp_widgets.leakage.dependent.accuracy import ErrorKind, LaplaceAccuracy, laplace_accuracy
from pdp_widgets.leakage.dependent.accuracy_curve import AccuracyCurve, accuracy_curve
from pdp_widgets.leakage.dependent.budget import as_budget, as_noise
from pdp_widgets.leakage.dependent.coefficients import Coefficient, as_coefficient, dependent_ratios
from pdp_widgets.leakage.dependent.dependent_scale import (
    MECHANISMS,
    Mechanism,
    as_mechanism,
    dependent_scale,
    dependent_sensitivities,
    guaranteed,
)
from pdp_widgets.leakage.dependent.known_sets import KnownSets, every_known_set
from pdp_widgets.leakage.dependent.promise_report import PromiseReport, promise_report
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage, largest_leakage
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import Leakage, Status
from pdp_widgets.mechanisms.joint_query import JointQuery, as_joint_query
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.mechanisms.table_query import TableQuery
from pdp_widgets.models.given_joint import as_sparse_joint
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.independent_blocks import are_refuted, as_blocks
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["DependenceAnalysis"]

Floats = NDArray[np.float64]

_KINDS: dict[Mechanism, Coefficient] = {"dpm_mean": "mean", "dpm_eq18": "eq18"}


class DependenceAnalysis(Immutable, NumberTable):
    """What a release with Laplace noise promises about each of several dependent tuples, and what it leaks.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`: how the tuples hang together.
    query
        ``"sum"``, ``"mean"``, ``"identity"``, ``"count:VALUE"``, one weight for each tuple, or a query.
    epsilon
        The promise in nats; positive and finite.
    mechanism
        How noise is chosen: ``"lpm"``, ``"baseline"``, ``"dpm_exact"``, ``"dpm_mean"``, ``"dpm_eq18"`` or
        ``"calibrated"``, see `dependent_scale`.
    known
        Tuples that the adversary knows beside the law; without it none.
    blocks
        Lists of tuples that are independent of each other; without it those of the table. Where the table
        refutes them, they guarantee nothing.
    scale
        A noise scale of one's own, in place of the mechanism's.

    Notes
    -----
    Liu, Chakraborty and Mittal, "Dependence Makes You Vulnerable" (NDSS 2016). Every leakage is that of the
    release itself; what the paper's sums of coefficients say is in ``paper_estimates``.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import covered_shift
    >>> found = DependenceAnalysis(covered_shift(), "sum", 1.0)
    >>> print(round(found.scale, 6), found.largest, sep="; ")
    1.189395; 1.12675 nats (exact): Ann, knowing none
    >>> found.keeps_promise, found.guaranteed
    (False, False)
    >>> DependenceAnalysis(covered_shift(), "sum", 1.0, "dpm_mean").keeps_promise
    True
    """

    __slots__ = ("__dict__", "_blocks", "_epsilon", "_given", "_joint", "_known", "_mechanism", "_query")

    _joint: SparseJoint
    _query: JointQuery
    _epsilon: float
    _mechanism: Mechanism
    _known: tuple[int, ...]
    _blocks: tuple[tuple[int, ...], ...]
    _given: float | None

    def __init__(
        self,
        joint: Any,
        query: Any = "sum",
        epsilon: float = 1.0,
        mechanism: Mechanism = "dpm_exact",
        known: Iterable[str | int] = (),
        blocks: Any = None,
        *,
        scale: float | None = None,
    ) -> None:
        self._begin()
        rows = as_sparse_joint(joint)
        listed = [known] if isinstance(known, str | int) else known
        nobody = listed is None or (isinstance(listed, list | tuple) and not listed)
        for slot, value in (
            ("_joint", rows),
            ("_query", as_joint_query(query, rows)),
            ("_epsilon", as_budget(epsilon)),
            ("_mechanism", as_mechanism(mechanism)),
            ("_known", () if nobody else tuple(sorted(rows.axes(listed)))),
            ("_blocks", tuple(as_blocks(rows, blocks))),
            ("_given", None if scale is None else as_scale(scale)),
        ):
            object.__setattr__(self, slot, value)
        # What does not fit is named now, not when a number is asked for.
        self._query.outputs(rows)

    def _made(self) -> bool:
        return hasattr(self, "_joint")

    @property
    def joint(self) -> SparseJoint:
        """How the tuples hang together."""
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
    def known(self) -> tuple[str, ...]:
        """Names of the tuples that the adversary knows."""
        return tuple(self._joint.tuples[k] for k in self._known)

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
    def per_tuple(self) -> tuple[Leakage, ...]:
        """What the release leaks about every tuple to this adversary, exact.

        Examples
        --------
        >>> from pdp_widgets.models.dependent_examples import xor_bits
        >>> print(DependenceAnalysis(xor_bits(), known=["x2"], scale=1.0).per_tuple[0])
        2 nats (exact): x1, knowing x2
        """
        if not self.scale:
            known = [(name, None) for name in self.known]
            return tuple(
                tuple_leakage(0.0, name, [one for one in known if one[0] != name])
                for name in self._joint.tuples
            )
        return dependent_leakage(self._joint, self._query, self.scale, self._known)

    @property
    def largest(self) -> Leakage:
        """The largest leakage about any tuple."""
        return largest_leakage(self.per_tuple)

    @property
    def keeps_promise(self) -> bool:
        """Whether no tuple leaks more than was promised, to this adversary."""
        return float(self.largest) <= self._epsilon * (1 + 1e-9)

    @property
    def guaranteed(self) -> bool:
        """Whether the mechanism keeps its promise by construction, to one who knows no tuple."""
        if self._given is not None:
            return False
        return guaranteed(self._mechanism, self._query, self._blocks, self._refuted)

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
        >>> from pdp_widgets.models.dependent_examples import covered_shift
        >>> DependenceAnalysis(covered_shift()).dependent_sensitivities("mean").round(6).tolist()
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
        >>> from pdp_widgets.models.dependent_examples import agreeing_bits
        >>> DependenceAnalysis(agreeing_bits(0.9)).coefficients().round(6).tolist()
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
        """What the release leaks about every tuple to one who knows all others, at most: DQ_i / scale."""
        return self.sensitivities / self.scale if self.scale else np.zeros(self._joint.n)

    @property
    def dp_loss(self) -> float:
        """Loss of differential privacy of the release, the largest of these."""
        return float(self.dp_losses.max())

    @property
    def paper_estimates(self) -> tuple[Leakage, ...]:
        """What the paper's sum of exact coefficients says of every tuple, right or wrong: DS_i / scale.

        Examples
        --------
        >>> from pdp_widgets.models.dependent_examples import covered_shift
        >>> print(DependenceAnalysis(covered_shift()).paper_estimates[0])
        0.840764 nats (as printed): Ann, knowing none
        """
        return self._estimates("exact")

    @property
    def mean_bounds(self) -> tuple[Leakage, ...]:
        """The bound with mean distances: an estimate for other queries, or where other tuples are known.

        It holds for blocks of any size, with linear queries and the identity, if nobody is known.
        """
        return self._estimates("mean")

    def _estimates(self, kind: Coefficient) -> tuple[Leakage, ...]:
        values = self.dependent_sensitivities(kind) / self.scale if self.scale else np.zeros(self._joint.n)
        names = self._joint.tuples
        if kind == "exact":
            source = "Liu, Chakraborty and Mittal, Eq. 23 and 24"
            return tuple(
                tuple_leakage(value, name, status="as printed", source=source)
                for value, name in zip(values.tolist(), names, strict=True)
            )
        linear, found = not isinstance(self._query, TableQuery), []
        for value, name in zip(values.tolist(), names, strict=True):
            others = [(one, None) for one in self.known if one != name]
            status: Status = "bound" if linear and not others else "estimate"
            found.append(tuple_leakage(value, name, others, status=status, source="means of distances"))
        return tuple(found)

    @cached_property
    def known_sets(self) -> KnownSets:
        """What is learned about every tuple by whoever knows whichever set of others.

        Raises
        ------
        LimitError
            There are too many sets.
        """
        # Where no tuple changes the output, nobody learns anything at any scale.
        return every_known_set(self._joint, self._query, self.scale or 1.0)

    @property
    def worst_adversary(self) -> Leakage:
        """The largest leakage about any tuple over all sets of known others.

        Examples
        --------
        >>> from pdp_widgets.models.dependent_examples import covered_shift
        >>> print(DependenceAnalysis(covered_shift()).worst_adversary)
        1.59532 nats (exact): Ben, knowing Cy
        """
        return self.known_sets.worst

    @cached_property
    def mechanisms(self) -> PromiseReport:
        """All mechanisms with this promise: their scales, and what each leaks."""
        return promise_report(self._joint, self._query, self._epsilon, blocks=self._blocks)

    def accuracy(self, alpha: float) -> LaplaceAccuracy:
        """Return the chances that the release is off by alpha or more.

        Examples
        --------
        >>> from pdp_widgets.models.dependent_examples import agreeing_bits
        >>> round(DependenceAnalysis(agreeing_bits(), scale=2.0).accuracy(4.0).one_output, 6)
        0.135335
        """
        return laplace_accuracy(alpha, as_noise(self.scale), self.outputs)

    def accuracy_curve(
        self,
        alpha: float,
        epsilons: ArrayLike | None = None,
        kind: ErrorKind = "largest",
        mechanisms: Iterable[Mechanism] = ("lpm", "baseline", "dpm_exact", "dpm_mean"),
    ) -> AccuracyCurve:
        """Return the chance of an error of alpha or more for several mechanisms, by budget.

        Parameters
        ----------
        alpha, epsilons, kind
            As for `accuracy_curve`.
        mechanisms
            Keys, see `dependent_scale`.
        """

        def made(key: Mechanism) -> Callable[[float], float]:
            return lambda epsilon: dependent_scale(self._joint, self._query, epsilon, key, self._blocks)

        named: dict[str, Any] = {key: made(as_mechanism(key)) for key in mechanisms}
        return accuracy_curve(named, epsilons, alpha, self.outputs, kind)

    def _numbers(self) -> Numbers:
        from pdp_widgets.leakage.dependent.dependence_numbers import dependence_numbers

        return dependence_numbers(self)

    def plot(self) -> Any:
        """Return a bqplot figure: promised against exact for every tuple."""
        from pdp_widgets.widgets.dependence_figures import plot_dependence

        return plot_dependence(self)

    def save(
        self,
        path: str | os.PathLike[str],
        part: str = "tuples",
        *,
        width: str | float = "column",
        theme: str = "print",
        dpi: float = 300,
    ) -> Path:
        """Write a figure for a paper, SVG, PDF or PNG; see `pdp_widgets.publish.save.save`.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        part
            ``"tuples"``, promised against exact for every tuple.
        width, theme, dpi
            As for `pdp_widgets.publish.save.save`.
        """
        from pdp_widgets.publish.save import save

        return save(self, path, part, width=width, theme=theme, dpi=dpi)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DependenceAnalysis):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (
            self._joint,
            self._query,
            self._epsilon,
            self._mechanism,
            self._known,
            self._blocks,
            self._given,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._key()

    def __repr__(self) -> str:
        how = f"scale={self._given!r}" if self._given is not None else f"mechanism={self._mechanism!r}"
        known = f", known={list(self.known)!r}" if self._known else ""
        named = f"query={self._query.name!r}, epsilon={self._epsilon!r}"
        given = self._blocks != tuple(as_blocks(self._joint, None))
        blocks = f", blocks={[list(block) for block in self._blocks]!r}" if given else ""
        return f"DependenceAnalysis({self._joint!r}, {named}, {how}{known}{blocks})"


def _restore(
    joint: SparseJoint,
    query: JointQuery,
    epsilon: float,
    mechanism: Mechanism,
    known: tuple[int, ...],
    blocks: tuple[tuple[int, ...], ...],
    scale: float | None,
) -> DependenceAnalysis:
    return DependenceAnalysis(joint, query, epsilon, mechanism, known, blocks, scale=scale)
