"""The least noise that is enough, for one adversary, a layer or all."""

import math
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pdp_widgets import (
    Adversary,
    AdversaryError,
    InstanceError,
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    QueryError,
    ScaleError,
    exact_all,
    prior_leakage,
)
from pdp_widgets.leakage.prior import chosen_adversaries
from pdp_widgets.leakage.prior.calibration import calibrate
from pdp_widgets.leakage.prior.noise_comparison import compare_noise
from pdp_widgets.leakage.target_leakage import least_scale_from, rounded_up
from pdp_widgets.prior import PriorAdversary
from tests.conftest import few
from tests.leakage.prior_reference import known_sets, leakage, models

# Example 2 (a), and the table with its signs of correlation turned round.
POSITIVE = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
NEGATIVE = JointDistribution([[0.2, 0.3], [0.3, 0.2]])
ALL_EQUAL = JointDistribution([[[0.5, 0], [0, 0]], [[0, 0], [0, 0.5]]])

TARGETS = st.one_of(st.sampled_from([0.1, 0.5, 1.0, 3.0]), st.floats(0.01, 20.0))


def labels_of(joint, row):
    return [domain[p] for domain, p in zip(joint.domains, row, strict=True)]


def largest_by_enumeration(joint, query, scale, row):
    """Largest leakage of all adversaries who know values of the row, from Eq. 2."""
    return max(
        leakage(joint.table, query.contributions, scale, i, {k: row[k] for k in known})[0]
        for i in range(joint.n_tuples)
        for known in known_sets(joint.n_tuples, i)
    )


@given(models(max_tuples=3), st.floats(1.0001, 30.0))
def test_leakage_never_increases_with_the_scale(model, factor):
    joint, mechanism, row = model
    at = labels_of(joint, row)
    small = exact_all(joint, mechanism, at)[0]
    large = exact_all(joint, LaplaceMechanism(mechanism.query, mechanism.scale * factor), at)[0]
    assert (large <= small + 1e-9).all()


@given(models(max_tuples=3), TARGETS)
def test_all_adversaries_leak_the_target_at_the_least_scale(model, target):
    joint, mechanism, row = model
    query = mechanism.query
    found = calibrate(joint, query, target, instance=labels_of(joint, row))
    if found.scale == 0:
        # Without noise the target holds: at a scale far below every gap it does too, by enumeration.
        assert found.status == "no noise needed"
        assert largest_by_enumeration(joint, query, 1e-7, row) <= target + 1e-9
        assert found.leakage.value <= target
        return
    again = largest_by_enumeration(joint, query, found.scale, row)
    assert again == pytest.approx(target, abs=1e-9, rel=1e-12)
    values, _ = exact_all(joint, found.mechanism, labels_of(joint, row))
    assert values.max() <= target
    assert found.leakage.value == pytest.approx(target, abs=1e-9)
    assert found.leakage.value <= target
    # A smaller scale is not enough.
    smaller = LaplaceMechanism(query, found.scale * (1 - 1e-6))
    assert exact_all(joint, smaller, labels_of(joint, row))[0].max() >= found.leakage.value
    assert (found.expected_absolute_error, found.expected_squared_error) == (
        found.scale,
        2 * found.scale**2,
    )


@given(models(max_tuples=4), TARGETS, st.data())
def test_one_adversary_leaks_the_target_at_the_least_scale(model, target, data):
    joint, mechanism, row = model
    i = data.draw(st.integers(0, joint.n_tuples - 1))
    known = data.draw(st.sampled_from(list(known_sets(joint.n_tuples, i))))
    at = {k: joint.domains[k][row[k]] for k in known}
    found = calibrate(joint, mechanism.query, target, adversaries=(i, at))
    assert found.adversary == Adversary(i, known)
    by_row = calibrate(
        joint, mechanism.query, target, adversaries=Adversary(i, known), instance=labels_of(joint, row)
    )
    assert (by_row.scale, by_row.leakage) == (found.scale, found.leakage)
    if found.scale:
        again = PriorAdversary(joint, found.mechanism, i, at).leakage
        assert target - 1e-9 <= again.value <= target
        assert again.attained == found.leakage.attained
    else:
        tiny = LaplaceMechanism(mechanism.query, 1e-7)
        assert PriorAdversary(joint, tiny, i, at).leakage.value <= target + 1e-9


