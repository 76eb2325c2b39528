"""What is wrong in a call about a stream is said by its name: no endless work, and no error of numpy."""

import numpy as np
import pytest

from pdp_widgets import (
    BalancedResponse,
    ConditionalResponse,
    MarkovChain,
    SequenceAnalysis,
    StreamData,
    compose,
    sequence_leakage,
)
from pdp_widgets.errors import BudgetError, ChainError, DomainError, LimitError, StreamError
from pdp_widgets.streams import (
    BatchBelief,
    BatchRelease,
    StreamBelief,
    StreamRun,
    StreamScript,
    TemporalResponse,
    batch_errors,
    expected_errors,
    look_back_releases,
    pointwise_leakages,
    sequence_mutual_information,
    simulate_releases,
    simulated_violation_share,
    temporal_leakage,
    transition_counts,
    violation_share,
)

CHAIN = MarkovChain.symmetric(0.8)
ONE = ConditionalResponse(1.0)


@pytest.mark.parametrize("steps", [10**7, 10**30, 10**400], ids=["1e7", "1e30", "1e400"])
@pytest.mark.parametrize(
    "of",
    [
        lambda steps: expected_errors(CHAIN, ONE, steps),
        lambda steps: pointwise_leakages(CHAIN, ONE, steps),
        lambda steps: sequence_mutual_information(CHAIN, ONE, steps),
        lambda steps: temporal_leakage(CHAIN.transitions, 1.0, steps),
        lambda steps: violation_share(CHAIN, 1.0, steps),
    ],
    ids=["errors", "pointwise", "information", "temporal", "share"],
)
def test_more_steps_than_are_taken_are_refused_at_once(of, steps):
    with pytest.raises(LimitError, match="at most 1,000,000 steps"):
        of(steps)


@pytest.mark.parametrize("chain", [[[0.9, 0.1], [0.1, 0.9]], None, "chain", np.eye(2)])
def test_batches_need_a_chain(chain):
    with pytest.raises(ChainError, match="give a MarkovChain"):
        batch_errors(chain, 1.0, [1, 2], steps=6, rng=1)


@pytest.mark.parametrize("most", [0, -1, -np.inf, 0.5, np.zeros(2), "many"])
def test_how_many_are_allowed_is_a_whole_number(most):
    with pytest.raises(BudgetError, match=r"most_pairs is .*whole number, 1 or more"):
        pointwise_leakages(CHAIN, ONE, 3, most_pairs=most)
    with pytest.raises(BudgetError, match=r"most is .*whole number, 1 or more"):
        sequence_leakage(CHAIN, ONE, 3, most=most)


def test_more_people_than_fit_are_refused_before_room_is_made():
    with pytest.raises(BudgetError, match=r"users is 10000000000; .* 1 to 67,108,864"):
        simulated_violation_share(CHAIN, 1.0, 10, users=10**10)


@pytest.mark.parametrize("chain", [None, [[0.9, 0.1], [0.1, 0.9]], "chain"])
def test_a_script_needs_a_chain(chain):
    with pytest.raises(ChainError, match="give a MarkovChain"):
        StreamScript.of(chain, 1.0, 1)


@pytest.mark.parametrize("unit", ["batches", "", None, 5, ["batch"], np.zeros(2)])
def test_bounds_are_of_steps_or_of_batches(unit):
    with pytest.raises(BudgetError, match=r"The unit is .*; it is 'step' or 'batch'"):
        compose(0.1, 5, unit=unit)


def test_an_array_without_axes_is_one_budget():
    assert compose(np.array(0.1), 5) == compose(0.1, 5)


@pytest.mark.parametrize("method", ["quick", np.zeros(2), [], 5])
def test_a_method_is_one_of_three(method):
    with pytest.raises(DomainError, match=r"The method is .*; it is 'enumeration', 'tree' or 'separated'"):
        SequenceAnalysis(CHAIN, ONE, 3, method=method)


@pytest.mark.parametrize("order", [3, 0, 1.0, True, None, np.zeros(2), [1]])
def test_an_order_is_one_or_two(order):
    with pytest.raises(ChainError, match=r"The order is .*; it is 1 or 2"):
        transition_counts([["a", "b"]], order=order)


