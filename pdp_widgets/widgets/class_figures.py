"""bqplot figures of a table in classes: the classes, their secrets, and what one record changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.class_colours import class_colours
from pdp_widgets.leakage.noiseless.closeness import TCloseness
from pdp_widgets.leakage.noiseless.diversity import LDiversity
from pdp_widgets.leakage.noiseless.slack import event_words
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import SyntacticSensitivity
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.labels import short
from pdp_widgets.publish.class_parts import by_class_chart, changes_chart
from pdp_widgets.widgets.bqplot_parts import (
    DASHES,
    LABELS,
    NEUTRAL,
    axes_of,
    chart_figure,
    dots_of,
    figure_of,
)

__all__ = ["plot_analysis", "plot_by_class", "plot_changes", "plot_classes"]

#: Slacks below this are not drawn; classes that a map tells apart.
_LEAST, _MOST_CLASSES = 1e-12, 200
_STYLES = {"exact": "solid", "bound": "dashed", "as printed": "dotted"}


def plot_analysis(analysis: AnonymityAnalysis) -> Any:
    """Return a figure of the slack by epsilon: exact, bounded and as printed, in powers of ten.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> figure = plot_analysis(AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes"))
    >>> [one.labels[0] for one in figure.marks][:2]
    ['exact, any event', 'bound, threshold tests']
    """
    import bqplot

    x = bqplot.LinearScale(min=0.0, max=2.5)
    y = bqplot.LinearScale(max=0.0)
    marks = []
    for k, curve in enumerate(analysis.curves()):
        # What promises nothing, or cannot be seen, is left out.
        kept = (curve.drawn >= _LEAST) & (curve.drawn < 1)
        if kept.any():
            marks.append(
                bqplot.Lines(
                    x=curve.epsilons[kept],
                    y=np.log10(curve.drawn[kept]),
                    scales={"x": x, "y": y},
                    colors=[LABELS[k % len(LABELS)]],
                    line_style=_STYLES[curve.status],
                    stroke_width=2.5,
                    labels=[f"{curve.status}, {event_words(curve.events)}"],
                    display_legend=True,
                )
            )
    axes = axes_of(x, y, "ε (nats)", "slack δ (power of ten)")
    return figure_of(short(analysis.about), marks, axes, "bottom-left")


def plot_changes(found: SyntacticSensitivity) -> Any:
    """Return a figure of how many records change the groups by how much.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.syntactic_sensitivity import syntactic_sensitivity
    >>> plot_changes(syntactic_sensitivity([[25], [27], [31], [58], [60], [64]], 3)).title
    'What one record changes: s = 2, exact'
    """
    return chart_figure(changes_chart(found))


def plot_by_class(found: LDiversity | TCloseness) -> Any:
    """Return a figure of the diversity or the distance of all classes.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.diversity import l_diversity
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "yes", "no", "no"]}
    >>> classes = EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]])
    >>> plot_by_class(l_diversity(classes, "ill")).axes[1].label
    'diversity, values'
    """
    return chart_figure(by_class_chart(found))


def plot_classes(classes: EquivalenceClasses) -> Any:
    """Return a map of the first 200 classes and their records, by the first two quasi-identifiers.

    Examples
    --------
    >>> figure = plot_classes(EquivalenceClasses({"age": [25, 64, 31, 58]}, "age", 2, [[1, 3], [0, 2]]))
    >>> figure.axes[0].label, len(figure.marks)
    ('age', 3)
    """
    import bqplot

    names = classes.quasi[:2]
    data = classes.data.values(names)
    data = data if data.shape[1] == 2 else np.column_stack([data, np.zeros(len(data))])
    low, high = (ends[:, :2] for ends in (classes.low, classes.high))
    if len(names) == 1:
        low, high = (
            np.column_stack([ends, np.full(len(ends), at)]) for ends, at in ((low, -1.0), (high, 1.0))
        )
    boxes = [(a[0], b[0], a[1], b[1]) for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    colours = class_colours(boxes, _MOST_CLASSES)
    scales = []
    for j in range(2):
        ends = float(low[:, j].min()), float(high[:, j].max())
        room = 0.05 * (ends[1] - ends[0]) or 0.5
        scales.append(bqplot.LinearScale(min=ends[0] - room, max=ends[1] + room))
    x, y = scales
    marks = [
        bqplot.Lines(
            x=np.array([x0, x1, x1, x0, x0]),
            y=np.array([y0, y0, y1, y1, y0]),
            scales={"x": x, "y": y},
            colors=[LABELS[colours[k]]],
            line_style=DASHES[colours[k]],
            stroke_width=2.0,
            labels=[classes.letters[k]],
        )
        for k, (x0, x1, y0, y1) in enumerate(boxes[:_MOST_CLASSES])
    ]
    there = classes.rows[~np.isnan(data[classes.rows]).any(axis=1)]
    marks.append(dots_of(x, y, data[there, 0], data[there, 1], "circle", NEUTRAL, "records"))
    title = f"{len(classes):,} classes of {classes.achieved:,} records or more"
    more = f", the first {_MOST_CLASSES} drawn" if len(classes) > _MOST_CLASSES else ""
    up = short(names[1]) if len(names) > 1 else ""
    return figure_of(title + more, marks, axes_of(x, y, short(names[0]), up), "top-right", height=420)
