"""What releases and readings of a theorem are called; the same as in the browser (js/src/anonymity)."""

from __future__ import annotations

from pdp_widgets.publish.anonymity_wording import told

__all__ = ["event_words", "events_label", "reading_label", "release_label", "release_noun", "theorem_of"]

_READINGS = {
    "t1:statement": "statement",
    "t1:proof": "proof",
    "t1:final": "last line of the proof",
    "t1:garbled": "exponent as typeset",
    "t4:sum_of_powers": "sum of powers",
    "t4:power_of_sum": "power of the sum",
    "t5:statement": "statement",
    "t5:proof": "proof",
    "t7:statement": "statement",
    "t7:mixed": "mixed",
    "t7:proof": "proof",
}
#: The theorem of an adversary's level.
_THEOREMS = {"I": "Theorem 4", "II": "Theorem 5", "III": "Theorem 6", "IV": "Theorem 7"}


def theorem_of(reading: str, level: str) -> str:
    """Return the theorem that a reading is of; Theorem 4 is called 6 where values are known.

    Examples
    --------
    >>> theorem_of("t4:sum_of_powers", "III"), theorem_of("t1:proof", "I")
    ('Theorem 6', 'Theorem 1')
    """
    return "Theorem 1" if reading.startswith("t1:") else _THEOREMS[level]


def reading_label(reading: str, level: str) -> str:
    """Return a reading as a menu names it.

    Examples
    --------
    >>> reading_label("t1:statement", "III"), reading_label("t4:sum_of_powers", "I")
    ('Theorem 1, statement', 'Theorem 4, sum of powers')
    """
    return f"{theorem_of(reading, level)}, {_READINGS[reading]}"


def release_label(release: str, secret: str | None = None) -> str:
    """Return a release as a menu names it.

    Examples
    --------
    >>> release_label("count:yes", "diabetes"), release_label("suppressed:no", "diabetes")
    ('Count, diabetes', 'Count, no diabetes, withheld below k')
    >>> release_label("records:north", "region"), release_label("sum:weight")
    ('Records, region north', 'Sum, weight')
    """
    kind, _, name = release.partition(":")
    if kind == "sum":
        return f"Sum, {told(name)}"
    what = _valued(name, secret or "")
    if kind == "records":
        return f"Records, {what}"
    return f"Count, {what}{', withheld below k' if kind == 'suppressed' else ''}"


def release_noun(release: str) -> str:
    """Return what a release is called in a heading: "count", "sum" or "records".

    Examples
    --------
    >>> release_noun("suppressed:yes"), release_noun("sum:weight")
    ('count', 'sum')
    """
    kind = release.partition(":")[0]
    return kind if kind in ("sum", "records") else "count"


def _valued(label: str, secret: str) -> str:
    """Return a value of the secret as a noun."""
    plain = label.strip().casefold()
    if plain == "yes":
        return told(secret)
    return f"no {told(secret)}" if plain == "no" else f"{told(secret)} {told(label)}"


def events_label(events: str) -> str:
    """Return which events a bound holds for, after "bound".

    Examples
    --------
    >>> events_label("all"), events_label("halfline")
    ('all events', 'thresholds')
    """
    return {"all": "all events", "interval": "intervals", "halfline": "thresholds"}[events]


def event_words(events: str) -> str:
    """Return which events a bound holds for, in full.

    Examples
    --------
    >>> event_words("interval"), event_words("all")
    ('tests of an interval only', 'all events')
    """
    words = {"interval": "tests of an interval only", "halfline": "threshold tests only"}
    return words.get(events, "all events")
