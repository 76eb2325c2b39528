"""Both attacks on one victim for many draws of the noise: what a single draw hides."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.inference.attack_columns import about_columns
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.figure_file import FigureFile
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["DrawnAttacks"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class DrawnAttacks(EqualByFields, ReadOnlyArrays, NumberTable, FigureFile):
    """Both attacks on one victim by draw of the noise; rows are attack 1 and attack 2 (read-only).

    Parameters
    ----------
    victim
        The user.
    error_km
        Distance of the victim's place to the centre of the likeliest cell, shape (2, draws).
    mass
        Probability of the cell the victim is in, shape (2, draws).
    incremental
        What the release adds, in nats, shape (2, draws).
    prior_gap
        What the adversary had before any release, in nats, shape (2,).

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), epsilon=30.0, clusters=4)
    >>> found = attack.by_draw(50)
    >>> found.draws, bool(found.error_km[1, 0] == attack.attack_2.error_km)
    (50, True)
    """

    victim: int
    error_km: Floats
    mass: Floats
    incremental: Floats
    prior_gap: Floats

    @property
    def draws(self) -> int:
        """How many draws of the noise."""
        return int(self.error_km.shape[1])

    @property
    def leaked(self) -> Floats:
        """The paper's leaked information (Eq. 11), shape (2, draws), in nats."""
        return self.prior_gap[:, None] + self.incremental

    @property
    def mean_error_km(self) -> Floats:
        """Mean distance over draws, of attack 1 and of attack 2."""
        found: Floats = self.error_km.mean(axis=1)
        return found

    @property
    def mean_incremental_bits(self) -> Floats:
        """What the release adds on average over draws, in bits."""
        found: Floats = self.incremental.mean(axis=1) / log(2)
        return found

    def plot(self, value: str = "error") -> Any:
        """Return a bqplot figure: the share of draws up to each error, or up to each gain.

        Parameters
        ----------
        value
            ``"error"`` in km, or ``"added"``, what the release adds in bits.
        """
        from pdp_widgets.widgets.attack_figures import plot_draws

        return plot_draws(self, value)

    def _numbers(self) -> Numbers:
        many = self.draws
        columns = {
            "draw": np.tile(np.arange(1, many + 1), 2),
            "attack": np.repeat([1, 2], many),
            "error_km": self.error_km.ravel(),
            "mass": self.mass.ravel(),
            "incremental": self.incremental.ravel(),
            "prior_gap": np.repeat(self.prior_gap, many),
        }
        return Numbers(
            columns,
            {
                "draw": "count",
                "attack": "count",
                "prior_gap": "nats",
                "incremental": "nats",
                "mass": "probability",
                "error_km": "number",
            },
            about_columns(columns, "Eq. 6 to 11"),
            (f"victim: user {self.victim}",),
        )
