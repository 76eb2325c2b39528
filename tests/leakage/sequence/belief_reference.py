"""Beliefs by enumeration of all streams, written from the definitions."""

from itertools import product

import numpy as np


def random_laws(rng, shape, zeros=0.0):
    numbers = rng.random(shape) * (rng.random(shape) >= zeros)
    numbers[..., 0] += 1e-3
    return numbers / numbers.sum(axis=-1, keepdims=True)


def stream_weight(chain, stream):
    """Return the probability of a stream, step by step."""
    weight = 1.0
    for step, symbol in enumerate(stream):
        if step == 0:
            weight *= chain.start[symbol]
        elif chain.order == 1:
            weight *= chain.transitions[stream[step - 1], symbol]
        elif step == 1:
            weight *= chain.early[stream[0], symbol]
        else:
            weight *= chain.transitions[stream[step - 2], stream[step - 1], symbol]
    return weight


def law_given(chain, steps, factors):
    """Return the law of streams of so many steps given releases, and the probability of the releases.

    A factor is called with the stream and says how likely it makes one release.
    """
    streams = list(product(range(chain.n), repeat=steps))
    weights = np.array([stream_weight(chain, s) * np.prod([f(s) for f in factors]) for s in streams])
    return streams, weights / weights.sum(), weights.sum()


def law_of(streams, weights, what, size):
    found = np.zeros(size)
    for stream, weight in zip(streams, weights, strict=True):
        found[what(stream)] += weight
    return found
