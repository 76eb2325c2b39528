"""Edge weights of the weighted hierarchical graph: increments IC, ratios IR and correlation (Section V).

An edge leads from the adversary (i, K' + {j}) to the weaker one (i, K'). Its weight says by how much, in the
paper's estimate, the leakage changes when tuple j is no longer known. The paper is "Impact of Prior Knowledge
and Data Correlation on Privacy Leakage: A Unified Analysis"; everything here is as printed there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import FINITE
from pdp_widgets.errors import AdversaryError, InstanceError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.prior.exact_node import as_mapping, check_kinds
from pdp_widgets.leakage.prior.releases import LARGEST_EXPONENT
from pdp_widgets.leakage.value import About, Convention, Unit, check_convention
from pdp_widgets.leakage.wide_noise import WIDE
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Label, short

__all__ = [
    "EdgeWeight",
    "EdgesOfTable",
    "correlation",
    "edge",
    "logarithms_needed",
    "maximising",
    "pair_gamma",
    "pair_weights",
]

Floats = NDArray[np.float64]

_SOURCE = "Li, Ren, Yang and Yang, Eq. 9, 10, 12 and 13"


@dataclass(frozen=True)
class EdgeWeight:
    """Weight of one edge: what forgetting a tuple adds to the paper's estimate, and how the two correlate.

    Parameters
    ----------
    gamma
        ``(m, n, IC)`` for every pair of labels of the target that can occur, m before n in the order of their
        contributions (Eq. 9). With convention ``"sup"`` a pair comes with its smallest IC and, where the
        known values matter, its largest. Empty if fewer than two labels can occur: the edge is undefined.
    ir
        IR of the same pairs (Eq. 12), in [-1, 1]; None where the removed tuple does not move the query.
    rho
        Correlation of the two contributions given the known values; None if one of them does not vary. With
        convention ``"sup"`` the one farthest from 0.
    about
        The adversary at whom the edge ends.
    removed
        Name of the tuple that this adversary no longer knows.
    convention
        ``"instance"``: for the known values of ``about``. ``"sup"``: for all that can occur.
    status
        Of ``gamma`` and ``ir``: always ``"as printed"``.
    rho_status
        Of ``rho``: always ``"exact"``.
    unit
        Of the IC: always ``"nats"``; IR and correlation have none.
    source
        Paper and equations.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
    >>> joint = lsat6()
    >>> analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [1, 1, 0, 1, 1])
    >>> weight = analysis.edge("item 1", removed="item 3", known=["item 2"])
    >>> print(str(weight).split(":")[0])
    IC 0.1464 nats, IR 0.1464 (as printed); correlation 0.0768 (exact)
    >>> weight.status, weight.rho_status, weight.unit
    ('as printed', 'exact', 'nats')
    """

    gamma: tuple[tuple[Label, Label, float], ...]
    ir: tuple[float | None, ...]
    rho: float | None
    about: About
    removed: str
    convention: Convention = "instance"
    status: Literal["as printed"] = "as printed"
    rho_status: Literal["exact"] = "exact"
    unit: Unit = "nats"
    source: str = _SOURCE

    @property
    def ic_range(self) -> tuple[float, float] | None:
        """Smallest and largest IC in nats, all that an estimate needs; None for an undefined edge."""
        values = [value for _, _, value in self.gamma]
        return (min(values), max(values)) if values else None

    @property
    def ir_range(self) -> tuple[float, float] | None:
        """Smallest and largest IR; None where there is none."""
        values = [value for value in self.ir if value is not None]
        return (min(values), max(values)) if values else None

    def increment(self, leakage: float) -> float | None:
        """Return the IC that is added to a leakage (Theorem 2): the one with the largest |leakage + IC|.

        Examples
        --------
        >>> gamma = ("a", "b", -0.5), ("a", "c", 0.5)
        >>> EdgeWeight(gamma, (None, None), None, About("Ann"), removed="Bob").increment(1.0)
        0.5
        """
        extremes = self.ic_range
        given = FINITE.take(leakage, "leakage")
        return None if extremes is None else maximising(given, *extremes)

    def __str__(self) -> str:
        rho = "undefined" if self.rho is None else f"{self.rho:.4g}"
        return (
            f"IC {_span(self.ic_range, ' nats')}, IR {_span(self.ir_range)} ({self.status}); "
            f"correlation {rho} ({self.rho_status}): {self.about}, no longer {short(self.removed)}"
        )


def _span(extremes: tuple[float, float] | None, unit: str = "") -> str:
    if extremes is None:
        return "undefined"
    low, high = (f"{end:.4g}" for end in extremes)
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def maximising(leakage: float, low: float, high: float) -> float:
    """Return low or high, whichever makes |leakage + it| larger; high on a tie within 1e-12."""
    # Below 1 nat the tie is within 1e-12 of the leakage.
    up, down = abs(leakage + high), abs(leakage + low)
    return high if up >= down - 1e-12 * min(1.0, down) else low


def edge(
    distribution: JointDistribution,
    mechanism: LaplaceMechanism,
    target: str | int,
    removed: str | int,
    known: Mapping[Any, Any] | Iterable[str | int] = (),
    *,
    convention: Convention = "instance",
) -> EdgeWeight:
    """Return the weight of one edge (Eq. 9, 10, 12 and 13)."""
    check_convention(convention)
    check_kinds(distribution, mechanism)
    given: dict[Any, Any] = {}
    if convention == "instance":
        given = as_mapping(known)
        listed: list[Any] = list(given)
    elif isinstance(known, Mapping):
        raise AdversaryError(
            "Convention 'sup' considers every value of the known tuples; name the tuples without labels.",
            Where("parameter", name="known"),
        )
    else:
        listed = [known] if isinstance(known, str | int) else list(known)
    adversary = Adversary.of(distribution, target, [*listed, removed])
    i, j = adversary.target, distribution.axis(removed)
    where: list[Any] = [slice(None)] * distribution.n_tuples
    for tuple_, label in given.items():
        axis = distribution.axis(tuple_)
        try:
            where[axis] = slice(position := distribution.label_position(axis, label), position + 1)
        except InstanceError as fault:
            raise AdversaryError(f"A known value: {fault}", fault.where) from None
    fixed = [k for k in adversary.known if k != j]
    weights = pair_weights(distribution.table[tuple(where)], i, j, fixed)
    if not weights.any():
        text = ", ".join(
            f"{short(distribution.names[distribution.axis(t)])} = {v!r}" for t, v in given.items()
        )
        raise AdversaryError(
            f"The known values ({text}) have probability 0; give values that can occur together.",
            Where("parameter", name="known"),
        )
    y_i, y_j = mechanism.query.contributions[i], mechanism.query.contributions[j]
    labels, names = distribution.domains[i], distribution.names
    gamma = pair_gamma(weights, y_i, y_j, mechanism.scale)
    reach = float(np.ptp(y_j)) / mechanism.scale
    by_axis = {distribution.axis(t): v for t, v in given.items()}
    return EdgeWeight(
        tuple((labels[m], labels[n], value) for m, n, value in gamma),
        tuple(value / reach if reach else None for _, _, value in gamma),
        correlation(weights, y_i, y_j),
        About(names[i], tuple((names[k], by_axis.get(k)) for k in fixed)),
        names[j],
        convention,
    )


def in_units(values: Floats) -> Floats:
    """Return values in a power of two of their own size: at most 1 in size, and nothing is rounded."""
    size = float(np.abs(values).max(initial=0.0))
    return values if size == 0 else np.ldexp(values, -math.frexp(size)[1])


def pair_weights(table: Floats, i: int, j: int, known: Sequence[int]) -> Floats:
    """Sum out all tuples but i, j and the known ones: shape (labels of i, labels of j, known values)."""
    weights = _summed(table, (i, j, *known))
    return np.moveaxis(weights, (i, j), (0, 1)).reshape(table.shape[i], table.shape[j], -1)


def pair_gamma(weights: Floats, y_i: ArrayLike, y_j: ArrayLike, scale: float) -> list[tuple[int, int, float]]:
    """Return the set Gamma of one edge (Eq. 9) as (position of m, position of n, IC in nats)."""
    # Axis 0 of the weights is the target, axis 1 the removed tuple. With a third axis, one entry for each
    # combination of known values, a pair comes with its smallest and, if it differs, its largest IC.
    offsets = np.asarray(y_j, dtype=float)
    offsets = (offsets - offsets.min()) / scale
    pair = weights.reshape(*weights.shape[:2], -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Impossible labels are NaN.
        if offsets.max() < WIDE:
            g = np.log1p((pair * np.expm1(-offsets)[:, np.newaxis]).sum(axis=1) / pair.sum(axis=1))
        else:
            terms = np.log(pair)
            numerators = np.logaddexp.reduce(terms - offsets[:, np.newaxis], axis=1)
            g = numerators - np.logaddexp.reduce(terms, axis=1)
    order = [int(v) for v in np.argsort(y_i, kind="stable")]
    gamma = []
    for p, m in enumerate(order):
        for n in order[p + 1 :]:
            values = g[m] - g[n]
            values = values[~np.isnan(values)]
            if values.size:
                low, high = float(values.min()), float(values.max())
                gamma += [(m, n, value) for value in ((low,) if low == high else (low, high))]
    return gamma


class EdgesOfTable:
    """Extreme increments of single edges, each computed when it is asked for."""

    # The instance has the position of the known label of each tuple; None for all known values.

    def __init__(
        self,
        table: Floats,
        contributions: Sequence[ArrayLike],
        scale: float,
        instance: tuple[int, ...] | None,
    ) -> None:
        y = [np.asarray(values, dtype=float) for values in contributions]
        self.first = tuple(float(np.ptp(values)) / scale for values in y)
        self._table = table
        self._instance = instance
        self._offsets = [(values - values.min()) / scale for values in y]
        self._orders = [[int(v) for v in np.argsort(values, kind="stable")] for values in y]
        self._logarithms = logarithms_needed(table, self._offsets)

    def extremes(self, target: int, removed: int, known: Sequence[int]) -> tuple[float, float]:
        """Return the smallest and the largest IC of the edge into (target, known) that forgets a tuple."""
        # NaN if fewer than two labels of the target can occur with any of the known values: the edge is
        # undefined.
        table = self._table
        if self._instance is not None:
            table = table[
                tuple(slice(x, x + 1) if k in known else slice(None) for k, x in enumerate(self._instance))
            ]
        return self._extreme_gamma(_summed(table, (target, removed, *known)), target, removed)

    def out_of(self, target: int, known: Sequence[int]) -> list[tuple[int, float, float]]:
        """Return (removed tuple, smallest IC, largest IC) for all edges that start at (target, known)."""
        if self._instance is not None:
            return [(j, *self.extremes(target, j, [k for k in known if k != j])) for j in known]
        # All these edges come from the labels of the same tuples.
        weights = _summed(self._table, (target, *known))
        return [(j, *self._extreme_gamma(weights, target, j)) for j in known]

    def _extreme_gamma(self, weights: Floats, target: int, removed: int) -> tuple[float, float]:
        """Return the extremes of Gamma (Eq. 9) over all axes but two: the labels of known tuples."""
        first, second = min(target, removed), max(target, removed)
        shape = weights.shape
        blocks = weights.reshape(
            prod(shape[:first]), shape[first], prod(shape[first + 1 : second]), shape[second], -1
        )
        # Removed tuple first, target second. Adding up label by label is faster than a reduction.
        pair = blocks.transpose(*((3, 1) if target < removed else (1, 3)), 0, 2, 4)
        offsets = self._offsets[removed]
        with np.errstate(divide="ignore", invalid="ignore"):
            total = sum(pair[1:], pair[0])
            if self._logarithms[removed]:
                terms = np.log(pair) - offsets.reshape(-1, 1, 1, 1, 1)
                g = np.logaddexp.reduce(terms, axis=0) - np.log(total)
            else:
                wide = offsets.max() < WIDE
                factors = np.expm1(-offsets) if wide else np.exp(-offsets)
                weighted = [part * factor for part, factor in zip(pair, factors, strict=True)]
                g = (np.log1p if wide else np.log)(sum(weighted[1:], weighted[0]) / total)
        low = high = np.nan
        order = self._orders[target]
        largest = smallest = g[order[0]]
        for n in order[1:]:
            # Impossible labels are NaN, which fmax and fmin pass over.
            high = float(np.fmax.reduce(largest - g[n], axis=None, initial=high))
            low = float(np.fmin.reduce(smallest - g[n], axis=None, initial=low))
            largest, smallest = np.fmax(largest, g[n]), np.fmin(smallest, g[n])
        return low, high


def _summed(table: Floats, kept: Sequence[int]) -> Floats:
    """Sum out all tuples but some; the axes stay. From the first axis on, whose slices lie apart."""
    for axis in range(table.ndim):
        if axis not in kept and table.shape[axis] > 1:
            table = table.sum(axis=axis, keepdims=True)
    return table


def logarithms_needed(table: Floats, offsets: Sequence[Floats]) -> list[bool]:
    """Tell for each tuple whether probability times exp(-offset) could underflow (section 6.6)."""
    smallest = float(np.min(table, where=table > 0.0, initial=1.0))
    return [float(of_one.max()) - np.log(smallest) > LARGEST_EXPONENT for of_one in offsets]


def correlation(weights: Floats, y_i: ArrayLike, y_j: ArrayLike) -> float | None:
    """Return the correlation of two contributions, or None if one of them takes a single value."""
    pair = weights.reshape(*weights.shape[:2], -1)
    varies = np.ones(pair.shape[2], dtype=bool)
    centred, variances = [], []
    total = pair.sum(axis=(0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        for y, of_label in ((y_i, pair.sum(axis=1)), (y_j, pair.sum(axis=0))):
            # A correlation has no unit: squares of huge values, or of tiny ones, would be no numbers.
            values = in_units(np.asarray(y, dtype=float))
            column = values[:, np.newaxis]
            possible = of_label > 0
            # Decided by the values that can occur, not by a variance that is rounded.
            smallest = np.where(possible, column, np.inf).min(axis=0)
            varies &= smallest < np.where(possible, column, -np.inf).max(axis=0)
            share = of_label / total
            deviation = column - (share * column).sum(axis=0)
            centred.append(deviation)
            variances.append((share * deviation**2).sum(axis=0))
        covariance = np.einsum("im,ijm,jm->m", centred[0], pair / total, centred[1])
        found = (covariance / np.sqrt(variances[0] * variances[1]))[varies]
    if not found.size:
        return None
    return max(-1.0, min(1.0, float(found[np.argmax(np.abs(found))])))
