"""The local explorer without a screen: its inputs, and the results of the last inputs that made sense."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pdp_widgets.core.amounts import EPSILON, MIN_COUNT
from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.leakage.local.mechanism_reading import as_output
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.joint_examples import parity
from pdp_widgets.models.labels import shown
from pdp_widgets.widgets.computed_beside import LONG
from pdp_widgets.widgets.explorer_input import as_noun
from pdp_widgets.widgets.local_release import LOCAL_MENU, AskedMechanism, entry_of
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
from pdp_widgets.widgets.wire import number, sent_choice, sent_positions

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


class LocalState(LocalSolved):
    """Inputs and results of a local explorer.

    Every input has what was asked for and the last value that made sense; results are those of the latter.
    """

    def __init__(
        self,
        value: LocalValue,
        mechanism: str | LocalMechanism,
        epsilon: float | None,
        output: str,
        source: str | int | None,
        secret: str | int | None,
        attributes: Iterable[str | int] | None,
        min_count: float,
        budget: float | None,
        noun: str = "record",
    ) -> None:
        check_size(value)
        self.value = value
        self.example = ""
        self._own: _Own | None = None
        self.noun = as_noun(noun)
        self.asked_attributes = as_attributes(value, attributes)
        self.asked_count: float = MIN_COUNT.take(min_count, "min_count")
        self.asked_budget: float | None = None if budget is None else EPSILON.take(budget, "budget")
        self.output: Output = as_output(output)
        self.asked = AskedMechanism().given(mechanism, epsilon)
        self.fault: PdpError | None = None
        wanted = LocalInputs(
            value, self.asked_attributes, self.asked_count, self.asked.mechanism(), self.output
        )
        super().__init__(results_for(wanted), self.asked_budget)
        self.pair = largest_pair(self.solved)
        if source is not None or secret is not None:
            self._choose(source, secret)
        self._finish(PATIENCE)

    # What there is

    @property
    def budget(self) -> float | None:
        """The last goal that made sense."""
        return self._budget

    @property
    def names_of_pair(self) -> tuple[str, str] | None:
        """Names of source and secret, or None for a single attribute."""
        return None if self.pair is None else (self.value.names[self.pair[0]], self.value.names[self.pair[1]])

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
        if "min_count" in patch:
            self.asked_count = MIN_COUNT.take(patch["min_count"], "min_count")
        if "mechanism" in patch:
            self.asked = self.asked.given(patch["mechanism"])
            if not isinstance(patch["mechanism"], LocalMechanism):
                self.asked = self.asked.with_sound_parameters(self.inputs.mechanism.epsilon)
        if "epsilon" in patch:
            self.asked = self.asked.with_budget(patch["epsilon"])
        if "output" in patch:
            self.output = as_output(patch["output"])
        elif "mechanism" in patch and not self.asked.entry.inferred:
            self.output = "raw"
        if "budget" in patch:
            asked = patch["budget"]
            self.asked_budget = None if asked is None else EPSILON.take(asked, "budget")
        if "noun" in patch:
            self.noun = as_noun(patch["noun"])
        self._compute(patch)
        if "source" in patch or "secret" in patch:
            self._choose(patch.get("source"), patch.get("secret"))
        self._finish(PATIENCE)

    def _replace(self, value: LocalValue) -> None:
        check_size(value)
        names = {name: place for place, name in enumerate(value.names)}
        pair = self.pair
        kept = None if pair is None else [names.get(self.value.names[place]) for place in pair]
        self.value, self.example, self._own = value, "", None
        self.asked_attributes = all_attributes(value)
        if not is_counted(value):
            self.asked_count = 0.0
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
            if "min_count" in request:
                self.asked_count = number(request["min_count"])
        self.asked = self.asked.asked(request)
        output = sent_choice(request, "output", self.output, ("raw", "inferred"))
        # A switch that is off for this mechanism says nothing.
        self.output = as_output(output) if self.asked.entry.inferred else "raw"
        if "budget" in request:
            self.asked_budget = None if request["budget"] is None else number(request["budget"])
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
                self._own = _Own(self.value, self.asked_attributes, self.asked_count, self.pair)
            self.value = parity()
            self.asked_attributes, self.asked_count, self.pair = all_attributes(self.value), 0.0, (0, 2)
        elif self._own is not None:
            own, self._own = self._own, None
            self.value, self.asked_attributes = own.value, own.attributes
            self.asked_count, self.pair = own.min_count, own.pair
        self.example = example

    # Results

    def _compute(self, patch: Mapping[str, Any] | None = None) -> None:
        """Bring the pairs up to date with the last inputs that make sense; say what is wrong."""
        faults: list[PdpError] = []
        last = self.inputs
        same = last.value is self.value
        attributes, least = self.asked_attributes, self.asked_count
        if not attributes:
            faults.append(
                DomainError(
                    "No attribute is chosen; choose one or more.", Where("parameter", name="attributes")
                )
            )
            attributes = last.attributes if same else all_attributes(self.value)
        try:
            least = MIN_COUNT.take(least, "min_count")
            if least > 0 and not is_counted(self.value):
                raise DomainError(
                    "min_count needs records, and the table has probabilities; leave it at 0.",
                    Where("parameter", name="min_count"),
                )
        except PdpError as fault:
            if patch is not None and "min_count" in patch:
                raise
            faults.append(fault)
            least = last.min_count if same else 0.0
        try:
            self._budget = None if self.asked_budget is None else EPSILON.take(self.asked_budget, "budget")
        except PdpError as fault:
            faults.append(fault)
        mechanism = self.asked.sound(last.mechanism, faults)
        if patch is not None and "epsilon" in patch and mechanism is last.mechanism:
            mechanism = self.asked.with_its_budget(last.mechanism)
        output: Output = self.output
        if mechanism is last.mechanism:
            output = last.output if not entry_of(mechanism.name).inferred else output
        wanted = LocalInputs(self.value, attributes, least, mechanism, output)
        try:
            self._solve(wanted)
        except PdpError as fault:
            faults.append(fault)
            if patch is not None:
                self._solve(self._as_last_but(patch, wanted, fault))
            elif not same:
                raise
        self.fault = faults[0] if faults else None

    def _solve(self, wanted: LocalInputs) -> None:
        if not wanted.same(self.inputs):
            self.solved = results_for(wanted, self.solved)
            self._follow()

    def _as_last_but(self, patch: Mapping[str, Any], wanted: LocalInputs, fault: PdpError) -> LocalInputs:
        """Return the last inputs with what Python sets: another control holds what does not go with them."""
        last = self.inputs
        mechanism = last.mechanism
        if "mechanism" in patch:
            if isinstance(patch["mechanism"], LocalMechanism):
                raise fault
            self.asked = self.asked.with_first_parameters()
            mechanism = self.asked.sound(mechanism, [])
        elif "epsilon" in patch:
            mechanism = self.asked.with_its_budget(mechanism)
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
        return {
            **local_inputs_state(self.value, self.asked_attributes, self.noun),
            "example": self.example,
            "min_count": self.asked_count,
            "mechanisms": [entry.state() for entry in LOCAL_MENU],
            "mechanism": self.asked.entry.key,
            "parameters": self.asked.shown_parameters,
            "epsilon": self.asked.epsilon if self.asked.entry.epsilon else self.inputs.mechanism.epsilon,
            "output": self.output,
            "source": None if self.pair is None else self.pair[0],
            "secret": None if self.pair is None else self.pair[1],
            "budget": self.asked_budget,
            **self.wait_state,
            "results": local_results_state(self.solved, self.pair, self.reports_curve),
        }