@given(models(min_tuples=2, max_tuples=3), TARGETS, st.data())
def test_worst_case_of_one_adversary(model, target, data):
    joint, mechanism, _ = model
    i = data.draw(st.integers(0, joint.n_tuples - 1))
    known = data.draw(st.sampled_from(list(known_sets(joint.n_tuples, i))))
    found = calibrate(joint, mechanism.query, target, adversaries=(i, known), convention="sup")
    assume(found.scale > 0)
    again = prior_leakage(joint, found.mechanism, i, known, convention="sup")
    assert target - 1e-9 <= again.value <= target
    assert (found.convention, found.leakage.convention) == ("sup", "sup")
    combinations = product(*(joint.domains[k] for k in known))
    for values in combinations:
        where = [slice(None)] * joint.n_tuples
        for k, v in zip(known, values, strict=True):
            where[k] = joint.label_position(k, v)
        if joint.table[tuple(where)].any():
            at = dict(zip(known, values, strict=True))
            assert PriorAdversary(joint, found.mechanism, i, at).leakage.value <= target


@given(models(min_tuples=2, max_tuples=3), TARGETS)
@few()
def test_worst_case_of_all_adversaries(model, target):
    joint, mechanism, _ = model
    found = calibrate(joint, mechanism.query, target, convention="sup")
    by_hand = max(
        calibrate(joint, mechanism.query, target, adversaries=(i, known), convention="sup").scale
        for i in range(joint.n_tuples)
        for known in known_sets(joint.n_tuples, i)
    )
    assert found.scale == pytest.approx(by_hand, rel=1e-8)


@few()
@given(models(min_tuples=2, max_tuples=4), TARGETS)
def test_a_layer_and_a_list_need_the_largest_scale_of_their_adversaries(model, target):
    joint, mechanism, row = model
    query, at, n = mechanism.query, labels_of(joint, row), joint.n_tuples
    by_layer = [calibrate(joint, query, target, adversaries=k + 1, instance=at) for k in range(n)]
    for number, found in enumerate(by_layer, 1):
        alone = [
            calibrate(joint, query, target, adversaries=(i, known), instance=at).scale
            for i in range(n)
            for known in known_sets(n, i)
            if len(known) == n - number
        ]
        assert found.scale == pytest.approx(max(alone), rel=1e-8)
        assert len(found.adversary.known) == n - number
    everyone = calibrate(joint, query, target, instance=at)
    assert everyone.scale == pytest.approx(max(f.scale for f in by_layer), rel=1e-8)
    some = calibrate(joint, query, target, adversaries=[1, (0, [])], instance=at)
    alone = calibrate(joint, query, target, adversaries=(0, []), instance=at)
    assert some.scale == pytest.approx(max(by_layer[0].scale, alone.scale), rel=1e-8)


def test_example_2_by_hand():
    query = LinearQuery.sum(POSITIVE)
    # The strongest adversary leaks 1 / scale; the weakest 1 / scale + log((3 + 2e) / (2 + 3e)) at an end.
    assert calibrate(POSITIVE, query, 1.0, adversaries=1).scale == 1.0
    assert calibrate(NEGATIVE, query, 0.25).scale == pytest.approx(4.0, rel=1e-13)
    found = calibrate(POSITIVE, query, 1.0)
    u = math.exp(-1 / found.scale)
    assert 1 / found.scale + math.log((0.6 + 0.4 * u) / (0.4 + 0.6 * u)) == pytest.approx(1.0, abs=1e-9)
    assert (found.adversary, found.adversaries) == (Adversary(0), "all 4 adversaries")
    assert str(found.leakage.about) == "x1, knowing none"
    assert found.leakage.status == "exact"


