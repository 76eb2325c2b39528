"""Batches of second-order chains: their last two symbols decide, exactly as all sequences say."""

import numpy as np
import pytest

from pdp_widgets import BalancedResponse, ConditionalResponse, MarkovChain, SequenceAnalysis
from pdp_widgets.errors import LimitError
from pdp_widgets.leakage.sequence.batched_stream import BatchSource
from pdp_widgets.leakage.sequence.sequence_leakage import sequence_leakage
from pdp_widgets.leakage.sequence.stream_source import SecondOrderSource, source_of
from pdp_widgets.streams import BatchRelease, MemoryRelease, batch_partition, pointwise_tail
from tests.leakage.sequence.test_batches_and_memory import ROOM, Listed, agree, batched_rows, laws


def second_order(rng, n, zeros=0.0):
    return MarkovChain(
        laws(rng, n, n, n, zeros=zeros), laws(rng, n, zeros=zeros), early=laws(rng, n, n, zeros=zeros)
    )


def law_of(chain):
    def law(past):
        if not past:
            return chain.start
        return chain.early[past[0]] if len(past) == 1 else chain.transitions[past[-2], past[-1]]

    return law


@pytest.mark.parametrize("method", ["enumeration", "tree"])
@pytest.mark.parametrize(
    ("n", "size", "steps"),
    [
        (2, 1, 4),
        (2, 2, 4),
        (2, 2, 5),
        (2, 3, 4),
        (2, 3, 5),
        (3, 2, 3),
        (3, 1, 3),
        (2, 4, 3),
        (2, 2, 1),
    ],
)
@pytest.mark.parametrize("make", [BalancedResponse, ConditionalResponse])
def test_all_that_leaks_is_what_all_sequences_say(n, size, steps, method, make):
    rng = np.random.default_rng(n + 10 * size + steps)
    chain = second_order(rng, n)
    release = BatchRelease(make(0.4), size, n)
    pieces = batch_partition(steps, size).sizes
    reference = Listed(law_of(chain), n, pieces, batched_rows(n, size, lambda many: make(0.4 * many)))
    found = sequence_leakage(chain, release, steps, method)
    agree(found, reference)
    assert found.unit == "batch"
    analysis = SequenceAnalysis(chain, release, steps)
    assert analysis.steps.error == pytest.approx(reference.errors, abs=ROOM)
    assert analysis.information.per_step == pytest.approx(reference.information, abs=ROOM)
    data, released = analysis.worst_case
    assert len(data) == len(released) == steps
    assert abs(reference.ratios[released, data]) == pytest.approx(reference.leakage, abs=ROOM)
    tail = pointwise_tail(chain, release, steps, 0.3)
    assert tail.worst_one_sided == pytest.approx(reference.tail(0.3), abs=ROOM)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("size", "steps"), [(1, 4), (2, 4), (2, 5), (3, 4)])
def test_zeros(seed, size, steps):
    chain = second_order(np.random.default_rng(seed), 2, zeros=0.4)
    release = BatchRelease(BalancedResponse(0.4), size, 2)
    reference = Listed(
        law_of(chain),
        2,
        batch_partition(steps, size).sizes,
        batched_rows(2, size, lambda many: BalancedResponse(0.4 * many)),
    )
    agree(sequence_leakage(chain, release, steps, "tree"), reference)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_chain_that_looks_one_step_back_leaks_as_the_first_order_one_does(size):
    rng = np.random.default_rng(size)
    start, moves = laws(rng, 2), laws(rng, 2, 2)
    same = MarkovChain(np.stack([moves] * 2), start, early=moves)
    release = BatchRelease(BalancedResponse(0.5), size, 2)
    one, two = (SequenceAnalysis(each, release, 7) for each in ((start, moves), same))
    assert float(two.sequence) == pytest.approx(float(one.sequence), abs=ROOM)
    assert two.steps.worst == pytest.approx(one.steps.worst, abs=ROOM)
    assert two.steps.error == pytest.approx(one.steps.error, abs=ROOM)


def test_the_laws_of_batches_are_those_of_the_pairs():
    chain = second_order(np.random.default_rng(3), 3)
    source = BatchSource(source_of(chain), 2)
    assert source.start.reshape(3, 3) == pytest.approx(chain.start[:, None] * chain.early)
    # Two steps of the chain of pairs lead from one batch to the next.
    twice = np.linalg.matrix_power(chain.pairs.transitions, 2)
    assert source.successors(0)[1] == pytest.approx(twice)
    assert source.push(source.start[None], 0)[0] == pytest.approx(source.start @ twice)
    assert [len(source.symbols(step)) for step in (0, 4)] == [9, 9]


def test_a_memory_of_batches():
    chain = second_order(np.random.default_rng(5), 2)
    rule = lambda belief: np.full((*belief.shape, belief.shape[-1]), 1 / belief.shape[-1])  # noqa: E731
    found = SequenceAnalysis(chain, MemoryRelease(rule, 2, size=2), 4)
    assert float(found.sequence) == pytest.approx(0, abs=ROOM)


def even(n):
    return SecondOrderSource(np.full(n, 1 / n), np.full((n, n), 1 / n), np.full((n, n, n), 1 / n))


def test_what_is_too_large_is_refused_with_its_size():
    with pytest.raises(LimitError, match=r"2 steps with 65 symbols has 4,225 patterns \(limit 4,096\)"):
        BatchSource(even(65), 2)
    with pytest.raises(LimitError, match=r"1 step after 90,000 pairs of 300 symbols has 27,000,000 chances"):
        BatchSource(even(300), 1)
    chain = MarkovChain(np.full((17, 17, 17), 1 / 17), np.full(17, 1 / 17), early=np.full((17, 17), 1 / 17))
    with pytest.raises(LimitError, match="4,913 patterns"):
        SequenceAnalysis(chain, BatchRelease(BalancedResponse(0.5), 3, 17), 6)
