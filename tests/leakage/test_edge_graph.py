"""Graphs with given edges: the reference cases, the searches written out, and the paper's simulation."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from pdp_widgets.errors import AdversaryError, DomainError, LimitError, TableError
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.prior.chain_rule import chain_all
from pdp_widgets.leakage.prior.edge_graph import GivenEdges
from pdp_widgets.leakage.prior.path_search import fast_search
from tests.leakage.chain_reference import (
    algorithm_1,
    algorithm_2,
    random_table,
    reference_cases,
    smallest_path,
)
from tests.leakage.prior_reference import known_sets


@pytest.mark.parametrize("case", reference_cases("whg_given"))
def test_reference_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    graph = GivenEdges(given["first"], given["edges"])
    values, fast = graph.chain(), graph.fast()
    n = graph.n_tuples
    tolerance = {"rel": case["tol"], "abs": case["tol"]}
    for i, known, value in expected["nodes"]:
        assert values[i, column(n, i, known)] == pytest.approx(value, **tolerance)
    layer = n - np.bitwise_count(np.arange(values.shape[1]))
    maxima = [values[:, layer == number].max() for number in range(1, n + 1)]
    assert maxima == pytest.approx(expected["layer_max"], **tolerance)
    assert values.max() == pytest.approx(expected["leakage"], **tolerance)
    assert fast.layer_max == pytest.approx(tuple(expected["fast_layer_max"]), **tolerance)
    assert float(fast) == pytest.approx(expected["fast_leakage"], **tolerance)
    for i, known, value in expected["full_path_min_top"]:
        assert float(graph.complete_path_minimum(i, known)) == pytest.approx(value, **tolerance)


def test_values_say_what_they_are() -> None:
    graph = GivenEdges([1, 1], [(0, 1, [], 0.5), (1, 0, [], -0.25)])
    single = (graph.node(1), graph.node(0, [1]), graph.complete_path_minimum(1), graph.fast().leakage)
    assert [float(one) for one in single] == [0.75, 1.0, 0.75, 1.5]
    assert (
        {(one.status, one.unit) for one in single} == {(graph.status, graph.unit)} == {("as printed", "nats")}
    )
    assert [str(one.about) for one in single[:2]] == ["x2, knowing none", "x1, knowing x2"]
    with pytest.raises(AdversaryError):
        graph.node(2)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("mean", [-0.5, 0.0, 0.5])
def test_agrees_with_the_searches_written_out(n: int, mean: float) -> None:
    rng = np.random.default_rng(n)
    first = rng.random(n).tolist()
    gammas = {
        (i, j, frozenset(known)): [float(rng.normal(mean, 0.6))]
        for i in range(n)
        for known in known_sets(n, i)
        for j in set(range(n)) - {i, *known}
    }
    rows = [(i, j, sorted(known), gamma[0]) for (i, j, known), gamma in gammas.items()]
    rng.shuffle(rows)
    graph = GivenEdges(first, rows)
    values, _ = algorithm_1(first, gammas)
    got = graph.chain()
    assert got.size == len(values)
    for (i, known), value in values.items():
        assert got[i, column(n, i, known)] == pytest.approx(value, abs=1e-12)
        assert float(graph.complete_path_minimum(i, known)) == pytest.approx(
            smallest_path(first, gammas, i, sorted(known)), abs=1e-12
        )
    for nodes, wanted in zip(graph.fast().kept, algorithm_2(first, gammas), strict=True):
        assert [node[:2] for node in nodes] == [node[:2] for node in wanted]
        assert [node[2] for node in nodes] == pytest.approx([node[2] for node in wanted], abs=1e-12)


def test_the_edges_of_a_binary_table_give_its_estimates() -> None:
    table, instance = random_table((2,) * 5, seed=3)
    y = [[0.0, 1.0], [0.0, 2.0], [0.0, 1.0], [0.0, -1.0], [0.0, 0.5]]
    whole = chain_all(table, y, 0.8, instance)
    graph = GivenEdges([np.ptp(v) / 0.8 for v in y], whole.increments)
    np.testing.assert_array_equal(graph.chain(), whole.values)
    np.testing.assert_array_equal(graph.increments, whole.increments)
    for nodes, wanted in zip(graph.fast().kept, fast_search(table, y, 0.8, instance).kept, strict=True):
        assert [node[:2] for node in nodes] == [node[:2] for node in wanted]
        assert [node[2] for node in nodes] == pytest.approx([node[2] for node in wanted], abs=1e-11)


@pytest.mark.parametrize("sign", [1, -1])
def test_beta_draws_every_edge(sign: int) -> None:
    n, mean, concentration = 11, 0.3, 40.0
    graph = GivenEdges.beta(n, mean, concentration, rng=7, sign=sign)
    np.testing.assert_array_equal(graph.first, np.ones(n))
    for i in range(n):
        for c in (0, 5, 2 ** (n - 1) - 1):
            edges = ~np.isnan(graph.increments[i, c])
            assert set(np.flatnonzero(edges)) == set(range(n)) - {i, *known_of(n, i, c)}
    sizes = sign * graph.increments[~np.isnan(graph.increments)]
    assert sizes.size == n * (n - 1) * 2 ** (n - 2)
    assert 0 < sizes.min() < sizes.max() < 1
    # Mean and variance of the distribution, within five standard errors.
    variance = mean * (1 - mean) / (concentration + 1)
    assert sizes.mean() == pytest.approx(mean, abs=5 * np.sqrt(variance / sizes.size))
    assert sizes.var() == pytest.approx(variance, rel=5 * np.sqrt(3 / sizes.size))
    assert graph.mean_increment == pytest.approx(sign * sizes.mean(), rel=1e-12)


def test_simulation_of_fifteen_tuples() -> None:
    """Section VI, averCorr 0.5: full and fast search lie near the means over 30 runs, 4.72 and 10.53."""
    graph = GivenEdges.beta(15, 0.5, rng=0)
    values = graph.chain()
    assert values.shape == (15, 1 << 14)
    assert values.max() == pytest.approx(4.72, abs=0.4)
    assert float(graph.fast()) == pytest.approx(10.53, abs=1.0)
    assert graph.fast().layer_max[0] == 1.0
    falling = GivenEdges.beta(15, 0.5, rng=0, sign=-1)
    np.testing.assert_array_equal(falling.increments, -graph.increments)
    assert falling.chain().max() == 1.0


def test_is_a_value() -> None:
    graph = GivenEdges.beta(4, 0.4, rng=np.random.default_rng(1))
    assert graph == GivenEdges.beta(4, 0.4, rng=1)
    assert graph != GivenEdges.beta(4, 0.4, rng=2)
    assert graph != "graph"
    rows = [
        (i, j, known_of(4, i, c), graph.increments[i, c, j])
        for i, c, j in np.argwhere(~np.isnan(graph.increments)).tolist()
    ]
    same = GivenEdges([1, 1, 1, 1], rows)
    for made in (same, pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph)):
        assert made == graph
        assert hash(made) == hash(graph)
        for array in (made.first, made.increments, made.chain()):
            assert not array.flags.writeable
    assert hash(GivenEdges([0.0], [])) == hash(GivenEdges([-0.0], []))
    assert repr(graph).startswith("GivenEdges(4 tuples, 48 edges, mean increment 0.4")
    with pytest.raises(AttributeError, match="read-only"):
        graph.first = 1
    edges = np.array(graph.increments)
    own = GivenEdges([1] * 4, edges)
    edges[0] = 9.0
    assert own == graph


def test_a_single_tuple_has_no_edges() -> None:
    graph = GivenEdges([2.5], [])
    assert graph.chain().tolist() == [[2.5]]
    assert graph.fast().kept == (((0, (), 2.5),),)
    assert float(graph.complete_path_minimum(0)) == 2.5
    assert np.isnan(graph.mean_increment)


PAIR = [(0, 1, [], 0.5), (1, 0, [], 0.5)]


@pytest.mark.parametrize(
    ("first", "edges", "error", "message"),
    [
        ([1, 1], PAIR[:1], TableError, r"attacks tuple 1, forgets 0 and ends knowing none is missing \(1 "),
        ([1, 1, 1], PAIR, TableError, r"missing \(10 missing in all\)"),
        ([1, 1], [*PAIR, PAIR[0]], TableError, "forgets 1 .* given twice"),
        ([1, 1], [(0, 1, [], None), PAIR[1]], TableError, "is None; it is a finite number"),
        ([1, 1], [(0, 1, [], float("nan")), PAIR[1]], TableError, "is nan"),
        ([1, 1], [(0, 1, [], np.inf), PAIR[1]], TableError, "is inf"),
        ([1, 1], [(0, 1, [], "0.5"), PAIR[1]], TableError, "is '0.5'"),
        ([1, 1], [(0, 2, [], 0.5)], AdversaryError, "no tuple 2"),
        ([1, 1], [(0, 0, [], 0.5)], AdversaryError, "cannot forget tuple 0, which is attacked"),
        ([1, 1], [(0, 1, [1], 0.5)], AdversaryError, "cannot forget tuple 1, which is still known"),
        ([1, 1], [(0, 1, 0.5)], TableError, r"An edge is \(0, 1, 0.5\)"),
        ([1, 1], 5, TableError, "edges are 5"),
        ([1, -1], PAIR, TableError, r"layer 1 of tuple 1 is -1\.0"),
        ([np.nan, 1], PAIR, TableError, "layer 1"),
        (["a", 1], PAIR, TableError, "layer 1"),
        ([], [], TableError, "one for each tuple"),
        ([[1, 1]], PAIR, TableError, r"shape \(1, 2\)"),
        ([1] * 20, [], LimitError, r"20 tuples take 1\.7 GB"),
        ([1, 1], np.zeros((2, 2)), TableError, r"shape \(2, 2\).*must be \(2, 2, 2\)"),
        ([1, 1], np.full((2, 2, 2), np.nan), TableError, "2 missing in all"),
        ([1, 1], np.full((2, 2, 2), np.inf), TableError, "infinite"),
        ([1, 1], np.zeros((2, 2, 2)), AdversaryError, "no edge that attacks tuple 0, forgets 0"),
    ],
)
def test_names_the_culprit(first: Any, edges: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        GivenEdges(first, edges)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 0.5), DomainError, "number of tuples is 0"),
        ((2.5, 0.5), DomainError, "number of tuples is 2.5"),
        ((True, 0.5), DomainError, "number of tuples is True"),
        ((3, 0.0), DomainError, "mean is 0; it must lie between 0 and 1"),
        ((3, 1), DomainError, "mean is 1"),
        ((3, float("nan")), DomainError, "mean is nan"),
        ((3, "0.5"), DomainError, "mean is '0.5'"),
        ((3, 0.5, 0), DomainError, "concentration is 0"),
        ((3, 0.5, np.inf), DomainError, "concentration is inf"),
        ((20, 0.5), LimitError, r"1\.7 GB"),
    ],
)
def test_beta_names_the_culprit(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        GivenEdges.beta(*arguments, rng=1)


def test_other_faults() -> None:
    with pytest.raises(DomainError, match="sign is 0; it is 1 or -1"):
        GivenEdges.beta(3, 0.5, rng=1, sign=0)
    graph = GivenEdges([1, 1], PAIR)
    with pytest.raises(AdversaryError, match="no tuple 2"):
        graph.complete_path_minimum(2)
    with pytest.raises(AdversaryError, match="attacked and known"):
        graph.complete_path_minimum(0, [0])
