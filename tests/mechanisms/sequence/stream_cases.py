"""Beliefs to test with, many of them with rare and impossible symbols, and every mechanism for them."""

import json
from pathlib import Path

import numpy as np

import pdp_widgets
from pdp_widgets.mechanisms.sequence.sequence_by_name import SEQUENCE_MECHANISMS, sequence_mechanism_named

BUDGETS = [0.0, 1e-12, 1e-3, 0.2, 0.6, 1.0, 2.0, 5.0, 30.0, 60.0, 300.0, 800.0, 1e300, float("inf")]


def cases(kind):
    """The reference cases of a kind."""
    file = Path(pdp_widgets.__file__).parent / "data" / "vectors" / "sip.json"
    found = [case for case in json.loads(file.read_text(encoding="utf-8"))["cases"] if case["kind"] == kind]
    assert found, kind
    return found


def beliefs(count, seed, symbols=None):
    """Beliefs over 1 to 8 symbols: flat, skewed, with entries near 0, with entries that are 0."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = symbols or int(rng.integers(1, 9))
        belief = rng.dirichlet(np.full(n, rng.choice([0.05, 0.3, 1.0, 10.0])))
        if rng.random() < 0.3:
            belief = belief ** rng.choice([2, 8, 40])
        if n > 1 and rng.random() < 0.4:
            belief[rng.integers(n)] = 0
        if belief.sum() > 0:
            yield belief / belief.sum()


def transitions(n):
    """A chain in which not every symbol can follow every other."""
    matrix = np.eye(n) * 0.8
    for symbol in range(n):
        matrix[symbol, (symbol + 1) % n] += 0.2
    return matrix


def named(key, epsilon, n):
    """The mechanism for n symbols."""
    parameters = {"transitions": transitions(n)} if key.startswith("temporal") else {}
    return sequence_mechanism_named(key, epsilon, **parameters)


def keys(n):
    """Mechanisms for n symbols."""
    return [kind.name for kind in SEQUENCE_MECHANISMS if kind.symbols in (None, n)]
