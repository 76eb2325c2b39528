"""The static picture of the local explorer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

import numpy as np

from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.all_reports import AllReports
from pdp_widgets.leakage.local.first_of_equals import first_place
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.reports_curve import ReportsCurve
from pdp_widgets.publish.formatting import bound, count, leakage, probability
from pdp_widgets.publish.labels import fit
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.local_curve_picture import KnownCurve, curve_numbers, curve_panel
from pdp_widgets.publish.local_heat_picture import heat_panel
from pdp_widgets.publish.local_pair_picture import facts_panel, pair_facts, rows_panel
from pdp_widgets.publish.local_panels import (
    audit_strip,
    controls_panel,
    label_numbers,
    mechanism_words,
    table_panel,
)
from pdp_widgets.publish.local_reports_picture import reports_fitting
from pdp_widgets.publish.local_wording import (
    LocalCase,
    audit,
    budget,
    everything,
    heading,
    lead,
    leaks_heading,
    reports,
    told,
)
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import plain

__all__ = ["largest_pair", "local_case", "local_snapshot"]

_LEFT, _MIDDLE, _GAP, _CURVE = 232.0, 192.0, 24.0, 356.0


@dataclass(frozen=True, eq=False)
class _Local:
    """The parts that all panels read."""

    analysis: LocalAnalysis
    totals: AllReports | None
    pair: tuple[int, int] | None
    case: LocalCase
    noun: str
    curve: KnownCurve | None
    reports: ReportsCurve | None

    @property
    def off(self) -> tuple[int, int]:
        """For how many secrets the paper's sum is too low, and too high."""
        if self.totals is None:
            return 0, 0
        return int(self.totals.too_low.sum()), int(self.totals.too_high.sum())


def local_case(analysis: LocalAnalysis, totals: AllReports | None, pair: tuple[int, int] | None) -> LocalCase:
    """Return one pair in words.

    Parameters
    ----------
    analysis
        Leakages of all pairs.
    totals
        All reports together, or None where they are not there.
    pair
        Positions of source and secret; None for a single attribute.
    """
    sizes = analysis.tables.sizes.tolist()
    promise = max(m.promise(k) for m, k in zip(analysis.mechanisms, sizes, strict=True))
    source, secret = ("", "") if pair is None else (analysis.names[pair[0]], analysis.names[pair[1]])
    k = 0 if pair is None else pair[1]
    value, mirror = (
        (0.0, 0.0) if pair is None else (float(analysis.matrix[pair]), float(analysis.matrix[pair[::-1]]))
    )
    exact = None if totals is None or math.isnan(totals.exact[k]) else float(totals.exact[k])
    return LocalCase(
        source,
        secret,
        value,
        mirror,
        analysis.mechanisms[0].epsilon,
        promise,
        analysis.output,
        len(analysis.names),
        exact,
        None if totals is None else float(totals.pairwise_sum[k]),
        None if totals is None else float(totals.bound[k]),
        has_budget=_has_budget(analysis),
        complete=_complete(analysis, totals),
    )


def _reports(
    analysis: LocalAnalysis, pair: tuple[int, int] | None, known: ReportsCurve | None
) -> ReportsCurve | None:
    if pair is None or known is not None or not _has_budget(analysis):
        return known
    return reports_fitting(analysis, pair[1])


def _complete(analysis: LocalAnalysis, totals: AllReports | None) -> int | None:
    """Return how many records all reports together are about, where it is not all records."""
    records = None if totals is None else totals.records
    missing = np.asarray(getattr(analysis.data, "missing", 0)).any()
    return records if missing else None


def _has_budget(analysis: LocalAnalysis) -> bool:
    try:
        analysis.mechanisms[0].with_epsilon(1.0)
    except BudgetError:
        return False
    return True


def largest_pair(analysis: LocalAnalysis) -> tuple[int, int] | None:
    """Return source and secret of the largest leakage, by position; None for a single attribute.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> largest_pair(LocalAnalysis(titanic(), "GRR", 1.0))
    (0, 2)
    """
    return None if len(analysis.names) < 2 else first_place(analysis.matrix)


