"""Where something with a name stands, given by its name or by its position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.labels import refuse_set, short, shown

__all__ = ["position_of", "positions_of"]

#: Names that an error lists.
_LISTED = 12


def position_of(given: str | int, names: Sequence[str], what: str) -> int:
    """Return the position of one thing among names.

    Parameters
    ----------
    given
        Its name or position.
    names
        All names.
    what
        What the things are, in one word: ``"tuple"``.

    Raises
    ------
    DomainError
        There is no such thing.

    Examples
    --------
    >>> position_of("Bob", ["Ann", "Bob"], "tuple"), position_of(0, ["Ann", "Bob"], "tuple")
    (1, 0)
    """
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
    """Return the positions of some things, in the given order.

    Parameters
    ----------
    given
        Names or positions; one alone is one thing.
    names, what
        As for `position_of`.

    Raises
    ------
    DomainError
        None is named, one is named twice, or one does not exist.

    Examples
    --------
    >>> positions_of(["Bob", 0], ["Ann", "Bob"], "tuple")
    [1, 0]
    """
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
