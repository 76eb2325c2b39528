"""A noisy weighted sum of Gaussian tuples, and the change of one tuple that is to be hidden."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import QueryError, ScaleError, Where
from pdp_widgets.leakage.target_leakage import as_target, scale_for
from pdp_widgets.mechanisms.laplace import as_scale
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.given_numbers import plain_number, refuse_masked
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.regression import TOLERANCE

__all__ = ["WeightedRelease", "as_change"]

Floats = NDArray[np.float64]

# Beyond, a few factors more make numbers infinite.
_LARGEST, _FARTHEST = 2.0**1000, 2.0**1020


@dataclass(frozen=True)
class WeightedRelease:
    """Release the sum of a_j x_j with Laplace noise; two values of a tuple differ by at most ``max_change``.

    Parameters
    ----------
    weights
        The weights a_j, one for each tuple.
    scale
        The noise scale lambda.
    max_change
        The largest change M of one tuple that is to be hidden, in units of the tuples.
    """

    weights: tuple[float, ...]
    scale: float
    max_change: float

    @classmethod
    def of(cls, model: GaussianModel, weights: Any, scale: Any, max_change: Any) -> WeightedRelease:
        """Return the release after checking it against a model; weights None stand for 1.

        Raises
        ------
        QueryError
            A weight is not finite, their number is not that of the tuples, or the largest change is negative
            or not finite.
        ScaleError
            The scale is not a positive finite number, or so small or large that leakages are no numbers.
        """
        if not isinstance(model, GaussianModel):
            raise TypeError(f"The model is a {type(model).__name__}; give a GaussianModel.")
        release = cls(_as_weights(weights, model.names), as_scale(scale), as_change(max_change))
        release._check_reach(model)
        return release

    def _check_reach(self, model: GaussianModel) -> None:
        """Raise where numbers that leakages and pictures are made of would not be finite."""
        deviations = model.standard_deviations
        moving = deviations[deviations > 0]
        sizes = np.abs(self.array)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            spread, centre = float(sizes @ deviations), float(sizes @ np.abs(model.mean))
            # No adversary sees more of a target: the deviation of the query over the least one that is left.
            most = spread / (moving.min() * math.sqrt(TOLERANCE)) if moving.size else 0.0
            factor, top = self.max_change / self.scale, max(float(sizes.max()), float(most))
            # Far out, the densities of two centres part at a distance of spread**2 / scale.
            apart = max(spread / self.scale, spread / self.scale * spread)
            shares = sizes * np.maximum(deviations, np.abs(model.mean))
        if not max(top, centre, spread * spread) <= _LARGEST:
            axis = int(np.argmax(shares))
            raise QueryError(
                f"The weight of {short(model.names[axis])} is {self.weights[axis]:.12g}: with it the "
                "weighted sum has no finite mean and variance; give a smaller one.",
                Where("axis", axis=axis),
            )
        if not top * self.max_change <= _LARGEST:
            raise QueryError(
                f"The largest change is {self.max_change:.12g}: what the sum moves with it is no finite "
                "number; give a smaller one.",
                Where("parameter", name="max_change"),
            )
        # Densities are as high as one over the scale.
        if not (max(factor, top * factor, 1 / self.scale) <= _LARGEST and apart <= _FARTHEST):
            raise ScaleError(
                f"The scale {self.scale:.12g} is too small: leakages over it are not finite numbers.",
                Where("parameter", name="scale"),
            )
        if self.scale > _LARGEST:
            raise ScaleError(
                f"The scale {self.scale:.12g} is too large: scales that are enough beside it are no finite "
                "numbers; give at most 1e301.",
                Where("parameter", name="scale"),
            )

    @property
    def array(self) -> Floats:
        """The weights as an array."""
        return np.array(self.weights)

    @property
    def factor(self) -> float:
        """M / lambda: nats for each unit by which the mean of the release moves per unit of the target."""
        return self.max_change / self.scale

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: the largest abs(a_j) M / lambda, in nats."""
        return float(np.abs(self.array).max()) * self.factor

    def scale_for(self, level: Any, leakage: float, name: str = "level") -> float:
        """Return the scale that brings a leakage to a level: they are inversely proportional.

        Parameters
        ----------
        level
            Positive, in nats; ``math.inf`` for no limit.
        leakage
            With this release, in nats.
        name
            Name of the parameter that the level was given as, for messages.

        Returns
        -------
        float
            0.0 where any scale will do.

        Raises
        ------
        ScaleError
            The level is not positive, or the scale would be beyond what numbers can hold.
        """
        return scale_for(leakage * self.scale, as_target(level, name), name)


def _as_weights(values: Any, names: tuple[str, ...]) -> tuple[float, ...]:
    if values is None:
        return (1.0,) * len(names)
    refuse_masked(values, "weights")
    try:
        if isinstance(values, str | bytes | Mapping | set | frozenset):
            raise TypeError
        numbers = tuple(plain_number(v) for v in values)
    except (TypeError, ValueError, OverflowError):
        raise QueryError(
            f"The weights are {shown(values)}; give one number for each tuple.",
            Where("parameter", name="weights"),
        ) from None
    if len(numbers) != len(names):
        raise QueryError(
            f"There are {len(numbers)} weights for {len(names)} tuples; give one weight for each tuple.",
            Where("parameter", name="weights"),
        )
    for axis, number in enumerate(numbers):
        if not math.isfinite(number):
            raise QueryError(
                f"The weight of {short(names[axis])} is {number}; it must be finite.",
                Where("axis", axis=axis),
            )
    return numbers


def as_change(value: Any) -> float:
    """Return the largest change of one tuple as a finite number, 0 or more, or raise QueryError."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = plain_number(value)
    except (TypeError, ValueError, OverflowError):
        raise QueryError(
            f"The largest change is {shown(value)}; it must be a number, 0 or more.",
            Where("parameter", name="max_change"),
        ) from None
    if not (math.isfinite(number) and number >= 0):
        raise QueryError(
            f"The largest change is {number:.12g}; it must be finite, 0 or more.",
            Where("parameter", name="max_change"),
        )
    return number