def test_equal_tuples_need_the_noise_of_the_group_bound():
    found = calibrate(ALL_EQUAL, LinearQuery.sum(ALL_EQUAL), 0.5, instance=[1, 1, 1])
    assert found.scale == 6.0
    assert found.leakage.value == 0.5
    assert found.adversary == Adversary(0)


def test_independent_tuples_need_the_noise_of_their_sensitivity():
    joint = JointDistribution.independent([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]])
    query = LinearQuery([[0, 1], [0, 2.5], [1, 0]])
    assert calibrate(joint, query, 0.7).scale == pytest.approx(2.5 / 0.7, rel=1e-9)


def test_no_noise_is_needed_where_nothing_can_be_learnt():
    fixed = calibrate(ALL_EQUAL, LinearQuery.sum(ALL_EQUAL), 1e-6, adversaries=("x1", {"x2": 1}))
    assert (fixed.scale, fixed.status, fixed.leakage.determined) == (0.0, "no noise needed", True)
    weightless = calibrate(POSITIVE, LinearQuery.weighted(POSITIVE, [0, 0]), 0.1)
    assert (weightless.scale, weightless.leakage.value) == (0.0, 0.0)
    with pytest.raises(ScaleError, match="No noise is needed"):
        _ = fixed.mechanism


def test_no_noise_is_needed_where_the_answer_itself_tells_little():
    # x1 adds nothing; the release of x2 alone shifts the odds of x1 by log(0.6 / 0.4) at most.
    query = LinearQuery.weighted(POSITIVE, [0, 1])
    enough = math.log(1.5)
    found = calibrate(POSITIVE, query, enough + 1e-6, adversaries=("x1", []))
    assert (found.scale, found.status) == (0.0, "no noise needed")
    assert found.leakage.value == pytest.approx(enough, abs=1e-12)
    noisy = calibrate(POSITIVE, query, enough - 1e-6, adversaries=("x1", []))
    assert noisy.scale > 0
    unlimited = calibrate(POSITIVE, query, math.inf)
    assert (unlimited.scale, unlimited.leakage.value) == (0.0, math.inf)


@pytest.mark.parametrize("target", [1e-280, 1e-30, 1e-18, 1e-13, 1e-9, 1e-4, 50.0, 5000.0, 1e9])
def test_very_small_and_very_large_targets(target):
    found = calibrate(POSITIVE, LinearQuery.sum(POSITIVE), target)
    assert found.leakage.value <= target
    assert found.leakage.value >= target * (1 - 1e-9)
    assert found.status == "least scale"
    # Between the strongest adversary and the group bound.
    assert 1 / target <= found.scale * (1 + 1e-12)
    assert found.scale <= 2 / target * (1 + 1e-12)
    # Odds far from the middle: log((3 + 2u) / (2 + 3u)) tends to log 1.5, and to 0.2 / scale.
    limit = 1 / (target - math.log(1.5)) if target > 1 else 1.2 / target
    assert found.scale == pytest.approx(limit, rel=1e-3)


def test_contributions_without_a_common_step_and_labels_that_cannot_occur():
    rng = np.random.default_rng(7)
    table = rng.dirichlet(np.full(24, 0.3)).reshape(3, 2, 4)
    table[1] = 0
    joint = JointDistribution.normalised(table)
    query = LinearQuery([[0, 1, math.pi], [0.1, -2 / 3], [0, 1e-3, 7.7, 7.7]])
    found = calibrate(joint, query, 0.8)
    row = tuple(joint.label_position(j, v) for j, v in enumerate(joint.most_probable()))
    assert largest_by_enumeration(joint, query, found.scale, row) == pytest.approx(0.8, abs=1e-9)


def test_few_evaluations_and_a_picklable_value():
    found = calibrate(POSITIVE, LinearQuery.sum(POSITIVE), 0.5)
    assert found.evaluations <= 12
    assert pickle.loads(pickle.dumps(found)) == found
    assert str(found) == (
        "scale 2.39451 (least scale) for all 4 adversaries: at most 0.5 nats, reached by x1, knowing none"
    )
    with pytest.raises(AttributeError):
        found.scale = 1.0


