"""Conditional response for many users by its closed recursion of beliefs: no Bayes step is needed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["follow_conditional", "has_closed_recursion"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: With every transition above this no belief is ever near the smallest float.
_POSSIBLE = 1e-200
#: Up to here exp(-epsilon) is an ordinary float.
_ORDINARY = 700.0
_ROUNDED = 64


def has_closed_recursion(chain: MarkovChain, mechanism: SequenceMechanism) -> bool:
    """Tell whether `follow_conditional` applies: conditional response, and every transition is possible.

    Examples
    --------
    >>> has_closed_recursion(MarkovChain.symmetric(0.8), ConditionalResponse(1.0))
    True
    >>> has_closed_recursion(MarkovChain.symmetric(1.0), ConditionalResponse(1.0))
    False
    """
    return (
        type(mechanism) is ConditionalResponse
        and mechanism.epsilon <= _ORDINARY
        and chain.order == 1
        and chain.n > 1
        and bool(chain.start.min() > _POSSIBLE)
        and bool(chain.transitions.min() > _POSSIBLE)
    )


def follow_conditional(
    chain: MarkovChain, epsilon: float, symbols: Integers, uniforms: Floats, beliefs: Floats | None = None
) -> tuple[Integers, Floats, Floats, Floats]:
    """Return released symbols, leakages, probabilities of the releases, and the last belief.

    Parameters
    ----------
    chain, epsilon
        The model, all transitions of which are possible, and the budget of a step.
    symbols, uniforms
        True symbols and the numbers that decide, shape (steps, users).
    beliefs
        Where beliefs are written, shape (steps, users, n).

    Notes
    -----
    After the release y the belief about the next symbol is ``w (b M) + (1 - w) M[y]`` with
    ``w = exp(-epsilon)``; the release itself has the law b. Users are the last axis here: steps over the few
    symbols are then long.

    Examples
    --------
    >>> chain = MarkovChain.symmetric(0.8)
    >>> beliefs = np.empty((2, 1, 2))
    >>> done = follow_conditional(chain, 1.0, np.array([[0], [1]]), np.array([[0.1], [0.9]]), beliefs)
    >>> done[0][:, 0].tolist(), beliefs[1, 0].round(4).tolist()
    ([0, 1], [0.6896, 0.3104])
    """
    steps, users = symbols.shape
    share, keep = math.exp(-epsilon), -math.expm1(-epsilon)
    mixed, jumps = share * chain.transitions.T, np.ascontiguousarray(keep * chain.transitions.T)
    released = np.empty((steps, users), dtype=np.int64)
    least, totals = np.empty((steps, users)), np.empty((steps, users))
    everybody = np.arange(users)
    belief = np.tile(chain.start[:, None], (1, users))
    for step in range(steps):
        if beliefs is not None:
            beliefs[step] = belief.T
        np.min(belief, axis=0, out=least[step])
        seen = released[step]
        seen[:] = symbols[step]
        fresh = np.flatnonzero(uniforms[step] >= keep)
        if len(fresh):
            # What is left of the uniform number decides the draw.
            rest = (uniforms[step][fresh] - keep) / share
            sums = np.cumsum(belief[:, fresh], axis=0)
            seen[fresh] = np.sum(sums[:-1] <= rest * sums[-1], axis=0)
        totals[step] = belief[seen, everybody]
        belief = mixed @ belief
        belief += jumps.take(seen, axis=1)
        if step % _ROUNDED == _ROUNDED - 1:
            belief /= belief.sum(axis=0)
    # ln(w + (1 - w) / least), without cancellation for small budgets.
    leakage = np.maximum(epsilon, np.log1p(keep * (1 - least) / least)) if steps else least
    return released, leakage, totals, belief.T
