"""Random networks, and plain enumeration over their joint tables to compare with."""

import numpy as np

from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis
from pdp_widgets.networks import BayesianNetwork, MarkovNetwork


def rows(rng, shape, zeros=0.0):
    """A random table whose rows sum to 1, some entries 0."""
    table = (
        rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        if len(shape) > 1
        else rng.dirichlet(np.ones(shape[-1]))
    )
    gone = rng.random(table.shape) < zeros
    gone[..., 0] = False
    table = np.where(gone, 0.0, table + 1e-3)
    return table / table.sum(axis=-1, keepdims=True)


def bayesian(rng, n, labels=2, most_parents=2, zeros=0.0):
    """A random network; with one parent at most it is a forest."""
    names = [f"t{j}" for j in range(n)]
    sizes = [int(rng.integers(2, labels + 1)) for _ in names]
    edges, tables = [], {}
    for j, name in enumerate(names):
        above = (
            sorted(rng.choice(j, size=int(rng.integers(0, min(j, most_parents) + 1)), replace=False))
            if j
            else []
        )
        edges += [(names[p], name) for p in above]
        tables[name] = rows(rng, (*(sizes[p] for p in above), sizes[j]), zeros)
    return BayesianNetwork(edges, tables)


def markov(rng, n):
    """A circle of random tables."""
    names = [f"t{j}" for j in range(n)]
    pairs = [([names[j], names[(j + 1) % n]], rng.random((2, 2)) + 0.05) for j in range(n)]
    return MarkovNetwork(pairs, {name: [0, 1] for name in names})


def models(seed, how_many=6):
    """Forests, networks with circles, Markov networks, and networks with zeros, all of a few tuples."""
    rng = np.random.default_rng(seed)
    for _ in range(how_many):
        yield bayesian(rng, int(rng.integers(2, 6)), labels=3, most_parents=1)
        yield bayesian(rng, int(rng.integers(2, 5)), most_parents=3)
        yield bayesian(rng, int(rng.integers(2, 5)), most_parents=int(rng.integers(1, 3)), zeros=0.4)
        yield markov(rng, int(rng.integers(3, 6)))


def query_of(rng, network):
    """A random query of whole or half steps, sometimes without a tuple."""
    weights = rng.choice([0.0, 1.0, 1.0, -1.0, 0.5, 2.0], size=network.n_tuples)
    return LinearQuery([w * np.arange(size) for w, size in zip(weights, network.shape, strict=True)])


def enumerated(network, query, scale, convention="sup"):
    """Leakages of all adversaries from the joint table."""
    joint = network.joint()
    return PriorAnalysis(joint, LaplaceMechanism(query, scale), convention=convention)
