"""Numbers of the corrections table on streams that no reference case holds."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

import pdp_widgets as pdp

__all__ = ["COMPUTED_SEQUENCE"]

Floats = NDArray[np.float64]

#: Case (b) of the paper's synthetic streams: the first symbol is 1 with probability 0.9, and each stays.
_CASE_B = ((0.1, 0.9), 0.9)


def _chain(stay: float, start: tuple[float, float]) -> pdp.MarkovChain:
    return pdp.MarkovChain.symmetric(stay, start=start)


def _printed_algorithm_2(step: float = 0.01) -> tuple[float, float]:
    """Expected distance and largest sum of a row where Algorithm 2 stops, for the case sip-batchopt-01.

    Independent fair bits, batches of two, 2 nats a batch. Its start has the expected distance 1.
    """
    patterns = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    distance = (patterns[:, None] != patterns).sum(axis=2).astype(np.float64)
    n, low, high = len(patterns), np.exp(-2.0), np.exp(2.0)
    belief, matrix = np.full(n, 1 / n), np.full((n, n), 1 / n)
    active = np.ones((n, n), dtype=bool)
    while active.any():
        for x, y in np.argwhere(active):
            matrix[x, y] += step * belief[x] * distance[x, y]
            # As printed: divided by the belief once more, and what violates the test stays.
            ratio = (belief @ matrix[:, y]) / (matrix[:, y] * belief)
            active[x, y] = bool(((ratio >= low) & (ratio <= high)).all())
    return float((belief[:, None] * distance * matrix).sum()), float(matrix.sum(axis=1).max())


def _second_order(as_first: bool) -> float:
    """Belief in 1 after the releases 1, 0, 0, 1 of the source of sip-belief2-01.

    As it is, or by a filter that takes neighbours in the long run for a chain of first order.
    """
    early = [[0.8, 0.2], [0.3, 0.7]]
    moves = [[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]]
    source = pdp.MarkovChain(moves, [0.5, 0.5], early=early)
    # Without its own early law a chain has that of neighbours in the long run.
    neighbours = pdp.MarkovChain(moves, [0.5, 0.5]).early
    assert neighbours is not None
    belief = pdp.streams.StreamBelief.before(source)
    release, simple = pdp.ConditionalResponse(1.0), np.full(2, 0.5)
    for step, released in enumerate((1, 0, 0, 1)):
        matrix = release.channel(belief.predictive).matrix
        belief = belief.after(matrix, released)
        posterior = simple * matrix[:, released]
        simple = posterior / posterior.sum() @ (np.array(early) if step == 0 else neighbours)
    return float(simple[1] if as_first else belief.predictive[1])


def _second_eigenvalue(stay: float) -> float:
    return float(pdp.MarkovChain.symmetric(stay).second_eigenvalue)


def _printed_correlation(p1: float, phi: float) -> float:
    return pdp.streams.TwoPoints(p1, phi, 1.0, 1.0).printed_noise_correlation


def _optimum_noise(phi: float) -> float:
    """Probability of an error at time 2 by the least noise that keeps both budgets, for P1 = 1/2."""
    return pdp.streams.TwoPoints(0.5, phi, 1.0, 1.0, kind=pdp.streams.BinaryOptimum).noise_2


@cache
def _case_b(kind: type[pdp.streams.SequenceMechanism]) -> float:
    """Share of errors in case (b) at 1 nat a step, of 500 people with 200 steps each."""
    start, stay = _CASE_B
    return pdp.streams.simulate_releases(_chain(stay, start), kind(1.0), 200, users=500, rng=1).error


def _law_of_the_rare() -> float:
    """How often the optimum of the case sip-binopt-02 publishes the rare symbol, whose belief is 0.22."""
    step = pdp.streams.BinaryOptimum(1.0).channel([0.78, 0.22])
    return float((step.belief @ step.matrix)[1])


def _next_belief(correct: bool) -> float:
    """Belief in 0 after 0 was released in the first step of case (b) by conditional response of 1 nat.

    Eq. 29 read literally with a memory of one batch applies the chain to the belief before the release.
    """
    start, stay = _CASE_B
    before = pdp.streams.StreamBelief.before(_chain(stay, start))
    if not correct:
        return float((before.predictive @ _chain(stay, start).transitions)[0])
    matrix = pdp.ConditionalResponse(1.0).channel(before.predictive).matrix
    return float(before.after(matrix, 0).predictive[0])


def _broken(epsilon: float) -> float:
    """Share of steps in per cent at which conditional response breaks its promise in case (b)."""
    start, stay = _CASE_B
    chain = _chain(stay, start)
    return 100 * pdp.streams.simulated_violation_share(chain, epsilon, 200, users=500, rng=1).share


def _best_of_two_steps(planned: bool) -> float:
    """Errors in two steps at 1/2 nat each, stay 0.95, first symbol 1 with probability 0.3.

    Step by step, or with the first release that the second one profits from most.
    """
    chain = _chain(0.95, (0.7, 0.3))
    best = pdp.streams.BinaryOptimum(0.5)
    if not planned:
        return float(pdp.streams.expected_errors(chain, best, 2).sum())
    weight, rare = np.exp(-0.5), 0.3
    ones = np.array([(weight - rare) / ((1 + weight) * (1 - rare)), 1 / (1 + weight)])
    capped = np.column_stack([1 - ones, ones])
    return float(pdp.streams.expected_errors(chain, [lambda belief: capped, best], 2).sum())


def _batch_error(size: int) -> float:
    """Error of a symbol of independent fair bits in batches of this size, 1/2 nat a step."""
    release = pdp.streams.BatchRelease(pdp.OptimalResponse(0.5), size, 2)
    return float(release.channel(np.full(2**size, 0.5**size)).cost / size)


COMPUTED_SEQUENCE = {
    "algorithm-2-distance": lambda: _printed_algorithm_2()[0],
    "algorithm-2-row": lambda: _printed_algorithm_2()[1],
    "second-order-right": lambda: _second_order(as_first=False),
    "second-order-wrong": lambda: _second_order(as_first=True),
    "case-a-correlation": lambda: _second_eigenvalue(0.5),
    "case-b-correlation": lambda: _second_eigenvalue(0.9),
    "printed-correlation-fair": lambda: _printed_correlation(0.5, 0.1),
    "printed-correlation-skewed": lambda: _printed_correlation(0.95, 0.0),
    "case-b-printed": lambda: _case_b(pdp.ConditionalResponse),
    "case-b-optimum": lambda: _case_b(pdp.streams.BinaryOptimum),
    "law-of-the-rare": _law_of_the_rare,
    "noise-2-independent": lambda: _optimum_noise(0.5),
    "noise-2-between": lambda: _optimum_noise(0.15),
    "noise-2-equal": lambda: _optimum_noise(0.0),
    "next-belief": lambda: _next_belief(correct=True),
    "next-belief-printed": lambda: _next_belief(correct=False),
    "broken-at-half": lambda: _broken(0.5),
    "broken-at-one": lambda: _broken(1.0),
    "broken-at-two": lambda: _broken(2.0),
    "two-steps-greedy": lambda: _best_of_two_steps(planned=False),
    "two-steps-planned": lambda: _best_of_two_steps(planned=True),
    "batch-error-1": lambda: _batch_error(1),
    "batch-error-4": lambda: _batch_error(4),
}
