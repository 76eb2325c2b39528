"""Attributes with names: where an attribute given by name or position stands."""

from __future__ import annotations

from collections.abc import Iterable

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import refuse_set, short, shown

__all__ = ["NamedAttributes"]


class NamedAttributes(Immutable):
    """Names of n attributes, and the positions of attributes among them."""

    __slots__ = ("_names",)

    _names: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Name of every attribute."""
        return self._names

    @property
    def n_attributes(self) -> int:
        """Number of attributes n."""
        return len(self._names)

    def attribute(self, attribute: str | int) -> int:
        """Return the position of an attribute given by name or position.

        Raises
        ------
        DomainError
            There is no such attribute.
        """
        where = Where("parameter", name="attribute")
        if isinstance(attribute, str):
            if attribute in self._names:
                return self._names.index(attribute)
            known = ", ".join(short(name) for name in self._names[:12])
            more = ", ..." if self.n_attributes > 12 else ""
            raise DomainError(
                f"There is no attribute named {short(attribute)}; the names are {known}{more}.", where
            )
        if is_whole(attribute) and 0 <= attribute < self.n_attributes:
            return int(attribute)
        raise DomainError(
            f"There is no attribute {shown(attribute)}; give a name or a position from 0 to "
            f"{self.n_attributes - 1}.",
            where,
        )

    def attributes(self, attributes: Iterable[str | int]) -> list[int]:
        """Return the positions of some attributes, in the given order, none twice."""
        refuse_set(attributes, "The attributes", "attributes")
        if not isinstance(attributes, str | int) and not isinstance(attributes, Iterable):
            raise DomainError(
                f"The attributes are {shown(attributes)}; give a list of names or positions.",
                Where("parameter", name="attributes"),
            )
        listed = [attributes] if isinstance(attributes, str | int) else attributes
        found = [self.attribute(one) for one in listed]
        if not found or len(set(found)) != len(found):
            raise DomainError(
                "Name at least one attribute, and none twice.", Where("parameter", name="attributes")
            )
        return found
