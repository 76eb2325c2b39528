"""What releases and events are called; the same as in the browser (js/src/anonymity)."""

from __future__ import annotations

from pdp_widgets.publish.anonymity_wording import told

__all__ = ["event_words", "release_label", "release_noun"]


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


def event_words(events: str) -> str:
    """Return which events a bound holds for, in full.

    Examples
    --------
    >>> event_words("interval"), event_words("all")
    ('tests of an interval only', 'all events')
    """
    words = {"interval": "tests of an interval only", "halfline": "threshold tests only"}
    return words.get(events, "all events")
