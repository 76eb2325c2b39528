"""What is given beside the laws of a chain: numbers of steps and users, probabilities, labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from pdp_widgets.errors import ChainError, DomainError, LimitError, Where
from pdp_widgets.models.chain_checks import check_size
from pdp_widgets.models.given_numbers import is_whole, plain_number
from pdp_widgets.models.labels import Domain, as_domain, shown

__all__ = ["as_count", "as_share", "as_states"]


def as_states(states: int | Iterable[Any]) -> Domain:
    """Return labels of the states of a chain from their number or a list.

    Examples
    --------
    >>> as_states(3), as_states(["dry", "wet"])
    ((0, 1, 2), ('dry', 'wet'))
    """
    if not isinstance(states, int | np.integer):
        found = as_domain(states, 0, "the chain")
        check_size(len(found) ** 2, "The chain")
        return found
    if isinstance(states, bool) or states < 1:
        raise DomainError(
            f"The states are {shown(states)}; give how many there are, 1 or more, or their labels.",
            Where("parameter", name="states"),
        )
    check_size(int(states) ** 2, "The chain")
    return tuple(range(int(states)))


def as_share(value: Any, name: str) -> float:
    """Return a number from 0 to 1, or raise ChainError naming the parameter.

    Examples
    --------
    >>> as_share(1, "stay")
    1.0
    """
    try:
        number = plain_number(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ChainError(
            f"{name} is {shown(value)}; it is a probability, from 0 to 1.", Where("parameter", name=name)
        )
    return number


def as_count(value: Any, name: str, least: int = 0, most: int | None = None) -> int:
    """Return a whole number, or raise ChainError naming what it counts, LimitError if it is too large.

    Examples
    --------
    >>> as_count(3, "steps")
    3
    """
    if not is_whole(value) or value < least:
        raise ChainError(
            f"The number of {name} is {shown(value)}; it is a whole number, {least} or more.",
            Where("parameter", name=name),
        )
    if most is not None and value > most:
        raise LimitError(
            f"The number of {name} is {shown(int(value))}; at most {most:,} are taken.",
            Where("parameter", name=name),
        )
    return int(value)
