"""The law of a count of independent records, in full relative precision."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["binomial_law"]

Floats = NDArray[np.float64]


def binomial_law(n: int, p: float, least: int = 0, *, q: float | None = None) -> Floats:
    """Return the probabilities of ``least`` to ``n`` successes in ``n``, given at least ``least``.

    Parameters
    ----------
    n
        Number of records, 0 or more.
    p
        Probability of a success, strictly between 0 and 1.
    least
        Smallest count, 0 to ``n``.
    q
        Probability of a failure, above 0; 1 - p without it, which is 0 where p is too near to 1 for a float.

    Returns
    -------
    ndarray of shape (n - least + 1,)
        They sum to 1.

    Notes
    -----
    Ratios of neighbouring probabilities are summed in logs from the mode outwards and the sum is divided
    out, so that no factorial is needed and a tail of the law can stand alone however small its probability
    is.

    Examples
    --------
    >>> binomial_law(3, 0.5).tolist()
    [0.125, 0.375, 0.375, 0.125]
    >>> binomial_law(10_000, 0.001, least=10_000).tolist()
    [1.0]
    """
    counts = np.arange(least, n, dtype=np.float64)
    steps = np.log(n - counts) - np.log(counts + 1) + (np.log(p) - (np.log1p(-p) if q is None else np.log(q)))
    mode = int(np.searchsorted(-steps, 0.0))
    logs = np.zeros(n - least + 1)
    logs[mode + 1 :] = np.cumsum(steps[mode:])
    logs[:mode] = -np.cumsum(steps[:mode][::-1])[::-1]
    weights = np.exp(logs)
    found: Floats = weights / weights.sum()
    return found
