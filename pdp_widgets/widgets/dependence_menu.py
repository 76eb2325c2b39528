"""What a dependence explorer offers: mechanisms, coefficients, queries, and examples that stand in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pdp_widgets.errors import DomainError, QueryError, Where
from pdp_widgets.leakage.dependent.dependent_scale import Mechanism
from pdp_widgets.mechanisms.joint_query import JointQuery, as_joint_query
from pdp_widgets.models.joint_examples import (
    agreeing_bits,
    bit_chain,
    coupled_uniform,
    covered_shift,
    identical_tuples,
    simplex_code,
    xor_bits,
)
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.publish.labels import clean

MenuMechanism: TypeAlias = Literal["lpm", "dpm", "baseline", "calibrated"]
MenuCoefficient: TypeAlias = Literal["exact", "mean", "eq18"]

#: Label, and the short one of a switch.
MENU: dict[MenuMechanism, tuple[str, str]] = {
    "lpm": ("Laplace mechanism", "LPM"),
    "dpm": ("Dependent perturbation", "DPM"),
    "baseline": ("Baseline, whole blocks", "baseline"),
    "calibrated": ("Least noise that keeps it if nobody is known", "calibrated"),
}
COEFFICIENTS: tuple[MenuCoefficient, ...] = ("exact", "mean", "eq18")
KNOWING = ("nobody", "chosen", "worst")


@dataclass(frozen=True)
class Example:
    """A table that stands in for the user's own: what the menu says, how it is made, and what it shows."""

    label: str
    made: Callable[[], SparseJoint]
    note: str


#: By their key.
EXAMPLES: dict[str, Example] = {
    "shift": Example(
        "Six people, one covers for another",
        covered_shift,
        "Assumed: Ann is at work with 0.6, Ben with 0.5, and Cy covers with 0.95 when exactly one is. "
        "Dia and Eli agree with 0.6; Fay is alone.",
    ),
    "xor": Example(
        "Three bits, one the XOR of the others",
        xor_bits,
        "All pairs are independent, so the coefficients of pairs are 0; yet two bits tell the third.",
    ),
    "simplex": Example(
        "Seven bits, all pairs independent",
        simplex_code,
        "All pairs are independent, so the coefficients of pairs are 0; yet three bits tell all others.",
    ),
    "chain": Example(
        "Five bits in a chain",
        bit_chain,
        "Each bit is like the one before with 0.9: all five are one block, neighbours or not.",
    ),
    "copies": Example(
        "Five copies of one bit",
        identical_tuples,
        "One bit, five times: whoever learns one learns all.",
    ),
    "agree": Example(
        "Two bits that agree nine times of ten",
        agreeing_bits,
        "A block of two and a linear query: here coefficients of pairs are proved to be enough.",
    ),
    "coupled": Example(
        "Half of one number in another",
        coupled_uniform,
        "The paper’s Example 1 on a grid of nine points: x2 is half of x1 and half of something of its own.",
    ),
}
#: Values that the menu of queries offers to count.
_COUNTED = 8


@dataclass(frozen=True)
class Chosen:
    """A mechanism of the menu, with the coefficient that dependent perturbation takes."""

    mechanism: MenuMechanism
    coefficient: MenuCoefficient = "exact"

    @property
    def key(self) -> Mechanism:
        """Its key among the mechanisms of the computation."""
        if self.mechanism != "dpm":
            return self.mechanism
        return (
            "dpm_exact"
            if self.coefficient == "exact"
            else "dpm_mean"
            if self.coefficient == "mean"
            else "dpm_eq18"
        )


def as_chosen(mechanism: Any, coefficient: Any = None, now: Chosen | None = None) -> Chosen:
    """Return what is chosen by a mechanism's name, such as ``"dpm_mean"``, and a coefficient."""
    kept = "exact" if now is None else now.coefficient
    if isinstance(mechanism, str) and mechanism.startswith("dpm_") and coefficient is None:
        mechanism, coefficient = "dpm", mechanism.removeprefix("dpm_")
    if not isinstance(mechanism, str) or mechanism not in MENU:
        raise DomainError(
            f"The mechanism is {shown(mechanism)}; it is one of {', '.join(MENU)}, or dpm_exact, dpm_mean, "
            "dpm_eq18.",
            Where("parameter", name="mechanism"),
        )
    if coefficient is None:
        coefficient = kept
    if not isinstance(coefficient, str) or coefficient not in COEFFICIENTS:
        raise DomainError(
            f"The coefficient is {shown(coefficient)}; it is one of {', '.join(COEFFICIENTS)}.",
            Where("parameter", name="coefficient"),
        )
    found: Any = mechanism, coefficient
    return Chosen(*found)


def noun_of(joint: SparseJoint) -> str:
    """Return what a tuple is called where nobody says: by whether tuples have names, and their values."""
    if joint.tuples != tuple(f"x{k + 1}" for k in range(joint.n)):
        return "person"
    return "bit" if all(set(domain) <= {0, 1} for domain in joint.domains) else "tuple"


def queries_of(joint: SparseJoint) -> list[tuple[str, str]]:
    """Return keys and labels of the queries that fit, in the order of the menu."""
    offered = [("sum", "Sum"), ("mean", "Mean"), ("identity", "All values")]
    values = dict.fromkeys(value for domain in joint.domains for value in domain)
    if len(values) <= _COUNTED and not any(isinstance(value, tuple) for value in values):
        offered += [(f"count:{value}", f"Count of {short(str(value))}") for value in values]
    return [(key, label) for key, label in offered if _fits(key, joint)]


def _fits(key: str, joint: SparseJoint) -> bool:
    try:
        query: JointQuery = as_joint_query(key, joint)
        query.outputs(joint)
    except (QueryError, DomainError):
        return False
    return True


def subject_of(key: str, name: str = "") -> str:
    """Return what is released, to begin a clause: by the key of a query, or the name of a given one."""
    if key == "identity":
        return "the noisy table"
    if key.startswith("count:"):
        return "the noisy count"
    if key in ("sum", "mean"):
        return f"the noisy {key}"
    return f"the noisy {clean(short(name)) or 'release'}"
