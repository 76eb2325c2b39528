"""Last batches that are shorter, and releases that look at several true symbols, against all sequences."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    BalancedResponse,
    ConditionalResponse,
    MarkovChain,
    OptimalResponse,
    SequenceAnalysis,
    compose,
    sequence_leakage,
)
from pdp_widgets.errors import BudgetError, ChainError, LimitError
from pdp_widgets.leakage.sequence.batched_stream import BatchSource, WindowSource
from pdp_widgets.leakage.sequence.stream_source import first_order
from pdp_widgets.mechanisms.sequence.temporal_response import TemporalResponse
from pdp_widgets.streams import (
    BatchRelease,
    Distance,
    HistorySource,
    MemoryRelease,
    batch_partition,
    expected_errors,
    pointwise_leakages,
    pointwise_tail,
    sequence_mutual_information,
)

ROOM = 1e-9


class Listed:
    """All pairs of a data and a release sequence, released piece by piece, with beliefs over histories.

    ``law(past)`` is that of the next symbol; ``rows(past, beliefs)`` the law of the release of the last piece
    given all true symbols; ``beliefs`` is a dictionary from histories to probabilities before that release.
    Nothing here is taken from the library.
    """

    def __init__(self, law, n, pieces, rows):
        steps = sum(pieces)
        self.data = {}
        for x in product(range(n), repeat=steps):
            chance = math.prod(law(x[:k])[x[k]] for k in range(steps))
            if chance > 0:
                self.data[x] = chance
        ends = np.cumsum([0, *pieces]).tolist()
        self.given = {((), x): 1.0 for x in self.data}
        self.per_piece, self.path_sums = [], {(): 0.0}
        self.information, self.errors = [], []
        for start, end in pairwise(ends):
            outputs = list(product(range(n), repeat=end - start))
            following, sums, worst, told, wrong = {}, {}, 0.0, 0.0, 0.0
            for past in {y for y, _ in self.given}:
                weights = {x: self.data[x] * self.given[past, x] for x in self.data}
                total = math.fsum(weights.values())
                if total == 0:
                    continue
                beliefs = {}
                for x, weight in weights.items():
                    beliefs[x[:end]] = beliefs.get(x[:end], 0.0) + weight / total
                channel = {h: rows(h, beliefs) for h in beliefs}
                output = [
                    math.fsum(p * channel[h][y] for h, p in beliefs.items()) for y in range(len(outputs))
                ]
                here = 0.0
                for y, released in enumerate(outputs):
                    if output[y] <= 0:
                        continue
                    for x in self.data:
                        following[past + released, x] = self.given[past, x] * channel[x[:end]][y]
                    for h, p in beliefs.items():
                        if p <= 0:
                            continue
                        a = channel[h][y]
                        here = max(here, abs(math.log(a / output[y])) if a > 0 else math.inf)
                        if a > 0:
                            told += total * p * a * math.log(a / output[y])
                        wrong += (
                            total * p * a * sum(s != r for s, r in zip(h[start:end], released, strict=True))
                        )
                worst = max(worst, here)
                for released in outputs:
                    sums[past + released] = self.path_sums[past] + here
            self.given, self.path_sums = following, sums
            self.per_piece.append(worst)
            self.information.append(told)
            self.errors.append(wrong)
        self.released = {}
        for (y, x), p in self.given.items():
            self.released[y] = self.released.get(y, 0.0) + self.data[x] * p
        self.ratios = {
            (y, x): math.log(p / self.released[y]) if p > 0 else -math.inf
            for (y, x), p in self.given.items()
            if self.released[y] > 0
        }
        self.leakage = max(map(abs, self.ratios.values()))
        self.composed = max(s for y, s in self.path_sums.items() if self.released.get(y, 0.0) > 0)

    def tail(self, threshold):
        above = dict.fromkeys(self.data, 0.0)
        for (y, x), ratio in self.ratios.items():
            above[x] += self.given[y, x] * (ratio > threshold + 1e-12)
        return max(above.values())


def agree(found, reference):
    assert float(found) == pytest.approx(reference.leakage, abs=ROOM)
    assert found.per_step == pytest.approx(reference.per_piece, abs=ROOM)
    assert float(found.composed) == pytest.approx(reference.composed, abs=ROOM)


def laws(rng, *shape, zeros=0.0):
    found = rng.dirichlet(np.ones(shape[-1]), shape[:-1] or None)
    found = np.where((rng.random(found.shape) < zeros) & (found < found.max(-1, keepdims=True)), 0.0, found)
    return found / found.sum(axis=-1, keepdims=True)


def chain_law(start, moves):
    return lambda past: start if not past else moves[past[-1]]


def number(symbols, n):
    found = 0
    for symbol in symbols:
        found = found * n + symbol
    return found


def batched_rows(n, size, make):
    """Rows of a mechanism on patterns of batches, made for the length of each."""

    def rows(history, beliefs):
        many = (len(history) - 1) % size + 1
        law = np.zeros(n**many)
        for h, p in beliefs.items():
            law[number(h[-many:], n)] += p
        return make(many).matrices([law])[0][number(history[-many:], n)]

    return rows


@pytest.mark.parametrize("method", ["enumeration", "tree", "separated"])
@pytest.mark.parametrize(
    ("n", "size", "steps"), [(2, 2, 5), (2, 3, 4), (2, 3, 5), (3, 2, 3), (2, 4, 3), (2, 2, 1)]
)
@pytest.mark.parametrize("make", [BalancedResponse, ConditionalResponse])
def test_a_last_batch_that_is_shorter(n, size, steps, method, make):
    rng = np.random.default_rng(n + 10 * size + steps)
    start, moves = laws(rng, n), laws(rng, n, n)
    release = BatchRelease(make(0.4), size, n)
    pieces = batch_partition(steps, size).sizes
    reference = Listed(
        chain_law(start, moves), n, pieces, batched_rows(n, size, lambda many: make(0.4 * many))
    )
    found = sequence_leakage((start, moves), release, steps, method)
    agree(found, reference)
    assert found.unit == "batch"
    analysis = SequenceAnalysis((start, moves), release, steps)
    assert analysis.budgets == pytest.approx(batch_partition(steps, size, 0.4).budgets)
    assert analysis.steps.error == pytest.approx(reference.errors, abs=ROOM)
    assert expected_errors((start, moves), release, steps) == pytest.approx(reference.errors, abs=ROOM)
    assert analysis.information.per_step == pytest.approx(reference.information, abs=ROOM)
    information = sequence_mutual_information((start, moves), release, steps)
    assert information.per_step == pytest.approx(reference.information, abs=ROOM)
    data, released = analysis.worst_case
    assert len(data) == len(released) == steps
    assert abs(reference.ratios[released, data]) == pytest.approx(reference.leakage, abs=ROOM)
    for threshold in (0.1, 0.7):
        tail = pointwise_tail((start, moves), release, steps, threshold)
        assert tail.worst_one_sided == pytest.approx(reference.tail(threshold), abs=ROOM)
    assert analysis.keeps_promise == (
        make is BalancedResponse
        or all(
            worst <= budget + ROOM
            for worst, budget in zip(reference.per_piece, analysis.budgets, strict=True)
        )
    )


@pytest.mark.parametrize("seed", range(4))
def test_zeros_in_chains_whose_last_batch_is_shorter(seed):
    rng = np.random.default_rng(seed)
    start, moves = laws(rng, 3, zeros=0.4), laws(rng, 3, 3, zeros=0.5)
    release = BatchRelease(BalancedResponse(0.5), 2, 3)
    reference = Listed(
        chain_law(start, moves), 3, (2, 1), batched_rows(3, 2, lambda many: BalancedResponse(0.5 * many))
    )
    for method in ("enumeration", "tree"):
        agree(sequence_leakage((start, moves), release, 3, method), reference)


def test_the_bounds_of_batches_of_two_lengths():
    chain = MarkovChain.symmetric(0.9)
    found = SequenceAnalysis(chain, BatchRelease(OptimalResponse(0.05), 3, 2), 100)
    assert (found.n_steps, float(found.promised.linear)) == (34, pytest.approx(5.0))
    budgets = batch_partition(100, 3, 0.05).budgets
    assert (len(budgets), budgets[-1]) == (34, 0.05)
    drift = sum(b * math.tanh(b / 2) for b in budgets)
    spread = math.sqrt(2 * math.log(1e5) * sum(b * b for b in budgets))
    assert float(found.promised.advanced) == pytest.approx(drift + spread)
    assert found.promised == compose(budgets, unit="batch")
    # Exact leakages lie below, however the stream is cut.
    short = SequenceAnalysis(chain, BatchRelease(OptimalResponse(0.5), 3, 2), 7)
    assert short.steps.worst[-1] <= 0.5 + ROOM
    assert float(short.sequence) <= float(short.composition.linear) + ROOM <= 3.5 + 2 * ROOM


def test_distances_of_batches():
    chain = ([0.5, 0.2, 0.3], laws(np.random.default_rng(1), 3, 3))
    release = BatchRelease(BalancedResponse(0.5), 2, 3)
    plain = SequenceAnalysis(chain, release, 5)
    named = SequenceAnalysis(chain, release, 5, distance="hamming")
    assert named.steps.error == pytest.approx(plain.steps.error)
    apart = SequenceAnalysis(chain, release, 5, distance=Distance("absolute"))
    assert (apart.steps.error > plain.steps.error).all()
    whole = 1.0 - np.eye(9)
    assert SequenceAnalysis(chain, release, 4, distance=whole).steps.error[0] <= plain.steps.error[0] + ROOM
    with pytest.raises(ChainError, match="the last batch has 1"):
        _ = SequenceAnalysis(chain, release, 5, distance=whole).steps
    with pytest.raises(LimitError, match="take shorter batches"):
        SequenceAnalysis(chain, BatchRelease(BalancedResponse(0.5), 9, 3), 20)


def window_rule(rng, n, memory):
    """Rows by the last symbols and by what is believed of them, in no way the library knows."""
    first = [laws(rng, *(n,) * (w + 1)) for w in range(1, memory + 1)]
    second = [laws(rng, *(n,) * (w + 1)) for w in range(1, memory + 1)]

    def rule(belief):
        share = belief.ravel()[0] + 0.3 * belief.ravel()[-1]
        return share / 1.3 * first[belief.ndim - 1] + (1 - share / 1.3) * second[belief.ndim - 1]

    return rule


def window_rows(n, memory, rule):
    def rows(history, beliefs):
        width = min(memory, len(history))
        law = np.zeros((n,) * width)
        for h, p in beliefs.items():
            law[h[-width:]] += p
        return rule(law)[history[-width:]]

    return rows


@pytest.mark.parametrize(
    ("n", "memory", "steps"), [(2, 1, 4), (2, 2, 4), (2, 3, 5), (2, 4, 5), (2, 5, 3), (3, 2, 3), (3, 3, 3)]
)
@pytest.mark.parametrize("order", [1, 2, "history"])
def test_any_memory_against_all_sequences(n, memory, steps, order):
    rng = np.random.default_rng(100 * n + 10 * memory + steps)
    start, moves, far = laws(rng, n), laws(rng, n, n, zeros=0.2), laws(rng, n, n, n, zeros=0.2)
    rule = window_rule(rng, n, memory)

    def law(past):
        if order == 1 or len(past) < 2:
            return chain_law(start, moves)(past)
        return far[past[-2], past[-1]]

    source = {
        1: (start, moves),
        2: MarkovChain(far, start, early=moves),
        "history": HistorySource(law, steps, n),
    }[order]
    reference = Listed(law, n, (1,) * steps, window_rows(n, memory, rule))
    release = MemoryRelease(rule, memory)
    for method in ("enumeration", "tree"):
        agree(sequence_leakage(source, release, steps, method), reference)
    analysis = SequenceAnalysis(source, release, steps)
    assert analysis.steps.error == pytest.approx(reference.errors, abs=ROOM)
    assert analysis.information.per_step == pytest.approx(reference.information, abs=ROOM)
    data, released = analysis.worst_case
    assert abs(reference.ratios[released, data]) == pytest.approx(reference.leakage, abs=ROOM)
    assert analysis.composition.steps == steps


@pytest.mark.parametrize(("memory", "size", "steps"), [(2, 2, 4), (2, 2, 5), (3, 1, 4), (2, 3, 5), (3, 2, 5)])
def test_a_memory_of_batches(memory, size, steps):
    rng = np.random.default_rng(memory + 10 * size + steps)
    start, moves = laws(rng, 2), laws(rng, 2, 2)
    made = {}

    def rule(belief):
        if belief.shape not in made:
            made[belief.shape] = laws(rng, *belief.shape, belief.shape[-1])
        share = belief.ravel()[0]
        return share * made[belief.shape] + (1 - share) / belief.shape[-1]

    pieces = batch_partition(steps, size).sizes

    def windows(history):
        many = (len(history) - 1) % size + 1
        parts = [history[len(history) - many :]]
        while len(parts) < memory and len(history) - many - size * len(parts) >= 0:
            end = len(history) - many - size * (len(parts) - 1)
            parts.append(history[end - size : end])
        return tuple(number(part, 2) for part in reversed(parts)), tuple(2 ** len(p) for p in reversed(parts))

    def rows(history, beliefs):
        _, shape = windows(history)
        law = np.zeros(shape)
        for h, p in beliefs.items():
            law[windows(h)[0]] += p
        return rule(law)[windows(history)[0]]

    reference = Listed(chain_law(start, moves), 2, pieces, rows)
    release = MemoryRelease(rule, memory, size=size)
    for method in ("enumeration", "tree"):
        agree(sequence_leakage((start, moves), release, steps, method), reference)
    data, released = SequenceAnalysis((start, moves), release, steps).worst_case
    assert abs(reference.ratios[released, data]) == pytest.approx(reference.leakage, abs=ROOM)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4), st.sampled_from([0.0, 0.4]))
def test_orders_that_hold_with_a_memory(seed, memory, steps, zeros):
    rng = np.random.default_rng(seed)
    chain = laws(rng, 2, zeros=zeros), laws(rng, 2, 2, zeros=zeros)
    release = MemoryRelease(window_rule(rng, 2, memory), memory)
    pairs = pointwise_leakages(chain, release, steps)
    found = sequence_leakage(chain, release, steps)
    assert float(found) == pytest.approx(max(pairs.upper, pairs.lower), abs=ROOM)
    assert float(found) <= float(found.composed) + ROOM
    assert float(found.composed) <= float(found.sum_of_steps) + ROOM
    assert pairs.local_level <= 2 * float(found) + ROOM


def test_theorem_5_what_is_leaked_of_the_window_is_what_is_leaked_of_the_past():
    # The belief over the last symbols alone decides: a copy of the rule with a longer memory leaks as much.
    rng = np.random.default_rng(4)
    chain = laws(rng, 2), laws(rng, 2, 2)
    tables = [laws(rng, 2, 2), laws(rng, 2, 2, 2)]
    longer = [*tables, np.stack([tables[1]] * 2), np.stack([np.stack([tables[1]] * 2)] * 2)]
    short, long = (SequenceAnalysis(chain, MemoryRelease(t, len(t)), 5) for t in (tables, longer))
    assert long.steps.worst == pytest.approx(short.steps.worst, abs=ROOM)
    assert float(long.sequence) == pytest.approx(float(short.sequence), abs=ROOM)


def test_temporal_response_is_a_memory_of_two_and_works_on_batches():
    rng = np.random.default_rng(5)
    start, moves = laws(rng, 3), laws(rng, 3, 3)
    temporal = TemporalResponse(1.0, moves)
    tables = [temporal.given(None), np.stack([temporal.given(k) for k in range(3)])]
    both = [SequenceAnalysis((start, moves), one, 3) for one in (temporal, MemoryRelease(tables, 2))]
    assert float(both[0].sequence) == pytest.approx(float(both[1].sequence))
    assert both[0].steps.worst == pytest.approx(both[1].steps.worst)
    mixed = SequenceAnalysis((start, moves), [temporal, BalancedResponse(1.0), MemoryRelease(tables, 2)], 3)
    assert mixed.steps.worst[1] <= 1 + ROOM
    patterns = TemporalResponse(1.0, laws(rng, 4, 4))
    source = BatchSource(first_order(laws(rng, 2), laws(rng, 2, 2)), 2)
    same = [patterns.given(None), np.stack([patterns.given(k) for k in range(4)])]
    before = SequenceAnalysis(source, patterns, 2)
    assert float(before.sequence) == pytest.approx(
        float(SequenceAnalysis(source, MemoryRelease(same, 2), 2).sequence)
    )


def test_a_long_stream_with_a_memory_has_the_same_states_at_every_step():
    source = WindowSource(first_order([0.3, 0.7], [[0.8, 0.2], [0.4, 0.6]]), 3)
    assert len(source.symbols(500)) == 8
    constant = [np.tile([1.0, 0.0], (*(2,) * w, 1)) for w in (1, 2, 3)]
    found = sequence_leakage(([0.3, 0.7], [[0.8, 0.2], [0.4, 0.6]]), MemoryRelease(constant, 3), 300)
    assert (float(found), found.histories) == (pytest.approx(0, abs=ROOM), 300)


def test_wrong_memories_are_named():
    chain = ([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]])
    for memory in (0, -1, 1.5, "2", 21):
        with pytest.raises(BudgetError, match="memory"):
            MemoryRelease(lambda belief: belief, memory)
    with pytest.raises(BudgetError, match="a list of 2 arrays"):
        MemoryRelease([np.eye(2)], 2)
    with pytest.raises(BudgetError, match="no array of numbers"):
        MemoryRelease([[["a"]]], 1)
    with pytest.raises(ChainError, match=r"shape \(2, 2\) for a belief of shape \(2, 2\)"):
        sequence_leakage(chain, MemoryRelease([np.eye(2), np.eye(2)], 2), 2)
    with pytest.raises(ChainError, match="no law"):
        sequence_leakage(chain, MemoryRelease([np.ones((2, 2))], 1), 2)
    with pytest.raises(ChainError, match="no law"):
        sequence_leakage(chain, MemoryRelease([np.full((2, 2), math.nan)], 1), 2)
    with pytest.raises(ChainError, match="array of numbers"):
        sequence_leakage(chain, MemoryRelease(lambda belief: "wet", 1), 2)
    with pytest.raises(ZeroDivisionError):
        sequence_leakage(chain, MemoryRelease(lambda belief: 1 / 0, 1), 2)
    with pytest.raises(ValueError, match="read-only"):
        sequence_leakage(chain, MemoryRelease(lambda belief: belief.fill(0), 1), 2)
    with pytest.raises(LimitError, match="shorter memory"):
        sequence_leakage(
            MarkovChain.symmetric(0.5, 40), MemoryRelease(lambda b: np.full((*b.shape, 40), 0.025), 8), 8
        )
