"""Noise by friendships: numbers of the specification, and where a promise holds or does not, exactly."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, NetworkError, ScaleError
from pdp_widgets.leakage.dependent.correlated_sensitivity import graph_sensitivity
from pdp_widgets.leakage.dependent.friend_scale import (
    FRIEND_COEFFICIENTS,
    friend_coefficient,
    friend_kappa,
    friend_scale,
)
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph
from tests.conftest import few

TENTHS = [k / 10 for k in range(11)]
QUARTERS = [k / 4 for k in range(5)]


def leaks(joint, scale, query="sum"):
    return max(float(one) for one in dependent_leakage(joint, query, scale))


@given(st.floats(0.05, 2), st.floats(0.3, 4), st.integers(1, 12), st.floats(0.1, 8), st.integers(2, 6))
def test_kappa_is_the_root(b, c, degree, epsilon, k):
    model, places = FriendModel(1, b, c), np.linspace(0, 3, k).tolist()
    found = [friend_kappa(model, places, degree, epsilon, kind) for kind in FRIEND_COEFFICIENTS]
    for kappa, kind in zip(found, FRIEND_COEFFICIENTS, strict=True):
        assert 1 <= kappa <= 1 + degree
        assert kappa == pytest.approx(
            1 + degree * friend_coefficient(model, places, kappa * 3 / epsilon, kind)
        )
    # The kinds never decrease in this order; a bound never falls below a half.
    assert found[0] <= found[1] * (1 + 1e-9) <= found[2] * (1 + 2e-9)
    assert found[1] >= 1 + degree / 2 - 1e-9


def test_one_pair_keeps_the_promise_exactly_where_eq_26_holds_in_both_directions():
    model = FriendModel()
    for places, kappa, uniform in ((TENTHS, 1.3711, 1.0192), (QUARTERS, 1.4711, 1.0135)):
        found = friend_kappa(model, places, 1)
        assert found == pytest.approx(kappa, abs=5e-5)
        assert leaks(model.pair(places), found) <= 1 + 1e-9
        alike = model.pair(places, [1 / len(places)] * len(places))
        assert leaks(alike, found) == pytest.approx(uniform, abs=5e-5)
        assert leaks(alike, friend_kappa(model, places, 1, kind="mean")) <= 1


def test_a_chain_of_friends_passes_the_promise_with_any_coefficient():
    model, places, chain = FriendModel(1, 0.05, 3), [0, 1 / 3, 2 / 3, 1], FriendshipGraph.path(5)
    found = friend_scale(model, places, chain)
    assert found.kappas["mean"] == pytest.approx(2.9979, abs=5e-5)
    joint = model.forest(places, chain)
    assert leaks(joint, found.scales["dpm_mean"]) == pytest.approx(1.6635, abs=5e-5)
    assert not found.guaranteed("dpm_mean")
    assert leaks(joint, found.scales["baseline"]) <= 1 + 1e-9
    assert found.guaranteed("baseline")
    # The largest degree and one, as a size of blocks, is no bound: three is not five.
    assert leaks(joint, (chain.largest_degree + 1) * found.scales["lpm"]) > 1


@few()
@given(st.floats(0.05, 1), st.floats(0.5, 4), st.sampled_from([0.5, 1.0, 3.0]))
def test_what_is_said_to_be_guaranteed_is_so_for_pairs(b, c, epsilon):
    model, places = FriendModel(1, b, c), [0.0, 0.3, 1.0]
    found = friend_scale(model, places, FriendshipGraph(3, [(0, 1)]), epsilon)
    joint = model.forest(places, FriendshipGraph(3, [(0, 1)]))
    for name, scale in found.scales.items():
        for query in ("sum", "identity"):
            if found.guaranteed(name):
                assert leaks(joint, scale, query) <= epsilon * (1 + 1e-9)
    assert [name for name in found.scales if found.guaranteed(name)] == [
        "baseline",
        "dpm_exact",
        "dpm_mean",
        "dpm_eq18",
    ]


def test_graphs_without_edges_ask_for_nothing_more():
    found = friend_scale(FriendModel(), [0, 0.5, 1], FriendshipGraph(3), 0.5)
    assert set(found.scales.values()) == {2.0}
    assert all(found.guaranteed(name) for name in found.scales)
    assert friend_kappa(FriendModel(), [0, 0.5, 1], 0) == 1.0
    assert friend_kappa(FriendModel(), [0.5], 7) == 1.0
    alone = friend_scale(FriendModel(), [0.5], FriendshipGraph.path(3))
    assert set(alone.scales.values()) == {0.0}


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.floats(0, 1))
def test_rows_add_up_friends(seed, n, coefficient):
    rng = np.random.default_rng(seed)
    linked = np.triu(rng.random((n, n)) < 0.4, 1)
    graph, reach = FriendshipGraph(n, np.argwhere(linked)), rng.exponential(size=n)
    found = graph_sensitivity(graph, coefficient, reach, 2.0)
    assert found.rows == pytest.approx(reach + coefficient * (linked | linked.T) @ reach)
    assert (found.scale, found.scale_lpm) == (
        pytest.approx(found.rows.max() / 2),
        pytest.approx(reach.max() / 2),
    )


def test_a_table_of_mechanisms():
    found = friend_scale(FriendModel(), QUARTERS, FriendshipGraph.path(3))
    frame = found.to_dataframe()
    assert frame.mechanism.tolist() == ["lpm", "baseline", "dpm_exact", "dpm_mean", "dpm_eq18"]
    assert frame.guaranteed.tolist() == [False, True, False, False, False]
    assert frame.attrs["largest_component"] == 3
    assert "baseline & 3.00" in found.to_latex()
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    # Kinds by name hold at the scale that follows.
    for kind in FRIEND_COEFFICIENTS:
        assert found.kappas[kind] == pytest.approx(1 + 2 * found.coefficients[kind])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: friend_kappa(FriendModel(), [0, 1], -1), BudgetError, "largest_degree is -1"),
        (lambda: friend_kappa(FriendModel(), [0, 1], 1, 0), BudgetError, "epsilon is 0"),
        (lambda: friend_kappa(FriendModel(), [0, 1], 1, math.nan), BudgetError, "epsilon is nan"),
        (lambda: friend_scale(FriendModel(), [0, 1], [(0, 1)]), NetworkError, "graph is a list"),
        (lambda: friend_scale("Eq. 26", [0, 1], FriendshipGraph(2)), NetworkError, "model is a str"),
        (
            lambda: friend_kappa(FriendModel(), [0, 1], 10**400),
            BudgetError,
            "largest_degree is an integer of",
        ),
        (lambda: graph_sensitivity(FriendshipGraph(2), 1.5), BudgetError, "coefficient is 1.5"),
        (lambda: graph_sensitivity(FriendshipGraph(2), 0.5, [1, 2, 3]), NetworkError, "each of 2 users"),
        (lambda: graph_sensitivity(FriendshipGraph(2), 0.5, -1), NetworkError, "sensitivities holds -1"),
        (
            lambda: friend_scale(FriendModel(), [0, 1], FriendshipGraph(2)).guaranteed("dpm"),
            NetworkError,
            "no mechanism 'dpm'",
        ),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["exact", "mean", "eq18", "eq18_per_term"])
def test_noise_that_is_none_beside_the_places_is_refused(kind):
    model, places = FriendModel(), [0.0, 0.5, 1.0]
    with pytest.raises(
        ScaleError, match=r"The scale 4.94066e-324 is too small beside outputs that are 1 apart"
    ):
        friend_coefficient(model, places, 5e-324, kind)
    # As little noise as can be computed with: bounds are those of the farthest or the mean place.
    found = friend_coefficient(model, places, 1e-300, kind)
    limit = friend_coefficient(model, places, 1e-9, kind)
    assert found == pytest.approx(limit, abs=1e-7)
