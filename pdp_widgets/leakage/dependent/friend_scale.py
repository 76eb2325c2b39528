"""Noise by friendships: every user's dependent sensitivity, and the scale that the friend model asks for.

Places of friends are any points, or the cells of a grid. The L1 distance of two cells is a sum over the axes,
so sums over all cells are done axis by axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET, MOST_EXACT, NOT_NEGATIVE, SCALE, as_size
from pdp_widgets.core.converters import check_many
from pdp_widgets.errors import NetworkError, Where
from pdp_widgets.leakage.dependent.budget import falling_root, laplace_scale
from pdp_widgets.leakage.dependent.coefficients import Coefficient, as_coefficient, ratio_of
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph, check_graph
from pdp_widgets.models.immutable import ReadOnlyMapping
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.support_rows import points_of, value_domain

Floats = NDArray[np.float64]
#: Times the largest distance: with more noise nothing changes that a float shows.
_WIDE = 1e16
#: Seconds that a pair of places takes once, and that all of them may take.
_A_PAIR, _LONGEST = 1e-6, 20.0
#: How often pairs are gone through in search of one kappa.
A_SEARCH = 16


@dataclass(frozen=True, eq=False)
class FriendPairs:
    """The law of a friend's place given each place, and the places as points."""

    #: Shape (places, places), each row with sum 1.
    law: Floats
    #: Shape (places, coordinates).
    points: Floats
    #: Largest L1 distance of two places.
    span: float

    @classmethod
    def of(cls, model: FriendModel, values: Any, laws: int = 1) -> FriendPairs:
        """Return the places of two friends; LimitError where going through all pairs takes over 20 s."""
        # ``laws`` says how often all pairs of places will be gone through.
        if not isinstance(model, FriendModel):
            raise NetworkError(
                f"The model is a {type(model).__name__}; give a FriendModel.",
                Where("parameter", name="model"),
            )
        places = value_domain(values, 0, "the places")
        each = _A_PAIR * laws
        check_many(len(places), int((_LONGEST / each) ** 0.5), "values", each * len(places))
        points = points_of(places, 0, "the places")
        alone = SparseJoint([[place] for place in places], model.row_sum_prior(places))
        return cls(model.conditional(places), points, float(alone.diameters[0]))

    def ratio(self, scale: float, kind: Coefficient) -> float:
        """Return what a noisy place says about a friend's at most, in nats, or a bound on it."""
        return ratio_of(self.law, self.points, scale, kind)

    def coefficient(self, scale: float, kind: Coefficient) -> float:
        """Return the coefficient at a scale of the noise of one place."""
        if not self.span:
            return 0.0
        noise = min(scale, _WIDE * self.span)
        return min(1.0, self.ratio(noise, kind) * noise / self.span)

    def kappa(self, friends: int, epsilon: float, kind: Coefficient) -> float:
        """Return the root of ``kappa = 1 + friends * coefficient(kappa * span / epsilon)``."""
        if friends < 1 or not self.span:
            return 1.0
        if kind == "mean":
            return 1.0 + friends * self.coefficient(1.0, kind)

        def share(kappa: float) -> float:
            return (1 + friends * self.coefficient(kappa * (self.span / epsilon), kind)) / kappa

        # It falls whatever the kind: both 1 / kappa and coefficient / kappa do. So there is one root.
        return 1.0 if share(1.0) <= 1 else falling_root(share, 1.0, 1.0, 1.0 + friends)


class FriendCells(FriendPairs):
    """The same law for the centres of the cells of a square grid in the unit square."""

    @classmethod
    def on(cls, grid: int) -> FriendCells:
        """Return the cells of two friends, `grid` cells a side."""
        return _cells(grid)

    def ratio(self, scale: float, kind: Coefficient) -> float:
        """Return what a noisy cell says about a friend's at most, in nats, or a bound on it."""
        grid = round(len(self.law) ** 0.5)
        law, middle = self.law.reshape(-1, grid, grid), self.points[:grid, 1]
        gaps = np.abs(middle[:, None] - middle) / scale
        if kind == "mean":
            # A distance is a sum over the axes, and so is its mean.
            along = law.sum(axis=2) @ gaps, law.sum(axis=1) @ gaps
            return float((along[0][:, :, None] + along[1][:, None, :]).max())
        if kind == "eq18":
            return float(_log_means(law, gaps).max())
        if kind == "exact":
            logs = _log_means(law, -gaps)
            return float((logs.max(axis=0) - logs.min(axis=0)).max())
        return super().ratio(scale, kind)


