"""What the randomised report of every attribute says about every other attribute of the same record."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.local.association import Association, Normalisation, as_normalisation, association
from pdp_widgets.leakage.local.conditionals import as_min_count
from pdp_widgets.leakage.local.joint_privacy_loss import JointPrivacyLoss, dpl_of
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve, as_epsilons
from pdp_widgets.leakage.local.matrix_values import MatrixValues
from pdp_widgets.leakage.local.pair_leakage import PairLeakage, leakage_of_pair
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.local.reading import SOURCE, as_output, check_mechanism, read_all
from pdp_widgets.leakage.value import Leakage, Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.budget_calibration import BudgetCalibration

__all__ = ["LocalAnalysis"]

Floats = NDArray[np.float64]

Mechanisms = LocalMechanism | str | Sequence["LocalMechanism | str"] | Mapping[str, "LocalMechanism | str"]


class LocalAnalysis:
    """Correlation-induced leakage of every ordered pair of attributes.

    Parameters
    ----------
    data
        Records (`AttributeTable`), a `JointDistribution`, or an array of probabilities or counts.
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
        data: AttributeTable | JointDistribution | PairTables | ArrayLike,
        mechanism: Mechanisms = "generic",
        epsilon: float | None = None,
        *,
        output: Output = "raw",
        min_count: float = 0,
    ) -> None:
        tables = PairTables.of(data)
        least = as_min_count(min_count)
        if least > 0 and not tables.counted:
            raise DomainError(
                "min_count needs records, and the data have probabilities; give counts, or min_count=0.",
                Where("parameter", name="min_count"),
            )
        mechanisms = _mechanisms(mechanism, epsilon, tables.names)
        self._seal(data, MatrixValues(tables, least), mechanisms, as_output(output))

    def _seal(
        self, data: Any, values: MatrixValues, mechanisms: tuple[LocalMechanism, ...], output: Output
    ) -> None:
        self._data, self._values, self._mechanisms, self._output = data, values, mechanisms, output
        sizes = values.tables.sizes.tolist()
        self._readings = read_all(mechanisms, sizes, output)
        self._again = False

    def _like(self, mechanisms: tuple[LocalMechanism, ...], output: Output) -> LocalAnalysis:
        made = object.__new__(LocalAnalysis)
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
        return float(self.matrix.sum())

    @property
    def pairwise_sum(self) -> Floats:
        """Own report and the sum of the others for every secret (Eq. 6): an estimate, and no upper bound."""
        return np.asarray(self.dpl + self.matrix.sum(axis=0))

    @property
    def composition(self) -> float:
        """Sum of what all reports say about their own attributes (SPL): no attribute leaks more."""
        return float(self.dpl.sum())

    @cached_property
    def largest(self) -> Leakage:
        """The largest leakage, with the pair it belongs to."""
        if len(self.names) < 2:
            raise DomainError(
                "One attribute has no other to leak about; give two or more.", Where("parameter", name="data")
            )
        off = np.where(np.eye(len(self.names), dtype=np.bool_), -1.0, self.matrix)
        source, secret = np.unravel_index(int(off.argmax()), off.shape)
        return self.pair(int(source), int(secret)).leakage

    def pair(self, source: str | int, secret: str | int) -> PairLeakage:
        """Return what one attribute's report says about another, with the worst case that reaches it.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> found = LocalAnalysis(titanic(), "GRR", 1.0).pair("class", "sex")
        >>> found.pair, found.symbols, found.supports
        (('male', 'female'), ('crew',), (1731, 470))
        """
        j, k = self._pair(source, secret)
        pair = self.tables.pair(j, k, self.min_count)
        return leakage_of_pair(pair, self._mechanisms[j], self._output)

    def _pair(self, source: str | int, secret: str | int) -> tuple[int, int]:
        j, k = self.tables.position(source), self.tables.position(secret)
        if j == k:
            raise DomainError(
                f"Source and secret are both {shown(self.names[j])}; what a report says about its own "
                "attribute is in dpl.",
                Where("parameter", name="secret"),
            )
        return j, k

    def curve(self, source: str | int, secret: str | int, epsilons: ArrayLike | None = None) -> LeakageCurve:
        """Return what one attribute's report says about another, for several budgets."""
        j, k = self._pair(source, secret)
        mechanism = self._mechanisms[j]
        levels = as_epsilons(epsilons, mechanism.epsilon)
        return LeakageCurve(self.tables.pair(j, k, self.min_count), mechanism, self._output, levels)

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
        return self._like(_with_epsilon(self._mechanisms, epsilon), self._output)

    def released_by(self, mechanism: Mechanisms, epsilon: float | None = None) -> LocalAnalysis:
        """Return the same analysis with other mechanisms; nothing is counted again."""
        return self._like(_mechanisms(mechanism, epsilon, self.names), self._output)

    def read_as(self, output: Output) -> LocalAnalysis:
        """Return the same analysis of the other output: ``"raw"`` or ``"inferred"``."""
        return self._like(self._mechanisms, as_output(output))

    def matrices(self, epsilons: ArrayLike) -> Floats:
        """Return the matrices for several budgets, shape (budgets, sources, secrets), in nats."""
        sizes = self.tables.sizes.tolist()
        levels = as_epsilons(epsilons)
        found = np.zeros((len(levels), len(sizes), len(sizes)))
        for i, level in enumerate(levels):
            made = _with_epsilon(self._mechanisms, float(level))
            found[i] = self._values.at(read_all(made, sizes, self._output), again=True)
        return found

    def associations(self) -> dict[tuple[str, str], Association]:
        """Return measures of association of every two attributes, each pair once, by names."""
        n = len(self.names)
        return {
            (self.names[a], self.names[b]): association(self.tables.table(a, b))
            for a in range(n)
            for b in range(a + 1, n)
            if self.tables.table(a, b).any()
        }

    def joint(
        self, secret: str | int, sources: Iterable[str | int] | None = None, *, exact: bool | None = None
    ) -> JointPrivacyLoss:
        """Return what several reports together say about one attribute, its own report included.

        Parameters
        ----------
        secret
            Name or position of the attacked attribute.
        sources
            The other reported attributes; without it all.
        exact
            True: compute the exact value or raise; False: the bounds alone; None: the exact value where it is
            small enough.

        Raises
        ------
        LimitError
            ``exact=True``, and there are too many combinations of outputs or symbols.
        """
        from pdp_widgets.leakage.local.joint_of_records import joint_loss

        k = self.tables.position(secret)
        chosen = range(len(self.names)) if sources is None else [self.tables.position(s) for s in sources]
        others = [j for j in chosen if j != k]
        return joint_loss(
            self._data,
            [k, *others],
            [self._mechanisms[j] for j in (k, *others)],
            self._output,
            exact,
            self.min_count,
        )

    def calibrate(self, budget: float, method: str = "joint") -> BudgetCalibration:
        """Return the budget that every attribute may spend, see `calibrate_budget`.

        Every attribute is released by the mechanism of the first; all must be the same.
        """
        from pdp_widgets.leakage.local.budget_calibration import calibrate_budget

        kinds = {type(one) for one in self._mechanisms}
        if len(kinds) > 1:
            raise BudgetError(
                "The attributes have different mechanisms; calibration needs one for all of them.",
                Where("parameter", name="mechanism"),
            )
        return calibrate_budget(self, budget, self._mechanisms[0], method=method, output=self._output)

    def to_dataframe(self, *, measures: bool = False, nmi: Normalisation = "joint") -> Any:
        """Return a pandas data frame with one ordered pair a row, in nats.

        Parameters
        ----------
        measures
            Add columns ``mutual information``, ``nmi`` and ``correlation``.
        nmi
            How mutual information is normalised.

        Returns
        -------
        frame
            Columns ``source``, ``secret``, ``leakage``, ``mechanism``, ``epsilon`` and ``output``. Its
            ``attrs`` say the ``unit``, the ``source`` and the ``status``.
        """
        from pdp_widgets.leakage.result_frames import as_dataframe

        n = len(self.names)
        pairs = [(j, k) for j in range(n) for k in range(n) if j != k]
        columns: dict[str, Any] = {
            "source": [self.names[j] for j, _ in pairs],
            "secret": [self.names[k] for _, k in pairs],
            "leakage": [float(self.matrix[j, k]) for j, k in pairs],
            "mechanism": [self._mechanisms[j].name for j, _ in pairs],
            "epsilon": [self._mechanisms[j].epsilon for j, _ in pairs],
            "output": self._output,
        }
        if measures:
            named = as_normalisation(nmi)
            found = self.associations()
            either = [
                found.get((self.names[min(p)], self.names[max(p)])) or Association(np.nan, {}, np.nan)
                for p in pairs
            ]
            columns["mutual information"] = [one.mutual_information for one in either]
            columns["nmi"] = [one.nmi.get(named, np.nan) for one in either]
            columns["correlation"] = [one.correlation for one in either]
        return as_dataframe(columns, {"unit": "nats", "source": SOURCE, "status": {"leakage": "exact"}})

    def to_networkx(self, threshold: float = 0.0) -> Any:
        """Return a ``networkx.DiGraph``: an edge from source to secret, its leakage as ``leakage``.

        Parameters
        ----------
        threshold
            Edges with this leakage or less are left out.
        """
        import networkx as nx

        graph = nx.DiGraph(unit="nats", source=SOURCE, output=self._output)
        for name, own, mechanism in zip(self.names, self.dpl, self._mechanisms, strict=True):
            graph.add_node(name, dpl=float(own), mechanism=mechanism.name)
        for j, k in zip(*np.nonzero(self.matrix > threshold), strict=True):
            graph.add_edge(self.names[j], self.names[k], leakage=float(self.matrix[j, k]))
        return graph

    def plot(self) -> Any:
        """Return a bqplot figure: a heat map of all leakages, sources down, secrets across."""
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
    ) -> None:
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
        """
        from pdp_widgets.publish.save import save

        if (source is None) != (secret is None):
            raise DomainError(
                "A pair is one source and one secret; give both, or none.", Where("parameter", name="source")
            )
        known = () if source is None else (source,)
        save(self, path, part, target=secret, known=known, width=width, theme=theme, dpi=dpi)

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        most: int | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the leakages as a LaTeX table, see `publish.latex_local`."""
        from pdp_widgets.publish.latex_local import local_latex

        return local_latex(self, columns, most=most, caption=caption, label=label)

    def __repr__(self) -> str:
        kinds = list(dict.fromkeys(repr(one) for one in self._mechanisms))
        listed = kinds[0] if len(kinds) == 1 else f"{len(kinds)} mechanisms"
        return f"LocalAnalysis({len(self.names)} attributes, {listed}, {self._output})"


