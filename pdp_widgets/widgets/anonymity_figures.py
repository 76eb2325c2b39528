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
        The exact curve full, bounds dashed (with dots where they are not for all events), the printed formula
        dotted where it is shown. What promises nothing, from 1 on, is left out, and what is below 1e-12.
    """
    import bqplot

    axis = np.asarray(shown.results.axis, dtype=np.float64)
    named = [(shown.exact, "exact, any event", "solid", NEUTRAL, 2.5)]
    named += [
        (one, f"bound, {one.label}", "dashed" if one.events == "all" else "dash_dotted", PROMISE, 2.0)
        for one in shown.bounds
    ]
    if shown.paper is not None:
        named.append((shown.paper, f"as printed: {shown.paper.label}", "dotted", LABELS[1], 2.0))
    x = bqplot.LinearScale(min=0.0, max=float(axis[-1]))
    drawn, low = [], 0.0
    for one, name, style, colour, wide in named:
        if one.why is not None:
            continue
        values = np.asarray(one.drawn, dtype=np.float64)
        kept = np.isfinite(values) & (values >= _LEAST) & (values <= 1)
        if kept.any():
            levels = np.log10(values[kept])
            low = min(low, float(levels.min()))
            drawn.append((axis[kept], levels, name, style, colour, wide))
    foot = min(-1.0, float(np.floor(low - 1e-9)))
    # Room below the curves for their names.
    y = bqplot.LinearScale(min=foot * (1 + 0.09 * len(drawn)), max=0.0)
    marks = [
        bqplot.Lines(
            x=at,
            y=levels,
            scales={"x": x, "y": y},
            colors=[colour],
            line_style=style,
            stroke_width=wide,
            labels=[name],
            display_legend=True,
        )
        for at, levels, name, style, colour, wide in drawn
    ]
    axes = axes_of(x, y, "ε (nats)", "slack δ (power of ten)")
    title = f"How the {shown.thing} hide{'' if shown.thing == 'records' else 's'} one {shown.noun}"
    return figure_of(title, marks, axes, "bottom-left", height=420)
