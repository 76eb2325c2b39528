"""The static picture of the stream simulator."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date

import numpy as np

from pdp_widgets.leakage.sequence.lane_steps import NOTHING
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import Segment
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.publish.formatting import bound, count, fixed, leakage, probability
from pdp_widgets.publish.labels import fit
from pdp_widgets.publish.lead_picture import lead_lines
from pdp_widgets.publish.scene import WIDTH, Page, computed_on, within_limit
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.stream_edits import edits, stream_title
from pdp_widgets.publish.stream_lanes_picture import lanes_panel
from pdp_widgets.publish.stream_panels import audit_strip, model_panel, release_panel
from pdp_widgets.publish.stream_sum_picture import sum_panel
from pdp_widgets.publish.stream_window import StreamWindow
from pdp_widgets.publish.stream_wording import (
    LaneCase,
    StreamCase,
    audit,
    delta_words,
    lead,
    status_words,
    void_words,
)
from pdp_widgets.publish.wording import plain

__all__ = ["stream_case", "stream_snapshot"]

_LEFT, _GAP = 232.0, 24.0
#: Chains of more states are too large for a table.
_MOST_TABLE = 20


def stream_case(run: StreamRun, delta: float = 1e-5, lines: Mapping[str, int] | None = None) -> StreamCase:
    """Return a run in words.

    Parameters
    ----------
    run
        A run.
    delta
        Of the advanced composition.
    lines
        Which line each mechanism has; without it in their order.
    """
    script, steps = run.script, run.steps
    now = script.segment(steps + 1)
    record, promises = run.record(max(0, steps - 1), delta=delta), {each.epsilon for each in _begun(run)}
    promise = float(record.promise[-1]) if steps else now.epsilon
    found = edits(script, steps + 1)
    lanes = []
    for place, key in enumerate(run.mechanisms):
        totals = run.totals(key)
        label, short = (STREAM_MENU[key].label, STREAM_MENU[key].short) if key in STREAM_MENU else (key, key)
        lanes.append(
            LaneCase(
                label,
                short,
                float(record.lanes[key].leakage[-1]) if steps else 0.0,
                totals.largest,
                totals.over,
                totals.first_over,
                totals.leakage,
                totals.error / max(1, totals.steps),
                totals.expected / max(1, totals.steps),
                run.ended(key),
                place if lines is None else lines[key],
            )
        )
    return StreamCase(
        now.epsilon,
        promise,
        len(promises) <= 1,
        script.n,
        _stay(now.chain),
        steps,
        float(record.linear[-1]) if steps else 0.0,
        float(record.advanced[-1]) if steps else 0.0,
        delta,
        "hamming" if script.distance is None else str(getattr(script.distance, "name", "given distances")),
        tuple(lanes),
        found[-1] if found else None,
    )


def _begun(run: StreamRun) -> list[Segment]:
    return [each for each in run.script.segments if each.first <= run.steps]


def _stay(chain: MarkovChain) -> float | None:
    """Return the chance to stay, where it is the same for both of two states."""
    if chain.n != 2 or chain.order != 1:
        return None
    first, second = (float(p) for p in np.diag(chain.transitions))
    return first if first == second else None


def stream_snapshot(
    run: StreamRun,
    delta: float = 1e-5,
    text: str = "",
    *,
    note: str = "",
    lines: Mapping[str, int] | None = None,
    day: date | None = None,
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
    note
        What else is to be said of them, in a sentence.
    lines
        Which line each mechanism has; without it in their order.
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
    'Each release promises to leak at most 0.500 nats. The chance to stay in a state is 0.90. In 20 steps \
Optimum kept its promise; the most that leaked in one step is 0.500.'
    """
    shown = StreamWindow(run, stream_case(run, delta, lines))
    first = lead(shown.case)
    foot = f"{computed_on(day)} {_shown(shown)}"
    svg = within_limit(lambda detail: _draw(shown, first, foot, (text, note), detail))
    details = _last_steps(shown) + _transitions(run.script.segment(run.steps + 1).chain) + _edits(shown)
    return Snapshot(svg, f"{plain(first)}\n{audit(shown.case)}", foot, _summary(shown.case), details)


