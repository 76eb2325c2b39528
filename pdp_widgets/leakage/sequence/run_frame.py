"""The record of a run as a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.leakage.result_frames import as_dataframe
from pdp_widgets.leakage.sequence.about import SOURCE
from pdp_widgets.leakage.sequence.lane_steps import NOTHING

if TYPE_CHECKING:
    from pdp_widgets.leakage.sequence.stream_run import StreamRun

__all__ = ["run_frame"]


def run_frame(run: StreamRun, delta: float = 1e-5) -> Any:
    """Return one row for each step and mechanism, all steps of the first mechanism first.

    Columns are ``mechanism``, ``step`` from 1, ``true`` and ``released`` (labels; None where nothing was
    released any more), ``promise``, ``leakage`` (achieved), ``over``, ``sum_so_far`` (of the leakages: a
    bound on what these releases say together), ``linear``, ``advanced``, ``mean_error``,
    ``expected_error``, and the belief before the release in each state as ``belief: label``. The frame's
    ``attrs`` name unit, source and status.

    Parameters
    ----------
    run
        A run.
    delta
        Of the advanced composition.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse, MarkovChain
    >>> from pdp_widgets.leakage.sequence.stream_run import StreamRun
    >>> from pdp_widgets.leakage.sequence.stream_script import StreamScript
    >>> script = StreamScript.of(MarkovChain.symmetric(0.9), 1.0, seed=1)
    >>> run = StreamRun(script, {"crr": ConditionalResponse}).extended(2)
    >>> run_frame(run)[["step", "true", "leakage"]].round(4).values.tolist()
    [[1, 1, 1.0], [2, 1, 1.0735]]
    """
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
