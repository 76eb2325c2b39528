"""Budgets from nothing to infinity for every mechanism, degenerate tables, and input that is refused."""

import math
import time
import warnings

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, DomainError, PdpError, TableError
from pdp_widgets.leakage.local.leakage_curve import leakage_curve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.histogram_encoding import SHE
from pdp_widgets.mechanisms.local.mechanism_by_name import LOCAL_MECHANISMS, mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import GRR, SS, DeltaGRR
from pdp_widgets.mechanisms.local.unary_encoding import OUE, RAPPOR
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counts import titanic
from pdp_widgets.models.joint_distribution import JointDistribution

WITH_BUDGET = [one.key for one in LOCAL_MECHANISMS if one.epsilon]
EXTREMES = [
    0.0,
    1e-300,
    1e-9,
    0.4999999,
    0.5,
    699.9,
    700.0,
    700.1,
    710.0,
    745.0,
    1000.0,
    1e5,
    1e308,
    math.inf,
]
FULL = [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]
HOLED = [[0.6, 0.4, 0.0], [0.1, 0.8, 0.1]]


def made(name, epsilon):
    return mechanism_named(name, epsilon, **({"delta": 0.1} if name == "DGRR" else {}))


@pytest.mark.parametrize("name", WITH_BUDGET)
@pytest.mark.parametrize("output", ["raw", "inferred"])
@pytest.mark.parametrize("rows", [FULL, HOLED])
def test_every_budget_has_a_leakage_and_no_warning(name, output, rows):
    if name == "generic" and output == "inferred":
        return
    before = 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = [pair_leakage(rows, made(name, e), output, conditional=True) for e in EXTREMES]
        curve = leakage_curve(rows, made(name, 1.0), EXTREMES, output, conditional=True)
    for epsilon, found, on_curve in zip(EXTREMES, values, curve.values, strict=True):
        assert found.value == on_curve or found.value == pytest.approx(on_curve, rel=1e-12)
        assert not math.isnan(found.value)
        assert found.value <= made(name, epsilon).promise(3)
        # Sets of another size, and another number of groups, may leak less.
        if name not in ("SS", "OLH"):
            assert found.value >= before * (1 - 1e-12)
        before = found.value
    largest = math.inf if rows is HOLED else math.log(6)
    if output == "raw":
        assert values[-1].value == pytest.approx(largest) or values[-1].value == largest
        assert values[0].value == (0 if name != "DGRR" else values[0].value)


@pytest.mark.parametrize("name", [name for name in WITH_BUDGET if name != "generic"])
@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.filterwarnings("error")
def test_reports_at_every_budget_can_be_made_guessed_and_counted(name, k):
    for epsilon in EXTREMES:
        mechanism = made(name, epsilon)
        guess = mechanism.inferred(k)
        assert 0 <= guess.other <= guess.keep <= 1
        assert guess.keep + (k - 1) * guess.other == pytest.approx(1)
        assert guess.log_ratio >= 0
        reports = mechanism.release(np.arange(200) % k, k, rng=1)
        shares = mechanism.frequencies(reports)
        variances = mechanism.variance(np.full(k, 1 / k), k, 200)
        # Where reports say nothing there is nothing to count; errors may be beyond the floats.
        assert np.isnan(shares).all() == np.isnan(variances).all()
        assert np.isnan(variances).all() or (variances >= 0).all()
        if (
            epsilon >= 700
            and not np.isnan(shares).any()
            and name not in ("OUE", "LOSUE", "BLH", "OLH", "THE")
        ):
            assert shares == pytest.approx(np.full(k, 1 / k), abs=1e-3 if name == "SHE" else 1e-9)


def test_beyond_what_exp_can_hold():
    """50-digit reference: 1000 + ln 0.1."""
    for mechanism in (AnyMechanism(1000.0), GRR(1000.0), OUE(1000.0), SHE(1000.0), SS(1000.0)):
        found = pair_leakage(HOLED, mechanism, conditional=True)
        assert found.value == pytest.approx(997.697414907006, abs=1e-9)
        assert found.symbols == (2,)
        assert found.pair == (1, 0)


def test_tiny_budgets_keep_their_digits():
    for mechanism in (AnyMechanism(1e-9), GRR(1e-9), OUE(1e-9)):
        found = pair_leakage([[0.6, 0.4], [0.1, 0.9]], mechanism, conditional=True)
        assert found.value == pytest.approx(5.00000000075e-10, rel=1e-14)


def test_limits_of_guesses():
    """OUE and OLH read as inferred saturate at rho = k + 1, whatever the table."""
    forward = np.array([[0.2, 0, 0, 0], [0, 0.2, 0, 0], [0.1, 0.15, 0.03, 0.02], [0.1, 0.15, 0.03, 0.02]])
    for name in ("OUE", "OLH"):
        assert pair_leakage(forward, made(name, math.inf), "inferred").value == pytest.approx(math.log(5))
    for name in ("GRR", "EXP", "SUE", "SHE", "SS"):
        assert pair_leakage(forward, made(name, math.inf), "inferred").value == math.inf
    assert pair_leakage(forward, SS(math.inf, omega=2), "inferred").value == pytest.approx(math.log(3))