def local_snapshot(
    analysis: LocalAnalysis,
    totals: AllReports | None = None,
    pair: tuple[str | int, str | int] | None = None,
    *,
    noun: str = "record",
    day: date | None = None,
    curve: KnownCurve | None = None,
    reports: ReportsCurve | None = None,
) -> Snapshot:
    """Return the static picture of an analysis of local reports with one pair chosen.

    Parameters
    ----------
    analysis
        Leakages of all pairs; all attributes are released by one mechanism.
    totals
        All reports together, see `all_reports`; without it the picture says nothing of them.
    pair
        Source and secret, by name or position; without it the pair that leaks most.
    noun
        What one record is called.
    day
        Date of computation; without it today.
    curve
        That of the pair, where it takes long; others are computed.
    reports
        All reports together about the secret by budget; without it computed where that takes a moment.

    Returns
    -------
    Snapshot
        Picture, HTML figure and plain text of the same numbers.

    Raises
    ------
    DomainError
        Source or secret do not exist.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> shot = local_snapshot(LocalAnalysis(titanic(), "GRR", 1.0), pair=("class", "survived"))
    >>> shot.text.splitlines()[0][-39:]
    'Class alone leaks 0.268 about survived.'
    """
    places = largest_pair(analysis) if pair is None else analysis.pair_positions(*pair)
    shown = _Local(
        analysis,
        totals,
        places,
        local_case(analysis, totals, places),
        noun,
        curve,
        _reports(analysis, places, reports),
    )
    first = lead(shown.case)
    text = f"{plain(first)}\n{audit(shown.case, *shown.off)}"
    foot = f"{computed_on(day)} {_shown(shown)}"
    svg = within_limit(lambda detail: _draw(shown, first, foot, detail))
    details = _labels(shown) + _matrix(shown) + _totals(shown) + _rows(shown) + _curve(shown)
    return Snapshot(svg, text, foot, _summary(shown), details)


def _draw(shown: _Local, first: list[tuple[str, str]], foot: str, detail: int) -> str:
    page = Page(detail=detail)
    analysis, case = shown.analysis, shown.case
    page.header("Local privacy", _subtitle(shown))
    page.y = lead_lines(page.svg, first, page.y, WIDTH - 60) + 14
    model, control, heat = (page.piece() for _ in range(3))
    heights = [
        table_panel(model, analysis, shown.noun, _LEFT),
        controls_panel(control, analysis, case, _MIDDLE),
        heat_panel(heat, analysis, shown.totals, shown.pair, WIDTH - _LEFT - _MIDDLE - 2 * _GAP),
    ]
    places = (0.0, _LEFT + _GAP, _LEFT + _MIDDLE + 2 * _GAP)
    _row(page, list(zip((model, control, heat), places, heights, strict=True)), 20)
    if shown.pair is not None:
        fact, rows, curve = (page.piece() for _ in range(3))
        heights = [
            facts_panel(fact, analysis, case, shown.noun, _LEFT),
            rows_panel(rows, analysis, case, WIDTH - _LEFT - _CURVE - 2 * _GAP),
            curve_panel(curve, analysis, case, _CURVE, shown.curve, shown.reports),
        ]
        places = (0.0, _LEFT + _GAP, WIDTH - _CURVE)
        _row(page, list(zip((fact, rows, curve), places, heights, strict=True)), 18)
    strip = page.piece()
    _row(page, [(strip, 0.0, audit_strip(strip, case, *shown.off, WIDTH))], 6)
    page.lines(foot, WIDTH, most=3)
    return page.finish("Local privacy: what leaks")


def _row(page: Page, pieces: list[tuple[Svg, float, float]], gap: float) -> None:
    """Put pieces side by side and go on below the tallest."""
    for piece, x, _ in pieces:
        page.svg.put(piece, x, page.y)
    page.y += max(height for *_, height in pieces) + gap


def _subtitle(shown: _Local) -> str:
    analysis = shown.analysis
    title = str(getattr(analysis.data, "title", ""))
    many = len(analysis.names)
    said = [count(many, "attribute"), "each reported on its own"] if many > 1 else ["one attribute"]
    return ", ".join(filter(None, [title, *said]))


def _shown(shown: _Local) -> str:
    """Say which values the picture shows."""
    analysis = shown.analysis
    said = f"Shown: {mechanism_words(analysis.mechanisms[0])}, ε = {budget(shown.case.epsilon)}"
    seen = "raw report" if analysis.output == "raw" else "the guess of one attack, a lower bound"
    least = (
        f", secret values with fewer than {analysis.min_count:g} records left out"
        if analysis.min_count
        else ""
    )
    complete = shown.case.complete
    whole = (
        ""
        if complete is None
        else f" All reports together: the {count(complete, 'record')} without a missing value."
    )
    return f"{said}, {seen}{least}.{whole}"


