"""What else can be asked about an analysed release: edges, enough noise, samples, several numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np

from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior.analysis_base import AnalysedRelease
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.labels import Label

if TYPE_CHECKING:
    from pdp_widgets.leakage.drawn_tables import Method
    from pdp_widgets.leakage.prior.calibration import Calibration
    from pdp_widgets.leakage.prior.chosen_adversaries import Adversaries
    from pdp_widgets.leakage.prior.edge_weights import EdgeWeight
    from pdp_widgets.leakage.prior.joint_release import JointRelease
    from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals
    from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison

__all__ = ["FurtherQuestions"]


class FurtherQuestions(AnalysedRelease):
    """Functions of the package, asked about this query, row and convention; see `PriorAnalysis`."""

    def calibrate(
        self,
        target_leakage: float,
        *,
        adversaries: Adversaries = "all",
        rtol: float = 1e-10,
        atol: float = 1e-9,
        limit: float = 60.0,
    ) -> Calibration:
        """Return the least noise scale at which the chosen adversaries learn no more than a target.

        The scale of this release does not matter. Parameters and errors as for `pdp_widgets.calibrate`.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 2", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [0, 1, 0])
        >>> found = analysis.calibrate(1.0)
        >>> round(found.scale, 5), str(found.leakage.about)
        (1.40563, 'item 5, knowing item 1 = 0')
        """
        from pdp_widgets.leakage.prior.calibration import calibrate

        return calibrate(
            self._distribution,
            self._mechanism.query,
            target_leakage,
            adversaries=adversaries,
            instance=self.instance,
            convention=self.convention,
            rtol=rtol,
            atol=atol,
            limit=limit,
        )

    def compare_noise(
        self, target_leakage: float, *, adversaries: Adversaries = "all", limit: float = 60.0
    ) -> NoiseComparison:
        """Compare the noise that plain and group differential privacy, the paper and exact leakage ask for.

        The scale of this release does not matter. Parameters and errors as for `pdp_widgets.compare_noise`.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 2", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [0, 1, 0])
        >>> table = analysis.compare_noise(1.0)
        >>> [(row.name, round(row.scale, 3), row.holds) for row in table.rows]
        ... # doctest: +NORMALIZE_WHITESPACE
        [('plain DP', 1.0, False), ('group DP', 3.0, True),
         ('chain rule', 1.379, False), ('exact', 1.406, True)]
        """
        from pdp_widgets.leakage.prior.noise_comparison import compare_noise

        return compare_noise(
            self._distribution,
            self._mechanism.query,
            target_leakage,
            adversaries=adversaries,
            instance=self.instance,
            convention=self.convention,
            limit=limit,
        )

    def interval(
        self,
        target: str | int,
        known: Iterable[str | int] = (),
        *,
        method: Method = "dirichlet",
        level: float = 0.95,
        draws: int = 1000,
        prior: str | float = "bounded",
        zeros: Literal["possible", "structural"] = "possible",
        rng: np.random.Generator | int | None = None,
        limit: float = 60.0,
    ) -> Leakage:
        """Return one adversary's leakage as an estimate, with an interval for what the counts leave open.

        Parameters and errors as for `pdp_widgets.prior.leakage_interval`; the known tuples have the row's
        values or, with convention ``"sup"``, any.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> found = analysis.interval("item 1", rng=1)
        >>> found.status, [round(end, 2) for end in found.interval]
        ('estimate', [0.97, 1.16])
        """
        from pdp_widgets.leakage.prior.uncertainty import leakage_interval

        return leakage_interval(
            self._distribution,
            self._mechanism,
            target,
            self._as_known(target, known),
            method=method,
            level=level,
            draws=draws,
            prior=prior,
            zeros=zeros,
            rng=rng,
            convention=self.convention,
            limit=limit,
        )

    def intervals(
        self,
        *,
        method: Method = "dirichlet",
        level: float = 0.95,
        draws: int = 1000,
        prior: str | float = "bounded",
        zeros: Literal["possible", "structural"] = "possible",
        rng: np.random.Generator | int | None = None,
        limit: float = 60.0,
    ) -> LeakageIntervals:
        """Return the leakage of every adversary as an estimate, with intervals.

        Parameters and errors as for `pdp_widgets.prior.leakage_intervals`.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 5"])
        >>> found = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).intervals(rng=1)
        >>> found.low.round(2).tolist(), found.high.round(2).tolist()
        ([[0.97, 1.0], [0.98, 1.0]], [[1.16, 1.0], [1.11, 1.0]])
        """
        from pdp_widgets.leakage.prior.leakage_intervals import leakage_intervals

        return leakage_intervals(
            self._distribution,
            self._mechanism,
            self.instance,
            self.convention,
            method=method,
            level=level,
            draws=draws,
            prior=prior,
            zeros=zeros,
            rng=rng,
            limit=limit,
        )

    def edge(self, target: str | int, removed: str | int, known: Iterable[str | int] = ()) -> EdgeWeight:
        """Return the weight of the edge to one adversary from the one who knows a further tuple.

        Parameters
        ----------
        target
            The attacked tuple.
        removed
            The tuple that is no longer known.
        known
            The tuples that stay known, with the row's values or, with ``"sup"``, all that can occur.

        Returns
        -------
        weight
            IC in nats and IR as printed in the paper, and the exact correlation of the two tuples'
            contributions given the known values.

        Raises
        ------
        AdversaryError
            A tuple does not exist or is named twice.

        Notes
        -----
        Li, Ren, Yang and Yang, Eq. 9, 10, 12 and 13.

        Examples
        --------
        >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6()
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [1, 1, 0, 1, 1])
        >>> print(analysis.edge("item 1", removed="item 5", known=["item 3"]))
        ... # doctest: +NORMALIZE_WHITESPACE
        IC -0.03441 nats, IR -0.03441 (as printed); correlation -0.02135 (exact): item 1,
        knowing item 3 = 0, no longer item 5
        """
        from pdp_widgets.leakage.prior.edge_weights import edge

        return edge(
            self._distribution,
            self._mechanism,
            target,
            removed,
            self._as_known(target, known),
            convention=self.convention,
        )

    def joint_leakage(
        self,
        queries: Iterable[LinearQuery],
        target: str | int,
        known: Iterable[str | int] = (),
        *,
        limit: float = 60.0,
    ) -> JointRelease:
        """Return what one adversary learns if several numbers are released instead, such as a histogram.

        Every number has noise of this release's scale. Parameters and errors as for
        `pdp_widgets.prior.joint_leakage`.

        Examples
        --------
        >>> from pdp_widgets import HistogramQuery, LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
        >>> joint = lsat6().marginal(["item 1", "item 5"])
        >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
        >>> found = analysis.joint_leakage(HistogramQuery.of_labels(joint), "item 1")
        >>> print(found.leakage, "bound", float(found.bound))
        2.10095 nats (exact): item 1, knowing none bound 4.0
        """
        from pdp_widgets.leakage.prior.joint_release import joint_leakage

        return joint_leakage(
            self._distribution,
            queries,
            self._mechanism.scale,
            target,
            self._as_known(target, known),
            convention=self.convention,
            limit=limit,
        )

    def _as_known(
        self, target: str | int, known: Iterable[str | int]
    ) -> dict[str | int, Label] | tuple[int, ...]:
        """Return what an adversary knows as the functions take it: values of the row, or tuples alone."""
        adversary = Adversary.of(self._distribution, target, known)
        if self._convention == "sup":
            return adversary.known
        return {k: self.instance[k] for k in adversary.known}
