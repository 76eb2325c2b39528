"""What every adversary learns from one release of one distribution: the results behind the prior explorer.

The exact leakages are here, calibration, intervals and joint releases in `analysis_questions`, and what both
rest on in `analysis_base`, the paper's estimates of the leakages included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Series, nats, number
from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.results import Figures, drawer, plotted
from pdp_widgets.leakage.adversary import Adversary, column
from pdp_widgets.leakage.adversary_figures import (
    AdversaryFigures,
    asked,
    densities_chart,
    graph_figure,
    layers_chart,
    ratio_chart,
)
from pdp_widgets.leakage.prior.analysis_base import PaperEstimates, exceeds, sealed
from pdp_widgets.leakage.prior.analysis_questions import FurtherQuestions
from pdp_widgets.leakage.prior.exact_all import exact_all, instance_positions
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, check_kinds
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.group_bound import group_bound, node_bounds
from pdp_widgets.leakage.value import About, Leakage, check_convention
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label

if TYPE_CHECKING:
    from pdp_widgets.leakage.progress import ProgressHook

__all__ = ["PriorAnalysis", "belief_chart", "seen_charts"]

#: Releases at which a curve is computed, beside those where it has corners.
_POINTS = 401
#: How far an axis goes beyond the centres, in noise scales.
_REACH = 2.5
#: An axis has ends that are numbers, and so is its length.
_FARTHEST = float(np.finfo(np.float64).max) / 8
#: The labels of more values than a palette has colours: the likeliest ones.
_MOST = 6
_SIDES = {"<=": "≤", ">=": "≥", "=": "="}


def seen_charts(adversary: PriorAdversary, note: str = "") -> tuple[Chart, ...]:
    """Return the densities of the released number and the log ratio of the pair that leaks most."""
    r = _releases(adversary)
    target, attained = adversary.target, adversary.leakage.attained
    known = ", ".join(f"{name} = {label}" for name, label in adversary.known.items()) or "none"
    shown = list(adversary.feasible)
    if len(shown) > _MOST:
        prior = dict(zip(adversary.labels, adversary.prior.tolist(), strict=True))
        pair = () if attained is None else attained.pair
        rest = sorted((one for one in shown if one not in pair), key=lambda one: -prior[one])
        kept = {*pair, *rest[: _MOST - len(pair)]}
        note = f"{note} {_MOST} of {len(shown)} labels are drawn.".strip()
        shown = [one for one in shown if one in kept]
    names = _label_names(adversary)
    densities = [(f"if {target} is {names[label]}", adversary.density(label, r)) for label in shown]
    if attained is None:
        note = f"{target} is {names[adversary.feasible[0]]}: nothing is left to learn. {note}".strip()
    charts = [densities_chart(f"About {target}, knowing {known}", r, densities, note)]
    if attained is not None:
        more, less = attained.pair
        value = adversary.leakage.value
        told = f"{nats(value, 4)} attained, r {_SIDES[attained.side]} {number(attained.r)}"
        marks = [Series(told, [attained.r], [value], "dots", colour="ink", shape="disc")]
        charts.append(
            ratio_chart(
                f"log ratio, {names[more]} over {names[less]}, nats",
                r,
                adversary.log_ratio(more, less, r),
                adversary.mechanism.promise,
                "promise ±GS/λ",
                marks=marks,
            )
        )
    return tuple(charts)


def belief_chart(adversary: PriorAdversary, note: str = "") -> Chart:
    """Return what is believed of the target before a release and after one where the leakage is attained."""
    attained = adversary.leakage.attained
    places = np.arange(len(adversary.labels), dtype=np.float64)
    series = [Series("before", adversary.prior, places, "dots", colour="ink2", shape="ring")]
    if attained is not None:
        after = adversary.posterior(np.array([attained.r]))[0]
        told = f"after r {_SIDES[attained.side]} {number(attained.r)}"
        series.append(Series(told, after, places, "dots", colour="a", shape="disc"))
    names = tuple(_label_names(adversary).values())
    return Chart(
        f"What is believed of {adversary.target}",
        series,
        Axis("probability", 0.0, 1.0),
        Axis(adversary.target, names=names),
        note=note,
    )


def _label_names(adversary: PriorAdversary) -> dict[Label, str]:
    """Return the labels of the target as text, in quotes where a number reads like one of them."""
    plain = Counter(map(str, adversary.labels))
    return {one: str(one) if plain[str(one)] == 1 else repr(one) for one in adversary.labels}


def _releases(adversary: PriorAdversary) -> NDArray[np.float64]:
    """Return releases around all centres, the centres among them."""
    centres = np.unique(np.concatenate([m.centres for m in adversary.mixtures().values()]))
    reach = _REACH * min(adversary.mechanism.scale, _FARTHEST)
    ends = max(-_FARTHEST, centres[0] - reach), min(_FARTHEST, centres[-1] + reach)
    even = np.linspace(*ends, _POINTS)
    return np.unique(np.concatenate([even, centres]))


Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

_SOURCES = "Li, Ren, Yang and Yang: exact Eq. 2, group bound Eq. 16, paper Algorithm 1"


class PriorAnalysis(PaperEstimates, FurtherQuestions, AdversaryFigures):
    """Exact leakage of every adversary, beside the paper's estimate.

    Parameters
    ----------
    distribution
        The joint distribution.
    mechanism
        The release.
    instance
        One row of labels; each adversary knows some of its values. Without it the most probable row.
    convention
        ``"instance"``: the known values are those of the row. ``"sup"``: the largest leakage over all known
        values that can occur, which is what a guarantee needs; the row does not matter.
    limit
        Refuse work that would take longer than this many seconds, or more than 20 tuples (15 with convention
        ``"sup"``); ``math.inf`` to go ahead.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.

    Raises
    ------
    InstanceError
        The row is not one of the table or has probability 0.
    AdversaryError
        There is no such convention.
    QueryError
        The contributions do not fit the distribution.
    LimitError
        The work exceeds the limit.

    Notes
    -----
    Exact leakage is computed at once (Eq. 2 of Li, Ren, Yang and Yang); the paper's chain rule
    (Algorithm 1) on first use.

    Figures: ``"graph"``, ``"table"``, and of the chosen adversary ``"curves"`` and ``"belief"``.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), instance=[0, 1, 0])
    >>> print(analysis.largest)
    1.39763 nats (exact): item 5, knowing item 1 = 0
    >>> analysis.above_promise
    7

    The worst case over all values the adversary may know:

    >>> worst = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), convention="sup").largest
    >>> print(worst, "at", worst.attained.known)
    1.39763 nats (exact): item 5, knowing item 1 at (('item 1', 0),)
    """

    def __init__(
        self,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        instance: Sequence[Any] | None = None,
        convention: str = "instance",
        *,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> None:
        check_kinds(distribution, mechanism)
        check_convention(convention)
        positions = instance_positions(distribution, instance)
        self._distribution = distribution
        self._mechanism = mechanism
        self._positions = positions
        self._convention = convention
        self._seal(
            *exact_all(distribution, mechanism, self.instance, convention, limit=limit, progress=progress)
        )

    @classmethod
    def _again(
        cls,
        distribution: JointDistribution,
        mechanism: LaplaceMechanism,
        positions: tuple[int, ...],
        convention: str,
        exact: Floats,
        determined: Booleans,
    ) -> PriorAnalysis:
        made = cls.__new__(cls)
        made._distribution, made._mechanism = distribution, mechanism
        made._positions, made._convention = positions, convention
        made._seal(exact, determined)
        return made

    @cached_property
    def group_bounds(self) -> Floats:
        """Group bound (Eq. 16) of every adversary in nats, node array, read-only."""
        return sealed(node_bounds(self._mechanism))

    @property
    def source(self) -> str:
        """Papers and equations of the numbers."""
        return _SOURCES

    def graph(self, with_paper: bool = False) -> WeightedHierarchicalGraph:
        """Return the weighted hierarchical graph, with the paper's estimate and increments if asked for."""
        with_paper = as_flag(with_paper, "with_paper")
        return WeightedHierarchicalGraph(
            self._distribution.names,
            self._exact,
            self.promise,
            self._determined,
            self.paper if with_paper else None,
            self.increments if with_paper else None,
            # That of the adversaries who know nothing, without the array for all of them.
            float(self._mechanism.query.local_sensitivities.sum()) / self._mechanism.scale,
            self.source,
        )

    @cached_property
    def largest(self) -> Leakage:
        """The largest leakage, with its adversary; of a sparse table ``source`` ends with `caution`."""
        found = self.graph().largest
        leakage = self.node(found.target, found.known)
        return replace(leakage, source=f"{leakage.source}; {self.caution}") if self.caution else leakage

    @property
    def caution(self) -> str:
        """What to know before the largest leakages are believed, see `JointDistribution.caution`."""
        return self._distribution.caution

    def node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the leakage of one adversary.

        With convention ``"sup"``, ``attained`` names the known values at which it is reached.
        """
        adversary = Adversary.of(self._distribution, target, known)
        c = column(self._distribution.n_tuples, adversary.target, adversary.known)
        found = self._stated(self.adversary(target, known).leakage)
        return replace(found, value=float(self._exact[adversary.target, c]))

    def group_bound(
        self, target: str | int, known: Iterable[str | int] = (), *, loose: bool = False
    ) -> Leakage:
        """Return the group bound of one adversary, see `pdp_widgets.prior.group_bound`."""
        adversary = Adversary.of(self._distribution, target, known)
        names = self._distribution.names
        return replace(
            group_bound(self._mechanism, adversary.target, adversary.known, loose=loose),
            about=About(names[adversary.target], tuple((names[k], None) for k in adversary.known)),
        )

    @property
    def above_promise(self) -> int:
        """Number of adversaries who learn more than the promise."""
        return int(np.count_nonzero(exceeds(self._exact, self.promise)))

    def to_dataframe(self, with_paper: bool = False) -> Any:
        """Return a pandas data frame with one adversary a row, in nats.

        Columns: ``target``, ``known`` (names joined by a comma), ``layer``, ``exact``, ``determined``,
        ``group_bound``, ``convention`` and, if asked for, ``paper``. Its ``attrs`` say the ``unit``, the
        ``source`` and the ``status`` of each: ``exact`` is exact, ``group_bound`` a bound, ``paper`` as
        printed.
        """
        from pdp_widgets.leakage.result_frames import node_dataframe

        columns = {
            "exact": self.exact,
            "determined": self.determined,
            "group_bound": self.group_bounds,
            "convention": self.convention,
        }
        status = {"exact": "exact", "group_bound": "bound"}
        if as_flag(with_paper, "with_paper"):
            columns["paper"] = self.paper
            status["paper"] = "as printed"
        return node_dataframe(self._distribution.names, columns, self.source, status)

    def to_networkx(self, target: str | int | None = None, with_paper: bool = False) -> Any:
        """Return the graph as a ``networkx.DiGraph``, see `WeightedHierarchicalGraph.to_networkx`."""
        return self.graph(with_paper).to_networkx(target)

    def plot(
        self, target: str | int | None = None, known: Iterable[str | int] = (), *, show_paper: bool = False
    ) -> Any:
        """Return a bqplot figure: every adversary by layer or, with a target, what one adversary sees.

        Parameters
        ----------
        target
            The attacked tuple; without it the figure shows all adversaries.
        known
            The known tuples, with the row's values or, with convention ``"sup"``, the worst ones.
        show_paper
            Draw the paper's estimate of all adversaries beside the exact values.

        Raises
        ------
        DomainError
            Known tuples are given without a target.
        """
        known = asked(target, known)
        if target is None:
            paper = self.paper if as_flag(show_paper, "show_paper") else None
            return plotted(layers_chart(self.exact, self.promise, "promise GS/λ", paper))
        return plotted(seen_charts(self.adversary(target, known)))

    def _figures(
        self,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
        show_paper: bool = False,
    ) -> Figures:
        known = asked(target, known)
        query, scale = self._mechanism.query.name, self._mechanism.scale
        note = (
            f"Exact leakage in nats of a noisy {query} with Laplace noise of scale {number(scale)}; known "
            f"values: {self._known_words}."
        )
        paper = as_flag(show_paper, "show_paper")

        def seen() -> PriorAdversary:
            if target is not None:
                return self.adversary(target, known)
            most = self.graph().largest
            return self.adversary(most.target, most.known)

        return {
            "graph": lambda: graph_figure(
                self.graph(with_paper=paper), target, known, note, show_paper=paper, threshold=threshold
            ),
            "table": self._distribution.cells,
            "curves": lambda: seen_charts(seen(), note),
            "belief": lambda: belief_chart(seen(), note),
        }

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        sort: str | None = "exact",
        most: int | None = 20,
        with_paper: bool = False,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the adversaries as a LaTeX table, see `WeightedHierarchicalGraph.to_latex`.

        With the paper's estimate if asked for, by ``with_paper`` or as a column or order.
        """
        with_paper = as_flag(with_paper, "with_paper") or "paper" in (*(columns or ()), sort)
        made = drawer("latex").table(
            self.graph(with_paper),
            columns,
            sort=sort,
            most=most,
            group_bounds=self.group_bounds,
            note=f"scale {self._mechanism.scale:.6g}; known values: {self._known_words}",
            caption=caption,
            label=label,
        )
        return str(made)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PriorAnalysis):
            return NotImplemented
        return (
            self._positions == other._positions
            and self._convention == other._convention
            and self._mechanism == other._mechanism
            and self._distribution == other._distribution
        )

    def __hash__(self) -> int:
        return hash((self._distribution, self._mechanism, self._positions, self._convention))

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays come out of a copy writable; sealed again, nothing has to be computed a second time.
        return type(self)._again, (
            self._distribution,
            self._mechanism,
            self._positions,
            self._convention,
            self._exact,
            self._determined,
        )

    def __repr__(self) -> str:
        scale = self._mechanism.scale
        tail = "" if self._convention == "instance" else f", convention={self._convention!r}"
        inputs = f"{self._distribution!r}, scale={scale:.6g}, instance={self.instance}{tail}"
        return f"PriorAnalysis({inputs}): largest {nats(float(self.exact.max()))}"

    def __str__(self) -> str:
        caution = f"\nCaution: {self.caution}." if self.caution else ""
        return f"{self!r}\nLargest: {self.largest}{caution}"
