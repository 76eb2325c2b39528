"""Theorems 4 and 6: the exact slack of a sum, what is proved of it, and where the printed formulas fail."""

from math import exp, inf, isnan, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_ndtr

from pdp_widgets import SelectedCount
from pdp_widgets.anonymity import (
    RecordLaw,
    RecordSum,
    count_slack,
    gaussian_epsilon,
    normal_distance,
    presence_epsilon,
    presence_slack,
    printed_gaussian_epsilon,
    step_multiplier,
    sum_bound,
    sum_epsilon,
    sum_printed,
    sum_printed_aggregate,
    sum_recipe,
    sum_slack,
)
from pdp_widgets.errors import BudgetError, DomainError, LimitError, TableError
from pdp_widgets.leakage.noiseless.gaussian_step import gaussian_delta, tail_point
from pdp_widgets.leakage.noiseless.record_sum import common_step, sum_law
from pdp_widgets.leakage.noiseless.sum_bounds import BERRY_ESSEEN, normal_bound
from tests.leakage.noiseless.enumerated import aligned, largest_gap, law_of_outputs, sum_outcomes

FAIR = {0: 0.5, 1: 0.5}
EVENTS = ("halfline", "interval", "all")

small_laws = st.dictionaries(st.integers(-3, 6), st.integers(1, 5), min_size=1, max_size=3).map(
    lambda law: {value: weight / sum(law.values()) for value, weight in law.items()}
)
few_records = st.lists(small_laws, min_size=1, max_size=4)


@given(few_records, st.integers(-7, 7), st.floats(0, 3), st.sampled_from(EVENTS))
def test_sums_by_listing_every_table(laws, shift, epsilon, events):
    law = law_of_outputs(sum_outcomes(laws))
    moved = {value + shift: chance for value, chance in law.items()}
    p, q = aligned(law, moved)
    found = sum_slack([(part, 1) for part in laws], shift, epsilon, events).delta
    if len(p) <= 12 or events != "all":
        assert found == pytest.approx(largest_gap(p, q, epsilon, events), abs=1e-12)
    gaps = [max(a - exp(epsilon) * b, 0) for a, b in zip(p, q, strict=True)]
    back = [max(b - exp(epsilon) * a, 0) for a, b in zip(p, q, strict=True)]
    if events == "all":
        assert found == pytest.approx(max(sum(gaps), sum(back)), abs=1e-12)
    assert sum_slack([(part, 1) for part in laws], -shift, epsilon, events).delta == pytest.approx(
        found, abs=1e-14
    )


@given(few_records, small_laws, st.floats(0, 3), st.sampled_from(EVENTS))
def test_presence_by_listing_every_table(laws, target, epsilon, events):
    without = law_of_outputs(sum_outcomes(laws))
    p, q = aligned(law_of_outputs(sum_outcomes([*laws, target])), without)
    records = [(part, 1) for part in laws]
    found = presence_slack(records, target, epsilon, events).delta
    if events == "all":
        expected = max(
            sum(max(a - exp(epsilon) * b, 0) for a, b in zip(p, q, strict=True)),
            sum(max(b - exp(epsilon) * a, 0) for a, b in zip(p, q, strict=True)),
        )
    else:
        expected = largest_gap(p, q, epsilon, events)
    assert found == pytest.approx(expected, abs=1e-12)
    worst = max(sum_slack(records, value, epsilon, events).delta for value in target)
    assert found <= worst + 1e-12


@given(few_records, st.integers(1, 5), st.floats(0, 3), small_laws)
def test_more_unknown_records_never_tell_more(laws, shift, epsilon, another):
    few = [(part, 1) for part in laws]
    before = sum_slack(few, shift, epsilon).delta
    assert sum_slack([*few, (another, 1)], shift, epsilon).delta <= before + 1e-12


@given(small_laws, st.integers(1, 120), st.integers(1, 6), st.floats(0, 4))
def test_bounds_are_never_below_the_truth_for_their_events(law, size, shift, epsilon):
    others = RecordSum.equal(law, size)
    exact = [sum_slack(others, shift, epsilon, events).delta for events in EVENTS]
    assert exact[0] <= exact[1] + 1e-12
    assert exact[1] <= exact[2] + 1e-12
    for events, truth in zip(EVENTS[:2], exact[:2], strict=True):
        assert truth <= sum_bound(others, shift, epsilon, events).delta + 1e-12
        recipe = sum_recipe(others, shift, None, events).slack
        if recipe.epsilon < inf:
            assert sum_slack(others, shift, recipe.epsilon, events).delta <= recipe.delta + 1e-12


