"""What all panels of the picture of dependent tuples read: the results, what is chosen, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.dependent.coefficients import Coefficient
from pdp_widgets.leakage.dependent.dependence_results import DependenceResults
from pdp_widgets.leakage.dependent.dependent_scale import Mechanism
from pdp_widgets.mechanisms.table_query import TableQuery
from pdp_widgets.publish.dependence_wording import DependenceCase
from pdp_widgets.publish.labels import clean
from pdp_widgets.publish.wording import above

__all__ = ["KINDS", "MECHANISM_NAMES", "ShownDependence", "dependence_case", "value_text"]

Floats = NDArray[np.float64]

#: Coefficients in the order of a table.
KINDS: tuple[Coefficient, ...] = ("exact", "mean", "eq18")
MECHANISM_NAMES: dict[Mechanism, str] = {
    "lpm": "LPM",
    "dpm_exact": "DPM exact",
    "calibrated": "calibrated",
    "dpm_mean": "DPM mean",
    "dpm_eq18": "DPM eq18",
    "baseline": "baseline",
}
#: What rounding makes of a coefficient of 0 at most.
_NOTHING = 1e-9


def value_text(value: object) -> str:
    """Return a value of a tuple as text.

    Examples
    --------
    >>> value_text("away"), value_text(1), value_text((0.5, 2.0))
    ('away', '1', '(0.5, 2)')
    """
    if isinstance(value, tuple):
        return "(" + ", ".join(f"{one:g}" for one in value) + ")"
    return f"{value:.6g}" if isinstance(value, float) else clean(value)


def dependence_case(solved: DependenceResults, noun: str = "tuple", subject: str = "") -> DependenceCase:
    """Return the tuple that leaks most in words.

    Parameters
    ----------
    solved
        The results.
    noun
        What one tuple is called.
    subject
        What is released, to begin a clause; without it by the name of the query.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.dependence_results import DependenceInputs, dependence_results
    >>> from pdp_widgets.mechanisms.joint_query import as_joint_query
    >>> from pdp_widgets.models.dependent_examples import xor_bits
    >>> query = as_joint_query("sum", xor_bits())
    >>> dependence_case(dependence_results(DependenceInputs(xor_bits(), query, 1.0, "lpm"))).apart
    True
    """
    inputs, leaks = solved.inputs, [float(one) for one in solved.per_tuple]
    at = solved.most
    others = [j for block in solved.analysis.blocks if at in block for j in block if j != at]
    ties = solved.analysis.coefficients("exact")[at, others]
    return DependenceCase(
        subject or f"the noisy {inputs.query.name}",
        inputs.epsilon,
        inputs.joint.tuples[at],
        leaks[at],
        inputs.joint.n,
        noun,
        inputs.knowing,
        tuple(inputs.joint.tuples[k] for k in inputs.seen if k != at),
        bool(others) and bool((ties <= _NOTHING).all()),
    )


@dataclass(frozen=True, eq=False)
class ShownDependence:
    """The results of a release with one tuple chosen.

    Parameters
    ----------
    solved
        The results.
    target, other
        Positions of the chosen tuple and of the one its table is shown with; None for a single tuple.
    alpha
        An error of this size in the accuracy curve.
    paper
        Whether the paper's estimates are shown.
    case
        The tuple that leaks most, in words.
    """

    solved: DependenceResults
    target: int
    other: int | None
    alpha: float
    paper: bool
    case: DependenceCase

    @property
    def epsilon(self) -> float:
        """The promise in nats."""
        return self.solved.inputs.epsilon

    @property
    def n(self) -> int:
        """Number of tuples."""
        return self.solved.inputs.joint.n

    @property
    def names(self) -> tuple[str, ...]:
        """Name of every tuple."""
        return self.solved.inputs.joint.tuples

    @property
    def blocks(self) -> Sequence[tuple[int, ...]]:
        """Positions of the tuples by block, the block of the chosen tuple first."""
        found = self.solved.analysis.blocks
        return sorted(found, key=lambda block: self.target not in block)

    @cached_property
    def exact(self) -> Floats:
        """What leaks about every tuple, nats."""
        return np.array([float(one) for one in self.solved.per_tuple])

    @cached_property
    def printed(self) -> Floats:
        """The paper's estimate of it, nats."""
        return np.array([float(one) for one in self.solved.analysis.paper_estimates])

    @cached_property
    def means(self) -> Floats | None:
        """The bound of means for every tuple; None where the query has none."""
        if isinstance(self.solved.inputs.query, TableQuery):
            return None
        return np.array([float(one) for one in self.solved.analysis.mean_bounds])

    @cached_property
    def coefficients(self) -> dict[Coefficient, Floats]:
        """By kind: shape (n, n); what rounding makes of 0 is 0."""
        found = {kind: self.solved.coefficients(kind) for kind in KINDS}
        for table in found.values():
            table[table <= _NOTHING] = 0.0
        return found

    @property
    def kind(self) -> Coefficient:
        """The coefficient that the mechanism takes, or the exact one."""
        found: dict[Mechanism, Coefficient] = {"dpm_mean": "mean", "dpm_eq18": "eq18"}
        return found.get(self.solved.inputs.mechanism, "exact")

    @property
    def most(self) -> int:
        """Position of the tuple that leaks most."""
        return self.solved.most

    def is_over(self, tuple_: int) -> bool:
        """Return whether more leaks about a tuple than was promised."""
        return above(float(self.exact[tuple_]), self.epsilon)

    def error(self, tuple_: int) -> int:
        """Return whether the paper's estimate is too low (-1), right (0) or too high (1)."""
        exact, printed = float(self.exact[tuple_]), float(self.printed[tuple_])
        return above(printed, exact) - above(exact, printed)

    def case_about(self, tuple_: int) -> DependenceCase:
        """Return the words for one tuple in place of the one that leaks most."""
        inputs = self.solved.inputs
        known = tuple(self.names[k] for k in inputs.seen if k != tuple_)
        return replace(
            self.case, name=self.names[tuple_], value=float(self.exact[tuple_]), known=known, apart=False
        )

    @property
    def over(self) -> int:
        """About how many tuples more leaks than was promised."""
        return sum(map(self.is_over, range(self.n)))

    @property
    def off(self) -> tuple[float, int, int]:
        """The paper's estimate for the tuple that leaks most, and for how many it is too low and too high."""
        errors = [self.error(j) for j in range(self.n)]
        return float(self.printed[self.most]), errors.count(-1), errors.count(1)

    @property
    def mean(self) -> float | None:
        """The largest bound of means; None where the query has none."""
        return None if self.means is None else float(self.means.max())

    @property
    def group(self) -> float:
        """The largest bound of whole blocks."""
        return float(self.solved.groups.max())

    def value(self, tuple_: int, position: int) -> str:
        """Return the text of a value of a tuple."""
        return value_text(self.solved.inputs.joint.domains[tuple_][position])
