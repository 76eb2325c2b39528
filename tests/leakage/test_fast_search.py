"""The fast search against Algorithm 2 written out, and the reference cases."""

from __future__ import annotations

import dataclasses
from math import comb, exp, log
from typing import Any

import numpy as np
import pytest

from pdp_widgets.errors import AdversaryError, InstanceError, LimitError, TableError
from pdp_widgets.leakage.prior.chain_rule import chain_all
from pdp_widgets.leakage.prior.path_search import fast_search, search
from tests.leakage.chain_reference import (
    CONVENTIONS,
    algorithm_2,
    all_gammas,
    column,
    first_layer,
    random_table,
    read_problem,
    reference_cases,
)


@pytest.mark.parametrize("case", reference_cases("fast"))
def test_reference_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    got = fast_search(*read_problem(given))
    tolerance = {"rel": case["tol"], "abs": case["tol"]}
    assert got.layer_max == pytest.approx(tuple(expected["layer_max"]), **tolerance)
    assert float(got) == pytest.approx(expected["leakage"], **tolerance)
    assert [len(nodes) for nodes in got.kept] == [len(nodes) for nodes in expected["kept"]]
    for nodes, wanted in zip(got.kept, expected["kept"], strict=True):
        assert [[i, list(known)] for i, known, _ in nodes] == [[i, known] for i, known, _ in wanted]
        assert [v for *_, v in nodes] == pytest.approx([v for *_, v in wanted], **tolerance)


@pytest.mark.parametrize("shape", [(2,), (2, 3), (3, 2, 3), (2, 2, 2, 2), (2, 3, 1, 3), (2,) * 6])
@pytest.mark.parametrize("zeros", [0.0, 0.6])
@CONVENTIONS
def test_agrees_with_algorithm_2(shape: tuple[int, ...], zeros: float, convention: str) -> None:
    table, instance = random_table(shape, seed=sum(shape), zeros=zeros)
    # Contributions without a pattern: no values tie.
    y = np.split(np.random.default_rng(5).normal(size=sum(shape)), np.cumsum(shape)[:-1])
    row = instance if convention == "instance" else None
    expected = algorithm_2(first_layer(y, 0.6), all_gammas(table, y, 0.6, row))
    got = fast_search(table, y, 0.6, row, convention)
    for nodes, wanted in zip(got.kept, expected, strict=True):
        assert [node[:2] for node in nodes] == [node[:2] for node in wanted]
        assert [node[2] for node in nodes] == pytest.approx([node[2] for node in wanted], abs=1e-11)
    maxima = tuple(max(node[2] for node in nodes) for nodes in expected)
    assert got.layer_max == pytest.approx(maxima, abs=1e-11)
    assert float(got.leakage) == max(got.layer_max)


@CONVENTIONS
def test_two_layers_hold_what_the_full_search_finds(convention: str) -> None:
    """Layer 1 is whole, so the largest of layer 2 are; and of two tuples nothing is dropped."""
    table, instance = random_table((2,) * 5, seed=4)
    y = [[0.0, 1.0 + j] for j in range(5)]
    whole = chain_all(table, y, 1.5, instance, convention).values
    got = fast_search(table, y, 1.5, instance, convention)
    for i, known, value in (*got.kept[0], *got.kept[1]):
        assert value == pytest.approx(whole[i, column(i, known)], abs=1e-12)
    layer_2 = sorted((whole[i, c] for i in range(5) for c in (7, 11, 13, 14)), reverse=True)
    assert [value for *_, value in got.kept[1]] == pytest.approx(layer_2[:5], abs=1e-12)
    pair, row = random_table((2, 2), seed=1)
    assert fast_search(pair, y[:2], 1.0, row, convention).leakage.value == pytest.approx(
        chain_all(pair, y[:2], 1.0, row, convention).values.max(), abs=1e-12
    )


def test_equal_values_come_by_target_and_known_tuples() -> None:
    """All edges 0 but for noise below the 12th decimal: the order is that of the positions."""
    noise = np.random.default_rng(0)

    def edges_out(_: int, known: tuple[int, ...]) -> list[tuple[int, float, float]]:
        return [
            (j, float(v), float(v)) for j, v in zip(known, noise.normal(0, 1e-15, len(known)), strict=True)
        ]

    got = search([1.0, 1.0, 1.0, 1.0], edges_out)
    assert [node[:2] for node in got.kept[1]] == [(0, (1, 2)), (0, (1, 3)), (0, (2, 3)), (1, (0, 2))]
    assert [node[:2] for node in got.kept[2]] == [(0, (1,)), (0, (2,)), (0, (3,)), (1, (0,))]
    # One ninth digit more goes first.
    got = search([1.0, 1.0, 1.0 + 1e-9, 1.0], edges_out)
    assert [node[0] for node in got.kept[1]] == [2, 2, 2, 0]


