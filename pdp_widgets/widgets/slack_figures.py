"""bqplot figures of releases without noise: the slack by epsilon."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.known_curve import KnownCurve
from pdp_widgets.leakage.noiseless.slack import SlackCurve, event_words
from pdp_widgets.models.labels import short
from pdp_widgets.widgets.bqplot_parts import LABELS, NEUTRAL, axes_of, figure_of, level_line

__all__ = ["plot_known_curve", "plot_slack_curve"]

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


def plot_known_curve(curve: KnownCurve) -> Any:
    """Return a figure of the slack by the share of records known.

    Examples
    --------
    >>> found = KnownCurve(np.array([0.0, 1.0]), np.array([0.1, 1.0]), 1.0, "a count")
    >>> plot_known_curve(found).axes[0].label
    'share of the records known'
    """
    import bqplot

    order = np.argsort(curve.known, kind="stable")
    top = float(curve.delta.max())
    x = bqplot.LinearScale(min=0.0, max=max(float(curve.known.max()), 1e-12))
    y = bqplot.LinearScale(min=0.0, max=1.12 * top if top > 0 else 1.0)
    line = bqplot.Lines(
        x=curve.known[order],
        y=curve.delta[order],
        scales={"x": x, "y": y},
        colors=[LABELS[0]],
        stroke_width=2.5,
        labels=[f"exact, any event, ε = {curve.epsilon:.6g} nats"],
        display_legend=True,
    )
    axes = axes_of(x, y, "share of the records known", "slack δ (probability)")
    return figure_of(short(curve.about), [line], axes, "top-left")
