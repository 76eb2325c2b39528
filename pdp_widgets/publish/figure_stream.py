"""Charts of a run: what has leaked so far beside both compositions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.publish.line_chart import Chart, Line
from pdp_widgets.publish.stream_wording import delta_words

__all__ = ["lane_name", "total_chart"]

#: Points of a line; of a longer run every so many steps are drawn.
_POINTS = 400


def lane_name(key: str) -> str:
    """Return the short name of a mechanism.

    Examples
    --------
    >>> lane_name("crr"), lane_name("mine")
    ('CRR, as printed', 'mine')
    """
    return STREAM_MENU[key].short if key in STREAM_MENU else key


def total_chart(run: StreamRun, delta: float = 1e-5) -> Chart:
    """Return the chart of the sums of achieved leakages with linear and advanced composition.

    Parameters
    ----------
    run
        A run of at least one step.
    delta
        Of the advanced composition.
    """
    record = run.record(delta=delta)
    stride = max(1, -(-run.steps // _POINTS))
    # The last step is the one that matters: it is always drawn.
    chosen = np.arange(run.steps)[::-1][::stride][::-1]
    at = chosen + 1.0
    lines = [Line(lane_name(key), at, _seen(lane.total[chosen])) for key, lane in record.lanes.items()]
    lines.append(Line("linear composition", at, _seen(record.linear[chosen])))
    lines.append(Line(f"advanced, δ = {delta_words(delta)}", at, _seen(record.advanced[chosen])))
    return Chart("Leaked so far", lines, "step", "sum of leakages, nats")


def _seen(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Leave out what no axis can show."""
    return np.where(np.isfinite(values), values, np.nan)
