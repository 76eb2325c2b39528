"""The numbers of a local explorer that come at once: what they depend on, and the leakages of all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.local.curve_points import CurvePoints, curve_points, points_work
from pdp_widgets.leakage.local.first_of_equals import first_place
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.records import as_records
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.finite_channel import Channel
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import how_many, refuse_set, short, shown

if TYPE_CHECKING:
    from pdp_widgets.widgets.local_late import LateNumbers


LocalValue: TypeAlias = AttributeTable | JointDistribution
Floats = NDArray[np.float64]

#: What a screen has room for.
MOST_ATTRIBUTES, MOST_SYMBOLS = 40, 1000
#: Numbers sorted for the points of all pairs: more are not kept, and every budget is searched anew.
_MOST_SORTED = 2e6


def check_size(value: LocalValue) -> None:
    """Raise LimitError for more attributes or symbols than an explorer shows, with what to do instead."""
    sizes = [len(domain) for domain in value.domains]
    where = Where("table")
    if len(sizes) > MOST_ATTRIBUTES:
        raise LimitError(
            f"The table has {len(sizes)} attributes; an explorer shows at most {MOST_ATTRIBUTES}. Take "
            "some of them with table.select([...]), or compute all with LocalAnalysis.",
            where,
        )
    if sum(sizes) > MOST_SYMBOLS:
        largest = value.names[int(np.argmax(sizes))]
        raise LimitError(
            f"The attributes have {sum(sizes):,} labels together; an explorer shows at most "
            f"{MOST_SYMBOLS:,}. {short(largest)} has {max(sizes):,}: put numbers into bins, or take fewer "
            "attributes.",
            where,
        )


def _taken(value: LocalValue, attributes: Sequence[int]) -> LocalValue:
    if tuple(attributes) == tuple(range(len(value.names))):
        return value
    if isinstance(value, AttributeTable):
        return value.select(attributes)
    return value.marginal(list(attributes))


@dataclass(frozen=True)
class Only:
    """That a channel releases one attribute alone, and what releases the others."""

    attribute: int
    others: LocalMechanism


@dataclass(frozen=True, eq=False)
class LocalInputs:
    """What the numbers that come at once depend on."""

    value: LocalValue
    attributes: tuple[int, ...]
    min_count: float
    mechanism: LocalMechanism
    output: Output
    only: Only | None = None

    @property
    def mechanisms(self) -> tuple[LocalMechanism, ...]:
        """What releases each chosen attribute; a channel of another number of labels raises DomainError."""
        if not isinstance(self.mechanism, Channel):
            return (self.mechanism,) * len(self.attributes)
        found = []
        for attribute in self.attributes:
            if self.only is not None and self.only.attribute != attribute:
                found.append(self.only.others)
                continue
            rows, size = len(self.mechanism.matrix), len(self.value.domains[attribute])
            if rows != size:
                name = short(self.value.names[attribute])
                raise DomainError(
                    f"The channel has {how_many(rows, 'row')} and {name} has {how_many(size, 'label')}; give "
                    "one row for each label.",
                    Where("parameter", name="mechanism"),
                )
            found.append(self.mechanism)
        return tuple(found)

    @property
    def given(self) -> Any:
        """The mechanism as Python gives it: one for all, or a mapping of attributes to theirs."""
        if self.only is None:
            return self.mechanism
        names = self.value.names
        return {
            name: self.mechanism if place == self.only.attribute else self.only.others
            for place, name in enumerate(names)
        }

    def same_table(self, other: LocalInputs) -> bool:
        """Whether both have the same tables of pairs."""
        return (
            self.value is other.value
            and self.attributes == other.attributes
            and self.min_count == other.min_count
        )

    def same(self, other: LocalInputs) -> bool:
        """Whether all is the same."""
        mine, theirs = ((one.mechanism, one.only, one.output) for one in (self, other))
        return self.same_table(other) and mine == theirs


@dataclass(frozen=True, eq=False)
class LocalResults:
    """Results for some inputs."""

    inputs: LocalInputs
    analysis: LocalAnalysis
    points: CurvePoints | None
    late: LateNumbers | None = None
    #: What does not depend on mechanism and budget, once it was computed.
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    #: What was last asked about a pair, as the browser shows it.
    pairs: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict, repr=False)

    @cached_property
    def associations(self) -> tuple[Floats, Floats]:
        """NMI over the joint entropy, and Pearson's correlation of positions, both shape (n, n)."""
        if "associations" not in self.kept:
            names = self.analysis.names
            found = np.zeros((2, len(names), len(names)))
            places = {name: place for place, name in enumerate(names)}
            for (first, second), one in self.analysis.associations().items():
                a, b = places[first], places[second]
                found[0, a, b] = found[0, b, a] = one.nmi["joint"]
                found[1, a, b] = found[1, b, a] = one.correlation
            self.kept["associations"] = found[0], found[1]
        both: tuple[Floats, Floats] = self.kept["associations"]
        return both


