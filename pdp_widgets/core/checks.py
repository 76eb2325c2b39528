"""What is given is taken as what it is, or refused by name; and how it is written in a message."""

from __future__ import annotations

import datetime
import difflib
import inspect
import math
import re
import reprlib
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import Any, TypeAlias, TypeGuard, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, PdpError, TableError, Where

__all__ = [
    "FLAG",
    "NO_NUMBERS",
    "NUMBER",
    "TABLE",
    "TEXT",
    "TEXTS",
    "all_of",
    "as_numbers",
    "check",
    "fault",
    "is_whole",
    "keywords_of",
    "meant",
    "named_keywords",
    "near",
    "number_or_nan",
    "plain_number",
    "short",
    "shown",
    "unknown_keyword",
    "word",
]


#: A lone surrogate, which no file and no page can hold.
_HALF = re.compile("[\ud800-\udfff]")


def as_numbers(of: str, part: str, values: Any) -> NDArray[np.float64]:
    """Return numbers as an array that nobody changes."""
    # A list is no masked array, and may hold a masked entry.
    listed = values if isinstance(values, list | tuple) else ()
    if np.ma.is_masked(values) or any(one is np.ma.masked or np.ma.is_masked(one) for one in listed):
        raise TableError(f"{part} of {of} has masked entries.", Where("parameter", name=part))
    try:
        array = np.asarray(values)
        # Among objects numpy would read texts as numbers, and drop what is imaginary.
        of_objects = array.ravel().tolist() if array.dtype.kind == "O" else ()
        strange = str | bytes | complex | np.complexfloating
        if array.dtype.kind not in "biufO" or any(isinstance(one, strange) for one in of_objects):
            raise TypeError
        array = np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"{part} of {of} holds something that is no number, or rows of unequal length.",
            Where("parameter", name=part),
        ) from None
    array.flags.writeable = False
    return array


#: Python and numpy read text and points in time as numbers: "1" becomes 1.0, a day its distance from 1970.
NO_NUMBERS = (
    bool,
    np.bool_,
    str,
    bytes,
    bytearray,
    np.datetime64,
    np.timedelta64,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    set,
    frozenset,
    dict,
)
#: Characters of what is quoted in a message.
_LONGEST = 40


def is_whole(value: Any) -> TypeGuard[int]:
    """Tell whether a value is an integer; to numpy a span of time is one too, and here it is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def plain_number(value: Any) -> float:
    """Return a number as a float; True, text and time are none."""
    if isinstance(value, NO_NUMBERS) or np.ma.is_masked(value):
        raise TypeError
    if isinstance(value, np.ndarray) and (value.ndim or value.dtype.kind not in "iufO"):
        raise TypeError
    if isinstance(value, np.ndarray):
        return plain_number(value.item())
    if isinstance(value, np.complexfloating):
        raise TypeError
    if isinstance(value, np.longdouble) and np.isinf(float(value)) and not np.isinf(value):
        raise OverflowError
    return float(value)


def number_or_nan(value: Any) -> float:
    """Return a number as a float, and NaN for True, text and all else that is none."""
    try:
        return plain_number(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def short(text: object) -> str:
    """Return the text of a label or name, cut to what fits into a message."""
    plain = text if isinstance(text, str) else shown(text)
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def shown(value: object) -> str:
    """Return a value as an expression of Python: text in quotes, so that "0" and 0 differ in a message."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**15:
        # Python itself refuses to write integers of thousands of digits.
        digits = int(value.bit_length() * math.log10(2)) + 1
        return str(value) if digits <= _LONGEST else f"an integer of about {digits} digits"
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    if "\n" in text:
        # Frames and arrays write several lines, a message is one.
        text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


#: What makes a parameter what it is to be, or None where it is not of that kind; and what is accepted.
_Kind: TypeAlias = tuple[Callable[[Any], Any], str]


def fault(of: Any, part: str, accepted: str, error: type[PdpError] = DomainError) -> PdpError:
    """Return the error that a parameter is not what is accepted."""
    given = " ".join(reprlib.repr(getattr(of, part)).split())
    message = f"{part} of {type(of).__name__} is {given}; it is {accepted}."
    return error(message, Where("parameter", name=part))


def check(of: Any, kind: _Kind, *parts: str, optional: bool = False) -> None:
    """Make parameters what they are to be, or raise DomainError."""
    for part in parts:
        if (given := getattr(of, part)) is None and optional:
            continue
        if (made := kind[0](given)) is None:
            raise fault(of, part, kind[1] + (" or None" if optional else ""))
        object.__setattr__(of, part, made)


