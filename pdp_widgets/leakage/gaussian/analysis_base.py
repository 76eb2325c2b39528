"""What every question about Gaussian data rests on: the model, the release, and the exact leakages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary, adversary_of
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.value import Leakage
from pdp_widgets.models.gaussian_model import GaussianModel

__all__ = ["AnalysedGaussian"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_TOLERANCE = 1e-9
_MOST_WITH_INCREMENTS = 16


class AnalysedGaussian:
    """The exact leakage of every adversary of Gaussian data, with the release that it belongs to."""

    _model: GaussianModel
    _release: WeightedRelease
    _exact: Floats
    _determined: Flags

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
        return int(np.count_nonzero(self._exact > self.promise * (1 + _TOLERANCE)))