@pytest.mark.parametrize(
    ("m", "epsilon", "row"),
    [
        (9, 0.1, (0.219390, 0.617567, 1.00990, 0.225233)),
        (9, 0.5, (0.105779, 0.602378, 1.09601, 0.108744)),
        (25, 0.1, (0.118695, 0.354783, 0.590183, 0.119383)),
        (25, 0.5, (0.0259348, 0.321810, 0.617990, 0.0256298)),
        (100, 0.1, (0.0411329, 0.159182, 0.276882, 0.0414817)),
        (100, 0.5, (5.69856e-4, 0.148603, 0.296693, 5.12536e-4)),
        (400, 0.1, (8.76236e-3, 0.0676018, 0.126452, 8.75177e-3)),
        (400, 0.5, (1.04129e-8, 0.0740450, 0.148090, 6.85658e-9)),
        (1600, 0.1, (4.47818e-4, 0.0298712, 0.0592962, 4.46192e-4)),
    ],
)
def test_the_table_of_fair_records(m, epsilon, row):
    others = RecordSum.equal(FAIR, m)
    found = (
        sum_slack(others, 1, epsilon).delta,
        sum_bound(others, 1, epsilon).delta,
        sum_bound(others, 1, epsilon, "interval").delta,
        float(gaussian_delta(epsilon, 1, sqrt(m) / 2)),
    )
    assert found == pytest.approx(row, rel=6e-6)
    # With a monotone ratio all classes of events agree.
    for events in EVENTS[:2]:
        assert sum_slack(others, 1, epsilon, events).delta == pytest.approx(found[0], rel=1e-12)


@pytest.mark.parametrize(
    ("share", "m", "row"),
    [
        (0.0, 99, (5.98993e-4, 0.266397, 0.344402, 0.307501, 0.233117)),
        (0.2, 79, (1.44662e-3, 0.311788, 0.375008, 0.334932, 0.263342)),
        (0.5, 49, (6.12801e-3, 0.438152, 0.447451, 0.401103, 0.342014)),
        (0.8, 19, (0.0419170, 0.838786, 0.624887, 0.576317, 0.585928)),
        (0.9, 9, (0.105779, 1.58515, 0.798550, 0.782625, 0.927322)),
    ],
)
def test_the_table_of_known_records(share, m, row):
    others = RecordSum.equal(FAIR, m)
    recipe = sum_recipe(others, 1).slack
    found = (
        sum_slack(others, 1, 0.5).delta,
        sum_epsilon(others, 1, 0.01).epsilon,
        sum_printed(RecordSum.equal(FAIR, m + 1), 1).epsilon,
        recipe.epsilon,
        recipe.delta,
    )
    assert found == pytest.approx(row, rel=6e-6)
    assert m == round(100 * (1 - share)) - 1


def test_how_many_fair_records_the_bound_needs():
    for kappa, least, fewer in ((1, 126, 12_504), (2, 501, 50_015)):
        for limit, m in ((0.1, least), (0.01, fewer)):
            for size, below in ((m, True), (m - 1, False)):
                ratio = RecordSum.equal(FAIR, size).ratio
                assert (2 * kappa * BERRY_ESSEEN * ratio < limit) is below


@pytest.mark.parametrize(
    ("n", "y", "first"),
    [
        (1, 0.372238898, 0.917310566),
        (2, 0.498314605, 0.998876824),
        (3, 0.582996173, 1.05633214),
        (10, 0.866616829, 1.26261908),
        (1000, 1.93610891, 2.16685779),
        (1e6, 3.11528377, 3.26826992),
    ],
)
def test_the_table_of_multipliers(n, y, first):
    found = step_multiplier(n)
    assert (found.y, found.first) == pytest.approx((y, first), rel=3e-9)


@given(st.floats(1e-3, 1e12))
def test_multipliers_meet_their_condition(n):
    c = step_multiplier(n).first
    y = c - 1 / (2 * c)
    assert log(y) + y * y / 2 == pytest.approx(log(sqrt(n / (2 * np.pi))), abs=1e-9)


