"""What must hold for every chain, mechanism and length: promises, compositions, and the rule of beliefs."""

import math

import numpy as np
from hypothesis import assume, given
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
from pdp_widgets.leakage.sequence.batched_stream import with_memory
from pdp_widgets.leakage.sequence.composition import best_bounds
from pdp_widgets.leakage.sequence.pointwise import tail_of
from pdp_widgets.leakage.sequence.release_levels import release_levels
from pdp_widgets.leakage.sequence.stream_source import source_of
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST
from pdp_widgets.streams import (
    BatchRelease,
    BinaryOptimum,
    RandomisedSymbols,
    SafeTemporalResponse,
    ShrunkResponse,
    StreamRun,
    TrimmedResponse,
    pointwise_leakages,
)

ROOM = 1e-9
PRIVATE = {
    "balanced": lambda epsilon, chain: BalancedResponse(epsilon),
    "trimmed": lambda epsilon, chain: TrimmedResponse(epsilon),
    "shrunk": lambda epsilon, chain: ShrunkResponse(epsilon),
    "randomised": lambda epsilon, chain: RandomisedSymbols(epsilon),
    "temporal": lambda epsilon, chain: SafeTemporalResponse(epsilon, chain.transitions),
    "optimum": lambda epsilon, chain: BinaryOptimum(epsilon) if chain.n == 2 else OptimalResponse(epsilon),
}
seeds = st.integers(0, 2**32 - 1)
budgets = st.one_of(
    st.floats(0, 6), st.sampled_from([0.0, 1e-12, 1e-6, math.log(2), 1.0, 30.0, 700.0, 1000.0, math.inf])
)


def chains(seed, n, zeros):
    """A random chain, some transitions impossible and some very rare."""
    rng = np.random.default_rng(seed)
    moves = rng.dirichlet(np.full(n, rng.choice([0.1, 1.0, 10.0])), n) + 1e-300
    moves[(rng.random((n, n)) < zeros) & (moves < moves.max(axis=1, keepdims=True))] = 0.0
    start = rng.dirichlet(np.full(n, rng.choice([0.1, 1.0])))
    return MarkovChain(moves / moves.sum(axis=1, keepdims=True), start)


def rounded(epsilon):
    return epsilon + 2e-9 * min(1.0, epsilon) + 1e-12 * max(1.0, epsilon)


@given(
    seeds,
    st.integers(2, 3),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.4]),
    budgets,
    st.sampled_from(sorted(PRIVATE)),
)
def test_what_keeps_its_promise_for_every_belief_keeps_it_after_every_release(
    seed, n, steps, zeros, epsilon, name
):
    assume(not (name == "optimum" and n > 2 and steps > 2))
    chain = chains(seed, n, zeros)
    mechanism = PRIVATE[name](epsilon, chain)
    found = SequenceAnalysis(chain, mechanism, steps)
    assert mechanism.private
    assert (found.steps.worst <= rounded(epsilon)).all()
    assert found.keeps_promise
    assert (found.steps.broken == 0).all()
    assert float(found.sequence) <= float(found.promised.linear) * (1 + ROOM) + ROOM


@given(seeds, st.integers(2, 3), st.integers(1, 4), st.sampled_from([0.0, 0.4]), budgets)
def test_the_printed_response_keeps_its_promise_where_no_belief_is_too_small(seed, n, steps, zeros, epsilon):
    chain = chains(seed, n, zeros)
    mechanism = ConditionalResponse(epsilon)
    for level in release_levels(source_of(chain), mechanism, steps):
        least = np.where(level.beliefs > 0, level.beliefs, np.inf).min(axis=1)
        for belief, smallest, leakage, possible in zip(
            level.beliefs, least, level.leakage, level.possible, strict=True
        ):
            if (belief[possible] < SMALLEST).any():
                # Whether that is too small does not follow from floats.
                continue
            valid = follows_the_rule(belief, epsilon)
            assert mechanism.valid(belief) == valid
            if valid:
                assert leakage <= rounded(epsilon)
            elif epsilon < 600:
                expected = math.log(math.exp(-epsilon) - math.expm1(-epsilon) / smallest)
                assert math.isclose(leakage, max(epsilon, expected), rel_tol=1e-6, abs_tol=1e-9)


def follows_the_rule(belief, epsilon):
    """Whether K times the least positive belief is 1 or more, K = 1 + e^epsilon; one symbol is fine."""
    support = belief[belief > 0]
    if len(support) == 1 or epsilon == 0:
        return True
    # Of beliefs near the smallest floats, and the largest budgets, by logarithms.
    largest = epsilon if epsilon > 100 else math.log1p(math.exp(epsilon))
    return bool(math.log(support.min()) + largest >= -1e-9)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=6), st.floats(1e-6, 20), st.floats(-3e-9, 3e-9))
def test_the_flag_of_the_printed_response_is_the_rule_of_beliefs(weights, epsilon, off):
    belief = np.array(weights) / math.fsum(weights)
    mechanism = ConditionalResponse(epsilon)
    assert mechanism.valid(belief) == mechanism.channel(belief).valid == follows_the_rule(belief, epsilon)
    # Near the edge too: a little above and below the least belief that is allowed.
    edge = (1 + off) / (1 + math.exp(epsilon))
    assume(abs(abs(off) - 1e-9) > 2e-10)
    if len(weights) > 1 and edge * 1.5 < 1 / len(weights):
        rest = belief[1:] / belief[1:].sum()
        near = np.array([edge, *((1 - edge) * (0.5 * rest + 0.5 / len(rest)))])
        assume(near[1:].min() > edge * (1 + 1e-6))
        assert mechanism.valid(near) == follows_the_rule(near, epsilon) == (off >= -1e-9)
        # What is achieved agrees, but for the rounding that a promise is allowed.
        assert mechanism.channel(near).valid or off < -1e-9


