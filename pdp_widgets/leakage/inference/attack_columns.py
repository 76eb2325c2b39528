"""What the columns of attacks on places are: their units, their status, and the paper they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["about_columns"]

_PAPER = "Liu, Chakraborty and Mittal, NDSS 2016"
_UNITS = {
    **dict.fromkeys(
        (
            "epsilon",
            "h0",
            "entropy_before",
            "entropy",
            "leaked",
            "incremental",
            "prior_gap",
            "half_width",
        ),
        "nats",
    ),
    **dict.fromkeys(("prior", "posterior", "mass_before", "mass"), "probability"),
    "scale": "side of the map",
}
_ENDINGS = {"_bits": "bits", "_km": "km"}


def about_columns(
    columns: Iterable[str], equations: str, status: str | Mapping[str, str] = "exact", **more: Any
) -> dict[str, Any]:
    """Return what a data frame says of itself: ``unit`` and ``status`` by column, and ``source``.

    Parameters
    ----------
    columns
        Names; a column that only counts or names something has no unit.
    equations
        Of the paper.
    status
        Of all columns with a unit but the budget and the scale, which are set; or of those named, where the
        others are exact.
    **more
        What else is said.

    Examples
    --------
    >>> about = about_columns(["user", "leaked", "error_km"], "Eq. 11", {"error_km": "estimate"})
    >>> about["unit"], about["status"]
    ({'leaked': 'nats', 'error_km': 'km'}, {'leaked': 'exact', 'error_km': 'estimate'})
    >>> about["source"]
    'Liu, Chakraborty and Mittal, NDSS 2016, Eq. 11'
    """
    units = {name: unit for name in columns if (unit := _unit(name)) is not None}
    found = [name for name in units if name not in ("epsilon", "scale")]
    named = dict.fromkeys(found, status) if isinstance(status, str) else status
    return {
        "unit": units,
        "source": f"{_PAPER}, {equations}",
        "status": {name: named.get(name, "exact") for name in found},
        **more,
    }


def _unit(name: str) -> str | None:
    for ending, unit in _ENDINGS.items():
        if name.endswith(ending):
            return unit
    return _UNITS.get(name)
