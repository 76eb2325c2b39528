"""What can be drawn of results on streams."""

from __future__ import annotations

from dataclasses import replace

from pdp_widgets.leakage.sequence.batch_errors import BatchErrors
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.two_points import TwoPointsCurve
from pdp_widgets.publish import figure_sequence, figure_stream
from pdp_widgets.publish.figure_layout import Part, charts_part
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.stream_lanes_figure import lanes_figure
from pdp_widgets.publish.stream_panels import transition_panel
from pdp_widgets.publish.stream_snapshot import stream_case

__all__: list[str] = []


@parts.register
def _(subject: SequenceAnalysis, choice: Choice) -> dict[str, Part]:
    about = figure_sequence.conditions(subject)
    return {
        name: replace(charts_part((chart,)), about=about)
        for name, chart in figure_sequence.sequence_charts(subject).items()
    }


@parts.register
def _(subject: StreamRun, choice: Choice) -> dict[str, Part]:
    return parts(figure_stream.ShownRun(subject), choice)


@parts.register
def _(subject: figure_stream.ShownRun, choice: Choice) -> dict[str, Part]:
    run, about = subject.run, figure_stream.run_about(subject.run)
    case = stream_case(run, subject.delta, subject.lines)
    chain = run.script.segment(run.steps + 1).chain
    found = {
        "lanes": Part(
            lambda svg, w: lanes_figure(svg, run, case, w),
            figure_stream.LANES_LEAST,
            "What leaks step by step",
            about=about,
        )
    }
    if run.steps:
        chart = figure_stream.total_chart(run, subject.delta, subject.lines)
        found["curves"] = replace(charts_part((chart,)), about=about)
    found["table"] = Part(
        lambda svg, w: transition_panel(svg, chain, w), 232.0, "Transition probabilities", 480.0, 264.0
    )
    return found


@parts.register
def _(subject: BatchErrors, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part(figure_sequence.batch_charts(subject))}


@parts.register
def _(subject: TwoPointsCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part(figure_sequence.two_points_charts(subject))}
