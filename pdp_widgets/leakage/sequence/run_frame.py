"""The record of a run as a data frame and as charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import (
    Axis,
    Cells,
    Chart,
    Drawn,
    Level,
    Series,
    curve,
    curves,
    number,
    parted,
)
from pdp_widgets.core.results import Figures
from pdp_widgets.leakage.result_frames import as_dataframe
from pdp_widgets.leakage.sequence.lanes import NOTHING
from pdp_widgets.leakage.sequence.step_leakage import SOURCE, as_drawn, delta_words
from pdp_widgets.leakage.sequence.stream_menu import lane_names
from pdp_widgets.leakage.sequence.stream_record import StreamRecord
from pdp_widgets.leakage.sequence.stream_script import edits
from pdp_widgets.models.labels import how_many

if TYPE_CHECKING:
    from pdp_widgets.leakage.sequence.stream_run import StreamRun


Floats = NDArray[np.float64]
#: Steps of the lanes: of a longer run the last ones are drawn. A page has room for so many.
_STEPS = 250
#: The fewest places of an axis of steps, and the most cells of a table of transitions.
_PLACES, _CELLS = 20, 2500
#: What a step leaks, by whether it keeps its promise.
_KINDS = ("leakage, exact", "over the promise, exact")


def run_frame(run: StreamRun, delta: float = 1e-5) -> Any:
    """Return one row for each step and mechanism, all steps of the first mechanism first."""
    record = run.record(delta=delta)
    states = np.empty(run.script.n + 1, dtype=object)
    states[:-1] = run.script.segments[0].chain.states
    steps, lanes = len(record.symbols), record.lanes
    columns: dict[str, Any] = {
        "mechanism": np.repeat(np.array(list(lanes), dtype=object), steps),
        "step": np.tile(np.arange(1, steps + 1), len(lanes)),
        "true": np.tile(states[record.symbols], len(lanes)),
    }

    def of_lanes(name: str) -> Any:
        return np.concatenate([getattr(lane, name) for lane in lanes.values()])

    # The position after the last state stands for no symbol.
    columns["released"] = states[
        np.where(of_lanes("released") == NOTHING, run.script.n, of_lanes("released"))
    ]
    columns["promise"] = np.tile(record.promise, len(lanes))
    columns["leakage"], columns["over"] = of_lanes("leakage"), of_lanes("over")
    columns["sum_so_far"] = of_lanes("total")
    columns["linear"] = np.tile(record.linear, len(lanes))
    columns["advanced"] = np.tile(record.advanced, len(lanes))
    columns["mean_error"], columns["expected_error"] = of_lanes("error"), of_lanes("expected")
    beliefs = of_lanes("belief")
    for position, label in enumerate(states[:-1]):
        columns[f"belief: {label}"] = beliefs[:, position]
    status = {"leakage": "exact", "sum_so_far": "bound", "linear": "bound", "advanced": "bound"}
    return as_dataframe(columns, {"unit": "nats", "source": SOURCE, "status": status, "delta": delta})


def run_figures(run: StreamRun, delta: float = 1e-5) -> Figures:
    """Return the charts of a run by name: ``lanes``, ``curves`` and, of few states, ``table``."""
    found: dict[str, Callable[[], Drawn]] = {
        "lanes": lambda: _lanes(run),
        "curves": lambda: sums_chart(run, delta),
    }
    chain = run.script.segment(run.steps + 1).chain
    if chain.n ** (chain.order + 1) <= _CELLS:
        found["table"] = lambda: _law(run)
    return found


def sums_chart(run: StreamRun, delta: float = 1e-5, lines: Mapping[str, int] | None = None) -> Chart:
    """Return the sums of achieved leakages, with linear and advanced composition."""
    chosen = as_drawn(run.steps)
    at, record = chosen + 1, run.record(delta=delta)
    sums = [(lane_names(key)[1], lane.total[chosen]) for key, lane in record.lanes.items()]
    advanced = f"advanced composition, δ = {delta_words(delta)}"
    return Chart(
        "Sum of step leakages, a bound on all together",
        [
            *curves(at, sums, () if lines is None else [lines[key] for key in record.lanes]),
            curve("linear composition", at, record.linear[chosen], "promise", "dashed"),
            curve(advanced, at, record.advanced[chosen], "promise", "dotted"),
        ],
        Axis("step", 0.5, run.steps + 0.5, whole=True),
        Axis("sum so far, nats", low=0.0),
        note=_about(run),
    )


def _lanes(run: StreamRun) -> list[Chart]:
    """Return a chart for each mechanism: what each step leaks beside its promise, and wrong releases."""
    as_drawn(run.steps)
    record = run.record(max(0, run.steps - _STEPS))
    every = [record.promise, *(lane.leakage for lane in record.lanes.values())]
    top = max(float(values.max(initial=0.0, where=np.isfinite(values))) for values in every) or 1.0
    charts = [_lane(run, record, key, top) for key in record.lanes]
    few = f" The last {_STEPS:,} steps are drawn." if record.first else ""
    # Said once, below all of them.
    about = f"{charts[-1].note} {_about(run)}{few}".lstrip()
    return [*charts[:-1], replace(charts[-1], note=about)]


def _lane(run: StreamRun, record: StreamRecord, key: str, top: float) -> Chart:
    lane, first = record.lanes[key], record.first
    at = np.arange(first + 1, run.steps + 1, dtype=np.float64)
    series = parted(at, lane.leakage, lane.over, _KINDS)
    series.append(curve("promise", at, record.promise, "promise", "dashed"))
    wrong = at[(lane.released != NOTHING) & (lane.released != record.symbols)]
    if len(wrong):
        # It stands on the axis, and says nothing of a leakage.
        crosses = Series("wrong release", wrong, 0.0 * wrong, "dots", colour="ink", shape="cross")
        series.append(crosses.telling(y=np.nan * wrong))
    changed = [each for each in edits(run.script, run.steps) if each.step > first + 1]
    return Chart(
        f"{lane_names(key)[0]}: {_status(run, key)}",
        series,
        Axis("step", first + 0.5, max(run.steps, first + _PLACES) + 0.5, whole=True),
        Axis("leakage, nats", 0.0, 1.05 * top),
        [Level(each.after, each.step - 0.5, "x", "ink") for each in changed],
        note=run.ended(key),
        wide=True,
    )


def _status(run: StreamRun, key: str) -> str:
    """Say whether a mechanism keeps its promise."""
    totals = run.totals(key)
    if totals.first_over is None:
        return f"ended after step {totals.steps:,}" if run.ended(key) else "within its promise"
    if totals.over == totals.steps - totals.first_over + 1:
        return f"over its promise since step {totals.first_over:,}"
    return f"over its promise at {how_many(totals.over, 'step')}, first at step {totals.first_over:,}"


def _law(run: StreamRun) -> Cells:
    """Return the transition probabilities of what comes next, and the law of the first symbol."""
    chain = run.script.segment(run.steps + 1).chain
    states = [str(state) for state in chain.states]
    rows = states if chain.order == 1 else [f"{one}, {two}" for one in states for two in states]
    likely = np.argsort(-chain.start, kind="stable")[:3]
    start = ", ".join(f"P({states[k]}) = {number(chain.start[k], 4)}" for k in likely)
    more = f" and {chain.n - 3} more" if chain.n > 3 else ""
    return Cells(
        "Transition probabilities",
        rows,
        states,
        chain.transitions.reshape(-1, chain.n),
        down="from",
        across="to",
        key="probability",
        top=1.0,
        note=f"First symbol: {start}{more}.",
    )


def _about(run: StreamRun) -> str:
    """Say what the numbers of a run hold for."""
    budgets = sorted({each.epsilon for each in run.script.segments if each.first <= max(run.steps, 1)})
    said = ", ".join(number(one, 4) for one in budgets[:4])
    more = " and others" if len(budgets) > 4 else ""
    names = ", ".join(lane_names(key)[1] for key in run.mechanisms)
    return (
        f"Leakage in nats of {how_many(run.steps, 'step')}: {names}; budget {said}{more} per step; "
        f"seed {run.script.seed}; for the stated law of the stream."
    )
