"""What is wrong in a call about local privacy is said by its name, and never by an error of numpy."""

import numpy as np
import pytest

from pdp_widgets import LocalAnalysis, anes96, pair_leakage, titanic
from pdp_widgets.errors import BudgetError, DomainError, LimitError, TableError
from pdp_widgets.local import (
    association,
    compare_utility,
    joint_privacy_loss,
    leakage_curve,
    pair_interval,
    simplex_frequencies,
    simulated_leakage,
    statistical_leakage,
    surrogate_test,
)
from pdp_widgets.mechanisms.local.randomised_response import GRR

PAIR = {"secret": "survived", "source": "class"}
CALLS = {
    "association": lambda **pair: association(titanic(), **pair),
    "curve": lambda **pair: leakage_curve(titanic(), "GRR", [0.5], **pair),
    "interval": lambda **pair: pair_interval(titanic(), GRR(1.0), rng=1, **pair),
    "leakage": lambda **pair: pair_leakage(titanic(), GRR(1.0), **pair),
    "simulated": lambda **pair: simulated_leakage(titanic(), "GRR", epsilon=1.0, rng=1, **pair),
    "statistical": lambda **pair: statistical_leakage(titanic(), **pair),
    "surrogates": lambda **pair: surrogate_test(titanic(), "GRR", epsilon=1.0, rng=1, **pair),
}


@pytest.mark.parametrize("given", [np.zeros(2), np.zeros(0), np.array(["class", "sex"]), ["class"]])
@pytest.mark.parametrize("end", ["secret", "source"])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_several_attributes_are_none(call, end, given):
    with pytest.raises(DomainError, match=f"There is no attribute .*; the {end} is one of"):
        call(**PAIR | {end: given})


def test_an_array_is_no_name_of_an_axis_either():
    with pytest.raises(DomainError):
        pair_leakage([[3, 1], [2, 2]], GRR(1.0), secret=np.zeros(2), source=np.zeros(2))


@pytest.mark.parametrize("domains", [[], {}, [["no", "yes"]], [["no", "yes"]] * 3])
def test_a_pair_has_two_domains(domains):
    with pytest.raises(DomainError, match=r"domains is|The domains"):
        pair_leakage([[3, 1], [2, 2]], GRR(1.0), domains=domains)


@pytest.mark.parametrize("conditional", [np.zeros(2), "no", 1, None])
def test_conditional_is_a_flag(conditional):
    with pytest.raises(DomainError, match=r"conditional is .*; give True or False"):
        pair_leakage([[0.5, 0.5], [0.2, 0.8]], GRR(1.0), conditional=conditional)


@pytest.mark.parametrize(
    ("estimates", "shares"),
    [
        ([1e308, 1e308], [0.5, 0.5]),
        ([1e308, -1e308, -1e308], [1.0, 0.0, 0.0]),
        ([-1.7e308, -1.7e308, 1.7e308], [0.0, 0.0, 1.0]),
        ([5.0, 4.5, 3.9], [0.75, 0.25, 0.0]),
    ],
)
def test_shares_are_found_however_far_the_estimates_lie(estimates, shares):
    assert simplex_frequencies(estimates) == pytest.approx(shares, abs=1e-15)


def test_the_nearest_shares_are_those_of_a_search():
    rng = np.random.default_rng(1)
    for _ in range(50):
        estimates = rng.normal(0, rng.choice([0.1, 1.0, 10.0]), rng.integers(1, 9))
        low, high = estimates.min() - 1, estimates.max()
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if np.maximum(estimates - middle, 0).sum() > 1 else (low, middle)
        assert simplex_frequencies(estimates) == pytest.approx(np.maximum(estimates - low, 0), abs=1e-12)


@pytest.mark.parametrize("bins", ["age", 5, [[1, 2], [3]], np.zeros(2)])
def test_bins_of_the_survey_go_by_attribute(bins):
    with pytest.raises(DomainError, match="give bins by attribute"):
        anes96(bins=bins)


def test_more_draws_than_are_kept_are_refused_at_once():
    with pytest.raises(LimitError, match=r"draws is 1,000,000,000,000; at most 10,000,000"):
        pair_interval(titanic(), GRR(1.0), draws=10**12, **PAIR)


def test_a_prior_is_a_float():
    with pytest.raises(TableError, match="The prior is an integer of about 401 digits"):
        pair_interval(titanic(), GRR(1.0), prior=10**400, **PAIR)


@pytest.mark.parametrize("mechanisms", [[np.zeros(2)], np.eye(2)])
def test_arrays_are_no_mechanisms(mechanisms):
    with pytest.raises((BudgetError, TypeError), match="mechanism"):
        compare_utility(titanic(), 1.0, mechanisms)


@pytest.mark.parametrize("sources", [True, 0.5, object(), np.array(1.0), np.timedelta64(1)])
def test_sources_are_a_list(sources):
    with pytest.raises(DomainError, match=r"The sources are .*; give a list"):
        LocalAnalysis(titanic(), "GRR", 1.0).joint("survived", sources)


def test_one_source_is_a_list_of_one_and_reports_once():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    one = analysis.joint("survived", ["sex"]).exact
    for sources in ("sex", 1, ["sex", "sex"], ("sex", 1), ["survived", "sex"]):
        assert analysis.joint("survived", sources).exact == one


def test_about_a_secret_with_one_possible_value_its_own_promise_counts_and_nothing_else():
    found = joint_privacy_loss([[0.25, 0.75], [0.0, 0.0]], 0, GRR(1.0))
    assert (found.others.value, found.exact.value, found.dpl) == (0.0, 1.0, 1.0)