def test_scales_are_written_rounded_up():
    assert [rounded_up(x, 4) for x in (1.18934, 1.18936, 2.0, 0.3 + 1e-17, 12345.1, 0.0, math.inf)] == [
        "1.19",
        "1.19",
        "2",
        "0.3",
        "1.235e+04",
        "0",
        "inf",
    ]


@given(st.floats(1e-12, 1e12), st.integers(2, 8))
def test_a_written_scale_is_not_below_the_scale(number, digits):
    written = float(rounded_up(number, digits))
    assert number * (1 - 1e-15) <= written <= number * (1 + 2 * 10.0 ** (1 - digits))


@pytest.mark.parametrize("target", [0, -1.0, math.nan, "1", None, True, -math.inf])
def test_a_target_is_a_positive_number(target):
    with pytest.raises(ScaleError, match="target leakage") as caught:
        calibrate(POSITIVE, LinearQuery.sum(POSITIVE), target)
    assert caught.value.where.name == "target_leakage"


def test_any_kind_of_number_is_a_target():
    query = LinearQuery.sum(POSITIVE)
    found = calibrate(POSITIVE, query, Fraction(1, 2), rtol=Fraction(1, 10**10), atol=np.float32(0))
    assert (found.target_leakage, found.scale) == (0.5, calibrate(POSITIVE, query, 0.5, atol=0).scale)
    table = compare_noise(POSITIVE, query, Fraction(1, 2))
    assert table.target_leakage == 0.5


@pytest.mark.parametrize("name", ["rtol", "atol"])
@pytest.mark.parametrize("value", [math.nan, -1, math.inf, "x", None, True, [1], 10**400])
def test_tolerances_are_numbers_from_0_on(name, value):
    with pytest.raises(ScaleError, match=f"^{name} is .*; it must be a finite number, 0 or more") as caught:
        calibrate(POSITIVE, LinearQuery.sum(POSITIVE), 1.0, **{name: value})
    assert caught.value.where.name == name


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"adversaries": ("x1", ["x2"]), "convention": "sup"},
        {"adversaries": [2, ("x2", {"x1": 1})]},
        {"target_leakage": math.inf},
        {"target_leakage": 1e-20},
    ],
)
def test_progress_grows_to_one_and_may_cancel(how):
    told = []
    joint = JointDistribution.normalised(np.arange(1.0, 37.0).reshape(4, 3, 3))
    asked = {"target_leakage": 1.0, **how}
    found = calibrate(joint, LinearQuery.sum(joint), **asked, progress=told.append)
    assert found == calibrate(joint, LinearQuery.sum(joint), **asked)
    assert told == sorted(told)
    assert all(0 < share < 1 for share in told[:-1])
    assert told[-1] == 1.0
    assert len(told) > found.evaluations

    def cancel(share):
        if share > told[0]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        calibrate(joint, LinearQuery.sum(joint), **asked, progress=cancel)


def test_progress_within_one_scale():
    """Many known values of one adversary: the caller is asked on the way, not between the scales alone."""
    joint = JointDistribution(np.full((2,) * 9, 0.5**9))
    told = []

    def stop(share):
        told.append(share)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        calibrate(
            joint,
            LinearQuery.sum(joint),
            1.0,
            adversaries=(0, list(range(1, 9))),
            convention="sup",
            progress=stop,
        )
    assert 0 < told[0] < told[1] < 1 - 0.5**0.2


@pytest.mark.parametrize("target", [1e-305, 1e300])
def test_a_scale_beyond_what_numbers_hold(target):
    with pytest.raises(ScaleError, match="beyond what numbers can hold"):
        calibrate(POSITIVE, LinearQuery.weighted(POSITIVE, [1, 1]), target)


