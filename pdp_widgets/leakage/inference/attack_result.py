"""What one attack on one victim finds: beliefs before and after, the guess, its error and its score."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.inference.attack_columns import about_columns
from pdp_widgets.leakage.inference.attack_score import AttackScore
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["AttackResult"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class AttackResult(EqualByFields, ReadOnlyArrays, NumberTable):
    """One attack on one victim.

    Parameters
    ----------
    prior, posterior
        Beliefs before and after the release, one for each cell: rows from south to north, columns from west
        to east (read-only).
    cell_before, cell
        The likeliest cell before and after, the first of several: the southernmost, of these the westernmost.
    error_before_km, error_km
        Distances of the victim's place to the centres of these cells.
    mass_before, mass
        Probability of the cell in which the victim is, before and after.
    guess
        Latitude and longitude of the centre of the likeliest cell after the release.
    score
        Entropies and leaked information; its numbers are properties here too.
    equal_before, equal
        How many cells are as likely as the guess, itself among them: where they are many, that it is the
        first of them says nothing, and neither does its distance.

    Examples
    --------
    >>> from pdp_widgets import InferenceAttack, synthetic_network
    >>> city = synthetic_network(450, rng=1).city("New York")
    >>> found = InferenceAttack(city, epsilon=40.0).attack_2
    >>> bool(abs(found.leaked - found.prior_gap - found.incremental) < 1e-12)
    True
    """

    prior: Floats
    posterior: Floats
    cell_before: int
    cell: int
    error_before_km: float
    error_km: float
    mass_before: float
    mass: float
    guess: tuple[float, float]
    score: AttackScore
    equal_before: int = 1
    equal: int = 1

    @property
    def impossible(self) -> bool:
        """Whether the victim's own cell has probability 0: nobody known is there, and no release tells it.

        With smoothing no cell is impossible.
        """
        return self.mass_before == 0

    @property
    def entropy_before(self) -> float:
        """Entropy of the prior in nats."""
        return self.score.before

    @property
    def entropy(self) -> float:
        """Entropy after the release in nats."""
        return self.score.after

    @property
    def leaked(self) -> float:
        """The paper's leaked information (Eq. 11) in nats: what was known beforehand counts too."""
        return self.score.leaked

    @property
    def incremental(self) -> float:
        """What the release adds, in nats."""
        return self.score.incremental

    @property
    def prior_gap(self) -> float:
        """What the adversary had before any release, in nats."""
        return self.score.prior_gap

    @property
    def leaked_bits(self) -> float:
        """The paper's leaked information in bits."""
        return self.score.leaked_bits

    @property
    def incremental_bits(self) -> float:
        """What the release adds, in bits."""
        return self.score.incremental_bits

    @property
    def prior_gap_bits(self) -> float:
        """What the adversary had before any release, in bits."""
        return self.score.prior_gap_bits

    def _numbers(self) -> Numbers:
        """One cell a row; likely cells first."""
        cells = np.lexsort((np.arange(len(self.posterior)), -self.posterior))
        side = math.isqrt(len(cells))
        columns = {
            "row": cells // side,
            "column": cells % side,
            "prior": self.prior[cells],
            "posterior": self.posterior[cells],
        }
        return Numbers(
            columns,
            {"row": "count", "column": "count", "prior": "probability", "posterior": "probability"},
            about_columns(columns, "Eq. 6 to 9"),
            ("rows from south to north, columns from west to east, from 0",),
        )
