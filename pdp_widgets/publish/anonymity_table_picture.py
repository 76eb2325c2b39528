"""Two classes of a k-anonymous table with their records, and the map of all classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pdp_widgets.publish.anonymity_shown import ShownAnonymity, value_text
from pdp_widgets.publish.formatting import count, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, width, wrap
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.palette import TOKENS
from pdp_widgets.publish.svg import Style, Svg, number, strokes
from pdp_widgets.publish.wording import plural

__all__ = ["class_name", "classes_panel", "map_panel", "shown_classes", "table_panel"]

_TONES = ("a", "b", "c", "d")
_HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 2.5, "paint_order": "stroke"}
#: Columns beside the class, and records of a class.
_COLUMNS, _ROWS = 3, 7
#: Of what has little room in a map so many are drawn, by detail: records, classes, letters.
_DRAWN = {0: (150, 40, 14), 1: (300, 80, 26), 2: (400, 200, 60)}
_ROW, _HEAD = 21.0, 26.0
#: Least distance of labels at an axis, px, and how many are tried.
_LINE, _LABELS = 13.0, 60
#: How far the records of a label are spread out, and how far a class reaches around it, in steps of labels.
_BAND, _EDGE = 0.7, 0.4


def _tint(tone: str, share: float) -> tuple[str, str]:
    """Return a tone at some share over the background, by day and by night."""
    found = []
    for colour, ground in zip(TOKENS[tone], ("#ffffff", "#111111"), strict=True):
        parts = [
            round(share * int(colour[k : k + 2], 16) + (1 - share) * int(ground[k : k + 2], 16))
            for k in (1, 3, 5)
        ]
        found.append("#{:02x}{:02x}{:02x}".format(*parts))
    return found[0], found[1]


def class_name(one: Any) -> str:
    """Return a class as the table names it: its letter and size."""
    return f"{one.letter}, {count(one.size, 'row')}"


def shown_classes(shown: ShownAnonymity) -> list[Any]:
    """Return two classes: a small one in which all have one secret, and a small one of another colour."""
    listed = sorted(shown.results.classes, key=lambda one: (one.size, one.letter))
    if not listed:
        return []
    mixed = [one for one in listed if not one.one]
    single = [one for one in listed if one.one]
    if not single or not mixed:
        chosen = listed[:2]
    else:
        other = mixed[0]
        chosen = [next((one for one in single if one.colour != other.colour), single[0]), other]
    return sorted(chosen, key=lambda one: shown.results.classes.index(one))


def table_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Write two classes with their records, and draw the map below; return the height taken."""
    y = classes_panel(svg, shown, w)
    piece = Svg(svg.sheet)
    tall = map_panel(piece, shown, w)
    svg.put(piece, 0, y + 10)
    return y + 10 + tall


