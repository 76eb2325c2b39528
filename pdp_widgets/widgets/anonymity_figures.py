"""A bqplot figure of a release without noise: the slack by ε, exact, bounded and as printed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.publish.anonymity_shown import ShownAnonymity
from pdp_widgets.widgets.bqplot_parts import (
    LABELS,
    NEUTRAL,
    PROMISE,
    axes_of,
    figure_of,
)

__all__ = ["plot_anonymity"]

#: Slacks below this are not drawn.
_LEAST = 1e-12


def plot_anonymity(shown: ShownAnonymity) -> Any:
    """Return a figure of the slack δ by ε, on a logarithmic axis.

    Parameters
    ----------
    shown
        The results.

    Returns
    -------
    bqplot.Figure
        The exact curve full, bounds dashed, the printed formula dotted where it is shown. What promises
        nothing, from 1 on, is left out, and so is what is below 1e-12.
    """
    import bqplot

    axis = np.asarray(shown.results.axis, dtype=np.float64)
    named = [(shown.exact, "exact, any event", "solid", NEUTRAL, 2.5)]
    named += [(one, one.label, "dashed", PROMISE, 2.0) for one in shown.bounds]
    if shown.paper is not None:
        named.append((shown.paper, f"as printed: {shown.paper.label}", "dotted", LABELS[1], 2.0))
    x = bqplot.LinearScale(min=0.0, max=float(axis[-1]))
    drawn, low = [], 1.0
    for one, name, style, colour, wide in named:
        if one.why is not None:
            continue
        values = np.asarray(one.drawn, dtype=np.float64)
        kept = np.isfinite(values) & (values >= _LEAST) & (values <= 1)
        if kept.any():
            low = min(low, float(values[kept].min()))
            drawn.append((axis[kept], values[kept], name, style, colour, wide))
    y = bqplot.LogScale(min=10.0 ** np.floor(np.log10(low) - 1e-9), max=1.0)
    marks = [
        bqplot.Lines(
            x=at,
            y=values,
            scales={"x": x, "y": y},
            colors=[colour],
            line_style=style,
            stroke_width=wide,
            labels=[name],
            display_legend=True,
        )
        for at, values, name, style, colour, wide in drawn
    ]
    title = f"How the {shown.thing} hide{'' if shown.thing == 'records' else 's'} one {shown.noun}"
    return figure_of(title, marks, axes_of(x, y, "epsilon (nats)", "slack delta"), "bottom-left", height=420)
