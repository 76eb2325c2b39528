"""The Laplace mechanism: noise on the answer of a query, or on every bin of a histogram."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import FINITE, SCALE
from pdp_widgets.core.checks import unknown_keyword
from pdp_widgets.core.converters import as_generator, as_sizes
from pdp_widgets.errors import QueryError, ScaleError, Where
from pdp_widgets.mechanisms.histogram_query import HistogramQuery, as_queries, joint_sensitivities
from pdp_widgets.mechanisms.linear_query import LinearQuery, as_linear
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.networks.network import Network

__all__ = ["GeometricMechanism", "LaplaceMechanism", "VectorLaplaceMechanism", "as_laplace"]


@dataclass(frozen=True, init=False)
class LaplaceMechanism:
    """Release r = f(x) + z with Laplace noise z of density exp(-|z|/scale) / (2 scale).

    Parameters
    ----------
    query
        The additive query f.
    scale
        The noise scale lambda, in units of f; positive and finite.

    Raises
    ------
    ScaleError
        The scale is not a positive finite number, or so small that range / scale is not a number.

    Notes
    -----
    Dwork, McSherry, Nissim and Smith, "Calibrating noise to sensitivity in private data analysis" (2006). The
    scale is an input here: a budget epsilon would ask for the scale GS / epsilon.

    Examples
    --------
    >>> query = LinearQuery([[0, 1], [0, 5]])
    >>> LaplaceMechanism(query, scale=2).promise
    2.5
    """

    query: LinearQuery
    scale: float

    def __init__(self, query: LinearQuery, scale: float | None = None, **unknown: Any) -> None:
        if "scale" in self.__dict__:
            raise AttributeError("A LaplaceMechanism cannot be changed: make a new one.")
        if unknown:
            raise TypeError(unknown_keyword("LaplaceMechanism", next(iter(unknown)), ["query", "scale"]))
        checked, number = as_linear(query), SCALE.take(scale, "scale")
        object.__setattr__(self, "query", checked)
        object.__setattr__(self, "scale", number)
        with np.errstate(over="ignore"):
            reach = np.float64(query.local_sensitivities.sum()) / np.float64(number)
        if not np.isfinite(reach):
            raise ScaleError(
                f"The scale {number:.12g} is too small: the query's range over it is not a finite number.",
                Where("parameter", name="scale"),
            )

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: GS / scale, in nats."""
        return self.query.global_sensitivity / self.scale

    def density(self, r: ArrayLike, centre: float) -> NDArray[np.float64]:
        """Return the density of the released number at r when the query has the value ``centre``.

        Examples
        --------
        >>> LaplaceMechanism(LinearQuery([[0, 1]]), 1).density([0.0], 0.0).tolist()
        [0.5]
        """
        at, middle = as_sizes(r, "r", QueryError, -math.inf), FINITE.take(centre, "centre", QueryError)
        distance = np.abs(at - middle) / self.scale
        return np.asarray(np.exp(-distance) / (2 * self.scale))

    def release(
        self,
        distribution: JointDistribution | Network,
        row: Sequence[Any],
        rng: np.random.Generator | int | None = None,
    ) -> float:
        """Return one noisy answer for a row of labels.

        Parameters
        ----------
        distribution
            Gives the labels their places.
        row
            One label for each tuple.
        rng
            Generator or seed; without it fresh randomness.

        Examples
        --------
        >>> joint = JointDistribution([[0.5, 0], [0, 0.5]])
        >>> mechanism = LaplaceMechanism(LinearQuery.sum(joint), scale=1e-9)
        >>> round(mechanism.release(joint, [1, 1], rng=1), 6)
        2.0
        """
        self.query.check_fits(distribution)
        positions = distribution.position(row)
        exact = sum(float(y[p]) for y, p in zip(self.query.contributions, positions, strict=True))
        return exact + self._noise(as_generator(rng))

    def _noise(self, generator: np.random.Generator) -> float:
        return float(generator.laplace(0.0, self.scale))


@dataclass(frozen=True, init=False)
class GeometricMechanism(LaplaceMechanism):
    """Release r = f(x) + z with whole numbers z, the probability of z proportional to exp(-|z|/scale).

    Parameters
    ----------
    query
        The additive query f; its contributions are whole numbers.
    scale
        The noise scale lambda; positive and finite.

    Raises
    ------
    QueryError
        A contribution is no whole number.
    ScaleError
        As for `LaplaceMechanism`.

    Notes
    -----
    Ghosh, Roughgarden and Sundararajan, "Universally utility-maximizing privacy mechanisms" (2012). It leaks
    what Laplace noise of the same scale leaks: at each value of the query both densities are the same sums of
    exp(-|r - s|/lambda) up to one factor, and the largest log ratio is reached there. Cutting the output off
    at the least and the largest value of the query changes nothing either.

    Examples
    --------
    >>> GeometricMechanism(LinearQuery([[0, 1], [0, 5]]), scale=2).promise
    2.5
    """

    def __init__(self, query: LinearQuery, scale: float | None = None, **unknown: Any) -> None:
        super().__init__(query, scale, **unknown)
        for axis, values in enumerate(query.contributions):
            if (values != np.rint(values)).any():
                raise QueryError(
                    f"The contributions of tuple {axis} are not all whole numbers; integer noise needs that. "
                    "Multiply them, or take a LaplaceMechanism.",
                    Where("axis", axis=axis),
                )

    def density(self, r: ArrayLike, centre: float) -> NDArray[np.float64]:
        """Return the probability of the released whole number r when the query has the value ``centre``.

        Examples
        --------
        >>> GeometricMechanism(LinearQuery([[0, 1]]), 1).density([0.0, 0.5], 0.0).round(4).tolist()
        [0.4621, 0.0]
        """
        at, middle = as_sizes(r, "r", QueryError, -math.inf), FINITE.take(centre, "centre", QueryError)
        away = np.abs(at - middle)
        share = math.tanh(0.5 / self.scale)
        return np.where(away == np.rint(away), share * np.exp(-away / self.scale), 0.0)

    def _noise(self, generator: np.random.Generator) -> float:
        stop = -math.expm1(-1.0 / self.scale)
        return float(generator.geometric(stop) - generator.geometric(stop))


def as_laplace(mechanism: Any) -> LaplaceMechanism:
    """Return a release of one number, or raise TypeError."""
    if isinstance(mechanism, LaplaceMechanism):
        return mechanism
    raise TypeError(
        f"The mechanism is a {type(mechanism).__name__}; give a LaplaceMechanism, such as "
        "LaplaceMechanism(LinearQuery.sum(model), scale)."
    )


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
