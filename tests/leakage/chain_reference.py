"""The definitions of sections 5 and 6 written out row by row, for tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np


def gamma_set(
    table: np.ndarray, y: Sequence[Any], scale: float, i: int, j: int, known: dict[int, int]
) -> dict[tuple[int, int], float]:
    """Eq. 9 from a scan over all rows."""
    weights: dict[tuple[int, int], float] = {}
    for row in product(*map(range, table.shape)):
        if all(row[k] == v for k, v in known.items()):
            weights[row[i], row[j]] = weights.get((row[i], row[j]), 0.0) + float(table[row])
    g = {}
    for v in range(table.shape[i]):
        total = math.fsum(weights[v, w] for w in range(table.shape[j]))
        if total > 0:
            mean = math.fsum(
                weights[v, w] / total * math.exp(-float(y[j][w]) / scale) for w in range(table.shape[j])
            )
            g[v] = math.log(mean)
    order = sorted(g, key=lambda v: (float(y[i][v]), v))
    return {(m, n): g[m] - g[n] for p, m in enumerate(order) for n in order[p + 1 :]}


def algorithm_1(
    table: np.ndarray, y: Sequence[Any], scale: float, instance: Sequence[int]
) -> tuple[dict[Any, float], dict[Any, float | None]]:
    """Values by (i, known set) and increments by (i, j, known set of the weaker node)."""
    n = table.ndim
    values: dict[Any, float] = {}
    increments: dict[Any, float | None] = {}
    for i in range(n):
        full = frozenset(range(n)) - {i}
        values[i, full] = (max(y[i]) - min(y[i])) / scale
        layer = {full}
        while layer:
            weaker = {known - {j} for known in layer for j in known}
            for known in weaker:
                offers = []
                for j in full - known:
                    leakage = values[i, known | {j}]
                    gamma = gamma_set(table, y, scale, i, j, {k: instance[k] for k in known})
                    if not gamma:
                        increments[i, j, known] = None
                        offers.append(leakage)
                        continue
                    best = max(abs(leakage + c) for c in gamma.values())
                    increments[i, j, known] = max(
                        c for c in gamma.values() if abs(leakage + c) >= best - 1e-12
                    )
                    offers.append(best)
                values[i, known] = min(offers)
            layer = weaker
    return values, increments


def column(target: int, known: Sequence[int]) -> int:
    return sum(1 << (k if k < target else k - 1) for k in known)


def random_table(shape: Sequence[int], seed: int, zeros: float = 0.0) -> tuple[np.ndarray, tuple[int, ...]]:
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.ones(int(np.prod(shape)))).reshape(shape)
    table *= rng.random(table.shape) >= zeros
    instance = tuple(int(rng.integers(0, d)) for d in shape)
    table[instance] += 0.01
    return table / table.sum(), instance


def read_model(given: dict[str, Any]) -> tuple[np.ndarray, list[list[float]]]:
    """Read table and contributions of a reference case."""
    domains = given["domains"]
    table = np.array(given.get("table", given.get("counts")), float)
    weights = given.get("weights", [1] * len(domains))
    y = given.get("contrib") or [[a * v for v in d] for a, d in zip(weights, domains, strict=True)]
    return table / table.sum(), y
