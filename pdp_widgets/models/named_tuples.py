"""Tuples with names: where a tuple given by name or position stands."""

from __future__ import annotations

from collections.abc import Iterable

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import refuse_set, short, shown

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
        n = self.n_tuples
        if isinstance(tuple_, str):
            if tuple_ in self._names:
                return self._names.index(tuple_)
            known = ", ".join(short(name) for name in self._names[:12]) + (", ..." if n > 12 else "")
            raise DomainError(
                f"There is no tuple named {short(tuple_)}; the names are {known}.",
                Where("parameter", name="tuple"),
            )
        if is_whole(tuple_) and 0 <= tuple_ < n:
            return int(tuple_)
        raise DomainError(
            f"There is no tuple {shown(tuple_)}; give a name or a position from 0 to {n - 1}.",
            Where("parameter", name="tuple"),
        )

    def axes(self, tuples: Iterable[str | int]) -> list[int]:
        """Return the positions of some tuples, in the given order.

        Raises
        ------
        DomainError
            None is named, one is named twice, or one does not exist.
        """
        refuse_set(tuples, "The tuples", "tuples")
        if not isinstance(tuples, str | int) and not isinstance(tuples, Iterable):
            raise DomainError(
                f"The tuples are {shown(tuples)}; give a list of names or positions.",
                Where("parameter", name="tuples"),
            )
        found = [self.axis(t) for t in ([tuples] if isinstance(tuples, str | int) else tuples)]
        if not found or len(set(found)) != len(found):
            raise DomainError("Name at least one tuple, and none twice.", Where("parameter", name="tuples"))
        return found