def word(words: Any) -> _Kind:
    """Return the kind of a parameter that is one of the words of a Literal."""
    known = get_args(words)
    listed = ", ".join(map(repr, known))
    return lambda given: given if isinstance(given, str) and given in known else None, f"one of {listed}"


def _float(given: Any) -> float | None:
    try:
        return plain_number(given)
    except (TypeError, ValueError, OverflowError):
        return None


def all_of(given: Any, *kinds: Any) -> tuple[Any, ...] | None:
    """Return a list as a tuple; None where it is none, or holds something else."""
    try:
        listed = None if isinstance(given, str | bytes | set | Mapping) else tuple(given)
    except TypeError:
        return None
    return listed if listed is not None and all(isinstance(one, kinds) for one in listed) else None


def _text(given: Any) -> str | None:
    return _HALF.sub("\ufffd", str(given)) if isinstance(given, str) else None


def _names(given: Any) -> tuple[str, ...] | None:
    listed = all_of(given, str, int, float, np.generic)
    return None if listed is None else tuple(_HALF.sub("\ufffd", str(one)) for one in listed)


def _rows(given: Any) -> tuple[tuple[str, ...], ...] | None:
    listed = [_names(row) for row in all_of(given, object) or ()]
    return None if None in listed else tuple(row for row in listed if row is not None)


TEXT: _Kind = (_text, "a text")
FLAG: _Kind = (lambda given: bool(given) if isinstance(given, bool | np.bool_) else None, "True or False")
NUMBER: _Kind = (_float, "a number")
TEXTS: _Kind = (_names, "a list of texts")
TABLE: _Kind = (_rows, "a list of texts for each row, one for each cell")


def near(name: str, names: Collection[str]) -> str:
    """Return the names that are meant, most alike first."""
    small = name.lower()
    every = sorted(set(names))
    # A short form is a long way from its word, letter by letter.
    found = [n for n in every if len(small) > 2 and n.startswith(small)]
    # Of one letter there is little to be like.
    found = found or [n for n in every if len(n) == 1 and small in (n, 2 * n)]
    found = found or difflib.get_close_matches(small, every, 3, cutoff=0.7)
    return " or ".join(repr(n) for n in found)


_SCALE = ("scale", "The Laplace noise is given by its scale: scale = sensitivity / epsilon.")
#: For a name that is none: the one that stands for it, where there is that, and what to say.
_MEANT = {"epsilon": _SCALE, "eps": _SCALE, "budget": _SCALE}


def meant(name: str, names: Collection[str]) -> str:
    """Return in a sentence which of the names is meant by one that is none of them, or nothing."""
    if found := near(name, names):
        return f" Did you mean {found}?"
    instead, words = _MEANT.get(name, ("", ""))
    return f" {words}" if instead in names else ""


def keywords_of(kind: type) -> list[str]:
    """Return the keywords with which a class is made: its own, and those that it hands on to its base."""
    names: dict[str, None] = {}
    for owner in kind.__mro__:
        init = vars(owner).get("__init__")
        if init is None:
            continue
        parameters = list(inspect.signature(init).parameters.values())[1:]
        hands_on = [one for one in parameters if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
        names |= dict.fromkeys(one.name for one in parameters if one not in hands_on)
        if not hands_on:
            break
    return list(names)


def named_keywords(
    init: Callable[..., None], words: Callable[[Any, str], str] | None = None
) -> Callable[..., None]:
    """Return a constructor that refuses unknown keywords before any work, and says which is meant."""
    parameters = inspect.signature(init).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return init
    accepted = {one.name for one in parameters}

    @wraps(init)
    def checked(self: Any, *arguments: Any, **keywords: Any) -> None:
        unknown = next((name for name in keywords if name not in accepted), None)
        if unknown is not None:
            if words is not None:
                raise TypeError(words(self, unknown))
            raise TypeError(unknown_keyword(type(self).__name__, unknown, keywords_of(type(self))))
        init(self, *arguments, **keywords)

    return checked


def unknown_keyword(owner: str, name: str, made_with: Collection[str]) -> str:
    """Return what to say of a keyword that a class does not have."""
    listed = ", ".join(made_with)
    return f"{owner}() has no keyword {name!r}; accepted are {listed}.{meant(name, made_with)}"
