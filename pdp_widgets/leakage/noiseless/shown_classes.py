"""The classes of a table as an explorer lists them: letter, ranges, colour, box, and what members share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pdp_widgets.leakage.noiseless.anonymity_inputs import Released
from pdp_widgets.leakage.noiseless.class_colours import class_colours
from pdp_widgets.leakage.noiseless.secret_pairs import is_known, secret_pairs
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses

__all__ = ["MOST_CLASSES", "MOST_ROWS", "ShownClass", "drawn_columns", "shown_classes", "single_valued"]

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
    """Return positions of the columns of the map: those asked for, or the first two quasi-identifiers.

    Examples
    --------
    >>> drawn_columns((3, 1, 2), None), drawn_columns((3,), None), drawn_columns((3, 1, 2), (2, 1))
    ((3, 1), (3, None), (2, 1))
    """
    if drawn is not None and drawn[0] in quasi:
        second = drawn[1]
        if (second is None and len(quasi) == 1) or (second in quasi and second != drawn[0]):
            return drawn
    return quasi[0], quasi[1] if len(quasi) > 1 else None


def single_valued(classes: EquivalenceClasses, secret: int) -> tuple[bool, ...]:
    """Return of every class whether all its members have the same secret, none missing.

    Examples
    --------
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "no", "no", None]}
    >>> single_valued(EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]]), 1)
    (True, False)
    """
    if not is_known(classes, secret):
        return (False,) * len(classes)
    pairs = secret_pairs(classes, secret)
    one = (np.bincount(pairs.class_, minlength=pairs.classes) == 1) & (pairs.known == classes.sizes)
    return tuple(one.tolist())


def shown_classes(
    classes: EquivalenceClasses, secret: int | None, one: Released, drawn: tuple[int, int | None]
) -> tuple[ShownClass, ...]:
    """Return the first 200 classes; colours are chosen by what is near among all.

    Parameters
    ----------
    classes
        All classes.
    secret
        Position of the secret, or None.
    one
        What is published: of its value it is said how many members have it.
    drawn
        Positions of the columns of the map.

    Examples
    --------
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "yes", "no", "no"]}
    >>> classes = EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]])
    >>> release = Released("count:yes", "count", 1, 1.0)
    >>> [(one.letter, one.shared, one.box) for one in shown_classes(classes, 1, release, (0, None))]
    [('A', '1 yes', (1.0, 2.0, 0.0, 0.0)), ('B', 'all no', (3.0, 4.0, 0.0, 0.0))]
    """
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
        members = classes.members(place)
        found.append(
            ShownClass(
                classes.letters[place],
                tuple(members[:MOST_ROWS].tolist()),
                colours[place],
                classes.ranges_of(place),
                len(members),
                boxes[place],
                _shared(classes, secret, one, place, single[place]),
                single[place],
            )
        )
    return tuple(found)


def _shared(classes: EquivalenceClasses, secret: int | None, one: Released, place: int, single: bool) -> str:
    if secret is None:
        return ""
    column = classes.data.columns[secret]
    values = column.values[classes.members(place)]
    if single:
        return f"all {column.written(float(values[0]))}"
    if one.value is not None:
        return f"{int((values == one.value).sum())} {column.written(one.value)}"
    known = len(np.unique(values[~np.isnan(values)]))
    return f"{known} value{'s' * (known != 1)}"