def test_multipliers_of_extreme_slacks():
    for logs in (-700.0, -1.0, 0.0, 1.0, 1e4, 1e12):
        y = tail_point(logs)
        assert log(y) + y * y / 2 == pytest.approx(logs - log(2 * np.pi) / 2, rel=1e-12, abs=1e-9)
    assert printed_gaussian_epsilon(1e-300, 1, 1).epsilon > 30
    assert step_multiplier(1e308).first > 26


@pytest.mark.parametrize(
    ("s", "second", "printed", "corrected"),
    [
        (1, 1.02470, 0.0513978, 0.0477066),
        (2, 0.741620, 0.102796, 0.0958132),
        (6, 0.465475, 0.308387, 0.292240),
        (10, 0.387298, 0.513978, 0.495066),
    ],
)
def test_figure_1a(s, second, printed, corrected):
    found = step_multiplier(10_000, s, 10, 0.1)
    assert found.second == pytest.approx(second, rel=6e-6)
    assert found.value * s / 50 == pytest.approx(printed, rel=6e-6)
    assert gaussian_epsilon(0.01, s, 50).epsilon == pytest.approx(corrected, rel=6e-6)


@pytest.mark.parametrize(
    ("s", "n4", "n6"),
    [(1, 0.0330637, 0.0240413), (4, 0.0354368, 0.0271081), (10, 0.0416995, 0.0357800)],
)
def test_figure_1b(s, n4, n6):
    for n, expected in ((1e4, n4), (1_562_500, n6)):
        assert sum_printed_aggregate(1, 100, 2500, s, None, None, n).delta == pytest.approx(
            expected, rel=6e-6
        )


@pytest.mark.parametrize(
    ("k", "printed"), [(2, 0.0513978), (65, 0.0513978), (66, 0.0515752), (100, 0.0634035), (200, 0.0895545)]
)
def test_figure_1c(k, printed):
    assert step_multiplier(10_000, 1, k, 0.1).value / 50 == pytest.approx(printed, rel=6e-6)


@pytest.mark.parametrize(
    ("share", "delta", "epsilon"),
    [(0.1, 2.40785, 2.55234), (0.3, 0.746932, 1.44923), (0.5, 0.538385, 1.09697), (0.9, 0.411977, 0.722286)],
)
def test_figure_3(share, delta, epsilon):
    found = sum_printed_aggregate(10 * share, 100 * share, 10 * share, 1, 10, 0.1, 1e4 * (1 - share))
    assert (found.delta, found.epsilon) == pytest.approx((delta, epsilon), rel=6e-6)


@pytest.mark.parametrize(
    ("spread", "third", "n", "s", "row"),
    [
        # Figure 1(b), its captions read as absolute moments.
        (50, 100, 1_562_500, 1, (0.0637936, 0.00172402, 0.00264805)),
        (50, 100, 1_562_500, 4, (0.257574, 0.00182597, 0.00285193)),
        (50, 100, 1_562_500, 10, (0.655936, 0.00210916, 0.00341833)),
        # Figure 3, with the uncertainty falling as the adversary knows more.
        (9**0.5, 9, 9_000, 1, (0.841035, 0.629048, 1.24756)),
        (5**0.5, 5, 5_000, 1, (1.10581, 1.01971, 2.02528)),
        (1, 1, 1_000, 1, (2.43611, 6.98039, 13.9292)),
    ],
)
def test_figures_corrected(spread, third, n, s, row):
    epsilon = gaussian_epsilon(n**-0.5, s, spread).epsilon
    ratio = BERRY_ESSEEN * third / spread**3
    levels = np.array([epsilon])
    normal = gaussian_delta(levels, s, spread)[0]
    found = [normal_bound(levels, ratio, s, spread, e)[0] - normal + n**-0.5 for e in EVENTS[:2]]
    assert (epsilon, *found) == pytest.approx(row, rel=6e-6)


