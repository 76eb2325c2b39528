"""What an explorer of an attack on places shows: one victim at once, and what takes longer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pdp_widgets.leakage.inference.attack_curves import AttackCurves
from pdp_widgets.leakage.inference.attack_means import AttackMeans, attack_means
from pdp_widgets.leakage.inference.drawn_attacks import DrawnAttacks
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.leakage.progress import ProgressHook, part

__all__ = [
    "DRAWS",
    "AttackInputs",
    "AttackLate",
    "AttackResults",
    "attack_results",
    "late_results",
    "late_seconds",
]

#: Draws of the noise for one victim.
DRAWS = 400
#: Budgets of the curves.
_LEVELS = 18
#: Draws of the noise for means over all users; of a large network one.
_MANY, _LONG = 4, 20.0


@dataclass(frozen=True)
class AttackInputs:
    """What the results depend on.

    Parameters
    ----------
    setting
        Counts networks, grids and clusters: results of another setting have nothing to do with these.
    mechanism, epsilon, sensitivity, victim, weight, known, draw
        As for `pdp_widgets.InferenceAttack`.

    Examples
    --------
    >>> here = AttackInputs(1, "lpm", 40.0, "local", 57, 10.0, 1.0, 4)
    >>> here.changes(AttackInputs(1, "lpm", 20.0, "local", 57, 10.0, 1.0, 4))
    {'epsilon': 40.0}
    """

    setting: int
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
    """What takes longer, each with the inputs it belongs to.

    Parameters
    ----------
    inputs
        Of the newest question.
    curves, means, drawn
        Means by budget, at the budget, and the victim over many draws of the noise.
    """

    inputs: AttackInputs
    curves: AttackCurves
    means: AttackMeans
    drawn: DrawnAttacks

    def curves_of(self, inputs: AttackInputs) -> AttackCurves | None:
        """Return the curves, if they are those of some inputs."""
        return self.curves if inputs.of_curves == self.inputs.of_curves else None

    def means_of(self, inputs: AttackInputs) -> AttackMeans | None:
        """Return the means, if they are those of some inputs."""
        return self.means if inputs.of_means == self.inputs.of_means else None

    def drawn_of(self, inputs: AttackInputs) -> DrawnAttacks | None:
        """Return the many draws, if they are those of some inputs."""
        return self.drawn if inputs.of_draws == self.inputs.of_draws else None


@dataclass(frozen=True, eq=False)
class AttackResults:
    """One attack, and what takes longer as far as it is there.

    Parameters
    ----------
    inputs
        What the attack belongs to.
    attack
        Both attacks on the victim.
    late
        The newest numbers that took longer, of these inputs or of earlier ones.
    """

    inputs: AttackInputs
    attack: InferenceAttack
    late: AttackLate | None = field(default=None, repr=False)

    @property
    def curves(self) -> AttackCurves | None:
        """Means over all users by budget, if they are there."""
        return None if self.late is None else self.late.curves_of(self.inputs)

    @property
    def means(self) -> AttackMeans | None:
        """Means over all users at the budget, if they are there."""
        return None if self.late is None else self.late.means_of(self.inputs)

    @property
    def drawn(self) -> DrawnAttacks | None:
        """The victim over many draws of the noise, if it is there."""
        return None if self.late is None else self.late.drawn_of(self.inputs)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not (self.curves is None or self.means is None or self.drawn is None)


def attack_results(
    attack: InferenceAttack, last: AttackInputs, inputs: AttackInputs, late: AttackLate | None = None
) -> AttackResults:
    """Return what comes at once.

    Parameters
    ----------
    attack, last
        An attack of the same setting, and what it belongs to.
    inputs
        What the new one belongs to.
    late
        What took longer before.

    Raises
    ------
    PdpError
        A number is outside its range.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), victim=19, clusters=4)
    >>> last = AttackInputs(1, "lpm", 1.0, "local", 19, 10.0, 1.0, 1)
    >>> attack_results(attack, last, replace(last, epsilon=5.0)).attack
    InferenceAttack(19 users, user 19, lpm, epsilon=5)
    """
    changes = inputs.changes(last)
    made = attack.at(**changes) if changes else attack
    # Computed now: what is wrong must not be found while it is drawn.
    made.attack_1, made.attack_2  # noqa: B018
    return AttackResults(inputs, made, late)


def _draws(attack: InferenceAttack) -> int:
    return _MANY if _LEVELS * _MANY * _all_seconds(attack) <= _LONG else 1


def _all_seconds(attack: InferenceAttack) -> float:
    """Return about how long one release takes for all users."""
    return 2e-3 + 3e-7 * attack.network.n * attack.grid**2


def late_seconds(results: AttackResults) -> float:
    """Return about how long what is missing takes. Nothing is computed."""
    attack = results.attack
    seconds = 0.0
    if results.drawn is None:
        seconds += 5e-7 * DRAWS * attack.grid**2
    if results.means is None:
        seconds += _draws(attack) * _all_seconds(attack)
    if results.curves is None:
        seconds += _LEVELS * _draws(attack) * _all_seconds(attack)
    return seconds


def late_results(results: AttackResults, progress: ProgressHook | None = None) -> AttackLate:
    """Return what takes longer.

    Parameters
    ----------
    results
        What came at once; what is the same is taken from there.
    progress
        Told the share done; what it raises cancels.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    >>> found = late_results(AttackResults(AttackInputs(1, "lpm", 1.0, "local", 19, 10.0, 1.0, 1), attack))
    >>> found.curves.users, found.drawn.draws, found.means.draws
    (19, 400, 4)
    """
    attack, many = results.attack, _draws(results.attack)
    drawn = results.drawn or attack.by_draw(DRAWS)
    begun = 0.0 if results.curves is None else 0.4
    if progress is not None:
        progress(0.02 + begun)
    means = results.means or attack_means(attack, many, part(progress, 0.02 + begun, 0.07 + 2 * begun))
    curves = results.curves or attack.by_epsilon(draws=many, progress=part(progress, 0.07, 1.0))
    return AttackLate(results.inputs, curves, means, drawn)