@pytest.mark.parametrize("streams", [[[0, 1], [1]], [[10**400, 0]], "01", [0, 1]])
def test_streams_have_one_length(streams):
    with pytest.raises(StreamError, match=r"The streams are .*; give positions of symbols"):
        simulate_releases(CHAIN, ONE, streams=streams, rng=1)


@pytest.mark.parametrize("order", [1, 2])
def test_of_nobody_nothing_is_believed(order):
    moves = np.full((2,) * (order + 1), 0.5)
    for size in (1, 2, 3):
        belief = BatchBelief.before(MarkovChain(moves, [0.5, 0.5]), size, users=0)
        assert belief.predictive.shape == (0, 2**size)


@pytest.mark.parametrize("number", [10**10, 10**18, 10**400])
def test_releases_that_nobody_can_hold_are_refused_in_few_words(number):
    for steps, users in ((number, 1), (1, number)):
        with pytest.raises(LimitError) as refused:
            look_back_releases(CHAIN, ONE, steps, users, rng=1)
        assert len(str(refused.value)) < 200


@pytest.mark.parametrize("mechanism", [ONE, "crr", np.zeros(2), 0])
def test_batches_need_what_makes_their_mechanism(mechanism):
    with pytest.raises(BudgetError, match="give a function of the budget"):
        batch_errors(CHAIN, 1.0, [1], steps=2, mechanism=mechanism, rng=1)


@pytest.mark.parametrize("wrong", [np.array([True, False]), 1, "yes", [True]])
def test_an_option_that_is_no_flag_is_named(wrong):
    chain = MarkovChain.symmetric(0.9)
    with pytest.raises(DomainError, match=r"keep_beliefs is .*; give True or False"):
        simulate_releases(CHAIN, ONE, 5, rng=1, keep_beliefs=wrong)
    with pytest.raises(DomainError, match=r"previous is .*; give True or False"):
        StreamBelief.before(chain).after([[1, 0], [0, 1]], 0, previous=wrong)


@pytest.mark.parametrize("sizes", [3, 2.0, None, b"12", "12", np.ma.masked, np.array(2), {2: 1}])
def test_sizes_of_batches_are_a_list(sizes):
    with pytest.raises(BudgetError, match=r"sizes is .*; give a list of whole numbers"):
        batch_errors(CHAIN, 1.0, sizes, steps=4, rng=1)


@pytest.mark.parametrize("made", [None, 1.0, np.zeros(2), TemporalResponse(1.0, [[0.5, 0.5], [0.5, 0.5]])])
def test_what_makes_a_mechanism_of_a_batch_gives_one(made):
    with pytest.raises(BudgetError, match=r"made .*; it must give a mechanism that looks at nothing but"):
        batch_errors(CHAIN, 1.0, [2], steps=4, mechanism=lambda epsilon, distances: made, rng=1)


@pytest.mark.parametrize("size", [10**20, 10**400])
def test_a_batch_of_more_steps_than_there_are_is_one_batch_of_all(size):
    # Whatever the size, the budget is that of what is released.
    whole = SequenceAnalysis(CHAIN, BatchRelease(BalancedResponse(0.5), 4, 2), 4)
    longer = SequenceAnalysis(CHAIN, BatchRelease(BalancedResponse(0.5), size, 2), 4)
    assert longer.sequence == whole.sequence
    assert longer.steps.error == pytest.approx(whole.steps.error)


@pytest.mark.parametrize("symbol", [np.array(["a", "b"]), np.array([1, 2]), np.zeros((2, 2))])
def test_an_array_is_no_symbol(symbol):
    with pytest.raises(StreamError, match="Stream 0, step 1 is a ndarray; a symbol is a number"):
        StreamData([[symbol, symbol]])


@pytest.mark.parametrize("seed", ["x", -1, 1.5, None, [1, 2], True, np.ma.masked])
def test_a_stream_has_one_seed_that_is_a_whole_number(seed):
    with pytest.raises(StreamError, match=r"The seed is .*; it must be a whole number, 0 or more"):
        StreamRun.of(MarkovChain.symmetric(0.9), 1.0, "crr", 4, seed=seed)
    assert StreamRun.of(MarkovChain.symmetric(0.9), 1.0, "crr", 4, seed=np.int64(3)).script.seed == 3
