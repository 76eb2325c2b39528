"""The attack on places as a whole: one user, all users, by budget, and what the paper says of it."""

import json
import pickle
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    AdversaryError,
    BudgetError,
    DomainError,
    InferenceAttack,
    SocialNetwork,
    synthetic_network,
)
from pdp_widgets.errors import NetworkError
from pdp_widgets.leakage.inference.attack_means import attack_means
from pdp_widgets.leakage.inference.attack_release import friend_factor
from pdp_widgets.leakage.inference.grid import cell_centres
from pdp_widgets.places import CheckIns, Friendships, great_circle_km
from pdp_widgets.verify import verify
from tests.leakage.inference import attack_reference as reference

KEYS = ("lpm", "dpm", "baseline")


@pytest.fixture(scope="module")
def city():
    return synthetic_network(450, rng=2).city("New York")


@pytest.fixture(scope="module")
def attack(city):
    return InferenceAttack(city, grid=10, epsilon=30.0)


def test_one_user_is_one_of_all(attack):
    everybody = attack.all_users(posteriors=True)
    for position in (0, 17, attack.network.n - 1):
        user = int(attack.network.users[position])
        one = attack.at(victim=user)
        for row, result in enumerate((one.attack_1, one.attack_2)):
            assert everybody.posteriors[row, position] == pytest.approx(result.posterior, abs=1e-14)
            for name in ("leaked", "incremental", "prior_gap", "error_km", "error_before_km", "mass"):
                assert getattr(everybody, name)[row, position] == pytest.approx(
                    getattr(result, name), abs=1e-9
                )
            assert result.posterior.sum() == pytest.approx(1)
            assert result.leaked_bits == pytest.approx(result.leaked / np.log(2))
        assert one.attack_1.prior_gap == 0


@given(st.integers(0, 2**31))
def test_the_attack_is_the_one_in_words(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 12))
    rows = [(user, "2010-10-19T23:55:27Z", *rng.uniform(40, 41, 2), user) for user in range(n)]
    edges = [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.4]
    network = SocialNetwork(CheckIns(rows), Friendships(edges))
    share = float(rng.choice([0.0, 0.5, 1.0]))
    made = InferenceAttack(
        network, int(rng.integers(n)), epsilon=20.0, grid=3, clusters=2, known=share, rng=seed
    )
    others = made.known.tolist()
    assert len(others) == round(share * (n - 1))
    points = network.points.tolist()
    wanted = reference.priors(points, made.victim, made.friends.tolist(), others, 3, 10.0, 0.1)
    for prior, result in zip(wanted, (made.attack_1, made.attack_2), strict=True):
        assert result.prior == pytest.approx(prior, abs=1e-12)
        after = reference.posterior(
            prior,
            points,
            made.clusters.assign.tolist(),
            made.clusters.centroids.tolist(),
            others,
            made.centroids.tolist(),
            made.scale,
            3,
        )
        assert result.posterior == pytest.approx(after, abs=1e-9)
        assert result.entropy == pytest.approx(reference.entropy(after), abs=1e-9)


def test_errors_are_from_the_place_to_the_centre_of_the_guess(attack):
    result = attack.attack_2
    centre = attack.network.degrees_of(cell_centres(10)[result.cell])
    assert result.guess == pytest.approx(tuple(centre))
    place = attack.network.places[attack.position]
    assert result.error_km == pytest.approx(float(great_circle_km(place, centre)))
    assert result.mass == result.posterior[attack.true_cell]
    assert result.cell == result.posterior.argmax()


def test_without_noise_worth_the_name_the_guess_is_near(city):
    sharp = InferenceAttack(city, epsilon=1e6, smoothing=1.0)
    found = sharp.all_users()
    # Half a diagonal of a cell, and a candidate that counts as the centre of its cell.
    assert np.median(found.error_km[0]) < 2
    assert found.mean("mass")[0] > 0.8