def test_subset_selection_jumps_with_the_budget():
    rows = [[0.3, 0.3, 0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 0.3, 0.3, 0.1, 0.1]]
    below, above = (
        pair_leakage(rows, SS(math.log(2) + shift), conditional=True).value for shift in (-1e-9, 1e-9)
    )
    assert (below, above) == (pytest.approx(0.2877, abs=1e-4), pytest.approx(0.1671, abs=1e-4))


def test_appendix_k():
    forward = np.array([[0.2, 0, 0, 0], [0, 0.2, 0, 0], [0.1, 0.15, 0.03, 0.02], [0.1, 0.15, 0.03, 0.02]])
    for epsilon in (0.5, 1.0, 2.0):
        there = pair_leakage(forward, GRR(epsilon))
        assert there.value == pytest.approx(epsilon, abs=1e-12)
        back = pair_leakage(forward.T, GRR(epsilon)).value
        assert back == pytest.approx(math.log((1 + math.exp(epsilon)) / 2), abs=1e-12)


@pytest.mark.parametrize(
    "table", [[[3, 7]], [[3], [4]], [[3, 7], [0, 0]], [[0, 0], [5, 1], [0, 0]], [[1, 2], [2, 4]]]
)
@pytest.mark.parametrize("name", WITH_BUDGET)
def test_nothing_to_learn(table, name):
    found = pair_leakage(table, made(name, 2.0))
    assert found.value == 0
    assert (found.pair, found.symbols, found.rows, found.masses) == (None, (), None, None)


def test_secret_values_without_records_are_named():
    found = pair_leakage([[30, 20], [0, 0], [10, 40]], GRR(1.0), domains=[["a", "b", "c"], ["u", "v"]])
    assert found.left_out == ("b",)
    assert found.pair in (("a", "c"), ("c", "a"))
    assert found.supports in ((50, 50),)


def test_rare_secret_values_can_be_left_out():
    counts = [[400, 600], [500, 500], [3, 0]]
    everyone, frequent = (pair_leakage(counts, GRR(1.0), min_count=least) for least in (0, 30))
    assert sorted(everyone.supports) == [3, 1000]
    assert frequent.left_out == (2,)
    assert frequent.supports == (1000, 1000)
    assert frequent.value < everyone.value
    assert pair_leakage(counts, GRR(1.0), min_count=3).value == everyone.value


def test_an_infinite_budget_names_its_worst_symbols():
    found = pair_leakage(FULL, OUE(math.inf), conditional=True)
    assert found.value == pytest.approx(math.log(6))
    assert found.symbols in ((0,), (2,))
    assert pair_leakage(HOLED, OUE(math.inf), conditional=True).symbols == (2,)


def test_a_matrix_names_its_worst_output():
    found = pair_leakage(FULL, Channel([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]]), conditional=True)
    assert (found.reported, found.symbols, found.saturation) in ((0, (), None), (1, (), None))
    assert pair_leakage(FULL, GRR(1.0), conditional=True).reported is None


def test_rappor_has_no_saturation():
    assert pair_leakage(FULL, RAPPOR(0.5, 0.5, 0.75), conditional=True).saturation is None


def test_prior_of_a_noisy_histogram_is_a_matrix():
    channel = Channel(SHE(1.0).attack_with_prior([0.7, 0.3]))
    found = pair_leakage([[0.6, 0.4], [0.1, 0.9]], channel, conditional=True)
    likelihoods = np.array([[0.6, 0.4], [0.1, 0.9]]) @ channel.matrix
    assert found.value == pytest.approx(np.log(likelihoods.max(axis=0) / likelihoods.min(axis=0)).max())


@pytest.mark.parametrize(
    ("table", "options", "kind", "message"),
    [
        ([[0.5, -0.1], [0.3, 0.3]], {}, TableError, r"Entry \(0, 1\) of the table is -0.1"),
        ([[0.5, math.nan], [0.3, 0.3]], {}, TableError, "is nan"),
        ([[0.5, math.inf], [0.3, 0.3]], {}, TableError, "is inf"),
        ([[0.0, 0.0], [0.0, 0.0]], {}, TableError, "All entries of the table are 0"),
        ([0.5, 0.5], {}, TableError, "has 1 axes; it must have 2"),
        ([], {}, TableError, "axes"),
        ([["a", "b"]], {}, TableError, "no array of numbers"),
        ([[0.5, 0.5], [0.5]], {}, TableError, "no array of numbers"),
        ([[0.5, 0.6], [0.5, 0.5]], {"conditional": True}, TableError, "Row 0 of the table sums to 1.1"),
        ([[1, 1], [1, 2]], {"min_count": -1}, TableError, "min_count is -1"),
        ([[1, 1], [1, 2]], {"min_count": "2"}, TableError, "min_count is '2'"),
        ([[0.1, 0.1], [0.1, 0.7]], {"min_count": 2}, DomainError, "min_count needs records"),
        ([[1, 1], [1, 2]], {"names": ["a"]}, DomainError, "1 names for 2"),
        ([[1, 1], [1, 2]], {"domains": [["a", "b"], ["c"]]}, DomainError, "1 labels for 2 columns"),
        ([[1, 1], [1, 2]], {"output": "both"}, BudgetError, "output is 'both'"),
        (titanic(), {}, DomainError, "have 4 attributes.* choose two"),
    ],
)
def test_wrong_tables_are_named(table, options, kind, message):
    with pytest.raises(kind, match=message):
        pair_leakage(table, GRR(1.0), **options)


