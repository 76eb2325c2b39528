"""The explorer of inferred locations without a screen: inputs, and results of the last that made sense."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import DomainError, PdpError
from pdp_widgets.leakage.inference.attack_results import (
    AttackInputs,
    AttackLate,
    AttackResults,
    attack_results,
    late_curves,
    late_means,
    late_results,
    late_seconds,
)
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.models.social_network import SocialNetwork
from pdp_widgets.widgets.attack_input import (
    MOST_DRAWS,
    SIMULATED_VICTIM,
    as_network,
    check_room,
    listed_users,
    opening_victim,
    simulated_city,
)
from pdp_widgets.widgets.attack_views import attack_state
from pdp_widgets.widgets.computed_beside import LONG, Awaited, Awaiting
from pdp_widgets.widgets.inputs import Controls, Input
from pdp_widgets.widgets.late import new_number
from pdp_widgets.widgets.wire import sent_position


@dataclass(frozen=True)
class AttackTask:
    """What is computed beside."""

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
    """Return late numbers with those of one kind replaced."""
    if kind == "curves":
        return replace(last, curves=found.curves, curves_for=found.curves_for)
    return replace(
        last, means=found.means, means_for=found.means_for, drawn=found.drawn, drawn_for=found.drawn_for
    )


#: Seconds, by their estimate, for which a step from Python waits for its results.
PATIENCE = 1.0
_NUMBERS = ("epsilon", "weight", "known")
_OF_SETTING = ("value", "grid", "clusters", "radius", "smoothing")


class AttackState(Controls, Awaiting[AttackTask]):
    """Inputs and results of an explorer of inferred locations."""

    def __init__(
        self,
        declared: Mapping[str, Input[Any]],
        value: Any,
        *,
        victim: Any,
        grid: Any,
        clusters: Any,
        radius: Any,
        rng: Any,
        draw: Any,
        smoothing: Any,
        **given: Any,
    ) -> None:
        place = simulated_city() if value is None else as_network(value)
        check_room(place, grid, clusters)
        if value is None and victim is None:
            victim = SIMULATED_VICTIM
        self._seed = int(rng) if is_whole(rng) and rng >= 0 else int(as_generator(rng).integers(2**62))
        self._declare(declared, given)
        asked = self.asked
        made = InferenceAttack(
            place,
            victim,
            asked["mechanism"],
            asked["epsilon"],
            grid,
            clusters,
            asked["weight"],
            radius,
            asked["known"],
            asked["sensitivity"],
            self._seed,
            smoothing=smoothing,
            draw=as_size(draw, "draw", 1, MOST_DRAWS, DomainError),
        )
        self._begin(made if victim is not None else made.at(victim=opening_victim(made)))
        self._finish(PATIENCE)

    def _begin(self, attack: InferenceAttack) -> None:
        """Start with an attack of a new setting."""
        inputs = AttackInputs(
            new_number(),
            attack.mechanism,
            attack.epsilon,
            attack.sensitivity,
            attack.victim,
            attack.weight,
            self.asked["known"],
            attack.draw,
        )
        self.solved = attack_results(attack, inputs, inputs)
        self.wanted = inputs
        self.listed = listed_users(attack.network, attack.position)

    # What there is

    @property
    def attack(self) -> InferenceAttack:
        """Both attacks on the victim, for the last inputs that made sense."""
        return self.solved.attack

    @property
    def network(self) -> SocialNetwork:
        """The users."""
        return self.solved.attack.network

    @property
    def sound(self) -> AttackInputs:
        """The last inputs that made sense, whether or not their results are there."""
        now = self.running
        return self.solved.inputs if now is None or now.inputs.late else now.inputs.inputs

    @property
    def values(self) -> dict[str, Any]:
        """The last inputs that made sense, as Python reads them."""
        sound, attack = self.sound, self.attack
        return {
            **{name: getattr(sound, name) for name in (*self.declared, "victim", "draw")},
            "value": self.network,
            "grid": attack.grid,
            "clusters": attack.clusters.k,
            "radius": attack.radius,
            "smoothing": attack.smoothing,
        }

    @property
    def position(self) -> int:
        """Position of the chosen victim among the users."""
        return self.network.position(self.wanted.victim)

    @property
    def present(self) -> bool:
        """Whether the attack belongs to what stands in the controls; means may be missing."""
        return self.fault is None and (self.awaited is None or self.awaited.inputs.late)

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs; a wrong entry of another control stays, and what is set is taken."""
        rebuilt = any(name in patch for name in _OF_SETTING)
        if rebuilt:
            self._rebuild(patch)
        wanted = self.wanted
        if "victim" in patch:
            place = self.network.position(patch["victim"])
            wanted = replace(wanted, victim=int(self.network.users[place]))
            if place not in self.listed:
                self.listed = listed_users(self.network, place)
        if "draw" in patch:
            wanted = replace(wanted, draw=as_size(patch["draw"], "draw", 1, MOST_DRAWS, DomainError))
        self._take_inputs(patch)
        self.wanted = wanted
        self._compute(math.inf if rebuilt else PATIENCE, patch)

    def _rebuild(self, patch: Mapping[str, Any]) -> None:
        """Take another network, grid or number of clusters; the victim stays where there is one so named."""
        old, last = self.attack, self.solved.inputs
        network = as_network(patch.get("value", old.network))
        grid, clusters = patch.get("grid", old.grid), patch.get("clusters", old.clusters.k)
        check_room(network, grid, clusters)
        if network is old.network or last.victim in network.users:
            victim: int | None = last.victim
        else:
            victim = None
        made = InferenceAttack(
            network,
            victim,
            old.mechanism,
            last.epsilon,
            grid,
            clusters,
            last.weight,
            patch.get("radius", old.radius),
            last.known,
            old.sensitivity,
            self._seed,
            smoothing=patch.get("smoothing", old.smoothing),
            draw=last.draw,
        )
        if victim is None:
            made = made.at(victim=opening_victim(made))
        draw, self.awaited = self.wanted.draw, None
        self._begin(made)
        self.wanted = replace(self.wanted, draw=draw)

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        now = self.wanted
        self._ask_inputs(request)
        here = self.listed.index(self.position)
        place = sent_position(request, "victim", here)
        draw = sent_position(request, "draw", now.draw)
        if not 0 <= place < len(self.listed):
            place = here
        if not 1 <= draw <= MOST_DRAWS:
            draw = now.draw
        victim = int(self.network.users[self.listed[place]])
        self.wanted = replace(now, victim=victim, draw=draw)
        self._compute(LONG)

    # Results

    def _compute(self, patience: float, patch: Mapping[str, Any] | None = None) -> None:
        """Bring the results up to date with the last inputs that make sense; say what is wrong."""
        faults: list[PdpError] = []
        sound = self.sound
        self.wanted = wanted = replace(
            self.wanted,
            mechanism=self.asked["mechanism"],
            sensitivity=self.asked["sensitivity"],
            **{
                name: self._sound(name, getattr(sound, name), faults)
                for name in ("epsilon", "weight", "known")
            },
        )
        try:
            self._solve(wanted, patience)
        except PdpError as fault:
            if patch is not None and "epsilon" in patch:
                raise
            faults.append(fault)
            # A budget that cannot be computed with stands in the way of nothing else.
            self.wanted = replace(wanted, epsilon=sound.epsilon)
            try:
                self._solve(self.wanted, patience)
            except PdpError:
                if patch is not None:
                    raise
                self.wanted = sound
                self._set(mechanism=sound.mechanism, sensitivity=sound.sensitivity)
        self.fault = faults[0] if faults else None
        self._finish(patience)

    def _solve(self, wanted: AttackInputs, patience: float) -> None:
        if wanted == self.solved.inputs:
            if self.awaited is not None and not self.awaited.inputs.late:
                self.awaited = None
            return
        now = self.awaited
        if now is not None and not now.inputs.late and now.inputs.inputs == wanted:
            return
        if self._seconds(wanted) <= patience:
            self._put(attack_results(self.attack, self.solved.inputs, wanted, self.solved.late))
        else:
            self.awaited = Awaited(new_number(), AttackTask(wanted, "attack"))

    def _seconds(self, wanted: AttackInputs) -> float:
        """Return about how long the attack itself takes."""
        last, cells = self.solved.inputs, self.attack.grid**2
        seconds = 2e-3
        if wanted.known != last.known:
            seconds += 3.5e-7 * self.network.n * cells
        if wanted.mechanism == "dpm" and (wanted.mechanism, wanted.epsilon) != (last.mechanism, last.epsilon):
            seconds += 2.8e-7 * cells**2
        return seconds

    def _put(self, solved: AttackResults) -> None:
        """Take results; what takes longer may be awaited still."""
        self.solved = solved
        if self.awaited is not None and not self.awaited.inputs.late:
            self.awaited = None

    def _finish(self, patience: float) -> None:
        """Bring what takes longer up to date, or await it."""
        now = self.awaited
        if now is not None and not now.inputs.late:
            return
        solved = self.solved
        if solved.complete:
            self.awaited = None
        elif now is not None and self._wanted_still(now):
            return
        elif late_seconds(solved) <= patience:
            self.solved, self.awaited = late_results(solved), None
        else:
            # While a budget is dragged the means change each time, and curves that are missing do not.
            dragged = now is not None and not now.stopped and now.inputs.kind == "means"
            means = solved.means is None or solved.drawn is None
            kind: Literal["means", "curves"] = (
                "curves" if solved.curves is None and (dragged or not means) else "means"
            )
            self.awaited = Awaited(new_number(), AttackTask(solved.inputs, kind))

    def _wanted_still(self, now: Awaited[AttackTask]) -> bool:
        """Whether what is awaited is missing, and asked for by nobody anew."""
        if now.stopped:
            return now.inputs.inputs == self.solved.inputs
        missing = self.solved.curves is None if now.inputs.kind == "curves" else True
        return missing and now.inputs.covers(self.solved.inputs)

    def take(self, number: int, found: AttackResults | AttackLate) -> None:
        """Take awaited results, unless others are awaited by now."""
        now = self.expected(number)
        if now is None:
            return
        self.awaited = None
        if isinstance(found, AttackLate):
            # Results are of another budget by now, perhaps: what does not fit them is kept, and not shown.
            found = replace(self.solved, late=joined_late(self.solved.late, found, now.inputs.kind))
        self.solved = found
        self._finish(LONG)

    def _leave(self, now: Awaited[AttackTask], reason: str) -> None:
        what = (
            "Means over all users and over many draws are missing."
            if now.inputs.late
            else "The results belong to the values as last computed."
        )
        self.awaited = replace(now, stopped=f"{reason} {what}")

    def state(self) -> dict[str, Any]:
        """Return what the browser shows."""
        return attack_state(self)
