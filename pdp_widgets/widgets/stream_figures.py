"""bqplot figure of a run: the sum of step leakages, of each mechanism, against what was promised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.publish.figure_stream import lane_name
from pdp_widgets.publish.stream_wording import delta_words
from pdp_widgets.widgets.bqplot_parts import LABELS, PROMISE, axes_of, figure_of

__all__ = ["plot_stream_run"]

_DASHES = ("solid", "dashed", "dash_dotted", "dotted")
#: Points of a line; a longer run is drawn by every so many steps.
_POINTS = 1000


def plot_stream_run(run: StreamRun, delta: float = 1e-5, lines: Mapping[str, int] | None = None) -> Any:
    """Return a figure of the sums of achieved leakages by step, with linear and advanced composition.

    Parameters
    ----------
    run
        A run.
    delta
        Of the advanced composition.
    lines
        Which line each mechanism has; without it in their order.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> figure = plot_stream_run(StreamRun.of(MarkovChain.symmetric(0.9), 0.5, "crr", 20, seed=1))
    >>> figure.axes[0].label, figure.marks[0].labels
    ('step', ['CRR as printed'])
    """
    import bqplot

    record = run.record(delta=delta)
    stride = max(1, -(-run.steps // _POINTS))
    # The last step is the one that matters: it is always drawn.
    chosen = np.arange(run.steps)[::-1][::stride][::-1]
    advanced = f"advanced composition, δ = {delta_words(delta)}"
    bounds = {"linear composition": record.linear, advanced: record.advanced}
    values = [lane.total[chosen] for lane in record.lanes.values()] + [b[chosen] for b in bounds.values()]
    finite = [line[np.isfinite(line)].max(initial=0.0) for line in values]
    top = max([1e-12, *finite])
    x = bqplot.LinearScale(min=0.0, max=float(max(run.steps, 1)))
    y = bqplot.LinearScale(min=0.0, max=top * 1.08)
    scales = {"x": x, "y": y}
    places = [k if lines is None else lines[key] for k, key in enumerate(record.lanes)]
    marks = [
        bqplot.Lines(
            x=chosen + 1,
            y=np.where(np.isfinite(lane), lane, np.nan),
            scales=scales,
            colors=[LABELS[place % len(LABELS)]],
            stroke_width=2.5,
            line_style=_DASHES[place % len(_DASHES)],
            labels=[lane_name(key)],
            display_legend=True,
        )
        for place, key, lane in zip(places, record.lanes, values, strict=False)
    ]
    marks += [
        bqplot.Lines(
            x=chosen + 1,
            y=bound[chosen],
            scales=scales,
            colors=[PROMISE],
            line_style=style,
            labels=[name],
            display_legend=True,
        )
        for (name, bound), style in zip(bounds.items(), ("dashed", "dotted"), strict=True)
    ]
    axes = axes_of(x, y, "step", "sum so far (nats)")
    return figure_of("Sum of step leakages, a bound on all together", marks, axes, "top-left")
