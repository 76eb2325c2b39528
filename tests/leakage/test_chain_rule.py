"""The chain rule against Algorithm 1 written out, and the reference cases."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from pdp_widgets.errors import AdversaryError, InstanceError
from pdp_widgets.leakage.prior.chain_rule import chain_all, chain_path
from tests.leakage.chain_reference import algorithm_1, column, random_table, read_model

CASES = json.loads(files("pdp_widgets").joinpath("data/vectors/pdp.json").read_text())["cases"]


def cases(kind: str) -> list[Any]:
    chosen = [c for c in CASES if c["kind"] == kind and c["input"]["convention"] == "instance"]
    assert chosen
    return [pytest.param(c, id=c["id"]) for c in chosen]


def positions(given: dict[str, Any]) -> tuple[int, ...]:
    return tuple(d.index(x) for d, x in zip(given["domains"], given["instance"], strict=True))


@pytest.mark.parametrize("shape", [(2,), (2, 2), (2, 2, 2, 2), (3, 2, 3), (1, 2, 4), (2, 3, 2, 2), (2,) * 5])
@pytest.mark.parametrize("zeros", [0.0, 0.6])
@pytest.mark.parametrize("scale", [0.25, 3.0])
def test_agrees_with_algorithm_1(shape: tuple[int, ...], zeros: float, scale: float) -> None:
    table, instance = random_table(shape, seed=sum(shape), zeros=zeros)
    rng = np.random.default_rng(11)
    y = [[float(v) for v in rng.integers(-2, 3, d)] for d in shape]
    values, increments = algorithm_1(table, y, scale, instance)
    got = chain_all(table, y, scale, instance)
    n = len(shape)
    assert got.values.size == len(values)
    for (i, known), value in values.items():
        assert got.values[i, column(i, sorted(known))] == pytest.approx(value, abs=1e-11)
    expected = np.full((n, 2 ** (n - 1), n), np.nan)
    for (i, j, known), value in increments.items():
        expected[i, column(i, sorted(known)), j] = np.nan if value is None else value
    np.testing.assert_allclose(got.increments, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("case", cases("chain_all"))
def test_reference_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    table, y = read_model(given)
    got = chain_all(table, y, given["lam"], positions(given))
    tolerance = {"rel": case["tol"], "abs": case["tol"]}
    for i, known, value in expected["nodes"]:
        assert got.values[i, column(i, known)] == pytest.approx(value, **tolerance)
    for i, j, known, value in expected["edges"]:
        increment = got.increments[i, column(i, known), j]
        if value is None:
            assert np.isnan(increment)
        else:
            assert increment == pytest.approx(value, **tolerance)
    layer = len(y) - np.bitwise_count(np.arange(got.values.shape[1]))
    maxima = [got.values[:, layer == number].max() for number in range(1, len(y) + 1)]
    assert maxima == pytest.approx(expected["layer_max"], **tolerance)
    assert got.values.max() == pytest.approx(expected["leakage"], **tolerance)


@pytest.mark.parametrize("case", cases("chain_path"))
def test_reference_paths(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    table, y = read_model(given)
    path = chain_path(table, y, given["lam"], positions(given), given["target"], given["order"])
    assert path.values == pytest.approx(expected["values"], rel=case["tol"], abs=case["tol"])
    assert path.edge_values == pytest.approx(expected["edge_values"], rel=case["tol"], abs=case["tol"])


def test_no_complete_path_ends_below_another_order_of_minimum() -> None:
    """Invariant 7: the complete-path minimum never exceeds the layer-by-layer minimum; equal for n = 3."""
    for n in (3, 4):
        table, instance = random_table((2,) * n, seed=n)
        y = [[0.0, 1.0 + j] for j in range(n)]
        whole = chain_all(table, y, 0.7, instance).values
        for i in range(n):
            others = [j for j in range(n) if j != i]
            paths = [chain_path(table, y, 0.7, instance, i, o).values[-1] for o in permutations(others)]
            assert min(paths) <= whole[i, 0] + 1e-12
            if n == 3:
                assert min(paths) == pytest.approx(whole[i, 0], abs=1e-12)


def test_independent_tuples_keep_the_first_layer() -> None:
    """Invariant 5."""
    table = np.ones(())
    for p in (0.2, 0.5, 0.7, 0.9):
        table = np.multiply.outer(table, [p, 1 - p])
    got = chain_all(table, [[0, 1], [0, 2], [0, -1], [3, 3]], 0.5, (0, 1, 0, 1))
    np.testing.assert_allclose(got.values, np.repeat([[2.0], [4.0], [2.0], [0.0]], 8, axis=1), atol=1e-12)
    np.testing.assert_allclose(got.increments[~np.isnan(got.increments)], 0.0, atol=1e-12)


def test_never_above_the_group_bound() -> None:
    """Invariant 6."""
    table, instance = random_table((2, 3, 2, 2), seed=9)
    y = [[0.0, 1.0], [0.0, 4.0, -1.0], [0.0, -2.0], [1.0, 1.5]]
    got = chain_all(table, y, 0.3, instance)
    reach = np.array([np.ptp(values) for values in y]) / 0.3
    for i in range(4):
        others = [j for j in range(4) if j != i]
        for c in range(8):
            unknown = [j for p, j in enumerate(others) if not c >> p & 1]
            assert got.values[i, c] <= reach[i] + reach[unknown].sum() + 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_permuting_tuples_permutes_the_nodes(seed: int) -> None:
    """Invariant 1, also across tuples of different size."""
    table, instance = random_table((2, 3, 2, 4), seed)
    rng = np.random.default_rng(seed)
    y = [rng.normal(size=d) for d in table.shape]
    order = [int(j) for j in rng.permutation(4)]
    plain = chain_all(table, y, 1.0, instance)
    moved = chain_all(table.transpose(order), [y[j] for j in order], 1.0, [instance[j] for j in order])
    for i in range(4):
        others = [j for j in range(4) if j != i]
        for c in range(8):
            known = [j for p, j in enumerate(others) if c >> p & 1]
            there = order.index(i), column(order.index(i), [order.index(j) for j in known])
            assert moved.values[there] == pytest.approx(plain.values[i, c], abs=1e-12)
            np.testing.assert_allclose(
                moved.increments[there], plain.increments[i, c][order], rtol=0, atol=1e-12
            )


def test_offset_and_unit_do_not_matter() -> None:
    """Invariants 2 and 3."""
    table, instance = random_table((3, 2, 2), seed=2)
    y = [np.array([0.0, 1.0, 5.0]), np.array([0.0, 2.0]), np.array([0.0, -1.0])]
    plain = chain_all(table, y, 0.6, instance).values
    np.testing.assert_allclose(chain_all(table, [v + 7 for v in y], 0.6, instance).values, plain, atol=1e-12)
    np.testing.assert_allclose(chain_all(table, [v / 3 for v in y], 0.2, instance).values, plain, atol=1e-12)


def test_path_passes_undefined_edges_unchanged() -> None:
    table = np.array([[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]])
    path = chain_path(table, [[0, 1]] * 3, 1.0, (0, 0, 0), 0, [1, 2])
    assert path.edge_values[0] == 0.0
    assert path.values[:2] == (1.0, 1.0)
    assert path.values[2] == pytest.approx(2.0)


def test_names_the_culprit() -> None:
    table = np.array([[0.5, 0.0], [0.0, 0.5]])
    y = [[0, 1], [0, 1]]
    with pytest.raises(InstanceError, match=r"\(0, 1\).*probability 0"):
        chain_all(table, y, 1.0, (0, 1))
    with pytest.raises(AdversaryError, match="no tuple 2"):
        chain_path(table, y, 1.0, (0, 0), 2, [])
    for order in ([0], [1, 1], [5]):
        with pytest.raises(AdversaryError, match="cannot be forgotten"):
            chain_path(table, y, 1.0, (0, 0), 0, order)
