"""What every adversary learns from one noisy sum of Gaussian tuples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.adversary_tables import AdversaryFigures
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import SOURCE
from pdp_widgets.leakage.gaussian.noise import NoiseQuestions
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.models.gaussian_model import GaussianModel

__all__ = ["GaussianAnalysis"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Leakages per unit of change that are no denormal numbers: a multiple of them has all its digits.
_FARTHEST = 1e100


class GaussianAnalysis(NoiseQuestions, AdversaryFigures):
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
    1 nats (exact): flat, knowing solar
    """

    #: The analysis that this one is a multiple of: from multiples of multiples rounding would grow.
    _computed: GaussianAnalysis | None = None

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
        listed = (known,) if isinstance(known, str | int) else tuple(known)
        if target is None and listed:
            raise DomainError(
                "Name the target as well as the known tuples.", Where("parameter", name="target")
            )
        from pdp_widgets.widgets.figures import plot_gaussian_adversary, plot_layers

        if target is None:
            return plot_layers(self)
        return plot_gaussian_adversary(self.adversary(target, listed))

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
        return f"GaussianAnalysis({inputs}): largest {float(self.exact.max()):.6g} nats"
