"""A page without a kernel infers places as Python does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pdp_widgets import AttackExplorer, InferenceAttack, SocialNetwork
from pdp_widgets.leakage.inference.attack_curves import AttackCurves, attack_curves
from pdp_widgets.leakage.inference.attack_release import friend_factor
from pdp_widgets.models.check_ins import CheckIns
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.publish.page import html
from pdp_widgets.widgets.attack_state import AttackState
from pdp_widgets.widgets.attack_views import attack_embedded
from pdp_widgets.widgets.wire import fault_of, json_safe
from tests.publish.browser_numbers import Comparison, answers
from tests.publish.test_shared_cases import LIMITS


def test_noise_is_that_of_numpy():
    seeds = [[0, 1, 1], [5, 1, 999_999_999], [2**32, 1, 7], [2**62 - 1, 1, 2**30], [1, 2], [2**63, 3]]
    asked = [{"seed": [str(part) for part in seed], "count": 300} for seed in seeds]
    found = answers([["attackNoise", asked]])[0]
    for seed, noise in zip(seeds, found, strict=True):
        np.testing.assert_allclose(noise, np.random.default_rng(seed).laplace(size=300), rtol=1e-14)


def test_factors_of_friends_are_those_of_python():
    asked = [
        {"grid": grid, "friends": friends, "epsilon": epsilon}
        for grid in (1, 2, 3, 7, 20)
        for friends in (0, 1, 3, 21)
        for epsilon in (1e-320, 1e-302, 1e-17, 1e-6, 0.01, 0.3, 1.0, 7.5, 40.0, 400.0, 1e6)
    ]
    comparison = Comparison(tolerance=1e-11)
    expected = [friend_factor(**one) for one in asked]
    comparison.compare(answers([["attackFactors", asked]])[0], expected)
    assert comparison.wrong == []


def _network(rng: np.random.Generator, n: int) -> SocialNetwork:
    """Return users in clumps, some at one place, with friends at random."""
    middles = rng.uniform((40.5, -74.2), (40.9, -73.7), (4, 2))
    places = middles[rng.integers(4, size=n)] + rng.normal(0, 0.03, (n, 2))
    places[rng.random(n) < 0.1] = places[0]
    rows = [
        (3 * user + 1, "2010-10-19T23:55:27Z", float(a), float(b), f"p{user}")
        for user, (a, b) in enumerate(places)
    ]
    pairs = rng.integers(0, n, (3 * n, 2))
    pairs = 3 * pairs[pairs[:, 0] != pairs[:, 1]] + 1
    return SocialNetwork(CheckIns(rows), Friendships(pairs.tolist()), "A <town>")


def _request(rng: np.random.Generator, n: int) -> dict[str, Any]:
    """Return what a hand might set, sound or not."""
    kinds: list[dict[str, Any]] = [
        {"epsilon": float(np.exp(rng.uniform(-5, 8)))},
        {"epsilon": float(rng.choice([0.0, -1.0, 1e-320, 1e5, 3e-302]))},
        {"epsilon": "Infinity"},
        {"epsilon": "NaN"},
        {"mechanism": str(rng.choice(["lpm", "dpm", "baseline"]))},
        {"sensitivity": str(rng.choice(["unit", "local", "fixed_bound", "worst_case"]))},
        {"victim": int(rng.integers(n))},
        {"victim": int(rng.choice([-1, n, 10**9]))},
        {"weight": float(np.exp(rng.uniform(-3, 5)))},
        {"weight": float(rng.choice([0.0, -2.5, 1.0]))},
        {"known": float(rng.random())},
        {"known": float(rng.choice([0.0, 1.0, 1.5, -0.1, 1e-7, 1e22]))},
        {"draw": int(rng.integers(1, 10**9))},
        {"draw": int(rng.choice([0, 1, 2, 10**9, 10**9 + 1]))},
        {},
    ]
    made: dict[str, Any] = {}
    for kind in rng.choice(len(kinds), 2, replace=False):
        made |= kinds[int(kind)]
    return made


def _state(network: SocialNetwork | None = None, **given: Any) -> AttackState:
    """Return an explorer without a screen; all that takes long is there."""
    usual = {"victim": None, "mechanism": "lpm", "epsilon": 40.0, "sensitivity": "local", "weight": 10.0}
    usual |= {"known": 1.0, "grid": 20, "clusters": 8, "radius": 0.1, "rng": 0, "draw": 1, "smoothing": 0.0}
    return _waited(AttackState(AttackExplorer.declared, network, **(usual | given)))


def _waited(core: AttackState) -> AttackState:
    while (now := core.running) is not None:
        core.take(now.number, now.inputs.run(core.solved))
    return core


def _view(core: AttackState) -> dict[str, Any]:
    view: dict[str, Any] = json_safe(core.state() | {"fault": fault_of(core.fault)})
    return view


def _embedded(core: AttackState) -> dict[str, Any]:
    return attack_embedded(core.attack, core.solved.inputs)


def _check(core: AttackState, requests: list[dict[str, Any]], curves: bool) -> int:
    """Compare the views of a page with those of Python; return how many numbers there were."""
    first, embedded, views = _view(core), _embedded(core), []
    for request in requests:
        core.ask(request)
        views.append(_view(_waited(core)))
    numbers = 0
    found = answers([["attackViews", first, requests, embedded]])[0]
    for request, answer, view in zip(requests, found, views, strict=True):
        if not curves:
            answer["results"].pop("curves"), view["results"].pop("curves")
        comparison = Comparison(tolerance=1e-9)
        comparison.compare(answer, view)
        assert comparison.wrong == [], request
        numbers += comparison.numbers
    return numbers


@pytest.fixture
def one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Curves of one budget: where a page's own are not compared, those of Python need not be waited for."""

    def few(attack: InferenceAttack, draws: int, progress: Any, **_: Any) -> AttackCurves:
        return attack_curves(attack, [2.0], draws, progress)

    monkeypatch.setattr(InferenceAttack, "by_epsilon", few)


