"""Linear and advanced composition: the printed numbers, what holds, and exact tails below delta."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import MarkovChain
from pdp_widgets.errors import BudgetError, LimitError
from pdp_widgets.leakage.sequence.composition import best_bounds, compose, first_useful_step
from pdp_widgets.leakage.sequence.pointwise import pointwise_leakages, tail_of
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.stream_record import running_bounds
from pdp_widgets.leakage.sequence.stream_script import Segment
from pdp_widgets.mechanisms.sequence.conditional_response import ShrunkResponse
from pdp_widgets.mechanisms.sequence.optimal_response import BinaryOptimum
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols


@pytest.mark.parametrize(
    ("epsilon", "printed", "smaller"),
    [(0.05, 26, 25), (0.1, 29, 26), (0.2, 38, 29), (0.3, 55, 32), (0.5, 187, 41), (1.0, None, 80)],
)
def test_first_step_at_which_the_advanced_bound_is_the_smaller_one(epsilon, printed, smaller):
    assert first_useful_step(epsilon, printed=True) == printed
    assert first_useful_step(epsilon) == smaller
    found, before = compose(epsilon, smaller), compose(epsilon, smaller - 1)
    assert float(found.advanced) < float(found.linear)
    assert float(before.advanced) >= float(before.linear)
    if printed is not None:
        found, before = compose(epsilon, printed), compose(epsilon, printed - 1)
        assert float(found.printed) < float(found.linear)
        assert float(before.printed) >= float(before.linear)


def test_the_printed_form_is_of_no_use_from_ln_2_on():
    assert first_useful_step(math.log(2), printed=True) is None
    assert first_useful_step(0.69, printed=True) > 100_000
    assert first_useful_step(0.69, printed=True, most=100_000) is None


@given(st.lists(st.floats(0, 5), max_size=20), st.floats(1e-12, 0.999))
def test_best_is_the_smaller_of_two_bounds_that_hold(epsilons, delta):
    found = compose(epsilons, delta=delta)
    assert float(found.best) == min(float(found.linear), float(found.advanced))
    assert float(found.best) <= math.fsum(epsilons)
    assert float(found.advanced) <= float(found.printed) + 1e-12
    assert float(found.printed) <= float(found.printed_batched) + 1e-12 or len(epsilons) < 2
    assert {found.linear.status, found.advanced.status, found.best.status} == {"bound"}
    assert found.printed.status == "as printed"
    curves = best_bounds(epsilons, delta)
    if epsilons:
        assert curves["best"][-1] == pytest.approx(float(found.best), abs=1e-12)
        assert curves["advanced"][-1] == pytest.approx(float(found.advanced), abs=1e-12)


def test_equal_budgets_are_the_formula_of_the_theorem():
    found = compose(0.3, 6, 0.5)
    assert float(found.printed) == pytest.approx(1.4950, abs=5e-5)
    assert compose([0.3] * 6, delta=0.5).epsilons == found.epsilons


@given(
    st.floats(0.02, 0.98),
    st.floats(0.5, 0.98),
    st.floats(0.05, 1.5),
    st.floats(0.01, 0.9),
    st.sampled_from([BinaryOptimum, ShrunkResponse, RandomisedSymbols]),
)
def test_the_tail_at_the_advanced_bound_is_no_more_than_delta(first, stay, epsilon, delta, kind):
    chain = ([1 - first, first], [[stay, 1 - stay], [1 - stay, stay]])
    pairs = pointwise_leakages(chain, kind(epsilon), 5)
    bounds = compose(epsilon, 5, delta)
    assert pairs.upper <= float(bounds.linear) + 1e-9
    tail = tail_of(pairs, float(bounds.advanced))
    assert tail.worst_one_sided <= delta
    assert tail.worst_two_sided <= 2 * delta
    # The low side obeys the smaller bound without drift.
    low = epsilon * math.sqrt(2 * 5 * math.log(1 / delta))
    below = (pairs.given * (pairs.leakage < -low - 1e-12)).sum(axis=1)
    assert below.max() <= delta


def test_the_tail_of_the_specification():
    chain = ([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]])
    pairs = pointwise_leakages(chain, BinaryOptimum(0.3), 6)
    tail = tail_of(pairs, float(compose(0.3, 6, 0.5).printed))
    assert tail.worst_one_sided == pytest.approx(0.054, abs=5e-4)


def test_ends_of_the_ranges():
    assert float(compose(0.0, 5).best) == 0.0
    assert float(compose(1.0, 0).best) == 0.0
    assert float(compose(math.inf, 2).best) == math.inf
    assert float(compose(2.0, 3, delta=0.0).best) == 6.0
    assert float(compose(0.0, 3, delta=0.0).advanced) == 0.0
    assert float(compose(1e6, 2).printed) == math.inf
    assert first_useful_step(0.5, delta=0.0) is None
    assert best_bounds([], 0.1)["best"].size == 0
    assert np.isinf(best_bounds([1.0, 1.0], 0.0)["advanced"]).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((-1.0, 3), "epsilon is -1"),
        ((math.nan, 3), "epsilon is nan"),
        ((1.0,), "steps is missing"),
        ((1.0, 2.5), "steps is 2.5"),
        (([1.0, "x"],), "epsilon of step 2"),
        (([1.0], 2), "give the list alone"),
        ((1.0, 3, 1.0), "delta is 1"),
    ],
)
def test_refusals(arguments, words):
    with pytest.raises(BudgetError, match=words):
        compose(*arguments)


@given(level=st.floats(0.0, 20.0), steps=st.integers(0, 300))
def test_equal_budgets_need_no_list(level, steps):
    one, listed = compose(level, steps), compose([level] * steps)
    assert one == listed
    # A last budget that differs by nothing to speak of is summed one by one.
    if steps and level > 1e-3:
        apart = compose([level] * (steps - 1) + [level * (1 + 1e-13)])
        for name in ("linear", "advanced", "printed", "printed_batched"):
            assert float(getattr(one, name)) == pytest.approx(float(getattr(apart, name)), rel=1e-11)


@pytest.mark.parametrize("steps", [10**7 + 1, 10**9, 10**30, 10**5000], ids=["more", "9", "30", "5000"])
def test_too_many_steps_are_refused_by_name(steps):
    with pytest.raises(LimitError, match=r"^steps is .*at most 10,000,000 steps") as refused:
        compose(0.1, steps)
    assert refused.value.where.name == "steps"


@pytest.mark.parametrize("steps", [10**6 + 1, 10**9])
def test_steps_of_an_analysis_are_bounded(steps):
    with pytest.raises(LimitError, match=r"^steps is .*at most 1,000,000 steps"):
        SequenceAnalysis(MarkovChain.symmetric(0.9), "crr", steps, epsilon=1.0)


def test_a_list_that_is_too_long_is_refused_before_it_is_read():
    # A view of one number, as long as it likes.
    long = np.broadcast_to(np.float64(0.1), 10**9)
    with pytest.raises(LimitError, match=r"^steps is 1000000000"):
        compose(long)


@pytest.mark.filterwarnings("error")
def test_sums_beyond_the_largest_float_are_infinite():
    for found in (compose(1e308, 10), compose([1e308, 1.7e308]), compose([1e308] * 3, delta=0.0)):
        assert float(found.linear) == float(found.advanced) == float(found.printed) == math.inf
    chain = MarkovChain.symmetric(0.9)
    assert float(SequenceAnalysis(chain, "crr", 4, epsilon=1e308).promised.linear) == math.inf
    assert best_bounds([1e308] * 3)["best"].tolist() == [1e308, math.inf, math.inf]
    segments = Segment(1, chain, 1e308), Segment(3, chain, 1.0)
    promise, linear, advanced = running_bounds(segments, 0, 3, 1e-5)
    assert promise.tolist() == [1e308, 1e308, 1.0]
    assert linear.tolist() == [1e308, math.inf, math.inf]
    assert np.isinf(advanced).all()
