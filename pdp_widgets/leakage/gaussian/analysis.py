"""What every adversary learns from one noisy sum of Gaussian tuples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.adversary import column, known_of, layers
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary, adversary_of
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.gaussian_model import GaussianModel

__all__ = ["GaussianAnalysis"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_TOLERANCE = 1e-9
_MOST_WITH_INCREMENTS = 16


class GaussianAnalysis:
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

    Examples
    --------
    >>> house = GaussianModel(None, [[1, 0.5], [0.5, 4]], names=["flat", "solar"])
    >>> analysis = GaussianAnalysis(house, weights=[1, -1])
    >>> analysis.exact.tolist()
    [[0.5, 1.0], [0.875, 1.0]]
    >>> print(analysis.largest)
    1 nats (exact): flat, knowing solar
    """

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

    @classmethod
    def _again(
        cls, model: GaussianModel, release: WeightedRelease, exact: Floats, determined: Flags
    ) -> GaussianAnalysis:
        made = cls.__new__(cls)
        made._seal(model, release, exact, determined)
        return made

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
            increments=self.increments if with_increments else None,
            # What leaks grows with the spread of the others, without end.
            group_bound=np.inf,
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

    @property
    def above_promise(self) -> int:
        """Number of adversaries who learn more than the promise."""
        return int(np.count_nonzero(self._exact - self.promise > _TOLERANCE * max(1.0, self.promise)))

    def scale_for(self, level: float) -> float:
        """Return the least noise scale with which every adversary learns at most ``level`` nats.

        Leakage is inversely proportional to the scale.

        Raises
        ------
        ScaleError
            The level is not a positive finite number.

        Examples
        --------
        >>> GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]), scale=3).scale_for(1.0)
        1.5
        """
        return self._release.scale_for(level, float(self._exact.max()))

    def keeping_scale(self, leakage: float | None = None) -> float | None:
        """Return the noise scale that brings a leakage down to the promise as it is now.

        Parameters
        ----------
        leakage
            In nats, of one adversary; without it the largest.

        Returns
        -------
        float or None
            None where any scale will do: nothing leaks.

        Examples
        --------
        >>> GaussianAnalysis(GaussianModel(None, [[1, 0.5], [0.5, 1]]), scale=3).keeping_scale()
        4.5
        """
        value = float(self._exact.max()) if leakage is None else leakage
        if not (value > 0 and self.promise > 0):
            return None
        return value / self.promise * self.scale

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one adversary a row, in nats.

        Columns: ``target``, ``known`` (names joined by a comma), ``layer``, ``exact``, ``determined``.
        """
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("A data frame needs pandas: pip install pandas.") from None
        n, names = self._model.n_tuples, self._model.names
        width = self._exact.shape[1]
        return pd.DataFrame(
            {
                "target": [names[i] for i in range(n) for _ in range(width)],
                "known": [
                    ", ".join(names[k] for k in known_of(n, i, c)) for i in range(n) for c in range(width)
                ],
                "layer": np.tile(layers(n), n),
                "exact": self._exact.ravel(),
                "determined": self._determined.ravel(),
            }
        )

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

    def save(
        self,
        path: str | os.PathLike[str],
        part: str = "graph",
        *,
        target: str | int | None = None,
        known: Iterable[str | int] = (),
        threshold: float | None = None,
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
            ``"graph"``, ``"matrix"`` (the heat map), ``"curves"``, ``"sources"`` (of the chosen adversary) or
            ``"all"``.
        target, known
            The chosen adversary; without a target the one who learns most.
        threshold
            A line in nats to compare with.
        width, theme, dpi
            As for `pdp_widgets.publish.save.save`.
        """
        from pdp_widgets.publish.save import save

        save(
            self,
            path,
            part,
            target=target,
            known=known,
            threshold=threshold,
            width=width,
            theme=theme,
            dpi=dpi,
        )

    def to_latex(
        self,
        columns: Sequence[str] | None = None,
        *,
        sort: str | None = "exact",
        most: int | None = 20,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the adversaries as a LaTeX table, see `publish.latex_adversaries`."""
        from pdp_widgets.publish.latex_adversaries import adversaries_latex

        return adversaries_latex(self.graph(), columns, sort=sort, most=most, caption=caption, label=label)

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
        return f"GaussianAnalysis({self._model!r}, scale={self.scale:.6g}, max_change={self.max_change:.6g})"
