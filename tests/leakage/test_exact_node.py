"""One adversary: leakage in both conventions, densities, log ratios, posteriors, and faulty input."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    AdversaryError,
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    QueryError,
    lsat6,
    prior_leakage,
)
from pdp_widgets.prior import PriorAdversary
from tests.leakage.prior_reference import densities, known_sets, leakage, models


def simple(table, domains=None, scale=1.0, names=None):
    joint = JointDistribution(table, domains, names)
    return joint, LaplaceMechanism(LinearQuery.sum(joint), scale)


A = [[0.3, 0.2], [0.2, 0.3]]


@given(models(max_tuples=3), st.data())
def test_worst_case_is_the_largest_over_known_values(model, data):
    joint, mechanism, _ = model
    n = joint.n_tuples
    i = data.draw(st.integers(0, n - 1))
    known = data.draw(st.sampled_from(list(known_sets(n, i))))
    expected, fixed = 0.0, True
    for values in product(*(range(joint.shape[k]) for k in known)):
        where = [slice(None)] * n
        for k, p in zip(known, values, strict=True):
            where[k] = p
        if joint.table[tuple(where)].any():
            labels = dict(zip(known, values, strict=True))
            one, det = leakage(joint.table, mechanism.query.contributions, mechanism.scale, i, labels)
            expected, fixed = max(expected, one), fixed and det
    found = prior_leakage(joint, mechanism, i, known, convention="sup")
    assert float(found) == pytest.approx(expected, abs=1e-11, rel=1e-11)
    assert found.determined == fixed
    assert found.convention == "sup"
    if not fixed:
        # The value is reached at the known values and the release it names.
        there = PriorAdversary(joint, mechanism, i, dict(found.attained.known))
        gain = there.log_ratio(*found.attained.pair, found.attained.r)
        assert float(gain) == pytest.approx(float(found), abs=1e-9)


def test_a_worst_case_of_zero_is_reached_where_there_is_a_choice():
    # With x2 = 0 the target is determined; with x2 = 1 it is not, but moves nothing.
    joint = JointDistribution([[0.5, 0.25], [0.0, 0.25]])
    mechanism = LaplaceMechanism(LinearQuery([[1, 1], [0, 1]]), 1.0)
    found = prior_leakage(joint, mechanism, 0, [1], convention="sup")
    assert (float(found), found.determined) == (0.0, False)
    assert found.attained.known == (("x2", 1),)


@given(models(), st.data())
def test_densities_ratios_and_the_place_of_the_maximum(model, data):
    joint, mechanism, row = model
    n = joint.n_tuples
    i = data.draw(st.integers(0, n - 1))
    known = {k: row[k] for k in data.draw(st.sampled_from(list(known_sets(n, i))))}
    adversary = PriorAdversary(joint, mechanism, i, known)
    r = data.draw(st.lists(st.floats(-60, 60), min_size=1, max_size=4))
    expected = [
        densities(joint.table, mechanism.query.contributions, mechanism.scale, i, known, x) for x in r
    ]
    feasible = adversary.feasible
    assert set(feasible) == set(expected[0])
    for v in feasible:
        mixture = adversary.mixtures()[v]
        logs = np.array([e[v] - math.log(2 * mechanism.scale) for e in expected])
        np.testing.assert_allclose(mixture.log_density(r), logs, atol=1e-9)
        # Far from all centres the density is below the smallest normal number.
        np.testing.assert_allclose(adversary.density(v, r), np.exp(logs), rtol=1e-8, atol=1e-300)
        assert mixture.weights.sum() == pytest.approx(1)
        for w in feasible:
            np.testing.assert_allclose(
                adversary.log_ratio(v, w, r), [e[v] - e[w] for e in expected], atol=1e-9
            )
    found = adversary.leakage
    if found.determined:
        assert len(feasible) < 2
        assert found.attained is None
        return
    place, (more, less) = found.attained, found.attained.pair
    assert float(adversary.log_ratio(more, less, place.r)) == pytest.approx(float(found), abs=1e-9)
    if place.side != "=":
        beyond = place.r + (100 if place.side == ">=" else -100)
        assert float(adversary.log_ratio(more, less, beyond)) == pytest.approx(float(found), abs=1e-9)


@given(models(), st.data())
def test_gain_is_the_change_of_the_log_odds(model, data):
    """Eq. 3, and the posterior is a distribution at every release, infinite ones included."""
    joint, mechanism, row = model
    i = data.draw(st.integers(0, joint.n_tuples - 1))
    known = {k: row[k] for k in data.draw(st.sampled_from(list(known_sets(joint.n_tuples, i))))}
    adversary = PriorAdversary(joint, mechanism, i, known)
    r = [-math.inf, -3.0, 0.4, 2.0, 1e300, math.inf]
    posterior = adversary.posterior(r)
    assert posterior.shape == (6, joint.shape[i])
    np.testing.assert_allclose(posterior.sum(axis=-1), 1, atol=1e-12)
    for a, b in product(range(joint.shape[i]), repeat=2):
        gain = adversary.gain(a, b, r)
        if a in adversary.feasible and b in adversary.feasible:
            odds = np.log(posterior[:, a] / posterior[:, b])
            prior = np.log(adversary.prior[a] / adversary.prior[b])
            np.testing.assert_allclose(gain, odds - prior, atol=1e-8)
            assert (gain[0], gain[-1]) == pytest.approx(adversary.ends(a, b), abs=1e-9)
        else:
            assert not gain.any()
            assert not posterior[:, [p for p in (a, b) if p not in adversary.feasible]].any()


@pytest.mark.parametrize(
    ("table", "domains", "expected"),
    [
        (A, None, 1.1853759032507),
        ([[0.2, 0.3], [0.3, 0.2]], None, 0.8146240967493),
        ([[0.49, 0.01], [0.01, 0.49]], None, 1.953489),
        ([[0.5, 0], [0, 0.5]], None, 2.0),
        ([[0.5, 0], [0, 0.5]], [[0, 1], [0, 5]], 6.0),
        ([[0.5, 0], [0.25, 0.25]], None, 1 + math.log((1 + math.e) / 2)),
        ([[0.25, 0, 0.25], [0, 0.5, 0]], [[0, 1], [0, 4, 10]], 5.0),
        ([[0.3, 0.03], [0.03, 0.3], [0.3, 0.04]], None, 2.0390),
    ],
)
def test_worked_numbers(table, domains, expected):
    """Section 10 of the specification: the paper's examples and the counterexamples."""
    joint, mechanism = simple(table, domains)
    assert float(prior_leakage(joint, mechanism, 0)) == pytest.approx(expected, abs=5e-5)


