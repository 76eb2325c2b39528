"""What can be drawn of releases without noise."""

from __future__ import annotations

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.noiseless.slack import SlackCurve, event_words
from pdp_widgets.publish.figure_layout import Part, charts_part
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.labels import shorten
from pdp_widgets.publish.line_chart import Chart, Line

__all__ = ["slack_chart"]


@parts.register
def _(subject: SlackCurve, choice: Choice) -> dict[str, Part]:
    return {"curves": charts_part((slack_chart(subject),))}


def slack_chart(curve: SlackCurve) -> Chart:
    """Return the slack at every finite epsilon, with the line above which it promises nothing.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.count_slack import count_slack
    >>> from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount
    >>> chart = slack_chart(count_slack(SelectedCount(100, 30, 0.5), [0.0, 0.5, 1.0]))
    >>> chart.lines[0].name, chart.level
    ('exact, any event', None)
    """
    levels, first = np.unique(curve.epsilons, return_index=True)
    values = curve.drawn[first]
    shown = np.isfinite(levels) & np.isfinite(values)
    if not shown.any():
        raise DomainError(
            "The curve has no point with a finite epsilon and slack; give finite epsilons.",
            Where("parameter", name="epsilon"),
        )
    levels, values = levels[shown], values[shown]
    return Chart(
        f"Slack of {shorten(curve.about)}",
        [Line(f"{curve.status}, {event_words(curve.events)}", levels, values)],
        "ε, nats",
        "slack δ, probability",
        ("promises nothing", 1.0) if float(values.max()) >= 1 else None,
    )