def test_printed_theorems_below_the_truth():
    skewed = sum_printed([({0: 0.1, 1: 0.9}, 101)], 1)
    assert (round(skewed.delta, 2), skewed.state) == (-8.96, "negative")
    sparse = {-10: 0.0025, 0: 0.995, 10: 0.0025}
    printed = sum_printed([(sparse, 201)], 1)
    assert (printed.epsilon, printed.delta) == pytest.approx((0.1856, 0.0705), abs=6e-5)
    exact = [sum_slack([(sparse, 200)], 1, printed.epsilon, events).delta for events in EVENTS]
    assert exact == pytest.approx([0.4104, 0.4650, 1.0], abs=6e-5)
    signs = {-1: 0.5, 1: 0.5}
    printed = sum_printed([(signs, 401)], 1)
    assert (printed.epsilon, printed.delta) == pytest.approx((0.0996, 0.0499), abs=6e-5)
    exact = [sum_slack([(signs, 400)], 1, printed.epsilon, events).delta for events in EVENTS]
    assert exact == pytest.approx([0.0088, 0.0399, 1.0], abs=6e-5)
    one = sum_printed([({-10: 0.5, 10: 0.5}, 1), ({-0.01: 0.5, 0.01: 0.5}, 99)], 20)
    assert (one.epsilon, one.delta) == pytest.approx((3.444, 0.1), abs=6e-4)
    assert sum_slack([({-0.01: 0.5, 0.01: 0.5}, 99)], 20, one.epsilon, "halfline").delta == pytest.approx(1)
    # The theorem's factor for exp(eps) is too small where the multiplier is large.
    assert not sum_printed([(FAIR, 3)], 1).covers
    assert sum_printed([(FAIR, 100)], 1).covers


def test_the_printed_lemma_depends_on_units():
    found = normal_distance([({-1: 0.5, 1: 0.5}, 100)], 0.1)
    assert found.exact > found.printed
    assert normal_distance([({-1: 0.5, 1: 0.5}, 100)], 10).printed_holds
    assert found.exact <= found.bound
    assert normal_distance([({2: 1.0}, 5)]) == normal_distance([])


@given(small_laws, st.integers(1, 60))
def test_the_distance_to_the_normal_law_is_within_its_bound(law, size):
    found = normal_distance([(law, size)])
    if found.exact is not None:
        assert found.exact <= found.bound + 1e-12
        assert RecordSum.equal(law, size).ratio >= size**-0.5 - 1e-9


def test_the_step_as_printed_is_wrong_above_one():
    printed = printed_gaussian_epsilon(0.1, 5, 1).epsilon
    assert float(gaussian_delta(printed, 5, 1)) == pytest.approx(0.7153, abs=6e-5)
    assert float(gaussian_delta(gaussian_epsilon(0.1, 5, 1).epsilon, 5, 1)) <= 0.1
    # Where it is below one it is safe, and more than is needed.
    assert gaussian_epsilon(0.01, 1, 50).epsilon <= printed_gaussian_epsilon(0.01, 1, 50).epsilon


@given(st.floats(1e-4, 30), st.floats(0, 20))
def test_the_slack_of_a_normal_shift(r, epsilon):
    found = float(gaussian_delta(epsilon, r, 1.0))
    first, second = float(log_ndtr(r / 2 - epsilon / r)), float(log_ndtr(-r / 2 - epsilon / r))
    plain = exp(first) - exp(epsilon + second)
    assert found == pytest.approx(plain, rel=1e-9, abs=1e-13)
    assert found <= float(gaussian_delta(max(epsilon - 0.1, 0), r, 1.0)) + 1e-15
    assert found <= float(gaussian_delta(epsilon, r * 1.1, 1.0)) + 1e-15


def test_edges_of_the_normal_shift():
    levels = np.array([0.0, 1.0, 800.0, inf])
    assert gaussian_delta(levels, 0, 0).tolist() == [0.0] * 4
    assert gaussian_delta(levels, 1, 0).tolist() == [1.0] * 4
    assert gaussian_delta(levels, 1, 1)[2:].tolist() == [0.0, 0.0]
    assert gaussian_delta(levels, -5, 1) == pytest.approx(gaussian_delta(levels, 5, 1))
    assert gaussian_epsilon(0.1, 1, 0).state == "vacuous"
    assert printed_gaussian_epsilon(0.1, 0, 0).epsilon == 0
    # A small shift keeps its digits: it grows in proportion.
    tiny, small = (float(gaussian_delta(0.0, r, 1.0)) for r in (1e-9, 1e-6))
    assert small / tiny == pytest.approx(1000, rel=1e-6)


