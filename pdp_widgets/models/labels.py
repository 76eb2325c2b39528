"""Labels of a tuple's domain, names of tuples, words to choose from, and how a place is put into words."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, TypeAlias, TypeVar

import numpy as np

from pdp_widgets.core.checks import short, shown
from pdp_widgets.errors import DomainError, LimitError, PdpError, Where

__all__ = [
    "Domain",
    "Label",
    "are_numbered",
    "as_choice",
    "as_domain",
    "as_domains",
    "as_label",
    "as_names",
    "as_title",
    "axis_names",
    "how_many",
    "in_quotes",
    "is_text",
    "label_key",
    "listed_domains",
    "names_in_order",
    "place",
    "refuse_set",
    "short",
    "shown",
    "written",
]

Label: TypeAlias = bool | int | float | str
Domain: TypeAlias = tuple[Label, ...]
Word = TypeVar("Word", bound=str)

#: Labels of one domain: as many as the largest table that is made has cells.
_MOST_LABELS = 1 << 26


def written(label: object) -> str:
    """Return a label as tables and pictures show it."""
    text = label if isinstance(label, str) else shown(label)
    return text if text.strip() else "(empty)"


def is_text(value: object) -> bool:
    """Tell whether a value is text that can be written: without halves of surrogate pairs."""
    if not isinstance(value, str):
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def how_many(number: int, noun: str) -> str:
    """Return a number with what it counts."""
    ending = "" if number == 1 else "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {noun}{ending}"


def as_choice(
    value: Any, name: str, offered: Iterable[Word], kind: type[PdpError] = DomainError, noun: str = ""
) -> Word:
    """Return one of the words that are offered, or raise an error that lists them."""
    words = tuple(offered)
    for word in words:
        if isinstance(value, str) and value == word:
            return word
    *first, last = map(repr, words)
    listed = f"{', '.join(first)} or {last}" if first else last
    raise kind(f"The {noun or name} is {shown(value)}; it is {listed}.", Where("parameter", name=name))


def as_title(title: Any) -> str:
    """Return a title, or raise DomainError; None stands for no title."""
    if title is None:
        return ""
    if not is_text(title):
        what = "has half a character (a lone surrogate)" if isinstance(title, str) else f"is {shown(title)}"
        raise DomainError(f"The title {what}; a title is text.", Where("parameter", name="title"))
    return str(title)


def refuse_set(value: object, what: str, name: str | None = None, axis: int | None = None) -> None:
    """Raise DomainError for a set: what stands where would depend on chance."""
    if isinstance(value, set | frozenset):
        where = Where("axis", axis=axis) if axis is not None else Where("parameter", name=name)
        raise DomainError(f"{what} are a set, and a set has no order; give a list.", where)


def place(names: Sequence[str], domains: Sequence[Domain], index: Sequence[int]) -> str:
    """Name a cell by its labels, for example ``"x1 = 0, x2 = 1"``."""
    return ", ".join(
        f"{short(name)} = {short(domain[position])}"
        for name, domain, position in zip(names, domains, index, strict=True)
    )


def as_label(value: Any, axis: int, name: str) -> Label:
    """Return a label as a plain Python value, or raise DomainError."""
    if value is None or value is np.ma.masked:
        raise DomainError(
            f"A label of {short(name)} is {'missing' if value is None else 'masked'}; fill it, or leave its "
            "row out.",
            Where("axis", axis=axis),
        )
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, np.longdouble):
        plain = float(plain)
    if isinstance(plain, str) and not is_text(plain):
        raise DomainError(
            f"A label of {short(name)} has half a character (a lone surrogate): {shown(plain)}; "
            "a label is a number, text, true or false.",
            Where("axis", axis=axis),
        )
    if isinstance(plain, str | bool | int):
        return plain
    if isinstance(plain, float):
        if math.isnan(plain):
            raise DomainError(
                f"A label of {short(name)} is NaN; a label is a number, text, true or false.",
                Where("axis", axis=axis),
            )
        return plain
    raise DomainError(
        f"A label of {short(name)} is of type {type(plain).__name__}; "
        "a label is an integer, a real number, text, true or false.",
        Where("axis", axis=axis),
    )


def _check_number(many: int, axis: int, name: str) -> None:
    if many > _MOST_LABELS:
        number = f"{many:,}" if many < 10**15 else shown(many)
        raise LimitError(
            f"The domain of {short(name)} has {number} labels or more; at most {_MOST_LABELS:,} are taken.",
            Where("axis", axis=axis),
        )


def as_domain(labels: Iterable[Any], axis: int, name: str) -> Domain:
    """Return one checked domain: at least one label, no two of them equal."""
    if isinstance(labels, str | bytes):
        raise DomainError(
            f"The domain of {short(name)} is one text; give a list of labels.", Where("axis", axis=axis)
        )
    refuse_set(labels, f"The labels of {short(name)}", axis=axis)
    try:
        # A range is short to write, and its labels would fill the memory.
        if isinstance(labels, range):
            _check_number(max(0, -(-(labels.stop - labels.start) // labels.step)), axis, name)
        values = list(islice(labels, _MOST_LABELS + 1))
    except TypeError:
        raise DomainError(
            f"The domain of {short(name)} is not a list of labels.", Where("axis", axis=axis)
        ) from None
    _check_number(len(values), axis, name)
    domain = tuple(as_label(value, axis, name) for value in values)
    if not domain:
        raise DomainError(
            f"The domain of {short(name)} is empty; it needs at least one label.", Where("axis", axis=axis)
        )
    seen: set[Label] = set()
    for label in domain:
        if label in seen:
            raise DomainError(
                f"The domain of {short(name)} has the label {short(label)} twice; labels must differ "
                "(true equals 1 and false equals 0).",
                Where("axis", axis=axis),
            )
        seen.add(label)
    return domain


def listed_domains(domains: Any) -> list[Iterable[Any]]:
    """Return the domains as a list, or raise DomainError."""
    refuse_set(domains, "The domains", "domains")
    if isinstance(domains, str | bytes) or not isinstance(domains, Iterable):
        raise DomainError(
            f"The domains are {shown(domains)}; give one list of labels for each tuple.",
            Where("parameter", name="domains"),
        )
    return list(domains)


def as_domains(
    domains: Iterable[Iterable[Any]] | None, shape: Sequence[int], names: Sequence[str]
) -> tuple[Domain, ...]:
    """Return checked domains; without any, the labels 0, 1, ... of every axis."""
    if domains is None:
        return tuple(
            as_domain(range(size), axis, name)
            for axis, (size, name) in enumerate(zip(shape, names, strict=True))
        )
    given = listed_domains(domains)
    return tuple(
        as_domain(labels, axis, names[axis] if axis < len(names) else f"x{axis + 1}")
        for axis, labels in enumerate(given)
    )


def as_names(names: Iterable[str] | None, n: int) -> tuple[str, ...]:
    """Return checked names of n tuples; without any, ``x1``, ``x2``, ..."""
    if names is None:
        return tuple(f"x{j + 1}" for j in range(n))
    if isinstance(names, str):
        raise DomainError(
            f"The names are one text; give a list of {n} names.", Where("parameter", name="names")
        )
    refuse_set(names, "The names", "names")
    if not isinstance(names, Iterable):
        raise DomainError(
            f"The names are {shown(names)}; give a list of {n} names.", Where("parameter", name="names")
        )
    given = tuple(names)
    if len(given) != n:
        raise DomainError(
            f"There are {len(given)} names for {n} tuples; give one name for each tuple.",
            Where("parameter", name="names"),
        )
    seen: set[str] = set()
    for axis, name in enumerate(given):
        if not is_text(name) or not name:
            raise DomainError(
                f"The name of tuple {axis} is {shown(name)}; a name is non-empty text.",
                Where("axis", axis=axis),
            )
        if name in seen:
            raise DomainError(
                f"Two tuples have the name {short(name)}; names must differ.", Where("axis", axis=axis)
            )
        seen.add(name)
    return tuple(str(name) for name in given)


def in_quotes(whole: str, shown: str | None = None) -> str:
    """Return a text within a sentence: in quotation marks where the whole of it has several words."""
    # So it is seen where it ends. A word and a number or a letter need none: "item 1", "flat A".
    trimmed, shown = whole.strip(), whole if shown is None else shown
    several = " " in trimmed and not re.fullmatch("[^ ]+ ([^ ]{1,2}|[0-9]+)", trimmed)
    return f"“{shown}”" if several else shown


def axis_names(given: Any, kind: str, axis: str) -> list[Any] | None:
    """Return the names along an axis of a data frame or series of pandas, which alone take rows by name."""
    # Who gives a frame has imported pandas.
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(given, getattr(pandas, kind)):
        return None
    return list(getattr(given, axis))


def are_numbered(names: Sequence[Any]) -> bool:
    """Tell whether the names of an axis are the numbers from 0, which a frame has that was given none."""
    return [label_key(one) for one in names] == [label_key(k) for k in range(len(names))]


def names_in_order(names: Sequence[Any], labels: Iterable[Any]) -> list[Any]:
    """Return the names of an axis in the order of equal labels."""
    place = {label_key(one): one for one in names}
    return [place[label_key(one)] for one in labels]


def label_key(label: Any) -> Any:
    """Return what makes two labels the same one: of numpy or not, but True is not 1."""
    try:
        plain = as_domain([label], 0, "the axis")[0]
    except DomainError:
        return repr(label)
    return isinstance(plain, bool), plain