def test_a_maximum_inside_the_support_is_named_as_a_point():
    joint, mechanism = simple([[0.25, 0, 0.25], [0, 0.5, 0]], [[0, 1], [0, 4, 10]])
    attained = prior_leakage(joint, mechanism, 0).attained
    assert (attained.r, attained.side, attained.pair) == (5.0, "=", (1, 0))
    low, high = PriorAdversary(joint, mechanism, 0).ends(1, 0)
    assert (low, high) == pytest.approx((-4.306898218, -4.306898218))


def test_attained_in_units_of_the_query_with_an_offset():
    joint = JointDistribution(A)
    mechanism = LaplaceMechanism(LinearQuery([[100, 101], [-7, -6]]), 1.0)
    adversary = PriorAdversary(joint, mechanism, 0, {1: 1})
    assert adversary.leakage.attained.r in (94.0, 95.0)
    assert adversary.mixtures()[1].centres.tolist() == [95.0]
    assert float(adversary.density(1, 95.0)) == pytest.approx(0.5)


def test_leakage_says_what_it_is():
    joint = lsat6()
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    found = prior_leakage(joint, mechanism, "item 1", {"item 2": 0, 4: 1})
    assert (found.status, found.unit, found.convention) == ("exact", "nats", "instance")
    assert found.about.target == "item 1"
    assert found.about.known == (("item 2", 0), ("item 5", 1))
    assert str(found.about) == "item 1, knowing item 2 = 0, item 5 = 1"
    assert "Eq. 2" in found.source
    assert found.interval is None
    assert float(found) == found.value
    worst = prior_leakage(joint, mechanism, "item 1", ["item 2"], convention="sup")
    assert str(worst.about) == "item 1, knowing item 2"
    assert str(prior_leakage(joint, mechanism, 0).about) == "item 1, knowing none"


def test_support_counts_the_records_that_agree():
    joint = lsat6()
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    adversary = PriorAdversary(joint, mechanism, 0, {1: 0, 4: 0})
    assert adversary.records == joint.marginal([1, 4]).counts[0, 0]
    assert adversary.support == pytest.approx(adversary.records / 1000)
    assert PriorAdversary(JointDistribution(A), simple(A)[1], 0).records is None


def test_values_beyond_doubles_of_the_density_are_still_compared():
    joint, mechanism = simple(A, scale=1e-6)
    adversary = PriorAdversary(joint, mechanism, 0)
    assert float(adversary.density(0, 0.5)) == 0.0
    # Midway between 0 and 1 the label 0 has both centres near, the label 1 one of weight 0.4.
    assert float(adversary.log_ratio(1, 0, 0.5)) == pytest.approx(math.log(0.4), abs=1e-9)
    assert float(adversary.leakage) == pytest.approx(1e6 + math.log(1.5), rel=1e-12)


def test_wide_mixtures_take_one_pass_each_way():
    """Many centres: the linear pass must agree with the matrix of all pairs."""
    rng = np.random.default_rng(11)
    joint = JointDistribution.normalised(rng.random((2,) * 10))
    mechanism = LaplaceMechanism(LinearQuery([[0, w] for w in rng.random(10)]), 0.7)
    adversary = PriorAdversary(joint, mechanism, 3)
    points = np.concatenate([m.centres for m in adversary.mixtures().values()])
    ratio = adversary.log_ratio(0, 1, points)
    assert float(adversary.leakage) == pytest.approx(np.abs(ratio).max(), abs=1e-12)