def test_edges_of_sums():
    nobody, same = RecordSum(), RecordSum.equal({3: 1.0}, 5)
    for others in (nobody, same):
        for events in EVENTS[:2]:
            bound, recipe = sum_bound(others, 1, 0.5, events), sum_recipe(others, 1, None, events)
            assert (bound.delta, bound.state, recipe.slack.epsilon) == (1.0, "vacuous", inf)
            assert (recipe.slack.delta, recipe.ratio) == (1.0, None)
            assert sum_bound(others, 0, 0.5, events).delta == 0
        assert sum_slack(others, 1, [0.5, inf]).delta.tolist() == [1.0, 1.0]
        assert sum_slack(others, 0, 0.5).delta == 0
        assert sum_epsilon(others, 1, 0.5).state == "vacuous"
    fair = RecordSum.equal(FAIR, 20)
    recipe = sum_recipe(fair, 0)
    assert (recipe.slack.epsilon, recipe.slack.delta) == (0, 0)
    assert recipe.ratio == pytest.approx(20**-0.5)
    # One record: the default slack of the step is 1, which promises nothing but is accepted.
    assert sum_recipe(RecordSum.equal(FAIR, 1), 1).slack.state == "vacuous"
    assert sum_bound(fair, 1, [0.5, 800.0, inf]).states == ("ok", "vacuous", "vacuous")
    curve = sum_bound(fair, 1, np.linspace(0, 6, 61))
    assert (np.diff(curve.drawn) <= 0).all()
    assert curve.delta[-1] > curve.drawn[-1]
    assert sum_slack(fair, 1, inf).delta == pytest.approx(0.5**20)
    assert sum_slack(fair, 1e9, 0.0).delta == 1
    assert sum_slack(fair, 0.5, 3.0).delta == 1
    assert presence_epsilon(fair, {0: 1.0}, 0.5).epsilon == 0


def test_edges_of_the_printed_theorems():
    nobody = sum_printed([], 1)
    assert [isnan(part) for part in (nobody.delta, nobody.epsilon, nobody.multiplier)] == [True] * 3
    assert nobody.state == "undefined"
    certain = sum_printed([({3: 1.0}, 5)], 1, 2)
    assert (certain.epsilon, certain.multiplier, certain.state) == (inf, inf, "undefined")
    assert sum_printed([({3: 1.0}, 5)], 1, 2, 0.1).multiplier < inf
    below_one = sum_printed_aggregate(1, 1, 1, 1, None, None, 0.5)
    assert below_one.state == "undefined"
    assert below_one.epsilon > 0
    assert sum_printed_aggregate(1, 0, 1, 1, None, None, 10).state == "undefined"
    assert sum_printed_aggregate(1, 1, 1e-9, 1, None, None, 10).delta == inf
    assert sum_printed([(FAIR, 50)], 1, 8).multiplier == pytest.approx(8.5 / sqrt(12.5))
    powers = [
        sum_printed([({0: 0.9, 1: 0.1}, 101)], 1, denominator=d).delta
        for d in ("sum_of_powers", "power_of_sum")
    ]
    assert powers[0] == pytest.approx(9.16, abs=0.006)
    assert powers[1] < powers[0]


