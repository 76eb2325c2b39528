"""What a result shows, declared: named series over two axes, or a table of cells. Others draw it.

A declaration is plain values. The front end's renderer makes pictures of it, for notebooks, pages and papers,
and `pdp_widgets.widgets.chart_figure` a bqplot figure; neither needs to know what kind of result it is.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, PdpError, TableError, Where

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
        _check(self, _TEXT, "label")
        _check(self, _NUMBER, "low", "high", optional=True)
        _check(self, _TEXTS, "names")
        _check(self, _FLAG, "powers", "whole")


@dataclass(frozen=True, eq=False)
class Series:
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

    def __post_init__(self) -> None:
        _check(self, _TEXT, "name")
        _check(self, _word(Mark), "mark")
        for part, words in (("colour", Colour), ("dashes", Dashes), ("shape", Shape)):
            _check(self, _word(words), part, optional=True)
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
                raise _fault(self, "corners", "a pair: x and y of the opposite corners")
            ends = tuple(_array(self.name, "corners", end, across) for end in self.corners)
            object.__setattr__(self, "corners", ends)
        if self.amounts is not None:
            pair = self.amounts if isinstance(self.amounts, tuple | list) else ()
            if len(pair) != 2 or not isinstance(pair[0], str):
                raise _fault(self, "amounts", "a pair: words, and a number for each point")
            told = pair[0], _array(self.name, "amounts", pair[1], across)
            object.__setattr__(self, "amounts", told)
        _check(self, _TEXTS, "labels")
        if self.labels and len(self.labels) != across.size:
            raise TableError(
                f"Series {self.name!r} has {len(self.labels)} labels for {across.size} points.",
                Where("parameter", name="labels"),
            )


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
        _check(self, _TEXT, "name")
        _check(self, _NUMBER, "at")
        _check(self, _word(Literal["x", "y"]), "along")
        _check(self, _word(Colour), "colour")


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
        _check(self, _TEXT, "title", "note")
        _check(self, (lambda given: _all(given, Series), "a list of Series"), "series")
        _check(self, (lambda given: _all(given, Level), "a list of Level"), "levels")
        _check(self, _FLAG, "equal", "wide")
        for part in ("x", "y"):
            if not isinstance(getattr(self, part), Axis):
                raise _fault(self, part, "an Axis")
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
class Cells:
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
        _check(self, _TEXT, "title", "down", "across", "key", "note")
        _check(self, _TEXTS, "rows", "columns")
        _check(self, _FLAG, "signed")
        _check(self, _NUMBER, "top", optional=True)
        values = _numbers(f"cells {self.title!r}", "values", self.values)
        object.__setattr__(self, "values", values)
        if values.shape != (len(self.rows), len(self.columns)):
            raise TableError(
                f"The cells of {self.title!r} have shape {values.shape}; there are {len(self.rows)} rows and "
                f"{len(self.columns)} columns.",
                Where("parameter", name="values"),
            )
        if self.texts is not None:
            _check(self, _TABLE, "texts")
            if list(map(len, self.texts)) != [len(self.columns)] * len(self.rows):
                raise _fault(self, "texts", _TABLE[1], TableError)

    def declared(self) -> dict[str, Any]:
        """Return it as JSON, see `Chart.declared`."""
        return {"kind": "cells", **_plain(self)}


@dataclass(frozen=True)
class Shown:
    """A drawing that only the front end has: the lattice of a weighted hierarchical graph.

    Parameters
    ----------
    title
        Heading.
    value
        A `WeightedHierarchicalGraph`.
    choice
        What is chosen in it: ``target`` and ``known``, the adversary, without a target the one who learns
        most; ``threshold``, a line in nats; ``show_paper``, whether the numbers of the paper stand in it.
    note
        What the numbers hold for.
    """

    title: str
    value: Any
    choice: dict[str, Any] = field(default_factory=dict)
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
    """Return a curve for each name with its values, over the same values of x.

    Parameters
    ----------
    at
        The values of x.
    values
        A name and the values of y, one pair for each.
    places
        Where the look of each stands among all, for a curve to keep its look where others come and go;
        without them 0, 1, 2 ...

    Raises
    ------
    DomainError
        Two would look alike: there are twelve looks, of four colours and three kinds of dashes.

    Examples
    --------
    >>> [(one.colour, one.dashes) for one in curves([0, 1], [("sum", [1, 2]), ("count", [0, 1])])]
    [('a', 'solid'), ('b', 'dashed')]
    """
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
    """Return a number as people read it, with so many significant digits.

    Examples
    --------
    >>> [number(value) for value in (-0.004, 1e6, 2.5e-6, -0.0, float("inf"))]
    ['−0.004', '1,000,000', '2.5e−6', '0', '∞']
    """
    text = f"{value + 0.0:,.{digits}g}"
    if "e+" in text and abs(value) < _LONG:
        text = f"{float(text):,.0f}"
    text = text.replace("e+", "e").replace("e-0", "e-").replace("-", "−")
    return text.replace("inf", "∞").replace("nan", "no number")


def nats(value: float, digits: int = 6) -> str:
    """Return a leakage or a budget as people read it, with its unit.

    Examples
    --------
    >>> nats(1.0), nats(0.25)
    ('1 nat', '0.25 nats')
    """
    text = number(value, digits)
    return f"{text} nat{'s' * (text != '1')}"


def told_apart(values: Sequence[float], digits: int = 6) -> list[str]:
    """Return numbers with as many digits, at least so many, as tell them apart.

    Examples
    --------
    >>> told_apart([2500000.0, 2500001.0], 4)
    ['2,500,000', '2,500,001']
    """
    # With 17 digits all floats differ.
    texts = ([number(value, most) for value in values] for most in range(digits, 18))
    return next(each for each in texts if len(set(each)) == len(set(values)))


def parted(x: Any, y: Any, over: Any, names: tuple[str, str], labels: Sequence[str] = ()) -> list[Series]:
    """Return dots: discs for what keeps a promise, triangles for what is above it, as far as there are any.

    Examples
    --------
    >>> [(one.name, one.shape) for one in parted([1, 2], [0.5, 3], [False, True], ("kept", "leaks more"))]
    [('kept', 'disc'), ('leaks more', 'triangle')]
    """
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


def _numbers(of: str, part: str, values: Any) -> Floats:
    """Return numbers as an array that nobody changes."""
    # A list is no masked array, and may hold a masked entry.
    listed = values if isinstance(values, list | tuple) else ()
    if np.ma.is_masked(values) or any(one is np.ma.masked or np.ma.is_masked(one) for one in listed):
        raise TableError(f"{part} of {of} has masked entries.", Where("parameter", name=part))
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":
            raise TypeError
        array = np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"{part} of {of} holds something that is no number, or rows of unequal length.",
            Where("parameter", name=part),
        ) from None
    array.flags.writeable = False
    return array


def _array(name: str, part: str, values: Any, like: Floats | None) -> Floats:
    array = _numbers(f"series {name!r}", part, values).ravel()
    if like is not None and array.size != like.size:
        raise TableError(
            f"Series {name!r} has {array.size} values of {part} for {like.size} points.",
            Where("parameter", name=part),
        )
    return array


#: What makes a parameter what it is to be, or None where it is not of that kind; and what is accepted.
_Kind: TypeAlias = tuple[Callable[[Any], Any], str]


def _fault(of: Any, part: str, accepted: str, error: type[PdpError] = DomainError) -> PdpError:
    given = " ".join(reprlib.repr(getattr(of, part)).split())
    message = f"{part} of {type(of).__name__} is {given}; it is {accepted}."
    return error(message, Where("parameter", name=part))


def _check(of: Any, kind: _Kind, *parts: str, optional: bool = False) -> None:
    for part in parts:
        if (given := getattr(of, part)) is None and optional:
            continue
        if (made := kind[0](given)) is None:
            raise _fault(of, part, kind[1] + (" or None" if optional else ""))
        object.__setattr__(of, part, made)


def _word(words: Any) -> _Kind:
    known = get_args(words)
    listed = ", ".join(map(repr, known))
    return lambda given: given if isinstance(given, str) and given in known else None, f"one of {listed}"


def _float(given: Any) -> float | None:
    if isinstance(given, str | bytes | bool | np.bool_) or given is np.ma.masked:
        return None
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        return None


def _all(given: Any, *kinds: Any) -> tuple[Any, ...] | None:
    try:
        listed = None if isinstance(given, str | bytes | set | Mapping) else tuple(given)
    except TypeError:
        return None
    return listed if listed is not None and all(isinstance(one, kinds) for one in listed) else None


def _names(given: Any) -> tuple[str, ...] | None:
    listed = _all(given, str, int, float, np.generic)
    return None if listed is None else tuple(map(str, listed))


def _rows(given: Any) -> tuple[tuple[str, ...], ...] | None:
    listed = [_names(row) for row in _all(given, object) or ()]
    return None if None in listed else tuple(row for row in listed if row is not None)


_TEXT: _Kind = (lambda given: str(given) if isinstance(given, str) else None, "a text")
_FLAG: _Kind = (lambda given: bool(given) if isinstance(given, bool | np.bool_) else None, "True or False")
_NUMBER: _Kind = (_float, "a number")
_TEXTS: _Kind = (_names, "a list of texts")
_TABLE: _Kind = (_rows, "a list of texts for each row, one for each cell")


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
