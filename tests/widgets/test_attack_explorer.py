"""The explorer of inferred locations without a screen: inputs, results, requests, and what it refuses."""

from __future__ import annotations

import gc
import json
import math
import weakref
from dataclasses import replace

import numpy as np
import pytest
import traitlets

from pdp_widgets import InferenceAttack, SocialNetwork, synthetic_network
from pdp_widgets.errors import (
    AdversaryError,
    BudgetError,
    DomainError,
    LimitError,
    NetworkError,
    PdpError,
)
from pdp_widgets.leakage.inference.attack_means import attack_means
from pdp_widgets.places import CheckIns, Friendships
from pdp_widgets.widgets.attack_explorer import AttackExplorer
from pdp_widgets.widgets.attack_views import results_state
from pdp_widgets.widgets.base import LOCK


@pytest.fixture(scope="module")
def city():
    return synthetic_network(200, rng=3).city("New York")


@pytest.fixture
def explorer(city):
    return AttackExplorer(city, clusters=4, rng=2, grid=10)


def test_it_shows_what_the_attack_finds(explorer, city):
    attack = InferenceAttack(city, explorer.victim, epsilon=40.0, clusters=4, grid=10, rng=2)
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


def lonely_city():
    """Users of whom the one with most friends is alone in a cell, and the next one among others far off."""
    when = "2010-10-19T23:55:27Z"
    places = [(40.0, -74.0)] * 4 + [(40.5, -73.5)] * 2 + [(41.0, -73.0)]
    rows = [(user, when, *place, str(place)) for user, place in enumerate(places)]
    pairs = [(6, user) for user in range(6)] + [(4, user) for user in range(4)] + [(0, 1), (0, 2)]
    return SocialNetwork(CheckIns(rows), Friendships(pairs))


def test_it_opens_on_somebody_who_can_be_found(city):
    alone = AttackExplorer(lonely_city(), clusters=2, grid=4, radius=0.3)
    # User 6 has most friends and is alone; user 4 has more than user 0, and nobody near.
    assert alone.victim == 0
    assert not alone.results.attack_2.impossible
    # Another network starts anew; a victim who is asked for stays, wherever she is.
    other = AttackExplorer(city, clusters=2, grid=4, radius=0.3)
    other.value = lonely_city()
    assert other.victim == 0
    other.victim = 6
    assert other.results.attack_2.impossible
    assert AttackExplorer(lonely_city(), 6, clusters=2, grid=4).victim == 6
    # With smoothing everybody can be found.
    assert AttackExplorer(lonely_city(), clusters=2, grid=4, smoothing=0.5, radius=2.0).victim == 6
    for seed in range(5):
        found = AttackExplorer(synthetic_network(70, rng=seed).city("New York"), clusters=2).results
        assert found.attack_2.impossible == (found.all_users().mass_before.max() == 0)
    everybody_alone = SocialNetwork(lonely_city().check_ins.only([0, 4, 6]), Friendships([(0, 4)]))
    assert AttackExplorer(everybody_alone, clusters=1, grid=4).victim == 0


def test_smoothing_is_an_input_as_others_are(explorer, city, ask):
    explorer.smoothing = 0.5
    expected = InferenceAttack(city, explorer.victim, epsilon=40.0, clusters=4, grid=10, rng=2, smoothing=0.5)
    assert explorer._view["city"]["smoothing"] == explorer.smoothing == explorer.results.smoothing == 0.5
    sent = explorer._view["results"]["attacks"][1]
    assert np.array_equal(np.frombuffer(sent["prior"]), expected.attack_2.prior)
    assert (np.frombuffer(sent["prior"]) > 0).all()
    ask(explorer, epsilon=3.0)
    assert explorer.results.smoothing == 0.5
    for wrong in (-1.0, math.nan, "much"):
        with pytest.raises((PdpError, traitlets.TraitError)):
            explorer.smoothing = wrong
        assert explorer.smoothing == 0.5
    with pytest.raises(PdpError, match="smoothing"):
        AttackExplorer(city, clusters=4, smoothing=-1)


