"""What can be drawn of releases without noise."""

from __future__ import annotations

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.noiseless.known_curve import KnownCurve
from pdp_widgets.leakage.noiseless.slack import SlackCurve, event_words
from pdp_widgets.publish.figure_layout import Part
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.labels import wrap
from pdp_widgets.publish.line_chart import Chart, Line, chart_panel
from pdp_widgets.publish.svg import Svg

__all__ = ["known_chart", "slack_chart"]


@parts.register
def _(subject: SlackCurve, choice: Choice) -> dict[str, Part]:
    chart, about = slack_chart(subject), f"Compared: {subject.about}."
    return {"curves": Part(lambda svg, w: _panel(svg, chart, about, w), 260.0, chart.title, about=about)}


@parts.register
def _(subject: KnownCurve, choice: Choice) -> dict[str, Part]:
    chart, about = known_chart(subject), f"Published: {subject.about}."
    return {"known": Part(lambda svg, w: _panel(svg, chart, about, w), 260.0, chart.title, about=about)}


def _panel(svg: Svg, chart: Chart, about: str, w: float) -> float:
    """Draw the curve and below it what is compared; return the height taken."""
    y = chart_panel(svg, chart, w)
    for line in wrap(about, w, 11, most=4):
        svg.text(0, y + 12, line, fill="ink2", size=11)
        y += 14
    return y + 4


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
    low, high = float(values.min()), float(values.max())
    return Chart(
        "Slack by ε",
        [Line(f"{curve.status}, {event_words(curve.events)}", levels, values)],
        "ε, nats",
        "slack δ, probability",
        ("promises nothing", 1.0) if high >= 1 else None,
        (min(low, 0.0), 1.05 * high if high > 0 else 1.0),
    )


def known_chart(curve: KnownCurve) -> Chart:
    """Return the slack by the share of records known.

    Examples
    --------
    >>> found = KnownCurve(np.array([0.0, 1.0]), np.array([0.1, 1.0]), 1.0, "a count")
    >>> known_chart(found).title
    'Slack by what is known, ε = 1 nats'
    """
    shares, first = np.unique(curve.known, return_index=True)
    high = float(curve.delta.max())
    return Chart(
        f"Slack by what is known, ε = {curve.epsilon:.6g} nats",
        [Line("exact, any event", shares, curve.delta[first])],
        "share of the records known",
        "slack δ, probability",
        y_range=(0.0, 1.05 * high if high > 0 else 1.0),
    )