@pytest.mark.usefixtures("one_budget")
@pytest.mark.parametrize("seed", range(5))
def test_views_after_what_a_hand_sets_are_those_of_python(seed: int):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, 5, 30, 30]))
    clusters = int(rng.integers(1, min(n, 11) + 1))
    core = _state(
        _network(rng, n),
        epsilon=float(np.exp(rng.uniform(-1, 5))),
        grid=int(rng.choice([1, 4, 9])),
        clusters=clusters,
        rng=seed,
        radius=float(rng.choice([0.0, 0.1, 0.3])),
        known=float(rng.choice([1.0, 0.4, 0.0])),
        smoothing=float(rng.choice([0.0, 0.0, 0.3])),
    )
    assert _check(core, [_request(rng, n) for _ in range(25)], curves=False) > 500


def test_curves_that_a_page_computes_are_those_of_python():
    rng = np.random.default_rng(0)
    core = _state(_network(rng, 25), grid=8, clusters=3, rng=0)
    requests = [
        {"weight": 3.0},
        {"known": 0.3},
        {"mechanism": "dpm"},
        {"sensitivity": "worst_case", "weight": 10.0},
        {"victim": 4, "epsilon": 7.0},
        {"sensitivity": "local", "mechanism": "lpm", "known": 1.0},
    ]
    assert _check(core, requests, curves=True) > 1000


@pytest.mark.usefixtures("one_budget")
def test_the_city_an_explorer_opens_on_lives_in_a_page():
    requests = [
        {"epsilon": 12.5},
        {"weight": 25.0},
        {"known": 0.6},
        {"victim": 3, "draw": 17},
        {"mechanism": "dpm"},
        {"mechanism": "baseline", "sensitivity": "worst_case"},
        {"weight": 10.0, "known": 1.0, "mechanism": "lpm", "sensitivity": "local"},
    ]
    assert _check(_state(), requests, curves=False) > 4000


def test_a_wrong_number_that_was_published_leaves_the_results_of_the_last_right_one():
    core = _state(_network(np.random.default_rng(1), 30), grid=6, clusters=3, weight=4.0)
    core.ask({"weight": -3.0})
    assert core.fault is not None
    assert _check(core, [{"epsilon": 3.0}, {"known": "NaN"}, {"weight": 5.0}], curves=False) > 100


def test_networks_are_embedded_up_to_what_a_page_computes():
    most = LIMITS["attack"]
    rng = np.random.default_rng(2)
    inputs = _state(_network(rng, 12), grid=2, clusters=2).solved.inputs
    for users, grid, clusters, fits in (
        (200, 50, 40, True),
        (201, 50, 40, False),
        (most["users"], 4, 2, True),
        (most["users"] + 1, 4, 2, False),
    ):
        attack = InferenceAttack(_network(rng, users), grid=grid, clusters=clusters)
        work = users * grid**2 * clusters
        within = users <= most["users"] and len(attack.network.edges) <= most["friendships"]
        assert (within and work <= most["work"]) is fits
        assert bool(attack_embedded(attack, inputs)) is fits
    network = _network(rng, 400)
    friends = SocialNetwork(network.check_ins, Friendships(_pairs(network.users, most["friendships"] + 1)))
    assert attack_embedded(InferenceAttack(friends, grid=2, clusters=2), inputs) == {}
    friends = SocialNetwork(network.check_ins, Friendships(_pairs(network.users, most["friendships"])))
    assert attack_embedded(InferenceAttack(friends, grid=2, clusters=2), inputs)


def _pairs(users: Any, many: int) -> list[tuple[int, int]]:
    first, second = np.triu_indices(len(users), 1)
    return list(zip(users[first[:many]].tolist(), users[second[:many]].tolist(), strict=True))


def test_the_seed_is_embedded_as_digits_that_a_float_would_not_keep():
    attack = _state(_network(np.random.default_rng(3), 12), grid=4, clusters=2).attack
    assert attack.setting.seed > 2**53


def test_the_page_of_the_largest_city_that_is_embedded_is_small(tmp_path):
    most = LIMITS["attack"]
    many = _network(np.random.default_rng(4), most["users"])
    friends = Friendships(_pairs(many.users, most["friendships"]))
    explorer = AttackExplorer(SocialNetwork(many.check_ins, friends), grid=20, clusters=8)
    explorer.cancel()
    page = html(explorer, tmp_path / "page.html")
    explorer.close()
    assert explorer._embedded()
    # A quarter of it is the picture, with 400 friends in each of two maps.
    assert 250_000 < page.stat().st_size < 560_000
    explorer = AttackExplorer()
    explorer.cancel()
    assert html(explorer, page, overwrite=True).stat().st_size < 300_000
    explorer.close()
