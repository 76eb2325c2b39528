"""The anonymity explorer without a screen: its inputs, and the results of the last that made sense."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs, default_release, readings_of
from pdp_widgets.models.labels import shown
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.surveys import clinic
from pdp_widgets.widgets.anonymity_menu import as_columns, as_records, as_secret, release_choices
from pdp_widgets.widgets.anonymity_solved import PATIENCE, AnonymitySolved
from pdp_widgets.widgets.anonymity_views import anonymity_state
from pdp_widgets.widgets.computed_beside import LONG
from pdp_widgets.widgets.inputs import Controls, Input
from pdp_widgets.widgets.wire import sent_positions, sent_text

#: Inputs that fit each other.
_OF_COLUMNS = ("quasi", "secret", "release", "level", "reading")
#: What results call an input by another name.
_PART = {"show_paper": "printed"}


class AnonymityState(Controls, AnonymitySolved):
    """Inputs and results of an anonymity explorer."""

    def __init__(
        self,
        declared: Mapping[str, Input[Any]],
        value: Any,
        *,
        quasi: Any,
        secret: Any,
        release: Any,
        reading: Any,
        **given: Any,
    ) -> None:
        self._called = "patient" if value is None else "record"
        if value is None:
            value = clinic()
            secret = "diabetes" if secret is None and quasi is None else secret
        self.data = as_records(value)
        self._declare(declared, given)
        place = as_secret(self.data, secret)
        columns = as_columns(self.data, quasi, place)
        self._set(quasi=columns, secret=place, release="", reading="")
        self.releases = release_choices(self.data, columns, place)
        self._keep_release(release)
        self._keep_reading(reading)
        super().__init__(self._made(self.asked))

    @property
    def noun(self) -> str:
        """What one record is called."""
        return self.asked["noun"] or self._called

    def _made(self, asked: Mapping[str, Any]) -> AnonymityInputs:
        parts = {_PART.get(name, name): value for name, value in asked.items() if name != "noun"}
        return AnonymityInputs(data=self.data, **parts)

    @property
    def controls(self) -> dict[str, Any]:
        """What a browser shows in the controls."""
        return {
            **super().controls,
            **{name: self.asked[name] for name in ("quasi", "secret", "release", "reading")},
        }

    @property
    def values(self) -> dict[str, Any]:
        """The last inputs that made sense, as Python reads them."""
        names, sound = self.data.names, _sound(self.sound, self.asked)
        secret = sound["secret"]
        return {
            **sound,
            "value": self.data,
            "noun": self.noun,
            "quasi": tuple(names[place] for place in sound["quasi"]),
            "secret": None if secret is None else names[secret],
        }

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
        self._set(release=release)

    def _keep_reading(self, reading: Any) -> None:
        """Take a reading, or what stands, or the first that fits."""
        keys = readings_of(self.asked["release"], self.asked["level"])
        if reading is None:
            now = self.asked["reading"]
            self._set(reading=now if now in keys else keys[0] if keys else "")
        elif isinstance(reading, str) and reading in keys:
            self._set(reading=reading)
        else:
            fit = f"it is one of {', '.join(map(repr, keys))}" if keys else "no theorem is about this release"
            raise DomainError(
                f"The reading is {shown(reading)}; with this release and level {fit}.",
                Where("parameter", name="reading"),
            )

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs; a wrong entry of another control stays, and what is set is taken."""
        if "value" in patch:
            self._replace(as_records(patch["value"]))
        if "secret" in patch:
            secret, quasi = as_secret(self.data, patch["secret"]), self.asked["quasi"]
            if "quasi" not in patch and secret in quasi:
                quasi = as_columns(self.data, [place for place in quasi if place != secret], None)
            self._set(secret=secret, quasi=quasi)
        if "quasi" in patch:
            self._set(quasi=as_columns(self.data, patch["quasi"], self.asked["secret"]))
        self._take_inputs(patch)
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
        secret = secret if len(names) > 1 else None
        whole = len(quasi) == len(asked["quasi"])
        self._set(secret=secret, quasi=as_columns(data, quasi if whole else None, secret))

    def _offer(self, release: Any, reading: Any) -> None:
        """Bring the menus up to date, and take what is picked in them."""
        self.releases = release_choices(self.data, self.asked["quasi"], self.asked["secret"])
        self._keep_release(release)
        self._keep_reading(reading)

    # From the browser: what is wrong becomes the fault, and the last results stay.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        self._ask_inputs(request)
        asked = self.asked
        release = sent_text(request, "release", asked["release"])
        reading = sent_text(request, "reading", asked["reading"])
        columns, quasi = len(self.data.names), asked["quasi"]
        listed = tuple(sent_positions(request, "quasi", columns, quasi))
        if listed and len(set(listed)) == len(listed) and all(0 <= place < columns for place in listed):
            quasi = listed
        self._set(quasi=quasi, secret=self._asked_secret(request, quasi))
        self.releases = release_choices(self.data, quasi, self.asked["secret"])
        self._keep_release(release if release in [key for key, _ in self.releases] else None)
        fitting = readings_of(self.asked["release"], self.asked["level"])
        self._keep_reading(reading if reading in fitting else None)
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
        asked, sound = dict(self.asked), _sound(self.sound, self.asked)
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


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _sound(inputs: AnonymityInputs, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return sound inputs by name, in place of those that stand."""
    return {name: getattr(inputs, _PART.get(name, name), value) for name, value in asked.items()}
