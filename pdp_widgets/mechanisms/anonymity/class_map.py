"""A map of the classes of a k-anonymous table and their records, by one or two quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import TOLD_APART, Axis, Chart, Series, Shape
from pdp_widgets.models.labels import how_many
from pdp_widgets.models.microdata_columns import MicrodataColumn

if TYPE_CHECKING:
    from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses

__all__ = ["class_colours", "class_map"]

Floats = NDArray[np.float64]

#: Corners in the plane of two quasi-identifiers: x from, x to, y from, y to.
Box: TypeAlias = tuple[float, float, float, float]

#: More classes or records in one map cannot be told apart.
_MOST_CLASSES, _MOST_RECORDS = 200, 2000
#: Around the middle of a label: how far its records are spread out, and how far a class reaches.
_SPREAD, _EDGE = 0.35, 0.4
#: Beyond the outermost boxes, as a share of what they take.
_ROOM = 0.04
#: Radius of dots, px, of few records and of many.
_RADIUS, _SMALL, _FEW = 4.0, 2.5, 40
#: Shares that fill an interval evenly, one for each axis.
_TURNS = (0.6180339887498949, 0.7548776662466927)
#: Boxes are near that are no farther apart than this share of all, in both directions.
_NEAR = 0.06


def class_colours(boxes: Sequence[Box | None], most: int | None = None) -> list[int]:
    """Return a colour 0 to 3 for every class, one after the other."""
    # Class number k takes the first of k, k + 1, k + 2 and k + 3 (modulo 4) that no earlier class near it
    # has; where none is free, k modulo 4.
    corners = np.array([(np.nan,) * 4 if box is None else box for box in boxes], dtype=np.float64)
    corners = corners.reshape(-1, 4)
    drawn = corners[~np.isnan(corners[:, 0])]
    if len(drawn):
        room_x = _NEAR * (drawn[:, 1].max() - drawn[:, 0].min())
        room_y = _NEAR * (drawn[:, 3].max() - drawn[:, 2].min())
    found: list[int] = []
    tones = len(TOLD_APART)
    for k, box in enumerate(corners[:most]):
        if np.isnan(box[0]):
            found.append(k % tones)
            continue
        others = corners[:k]
        near = (
            (others[:, 0] <= box[1] + room_x)
            & (box[0] <= others[:, 1] + room_x)
            & (others[:, 2] <= box[3] + room_y)
            & (box[2] <= others[:, 3] + room_y)
        )
        taken = {found[j] for j in np.flatnonzero(near).tolist()}
        free = ((k + step) % tones for step in range(tones))
        found.append(next((colour for colour in free if colour not in taken), k % tones))
    return found


def class_map(classes: EquivalenceClasses, marked: tuple[str, NDArray[np.bool_]] | None = None) -> Chart:
    """Return the first 200 classes as boxes and the published records as dots; ``marked`` is by row."""
    # Labels have a band of their own on an axis, in which their records are spread out: they would hide each
    # other otherwise. With one quasi-identifier records are spread out upwards.
    columns = [classes.data.by_row[classes.data.place(name)] for name in classes.quasi[:2]]
    drawn = min(len(classes), _MOST_CLASSES)
    (west, east), (south, north) = (_edges(classes, columns, j) for j in range(2))
    axes = [
        _axis(column, *ends) for column, ends in zip(columns, ((west, east), (south, north)), strict=False)
    ]
    if len(columns) == 1:
        # One column has no second axis: a single label without a name stands there.
        axes.append(Axis("", -0.5, 0.5, names=("",)))
    lows, highs = (_two(list(ends.T), len(classes)) for ends in (classes.low, classes.high))
    boxes = list(zip(west.tolist(), east.tolist(), south.tolist(), north.tolist(), strict=True))
    colours = np.array(class_colours(boxes, drawn))
    series = [
        Series(
            "",
            west[one],
            south[one],
            mark="boxes",
            corners=(east[one], north[one]),
            labels=[classes.letters[place] for place in one.tolist()],
            colour=tone,
        ).telling(x=lows[0][one], y=lows[1][one], corners=(highs[0][one], highs[1][one]))
        for colour, tone in enumerate(TOLD_APART)
        if len(one := np.flatnonzero(colours == colour))
    ]
    step = -(-classes.published // _MOST_RECORDS)
    published = np.flatnonzero(classes.row_number >= 0)
    runs = classes.data.runs.take(published)
    drawn_of = np.arange(0, classes.published, step)
    of = runs.of(drawn_of)
    rows = published[of]
    records = classes.data.runs.starts[rows] + drawn_of - runs.starts[of]
    values = _two([column.values[rows] for column in columns], len(rows))
    x, y = (
        _places(columns[j] if j < len(columns) else None, each, records, j) for j, each in enumerate(values)
    )
    size = np.full(len(rows), _RADIUS if len(rows) <= _FEW else _SMALL)
    if marked is None:
        every = Series("records", x, y, mark="dots", sizes=size, colour="ink2", shape="disc")
        series.append(every.telling(x=values[0], y=values[1]))
    else:
        kinds: tuple[tuple[str, NDArray[np.bool_], Shape], ...] = (
            ("other records", ~marked[1][rows], "ring"),
            (marked[0], marked[1][rows], "disc"),
        )
        series += [
            Series(name, x[some], y[some], mark="dots", sizes=size[some], colour="ink", shape=shape).telling(
                x=values[0][some], y=values[1][some]
            )
            for name, some, shape in kinds
        ]
    title = f"{how_many(len(classes), 'class')} of {how_many(classes.achieved, 'record')} or more"
    said = [f"the first {drawn:,} classes"] if drawn < len(classes) else []
    said += [f"{len(rows):,} of {classes.published:,} records"] if step > 1 else []
    note = f"Drawn: {' and '.join(said)}." if said else ""
    return Chart(title, series, axes[0], axes[1], note=note)


def _axis(column: MicrodataColumn, low: Floats, high: Floats) -> Axis:
    if column.labels is None:
        least, most = float(low.min()), float(high.max())
        room = _ROOM * (most - least)
        return Axis(column.name, least - room, most + room)
    return Axis(column.name, -0.5, len(column.labels) - 0.5, names=tuple(map(str, column.labels)))


def _edges(
    classes: EquivalenceClasses, columns: Sequence[MicrodataColumn], axis: int
) -> tuple[Floats, Floats]:
    """Return the ends of all boxes along an axis."""
    if axis >= len(columns):
        flat = np.zeros(len(classes))
        return flat - _EDGE, flat + _EDGE
    low, high = classes.low[:, axis], classes.high[:, axis]
    if columns[axis].labels is not None:
        return low - _EDGE, high + _EDGE
    # Of equal numbers the box would have no width, and not be seen.
    room = np.where(low == high, 0.005 * (high.max() - low.min()) or 0.5, 0.0)
    return low - room, high + room


def _two(columns: Sequence[Floats], size: int) -> tuple[Floats, Floats]:
    """Return the numbers along both axes: without a second column all are at its only label, 0."""
    return columns[0], columns[1] if len(columns) > 1 else np.zeros(size)


def _places(column: MicrodataColumn | None, values: Floats, records: NDArray[np.int64], axis: int) -> Floats:
    """Return where records stand along an axis."""
    if column is not None and column.labels is None:
        return values
    share = (records + 1.0) * _TURNS[axis] % 1.0
    return values + (2 * share - 1) * _SPREAD
