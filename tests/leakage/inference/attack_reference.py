"""The attack word by word, one victim and one cell after the other: what the quick one must agree with."""

import math


def cell_of(point, grid):
    row, column = (min(grid - 1, math.floor(x * grid)) for x in point)
    return row * grid + column


def centre(cell, grid):
    return ((cell // grid + 0.5) / grid, (cell % grid + 0.5) / grid)


def normalised(values):
    total = sum(values)
    return [value / total for value in values]


def priors(points, victim, friends, known, grid, weight, radius, smoothing=0.0):
    counts = [smoothing] * grid**2
    for user in known:
        counts[cell_of(points[user], grid)] += 1
    near = [friend for friend in friends if friend in known]
    weights = []
    for cell in range(grid**2):
        at = centre(cell, grid)
        close = any(math.dist(at, points[friend]) <= radius for friend in near)
        weights.append(weight if close else 1.0)
    first = counts if sum(counts) else [1.0] * grid**2
    second = [w * c for w, c in zip(weights, counts, strict=True)]
    return normalised(first), normalised(second if sum(second) else weights)


def estimated(points, assign, centroids, known, cell, grid):
    """Return the centroids that are expected when the victim is in a cell."""
    means, sizes = [], []
    for j, old in enumerate(centroids):
        members = [points[user] for user in known if assign[user] == j]
        sizes.append(len(members))
        means.append(
            [sum(axis) / len(members) for axis in zip(*members, strict=True)] if members else list(old)
        )
    at = centre(cell, grid)
    squares = [sum((m - x) ** 2 for m, x in zip(mean, at, strict=True)) for mean in means]
    joined = squares.index(min(squares))
    means[joined] = [
        (sizes[joined] * m + x) / (sizes[joined] + 1) for m, x in zip(means[joined], at, strict=True)
    ]
    return means


def distance(one, other):
    return sum(abs(a - b) for p, q in zip(one, other, strict=True) for a, b in zip(p, q, strict=True))


def posterior(prior, points, assign, centroids, known, noisy, sigma, grid):
    logs = [
        -distance(noisy, estimated(points, assign, centroids, known, cell, grid)) / sigma
        for cell in range(grid**2)
    ]
    top = max(log for log, p in zip(logs, prior, strict=True) if p)
    return normalised([p * math.exp(log - top) if p else 0.0 for log, p in zip(logs, prior, strict=True)])


def entropy(belief):
    return -sum(p * math.log(p) for p in belief if p)
