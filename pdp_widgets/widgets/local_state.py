"""The local explorer without a screen: its inputs, and the results of the last inputs that made sense."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pdp_widgets.errors import BudgetError, DomainError, PdpError, Where
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.joint_examples import parity
from pdp_widgets.models.labels import shown
from pdp_widgets.widgets.computed_beside import LONG
from pdp_widgets.widgets.inputs import Controls, Input
from pdp_widgets.widgets.local_release import LOCAL_MENU, AskedMechanism, entry_of, for_every, own_channel
from pdp_widgets.widgets.local_results import (
    LocalInputs,
    LocalValue,
    all_attributes,
    as_attribute,
    as_attributes,
    as_local_value,
    check_size,
    is_counted,
    largest_pair,
    results_for,
)
from pdp_widgets.widgets.local_solved import LocalSolved
from pdp_widgets.widgets.local_views import local_inputs_state, local_results_state
from pdp_widgets.widgets.wire import sent_choice, sent_positions

#: Tables that stand in for the user's own, by their key.
EXAMPLES = ("", "xor")
#: Seconds, by their estimate, for which a step from Python waits for the numbers that take longer.
PATIENCE = 1.0


@dataclass(frozen=True, eq=False)
class _Own:
    """The user's table while an example stands in its place."""

    value: LocalValue
    attributes: tuple[int, ...]
    min_count: float
    pair: tuple[int, int] | None


