"""Best linear prediction from a covariance matrix: what some tuples say about the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["TOLERANCE", "Regression"]

Floats = NDArray[np.float64]

#: A variance left after conditioning counts as none up to this part of the variance before.
TOLERANCE = 1e-9


class Regression:
    """Best linear prediction of all tuples from some of them; their block may be singular.

    Parameters
    ----------
    cov
        Covariance matrix, shape (n, n).
    given
        Positions of the k tuples predicted from.

    Attributes
    ----------
    coefficients
        Shape (n, k): row j predicts tuple j.
    residual
        Covariances of what is left, shape (n, n); rows and columns of the given tuples are 0.

    Notes
    -----
    Pseudo-inverse on the scale of correlations, with relative cutoff 1e-9.

    Examples
    --------
    >>> found = Regression(np.array([[1.0, 0.5], [0.5, 1.0]]), [1])
    >>> found.coefficients.tolist(), found.residual.tolist()
    ([[0.5], [1.0]], [[0.75, 0.0], [0.0, 0.0]])
    """

    __slots__ = ("_basis", "_cutoff", "_scales", "coefficients", "residual")

    def __init__(self, cov: Floats, given: Sequence[int]) -> None:
        known = list(given)
        deviations = np.sqrt(np.maximum(np.diag(cov)[known], 0.0))
        self._scales = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
        correlation = cov[np.ix_(known, known)] * self._scales * self._scales[:, None]
        values, vectors = np.linalg.eigh(correlation) if known else (np.zeros(0), np.zeros((0, 0)))
        self._cutoff = TOLERANCE * float(values.max(initial=0.0))
        keep = values > self._cutoff
        self._basis = vectors[:, keep]
        inverse = (self._basis / values[keep]) @ self._basis.T * self._scales * self._scales[:, None]
        self.coefficients: Floats = cov[:, known] @ inverse
        residual = cov - self.coefficients @ cov[known, :]
        residual = residual / 2 + residual.T / 2
        residual[known, :] = 0.0
        residual[:, known] = 0.0
        self.residual: Floats = residual

    def can_occur(self, deviations: Floats) -> bool:
        """Tell whether deviations of the given tuples from their means are possible together."""
        fixed = self._scales == 0
        scaled = deviations * self._scales
        beside = scaled - self._basis @ (self._basis.T @ scaled)
        # A direction that counts as fixed may still have a deviation of the root of the cutoff: allow ten.
        reach = 10 * math.sqrt(self._cutoff) + TOLERANCE * float(np.linalg.norm(scaled))
        return not deviations[fixed].any() and bool(np.linalg.norm(beside) <= reach)
