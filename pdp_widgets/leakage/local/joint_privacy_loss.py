"""What all reports of a record together say about one attribute: exact, bounded, and as printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.all_subsets import all_subsets
from pdp_widgets.leakage.local.conditionals import Conditionals, as_table
from pdp_widgets.leakage.local.joint_contraction import (
    MOST_OUTPUTS,
    joint_log_ratios,
    largest_joint_log_ratio,
)
from pdp_widgets.leakage.local.reading import SOURCE, Reading, as_output, best_of, check_mechanism, read
from pdp_widgets.leakage.value import AboutSecret, Leakage, Output, Status
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_names

__all__ = ["JointPrivacyLoss", "as_mechanisms", "as_one_source", "bracket", "dpl_of", "joint_privacy_loss"]

Floats = NDArray[np.float64]

_PAPER = "Jayawardana, Ulukus, Ding and Thilakarathna"


@dataclass(frozen=True)
class JointPrivacyLoss:
    """What all reports of a record say about one attribute, with what bounds it and what is printed for it.

    Parameters
    ----------
    exact
        All reports together, that of the attribute included (TPL); None where it was not asked for.
    others
        The reports of the other attributes together; None likewise.
    dpl
        What the attribute's own report says, in nats.
    pairwise
        What the report of each other attribute says alone.
    lower
        The own report and the worst other one: never more than the exact value.
    pairwise_sum
        The own report and the sum of the others (Eq. 6): the paper's estimate. It holds where the others are
        independent given the attribute, and can be below the exact value otherwise.
    joint_bound
        The own report, and all others as one attribute released with the sum of their budgets.
    composition
        The sum of all budgets (SPL).

    Examples
    --------
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> xor = [[[0.25, 0.0], [0.0, 0.25]], [[0.0, 0.25], [0.25, 0.0]]]
    >>> found = joint_privacy_loss(xor, 0, GRR(1.0))
    >>> print(found.exact)
    1.43378 nats (exact): x1, from the reports of x1, x2, x3
    >>> print(found.pairwise_sum.value, found.sum_holds)
    1.0 False
    """

    exact: Leakage | None
    others: Leakage | None
    dpl: float
    pairwise: tuple[Leakage, ...]
    lower: Leakage
    pairwise_sum: Leakage
    joint_bound: Leakage
    composition: Leakage

    @property
    def sum_holds(self) -> bool | None:
        """Whether Eq. 6 is an upper bound here; None where the exact value is not known."""
        if self.exact is None:
            return None
        return self.pairwise_sum.value >= self.exact.value * (1 - 1e-12)

    @property
    def safe(self) -> Leakage:
        """The least value that is certainly enough: exact, or the joint bound."""
        return self.joint_bound if self.exact is None else self.exact

    def __str__(self) -> str:
        exact = "not computed" if self.exact is None else f"{self.exact.value:.6g}"
        lines = [
            f"{self.lower.value:.6g} <= {exact} (exact) <= {self.joint_bound.value:.6g} (joint bound) "
            f"<= {self.composition.value:.6g} (composition)",
            f"pairwise sum (Eq. 6, an estimate): {self.pairwise_sum.value:.6g}",
        ]
        return "\n".join(lines)


def as_mechanisms(
    mechanisms: LocalMechanism | Sequence[LocalMechanism], n: int
) -> tuple[LocalMechanism, ...]:
    """Return one mechanism for each of n attributes, or raise DomainError."""
    if isinstance(mechanisms, LocalMechanism):
        return (mechanisms,) * n
    given = tuple(check_mechanism(mechanism) for mechanism in mechanisms)
    if len(given) != n:
        raise DomainError(
            f"There are {len(given)} mechanisms for {n} attributes; give one for all, or one for each.",
            Where("parameter", name="mechanisms"),
        )
    return given


def dpl_of(mechanism: LocalMechanism, k: int, output: Output) -> float:
    """Return what the report of an attribute of k symbols says about itself, in nats."""
    return mechanism.promise(k) if output == "raw" else mechanism.inferred(k).log_ratio


def joint_privacy_loss(
    joint: JointDistribution | ArrayLike,
    target: str | int,
    mechanisms: LocalMechanism | Sequence[LocalMechanism],
    output: Output = "raw",
    *,
    exact: bool = True,
    most_outputs: int = MOST_OUTPUTS,
) -> JointPrivacyLoss:
    """Return what all reports of a record say about one attribute.

    Parameters
    ----------
    joint
        The joint distribution of the attributes, or an array of probabilities or counts.
    target
        Name or position of the attacked attribute.
    mechanisms
        One for all attributes, or one for each.
    output
        ``"raw"`` or ``"inferred"``, as for `pair_leakage`.
    exact
        Compute the exact value; without it the bounds alone.
    most_outputs
        Refuse more combinations of outputs.

    Raises
    ------
    LimitError
        The exact value needs more combinations of outputs; ``exact=False`` gives the bounds.
    DomainError
        The target is none of the attributes, or the mechanisms are not as many.

    Notes
    -----
    The paper's Eq. 3 to 6. Given the attribute, its own report is independent of the others, and its worst
    ratio is the same for every pair of values: TPL = DPL + joint leakage of the others. For a given channel
    the worst ratios differ, and the sum is maximised over pairs. Eq. 6 adds up what each report says alone,
    and is no upper bound unless the others are independent given the attribute.

    Examples
    --------
    >>> from pdp_widgets import lsat6
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> print(joint_privacy_loss(lsat6(), "item 1", GRR(1.0)))
    1.17608 <= 1.49311 (exact) <= 2.0495 (joint bound) <= 5 (composition)
    pairwise sum (Eq. 6, an estimate): 1.43819
    """
    table, names = _table_of(joint)
    kind = as_output(output)
    axis = _axis(joint, target, table.ndim)
    listed = as_mechanisms(mechanisms, table.ndim)
    moved = np.moveaxis(table, axis, 0)
    order = [axis, *(a for a in range(table.ndim) if a != axis)]
    sizes = [table.shape[a] for a in order]
    readings = [read(listed[a], k, kind) for a, k in zip(order, sizes, strict=True)]
    own = dpl_of(listed[axis], table.shape[axis], kind)
    given = _conditional(moved)
    alone = [_one_source(given, i, readings[i]) for i in range(1, table.ndim)]
    budgets = [dpl_of(listed[a], k, kind) for a, k in zip(order[1:], sizes[1:], strict=True)]
    total = joint_cpl = None
    if exact:
        if readings[0].matrix is not None and len(given) > 1:
            ratios = joint_log_ratios(given, readings[1:], most_outputs)
            joint_cpl = float(ratios.max(initial=0.0))
            kept = moved.reshape(len(moved), -1).sum(axis=1) > 0
            total = _with_channel(ratios, readings[0].matrix[kept])
        else:
            joint_cpl = largest_joint_log_ratio(given, readings[1:], most_outputs)
            total = own + joint_cpl
    return bracket(
        names[axis],
        [names[a] for a in order[1:]],
        kind,
        own,
        alone,
        budgets,
        as_one_source(given.reshape(len(given), -1), sum(budgets)),
        total,
        joint_cpl,
    )


def bracket(
    target: str,
    others: Sequence[str],
    output: Output,
    own: float,
    alone: Sequence[float],
    budgets: Sequence[float],
    together: float,
    total: float | None = None,
    joint_cpl: float | None = None,
) -> JointPrivacyLoss:
    """Return bounds, and exact values where they are known, as leakages with their status.

    Parameters
    ----------
    target, others
        Names of the attacked attribute and of the others.
    output
        ``"raw"`` or ``"inferred"``.
    own
        What the target's own report says.
    alone, budgets
        What the report of each other attribute says about the target, and about itself.
    together
        Bound for the others as one attribute.
    total, joint_cpl
        Exact values: of all reports, and of those of the others.
    """
    everyone = AboutSecret(target, sources=(target, *others), output=output)

    def leakage(value: float, status: Status, source: str, about: AboutSecret = everyone) -> Leakage:
        return Leakage(value, status, about, "sup", source=source)

    def from_others(value: float, *names: str) -> Leakage:
        return leakage(value, "exact", SOURCE, AboutSecret(target, sources=names, output=output))

    return JointPrivacyLoss(
        None if total is None else leakage(total, "exact", f"{_PAPER}, Eq. 5"),
        None if joint_cpl is None else from_others(joint_cpl, *others),
        own,
        tuple(from_others(value, name) for name, value in zip(others, alone, strict=True)),
        leakage(own + max(alone, default=0.0), "lower bound", "own report and the worst other one"),
        leakage(own + sum(alone), "as printed", f"{_PAPER}, Eq. 6"),
        leakage(
            own + together, "bound", "own report, and the others as one attribute with all their budgets"
        ),
        leakage(own + sum(budgets), "bound", "sequential composition"),
    )


def _table_of(joint: JointDistribution | ArrayLike) -> tuple[Floats, tuple[str, ...]]:
    if isinstance(joint, JointDistribution):
        return joint.table, joint.names
    table = as_table(joint, "joint")
    if table.ndim == 0:
        raise DomainError("The joint is one number; give an array.", Where("parameter", name="joint"))
    return table, as_names(None, table.ndim)


def _axis(joint: JointDistribution | ArrayLike, target: str | int, n: int) -> int:
    if isinstance(joint, JointDistribution):
        return joint.axis(target)
    if isinstance(target, bool) or not isinstance(target, int | np.integer) or not 0 <= target < n:
        raise DomainError(
            f"The target is {target!r}; give a position from 0 to {n - 1}.", Where("parameter", name="target")
        )
    return int(target)


def _conditional(moved: Floats) -> Floats:
    """Return P(others | target) for the values of the target that occur."""
    totals = moved.reshape(len(moved), -1).sum(axis=1)
    kept = totals > 0
    found: Floats = moved[kept] / totals[kept].reshape(-1, *(1,) * (moved.ndim - 1))
    return found


def _one_source(given: Floats, axis: int, reading: Reading) -> float:
    rows = given.sum(axis=tuple(a for a in range(1, given.ndim) if a != axis))
    return float(best_of(Conditionals.of(rows), [reading]).value[0])


def as_one_source(rows: Floats, budget: float) -> float:
    """Return the bound for all sources together: one symbol for each combination that occurs."""
    if len(rows) < 2:
        return 0.0
    return float(all_subsets(Conditionals.of(rows[:, rows.any(axis=0)]), budget).value[0])


def _with_channel(ratios: Floats, matrix: Floats) -> float:
    """Return the total for a target released by a matrix: both reports favour one pair at a time."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matrix)
        own = logs[:, None] - logs[None]
    own[np.isnan(own)] = -np.inf
    total = own.max(axis=2) + ratios
    np.fill_diagonal(total, 0.0)
    return float(total.max())
