"""Exact slacks of an analysis against enumerated laws, and the bounds above them."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_results
from pdp_widgets.leakage.noiseless.record_sum import RecordSum
from pdp_widgets.leakage.noiseless.sum_bounds import sum_recipe
from pdp_widgets.leakage.noiseless.sum_slack import sum_slack
from pdp_widgets.models.microdata import Microdata
from tests.leakage.noiseless.anonymity_cases import INPUTS, clinic_analysis, many, releases


def summed(laws):
    total = {0.0: 1.0}
    for law in laws:
        new = {}
        for x, p in total.items():
            for y, q in law.items():
                new[round(x + y, 9)] = new.get(round(x + y, 9), 0.0) + p * q
        total = new
    return total


def slack_of(first, second, epsilon, events):
    factor = math.exp(epsilon)
    outcomes = sorted({*first, *second}, key=lambda one: one if isinstance(one, float) else math.nan)
    worst = 0.0
    for p, q in ((first, second), (second, first)):
        gaps = np.array([p.get(x, 0.0) - factor * q.get(x, 0.0) for x in outcomes])
        if events == "all":
            worst = max(worst, gaps[gaps > 0].sum())
        else:
            sums = np.concatenate([[0.0], np.cumsum(gaps)])
            ends = [(i, j) for i in range(len(sums)) for j in range(i, len(sums))]
            if events == "halfline":
                ends = [(i, j) for i, j in ends if i == 0 or j == len(sums) - 1]
            worst = max(worst, *(sums[j] - sums[i] for i, j in ends))
    return worst


def moved(law, by):
    return {round(x + by, 9): p for x, p in law.items()}


def withheld(law, k):
    found = {}
    for x, p in law.items():
        output = x if x >= k else -math.inf
        found[output] = found.get(output, 0.0) + p
    return found


def enumerated(given_):
    """The two laws that are compared, by going through all sums."""
    column, n = given_["column"], many(given_)
    numbers = [float(one == "yes") if isinstance(one, str) else float(one) for one in column]
    law = {x: numbers.count(x) / len(column) for x in set(numbers)}
    known = given_["known"] if given_["level"] in ("III", "IV") else 0.0
    d = given_["neighbours"] if given_["level"] in ("II", "IV") else 1
    unknown = n - math.floor(known * n + 0.5)
    targets = min(d, unknown)
    others, block = unknown - targets, max(1, targets)
    laws = [{x * block: p for x, p in law.items()}] * (others // block)
    laws += [{x * (others % block): p for x, p in law.items()}] if others % block else []
    sum_ = summed(laws)
    if given_["neighbour"] == "presence":
        first, second = summed([*laws, {x * block: p for x, p in law.items()}]), sum_
        change = block * max(abs(x) for x in law)
    else:
        wide = 1.0 if isinstance(column[0], str) else max(numbers) - min(numbers)
        first, second, change = moved(sum_, block * wide), sum_, block * wide
    return first, second, others, change


def seen_known(given_):
    """How many known records may have the value, one by one: no more than are known, or than have it."""
    known = given_["known"] if given_["level"] in ("III", "IV") else 0.0
    n, column = many(given_), given_["column"]
    having = math.floor(column.count("yes") / len(column) * n + 0.5)
    return range(min(math.floor(known * n + 0.5), having) + 1)


def records_laws(given_, others, counted):
    """Which unknown records are published, with the target's and without it, all subsets one by one."""
    share = given_["column"].count("yes") / len(given_["column"])

    def law(many):
        found = {}
        for chosen in product((0, 1), repeat=many):
            there = tuple(i for i, one in enumerate(chosen) if one)
            output = there if len(there) + counted >= given_["k"] else "nothing"
            chance = share ** len(there) * (1 - share) ** (many - len(there))
            found[output] = found.get(output, 0.0) + chance
        return found

    # The target is the last one.
    return law(others + 1), law(others)


def analysed(given_):
    column = given_["column"]
    name = "secret" if isinstance(column[0], str) else "value"
    data = Microdata({"age": list(range(len(column))), name: column})
    return AnonymityAnalysis(
        data,
        "age",
        "secret" if name == "secret" else None,
        given_["k"],
        release=given_["release"],
        **{key: given_[key] for key in ("level", "known", "neighbours", "neighbour", "n")},
    )


