"""What bounds and readings of the theorems are called in a list."""

from __future__ import annotations

from pdp_widgets.leakage.noiseless.anonymity_inputs import Level
from pdp_widgets.leakage.noiseless.slack import Events

__all__ = ["bound_label", "events_label", "reading_label", "theorem_at", "theorem_of"]

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
_THEOREMS: dict[str, str] = {"I": "Theorem 4", "II": "Theorem 5", "III": "Theorem 6", "IV": "Theorem 7"}
_EVENTS: dict[str, str] = {"all": "all events", "interval": "intervals", "halfline": "thresholds"}


def theorem_at(level: str) -> str:
    """Return the theorem about sums at a level.

    Examples
    --------
    >>> theorem_at("II")
    'Theorem 5'
    """
    return _THEOREMS[level]


def theorem_of(reading: str, level: str) -> str:
    """Return the theorem that a reading is of; Theorem 4 is called 6 where values are known.

    Examples
    --------
    >>> theorem_of("t4:sum_of_powers", "III"), theorem_of("t1:proof", "I")
    ('Theorem 6', 'Theorem 1')
    """
    return "Theorem 1" if reading.startswith("t1:") else theorem_at(level)


def reading_label(reading: str, level: str) -> str:
    """Return what a reading is called.

    Examples
    --------
    >>> reading_label("t1:statement", "III"), reading_label("t4:sum_of_powers", "I")
    ('Theorem 1, statement', 'Theorem 4, sum of powers')
    """
    return f"{theorem_of(reading, level)}, {_READINGS[reading]}"


def events_label(events: str) -> str:
    """Return which events a bound holds for, after "bound".

    Examples
    --------
    >>> events_label("all"), events_label("halfline")
    ('all events', 'thresholds')
    """
    return _EVENTS[events]


def bound_label(level: Level, events: Events) -> str:
    """Return what the bound by a distance to the normal law is called.

    Examples
    --------
    >>> bound_label("III", "halfline")
    'Theorem 6 corrected, thresholds'
    """
    return f"{theorem_at(level)} corrected, {events_label(events)}"
