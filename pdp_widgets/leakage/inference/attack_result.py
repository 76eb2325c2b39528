"""What one attack on one victim finds: beliefs before and after, the guess, its error and its score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Series
from pdp_widgets.core.results import Figures, Result, plotted
from pdp_widgets.leakage.inference.attack_score import AttackScore, about_columns
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, how_many

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


@dataclass(frozen=True, eq=False, repr=False)
class DrawnAttacks(EqualByFields, ReadOnlyArrays, NumberTable, Result):
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

    Notes
    -----
    Figures: ``"draws"``, the share of draws up to each error and up to each gain.

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
        as_choice(value, "value", ("error", "added"))
        return plotted(self._errors() if value == "error" else self._gains())

    def _figures(self) -> Figures:
        return {"draws": lambda: (self._errors(), self._gains())}

    def _errors(self) -> Chart:
        title = f"Error of the guess on user {self.victim}"
        return self._shares(title, self.error_km, "error, km")

    def _gains(self) -> Chart:
        return self._shares("Information the release adds", self.incremental / log(2), "information, bits")

    def _shares(self, title: str, values: Floats, across: str) -> Chart:
        """Return the share of draws up to each number, as steps."""
        series = []
        for which, row in enumerate(values, 1):
            ends = np.repeat(np.sort(row), 2)
            shares = np.repeat(np.arange(len(row) + 1) / len(row), 2)[1:-1]
            found, counts = np.unique(row, return_counts=True)
            name = f"attack {which}, estimate"
            told = Series(name, found, np.cumsum(counts) / len(row))
            series.append(Series(name, ends, shares, told=told))
        title = f"{title}, {how_many(self.draws, 'draw')}"
        return Chart(title, series, Axis(across), Axis("share of draws up to it", 0.0, 1.0))

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
