"""Edge weights against a scan over all rows and the reference cases."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from pdp_widgets.errors import AdversaryError, LimitError
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.edge_weights import EdgesOfTable, EdgeWeight, correlation, edge, pair_gamma
from pdp_widgets.leakage.value import About
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution
from tests.leakage.chain_reference import column, gamma_union, random_table, read_model
from tests.leakage.prior_reference import edge_bounds

CASES = json.loads(files("pdp_widgets").joinpath("data/vectors/pdp.json").read_text())["cases"]

SHAPES = [
    (2,),
    (2, 2),
    (2, 2, 2, 2),
    (3, 2),
    (2, 3, 4),
    (1, 3, 2),
    (3, 1, 1, 3),
    (2, 2, 2, 2, 2),
    (4, 2, 3, 2),
]


def contributions(shape: tuple[int, ...], seed: int) -> list[list[float]]:
    rng = np.random.default_rng(seed)
    y = [[float(v) for v in rng.integers(-3, 4, d)] for d in shape]
    y[0] = [float(v) for v in rng.normal(size=shape[0])]
    return y


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("zeros", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_bounds_are_the_extremes_of_every_gamma_set(
    shape: tuple[int, ...], zeros: float, convention: str
) -> None:
    table, instance = random_table(shape, seed=len(shape), zeros=zeros)
    y = contributions(shape, seed=7)
    n = len(shape)
    row = instance if convention == "instance" else None
    low, high = edge_bounds(table, y, 0.8, row, convention)
    one_by_one = EdgesOfTable(table, y, 0.8, row)
    assert low.shape == high.shape == (n, 2 ** (n - 1), n)
    expected_low, expected_high = np.full(low.shape, np.nan), np.full(low.shape, np.nan)
    for i in range(n):
        for c in range(2 ** (n - 1)):
            others = [j for j in range(n) if j != i]
            known = [j for p, j in enumerate(others) if c >> p & 1]
            assert column(i, known) == c
            for j in set(others) - set(known):
                gamma = gamma_union(table, y, 0.8, i, j, frozenset(known), row) or [np.nan]
                expected_low[i, c, j], expected_high[i, c, j] = min(gamma), max(gamma)
                found = one_by_one.extremes(i, j, known)
                assert found == pytest.approx((min(gamma), max(gamma)), abs=1e-12, nan_ok=True)
            for j, *found in one_by_one.out_of(i, known):
                weaker = [k for k in known if k != j]
                assert found == pytest.approx(one_by_one.extremes(i, j, weaker), abs=1e-12, nan_ok=True)
    np.testing.assert_allclose(low, expected_low, rtol=0, atol=1e-12)
    np.testing.assert_allclose(high, expected_high, rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", [c for c in CASES if c["kind"] == "edge"], ids=lambda c: c["id"])
def test_reference_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    table, y = read_model(given)
    distribution = JointDistribution(table, given["domains"])
    mechanism = LaplaceMechanism(LinearQuery(y), given["lam"])
    known = dict(zip(given["known"], given["known_values"], strict=True))
    weight = edge(distribution, mechanism, given["target"], given["removed"], known)
    assert [[m, n] for m, n, _ in weight.gamma] == [[m, n] for m, n, _ in expected["gamma"]]
    for (*_, got), (*_, wanted) in zip(weight.gamma, expected["gamma"], strict=True):
        assert got == pytest.approx(wanted, rel=case["tol"], abs=case["tol"])
    assert len(weight.ir) == len(expected["ir"])
    for got, wanted in zip((*weight.ir, weight.rho), (*expected["ir"], expected["rho"]), strict=True):
        assert got == (None if wanted is None else pytest.approx(wanted, rel=case["tol"], abs=case["tol"]))


def test_labels_are_ordered_by_contribution_then_position() -> None:
    distribution = JointDistribution(np.full((4, 2), 0.125), [["d", "c", "b", "a"], [0, 1]])
    query = LinearQuery([[2.0, 1.0, 2.0, 0.0], [0.0, 1.0]])
    weight = edge(distribution, LaplaceMechanism(query, 1.0), 0, 1)
    assert [m + n for m, n, _ in weight.gamma] == ["ac", "ad", "ab", "cd", "cb", "db"]


def test_a_negative_weight_reverses_the_labels() -> None:
    distribution = JointDistribution([[0.3, 0.2], [0.1, 0.4]])
    forward = edge(distribution, LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1.0), 0, 1)
    backward = edge(distribution, LaplaceMechanism(LinearQuery([[0, -1], [0, 1]]), 1.0), 0, 1)
    assert [(m, n) for m, n, _ in forward.gamma] == [(0, 1)]
    assert [(m, n) for m, n, _ in backward.gamma] == [(1, 0)]
    assert backward.gamma[0][2] == -forward.gamma[0][2]
    assert forward.rho == pytest.approx(-backward.rho)  # type: ignore[operator]


def test_a_tuple_that_does_not_move_the_query_has_no_ratio() -> None:
    distribution = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    weight = edge(distribution, LaplaceMechanism(LinearQuery([[0, 1], [4, 4]]), 1.0), 0, 1)
    assert weight == EdgeWeight(((0, 1, 0.0),), (None,), None, About("x1"), "x2")
    _, high = edge_bounds(distribution.table, [[0, 1], [4, 4]], 1.0, (0, 0))
    assert high[0, 0, 1] == 0.0


def test_a_determined_target_has_an_undefined_edge() -> None:
    distribution = JointDistribution([[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]])
    mechanism = LaplaceMechanism(LinearQuery.sum(distribution), 1.0)
    weight = edge(distribution, mechanism, 0, 1, {2: 1})
    assert weight == EdgeWeight((), (), None, About("x1", (("x3", 1),)), "x2")
    assert weight.increment(1.0) is weight.ic_range is weight.ir_range is None
    assert str(weight).startswith("IC undefined, IR undefined (as printed); correlation undefined (exact)")
    weight = edge(distribution, mechanism, 0, 1)
    assert weight.gamma[0][2] == pytest.approx(1.0)
    assert (weight.ir[0], weight.rho) == (pytest.approx(1.0), pytest.approx(1.0))


def test_the_larger_increment_wins_a_tie() -> None:
    weight = EdgeWeight(((0, 1, -2.0), (0, 2, 0.0), (1, 2, 2.0 - 1e-13)), (None,) * 3, None, About("a"), "b")
    assert weight.increment(0.0) == 2.0 - 1e-13
    assert weight.increment(1e-6) == 2.0 - 1e-13
    assert EdgeWeight(((0, 1, -2.0), (0, 2, 0.5)), (None,) * 2, None, About("a"), "b").increment(0.1) == -2.0


@pytest.mark.parametrize("seed", range(5))
def test_the_ratio_stays_within_one(seed: int) -> None:
    table, instance = random_table((3, 4), seed)
    y = contributions((3, 4), seed)
    for scale in (0.01, 1.0, 50.0):
        low, high = edge_bounds(table, y, scale, instance)
        reach = np.ptp(y[1]) / scale
        assert np.abs([low[0, 0, 1], high[0, 0, 1]]).max() <= reach * (1 + 1e-12)


def test_a_tiny_scale_does_not_underflow() -> None:
    table = np.array([[0.5, 0.0], [0.25, 0.25]])
    pair = np.array([[0.0, 0.5], [1e-200, 0.5]])
    _, high = edge_bounds(table, [[0, 1], [0, 1]], 1e-3, (0, 0))
    assert high[0, 0, 1] == pytest.approx(math.log(2), abs=1e-9)
    low, high = edge_bounds(pair, [[0, 1], [0, 1]], 1e-3, (0, 1))
    expected = -1000 - (math.log(2) - 200 * math.log(10))
    assert low[0, 0, 1] == pytest.approx(expected, rel=1e-12)
    [(m, n, value)] = pair_gamma(pair, [0, 1], [0, 1], 1e-3)
    assert (m, n) == (0, 1)
    assert value == pytest.approx(expected, rel=1e-12)


def test_both_paths_agree_where_both_are_right() -> None:
    table, instance = random_table((3, 3, 3), seed=1)
    y = [[0.0, 2.0, 1.0]] * 3
    table[0, 0, 0] = 1e-300
    plain = edge_bounds(table, y, 1.0, instance)
    table[0, 0, 0] = 1e-200
    logarithmic = edge_bounds(table, y, 1.0, instance)
    np.testing.assert_allclose(plain, logarithmic, rtol=0, atol=1e-12)


def test_correlation_counts_values_instead_of_rounding() -> None:
    assert correlation(np.array([[0.1, 0.2], [0.3, 0.4]]), [5.0, 5.0], [0.0, 1.0]) is None
    assert correlation(np.array([[0.1, 0.9], [0.0, 0.0]]), [0.0, 1.0], [0.0, 1.0]) is None
    assert correlation(np.array([[0.5, 0.0], [0.0, 0.5]]), [0.0, 1e-9], [0.0, 1.0]) == pytest.approx(1.0)


def test_names_the_culprit() -> None:
    distribution = JointDistribution(
        [[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]], names=["a", "b", "c"]
    )
    mechanism = LaplaceMechanism(LinearQuery.sum(distribution), 1.0)
    with pytest.raises(AdversaryError, match="twice"):
        edge(distribution, mechanism, "a", "b", {"b": 0})
    with pytest.raises(AdversaryError, match="attacked and known"):
        edge(distribution, mechanism, "a", "a")
    with pytest.raises(AdversaryError, match="7"):
        edge(distribution, mechanism, "a", "b", {"c": 7})
    lonely = JointDistribution([[[0.5, 0.0], [0.5, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], names=["a", "b", "c"])
    with pytest.raises(AdversaryError, match=r"c = 1.*probability 0"):
        edge(lonely, mechanism, "a", "b", {"c": 1})
    with pytest.raises(LimitError, match=r"20 tuples.*1\.7 GB"):
        edge_bounds(np.broadcast_to(2.0**-20, (2,) * 20), [[0, 1]] * 20, 1.0, (0,) * 20)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3, 2), (3, 2, 2, 3)])
@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_the_edges_of_an_analysis(shape: tuple[int, ...], zeros: float) -> None:
    table, instance = random_table(shape, seed=11, zeros=zeros)
    distribution = JointDistribution(table)
    y = contributions(shape, seed=3)
    mechanism = LaplaceMechanism(LinearQuery(y), 0.8)
    row = tuple(domain[p] for domain, p in zip(distribution.domains, instance, strict=True))
    at_row = PriorAnalysis(distribution, mechanism, row)
    worst = PriorAnalysis(distribution, mechanism, row, "sup")
    n = len(shape)
    for i, j in permutations(range(n), 2):
        for known in ((), tuple(k for k in range(n) if k not in (i, j))):
            one, union = at_row.edge(i, j, known), worst.edge(i, j, known)
            assert one == edge(distribution, mechanism, i, j, {k: row[k] for k in known})
            assert (one.convention, union.convention) == ("instance", "sup")
            assert union.about.known == tuple((distribution.names[k], None) for k in known)
            assert union.removed == distribution.names[j]
            increment = at_row.increments[i, column(i, known), j]
            if one.ic_range is None:
                assert np.isnan(increment)
            else:
                assert min(abs(increment - end) for end in one.ic_range) <= 1e-12
            expected = gamma_union(table, y, 0.8, i, j, frozenset(known), None)
            if expected:
                assert union.ic_range == pytest.approx((min(expected), max(expected)), abs=1e-12)
            alone = [
                edge(distribution, mechanism, i, j, dict(zip(known, labels, strict=True))).rho
                for labels in product(*(distribution.domains[k] for k in known))
                if table.sum(axis=tuple({*range(n)} - {*known}))[labels] > 0
            ]
            sizes = [abs(rho) for rho in alone if rho is not None]
            assert (union.rho is None) == (not sizes)
            if sizes:
                assert abs(union.rho) == pytest.approx(max(sizes), abs=1e-12)  # type: ignore[arg-type]


def test_an_edge_says_what_its_numbers_are() -> None:
    distribution = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"])
    weight = PriorAnalysis(distribution, LaplaceMechanism(LinearQuery.sum(distribution), 2.0)).edge(
        "Ann", "Bob"
    )
    assert (weight.status, weight.rho_status, weight.unit) == ("as printed", "exact", "nats")
    assert "Eq. 9" in weight.source
    assert str(weight) == (
        "IC 0.09805 nats, IR 0.1961 (as printed); correlation 0.2 (exact): Ann, knowing none, no longer Bob"
    )
    with pytest.raises(AdversaryError, match="convention is 'worst'"):
        edge(distribution, release_of(distribution), "Ann", "Bob", convention="worst")  # type: ignore[arg-type]
    with pytest.raises(AdversaryError, match="without labels"):
        edge(distribution, release_of(distribution), "Ann", "Bob", {}, convention="sup")
    with pytest.raises(AdversaryError):
        PriorAnalysis(distribution, release_of(distribution)).edge("Ann", "Ann")


def release_of(distribution: JointDistribution) -> LaplaceMechanism:
    return LaplaceMechanism(LinearQuery.sum(distribution), 1.0)
