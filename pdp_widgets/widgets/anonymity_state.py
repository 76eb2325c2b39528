"""The anonymity explorer without a screen: its inputs, and the results of the last that made sense."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from numbers import Number
from typing import Any

import numpy as np

from pdp_widgets.core.checks import is_whole, plain_number
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import BudgetError, DomainError, PdpError, Where
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs, default_release, readings_of
from pdp_widgets.models.labels import as_choice, shown
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.surveys import clinic
from pdp_widgets.widgets.anonymity_menu import (
    EVENTS,
    LEVELS,
    NEIGHBOURS,
    as_columns,
    as_records,
    as_secret,
    release_choices,
)
from pdp_widgets.widgets.anonymity_solved import PATIENCE, AnonymitySolved
from pdp_widgets.widgets.anonymity_views import anonymity_state
from pdp_widgets.widgets.computed_beside import LONG
from pdp_widgets.widgets.explorer_input import as_own_noun
from pdp_widgets.widgets.wire import number, sent_choice, sent_flag, sent_positions, sent_text

#: Inputs that are numbers of any kind until they are checked, and those of them that may be None.
_NUMBERS = ("k", "known", "neighbours", "epsilon", "group_change")
_OPTIONAL = ("n", "delta1", "shift")
_WHOLE = ("k", "neighbours", "n")
#: Inputs that fit each other.
_OF_COLUMNS = ("quasi", "secret", "release", "level", "reading")
_WORDS = {"level": LEVELS, "neighbour": NEIGHBOURS, "events": EVENTS}


class AnonymityState(AnonymitySolved):
    """Inputs and results of an anonymity explorer.

    Every input has what was asked for and the last value that made sense; results are those of the latter.
    """

    def __init__(
        self,
        value: Any,
        quasi: Any,
        secret: Any,
        release: Any,
        noun: Any,
        show_paper: Any,
        reading: Any,
        **asked: Any,
    ) -> None:
        self._called = "patient" if value is None else "record"
        if value is None:
            value = clinic()
            secret = "diabetes" if secret is None and quasi is None else secret
        for name, words in _WORDS.items():
            as_choice(asked[name], name, words, BudgetError)
        self.data = as_records(value)
        self._own_noun = as_own_noun(noun)
        place = as_secret(self.data, secret)
        columns = as_columns(self.data, quasi, place)
        self.asked: dict[str, Any] = {
            **{name: _plain(name, value) for name, value in asked.items()},
            "quasi": columns,
            "secret": place,
            "printed": as_flag(show_paper, "show_paper"),
            "release": "",
            "reading": "",
        }
        self.releases = release_choices(self.data, columns, place)
        self._keep_release(release)
        self._keep_reading(reading)
        super().__init__(self._made(self.asked))

    @property
    def noun(self) -> str:
        """What one record is called."""
        return self._own_noun or self._called

    def _made(self, asked: Mapping[str, Any]) -> AnonymityInputs:
        return AnonymityInputs(data=self.data, **asked)

    def _keep_release(self, release: Any) -> None:
        """Take a release, or what stands, or the first that fits; TypeError for none that exists."""
        keys = [key for key, _ in self.releases]
        quasi, secret = self.asked["quasi"], self.asked["secret"]
        if release is None:
            release = self.asked["release"]
            if release not in keys:
                release = default_release(self.data, quasi, secret)
        elif not isinstance(release, str) or release not in keys:
            few = ", ".join(map(repr, keys[:8])) + (", ..." if len(keys) > 8 else "")
            raise DomainError(
                f"The release is {shown(release)}; it is one of {few}.", Where("parameter", name="release")
            )
        self.asked["release"] = release

    def _keep_reading(self, reading: Any) -> None:
        """Take a reading, or what stands, or the first that fits."""
        keys = readings_of(self.asked["release"], self.asked["level"])
        if reading is None:
            now = self.asked["reading"]
            self.asked["reading"] = now if now in keys else keys[0] if keys else ""
        elif isinstance(reading, str) and reading in keys:
            self.asked["reading"] = reading
        else:
            fit = f"it is one of {', '.join(map(repr, keys))}" if keys else "no theorem is about this release"
            raise DomainError(
                f"The reading is {shown(reading)}; with this release and level {fit}.",
                Where("parameter", name="reading"),
            )

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs; a wrong entry of another control stays, and what is set is taken."""
        asked = self.asked = dict(self.asked)
        if "value" in patch:
            self._replace(as_records(patch["value"]))
        if "secret" in patch:
            asked["secret"] = as_secret(self.data, patch["secret"])
            if "quasi" not in patch and asked["secret"] in asked["quasi"]:
                asked["quasi"] = as_columns(
                    self.data, [place for place in asked["quasi"] if place != asked["secret"]], None
                )
        if "quasi" in patch:
            asked["quasi"] = as_columns(self.data, patch["quasi"], asked["secret"])
        for name in (*_NUMBERS, *_OPTIONAL):
            if name in patch:
                asked[name] = _plain(name, patch[name])
        for name, words in _WORDS.items():
            if name in patch:
                asked[name] = as_choice(patch[name], name, words, BudgetError)
        if "show_paper" in patch:
            asked["printed"] = as_flag(patch["show_paper"], "show_paper")
        if "noun" in patch:
            self._own_noun = as_own_noun(patch["noun"])
        self._offer(patch.get("release"), patch.get("reading"))
        self._compute(math.inf if "value" in patch else PATIENCE, patch)

    def _replace(self, data: Microdata) -> None:
        """Take other records; columns of the same names keep what they are."""
        old, asked = self.data, self.asked
        names = data.names
        kept = None if asked["secret"] is None else old.names[asked["secret"]]
        secret = names.index(kept) if kept in names else None
        quasi = [names.index(old.names[place]) for place in asked["quasi"] if old.names[place] in names]
        self.data, self._called = data, "record"
        asked["secret"] = secret if len(names) > 1 else None
        whole = len(quasi) == len(asked["quasi"])
        asked["quasi"] = as_columns(data, quasi if whole else None, asked["secret"])

    def _offer(self, release: Any, reading: Any) -> None:
        """Bring the menus up to date, and take what is picked in them."""
        self.releases = release_choices(self.data, self.asked["quasi"], self.asked["secret"])
        self._keep_release(release)
        self._keep_reading(reading)

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        asked = dict(self.asked)
        columns = len(self.data.names)
        for name, words in _WORDS.items():
            asked[name] = sent_choice(request, name, asked[name], words)
        for name in _NUMBERS:
            asked[name] = _whole(name, number(request.get(name, asked[name])))
        for name in _OPTIONAL:
            value = request.get(name, asked[name])
            asked[name] = None if value is None else _whole(name, number(value))
        asked["printed"] = sent_flag(request, "printed", asked["printed"])
        release = sent_text(request, "release", asked["release"])
        reading = sent_text(request, "reading", asked["reading"])
        listed = tuple(sent_positions(request, "quasi", columns, asked["quasi"]))
        if listed and len(set(listed)) == len(listed) and all(0 <= place < columns for place in listed):
            asked["quasi"] = listed
        asked["secret"] = self._asked_secret(request, asked["quasi"])
        self.asked = asked
        self.releases = release_choices(self.data, asked["quasi"], asked["secret"])
        self._keep_release(release if release in [key for key, _ in self.releases] else None)
        self._keep_reading(reading if reading in readings_of(asked["release"], asked["level"]) else None)
        self._compute(LONG)

    def _asked_secret(self, request: Mapping[str, Any], quasi: tuple[int, ...]) -> int | None:
        """Return the secret of a request; a column that is none, or that others know, names nothing."""
        now = self.asked["secret"]
        now = None if now in quasi else now
        sent = request.get("secret", now)
        if sent is None:
            return None
        (place,) = sent_positions({"secret": [sent]}, "secret", 1, ())
        return place if 0 <= place < len(self.data.names) and place not in quasi else now

    # Results

    def _compute(self, patience: float, patch: Mapping[str, Any] | None = None) -> None:
        """Bring the results up to date with the last inputs that make sense; say what is wrong."""
        faults: list[PdpError] = []
        asked, sound = dict(self.asked), _sound(self.sound)
        if patch is not None and "value" in patch:
            # Columns are of these records, and nothing of others fits them.
            sound |= {name: asked[name] for name in _OF_COLUMNS}
        while True:
            try:
                self._solve(self._made(asked), patience)
                break
            except PdpError as fault:
                name = "" if fault.where is None else fault.where.name or ""
                if name == "n" and _same(asked["n"], sound["n"]):
                    # No class is larger than all: it is the other of the two that changed.
                    name = "k"
                if patch is not None and name in patch:
                    raise
                # What is wrong in one control stands in the way of nothing else.
                back = _OF_COLUMNS if name in _OF_COLUMNS else (name,) if name in asked else tuple(asked)
                if all(_same(asked[part], sound[part]) for part in back):
                    raise
                faults.append(fault)
                asked |= {part: sound[part] for part in back}
        self.fault = faults[0] if faults else None
        if patch is not None:
            # Numbers stand as they were understood: "5" is no number, and 5.0 is 5.
            self.asked |= _given(self.sound, patch)
        self._finish(patience)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give awaited results up; an input that they could not be computed for is set back, and no other."""
        refused = self._refused
        super().stop(number, reason)
        if self._refused is not refused:
            # Where nothing is left to set back, the fault and the last results stay.
            with suppress(PdpError):
                self._compute(LONG)

    def state(self) -> dict[str, Any]:
        """Return what the browser shows."""
        return anonymity_state(self)


def _plain(name: str, value: Any) -> Any:
    """Return a number given in Python as a plain one; what is none stays, to be named where it is checked."""
    if isinstance(value, bool | str | bytes) or value is None:
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, Decimal) and value.is_snan():
        # It can neither be compared nor converted.
        return math.nan
    if not isinstance(value, Number):
        # A list or an array is no number, and cannot be compared with one.
        raise BudgetError(f"{name} is {shown(value)}; give one number.", Where("parameter", name=name))
    if name in _WHOLE:
        return int(value) if is_whole(value) else value
    try:
        return plain_number(value) + 0.0
    except (TypeError, ValueError, OverflowError):
        return value


def _whole(name: str, value: float) -> Any:
    """Return a count as an integer where it is one."""
    return int(value) if name in _WHOLE and math.isfinite(value) and value.is_integer() else value


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _sound(inputs: AnonymityInputs) -> dict[str, Any]:
    """Return sound inputs by name."""
    names = (*_NUMBERS, *_OPTIONAL, *_WORDS, "quasi", "secret", "release", "printed", "reading")
    return {name: getattr(inputs, name) for name in names}


def _given(inputs: AnonymityInputs, names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers that were given, as they are understood."""
    return {name: getattr(inputs, name) for name in (*_NUMBERS, *_OPTIONAL, *_WORDS) if name in names}