def test_a_worthless_release_adds_nothing_and_the_paper_sees_a_leak(attack):
    found = attack.at(epsilon=0.01).all_users()
    assert np.abs(found.incremental).max() < 0.01
    # More than the budget in the paper's measure, with nothing released.
    assert found.mean("leaked_bits")[1] > 0.5 > 0.01 / np.log(2)
    assert found.mean("leaked")[1] == pytest.approx(found.mean("prior_gap")[1], abs=1e-3)


def test_what_the_paper_observes_holds_in_its_own_measure(attack):
    curves = {key: attack.at(mechanism=key).by_epsilon([1.0, 10.0, 30.0, 100.0], draws=2) for key in KEYS}
    lpm, dpm = curves["lpm"], curves["dpm"]
    assert (lpm.leaked[1] > lpm.leaked[0]).all()
    assert (np.diff(lpm.leaked, axis=1) > -1e-9).all()
    assert (dpm.leaked <= lpm.leaked + 1e-3).all()
    assert lpm.error_km[1, -1] < lpm.error_km[1, 0]
    # And what it does not say: attack 2 gains less from the release, and no noise hides the prior gap.
    assert (lpm.incremental[1] < lpm.incremental[0] + 1e-9).all()
    assert dpm.leaked[1, 1] > 3 * lpm.leaked[0, 1]
    assert (lpm.incremental < lpm.epsilons).all()
    assert (curves["baseline"].scales > dpm.scales).all()


def test_scales(attack, city):
    assert attack.factor == 1
    assert attack.at(mechanism="baseline").factor == city.largest_component
    dpm = attack.at(mechanism="dpm")
    assert dpm.factor == friend_factor(10, int(city.degrees.max()), 30.0)
    assert dpm.scale == pytest.approx(dpm.factor * dpm.delta_q / 30)
    deltas = {
        key: attack.at(sensitivity=key).delta_q for key in ("unit", "local", "fixed_bound", "worst_case")
    }
    assert (deltas["unit"], deltas["worst_case"]) == (1, 16)
    assert deltas["local"] < deltas["fixed_bound"] < deltas["unit"]
    assert str(attack.promise).startswith("30 nats (as printed): user ")
    assert attack.epsilon_bits == pytest.approx(43.28, abs=0.01)


@pytest.mark.parametrize("sensitivity", ["unit", "local", "fixed_bound", "worst_case"])
@pytest.mark.parametrize("mechanism", ["lpm", "dpm", "baseline"])
@pytest.mark.parametrize("known", ["nobody", "half", "all but one", "all"])
def test_a_promise_is_a_bound_only_where_it_is_proved(city, sensitivity, mechanism, known):
    others = [user for user in city.users.tolist() if user != int(city.users[city.degrees.argmax()])]
    share = {"nobody": 0.0, "half": 0.5, "all but one": others[1:], "all": 1.0}[known]
    found = InferenceAttack(city, sensitivity=sensitivity, mechanism=mechanism, known=share)
    proved = sensitivity == "worst_case" and (mechanism == "baseline" or known == "all")
    assert found.formal is proved
    assert found.promise.status == ("bound" if proved else "as printed")


def test_a_list_of_all_others_is_all_that_is_known(city):
    victim = int(city.users[3])
    others = [user for user in city.users.tolist() if user != victim]
    assert InferenceAttack(city, victim, sensitivity="worst_case", known=others).formal


def test_noise_is_drawn_once_and_scaled(attack):
    clean = attack.clusters.centroids
    one, other = attack.at(epsilon=1.0), attack.at(epsilon=2.0)
    assert (one.centroids - clean) == pytest.approx(2 * (other.centroids - clean))
    assert not np.array_equal(one.centroids, one.at(draw=2).centroids)
    assert np.array_equal(one.centroids, one.at(draw=2).at(draw=1).centroids)
    again = InferenceAttack(attack.network, grid=10, epsilon=1.0, rng=0)
    assert np.array_equal(again.centroids, one.centroids)
    assert not np.array_equal(InferenceAttack(attack.network, epsilon=1.0, rng=1).centroids, one.centroids)