def test_labels_of_mixed_types_keep_their_type():
    joint = JointDistribution(
        [[0.1, 0.2, 0.1], [0.3, 0.2, 0.1]], domains=[[False, True], ["low", 2, 3.5]], names=["flag", "level"]
    )
    mechanism = LaplaceMechanism(LinearQuery([[0, 1], [0, 1, 2]]), 1.0)
    adversary = PriorAdversary(joint, mechanism, "level", {"flag": True})
    assert adversary.feasible == ("low", 2, 3.5)
    assert type(adversary.known["flag"]) is bool
    assert set(adversary.leakage.attained.pair) == {"low", 3.5}
    with pytest.raises(AdversaryError, match=r"'high' is not a label of level; its labels: 'low', 2, 3\.5"):
        adversary.density("high", 0)


class TestFaults:
    def test_density_of_a_label_that_cannot_occur(self):
        joint, mechanism = simple([[0.5, 0], [0, 0.5]], names=["ill", "old"])
        adversary = PriorAdversary(joint, mechanism, "ill", {"old": 1})
        for call in (lambda: adversary.density(0, 0.0), lambda: adversary.log_ratio(1, 0, 0.0)):
            with pytest.raises(AdversaryError, match="ill = 0 cannot occur with old = 1") as caught:
                call()
            assert caught.value.where.axis == 0
        assert adversary.posterior(0.3).tolist() == [0.0, 1.0]
        assert float(adversary.gain(1, 0, 0.3)) == 0.0

    def test_known_values_that_cannot_occur(self):
        joint, mechanism = simple([[0.5, 0], [0.5, 0]])
        with pytest.raises(AdversaryError, match="known values x2 = 1 have probability 0") as caught:
            PriorAdversary(joint, mechanism, 0, {1: 1})
        assert caught.value.where.name == "known"

    def test_known_value_outside_the_domain(self):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="3 is not a label of x2; its labels: 0, 1") as caught:
            PriorAdversary(joint, mechanism, 0, {1: 3})
        assert caught.value.where.axis == 1

    @pytest.mark.parametrize("target", [2, -1, "x9", 0.5, True, None])
    def test_target_out_of_range(self, target):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="target: There is no tuple") as caught:
            PriorAdversary(joint, mechanism, target)
        assert caught.value.where.name == "target"

    def test_known_tuple_out_of_range(self):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="known tuples: There is no tuple 5"):
            PriorAdversary(joint, mechanism, 0, {5: 1})

    def test_target_among_the_known(self):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="x1 is attacked and known at once") as caught:
            PriorAdversary(joint, mechanism, 0, {"x1": 1})
        assert caught.value.where.axis == 0

    def test_tuple_known_twice(self):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="x2 is named twice") as caught:
            PriorAdversary(joint, mechanism, 0, {"x2": 1, 1: 1})
        assert caught.value.where.axis == 1
        with pytest.raises(AdversaryError, match="x2 is named twice"):
            prior_leakage(joint, mechanism, 0, [1, 1], convention="sup")

    def test_known_tuples_without_values(self):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="come without values"):
            prior_leakage(joint, mechanism, 0, [1])

    def test_worst_case_with_values(self):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="name the tuples without labels"):
            prior_leakage(joint, mechanism, 0, {1: 1}, convention="sup")

    def test_unknown_convention(self):
        joint, mechanism = simple(A)
        with pytest.raises(AdversaryError, match="'average'; it is 'instance' or 'sup'") as caught:
            prior_leakage(joint, mechanism, 0, convention="average")
        assert caught.value.where.name == "convention"

    def test_release_that_is_no_number(self):
        joint, mechanism = simple(A)
        with pytest.raises(QueryError, match="released number is NaN"):
            PriorAdversary(joint, mechanism, 0).density(1, [0.0, math.nan])

    def test_contributions_that_do_not_fit(self):
        joint = JointDistribution(A)
        with pytest.raises(QueryError, match="x1 has 2 labels and 3 contributions") as caught:
            PriorAdversary(joint, LaplaceMechanism(LinearQuery([[0, 1, 2], [0, 1]]), 1.0), 0)
        assert caught.value.where.axis == 0

    def test_too_many_known_values(self):
        table = np.zeros((2,) * 20)
        table[(0,) * 20] = 1.0
        joint, mechanism = simple(table)
        with pytest.raises(LimitError, match=r"524,288 combinations .* about 52 s"):
            prior_leakage(joint, mechanism, 0, range(1, 20), convention="sup")


def test_independent_tuples_leak_their_own_share():
    joint = JointDistribution.independent([[0.5, 0.5], [0.2, 0.3, 0.5]])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 0.5)
    for known in ({}, {1: 2}):
        assert float(prior_leakage(joint, mechanism, 0, known)) == pytest.approx(2.0)
