"""What can be drawn of a table in classes: its map, what its secrets show, and what one record changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs, Released
from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_results
from pdp_widgets.leakage.noiseless.closeness import TCloseness
from pdp_widgets.leakage.noiseless.diversity import LDiversity
from pdp_widgets.leakage.noiseless.shown_classes import ShownClass, drawn_columns, shown_classes
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import SyntacticSensitivity
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.labels import short
from pdp_widgets.publish.anonymity_shown import ShownAnonymity
from pdp_widgets.publish.anonymity_table_picture import map_panel
from pdp_widgets.publish.figure_layout import Part, charts_part
from pdp_widgets.publish.figure_parts import Choice, parts
from pdp_widgets.publish.line_chart import Chart, Line

__all__ = ["by_class_chart", "changes_chart"]

#: Bars of a histogram of changes that are no whole numbers, or reach far.
_BARS = 40
#: Bars of a histogram of whole numbers, empty ones too, at least.
_FEWEST = 5


@parts.register
def _(subject: AnonymityAnalysis, choice: Choice) -> dict[str, Part]:
    classes, release = subject.classes, subject.released
    quasi = classes.data.places(classes.quasi)
    inputs = AnonymityInputs(
        classes.data,
        quasi,
        None if subject.secret is None else classes.data.place(subject.secret),
        subject.k,
        release.key,
        n=subject.given_n,
        neighbour=subject.neighbour,
        level=subject.level,
        known=subject.known,
        neighbours=subject.neighbours,
        shift=subject.given_shift,
        group_change=subject.group_change,
        anonymiser=subject.anonymiser,
    )
    shown = ShownAnonymity(anonymity_results(inputs), inputs, drawn=drawn_columns(quasi, None))
    found = parts(shown, choice)
    # What one record changes takes long in a large table; it has a picture of its own.
    return {name: part for name, part in found.items() if name != "removals"}


@dataclass(frozen=True, eq=False)
class _Classes:
    """What a map reads of results."""

    classes: tuple[ShownClass, ...]
    classes_in_all: int


@parts.register
def _(subject: EquivalenceClasses, choice: Choice) -> dict[str, Part]:
    quasi = subject.data.places(subject.quasi)
    drawn = drawn_columns(quasi, None)
    listed = shown_classes(subject, None, Released("", "sum", quasi[0], None), drawn)
    inputs = AnonymityInputs(subject.data, quasi, None, subject.k, "")
    shown = ShownAnonymity(cast(Any, _Classes(listed, len(subject))), inputs, drawn=drawn)
    about = f"{len(subject):,} classes of {subject.achieved:,} records or more."
    return {"map": Part(lambda svg, w: map_panel(svg, shown, w), 264.0, "All classes", 400.0, about=about)}


@parts.register
def _(subject: SyntacticSensitivity, choice: Choice) -> dict[str, Part]:
    return {"changes": charts_part((changes_chart(subject),))}


@parts.register(LDiversity)
@parts.register(TCloseness)
def _(subject: LDiversity | TCloseness, choice: Choice) -> dict[str, Part]:
    return {"classes": charts_part((by_class_chart(subject),))}


def changes_chart(found: SyntacticSensitivity) -> Chart:
    """Return how many records change the groups by how much: a histogram, drawn as its outline.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.syntactic_sensitivity import syntactic_sensitivity
    >>> chart = changes_chart(syntactic_sensitivity([[25], [27], [31], [58], [60], [64]], 3))
    >>> chart.lines[0].x.tolist()[:4], chart.lines[0].y.tolist()[:4]
    ([1.5, 1.5, 2.5, 2.5], [0.0, 6.0, 6.0, 0.0])
    """
    left = found.changes[~np.isnan(found.changes)]
    values = np.concatenate([left, found.added])
    low, high = float(values.min()), float(values.max())
    if np.array_equal(values, np.rint(values)) and high - low < _BARS:
        # An axis of fewer bars would have ticks between whole records.
        edges = np.arange(low - 0.5, max(high, low + _FEWEST - 1) + 1.0)
    elif high > low:
        edges = np.linspace(low, high, _BARS + 1)
    else:
        edges = np.array([low - 0.5, low + 0.5])
    lines = []
    for name, some in (("left out", left), ("added", found.added)):
        if len(some):
            heights = np.repeat(np.histogram(some, edges)[0].astype(np.float64), 2)
            lines.append(Line(name, np.repeat(edges, 2), np.concatenate([[0.0], heights, [0.0]])))
    title = f"What one record changes: s = {found.largest:.6g}, {found.status}"
    return Chart(title, lines, f"change of the {found.compared}, records", "records")


def by_class_chart(found: LDiversity | TCloseness) -> Chart:
    """Return the diversity or the distance of all classes in ascending order, with the one that decides.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.diversity import l_diversity
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "yes", "no", "no"]}
    >>> classes = EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]])
    >>> by_class_chart(l_diversity(classes, "ill")).lines[0].y.tolist()
    [1.0, 2.0]
    """
    values = np.sort(found.by_class[~np.isnan(found.by_class)])
    line = Line("classes", np.arange(1.0, len(values) + 1), values, joined=False)
    secret = short(found.secret)
    if isinstance(found, TCloseness):
        top = max(found.largest, 1e-12)
        title, label = f"How far secrets of a class are from all: {secret}", "distance, 0 to 1"
        level = (f"t = {found.largest:.6g}", found.largest)
    else:
        top = float(values[-1])
        title, label = f"Different secrets in a class: {secret}, {found.kind}", "diversity, values"
        level = (f"l = {found.least:.6g}", found.least)
    return Chart(title, [line], "classes, in ascending order", label, level, (0.0, 1.08 * top))