def test_draws_of_the_noise_one_by_one(attack):
    found = attack.by_draw(6)
    for draw in (1, 4, 6):
        one = attack.at(draw=draw)
        for row, result in enumerate((one.attack_1, one.attack_2)):
            assert found.error_km[row, draw - 1] == pytest.approx(result.error_km)
            assert found.mass[row, draw - 1] == pytest.approx(result.mass)
            assert found.leaked[row, draw - 1] == pytest.approx(result.leaked)
    assert found.mean_error_km == pytest.approx(found.error_km.mean(axis=1))
    assert found.mean_incremental_bits == pytest.approx(found.incremental.mean(axis=1) / np.log(2))
    assert pickle.loads(pickle.dumps(found)) == found != attack.by_draw(5)
    assert len(found.to_dataframe()) == 12
    for draws in (0, 1.5, 100_000):
        with pytest.raises(BudgetError, match="draws"):
            attack.by_draw(draws)


def test_extreme_budgets(attack):
    for epsilon in (1e-295, 1e-20, 1e20, 1e308):
        found = attack.at(epsilon=epsilon, mechanism="baseline").attack_2
        assert np.isfinite(found.posterior).all()
        assert found.posterior.sum() == pytest.approx(1)
    with pytest.raises(BudgetError, match="cannot be computed with"):
        attack.at(epsilon=1e-305).attack_1  # noqa: B018


def test_known_users_are_drawn_or_listed(attack, city):
    half = attack.at(known=0.5)
    assert len(half.known) == round(0.5 * (city.n - 1))
    assert half.victim not in half.known
    assert np.array_equal(half.clusters.centroids, attack.clusters.centroids)
    some = [int(user) for user in city.users[:5]]
    assert attack.at(known=some).known.tolist() == [user for user in some if user != attack.victim]
    nobody = attack.at(known=0.0)
    assert nobody.attack_1.prior == pytest.approx([0.01] * 100)
    assert np.array_equal(nobody.attack_1.posterior, nobody.attack_2.posterior)
    assert InferenceAttack(city, grid=10, epsilon=30.0, known=0.5).known.tolist() == half.known.tolist()
    with pytest.raises(NetworkError, match="no user"):
        attack.at(known=[-1])


@pytest.mark.parametrize("sensitivity", ["local", "fixed_bound", "worst_case", "unit"])
def test_noise_does_not_depend_on_who_attacks(attack, sensitivity):
    whole = attack.at(sensitivity=sensitivity)
    few = attack.at(sensitivity=sensitivity, known=0.3)
    assert (few.delta_q, few.scale) == (whole.delta_q, whole.scale)
    assert few.at(known=1.0).delta_q == whole.delta_q


def test_an_isolated_victim_has_one_prior(attack, city):
    lonely = int(city.users[city.degrees.argmin()])
    made = SocialNetwork(city.check_ins, Friendships([p for p in city.friendships if lonely not in p]))
    found = InferenceAttack(made, lonely, grid=10)
    assert np.array_equal(found.attack_1.prior, found.attack_2.prior)
    nobody = InferenceAttack(SocialNetwork(city.check_ins, Friendships([])), grid=10, mechanism="dpm")
    assert nobody.factor == nobody.at(mechanism="baseline").factor == 1


def test_two_users(city):
    rows = [(1, "2010-10-19T23:55:27Z", 40.0, -74.0, 1), (2, "2010-10-19T23:55:27Z", 41.0, -73.0, 2)]
    tiny = SocialNetwork(CheckIns(rows), Friendships([(1, 2)]))
    found = InferenceAttack(tiny, 1, clusters=1, grid=2)
    assert found.attack_1.prior.tolist() == found.attack_1.posterior.tolist() == [0, 0, 0, 1]
    assert found.attack_1.error_km > 50
    one = InferenceAttack(SocialNetwork(CheckIns(rows[:1]), Friendships([])), clusters=1, grid=1)
    assert (one.attack_1.leaked, one.delta_q, one.scale) == (0, 0, 0)


