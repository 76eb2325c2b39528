"""The analysis of a stream: it gathers what single computations say, and says what it cannot do."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, ChainError, DomainError, LimitError
from pdp_widgets.leakage.sequence.composition import compose
from pdp_widgets.leakage.sequence.many_users import simulate_releases
from pdp_widgets.leakage.sequence.pointwise import simulated_violation_share, violation_share
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.sequence_leakage import sequence_leakage
from pdp_widgets.leakage.sequence.step_leakage import as_drawn, delta_words
from pdp_widgets.leakage.sequence.step_leakages import expected_errors, sequence_mutual_information
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.batch_release import BatchRelease
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse, TemporalResponse
from pdp_widgets.models.history_source import HistorySource
from pdp_widgets.models.markov_chain import MarkovChain
from tests.leakage.sequence import every_sequence as listed

CHAIN = MarkovChain.symmetric(0.9, start=[0.05, 0.95])


@pytest.fixture(scope="module")
def printed():
    return SequenceAnalysis(CHAIN, ConditionalResponse(1.0), 6)


def test_it_gathers_what_single_computations_say(printed):
    mechanism = ConditionalResponse(1.0)
    alone = sequence_leakage(CHAIN, mechanism, 6, "enumeration")
    assert float(printed.sequence) == pytest.approx(float(alone))
    assert printed.method == "separated"
    assert printed.steps.worst == pytest.approx(alone.per_step)
    assert printed.steps.expected == pytest.approx(violation_share(CHAIN, 1.0, 6).leakage)
    assert printed.steps.broken == pytest.approx(violation_share(CHAIN, 1.0, 6).per_step)
    assert printed.steps.error == pytest.approx(expected_errors(CHAIN, mechanism, 6))
    assert printed.information.total == pytest.approx(sequence_mutual_information(CHAIN, mechanism, 6).total)
    assert float(printed.ldp) == pytest.approx(alone.local_level)
    assert printed.composition == compose(alone.per_step.tolist())
    assert float(printed.promised.linear) == 6.0


def test_the_printed_mechanism_breaks_its_promise_and_the_balanced_one_keeps_it(printed):
    assert not printed.keeps_promise
    assert float(printed.sequence) == pytest.approx(6.898, abs=5e-4)
    assert float(printed.sequence) > float(printed.promised.linear)
    balanced = SequenceAnalysis(CHAIN, BalancedResponse(1.0), 6)
    assert balanced.keeps_promise
    assert float(balanced.sequence) <= float(balanced.promised.best) + 1e-9
    assert (balanced.steps.broken == 0).all()


def test_statuses_and_words(printed):
    assert [found.status for found in (printed.sequence, printed.composed, printed.ldp)] == [
        "exact",
        "bound",
        "exact",
    ]
    assert str(printed.steps.step(1)) == "2.56574 nats (exact): step 1, after the releases so far"
    assert printed.mechanism_label == "Conditional response, as printed, ε = 1"
    assert repr(printed) == "SequenceAnalysis(2 symbols, Conditional response, as printed, ε = 1, 6 steps)"
    mixed = SequenceAnalysis(CHAIN, [ConditionalResponse(1.0), BalancedResponse(1.0)], 2)
    assert mixed.mechanism_label == "2 mechanisms"
    assert SequenceAnalysis(CHAIN, lambda belief: np.eye(2), 2).mechanism_label == "given channels"


def test_a_mechanism_without_budget_has_no_promise():
    found = SequenceAnalysis(CHAIN, lambda belief: np.array([[0.7, 0.3], [0.3, 0.7]]), 4)
    assert np.isnan(found.budgets).all()
    assert (found.steps.broken == 0).all()
    assert not found.keeps_promise
    with pytest.raises(DomainError, match="no budget"):
        found.promised  # noqa: B018
    assert float(found.composition.linear) >= float(found.sequence)


def test_streams_too_long_for_exact_results_still_have_a_promise():
    found = SequenceAnalysis(CHAIN, "crr_balanced", 1000, epsilon=0.1)
    assert float(found.promised.best) == pytest.approx(20.1705, abs=1e-3)
    with pytest.raises(LimitError, match="1000 steps with 2 symbols"):
        found.sequence  # noqa: B018
    with pytest.raises(LimitError, match="pairs"):
        SequenceAnalysis(CHAIN, "crr_balanced", 14, epsilon=0.1).tail(1.0)


def test_a_promise_is_a_bound_only_where_every_step_keeps_it(printed):
    kept = SequenceAnalysis(CHAIN, "crr_balanced", 6, epsilon=1.0)
    # From a fair start no symbol is rare in the first step.
    fair = SequenceAnalysis(MarkovChain.symmetric(0.9), "crr", 1, epsilon=1.0)
    # Too many histories to tell.
    long = SequenceAnalysis(CHAIN, "crr", 1000, epsilon=0.1)
    longer = SequenceAnalysis(CHAIN, "crr", 20_000, epsilon=0.1)
    mixed = SequenceAnalysis(CHAIN, [ConditionalResponse(1.0), BalancedResponse(1.0)], 2)
    for found, status in (
        (printed, "as printed"),
        (kept, "bound"),
        (fair, "bound"),
        (long, "as printed"),
        (longer, "as printed"),
        (mixed, "as printed"),
    ):
        promised = found.promised
        assert (promised.linear.status, promised.advanced.status, promised.best.status) == (status,) * 3
    assert float(printed.promised.linear) == float(kept.promised.linear)
    assert printed.to_dataframe().attrs["status"]["promised so far"] == "as printed"
    assert kept.to_dataframe().attrs["status"]["promised so far"] == "bound"
    # What follows from what is leaked stays a bound.
    assert printed.composition.linear.status == "bound"


@pytest.mark.parametrize("epsilon", [1e-3, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13])
def test_one_rule_says_who_is_over_however_small_the_budget(epsilon):
    found = SequenceAnalysis(CHAIN, "crr", 3, epsilon=epsilon)
    assert found.steps.worst[2] > 3.5 * epsilon
    assert not found.keeps_promise
    assert found.promised.linear.status == "as printed"
    share = violation_share(CHAIN, epsilon, 3)
    done = simulate_releases(CHAIN, ConditionalResponse(epsilon), 3, users=50, rng=1)
    assert (share.share, done.over_budget) == (pytest.approx(1.0), 1.0)
    assert simulated_violation_share(CHAIN, epsilon, 3, users=50, rng=1).share == 1.0
    assert found._figures()["steps"]().series[-1].name == "after the worst releases, above the budget"
    # Rounding alone breaks nothing.
    kept = SequenceAnalysis(CHAIN, "crr_balanced", 3, epsilon=epsilon)
    assert kept.keeps_promise
    assert kept.to_dataframe()["chance above promise"].max() == 0
    assert simulate_releases(CHAIN, BalancedResponse(epsilon), 3, users=50, rng=1).over_budget == 0
    # Chances of histories add up to 1, not to more.
    assert found.to_dataframe()["chance above promise"].max() <= 1
    assert share.per_step.max() <= 1


def test_merged_histories_make_the_local_level_a_bound():
    # Zeros in the chain: no separated sums; independent data: merged histories.
    chain = ([0.5, 0.5, 0.0], [[0.5, 0.5, 0.0]] * 3)
    found = SequenceAnalysis(chain, ConditionalResponse(1.0), 4)
    assert (found.method, found.ldp.status) == ("tree", "bound")
    exact = SequenceAnalysis(chain, ConditionalResponse(1.0), 4, method="enumeration")
    assert exact.ldp.status == "exact"
    assert float(exact.ldp) <= float(found.ldp) + 1e-9
    assert float(exact.sequence) == pytest.approx(float(found.sequence))


def test_what_is_released_before_may_decide_too():
    moves = np.array([[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]])
    start = np.array([0.3, 0.4, 0.3])
    mechanism = SafeTemporalResponse(1.0, moves)
    found = SequenceAnalysis((start, moves), mechanism, 3)
    law = listed.first_order(start, moves)
    # Listed by hand: the channel of a step is that after the last release.
    data = listed.chances(law, 3, 3)
    given = {
        (x, y): math.prod(mechanism.given(y[k - 1] if k else None)[x[k], y[k]] for k in range(3))
        for x in data
        for y in listed.product(range(3), repeat=3)
    }
    total = {y: sum(data[x] * given[x, y] for x in data) for y in listed.product(range(3), repeat=3)}
    ratios = [math.log(p / total[y]) for (x, y), p in given.items() if p > 0]
    assert all(given[x, y] > 0 for x in data for y in total if total[y] > 0)
    assert float(found.sequence) == pytest.approx(max(map(abs, ratios)))
    for method in ("enumeration", "tree"):
        assert float(SequenceAnalysis((start, moves), mechanism, 3, method=method).sequence) == pytest.approx(
            float(found.sequence)
        )
    assert found.keeps_promise
    # Independent data have one belief whatever was released: the histories must stay apart all the same.
    even = SequenceAnalysis(([1 / 3] * 3, [[1 / 3] * 3] * 3), mechanism, 3)
    assert even.result.histories == 1 + 3 + 3


@pytest.mark.parametrize("zeros", [True, False])
def test_the_true_symbol_before_may_decide_too(zeros):
    start = np.array([0.3, 0.4, 0.3])
    moves = np.array([[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]])
    tables = np.random.default_rng(4).dirichlet(np.ones(3), (3, 3))
    mechanism = TemporalResponse(1.0, moves) if zeros else _Memory(tables)
    steps = 3
    data = listed.chances(listed.first_order(start, moves), 3, steps)
    every = list(listed.product(range(3), repeat=steps))
    given = {
        (x, y): math.prod(mechanism.given(x[k - 1] if k else None)[x[k], y[k]] for k in range(steps))
        for x in data
        for y in every
    }
    total = {y: sum(data[x] * given[x, y] for x in data) for y in every}
    ratios = [
        math.log(given[x, y] / total[y]) if given[x, y] > 0 else -math.inf
        for x in data
        for y in every
        if total[y] > 0
    ]
    errors = [sum(data[x] * given[x, y] for x in data for y in every if x[k] != y[k]) for k in range(steps)]
    for method in ("tree", "enumeration"):
        found = SequenceAnalysis((start, moves), mechanism, steps, method=method)
        assert float(found.sequence) == pytest.approx(max(map(abs, ratios)))
        assert found.result.upper == pytest.approx(max(ratios))
        assert found.steps.error == pytest.approx(errors)
        reached = math.log(given[found.worst_case] / total[found.worst_case[1]]) if not zeros else -math.inf
        assert abs(reached) == pytest.approx(float(found.sequence))
    information = sum(
        data[x] * given[x, y] * math.log(given[x, y] / total[y])
        for x in data
        for y in every
        if given[x, y] > 0
    )
    assert found.information.total == pytest.approx(information)
    # Leakage of a step: over the symbol and the one before, all that the release looks at.
    seen = {y[:1] for y in every}
    worst = 0.0
    for first in seen:
        pairs = {
            (a, b): start[a] * mechanism.given(None)[a, first[0]] * moves[a, b]
            for a in range(3)
            for b in range(3)
        }
        law = sum(pairs[a, b] * mechanism.given(a)[b] for a, b in pairs) / sum(pairs.values())
        with np.errstate(divide="ignore"):
            worst = max(
                worst,
                *(
                    np.abs(np.log(mechanism.given(a)[b] / law)[law > 0]).max()
                    for (a, b), p in pairs.items()
                    if p > 0
                ),
            )
    assert found.steps.worst[1] == pytest.approx(worst)


class _Memory:
    """A mechanism that looks at the true symbol before, in any way."""

    previous_is = "true"

    def __init__(self, tables):
        self._tables = tables

    def given(self, previous):
        return self._tables.mean(axis=0) if previous is None else self._tables[previous]

    def matrices(self, beliefs):
        raise AssertionError("the channels depend on the symbol before")


def test_chains_of_second_order_and_laws_of_histories():
    moves = np.array([[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])
    early = np.array([[0.8, 0.2], [0.3, 0.7]])
    chain = MarkovChain(moves, [0.5, 0.5], states=["no", "yes"], early=early)
    mechanism = ConditionalResponse(1.0)
    found = SequenceAnalysis(chain, mechanism, 4)
    reference = listed.EverySequence(
        listed.second_order([0.5, 0.5], early, moves), 2, lambda b: mechanism.matrices([b])[0], 4
    )
    assert found.method == "tree"
    assert float(found.sequence) == pytest.approx(reference.leakage)
    assert found.steps.worst == pytest.approx(reference.per_step)
    data, released = (["no", "yes"].index, ["no", "yes"].index)
    worst = found.worst_case
    assert abs(
        reference.log_ratio(tuple(map(data, worst[0])), tuple(map(released, worst[1])))
    ) == pytest.approx(float(found.sequence))

    def law(past):
        if not past:
            return [0.5, 0.5]
        return early[past[0]] if len(past) == 1 else moves[past[-2], past[-1]]

    listed_law = HistorySource(law, steps=4, states=2)
    by_history = SequenceAnalysis(listed_law, mechanism, 4)
    assert float(by_history.sequence) == pytest.approx(float(found.sequence))
    assert by_history.steps.expected == pytest.approx(found.steps.expected)
    with pytest.raises(ChainError, match="4 steps"):
        SequenceAnalysis(listed_law, mechanism, 5).compute()


def test_batches_are_analysed_as_steps_of_patterns():
    chain = MarkovChain([[0.9, 0.1], [0.2, 0.8]], states=["dry", "wet"])
    batches = BatchRelease(BalancedResponse(0.5), size=2, n=2)
    found = SequenceAnalysis(chain, batches, 6)
    assert (found.n_steps, found.budgets.tolist()) == (3, [1.0, 1.0, 1.0])
    assert str(found.sequence.about) == "all 3 batches"
    assert str(found.steps.step(2).about) == "batch 2, after the releases so far"
    assert str(found.promised.linear) == "3 nats (bound): all 3 batches"
    assert found.keeps_promise
    assert "3 batches" in repr(found)
    mechanism = BalancedResponse(1.0)
    start, moves = chain.start, chain.transitions

    def law(past):
        lead = start if not past else moves[past[-1] % 2]
        return [lead[o // 2] * moves[o // 2][o % 2] for o in range(4)]

    reference = listed.EverySequence(law, 4, lambda b: mechanism.matrices([b])[0], 3)
    assert float(found.sequence) == pytest.approx(reference.leakage)
    assert found.steps.worst == pytest.approx(reference.per_step)
    # Errors are counted per symbol: two wrong symbols are two errors.
    assert found.steps.error[0] == pytest.approx(batches.channel(law(())).cost)
    data, released = found.worst_case
    assert len(data) == len(released) == 6
    pairs = [
        tuple(2 * (a == "wet") + (b == "wet") for a, b in zip(x[::2], x[1::2], strict=True))
        for x in (data, released)
    ]
    assert abs(reference.log_ratio(*pairs)) == pytest.approx(float(found.sequence))
    assert float(sequence_leakage(chain, batches, 6)) == pytest.approx(float(found.sequence))
    assert SequenceAnalysis(chain, batches, 7).budgets.tolist() == [1.0, 1.0, 1.0, 0.5]
    with pytest.raises(ChainError, match="of 2 symbols and the chain has 3"):
        SequenceAnalysis(MarkovChain.symmetric(0.8, 3), batches, 6)
    with pytest.raises(ChainError, match="chain of first or second order"):
        SequenceAnalysis(HistorySource(lambda past: [0.5, 0.5], 6, 2), batches, 6)


def test_a_frame_of_steps(printed):
    frame = printed.to_dataframe()
    assert frame["step"].tolist() == [1, 2, 3, 4, 5, 6]
    assert frame["leakage so far"].iloc[-1] == pytest.approx(float(printed.sequence))
    assert (frame["leakage so far"] <= frame["composed so far"] + 1e-9).all()
    assert (frame["composed so far"] <= frame["linear so far"] + 1e-9).all()
    assert (frame["best so far"] <= frame["linear so far"]).all()
    assert frame.attrs["status"]["leakage so far"] == "exact"
    assert frame.attrs["status"]["linear so far"] == "bound"


def test_figures(printed):
    kept = SequenceAnalysis(CHAIN, "crr_balanced", 6, epsilon=1.0)
    for found, promise in ((printed, "as printed"), (kept, "a bound")):
        total, steps, errors = (draw() for draw in found._figures().values())
        exact, composed, linear = total.series
        assert [one.name for one in total.series] == [
            "exact",
            "sum along the worst releases, a bound",
            f"sum of budgets, {promise}",
        ]
        assert np.array_equal(exact.y, found.result.so_far)
        assert np.array_equal(composed.y, found.result.composed_so_far)
        assert linear.y.tolist() == [1, 2, 3, 4, 5, 6]
        assert np.array_equal(steps.series[-1].y, found.steps.worst)
        assert (steps.series[-1].colour == "over") == (found is printed)
        assert np.array_equal(errors.series[0].y, found.steps.error)
        assert total.note.endswith("ε = 1; for the stated law of the stream.")
    with pytest.raises(DomainError, match="it is 'total', 'steps' or 'errors'"):
        printed.plot("all")


def test_figures_of_infinite_leakages_and_of_nothing():
    everything = SequenceAnalysis(CHAIN, "identity", 3)
    assert float(everything.sequence) == math.inf
    endless = SequenceAnalysis(CHAIN, "crr", 3, epsilon=math.inf)
    for analysis in (everything, endless):
        total, steps, _ = (draw() for draw in analysis._figures().values())
        for series in (*total.series, *steps.series):
            assert series.y.tolist() == [math.inf] * 3
    assert "∞" in endless._repr_html_()
    none = SequenceAnalysis(CHAIN, "crr", 0, epsilon=1.0)
    assert float(none.sequence) == 0.0
    assert none.keeps_promise
    assert len(none.to_dataframe()) == 0
    for draw in none._figures().values():
        with pytest.raises(DomainError, match="no step to draw"):
            draw()


def test_latex(printed):
    assert r"$\infty$" in SequenceAnalysis(CHAIN, "identity", 3).to_latex()
    made = printed.to_latex(caption="Steps", label="tab:steps")
    assert r"\caption{Steps}" in made
    assert "1 & 1.000 & 2.566 & 2.566 & 1 & 2.566 & 2.566 & 0.035" in made
    assert r"all 6 steps: 6.898 nats, exact" in made
    short = printed.to_latex(["step", "so far"], most=2)
    assert "first 2 of 6 steps" in short
    assert short.count(r"\\") == 1 + 2 + 3
    with pytest.raises(DomainError, match="There is no column 'leak'"):
        printed.to_latex(["leak"])


def test_refusals():
    with pytest.raises(BudgetError, match="steps is -1"):
        SequenceAnalysis(CHAIN, "crr", -1, epsilon=1.0)
    with pytest.raises(BudgetError, match="no mechanism 'x'"):
        SequenceAnalysis(CHAIN, "x", 2, epsilon=1.0)
    with pytest.raises(BudgetError, match="delta"):
        SequenceAnalysis(CHAIN, "crr", 2, 1.5, epsilon=1.0)
    with pytest.raises(DomainError, match="epsilon goes with the key"):
        SequenceAnalysis(CHAIN, ConditionalResponse(1.0), 2, epsilon=1.0)
    with pytest.raises(DomainError, match="The method is"):
        SequenceAnalysis(CHAIN, "crr", 2, epsilon=1.0, method="quick")


def test_computing_ahead_tells_progress_and_is_done_once(printed):
    found, told = SequenceAnalysis(CHAIN, "crr", 12, epsilon=1.0), []
    assert found.compute(told.append) is found
    assert told[-1] == 1.0
    count = len(told)
    found.compute(told.append)
    assert len(told) == count


def test_a_line_through_many_steps_ends_at_the_last_one():
    assert as_drawn(4).tolist() == [0, 1, 2, 3]
    assert as_drawn(5, most=3).tolist() == [0, 2, 4]
    assert as_drawn(6, most=3).tolist() == [1, 3, 5]


def test_small_probabilities_are_written_as_powers_of_ten():
    assert [delta_words(one) for one in (1e-5, 2.5e-6, 0.05, 0.0)] == ["1e−5", "2.5e−6", "0.05", "0"]
