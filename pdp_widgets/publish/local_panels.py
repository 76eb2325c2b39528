"""Panels of the local picture: attributes with their shares, the release as text, the audit strip."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.publish.formatting import bound, leakage, probability
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, width, wrap
from pdp_widgets.publish.local_wording import LocalCase, budget, everything, exceeds, told, told_apart
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.numline_picture import numline
from pdp_widgets.publish.svg import Svg, strokes
from pdp_widgets.publish.wording import plural

__all__ = ["audit_strip", "controls_panel", "kept_true", "label_numbers", "mechanism_words", "table_panel"]

_STRIP = 82.0
#: More attributes than this are named without their labels, more than the second number are counted.
_WITH_LABELS, _NAMED = 6, 20


def label_numbers(analysis: LocalAnalysis) -> list[NDArray[np.float64]]:
    """Return how often each label of each attribute occurs: records, or probabilities.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> label_numbers(LocalAnalysis(titanic(), "GRR", 1.0))[1].tolist()
    [1731.0, 470.0]
    """
    tables = analysis.tables
    return [np.diagonal(tables.table(a, a)).astype(np.float64) for a in range(tables.n)]


def table_panel(svg: Svg, analysis: LocalAnalysis, noun: str, w: float) -> float:
    """Draw the released attributes with the shares of their labels; return the height taken."""
    tables = analysis.tables
    y = panel(svg, w, "Table", right=f"share of {plural(noun)}") + 4
    numbers = label_numbers(analysis)
    full = tables.n <= _WITH_LABELS
    bars: dict[float, list[tuple[float, float, float]]] = {}
    for name, domain, occurs in list(zip(tables.names, tables.domains, numbers, strict=True))[:_NAMED]:
        total = float(occurs.sum())
        if full:
            svg.text(0, y + 8, fit(name, w, 12, True), weight=600)
            _bar(bars, occurs, total, 0, y + 18, w)
            said = ", ".join(
                f"{clean(label)} {_amount(float(n), tables.counted)}"
                for label, n in zip(domain, occurs, strict=True)
            )
            lines = wrap(said, w, 11, most=2)
            for k, line in enumerate(lines):
                svg.text(0, y + 36 + 14 * k, line, fill="ink2", size=11)
            y += 44 + 14 * len(lines)
        else:
            svg.text(0, y + 8, fit(name, w * 0.5 - 6))
            _bar(bars, occurs, total, w * 0.5, y + 4, w * 0.5)
            y += 20
    for opacity, runs in bars.items():
        data = strokes([(x, at) for x, at, _ in runs], "h", [wide for *_, wide in runs])
        svg.path(data, stroke="ink2", stroke_width=8, stroke_opacity=opacity)
    if tables.n > _NAMED:
        svg.text(0, y + 8, f"and {tables.n - _NAMED} more", fill="ink2")
        y += 20
    y += 10
    for name, value in (
        ("Ignore rows with fewer than", f"{analysis.min_count:g}"),
        ("Missing values", _missing(analysis)),
    ):
        svg.text(0, y, name, fill="ink2")
        svg.text(w, y, fit(value, w - width(name) - 8), anchor="end")
        y += 20
    return y


def _amount(number: float, counted: bool) -> str:
    return f"{number:,.0f}" if counted else probability(number)


def _missing(analysis: LocalAnalysis) -> str:
    missing = getattr(analysis.data, "missing", None)
    total = 0 if missing is None else int(np.asarray(missing).sum())
    return f"{total:,}, left out" if total else "none"


def _bar(
    bars: dict[float, list[tuple[float, float, float]]],
    occurs: NDArray[np.float64],
    total: float,
    x: float,
    y: float,
    w: float,
) -> None:
    """Note the shares of the labels, one after the other, darker each time."""
    if total <= 0:
        return
    at, many = x, len(occurs)
    for k, number in enumerate(occurs.tolist()):
        wide = w * number / total
        if wide >= 0.5:
            opacity = round(0.3 + 0.65 * k / max(1, many - 1), 1)
            # Whole pixels take fewer digits.
            start, end = round(at), round(at + wide)
            bars.setdefault(opacity, []).append((start, y, max(0.5, end - start - 1.5)))
        at += wide


def mechanism_words(mechanism: LocalMechanism) -> str:
    """Return a mechanism in words, with the parameters that are set.

    Examples
    --------
    >>> from pdp_widgets import RAPPOR, SS
    >>> mechanism_words(SS(1.0, omega=2)), mechanism_words(RAPPOR(0.5, 0.5, 0.75))
    ('SS, omega 2', 'RAPPOR, f 0.5, p 0.5, q 0.75')
    """
    parts = [{"generic": "Any mechanism"}.get(mechanism.name, mechanism.name)]
    for name in ("f", "p", "q", "g", "omega", "delta"):
        value = getattr(mechanism, name, None)
        if value:
            parts.append(f"{name} {value:g}")
    return ", ".join(parts)


def kept_true(analysis: LocalAnalysis) -> NDArray[np.float64] | None:
    """Return how probable it is that a guess is right, for each attribute; None where no guess is defined."""
    try:
        return np.array(
            [
                m.inferred(k).keep
                for m, k in zip(analysis.mechanisms, analysis.tables.sizes.tolist(), strict=True)
            ]
        )
    except BudgetError:
        return None


def controls_panel(svg: Svg, analysis: LocalAnalysis, case: LocalCase, w: float) -> float:
    """Write mechanism, budget, what is seen and wanted; return the height taken."""
    y = panel(svg, w, "Release") + 12
    seen = "raw report" if analysis.output == "raw" else "guess, a lower bound"
    for name, shown in (
        ("Mechanism", mechanism_words(analysis.mechanisms[0])),
        ("Budget ε per report", budget(case.epsilon)),
        ("Adversary sees", seen),
    ):
        room = w - width(name) - 8
        lines = wrap(shown, max(room, 80), 12, most=3)
        svg.text(0, y, name, fill="ink2")
        for k, line in enumerate(lines):
            svg.text(w, y + 16 * k, line, anchor="end", weight=600)
        y += 21 + 16 * (len(lines) - 1)
    mark(svg, "promise", 4, y - 4, 4)
    svg.text(13, y, "Promise", fill="ink2")
    svg.spans(w, y, [(leakage(case.promise), {"weight": 600}), (" nats", {})], anchor="end")
    y += 21
    kept = kept_true(analysis)
    if kept is not None:
        low, high = float(kept.min()), float(kept.max())
        name = "Guess is true" if analysis.mechanisms[0].name not in ("GRR", "EXP") else "Kept true"
        text = probability(low) if high - low < 5e-4 else f"{probability(low)} to {probability(high)}"
        svg.text(0, y, name, fill="ink2")
        svg.text(w, y, text, anchor="end")
        y += 21
    if not case.source:
        return y
    piece = Svg(svg.sheet)
    at = panel(piece, w, "Adversary") + 12
    for word, who in (("sees", case.source), ("wants", case.secret)):
        piece.text(0, at, word, fill="ink2")
        piece.text(w, at, fit(who, w - 50, 12, True), anchor="end", weight=600)
        at += 21
    svg.put(piece, 0, y + 2)
    return y + 2 + at


def audit_strip(svg: Svg, case: LocalCase, too_low: int, too_high: int, w: float) -> float:
    """Draw what is promised, what is true, what was printed, and what always holds; return the height."""
    svg.rect(0, 0, w, _STRIP, fill="tint")
    svg.path(f"M0 .5H{w:g}M0 {_STRIP - 0.5:g}H{w:g}", stroke="line2")
    cells: list[tuple[Mark, str, str, str, str, float]] = [
        ("promise", "Promise, own report", leakage(case.promise), "ink", "nats", 130),
    ]
    if case.pairwise_sum is not None and case.joint_bound is not None:
        exact, printed = case.exact, case.pairwise_sum
        over = exact is not None and exceeds(exact, case.promise)
        about = f"about {told(case.secret, 24)}" if case.secret else ""
        about += f", among {case.among}" if case.among else ""
        shown = "not computed" if exact is None else leakage(exact, printed)
        cells.append(("exact", f"Exact, {everything(case)}", shown, "over" if over else "ink", about, 190))
        note = "Eq. 6, not a bound" if exact is None else _off(exact, printed, too_low, too_high)
        cells.append(("paper", "Paper’s pairwise sum", leakage(printed, exact), "paper", note, 300))
        cells.append(("bound", "Joint bound", bound(case.joint_bound), "ink", "never too low", 100))
    x = 12.0
    for drawn, name, number, tone, note, room in cells:
        mark(svg, drawn, x + 5, 17, 4)
        svg.text(x + 15, 21, name, fill="ink2")
        svg.text(x, 47, number, size=20 if len(number) < 10 else 14, weight=600, fill=tone)
        svg.text(x, 68, fit(note, room), fill="ink2")
        x += min(room, max(width(note), width(name) + 16, width(number, 20, True))) + 24
    values = [case.promise, case.exact, case.joint_bound]
    if all(value is not None and math.isfinite(value) for value in values) and w - x > 140:
        assert case.exact is not None
        assert case.joint_bound is not None
        numline(
            svg,
            x + 8,
            48,
            w - x - 30,
            promise=case.promise,
            exact=case.exact,
            bound=case.joint_bound,
            paper=case.pairwise_sum,
            words=True,
        )
    return _STRIP


def _off(exact: float, printed: float, too_low: int, too_high: int) -> str:
    others = [f"{n} too {side}" for n, side in ((too_low, "low"), (too_high, "high")) if n]
    return f"{told_apart(exact, printed)}; in all {', '.join(others)}" if others else "equal for all"
