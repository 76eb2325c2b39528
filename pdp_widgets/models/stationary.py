"""Long-run behaviour of a chain: its stationary law, and how fast the start is forgotten."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ChainError, Where

__all__ = ["closed_classes", "mixing_time", "second_eigenvalue", "stationary_law"]

Floats = NDArray[np.float64]

#: Squarings of the matrix before it counts as never mixing: 2^60 steps.
_DOUBLINGS = 60


def closed_classes(matrix: Floats) -> list[NDArray[np.intp]]:
    """Return the sets of states that are never left once entered and have no smaller such set inside.

    Examples
    --------
    >>> [c.tolist() for c in closed_classes(np.array([[0.5, 0.5, 0], [0, 1, 0], [0, 0, 1]]))]
    [[1], [2]]
    """
    # Late: most of the package needs no scipy, and it takes long to import.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array(matrix > 0)
    many, of_state = connected_components(graph, directed=True, connection="strong")
    source, target = graph.nonzero()
    left = np.zeros(many, dtype=bool)
    left[of_state[source[of_state[source] != of_state[target]]]] = True
    found = [np.flatnonzero(of_state == c) for c in np.flatnonzero(~left)]
    return sorted(found, key=lambda members: int(members[0]))


def stationary_law(matrix: Floats) -> Floats:
    """Return the law that one step leaves as it is.

    States are eliminated one by one without a subtraction (Grassmann, Taksar and Heyman), so that small
    probabilities have full relative accuracy.

    Raises
    ------
    ChainError
        There are several: the chain has more than one set of states that is never left. Or ways between
        states are rarer than the smallest float.

    Examples
    --------
    >>> stationary_law(np.array([[0.9, 0.1], [0.3, 0.7]])).round(12).tolist()
    [0.75, 0.25]
    """
    classes = closed_classes(matrix)
    if len(classes) > 1:
        raise ChainError(
            f"The chain has {len(classes)} sets of states that are never left, so it has no single "
            "stationary law; give a start law.",
            Where("parameter", name="start"),
        )
    members = classes[0]
    work = matrix[np.ix_(members, members)].copy()
    size = len(members)
    weights = np.zeros(size)
    weights[0] = 1.0
    with np.errstate(all="ignore"):
        for last in range(size - 1, 0, -1):
            work[:last, last] /= work[last, :last].sum()
            work[:last, :last] += np.outer(work[:last, last], work[last, :last])
        for state in range(1, size):
            weights[state] = weights[:state] @ work[:state, state]
            if weights[state] > 1e100:
                weights[: state + 1] /= weights[state]
        weights /= weights.sum()
    if not np.isfinite(weights).all():
        raise ChainError(
            "The stationary law cannot be found: ways between states are rarer than 1e-308; give a start "
            "law.",
            Where("parameter", name="start"),
        )
    law = np.zeros(len(matrix))
    law[members] = weights
    return law


def second_eigenvalue(matrix: Floats) -> float:
    """Return the second largest modulus of an eigenvalue: what is left of the past after a step.

    Examples
    --------
    >>> round(second_eigenvalue(np.array([[0.9, 0.1], [0.3, 0.7]])), 12)
    0.6
    """
    if len(matrix) == 1:
        return 0.0
    sizes = np.sort(np.abs(np.linalg.eigvals(matrix)))
    return float(min(sizes[-2], 1.0))


def mixing_time(matrix: Floats, law: Floats, tolerance: float) -> float:
    """Return after how many steps every start is within a tolerance of the stationary law.

    Parameters
    ----------
    matrix, law
        Transitions and their stationary law.
    tolerance
        Largest total variation distance.

    Returns
    -------
    float
        A whole number; infinite where the start is never forgotten, as in a chain that goes round in circles.

    Examples
    --------
    >>> mixing_time(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.75, 0.25]), 0.01)
    9.0
    """

    def near(power: Floats) -> bool:
        # A little above the tolerance counts: it may be attained exactly, and rounding is no step.
        return float(np.abs(power - law).sum(axis=1).max()) / 2 <= tolerance * (1 + 1e-12)

    if near(np.eye(len(matrix))):
        return 0.0
    powers = [matrix]
    while not near(powers[-1]):
        if len(powers) > _DOUBLINGS:
            return math.inf
        square = powers[-1] @ powers[-1]
        powers.append(square / square.sum(axis=1, keepdims=True))
    # The distance never grows with time: the last step that is not near, found bit by bit.
    reached, steps = np.eye(len(matrix)), 0
    for bit in range(len(powers) - 2, -1, -1):
        further = reached @ powers[bit]
        if not near(further):
            reached, steps = further, steps + (1 << bit)
    return float(steps + 1)
