"""What the randomised report of every attribute says about every other attribute of the same record.

Leakages of pairs are in `local_analysis_base`, all reports together, frames and graphs in
`local_analysis_questions`; what takes the whole analysis, other budgets, calibration and pictures, is here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.local.conditionals import as_min_count
from pdp_widgets.leakage.local.given_data import as_records
from pdp_widgets.leakage.local.given_mechanisms import Mechanisms, mechanisms_for, with_epsilon
from pdp_widgets.leakage.local.leakage_curve import as_epsilons
from pdp_widgets.leakage.local.local_analysis_questions import LocalAnalysisQuestions
from pdp_widgets.leakage.local.matrix_values import MatrixValues
from pdp_widgets.leakage.local.mechanism_reading import as_output, read_all
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.latex_table import LatexTable

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.budget_calibration import BudgetCalibration

__all__ = ["LocalAnalysis"]

Floats = NDArray[np.float64]


class LocalAnalysis(LocalAnalysisQuestions, LatexTable):
    """Correlation-induced leakage of every ordered pair of attributes.

    Parameters
    ----------
    data
        Records (`AttributeTable`, or a data frame, see `AttributeTable.from_dataframe`), a
        `JointDistribution`, or an array of probabilities or counts.
    mechanism
        How attributes are released: one mechanism or its name for all, one for each in a list, or a dict by
        attribute name.
    epsilon
        The budget of every attribute, in nats; needed for mechanisms given by name, and otherwise replacing
        their own.
    output
        ``"raw"``: what is released. ``"inferred"``: the symbol guessed from each report, the paper's
        experiments; never more than raw.
    min_count
        Secret values with fewer records are left out, pair by pair: a leakage is a maximum, and rare values
        decide it.

    Raises
    ------
    BudgetError
        A mechanism or its budget is not one, or has no guess for ``"inferred"``.
    DomainError
        Mechanisms do not fit the attributes.
    TableError
        The data are no probabilities or counts.

    Notes
    -----
    Jayawardana, Ulukus, Ding and Thilakarathna, Eq. 3 and 4. The first index of a leakage is the source,
    which is released, the second the secret, which is attacked: L[source, secret] is not L[secret, source].

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    >>> analysis.names
    ('class', 'sex', 'age', 'survived')
    >>> analysis.matrix.round(2).tolist()[0]
    [0.0, 0.54, 0.55, 0.27]
    >>> print(analysis.largest)
    0.546329 nats (exact): age, from the report of class
    """

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
        least = as_min_count(min_count)
        if least > 0 and not tables.counted:
            raise DomainError(
                "min_count needs records, and the data have probabilities; give counts, or min_count=0.",
                Where("parameter", name="min_count"),
            )
        mechanisms = mechanisms_for(mechanism, epsilon, tables.names)
        self._seal(data, MatrixValues(tables, least), mechanisms, as_output(output))

    def _like(self, mechanisms: tuple[LocalMechanism, ...], output: Output) -> LocalAnalysis:
        made = object.__new__(LocalAnalysis)
        made._seal(self._data, self._values, mechanisms, output)
        made._again = True
        return made

    def at(self, epsilon: float) -> LocalAnalysis:
        """Return the same analysis with another budget for every attribute; nothing is counted again.

        Raises
        ------
        BudgetError
            The budget is negative, or a mechanism has none of its own.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> round(LocalAnalysis(titanic(), "OUE", 1.0).at(2.0).total, 4)
        8.6623
        """
        return self._like(with_epsilon(self._mechanisms, epsilon), self._output)

    def of_complete_records(self) -> LocalAnalysis:
        """Return the same analysis of the records that have all attributes; itself where no value is missing.

        What all reports together say (`joint`, `pairwise_sum`, `calibrate` and `all_reports`) is about these;
        the leakages of pairs are about the records that have both.

        Examples
        --------
        >>> from pdp_widgets import AttributeTable
        >>> table = AttributeTable([[0, 0, 1], [1, 1, -1], [1, 0, 0], [0, 1, 1]])
        >>> len(LocalAnalysis(table, "GRR", 1.0).of_complete_records().data)
        3
        """
        if not isinstance(self._data, AttributeTable) or not self._data.missing.any():
            return self
        whole = self._data.with_missing("listwise")
        return LocalAnalysis(whole, self._mechanisms, output=self._output, min_count=self.min_count)

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

    def released_by(self, mechanism: Mechanisms, epsilon: float | None = None) -> LocalAnalysis:
        """Return the same analysis with other mechanisms; nothing is counted again.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> LocalAnalysis(titanic(), "GRR", 1.0).released_by("OUE", 2.0)
        LocalAnalysis(4 attributes, OUE(epsilon=2.0), raw)
        """
        return self._like(mechanisms_for(mechanism, epsilon, self.names), self._output)

    def read_as(self, output: Output) -> LocalAnalysis:
        """Return the same analysis of the other output: ``"raw"`` or ``"inferred"``.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> analysis = LocalAnalysis(titanic(), "OUE", 1.0)
        >>> analysis.read_as("inferred").total < analysis.total
        True
        """
        return self._like(self._mechanisms, as_output(output))

    def matrices(self, epsilons: ArrayLike) -> Floats:
        """Return the matrices for several budgets, shape (budgets, sources, secrets), in nats.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> LocalAnalysis(titanic(), "GRR", 1.0).matrices([0.5, 1.0])[:, 0, 3].round(3).tolist()
        [0.118, 0.268]
        """
        sizes = self.tables.sizes.tolist()
        levels = as_epsilons(epsilons)
        found = np.zeros((len(levels), len(sizes), len(sizes)))
        for i, level in enumerate(levels):
            made = with_epsilon(self._mechanisms, float(level))
            found[i] = self._values.at(read_all(made, sizes, self._output), again=True)
        return found

    def calibrate(self, budget: float, method: str = "joint") -> BudgetCalibration:
        """Return the budget that every attribute may spend, see `calibrate_budget`.

        Every attribute is released by the mechanism of the first; all must be the same but for their
        budgets.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> round(LocalAnalysis(titanic(), "GRR", 1.0).calibrate(1.0).epsilon, 4)
        0.4846
        """
        from pdp_widgets.leakage.local.budget_calibration import calibrate_budget

        first = self._mechanisms[0]
        if not all(first.same_but_for_budget(one) for one in self._mechanisms):
            raise BudgetError(
                "The attributes have different mechanisms; calibration needs one for all of them.",
                Where("parameter", name="mechanism"),
            )
        return calibrate_budget(self, budget, first, method=method, output=self._output)

    def plot(self) -> Any:
        """Return a bqplot figure: a heat map of all leakages, sources down, secrets across.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> type(LocalAnalysis(titanic(), "GRR", 1.0).plot().marks[0]).__name__
        'GridHeatMap'
        """
        from pdp_widgets.widgets.local_figures import plot_leakage_matrix

        return plot_leakage_matrix(self)

    def save(
        self,
        path: str | os.PathLike[str],
        part: str = "matrix",
        *,
        source: str | int | None = None,
        secret: str | int | None = None,
        width: str | float = "column",
        theme: str = "print",
        dpi: float = 300,
    ) -> Path:
        """Write a figure for a paper, SVG, PDF or PNG; see `pdp_widgets.publish.save.save`.

        Parameters
        ----------
        path
            A file ending in ``.svg``, ``.pdf`` or ``.png``; it is replaced where it exists.
        part
            ``"matrix"`` (the heat map), ``"rows"`` and ``"curves"`` (of the chosen pair), or ``"all"``.
        source, secret
            The chosen pair; without them the one that leaks most.
        width, theme, dpi
            As for `pdp_widgets.publish.save.save`.

        Returns
        -------
        Path
            The file.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from pdp_widgets import titanic
        >>> with TemporaryDirectory() as folder:
        ...     LocalAnalysis(titanic(), "GRR", 1.0).save(f"{folder}/map.svg").name
        'map.svg'
        """
        from pdp_widgets.publish.save import save

        if (source is None) != (secret is None):
            raise DomainError(
                "A pair is one source and one secret; give both, or none.", Where("parameter", name="source")
            )
        known = () if source is None else (source,)
        return save(self, path, part, target=secret, known=known, width=width, theme=theme, dpi=dpi)

    def _latex(
        self, columns: Sequence[str] | None, most: int | None, caption: str | None, label: str | None
    ) -> str:
        from pdp_widgets.publish.latex_local import local_latex

        return local_latex(self, columns, most=most, caption=caption, label=label)

    def __repr__(self) -> str:
        kinds = list(dict.fromkeys(repr(one) for one in self._mechanisms))
        listed = kinds[0] if len(kinds) == 1 else f"{len(kinds)} mechanisms"
        return f"LocalAnalysis({len(self.names)} attributes, {listed}, {self._output})"
