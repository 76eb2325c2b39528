"""By how much friends multiply the noise of cluster centres: kappa of the friend model of Eq. 26 on cells."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.dependent.friend_pairs import FriendCells
from pdp_widgets.models.given_sizes import as_positive
from pdp_widgets.models.labels import shown

__all__ = ["FriendCoefficient", "as_friend_coefficient", "friend_factor"]

FriendCoefficient: TypeAlias = Literal["exact", "eq18", "mean"]


def friend_factor(grid: int, friends: int, epsilon: float, kind: FriendCoefficient = "eq18") -> float:
    """Return the factor on the noise that the friend model asks for: kappa, from 1 to 1 + friends.

    Parameters
    ----------
    grid
        Cells a side; the places are their centres in the unit square.
    friends
        The largest number of friends of a user.
    epsilon
        The budget in nats.
    kind
        Of the coefficient, see `pdp_widgets.leakage.dependent.friend_scale.friend_coefficient`.

    Notes
    -----
    `pdp_widgets.leakage.dependent.friend_scale.friend_kappa` of the cells. It is no guarantee: the sum runs
    over friends, and not over all whom friendships connect.

    Examples
    --------
    >>> round(friend_factor(5, 3, 1.0), 4), friend_factor(5, 0, 1.0)
    (2.985, 1.0)
    """
    return _factor(grid, int(friends), as_positive(epsilon, "epsilon"), as_friend_coefficient(kind))


#: A hand that drags the budget asks for many.
@lru_cache(maxsize=1024)
def _factor(grid: int, friends: int, epsilon: float, kind: FriendCoefficient) -> float:
    return FriendCells.on(grid).kappa(friends, epsilon, kind)


def as_friend_coefficient(value: Any) -> FriendCoefficient:
    """Return the name of a coefficient, or raise DomainError."""
    names: tuple[FriendCoefficient, ...] = get_args(FriendCoefficient)
    for name in names:
        if isinstance(value, str) and value == name:
            return name
    raise DomainError(
        f"The coefficient is {shown(value)}; it is 'exact', 'eq18' or 'mean'.",
        Where("parameter", name="coefficient"),
    )
