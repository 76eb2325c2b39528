"""Tuples, attributes and axes with names: where one given by name or position stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import DomainError, InstanceError, Where
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import Domain, Label, refuse_set, short, shown

__all__ = ["NamedAttributes", "NamedAxes", "NamedTuples", "position_of", "positions_of"]

#: Names that an error lists.
_LISTED = 12


def position_of(given: str | int, names: Sequence[str], what: str) -> int:
    """Return the position of one thing among names."""
    where, n = Where("parameter", name=what), len(names)
    if isinstance(given, str):
        if given in names:
            return list(names).index(given)
        known = ", ".join(short(name) for name in names[:_LISTED]) + (", ..." if n > _LISTED else "")
        raise DomainError(f"There is no {what} named {short(given)}; the names are {known}.", where)
    if is_whole(given) and 0 <= given < n:
        return int(given)
    raise DomainError(
        f"There is no {what} {shown(given)}; give a name or a position from 0 to {n - 1}.", where
    )


def positions_of(given: Iterable[str | int] | str | int, names: Sequence[str], what: str) -> list[int]:
    """Return the positions of some things, in the given order."""
    where = Where("parameter", name=f"{what}s")
    refuse_set(given, f"The {what}s", f"{what}s")
    if not isinstance(given, str | int) and not isinstance(given, Iterable):
        raise DomainError(f"The {what}s are {shown(given)}; give a list of names or positions.", where)
    found = [position_of(one, names, what) for one in ([given] if isinstance(given, str | int) else given)]
    twice = next((names[at] for k, at in enumerate(found) if at in found[:k]), None)
    if not found or twice is not None:
        said = "" if twice is None else f"{short(twice)} is named twice. "
        raise DomainError(f"{said}Name at least one {what}, and none twice.", where)
    return found


class NamedTuples(Immutable):
    """Names of n tuples, and the positions of tuples among them."""

    __slots__ = ("_names",)

    _names: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Name of every tuple."""
        return self._names

    @property
    def n_tuples(self) -> int:
        """Number of tuples n."""
        return len(self._names)

    def axis(self, tuple_: str | int) -> int:
        """Return the position of a tuple given by name or position.

        Raises
        ------
        DomainError
            There is no such tuple.
        """
        return position_of(tuple_, self._names, "tuple")

    def axes(self, tuples: Iterable[str | int]) -> list[int]:
        """Return the positions of some tuples, in the given order.

        Raises
        ------
        DomainError
            None is named, one is named twice, or one does not exist.
        """
        return positions_of(tuples, self._names, "tuple")


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


class NamedAxes(NamedTuples):
    """Names and domains of n tuples, and the positions of tuples, labels and rows among them."""

    __slots__ = ("_domains", "_positions")

    _domains: tuple[Domain, ...]
    _positions: tuple[dict[Label, int], ...]

    def _set_axes(self, names: tuple[str, ...], domains: tuple[Domain, ...]) -> None:
        object.__setattr__(self, "_names", names)
        object.__setattr__(self, "_domains", domains)
        positions = tuple({label: p for p, label in enumerate(domain)} for domain in domains)
        object.__setattr__(self, "_positions", positions)

    @property
    def domains(self) -> tuple[Domain, ...]:
        """Labels of every tuple, in the order of the table's axes."""
        return self._domains

    def by_axis(self, labels: Any, what: str) -> dict[int, Any]:
        """Return labels given by name or position, by position.

        Raises
        ------
        DomainError
            They are no mapping, a tuple does not exist or is named twice.
        """
        if not isinstance(labels, Mapping):
            raise DomainError(
                f"The {what} values are {shown(labels)}; give them as {{tuple: label}}.",
                Where("parameter", name=what),
            )
        found: dict[int, Any] = {}
        for tuple_, label in labels.items():
            axis = self.axis(tuple_)
            if axis in found:
                raise DomainError(
                    f"{short(self._names[axis])} is named twice, by name and by position; name it once.",
                    Where("axis", axis=axis),
                )
            found[axis] = label
        return found

    def label_position(self, axis: int, label: Any) -> int:
        """Return the position of a label in the domain of one tuple.

        Raises
        ------
        InstanceError
            The label is not in the domain.
        """
        try:
            return self._positions[axis][label]
        except (KeyError, TypeError):
            choice = ", ".join(shown(v) for v in self._domains[axis][:12])
            more = ", ..." if len(self._domains[axis]) > 12 else ""
            raise InstanceError(
                f"{shown(label)} is not a label of {short(self._names[axis])}; its labels: {choice}{more}.",
                Where("axis", axis=axis),
            ) from None

    def position(self, row: Sequence[Any]) -> tuple[int, ...]:
        """Return the label positions of a row of n labels.

        Raises
        ------
        InstanceError
            The row has another length, or a label is not in its domain.
        """
        try:
            labels = None if isinstance(row, str | bytes | Mapping | set | frozenset) else list(row)
        except TypeError:
            labels = None
        if labels is None or len(labels) != self.n_tuples:
            raise InstanceError(
                f"A row is a list of {self.n_tuples} labels, one for each tuple; got {shown(row)}.",
                Where("parameter", name="row"),
            )
        return tuple(self.label_position(axis, label) for axis, label in enumerate(labels))
