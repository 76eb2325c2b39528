"""bqplot figures of releases without noise: the slack by epsilon."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.slack import SlackCurve, event_words
from pdp_widgets.models.labels import short
from pdp_widgets.widgets.bqplot_parts import LABELS, NEUTRAL, axes_of, figure_of, level_line

__all__ = ["plot_slack_curve"]

#: Solid is exact, dashed a bound, dotted as printed.
_STYLES = {"exact": "solid", "bound": "dashed", "as printed": "dotted"}


def plot_slack_curve(curve: SlackCurve) -> Any:
    """Return a figure of the slack by epsilon, with the line above which it promises nothing.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.count_slack import count_slack
    >>> from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount
    >>> plot_slack_curve(count_slack(SelectedCount(100, 30, 0.5), [0.0, 0.5, 1.0])).axes[1].label
    'slack δ (probability)'
    """
    import bqplot

    order = np.argsort(curve.epsilons, kind="stable")
    levels, values = curve.epsilons[order], curve.drawn[order]
    kept = np.isfinite(levels) & np.isfinite(values)
    levels, values = levels[kept], values[kept]
    right = float(levels.max(initial=1e-12))
    top, low = float(values.max(initial=1e-12)), float(values.min(initial=0.0))
    x = bqplot.LinearScale(min=0.0, max=right)
    y = bqplot.LinearScale(min=low, max=top * 1.12)
    marks = [
        bqplot.Lines(
            x=levels,
            y=values,
            scales={"x": x, "y": y},
            colors=[LABELS[0]],
            line_style=_STYLES[curve.status],
            stroke_width=2.5,
            labels=[f"{curve.status}, {event_words(curve.events)}"],
            display_legend=True,
        )
    ]
    if top >= 1:
        marks.append(level_line(x, y, (0.0, right), 1.0, NEUTRAL, "promises nothing"))
    return figure_of(
        short(curve.about), marks, axes_of(x, y, "ε (nats)", "slack δ (probability)"), "top-right"
    )