def _labels(shown: _Local) -> str:
    tables = shown.analysis.tables
    head = "records" if tables.counted else "probability"
    rows = [
        [fit(name, 160), fit(label, 160), f"{n:,.0f}" if tables.counted else probability(float(n), 4)]
        for name, domain, occurs in zip(
            tables.names, tables.domains, label_numbers(shown.analysis), strict=True
        )
        for label, n in list(zip(domain, occurs.tolist(), strict=True))[:40]
    ]
    return table("Attributes and labels", ["attribute", "label", head], rows[:400])


def _matrix(shown: _Local) -> str:
    analysis = shown.analysis
    if len(analysis.names) < 2:
        return ""
    names = [fit(name, 160) for name in analysis.names]
    rows = [
        [name, *("own" if j == k else leakage(float(v)) for k, v in enumerate(row))]
        for j, (name, row) in enumerate(zip(names, analysis.matrix, strict=True))
    ]
    title, taken = leaks_heading(analysis.output)
    return table(f"{title}, {taken}", [f"{shown.case.thing} of", *names], rows)


def _totals(shown: _Local) -> str:
    totals = shown.totals
    if totals is None:
        return ""
    rows = [
        [
            fit(name, 160),
            leakage(float(own)),
            "not computed" if math.isnan(exact) else leakage(exact),
            leakage(printed),
            bound(high),
        ]
        for name, own, exact, printed, high in zip(
            shown.analysis.names,
            shown.analysis.dpl,
            totals.exact.tolist(),
            totals.pairwise_sum.tolist(),
            totals.bound.tolist(),
            strict=True,
        )
    ]
    return table(
        f"{reports(shown.case)} together{f', {shown.case.among}' if shown.case.among else ''}, nats",
        ["about", "own report", "exact", "paper’s sum, not a bound", "joint bound"],
        rows,
    )


def _rows(shown: _Local) -> str:
    if shown.pair is None:
        return ""
    found = shown.analysis.pair(*shown.pair)
    if found.rows is None or found.pair is None:
        return ""
    symbols = shown.analysis.tables.domains[shown.pair[0]]
    rows = [
        [fit(symbol, 160), probability(p, 4), probability(q, 4), "worst" if symbol in found.symbols else ""]
        for symbol, p, q in zip(symbols, *found.rows, strict=True)
    ]
    head = [fit(shown.case.source, 160), *(f"if {fit(label, 120)}" for label in found.pair), ""]
    return table(f"{told(shown.case.source)} given {told(shown.case.secret)}", head, rows[:200])


def _curve(shown: _Local) -> str:
    if shown.pair is None or not shown.case.has_budget:
        return ""
    rows = [
        ["∞" if math.isinf(e) else f"{e:g}", leakage(v), leakage(u)]
        for e, v, u in curve_numbers(shown.analysis, *shown.pair, shown.curve)
    ]
    if not rows:
        return ""
    case = shown.case
    first, second = told(case.source), told(case.secret)
    head = ["ε", f"{first} about {second}", f"{second} about {first}"]
    found = table("Leakage by budget, nats", head, rows)
    if shown.reports is None:
        return found
    kind = "exact" if shown.reports.exact else "joint bound"
    levels, values = shown.reports.epsilons.tolist(), shown.reports.values.tolist()
    write = leakage if shown.reports.exact else bound
    listed = [[f"{e:.4g}", write(v)] for e, v in list(zip(levels, values, strict=True))[::3]]
    return found + table(f"{reports(case)} together about {second}, nats", ["ε", kind], listed)


def _summary(shown: _Local) -> str:
    """Return the main numbers as an HTML table."""
    case = shown.case
    rows = [["Promise, own report", leakage(case.promise), f"ε = {budget(case.epsilon)}"]]
    if case.pairwise_sum is not None and case.joint_bound is not None:
        about = f"about {fit(case.secret, 160)}" if case.secret else ""
        about += f", among {case.among}" if case.among else ""
        exact = "not computed" if case.exact is None else leakage(case.exact, case.pairwise_sum)
        low, high = shown.off
        rows += [
            [f"Exact, {everything(case)}", exact, about],
            [
                "Paper’s pairwise sum",
                leakage(case.pairwise_sum, case.exact),
                f"Eq. 6, not a bound; too low for {low}, too high for {high}",
            ],
            ["Joint bound", bound(case.joint_bound), "never too low"],
        ]
    if shown.pair is not None:
        kind = "exact, raw report" if case.output == "raw" else "a lower bound: one attack"
        rows.append([heading(case), leakage(case.value, case.promise), kind])
        rows.append(["The other way round", leakage(case.mirror), ""])
        rows += [list(row) for row in pair_facts(shown.analysis, case.source, case.secret, shown.noun)]
    return table("Leakage of local reports, nats", ["what", "number", "where"], rows)