@pytest.mark.parametrize(
    ("adversaries", "message"),
    [
        (0, "There is no layer 0; layers run from 1"),
        (3, "There is no layer 3"),
        ([], "No adversary is chosen"),
        ("x9", "'x9' names no adversaries"),
        (True, "True names no adversaries"),
        (("x1", [], 1), "names no adversaries"),
        (("x9", []), "There is no tuple named x9"),
        (("x1", ["x1"]), "attacked and known at once"),
        (("x1", {"x2": 5}), "5 is not a label of x2"),
        (("x1", 2.5), "known tuples are 2.5"),
    ],
)
def test_adversaries_that_do_not_exist(adversaries, message):
    with pytest.raises(AdversaryError, match=message):
        calibrate(POSITIVE, LinearQuery.sum(POSITIVE), 1.0, adversaries=adversaries)


def test_other_faulty_input():
    query = LinearQuery.sum(POSITIVE)
    with pytest.raises(AdversaryError, match="'worst'; it is 'instance' or 'sup'"):
        calibrate(POSITIVE, query, 1.0, convention="worst")
    with pytest.raises(AdversaryError, match="every value of the known tuples"):
        calibrate(POSITIVE, query, 1.0, adversaries=("x1", {"x2": 1}), convention="sup")
    with pytest.raises(QueryError, match="2 labels and 3 contributions"):
        calibrate(POSITIVE, LinearQuery([[0, 1, 2], [0, 1]]), 1.0)
    with pytest.raises(TypeError, match="give a LinearQuery"):
        calibrate(POSITIVE, LaplaceMechanism(query, 1), 1.0)
    with pytest.raises(InstanceError, match="probability 0"):
        calibrate(ALL_EQUAL, LinearQuery.sum(ALL_EQUAL), 1.0, instance=[0, 1, 1])
    with pytest.raises(AdversaryError, match="probability 0"):
        calibrate(ALL_EQUAL, LinearQuery.sum(ALL_EQUAL), 1.0, adversaries=(0, {1: 0, 2: 1}))
    wide = JointDistribution(np.full((2,) * 16, 0.5**16))
    with pytest.raises(LimitError, match="32,768 combinations of known values"):
        calibrate(
            wide,
            LinearQuery.sum(wide),
            1.0,
            adversaries=(0, list(range(1, 16))),
            convention="sup",
            limit=5,
        )


@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_the_limit_is_for_all_scales_together(monkeypatch, convention):
    """What takes a second at one scale takes many seconds: nobody waits longer than the limit."""
    joint = JointDistribution.normalised(1.0 + np.arange(2.0**11).reshape((2,) * 11))
    query = LinearQuery.sum(joint)
    monkeypatch.setattr(chosen_adversaries, "check_work", lambda *_: 1.0)
    for ask in (calibrate, compare_noise):
        with pytest.raises(LimitError, match=r"12 scales: 12 s\. The limit is 11 s for all of them") as fault:
            ask(joint, query, 1.0, convention=convention, limit=11)
        assert fault.value.where.name == "limit"
    if convention == "instance":
        assert calibrate(joint, query, 1.0, limit=13).scale == 1


@pytest.mark.parametrize(
    "asked", [{}, {"adversaries": 2}, {"adversaries": (0, [1])}, {"adversaries": 1, "convention": "sup"}]
)
def test_a_search_ends_when_its_time_is_over(monkeypatch, asked):
    """The estimate may be wrong; the clock is not."""
    joint = JointDistribution.normalised(1.0 + np.arange(8.0).reshape(2, 2, 2))
    now = iter(range(10_000))
    monkeypatch.setattr(chosen_adversaries.time, "monotonic", lambda: float(next(now)))
    with pytest.raises(LimitError, match=r"has taken 2 s, which is the limit, and has tried \d scales?;"):
        calibrate(joint, LinearQuery.sum(joint), 1.0, limit=2, **asked)
    assert calibrate(joint, LinearQuery.sum(joint), 1.0, limit=math.inf, **asked).scale > 0


def test_a_promise_next_to_0_is_kept_far_beyond_the_first_scale():
    assert least_scale_from(1.0, lambda scale: 5e-324 * (4 / scale) <= 5e-324) == 2.666666666666667
