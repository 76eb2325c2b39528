"""What a stream leaks: three exact ways against each other and against lists of all sequences."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, ChainError, DomainError, LimitError
from pdp_widgets.leakage.sequence.batched_stream import BatchSource
from pdp_widgets.leakage.sequence.pointwise import pointwise_leakages, pointwise_tail, tail_of
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.sequence_leakage import sequence_leakage
from pdp_widgets.leakage.sequence.step_leakages import (
    expected_errors,
    sequence_mutual_information,
)
from pdp_widgets.leakage.sequence.stream_source import (
    HistoryStates,
    SecondOrderSource,
    first_order,
)
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse, ShrunkResponse
from tests.leakage.sequence import every_sequence as listed

ROOM = 1e-9
seeds = st.integers(0, 2**32 - 1)


def laws(rng, *shape, zeros=0.0):
    """Random laws along the last axis, some entries 0 but never all."""
    found = (
        rng.dirichlet(np.ones(shape[-1]), shape[:-1]) if len(shape) > 1 else rng.dirichlet(np.ones(shape[0]))
    )
    gone = (rng.random(found.shape) < zeros) & (found < found.max(axis=-1, keepdims=True))
    found = np.where(gone, 0.0, found)
    return found / found.sum(axis=-1, keepdims=True)


def random_channel(rng, n):
    """A mechanism whose channel depends on the belief, in no way the library knows."""
    first, second = laws(rng, n, n), laws(rng, n, n)
    return lambda belief: belief[0] * first + (1 - belief[0]) * second


def agree(found, reference):
    assert found.upper == pytest.approx(reference.upper, abs=ROOM)
    assert found.lower == pytest.approx(reference.lower, abs=ROOM)
    assert float(found) == pytest.approx(reference.leakage, abs=ROOM)
    assert found.per_step == pytest.approx(reference.per_step, abs=ROOM)
    assert float(found.composed) == pytest.approx(reference.composed, abs=ROOM)


@pytest.mark.parametrize("method", ["enumeration", "tree", "separated"])
@pytest.mark.parametrize("seed", range(4))
def test_first_order_against_all_sequences(method, seed):
    rng = np.random.default_rng(seed)
    n, steps = (2, 4) if seed % 2 else (3, 3)
    start, moves, channel = laws(rng, n), laws(rng, n, n), random_channel(rng, n)
    found = sequence_leakage((start, moves), channel, steps, method)
    reference = listed.EverySequence(listed.first_order(start, moves), n, channel, steps)
    agree(found, reference)
    assert found.method == method
    assert found.local_level == pytest.approx(reference.local_level, abs=ROOM)
    for k in range(1, steps + 1):
        shorter = sequence_leakage((start, moves), channel, k, method)
        assert found.so_far[k - 1] == pytest.approx(float(shorter), abs=ROOM)
        assert found.composed_so_far[k - 1] == pytest.approx(float(shorter.composed), abs=ROOM)
    ratio = reference.log_ratio(found.data, found.released)
    assert abs(ratio) == pytest.approx(float(found), abs=ROOM)


@pytest.mark.parametrize("seed", range(6))
def test_zeros_in_chain_and_start_against_all_sequences(seed):
    rng = np.random.default_rng(100 + seed)
    start, moves, channel = laws(rng, 3, zeros=0.4), laws(rng, 3, 3, zeros=0.5), random_channel(rng, 3)
    reference = listed.EverySequence(listed.first_order(start, moves), 3, channel, 3)
    for method in ("enumeration", "tree"):
        found = sequence_leakage((start, moves), channel, 3, method)
        agree(found, reference)
        assert abs(reference.log_ratio(found.data, found.released)) == pytest.approx(float(found), abs=ROOM)


@pytest.mark.parametrize("seed", range(3))
def test_second_order_against_all_sequences(seed):
    rng = np.random.default_rng(200 + seed)
    start, early, moves = laws(rng, 2), laws(rng, 2, 2), laws(rng, 2, 2, 2, zeros=0.3)
    channel = random_channel(rng, 2)
    source = SecondOrderSource(start, early, moves)
    reference = listed.EverySequence(listed.second_order(start, early, moves), 2, channel, 4)
    for method in ("enumeration", "tree"):
        agree(sequence_leakage(source, channel, 4, method), reference)


def test_any_law_of_histories_against_all_sequences():
    rng = np.random.default_rng(5)
    tables = [laws(rng, 2**k, 2, zeros=0.2 * (k > 0)) for k in range(4)]
    source, channel = HistoryStates(tables), random_channel(rng, 2)

    def law(past):
        index = int("0" + "".join(map(str, past)), 2)
        return list(tables[len(past)][index])

    reference = listed.EverySequence(law, 2, channel, 4)
    for method in ("enumeration", "tree"):
        agree(sequence_leakage(source, channel, 4, method), reference)
    with pytest.raises(ChainError, match="4 steps"):
        sequence_leakage(source, channel, 5)


def test_a_law_that_is_a_chain_in_disguise_leaks_as_much():
    rng = np.random.default_rng(6)
    start, moves = laws(rng, 2), laws(rng, 2, 2)
    disguised = HistoryStates([start[None], *(np.tile(moves, (2 ** (k - 1), 1)) for k in range(1, 4))])
    channel = random_channel(rng, 2)
    plain, hidden = (sequence_leakage(source, channel, 4) for source in ((start, moves), disguised))
    assert float(plain) == pytest.approx(float(hidden), abs=ROOM)
    assert (plain.method, hidden.method) == ("separated", "tree")


def test_batches_are_a_stream_of_patterns():
    rng = np.random.default_rng(7)
    start, moves = laws(rng, 2, zeros=0), laws(rng, 2, 2)
    channel = random_channel(rng, 4)
    source = BatchSource(first_order(start, moves), 2)
    agree(
        sequence_leakage(source, channel, 2),
        listed.EverySequence(
            lambda past: [
                (start if not past else moves[past[-1] % 2])[o // 2] * moves[o // 2][o % 2] for o in range(4)
            ],
            4,
            channel,
            2,
        ),
    )


def test_batches_of_one_are_the_stream_itself():
    rng = np.random.default_rng(8)
    start, moves, channel = laws(rng, 3), laws(rng, 3, 3), random_channel(rng, 3)
    one = BatchSource(first_order(start, moves), 1)
    assert float(sequence_leakage(one, channel, 3)) == pytest.approx(
        float(sequence_leakage((start, moves), channel, 3)), abs=ROOM
    )


@given(seeds, st.integers(2, 3), st.integers(1, 4), st.sampled_from([0.0, 0.3, 0.6]))
def test_orders_that_always_hold(seed, n, steps, zeros):
    rng = np.random.default_rng(seed)
    start, moves = laws(rng, n, zeros=zeros), laws(rng, n, n, zeros=zeros)
    channel = random_channel(rng, n)
    pairs = pointwise_leakages((start, moves), channel, steps)
    found = sequence_leakage((start, moves), channel, steps)
    assert float(found) == pytest.approx(max(pairs.upper, pairs.lower), abs=ROOM)
    assert float(found) <= float(found.composed) + ROOM
    assert float(found.composed) <= float(found.sum_of_steps) + ROOM
    assert (found.expected_per_step <= found.per_step + ROOM).all()
    # A level of local privacy is between the leakage and twice the leakage, for steps and for the stream.
    assert float(found) <= pairs.local_level + ROOM
    assert pairs.local_level <= 2 * float(found) + ROOM
    information = sequence_mutual_information((start, moves), channel, steps)
    assert information.total == pytest.approx(pairs.mutual_information, abs=ROOM)
    assert information.total <= float(found) + ROOM
    for k, leakage in enumerate(found.per_step):
        # A release with a leakage says on average at most so much.
        assert information.per_step[k] <= leakage * math.tanh(leakage / 2) + ROOM
    assert pairs.given.sum(axis=1) == pytest.approx(1)
    assert pairs.data_chance.sum() == pytest.approx(1)
    assert pairs.data_chance @ pairs.given == pytest.approx(pairs.release_chance)


def test_tails_information_and_errors_against_all_sequences():
    rng = np.random.default_rng(9)
    start, moves, channel = laws(rng, 2), laws(rng, 2, 2), random_channel(rng, 2)
    reference = listed.EverySequence(listed.first_order(start, moves), 2, channel, 4)
    for threshold in (0.0, 0.2, 0.7, 2.0):
        found = pointwise_tail((start, moves), channel, 4, threshold)
        joint, one, two = reference.tail(threshold)
        assert (found.joint, found.worst_one_sided, found.worst_two_sided) == pytest.approx((joint, one, two))
    information = sequence_mutual_information((start, moves), channel, 4)
    assert information.total == pytest.approx(reference.mutual_information)
    errors = expected_errors((start, moves), channel, 4)
    assert errors == pytest.approx([reference.expected_error(k) for k in range(4)])


def test_a_threshold_that_is_attained_is_not_passed():
    # Symmetric bits: the log ratios are sums of two values.
    flip = np.array([[0.75, 0.25], [0.25, 0.75]])
    pairs = pointwise_leakages(([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]), lambda belief: flip, 3)
    most = pairs.upper
    assert tail_of(pairs, most).worst_one_sided == 0.0
    assert tail_of(pairs, most * (1 - 1e-9)).worst_one_sided == pytest.approx(0.75**3)


def test_independent_data_allow_long_streams():
    chain = ([0.95, 0.05], [[0.95, 0.05], [0.95, 0.05]])
    found = sequence_leakage(chain, ConditionalResponse(1.0), 1000)
    one = math.log(math.exp(-1) + (1 - math.exp(-1)) / 0.05)
    assert float(found) == pytest.approx(1000 * one)
    assert found.histories == 1000
    assert len(found.data) == len(found.released) == 1000


def test_a_constant_release_leaks_nothing_however_long():
    constant = np.array([[1.0, 0.0], [1.0, 0.0]])
    found = sequence_leakage(([0.3, 0.7], [[0.9, 0.1], [0.2, 0.8]]), lambda belief: constant, 200)
    assert float(found) == float(found.composed) == 0.0
    assert found.histories == 200


def test_the_data_themselves_exclude_everything_else():
    chain = ([0.3, 0.7], [[0.8, 0.2], [0.2, 0.8]])
    for method in ("enumeration", "tree", "separated"):
        found = sequence_leakage(chain, lambda belief: np.eye(2), 2, method)
        assert found.lower == float(found) == float(found.composed) == math.inf
        # The rarest sequence becomes certain.
        assert found.upper == pytest.approx(-math.log(0.3 * 0.2))
        assert found.local_level == math.inf


def test_excluded_symbols_and_impossible_ones_together():
    # Symbol 2 never occurs; a release of 0 excludes 1: no difference of infinities may appear.
    channel = np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    chain = ([0.5, 0.5, 0.0], [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    for method in ("enumeration", "tree"):
        found = sequence_leakage(chain, lambda belief: channel, 3, method)
        assert found.lower == math.inf
        assert found.upper == pytest.approx(3 * math.log(2))


def test_no_step_and_one_symbol_and_one_step():
    chain = ([0.25, 0.75], [[0.5, 0.5], [0.1, 0.9]])
    flip = np.array([[0.75, 0.25], [0.25, 0.75]])
    for method in ("enumeration", "tree", "separated"):
        none = sequence_leakage(chain, lambda belief: flip, 0, method)
        assert (float(none), none.steps, none.data, none.local_level) == (0.0, 0, (), 0.0)
        alone = sequence_leakage(([1.0], [[1.0]]), ConditionalResponse(1.0), 3, method)
        assert (float(alone), alone.data, alone.released) == (0.0, (0, 0, 0), (0, 0, 0))
        first = sequence_leakage(chain, lambda belief: flip, 1, method)
        # Release 1 has probability 0.625, and 0.25 for symbol 0.
        assert float(first) == first.per_step[0] == pytest.approx(math.log(2.5))


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 30.0, 400.0, 720.0, math.inf])
def test_budgets_at_the_ends(epsilon):
    chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    found = sequence_leakage(chain, ConditionalResponse(epsilon), 3)
    if epsilon == 0:
        assert float(found) == pytest.approx(0, abs=1e-12)
    elif epsilon < 700:
        assert float(found) == pytest.approx(3 * epsilon, rel=1e-3, abs=1e-11)
    else:
        assert float(found) > 3 * 690


def test_one_mechanism_for_each_step():
    chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    found = sequence_leakage(chain, [ShrunkResponse(0.5), ShrunkResponse(1.5)], 2)
    assert found.per_step == pytest.approx([0.5, 1.5])
    with pytest.raises(ChainError, match="2 mechanisms for 3 steps"):
        sequence_leakage(chain, [ShrunkResponse(0.5)] * 2, 3)


def test_refusals_name_what_is_wrong():
    chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    mechanism = ConditionalResponse(1.0)
    with pytest.raises(
        LimitError, match=r"30 steps with 2 symbols have .* release histories before step \d+"
    ):
        sequence_leakage(chain, mechanism, 30)
    with pytest.raises(LimitError, match=r"2\^24 pairs"):
        sequence_leakage(chain, mechanism, 12, "enumeration")
    with pytest.raises(DomainError, match="'enumeration', 'tree' or 'separated'"):
        sequence_leakage(chain, mechanism, 3, "guess")
    with pytest.raises(DomainError, match="method='tree'"):
        sequence_leakage(([0.5, 0.5], [[1.0, 0.0], [0.1, 0.9]]), mechanism, 3, "separated")
    with pytest.raises(ChainError, match="Row 2 of transitions sums to"):
        sequence_leakage(([0.5, 0.5], [[0.9, 0.1], [0.1, 0.8]]), mechanism, 3)
    with pytest.raises(ChainError, match="no law"):
        sequence_leakage(chain, lambda belief: np.array([[0.5, 0.6], [0.5, 0.5]]), 2)
    with pytest.raises(ChainError, match=r"\(3, 3\)"):
        sequence_leakage(chain, lambda belief: np.eye(3), 2)
    with pytest.raises(TypeError, match="The mechanism is 3"):
        sequence_leakage(chain, 3, 2)
    with pytest.raises(TypeError, match="The source is"):
        sequence_leakage("chain", mechanism, 2)


@pytest.mark.parametrize("junk", [None, "wet", {}, [[1j, 0], [0, 1]], [["a"], ["c"]], [[1], [0, 1]]])
def test_what_is_no_matrix_is_refused_by_name(junk):
    class Junk:
        epsilon = "much"

        def matrices(self, beliefs):
            return junk

    chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    for mechanism in (lambda belief: junk, Junk()):
        with pytest.raises(ChainError, match="it must return a matrix, with a row for each symbol"):
            sequence_leakage(chain, mechanism, 2)
    with pytest.raises(BudgetError, match="epsilon of the mechanism is 'much'"):
        _ = SequenceAnalysis(chain, Junk(), 2).budgets
    # A matrix of another size after some releases alone.
    sizes = iter([2, 2, 3])
    with pytest.raises(ChainError, match=r"must return a matrix|they must be"):
        sequence_leakage(chain, lambda belief: np.eye(next(sizes)) * 0.8 + 0.1, 2)
    with pytest.raises(ZeroDivisionError):
        sequence_leakage(chain, lambda belief: 1 / 0, 2)


def test_what_the_progress_hook_raises_cancels():
    class Cancelled(Exception):
        pass

    def cancel(share):
        raise Cancelled

    chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    with pytest.raises(Cancelled):
        sequence_leakage(chain, ConditionalResponse(1.0), 14, progress=cancel)
    told = []
    sequence_leakage(chain, ConditionalResponse(1.0), 14, progress=told.append)
    assert told[-1] == 1.0
    assert told == sorted(told)
    assert len(told) > 3


def test_the_words_of_a_result():
    found = sequence_leakage(([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]), ConditionalResponse(1.0), 4)
    assert str(found.leakage) == "4 nats (exact): all 4 steps"
    assert str(found.step(2)) == "1 nat (exact): step 2, after the releases so far"
    assert str(found.sum_of_steps) == "4 nats (bound): all 4 steps"
    assert not found.per_step.flags.writeable
