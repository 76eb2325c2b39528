"""What dependent tuples leak, the slow way: sums over rows, and a search over outputs that knows no grid."""

import itertools
import math

import numpy as np


def distance(a, b):
    """The L1 distance of two values."""
    return float(np.abs(np.atleast_1d(np.asarray(a, float)) - np.atleast_1d(np.asarray(b, float))).sum())


def density(rows, outputs, chances, scale, given, at):
    """The density of an output, up to a constant, given positions of tuples with their values."""
    total = weight = 0.0
    for row, output, chance in zip(rows, outputs, chances, strict=True):
        if all(row[j] == value for j, value in given.items()):
            weight += chance
            total += chance * math.exp(-distance(output, at) / scale)
    return None if weight == 0 else total / weight


def values_of(rows, chances, target, given):
    """The possible values of a tuple."""
    found = []
    for row, chance in zip(rows, chances, strict=True):
        if chance > 0 and all(row[j] == value for j, value in given.items()) and row[target] not in found:
            found.append(row[target])
    return found


def leakage(rows, outputs, chances, scale, target, known=(), places=None):
    """The largest log ratio at some places, those of all coordinates where none are given."""
    outputs = [np.atleast_1d(np.asarray(output, float)) for output in outputs]
    if places is None:
        axes = [sorted({float(output[k]) for output in outputs}) for k in range(len(outputs[0]))]
        places = list(itertools.product(*axes))
    best = 0.0
    for seen in {tuple(row[k] for k in known) for row, p in zip(rows, chances, strict=True) if p > 0}:
        given = dict(zip(known, seen, strict=True))
        for place in places:
            logs = [
                math.log(density(rows, outputs, chances, scale, given | {target: value}, place))
                for value in values_of(rows, chances, target, given)
            ]
            best = max(best, max(logs) - min(logs))
    return best


def coefficient_bounds(conditional, points, scale):
    """Ratio, mean bound, Eq. 18 and Eq. 18 per term in nats, each from its definition."""
    rows = [row for row in conditional if sum(row) > 0]
    apart = [[distance(a, b) for b in points] for a in points]
    places = list(itertools.product(*[sorted({float(x) for x in column}) for column in np.array(points).T]))
    logs = [
        [
            math.log(sum(p * math.exp(-distance(t, d) / scale) for p, d in zip(row, points, strict=True)))
            for t in places
        ]
        for row in rows
    ]
    ratio = max(a - b for one in logs for other in logs for a, b in zip(one, other, strict=True))
    mean = max(sum(p * x for p, x in zip(row, far, strict=True)) for row in rows for far in apart) / scale
    eq18 = max(
        math.log(sum(p * math.exp(x / scale) for p, x in zip(row, far, strict=True)))
        for row in rows
        for far in apart
    )
    per_term = max(
        math.log(sum(p * math.exp(max(far) / scale) for p, far in zip(row, apart, strict=True)))
        for row in rows
    )
    return ratio, mean, eq18, per_term