def test_places_are_east_then_north(explorer, city):
    results = explorer._view["results"]
    north, east = city.points[city.position(explorer.victim)]
    assert results["truth"] == [east, north]
    assert len(results["friends"]) == len(explorer.results.friends) > 0
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
        ("value", 5, NetworkError),
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
    explorer.value = other
    assert explorer.value is other
    assert explorer.results.mechanism == "baseline"
    assert explorer.known == 0.5
    assert explorer.victim in other.users
    assert explorer._view["city"]["users"] == other.n


def test_without_data_it_opens_on_a_simulated_city():
    explorer = AttackExplorer()
    assert explorer._view["city"]["text"] == "Simulated New York, 155 users"
    assert (explorer.epsilon, explorer.grid, explorer.clusters) == (40.0, 20, 8)


def test_means_are_computed_beside_and_can_be_given_up(ask):
    explorer = AttackExplorer()
    with LOCK:
        assert explorer.busy
        assert explorer._view["current"]
        assert explorer._view["results"]["curves"] is None
        number = explorer._view["running"]["number"]
        message = {"method": "custom", "content": {"cancel": number}}
        explorer.comm.handle_msg({"content": {"data": message}, "buffers": []})
    assert not explorer.busy
    assert explorer._view["stopped"].startswith("Cancelled. Means over all users")
    # The next edit asks for them again, and what the victim's maps show is there at once.
    with LOCK:
        ask(explorer, victim=2)
        assert explorer._view["stopped"] is None
        assert explorer._view["current"]
        assert explorer._view["running"]["number"] != number
    explorer.wait()
    assert explorer._view["results"]["curves"] is not None
    assert explorer._view["results"]["mean"]["users"] == explorer.value.n


def test_curves_stay_while_a_budget_is_dragged_and_means_do_not(ask):
    explorer = AttackExplorer()
    explorer.wait()
    curves = explorer._view["results"]["curves"]
    with LOCK:
        ask(explorer, epsilon=31.0)
        results = explorer._view["results"]
        assert results["curves"] == curves
        assert results["mean"] is None
        assert results["attacks"][0]["draws"] is None
    explorer.wait()
    ask(explorer, draw=9)
    results = explorer._view["results"]
    assert None not in (results["mean"], results["attacks"][0]["draws"])
    assert not explorer.busy
    with LOCK:
        ask(explorer, weight=3.0)
        assert explorer._view["results"]["curves"] is None
    explorer.wait()


def test_a_hand_that_drags_at_once_does_not_keep_curves_from_being_drawn(ask):
    explorer = AttackExplorer()
    with LOCK:
        first = explorer._view["running"]["number"]
        ask(explorer, epsilon=31.0)
        curves = explorer._view["running"]["number"]
        assert curves != first
        for draw, epsilon in ((2, 32.0), (3, 33.0)):
            ask(explorer, epsilon=epsilon, draw=draw, victim=draw)
            assert explorer._view["running"]["number"] == curves
        ask(explorer, weight=2.0)
        assert explorer._view["running"]["number"] != curves
    explorer.wait()
    assert explorer.current
    expected = InferenceAttack(explorer.value, epsilon=33.0, weight=2.0).by_epsilon([33.0])
    assert explorer._view["results"]["mean"]["adds"] == pytest.approx(expected.incremental[1, 0])
    assert explorer.curves == explorer.results.by_epsilon()


def test_the_newest_edit_wins(explorer, ask):
    for epsilon in (5.0, 6.0, 7.0, 8.0):
        ask(explorer, epsilon=epsilon)
    explorer.wait()
    assert explorer._view["results"]["epsilon"] == explorer.epsilon == 8.0
    assert explorer.curves is not None
    mean = explorer._view["results"]["mean"]["adds"]
    assert mean == pytest.approx(explorer.results.by_epsilon([8.0]).incremental[1, 0])


