"""What an (epsilon, delta) promise for the source becomes for the secret: the delta beside the leakage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.local.all_subsets import ordered_pairs
from pdp_widgets.mechanisms.local.any_mechanism import AnyMechanism
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism

__all__ = ["delta_of", "delta_paper", "delta_tight"]

Floats = NDArray[np.float64]

_BLOCK = 1 << 18
# Ties are read as ties though e^L is rounded.
_TIE = 1e-12


def delta_of(mechanism: LocalMechanism) -> float:
    """Return the delta beside what a report says: of any mechanism with one, and of no other.

    What is said of a mechanism with a matrix is the largest ratio in it, which holds without a delta.

    Examples
    --------
    >>> from pdp_widgets import DeltaGRR
    >>> delta_of(AnyMechanism(1.0, 0.1)), delta_of(DeltaGRR(1.0, 0.1))
    (0.1, 0.0)
    """
    return mechanism.delta if isinstance(mechanism, AnyMechanism) else 0.0


def delta_tight(rows: Floats, epsilon: float, delta: float, leakage: float) -> float:
    """Return the least delta' for which "secret to report" is (leakage, delta')-private.

    Parameters
    ----------
    rows
        P(source symbol | secret value).
    epsilon, delta
        The promise for the source.
    leakage
        The leakage of all sets of symbols at epsilon, in nats.

    Notes
    -----
    delta' = eta delta with eta = max sum_u (G[x,u] - e^L G[x',u])_+ = (e^L - 1) / (e^epsilon - 1): privacy
    amplification by subsampling at rate eta. At epsilon = 0 the rate is the largest distance in variation.

    Examples
    --------
    >>> rows = np.array([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]])
    >>> round(delta_tight(rows, 1.0, 0.01, 0.32471997783792983), 7)
    0.0022327
    """
    if delta == 0 or len(rows) < 2:
        return 0.0
    if epsilon == 0 or np.isinf(epsilon):
        return min(delta, delta * float(_excesses(rows, leakage).max()))
    # Powers of e are divided by the larger one: they overflow from 710 on.
    rate = np.exp(leakage - epsilon) * np.expm1(-leakage) / np.expm1(-epsilon)
    return min(delta, delta * float(rate))


def delta_paper(rows: Floats, delta: float, leakage: float) -> float:
    """Return the paper's f*: delta times the probability of the favoured set, never below `delta_tight`.

    The set holds the symbols u with G[x,u] >= e^L G[x',u], ties included, of the first pair of secret values
    that is worst: unlike `delta_tight` it depends on ties and on which pair comes first.

    Examples
    --------
    >>> rows = np.array([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]])
    >>> delta_paper(rows, 0.01, 0.32471997783792983)
    0.005
    """
    if delta == 0 or len(rows) < 2:
        return 0.0
    first, second = ordered_pairs(len(rows))
    excess = _excesses(rows, leakage)
    place = int(np.argmax(excess >= excess.max() * (1 - _TIE)))
    upper, lower = rows[first[place]], rows[second[place]]
    with np.errstate(over="ignore", invalid="ignore"):
        threshold = np.exp(leakage) * lower
    inside = (upper > 0) & np.where(lower > 0, upper >= threshold * (1 - _TIE), True)
    return min(delta, delta * float(upper[inside].sum()))


def _excesses(rows: Floats, leakage: float) -> Floats:
    """Return sum_u (G[x,u] - e^L G[x',u])_+ of all ordered pairs."""
    first, second = ordered_pairs(len(rows))
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.where(rows > 0, np.exp(leakage) * rows, 0.0)
    found = np.empty(len(first))
    step = max(1, _BLOCK // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        found[part] = np.maximum(rows[first[part]] - scaled[second[part]], 0.0).sum(axis=1)
    return found
