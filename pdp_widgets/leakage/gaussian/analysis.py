"""What every adversary learns from one noisy sum of Gaussian tuples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import nats, number
from pdp_widgets.core.converters import as_flag
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Reported, plotted
from pdp_widgets.errors import LimitError, ScaleError, Where
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.adversary_figures import AdversaryFigures, asked, graph_figure, layers_chart
from pdp_widgets.leakage.gaussian.comparison import seen_charts, sources_chart
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import SOURCE, GaussianAdversary, adversary_of
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.leakage.meaning.all_adversaries import measure_each
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.target_leakage import as_leakage, as_target, least_scale_from, scale_for
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.mechanisms.noise import Noise
from pdp_widgets.models.gaussian_model import GaussianModel

if TYPE_CHECKING:
    from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison

__all__ = ["GaussianAnalysis"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_TOLERANCE = 1e-9
_MOST_WITH_INCREMENTS = 16
_LEAST = 2.0**-1022
_NO_BOUND = (
    "group DP: left out. No scale is enough for every covariance matrix: what leaks grows with the spread of "
    "the other tuples."
)
# Leakages per unit of change that are no denormal numbers: a multiple of them has all its digits.
_FARTHEST = 1e100


class GaussianAnalysis(AdversaryFigures, Reported):
    """Exact leakage of every adversary of Gaussian data.

    Parameters
    ----------
    model
        Mean and covariance.
    weights
        The release is the sum of ``weights[j] * x[j]`` with Laplace noise; without it the plain sum.
    scale
        The noise scale lambda.
    max_change
        The largest change M of one tuple that is to be hidden.

    Raises
    ------
    QueryError
        The weights do not fit the model, or the largest change is negative or not finite.
    ScaleError
        The scale is not a positive finite number.
    LimitError
        There are more than 20 tuples.

    Notes
    -----
    Li, Ren, Yang and Yang, Theorem 6. The values hold for all known values at once; where unknown tuples add
    spread of their own they are limits that no release attains (`GaussianAdversary.is_limit`).

    Figures: ``"graph"``, ``"matrix"`` (the heat map), ``"curves"`` and ``"sources"`` of the chosen adversary.

    Examples
    --------
    >>> house = GaussianModel(None, [[1, 0.5], [0.5, 4]], names=["flat", "solar"])
    >>> analysis = GaussianAnalysis(house, weights=[1, -1])
    >>> analysis.exact.tolist()
    [[0.5, 1.0], [0.875, 1.0]]
    >>> print(analysis.largest)
    1 nat (exact): flat, knowing solar
    """

    #: The analysis that this one is a multiple of: from multiples of multiples rounding would grow.
    _computed: GaussianAnalysis | None = None

    _model: GaussianModel
    _release: WeightedRelease
    _exact: Floats
    _determined: Flags

    def __init__(
        self,
        model: GaussianModel,
        weights: Sequence[float] | None = None,
        scale: float = 1.0,
        max_change: float = 1.0,
    ) -> None:
        release = WeightedRelease.of(model, weights, scale, max_change)
        found = gaussian_exact_all(model, release.weights, release.scale, release.max_change)
        self._seal(model, release, *found)

    def _seal(self, model: GaussianModel, release: WeightedRelease, exact: Floats, determined: Flags) -> None:
        self._model, self._release, self._exact, self._determined = model, release, exact, determined
        self._exact.flags.writeable = False
        self._determined.flags.writeable = False

    @property
    def model(self) -> GaussianModel:
        """Mean and covariance."""
        return self._model

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of every tuple in the sum."""
        return self._release.weights

    @property
    def scale(self) -> float:
        """The noise scale lambda."""
        return self._release.scale

    @property
    def max_change(self) -> float:
        """The largest change M of one tuple that is to be hidden."""
        return self._release.max_change

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: the largest abs(weight) M / scale, in nats."""
        return self._release.promise

    @property
    def exact(self) -> Floats:
        """Exact leakage in nats, node array (n, 2**(n-1)), read-only."""
        return self._exact

    @property
    def determined(self) -> Flags:
        """Whether the known tuples leave the target no variance, node array, read-only."""
        return self._determined

    @cached_property
    def increments(self) -> Floats:
        """Leakage of the weaker less that of the stronger adversary, shape (n, 2**(n-1), n), read-only.

        ``[i, c, j]`` belongs to the edge that ends at node (i, c) when tuple j is forgotten; NaN where there
        is none. Becoming known, tuple j changes the leakage by the negative.

        Raises
        ------
        LimitError
            There are more than 16 tuples.
        """
        n, width = self._exact.shape
        if n > _MOST_WITH_INCREMENTS:
            raise LimitError(
                f"{n} tuples have {n * (n - 1) * width // 2:,} edges: an array of "
                f"{n * n * width * 8 / 1e6:,.0f} MB. Increments are given up to {_MOST_WITH_INCREMENTS} "
                "tuples; take differences of exact.",
                Where("parameter", name="model"),
            )
        found = np.full((n, width, n), np.nan)
        for i in range(n):
            for p, j in enumerate(j for j in range(n) if j != i):
                pairs = self._exact[i].reshape(-1, 2, 1 << p)
                edges = np.full(pairs.shape, np.nan)
                edges[:, 0] = pairs[:, 0] - pairs[:, 1]
                found[i, :, j] = edges.ravel()
        found.flags.writeable = False
        return found

    def graph(self, with_increments: bool = False) -> WeightedHierarchicalGraph:
        """Return the weighted hierarchical graph, with the increments of its edges if asked for."""
        return WeightedHierarchicalGraph(
            self._model.names,
            self._exact,
            self.promise,
            self._determined,
            increments=self.increments if as_flag(with_increments, "with_increments") else None,
            # What leaks grows with the spread of the others, without end.
            group_bound=np.inf,
            source=SOURCE,
        )

    @cached_property
    def largest(self) -> Leakage:
        """The largest leakage, with the adversary it belongs to."""
        found = self.graph().largest
        return self.node(found.target, found.known)

    def node(self, target: str | int, known: Iterable[str | int] = ()) -> Leakage:
        """Return the leakage of one adversary, who knows the values of the known tuples."""
        adversary = adversary_of(self._model, target, known)
        at = adversary.target, column(self._model.n_tuples, adversary.target, adversary.known)
        found = GaussianAdversary._at(self._model, self._release, adversary).leakage
        return replace(found, value=float(self._exact[at]), determined=bool(self._determined[at]))

    def adversary(self, target: str | int, known: Iterable[str | int] = ()) -> GaussianAdversary:
        """Return one adversary with everything it sees."""
        return GaussianAdversary._at(self._model, self._release, adversary_of(self._model, target, known))

    def meaning(
        self,
        target: str | int,
        known: Iterable[str | int] = (),
        *,
        noise: Noise | None = None,
        distance: float | None = None,
    ) -> Meaning:
        """Return what one adversary learns in every measure: tests, profiles, information.

        Parameters
        ----------
        target, known
            The adversary.
        noise
            Laplace or normal noise on the same sum; without it that of this release.
        distance
            How far apart the two values are that are told apart; without it the largest change.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> found = GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]])).meaning("x1")
        >>> print(found.measure("advantage"))
        advantage 0.398116 chance (exact): x1, knowing none
        """
        promise = self.promise if noise is None and distance is None else None
        return Meaning.of_gaussian(self.adversary(target, known), noise, distance, promise)

    def measure(
        self,
        name: str,
        *,
        epsilon: float | None = None,
        delta: float | None = None,
        order: float | None = None,
        noise: Noise | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
    ) -> Floats:
        """Return one measure of all adversaries, a node array; see `PriorAnalysis.measure`.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> analysis = GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]))
        >>> analysis.measure("delta", epsilon=0.5).round(4).tolist()
        [[0.2445, 0.2212], [0.2445, 0.2212]]
        """
        return measure_each(
            self._model.n_tuples,
            lambda target, known: self.meaning(target, known, noise=noise),
            name,
            epsilon=epsilon,
            delta=delta,
            order=order,
            limit=limit,
            progress=progress,
        )

    @property
    def above_promise(self) -> int:
        """Number of adversaries who learn more than the promise."""
        return int(np.count_nonzero(self._exact > self.promise * (1 + _TOLERANCE)))

    # How much noise

    def scale_for(self, level: float) -> float:
        """Return the least noise scale with which every adversary learns at most ``level`` nats.

        Leakage is inversely proportional to the scale. 0.0 where any scale will do: nothing leaks, or the
        level is ``math.inf``.

        Raises
        ------
        ScaleError
            The level is not positive, or the scale would be beyond what numbers can hold.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]), scale=3).scale_for(1.0)
        1.5
        """
        return self._release.scale_for(level, float(self.exact.max()))

    def keeping_scale(self, leakage: float | None = None) -> float:
        """Return the noise scale that brings a leakage to the promise as it is now.

        Parameters
        ----------
        leakage
            In nats, of one adversary; without it the largest.

        Returns
        -------
        float
            0.0 where any scale will do: nothing leaks.

        Raises
        ------
        ScaleError
            The leakage is not a finite number, 0 or more, or something leaks although the promise is 0.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]), scale=3).keeping_scale()
        4.5
        """
        value = float(self.exact.max()) if leakage is None else as_leakage(leakage)
        if not value > 0:
            return 0.0
        promise = self.promise
        try:
            return self._release.scale_for(promise, value, "promise")
        except ScaleError:
            if not promise > 0:
                raise
        # Both may be far from 1 where the scale that is asked for is not.
        scale = max(self.scale * (value / promise), _LEAST)
        if not math.isfinite(scale):
            raise ScaleError(
                f"A leakage of {nats(value)} asks for a scale beyond what numbers can hold.",
                Where("parameter", name="leakage"),
            )
        return least_scale_from(scale, lambda tried: value * (self.scale / tried) <= promise)

    def compare_noise(self, target_leakage: float) -> NoiseComparison:
        """Compare the noise that plain differential privacy and exact leakage ask for.

        The scale of this release does not matter.

        Parameters
        ----------
        target_leakage
            What the adversaries may learn at most, in nats; positive, ``math.inf`` for no limit.

        Returns
        -------
        comparison
            The rows ``"plain DP"``: the largest abs(weight) M / target, which says nothing about correlated
            tuples; ``"exact"``: the least scale that is enough for all, see `scale_for`. Each with the exact
            leakage at its scale and the expected error of the released number.

        Raises
        ------
        ScaleError
            The target is not positive, or a scale would be beyond what numbers can hold.

        Examples
        --------
        >>> from pdp_widgets import GaussianAnalysis, GaussianModel
        >>> analysis = GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]))
        >>> table = analysis.compare_noise(0.5)
        >>> [(row.name, row.expected_absolute_error, float(row.leakage), row.holds) for row in table.rows]
        [('plain DP', 2.0, 0.75, False), ('exact', 3.0, 0.5, True)]
        """
        from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison, NoiseRow, holds

        target = as_target(target_leakage)
        # Leakage times scale does not depend on the scale.
        promised, exact = self.promise * self.scale, float(self.exact.max()) * self.scale

        def row(name: str, scale: float, guarantee: str) -> NoiseRow:
            value = exact / scale if scale else (math.inf if exact else 0.0)
            leakage = replace(self.largest, value=value)
            return NoiseRow(name, scale, leakage, guarantee, holds(value, target))

        enough = scale_for(exact, target)
        rows = (
            row("plain DP", scale_for(promised, target), "promise for one tuple, void for correlated ones"),
            row("exact", enough, f"exact: {'least scale' if enough else 'no noise needed'}"),
        )
        many = self.exact.size
        adversaries = f"all {many:,} adversaries" if many > 1 else "the only adversary"
        return NoiseComparison(target, adversaries, "sup", rows, (_NO_BOUND,))

    # All adversaries

    @classmethod
    def _again(
        cls, model: GaussianModel, release: WeightedRelease, exact: Floats, determined: Flags
    ) -> GaussianAnalysis:
        made = cls.__new__(cls)
        made._seal(model, release, exact, determined)
        return made

    def with_scale(self, scale: float, max_change: float | None = None) -> GaussianAnalysis:
        """Return the same analysis with another noise scale and, if given, another largest change.

        Leakage is proportional to max_change / scale: nothing is computed again.

        Raises
        ------
        ScaleError
            The scale is not a positive finite number, or so small that leakages are no numbers.
        QueryError
            The largest change is negative or not finite.

        Examples
        --------
        >>> analysis = GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]))
        >>> analysis.with_scale(3.0).exact.tolist()
        [[0.5, 0.3333333333333333], [0.5, 0.3333333333333333]]
        """
        base = self._computed or self
        change = self.max_change if max_change is None else max_change
        release, before = WeightedRelease.of(self._model, self.weights, scale, change), base._release.factor
        if not 1 / _FARTHEST < before < _FARTHEST:
            return GaussianAnalysis(self._model, self.weights, release.scale, release.max_change)
        exact = base._exact * (release.factor / before)
        # The strongest adversary sees the target alone: no rounding is due.
        alone = np.abs(release.array) * release.factor
        exact[:, -1] = np.where(self._determined[:, -1], 0.0, alone)
        made = self._again(self._model, release, exact, self._determined)
        made._computed = base
        return made

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one adversary a row, in nats.

        Columns: ``target``, ``known`` (names joined by a comma), ``layer``, ``exact``, ``determined`` and
        ``convention``. Its ``attrs`` say the ``unit``, the ``source`` and the ``status``.
        """
        from pdp_widgets.leakage.result_frames import node_dataframe

        columns = {"exact": self._exact, "determined": self._determined, "convention": "sup"}
        return node_dataframe(self._model.names, columns, SOURCE, {"exact": "exact"})

    def to_networkx(self, target: str | int | None = None, with_increments: bool = False) -> Any:
        """Return the graph as a ``networkx.DiGraph``, see `WeightedHierarchicalGraph.to_networkx`."""
        return self.graph(with_increments).to_networkx(target)

    def plot(self, target: str | int | None = None, known: Iterable[str | int] = ()) -> Any:
        """Return a bqplot figure: every adversary by layer or, with a target, what one adversary sees.

        Parameters
        ----------
        target
            The attacked tuple; without it the figure shows all adversaries.
        known
            The known tuples; the figure is drawn with their values at the means.

        Raises
        ------
        DomainError
            Known tuples are given without a target.
        """
        listed = asked(target, known)
        if target is None:
            return plotted(layers_chart(self.exact, self.promise, "promise M/λ"))
        return plotted(seen_charts(self.adversary(target, listed)))

    def _figures(
        self,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
    ) -> Figures:
        known = asked(target, known)
        plain = all(weight == 1 for weight in self.weights)
        note = (
            f"Exact leakage in nats of a noisy {'sum' if plain else 'weighted sum'} with Laplace noise of "
            f"scale {number(self.scale)}, for a change of {number(self.max_change)}."
        )

        def seen() -> GaussianAdversary:
            if target is not None:
                return self.adversary(target, known)
            most = self.graph().largest
            return self.adversary(most.target, most.known)

        return {
            "graph": lambda: graph_figure(self.graph(), target, known, note, threshold=threshold),
            "matrix": lambda: self._model.cells(self.weights),
            "curves": lambda: seen_charts(seen(), note),
            "sources": lambda: sources_chart(seen()),
        }

    def _graph_latex(self) -> tuple[Any, dict[str, Any]]:
        return self.graph(), {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GaussianAnalysis):
            return NotImplemented
        return self._release == other._release and self._model == other._model

    def __hash__(self) -> int:
        return hash((self._model, self._release))

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays come out of a copy writable; sealed again, nothing has to be computed a second time.
        return type(self)._again, (self._model, self._release, self._exact, self._determined)

    def __repr__(self) -> str:
        inputs = f"{self._model!r}, scale={self.scale:.6g}, max_change={self.max_change:.6g}"
        return f"GaussianAnalysis({inputs}): largest {nats(float(self.exact.max()))}"
