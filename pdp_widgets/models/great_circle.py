"""Distances on the surface of the earth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import NetworkError, Where

__all__ = ["EARTH_RADIUS_KM", "as_places", "great_circle_km", "kilometres_per_degree", "pattern_distance"]

Floats = NDArray[np.float64]

#: Mean radius of the earth.
EARTH_RADIUS_KM = 6371.0


def as_places(places: Any, name: str = "places") -> Floats:
    """Return places as latitudes and longitudes in degrees, shape (..., 2), or raise NetworkError."""
    where = Where("parameter", name=name)
    refuse_masked(places, name)
    try:
        found = plain_numbers(places)
    except (TypeError, ValueError, OverflowError):
        raise NetworkError(f"The {name} hold something that is no pair of numbers.", where) from None
    if found.ndim == 0 or found.shape[-1] != 2:
        raise NetworkError(
            f"The {name} have shape {found.shape}; a place is a latitude and a longitude.", where
        )
    wrong = ~((np.abs(found[..., 0]) <= 90) & (np.abs(found[..., 1]) <= 180))
    if wrong.any():
        latitude, longitude = found[wrong][0]
        raise NetworkError(
            f"A place of the {name} is ({latitude:.12g}, {longitude:.12g}); a latitude is from -90 to 90 "
            "degrees and a longitude from -180 to 180.",
            where,
        )
    return found


def great_circle_km(a: Any, b: Any) -> Floats:
    """Return distances along the surface of the earth in kilometres (haversine, radius 6,371 km).

    Parameters
    ----------
    a, b
        Places as (latitude, longitude) in degrees, shapes (..., 2) that fit together.

    Examples
    --------
    >>> float(great_circle_km([40.7128, -74.0060], [37.7749, -122.4194]).round(1))
    4129.1
    """
    one, other = np.radians(as_places(a, "places")), np.radians(as_places(b, "places"))
    half = np.sin((other - one) / 2) ** 2
    share = half[..., 0] + np.cos(one[..., 0]) * np.cos(other[..., 0]) * half[..., 1]
    # Rounding must not push opposite places beyond half the earth.
    found: Floats = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(share, 0.0, 1.0)))
    return found


def pattern_distance(a: Any, b: Any) -> float:
    """Return the distance of two location patterns: the mean over their ranks, in kilometres (Eq. 5)."""
    one, other = as_places(a, "places"), as_places(b, "places")
    if one.ndim != 2 or one.shape != other.shape or not len(one):
        raise NetworkError(
            f"The patterns have shapes {one.shape} and {other.shape}; give the same number of places, one or "
            "more.",
            Where("parameter", name="places"),
        )
    return float(great_circle_km(one, other).mean())


def kilometres_per_degree(latitude: float) -> tuple[float, float]:
    """Return the kilometres of a degree to the north and of a degree to the east."""
    north = EARTH_RADIUS_KM * np.pi / 180
    return float(north), float(north * np.cos(np.radians(latitude)))
