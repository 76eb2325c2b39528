"""Slacks and laws by definition: every event, every outcome, in rational or plain arithmetic."""

from fractions import Fraction
from itertools import combinations, product
from math import exp


def largest_gap(first, second, epsilon, events):
    """The slack of two laws over every event of a class, one by one."""
    n = len(first)
    if events == "all":
        chosen = [set(part) for size in range(n + 1) for part in combinations(range(n), size)]
    elif events == "interval":
        chosen = [set(range(low, high)) for low in range(n + 1) for high in range(low, n + 1)]
    else:
        chosen = [set(range(j)) for j in range(n + 1)] + [set(range(j, n)) for j in range(n + 1)]
    factor = exp(epsilon)
    return max(
        sum(p[i] for i in event) - factor * sum(q[i] for i in event)
        for event in chosen
        for p, q in ((first, second), (second, first))
    )


def law_of_outputs(outcomes):
    """Probabilities by output, from pairs of an output and its probability."""
    found = {}
    for output, probability in outcomes:
        found[output] = found.get(output, 0) + probability
    return found


def aligned(first, second):
    """Two laws by output as lists over the outputs of both, in order."""
    outputs = sorted(set(first) | set(second), key=lambda output: (isinstance(output, str), output))
    return [[float(law.get(output, 0)) for output in outputs] for law in (first, second)]


def positive_part(first, second, epsilon):
    """The slack for all events by the definition's sum, of laws by output."""
    p, q = aligned(first, second)
    factor = exp(epsilon)
    return max(
        sum(max(a - factor * b, 0) for a, b in zip(p, q, strict=True)),
        sum(max(b - factor * a, 0) for a, b in zip(p, q, strict=True)),
    )


def subsets(n, p):
    """Every subset of n records with its probability."""
    share = Fraction(p).limit_denominator(1000)
    for chosen in product((0, 1), repeat=n):
        yield chosen, share ** sum(chosen) * (1 - share) ** (n - sum(chosen))


def sum_outcomes(laws):
    """Every sum of records with its probability; laws are dictionaries."""
    for values in product(*(law.items() for law in laws)):
        probability = 1.0
        for _, chance in values:
            probability *= chance
        yield sum(value for value, _ in values), probability
