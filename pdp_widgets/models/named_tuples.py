"""Tuples with names: where a tuple given by name or position stands."""

from __future__ import annotations

from collections.abc import Iterable

from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.named_positions import position_of, positions_of

__all__ = ["NamedTuples"]


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
