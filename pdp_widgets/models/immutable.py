"""Values that cannot be changed once made, and are equal where all they hold is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

import numpy as np

from pdp_widgets.core.converters import refuse_masked

__all__ = ["EqualByFields", "Immutable", "ReadOnlyAgain", "ReadOnlyArrays", "ReadOnlyMapping", "read_only"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Immutable:
    """Base of values whose attributes are set by ``object.__setattr__`` while they are made, never again."""

    __slots__ = ()

    def _begin(self) -> None:
        """Refuse to make a value again that is made already: ``__init__`` is for new objects."""
        if self._made():
            raise AttributeError(f"A {type(self).__name__} cannot be changed: make a new one.")

    def _made(self) -> bool:
        # Those of the bases too: a class that only adds what can be done with a value has none of its own.
        slots: Iterable[str] = (
            slot for kind in type(self).__mro__ for slot in vars(kind).get("__slots__", ())
        )
        return any(hasattr(self, slot) for slot in slots)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"A {type(self).__name__} cannot be changed: {name} is read-only; make a new one."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A {type(self).__name__} cannot be changed: {name} is read-only.")


class ReadOnlyAgain:
    """Base of values whose arrays are read-only: they are so after pickling too."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: read_only(part) for name, part in state.items()})


class ReadOnlyArrays(ReadOnlyAgain):
    """Base of dataclasses whose arrays become read-only when they are made."""

    # Those that people print have ``repr=False``: their arrays are then told by what they hold.

    __slots__ = ()

    def __repr__(self) -> str:
        # Not all attributes: what was computed late is kept among them.
        names = (field.name for field in fields(cast(Any, self)) if field.repr)
        return (
            f"{type(self).__name__}({', '.join(f'{name}={_brief(getattr(self, name))}' for name in names)})"
        )

    def __post_init__(self) -> None:
        """Keep arrays as views that cannot be written; who has the array itself still can."""
        for name, part in vars(self).items():
            if isinstance(part, np.ndarray):
                refuse_masked(part, name)
                object.__setattr__(self, name, read_only(part))


#: Numbers of an array that are written one by one, and the longest text of another attribute.
_FEW, _LONG = 8, 160


def _brief(part: object) -> str:
    """Return an attribute as a line of words: a long array by its shape and its ends."""
    if not isinstance(part, np.ndarray):
        text = repr(part)
        return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
    if part.size <= _FEW or part.dtype.kind not in "biuf":
        return np.array2string(part, precision=4, separator=", ", threshold=_FEW).replace("\n", "")
    kind = " x ".join(map(str, part.shape))
    return f"<{kind} numbers, {float(part.min()):.4g} to {float(part.max()):.4g}>"


class ReadOnlyMapping(Mapping[Key, Value]):
    """A mapping that cannot be changed, can be pickled, and can be hashed where its values can."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Key, Value]) -> None:
        self._items: dict[Key, Value] = {name: read_only(value) for name, value in items.items()}

    def __getitem__(self, key: Key) -> Value:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._items,)

    def __repr__(self) -> str:
        return repr(self._items)


def read_only(part: Any) -> Any:
    """Return an array as a view that cannot be written; anything else as it is."""
    if isinstance(part, np.ndarray) and part.flags.writeable:
        part = part.view()
        part.setflags(write=False)
    return part


#: Numbers of an array that its hash looks at.
_HASHED = 8


class EqualByFields:
    """Base of dataclasses with ``eq=False`` that hold arrays: equal where every field is, NaN like NaN."""

    # A pickled result is equal to the one that it was made from, and hashes alike.

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = (field.name for field in fields(cast(Any, self)) if field.compare)
        return all(_equal(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        names = (field.name for field in fields(cast(Any, self)) if field.compare)
        return hash((type(self).__name__, *(_key(getattr(self, name)) for name in names)))


def _equal(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        both = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
        return both and bool(np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f"))
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return bool(one == other)


def _key(part: Any) -> Any:
    if isinstance(part, np.ndarray):
        return part.shape, *map(_key, part.ravel()[:_HASHED].tolist())
    if isinstance(part, tuple):
        return tuple(map(_key, part))
    # Each NaN has a hash of its own.
    return None if isinstance(part, float) and math.isnan(part) else part
