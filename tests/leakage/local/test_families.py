"""Algorithms over sets of symbols against enumeration, a root, and exact matrices."""

import math
import warnings

import numpy as np
import pytest

from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.hull import Front, Fronts, two_level
from pdp_widgets.leakage.local.mechanism_reading import finite_channel, read
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.subsets import all_subsets, favoured, singletons, subsets_of_size, top_symbols
from pdp_widgets.mechanisms.local.finite_channel import Channel
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR
from tests.leakage.local import brute_force

BUDGETS = [1e-9, 0.3, 0.5, 1.0, 3.0, 50.0, 699.0, 700.0, 710.0, 1000.0, math.inf]


def near(got, wanted):
    return got == wanted or got == pytest.approx(wanted, rel=1e-12, abs=1e-22)


@pytest.mark.parametrize("epsilon", [0.0, *BUDGETS])
def test_two_levels_with_sixty_digits(epsilon):
    pairs = [
        (0.6, 0.1),
        (1.0, 0.0),
        (0.3, 0.0),
        (1e-12, 0.0),
        (1.0, 0.999),
        (0.0, 0.0),
        (0.1, 0.6),
        (0.2, 0.2),
    ]
    for a, b in pairs:
        wanted = min(epsilon, brute_force.log_ratio(a, b, epsilon))
        got = float(two_level(a, b, epsilon))
        # Where a and b almost agree, a difference of logarithms has an absolute error.
        assert near(got, wanted) or abs(got - wanted) < 1e-15, (a, b)