def _draw(
    shown: StreamWindow, first: list[tuple[str, str]], foot: str, source: tuple[str, str], detail: int
) -> str:
    page = Page(detail=detail)
    chain = shown.run.script.segments[0].chain
    page.header("Streams", ", ".join(filter(None, [source[0], stream_title(chain)])))
    page.y = lead_lines(page.svg, first, page.y, WIDTH - 60) + 14
    model, release, lanes, sums = (page.piece() for _ in range(4))
    room = WIDTH - _LEFT - _GAP
    left = model_panel(model, shown, source, _LEFT) + 14
    right = lanes_panel(lanes, shown, room) + 8
    heights = release_panel(release, shown, _LEFT), sum_panel(sums, shown, room)
    page.svg.put(model, 0, page.y)
    page.svg.put(release, 0, page.y + left)
    page.svg.put(lanes, _LEFT + _GAP, page.y)
    page.svg.put(sums, _LEFT + _GAP, page.y + right)
    left, right = left + heights[0], right + heights[1]
    page.y += max(left, right) + 16
    strip = page.piece()
    height = audit_strip(strip, shown.case, WIDTH)
    page.svg.put(strip, 0, page.y)
    page.y += height + 6
    page.lines(foot, WIDTH, most=3)
    return page.finish("Streams: what each step leaks, and the sum so far")


def _shown(shown: StreamWindow) -> str:
    """Say which values the picture shows."""
    steps = shown.run.steps
    if not steps:
        return "Shown: before the first step."
    which = f"steps {shown.first + 1:,} to {steps:,}" if shown.first else count(steps, "step")
    return f"Shown: {which}, seed {shown.run.script.seed}."


def _summary(case: StreamCase) -> str:
    """Return the main numbers as an HTML table."""
    rows = [
        [
            fit(lane.label, 400),
            leakage(lane.largest, case.promise if math.isfinite(case.promise) else None),
            status_words(lane, case.steps),
            leakage(lane.total),
            fixed(lane.error, 3),
            fixed(lane.expected, 3),
        ]
        for lane in case.lanes
    ]
    void = f"; {void_words(case)}" if case.broken else ""
    rows.append(["Linear composition", "", f"the sum of all promises{void}", bound(case.linear), "", ""])
    named = f"Advanced composition, δ = {delta_words(case.delta)}"
    rows.append([named, "", f"may be passed with probability δ{void}", bound(case.advanced), "", ""])
    head = ["what", "largest step", "promise", "sum so far", "mean error", "expected"]
    return table(f"Leakage of {count(case.steps, 'step')}, nats", head, rows)


def _last_steps(shown: StreamWindow) -> str:
    """Return the last steps as an HTML table."""
    if not shown.steps:
        return ""
    states = [fit(state, 80) for state in shown.run.script.segments[0].chain.states]
    record = shown.record
    head = ["step", "true", "promise"]
    for lane in shown.case.lanes:
        head += [f"{lane.short}: {what}" for what in ("released", "belief in the true one", "leakage", "sum")]
    rows = []
    for k in range(shown.steps):
        true, promise = int(record.symbols[k]), float(record.promise[k])
        row = [f"{shown.first + k + 1:,}", states[true], leakage(promise)]
        for found in shown.lanes:
            if found.released[k] == NOTHING:
                row += ["nothing", "", "", ""]
                continue
            leaks = leakage(float(found.leakage[k]), promise if math.isfinite(promise) else None)
            row += [
                states[int(found.released[k])],
                probability(float(found.belief[k, true])),
                f"{leaks}, over" if found.over[k] else leaks,
                leakage(float(found.total[k])),
            ]
        rows.append(row)
    return table("The last steps", head, rows)


def _transitions(chain: MarkovChain) -> str:
    """Return the law of the stream as an HTML table."""
    if chain.n > _MOST_TABLE:
        return ""
    states = [fit(state, 80) for state in chain.states]
    rows = [["start", *(probability(float(p), 4) for p in chain.start)]]
    if chain.order == 1:
        named = zip(states, chain.transitions, strict=True)
        rows += [[name, *(probability(float(p), 4) for p in row)] for name, row in named]
    else:
        for j, before in enumerate(states):
            for k, last in enumerate(states):
                law = chain.transitions[j, k]
                rows.append([f"{before}, {last}", *(probability(float(p), 4) for p in law)])
    return table("Transition probabilities, which the adversary knows", ["from, to", *states], rows[:200])


def _edits(shown: StreamWindow) -> str:
    found = edits(shown.run.script, shown.run.steps + 1)
    rows = [[f"{each.step:,}", each.before, each.after] for each in found[-100:]]
    return table("Edited while it ran", ["from step", "before", "after"], rows) if rows else ""