@given(releases(), st.sampled_from([0.0, 0.3, 1.0, 2.5]))
def test_exact_slacks_are_those_of_all_sums_and_bounds_are_above_them(given_, epsilon):
    found = analysed(given_)
    first, second, others, change = enumerated(given_)
    assert found.unknown == others
    pairs = [(first, second)]
    if given_["release"].startswith("suppressed"):
        pairs = [
            (withheld(first, given_["k"] - c), withheld(second, given_["k"] - c)) for c in seen_known(given_)
        ]
    elif given_["release"].startswith("records"):
        if found.hidden.fault is not None:
            assert given_["level"] in ("II", "IV")
            return
        pairs = [records_laws(given_, others, c) for c in seen_known(given_)]
    expected = max(slack_of(*pair, epsilon, "all") for pair in pairs)
    assert found.slack(epsilon).delta == pytest.approx(expected, rel=1e-9, abs=1e-13)
    if given_["release"].startswith("records"):
        return
    for events in ("halfline", "interval", "all"):
        try:
            bound = found.bound(epsilon, events).delta
        except DomainError:
            assert events == "all"
            assert given_["release"].startswith("sum")
            with pytest.raises(DomainError, match="There is no bound"):
                found.recipe(events=events)
            continue
        for delta1 in (None, 0.01, 0.3):
            recipe = found.recipe(delta1, events).slack
            # Without any unknown others no epsilon is enough.
            ends = (
                [1.0] if math.isinf(recipe.epsilon) else [slack_of(*p, recipe.epsilon, events) for p in pairs]
            )
            assert recipe.delta >= max(ends) - 1e-12
        # "Nothing" is below every number: thresholds of what is withheld are among those of the count.
        assert bound >= max(slack_of(*pair, epsilon, events) for pair in pairs) - 1e-12
    if given_["neighbour"] == "presence" and given_["release"].startswith("sum"):
        assert found.shift == change


@given(releases())
def test_more_known_and_larger_blocks_hide_less(given_):
    if given_["release"].startswith("records"):
        given_ = {**given_, "neighbours": 1}
    found = analysed({**given_, "level": "IV"})
    curve = found.known_curve(0.5)
    # Where fewer than k records have the value, all known leave no doubt that it is withheld: see below.
    having = max(seen_known({**given_, "level": "IV", "known": 1.0}))
    fewer = not given_["release"].startswith(("count", "sum")) and having < given_["k"]
    if given_["neighbours"] == 1 and not fewer:
        assert (np.diff(curve.delta) >= -1e-12).all()
    axis = np.linspace(0, 3, 16)
    assert (np.diff(found.slack(axis).delta) <= 1e-12).all()


def test_the_recipe_of_the_paper_is_that_of_the_sum_with_a_slack_that_is_chosen():
    others = RecordSum.equal({0: 0.9, 1: 0.1}, 69)
    for delta1 in (None, 0.01):
        for events in ("halfline", "interval"):
            found, alone = clinic_analysis().recipe(delta1, events), sum_recipe(others, 1, delta1, events)
            assert (found.delta1, found.slack.events) == (alone.delta1, alone.slack.events)
            assert found.slack.epsilon == pytest.approx(alone.slack.epsilon, rel=1e-12)
            assert found.slack.delta == pytest.approx(alone.slack.delta, rel=1e-12)
    # A smaller slack of the step takes a larger epsilon, and more known too.
    small = clinic_analysis().recipe(1e-6).slack
    assert small.epsilon > clinic_analysis().recipe(0.01).slack.epsilon
    assert small.epsilon < clinic_analysis(known=0.9).recipe(1e-6).slack.epsilon
    assert anonymity_results(replace(INPUTS, delta1=1e-6)).recipe.slack == small
    nobody = clinic_analysis(known=1.0).recipe()
    assert (nobody.slack.epsilon, nobody.slack.delta, nobody.delta1) == (math.inf, 1.0, None)
    for wrong in (0, 1, -0.1, "a", float("nan")):
        with pytest.raises(BudgetError, match="delta1 is"):
            clinic_analysis().recipe(wrong)
    with pytest.raises(DomainError, match="published records"):
        clinic_analysis(release="records:yes").recipe()
    assert anonymity_results(replace(INPUTS, release="records:yes", reading="")).recipe is None


def test_a_release_of_more_records_of_the_same_law_hides_more():
    table = clinic_analysis()
    assert (table.n, table.given_n, clinic_analysis(n=100).n) == (100, None, 100)
    assert clinic_analysis(n=100).slack(1.0).delta == table.slack(1.0).delta
    larger = clinic_analysis(n=1000)
    assert (larger.n, larger.unknown, len(larger.classes)) == (1000, 699, len(table.classes))
    assert larger.slack(1.0).delta < 1e-6 < table.slack(1.0).delta
    assert larger.about == "count of diabetes = yes, 1,000 records assumed, 699 unknown others"
    assert larger.printed(1.0).delta < table.printed(1.0).delta
    # Of a sum those without a value are no others; a number that is given is taken as it is.
    data = {"age": [1, 2, 3, 4], "pay": [1, None, 2, 3]}
    assert AnonymityAnalysis(data, "age", k=2, release="sum:pay").n == 3
    assert AnonymityAnalysis(data, "age", k=2, release="sum:pay", n=4).unknown == 3


def test_what_is_smaller_than_the_ends_of_a_law_is_no_slack_and_violates_nothing():
    """With 50,000 unknown others both the slack and the theorem are below every float at most epsilons."""
    found = clinic_analysis(n=100_000, known=0.5)
    axis = np.linspace(0, 2.5, 101)
    exact, printed = found.slack(axis).delta, found.printed(axis).delta
    assert exact[exact < 1e-270].tolist() == [0.0] * int((exact < 1e-270).sum())
    assert exact[-1] == 0
    assert (exact <= printed).all()
    inputs = replace(INPUTS, n=100_000, known=0.5)
    assert [one.violated for one in anonymity_results(inputs).curves if one.kind == "printed"] == [()]
    for events in ("all", "halfline"):
        assert sum_slack(RecordSum.equal({0: 0.5, 1: 0.5}, 5000), 1, 2.0, events).delta == 0.0