@pytest.mark.parametrize("mechanism", [AnyMechanism(1.0), Channel([[0.5, 0.5], [0.1, 0.9]])])
def test_no_guess_is_defined(mechanism):
    with pytest.raises(BudgetError, match="guess"):
        pair_leakage([[1, 2], [2, 1]], mechanism, "inferred")


def test_what_is_no_mechanism():
    with pytest.raises(TypeError, match="give a local mechanism"):
        pair_leakage([[1, 2], [2, 1]], 1.0)
    with pytest.raises(PdpError, match="rows for 2 symbols"):
        pair_leakage([[1, 2, 3], [2, 1, 3]], Channel([[0.5, 0.5], [0.1, 0.9]]))


def test_a_joint_distribution_brings_names_labels_and_records():
    joint = JointDistribution.from_counts(
        [[30, 50], [60, 25]], [["no", "yes"], ["a", "b"]], ["vote", "party"]
    )
    found = pair_leakage(joint, GRR(1.0))
    assert str(found) == "0.3204 nats (exact): vote, from the report of party"
    assert (found.secret_name, found.source_name) == ("vote", "party")
    assert (found.pair, found.symbols, found.supports) == (("no", "yes"), ("b",), (80, 85))
    assert found.masses == pytest.approx((50 / 80, 25 / 85))
    assert found.leakage.source.endswith("Eq. 3")
    assert "guess" in str(pair_leakage(joint, GRR(1.0), "inferred"))


def test_delta_of_randomised_response_is_in_its_ratio():
    rows = [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]]
    found = pair_leakage(rows, DeltaGRR(1.0, 0.05), conditional=True)
    assert found.value == pytest.approx(0.35307408729676687, abs=1e-12)
    assert found.delta_tight is None


def test_delta_without_a_budget_is_the_distance_in_variation():
    found = pair_leakage([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]], AnyMechanism(0.0, 0.1), conditional=True)
    assert (found.value, found.delta_tight) == (0, pytest.approx(0.03))
    alone = pair_leakage([[0.5, 0.5]], AnyMechanism(1.0, 0.1), conditional=True)
    assert (alone.delta_tight, alone.delta_paper) == (0, 0)


def test_curves_of_mechanisms_without_a_budget_are_refused():
    with pytest.raises(BudgetError, match="no budget to set"):
        leakage_curve(FULL, RAPPOR(0.5, 0.5, 0.75), [1.0], conditional=True).values  # noqa: B018
    with pytest.raises(BudgetError, match="epsilons is -1"):
        leakage_curve(FULL, GRR(1.0), [1.0, -1.0], conditional=True)


def test_one_attribute_leaks_about_no_other():
    analysis = LocalAnalysis([3, 4], "GRR", 1.0)
    assert analysis.matrix.tolist() == [[0.0]]
    with pytest.raises(DomainError, match="One attribute has no other"):
        analysis.largest  # noqa: B018


@pytest.mark.parametrize("mechanism", ["generic", "GRR", "OUE", "SS"])
@pytest.mark.parametrize("epsilon", [0.5, 30.0, 800.0, np.inf])
def test_values_that_nobody_has_change_nothing_and_cost_nothing(mechanism, epsilon):
    small = AttributeTable([[0, 0], [1, 1], [1, 0], [2, 1]], sizes=[3, 2])
    codes = np.array(small.codes)
    wide = AttributeTable(codes * 7 + 3, sizes=[18, 11])
    kind = mechanism_named(mechanism, epsilon)
    if mechanism == "generic":
        a, b = (LocalAnalysis(table, kind) for table in (small, wide))
        np.testing.assert_allclose(a.matrix, b.matrix, rtol=1e-12)
        for j, k in ((0, 1), (1, 0)):
            one, other = a.pair(j, k).pair, b.pair(j, k).pair
            assert other == (None if one is None else tuple(7 * label + 3 for label in one))
    start = time.process_time()
    many = LocalAnalysis(AttributeTable([[0, 0], [1, 1]], sizes=[1000, 1000]), kind)
    assert many.matrix[0, 1] > 0
    assert time.process_time() - start < 3
