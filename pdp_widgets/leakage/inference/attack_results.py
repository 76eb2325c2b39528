"""What an explorer of an attack on places shows: one victim at once, and what takes longer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from pdp_widgets.core.progress import ProgressHook, part
from pdp_widgets.leakage.inference.attack_curves import AttackCurves, seconds_of_all
from pdp_widgets.leakage.inference.attack_means import AttackMeans, attack_means
from pdp_widgets.leakage.inference.attack_result import DrawnAttacks
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack

#: Draws of the noise for one victim.
DRAWS = 400
#: Budgets of the curves.
_LEVELS = 18
#: Draws of the noise for means over all users; of a large network one.
_MANY, _LONG = 4, 20.0


@dataclass(frozen=True)
class AttackInputs:
    """What the results depend on, as for `InferenceAttack`."""

    setting: int  # counts networks, grids and clusters: other settings have nothing to do with this
    mechanism: str
    epsilon: float
    sensitivity: str
    victim: int
    weight: float
    known: float
    draw: int

    def changes(self, other: AttackInputs) -> dict[str, Any]:
        """Return parameters that differ from those of others of the same setting."""
        named = vars(self)
        return {name: value for name, value in named.items() if value != getattr(other, name)}

    @property
    def of_curves(self) -> AttackInputs:
        """These with all set that means over users by budget do not depend on."""
        return replace(self, epsilon=1.0, victim=0, draw=1)

    @property
    def of_means(self) -> AttackInputs:
        """These with all set that means over users do not depend on."""
        return replace(self, victim=0, draw=1)

    @property
    def of_draws(self) -> AttackInputs:
        """These with all set that many draws of the noise for one victim do not depend on."""
        return replace(self, draw=1)


@dataclass(frozen=True, eq=False)
class AttackLate:
    """What takes longer, the newest of each kind, with the inputs it belongs to."""

    curves: AttackCurves | None = None
    curves_for: AttackInputs | None = None
    means: AttackMeans | None = None
    means_for: AttackInputs | None = None
    drawn: DrawnAttacks | None = None
    drawn_for: AttackInputs | None = None


@dataclass(frozen=True, eq=False)
class AttackResults:
    """One attack, and what takes longer as far as it is there."""

    inputs: AttackInputs
    attack: InferenceAttack
    late: AttackLate = field(default=AttackLate(), repr=False)

    @property
    def curves(self) -> AttackCurves | None:
        """Means over all users by budget, if they are there."""
        late = self.late
        there = late.curves_for is not None and late.curves_for.of_curves == self.inputs.of_curves
        return late.curves if there else None

    @property
    def means(self) -> AttackMeans | None:
        """Means over all users at the budget, if they are there."""
        late = self.late
        there = late.means_for is not None and late.means_for.of_means == self.inputs.of_means
        return late.means if there else None

    @property
    def drawn(self) -> DrawnAttacks | None:
        """The victim over many draws of the noise, if it is there."""
        late = self.late
        there = late.drawn_for is not None and late.drawn_for.of_draws == self.inputs.of_draws
        return late.drawn if there else None

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not (self.curves is None or self.means is None or self.drawn is None)


def attack_results(
    attack: InferenceAttack, last: AttackInputs, inputs: AttackInputs, late: AttackLate = AttackLate()
) -> AttackResults:
    """Return what comes at once."""
    changes = inputs.changes(last)
    made = attack.at(**changes) if changes else attack
    # Computed now: what is wrong must not be found while it is drawn.
    made.attack_1, made.attack_2  # noqa: B018
    return AttackResults(inputs, made, late)


def _draws(attack: InferenceAttack) -> int:
    return _MANY if _LEVELS * _MANY * seconds_of_all(attack) <= _LONG else 1


def means_seconds(results: AttackResults) -> float:
    """Return about how long means and draws take, as far as they are missing. Nothing is computed."""
    attack = results.attack
    seconds = 0.0 if results.drawn is not None else 5e-7 * DRAWS * attack.grid**2
    return seconds if results.means is not None else seconds + _draws(attack) * seconds_of_all(attack)


def late_seconds(results: AttackResults) -> float:
    """Return about how long all takes that is missing. Nothing is computed."""
    attack, seconds = results.attack, means_seconds(results)
    if results.curves is not None:
        return seconds
    return seconds + _LEVELS * _draws(attack) * seconds_of_all(attack)


def late_means(results: AttackResults, progress: ProgressHook | None = None) -> AttackLate:
    """Return what was there with the means at the budget and the victim over many draws."""
    drawn = results.drawn or results.attack.by_draw(DRAWS)
    if progress is not None:
        progress(0.4)
    means = results.means or attack_means(results.attack, _draws(results.attack), part(progress, 0.4, 1.0))
    inputs = results.inputs
    return replace(results.late, means=means, means_for=inputs, drawn=drawn, drawn_for=inputs)


def late_curves(results: AttackResults, progress: ProgressHook | None = None) -> AttackLate:
    """Return what was there with the means by budget; parameters as for `late_means`."""
    curves = results.curves or results.attack.by_epsilon(
        draws=_draws(results.attack), progress=progress, limit=math.inf
    )
    return replace(results.late, curves=curves, curves_for=results.inputs)


def late_results(results: AttackResults) -> AttackResults:
    """Return the results with all that takes longer."""
    found = replace(results, late=late_means(results))
    return replace(found, late=late_curves(found))
