"""What a release without noise is analysed for: its parts, checked, and the law of its records."""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import COUNT, NEIGHBOURS, POSITIVE, SHARE, SHIFT, Whole
from pdp_widgets.errors import BudgetError, DomainError, TableError, Where
from pdp_widgets.leakage.noiseless.anonymity_inputs import (
    LEVELS,
    NEIGHBOUR_KINDS,
    Level,
    Neighbour,
    Released,
    default_release,
    readings_of,
    released,
)
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses, anonymise
from pdp_widgets.mechanisms.anonymity.mondrian import Anonymiser, as_anonymiser, mondrian
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import as_choice, how_many, short
from pdp_widgets.models.microdata import Microdata

Floats = NDArray[np.float64]

_POINTS = 101
#: The end of the axis of epsilon, where that is enough.
_END = 2.5


@lru_cache(maxsize=8)
def _classes(data: Microdata, quasi: tuple[int, ...], k: int, anonymiser: Anonymiser) -> EquivalenceClasses:
    return anonymise(data, quasi, k, anonymiser)


def classes_for(
    data: Microdata, quasi: tuple[int, ...], k: int, anonymiser: Anonymiser
) -> EquivalenceClasses:
    """Return the classes of a table; the last ones are kept."""
    try:
        hash(anonymiser)
    except TypeError:
        return anonymise(data, quasi, k, anonymiser)
    return _classes(data, quasi, k, anonymiser)


@lru_cache(maxsize=32)
def release_law(classes: EquivalenceClasses, one: Released) -> RecordLaw:
    """Return the law of one published record's contribution to a release."""
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
    """Return how many others are unknown, how many records a block has, and how many move with the target."""
    unknown = records - math.floor(known * records + 0.5)
    targets = min(neighbours, unknown)
    return unknown - targets, max(1, targets), targets


@lru_cache(maxsize=256)
def hidden_release(*parts: Any) -> HiddenRelease:
    """Return a release with what hides one record in it; its laws are found once."""
    return HiddenRelease(*parts)


@lru_cache(maxsize=32)
def axis_of(epsilon: float) -> Floats:
    """Return the axis of epsilon, 101 points: up to 2.5, or to the next of 5, 10, 25, 50, ... nats."""
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


#: Records that a release is of, at most.
_MOST = 10**12