@pytest.mark.parametrize("release", ["suppressed:yes", "records:yes"])
def test_known_records_count_towards_what_is_withheld(release):
    """Ten patients have the value: who knows five of them sees every count that others would not."""
    every = clinic_analysis(release="count:yes", known=0.05).slack(1.0).delta
    assert clinic_analysis(release=release, known=0.05).slack(1.0).delta == pytest.approx(
        every if release.startswith("suppressed") else 0.1
    )
    curve = clinic_analysis(release=release).known_curve(1.0)
    assert (np.diff(curve.delta) >= -1e-15).all()
    assert curve.delta[0] < curve.delta[2]
    # The least epsilon is that of the same withheld count.
    found = clinic_analysis(release=release, known=0.02, level="III")
    slack = found.slack(0.7).delta
    assert found.slack(float(found.epsilon(slack))).delta <= slack * (1 + 1e-9)


def test_what_is_withheld_whatever_the_target_has_tells_nothing():
    """Two have the value and k is 4: with all others known, their two and the target make three at most."""
    data = {"age": range(20), "ill": ["yes", "yes"] + ["no"] * 18}
    made = [
        AnonymityAnalysis(data, "age", "ill", 4, release=key, level="III", known=1.0)
        for key in ("suppressed:yes", "count:yes")
    ]
    assert [one.slack(0.0).delta for one in made] == [0.0, 1.0]
    # With k = 3 the target's own decides.
    last = AnonymityAnalysis(data, "age", "ill", 3, release="suppressed:yes", level="III", known=1.0)
    assert last.slack(0.0).delta == 1.0


def test_presence_of_a_record_moves_a_sum_by_its_value_and_not_by_the_range():
    """Ages from 90 to 92 differ by 2, but a record more adds 90 or more."""
    data = {"age": [90, 91, 92] * 20}
    found = AnonymityAnalysis(data, "age", neighbour="presence")
    assert found.shift == 92
    assert found.slack(1.0).delta == pytest.approx(1.0)
    assert found.bound(1.0).delta >= found.slack(1.0).delta
    assert AnonymityAnalysis(data, "age").shift == 2


def test_a_bound_by_thresholds_is_none_for_any_event_of_a_count_that_moves_between_counts():
    """Blocks of two equal records have even sums: one that is odd is told from all of them."""
    data = {"age": range(40), "ill": ["yes", "no"] * 20}
    found = AnonymityAnalysis(data, "age", "ill", level="II", neighbours=2, shift=1)
    assert found.slack(1.0).delta == 1.0
    assert found.bound(1.0, "halfline").delta < 1.0 or found.bound(1.0, "halfline").state == "vacuous"
    with pytest.raises(DomainError, match="thresholds and intervals only"):
        found.bound(1.0, "all")
    half = AnonymityAnalysis(data, "age", "ill", shift=0.5)
    with pytest.raises(DomainError, match="no multiple of the step"):
        half.slack(1.0)
    with pytest.raises(DomainError, match="thresholds and intervals only"):
        half.bound(1.0, "all")


def test_laws_that_never_meet_are_told_apart_with_certainty():
    """Their probabilities sum to 1 but for rounding, and a slack just below 1 would not be called vacuous."""
    data = {"step": [1.0, 3.5, 6.0, -1.5, 8.5, 1.0, 3.5] * 9}
    found = AnonymityAnalysis(data, "step", neighbour="presence", level="III", known=0.1)
    assert found.slack([0.0, 1.0, float("inf")]).delta.tolist() == [1.0, 1.0, 1.0]
    assert found.slack(1.0).state == "vacuous"


def test_who_has_no_value_hides_nobody_in_a_sum():
    table = {"age": list(range(8)), "pay": [None, 2, 3, None, 2, 3, 1, 5], "ill": list("abbabbbb")}
    some = AnonymityAnalysis(table, "age", "ill", 2, release="sum:pay")
    # All outcomes of five others, one by one: the target adds 1 or 5.
    chances = {1: 1 / 6, 2: 2 / 6, 3: 2 / 6, 5: 1 / 6}
    law: dict[int, float] = {}
    for drawn in product(chances, repeat=5):
        law[sum(drawn)] = law.get(sum(drawn), 0.0) + math.prod(chances[one] for one in drawn)
    shift = sum(max(0.0, p - math.exp(0.5) * law.get(total - 4, 0.0)) for total, p in law.items())
    back = sum(max(0.0, p - math.exp(0.5) * law.get(total + 4, 0.0)) for total, p in law.items())
    assert some.unknown == 5
    assert some.slack(0.5).delta == pytest.approx(max(shift, back), rel=1e-12)
    # A count is of everybody: who has no value has not this one.
    assert AnonymityAnalysis(table, "age", "ill", 2, release="count:a").unknown == 7
