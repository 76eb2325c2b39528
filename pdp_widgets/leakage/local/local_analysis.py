"""What the randomised report of every attribute says about every other attribute of the same record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Reported, Result, TableResult
from pdp_widgets.errors import BudgetError, DomainError, LimitError, Where
from pdp_widgets.leakage.local.analysis_figures import analysis_figures
from pdp_widgets.leakage.local.association import Association, Normalisation, as_normalisation, association
from pdp_widgets.leakage.local.budget_calibration import BudgetCalibration, calibrate_budget
from pdp_widgets.leakage.local.joint_privacy_loss import JointPrivacyLoss, joint_loss
from pdp_widgets.leakage.local.mechanism_reading import SOURCE
from pdp_widgets.leakage.local.pair_leakage import delta_of
from pdp_widgets.leakage.local.pairwise_leakages import PairwiseLeakages
from pdp_widgets.leakage.local.secret_tables import SecretTables
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.meaning.sources import report_laws
from pdp_widgets.leakage.result_frames import as_dataframe
from pdp_widgets.leakage.value import AboutSecret
from pdp_widgets.models.labels import shown

__all__ = ["LocalAnalysis"]


class LocalAnalysis(PairwiseLeakages, Result, TableResult, Reported):
    """Correlation-induced leakage of every ordered pair of attributes.

    Parameters
    ----------
    data
        Records (`AttributeTable`, or a data frame, see `AttributeTable.from_dataframe`), a
        `JointDistribution`, or an array of probabilities or counts. A `PairCounter` serves for all but what
        reports say together.
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

    Figures: ``"matrix"`` (the heat map), ``"rows"`` and ``"curves"`` of a pair: ``save(..., source=,
    secret=)`` chooses it, without them it is the one that leaks most.

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

    def associations(self) -> dict[tuple[str, str], Association]:
        """Return measures of association of every two attributes, each pair once, by names.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> found = LocalAnalysis(titanic(), "GRR", 1.0).associations()
        >>> round(found["class", "survived"].mutual_information, 4)
        0.0411
        """
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
            ``exact=True``, and there are too many combinations of outputs or symbols; or the analysis was
            made from tables of pairs.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> print(LocalAnalysis(titanic(), "GRR", 1.0).joint("survived", ["sex"]).exact)
        1.46938 nats (exact): survived, from the reports of survived, sex
        """
        k = self.tables.position(secret)
        others = [j for j in self._chosen(sources) if j != k]
        tables = SecretTables.of(self._data, [k, *others], self.min_count)
        return joint_loss(tables, [self._mechanisms[j] for j in (k, *others)], self._output, exact)

    def meaning(self, secret: str | int, sources: Iterable[str | int] | None = None) -> Meaning:
        """Return what several reports together say about one attribute, in every measure.

        Parameters
        ----------
        secret
            Name or position of the attacked attribute.
        sources
            The reported attributes, the secret among them if its report is seen; without it all.

        Raises
        ------
        LimitError
            There are more than 5,000,000 combinations of reports, or too many cells of the joint table.
        BudgetError
            A mechanism has no finite channel.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> found = LocalAnalysis(titanic(), "GRR", 1.0).meaning("survived", ["sex"])
        >>> print(found.measure("advantage"))
        advantage 0.184506 chance (exact): survived, from the report of sex
        >>> print(found.leakage)
        leakage 0.469382 nats (exact): survived, from the report of sex
        """
        k = self.tables.position(secret)
        chosen = self._chosen(sources)
        others = sorted(j for j in chosen if j != k)
        tables = SecretTables.of(self._data, [k, *others], self.min_count)
        if tables.dense is None:
            raise LimitError(
                f"The joint table of {len(tables.sizes)} attributes has too many cells; take fewer sources.",
                Where("parameter", name="sources"),
            )
        raw = self._output == "raw"
        channels = {}
        for axis, j in enumerate((k, *others)):
            if j in chosen:
                one, size = self._mechanisms[j], tables.sizes[axis]
                channels[axis] = one.channel(size) if raw else one.inferred(size).matrix()
        if 0 in channels:
            channels[0] = channels[0][tables.kept]
        chances = self.tables.table(k, k).diagonal()[tables.kept]
        joint = tables.dense * (chances / chances.sum()).reshape(-1, *(1,) * len(others))
        labels = [self.tables.domains[k][place] for place in tables.kept]
        seen = tuple(self.names[j] for j in chosen)
        about = AboutSecret(self.names[k], sources=seen, output=self._output)
        # Of each attribute's own symbol; a promise that may fail now and then allows no curve.
        failing = any(delta_of(one) for one in self._mechanisms)
        promise = None if failing or not chosen else float(self.dpl[chosen].max())
        return Meaning(report_laws(joint, 0, channels, labels), about, promise=promise)

    def _chosen(self, sources: Any) -> list[int]:
        if sources is None:
            return list(range(len(self.names)))
        listed = [sources] if isinstance(sources, str) or is_whole(sources) else sources
        if not isinstance(listed, Iterable) or (isinstance(listed, np.ndarray) and not listed.ndim):
            raise DomainError(
                f"The sources are {shown(sources)}; give a list of names or positions.",
                Where("parameter", name="sources"),
            )
        # Who is named twice reports once.
        return list(dict.fromkeys(self.tables.position(one) for one in listed))

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
            Columns ``source``, ``secret``, ``leakage``, ``mechanism``, ``epsilon`` and ``output``; ``delta``
            where leakages are promises that may fail with that probability. Its ``attrs`` say the ``unit``,
            the ``source`` and the ``status``.

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> frame = LocalAnalysis(titanic(), "GRR", 1.0).to_dataframe()
        >>> frame[["source", "secret", "leakage"]].round(3).values.tolist()[2]
        ['class', 'survived', 0.268]
        """
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
        if any(delta_of(one) for one in self._mechanisms):
            columns["delta"] = [self.pair(j, k).delta_tight or 0.0 for j, k in pairs]
        if as_flag(measures, "measures"):
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

        Examples
        --------
        >>> from pdp_widgets import LocalAnalysis, titanic
        >>> graph = LocalAnalysis(titanic(), "GRR", 1.0).to_networkx(threshold=0.5)
        >>> sorted(graph.edges)
        [('class', 'age'), ('class', 'sex'), ('sex', 'class'), ('survived', 'sex')]
        """
        import networkx as nx

        least = EPSILON.take(threshold, "threshold", DomainError)
        graph = nx.DiGraph(unit="nats", source=SOURCE, output=self._output)
        for name, own, mechanism in zip(self.names, self.dpl, self._mechanisms, strict=True):
            graph.add_node(name, dpl=float(own), mechanism=mechanism.name)
        for j, k in zip(*np.nonzero(self.matrix > least), strict=True):
            graph.add_edge(self.names[j], self.names[k], leakage=float(self.matrix[j, k]))
        return graph

    def calibrate(
        self,
        budget: float,
        method: str = "joint",
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> BudgetCalibration:
        """Return the budget that every attribute may spend, see `calibrate_budget`.

        Every attribute is released by the mechanism of the first; all must be the same but for their
        budgets.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> round(LocalAnalysis(titanic(), "GRR", 1.0).calibrate(1.0).epsilon, 4)
        0.4846
        """
        first = self._mechanisms[0]
        if not all(first.same_but_for_budget(one) for one in self._mechanisms):
            raise BudgetError(
                "The attributes have different mechanisms; calibration needs one for all of them.",
                Where("parameter", name="mechanism"),
            )
        return calibrate_budget(
            self, budget, first, method=method, output=self._output, limit=limit, progress=progress
        )

    def _figures(self, source: str | int | None = None, secret: str | int | None = None) -> Figures:
        if source is None and secret is None:
            return analysis_figures(self)
        if source is None or secret is None:
            raise DomainError(
                "A pair is one source and one secret; give both, or none.", Where("parameter", name="source")
            )
        return analysis_figures(self, self.pair_positions(source, secret))
