"""What can be drawn of results on dependent tuples and of the attack on places."""

from __future__ import annotations

from pdp_widgets.leakage.dependent.accuracy_curve import AccuracyCurve, BudgetCurve
from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.dependent.promise_report import PromiseReport
from pdp_widgets.leakage.dependent.separation import SeparationCurve
from pdp_widgets.leakage.dependent.underestimated import UnderestimationCurve
from pdp_widgets.leakage.inference.attack_curves import AttackCurves
from pdp_widgets.leakage.inference.attack_results import AttackResults
from pdp_widgets.leakage.inference.drawn_attacks import DrawnAttacks
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.publish import (
    attack_curves_picture,
    attack_picture,
    attack_score_picture,
    attack_snapshot,
    dependence_graph_picture,
    dependence_pair_picture,
    dependence_picture,
    dependence_rows_picture,
    figure_dependence,
)
from pdp_widgets.publish.attack_map_picture import RIM
from pdp_widgets.publish.dependence_shown import ShownDependence
from pdp_widgets.publish.figure_layout import Part, charts_part, scatter_part
from pdp_widgets.publish.figure_parts import Choice, parts

__all__: list[str] = []


@parts.register
def _(subject: AccuracyCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_dependence.accuracy_chart(subject),))}


@parts.register
def _(subject: DependenceAnalysis, choice: Choice) -> dict[str, Part]:
    return {
        "tuples": Part(
            lambda svg, w: dependence_picture.dependence_figure(svg, subject, w),
            dependence_picture.LEAST,
            "Promised against exact, for each tuple",
            about=dependence_picture.dependence_about(subject),
        )
    }


@parts.register
def _(subject: ShownDependence, choice: Choice) -> dict[str, Part]:
    about = dependence_picture.dependence_about(subject.solved.analysis)
    return {
        "graph": Part(
            lambda svg, w: dependence_graph_picture.graph_panel(svg, subject, w),
            420.0,
            "What leaks",
            about=about,
        ),
        "rows": Part(
            lambda svg, w: dependence_rows_picture.rows_panel(svg, subject, w),
            dependence_picture.LEAST,
            "Promised against exact, for each tuple",
            about=about,
        ),
        "curves": Part(
            lambda svg, w: dependence_rows_picture.accuracy_panel(svg, subject, w),
            300.0,
            "Accuracy of the mechanisms",
            about=about,
        ),
        "table": Part(
            lambda svg, w: dependence_pair_picture.pair_panel(svg, subject, w), 264.0, "Joint distribution"
        ),
    }


@parts.register
def _(subject: PromiseReport, choice: Choice) -> dict[str, Part]:
    return {"mechanisms": scatter_part(figure_dependence.promise_chart(subject))}


@parts.register
def _(subject: UnderestimationCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_dependence.underestimation_chart(subject),))}


@parts.register
def _(subject: BudgetCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((figure_dependence.budget_chart(subject),))}


@parts.register
def _(subject: SeparationCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part(figure_dependence.separation_charts(subject))}


@parts.register
def _(subject: InferenceAttack, choice: Choice) -> dict[str, Part]:
    return {f"attack_{which}": _attack(subject, which) for which in (2, 1)}


@parts.register
def _(subject: AttackResults, choice: Choice) -> dict[str, Part]:
    told = attack_picture.attack_about(subject.attack)
    found = {
        "maps": Part(
            lambda svg, w: attack_snapshot.maps_panel(svg, subject, w, RIM),
            400.0,
            "Where the victim is, before and after the release",
            544.0,
            about=told,
        ),
        "score": Part(
            lambda svg, w: attack_score_picture.score_panel(svg, subject, w),
            216.0,
            "The score of this victim and this draw",
            320.0,
            216.0,
            about=told,
        ),
    }
    if subject.curves is not None:
        found["leaked"] = Part(
            lambda svg, w: attack_curves_picture.leaked_panel(svg, subject, w),
            330.0,
            "Leaked information by budget",
            about=told,
        )
        found["error"] = Part(
            lambda svg, w: attack_curves_picture.error_panel(svg, subject, w),
            330.0,
            "Inference error by budget",
            about=told,
        )
    return found


@parts.register
def _(subject: DrawnAttacks, choice: Choice) -> dict[str, Part]:
    return {"draws": charts_part(attack_picture.draw_charts(subject))}


@parts.register
def _(subject: AttackCurves, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part(attack_picture.curve_charts(subject))}


def _attack(attack: InferenceAttack, which: int) -> Part:
    return Part(
        lambda svg, w: attack_picture.attack_map(svg, attack, which, w),
        attack_picture.LEAST,
        attack_picture.attack_title(attack, which),
        480.0,
        # Side by side on a page, as wide as each other.
        408.0 if which == 1 else None,
        about=attack_picture.attack_about(attack),
    )
