"""The charts of an analysis of k-anonymity, its classes among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Cells, Chart, Level, Series
from pdp_widgets.core.results import Figures
from pdp_widgets.leakage.noiseless.anonymity_curves import KnownShares, ShownCurve, known_shares
from pdp_widgets.leakage.noiseless.anonymity_inputs import Released
from pdp_widgets.leakage.noiseless.known_curve import known_chart
from pdp_widgets.leakage.noiseless.slack import SlackStatus, event_words, slack_chart, slack_series
from pdp_widgets.leakage.noiseless.syntactic_measures import is_known, secret_pairs
from pdp_widgets.leakage.number_table import epsilon_words
from pdp_widgets.mechanisms.anonymity.class_map import class_colours, class_map
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.labels import how_many

if TYPE_CHECKING:
    from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis

#: Classes that are listed, and records that are named of each.
MOST_CLASSES, MOST_ROWS = 200, 12


@dataclass(frozen=True)
class ShownClass:
    """One class.

    Parameters
    ----------
    letter
        Its name.
    rows
        Positions of its records, at most twelve.
    colour
        0 to 3.
    ranges
        What is published of every quasi-identifier.
    size
        How many records it has.
    box
        Corners in the plane of the two quasi-identifiers that are drawn: x from, x to, y from, y to; one
        alone has 0 for y.
    shared
        What its members share: "all no", "1 yes"; empty without a secret.
    one
        Whether all members have the same secret.
    """

    letter: str
    rows: tuple[int, ...]
    colour: int
    ranges: tuple[str, ...]
    size: int
    box: tuple[float, float, float, float] | None
    shared: str
    one: bool


def drawn_columns(quasi: tuple[int, ...], drawn: tuple[int, int | None] | None) -> tuple[int, int | None]:
    """Return positions of the columns of the map: those asked for, or the first two quasi-identifiers."""
    if drawn is not None and drawn[0] in quasi:
        second = drawn[1]
        if (second is None and len(quasi) == 1) or (second in quasi and second != drawn[0]):
            return drawn
    return quasi[0], quasi[1] if len(quasi) > 1 else None


def single_valued(classes: EquivalenceClasses, secret: int) -> tuple[bool, ...]:
    """Return of every class whether all its members have the same secret, none missing."""
    if not is_known(classes, secret):
        return (False,) * len(classes)
    pairs = secret_pairs(classes, secret)
    one = (np.bincount(pairs.class_, minlength=pairs.classes) == 1) & (pairs.known == classes.sizes)
    return tuple(one.tolist())


def shown_classes(
    classes: EquivalenceClasses, secret: int | None, one: Released, drawn: tuple[int, int | None]
) -> tuple[ShownClass, ...]:
    """Return the first 200 classes; colours are chosen by what is near among all."""
    names = classes.data.names
    places = [classes.quasi.index(names[column]) for column in drawn if column is not None]
    boxes: list[tuple[float, float, float, float] | None] = []
    for low, high in zip(classes.low.tolist(), classes.high.tolist(), strict=True):
        x, y = places[0], places[1] if len(places) > 1 else None
        ends = (0.0, 0.0) if y is None else (low[y], high[y])
        boxes.append((low[x], high[x], *ends))
    colours = class_colours(boxes, MOST_CLASSES)
    single = (False,) * len(classes) if secret is None else single_valued(classes, secret)
    found = []
    for place in range(min(len(classes), MOST_CLASSES)):
        found.append(
            ShownClass(
                classes.letters[place],
                tuple(classes.members(place, MOST_ROWS).tolist()),
                colours[place],
                classes.ranges_of(place),
                int(classes.sizes[place]),
                boxes[place],
                _shared(classes, secret, one, place, single[place]),
                single[place],
            )
        )
    return tuple(found)


def _shared(classes: EquivalenceClasses, secret: int | None, one: Released, place: int, single: bool) -> str:
    if secret is None:
        return ""
    column, rows = classes.data.by_row[secret], classes.member_rows(place)
    values = column.values[rows]
    if single:
        return f"all {column.written(float(values[0]))}"
    if one.value is not None:
        return f"{classes.data.runs.total(rows[values == one.value]):,} {column.written(one.value)}"
    known = len(np.unique(values[~np.isnan(values)]))
    return f"{known:,} value{'s' * (known != 1)}"


Floats = NDArray[np.float64]

#: Of a table of two classes: quasi-identifiers, and records of each class.
_COLUMNS, _ROWS = 3, 7
_MISSING = "The exact slack is not computed"
_STATUS: dict[str, SlackStatus] = {"exact": "exact", "bound": "bound", "printed": "as printed"}


def analysis_figures(analysis: AnonymityAnalysis) -> Figures:
    """Return the figures of an analysis by name."""
    return {
        "curves": lambda: _curves(analysis),
        "map": lambda: class_map(analysis.classes, _counted(analysis)),
        "table": lambda: _table(analysis),
        "known": lambda: shares_chart(analysis, known_shares(analysis, 1.0), 1.0),
    }


def shown_chart(
    analysis: AnonymityAnalysis, curves: Sequence[ShownCurve], axis: Floats, epsilon: float
) -> Chart:
    """Return the chart of the curves that an explorer shows, with the chosen epsilon."""
    lines = [
        slack_series(_shown_name(one), axis, one.drawn, _STATUS[one.kind], one.events)
        for one in curves
        if one.why is None
    ]
    here = [Level(epsilon_words(epsilon), epsilon, "x", "ink2")] if epsilon <= axis[-1] else []
    why = next((one.why for one in curves if one.kind == "exact"), None)
    return _slacks(analysis, lines, why, here)


def shares_chart(analysis: AnonymityAnalysis, known: KnownShares, epsilon: float) -> Chart:
    """Return the exact slack at an epsilon by the share of records known, and the share known here."""
    note = f"Published: {analysis.about}."
    fault = analysis.hidden.fault
    if fault is not None:
        note += f" {_MISSING}: {fault}."
    elif np.isnan(known.delta).all():
        note += f" {_MISSING}: the laws of these sums take a while."
    here = [Level("known here", analysis.known, "x", "ink2")] if analysis.known else []
    return known_chart(known.share, known.delta, epsilon, note, here)


def _curves(analysis: AnonymityAnalysis) -> Chart:
    lines = []
    for one in analysis.curves():
        name = f"{one.status}, {event_words(one.events)}"
        lines.append(slack_series(name, one.epsilons, one.drawn, one.status, one.events))
    fault = analysis.hidden.fault
    return _slacks(analysis, lines, None if fault is None else str(fault))


def _shown_name(one: ShownCurve) -> str:
    return one.label if one.kind == "exact" else f"{_STATUS[one.kind]}: {one.label}"


def _slacks(
    analysis: AnonymityAnalysis, lines: Sequence[Series], why: str | None, here: Sequence[Level] = ()
) -> Chart:
    """Return curves by epsilon, and why there is no exact one."""
    kind = analysis.released.kind
    noun = "records hide" if kind == "records" else "sum hides" if kind == "sum" else "count hides"
    note = f"Compared: {analysis.about}." + ("" if why is None else f" {_MISSING}: {why}.")
    lines = lines or [slack_series("exact, any event", [], [], "exact")]
    return slack_chart(f"How far the published {noun} one record", lines, Axis("ε, nats"), note, here)


def _counted(analysis: AnonymityAnalysis) -> tuple[str, NDArray[np.bool_]] | None:
    """Return what is counted, in words, and which rows of the data have it; None for a sum."""
    released = analysis.released
    if released.value is None:
        return None
    column = analysis.data.by_row[released.column]
    return f"{column.name} = {column.written(released.value)}", column.values == released.value


def _table(analysis: AnonymityAnalysis) -> Cells:
    """Return two classes with their records; who has what is counted has a colour."""
    data = analysis.data
    names = [*analysis.quasi[:_COLUMNS], *(() if analysis.secret is None else (analysis.secret,))]
    columns = [data.by_row[place] for place in data.places(names)]
    counted = _counted(analysis)
    has = np.zeros(data.runs.many, dtype=bool) if counted is None else counted[1]
    chosen = _two_classes(analysis)
    rows: list[str] = []
    texts: list[list[str]] = []
    marked: list[bool] = []
    for one in chosen:
        rows.append(f"{one.letter}, {how_many(one.size, 'record')}")
        texts.append([*one.ranges[:_COLUMNS], *(() if analysis.secret is None else (one.shared,))])
        marked.append(False)
        listed = np.array(one.rows[:_ROWS], np.int64)
        for record, row in zip(listed.tolist(), data.runs.of(listed).tolist(), strict=True):
            rows.append(f"record {record}")
            texts.append([column.written(float(column.values[row])) for column in columns])
            marked.append(bool(has[row]))
        if one.size > _ROWS:
            rows.append(f"and {one.size - _ROWS:,} more")
            texts.append([""] * len(names))
            marked.append(False)
    left = _left_out(analysis, chosen)
    values = np.full((len(rows), len(names)), np.nan)
    values[marked, -1] = 1.0
    return Cells(
        "Two classes with their records" if len(chosen) > 1 else "The class with its records",
        rows,
        names,
        values,
        "class, records",
        texts=texts,
        top=1.0,
        note=f"Coloured: {counted[0]}. {left}".strip() if counted is not None else left,
    )


def _two_classes(analysis: AnonymityAnalysis) -> list[ShownClass]:
    """Return a small class in which all have one secret and a small one of others; else the two smallest."""
    data, secret = analysis.data, analysis.secret
    drawn = drawn_columns(data.places(analysis.quasi), None)
    place = None if secret is None else data.place(secret)
    listed = shown_classes(analysis.classes, place, analysis.released, drawn)
    order = sorted(listed, key=lambda one: one.size)
    single, mixed = [one for one in order if one.one], [one for one in order if not one.one]
    return sorted([single[0], mixed[0]] if single and mixed else order[:2], key=listed.index)


def _left_out(analysis: AnonymityAnalysis, chosen: Sequence[ShownClass]) -> str:
    """Say how much of the table is not drawn."""
    classes, said = analysis.classes, []
    if rest := len(classes) - len(chosen):
        left = classes.published - sum(one.size for one in chosen)
        said.append(f"{how_many(rest, 'more class')} of {how_many(left, 'record')}")
    if gone := classes.lost:
        said.append(f"{how_many(gone, 'record')} with a missing value, not published")
    if more := len(analysis.quasi[_COLUMNS:]):
        said.append(f"{more:,} of {how_many(len(analysis.quasi), 'column')}")
    return f"Not in the table: {'; '.join(said)}." if said else ""