@given(
    seeds,
    st.integers(2, 3),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.4]),
    st.floats(0.01, 3),
    st.sampled_from([*sorted(PRIVATE), "printed"]),
    st.floats(1e-6, 0.9),
)
def test_compositions_bound_what_the_sequence_leaks(seed, n, steps, zeros, epsilon, name, delta):
    assume(not (name == "optimum" and n > 2 and steps > 2))
    chain = chains(seed, n, zeros)
    mechanism = ConditionalResponse(epsilon) if name == "printed" else PRIVATE[name](epsilon, chain)
    found = SequenceAnalysis(chain, mechanism, steps, delta=delta)
    exact, composed, achieved = float(found.sequence), float(found.composed), found.composition
    assert exact <= composed + ROOM
    assert composed <= float(achieved.linear) + ROOM
    assert float(achieved.best) == min(float(achieved.linear), float(achieved.advanced))
    # Sums so far only grow, and each is that of a shorter stream.
    result = found.result
    assert (np.diff(result.so_far) >= -ROOM).all()
    assert (result.so_far <= result.composed_so_far + ROOM).all()
    bounds = best_bounds(result.per_step, delta)
    assert np.array_equal(bounds["best"], np.minimum(bounds["linear"], bounds["advanced"]))
    assert (result.composed_so_far <= bounds["linear"] + ROOM).all()
    # Advanced composition may be passed with probability delta, whatever the data; two-sided twice that.
    tail = tail_of(pointwise_leakages(chain, mechanism, steps), float(achieved.advanced))
    assert tail.worst_one_sided <= delta + ROOM
    assert tail.worst_two_sided <= 2 * delta + ROOM


@given(st.lists(budgets, max_size=12), st.one_of(st.just(0.0), st.floats(1e-12, 0.99)))
def test_the_best_of_the_bounds_is_the_smaller_one(levels, delta):
    found = compose(levels, delta=delta)
    linear, advanced = float(found.linear), float(found.advanced)
    assert float(found.best) == min(linear, advanced)
    assert linear == (math.inf if math.inf in levels else math.fsum(levels))
    assert float(found.printed) >= advanced or math.isclose(float(found.printed), advanced)
    if math.isfinite(float(found.printed)):
        assert float(found.printed_batched) >= float(found.printed) * (1 - ROOM)
    curves = best_bounds(levels, delta)
    if levels:
        assert math.isclose(curves["linear"][-1], linear, rel_tol=1e-12)
        assert math.isclose(curves["advanced"][-1], advanced, rel_tol=1e-12)
    # In any order of the steps the bounds are the same.
    other = compose(levels[::-1], delta=delta)
    assert math.isclose(float(other.advanced), advanced, rel_tol=1e-12)


@given(seeds, st.integers(1, 4), st.integers(1, 6), st.floats(0.05, 1.5), st.booleans())
def test_batches_of_any_length_keep_their_promises(seed, size, steps, epsilon, printed):
    chain = chains(seed, 2, 0.0)
    mechanism = ConditionalResponse(epsilon) if printed else BalancedResponse(epsilon)
    assume(2 ** (2 * steps) <= 4096 or not printed)
    found = SequenceAnalysis(chain, BatchRelease(mechanism, size, 2), steps)
    sizes = [min(size, steps - k) for k in range(0, steps, size)]
    assert np.allclose(found.budgets, [epsilon * many for many in sizes])
    assert float(found.sequence) <= float(found.composed) + ROOM
    assert float(found.composed) <= float(found.composition.linear) + ROOM
    if not printed:
        assert found.keeps_promise
        assert float(found.sequence) <= epsilon * steps + ROOM


@given(
    seeds,
    st.integers(2, 5),
    st.sampled_from([0.0, 0.3]),
    st.floats(0.01, 4),
    st.integers(1, 25),
    seeds,
)
def test_lanes_of_a_run_say_who_breaks_a_promise(seed, n, zeros, epsilon, steps, luck):
    chain = chains(seed, n, zeros)
    lanes = ["crr", "crr_balanced", "crr_shrunk", "crr_trimmed"]
    run = StreamRun.of(chain, epsilon, lanes, steps, seed=luck)
    record = run.record()
    for key in lanes:
        lane = record.lanes[key]
        assert np.array_equal(lane.over, ~(lane.leakage <= rounded(epsilon)))
        assert run.totals(key).over == int(lane.over.sum())
        if key != "crr":
            assert not lane.over.any()
    printed = record.lanes["crr"]
    rule = [not follows_the_rule(np.where(b < 1e-300, 0, b), epsilon) for b in printed.belief]
    assert printed.over.tolist() == rule


@given(seeds, st.integers(2, 3), st.integers(1, 3), st.floats(0.05, 2), st.sampled_from(sorted(PRIVATE)))
def test_what_the_sequence_leaks_is_the_worst_of_all_pairs(seed, n, steps, epsilon, name):
    assume(not (name == "optimum" and n > 2))
    chain = chains(seed, n, 0.3)
    mechanism = PRIVATE[name](epsilon, chain)
    pairs = pointwise_leakages(chain, mechanism, steps)
    found = sequence_leakage(chain, mechanism, steps)
    assert math.isclose(float(found), max(pairs.upper, pairs.lower), abs_tol=ROOM)
    assert with_memory(source_of(chain), mechanism).n == n
