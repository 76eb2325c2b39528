"""Charts of a run: the sum of step leakages beside both compositions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.publish.line_chart import Chart, Line
from pdp_widgets.publish.stream_window import LINES
from pdp_widgets.publish.stream_wording import delta_words

__all__ = ["LANES_LEAST", "ShownRun", "lane_name", "run_about", "total_chart"]

#: Room that the steps of the lanes need, px.
LANES_LEAST = 400.0

#: Points of a line; of a longer run every so many steps are drawn.
_POINTS = 400


@dataclass(frozen=True, eq=False)
class ShownRun:
    """A run as a simulator shows it.

    Parameters
    ----------
    run
        The run.
    delta
        Of the advanced composition.
    lines
        Which line each mechanism has; None for their order.
    """

    run: StreamRun
    delta: float = 1e-5
    lines: Mapping[str, int] | None = None


def run_about(run: StreamRun) -> str:
    """Say what the numbers of a run hold for.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> run_about(StreamRun.of(MarkovChain.symmetric(0.9), 0.5, "grr", 20, seed=1))
    'Leakage in nats of 20 steps: Randomised; budget 0.5 per step; seed 1; for the stated law of the stream.'
    """
    budgets = sorted({each.epsilon for each in run.script.segments if each.first <= max(run.steps, 1)})
    said = ", ".join("∞" if np.isinf(one) else f"{one:.4g}" for one in budgets[:4])
    more = " and others" if len(budgets) > 4 else ""
    names = ", ".join(lane_name(key) for key in run.mechanisms)
    count = f"{run.steps:,} step{'' if run.steps == 1 else 's'}"
    return (
        f"Leakage in nats of {count}: {names}; budget {said}{more} per step; seed {run.script.seed}; "
        "for the stated law of the stream."
    )


def lane_name(key: str) -> str:
    """Return the short name of a mechanism.

    Examples
    --------
    >>> lane_name("crr"), lane_name("mine")
    ('CRR as printed', 'mine')
    """
    return STREAM_MENU[key].short if key in STREAM_MENU else key


def total_chart(run: StreamRun, delta: float = 1e-5, lines: Mapping[str, int] | None = None) -> Chart:
    """Return the chart of the sums of achieved leakages with linear and advanced composition.

    Parameters
    ----------
    run
        A run of at least one step.
    delta
        Of the advanced composition.
    lines
        Which line each mechanism has; None for their order.

    Raises
    ------
    DomainError
        There is no step.
    """
    if not run.steps:
        raise DomainError("There is no step to draw; release one first.", Where("parameter", name="steps"))
    record = run.record(delta=delta)
    stride = max(1, -(-run.steps // _POINTS))
    # The last step is the one that matters: it is always drawn.
    chosen = np.arange(run.steps)[::-1][::stride][::-1]
    at = chosen + 1.0
    drawn = [
        Line(
            lane_name(key),
            at,
            _seen(lane.total[chosen]),
            style=LINES[(k if lines is None else lines[key]) % len(LINES)],
        )
        for k, (key, lane) in enumerate(record.lanes.items())
    ]
    drawn.append(Line("linear composition", at, _seen(record.linear[chosen]), style=("promise", "6 3")))
    advanced = f"advanced, δ = {delta_words(delta)}"
    drawn.append(Line(advanced, at, _seen(record.advanced[chosen]), style=("promise", "1.5 2.5")))
    return Chart("Sum of step leakages", drawn, "step", "sum so far, nats")


def _seen(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Leave out what no axis can show."""
    return np.where(np.isfinite(values), values, np.nan)