#: Of 50 cells a side one takes 50 MB.
@lru_cache(maxsize=4)
def _cells(grid: int) -> FriendCells:
    middle = (np.arange(grid) + 0.5) / grid
    points = np.stack(np.meshgrid(middle, middle, indexing="ij"), axis=-1).reshape(-1, 2)
    return FriendCells(np.asarray(FriendModel().conditional(points)), points, 2 * float(np.ptp(middle)))


def _log_means(law: Floats, exponents: Floats) -> Floats:
    """Return the logarithm of the mean of exp(sum over the axes of the exponents), by cell and candidate."""
    if np.abs(exponents).max() < 0.5:
        # So near to 1 that what is left of it would be rounding.
        little = np.expm1(exponents)
        along = law.sum(axis=2) @ little, law.sum(axis=1) @ little
        return np.asarray(np.log1p(along[0][:, :, None] + along[1][:, None, :] + little @ law @ little))
    # The largest exponent is 0, so that nothing overflows.
    top = exponents.max()
    grown = np.exp(exponents - top)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(grown @ law @ grown) + 2 * top)


#: Coefficients of the friend model that are compared.
FRIEND_COEFFICIENTS: tuple[Coefficient, ...] = ("exact", "mean", "eq18")

_SOURCE = "Liu, Chakraborty and Mittal, Eq. 22 to 26"


def friend_coefficient(model: FriendModel, values: Any, scale: float, kind: Coefficient = "exact") -> float:
    """Return the dependence coefficient of two friends whose places follow Eq. 26.

    Parameters
    ----------
    model, values
        As for `FriendModel.conditional`.
    scale
        Of the noise.
    kind
        As for `pdp_widgets.leakage.dependent.coefficients.dependence_coefficients`.

    Examples
    --------
    >>> line = [k / 10 for k in range(11)]
    >>> [round(friend_coefficient(FriendModel(), line, 1.0, kind), 4) for kind in FRIEND_COEFFICIENTS]
    [0.368, 0.6874, 0.7293]
    """
    return FriendPairs.of(model, values).coefficient(SCALE.take(scale, "scale"), as_coefficient(kind))


def friend_kappa(
    model: FriendModel,
    values: Any,
    largest_degree: int,
    epsilon: float = 1.0,
    kind: Coefficient = "exact",
) -> float:
    """Return by what the scale of plain Laplace noise is multiplied where places of friends follow Eq. 26.

    It is the root of ``kappa = 1 + degree * coefficient(kappa * diameter / epsilon)``.

    Parameters
    ----------
    model, values
        As for `FriendModel.conditional`.
    largest_degree
        Number of friends of the user who has most.
    epsilon
        Budget in nats, positive and finite.
    kind
        As for `pdp_widgets.leakage.dependent.coefficients.dependence_coefficients`.

    Examples
    --------
    >>> line = [k / 10 for k in range(11)]
    >>> [round(friend_kappa(FriendModel(), line, 10, 1.0, kind), 4) for kind in FRIEND_COEFFICIENTS]
    [4.7454, 7.8743, 7.9311]
    """
    friends = as_size(largest_degree, "largest_degree", 0, MOST_EXACT)
    return FriendPairs.of(model, values, A_SEARCH).kappa(
        friends, BUDGET.take(epsilon, "epsilon"), as_coefficient(kind)
    )


