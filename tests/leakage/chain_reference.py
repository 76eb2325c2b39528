"""Edge weights, chain rule and searches of the paper written out row by row, for tests."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from importlib.resources import files
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

CONVENTIONS = pytest.mark.parametrize("convention", ["instance", "sup"])


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


def gamma_union(
    table: np.ndarray,
    y: Sequence[Any],
    scale: float,
    i: int,
    j: int,
    known: frozenset[int],
    instance: Sequence[int] | None,
) -> list[float]:
    """Gamma at the values of one row; without one the union over all known values."""
    if instance is not None:
        return list(gamma_set(table, y, scale, i, j, {k: instance[k] for k in known}).values())
    fixed = sorted(known)
    return [
        value
        for labels in product(*(range(table.shape[k]) for k in fixed))
        for value in gamma_set(table, y, scale, i, j, dict(zip(fixed, labels, strict=True))).values()
    ]


def all_gammas(
    table: np.ndarray, y: Sequence[Any], scale: float, instance: Sequence[int] | None
) -> dict[Any, list[float]]:
    """Gamma by (i, j, known set of the weaker node)."""
    n = table.ndim
    gammas = {}
    for i in range(n):
        others = [k for k in range(n) if k != i]
        for j in others:
            rest = [k for k in others if k != j]
            for bits in product([False, True], repeat=n - 2):
                known = frozenset(k for k, bit in zip(rest, bits, strict=True) if bit)
                gammas[i, j, known] = gamma_union(table, y, scale, i, j, known, instance)
    return gammas


def first_layer(y: Sequence[Any], scale: float) -> list[float]:
    return [(max(values) - min(values)) / scale for values in y]


def step(leakage: float, gamma: Sequence[float]) -> float:
    """Section 5.3; an undefined edge passes the value through."""
    return max((abs(leakage + value) for value in gamma), default=leakage)


def algorithm_1(
    first: Sequence[float], gammas: dict[Any, list[float]]
) -> tuple[dict[Any, float], dict[Any, float | None]]:
    """Values by (i, known set) and increments by (i, j, known set of the weaker node)."""
    n = len(first)
    values: dict[Any, float] = {}
    increments: dict[Any, float | None] = {}
    for i in range(n):
        full = frozenset(range(n)) - {i}
        values[i, full] = first[i]
        layer = {full}
        while layer:
            weaker = {known - {j} for known in layer for j in known}
            for known in weaker:
                offers = []
                for j in full - known:
                    leakage = values[i, known | {j}]
                    gamma = gammas[i, j, known]
                    best = step(leakage, gamma)
                    near = [c for c in gamma if abs(leakage + c) >= best - 1e-12]
                    increments[i, j, known] = max(near) if near else None
                    offers.append(best)
                values[i, known] = min(offers)
            layer = weaker
    return values, increments


def algorithm_2(first: Sequence[float], gammas: dict[Any, list[float]]) -> list[list[Any]]:
    """Section 6.5: the kept nodes (i, known, value) of every layer."""
    n = len(first)

    def largest(nodes: list[Any]) -> list[Any]:
        return sorted(nodes, key=lambda node: (-round(node[2], 12), node[0], node[1]))[:n]

    kept = [largest([(i, tuple(k for k in range(n) if k != i), first[i]) for i in range(n)])]
    while len(kept) < n:
        generated: dict[Any, list[float]] = {}
        for i, known, value in kept[-1]:
            for j in known:
                rest = frozenset(known) - {j}
                generated.setdefault((i, rest), []).append(step(value, gammas[i, j, rest]))
        kept.append(largest([(i, tuple(sorted(rest)), min(v)) for (i, rest), v in generated.items()]))
    return kept


def smallest_path(
    first: Sequence[float], gammas: dict[Any, list[float]], target: int, known: Sequence[int]
) -> float:
    """Section 6.4: all paths one by one."""
    others = frozenset(range(len(first))) - {target}
    ends = []
    for order in permutations(sorted(others - set(known))):
        value, rest = first[target], others
        for j in order:
            rest = rest - {j}
            value = step(value, gammas[target, j, rest])
        ends.append(value)
    return min(ends)


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
    """Return table and contributions of a reference case."""
    domains = given["domains"]
    table = np.array(given.get("table", given.get("counts")), float)
    weights = given.get("weights", [1] * len(domains))
    y = given.get("contrib") or [[a * v for v in d] for a, d in zip(weights, domains, strict=True)]
    return table / table.sum(), y


def read_problem(given: dict[str, Any]) -> tuple[Any, ...]:
    """Return what all estimates take of a reference case: table to row, and the convention."""
    return *read_model(given), given["lam"], positions(given), given["convention"]


def reference_cases(kind: str, convention: str | None = None) -> list[Any]:
    """Return the packaged reference cases of a kind as parameters of a test."""
    document = json.loads(files("pdp_widgets").joinpath("data/vectors/pdp.json").read_text())
    chosen = [
        pytest.param(case, id=case["id"])
        for case in document["cases"]
        if case["kind"] == kind and convention in (None, case["input"].get("convention"))
    ]
    assert chosen
    return chosen


def positions(given: dict[str, Any]) -> tuple[int, ...] | None:
    """Return the label positions of a reference case's row."""
    if given["instance"] is None:
        return None
    return tuple(d.index(x) for d, x in zip(given["domains"], given["instance"], strict=True))
