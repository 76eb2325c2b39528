"""Values that cannot be changed once made."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Immutable"]


class Immutable:
    """Base of values whose attributes are set by ``object.__setattr__`` while they are made, never again."""

    __slots__ = ()

    def _begin(self) -> None:
        """Refuse to make a value again that is made already: ``__init__`` is for new objects."""
        if self._made():
            raise AttributeError(f"A {type(self).__name__} cannot be changed: make a new one.")

    def _made(self) -> bool:
        slots: Iterable[str] = type(self).__slots__
        return any(hasattr(self, slot) for slot in slots)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"A {type(self).__name__} cannot be changed: {name} is read-only; make a new one."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A {type(self).__name__} cannot be changed: {name} is read-only.")
