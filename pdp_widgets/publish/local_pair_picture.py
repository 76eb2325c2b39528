"""The panels of one pair: its facts, and the two rows that are told apart."""

from __future__ import annotations

import math

import numpy as np

from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import Reading, best_of
from pdp_widgets.leakage.local.pair_leakage import PairLeakage
from pdp_widgets.leakage.local.worst_report import worst_report_chances
from pdp_widgets.mechanisms.local.local_hashing import LocalHashing
from pdp_widgets.mechanisms.local.unary_encoding import UnaryEncoding
from pdp_widgets.publish.formatting import bound, leakage, probability, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, isolate, shorten, width, wrap
from pdp_widgets.publish.local_wording import LocalCase, heading, told
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import plural

__all__ = [
    "facts_panel",
    "pair_facts",
    "rows_panel",
    "worst_sentence",
]

#: More symbols than this are shown by those that differ most.
_SHOWN = 9


def _label(value: object, most: int = 24) -> str:
    return isolate(shorten(value, most)) or "(empty)"


def _told(value: object) -> str:
    return told(value, 24, "(empty)")


def _conditions(found: PairLeakage, *, both: bool = False) -> tuple[str, str]:
    """Return what the secret is in both cases: labels that are words speak for themselves, numbers do not."""
    assert found.pair is not None
    first, second = (_told(label) for label in found.pair)
    if any(sign.isalpha() for sign in first + second):
        return first, second
    secret = told(found.leakage.about.target, 24)
    return f"{secret} is {first}", f"{secret if both else 'it'} is {second}"


def _symbols(found: PairLeakage, most: int = 4) -> str:
    names = [_label(symbol) for symbol in found.symbols]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def pair_facts(analysis: LocalAnalysis, source: str, secret: str, noun: str) -> list[tuple[str, str, str]]:
    """Return what is said of one pair: name, number, and a note.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> pair_facts(LocalAnalysis(titanic(), "GRR", 1.0), "class", "survived", "person")[2]
    ('Any ε-LDP', '0.287', 'bound')
    """
    found = analysis.pair(source, secret)
    rows: list[tuple[str, str, str]] = []
    worst = "Worst report" if analysis.output == "raw" else "Worst guess"
    if found.pair is None:
        rows.append((worst, "none", "nothing leaks"))
    else:
        rows.append((worst, fit(_symbols(found), 120), ""))
        first, second = (_told(label) for label in found.pair)
        rows.append(("Told apart", first, f"from {second}"))
    j, k = analysis.tables.position(source), analysis.tables.position(secret)
    given = analysis.tables.pair(j, k, analysis.min_count).given
    epsilon = analysis.mechanisms[j].epsilon
    generic = float(best_of(given, [Reading("all", epsilon)]).value[0])
    rows.append(("Any ε-LDP", bound(generic), "bound"))
    limit = found.saturation
    if limit is not None:
        rows.append(
            ("Limit, large ε", leakage(limit), "saturates" if math.isfinite(limit) else "no saturation")
        )
    if found.supports is not None and found.pair is not None:
        many, few = found.supports
        name = plural(noun)[:1].upper() + plural(noun)[1:]
        rows.append((name, f"{many:,}", f"with {_label(found.pair[0])}"))
        rows.append(("", f"{few:,}", f"with {_label(found.pair[1])}"))
    if found.left_out:
        rows.append(("Left out", f"{len(found.left_out)}", "values of the secret, too rare"))
    if found.delta_tight is not None and found.delta_paper:
        rows.append(
            ("δ of the secret", probability(found.delta_tight, 6), f"printed {found.delta_paper:.3g}")
        )
    return rows


def facts_panel(svg: Svg, analysis: LocalAnalysis, case: LocalCase, noun: str, w: float) -> float:
    """Write what is said of the chosen pair; return the height taken."""
    svg.line(0, 0.5, w, 0.5, stroke="line2")
    y = 3.0
    for line in wrap(heading(case), w - 4, 13.5, most=3):
        y += 17
        svg.text(0, y, line, size=13, weight=600)
    y += 36
    shown = leakage(case.value, case.promise)
    svg.spans(0, y, [(shown, {"size": 26, "weight": 600}), (" nats", {"fill": "ink2"})])
    right = max(112.0, width(shown, 26, True) + 46)
    raw = case.output == "raw"
    if raw:
        mark(svg, "exact", right, y - 18, 4)
    svg.text(
        right + 10,
        y - 14,
        fit("exact, raw report" if raw else "lower bound", w - right - 10),
    )
    svg.text(right + 10, y + 2, fit(f"mirror {leakage(case.mirror)}", w - right - 10), fill="ink2")
    y += 28
    for name, value, note in pair_facts(analysis, case.source, case.secret, noun):
        svg.text(0, y, name, fill="ink2")
        end = max(132.0, width(name) + 8 + width(value))
        svg.text(end, y, value, anchor="end")
        if note and width(note) <= w - end - 8:
            svg.text(end + 8, y, note, fill="ink2")
        elif note:
            # A long note stands below what it belongs to.
            y += 16
            svg.text(max(0.0, min(end - width(value), w - width(note))), y, fit(note, w), fill="ink2")
        y += 20
    return y


