"""Panels of the picture of a k-anonymous table: release, adversary, the chosen ε, one record out, audit."""

from __future__ import annotations

import math

from pdp_widgets.leakage.noiseless.anonymity_words import events_label
from pdp_widgets.publish.anonymity_names import release_label
from pdp_widgets.publish.anonymity_numbers import budget_text, factor_text, percent, slack_text
from pdp_widgets.publish.anonymity_shown import ShownAnonymity
from pdp_widgets.publish.formatting import count, fixed, leakage, parameter
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.svg import Style, Svg

__all__ = [
    "adversary_rows",
    "audit_strip",
    "fact_rows",
    "facts_panel",
    "level_words",
    "release_panel",
    "release_rows",
]

_STRIP = 82.0
_LEVELS = {
    "I": "Knows no record, only how large a change is.",
    "II": "Knows which records depend on each other.",
    "III": "Knows exact values of a share.",
    "IV": "Knows exact values of a share, and dependence.",
}


def level_words(level: str) -> str:
    """Say what an adversary of a level knows.

    Examples
    --------
    >>> level_words("III")
    'Knows exact values of a share.'
    """
    return _LEVELS[level]


def _sizes(sizes: tuple[int, int]) -> str:
    low, high = sizes
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def release_rows(shown: ShownAnonymity) -> list[tuple[str, str]]:
    """Return what is published, as pairs of words."""
    results, inputs = shown.results, shown.inputs
    rows = [
        ("Least class size k", f"{results.k:,}"),
        ("Published beside the table", release_label(inputs.release, shown.secret)),
        (f"Records n{', assumed' if inputs.n is not None else ''}", f"{results.analysis.n:,}"),
        ("Class sizes", _sizes(results.sizes)),
    ]
    if shown.secret is not None:
        rows.append(("One value only", f"{results.single:,} of {results.classes_in_all:,}"))
    if results.suppressed:
        rows.append(("Not published", count(results.suppressed, "record")))
    removals = results.removals
    if removals is not None:
        least = "≥ " if removals.sampled is not None else ""
        rows.append(("Change in group size, s", f"{least}{removals.largest:,.0f}"))
    if results.diversity is not None:
        rows.append(("l-diversity", parameter_of(float(results.diversity))))
    if results.closeness is not None:
        rows.append(("t-closeness", fixed(float(results.closeness), 3)))
    return rows


def parameter_of(value: float) -> str:
    """Return a number without decimals where it has none.

    Examples
    --------
    >>> parameter_of(2.0), parameter_of(1.37)
    ('2', '1.37')
    """
    return f"{value:,.0f}" if value.is_integer() else parameter(value)


def adversary_rows(shown: ShownAnonymity) -> list[tuple[str, str]]:
    """Return who is assumed, as pairs of words."""
    results, case = shown.results, shown.case
    rows = [("Level", case.level)]
    if case.level in ("III", "IV"):
        rows.append(("Share known", percent(case.known)))
    if case.level in ("II", "IV"):
        rows.append(("Largest neighbourhood", f"{case.neighbours:,}"))
    rows.append(("Unknown others m", f"{results.unknown:,}"))
    if results.share is not None:
        rows.append(("Share counted", fixed(float(results.share), 2 if results.share >= 0.005 else 4)))
    name = "Change in released sum" if shown.thing != "records" else "Change in the count"
    rows.append((name, leakage(float(results.shift)) if results.shift % 1 else f"{results.shift:,.0f}"))
    rows.append(("The target", "is there or not" if case.presence else "changes its value"))
    return rows