class AnonymitySetting(Immutable):
    """What an `AnonymityAnalysis`, which is this with its questions, is made of."""

    __slots__ = (
        "__dict__",
        "_anonymiser",
        "_classes",
        "_group_change",
        "_known",
        "_level",
        "_n",
        "_neighbour",
        "_neighbours",
        "_released",
        "_secret",
        "_shift",
    )

    _classes: EquivalenceClasses
    _secret: int | None
    _released: Released
    _neighbour: Neighbour
    _level: Level
    _known: float
    _neighbours: int
    _shift: float | None
    _group_change: float
    _anonymiser: Anonymiser
    _n: int | None

    def __init__(
        self,
        data: Any,
        quasi: Any,
        secret: str | int | None = None,
        k: int = 5,
        *,
        release: str | None = None,
        n: int | None = None,
        neighbour: Neighbour = "value",
        level: Level | None = None,
        known: float = 0.0,
        neighbours: int = 1,
        shift: float | None = None,
        group_change: float = 1,
        anonymiser: Anonymiser = mondrian,
    ) -> None:
        self._begin()
        records = Microdata.of(data)
        size, maker = COUNT.take(k, "k"), as_anonymiser(anonymiser)
        places = records.places(quasi)
        place = None if secret is None else records.place(secret, "secret")
        if place in places:
            raise DomainError(
                f"Column {short(records.names[places[places.index(place)]])} is both a quasi-identifier and "
                "the secret; choose one.",
                Where("parameter", name="secret"),
            )
        chosen = default_release(records, places, place) if release is None else release
        for slot, value in (
            ("_secret", place),
            ("_released", released(records, place, chosen)),
            ("_neighbour", as_choice(neighbour, "neighbour", NEIGHBOUR_KINDS, BudgetError)),
            ("_level", None if level is None else as_choice(level, "level", LEVELS, BudgetError)),
            ("_shift", SHIFT.maybe(shift, "shift")),
            ("_known", SHARE.take(known, "known")),
            ("_neighbours", NEIGHBOURS.take(neighbours, "neighbours")),
            ("_group_change", POSITIVE.take(group_change, "group_change")),
            ("_anonymiser", maker),
        ):
            object.__setattr__(self, slot, value)
        if level is None:
            # Who says what is known, or which records depend on each other, means an adversary who knows it.
            object.__setattr__(self, "_level", LEVELS[2 * (self._known > 0) + (self._neighbours > 1)])
        object.__setattr__(self, "_classes", classes_for(records, places, size, maker))
        object.__setattr__(self, "_n", None if n is None else _as_many(n, size))
        # What cannot be computed is named now, not when a number is asked for.
        release_law(self._classes, self._released)

    def _made(self) -> bool:
        return hasattr(self, "_n")

    @property
    def data(self) -> Microdata:
        """The records."""
        return self._classes.data

    @property
    def classes(self) -> EquivalenceClasses:
        """The classes that are published."""
        return self._classes

    @property
    def achieved(self) -> int:
        """Least size of the classes there are."""
        return self._classes.achieved

    @property
    def quasi(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return self._classes.quasi

    @property
    def secret(self) -> str | None:
        """Name of the secret."""
        return None if self._secret is None else self.data.names[self._secret]

    @property
    def k(self) -> int:
        """Least size of a class that was asked for."""
        return self._classes.k

    @property
    def release(self) -> str:
        """The key of what is published beside the classes."""
        return self._released.key

    @property
    def released(self) -> Released:
        """What is published beside the classes."""
        return self._released

    @property
    def n(self) -> int:
        """How many records the release is of: as given, else those published; of a sum those with a value."""
        if self._n is not None:
            return self._n
        records, one = self._classes.published, self._released
        if one.value is not None:
            return records
        # Who has no value adds nothing to the sum, and hides nobody in it.
        column = self.data.columns[one.column]
        return records - int(column.missing[self._classes.rows].sum())

    @property
    def given_n(self) -> int | None:
        """The number of records as it was given; None for those of the table."""
        return self._n

    @property
    def neighbour(self) -> Neighbour:
        """What is compared."""
        return self._neighbour

    @property
    def level(self) -> Level:
        """What the adversary knows."""
        return self._level

    @property
    def known(self) -> float:
        """Share of the records whose values are known: 0 at levels I and II."""
        return self._known if self._level in ("III", "IV") else 0.0

    @property
    def neighbours(self) -> int:
        """Records that are equal: 1 at levels I and III."""
        return self._neighbours if self._level in ("II", "IV") else 1

    @property
    def given_shift(self) -> float | None:
        """The change of what is published as it was given; None for the range of values."""
        return self._shift

    @property
    def anonymiser(self) -> Anonymiser:
        """What made the classes."""
        return self._anonymiser

    @property
    def group_change(self) -> float:
        """The syntactic sensitivity in theorems as printed, in records."""
        return self._group_change

    @cached_property
    def law(self) -> RecordLaw:
        """The law of one record's contribution to what is published."""
        return release_law(self._classes, self._released)

    @property
    def share(self) -> float | None:
        """Share of the records that have the counted value; None for a sum."""
        return None if self._released.value is None else self.law.raw(1)

    @cached_property
    def hidden(self) -> HiddenRelease:
        """What is published, and what hides one record in it."""
        return self.hidden_at(self.known)

    def hidden_at(self, known: float) -> HiddenRelease:
        """Return the same for another share of known records, whatever the level.

        Parameters
        ----------
        known
            The share, 0 to 1.
        """
        records, one = self.n, self._released
        others, block, targets = unknown_records(records, known, self.neighbours)
        wide = 1.0 if one.value is not None else self.law.range
        counted = 0
        if one.kind in ("suppressed", "records"):
            counted = min(records - others - targets, math.floor(self.law.raw(1) * records + 0.5))
        return hidden_release(
            one.kind, self.law, wide, self.k, others, block, self._neighbour, self._shift, targets, counted
        )

    @property
    def unknown(self) -> int:
        """Unknown records other than those that move with the target."""
        return self.hidden.others

    @property
    def shift(self) -> float:
        """By how much the target changes what is published at most, in its units."""
        return self.hidden.moved

    @property
    def readings(self) -> tuple[str, ...]:
        """Keys of the theorems as printed that fit."""
        return readings_of(self._released.key, self._level)

    @property
    def about(self) -> str:
        """What is published, and by how many it is hidden, in words."""
        one, column = self._released, self.data.columns[self._released.column]
        if one.value is None:
            what = f"sum of {short(column.name)}"
        else:
            value = f"{short(column.name)} = {short(column.written(one.value))}"
            what = f"{'records' if one.kind == 'records' else 'count'} of {value}"
            what += "" if one.kind == "count" else f", withheld below {self.k:,}"
        there = ", the record there or not" if self._neighbour == "presence" else ""
        of = "" if self._n is None else f", {how_many(self._n, 'record')} assumed"
        return f"{what}{of}, {how_many(self.unknown, 'unknown other')}{there}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AnonymitySetting):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (
            self._classes,
            self._secret,
            self._released,
            self._neighbour,
            self._level,
            self._known,
            self._neighbours,
            self._shift,
            self._group_change,
            self._anonymiser,
            self._n,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restored, self._key()

    def __repr__(self) -> str:
        how = f"{self.n:,} records, " if self._n is not None else ""
        how += f"level {self._level}"
        how += f", {100 * self.known:.6g} % known" if self.known else ""
        how += f", {self.neighbours:,} equal" if self.neighbours > 1 else ""
        return f"{type(self).__name__}({self._classes!r}, {self._released.key!r}, {self._neighbour}, {how})"

    @classmethod
    def _restored(cls, classes: EquivalenceClasses, secret: int | None, *rest: Any) -> Self:
        made = cls.__new__(cls)
        slots = (
            "_released",
            "_neighbour",
            "_level",
            "_known",
            "_neighbours",
            "_shift",
            "_group_change",
            "_anonymiser",
            "_n",
        )
        for slot, value in zip(("_classes", "_secret", *slots), (classes, secret, *rest), strict=True):
            object.__setattr__(made, slot, value)
        return made


def _as_many(n: Any, k: int) -> int:
    """Return a number of records of which classes of k can be made."""
    accepted = f"give a whole number of records from k = {k:,} to {_MOST:,}, or None for those of the table"
    return Whole(accepted, k, _MOST).take(n, "n")