def test_budgets_side_by_side_are_those_alone():
    levels = np.array([*BUDGETS, 0.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        together = two_level(0.7, 0.2, levels)
    assert together.tolist() == [float(two_level(0.7, 0.2, level)) for level in levels]


@pytest.mark.parametrize("epsilon", BUDGETS)
@pytest.mark.parametrize("zeros", [0.0, 0.35])
def test_all_sets_against_enumeration(epsilon, zeros):
    rng = np.random.default_rng(1)
    for _ in range(3):
        rows = brute_force.random_rows(rng, 3, 5, zeros)
        wanted = brute_force.of_sets(rows, epsilon, list(brute_force.subsets(5)))
        assert near(all_subsets(Conditionals.of(rows), epsilon).value[0], wanted)
        assert near(Front.of(rows).largest(epsilon)[0], wanted)


@pytest.mark.parametrize("epsilon", BUDGETS)
@pytest.mark.parametrize("zeros", [0.0, 0.35])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_sets_of_one_size_against_enumeration(epsilon, zeros, size):
    rng = np.random.default_rng(2)
    for _ in range(3):
        rows = brute_force.random_rows(rng, 3, 5, zeros)
        wanted = brute_force.of_sets(rows, epsilon, list(brute_force.subsets(5, [size])))
        assert near(subsets_of_size(rows, size, epsilon)[0], wanted)
        if size == 1:
            assert near(singletons(Conditionals.of(rows), epsilon).value[0], wanted)


def test_all_sets_solve_an_equation():
    rng = np.random.default_rng(3)
    for epsilon in (0.1, 1.0, 5.0):
        rows = brute_force.random_rows(rng, 8, 13)
        got = all_subsets(Conditionals.of(rows), epsilon).value[0]
        assert got == pytest.approx(brute_force.root(rows, epsilon), abs=1e-12)


def test_the_worst_pair_and_set_reach_the_value():
    rng = np.random.default_rng(4)
    for epsilon in (0.2, 1.0, 20.0, 800.0, math.inf):
        for zeros in (0.0, 0.4):
            rows = brute_force.random_rows(rng, 6, 7, zeros)
            found = all_subsets(Conditionals.of(rows), epsilon)
            upper, lower = rows[found.first[0]], rows[found.second[0]]
            chosen = favoured(upper, lower, found.value[0] * (1 - 1e-13))
            assert near(float(two_level(upper[chosen].sum(), lower[chosen].sum(), epsilon)), found.value[0])
            value, x, other = subsets_of_size(rows, 3, epsilon)
            if math.isfinite(value) and value < 700:
                chosen = top_symbols(rows[x], rows[other], 3, math.exp(value))
                a, b = rows[x, chosen].sum(), rows[other, chosen].sum()
                assert near(float(two_level(a, b, epsilon)), value)


def test_the_ratio_order_is_no_order_for_sets_of_one_size():
    rows = np.array([[0.02, 0.6, 0.38], [0.001, 0.3, 0.699]])
    assert subsets_of_size(rows, 1, 1.0)[0] == pytest.approx(0.29277784501868653, abs=1e-12)


def test_sources_side_by_side_are_those_alone():
    rng = np.random.default_rng(5)
    tables = [rng.integers(0, 6, (4, t)) for t in (1, 2, 3, 7, 2)]
    tables[2][1] = 0
    tables[3][:3] = 0
    sizes = [table.shape[1] for table in tables]
    together = Conditionals.from_counts(np.concatenate(tables, axis=1).astype(float), sizes)
    levels = np.array([0.4, 1.0, 2.0, 800.0, math.inf])
    for rule in (all_subsets, singletons):
        found = rule(together, levels)
        for j, table in enumerate(tables):
            alone = rule(Conditionals.from_counts(table.astype(float), [table.shape[1]]), levels[j])
            assert near(found.value[j], alone.value[0]), (rule, j)
            assert together.present[found.first[j], j] or found.value[j] == 0


def test_fronts_of_many_shapes_are_those_of_each():
    rng = np.random.default_rng(6)
    tables = [
        brute_force.random_rows(rng, m, t, 0.2) for m, t in ((2, 2), (3, 5), (2, 2), (1, 4), (5, 1), (3, 5))
    ]
    fronts = Fronts.all_subsets(tables)
    symbols = Fronts.singletons(tables)
    for epsilon in BUDGETS:
        got, of_symbols = fronts.values(epsilon), symbols.values(epsilon)
        for j, rows in enumerate(tables):
            assert near(got[j], all_subsets(Conditionals.of(rows), epsilon).value[0])
            assert near(of_symbols[j], singletons(Conditionals.of(rows), epsilon).value[0])


def test_a_front_in_blocks_is_the_front_at_once(monkeypatch):
    rows = brute_force.random_rows(np.random.default_rng(7), 12, 9)
    whole = Front.of(rows)
    monkeypatch.setattr("pdp_widgets.leakage.local.hull._BLOCK", 200)
    pieces = Front.of(rows)
    levels = np.geomspace(1e-6, 900, 40)
    assert [pieces.largest(e)[0] for e in levels] == pytest.approx(
        [whole.largest(e)[0] for e in levels], rel=1e-13
    )
    assert [whole.pair(whole.largest(e)[1]) for e in levels] == [
        pieces.pair(pieces.largest(e)[1]) for e in levels
    ]


def test_a_large_front_in_blocks_of_pairs(monkeypatch):
    rows = brute_force.random_rows(np.random.default_rng(8), 9, 6)
    wanted = all_subsets(Conditionals.of(rows), 2.0).value[0]
    monkeypatch.setattr("pdp_widgets.leakage.local.subsets._BLOCK", 10)
    monkeypatch.setattr("pdp_widgets.leakage.local.subsets._BLOCK", 10)
    assert all_subsets(Conditionals.of(rows), 2.0).value[0] == wanted
    assert subsets_of_size(rows, 2, 2.0)[0] == pytest.approx(
        brute_force.of_sets(rows, 2.0, list(brute_force.subsets(6, [2]))), abs=1e-13
    )


@pytest.mark.parametrize("block", [5, 20, 1 << 18])
@pytest.mark.parametrize("epsilon", [0.3, 2.0, 300.0, 701.0, math.inf])
def test_sets_of_one_size_of_rows_with_few_records(monkeypatch, epsilon, block):
    # Equal entries, equal rows, and beyond 700 nats a likeliest set that tells nothing.
    monkeypatch.setattr("pdp_widgets.leakage.local.subsets._BLOCK", block)
    rng = np.random.default_rng(15)
    for _ in range(5):
        counts = rng.integers(0, 3, (4, 6)).astype(float)
        counts[counts.sum(axis=1) == 0] = 1
        rows = counts / counts.sum(axis=1, keepdims=True)
        for size in (1, 3, 5):
            wanted = brute_force.of_sets(rows, epsilon, list(brute_force.subsets(6, [size])))
            assert near(subsets_of_size(rows, size, epsilon)[0], wanted)
    assert subsets_of_size(np.ones((9, 6)) / 6, 2, epsilon)[0] == 0


def test_sources_in_groups_are_those_together(monkeypatch):
    rng = np.random.default_rng(11)
    counts = rng.integers(0, 9, (5, 24)).astype(float)
    given = Conditionals.from_counts(counts, [3, 5, 2, 7, 3, 4])
    levels = np.array([0.5, 1.0, 2.0, 800.0, math.inf, 3.0])
    wanted = all_subsets(given, levels)
    monkeypatch.setattr("pdp_widgets.leakage.local.subsets._MOST_PAIRS", 60)
    found = all_subsets(given, levels)
    assert found.value == pytest.approx(wanted.value, rel=1e-13)
    assert (found.first.tolist(), found.second.tolist()) == (wanted.first.tolist(), wanted.second.tolist())


def test_probabilities_that_are_hardly_numbers():
    """A ratio of probabilities can be as large as the budget is: then sorting decides."""
    rows = np.array([[1 - 1e-300, 1e-300, 0.0], [1e-305, 1 - 1e-305, 0.0]])
    for epsilon in (690.0, 705.0, 720.0):
        wanted = brute_force.of_sets(rows, epsilon, list(brute_force.subsets(3)))
        assert near(all_subsets(Conditionals.of(rows), epsilon).value[0], wanted)


MECHANISMS = [
    *(mechanism_named(name, epsilon) for name in ("GRR", "EXP", "OUE", "SUE") for epsilon in (0.3, 1.0, 4.0)),
    mechanism_named("BLH", 1.0),
    mechanism_named("OLH", 0.7, g=3),
    *(mechanism_named("SS", 1.0, omega=omega) for omega in (1, 2, 3)),
    RAPPOR(0.5, 0.5, 0.75),
    mechanism_named("DGRR", 1.0, delta=0.05),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)
def test_families_are_those_of_the_exact_matrices(mechanism):
    """What is computed from sets is Eq. 3 on the mechanism's own matrix, output by output."""
    rng = np.random.default_rng(9)
    k = 3 if mechanism.name in ("BLH", "OLH") else 4
    for zeros in (0.0, 0.4):
        rows = brute_force.random_rows(rng, 3, k, zeros)
        for output, matrix in (("raw", mechanism.channel(k)), ("inferred", mechanism.inferred(k).matrix())):
            got = pair_leakage(rows, mechanism, output, conditional=True)
            assert (
                near(got.value, brute_force.of_channel(rows, matrix))
                or abs(got.value - brute_force.of_channel(rows, matrix)) < 1e-13
            )
            as_matrix = pair_leakage(rows, Channel(matrix), conditional=True)
            assert as_matrix.value == pytest.approx(got.value, abs=1e-12)


def test_matrices_with_outputs_nobody_sends():
    channel = np.array([[0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.5, 0.0]])
    rows = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert finite_channel(rows, channel)[0] == math.inf
    assert finite_channel(rows[:1], channel)[0] == 0.0
    assert finite_channel(np.array([[0.2, 0.8], [0.5, 0.5]]), channel)[0] == pytest.approx(
        brute_force.of_channel(np.array([[0.2, 0.8], [0.5, 0.5]]), channel), abs=1e-14
    )


def test_a_set_of_all_symbols_tells_nothing():
    assert read(mechanism_named("SS", 2.0, omega=4), 4).log_rho == 0
    assert subsets_of_size(np.eye(3), 3, 5.0)[0] == 0
