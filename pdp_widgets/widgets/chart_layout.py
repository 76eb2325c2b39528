"""Where things stand in a figure: its plot in a frame, ends and ticks of axes, and the labels of points."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis
from pdp_widgets.publish.labels import shorten, width

Floats: TypeAlias = NDArray[np.float64]

#: A grey that is read on white and on dark ground.
NEUTRAL = "#8a8a8a"
#: Of a plot, px, where the page has room for all of it, and the margins around it.
WIDE, _TALL, _TALLEST = 600.0, 228.0, 440.0
_TOP, _RIGHT = 44, 24
#: Letters of a name along an axis.
_LONGEST = 24
#: A level is near where the values still take this share of the axis, as in js/src/scene/axis.ts.
_NEAR_LEVEL = 3
#: Ends of scales stay below this, so that one can calculate with them.
_LARGEST = 1e300
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Ticks:
    """Where an axis is marked, and how."""

    at: tuple[float, ...] = ()
    named: dict[str, str] = field(default_factory=dict)
    form: str = ""
    longest: int = 5


def ends_of(
    axis: Axis,
    values: Floats,
    levels: Iterable[float] = (),
    *,
    tight: bool = False,
    zero: bool = False,
) -> tuple[float, float]:
    """Return the ends of an axis: its own, else those of the values and of levels that are near them."""
    seen, beside = (
        np.clip(some[np.isfinite(some)], -_LARGEST, _LARGEST) for some in (values, np.array([*levels], float))
    )
    if seen.size:
        low, high = float(seen.min()), float(seen.max())
        reach = _NEAR_LEVEL * max(high - low, abs(low), abs(high))
        beside = beside[(beside >= low - reach) & (beside <= high + reach)]
    seen = np.concatenate([seen, beside])
    low, high = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 1.0)
    span = high - low
    if axis.names:
        low, high = -0.5, len(axis.names) - 0.5
    else:
        # One value has nothing to be told from.
        room = 0.04 * span if span > 1e-9 * max(abs(low), abs(high)) else 0.1 * abs(high) or 0.5
        if zero and not axis.powers and 0 <= low < 0.5 * high + 0.5 * (span == 0) * high:
            low, high = 0.0, high + room
        elif not tight or room != 0.04 * span:
            low, high = low - room, high + room
    low, high = (
        end if own is None or not math.isfinite(own) else max(-_LARGEST, min(_LARGEST, float(own)))
        for end, own in ((low, axis.low), (high, axis.high))
    )
    if low < high:
        return low, high
    # The end that is given lies beyond the values.
    room = 0.1 * max(abs(low), abs(high)) or 0.5
    return (low, low + room) if axis.low is not None else (high - room, high)


def ticks_of(axis: Axis, ends: tuple[float, float], most: int, most_named: int) -> Ticks:
    """Return where an axis is marked between its ends."""
    if axis.names:
        first, last = max(0, math.ceil(ends[0])), min(len(axis.names) - 1, math.floor(ends[1]))
        every = math.ceil((last - first + 1) / most_named) or 1
        texts = {
            float(k): shorten(axis.names[k], _LONGEST, axis.names) for k in range(first, last + 1, every)
        }
        return _named(texts)
    if axis.powers:
        return _powers(ends, most)
    at = _round_numbers(*ends, most, whole=axis.whole)
    if not at:
        return Ticks()
    step, largest = at[-1] - at[-2] if len(at) > 1 else abs(at[0]), max(map(abs, at))
    digits = 1 + max(0, math.floor(math.log10(largest / step))) + 1 if step else 1
    return Ticks(at, form=f".{digits}~g", longest=max(len(f"{value:.{digits}g}") for value in at))


def _named(texts: dict[float, str]) -> Ticks:
    """Return ticks with words; JavaScript looks them up by the number as it writes it."""
    named = {str(int(at)) if at == int(at) else repr(at): text for at, text in texts.items()}
    return Ticks(tuple(texts), named, longest=max(map(len, named.values()), default=1))


def _powers(ends: tuple[float, float], most: int) -> Ticks:
    """Mark powers of ten; where there is less than two, 1, 2 and 5 of them."""
    at = _round_numbers(*ends, most, whole=True)
    parts = [(round(value), 1) for value in at]
    if len(at) < 2 and ends[1] - ends[0] < 3:
        parts = [(k, many) for k in range(math.floor(ends[0]), math.ceil(ends[1]) + 1) for many in (1, 2, 5)]
    plain = all(-3 <= power <= 4 for power, _ in parts)
    texts = {}
    for power, many in parts:
        value = power + math.log10(many)
        raised = f"10{str(power).translate(_RAISED)}"
        if ends[0] <= value <= ends[1]:
            texts[value] = f"{many * 10.0**power:g}" if plain else raised if many == 1 else f"{many}·{raised}"
    return _named(texts)


def _round_numbers(low: float, high: float, most: int, whole: bool = False) -> tuple[float, ...]:
    """Return multiples of 1, 2 or 5 times a power of ten; none where steps are too small for numbers."""
    rough = (high - low) / most
    if not 1e-12 * max(abs(low), abs(high), 1e-280) < rough:
        return ()
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * many for many in (1, 2, 5, 10) if power * many >= rough * 0.999)
    step = max(1.0, step) if whole else step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(float(f"{k * step:.12g}") for k in range(first, last + 1))


@dataclass(frozen=True)
class Plot:
    """Two scales, where the data lie on them, and in how many px."""

    x_ends: tuple[float, float]
    y_ends: tuple[float, float]
    wide: float = WIDE
    tall: float = _TALL
    #: Names stand down the side: what dots lie between is along x.
    rows: bool = False
    scales: dict[str, Any] = field(default_factory=dict)

    def inside(self, x: Floats, y: Floats) -> Any:
        """Tell which points are numbers within the axes."""
        (left, right), (low, high) = self.x_ends, self.y_ends
        return (x >= left) & (x <= right) & (y >= low) & (y <= high)

    def pixels(self, x: Floats, y: Floats) -> list[tuple[float, float]]:
        """Return places in px from the upper left."""
        (left, right), (low, high) = self.x_ends, self.y_ends
        across, down = (x - left) / (right - left) * self.wide, (high - y) / (high - low) * self.tall
        return list(zip(across.tolist(), down.tolist(), strict=True))


def framed(plot: Plot, across: Axis, up: Axis, most_named: int = 0) -> dict[str, Any]:
    """Return axes, margins and layout around a plot."""
    flat = ticks_of(across, plot.x_ends, 7, most_named or round(plot.wide / 18))
    upright = ticks_of(up, plot.y_ends, 5, most_named or round(plot.tall / 16))
    x_axis, y_axis = _axis(plot, "x", across, flat), _axis(plot, "y", up, upright)
    y_axis.label_offset = f"{max(3.4, 1.4 + 0.48 * upright.longest):.1f}em"
    margins = {"top": _TOP, "bottom": 52, "left": max(64, 34 + 7 * upright.longest), "right": _RIGHT}
    if flat.longest * 7 * len(flat.at) > plot.wide:
        # Names that are too long to stand beside each other are slanted.
        x_axis.tick_rotate, x_axis.tick_style = -35, {"text-anchor": "end"}
        margins["bottom"] += round(4 * flat.longest)
        x_axis.label_offset = f"{2.2 + 0.28 * flat.longest:.1f}em"
    wide = round(plot.wide) + margins["left"] + margins["right"]
    tall = round(plot.tall) + margins["top"] + margins["bottom"]
    layout = {"height": f"{tall}px", "width": "100%", "max_width": f"{max(720, wide)}px"}
    return {"axes": [x_axis, y_axis], "fig_margin": margins, "layout": layout}


def _axis(plot: Plot, along: str, axis: Axis, ticks: Any) -> Any:
    import bqplot

    made = bqplot.Axis(
        scale=plot.scales[along],
        label=shorten(axis.label, 70),
        label_offset="2.8em",
        color=NEUTRAL,
        label_color=NEUTRAL,
        grid_lines="none",
    )
    # As an argument it is deprecated since bqplot 0.13, where it follows from the side.
    made.orientation = "horizontal" if along == "x" else "vertical"
    if ticks.at:
        made.tick_values, made.tick_labels, made.tick_format = np.array(ticks.at), ticks.named, ticks.form
    return made


def equal(plot: Plot) -> Plot:
    """Give a unit the same length in both directions, in a plot that is neither flat nor narrow."""

    def widened(ends: tuple[float, float], least: float) -> tuple[float, float]:
        more = max(0.0, least - (ends[1] - ends[0])) / 2
        return ends[0] - more, ends[1] + more

    across, up = (high - low for low, high in (plot.x_ends, plot.y_ends))
    x_ends, y_ends = widened(plot.x_ends, up / 2), widened(plot.y_ends, across / 3)
    ratio = (y_ends[1] - y_ends[0]) / (x_ends[1] - x_ends[0])
    wide = min(WIDE, _TALLEST / ratio)
    return Plot(x_ends, y_ends, wide, wide * ratio)


#: Points nearer than this, px, have one label.
_NEAR = 7.0
#: Marks so near to each other, px, are one to a reader.
_SAME_MARK = 0.5
#: Half of what a dot covers, and of the height of a line of text, px.
_DOT, _LINE = 4.0, 7.0


class Place(NamedTuple):
    """How a label is set, and how far right of its point and below it, px."""

    align: str
    right: int
    down: int


class Text(NamedTuple):
    """A label, its colour, and its point in units of the axes and in px; inside a box it stands on it."""

    text: str
    colour: str
    at: tuple[float, float]
    pixels: tuple[float, float]
    inside: bool = False


#: In the order in which they are tried.
_PLACES = (
    Place("start", 8, 0),
    Place("end", -8, 0),
    Place("middle", 0, -14),
    Place("middle", 0, 14),
    *(Place(*side, down) for down in (-12, 12, -24, 24) for side in (("start", 8), ("end", -8))),
)
_CENTRE = Place("middle", 0, 0)


def placed(
    texts: list[Text], points: list[tuple[float, float]], size: tuple[float, float], neutral: str
) -> dict[tuple[str, Place], list[Text]]:
    """Return labels by their colour and by where they stand from their point."""
    taken = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in points]
    found: dict[tuple[str, Place], list[Text]] = {}
    for label in sorted(_shared(texts, neutral), key=lambda one: one.pixels):
        place = _CENTRE if label.inside else _free(label, taken, points, size)
        taken.append(_box(label, place))
        found.setdefault((label.colour, place), []).append(label)
    return found


def _shared(texts: list[Text], neutral: str) -> list[Text]:
    """Join the labels of one place; a name that several series have there stands once."""
    found: list[Text] = []
    for text in texts:
        for k, one in enumerate(found):
            away = max(abs(a - b) for a, b in zip(one.pixels, text.pixels, strict=True))
            if away < _NEAR and not text.inside:
                names = ", ".join(dict.fromkeys([*one.text.split(", "), text.text]))
                found[k] = one._replace(
                    text=names, colour=one.colour if one.colour == text.colour else neutral
                )
                break
        else:
            found.append(text)
    return found


def _box(label: Text, place: Place) -> tuple[float, float, float, float]:
    wide = width(label.text)
    left = label.pixels[0] + place.right - {"start": 0.0, "middle": wide / 2, "end": wide}[place.align]
    middle = label.pixels[1] + place.down
    return left, middle - _LINE, left + wide, middle + _LINE


def _free(
    label: Text,
    taken: list[tuple[float, float, float, float]],
    points: list[tuple[float, float]],
    size: tuple[float, float],
) -> Place:
    """Return the first place that covers nothing, rather one where nobody reads it as another point's."""
    free = []
    for place in _PLACES:
        left, top, right, foot = box = _box(label, place)
        within = left >= 0 and right <= size[0] + 16 and foot <= size[1] + _LINE
        if within and not any(a < right and left < c and b < foot and top < d for a, b, c, d in taken):
            if not _astray(box, label.pixels, points):
                return place
            free.append(place)
    return next(iter(free), _PLACES[0])


def _astray(
    box: tuple[float, float, float, float], own: tuple[float, float], marks: Iterable[tuple[float, float]]
) -> bool:
    """Tell whether a reader would take a label for that of another mark, which is as near as its own."""
    left, top, right, foot = box

    def away(mark: tuple[float, float]) -> float:
        return math.hypot(max(left - mark[0], 0, mark[0] - right), max(top - mark[1], 0, mark[1] - foot))

    near = away(own)
    return any(math.dist(other, own) > _SAME_MARK and away(other) <= near for other in marks)
