"""Parts of an analysis of a k-anonymous table that are found once: classes, laws, and what hides a record."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.leakage.noiseless.anonymity_inputs import Released
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.mechanisms.anonymity.anonymised import anonymise
from pdp_widgets.mechanisms.anonymity.checked_groups import Anonymiser
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.microdata import Microdata

__all__ = ["as_amount", "axis_of", "classes_for", "hidden_release", "release_law", "unknown_records"]

Floats = NDArray[np.float64]

_POINTS = 101
#: The end of the axis of epsilon, where that is enough.
_END = 2.5


def as_amount(
    value: Any,
    name: str,
    accepted: str,
    least: float = -math.inf,
    most: float = math.inf,
    *,
    above: bool = False,
) -> float:
    """Return a finite number from least to most, or above least, or raise BudgetError.

    Examples
    --------
    >>> as_amount(0.3, "known", "it is a share, 0 to 1", 0.0, 1.0)
    0.3
    """
    try:
        number = math.nan if isinstance(value, bool | np.bool_) else plain_number(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (math.isfinite(number) and least <= number <= most) or (above and number == least):
        text = f"{number:.12g}" if isinstance(value, float | int) and not math.isnan(number) else shown(value)
        raise BudgetError(f"{name} is {text}; {accepted}.", Where("parameter", name=name))
    return number + 0.0


@lru_cache(maxsize=8)
def _classes(data: Microdata, quasi: tuple[int, ...], k: int, anonymiser: Anonymiser) -> EquivalenceClasses:
    return anonymise(data, quasi, k, anonymiser)


def classes_for(
    data: Microdata, quasi: tuple[int, ...], k: int, anonymiser: Anonymiser
) -> EquivalenceClasses:
    """Return the classes of a table; the last ones are kept.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.anonymity.mondrian import mondrian
    >>> data = Microdata({"age": [1, 2, 3, 4]})
    >>> classes_for(data, (0,), 2, mondrian) is classes_for(data, (0,), 2, mondrian)
    True
    """
    try:
        hash(anonymiser)
    except TypeError:
        return anonymise(data, quasi, k, anonymiser)
    return _classes(data, quasi, k, anonymiser)


@lru_cache(maxsize=32)
def release_law(classes: EquivalenceClasses, one: Released) -> RecordLaw:
    """Return the law of one published record's contribution to a release.

    Raises
    ------
    TableError
        No published record has a value to add up.

    Examples
    --------
    >>> classes = anonymise({"age": [1, 2, 3], "ill": ["no", "yes", "no"]}, "age", 1)
    >>> release_law(classes, Released("sum:age", "sum", 0, None)).range
    2.0
    """
    column = classes.data.columns[one.column]
    values = column.values[classes.number >= 0]
    if one.value is not None:
        return RecordLaw.bernoulli(float((values == one.value).sum()) / len(values))
    there = values[~np.isnan(values)]
    if not len(there):
        raise TableError(
            f"No published record has a value of {short(column.name)}; choose another release.",
            Where("parameter", name="release"),
        )
    return RecordLaw.empirical(there)


def unknown_records(records: int, known: float, neighbours: int) -> tuple[int, int, int]:
    """Return how many others are unknown, how many records a block has, and how many move with the target.

    Parameters
    ----------
    records
        Published records.
    known
        Share that is known; the number is rounded half up.
    neighbours
        Records that move together, fewer where fewer are unknown.

    Examples
    --------
    >>> unknown_records(100, 0.3, 1), unknown_records(100, 0.0, 7), unknown_records(100, 1.0, 3)
    ((69, 1, 1), (93, 7, 7), (0, 1, 0))
    """
    unknown = records - math.floor(known * records + 0.5)
    targets = min(neighbours, unknown)
    return unknown - targets, max(1, targets), targets


@lru_cache(maxsize=256)
def hidden_release(*parts: Any) -> HiddenRelease:
    """Return a release with what hides one record in it; its laws are found once.

    Parameters
    ----------
    parts
        Those of a `HiddenRelease`.
    """
    return HiddenRelease(*parts)


@lru_cache(maxsize=32)
def axis_of(epsilon: float) -> Floats:
    """Return the axis of epsilon, 101 points: up to 2.5, or to the next of 5, 10, 25, 50, ... nats.

    Examples
    --------
    >>> axis_of(1.0)[-1], axis_of(2.6)[-1], axis_of(30.0)[-1], axis_of(float("inf"))[-1]
    (np.float64(2.5), np.float64(5.0), np.float64(50.0), np.float64(2.5))
    """
    end = _END
    if math.isfinite(epsilon):
        steps = (2.5, 5.0, 10.0)
        power = 1.0
        while end < epsilon:
            end = next((step * power for step in steps if step * power >= epsilon), end)
            power *= 10
            if power > 1e300:
                end = float(np.finfo(np.float64).max)
    # The product of a large one would be infinite.
    parts = range(_POINTS)
    found = np.array([end * k / (_POINTS - 1) if end < 1e300 else end * (k / (_POINTS - 1)) for k in parts])
    found.setflags(write=False)
    return found
