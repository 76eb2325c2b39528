"""Who is alike: a graph of records by the similarity of their numbers."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.mechanisms.applications.lloyd import as_points
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.models.given_sizes import as_not_negative
from pdp_widgets.models.labels import shown

__all__ = ["affinity_graph", "similarities"]

Floats = NDArray[np.float64]
_MOST = 10_000


def similarities(rows: Any, kind: Literal["cosine", "printed"] = "cosine") -> Floats:
    """Return the similarity of every pair of records.

    Parameters
    ----------
    rows
        Records of numbers. Scale columns first: the widest decides otherwise.
    kind
        ``"cosine"``: the product over the Euclidean lengths. ``"printed"``: over the L1 lengths, as the
        paper prints it; two equal records of d ones have 1/d then, and pass no threshold.

    Raises
    ------
    LimitError
        There are more than 10,000 records.

    Notes
    -----
    A record of zeros is like none, itself included.

    Examples
    --------
    >>> similarities([[1, 1], [1, 1], [0, 0]]).round(2).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    >>> similarities([[1, 1], [1, 1]], "printed").tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    found = as_points(rows, "rows")
    if len(found) > _MOST:
        raise LimitError(
            f"There are {len(found):,} records; similarities of at most {_MOST:,} are computed.",
            Where("parameter", name="rows"),
        )
    # Lengths are products of records: their largest number must not overflow.
    found = found / max(float(np.abs(found).max()), np.finfo(float).tiny)
    if isinstance(kind, str) and kind == "cosine":
        lengths = np.sqrt((found**2).sum(axis=1))
    elif isinstance(kind, str) and kind == "printed":
        lengths = np.abs(found).sum(axis=1)
    else:
        raise DomainError(
            f"The similarity is {shown(kind)}; it is 'cosine' or 'printed'.", Where("parameter", name="kind")
        )
    scaled = found / np.where(lengths > 0, lengths, 1.0)[:, None]
    return np.abs(scaled @ scaled.T)


def affinity_graph(
    rows: Any, threshold: float = 0.8, kind: Literal["cosine", "printed"] = "cosine"
) -> Friendships:
    """Return the pairs of records whose similarity is above a threshold.

    Parameters
    ----------
    rows, kind
        As for `similarities`.
    threshold
        Pairs above it, not at it, are joined.

    Examples
    --------
    >>> affinity_graph([[1, 1], [2, 2], [1, -1]]).edges.tolist()
    [[0, 1]]
    """
    level = as_not_negative(threshold, "threshold")
    above = np.triu(similarities(rows, kind) > level, 1)
    return Friendships(np.argwhere(above))
