"""The static picture of the stream simulator."""

from __future__ import annotations

from datetime import date

from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.publish import line_chart
from pdp_widgets.publish.figure_stream import total_chart
from pdp_widgets.publish.formatting import fixed, leakage
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.stream_edits import edits, stream_title
from pdp_widgets.publish.stream_wording import LaneCase, StreamCase, audit, kept_words, lead
from pdp_widgets.publish.wording import plain

__all__ = ["stream_case", "stream_snapshot"]


def stream_case(run: StreamRun, delta: float = 1e-5) -> StreamCase:
    """Return a run in words.

    Parameters
    ----------
    run
        A run.
    delta
        Of the advanced composition.
    """
    script, steps = run.script, run.steps
    record = run.record(delta=delta)
    promise = script.segment(steps + 1).epsilon
    found = edits(script, steps + 1)
    lanes = []
    for key in run.mechanisms:
        totals = run.totals(key)
        label, short = (STREAM_MENU[key].label, STREAM_MENU[key].short) if key in STREAM_MENU else (key, key)
        lanes.append(
            LaneCase(
                label,
                short,
                totals.largest,
                totals.over,
                totals.first_over,
                totals.leakage,
                totals.error / max(1, totals.steps),
                totals.expected / max(1, totals.steps),
                run.ended(key),
            )
        )
    return StreamCase(
        promise,
        bool((record.promise != promise).any()),
        steps,
        float(record.linear[-1]) if steps else 0.0,
        float(record.advanced[-1]) if steps else 0.0,
        delta,
        "hamming" if script.distance is None else script.distance.name,
        tuple(lanes),
        found[-1] if found else None,
    )


def stream_snapshot(
    run: StreamRun, delta: float = 1e-5, text: str = "", *, day: date | None = None
) -> Snapshot:
    """Return the static picture of a run.

    Parameters
    ----------
    run
        A run.
    delta
        Of the advanced composition.
    text
        What the data are, in words; empty for drawn symbols.
    day
        Date of computation; without it today.

    Returns
    -------
    Snapshot
        Picture, HTML figure and plain text of the same numbers.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> from pdp_widgets.leakage.sequence.stream_script import StreamScript
    >>> script = StreamScript.of(MarkovChain.symmetric(0.9), 0.5, seed=1)
    >>> run = StreamRun(script, {"optimum": STREAM_MENU["optimum"].make}).extended(20)
    >>> stream_snapshot(run).text.splitlines()[0]
    'Each release promises to leak at most 0.500 nats. Optimum kept its promise in every step so far; the \
largest leaked 0.500.'
    """
    case = stream_case(run, delta)
    first = lead(case)
    foot = computed_on(day)
    svg = within_limit(lambda detail: _draw(run, case, first, foot, text, detail))
    return Snapshot(svg, f"{plain(first)}\n{audit(case)}", foot, _summary(case))


def _draw(
    run: StreamRun, case: StreamCase, first: list[tuple[str, str]], foot: str, text: str, detail: int
) -> str:
    page = Page(detail=detail)
    page.header("Streams", ", ".join(filter(None, [text, stream_title(run.script.segments[0].chain)])))
    page.y = lead_lines(page.svg, first, page.y, WIDTH - 60) + 14
    if run.steps:
        piece = page.piece()
        height = line_chart._panel(piece, total_chart(run, case.delta), WIDTH)
        page.svg.put(piece, 0, page.y)
        page.y += height + 10
    page.lines(f"{audit(case)} {foot}", WIDTH, most=6)
    return page.finish("Streams: what has leaked so far")


def _summary(case: StreamCase) -> str:
    rows = [
        [
            lane.label,
            leakage(lane.largest, case.promise),
            kept_words(lane, case.steps),
            leakage(lane.total),
            fixed(lane.error, 3),
            fixed(lane.expected, 3),
        ]
        for lane in case.lanes
    ]
    head = ["mechanism", "largest step", "promise", "sum so far", "mean error", "expected"]
    return table("Leakage of a stream, nats", head, rows)
