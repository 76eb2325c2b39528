"""What an anonymity explorer offers and is given: releases, readings, records, columns by name."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.noiseless.anonymity_inputs import reading_label, readings_of, releases_of
from pdp_widgets.models.labels import in_quotes, short, shown
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.publish.labels import clean, isolate, shorten
from pdp_widgets.widgets.wire import label_texts

#: Longer names are cut within a label.
_LONGEST = 40


def release_choices(data: Microdata, quasi: tuple[int, ...], secret: int | None) -> list[tuple[str, str]]:
    """Return keys and labels of what can be published, in the order of the menu."""
    name = None if secret is None else data.names[secret]
    return [(key, release_label(key, name)) for key in releases_of(data, quasi, secret)]


def release_label(release: str, secret: str | None = None) -> str:
    """Return a release as the menu names it."""
    kind, _, name = release.partition(":")
    if kind == "sum":
        return f"Sum, {_told(name)}"
    # A value yes or no is the secret itself, or none of it.
    said, answer = _told(secret or ""), name.strip().casefold()
    what = said if answer == "yes" else f"no {said}" if answer == "no" else f"{said} {_told(name)}"
    if kind == "records":
        return f"Records, {what}"
    return f"Count, {what}{', withheld below k' if kind == 'suppressed' else ''}"


def _told(text: str) -> str:
    """Return a name within a label, in quotation marks where it has several words."""
    return in_quotes(clean(text), isolate(shorten(text, _LONGEST))) or "(no name)"


def reading_choices(release: str, level: str) -> list[dict[str, Any]]:
    """Return the readings that fit, as the browser lists them."""
    return [
        {"key": key, "label": label_texts([reading_label(key, level)])[0]}
        for key in readings_of(release, level)
    ]


#: What a screen has room for, and what can be put into classes while somebody waits.
MOST_RECORDS, MOST_COLUMNS = 200_000, 60


def as_records(data: Any) -> Microdata:
    """Return the records given in Python: Microdata, a data frame, a dict of lists."""
    try:
        found = Microdata.of(data)
    except DomainError as fault:
        # What the table calls its data, the explorer calls its value.
        if fault.where != Where("parameter", name="data"):
            raise
        raise DomainError(str(fault), Where("parameter", name="value")) from None
    if found.runs.many > MOST_RECORDS:
        many = f"{found.runs.many:,} {'records' if found.runs.counts is None else 'rows of counted records'}"
        raise LimitError(
            f"There are {many}; the explorer takes at most {MOST_RECORDS:,}. Take some of them with "
            "value.take(rows), or compute with AnonymityAnalysis.",
            Where("parameter", name="value"),
        )
    if len(found.names) > MOST_COLUMNS:
        raise LimitError(
            f"There are {len(found.names):,} columns; the explorer shows at most {MOST_COLUMNS}. Choose the "
            "quasi-identifiers and the secret.",
            Where("parameter", name="value"),
            call="As with Microdata(frame, columns=[...]).",
        )
    return found


def as_secret(data: Microdata, secret: Any) -> int | None:
    """Return the position of the secret, or None for none."""
    return None if secret is None else data.place(secret, "secret")


def as_columns(data: Microdata, quasi: Any, secret: int | None) -> tuple[int, ...]:
    """Return the positions of the quasi-identifiers; without a list all columns but the secret."""
    if quasi is None:
        found = tuple(place for place in range(len(data.names)) if place != secret)
        if not found:
            raise DomainError(
                f"The secret {shown(data.names[secret or 0])} is the only column; add a column that others "
                "may know, or leave the secret out.",
                Where("parameter", name="quasi"),
            )
        return found
    found = data.places(quasi, "quasi")
    if secret in found:
        raise DomainError(
            f"Column {short(data.names[secret or 0])} is the secret and a quasi-identifier; it can be one of "
            "the two.",
            Where("parameter", name="quasi"),
        )
    return found
