"""The dependence of two friends whose places follow Eq. 26, and the noise that it asks for.

Places are any points, or the cells of a grid. The L1 distance of two cells is a sum over the axes, so sums
over all cells are done axis by axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import NetworkError, Where
from pdp_widgets.leakage.dependent.coefficients import Coefficient, ratio_of
from pdp_widgets.leakage.dependent.falling_root import falling_root
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import points_of, value_domain

__all__ = ["FriendCells", "FriendPairs"]

Floats = NDArray[np.float64]
#: Times the largest distance: with more noise nothing changes that a float shows.
_WIDE = 1e16


@dataclass(frozen=True, eq=False)
class FriendPairs:
    """The law of a friend's place given each place, and the places as points.

    Parameters
    ----------
    law
        Shape (places, places), each row with sum 1.
    points
        Shape (places, coordinates).
    span
        Largest L1 distance of two places.

    Examples
    --------
    >>> both = FriendPairs.of(FriendModel(), [k / 10 for k in range(11)])
    >>> round(both.coefficient(1.0, "mean"), 4), round(both.kappa(10, 1.0, "mean"), 4)
    (0.6874, 7.8743)
    """

    law: Floats
    points: Floats
    span: float

    @classmethod
    def of(cls, model: FriendModel, values: Any) -> FriendPairs:
        """Return the places of two friends, each one of the given ones."""
        if not isinstance(model, FriendModel):
            raise NetworkError(
                f"The model is a {type(model).__name__}; give a FriendModel.",
                Where("parameter", name="model"),
            )
        places = value_domain(values, 0, "the places")
        points = points_of(places, 0, "the places")
        alone = SparseJoint([[place] for place in places], model.row_sum_prior(places))
        return cls(model.conditional(places), points, float(alone.diameters[0]))

    def ratio(self, scale: float, kind: Coefficient) -> float:
        """Return what a noisy place says about a friend's at most, in nats, or a bound on it."""
        return ratio_of(self.law, self.points, scale, kind)

    def coefficient(self, scale: float, kind: Coefficient) -> float:
        """Return the coefficient at a scale of the noise of one place."""
        if not self.span:
            return 0.0
        noise = min(scale, _WIDE * self.span)
        return min(1.0, self.ratio(noise, kind) * noise / self.span)

    def kappa(self, friends: int, epsilon: float, kind: Coefficient) -> float:
        """Return the root of ``kappa = 1 + friends * coefficient(kappa * span / epsilon)``."""
        if friends < 1 or not self.span:
            return 1.0
        if kind == "mean":
            return 1.0 + friends * self.coefficient(1.0, kind)

        def share(kappa: float) -> float:
            return (1 + friends * self.coefficient(kappa * (self.span / epsilon), kind)) / kappa

        # It falls whatever the kind: both 1 / kappa and coefficient / kappa do. So there is one root.
        return 1.0 if share(1.0) <= 1 else falling_root(share, 1.0, 1.0, 1.0 + friends)


class FriendCells(FriendPairs):
    """The same for the centres of the cells of a square grid in the unit square.

    Examples
    --------
    >>> round(FriendCells.on(5).coefficient(1.0, "eq18"), 4)
    0.7013
    """

    @classmethod
    def on(cls, grid: int) -> FriendCells:
        """Return the cells of two friends, `grid` cells a side."""
        return _cells(grid)

    def ratio(self, scale: float, kind: Coefficient) -> float:
        """Return what a noisy cell says about a friend's at most, in nats, or a bound on it."""
        grid = round(len(self.law) ** 0.5)
        law, middle = self.law.reshape(-1, grid, grid), self.points[:grid, 1]
        gaps = np.abs(middle[:, None] - middle) / scale
        if kind == "mean":
            # A distance is a sum over the axes, and so is its mean.
            along = law.sum(axis=2) @ gaps, law.sum(axis=1) @ gaps
            return float((along[0][:, :, None] + along[1][:, None, :]).max())
        if kind == "eq18":
            return float(_log_means(law, gaps).max())
        if kind == "exact":
            logs = _log_means(law, -gaps)
            return float((logs.max(axis=0) - logs.min(axis=0)).max())
        return super().ratio(scale, kind)


#: Of 50 cells a side one takes 50 MB.
@lru_cache(maxsize=4)
def _cells(grid: int) -> FriendCells:
    middle = (np.arange(grid) + 0.5) / grid
    points = np.stack(np.meshgrid(middle, middle, indexing="ij"), axis=-1).reshape(-1, 2)
    return FriendCells(np.asarray(FriendModel().conditional(points)), points, 2 * float(np.ptp(middle)))


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