def worst_sentence(found: PairLeakage, k: int) -> str:
    """Say how likely the worst report is under the two values that it tells apart.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> worst_sentence(LocalAnalysis(titanic(), "GRR", 1.0).pair("class", "survived"), 4)
    '“1st” is reported with chance 0.261 if yes and 0.199 if no. Their ratio is 1.307 = e^0.268.'

    Labels that are numbers alone do not say whose they are:

    >>> from pdp_widgets import AttributeTable
    >>> ages = AttributeTable([[0, 3], [0, 3], [1, 4], [0, 4]], names=["vote", "age"])
    >>> worst_sentence(LocalAnalysis(ages, "GRR", 1.0).pair("vote", "age"), 2)[:66]
    '“1” is reported with chance 0.500 if age is 4 and 0.269 if it is 3'
    """
    thing = "guess" if found.output == "inferred" else "report"
    if found.pair is None or found.masses is None:
        return f"No {thing} tells values of the secret apart."
    more, less = _conditions(found)
    ratio = math.exp(found.value) if found.value < 700 else math.inf
    chances = worst_report_chances(found, k)
    what = _symbols(found)
    if math.isinf(found.value):
        return f"“{what}” is only possible if {more}, not if {less}: the ratio is infinite."
    named = found.output == "inferred" or len(found.symbols) == 1
    if (
        chances is not None
        and min(chances) >= 1e-4
        and named
        and not isinstance(found.mechanism, LocalHashing)
    ):
        alone = isinstance(found.mechanism, UnaryEncoding) and found.output == "raw"
        verb = "guessed" if found.output == "inferred" else "reported alone" if alone else "reported"
        first, second = (probability(chance) for chance in chances)
        said = f"“{what}” is {verb} with chance {first} if {more} and {second} if {less}."
        return f"{said} Their ratio is {leakage(ratio)} = e^{leakage(found.value)}."
    first, second = (probability(mass) for mass in found.masses)
    return (
        f"The worst {thing} favours “{what}”, "
        f"the truth with chance {first} if {more} and {second} if {less}. "
        f"It is {leakage(ratio)} = e^{leakage(found.value)} times as likely if {more}."
    )


def rows_panel(svg: Svg, analysis: LocalAnalysis, case: LocalCase, w: float) -> float:
    """Draw P(symbol | value) of the two told apart, one row a symbol; return the height taken."""
    found = analysis.pair(case.source, case.secret)
    # Bold, which is wider.
    heading, *below = wrap(f"{told(case.source)}, by {told(case.secret)}", (w - 4) / 1.07, 13, most=2)
    top = panel(svg, w, fit(heading, w - 4, 13, True))
    for line in below:
        svg.text(0, top + 3, fit(line, w - 4, 13, True), weight=600, size=13)
        top += 18
    k = len(analysis.tables.domains[analysis.tables.position(case.source)])
    if found.rows is None or found.pair is None:
        y = top
        for line in wrap(worst_sentence(found, k), w, 12):
            y += 17
            svg.text(0, y, line)
        return y + 8
    symbols = list(analysis.tables.domains[analysis.tables.position(case.source)])
    first, second = (np.array(row) for row in found.rows)
    order = list(range(k))
    if k > _SHOWN:
        gaps = np.abs(first - second)
        for place, symbol in enumerate(symbols):
            gaps[place] += symbol in found.symbols
        order = sorted(np.argsort(-gaps, kind="stable")[:_SHOWN].tolist())
    heads = min(max(110.0, 0.42 * w), max(width(clean(symbols[u]), 12, True) for u in order) + 12)
    end = max(float(first[order].max()), float(second[order].max()))
    end = ticks(0.0, end, 3)[-1] if ticks(0.0, end, 3)[-1] >= end else ticks(0.0, end * 1.35, 3)[-1]
    end = max(end, float(first[order].max()), float(second[order].max()), 1e-12)
    right = w - 74

    def x(p: float) -> float:
        return heads + 26 + (right - heads - 26) * p / end

    _heads(svg, found, w, top + 6)
    y, tall = top + 18, 26.0
    for p in ticks(0.0, end, 3):
        svg.line(x(p), y - 2, x(p), y + len(order) * tall, stroke="line" if p else "line2")
        svg.text(x(p), y + len(order) * tall + 14, tick(p), anchor="middle", fill="ink2", size=11)
    for place, u in enumerate(order):
        worst = symbols[u] in found.symbols
        middle = y + (place + 0.5) * tall
        if worst:
            svg.rect(0, middle - tall / 2 + 1, w, tall - 2, fill="sel")
        svg.text(4, middle + 4, fit(symbols[u], heads - 8, 12, worst), weight=600 if worst else 400)
        svg.line(x(first[u]), middle, x(second[u]), middle, stroke="ink2", stroke_width=2)
        svg.circle(x(second[u]), middle, 4.5, fill="bg", stroke="a", stroke_width=2.5)
        svg.circle(x(first[u]), middle, 5, fill="b")
        low, high = sorted((float(first[u]), float(second[u])))
        svg.text(x(low) - 9, middle + 4, probability(low), anchor="end", size=11)
        svg.text(x(high) + 9, middle + 4, probability(high), size=11)
    if w > 330:
        for place in [p for p, u in enumerate(order) if symbols[u] in found.symbols][:1]:
            svg.text(w - 4, y + (place + 0.5) * tall + 4, "worst", anchor="end", weight=600, size=11)
    y += len(order) * tall + 20
    if k > len(order):
        y += 14
        svg.text(0, y, f"{len(order)} of {k} symbols, those that differ most", fill="ink2", size=11)
    for line in wrap(worst_sentence(found, k), w, 12, most=4):
        y += 17
        svg.text(0, y, line)
    return y + 4


def _heads(svg: Svg, found: PairLeakage, w: float, y: float) -> None:
    assert found.pair is not None
    more, less = (f"if {condition}" for condition in _conditions(found, both=True))
    svg.circle(6, y - 4, 5, fill="b")
    svg.text(16, y, fit(more, w / 2 - 30, 12, True), weight=600)
    svg.circle(w / 2 + 6, y - 4, 4.5, fill="bg", stroke="a", stroke_width=2.5)
    svg.text(w / 2 + 16, y, fit(less, w / 2 - 30, 12, True), weight=600)
