"""The mechanism of a local explorer: the menu, and what stands in the controls, sound or not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pdp_widgets.core.amounts import EPSILON, Whole
from pdp_widgets.errors import BudgetError, PdpError, TableError, Where
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import LOCAL_MECHANISMS, Listed
from pdp_widgets.models.labels import shown
from pdp_widgets.widgets.wire import number, sent_choice

#: In the order of the menu.
LOCAL_MENU = tuple(one for one in LOCAL_MECHANISMS if one.label)


def entry_of(name: Any) -> Listed:
    """Return the entry of a mechanism by its short name, whatever its capitals, or raise BudgetError."""
    for entry in LOCAL_MENU:
        if isinstance(name, str) and entry.key.lower() == name.lower():
            return entry
    raise BudgetError(
        f"The mechanism is {shown(name)}; give one of {', '.join(entry.key for entry in LOCAL_MENU)}.",
        Where("parameter", name="mechanism"),
    )


def parameters_of(mechanism: LocalMechanism) -> dict[str, float | None]:
    """Return the parameters of a mechanism beside its budget, by name."""
    return {name: getattr(mechanism, name) for name in entry_of(mechanism.name).first}


@dataclass(frozen=True)
class AskedMechanism:
    """What was asked for: an entry of the menu, a budget, and the parameters of every entry that has some."""

    entry: Listed = LOCAL_MENU[0]
    epsilon: float = 1.0
    parameters: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)

    @property
    def shown_parameters(self) -> dict[str, float | None]:
        """The parameters of the entry as they stand."""
        return {**self.entry.first, **self.parameters.get(self.entry.key, {})}

    def mechanism(self, epsilon: float | None = None) -> LocalMechanism:
        """Return the mechanism, with another budget if one is given; what is wrong raises."""
        return self.entry.made(self.epsilon if epsilon is None else epsilon, self.shown_parameters)

    def sound(self, last: LocalMechanism, faults: list[PdpError]) -> LocalMechanism:
        """Return the mechanism that stands, or the last one where it makes no sense with the budget."""
        try:
            return self.mechanism(EPSILON.take(self.epsilon, "epsilon") if self.entry.epsilon else None)
        except PdpError as fault:
            faults.append(fault)
        try:
            return self.mechanism(last.epsilon)
        except BudgetError:
            return last

    # From Python

    def given(self, mechanism: Any, epsilon: Any = None) -> AskedMechanism:
        """Return what stands after a mechanism was given; a name leaves the budget and last parameters."""
        found = self
        if isinstance(mechanism, LocalMechanism):
            entry = entry_of(mechanism.name)
            found = replace(
                self, entry=entry, parameters={**self.parameters, entry.key: parameters_of(mechanism)}
            )
            if entry.epsilon:
                found = replace(found, epsilon=mechanism.epsilon)
        else:
            found = replace(self, entry=entry_of(mechanism))
        return found if epsilon is None else replace(found, epsilon=EPSILON.take(epsilon, "epsilon"))

    def with_first_parameters(self) -> AskedMechanism:
        """Return what stands with the parameters that the entry has before somebody sets them."""
        return replace(
            self, parameters={key: held for key, held in self.parameters.items() if key != self.entry.key}
        )

    def with_sound_parameters(self, epsilon: float) -> AskedMechanism:
        """Return what stands, with the first parameters where those that were set in a browser are wrong."""
        try:
            self.mechanism(epsilon)
        except PdpError:
            return self.with_first_parameters()
        return self

    def with_its_budget(self, last: LocalMechanism) -> LocalMechanism:
        """Return the last mechanism with the budget that stands, where it has one of its own."""
        return last.with_epsilon(self.epsilon) if entry_of(last.name).epsilon else last

    def with_budget(self, epsilon: Any) -> AskedMechanism:
        """Return what stands after a budget was given in Python, or raise BudgetError."""
        level = EPSILON.take(epsilon, "epsilon")
        if self.entry.epsilon:
            return replace(self, epsilon=level)
        fixed = self.mechanism()
        # A linked explorer, or a saved state, gives back what it was shown.
        if not math.isclose(level, fixed.epsilon, rel_tol=1e-12):
            fixed.with_epsilon(level)
        return self

    # From the browser

    def asked(self, request: Mapping[str, Any]) -> AskedMechanism:
        """Return what stands after a request; what it does not carry stays."""
        key = sent_choice(request, "mechanism", self.entry.key, [entry.key for entry in LOCAL_MENU])
        found = self if key == self.entry.key else replace(self, entry=entry_of(key))
        if "parameters" in request:
            found = replace(
                found, parameters={**found.parameters, key: found._sent_parameters(request["parameters"])}
            )
        # The budget that a mechanism has anyway is shown, and sent back, but not set.
        if "epsilon" in request and found.entry.epsilon:
            found = replace(found, epsilon=number(request["epsilon"]))
        return found

    def _sent_parameters(self, sent: Any) -> dict[str, float | None]:
        if not isinstance(sent, Mapping):
            raise TableError("The browser sent parameters that are not understood; reload the page.")
        found: dict[str, float | None] = {}
        for one in self.entry.parameters:
            given = sent.get(one.name, self.shown_parameters[one.name])
            if given is None:
                found[one.name] = one.default
            else:
                value = number(given)
                whole = isinstance(one.kind, Whole) and value.is_integer()
                found[one.name] = int(value) if whole else value
        return found
