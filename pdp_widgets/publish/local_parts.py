"""What can be drawn of results on local privacy."""

from __future__ import annotations

from pdp_widgets.leakage.local.comparison_plane import ComparisonPlane
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import UtilityComparison
from pdp_widgets.publish import figure_local
from pdp_widgets.publish.figure_layout import Part, charts_part, scatter_part
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.labels import shorten

__all__: list[str] = []


@parts.register
def _(subject: LocalAnalysis, choice: Choice) -> dict[str, Part]:
    case = figure_local.chosen_case(subject, choice.known, choice.target)
    about = figure_local.about(subject)
    found = {
        "matrix": Part(
            lambda svg, w: figure_local.matrix(svg, subject, case, w),
            figure_local.matrix_least(subject),
            "What one report says about another attribute",
            about=about,
        )
    }
    if case is not None:
        title = f"Report of {shorten(case.source)} about {shorten(case.secret)}"
        found["rows"] = Part(
            lambda svg, w: figure_local.rows_panel(svg, subject, case, w), 250.0, title, about=about
        )
        found["curves"] = Part(
            lambda svg, w: figure_local.curve_panel(svg, subject, case, w), 260.0, title, about=about
        )
    return found


@parts.register
def _(subject: LeakageCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_local.curve_chart(subject),))}


@parts.register
def _(subject: ComparisonPlane, choice: Choice) -> dict[str, Part]:
    return {"plane": scatter_part(figure_local.plane_chart(subject))}


@parts.register
def _(subject: UtilityComparison, choice: Choice) -> dict[str, Part]:
    return {name: scatter_part(chart) for name, chart in figure_local.utility_charts(subject).items()}
