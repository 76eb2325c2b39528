"""What every attribute's report says about every other attribute: computed once, evaluated at any budget."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.hull import Fronts
from pdp_widgets.leakage.local.mechanism_reading import Reading, best_of
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.local.singletons import column_extremes
from pdp_widgets.leakage.local.two_level import two_level

__all__ = ["MatrixValues"]

Floats = NDArray[np.float64]

#: Beyond so many numbers sorting takes as long as searching at 25 budgets.
_MOST_SORTED = 1e6


class MatrixValues:
    """All pairs of attributes of some tables; what does not depend on a budget is kept.

    Parameters
    ----------
    tables
        The joint tables of every two attributes.
    min_count
        Secret values with fewer records are left out.

    Examples
    --------
    >>> from pdp_widgets import lsat6
    >>> values = MatrixValues(PairTables.of(lsat6()))
    >>> values.at([Reading("all", 1.0)] * 5)[0].round(3).tolist()
    [0.0, 0.065, 0.08, 0.041, 0.028]
    """

    def __init__(self, tables: PairTables, min_count: float = 0) -> None:
        self.tables = tables
        self.min_count = min_count

    @cached_property
    def given(self) -> list[Conditionals]:
        """What every attribute, as the secret, says about all others."""
        return [self.tables.given(k, self.min_count) for k in range(self.tables.n)]

    def at(self, readings: Sequence[Reading], *, again: bool = False) -> Floats:
        """Return the leakages [source, secret] in nats, 0 on the diagonal.

        Parameters
        ----------
        readings
            How the report of every attribute is read.
        again
            More budgets will follow: keep the points that decide at every budget, where finding them takes no
            longer than searching at a few dozen budgets.
        """
        n = self.tables.n
        found = np.zeros((n, n))
        if n < 2:
            return found
        kinds = [reading.kind for reading in readings]
        levels = np.array([reading.log_rho for reading in readings])
        symbols = [j for j, kind in enumerate(kinds) if kind == "singletons"]
        subsets = [j for j, kind in enumerate(kinds) if kind == "all"]
        if symbols:
            found[symbols] = self._of_symbols(levels)[symbols]
        if subsets and ("fronts" in self.__dict__ or (again and self.points_work <= _MOST_SORTED)):
            found[subsets] = self._of_subsets(levels)[subsets]
            subsets = []
        rest = [j for j, kind in enumerate(kinds) if kind in ("exactly", "matrix")] + subsets
        if rest:
            for k, given in enumerate(self.given):
                others = [j for j in sorted(rest) if j != k]
                if others:
                    part = given.take(j - (j > k) for j in others)
                    found[others, k] = best_of(part, [readings[j] for j in others]).value
        return found

    def _of_symbols(self, levels: Floats) -> Floats:
        """Return the leakages of reports that favour one symbol each, for all sources at once."""
        high, low = self.extremes
        by_column = two_level(high, low, np.repeat(levels, self.tables.sizes))
        return np.maximum.reduceat(by_column, self.tables.starts, axis=1).T

    @cached_property
    def extremes(self) -> tuple[Floats, Floats]:
        """Largest and smallest P(symbol | secret value), shape (secrets, symbols); 0 for its own symbols."""
        n, total = self.tables.n, int(self.tables.sizes.sum())
        found = np.zeros((2, n, total))
        for k, given in enumerate(self.given):
            start, size = int(self.tables.starts[k]), int(self.tables.sizes[k])
            for part, extreme in zip(found, column_extremes(given), strict=True):
                part[k, :start], part[k, start + size :] = extreme[:start], extreme[start:]
        return found[0], found[1]

    def _of_subsets(self, levels: Floats) -> Floats:
        """Return the leakages of reports that favour any set, for all sources at once."""
        n = self.tables.n
        found = np.zeros((n, n))
        secret, source = np.nonzero(~np.eye(n, dtype=np.bool_))
        found[source, secret] = self.fronts.values(levels[source])
        return found

    @property
    def points_work(self) -> float:
        """How many numbers are sorted for `fronts`."""
        sizes = self.tables.sizes.astype(np.float64)
        return float((sizes**2).sum() * sizes.sum() - (sizes**3).sum())

    @cached_property
    def fronts(self) -> Fronts:
        """Points of all pairs for reports that favour any set, secret by secret, then source by source."""
        return Fronts.all_subsets([given.source(j) for given in self.given for j in range(given.sources)])
