"""By how much friends multiply the noise: the root of kappa = 1 + d rho(kappa D / epsilon) on cells.

All friends share one coefficient, that of the friend model of Eq. 26 between centres of cells. The L1
distance of two cells is a sum over the axes, so sums over all cells are done axis by axis.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.grid import cell_centres
from pdp_widgets.models.given_sizes import as_positive
from pdp_widgets.models.labels import shown

__all__ = ["FriendCoefficient", "friend_coefficient", "friend_factor"]

Floats = NDArray[np.float64]
FriendCoefficient: TypeAlias = Literal["exact", "eq18", "mean"]
#: Relative tolerance of the root.
_TINY = 1e-12
#: Times the diameter: with more noise nothing changes that a float shows.
_WIDE = 1e16


@cache
def _law(grid: int) -> tuple[Floats, Floats]:
    """Return the law of a friend's cell given each cell, (cells, grid, grid), and distances along an axis."""
    from pdp_widgets.models.friend_model import FriendModel

    law = np.asarray(FriendModel().conditional(cell_centres(grid))).reshape(-1, grid, grid)
    middle = (np.arange(grid) + 0.5) / grid
    return law, np.abs(middle[:, None] - middle)


def friend_coefficient(grid: int, scale: float, kind: FriendCoefficient = "eq18") -> float:
    """Return the dependence coefficient of the cells of two friends at a noise scale.

    Parameters
    ----------
    grid
        Cells a side; the places are their centres in the unit square.
    scale
        Of the Laplace noise of the place itself.
    kind
        ``"exact"``: the largest log ratio itself. ``"eq18"``: the paper's bound. ``"mean"``: without noise,
        from mean distances.

    Examples
    --------
    >>> [round(friend_coefficient(5, 1.0, kind), 4) for kind in ("exact", "mean", "eq18")]
    [0.2946, 0.6504, 0.7013]
    """
    if kind not in ("exact", "eq18", "mean"):
        raise DomainError(
            f"The coefficient is {shown(kind)}; it is 'exact', 'eq18' or 'mean'.",
            Where("parameter", name="coefficient"),
        )
    law, gaps = _law(grid)
    diameter = 2 * float(gaps.max())
    if diameter == 0:
        return 0.0
    sigma = min(as_positive(scale, "scale"), _WIDE * diameter)
    if kind == "mean":
        # A distance is a sum over the axes, and so is its mean.
        along = law.sum(axis=2) @ gaps, law.sum(axis=1) @ gaps
        means = along[0][:, :, None] + along[1][:, None, :]
        return float(means.max() / diameter)
    if kind == "eq18":
        return float(sigma / diameter * _log_means(law, gaps / sigma).max())
    logs = _log_means(law, -gaps / sigma)
    return float(sigma / diameter * (logs.max(axis=0) - logs.min(axis=0)).max())


def _log_means(law: Floats, exponents: Floats) -> Floats:
    """Return the logarithm of the mean of exp(sum over the axes of the exponents), by cell and candidate."""
    if np.abs(exponents).max() < 0.5:
        # So near to 1 that what is left of it would be rounding.
        little = np.expm1(exponents)
        along = law.sum(axis=2) @ little, law.sum(axis=1) @ little
        return np.asarray(np.log1p(along[0][:, :, None] + along[1][:, None, :] + little @ law @ little))
    # The largest exponent is 0, so that nothing overflows.
    top = exponents.max()
    grown = np.exp(exponents - top)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(grown @ law @ grown) + 2 * top)


def friend_factor(grid: int, friends: int, epsilon: float, kind: FriendCoefficient = "eq18") -> float:
    """Return the factor on the noise that the friend model asks for: kappa, from 1 to 1 + friends.

    Parameters
    ----------
    grid
        Cells a side.
    friends
        The largest number of friends of a user.
    epsilon
        The budget in nats.
    kind
        Of the coefficient.

    Notes
    -----
    There is exactly one root, found to 1e-12. It is no guarantee: the sum runs over friends, and not over
    all whom friendships connect.

    Examples
    --------
    >>> round(friend_factor(5, 3, 1.0), 4), friend_factor(5, 0, 1.0)
    (2.985, 1.0)
    """
    budget = as_positive(epsilon, "epsilon")
    return _factor(grid, int(friends), budget, kind)


@cache
def _factor(grid: int, friends: int, epsilon: float, kind: FriendCoefficient) -> float:
    if friends < 1 or grid < 2:
        return 1.0
    diameter = 2 * float(_law(grid)[1].max())

    def over(factor: float) -> float:
        """How far the factor is above what it asks for."""
        scale = diameter * min(factor / epsilon, _WIDE)
        return factor - 1 - friends * friend_coefficient(grid, scale, kind)

    low, high = 1.0, 1.0 + friends
    if over(high) <= 0:
        return high
    below, above, side = over(low), over(high), 0
    while high - low > _TINY * high:
        # Where the line through both ends crosses; an end that stays twice counts half (Illinois).
        middle = (low * above - high * below) / (above - below)
        if not low < middle < high:
            break
        value = over(middle)
        if value > 0:
            high, above = middle, value
            below /= 2 if side > 0 else 1
            side = 1
        else:
            low, below = middle, value
            above /= 2 if side < 0 else 1
            side = -1
        if value == 0:
            break
    return high if above == 0 or side > 0 else low


def as_friend_coefficient(value: Any) -> FriendCoefficient:
    """Return the name of a coefficient, or raise DomainError."""
    friend_coefficient(1, 1.0, value)
    found: FriendCoefficient = value
    return found