@given(small_laws)
def test_absolute_moments_make_the_printed_denominator_useless(law):
    record = RecordLaw.of(law)
    if record.variance > 0:
        assert record.absolute_third >= record.variance**1.5 * (1 - 1e-9)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: sum_slack([(FAIR, 5)], float("nan"), 1.0), BudgetError, "shift is nan"),
        (lambda: sum_slack([(FAIR, 5)], inf, 1.0), BudgetError, "shift is inf"),
        (lambda: sum_slack([(FAIR, 5)], "1", 1.0), BudgetError, "shift is '1'"),
        (lambda: sum_slack([(FAIR, 5)], 1, -1.0), BudgetError, "epsilon is -1"),
        (lambda: sum_slack([(FAIR, 5)], 1, 1.0, "some"), BudgetError, "events"),
        (lambda: sum_slack([(FAIR, -1)], 1, 1.0), BudgetError, "count is -1"),
        (lambda: sum_slack([(FAIR, 1.5)], 1, 1.0), BudgetError, "count is 1.5"),
        (lambda: sum_slack(FAIR, 1, 1.0), TableError, "pairs of a law"),
        (lambda: sum_slack(5, 1, 1.0), TableError, "pairs of a law"),
        (lambda: sum_slack([FAIR], 1, 1.0), TableError, "pairs of a law"),
        (lambda: sum_slack([({0: 0.5, 1: 0.6}, 1)], 1, 1.0), TableError, "sum to 1.1"),
        (lambda: sum_slack([({0: 1.5, 1: -0.5}, 1)], 1, 1.0), TableError, "0 or more"),
        (lambda: sum_slack([({float("nan"): 1.0}, 1)], 1, 1.0), TableError, "finite"),
        (lambda: sum_slack([({"a": 1.0}, 1)], 1, 1.0), TableError, "list of numbers"),
        (lambda: sum_slack([({0: 0.5, 1 / 3: 0.5}, 1)], 1, 1.0), DomainError, "no common step"),
        (lambda: sum_bound([(FAIR, 5)], 1, 1.0, "all"), BudgetError, "events are 'all'"),
        (lambda: sum_recipe([(FAIR, 5)], 1, 0.0), BudgetError, "delta1 is 0"),
        (lambda: sum_recipe([(FAIR, 5)], 1, 1.0), BudgetError, "delta1 is 1"),
        (lambda: sum_printed([(FAIR, 5)], 0, 3, 0.1), BudgetError, "s is 0"),
        (lambda: sum_printed([(FAIR, 5)], 1, 0, 0.1), BudgetError, "k is 0"),
        (lambda: sum_printed([(FAIR, 5)], 1, 3, 0.0), BudgetError, "eps1 is 0"),
        (lambda: sum_printed([(FAIR, 5)], 1, denominator="cube"), BudgetError, "denominator"),
        (lambda: sum_printed_aggregate(1, 1, 0, 1, None, None, 5), BudgetError, "B2 is 0"),
        (lambda: sum_printed_aggregate(1, 1, 1, 1, None, None, 0), BudgetError, "n_eff is 0"),
        (lambda: step_multiplier(0), BudgetError, "n_eff is 0"),
        (lambda: step_multiplier(10, 1, 3), BudgetError, "without eps1 and without B"),
        (lambda: step_multiplier(10, 1, 3, None, 0), BudgetError, "B is 0"),
        (lambda: gaussian_epsilon(0.0, 1, 1), BudgetError, "delta1 is 0"),
        (lambda: gaussian_epsilon(0.1, 1, -1), BudgetError, "sigma is -1"),
        (lambda: RecordLaw([], []), TableError, "at least one value"),
        (lambda: RecordLaw([1, 2], [1.0]), TableError, "one probability for each value"),
        (lambda: RecordLaw.of([1, 2]), TableError, "probabilities by value"),
        (lambda: RecordLaw.bernoulli(1.5), TableError, "share is 1.5"),
        (lambda: RecordLaw.empirical([1, float("nan")]), TableError, "Entry 1"),
        (lambda: RecordLaw.empirical([]), TableError, "at least one"),
    ],
)
def test_what_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_moments_of_large_values_that_are_close_together():
    chances = [0.2, 0.3, 0.1, 0.4]
    near, far = (RecordLaw([least, least + 1, least + 5, least + 8], chances) for least in (0, 1_500_000_000))
    assert (far.variance, far.absolute_third) == (near.variance, near.absolute_third)
    assert [far.central(power) for power in (3, 4)] == [near.central(power) for power in (3, 4)]


def test_lattices_that_are_too_large_are_refused_and_named():
    with pytest.raises(LimitError, match="200,010 points"):
        sum_law([(RecordLaw([0, 1, 20_001], [0.5, 0.25, 0.25]), 9), (RecordLaw([0, 20_000], [0.5, 0.5]), 1)])
    with pytest.raises(LimitError, match="with the target has"):
        presence_slack([({0: 0.5, 1: 0.5}, 10)], {0: 0.5, 300_000: 0.5}, 1.0)
    with pytest.raises(LimitError, match="exact below"):
        sum_law([(RecordLaw([0.001, 1e14], [0.5, 0.5]), 1)])


def test_steps_of_values():
    assert common_step([RecordLaw([2, 12, 22], [0.5, 0.25, 0.25])]) == 10
    assert common_step([RecordLaw([0.000001, 1, 2], [0.5, 0.25, 0.25])]) == pytest.approx(1e-6)
    law = sum_law([(RecordLaw([0.1, 0.3], [0.5, 0.5]), 3), (RecordLaw([5.05], [1.0]), 2)])
    assert law.values == pytest.approx([10.4, 10.6, 10.8, 11.0])
    assert law.probabilities.tolist() == [0.125, 0.375, 0.375, 0.125]
    # Values far apart leave most of the lattice empty.
    wide = sum_law([(RecordLaw([0, 90_001], [0.5, 0.5]), 1), (RecordLaw([0, 7], [0.25, 0.75]), 2)])
    assert wide.probabilities.sum() == pytest.approx(1)
    assert np.count_nonzero(wide.probabilities) == 6


