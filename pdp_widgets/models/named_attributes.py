"""Attributes with names: where an attribute given by name or position stands."""

from __future__ import annotations

from collections.abc import Iterable

from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.named_positions import position_of, positions_of

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

        Examples
        --------
        >>> from pdp_widgets import titanic, AttributeTable
        >>> AttributeTable.from_counts(titanic()).attribute("sex")
        1
        """
        return position_of(attribute, self._names, "attribute")

    def attributes(self, attributes: Iterable[str | int]) -> list[int]:
        """Return the positions of some attributes, in the given order, none twice.

        Examples
        --------
        >>> from pdp_widgets import titanic, AttributeTable
        >>> AttributeTable.from_counts(titanic()).attributes(["age", 0])
        [2, 0]
        """
        return positions_of(attributes, self._names, "attribute")
