"""A table made k-anonymous: complete records are put into classes that look alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.errors import TableError, Where
from pdp_widgets.mechanisms.anonymity.checked_groups import Anonymiser, as_anonymiser, checked_groups
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.mechanisms.anonymity.mondrian import as_class_size, mondrian
from pdp_widgets.models.microdata import Microdata

__all__ = ["anonymise"]


def anonymise(data: Any, quasi: Any, k: int, anonymiser: Anonymiser = mondrian) -> EquivalenceClasses:
    """Put records into classes of at least k that look alike.

    Records with a missing quasi-identifier are suppressed.

    Parameters
    ----------
    data
        The records, as `Microdata.of` takes them.
    quasi
        Names of the quasi-identifiers. Labels take the positions of their order.
    k
        Least size of a class.
    anonymiser
        Any function that takes the quasi-identifiers of complete records, shape (n, d), and k, and returns
        groups of positions of rows.

    Raises
    ------
    DomainError
        A column does not exist.
    BudgetError
        k is no whole number, 1 or more, or the anonymiser cannot be called.
    TableError
        There are fewer than k complete records, or what the anonymiser returned is no partition of the rows
        into groups of at least k.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> anonymise(clinic(), ["age", "weight"], 5)
    EquivalenceClasses(14 classes of 5 or more, k = 5, by age, weight)
    """
    records, size = Microdata.of(data), as_class_size(k)
    places, made = records.places(quasi), as_anonymiser(anonymiser)
    values = records.values(places)
    complete = np.flatnonzero(~np.isnan(values).any(axis=1))
    if len(complete) < size:
        gone, left = records.records - len(complete), len(complete)
        have = "has" if gone == 1 else "have"
        lost = f" with all quasi-identifiers ({gone:,} {have} a missing one)" if gone else ""
        many = "is 1 record" if left == 1 else f"are {left:,} records"
        raise TableError(
            f"There {many}{lost}, fewer than k = {size:,}; choose a smaller k.",
            Where("parameter", name="k"),
        )
    number = checked_groups(made(values[complete], size), len(complete), size)
    return EquivalenceClasses._of(records, places, size, complete, number)