@dataclass(frozen=True)
class FriendScale(NumberTable):
    """The noise of several mechanisms for users whose places depend on those of their friends.

    Parameters
    ----------
    epsilon
        Budget in nats.
    sensitivity
        What a change of one user changes in the answer at most, the same for all.
    diameter
        Largest L1 distance of two places.
    users, largest_degree, largest_component
        Of the graph.
    mutual
        Whether every component is a set of mutual friends.
    kappas
        By coefficient: by what the scale of plain Laplace noise is multiplied.
    coefficients
        By name: of two friends, at the scale that follows.

    Notes
    -----
    ``dpm`` scales add up friends, as the paper does. `guaranteed` says whether that is enough. Five
    scales are read from a table; there is no figure of them.

    Examples
    --------
    >>> found = friend_scale(FriendModel(), [0, 0.25, 0.5, 0.75, 1], FriendshipGraph.path(3))
    >>> {name: round(scale, 4) for name, scale in found.scales.items()}
    {'lpm': 1.0, 'baseline': 3.0, 'dpm_exact': 1.9465, 'dpm_mean': 2.4762, 'dpm_eq18': 2.5158}
    >>> found.guaranteed("baseline"), found.guaranteed("dpm_mean")
    (True, False)
    """

    epsilon: float
    sensitivity: float
    diameter: float
    users: int
    largest_degree: int
    largest_component: int
    mutual: bool
    kappas: Mapping[str, float]
    coefficients: Mapping[str, float]

    @property
    def scales(self) -> dict[str, float]:
        """Scale of every mechanism; that of the baseline is for the largest component."""
        alone = laplace_scale(self.sensitivity, self.epsilon)
        found = {"lpm": alone, "baseline": self.largest_component * alone}
        return found | {f"dpm_{kind}": kappa * alone for kind, kappa in self.kappas.items()}

    def guaranteed(self, mechanism: str) -> bool:
        """Tell whether a mechanism keeps the budget for all places that follow the model.

        Notes
        -----
        Plain Laplace noise does so for users without friends alone, the baseline always. The exact
        coefficient does for pairs; ``mean`` and ``eq18`` where every component is a set of mutual friends;
        both only where the law of a place given a friend's is Eq. 26 in either direction. Queries are linear
        or give all places.

        Examples
        --------
        >>> found = friend_scale(FriendModel(), [0, 1], FriendshipGraph.complete(3))
        >>> found.guaranteed("dpm_exact"), found.guaranteed("dpm_mean")
        (False, True)
        """
        if mechanism not in self.scales:
            raise NetworkError(
                f"There is no mechanism {mechanism!r}; there are {', '.join(self.scales)}.",
                Where("parameter", name="mechanism"),
            )
        if mechanism == "lpm":
            return self.largest_component == 1
        if mechanism == "baseline":
            return True
        return self.largest_component <= 2 if mechanism == "dpm_exact" else self.mutual

    def _numbers(self) -> Numbers:
        scales = self.scales
        names = list(scales)
        columns = {
            "mechanism": names,
            "scale": list(scales.values()),
            "times_lpm": [1.0, float(self.largest_component), *self.kappas.values()],
            "coefficient": [np.nan, np.nan, *self.coefficients.values()],
            "guaranteed": [self.guaranteed(name) for name in names],
        }
        return Numbers(
            columns,
            {
                "mechanism": "text",
                "scale": "number",
                "times_lpm": "number",
                "coefficient": "number",
                "guaranteed": "text",
            },
            {
                "unit": "units of the query",
                "source": _SOURCE,
                "status": {"scale": "as printed"},
                "epsilon": self.epsilon,
                "largest_component": self.largest_component,
                "largest_degree": self.largest_degree,
            },
            (
                epsilon_words(self.epsilon),
                f"largest degree {self.largest_degree}, largest component {self.largest_component}",
            ),
        )


def friend_scale(
    model: FriendModel,
    values: Any,
    graph: FriendshipGraph,
    epsilon: float = 1.0,
    sensitivity: float | None = None,
) -> FriendScale:
    """Return the noise of several mechanisms for users whose places depend on those of their friends.

    Parameters
    ----------
    model
        How places of friends depend on each other.
    values
        Places, the same for all users.
    graph
        Friendships.
    epsilon
        Budget in nats, positive and finite.
    sensitivity
        What a change of one user changes in the answer at most; without it the diameter of the places, as
        the sum of places or all places have it.

    Examples
    --------
    >>> friend_scale(FriendModel(), [0, 0.5, 1], FriendshipGraph(4)).kappas
    {'exact': 1.0, 'mean': 1.0, 'eq18': 1.0}
    """
    check_graph(graph)
    both, budget = FriendPairs.of(model, values, A_SEARCH), BUDGET.take(epsilon, "epsilon")
    span, degree = both.span, graph.largest_degree
    reach = span if sensitivity is None else NOT_NEGATIVE.take(sensitivity, "sensitivity")
    kappas: dict[str, float] = {kind: both.kappa(degree, budget, kind) for kind in FRIEND_COEFFICIENTS}
    shared: dict[str, float] = {
        kind: both.coefficient(kappas[kind] * span / budget, kind) for kind in FRIEND_COEFFICIENTS
    }
    return FriendScale(
        budget,
        reach,
        span,
        graph.n,
        degree,
        graph.largest_component,
        graph.mutual,
        ReadOnlyMapping(kappas),
        ReadOnlyMapping(shared),
    )