def release_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Write release and adversary; return the height taken."""
    y = panel(svg, w, "Release") + 12
    for name, value in release_rows(shown):
        y = _pair(svg, name, value, w, y, warns=name == "One value only" and shown.results.single > 0)
    piece = Svg(svg.sheet)
    at = panel(piece, w, "Adversary", right="level") + 12
    rows = adversary_rows(shown)
    at = _levels(piece, shown.case.level, w, at - 6)
    for line in wrap(level_words(shown.case.level), w, 11, most=2):
        piece.text(0, at, line, size=11)
        at += 16
    at += 6
    for name, value in rows[1:]:
        at = _pair(piece, name, value, w, at)
    svg.put(piece, 0, y + 4)
    return y + 4 + at


def _levels(svg: Svg, level: str, w: float, y: float) -> float:
    """Draw the four levels, the chosen one marked."""
    each = w / 4
    for k, name in enumerate(("I", "II", "III", "IV")):
        chosen = name == level
        style: dict[str, Style] = (
            {"fill": "sel", "stroke": "brand"} if chosen else {"fill": "bg", "stroke": "line2"}
        )
        svg.rect(k * each + 0.5, y + 0.5, each - 1, 23, 2, **style)
        svg.text(k * each + each / 2, y + 16, name, anchor="middle", weight=600 if chosen else 400)
    return y + 42


def _pair(svg: Svg, name: str, value: str, w: float, y: float, warns: bool = False) -> float:
    svg.text(0, y, name, fill="ink2")
    if width(name) + width(value, 12, True) + 20 > w:
        y += 17
    text = fit(value, w, 12, True)
    svg.text(w, y, text, anchor="end", weight=600)
    if warns:
        mark(svg, "over", w - width(text, 12, True) - 10, y - 4, 4)
    return y + 21


def fact_rows(shown: ShownAnonymity) -> list[tuple[str, str, str, bool]]:
    """Return what holds at the chosen ε: name, number, note, and whether the note is a warning."""
    results = shown.results
    rows = [
        (name, slack_text(value, up=True) if math.isfinite(value) else "–", note, False)
        for name, value, note in shown.bound_words
    ]
    if results.recipe is not None and results.recipe.delta1 is not None:
        found = results.recipe.slack
        note = f"{'vacuous, ' * (found.state == 'vacuous')}at ε = {budget_text(found.epsilon)}"
        name = f"Recipe, δ₁ {slack_text(results.recipe.delta1)}"
        rows.append((name, slack_text(found.delta, up=True), note, False))
    for one in results.printed if shown.inputs.printed else ():
        value = None if one.delta is None else float(one.delta)
        rows.append((one.label.partition(",")[0], shown.slack(value), *_verdict(one)))
    if results.nothing_known is not None:
        rows.append(
            (
                "Nothing known",
                slack_text(float(results.nothing_known)),
                f"exact, {count(_others(shown), 'other')}",
                False,
            )
        )
    return rows


def _others(shown: ShownAnonymity) -> int:
    """Return how many records other than the target's group there are."""
    return int(shown.results.analysis.hidden_at(0.0).others)


def _verdict(one: object) -> tuple[str, bool]:
    """Say what becomes of a printed number, and whether that warns."""
    status: str = one.status  # type: ignore[attr-defined]
    holds: bool | None = one.holds  # type: ignore[attr-defined]
    if status in ("undefined", "negative"):
        return f"printed, {status}", status == "negative"
    if holds is False:
        return "printed, violated", True
    if status == "vacuous":
        return "printed, vacuous", False
    return ("printed, holds here" if holds else "printed"), False


def facts_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Write what holds at the chosen ε; return the height taken."""
    svg.line(0, 0.5, w, 0.5, stroke="line2")
    y = 3.0
    for line in wrap(shown.heading, w - 4, 13.5, most=2):
        y += 17
        svg.text(0, y, line, size=13, weight=600)
    y += 34
    value = shown.value_at
    text = "–" if value is None else slack_text(value)
    svg.spans(0, y, [(text, {"size": 26, "weight": 600}), (" δ", {"fill": "ink2"})])
    right = max(104.0, width(text, 26, True) + 28)
    if value is not None:
        mark(svg, "exact", right, y - 18, 4)
    svg.text(right + 10, y - 14, "exact, any event" if value is not None else "not computed", size=11)
    epsilon = shown.results.epsilon
    factor = "a finite factor" if math.isinf(epsilon) else f"a factor {factor_text(epsilon)}"
    odds = f"odds within {factor}"
    if width(odds, 11) > w - right - 10:
        odds = f"within {factor}"
    svg.text(right + 10, y + 2, fit(odds, w - right - 10, 11), fill="ink2", size=11)
    y += 26
    for name, number, note, warns in fact_rows(shown):
        svg.text(0, y, fit(name, 104), fill="ink2")
        svg.text(146, y, number, anchor="end")
        if note:
            svg.text(156, y, fit(note, w - 156), fill="over" if warns else "ink2")
        y += 20
    if value is None and shown.exact.why:
        for line in wrap(f"Exact: {shown.exact.why}", w, 11, most=3):
            svg.text(0, y, line, size=11, fill="ink2")
            y += 15
    return y - 8


def audit_strip(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Draw what k-anonymity says, what is true, what was printed and what is proved; return the height."""
    svg.rect(0, 0, w, _STRIP, fill="tint")
    svg.path(f"M0 .5H{w:g}M0 {_STRIP - 0.5:g}H{w:g}", stroke="line2")
    x = 12.0
    for kind, name, number, tone, note, warns in audit_cells(shown):
        mark(svg, kind, x + 5, 17, 4)
        svg.text(x + 15, 21, name, fill="ink2")
        svg.text(x, 47, number, size=18, weight=600, fill=tone)
        text = fit(note, 200)
        if warns:
            mark(svg, "over", x + 5, 64, 4)
        svg.text(x + (14 if warns else 0), 68, text, fill="ink2")
        x += max(width(text) + (14 if warns else 0), width(name) + 16, width(number, 18, True)) + 22
    if w - x > 130:
        _line(svg, shown, x + 6, w - 16)
    return _STRIP


