"""What can be drawn of a k-anonymous table and of a release without noise."""

from __future__ import annotations

from pdp_widgets.publish import (
    anonymity_curves_picture,
    anonymity_removals_picture,
    anonymity_table_picture,
)
from pdp_widgets.publish.anonymity_shown import ShownAnonymity
from pdp_widgets.publish.anonymity_wording import lead
from pdp_widgets.publish.figure_layout import Part
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.wording import plain

__all__: list[str] = []


@parts.register
def _(subject: ShownAnonymity, choice: Choice) -> dict[str, Part]:
    about = plain(lead(subject.case))
    return {
        "curves": Part(
            lambda svg, w: anonymity_curves_picture.curves_panel(svg, subject, w),
            330.0,
            "The slack of a release without noise",
            496.0,
            about=about,
        ),
        "table": Part(
            lambda svg, w: anonymity_table_picture.classes_panel(svg, subject, w),
            264.0,
            "Two classes with their records",
            400.0,
            beside=310.0,
            about=about,
        ),
        "map": Part(
            lambda svg, w: anonymity_table_picture.map_panel(svg, subject, w),
            264.0,
            "All classes",
            400.0,
            about=about,
        ),
        "removals": Part(
            lambda svg, w: anonymity_removals_picture.removals_panel(svg, subject, w),
            300.0,
            "What changes without one record",
            500.0,
            beside=350.0,
            about=about,
        ),
        "known": Part(
            lambda svg, w: anonymity_curves_picture.known_panel(svg, subject, w),
            264.0,
            "The slack by the share known",
            400.0,
            about=about,
        ),
    }
