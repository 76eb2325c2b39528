"""The inputs of an explorer, each declared once: what it may be, and how Python and a browser set it.

An explorer declares an input as its trait; what follows from the declaration is read from it by the state
(`Controls`), and by pages without a kernel (``js/src/compute/inputs.json``, printed by scripts/inputs.py).
What depends on the model, such as a query or an adversary, has a trait of another kind and is read by the
state itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from traitlets import TraitType

from pdp_widgets.core.amounts import KINDS, Kind, Whole
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import BudgetError, PdpError
from pdp_widgets.models.labels import as_choice
from pdp_widgets.widgets.explorer_input import as_noun
from pdp_widgets.widgets.wire import number, sent_choice, sent_flag

T = TypeVar("T")


class Input(TraitType[T, Any]):
    """An input that is read without the model.

    Parameters
    ----------
    wire
        Its name in views and requests, where that is not the one in Python.
    """

    #: As a page reads it; None for what no hand sets.
    page: Mapping[str, Any] | None = None

    def __init__(self, wire: str = "") -> None:
        # Every step sets it: this stands until the first.
        super().__init__(None, allow_none=True)
        self._wire = wire

    @property
    def wire(self) -> str:
        """Its name in views and requests."""
        return self._wire or str(self.name)

    def take(self, value: Any) -> T:
        """Return what Python gives, or raise an error that names the input."""
        raise NotImplementedError

    def ask(self, request: Mapping[str, Any], now: T) -> T:
        """Return what stands in the control after a request; that it makes sense is another question."""
        raise NotImplementedError


class Number(Input[float]):
    """A number of some kind. A hand may leave another one in its control: see `sound`."""

    _read_as = "number"

    def __init__(
        self,
        kind: Kind,
        wire: str = "",
        error: type[PdpError] | None = None,
        *,
        optional: bool | None = None,
    ) -> None:
        super().__init__(wire)
        self.kind, self.raised = kind, error
        self.optional = kind.optional if optional is None else optional
        name = next(name for name, one in KINDS.items() if one is kind)
        self.page = {self._read_as: name, **({"optional": True} if self.optional else {})}

    def take(self, value: Any) -> Any:
        """Return a number of its kind, or None where that may be."""
        if value is None and self.optional:
            return None
        return self.kind.take(value, str(self.name), self.raised)

    sound = take

    def ask(self, request: Mapping[str, Any], now: Any) -> Any:
        """Return any number, NaN for what is none; or None where that may be."""
        if self.wire not in request:
            return now
        sent = request[self.wire]
        if sent is None and self.optional:
            return None
        asked = number(sent)
        return int(asked) if isinstance(self.kind, Whole) and asked.is_integer() else asked


class Level(Number):
    """A number that results do not depend on: what is not finite is left out, another wrong one refused."""

    _read_as = "level"

    def ask(self, request: Mapping[str, Any], now: Any) -> Any:
        """Return the level of a request, or the one that stands."""
        asked = super().ask(request, now)
        return now if asked is not None and not math.isfinite(asked) else self.take(asked)


class Goal(Level):
    """A level of which None, in Python, stands for what was promised when the explorer was opened."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.page = {name: one for name, one in (self.page or {}).items() if name != "optional"}

    def ask(self, request: Mapping[str, Any], now: Any) -> Any:
        """Return the goal of a request, or the one that stands."""
        return now if request.get(self.wire) is None else super().ask(request, now)


class Flag(Input[bool]):
    """On or off."""

    page: Mapping[str, Any] | None = {"flag": True}

    def take(self, value: Any) -> bool:
        """Return a flag."""
        return as_flag(value, str(self.name))

    def ask(self, request: Mapping[str, Any], now: bool) -> bool:
        """Return the flag of a request, or the one that stands."""
        return sent_flag(request, self.wire, now)


class Choice(Input[str]):
    """One of some words; ``read`` reads them where more can be said of each."""

    def __init__(
        self,
        words: Iterable[str],
        wire: str = "",
        error: type[PdpError] = BudgetError,
        *,
        read: Callable[[Any], str] | None = None,
    ) -> None:
        super().__init__(wire)
        self.words, self.raised, self.read = tuple(words), error, read
        self.page = {"words": list(self.words)}

    def take(self, value: Any) -> str:
        """Return one of the words."""
        if self.read is not None:
            return self.read(value)
        return as_choice(value, str(self.name), self.words, self.raised)

    def ask(self, request: Mapping[str, Any], now: str) -> str:
        """Return the word of a request, or the one that stands."""
        return sent_choice(request, self.wire, now, self.words)


class Noun(Input[str]):
    """What one tuple is called; with None, where that may be, by the word that suits the model."""

    def __init__(self, optional: bool = False) -> None:
        super().__init__()
        self.optional = optional

    def take(self, value: Any) -> Any:
        """Return a word."""
        return None if value is None and self.optional else as_noun(value)

    def ask(self, request: Mapping[str, Any], now: str) -> str:
        """Return what stands: no hand sets it."""
        return now


class Controls:
    """What stands in the controls of an explorer, by the names of its declared inputs."""

    declared: Mapping[str, Input[Any]]
    #: Never changed in place: a copy of a state shares it.
    asked: Mapping[str, Any]

    def _declare(self, declared: Mapping[str, Input[Any]], given: Mapping[str, Any]) -> None:
        """Take what an explorer is made with."""
        self.declared = declared
        self.asked = {name: one.take(given[name]) for name, one in declared.items()}

    def _set(self, **values: Any) -> None:
        """Put checked values in the controls."""
        self.asked = {**self.asked, **values}

    def _take_inputs(self, patch: Mapping[str, Any]) -> None:
        """Take a step from Python; the first wrong input raises."""
        self._set(**{name: one.take(patch[name]) for name, one in self.declared.items() if name in patch})

    def _ask_inputs(self, request: Mapping[str, Any]) -> None:
        """Take what a hand set; a number that is none stands until it is mended, see `_sound`."""
        self._set(**{name: one.ask(request, self.asked[name]) for name, one in self.declared.items()})

    def _sound(self, name: str, last: Any, faults: list[PdpError]) -> Any:
        """Return the number that stands in a control, or the last sound one with the fault of this one."""
        declared = self.declared[name]
        assert isinstance(declared, Number)
        try:
            return declared.sound(self.asked[name])
        except PdpError as fault:
            faults.append(fault)
            return last

    @property
    def controls(self) -> dict[str, Any]:
        """What a browser shows in the controls."""
        shown = self.declared.items()
        return {one.wire: self.asked[name] for name, one in shown if one.page is not None}