def _mechanisms(given: Mechanisms, epsilon: float | None, names: Sequence[str]) -> tuple[LocalMechanism, ...]:
    if isinstance(given, LocalMechanism | str):
        return (_mechanism(given, epsilon),) * len(names)
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        absent = [name for name in names if name not in given]
        if unknown or absent:
            wrong = f"no attribute {shown(unknown[0])}" if unknown else f"no mechanism for {shown(absent[0])}"
            raise DomainError(
                f"There is {wrong}; give one mechanism for each attribute.",
                Where("parameter", name="mechanism"),
            )
        return tuple(_mechanism(given[name], epsilon) for name in names)
    if not isinstance(given, Iterable):
        return (check_mechanism(given),)
    listed = tuple(_mechanism(one, epsilon) for one in given)
    if len(listed) != len(names):
        raise DomainError(
            f"There are {len(listed)} mechanisms for {len(names)} attributes; give one for all, or one for "
            "each.",
            Where("parameter", name="mechanism"),
        )
    return listed


def _with_epsilon(mechanisms: Sequence[LocalMechanism], epsilon: float) -> tuple[LocalMechanism, ...]:
    """Return the mechanisms with another budget; one that serves several attributes stays one."""
    made = {id(one): one.with_epsilon(epsilon) for one in mechanisms}
    return tuple(made[id(one)] for one in mechanisms)


def _mechanism(given: LocalMechanism | str, epsilon: float | None) -> LocalMechanism:
    if isinstance(given, str):
        return mechanism_named(given, epsilon)
    made = check_mechanism(given)
    return made if epsilon is None else made.with_epsilon(epsilon)
