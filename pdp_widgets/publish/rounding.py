"""What counts as a difference between two leakages: more than rounding can make of one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.models.rounding_rule import SHARE, at_most

__all__ = ["apart", "beyond", "bound_of", "paper_error", "rounding"]

Floats = NDArray[np.float64]


def rounding(group_bound: float) -> float:
    """Return what two ways to compute one leakage may differ by, in nats.

    Exponents are as large as the group bound, and each costs about 1e-16 of its size. As in graph/data.ts.

    Parameters
    ----------
    group_bound
        A bound for every adversary, in nats.

    Examples
    --------
    >>> rounding(0.5), rounding(1024.0)
    (5e-10, 1.024e-06)
    """
    return SHARE * group_bound


def bound_of(graph: WeightedHierarchicalGraph) -> float:
    """Return a bound for every adversary: the graph's own, else Eq. 17, which holds for every table."""
    return graph.n_tuples * graph.promise if graph.group_bound is None else graph.group_bound


def apart(paper: Any, exact: Any, determined: Any, group_bound: float) -> Any:
    """Return the paper's estimate minus the exact value, 0 where they differ by rounding or nothing is open.

    Parameters
    ----------
    paper, exact, determined
        Numbers, or arrays of one shape.
    group_bound
        As for `rounding`.

    Examples
    --------
    >>> paper, exact = np.array([1.2, 1.0, 0.3]), np.array([1.0, 1.0 + 1e-12, 0.0])
    >>> apart(paper, exact, np.array([False, False, True]), 2.0)
    array([0.2, 0. , 0. ])
    """
    error = np.subtract(paper, exact)
    return np.where((np.abs(error) <= rounding(group_bound)) | determined, 0.0, error)


def paper_error(graph: WeightedHierarchicalGraph, rows: Any = slice(None)) -> Floats:
    """Return what the paper's estimate is off by, see `apart`.

    Parameters
    ----------
    graph
        With the paper's estimate.
    rows
        The attacked tuples; without it all.
    """
    assert graph.paper is not None
    error: Floats = apart(graph.paper[rows], graph.exact[rows], graph.determined[rows], bound_of(graph))
    return error


def beyond(line: float) -> float:
    """Return what a leakage above a line exceeds, rounding aside: that is a share, however small it is.

    Examples
    --------
    >>> beyond(1.0), beyond(1e-30), beyond(0.0)
    (1.000000001, 1.0000000010000001e-30, 1e-14)
    """
    return float(at_most(line))
