"""Axes with names and labels: where a tuple and a row of labels stand in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pdp_widgets.errors import DomainError, InstanceError, Where
from pdp_widgets.models.labels import Domain, Label, short, shown
from pdp_widgets.models.named_tuples import NamedTuples

__all__ = ["NamedAxes"]


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
