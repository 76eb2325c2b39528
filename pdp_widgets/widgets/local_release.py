"""The mechanism of a local explorer: the menu, and what stands in the controls, sound or not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pdp_widgets.core.amounts import EPSILON, Whole
from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import BudgetError, DomainError, LimitError, PdpError, TableError, Where
from pdp_widgets.leakage.local.mechanism_reading import as_mechanism
from pdp_widgets.mechanisms.local.finite_channel import Channel
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import BY_KEY, LOCAL_MECHANISMS, Listed
from pdp_widgets.mechanisms.local.randomised_response import GRR
from pdp_widgets.models.labels import shown
from pdp_widgets.widgets.local_results import LocalValue, Only, all_attributes, as_attribute
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


def parameters_of(mechanism: LocalMechanism, only: Only | None = None) -> dict[str, Any]:
    """Return the parameters of a mechanism beside its budget, by name, as the browser has them."""
    if isinstance(mechanism, Channel):
        return OwnChannel.of(mechanism, only).sent
    return {name: getattr(mechanism, name) for name in entry_of(mechanism.name).first}


#: Numbers of a channel that an explorer takes: they stand in its state.
_MOST_NUMBERS = 10_000


@dataclass(frozen=True, eq=False)
class OwnChannel:
    """A channel as it was asked for, sound or not, and the one attribute it is for; None for all."""

    rows: Any
    attribute: int | None = None
    others: Listed = LOCAL_MENU[0]
    epsilon: float = 1.0

    @classmethod
    def of(cls, channel: Channel, only: Only | None) -> OwnChannel:
        """Return what stands for a channel that is sound."""
        if channel.matrix.size > _MOST_NUMBERS:
            raise LimitError(
                f"The channel has {channel.matrix.size:,} numbers; an explorer takes at most "
                f"{_MOST_NUMBERS:,}. Compute with LocalAnalysis.",
                Where("parameter", name="mechanism"),
            )
        rows = channel.matrix.tolist()
        if only is None:
            return cls(rows)
        return cls(rows, only.attribute, entry_of(only.others.name), only.others.epsilon)

    @classmethod
    def read(cls, sent: Any) -> OwnChannel:
        """Return what a browser sent, or raise TableError."""
        if not isinstance(sent, Mapping):
            raise TableError(_STRANGE)
        rows: Any = sent.get("matrix")
        is_table = isinstance(rows, list | tuple) and all(isinstance(row, list | tuple) for row in rows)
        if not is_table or sum(len(row) for row in rows) > _MOST_NUMBERS:
            raise TableError(_STRANGE)
        place, others = sent.get("attribute"), entry_of(sent.get("others"))
        if not (place is None or is_whole(place)) or others not in _OTHERS:
            raise TableError(_STRANGE)
        return cls([[number(one) for one in row] for row in rows], place, others, number(sent.get("epsilon")))

    @property
    def channel(self) -> Channel:
        """The channel; what is wrong with it raises TableError."""
        return Channel(self.rows)

    @property
    def only(self) -> Only | None:
        """What it is for alone, if it is not for all; a budget of the others that is none raises."""
        if self.attribute is None:
            return None
        return Only(self.attribute, self.others.made(EPSILON.take(self.epsilon, "epsilon")))

    @property
    def sent(self) -> dict[str, Any]:
        """As the browser has it, among the parameters."""
        return {
            "channel": {
                "matrix": self.rows,
                "attribute": self.attribute,
                "others": self.others.key,
                "epsilon": self.epsilon,
            }
        }


_STRANGE = "The browser sent parameters that are not understood; reload the page."
#: What may release the other attributes where a channel is for one.
_OTHERS = tuple(one for one in LOCAL_MENU if one.epsilon)


def _is_usual(mechanism: LocalMechanism) -> bool:
    """Tell whether a mechanism may release the others: one with a budget, and nothing else that is set."""
    row = BY_KEY.get(mechanism.name)
    return row is not None and row in _OTHERS and row.made(mechanism.epsilon) == mechanism


def own_channel(
    given: Mapping[Any, Any], value: LocalValue, epsilon: Any = None, standing: LocalMechanism | None = None
) -> OwnChannel:
    """Return what a mapping of attributes to mechanisms asks for, or raise what is accepted.

    Attributes that it does not name are released by what it names for others, else by what stands.
    """
    every = all_attributes(value)
    made = {as_attribute(value, name, "mechanism", every): one for name, one in given.items()}
    channels = {place: one for place, one in made.items() if isinstance(one, Channel)}
    level = None if epsilon is None else EPSILON.take(epsilon, "epsilon")
    others = {
        as_mechanism(one, level, any_budget=True) for place, one in made.items() if place not in channels
    }
    if not others and standing is not None and level is None and _is_usual(standing):
        others = {standing}
    other = next(iter(others), GRR(1.0 if level is None else level))
    if len(channels) != 1 or len(others) > 1 or not _is_usual(other):
        raise DomainError(
            f"The mechanism is {shown(given)}; give one attribute its Channel, and all others one mechanism "
            "that has a budget and no other parameters: {attribute: Channel([[0.9, 0.1], [0.2, 0.8]])}. "
            "LocalAnalysis takes any mixture.",
            Where("parameter", name="mechanism"),
        )
    ((place, channel),) = channels.items()
    ordered = channel.for_labels(value.domains[place], value.names[place])
    return OwnChannel.of(ordered, Only(place, other))


def for_every(given: Any, value: LocalValue, attributes: Sequence[int]) -> Any:
    """Return what is given for all attributes; a channel with its rows in the one order of their labels."""
    if not isinstance(given, Channel) or given.symbols is None:
        return given
    ordered = [given.for_labels(value.domains[place], value.names[place]) for place in attributes]
    if any(one != ordered[0] for one in ordered):
        raise DomainError(
            "The rows of the channel are named, and the attributes have their labels in several orders; give "
            "it to one attribute: {attribute: Channel(...)}. LocalAnalysis takes it for all.",
            Where("parameter", name="mechanism"),
        )
    return ordered[0] if ordered else given


@dataclass(frozen=True)
class AskedMechanism:
    """What was asked for: an entry of the menu, a budget, and the parameters of every entry that has some."""

    entry: Listed = LOCAL_MENU[0]
    epsilon: float = 1.0
    parameters: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    own: OwnChannel | None = None

    @property
    def has_channel(self) -> bool:
        """Whether the entry is a channel of one's own."""
        return self.entry.mechanism is Channel

    @property
    def only(self) -> Only | None:
        """What the channel of one's own is for alone; None for all attributes, and for other mechanisms."""
        return self.own.only if self.own is not None and self.has_channel else None

    @property
    def shown_parameters(self) -> dict[str, Any]:
        """The parameters of the entry as they stand."""
        if self.has_channel:
            return {} if self.own is None else self.own.sent
        return {**self.entry.first, **self.parameters.get(self.entry.key, {})}

    def mechanism(self, epsilon: float | None = None) -> LocalMechanism:
        """Return the mechanism, with another budget if one is given; what is wrong raises."""
        if self.has_channel:
            if self.own is None:
                raise BudgetError(
                    "There is no channel yet; give its matrix: Channel([[0.9, 0.1], [0.2, 0.8]]).",
                    Where("parameter", name="mechanism"),
                )
            _ = self.own.only  # what is wrong with the others raises
            return self.own.channel
        return self.entry.made(self.epsilon if epsilon is None else epsilon, self.shown_parameters)

    def sound(self, last: LocalMechanism, faults: list[PdpError]) -> LocalMechanism:
        """Return the mechanism that stands, or the last one where it makes no sense with the budget."""
        try:
            return self.mechanism(EPSILON.take(self.epsilon, "epsilon") if self.entry.epsilon else None)
        except PdpError as fault:
            faults.append(fault)
        try:
            return self.mechanism(last.epsilon)
        except PdpError:
            return last

    # From Python

    def given(self, mechanism: Any, epsilon: Any = None) -> AskedMechanism:
        """Return what stands after a mechanism was given; a name leaves the budget and last parameters."""
        found = self
        if isinstance(mechanism, Channel | OwnChannel):
            if isinstance(mechanism, Channel):
                own = replace(OwnChannel.of(mechanism, None), epsilon=self.epsilon)
            else:
                own = mechanism
            return replace(self, entry=entry_of(Channel.name), own=own, epsilon=own.epsilon)
        if isinstance(mechanism, LocalMechanism):
            entry = entry_of(mechanism.name)
            found = replace(
                self, entry=entry, parameters={**self.parameters, entry.key: parameters_of(mechanism)}
            )
            if entry.epsilon:
                found = replace(found, epsilon=mechanism.epsilon)
        else:
            found = replace(self, entry=entry_of(mechanism))
            if found.has_channel:
                found.mechanism()
        return found if epsilon is None else replace(found, epsilon=EPSILON.take(epsilon, "epsilon"))

    def moved(self, attribute: int | None) -> AskedMechanism:
        """Return what stands where the one attribute of the channel has another place, or is gone."""
        assert self.own is not None
        if attribute is not None:
            return replace(self, own=replace(self.own, attribute=attribute))
        if not self.has_channel:
            return replace(self, own=None)
        return replace(self, entry=self.own.others, epsilon=self.own.epsilon, own=None)

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
        if "parameters" in request and found.has_channel:
            sent = request["parameters"]
            own = OwnChannel.read(sent.get("channel") if isinstance(sent, Mapping) else None)
            found = replace(found, own=own)
        elif "parameters" in request:
            found = replace(
                found, parameters={**found.parameters, key: found._sent_parameters(request["parameters"])}
            )
        # The budget that a mechanism has anyway is shown, and sent back, but not set.
        if "epsilon" in request and found.entry.epsilon:
            found = replace(found, epsilon=number(request["epsilon"]))
        return found

    def _sent_parameters(self, sent: Any) -> dict[str, float | None]:
        if not isinstance(sent, Mapping):
            raise TableError(_STRANGE)
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