class LocalState(Controls, LocalSolved):
    """Inputs of a local explorer, as asked for and as they last made sense, and results of the latter."""

    def __init__(
        self,
        declared: Mapping[str, Input[Any]],
        value: LocalValue,
        *,
        mechanism: str | LocalMechanism | Mapping[Any, Any],
        epsilon: float | None,
        source: str | int | None,
        secret: str | int | None,
        attributes: Iterable[str | int] | None,
        **given: Any,
    ) -> None:
        check_size(value)
        self.value = value
        self.example = ""
        self._own: _Own | None = None
        self.asked_attributes = as_attributes(value, attributes)
        self._declare(declared, given)
        if isinstance(mechanism, Mapping):
            self.chosen = AskedMechanism().given(own_channel(mechanism, value, epsilon))
        else:
            whole = for_every(mechanism, value, self.asked_attributes)
            self.chosen = AskedMechanism().given(whole, epsilon)
        self.fault: PdpError | None = None
        asked = self.asked
        wanted = LocalInputs(
            value,
            self.asked_attributes,
            asked["min_count"],
            self.chosen.mechanism(),
            asked["output"],
            self.chosen.only,
        )
        super().__init__(results_for(wanted), asked["budget"])
        self.pair = largest_pair(self.solved)
        if source is not None or secret is not None:
            self._choose(source, secret)
        self._finish(PATIENCE)

    # What there is

    @property
    def values(self) -> dict[str, Any]:
        """The last inputs that made sense, as Python reads them."""
        names, inputs = self.value.names, self.inputs
        return {
            **self.asked,
            "value": self.value,
            "mechanism": inputs.given,
            "epsilon": inputs.mechanism.epsilon,
            "output": inputs.output,
            "source": None if self.pair is None else names[self.pair[0]],
            "secret": None if self.pair is None else names[self.pair[1]],
            "attributes": tuple(names[a] for a in inputs.attributes),
            "min_count": inputs.min_count,
            "budget": self._budget,
        }

    @property
    def current(self) -> bool:
        """Whether the results belong to what stands in the controls."""
        return self.fault is None and self.late is not None and self.late.inputs.same(self._wanted_late())

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs; a wrong entry of another control stays, and what is set is taken."""
        if "value" in patch:
            self._replace(as_local_value(patch["value"]))
        if "attributes" in patch:
            self.asked_attributes = as_attributes(self.value, patch["attributes"])
        if "mechanism" in patch:
            given = patch["mechanism"]
            if isinstance(given, Mapping):
                last = self.inputs
                standing = last.mechanism if last.only is None else last.only.others
                given = own_channel(given, self.value, patch.get("epsilon"), standing)
            given = for_every(given, self.value, self.asked_attributes)
            self.chosen = self.chosen.given(given)
            if isinstance(given, str):
                self.chosen = self.chosen.with_sound_parameters(self.inputs.mechanism.epsilon)
        if "epsilon" in patch:
            self.chosen = self.chosen.with_budget(patch["epsilon"])
        self._take_inputs(patch)
        if "mechanism" in patch and "output" not in patch and not self.chosen.entry.inferred:
            self._set(output="raw")
        self._compute(patch)
        if patch.get("budget") is not None:
            self._refuse_goal()
        if "source" in patch or "secret" in patch:
            self._choose(patch.get("source"), patch.get("secret"))
        self._finish(PATIENCE)

    def _refuse_goal(self) -> None:
        """Raise BudgetError where the mechanisms have no budget that could be found for a goal."""
        first, *others = dict.fromkeys(self.inputs.mechanisms)
        try:
            found = all(first.same_but_for_budget(one) for one in others) and first.with_epsilon(1.0)
        except BudgetError:
            found = False
        if not found:
            raise BudgetError(
                f"The budget is {self.asked['budget']:g}, a goal for all reports together: it asks for the "
                "budget of each report, and a mechanism here has none that can be set. Choose one mechanism "
                "with a budget for all attributes, such as 'GRR'; or leave the budget at None.",
                Where("parameter", name="budget"),
            )

    def _replace(self, value: LocalValue) -> None:
        check_size(value)
        names = {name: place for place, name in enumerate(value.names)}
        pair = self.pair
        kept = None if pair is None else [names.get(self.value.names[place]) for place in pair]
        if self.chosen.own is not None and self.chosen.own.attribute is not None:
            table = self.value if self._own is None else self._own.value
            self.chosen = self.chosen.moved(names.get(table.names[self.chosen.own.attribute]))
        self.value, self.example, self._own = value, "", None
        self.asked_attributes = all_attributes(value)
        if not is_counted(value):
            self._set(min_count=0.0)
        self.pair = None if kept is None or None in kept else (kept[0], kept[1])  # type: ignore[assignment]

    def _choose(self, source: Any, secret: Any) -> None:
        """Choose a pair given in Python; what is not given stays where it can."""
        chosen = self.inputs.attributes
        if self.pair is None:
            raise DomainError(
                "One attribute is released, and a pair needs two.", Where("parameter", name="source")
            )
        j = self.pair[0] if source is None else as_attribute(self.value, source, "source", chosen)
        k = self.pair[1] if secret is None else as_attribute(self.value, secret, "secret", chosen)
        if j == k and source is not None and secret is not None:
            raise DomainError(
                f"Source and secret are both {shown(self.value.names[j])}; what a report says about its own "
                "attribute is in results.dpl.",
                Where("parameter", name="secret"),
            )
        if j == k:
            # Who chooses the attribute at the other end turns the pair around.
            j, k = (j, self.pair[0]) if source is not None else (self.pair[1], k)
        self.pair = j, k

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        example = sent_choice(request, "example", self.example, EXAMPLES)
        moved = example != self.example
        if moved:
            self._show_example(example)
        n = len(self.value.names)
        if not moved:
            # Positions of another table name nothing here.
            listed = sent_positions(request, "attributes", n, self.asked_attributes)
            self.asked_attributes = tuple(sorted({a for a in listed if 0 <= a < n}))
        # A count of records is of a table too.
        sent = {name: part for name, part in request.items() if not (moved and name == "min_count")}
        self._ask_inputs(sent)
        self.chosen = self.chosen.asked(sent)
        if not self.chosen.entry.inferred:
            # A switch that is off for this mechanism says nothing.
            self._set(output="raw")
        self._compute()
        if not moved and self.pair is not None:
            self._ask_pair(request)
        self._finish(LONG)

    def _ask_pair(self, request: Mapping[str, Any]) -> None:
        chosen = self.inputs.attributes
        assert self.pair is not None
        asked = []
        for name, now in zip(("source", "secret"), self.pair, strict=True):
            sent = request.get(name, now)
            place = sent if isinstance(sent, int) and not isinstance(sent, bool) else now
            asked.append(place if place in chosen else now)
        if asked[0] != asked[1]:
            self.pair = asked[0], asked[1]

    def _show_example(self, example: str) -> None:
        if example:
            if self._own is None:
                self._own = _Own(self.value, self.asked_attributes, self.asked["min_count"], self.pair)
            self.value = parity()
            self.asked_attributes, self.pair = all_attributes(self.value), (0, 2)
            self._set(min_count=0.0)
        elif self._own is not None:
            own, self._own = self._own, None
            self.value, self.asked_attributes = own.value, own.attributes
            self.pair = own.pair
            self._set(min_count=own.min_count)
        self.example = example

    # Results

    def _compute(self, patch: Mapping[str, Any] | None = None) -> None:
        """Bring the pairs up to date with the last inputs that make sense; say what is wrong."""
        faults: list[PdpError] = []
        last = self.inputs
        same = last.value is self.value
        attributes = self.asked_attributes
        if not attributes:
            faults.append(
                DomainError(
                    "No attribute is chosen; choose one or more.", Where("parameter", name="attributes")
                )
            )
            attributes = last.attributes if same else all_attributes(self.value)
        least = self._sound("min_count", last.min_count if same else 0.0, faults)
        if least > 0 and not is_counted(self.value):
            fault = DomainError(
                "min_count needs records, and the table has probabilities; leave it at 0.",
                Where("parameter", name="min_count"),
            )
            if patch is not None and "min_count" in patch:
                raise fault
            faults.append(fault)
            least = last.min_count if same else 0.0
        self._budget = self._sound("budget", self._budget, faults)
        mechanism = self.chosen.sound(last.mechanism, faults)
        if patch is not None and "epsilon" in patch and mechanism is last.mechanism:
            mechanism = self.chosen.with_its_budget(last.mechanism)
        output: Output = self.asked["output"]
        if mechanism is last.mechanism:
            output = last.output if not entry_of(mechanism.name).inferred else output
        only = last.only if mechanism is last.mechanism else self.chosen.only
        wanted = LocalInputs(self.value, attributes, least, mechanism, output, only)
        if patch is None:
            wanted = self._fitting(wanted, faults)
        try:
            self._solve(wanted)
        except PdpError as fault:
            faults.append(fault)
            if patch is not None:
                self._solve(self._as_last_but(patch, wanted, fault))
            elif not same:
                raise
        self.fault = faults[0] if faults else None

    def _fitting(self, wanted: LocalInputs, faults: list[PdpError]) -> LocalInputs:
        """Return what a hand asks for, with the last channel where the new one does not fit the labels."""
        last = self.inputs
        try:
            _ = wanted.mechanisms
        except DomainError as fault:
            faults.append(fault)
        else:
            return wanted
        if last.value is not wanted.value:
            return replace(wanted, mechanism=LOCAL_MENU[0].made(1.0), only=None)
        kept = replace(wanted, mechanism=last.mechanism, only=last.only, output=last.output)
        try:
            _ = kept.mechanisms
        except DomainError:
            return replace(kept, attributes=last.attributes)
        return kept

    def _solve(self, wanted: LocalInputs) -> None:
        if not wanted.same(self.inputs):
            self.solved = results_for(wanted, self.solved)
            self._follow()

    def _as_last_but(self, patch: Mapping[str, Any], wanted: LocalInputs, fault: PdpError) -> LocalInputs:
        """Return the last inputs with what Python sets: another control holds what does not go with them."""
        last = self.inputs
        mechanism = last.mechanism
        if "mechanism" in patch:
            if self.chosen.has_channel or not isinstance(patch["mechanism"], str):
                raise fault
            self.chosen = self.chosen.with_first_parameters()
            mechanism = self.chosen.sound(mechanism, [])
        elif "epsilon" in patch:
            mechanism = self.chosen.with_its_budget(mechanism)
        reads = entry_of(mechanism.name).inferred
        output: Output = wanted.output if "output" in patch or not reads else last.output
        return replace(wanted, mechanism=mechanism, output=output if reads or "output" in patch else "raw")

    def _follow(self) -> None:
        """Choose another pair when an attribute of the chosen one is gone."""
        chosen = self.inputs.attributes
        if len(chosen) < 2:
            self.pair = None
        elif self.pair is None or not set(self.pair) <= set(chosen):
            self.pair = largest_pair(self.solved)

    # What was given up

    def resume(self) -> None:
        """Ask again for what was given up."""
        if self.awaited is not None and self.awaited.stopped:
            self.awaited = None
            self._compute()
            self._finish(LONG)

    def state(self) -> dict[str, Any]:
        """Return what the browser shows."""
        own = self.chosen.entry.epsilon
        return {
            **local_inputs_state(self.value, self.asked_attributes, self.asked["noun"]),
            **self.controls,
            "example": self.example,
            "mechanisms": [
                {"key": one.key, "label": one.label, "inferred": one.inferred, "epsilon": one.epsilon}
                for one in LOCAL_MENU
            ],
            "mechanism": self.chosen.entry.key,
            "parameters": self.chosen.shown_parameters,
            "epsilon": self.chosen.epsilon if own else self.inputs.mechanism.epsilon,
            "source": None if self.pair is None else self.pair[0],
            "secret": None if self.pair is None else self.pair[1],
            **self.wait_state,
            "results": local_results_state(self.solved, self.pair, self.reports_curve),
        }
