"""The chain rule against Algorithm 1 written out, and the reference cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pdp_widgets.errors import AdversaryError, InstanceError, LimitError
from pdp_widgets.leakage.prior.chain_rule import chain_all, chain_path, least_scale
from tests.leakage.chain_reference import (
    algorithm_1,
    all_gammas,
    column,
    first_layer,
    positions,
    random_table,
    read_model,
    reference_cases,
)
from tests.leakage.prior_reference import edge_bounds

CONVENTIONS = pytest.mark.parametrize("convention", ["instance", "sup"])


@pytest.mark.parametrize("shape", [(2,), (2, 2), (2, 2, 2, 2), (3, 2, 3), (1, 2, 4), (2, 3, 2, 2), (2,) * 5])
@pytest.mark.parametrize("zeros", [0.0, 0.6])
@pytest.mark.parametrize("scale", [0.25, 3.0])
@CONVENTIONS
def test_agrees_with_algorithm_1(shape: tuple[int, ...], zeros: float, scale: float, convention: str) -> None:
    table, instance = random_table(shape, seed=sum(shape), zeros=zeros)
    rng = np.random.default_rng(11)
    y = [[float(v) for v in rng.integers(-2, 3, d)] for d in shape]
    row = instance if convention == "instance" else None
    values, increments = algorithm_1(first_layer(y, scale), all_gammas(table, y, scale, row))
    got = chain_all(table, y, scale, row, convention)
    n = len(shape)
    assert got.values.size == len(values)
    for (i, known), value in values.items():
        assert got.values[i, column(i, sorted(known))] == pytest.approx(value, abs=1e-11)
    expected = np.full((n, 2 ** (n - 1), n), np.nan)
    for (i, j, known), value in increments.items():
        expected[i, column(i, sorted(known)), j] = np.nan if value is None else value
    np.testing.assert_allclose(got.increments, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("case", reference_cases("chain_all"))
def test_reference_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    table, y = read_model(given)
    got = chain_all(table, y, given["lam"], positions(given), given["convention"])
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


@pytest.mark.parametrize("case", reference_cases("chain_path"))
def test_reference_paths(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    table, y = read_model(given)
    path = chain_path(
        table, y, given["lam"], positions(given), given["target"], given["order"], given["convention"]
    )
    assert path.values == pytest.approx(expected["values"], rel=case["tol"], abs=case["tol"])
    assert path.edge_values == pytest.approx(expected["edge_values"], rel=case["tol"], abs=case["tol"])


@pytest.mark.parametrize("zeros", [0.0, 0.6])
@CONVENTIONS
def test_a_path_takes_the_increment_that_moves_it_furthest(zeros: float, convention: str) -> None:
    table, instance = random_table((3, 2, 3, 2), seed=8, zeros=zeros)
    y = [[0.0, -2.0, 1.0], [0.0, 3.0], [1.0, 0.5, 0.0], [0.0, -1.0]]
    row = instance if convention == "instance" else None
    gammas = all_gammas(table, y, 0.8, row)
    for target, order in ((0, [2, 1, 3]), (1, [3, 0, 2]), (2, [0, 3, 1]), (3, [1, 2])):
        path = chain_path(table, y, 0.8, row, target, order, convention)
        value, rest = first_layer(y, 0.8)[target], frozenset(range(4)) - {target}
        assert len(path.values) == len(path.edge_values) + 1 == len(order) + 1
        for j, edge_value, got in zip(order, path.edge_values, path.values[1:], strict=True):
            rest = rest - {j}
            gamma = gammas[target, j, rest]
            best = max(gamma, key=lambda c: abs(value + c), default=0.0)
            assert edge_value == pytest.approx(best, abs=1e-11)
            value = abs(value + best)
            assert got == pytest.approx(value, abs=1e-11)


def test_all_known_values_include_those_of_any_row() -> None:
    """Bounds of the union enclose those of one row; with every label impossible but one they agree."""
    table, instance = random_table((2, 3, 2), seed=6)
    y = [[0.0, 1.0], [0.0, 2.0, 3.0], [0.0, -1.0]]
    low, high = edge_bounds(table, y, 0.5, instance)
    widest_low, widest_high = edge_bounds(table, y, 0.5, None, "sup")
    there = ~np.isnan(low)
    assert (widest_low[there] <= low[there] + 1e-12).all()
    assert (widest_high[there] >= high[there] - 1e-12).all()
    assert np.nanmax(widest_high - high) > 0.1
    # Nothing known: one set of values.
    np.testing.assert_allclose(widest_high[:, 0], high[:, 0], rtol=0, atol=1e-12)


@CONVENTIONS
def test_thousands_of_scales_do_not_underflow(convention: str) -> None:
    """Contributions of 1000 scales against the increments in closed form."""
    table = np.array([[[0.25, 1e-200], [0.125, 0.125]], [[0.125, 0.125], [1e-200, 0.25]]])
    got = chain_all(table, [[0, 1000]] * 3, 1.0, (0, 0, 0), convention)
    log_t = -200 * np.log(10.0)
    # Tuple 2 is forgotten, tuple 1 known to be 0 or 1: what is left of E exp(-y / scale) is P(x2 = 0).
    at_0 = np.log(0.25 / 0.25) - np.log(0.125 / 0.25)
    at_1 = np.log(0.125 / 0.25) - (log_t - np.log(0.25))
    increment = at_0 if convention == "instance" else at_1
    assert got.increments[0, 1, 2] == pytest.approx(increment, rel=1e-12)
    assert got.values[0, 1] == pytest.approx(1000 + increment, rel=1e-12)
    path = chain_path(table, [[0, 1000]] * 3, 1.0, (0, 0, 0), 0, [2], convention)
    assert path.edge_values == pytest.approx((increment,), rel=1e-12)


@CONVENTIONS
def test_independent_tuples_keep_the_first_layer(convention: str) -> None:
    """Invariant 5."""
    table = np.ones(())
    for p in (0.2, 0.5, 0.7, 0.9):
        table = np.multiply.outer(table, [p, 1 - p])
    got = chain_all(table, [[0, 1], [0, 2], [0, -1], [3, 3]], 0.5, (0, 1, 0, 1), convention)
    np.testing.assert_allclose(got.values, np.repeat([[2.0], [4.0], [2.0], [0.0]], 8, axis=1), atol=1e-12)
    np.testing.assert_allclose(got.increments[~np.isnan(got.increments)], 0.0, atol=1e-12)


@CONVENTIONS
def test_never_above_the_group_bound(convention: str) -> None:
    """Invariant 6."""
    table, instance = random_table((2, 3, 2, 2), seed=9)
    y = [[0.0, 1.0], [0.0, 4.0, -1.0], [0.0, -2.0], [1.0, 1.5]]
    got = chain_all(table, y, 0.3, instance, convention)
    reach = np.array([np.ptp(values) for values in y]) / 0.3
    for i in range(4):
        others = [j for j in range(4) if j != i]
        for c in range(8):
            unknown = [j for p, j in enumerate(others) if not c >> p & 1]
            assert got.values[i, c] <= reach[i] + reach[unknown].sum() + 1e-12


@pytest.mark.parametrize("seed", range(4))
@CONVENTIONS
def test_permuting_tuples_permutes_the_nodes(seed: int, convention: str) -> None:
    """Invariant 1, also across tuples of different size."""
    table, instance = random_table((2, 3, 2, 4), seed)
    rng = np.random.default_rng(seed)
    y = [rng.normal(size=d) for d in table.shape]
    order = [int(j) for j in rng.permutation(4)]
    plain = chain_all(table, y, 1.0, instance, convention)
    row = [instance[j] for j in order]
    moved = chain_all(table.transpose(order), [y[j] for j in order], 1.0, row, convention)
    for i in range(4):
        others = [j for j in range(4) if j != i]
        for c in range(8):
            known = [j for p, j in enumerate(others) if c >> p & 1]
            there = order.index(i), column(order.index(i), [order.index(j) for j in known])
            assert moved.values[there] == pytest.approx(plain.values[i, c], abs=1e-12)
            np.testing.assert_allclose(
                moved.increments[there], plain.increments[i, c][order], rtol=0, atol=1e-12
            )


@CONVENTIONS
def test_labels_in_another_order_change_nothing(convention: str) -> None:
    """Invariant 1: contributions of one tuple are distinct."""
    table, instance = random_table((3, 2, 4), seed=12, zeros=0.3)
    y = [np.array([0.0, 2.0, -1.0]), np.array([0.0, 2.0]), np.array([3.0, -1.0, 0.5, 7.0])]
    plain = chain_all(table, y, 0.7, instance, convention)
    orders = [[2, 0, 1], [1, 0], [3, 1, 0, 2]]
    moved = chain_all(
        table[np.ix_(*orders)],
        [values[order] for values, order in zip(y, orders, strict=True)],
        0.7,
        [order.index(x) for order, x in zip(orders, instance, strict=True)],
        convention,
    )
    np.testing.assert_allclose(moved.values, plain.values, rtol=0, atol=1e-12)
    np.testing.assert_allclose(moved.increments, plain.increments, rtol=0, atol=1e-12)


@CONVENTIONS
def test_offset_and_unit_do_not_matter(convention: str) -> None:
    """Invariants 2 and 3."""
    table, instance = random_table((3, 2, 2), seed=2)
    y = [np.array([0.0, 1.0, 5.0]), np.array([0.0, 2.0]), np.array([0.0, -1.0])]
    plain = chain_all(table, y, 0.6, instance, convention).values
    for contributions, scale in (([v + 7 for v in y], 0.6), ([v / 3 for v in y], 0.2)):
        moved = chain_all(table, contributions, scale, instance, convention).values
        np.testing.assert_allclose(moved, plain, atol=1e-12)


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
    for wrong in ("Sup", None, 3):
        with pytest.raises(AdversaryError, match=r"convention is .*'instance' or 'sup'"):
            chain_all(table, y, 1.0, (0, 0), wrong)
    with pytest.raises(AdversaryError, match="convention"):
        chain_path(table, y, 1.0, (0, 0), 0, [1], "worst")
    with pytest.raises(InstanceError, match="needs a row"):
        chain_all(table, y, 1.0, None)
    for row in ((0,), (0, 2), (-1, 0)):
        with pytest.raises(InstanceError, match=r"none of a table of shape \(2, 2\)"):
            chain_all(table, y, 1.0, row)
    chain_all(table, y, 1.0, (0, 1), "sup")


def test_refuses_too_many_known_values() -> None:
    """14 binary tuples: refused before anything is computed, with memory and time."""
    table = np.broadcast_to(2.0**-14, (2,) * 14)
    with pytest.raises(LimitError, match=r"14 tuples.*193,444,524.* 10 s and 0\.\d GB.*13 binary"):
        chain_all(table, [[0, 1]] * 14, 1.0, None, "sup")


def test_the_least_scale_of_an_estimate_that_rises_and_falls() -> None:
    """From 1 / scale = 2 down, the first place within 1 is 1.5."""

    def wave(inverse: float) -> Any:
        return np.array([1.0 + np.cos(np.pi * (inverse - 2.0))])

    assert least_scale(wave, np.array([4.0]), 1.0, 0.25, 2.0) == pytest.approx(1 / 1.5, rel=1e-6)
