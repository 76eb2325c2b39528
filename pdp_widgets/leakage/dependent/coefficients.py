"""How much of what can be told about a tuple is told about another: the dependence coefficient, four ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import SCALE
from pdp_widgets.leakage.dependent.product_grid import ProductGrid, check_reach
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import Status
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice
from pdp_widgets.models.sparse_joint import SparseJoint, as_sparse_joint

_PAPER = "Liu, Chakraborty and Mittal"

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: ``exact``: the definition. ``mean``: a bound without a scale. ``eq18``: the paper's bound.
#: ``eq18_per_term``: the looser reading of it.
Coefficient: TypeAlias = Literal["exact", "mean", "eq18", "eq18_per_term"]

# Numbers in one array of log densities.
_MOST_NUMBERS = 1 << 21
# Sums below may miss terms that vanished.
_LOST = 1e-280


@dataclass(frozen=True, eq=False)
class DependenceCoefficients(EqualByFields, ReadOnlyArrays, NumberTable):
    """The dependence coefficients of all pairs of tuples.

    ``found[i, j]`` is one of them, and ``np.asarray(found)`` all.

    Parameters
    ----------
    tuples
        Names.
    values
        Shares of a change, 0 to 1, shape (n, n).
    kind
        Which coefficient it is.
    scale
        Of the noise, in units of the query.

    Examples
    --------
    >>> from pdp_widgets.models.joint_examples import agreeing_bits
    >>> found = dependence_coefficients(agreeing_bits(0.9), 1.0, "mean")
    >>> found.values.round(4).tolist(), found.status, found.unit
    ([[1.0, 0.9], [0.9, 1.0]], 'bound', 'share of a change')
    """

    tuples: tuple[str, ...]
    values: Floats
    kind: Coefficient
    scale: float

    @property
    def unit(self) -> str:
        """What the coefficients are in."""
        return "share of a change"

    @property
    def status(self) -> Status:
        """``"exact"``, or a bound on it."""
        return "exact" if self.kind == "exact" else "bound"

    @property
    def source(self) -> str:
        """Paper and equations."""
        return f"{_PAPER}, {'Eq. 14 and 21' if self.kind == 'exact' else 'Section VI-B'}"

    def __getitem__(self, place: Any) -> Any:
        return self.values[place]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return np.array(self.values, dtype=dtype)

    def _numbers(self) -> Numbers:
        n = len(self.tuples)
        return Numbers(
            {
                "tuple": [name for name in self.tuples for _ in range(n)],
                "told by": [name for _ in range(n) for name in self.tuples],
                "coefficient": self.values.ravel(),
            },
            {"tuple": "text", "told by": "text", "coefficient": "number"},
            {"unit": self.unit, "source": self.source, "status": {"coefficient": self.status}},
            (f"{self.kind}, scale {self.scale:.6g}",),
        )


def dependence_coefficients(joint: Any, scale: float, kind: Coefficient = "exact") -> DependenceCoefficients:
    """Return the dependence coefficients of all pairs of tuples.

    Entry ``[i, j]`` is what noise of a scale lets D_j say about D_i, beside what it lets D_j say about
    itself. 1 on the diagonal; 0 for a tuple j without two values, or a tuple i without two possible ones.

    Parameters
    ----------
    joint
        A `SparseJoint` or a `JointDistribution`; values are numbers, or points with L1 distances.
    scale
        Of the noise.
    kind
        ``"exact"``: the largest log ratio of the noisy conditionals of D_j, over its own (Eq. 14 and 21).
        ``"mean"``: the largest expected distance to one value; it depends on no scale.
        ``"eq18"``: the paper's bound, with one farthest value. ``"eq18_per_term"``: with one for each term.

    Returns
    -------
    coefficients
        With ``values`` of shape (n, n). In this order the kinds never decrease, and none is above 1.

    Notes
    -----
    Liu, Chakraborty and Mittal, Section VI-B. Only ``exact`` is 0 under independence; the others are never
    below 1/2. Pairs cannot show dependence that takes three tuples: all coefficients of `xor_bits` are 0.

    Examples
    --------
    >>> from pdp_widgets import SparseJoint
    >>> from pdp_widgets.dependent import dependence_coefficients
    >>> joint = SparseJoint([[0, 0], [0, 1], [1, 0], [1, 1]], [0.45, 0.05, 0.05, 0.45])
    >>> for kind in ("exact", "mean", "eq18", "eq18_per_term"):
    ...     print(kind, round(float(dependence_coefficients(joint, 1.0, kind)[0, 1]), 4))
    exact 0.7761
    mean 0.9
    eq18 0.9347
    eq18_per_term 1.0
    """
    rows = as_sparse_joint(joint)
    size = SCALE.take(scale, "scale")
    name = as_coefficient(kind)
    ratios = dependent_ratios(rows, rows.points, size, name)
    spans = rows.diameters
    found = np.divide(ratios * size, spans, out=np.zeros_like(ratios), where=spans > 0)
    np.fill_diagonal(found, 1.0)
    return DependenceCoefficients(rows.tuples, np.minimum(found, 1.0), name, size)


def as_coefficient(kind: Any) -> Coefficient:
    """Return the kind of a coefficient, or raise DomainError."""
    kinds: tuple[Coefficient, ...] = get_args(Coefficient)
    return as_choice(kind, "kind", kinds, noun="coefficient")


def dependent_ratios(
    joint: SparseJoint, reach: tuple[Floats, ...], scale: float, kind: Coefficient
) -> Floats:
    """Return what noisy values of D_j say about D_i at most, r_ij in nats, for all pairs; 0 for i = j."""
    return DependentRatios(joint, reach).at(scale, kind)


class DependentRatios:
    """The same for many scales: what does not depend on the scale is found once."""

    # ``reach``: the values of every tuple as they enter the output, shape (values, numbers) each.

    def __init__(self, joint: SparseJoint, reach: tuple[Floats, ...]) -> None:
        self._joint, self._reach = joint, reach

    def at(self, scale: float, kind: Coefficient, wait: Callable[[], None] | None = None) -> Floats:
        """Return the ratios at a scale, shape (n, n); ``wait`` is called now and then."""
        n, (_, begins) = len(self._reach), self._laws
        found = np.zeros((n, n))
        for j, points in enumerate(self._reach):
            if kind == "exact":
                found[:, j] = _exact(self._grids[j], begins, scale)
            else:
                found[:, j] = _bounds(self._law(j), points, begins, scale, kind)
            if wait is not None:
                wait()
        # Tuples with one possible value have nothing to be told.
        found[np.diff(begins) < 2] = 0.0
        np.fill_diagonal(found, 0.0)
        return found

    @cached_property
    def _laws(self) -> tuple[Floats, Integers]:
        """The law of all values given each possible one, and where the values of each tuple begin."""
        # Tables of all pairs can be large, and tuples that are independent need none.
        tables = self._joint.pair_tables
        marginal = np.diagonal(tables)
        possible = marginal > 0
        values = np.add.reduceat(possible, self._joint.offsets[:-1], dtype=np.int64)
        return tables[possible] / marginal[possible, None], np.concatenate([[0], np.cumsum(values)])

    def _law(self, j: int) -> Floats:
        return self._laws[0][:, self._joint.offsets[j] : self._joint.offsets[j + 1]]

    @cached_property
    def _grids(self) -> list[tuple[Floats, ProductGrid] | None]:
        return [_placed(self._law(j), points) for j, points in enumerate(self._reach)]


def ratio_of(law: Floats, points: Floats, scale: float, kind: Coefficient) -> float:
    """Return what noisy values of D_j say about D_i at most, in nats, from the conditionals alone."""
    # ``law`` has a row P(D_j | D_i = a) for each a that can occur; ``points``, shape (values, numbers), are
    # the values of D_j.
    if len(law) < 2:
        return 0.0
    whole = np.array([0, len(law)])
    if kind == "exact":
        return float(_exact(_placed(law, points), whole, scale)[0])
    return float(_bounds(law, points, whole, scale, kind)[0])


def _placed(law: Floats, points: Floats) -> tuple[Floats, ProductGrid] | None:
    """Return the law of the different points, and their grid; None where there is one point alone."""
    distinct, index = np.unique(points, axis=0, return_inverse=True)
    if len(distinct) < 2:
        return None
    placed = np.zeros((len(points), len(distinct)))
    placed[np.arange(len(points)), index.reshape(-1)] = 1.0
    return law @ placed, ProductGrid(distinct)


def _exact(placed: tuple[Floats, ProductGrid] | None, begins: Integers, scale: float) -> Floats:
    """Return the largest log ratio of two rows of every tuple, on noisy points."""
    n = len(begins) - 1
    if placed is None:
        return np.zeros(n)
    law, grid = placed
    found = np.zeros(n)
    each = max(1, _MOST_NUMBERS // (grid.size * int(np.diff(begins).max())))
    for start in range(0, n, each):
        stop = min(n, start + each)
        values, to_logs = grid.densities(law[begins[start] : begins[stop]], scale)
        high, low = _extremes(values, begins[start:stop] - begins[start])
        found[start:stop] = (to_logs(high) - to_logs(low)).max(axis=1)
    return np.asarray(np.maximum(found, 0.0))


def _extremes(values: Floats, begins: Integers) -> tuple[Floats, Floats]:
    """Return the largest and the smallest rows of every group."""
    sizes = np.diff([*begins, len(values)])
    if (sizes == sizes[0]).all():
        # One comparison of long rows after the other: reductions of many short ones take three times as long.
        grouped = values.reshape(len(begins), sizes[0], -1)
        high = low = grouped[:, 0]
        for k in range(1, sizes[0]):
            high, low = np.maximum(high, grouped[:, k]), np.minimum(low, grouped[:, k])
        return high, low
    return np.maximum.reduceat(values, begins, axis=0), np.minimum.reduceat(values, begins, axis=0)


def _bounds(law: Floats, points: Floats, begins: Integers, scale: float, kind: Coefficient) -> Floats:
    """Return the bounds in nats: largest means of distances, or of their exponentials."""
    apart = np.abs(points[:, None, :] - points[None, :, :]).sum(axis=2)
    check_reach(float(apart.max()), scale)
    apart /= scale
    if kind == "eq18_per_term":
        apart = apart.max(axis=1, keepdims=True)
    largest = apart.max()
    if kind == "mean":
        each = (law @ apart).max(axis=1)
    elif largest < 0.5:
        each = np.log1p((law @ np.expm1(apart)).max(axis=1))
    elif largest < 600:
        each = np.log((law @ np.exp(apart)).max(axis=1))
    else:
        # The largest exponent of each column is taken out, lest all overflow.
        tops = apart.max(axis=0)
        sums = law @ np.exp(apart - tops)
        # A row without the farthest value may have lost all others: its own largest exponent is taken out.
        lost = (sums < _LOST).any(axis=1)
        each = np.full(len(law), -np.inf)
        each[~lost] = (np.log(sums[~lost]) + tops).max(axis=1)
        if lost.any():
            each[lost] = _log_means(law[lost], apart)
    return np.asarray(np.maximum.reduceat(each, begins[:-1]))


def _log_means(law: Floats, apart: Floats) -> Floats:
    """Return the largest log mean of exponentials of the columns for every row."""
    logs = np.log(law, out=np.full_like(law, -np.inf), where=law > 0)
    each = np.full(len(law), -np.inf)
    for column in apart.T:
        terms = logs + column
        top = terms.max(axis=1)
        each = np.maximum(each, top + np.log(np.exp(terms - top[:, None]).sum(axis=1)))
    return each
