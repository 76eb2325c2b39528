"""Labels of a tuple's domain, names of tuples, and how a place in a table is put into words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from pdp_widgets.errors import DomainError, Where

Label: TypeAlias = bool | int | float | str
Domain: TypeAlias = tuple[Label, ...]

_LONGEST = 40


def short(text: object) -> str:
    """Return the text of a label or name, cut to what fits into a message."""
    plain = text if isinstance(text, str) else repr(text)
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def place(names: Sequence[str], domains: Sequence[Domain], index: Sequence[int]) -> str:
    """Name a cell by its labels, for example ``"x1 = 0, x2 = 1"``."""
    return ", ".join(
        f"{short(name)} = {short(domain[position])}"
        for name, domain, position in zip(names, domains, index, strict=True)
    )


def as_label(value: Any, axis: int, name: str) -> Label:
    """Return a label as a plain Python value, or raise DomainError."""
    plain = value.item() if isinstance(value, np.generic) else value
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


def as_domain(labels: Iterable[Any], axis: int, name: str) -> Domain:
    """Return one checked domain: at least one label, no two of them equal."""
    if isinstance(labels, str | bytes):
        raise DomainError(
            f"The domain of {short(name)} is one text; give a list of labels.", Where("axis", axis=axis)
        )
    try:
        values = list(labels)
    except TypeError:
        raise DomainError(
            f"The domain of {short(name)} is not a list of labels.", Where("axis", axis=axis)
        ) from None
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


def as_domains(
    domains: Iterable[Iterable[Any]] | None, shape: Sequence[int], names: Sequence[str]
) -> tuple[Domain, ...]:
    """Return checked domains; without any, the labels 0, 1, ... of every axis."""
    if domains is None:
        return tuple(
            as_domain(range(size), axis, name)
            for axis, (size, name) in enumerate(zip(shape, names, strict=True))
        )
    given = list(domains)
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
    given = tuple(names)
    if len(given) != n:
        raise DomainError(
            f"There are {len(given)} names for {n} tuples; give one name for each tuple.",
            Where("parameter", name="names"),
        )
    seen: set[str] = set()
    for axis, name in enumerate(given):
        if not isinstance(name, str) or not name:
            raise DomainError(
                f"The name of tuple {axis} is {name!r}; a name is a non-empty text.", Where("axis", axis=axis)
            )
        if name in seen:
            raise DomainError(
                f"Two tuples have the name {short(name)}; names must differ.", Where("axis", axis=axis)
            )
        seen.add(name)
    return given
