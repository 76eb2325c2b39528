"""The group bound: the only upper bound on leakage that needs no table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.leakage.adversary import Adversary, listed_tuples
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism, as_laplace
from pdp_widgets.models.labels import shown

__all__ = ["ROUNDING", "group_bound", "node_bounds", "within_bounds"]

#: What rounding makes of a leakage, as a part of the larger of 1 and its bound.
ROUNDING = 1e-12


def group_bound(
    mechanism: LaplaceMechanism, target: int, known: Iterable[int] = (), *, loose: bool = False
) -> Leakage:
    """Return the group bound of one adversary: sensitivities of all tuples it does not know, over the scale.

    Parameters
    ----------
    mechanism
        The release.
    target
        Position of the attacked tuple.
    known
        Positions of the known tuples.
    loose
        Use the global sensitivity for every tuple (Eq. 17) instead of its own (Eq. 16).

    Raises
    ------
    AdversaryError
        A position is out of range or used twice, or the target is known.

    Notes
    -----
    Holds for every table and every known value: Li et al., Eq. 16 and 17. Attained by tuples that are all
    equal.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> mechanism = LaplaceMechanism(LinearQuery([[0, 1], [0, 5]]), 1.0)
    >>> float(group_bound(mechanism, 0)), float(group_bound(mechanism, 0, [1]))
    (6.0, 1.0)
    >>> float(group_bound(mechanism, 0, loose=True))
    10.0
    """
    sensitivities = as_laplace(mechanism).query.local_sensitivities
    listed = listed_tuples(known)
    for position in (target, *listed):
        if not is_whole(position):
            raise AdversaryError(
                f"{shown(position)} is no position, and a release alone has no names: give whole numbers "
                "from 0, or ask PriorAnalysis.group_bound by name.",
                Where("parameter", name="target"),
            )
    adversary = Adversary(target, tuple(listed))
    n = len(sensitivities)
    for position in (adversary.target, *adversary.known):
        if position >= n:
            raise AdversaryError(
                f"There is no tuple {position}; positions run from 0 to {n - 1}.",
                Where("parameter", name="target"),
            )
    open_ = [j for j in range(n) if j not in adversary.known]
    if as_flag(loose, "loose"):
        value, equation = len(open_) * mechanism.promise, "Eq. 17"
    else:
        value, equation = float(sum(sensitivities[j] for j in open_)) / mechanism.scale, "Eq. 16"
    return Leakage(
        value=value,
        status="bound",
        about=About(f"x{adversary.target + 1}", tuple((f"x{k + 1}", None) for k in adversary.known)),
        convention="sup",
        source=f"Li, Ren, Yang and Yang, {equation}",
    )


def node_bounds(mechanism: LaplaceMechanism) -> NDArray[np.float64]:
    """Return the group bound (Eq. 16) of every adversary as a node array (n, 2**(n-1))."""
    sensitivities = mechanism.query.local_sensitivities
    n = len(sensitivities)
    bounds = np.empty((n, 1 << (n - 1)))
    for i in range(n):
        bounds[i] = _bounds_of(sensitivities, i) / mechanism.scale
    return bounds


def _bounds_of(sensitivities: NDArray[np.float64], target: int) -> NDArray[np.float64]:
    """Return the bounds at scale 1 by column, added up in the order in which `group_bound` does."""
    row = np.zeros(1)
    for j, reach in enumerate(sensitivities):
        # Bit set = known: contributes nothing. Later tuples are higher bits.
        row = row + reach if j == target else np.concatenate((row + reach, row))
    return row


def within_bounds(values: NDArray[np.float64], sensitivities: NDArray[np.float64], scale: float) -> None:
    """Take from exact leakages, a node array, what rounding puts above the group bound."""
    for target, row in enumerate(values):
        bounds = _bounds_of(sensitivities, target) / scale
        rounded = (row > bounds) & (row <= bounds + ROUNDING * np.maximum(1.0, bounds))
        np.copyto(row, bounds, where=rounded)
