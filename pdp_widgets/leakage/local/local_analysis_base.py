"""What an analysis of local reports rests on: the tables, the mechanisms, and the leakages of all pairs."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.first_of_equals import first_place
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve, as_epsilons
from pdp_widgets.leakage.local.matrix_values import MatrixValues
from pdp_widgets.leakage.local.mechanism_reading import Reading, dpl_of, read_all
from pdp_widgets.leakage.local.pair_leakage import PairLeakage, leakage_of_pair
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.value import Leakage, Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.immutable import ReadOnlyAgain
from pdp_widgets.models.labels import shown

__all__ = ["PairwiseLeakages"]

Floats = NDArray[np.float64]


class PairwiseLeakages(ReadOnlyAgain):
    """The leakage of every ordered pair of attributes, and what it was computed from; see `LocalAnalysis`."""

    _data: Any
    _values: MatrixValues
    _mechanisms: tuple[LocalMechanism, ...]
    _output: Output
    _readings: tuple[Reading, ...]
    _again: bool

    def _seal(
        self, data: Any, values: MatrixValues, mechanisms: tuple[LocalMechanism, ...], output: Output
    ) -> None:
        self._data, self._values, self._mechanisms, self._output = data, values, mechanisms, output
        self._readings = tuple(read_all(mechanisms, values.tables.sizes.tolist(), output))
        self._again = False

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
