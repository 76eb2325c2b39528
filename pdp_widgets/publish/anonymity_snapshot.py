"""The static picture of the anonymity explorer."""

from __future__ import annotations

from datetime import date

import numpy as np

from pdp_widgets.leakage.noiseless.anonymity_words import events_label
from pdp_widgets.publish.anonymity_curves_picture import curves_panel, known_panel
from pdp_widgets.publish.anonymity_names import release_label
from pdp_widgets.publish.anonymity_numbers import budget_text, percent, slack_text
from pdp_widgets.publish.anonymity_panels import (
    adversary_rows,
    audit_cells,
    audit_strip,
    fact_rows,
    facts_panel,
    level_words,
    release_panel,
    release_rows,
)
from pdp_widgets.publish.anonymity_removals_picture import change_counts, removals_panel, removals_words
from pdp_widgets.publish.anonymity_shown import ShownAnonymity
from pdp_widgets.publish.anonymity_table_picture import table_panel
from pdp_widgets.publish.anonymity_wording import lead
from pdp_widgets.publish.formatting import count, listed
from pdp_widgets.publish.labels import clean, fit
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import Part, plain, plural

__all__ = ["anonymity_snapshot"]

_LEFT, _MIDDLE, _RIGHT, _GAP = 264.0, 192.0, 300.0, 24.0
#: Bytes: a map, a table and three charts.
_LIMIT = 25_000
#: Rows of a table for screen readers.
_MOST_ROWS = 200
_ROLES = {"k": "scale", "known": "scale", "neighbours": "scale", "epsilon": "scale"}


def anonymity_snapshot(shown: ShownAnonymity, *, day: date | None = None) -> Snapshot:
    """Return the static picture of a k-anonymous table and what is published beside it.

    Parameters
    ----------
    shown
        The numbers.
    day
        Date of computation; without it today.

    Returns
    -------
    Snapshot
        Picture, HTML figure and plain text of the same numbers.
    """
    first = lead(shown.case)
    foot = f"{computed_on(day)} Shown: {_foot(shown)}"
    svg = within_limit(lambda detail: _draw(shown, first, foot, detail), _LIMIT)
    details = (
        _settings(shown) + _classes(shown) + _curves(shown) + _facts(shown) + _removals(shown) + _known(shown)
    )
    return Snapshot(svg, f"{plain(first)}\n{_audit(shown)}", foot, _summary(shown), details)


def _draw(shown: ShownAnonymity, first: list[Part], foot: str, detail: int) -> str:
    page = Page(detail=detail)
    page.header("Anonymity", _title(shown))
    parts = [(text, _ROLES.get(role, role)) for text, role in first]
    page.y = lead_lines(page.svg, parts, page.y, WIDTH - 60) + 14
    left, middle, right = (page.piece() for _ in range(3))
    heights = [
        table_panel(left, shown, _LEFT),
        release_panel(middle, shown, _MIDDLE),
        curves_panel(right, shown, WIDTH - _LEFT - _MIDDLE - 2 * _GAP),
    ]
    places = (0.0, _LEFT + _GAP, _LEFT + _MIDDLE + 2 * _GAP)
    _row(page, list(zip((left, middle, right), places, heights, strict=True)), 20)
    fact, out, curve = (page.piece() for _ in range(3))
    heights = [
        facts_panel(fact, shown, _LEFT),
        removals_panel(out, shown, WIDTH - _LEFT - _RIGHT - 2 * _GAP),
        known_panel(curve, shown, _RIGHT),
    ]
    _row(page, list(zip((fact, out, curve), (0.0, _LEFT + _GAP, WIDTH - _RIGHT), heights, strict=True)), 18)
    strip = page.piece()
    _row(page, [(strip, 0.0, audit_strip(strip, shown, WIDTH))], 6)
    page.lines(foot, WIDTH, most=3)
    return page.finish("k-anonymity: what a table gives away, and what a release without noise leaks")


def _row(page: Page, pieces: list[tuple[Svg, float, float]], gap: float) -> None:
    """Put pieces side by side and go on below the tallest."""
    for piece, x, _ in pieces:
        page.svg.put(piece, x, page.y)
    page.y += max(height for *_, height in pieces) + gap