def test_undefined_edges_pass_the_value() -> None:
    """x1 = x2 = x3: given one tuple the others are determined."""
    table = np.zeros((2, 2, 2))
    table[0, 0, 0] = table[1, 1, 1] = 0.5
    got = fast_search(table, [[0, 1], [0, 2], [0, 3]], 1.0, (0, 0, 0))
    # Layer 2 passes 1, 2 and 3 through; the two nodes of 3 and the first of 2 are kept. Forgetting the last
    # tuple adds its reach: 3 + 1 or 3 + 2, and 2 + 1.
    assert got.layer_max == pytest.approx((3.0, 3.0, 4.0))
    assert [node[:2] for node in got.kept[1]] == [(2, (0,)), (2, (1,)), (1, (0,))]
    assert [(i, round(value, 9)) for i, _, value in got.kept[2]] == [(2, 4.0), (1, 3.0)]


def test_asks_only_for_edges_on_the_way() -> None:
    """At most n (n - 1) edges in a layer, of 1.7 million in the graph of 15 tuples."""
    asked = []

    def edges_out(target: int, known: tuple[int, ...]) -> list[tuple[int, float, float]]:
        asked.append((target, known))
        return [(j, 0.1 * (target + 1), 0.1 * (target + j + 1)) for j in known]

    got = search([1.0] * 15, edges_out)
    assert len(asked) == len(set(asked)) <= 15 * 14
    assert sum(len(known) for _, known in asked) <= 15**3 / 2
    assert [len(nodes) for nodes in got.kept[:12]] == [15] * 12
    assert all(0 < len(nodes) <= 15 for nodes in got.kept)


def test_twenty_binary_tuples() -> None:
    """Rows of weight w[number of ones]: all adversaries of a layer with the same known values are alike."""
    n = 20
    ones = np.bitwise_count(np.arange(1 << n)).reshape((2,) * n)
    weight = np.array([0.7**m + 0.9 ** (n - m) for m in range(n + 1)])
    table = weight[ones] / weight[ones].sum()
    got = fast_search(table, [[0, 1]] * n, 1.0, (0,) * n)
    assert [len(nodes) for nodes in got.kept[:15]] == [n] * 15
    # The same values along any path, from two exchangeable tuples among u unknown and zeros elsewhere.
    value = 1.0
    for unknown in range(2, n + 1):
        g = []
        for v in (0, 1):
            pair = [sum(comb(unknown - 2, m) * weight[v + w + m] for m in range(unknown - 1)) for w in (0, 1)]
            g.append(log((pair[0] + pair[1] * exp(-1)) / sum(pair)))
        value = abs(value + g[0] - g[1])
        assert got.layer_max[unknown - 1] == pytest.approx(value, abs=1e-10)


def test_is_a_value() -> None:
    table, instance = random_table((2, 2), seed=0)
    got = fast_search(table, [[0, 1], [0, 1]], 1.0, instance)
    assert got == fast_search(table, [[0, 1], [0, 1]], 1.0, instance)
    assert hash(got) == hash(fast_search(table, [[0, 1], [0, 1]], 1.0, instance))
    with pytest.raises(dataclasses.FrozenInstanceError):
        got.leakage = 0.0


def test_names_the_culprit() -> None:
    table = np.array([[0.5, 0.0], [0.0, 0.5]])
    with pytest.raises(InstanceError, match="probability 0"):
        fast_search(table, [[0, 1], [0, 1]], 1.0, (0, 1))
    with pytest.raises(TableError, match=r"sum to 3\.6"):
        fast_search(np.full((2, 2), 0.9), [[0, 1], [0, 1]], 1.0, (0, 0))
    with pytest.raises(AdversaryError, match="convention"):
        fast_search(table, [[0, 1], [0, 1]], 1.0, (0, 0), "all")
    with pytest.raises(LimitError, match=r"22 tuples.*about 89 s.*0\.1 GB.*'instance'"):
        fast_search(np.broadcast_to(2.0**-22, (2,) * 22), [[0, 1]] * 22, 1.0, None, "sup")
