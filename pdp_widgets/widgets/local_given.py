"""What a local explorer is given in Python: a table or a frame, and attributes by name or position."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.given_data import as_records
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import refuse_set, short, shown
from pdp_widgets.widgets.local_results import LocalValue

__all__ = ["all_attributes", "as_attribute", "as_attributes", "as_local_value", "is_counted"]


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