def results_for(inputs: LocalInputs, last: LocalResults | None = None) -> LocalResults:
    """Return the numbers that come at once."""
    again = last is not None and last.inputs.same_table(inputs)
    data = last.analysis.data if last is not None and again else _taken(inputs.value, inputs.attributes)
    mechanisms, output = inputs.mechanisms, inputs.output
    made = LocalAnalysis(data, mechanisms, output=output, min_count=inputs.min_count)
    small = points_work(made) <= _MOST_SORTED
    if last is not None and again and small:
        made = last.analysis.read_as("raw").released_by(mechanisms).read_as(output)
    points = curve_points(made) if small else None
    # Computed now: what is wrong with them must not be found while they are drawn.
    made.matrix.any()
    return LocalResults(inputs, made, points, kept=last.kept if last is not None and again else {})


def largest_pair(results: LocalResults) -> tuple[int, int] | None:
    """Return source and secret, among all, of the first pair that leaks most; None for one attribute."""
    chosen = results.inputs.attributes
    if len(chosen) < 2:
        return None
    j, k = first_place(results.analysis.matrix)
    return chosen[j], chosen[k]


def all_attributes(value: LocalValue) -> tuple[int, ...]:
    """Return the positions of all attributes."""
    return tuple(range(len(value.names)))


def is_counted(value: LocalValue) -> bool:
    """Tell whether the numbers are records."""
    return isinstance(value, AttributeTable) or value.counts is not None


def as_attributes(value: LocalValue, asked: Any) -> tuple[int, ...]:
    """Return positions of attributes given in Python, in the order of the table; all for None."""
    if asked is None:
        return all_attributes(value)
    if isinstance(asked, str) or is_whole(asked):
        asked = [asked]
    refuse_set(asked, "The attributes", "attributes")
    try:
        listed = list(asked)
    except TypeError:
        raise DomainError(
            f"The attributes are {shown(asked)}; give a list of names or positions.",
            Where("parameter", name="attributes"),
        ) from None
    found = sorted({as_attribute(value, one, "attributes", all_attributes(value)) for one in listed})
    if not found:
        raise DomainError("No attribute is chosen; give one or more.", Where("parameter", name="attributes"))
    return tuple(found)


def as_attribute(value: LocalValue, asked: Any, name: str, among: tuple[int, ...]) -> int:
    """Return the position of one attribute given in Python, or raise DomainError."""
    names = value.names
    if isinstance(asked, str) and asked in names:
        place = names.index(asked)
    elif is_whole(asked) and 0 <= asked < len(names):
        place = int(asked)
    else:
        place = -1
    if place in among:
        return place
    listed = ", ".join(short(names[a]) for a in among[:12]) + (", ..." if len(among) > 12 else "")
    what = "is not released" if place >= 0 else "does not exist"
    raise DomainError(f"Attribute {shown(asked)} {what}; there are {listed}.", Where("parameter", name=name))


def as_local_value(value: Any) -> LocalValue:
    """Return the records or the joint distribution given in Python; a data frame becomes records."""
    found = as_records(value)
    if isinstance(found, AttributeTable | JointDistribution):
        return found
    raise TypeError(
        f"The value is a {type(value).__name__}; give an AttributeTable, a JointDistribution or a data frame."
    )