def test_a_locked_explorer_answers_no_browser(explorer, ask):
    explorer.disabled = True
    before = explorer._view["results"]["epsilon"]
    ask(explorer, epsilon=3.0, victim=1)
    assert explorer._view["disabled"]
    assert explorer._view["results"]["epsilon"] == before
    explorer.epsilon = 3.0
    assert explorer._view["results"]["epsilon"] == 3.0


def test_a_request_on_another_network_is_not_answered(explorer, ask):
    old = explorer._view["revision"]
    explorer.value = synthetic_network(90, rng=8).city("New York")
    victim = explorer.victim
    ask(explorer, base=old, victim=0)
    assert explorer.victim == victim


def test_undo_is_a_request_that_restores_every_number(explorer, ask):
    explorer.wait()
    first = explorer._view["results"]
    kept = {name: explorer._view[name] for name in ("mechanism", "epsilon", "sensitivity", "victim", "draw")}
    kept |= {name: explorer._view[name] for name in ("weight", "known")}
    ask(explorer, mechanism="dpm", epsilon=2.0, sensitivity="unit", victim=1, weight=3.0, known=0.4, draw=2)
    assert explorer._view["results"] != first
    ask(explorer, **kept)
    explorer.wait()
    assert explorer._view["results"] == first


def test_two_explorers_linked_both_ways_settle(city):
    one, two = (AttackExplorer(city, clusters=3, grid=8) for _ in range(2))
    told = []
    one.observe(lambda change: told.append(change["new"]), "epsilon")
    link = traitlets.link((one, "epsilon"), (two, "epsilon"))
    two.epsilon = 3.0
    one.epsilon = 5.0
    assert (one.epsilon, two.epsilon) == (5.0, 5.0)
    assert told == [3.0, 5.0]
    link.unlink()


def test_a_callback_that_raises_is_told_and_the_next_edit_clears_it(explorer, ask):
    explorer.observe(lambda change: 1 / 0, "victim")
    ask(explorer, victim=2)
    assert "division" in explorer.error
    explorer.unobserve_all("victim")
    ask(explorer, epsilon=9.0)
    assert explorer.error is None


def test_a_closed_explorer_is_collected_while_it_computes():
    explorer = AttackExplorer()
    assert explorer.busy
    gone = weakref.ref(explorer)
    explorer.close()
    del explorer
    gc.collect()
    assert gone() is None


def test_the_state_stays_small(comms):
    network = synthetic_network(2600, mean_degree=20, rng=4)
    explorer = AttackExplorer(network, grid=39, clusters=60)
    assert len(explorer._view["city"]["victims"]) == 2000
    numbers = 4 * 8 * 39**2
    words = len(json.dumps(explorer._view, default=lambda one: ""))
    assert numbers + words < 200_000
    # Python may look for one who is not listed.
    listed = {int(one["label"]) for one in explorer._view["city"]["victims"]}
    hidden = next(user for user in network.users.tolist() if user not in listed)
    explorer.victim = hidden
    assert explorer._view["city"]["victims"][explorer._view["victim"]]["label"] == str(hidden)
    explorer.close()


def test_figures_and_tables_are_those_of_the_results(explorer, tmp_path):
    explorer.wait()
    for part in (None, "maps", "score", "leaked", "error", "all"):
        assert explorer.save(tmp_path / "figure.svg", part).read_text().startswith("<svg")
    with pytest.raises(DomainError, match="maps"):
        explorer.save(tmp_path / "figure.svg", "matrix")
    assert explorer.to_dataframe().equals(explorer.results.to_dataframe())
    assert "tabular" in explorer.to_latex()
    graph = explorer.to_networkx()
    assert graph.number_of_edges() == len(explorer.value.edges)
    assert explorer.plot(1).title.startswith("Attack 1")
    assert explorer.snapshot().text.startswith("The guess of attack 2 is off by 1.40 km. With ε = 40")


def test_the_page_is_told_that_one_draw_has_no_interval(explorer):
    explorer.wait()
    solved = explorer._core.solved
    for draws in (1, 2):
        late = replace(solved.late, means=attack_means(solved.attack, draws))
        told = results_state(replace(solved, late=late))["mean"]["half"]
        assert (told is None) is (draws == 1)
