"""How often each value of the secret occurs in each class: the pairs that occur, and no others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.labels import short, shown

__all__ = ["SecretPairs", "is_known", "secret_pairs"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SecretPairs:
    """Classes and values that occur together, by class, then by value.

    Parameters
    ----------
    classes
        How many classes there are.
    values
        How many values published records have.
    class_, value, count
        Class, value and number of records of every pair, shape (pairs,).
    known
        Records of every class with a value, shape (classes,).
    """

    classes: int
    values: int
    class_: Integers
    value: Integers
    count: Integers
    known: Integers


def is_known(classes: EquivalenceClasses, secret: int) -> bool:
    """Return whether any published record has a value of a column.

    Examples
    --------
    >>> is_known(EquivalenceClasses({"age": [1, 2, None], "ill": [None, None, "no"]}, "age", 2, [[0, 1]]), 1)
    False
    """
    return not classes.data.columns[secret].missing[classes.number >= 0].all()


def secret_pairs(classes: EquivalenceClasses, secret: str | int) -> SecretPairs:
    """Return the pairs of a column; missing values are in none.

    Raises
    ------
    DomainError
        The classes are none, or there is no such column.
    TableError
        No published record has a value.

    Examples
    --------
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "yes", "no", "no"]}
    >>> pairs = secret_pairs(EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]]), "ill")
    >>> pairs.class_.tolist(), pairs.value.tolist(), pairs.count.tolist()
    ([0, 0, 1], [0, 1, 0], [1, 1, 2])
    """
    given: object = classes
    if not isinstance(given, EquivalenceClasses):
        raise DomainError(
            f"The classes are {shown(given)}; give EquivalenceClasses, such as anonymise makes.",
            Where("parameter", name="classes"),
        )
    _, places = classes.secret_values(secret)
    there = (classes.number >= 0) & (places >= 0)
    if not there.any():
        name = classes.data.names[classes.data.place(secret)]
        raise TableError(
            f"No published record has a value of {short(name)}; choose another secret.",
            Where("parameter", name="secret"),
        )
    # Labels that no published record has do not count.
    different, value = np.unique(places[there], return_inverse=True)
    flat = classes.number[there] * len(different) + value
    pairs, count = np.unique(flat, return_counts=True)
    class_ = pairs // len(different)
    known = np.bincount(class_, weights=count, minlength=len(classes)).astype(np.int64)
    return SecretPairs(
        len(classes), len(different), class_, pairs % len(different), count.astype(np.int64), known
    )
