"""What a result shows, declared: named series over two axes, or a table of cells. Others draw it.

A declaration is plain values. The front end's renderer makes pictures of it, for notebooks, pages and papers,
and `pdp_widgets.widgets.chart_figure` a bqplot figure; neither needs to know what kind of result it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import FLAG, NUMBER, TABLE, TEXT, TEXTS, all_of, as_numbers, check, fault, word
from pdp_widgets.errors import DomainError, TableError, Where

__all__ = [
    "TOLD_APART",
    "Axis",
    "Cells",
    "Chart",
    "Colour",
    "Drawn",
    "Level",
    "Series",
    "Shown",
    "curve",
    "curves",
    "nats",
    "number",
    "parted",
    "told_apart",
]

Floats: TypeAlias = NDArray[np.float64]
Mark: TypeAlias = Literal["line", "dots", "boxes"]
Dashes: TypeAlias = Literal["solid", "dashed", "dotted"]
Shape: TypeAlias = Literal["disc", "ring", "diamond", "triangle", "cross"]
#: Names of the palette: four for series, told apart in grey too, and those that mean something.
Colour: TypeAlias = Literal["a", "b", "c", "d", "ink", "ink2", "promise", "paper", "over", "est"]

#: More series in one chart cannot be told apart, unless each says its own colour.
_MOST_SERIES = 6
#: Looks of `curves`: four colours in three kinds of dashes.
_MOST_CURVES = 12


class _Declared:
    """Base of what holds arrays: they are read-only after pickling and copying too."""

    def __post_init__(self) -> None:
        raise NotImplementedError

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()


@dataclass(frozen=True)
class Axis:
    """An axis of a chart.

    Parameters
    ----------
    label
        What it shows, with its unit: ``"leakage, nats"``.
    low, high
        Its ends; without them the values decide. What lies outside is cut off.
    names
        What stands at 0, 1, 2 ... in place of numbers: tuples, labels, rules.
    powers
        Values are exponents of ten and are written as such.
    whole
        Only whole numbers are marked.

    Raises
    ------
    DomainError
        A parameter is not of its kind.
    """

    label: str
    low: float | None = None
    high: float | None = None
    names: Sequence[str] = ()
    powers: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        check(self, TEXT, "label")
        check(self, NUMBER, "low", "high", optional=True)
        check(self, TEXTS, "names")
        check(self, FLAG, "powers", "whole")


@dataclass(frozen=True, eq=False)
class Series(_Declared):
    """One series of a chart.

    Parameters
    ----------
    name
        What the key says; the key leaves out a series without one.
    x, y
        Where its points are, kept as arrays. A point that is no number is not drawn, and breaks a line.
    mark
        ``"line"``, ``"dots"``, or ``"boxes"``: rectangles from (x, y) to ``corners``.
    low, high
        Of every point: the band around a line, the interval through a dot. In units of y or, where y has
        names, of x.
    corners
        The opposite corners of boxes, x and y.
    labels
        A text beside each point, in full; empty for none.
    sizes
        Radius of each dot in px of a screen; without it all are alike.
    amounts
        What the sizes stand for: in words, with the unit, and a number for each point.
    colour, dashes, shape
        How it is drawn where that means something: ``"promise"``, ``"paper"`` and ``"over"`` are what is
        promised, printed, and above the promise. Without them the next of the palette.
    told
        The numbers that are meant, as a series, where marks are moved aside to be seen or are an outline:
        tables list it in place of what is drawn.

    Raises
    ------
    TableError
        Something is no number or text, or not one for each point.
    DomainError
        There is no such mark, colour, shape or kind of dashes, or boxes have no corners.

    Examples
    --------
    >>> Series("half", [0, 1], [0, 0.5]).y.tolist()
    [0.0, 0.5]
    """

    name: str
    x: Any
    y: Any
    mark: Mark = "line"
    low: Any = None
    high: Any = None
    corners: tuple[Any, Any] | None = None
    labels: Sequence[str] = ()
    sizes: Any = None
    amounts: tuple[str, Any] | None = None
    colour: Colour | None = None
    dashes: Dashes | None = None
    shape: Shape | None = None
    told: Series | None = None

    def __post_init__(self) -> None:
        check(self, TEXT, "name")
        if self.told is not None and not isinstance(self.told, Series):
            raise fault(self, "told", "a Series or None")
        check(self, word(Mark), "mark")
        for part, words in (("colour", Colour), ("dashes", Dashes), ("shape", Shape)):
            check(self, word(words), part, optional=True)
        across = _array(self.name, "x", self.x, None)
        object.__setattr__(self, "x", across)
        for part in ("y", "low", "high", "sizes"):
            if (given := getattr(self, part)) is not None or part == "y":
                object.__setattr__(self, part, _array(self.name, part, given, across))
        if (self.mark == "boxes") != (self.corners is not None):
            raise DomainError(
                f"Series {self.name!r} has the mark {self.mark!r}; boxes have corners, and nothing else has.",
                Where("parameter", name="corners"),
            )
        if self.corners is not None:
            if not isinstance(self.corners, tuple | list | np.ndarray) or len(self.corners) != 2:
                raise fault(self, "corners", "a pair: x and y of the opposite corners")
            ends = tuple(_array(self.name, "corners", end, across) for end in self.corners)
            object.__setattr__(self, "corners", ends)
        if self.amounts is not None:
            pair = self.amounts if isinstance(self.amounts, tuple | list) else ()
            if len(pair) != 2 or not isinstance(pair[0], str):
                raise fault(self, "amounts", "a pair: words, and a number for each point")
            told = pair[0], _array(self.name, "amounts", pair[1], across)
            object.__setattr__(self, "amounts", told)
        check(self, TEXTS, "labels")
        if self.labels and len(self.labels) != across.size:
            raise TableError(
                f"Series {self.name!r} has {len(self.labels)} labels for {across.size} points.",
                Where("parameter", name="labels"),
            )

    def telling(self, **numbers: Any) -> Series:
        """Return it with other parameters in the table than in the drawing.

        Examples
        --------
        >>> Series("half", [0.9, 1.1], [0, 0.5], "dots").telling(x=[1, 1]).told.x.tolist()
        [1.0, 1.0]
        """
        return replace(self, told=replace(self, **numbers))


@dataclass(frozen=True)
class Level:
    """A straight dashed line across a chart, such as a promise.

    Parameters
    ----------
    name
        What stands at it.
    at
        Its value.
    along
        The axis that it is a value of.
    colour
        Of the palette.

    Raises
    ------
    DomainError
        A parameter is not of its kind.
    """

    name: str
    at: float
    along: Literal["x", "y"] = "y"
    colour: Colour = "promise"

    def __post_init__(self) -> None:
        check(self, TEXT, "name")
        check(self, NUMBER, "at")
        check(self, word(Literal["x", "y"]), "along")
        check(self, word(Colour), "colour")


@dataclass(frozen=True, eq=False)
class Chart:
    """Series over two axes.

    Parameters
    ----------
    title
        Heading.
    series
        What is drawn; the first lies below.
    x, y
        The axes.
    levels
        Lines across.
    note
        What the numbers hold for, below the chart.
    equal
        A unit is as long in both directions, as on a map.
    wide
        It takes the width there is, so that several below each other are compared by their x.

    Raises
    ------
    DomainError
        There is no series, or there are more than six that say no colour; or a parameter is not of its kind.

    Examples
    --------
    >>> chart = Chart("Halves", [Series("half", [0, 1], [0, 0.5])], Axis("x"), Axis("y, nats"))
    >>> chart.y.label, chart.declared()["series"][0]["y"]
    ('y, nats', [0.0, 0.5])
    """

    title: str
    series: Sequence[Series]
    x: Axis
    y: Axis
    levels: Sequence[Level] = ()
    note: str = ""
    equal: bool = False
    wide: bool = False

    def __post_init__(self) -> None:
        check(self, TEXT, "title", "note")
        check(self, (lambda given: all_of(given, Series), "a list of Series"), "series")
        check(self, (lambda given: all_of(given, Level), "a list of Level"), "levels")
        check(self, FLAG, "equal", "wide")
        for part in ("x", "y"):
            if not isinstance(getattr(self, part), Axis):
                raise fault(self, part, "an Axis")
        bare = sum(one.colour is None for one in self.series)
        if not self.series or bare > _MOST_SERIES:
            raise DomainError(
                f"The chart {self.title!r} has {len(self.series)} series, {bare} of them without a colour; "
                f"1 or more are needed, and of those without a colour {_MOST_SERIES} can be told apart.",
                Where("parameter", name="series"),
            )

    def declared(self) -> dict[str, Any]:
        """Return it as JSON: numbers that are none become null, infinite ones the text of JavaScript."""
        return {"kind": "chart", **_plain(self)}


@dataclass(frozen=True, eq=False)
class Cells(_Declared):
    """A table of numbers, each with a colour for its size.

    Parameters
    ----------
    title
        Heading.
    rows, columns
        Their names.
    values
        One for each cell; what is no number has no colour.
    down, across
        What rows and columns are.
    texts
        What cells say in place of their numbers.
    key
        What the colours mean, with the unit: ``"leakage, nats"``.
    signed
        Colours part at 0: one for what is above, one for what is below.
    top
        The value of the strongest colour; without it the largest.
    note
        What the numbers hold for, below.

    Raises
    ------
    TableError
        Values or texts are not one for each cell.
    DomainError
        A parameter is not of its kind.

    Examples
    --------
    >>> Cells("Leakage", ["a", "b"], ["a", "b"], [[0, 0.1], [0.2, 0]], "source", "secret").values.shape
    (2, 2)
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Any
    down: str = ""
    across: str = ""
    texts: Sequence[Sequence[str]] | None = None
    key: str = ""
    signed: bool = False
    top: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        check(self, TEXT, "title", "down", "across", "key", "note")
        check(self, TEXTS, "rows", "columns")
        check(self, FLAG, "signed")
        check(self, NUMBER, "top", optional=True)
        values = as_numbers(f"cells {self.title!r}", "values", self.values)
        object.__setattr__(self, "values", values)
        if values.shape != (len(self.rows), len(self.columns)):
            raise TableError(
                f"The cells of {self.title!r} have shape {values.shape}; there are {len(self.rows)} rows and "
                f"{len(self.columns)} columns.",
                Where("parameter", name="values"),
            )
        if self.texts is not None:
            check(self, TABLE, "texts")
            if list(map(len, self.texts)) != [len(self.columns)] * len(self.rows):
                raise fault(self, "texts", TABLE[1], TableError)

    def declared(self) -> dict[str, Any]:
        """Return it as JSON, see `Chart.declared`."""
        return {"kind": "cells", **_plain(self)}