@pytest.mark.parametrize(
    ("given", "fault", "word"),
    [
        ({"epsilon": 0.0}, BudgetError, "epsilon"),
        ({"epsilon": -1.0}, BudgetError, "epsilon"),
        ({"epsilon": float("nan")}, BudgetError, "epsilon"),
        ({"epsilon": float("inf")}, BudgetError, "epsilon"),
        ({"clusters": 1000}, DomainError, "number of clusters"),
        ({"clusters": 0}, DomainError, "number of clusters"),
        ({"grid": 0}, DomainError, "grid"),
        ({"weight": 0.0}, BudgetError, "weight"),
        ({"radius": -1.0}, BudgetError, "radius"),
        ({"smoothing": float("nan")}, BudgetError, "smoothing"),
        ({"known": 2.0}, AdversaryError, "known"),
        ({"sensitivity": "global"}, DomainError, "sensitivity"),
        ({"mechanism": "gaussian"}, DomainError, "mechanism"),
        ({"coefficient": "x"}, DomainError, "coefficient"),
        ({"victim": -3}, NetworkError, "user"),
        ({"draw": 0}, DomainError, "draw"),
        ({"rng": -1}, DomainError, "rng"),
    ],
)
def test_what_cannot_be(city, given, fault, word):
    with pytest.raises(fault, match=word):
        InferenceAttack(city, **given)


def test_what_cannot_be_changed_or_asked_for(attack):
    with pytest.raises(DomainError, match="no parameter 'grid'"):
        attack.at(grid=5)
    with pytest.raises(NetworkError, match="SocialNetwork"):
        InferenceAttack([1, 2])
    for epsilons in ([], [0.0], ["a"], [float("inf")], [[1.0]]):
        with pytest.raises(BudgetError):
            attack.by_epsilon(epsilons)
    with pytest.raises(BudgetError, match="draws"):
        attack.by_epsilon([1.0], draws=0)
    for name in ("users", "h0", "_kept", 3, "mean"):
        with pytest.raises(DomainError, match="no number"):
            attack.all_users().mean(name)


