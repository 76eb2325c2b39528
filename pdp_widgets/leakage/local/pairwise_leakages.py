"""Leakages of every two attributes by local reports, and what they are computed from; other budgets too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import MIN_COUNT
from pdp_widgets.core.converters import check_many
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.first_of_equals import first_place
from pdp_widgets.leakage.local.hull import Fronts, two_level
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve, as_epsilons
from pdp_widgets.leakage.local.mechanism_reading import (
    Mechanisms,
    Reading,
    as_output,
    best_of,
    dpl_of,
    mechanisms_for,
    read_all,
    with_epsilon,
)
from pdp_widgets.leakage.local.pair_leakage import PairLeakage, leakage_of_pair
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.local.records import as_records
from pdp_widgets.leakage.local.subsets import column_extremes
from pdp_widgets.leakage.value import Leakage, Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counters import PairCounter
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown

__all__ = ["MatrixValues", "PairwiseLeakages"]

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


_MOST_LEAKAGES = 2_000_000


class PairwiseLeakages(ReadOnlyAgain):
    """The leakage of every ordered pair of attributes: what `LocalAnalysis` and calibrations rest on.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> found = PairwiseLeakages(titanic(), "GRR", 1.0)
    >>> found.at(2.0).total > found.total
    True
    """

    _data: Any
    _values: MatrixValues
    _mechanisms: tuple[LocalMechanism, ...]
    _output: Output
    _readings: tuple[Reading, ...]
    _again: bool

    def __init__(
        self,
        data: AttributeTable | JointDistribution | PairTables | ArrayLike | Any,
        mechanism: Mechanisms = "generic",
        epsilon: float | None = None,
        *,
        output: Output = "raw",
        min_count: float = 0,
    ) -> None:
        data = as_records(data)
        tables = PairTables.of(data)
        least = MIN_COUNT.take(min_count, "min_count")
        if least > 0 and not tables.counted:
            raise DomainError(
                "min_count needs records, and the data have probabilities.",
                Where("parameter", name="min_count"),
                call="Give counts, or min_count=0.",
            )
        mechanisms = mechanisms_for(mechanism, epsilon, tables.names, tables.domains)
        # A counter goes on counting, and the analysis stays.
        kept = tables if isinstance(data, PairCounter) else data
        self._seal(kept, MatrixValues(tables, least), mechanisms, as_output(output))

    def _seal(
        self, data: Any, values: MatrixValues, mechanisms: tuple[LocalMechanism, ...], output: Output
    ) -> None:
        self._data, self._values, self._mechanisms, self._output = data, values, mechanisms, output
        self._readings = tuple(read_all(mechanisms, values.tables.sizes.tolist(), output))
        self._again = False

    def _like(self, mechanisms: tuple[LocalMechanism, ...], output: Output) -> Self:
        made = object.__new__(type(self))
        made._seal(self._data, self._values, mechanisms, output)
        made._again = True
        return made

    @property
    def data(self) -> Any:
        """What the analysis was made from."""
        return self._data

    @property
    def tables(self) -> PairTables:
        """The joint tables of every two attributes."""
        return self._values.tables

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes."""
        return self.tables.names

    @property
    def mechanisms(self) -> tuple[LocalMechanism, ...]:
        """How every attribute is released."""
        return self._mechanisms

    @property
    def output(self) -> Output:
        """``"raw"`` or ``"inferred"``."""
        return self._output

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The likelihoods of every attribute's report, all that leakages depend on."""
        return self._readings

    @property
    def matrix_values(self) -> MatrixValues:
        """What does not depend on mechanisms and budgets, computed once."""
        return self._values

    @property
    def min_count(self) -> float:
        """Least number of records of a secret value that counts."""
        return self._values.min_count

    @cached_property
    def matrix(self) -> Floats:
        """Leakages L[source, secret] in nats, 0 on the diagonal, read-only."""
        found = self._values.at(self._readings, again=self._again)
        found.setflags(write=False)
        return found

    @cached_property
    def dpl(self) -> Floats:
        """What the report of every attribute says about that attribute itself, in nats, read-only."""
        sizes = self.tables.sizes.tolist()
        found = np.array(
            [dpl_of(one, k, self._output) for one, k in zip(self._mechanisms, sizes, strict=True)]
        )
        found.setflags(write=False)
        return found

    @property
    def total(self) -> float:
        """Sum of all leakages (TCPL, Eq. 4), in nats."""
        with np.errstate(over="ignore"):
            return float(self.matrix.sum())

    @property
    def composition(self) -> float:
        """Sum of what all reports say about their own attributes (SPL): no attribute leaks more."""
        with np.errstate(over="ignore"):
            return float(self.dpl.sum())

    @cached_property
    def largest(self) -> Leakage:
        """The largest leakage, with its pair: of equal ones the first by source, then by secret."""
        if len(self.names) < 2:
            raise DomainError(
                "One attribute has no other to leak about; give two or more.", Where("parameter", name="data")
            )
        return self.pair(*first_place(self.matrix)).leakage

    def pair(self, source: str | int, secret: str | int) -> PairLeakage:
        """Return what one attribute's report says about another, with the worst case that reaches it.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> found = LocalAnalysis(titanic(), "GRR", 1.0).pair("class", "sex")
        >>> found.pair, found.symbols, found.supports
        (('male', 'female'), ('crew',), (1731, 470))
        """
        j, k = self.pair_positions(source, secret)
        pair = self.tables.pair(j, k, self.min_count)
        return leakage_of_pair(pair, self._mechanisms[j], self._output)

    def pair_positions(self, source: str | int, secret: str | int) -> tuple[int, int]:
        """Return the positions of a source and a secret, or raise DomainError.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> LocalAnalysis(titanic(), "GRR", 1.0).pair_positions("class", "age")
        (0, 2)
        """
        j, k = self.tables.position(source), self.tables.position(secret)
        if j == k:
            raise DomainError(
                f"Source and secret are both {shown(self.names[j])}; what a report says about its own "
                "attribute is in dpl.",
                Where("parameter", name="secret"),
            )
        return j, k

    def curve(self, source: str | int, secret: str | int, epsilons: ArrayLike | None = None) -> LeakageCurve:
        """Return what one attribute's report says about another, for several budgets.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> curve = LocalAnalysis(titanic(), "GRR", 1.0).curve("class", "survived", [0.5, 1.0])
        >>> curve.values.round(3).tolist()
        [0.118, 0.268]
        """
        j, k = self.pair_positions(source, secret)
        mechanism = self._mechanisms[j]
        levels = as_epsilons(epsilons, mechanism.epsilon)
        return LeakageCurve(self.tables.pair(j, k, self.min_count), mechanism, self._output, levels)

    def at(self, epsilon: float) -> Self:
        """Return the same analysis with another budget for every attribute; nothing is counted again.

        Raises
        ------
        BudgetError
            The budget is negative, or a mechanism has none of its own.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> round(LocalAnalysis(titanic(), "OUE", 1.0).at(2.0).total, 4)
        8.6623
        """
        return self._like(with_epsilon(self._mechanisms, epsilon), self._output)

    def of_complete_records(self) -> Self:
        """Return the same analysis of the records that have all attributes; itself where no value is missing.

        What all reports together say (`joint`, `pairwise_sum`, `calibrate` and `all_reports`) is about these;
        the leakages of pairs are about the records that have both.

        Examples
        --------
        >>> from pdp_widgets import AttributeTable, LocalAnalysis
        >>> table = AttributeTable([[0, 0, 1], [1, 1, -1], [1, 0, 0], [0, 1, 1]])
        >>> len(LocalAnalysis(table, "GRR", 1.0).of_complete_records().data)
        3
        """
        if not isinstance(self._data, AttributeTable) or not self._data.missing.any():
            return self
        whole = self._data.with_missing("listwise")
        return type(self)(whole, self._mechanisms, output=self._output, min_count=self.min_count)

    @cached_property
    def pairwise_sum(self) -> Floats:
        """Own report and the sum of the others for every secret (Eq. 6): an estimate, and no upper bound.

        In nats, read-only, and about the records that have all attributes, as what it estimates.
        """
        whole = self.of_complete_records()
        with np.errstate(over="ignore"):
            found = np.asarray(whole.dpl + whole.matrix.sum(axis=0))
        found.setflags(write=False)
        return found

    def released_by(self, mechanism: Mechanisms, epsilon: float | None = None) -> Self:
        """Return the same analysis with other mechanisms; nothing is counted again.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> LocalAnalysis(titanic(), "GRR", 1.0).released_by("OUE", 2.0)
        LocalAnalysis(4 attributes, OUE(epsilon=2.0), raw)
        """
        return self._like(mechanisms_for(mechanism, epsilon, self.names, self.tables.domains), self._output)

    def read_as(self, output: Output) -> Self:
        """Return the same analysis of the other output: ``"raw"`` or ``"inferred"``.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> analysis = LocalAnalysis(titanic(), "OUE", 1.0)
        >>> analysis.read_as("inferred").total < analysis.total
        True
        """
        return self._like(self._mechanisms, as_output(output))

    def matrices(self, epsilons: ArrayLike) -> Floats:
        """Return the matrices for several budgets, shape (budgets, sources, secrets), in nats.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> LocalAnalysis(titanic(), "GRR", 1.0).matrices([0.5, 1.0])[:, 0, 3].round(3).tolist()
        [0.118, 0.268]
        """
        sizes = self.tables.sizes.tolist()
        levels = as_epsilons(epsilons)
        # Every leakage of every matrix is a search of its own.
        check_many(len(levels), max(1, _MOST_LEAKAGES // len(sizes) ** 2), "epsilons", 7e-6 * len(sizes) ** 2)
        found = np.zeros((len(levels), len(sizes), len(sizes)))
        for i, level in enumerate(levels):
            made = with_epsilon(self._mechanisms, float(level))
            found[i] = self._values.at(read_all(made, sizes, self._output), again=True)
        return found

    def __repr__(self) -> str:
        kinds = list(dict.fromkeys(repr(one) for one in self._mechanisms))
        listed = kinds[0] if len(kinds) == 1 else f"{len(kinds)} mechanisms"
        return f"{type(self).__name__}({len(self.names)} attributes, {listed}, {self._output})"
