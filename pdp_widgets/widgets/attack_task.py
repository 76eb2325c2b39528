"""What an explorer of inferred locations computes beside, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pdp_widgets.leakage.inference.attack_results import (
    AttackInputs,
    AttackLate,
    AttackResults,
    attack_results,
    late_curves,
    late_means,
)
from pdp_widgets.leakage.progress import ProgressHook

__all__ = ["AttackTask", "joined_late"]


@dataclass(frozen=True)
class AttackTask:
    """What is computed beside.

    Parameters
    ----------
    inputs
        What it belongs to.
    kind
        ``"attack"`` where that takes long itself; then ``"means"`` at the budget and over many draws of the
        noise; then ``"curves"`` by budget.
    """

    inputs: AttackInputs
    kind: Literal["attack", "means", "curves"]

    @property
    def late(self) -> bool:
        """Whether the attack itself is there."""
        return self.kind != "attack"

    def run(self, solved: AttackResults, progress: ProgressHook | None = None) -> AttackResults | AttackLate:
        """Return results from the last ones."""
        if self.kind == "attack":
            return attack_results(solved.attack, solved.inputs, self.inputs, solved.late)
        return (late_means if self.kind == "means" else late_curves)(solved, progress)

    def covers(self, inputs: AttackInputs) -> bool:
        """Whether what it computes is what other inputs need too."""
        if self.kind == "curves":
            return self.inputs.of_curves == inputs.of_curves
        return self.inputs == inputs if self.kind == "attack" else self.inputs.of_draws == inputs.of_draws


def joined_late(last: AttackLate, found: AttackLate, kind: str) -> AttackLate:
    """Return late numbers with those of one kind replaced.

    Parameters
    ----------
    last, found
        What there was, and what was computed.
    kind
        ``"curves"`` or ``"means"``.

    Examples
    --------
    >>> joined_late(AttackLate(), AttackLate(), "curves") == AttackLate()
    False
    """
    if kind == "curves":
        return replace(last, curves=found.curves, curves_for=found.curves_for)
    return replace(
        last, means=found.means, means_for=found.means_for, drawn=found.drawn, drawn_for=found.drawn_for
    )