@dataclass(frozen=True)
class Shown:
    """A drawing that only the front end has: the lattice of a weighted hierarchical graph."""

    title: str
    #: A `WeightedHierarchicalGraph`.
    value: Any
    #: ``target`` and ``known``, the adversary, without a target the one who learns most; ``threshold``, a
    #: line in nats; ``show_paper``, whether the numbers of the paper stand in it.
    choice: dict[str, Any] = field(default_factory=dict)
    #: What the numbers hold for.
    note: str = ""


#: One picture of a result: a declaration, or several side by side.
Drawn: TypeAlias = Chart | Cells | Shown | Sequence[Chart | Cells]


#: Colours of one kind of thing, one after the other; `curves` adds dashes.
TOLD_APART: tuple[Colour, ...] = ("a", "b", "c", "d")
_DASHES: tuple[Dashes, ...] = ("solid", "dashed", "dotted")
#: From here on a number is written with a power of ten.
_LONG = 1e15


def curve(name: str, at: Any, values: Any, colour: Colour, dashes: Dashes = "solid") -> Series:
    """Return values as a line; one alone is a dot."""
    return Series(name, at, values, "line" if np.size(values) > 1 else "dots", colour=colour, dashes=dashes)


def curves(at: Any, values: Iterable[tuple[str, Any]], places: Sequence[int] = ()) -> list[Series]:
    """Return a curve for each name with its values, over the same x, each with a look of its own."""
    # ``places`` say where the look of each stands among all twelve: a curve keeps it where others go.
    listed = list(values)
    if len({k % _MOST_CURVES for k in places or range(len(listed))}) < len(listed):
        raise DomainError(
            f"{len(listed)} curves cannot be told apart; {_MOST_CURVES} can, each with a place of its own.",
            Where("parameter", name="values"),
        )
    return [
        curve(name, at, numbers, TOLD_APART[k % 4], _DASHES[(k + k // 4) % 3])
        for k, (name, numbers) in zip(places or range(len(listed)), listed, strict=True)
    ]


def number(value: float, digits: int = 6) -> str:
    """Return a number as people read it, to so many digits; whole and large ones to the unit."""
    # No zeros stand in the place of digits that were left out. As js/src/ui/format.ts has it.
    text = f"{value + 0.0:,.{digits}g}"
    if abs(value) < _LONG and ("e+" in text or value == round(value)):
        text = f"{value + 0.0:,.0f}"
    text = text.replace("e+", "e").replace("e-0", "e-").replace("-", "−")
    return text.replace("inf", "∞").replace("nan", "no number")


def nats(value: float, digits: int = 6) -> str:
    """Return a leakage or a budget as people read it, with its unit."""
    text = number(value, digits)
    return f"{text} nat{'s' * (text != '1')}"


def told_apart(values: Sequence[float], digits: int = 6) -> list[str]:
    """Return numbers with as many digits, at least so many, as tell them apart."""
    # With 17 digits all floats differ.
    texts = ([number(value, most) for value in values] for most in range(digits, 18))
    whole = {number(value, 17) for value in values}
    return next(each for each in texts if len(set(each)) == len(whole))


def parted(x: Any, y: Any, over: Any, names: tuple[str, str], labels: Sequence[str] = ()) -> list[Series]:
    """Return dots: discs for what keeps a promise, triangles for what is above it, if there are any."""
    across, up, above = np.asarray(x), np.asarray(y), np.asarray(over, dtype=bool)
    looks: tuple[tuple[str, Any, Colour, Shape], ...] = (
        (names[0], ~above, "a", "disc"),
        (names[1], above, "over", "triangle"),
    )
    return [
        Series(
            name,
            across[some],
            up[some],
            "dots",
            labels=list(compress(labels, some)),
            colour=colour,
            shape=shape,
        )
        for name, some, colour, shape in looks
        if some.any()
    ]


def _array(name: str, part: str, values: Any, like: Floats | None) -> Floats:
    array = as_numbers(f"series {name!r}", part, values).ravel()
    if like is not None and array.size != like.size:
        raise TableError(
            f"Series {name!r} has {array.size} values of {part} for {like.size} points.",
            Where("parameter", name=part),
        )
    return array


def _plain(value: Any) -> Any:
    """Return a declaration as lists, texts and numbers."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value