def test_results_are_values(attack):
    everybody, curves = attack.all_users(), attack.by_epsilon([5.0, 1.0], draws=2)
    assert pickle.loads(pickle.dumps(attack)).attack_2 == attack.attack_2
    assert attack.attack_1 != attack.attack_2
    assert pickle.loads(pickle.dumps(everybody)) == everybody != attack.all_users(posteriors=True)
    assert pickle.loads(pickle.dumps(curves)) == curves
    assert curves.epsilons.tolist() == [1, 5]
    assert curves.leaked[:, 0] == pytest.approx(
        np.mean([attack.at(epsilon=1.0, draw=d).all_users().mean("leaked") for d in (1, 2)], axis=0)
    )
    assert curves.bound_bits == pytest.approx(curves.epsilons / np.log(2))
    frame = attack.to_dataframe()
    assert frame["leaked"].tolist() == [attack.attack_1.leaked, attack.attack_2.leaked]
    assert (frame.attrs["unit"]["leaked"], curves.to_dataframe().attrs["draws"]) == ("nats", 2)
    assert "attack" in attack.to_latex()
    assert "means over" in curves.to_latex()
    assert "leaked" in everybody.to_latex(most=3)
    told = []
    attack.by_epsilon([1.0, 2.0], draws=2, progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        attack.attack_1.posterior[0] = 1


def test_every_column_has_its_own_unit_and_the_paper_is_named(attack):
    results = (
        attack,
        attack.attack_2,
        attack.all_users(),
        attack.by_draw(3),
        attack.by_epsilon([1.0, 5.0], draws=2),
        attack_means(attack, 2),
    )
    counted = {"attack", "victim", "user", "draw", "row", "column"}
    for result in results:
        frame = result.to_dataframe()
        units, status = frame.attrs["unit"], frame.attrs["status"]
        assert set(units) == set(frame.columns) - counted
        assert set(status) == set(units) - {"epsilon", "scale"}
        assert frame.attrs["source"].startswith("Liu, Chakraborty and Mittal, NDSS 2016, Eq. ")
        for name, unit in units.items():
            assert (unit == "km", unit == "bits") == (name.endswith("_km"), name.endswith("_bits"))
            if unit == "bits":
                nats = name.removesuffix("_bits")
                assert units[nats] == "nats"
                assert frame[name].tolist() == pytest.approx((frame[nats] / np.log(2)).tolist())
    means = attack_means(attack, 2).to_dataframe().attrs["status"]
    assert (means["leaked"], means["prior_gap"], means["error_before_km"]) == ("estimate", "exact", "exact")


def lonely_city() -> SocialNetwork:
    """Six users in one place and one with most friends alone far off, and one with two friends nearby."""
    when = "2010-10-19T23:55:27Z"
    places = [(40.0, -74.0)] * 6 + [(41.0, -73.0)]
    rows = [(user, when, *place, f"p{place}") for user, place in enumerate(places)]
    return SocialNetwork(CheckIns(rows), Friendships([(6, user) for user in range(5)] + [(0, 1), (0, 2)]))


def test_a_victim_in_a_cell_where_nobody_is_known_is_told(city):
    attack = InferenceAttack(lonely_city(), clusters=2, grid=4, epsilon=50.0)
    assert attack.victim == 6
    for found in (attack.attack_1, attack.attack_2):
        assert found.impossible
        assert (found.mass_before, found.mass) == (0, 0)
    assert not attack.at(victim=0).attack_2.impossible
    smooth = attack.at(smoothing=0.1)
    assert not smooth.attack_2.impossible
    assert smooth.smoothing == 0.1
    assert min(smooth.attack_2.mass, smooth.attack_2.mass_before) > 0


def test_a_guess_that_is_one_of_many_is_told(attack, city):
    nobody = attack.at(known=0.0)
    cells = nobody.grid**2
    assert (nobody.attack_1.equal_before, nobody.attack_2.equal_before) == (cells, cells)
    assert nobody.attack_1.cell_before == 0
    for one in (attack, attack.at(epsilon=1e-9), attack.at(victim=int(city.users[5]), known=0.1)):
        for found in (one.attack_1, one.attack_2):
            for belief, cell, many in (
                (found.prior, found.cell_before, found.equal_before),
                (found.posterior, found.cell, found.equal),
            ):
                alike = np.flatnonzero(belief >= belief.max() * (1 - 1e-9))
                assert (cell, many) == (alike[0], len(alike))


def test_known_users_and_friends_are_users_all(attack, city):
    half = attack.at(known=0.5)
    assert set(half.known_friends.tolist()) == set(half.friends.tolist()) & set(half.known.tolist())
    assert attack.known_friends.tolist() == attack.friends.tolist()
    assert 0 < len(half.known_friends) < len(half.friends)


@pytest.mark.parametrize("which", [1, 2])
def test_a_map_has_the_belief_of_every_cell_and_the_places(attack, which):
    result = attack.attack_1 if which == 1 else attack.attack_2
    chart = attack._figures()["maps"]()[which - 1]
    assert attack._figures(attack=which)["maps"]()[0].title == chart.title
    assert chart.equal
    assert chart.title == f"Attack {which} on user {attack.victim}: {result.error_km:.1f} km off"
    cells, friends, guess, victim = chart.series
    # Dots are as large as the belief: their areas are its shares, and none is left out that can be seen.
    assert cells.amounts[0] == "probability"
    assert cells.amounts[1].sum() == pytest.approx(1.0, abs=0.01)
    areas = cells.sizes**2 / (cells.sizes**2).max()
    assert areas == pytest.approx(cells.amounts[1] / cells.amounts[1].max())
    shares = np.sort(result.posterior / result.posterior.max())[::-1][: len(areas)]
    assert np.sort(areas)[::-1] == pytest.approx(shares)
    assert shares[-1] < 0.01 or len(areas) == (result.posterior > 0).sum()
    north, east = attack.network.size_km
    place = attack.network.points[attack.position]
    assert (victim.x[0], victim.y[0]) == pytest.approx((place[1] * east, place[0] * north))
    assert len(friends.x) == len(attack.friends)
    apart = np.hypot(guess.x[0] - victim.x[0], guess.y[0] - victim.y[0])
    assert apart == pytest.approx(result.error_km, rel=0.05)


def test_curves_and_draws_are_drawn_with_their_numbers(attack):
    curves = attack.by_epsilon([1.0, 5.0], draws=1)
    leaked, error = (curves._figures()[part]() for part in ("leaked", "error"))
    assert [one.name for one in leaked.series][:2] == [
        "attack 2, as printed",
        "attack 2, added by the release",
    ]
    assert leaked.series[0].y.tolist() == curves.leaked_bits[1].tolist()
    assert leaked.levels[0].at == curves.prior_gap_bits[1]
    assert [one.y.tolist() for one in error.series] == curves.error_km.tolist()
    assert error.x.powers
    assert leaked.note == "Estimates: means over 163 users and 1 draw of the noise, LPM."
    for call in (lambda: attack.plot(3), lambda: curves.plot("x"), lambda: attack.by_draw(2).plot("mass")):
        with pytest.raises(DomainError):
            call()


@pytest.mark.parametrize("draws", [1, 2, 40])
def test_draws_are_counted_up_to_each_number(attack, draws):
    found = attack.by_draw(draws)
    charts = found._figures()["draws"]()
    for chart, numbers in zip(charts, (found.error_km, found.incremental / np.log(2)), strict=True):
        assert chart.title.endswith(f"{draws} draws" if draws > 1 else "1 draw")
        for line, row in zip(chart.series, numbers, strict=True):
            # To the right of a step all draws up to it are counted.
            counted = [line.y[line.x <= value][-1] for value in row]
            assert counted == pytest.approx([(row <= value).mean() for value in row])
            assert (line.y[0], line.y[-1]) == (0.0, 1.0)


def test_reference_cases_and_wrong_bands_fail():
    text = files("pdp_widgets").joinpath("data/vectors/ddp.json").read_text(encoding="utf-8")
    document = json.loads(text)
    case = next(c for c in document["cases"] if c["kind"] == "synthetic_statistics")
    assert str(verify([document | {"cases": [case]}])) == "1 of 1 cases pass"
    for name, band in (("mean_degree", [7.9, 8.0]), ("n_locations", 3), ("min_checkins", [11, 12])):
        bands = case["expected"]["bands"] | {name: band}
        report = verify([document | {"cases": [case | {"expected": {"bands": bands}}]}])
        assert name in report.failures[0]


def test_what_is_kept_about_all_users_belongs_to_what_is_asked(city):
    attack = InferenceAttack(city, grid=6, clusters=3, epsilon=20.0)
    asked = [
        {"weight": 3.0},
        {"weight": 10.0},
        {"radius": 0.3},
        {"smoothing": 0.5},
        {"known": 0.4},
        {"smoothing": 0.0, "known": 1.0},
    ]
    now: dict[str, Any] = {}
    found = []
    for changes in asked:
        attack.all_users()
        now |= changes
        attack = attack.at(**changes)
        alone = InferenceAttack(city, grid=6, clusters=3, epsilon=20.0, **now)
        found.append(attack.all_users(posteriors=True))
        assert found[-1] == alone.all_users(posteriors=True)
    assert len({one.before.tobytes() for one in found}) == len(asked) - 1


@pytest.mark.filterwarnings("error")
def test_beliefs_are_laws_however_much_is_smoothed(city):
    attack = InferenceAttack(city, grid=4, clusters=3, smoothing=1e100, weight=1e99)
    for belief in (attack.attack_1, attack.attack_2):
        assert belief.prior.sum() == pytest.approx(1)
        assert belief.posterior.sum() == pytest.approx(1)
    assert np.ptp(attack.attack_1.prior) == 0
    for smoothing in (1.1e100, 1.7e308, np.inf, np.nan, -1):
        with pytest.raises(BudgetError, match=r"smoothing is .*; it must be a number, 0 to 1e\+100"):
            InferenceAttack(city, grid=4, clusters=3, smoothing=smoothing)


@pytest.mark.parametrize("mechanism", [np.array(["lpm", "dpm"]), None, "LPM", 0, ["lpm"]])
def test_a_mechanism_is_one_of_three(city, mechanism):
    with pytest.raises(DomainError, match=r"The mechanism is .*; it is 'lpm', 'dpm' or 'baseline'"):
        InferenceAttack(city, mechanism=mechanism)