def classes_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Write two classes with their records; return the height taken."""
    results, data = shown.results, shown.data
    many = count(results.classes_in_all, "class", "classes")
    y = panel(svg, w, "Table", right=f"{many} of at least {results.achieved:,}")
    quasi = list(shown.inputs.quasi)
    places = quasi[:_COLUMNS]
    if shown.inputs.secret is not None:
        places.append(shown.inputs.secret)
    edges = _edges(shown, places, w)
    svg.text(0, y + 8, "class", fill="ink2")
    for place, (left, right) in zip(places, edges, strict=True):
        svg.text(right, y + 8, fit(data.names[place], right - left - 4), anchor="end", fill="ink2")
    svg.line(0, y + 15.5, w, y + 15.5, stroke="line2")
    y += 16
    chosen = shown_classes(shown)
    for one in chosen:
        y = _class(svg, shown, one, places, edges, w, y)
    rest = results.classes_in_all - len(chosen)
    rows = data.records - results.suppressed - sum(one.size for one in chosen)
    words = "Bold: as published."
    if rest > 0:
        words += f" {count(rest, 'more class', 'more classes')}, {count(rows, 'row')}."
    if results.suppressed:
        words += f" {count(results.suppressed, 'record')} with a missing value not published."
    if len(quasi) > _COLUMNS:
        words += f" {len(quasi) - _COLUMNS} of {len(quasi)} columns not shown."
    for line in wrap(words, w, 11, most=3):
        y += 16
        svg.text(0, y, line, size=11, fill="ink2")
    return y


def _edges(shown: ShownAnonymity, places: Sequence[int], w: float) -> list[tuple[float, float]]:
    """Return the left and right edge of every column; the class takes what its name needs."""
    chosen, data = shown_classes(shown), shown.data
    first = max([width("class", 12)] + [width(class_name(one), 12, True) + 14 for one in chosen])
    first = min(first, 0.42 * w)
    needs = []
    for k, place in enumerate(places):
        column, secret = data.column(place), place == shown.inputs.secret
        found = [width(data.names[place], 12)]
        for one in chosen:
            published = one.shared if secret else one.ranges[k]
            found.append(width(published, 12, True) + (18 if secret and one.one else 2))
            rows = [int(row) for row in one.rows][:_ROWS]
            found += [width(value_text(column, float(column.values[row])), 12) + 4 for row in rows]
        needs.append(min(110.0, max(found)) + 10)
    room = w - first - 8
    # What is left goes to all alike; of what is missing those lose most that ask for most.
    spare = room - sum(needs)
    if spare >= 0:
        wide = [need + spare / len(needs) for need in needs]
    else:
        least = min(44.0, room / len(needs))
        over = [max(0.0, need - least) for need in needs]
        cut = min(1.0, -spare / (sum(over) or 1.0))
        wide = [need - cut * more for need, more in zip(needs, over, strict=True)]
    ends = [first + sum(wide[: k + 1]) for k in range(len(wide))]
    return [(end - size, end) for end, size in zip(ends, wide, strict=True)]


def _class(
    svg: Svg,
    shown: ShownAnonymity,
    one: Any,
    places: Sequence[int],
    edges: Sequence[tuple[float, float]],
    w: float,
    y: float,
) -> float:
    """Write one class: what is published of it, and its records; return where it ends."""
    data, tone = shown.data, _TONES[one.colour % 4]
    rows = [int(row) for row in one.rows][:_ROWS]
    values = [data.column(place).values for place in places]
    rows.sort(key=lambda row: [float(one[row]) for one in values])
    hidden = one.size - len(rows)
    tall = _HEAD + _ROW * len(rows) + (_ROW if hidden else 0)
    svg.rect(0, y, w, _HEAD, fill=_tint(tone, 0.18))
    svg.rect(0, y, 4, tall, fill=tone)
    svg.text(11, y + 17, class_name(one), weight=600)
    secret, marked = shown.inputs.secret, _marked(shown)[0]
    published = [
        *one.ranges[: len(places) - (secret is not None)],
        *([one.shared] if secret is not None else []),
    ]
    for text, (left, right) in zip(published, edges, strict=True):
        warns = one.one and text is published[-1] and secret is not None
        room = right - left - (16 if warns else 4)
        words = fit(text, room, 12, True)
        svg.text(right, y + 17, words, anchor="end", weight=600)
        if warns:
            x = right - width(words, 12, True) - 10
            svg.path(f"M{number(x)} {number(y + 8)}l4 8h-8z", fill="over")
    y += _HEAD
    for row in rows:
        for place, (left, right) in zip(places, edges, strict=True):
            column = data.column(place)
            text = fit(value_text(column, float(column.values[row])), right - left - 4)
            own = place == secret and bool(marked[row])
            style: dict[str, Style] = {"weight": 600} if own else {"fill": "ink2"}
            svg.text(right, y + 15, text, anchor="end", **style)
        y += _ROW
    if hidden:
        svg.text(11, y + 15, f"and {count(hidden, 'more row', 'more rows')}", fill="ink2")
        y += _ROW
    return y


def _marked(shown: ShownAnonymity) -> tuple[Any, str, str]:
    """Return which records have the published label of the secret, and what the two kinds are called."""
    secret, release = shown.inputs.secret, shown.inputs.release
    none = np.zeros(shown.data.records, dtype=bool)
    kind, _, label = release.partition(":")
    if secret is None or kind == "sum":
        return none, "", ""
    column = shown.data.column(secret)
    texts = [value_text(column, float(value)) for value in column.values]
    name = fit(shown.secret or "", 90, 11)
    if label.strip().casefold() in ("yes", "no"):
        words = (name, "none") if label.strip().casefold() == "yes" else (f"no {name}", name)
    else:
        words = (f"{name} {fit(label, 80, 11)}", "other")
    return np.array([text == clean(label) for text in texts]), *words


def map_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Draw every record and every class in the plane of two quasi-identifiers; return the height taken."""
    data, results = shown.data, shown.results
    across = data.column(shown.drawn[0])
    up = None if shown.drawn[1] is None else data.column(shown.drawn[1])
    filled, yes, no = _marked(shown)
    names = " and ".join(fit(name, 90, 11) for name in shown.drawn_names)
    many = fit(plural(shown.noun), 80, 11)
    words = f"{many[:1].upper()}{many[1:]} by {names}"
    first = wrap(words + (f"; ● {yes}, ○ {no}" if yes else ""), w, 11, most=2)
    y = 4.0
    for line in first:
        y += 13
        svg.text(0, y, line, size=11, fill="ink2")
    y += 8
    rows_ = [] if up is None else _marks(up)
    # Labels have room of their own, numbers need little.
    beside = max([22.0, *(min(width(text, 11), 0.2 * w) for _, text in rows_)])
    left, right, tall = beside + 6, w - 4.0, max(190.0, 0.6 * w) if up is not None else 60.0
    top, foot = y + 4, y + 4 + tall
    xs, ys = across.values, None if up is None else up.values
    place_x = _scale(across, left, right)
    place_y = (lambda _: (top + foot) / 2) if up is None else _scale(up, foot, top)
    chosen = {one.letter for one in shown_classes(shown)}
    most, boxes, letters = _DRAWN[svg.sheet.detail]
    classes = sorted(results.classes, key=lambda one: one.letter not in chosen)
    if results.classes_in_all > boxes:
        # The first ones lie all on one side.
        classes = classes[: len(chosen)]
    boxes_ = {one.letter: _around(one.box, across, up) for one in classes if one.box is not None}
    for one in reversed(classes):
        if one.letter not in boxes_:
            continue
        x0, x1, y0, y1 = boxes_[one.letter]
        tone = _TONES[one.colour % 4]
        px, qx = place_x(x0) - 2.5, place_x(x1) + 2.5
        py, qy = (top + 8, foot - 8) if ys is None else (place_y(y1) - 2.5, place_y(y0) + 2.5)
        width_ = 2.5 if one.letter in chosen else 1
        svg.rect(px, py, qx - px, qy - py, 2, fill=_tint(tone, 0.16), stroke=tone, stroke_width=width_)
    kept = [
        row
        for row in range(data.records)
        if not math.isnan(xs[row]) and (ys is None or not math.isnan(ys[row]))
    ]
    few = kept if len(kept) <= most else kept[:: math.ceil(len(kept) / most)]
    dots = [
        (place_x(_spread(across, r, 12.9898)), place_y(0.0 if up is None else _spread(up, r, 78.233)))
        for r in few
    ]
    if ys is None:
        # One column: records with one value lie above each other.
        seen: dict[float, int] = {}
        for k, (x, yy) in enumerate(dots):
            at = seen[round(x)] = seen.get(round(x), 0) + 1
            dots[k] = (x, yy + (at // 2) * 4.5 * (1 if at % 2 else -1) if at // 2 < 5 else yy)
    open_ = [spot for spot, row in zip(dots, few, strict=True) if not filled[row]]
    full = [spot for spot, row in zip(dots, few, strict=True) if filled[row]]
    _dots(svg, open_, 5.4, "ink")
    _dots(svg, open_, 3.6, "bg")
    _dots(svg, full, 7.2, "ink")
    _letters(svg, classes[:letters], boxes_, place_x, place_y, dots, ys is None, chosen, (top, foot))
    _axis(svg, across, place_x, foot, w, shown.drawn_names[0])
    written = math.inf
    for value, text in rows_:
        level = place_y(value)
        # What would touch the label below is left out.
        if written - level >= _LINE:
            svg.text(beside, level + 4, fit(text, beside + 2, 11), anchor="end", size=11, fill="ink2")
            written = level
    y = foot + 24
    said = (
        [f"{len(few):,} of {len(kept):,} {fit(plural(shown.noun), 110, 11)}"] if len(few) < len(kept) else []
    )
    if len(classes) < results.classes_in_all:
        said.append(f"{len(classes)} of {count(results.classes_in_all, 'class', 'classes')}")
    if said:
        y += 14
        svg.text(0, y, fit(f"Drawn: {', '.join(said)}.", w, 11), size=11, fill="ink2")
    return y + 4


def _scale(column: Any, low: float, high: float) -> Any:
    """Return what maps a value to px, with a margin at both ends; every label has a band of its own."""
    finite = column.values[~np.isnan(column.values)]
    first, last = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    room = 0.5 if column.labels is not None else (last - first) * 0.03 or 0.5
    span = last - first + 2 * room
    return lambda value: low + (high - low) * ((value - first + room) / span)


def _spread(column: Any, row: int, turn: float) -> float:
    """Return where a record stands on an axis: labels hide each other unless their records are spread out."""
    value = float(column.values[row])
    if column.labels is None:
        return value
    mixed = math.sin((row + 1) * turn) * 43758.5453
    return value + (mixed - math.floor(mixed) - 0.5) * _BAND


def _around(box: Sequence[float], across: Any, up: Any) -> tuple[float, float, float, float]:
    """Return a box with the bands of the labels at its edges."""
    wide = 0.0 if across.labels is None else _EDGE
    tall = 0.0 if up is None or up.labels is None else _EDGE
    return box[0] - wide, box[1] + wide, box[2] - tall, box[3] + tall


def _dots(svg: Svg, spots: Sequence[tuple[float, float]], size: float, tone: str) -> None:
    """Draw discs as one path of dots with round ends."""
    svg.path(strokes(spots, "h", 0.1), stroke=tone, stroke_width=size, stroke_linecap="round")


def _letters(
    svg: Svg,
    classes: Sequence[Any],
    boxes: Mapping[str, tuple[float, float, float, float]],
    place_x: Any,
    place_y: Any,
    dots: Sequence[tuple[float, float]],
    strip: bool,
    chosen: set[str],
    ends: tuple[float, float],
) -> None:
    """Write the letter of every class where it is farthest from records and other letters."""
    put: list[tuple[float, float]] = []
    for one in classes:
        if one.letter not in boxes:
            continue
        box = boxes[one.letter]
        x0, x1 = place_x(box[0]), place_x(box[1])
        y0, y1 = (ends[0] + 12, ends[1] - 12) if strip else (place_y(box[3]), place_y(box[2]))
        best, spot = -1.0, ((x0 + x1) / 2, (y0 + y1) / 2)
        near = [p for p in dots if x0 - 14 <= p[0] <= x1 + 14 and y0 - 14 <= p[1] <= y1 + 14]
        for i in range(9):
            for j in range(9):
                x = x0 + 5 + max(0.0, x1 - x0 - 10) * i / 8
                y = y0 + 5 + max(0.0, y1 - y0 - 10) * j / 8
                gap = min(
                    [12.0]
                    + [math.hypot(p[0] - x, p[1] - y) for p in near]
                    + [math.hypot(p[0] - x, p[1] - y) - 3 for p in put]
                )
                if gap > best:
                    best, spot = gap, (x, y)
        put.append(spot)
        weight = 700 if one.letter in chosen else 600
        svg.text(spot[0], spot[1] + 4, one.letter, anchor="middle", size=11, weight=weight, **_HALO)


def _marks(column: Any) -> list[tuple[float, str]]:
    """Return values of an axis with their texts: round numbers, or labels, first and last where many."""
    values = column.values[~np.isnan(column.values)]
    if not values.size:
        return []
    low, high = float(values.min()), float(values.max())
    if column.labels is not None:
        there = np.unique(values).tolist()
        return [(v, value_text(column, v)) for v in (there if len(there) <= _LABELS else (low, high))]
    return [(value, tick(value)) for value in ticks(low, high, 4)]


def _axis(svg: Svg, column: Any, place: Any, foot: float, w: float, name: str) -> None:
    room = min(90.0, width(name, 11))
    svg.text(w, foot + 18, fit(name, 90, 11), anchor="end", size=11, fill="ink2")
    end = -math.inf
    for value, text in _marks(column):
        x = place(value)
        svg.line(x, foot, x, foot + 4, stroke="line2")
        text = fit(text, 60, 11)
        half = width(text, 11) / 2
        if x - half >= end and x + half < w - room - 6:
            end = x + half + 6
            svg.text(x, foot + 18, text, anchor="middle", size=11, fill="ink2")
