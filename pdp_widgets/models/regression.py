"""Best linear prediction from a covariance matrix: what some tuples say about the others.

The given tuples are taken up one after the other. With C what the tuples before leave, tuple k takes C to its
Schur complement C - C[:,k] C[k,:] / C[k,k]. Each step subtracts from what is left, not from the covariances
at the start: no more digits are lost than a nearly singular matrix itself takes. A pseudo-inverse would lose
them all where its cutoff meets the smallest eigenvalues.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["TOLERANCE", "Regression", "units_of"]

Floats = NDArray[np.float64]

#: A variance left after conditioning counts as none up to this part of the variance before.
TOLERANCE = 1e-9


def units_of(cov: Floats) -> Floats:
    """Return powers of two near the standard deviations; they bring all tuples to one size without rounding.

    Examples
    --------
    >>> units_of(np.diag([9.0, 0.0])).tolist()
    [4.0, 1.0]
    """
    deviations = np.sqrt(np.maximum(np.diag(cov), 0.0))
    return np.asarray(np.exp2(np.round(np.log2(np.where(deviations > 0, deviations, 1.0)))))


class Regression:
    """Best linear prediction of all tuples from some of them; their block may be singular.

    Parameters
    ----------
    cov
        Covariance matrix, shape (n, n).
    given
        Positions of the k tuples predicted from.
    order
        The same positions in the order in which they are taken up; without it that of ``given``. It matters
        where one is fixed by others: which of them speak.

    Attributes
    ----------
    coefficients
        Shape (n, k): row j predicts tuple j.
    residual
        Covariances of what is left, shape (n, n); rows and columns of the given tuples are 0.

    Notes
    -----
    A given tuple of which those before leave at most 1e-9 of its variance tells nothing more: its
    coefficients are 0, but for its own.

    Examples
    --------
    >>> found = Regression(np.array([[1.0, 0.5], [0.5, 1.0]]), [1])
    >>> found.coefficients.tolist(), found.residual.tolist()
    ([[0.5], [1.0]], [[0.75, 0.0], [0.0, 0.0]])
    """

    __slots__ = ("_correlation", "_scales", "coefficients", "residual")

    def __init__(self, cov: Floats, given: Sequence[int], order: Sequence[int] | None = None) -> None:
        known = list(given)
        deviations = np.sqrt(np.maximum(np.diag(cov)[known], 0.0))
        self._scales = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
        self._correlation = cov[np.ix_(known, known)] * self._scales * self._scales[:, None]
        units = units_of(cov)
        left = cov / units / units[:, None]
        floors = TOLERANCE * np.diag(left)
        found = np.zeros((len(cov), len(known)))
        for k in known if order is None else order:
            if left[k, k] > floors[k]:
                place, column = known.index(k), left[:, k]
                ratios = column * (1.0 / left[k, k])
                found -= np.outer(ratios, found[k])
                found[:, place] = ratios
                left = left - np.outer(ratios, column)
        found *= units[:, None] / units[known]
        found[known] = np.eye(len(known))
        left = left * units * units[:, None]
        left = left / 2 + left.T / 2
        left[known, :] = 0.0
        left[:, known] = 0.0
        self.coefficients: Floats = found
        self.residual: Floats = left

    def can_occur(self, deviations: Floats) -> bool:
        """Tell whether deviations of the given tuples from their means are possible together."""
        if not self._scales.size:
            return True
        values, vectors = np.linalg.eigh(self._correlation)
        cutoff = TOLERANCE * float(values.max(initial=0.0))
        basis = vectors[:, values > cutoff]
        fixed = self._scales == 0
        scaled = deviations * self._scales
        beside = scaled - basis @ (basis.T @ scaled)
        # A direction that counts as fixed may still have a deviation of the root of the cutoff: allow ten.
        reach = 10 * math.sqrt(cutoff) + TOLERANCE * float(np.linalg.norm(scaled))
        return not deviations[fixed].any() and bool(np.linalg.norm(beside) <= reach)