def _title(shown: ShownAnonymity) -> str:
    data = shown.data
    names = [fit(data.names[place], 120) for place in shown.inputs.quasi]
    hidden = listed(names[:4]) if len(names) <= 4 else f"{len(names)} columns"
    many = f"{data.records:,} {shown.noun if data.records == 1 else plural(shown.noun)}"
    if many in data.title:
        many = ""
    return ", ".join(filter(None, [data.title, many, f"hidden by {hidden}"]))


def _foot(shown: ShownAnonymity) -> str:
    inputs = shown.inputs
    words = [
        f"k = {shown.results.k:,}",
        fit(release_label(inputs.release, shown.secret), 200),
        *(() if inputs.n is None else (f"n = {inputs.n:,}",)),
        f"level {inputs.level}",
        f"ε = {budget_text(shown.results.epsilon)}",
    ]
    if inputs.printed and shown.paper is not None:
        words.append(f"as printed: {shown.paper.label}")
    return f"{', '.join(words)}."


def _audit(shown: ShownAnonymity) -> str:
    """Return the audit strip as sentences."""
    return " ".join(f"{name} {number} ({note})." for _, name, number, _, note, _ in audit_cells(shown))


def _summary(shown: ShownAnonymity) -> str:
    rows = [[name, number, note] for _, name, number, _, note, _ in audit_cells(shown)]
    return table(f"Slack δ at ε = {budget_text(shown.results.epsilon)}", ["what", "number", "where"], rows)


def _settings(shown: ShownAnonymity) -> str:
    rows = [list(row) for row in (*release_rows(shown), *adversary_rows(shown))]
    return table(f"Release and adversary. {level_words(shown.case.level)}", ["what", "value"], rows)


def _classes(shown: ShownAnonymity) -> str:
    results = shown.results
    names = [fit(shown.data.names[place], 120) for place in shown.inputs.quasi]
    head = ["class", "rows", *names, *([fit(shown.secret, 120)] if shown.secret is not None else [])]
    rows = [
        [
            one.letter,
            f"{one.size:,}",
            *(fit(text, 160) for text in one.ranges),
            *([fit(one.shared, 160)] if shown.secret is not None else []),
        ]
        for one in results.classes[:_MOST_ROWS]
    ]
    title = f"The table as published, {count(results.classes_in_all, 'class', 'classes')}"
    if len(rows) < results.classes_in_all:
        title += f"; {len(rows):,} are listed"
    return table(title, head, rows)


def _curves(shown: ShownAnonymity) -> str:
    axis = np.asarray(shown.results.axis, dtype=np.float64)
    at = range(0, len(axis), 5)
    drawn = [one for one in (shown.exact, *shown.bounds, shown.paper) if one is not None and one.why is None]
    if not drawn:
        return ""
    heads = {"exact": "exact, any event", "printed": "as printed"}
    head = ["ε", *(heads.get(one.kind, f"bound, {events_label(one.events)}") for one in drawn)]
    rows = [
        [
            budget_text(float(axis[k])),
            *(shown.slack(float(np.asarray(one.drawn)[k]), up=one.kind == "bound") for one in drawn),
        ]
        for k in at
    ]
    return table("Slack δ by ε", head, rows)


def _facts(shown: ShownAnonymity) -> str:
    rows = [[name, number, note] for name, number, note, _ in fact_rows(shown)]
    rows.insert(0, ["Exact", shown.slack(shown.value_at), shown.exact.why or "any event"])
    return table(clean(shown.heading), ["what", "δ", "note"], rows)


def _removals(shown: ShownAnonymity) -> str:
    if shown.results.removals is None:
        return ""
    rows = [[text, f"{many:,}"] for text, many, _ in change_counts(shown)]
    return table(removals_words(shown), ["largest change in a class", fit(plural(shown.noun), 120)], rows)


def _known(shown: ShownAnonymity) -> str:
    known = shown.results.known
    rows = [
        [percent(float(share)), slack_text(float(delta))]
        for share, delta in zip(known.share, known.delta, strict=True)
        if not np.isnan(delta)
    ]
    if not rows:
        return ""
    title = f"Exact slack δ at ε = {budget_text(shown.results.epsilon)} by the share known"
    return table(title, ["share known", "δ"], rows[:: 2 if len(rows) > 21 else 1])