def audit_cells(shown: ShownAnonymity) -> list[tuple[Mark, str, str, str, str, bool]]:
    """Return the cells of the audit strip: mark, name, number, colour, note, and whether the note warns."""
    results = shown.results
    others = count(results.unknown, "unknown other")
    cells: list[tuple[Mark, str, str, str, str, bool]] = [
        ("promise", "k-anonymity", f"{results.achieved:,}", "ink", "no statement about δ", False),
        (
            "exact",
            "Exact slack",
            shown.slack(shown.value_at),
            "ink",
            f"ε = {budget_text(results.epsilon)}, {others}",
            False,
        ),
    ]
    paper = shown.paper
    if paper is not None:
        start = shown.violated_from
        note = f"violated from ε = {budget_text(start)}" if start is not None else paper.status
        if start is None and paper.status == "ok":
            note = "not compared" if shown.exact.why else "holds on this axis"
        value = None if paper.at is None else float(paper.at)
        cells.append(
            ("paper", f"{shown.theorem} as printed", shown.slack(value), "paper", note, start is not None)
        )
    if shown.bounds:
        first, *rest = shown.bounds
        note = "vacuous" if first.status == "vacuous" else "proved"
        if rest:
            note = f"{events_label(rest[0].events)} only: {slack_text(float(rest[0].at), up=True)}"
        name = f"Bound, {events_label(first.events)}"
        cells.append(("bound", name, slack_text(float(first.at), up=True), "ink", note, False))
    return cells


def _line(svg: Svg, shown: ShownAnonymity, left: float, right: float) -> None:
    """Draw all slacks on one logarithmic axis that ends at 1."""
    values: list[tuple[Mark, float, str]] = [
        ("bound", float(one.at), "bounds" if len(shown.bounds) > 1 else "bound") for one in shown.bounds
    ]
    if shown.paper is not None and shown.paper.at is not None:
        values.append(("paper", float(shown.paper.at), "printed"))
    if shown.value_at is not None:
        values.append(("exact", shown.value_at, "exact"))
    values = [one for one in values if math.isfinite(one[1]) and 0 < one[1] <= 1]
    if not values:
        return
    powers = max(1, min(300, 1 - math.floor(math.log10(min(one[1] for one in values)))))
    every = max(1, math.ceil(powers / max(1, int((right - left) / 60))))
    y = 48.0

    def place(value: float) -> float:
        return right + (right - left) * max(-1.0, math.log10(value) / powers)

    svg.line(left, y, right, y, stroke="line2", stroke_width=1.5)
    for power in range(0, powers + 1, every):
        x = place(10.0**-power)
        svg.line(x, y, x, y + 5, stroke="line2")
        text = "δ = 1" if power == 0 else slack_short(power)
        anchor = "end" if power == 0 else "middle"
        svg.text(x, y + 19, text, size=11, fill="ink2", anchor=anchor)
    for kind, value, _ in values:
        mark(svg, kind, place(value), y, 4.5)
    taken: list[tuple[float, float]] = []
    for kind, value, word in reversed(values):
        wide = width(word, 12, kind == "exact")
        x = place(value)
        for low in (x - wide / 2, x - wide + 4, x - 4):
            low = min(max(low, left - 4), right + 14 - wide)
            if all(low + wide + 6 < a or low > b + 6 for a, b in taken):
                taken.append((low, low + wide))
                fill: str = {"paper": "paper", "bound": "promise"}.get(kind, "ink")
                svg.text(low, y - 12, word, weight=600 if kind == "exact" else 400, fill=fill)
                break
        if word == "bounds" and any(other == "bounds" for _, _, other in values):
            values = [one for one in values if one[2] != "bounds"]


def slack_short(power: int) -> str:
    """Return a power of ten below 1 as an axis writes it.

    Examples
    --------
    >>> slack_short(2), slack_short(5)
    ('0.01', '1e−5')
    """
    return f"{10.0**-power:.{power}f}" if power <= 3 else f"1e−{power}"
