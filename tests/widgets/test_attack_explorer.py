"""The explorer of inferred locations without a screen: inputs, results, requests, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pdp_widgets import InferenceAttack, synthetic_network
from pdp_widgets.errors import (
    AdversaryError,
    BudgetError,
    DomainError,
    LimitError,
    NetworkError,
    PdpError,
)
from pdp_widgets.widgets.attack_explorer import AttackExplorer


@pytest.fixture(scope="module")
def city():
    return synthetic_network(200, rng=3).city("New York")


@pytest.fixture
def explorer(city):
    return AttackExplorer(city, clusters=4, rng=2, grid=10)


def test_it_shows_what_the_attack_finds(explorer, city):
    attack = InferenceAttack(city, epsilon=40.0, clusters=4, grid=10, rng=2)
    explorer.wait()
    for place, found in enumerate((attack.attack_1, attack.attack_2)):
        state = explorer._view["results"]["attacks"][place]
        assert np.array_equal(np.frombuffer(state["posterior"]), found.posterior)
        assert np.array_equal(np.frombuffer(state["prior"]), found.prior)
        assert state["error"] == [found.error_before_km, found.error_km]
        assert math.isclose(state["gap"] + state["adds"], state["printed"], abs_tol=1e-12)
        assert state["draws"] == {"error": attack.by_draw(400).mean_error_km[place], "count": 400}
    curves = attack.by_epsilon()
    sent = explorer._view["results"]["curves"]
    assert np.array_equal(np.frombuffer(sent["printed"]), curves.leaked[1])
    assert np.array_equal(np.frombuffer(sent["adds"][0]), curves.incremental[0])
    here = attack.by_epsilon([40.0])
    mean = explorer._view["results"]["mean"]
    assert mean["adds"] == pytest.approx(here.incremental[1, 0], abs=1e-12)
    assert mean["error"] == pytest.approx(here.error_km[:, 0])


def test_places_are_east_then_north(explorer, city):
    results = explorer._view["results"]
    north, east = city.points[city.position(explorer.victim)]
    assert results["truth"] == [east, north]
    assert len(results["friends"]) == city.degrees.max()
    assert explorer._view["city"]["size"] == list(city.size_km)[::-1]


def test_a_request_is_answered_and_what_it_does_not_carry_stays(explorer, city, ask):
    ask(explorer, epsilon=7.0, victim=3, draw=5)
    view = explorer._view
    assert (view["epsilon"], view["victim"], view["draw"], view["weight"]) == (7.0, 3, 5, 10.0)
    assert explorer.victim == city.users[3]
    expected = InferenceAttack(city, explorer.victim, epsilon=7.0, clusters=4, grid=10, rng=2, draw=5)
    assert np.array_equal(
        np.frombuffer(view["results"]["attacks"][1]["posterior"]), expected.attack_2.posterior
    )


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("epsilon", 0.0, "epsilon is 0"),
        ("epsilon", "Infinity", "epsilon is inf"),
        ("weight", -1, "weight is -1"),
        ("known", 1.5, "known is 1.5"),
        ("known", "NaN", "known is nan"),
    ],
)
def test_a_wrong_number_of_a_browser_is_a_fault_and_results_stay(explorer, ask, name, value, words):
    before = explorer._view["results"]["attacks"][1]["posterior"]
    ask(explorer, **{name: value})
    assert explorer._view["fault"]["text"].startswith(words)
    assert explorer._view["fault"]["where"] == {"kind": "parameter", "name": name}
    assert explorer._view["results"]["attacks"][1]["posterior"] == before
    assert not explorer._view["current"]
    # Another control still answers.
    ask(explorer, draw=2)
    assert explorer._view["draw"] == 2
    assert explorer.draw == 2
    ask(explorer, **{name: 1.0})
    assert explorer._view["fault"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"mechanism": "none"},
        {"sensitivity": 3},
        {"victim": 1.5},
        {"victim": [1]},
        {"draw": "2"},
        {"draw": None},
    ],
)
def test_what_no_page_sends_changes_nothing(explorer, ask, wrong):
    before = {**explorer._view["results"]}
    ask(explorer, **wrong)
    assert explorer._view["fault"] is not None
    assert explorer._view["results"] == before


@pytest.mark.parametrize("place", [-1, 10**9])
def test_a_victim_that_is_not_listed_is_nobody(explorer, ask, place):
    victim = explorer.victim
    ask(explorer, victim=place, draw=-4)
    assert explorer.victim == victim
    assert explorer.draw == 1


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("epsilon", -1, BudgetError),
        ("epsilon", "much", BudgetError),
        ("weight", math.nan, BudgetError),
        ("known", 2, AdversaryError),
        ("known", [1, 2], AdversaryError),
        ("mechanism", "laplace", DomainError),
        ("sensitivity", "global", DomainError),
        ("victim", -5, NetworkError),
        ("draw", 0, DomainError),
        ("grid", 51, LimitError),
        ("grid", 0, DomainError),
        ("clusters", 61, LimitError),
        ("network", 5, NetworkError),
        ("radius", -1, BudgetError),
    ],
)
def test_python_is_refused_and_nothing_changes(explorer, name, value, error):
    before = {**explorer._view}
    with pytest.raises(error) as found:
        setattr(explorer, name, value)
    assert isinstance(found.value, PdpError)
    assert explorer._view == before


def test_another_network_keeps_what_fits(explorer):
    explorer.mechanism, explorer.known = "baseline", 0.5
    other = synthetic_network(90, rng=8).city("New York")
    explorer.network = other
    assert explorer.network is other
    assert explorer.results.mechanism == "baseline"
    assert explorer.known == 0.5
    assert explorer.victim in other.users
    assert explorer._view["city"]["users"] == other.n


def test_without_data_it_opens_on_a_simulated_city():
    explorer = AttackExplorer()
    assert explorer._view["city"]["text"] == "Simulated New York, 155 users"
    assert (explorer.epsilon, explorer.grid, explorer.clusters) == (40.0, 20, 8)