def test_values_are_not_rounded_to_a_coarser_step():
    law = RecordLaw([1e9 + 0.4, 1e9 + 10], [0.5, 0.5])
    assert common_step([law]) == pytest.approx(9.6)
    assert sum_slack([(law, 50)], law.range, 0.5).delta < 0.1
    assert common_step([RecordLaw([0.1 + 0.2, 0.6], [0.5, 0.5])]) == pytest.approx(0.3)
    for values in ([0, 1e-10], [1, 1 + 1e-12]):
        with pytest.raises(DomainError, match="no common step"):
            sum_law([(RecordLaw(values, [0.5, 0.5]), 2)])


def test_tails_of_long_sums_keep_their_digits():
    """A transform would be off by 1e-16 everywhere."""
    others = RecordSum.equal({0: 0.5, 1: 0.5}, 1000)
    for epsilon in (0.1, 1.0, 3.0):
        expected = count_slack(SelectedCount(1000, 1, 0.5, release="count"), epsilon).delta
        assert sum_slack(others, 1, epsilon).delta == pytest.approx(expected, rel=1e-10)
    assert expected < 1e-150


def test_values_that_are_all_but_certain_keep_their_probabilities():
    for law in ({0: 1e-20, 1: 1.0}, {1: 1e-20, 0: 1.0}):
        found = RecordSum.equal(law, 100).law
        assert np.sort(found.probabilities)[-2:] == pytest.approx([1e-18, 1.0], rel=1e-12)


def test_far_tails_of_a_long_sum_are_those_of_its_parts():
    """Fewer digits are not lost where ends are next to nothing: the binomial law knows them."""
    rng = np.random.default_rng(3)
    shares = rng.random(600)
    mixed = sum_law([(RecordLaw.bernoulli(share), 1) for share in shares])
    assert mixed.probabilities.sum() == pytest.approx(1, abs=1e-12)
    # The probability of no success at all, and of all: one product each.
    for law, logs in ((mixed, np.log1p(-shares).sum()), (mixed, np.log(shares).sum())):
        at = 0 if logs == np.log1p(-shares).sum() else 600
        value = law.probabilities[at - law.start] if 0 <= at - law.start < len(law.probabilities) else 0.0
        assert value == pytest.approx(np.exp(logs), rel=1e-9, abs=1e-279)
    halves = [sum_law([(RecordLaw([0, 1, 2], [0.25, 0.5, 0.25]), n)]) for n in (300, 450)]
    for law, n in zip(halves, (600, 900), strict=True):
        expected = sum_law([(RecordLaw.bernoulli(0.5), n)])
        both = slice(law.start - expected.start, law.start - expected.start + len(law.probabilities))
        assert law.probabilities == pytest.approx(expected.probabilities[both], rel=1e-10, abs=1e-279)


def test_records_of_equal_laws_are_counted_together():
    twice = RecordSum(((RecordLaw.of(FAIR), 2), (RecordLaw([1, 0], [0.5, 0.5]), 3), ({5: 1.0}, 0)))
    assert twice == RecordSum.equal(FAIR, 5)
    assert hash(twice) == hash(RecordSum.equal(FAIR, 5))
    assert twice.fourth == pytest.approx(5 / 16)
    assert RecordLaw([1, 1, 0], [0.25, 0.25, 0.5]) == RecordLaw.of(FAIR)
    assert RecordLaw.of(FAIR).raw(2) == 0.5


@pytest.mark.parametrize("values", [[10**6, 10**6 + 1], [-(10**9), 3 - 10**9], [0, 900_000, 1_800_000]])
def test_a_target_far_from_all_sums_is_told_apart_and_takes_no_room(values):
    """Years in seconds, and values that are wide but coarse: what lies between two laws has no outcome."""
    law = RecordLaw(values, np.full(len(values), 1 / len(values)))
    others = RecordSum.equal(law, 3 if 0 not in values else 0)
    for events in ("all", "interval", "halfline"):
        found = presence_slack(others, law, [0.0, 1.0], events).delta
        assert found.tolist() == pytest.approx([1.0, 1.0] if 0 not in values else [2 / 3, 2 / 3])
