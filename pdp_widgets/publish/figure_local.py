"""Figures of local privacy for papers: the heat map of all pairs, and one pair in full."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.comparison_plane import ComparisonPlane
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import UtilityComparison, UtilityPoint
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, shorten, wrap
from pdp_widgets.publish.line_chart import Chart, Line
from pdp_widgets.publish.local_curve_picture import curve_panel
from pdp_widgets.publish.local_heat_picture import heat_cells, heat_key, heat_least, named_heads
from pdp_widgets.publish.local_pair_picture import rows_panel
from pdp_widgets.publish.local_panels import mechanism_words
from pdp_widgets.publish.local_snapshot import largest_pair, local_case
from pdp_widgets.publish.local_wording import LocalCase, budget, leaks_heading, told
from pdp_widgets.publish.scatter_chart import Dots, NamedPoint, ScatterChart
from pdp_widgets.publish.svg import Svg

__all__ = [
    "about",
    "chosen_case",
    "conditions",
    "curve_chart",
    "curve_panel",
    "matrix",
    "matrix_least",
    "plane_chart",
    "rows_panel",
    "utility_charts",
]

#: More different mechanisms than this are counted, not listed.
_MECHANISMS = 3


def chosen_case(
    analysis: LocalAnalysis, source: tuple[str | int, ...], secret: str | int | None
) -> LocalCase | None:
    """Return the pair that is drawn: the one asked for, or the one that leaks most; None without any.

    Parameters
    ----------
    analysis
        The results.
    source
        One attribute by name or position, or none.
    secret
        Likewise, or None.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> chosen_case(LocalAnalysis(titanic(), "GRR", 1.0), (), None).source
    'class'
    """
    if secret is None and not source:
        pair = largest_pair(analysis)
    elif secret is None or len(source) != 1:
        raise DomainError(
            "A pair is one source and one secret; give both, or none.", Where("parameter", name="source")
        )
    else:
        pair = analysis.pair_positions(source[0], secret)
    return None if pair is None else local_case(analysis, None, pair)


def conditions(analysis: LocalAnalysis) -> list[str]:
    """Say what the numbers of an analysis hold for: mechanism and budget, what is seen, what is left out.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> conditions(LocalAnalysis(titanic(), "OUE", 1.0, output="inferred"))
    ['OUE, ε = 1.00', 'guesses from reports, a lower bound for raw reports']
    >>> conditions(LocalAnalysis(titanic(), ["GRR", "OUE", "GRR", "GRR"], 1.0, min_count=30))
    ['GRR, ε = 1.00 (class, age, survived)', 'OUE, ε = 1.00 (sex)', 'raw reports, exact', \
'secret values with fewer than 30 records left out']
    """
    released: dict[str, list[str]] = {}
    for name, one in zip(analysis.names, analysis.mechanisms, strict=True):
        released.setdefault(f"{mechanism_words(one)}, ε = {budget(one.epsilon)}", []).append(shorten(name))
    if len(released) == 1:
        found = list(released)
    elif len(released) <= _MECHANISMS:
        found = [f"{words} ({', '.join(names)})" for words, names in released.items()]
    else:
        found = [f"{len(released)} mechanisms or budgets"]
    raw = analysis.output == "raw"
    found.append("raw reports, exact" if raw else "guesses from reports, a lower bound for raw reports")
    if analysis.min_count:
        found.append(f"secret values with fewer than {analysis.min_count:g} records left out")
    return found


def about(analysis: LocalAnalysis) -> str:
    """Say what the numbers of an analysis hold for, in one sentence."""
    return f"Leakage in nats: {'; '.join(conditions(analysis))}."


def matrix_least(analysis: LocalAnalysis) -> float:
    """Return the room that the heat map needs, px."""
    return heat_least(analysis)


def matrix(svg: Svg, analysis: LocalAnalysis, case: LocalCase | None, w: float) -> float:
    """Draw the heat map with its key; return the height taken."""
    what, _ = leaks_heading(analysis.output)
    y = panel(svg, w, fit(what, w, 13, True))
    for line in wrap(f"In nats. {'; '.join(conditions(analysis))}", w, 11, most=4):
        svg.text(0, y + 2, line, fill="ink2", size=11)
        y += 14
    y += 8
    pair = None if case is None else analysis.pair_positions(case.source, case.secret)
    y = heat_cells(svg, analysis, pair, w, y, named_heads(analysis, w))
    return heat_key(svg, analysis, pair, w, y + 14)


def curve_chart(curve: LeakageCurve) -> Chart:
    """Return the leakage of one pair at every finite budget, with its limit where that bounds anything.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> chart = curve_chart(LocalAnalysis(titanic(), "GRR", 1.0).curve("class", "survived"))
    >>> chart.title, chart.lines[0].name
    ('What the report of class leaks about survived', 'GRR, raw reports, exact')
    """
    levels, first = np.unique(curve.epsilons, return_index=True)
    values = curve.values[first]
    shown = np.isfinite(levels) & np.isfinite(values)
    if not shown.any():
        raise DomainError(
            "The curve has no point with a finite budget and leakage; give finite budgets.",
            Where("parameter", name="epsilons"),
        )
    levels, values = levels[shown], values[shown]
    secret, source = map(told, curve.pair.names)
    raw = curve.output == "raw"
    seen = "raw reports, exact" if raw else "guesses, a lower bound for raw reports"
    limit = curve.saturation
    near = math.isfinite(limit) and limit < 1.5 * max(float(values.max()), 1e-12)
    return Chart(
        f"What the {'report' if raw else 'guess'} of {source} leaks about {secret}",
        [Line(f"{mechanism_words(curve.mechanism)}, {seen}", levels, values)],
        "budget ε, nats",
        "leakage, nats",
        ("limit at a large budget", limit) if near else None,
    )


def plane_chart(plane: ComparisonPlane) -> ScatterChart:
    """Return the ways to state leakages by how far they are too low and too high.

    Examples
    --------
    >>> from pdp_widgets import comparison_plane, titanic
    >>> plane_chart(comparison_plane(titanic(), 1.0)).title
    'Stated against exact leakages, ε = 1.00'
    """
    return ScatterChart(
        f"Stated against exact leakages, ε = {budget(plane.epsilon)}",
        [Dots("", [NamedPoint(point.name, point.under, point.over) for point in plane.points])],
        "too low, share of ε",
        "too high, share of ε",
        "Mean over all ordered pairs; at 0, 0 stands what is exact. On the horizontal axis: never too high. "
        "On the vertical one: never too low.",
    )


def utility_charts(comparison: UtilityComparison) -> dict[str, ScatterChart]:
    """Return mechanisms by what they leak and by their errors: ``frequency``, ``0-1`` or both.

    Examples
    --------
    >>> from pdp_widgets import compare_utility, titanic
    >>> list(utility_charts(compare_utility(titanic(), 1.0, ["GRR"])))
    ['frequency', '0-1']
    """
    found = {}
    errors: dict[str, tuple[str, Callable[[UtilityPoint], float]]] = {
        "frequency": ("expected NMSE of frequencies", lambda point: point.frequency_nmse),
        "0-1": ("expected 0-1 error of a guess", lambda point: point.error01),
    }
    for name, (up, height) in errors.items():
        groups = [
            Dots(words, [_of(point, height(point)) for point in comparison.points if point.output == output])
            for output, words in (("raw", "raw reports"), ("inferred", "guesses"))
        ]
        if any(math.isfinite(point.x + point.y) for group in groups for point in group.points):
            found[name] = ScatterChart(
                f"Leakage and error, ε = {budget(comparison.epsilon)}",
                groups,
                "total leakage, share of the worst mechanism's",
                up,
                "Leakages and expected errors are exact for this table; guesses leak no more than reports.",
            )
    if not found:
        raise DomainError(
            "No mechanism has a leakage and an error that can be drawn; give others, or a number of records.",
            Where("parameter", name="mechanisms"),
        )
    return found


def _of(point: UtilityPoint, height: float) -> NamedPoint:
    return NamedPoint(point.mechanism.name, point.normalised, height)
