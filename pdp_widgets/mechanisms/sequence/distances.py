"""How far a released symbol is from the true one, by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import LimitError, QueryError, TableError, Where
from pdp_widgets.mechanisms.local.finite_channel import as_stochastic
from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.models.labels import shown

__all__ = [
    "DISTANCES",
    "Distance",
    "batch_distance",
    "distance_matrix",
    "expected_distance",
    "is_pseudometric",
]

#: Names of distances, with what they mean.
DISTANCES = {
    "hamming": "0 or 1: whether they differ",
    "absolute": "absolute difference of values",
    "squared": "squared difference of values",
    "euclidean": "distance of cell centres on a grid",
    "histogram": "change of a histogram: 2 when the class differs",
}
_WHERE = Where("parameter", name="distance")
#: Symbols, or patterns of a batch: half a gigabyte of float64.
_MOST_SYMBOLS = 1 << 13


@dataclass(frozen=True, init=False)
class Distance:
    """A distance between symbols, taken between what a query says of them.

    Parameters
    ----------
    name
        ``"hamming"``, ``"absolute"``, ``"squared"``, ``"euclidean"`` or ``"histogram"``.
    answers
        What the query says of each symbol: classes for ``"hamming"`` and ``"histogram"``, numbers for
        ``"absolute"`` and ``"squared"``, points (x, y) for ``"euclidean"``. Without it symbols stand for
        themselves; for ``"euclidean"`` they are the cells of a square grid, row after row.

    Raises
    ------
    QueryError
        There is no such distance, or the answers are none for it.

    Notes
    -----
    All are pseudo-metrics but ``"squared"``, which breaks the triangle inequality.

    Examples
    --------
    >>> Distance("absolute", [0, 1, 3]).matrix(3).tolist()
    [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    >>> Distance("histogram", ["a", "a", "b"]).matrix(3)[0].tolist()
    [0.0, 0.0, 2.0]
    """

    name: str
    answers: tuple[Any, ...] | None

    def __init__(self, name: str = "hamming", answers: Any = None) -> None:
        if not isinstance(name, str) or name not in DISTANCES:
            raise QueryError(
                f"There is no distance {shown(name)}; give one of {', '.join(DISTANCES)}.", _WHERE
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "answers", None if answers is None else _answers(name, answers))

    def matrix(self, n: int) -> NDArray[np.float64]:
        """Return the distances between n symbols, shape (n, n); the array is read-only.

        Raises
        ------
        QueryError
            The answers are not n, or n cells are no square grid.
        LimitError
            There are more than 8,192 symbols.
        """
        n = as_size(n, "n", 0, error=QueryError, subject="The number of symbols n")
        if n > _MOST_SYMBOLS:
            raise LimitError(
                f"There are {shown(int(n))} symbols; distances are kept between at most {_MOST_SYMBOLS:,}. "
                "Keep the most frequent symbols and put the others together.",
                Where("parameter", name="n"),
            )
        return _matrix(self, int(n))


def _answers(name: str, answers: Any) -> tuple[Any, ...]:
    where = Where("parameter", name="answers")
    if name in ("hamming", "histogram"):
        listed = answers.tolist() if isinstance(answers, np.ndarray) else answers
        try:
            found = tuple(listed)
            hash(found)
        except TypeError:
            raise QueryError("The answers are no list of classes; give one for each symbol.", where) from None
        if isinstance(answers, str) or not found:
            raise QueryError("The answers are no list of classes; give one for each symbol.", where)
        return found
    axes = 2 if name == "euclidean" else 1
    accepted = "a point (x, y)" if axes == 2 else "a finite number"
    refuse_masked(answers, "answers")
    try:
        numbers = plain_numbers(answers)
    except (TypeError, ValueError, OverflowError):
        numbers = np.empty((0,) * axes)
    right = numbers.ndim == axes and numbers.size and bool(np.isfinite(numbers).all())
    if not right or (axes == 2 and numbers.shape[1] != 2):
        raise QueryError(f"The answers are none for {name!r}; give {accepted} for each symbol.", where)
    if axes == 2:
        return tuple((float(x), float(y)) for x, y in numbers)
    return tuple(float(value) for value in numbers)


@lru_cache(maxsize=64)
def _matrix(distance: Distance, n: int) -> NDArray[np.float64]:
    answers = distance.answers
    found: NDArray[np.float64]
    if answers is not None and len(answers) != n:
        raise QueryError(
            f"The distance has {len(answers)} answers and there are {n} symbols; give one for each.",
            Where("parameter", name="answers"),
        )
    if distance.name in ("hamming", "histogram"):
        classes = {answer: place for place, answer in enumerate(dict.fromkeys(answers or range(n)))}
        codes = np.array([classes[answer] for answer in answers or range(n)])
        found = (codes[:, None] != codes).astype(np.float64) * (2 if distance.name == "histogram" else 1)
    elif distance.name == "euclidean":
        points = np.array(answers) if answers is not None else _centres(n)
        found = np.hypot(*(points[:, None, :] - points).transpose(2, 0, 1))
    else:
        values = np.array(answers if answers is not None else range(n), dtype=np.float64)
        found = np.abs(values[:, None] - values)
        found = found**2 if distance.name == "squared" else found
    found.setflags(write=False)
    return found


def _centres(n: int) -> NDArray[np.float64]:
    side = isqrt(n)
    if side * side != n:
        raise QueryError(
            f"{n} symbols are no square grid; give the points of the symbols as answers.",
            Where("parameter", name="answers"),
        )
    return (np.indices((side, side)).reshape(2, -1).T + 0.5) / side


def distance_matrix(distance: Any, n: int) -> NDArray[np.float64]:
    """Return the distances between n symbols, shape (n, n)."""
    if distance is None:
        return Distance().matrix(n)
    if isinstance(distance, Distance):
        return distance.matrix(n)
    if isinstance(distance, str):
        return Distance(distance).matrix(n)
    refuse_masked(distance, "distance")
    try:
        found = plain_numbers(distance)
    except (TypeError, ValueError, OverflowError):
        raise QueryError(
            f"The distance is {shown(distance)}; give one of {', '.join(DISTANCES)}, or a matrix.", _WHERE
        ) from None
    if found.shape != (n, n):
        raise TableError(
            f"The matrix of distances has the shape {found.shape}; it must be ({n}, {n}).", _WHERE
        )
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        row, column = (int(i) for i in np.argwhere(wrong)[0])
        raise TableError(
            f"The distance from {row} to {column} is {found[row, column]:.12g}; "
            "a distance is a finite number, 0 or more.",
            Where("cell", index=(row, column), name="distance"),
        )
    return found


def batch_distance(distance: Any, n: int, length: int) -> NDArray[np.float64]:
    """Return the distances between batches: the sum over their positions, shape (n**length, n**length)."""
    one = distance_matrix(distance, n)
    if n**length > _MOST_SYMBOLS:
        raise LimitError(
            f"A batch of {length} has {n}^{length} patterns; distances are kept between at most "
            f"{_MOST_SYMBOLS:,}. Take smaller batches or fewer symbols.",
            Where("parameter", name="size"),
        )
    total = np.zeros((1, 1))
    for _ in range(length):
        size = len(total) * n
        total = (total[:, None, :, None] + one[None, :, None, :]).reshape(size, size)
    return total


def is_pseudometric(matrix: NDArray[np.float64]) -> bool:
    """Tell whether distances are symmetric, zero to oneself, and obey the triangle inequality."""
    margin = 1e-12 * float(matrix.max(initial=0.0))
    if bool(np.diagonal(matrix).any()) or not bool((np.abs(matrix - matrix.T) <= margin).all()):
        return False
    return all(bool((matrix <= row[:, None] + row + margin).all()) for row in matrix)


def expected_distance(channel: Any, belief: Any, distance: Any = None) -> float:
    """Return the mean distance of the released symbol from the true one.

    Parameters
    ----------
    channel
        a[x, y], the probability that y is released for x, shape (n, n).
    belief
        Probabilities of the true symbol, shape (n,).
    distance
        As for `distance_matrix`.

    Raises
    ------
    TableError
        The belief or a row of the channel is no law: a negative number, NaN, or a sum that is not 1.

    Examples
    --------
    >>> round(expected_distance([[0.9, 0.1], [0.3, 0.7]], [0.5, 0.5]), 12)
    0.2
    """
    weights = as_belief(belief)
    matrix = as_stochastic(channel, "The channel", "channel")
    if matrix.shape != (len(weights), len(weights)):
        raise TableError(
            f"The channel has the shape {matrix.shape}; it must be ({len(weights)}, {len(weights)}).",
            Where("parameter", name="channel"),
        )
    return float(weights @ np.sum(matrix * distance_matrix(distance, len(weights)), axis=1))
