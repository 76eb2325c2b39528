"""Several numbers released together, each with Laplace noise of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.histogram_query import HistogramQuery, as_queries, joint_sensitivities
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.given_numbers import as_generator
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["VectorLaplaceMechanism"]


@dataclass(frozen=True, init=False)
class VectorLaplaceMechanism:
    """Release r_b = f_b(x) + z_b for several queries f_b, with independent Laplace noise of one scale.

    Parameters
    ----------
    queries
        A `HistogramQuery`, or queries over the same labels.
    scale
        The noise scale of every number; positive and finite.

    Raises
    ------
    QueryError
        There is no query, or two are about different labels.
    ScaleError
        The scale is not a positive finite number, or too small for the range of a query.

    Notes
    -----
    Dwork, McSherry, Nissim and Smith, "Calibrating noise to sensitivity in private data analysis" (2006).

    Examples
    --------
    >>> from pdp_widgets.mechanisms.histogram_query import HistogramQuery
    >>> joint = JointDistribution([[0.5, 0], [0, 0.5]], [["no", "yes"]] * 2)
    >>> mechanism = VectorLaplaceMechanism(HistogramQuery.of_labels(joint), scale=2)
    >>> mechanism.promise
    1.0
    >>> VectorLaplaceMechanism(mechanism.queries, 1e-9).release(joint, ["yes", "no"], rng=1).round(6).tolist()
    [1.0, 1.0]
    """

    coordinates: tuple[LaplaceMechanism, ...]

    def __init__(self, queries: Iterable[LinearQuery], scale: float) -> None:
        if "coordinates" in self.__dict__:
            raise AttributeError("A VectorLaplaceMechanism cannot be changed: make a new one.")
        made = tuple(LaplaceMechanism(query, scale) for query in as_queries(queries))
        object.__setattr__(self, "coordinates", made)

    @property
    def queries(self) -> tuple[LinearQuery, ...]:
        """The queries, in the order of the released numbers."""
        return tuple(mechanism.query for mechanism in self.coordinates)

    @property
    def query(self) -> HistogramQuery:
        """All queries as one histogram.

        Raises
        ------
        QueryError
            They are no bins.
        """
        return HistogramQuery(self.queries)

    @property
    def scale(self) -> float:
        """The noise scale of every number."""
        return self.coordinates[0].scale

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple, all numbers together, in nats."""
        return float(joint_sensitivities(self.queries).max()) / self.scale

    def release(
        self,
        distribution: JointDistribution,
        row: Sequence[Any],
        rng: np.random.Generator | int | None = None,
    ) -> NDArray[np.float64]:
        """Return one noisy answer for each query, for a row of labels.

        Parameters
        ----------
        distribution
            Gives the labels their places.
        row
            One label for each tuple.
        rng
            Generator or seed; without it fresh randomness.
        """
        generator = as_generator(rng)
        return np.array([one.release(distribution, row, generator) for one in self.coordinates])
