"""One k-anonymous table: numbers of the design, exact slacks by enumeration, bounds above, wrong input."""

import json
import math
import pickle
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError, LimitError, PdpError, TableError
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_inputs import (
    AnonymityInputs,
    default_release,
    readings_of,
    releases_of,
)
from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_removals, anonymity_results
from pdp_widgets.leakage.noiseless.record_sum import RecordSum
from pdp_widgets.leakage.noiseless.sum_bounds import sum_recipe
from pdp_widgets.leakage.noiseless.sum_slack import sum_slack
from pdp_widgets.models.clinic import clinic
from pdp_widgets.models.microdata import Microdata

CLINIC = json.loads((Path(__file__).parents[2] / "data" / "anonymity-clinic.json").read_text())
INPUTS = AnonymityInputs(
    clinic(), (0, 1), 2, 5, "count:yes", level="III", known=0.3, printed=True, reading="t1:statement"
)


def clinic_analysis(**given_):
    chosen = {"level": "III", "known": 0.3, **given_}
    return AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", 5, **chosen)


# The numbers of the design


def test_curves_of_the_clinic_are_those_of_the_design():
    found = clinic_analysis()
    axis = np.array(CLINIC["epsilon"])
    assert found.slack(axis).delta.tolist() == pytest.approx(CLINIC["exact"], rel=1e-4)
    assert found.bound(axis, "all").delta.tolist() == pytest.approx(CLINIC["kl"], rel=1e-4)
    assert found.bound(axis).delta.tolist() == pytest.approx(CLINIC["threshold"], rel=1e-4)
    assert found.printed(axis).delta.tolist() == pytest.approx(CLINIC["printed"], rel=1e-4)


def test_numbers_of_the_clinic_are_those_of_the_design():
    found = clinic_analysis()
    assert (found.achieved, len(found.classes), found.unknown, found.share) == (5, 14, 69, 0.1)
    assert round(found.slack(1.0).delta, 4) == 0.0098
    assert round(found.bound(1.0).delta, 3) == 0.493
    assert round(found.bound(1.0, "all").delta, 3) == 0.173
    assert round(found.printed(1.0).delta, 3) == 0.133
    theorem6 = found.printed(1.0, "t4:sum_of_powers")
    assert (round(theorem6.delta, 3), theorem6.state) == (9.880, "vacuous")
    assert round(clinic_analysis(known=0.0).slack(1.0).delta, 4) == 0.0027
    assert [list(group) for group in sorted(found.classes.groups)] == CLINIC["groups"]
    assert found.sensitivity().changes.tolist() == CLINIC["changes"]
    curve = found.known_curve(1.0)
    assert curve.delta[[0, 12]].round(4).tolist() == [0.0027, 0.0098]
    assert float(found.epsilon(found.slack(1.0).delta)) == pytest.approx(1.0, abs=1e-6)


def test_results_are_the_numbers_of_the_design():
    found = anonymity_results(INPUTS)
    named = {one.key: one for one in found.curves}
    assert list(named) == ["exact", "bound-events", "bound-all", "t1:statement"]
    assert found.axis.tolist() == pytest.approx(CLINIC["epsilon"])
    assert named["exact"].delta.tolist() == pytest.approx(CLINIC["exact"], rel=1e-4)
    assert named["bound-events"].drawn.tolist() == pytest.approx(CLINIC["threshold"], rel=1e-4)
    assert [round(one.at, 3) for one in found.curves] == [0.010, 0.493, 0.173, 0.133]
    # The design's curve crosses between 1.4 and 1.425.
    assert named["t1:statement"].violated == ((1.425, 2.5),)
    assert [(one.key, round(one.delta, 3), one.status, one.holds) for one in found.printed] == [
        ("t1:statement", 0.133, "ok", True),
        ("t4:sum_of_powers", 9.880, "vacuous", True),
    ]
    assert (found.k, found.achieved, found.sizes, found.classes_in_all) == (5, 5, (5, 13), 14)
    assert (found.single, found.diversity, round(found.closeness, 3)) == (8, 1, 0.525)
    assert (found.unknown, found.share, found.shift, found.suppressed) == (69, 0.1, 1.0, 0)
    assert round(found.nothing_known, 4) == 0.0027
    assert found.spread == pytest.approx(math.sqrt(69 * 0.09))
    assert [one.letter for one in found.classes] == list("ABCDEFGHIJKLMN")
    assert sum(one.shared == "all no" for one in found.classes) == 8
    assert {one.colour for one in found.classes} <= {0, 1, 2, 3}
    assert found.classes[0].ranges == ("18–42", "46–59")
    assert found.classes[0].box == (18.0, 42.0, 46.0, 59.0)
    removals = anonymity_removals(INPUTS)
    assert removals.changes.tolist() == CLINIC["changes"]
    assert (removals.largest, removals.worst, removals.sampled) == (8.0, CLINIC["changes"].index(8), None)


def test_changes_without_a_record_stay_with_the_same_classes():
    removals = anonymity_removals(INPUTS)
    found = anonymity_results(INPUTS).with_removals(removals)
    assert anonymity_results(replace(INPUTS, epsilon=2.0), found).removals is removals
    assert anonymity_results(replace(INPUTS, k=6), found).removals is None
    assert anonymity_removals(replace(INPUTS, k=100)) is None
    assert not anonymity_results(replace(INPUTS, k=100)).removable


# Exact slacks, by enumeration


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


@st.composite
def releases(draw):
    n = draw(st.integers(4, 9))
    counted = draw(st.booleans())
    if counted:
        column = draw(st.lists(st.sampled_from(["no", "yes"]), min_size=n, max_size=n))
        if "yes" not in column:
            column[0] = "yes"
    else:
        column = draw(st.lists(st.integers(-3, 4), min_size=n, max_size=n))
    kinds = ["count:yes", "suppressed:yes", "records:yes"]
    kind = draw(st.sampled_from(kinds)) if counted else "sum:value"
    return {
        "column": column,
        "release": kind,
        "level": draw(st.sampled_from(["I", "II", "III", "IV"])),
        "known": draw(st.sampled_from([0.0, 0.2, 0.5, 1.0])),
        "neighbours": draw(st.integers(1, 4)),
        "neighbour": draw(st.sampled_from(["value", "presence"])),
        "k": draw(st.integers(1, 3)),
        "n": draw(st.one_of(st.none(), st.integers(3, 10))),
    }


def many(given_):
    """How many records the release is of."""
    return len(given_["column"]) if given_["n"] is None else given_["n"]


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


@settings(max_examples=200, deadline=None)
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


@settings(max_examples=60, deadline=None)
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


def test_published_records_are_seen_and_not_bounded():
    found = clinic_analysis(release="records:yes", level="I")
    # From -ln(0.9) on: the share times the chance that others make k.
    share = [math.comb(99, j) * 0.1**j * 0.9 ** (99 - j) for j in range(4)]
    assert found.slack(1.0).delta == pytest.approx(0.1 * (1 - sum(share)))
    assert found.readings == ()
    with pytest.raises(DomainError, match="not published records"):
        found.bound(1.0)
    with pytest.raises(BudgetError, match="No theorem of the paper"):
        found.printed(1.0)
    dependent = clinic_analysis(release="records:yes", level="IV", neighbours=3)
    with pytest.raises(DomainError, match="without dependence only"):
        dependent.slack(1.0)
    assert clinic_analysis(release="records:yes", level="II", neighbours=1).slack(1.0) == found.slack(1.0)
    assert [one.status for one in found.curves()] == ["exact"]


def test_edges_of_the_specification():
    everybody = clinic_analysis(known=1.0)
    assert everybody.unknown == 0
    assert everybody.slack(1.0).delta == 1.0
    assert everybody.bound(1.0).state == "vacuous"
    assert everybody.printed(1.0).state == "undefined"
    assert everybody.printed(1.0, "t4:sum_of_powers").state == "undefined"
    still = clinic_analysis(shift=0)
    assert (still.slack(1.0).delta, still.bound(1.0).delta) == (0.0, 0.0)
    constant = AnonymityAnalysis({"age": [30.0] * 10}, "age", shift=3)
    assert constant.slack(0.0).delta == 1.0
    assert constant.bound(1.0).state == "vacuous"
    assert AnonymityAnalysis({"age": [30.0] * 10}, "age").slack(0.0).delta == 0.0
    far = clinic_analysis()
    assert far.slack(float("inf")).delta == pytest.approx(max(0.1**69, 0.9**69))
    assert far.slack(800.0).delta == far.slack(float("inf")).delta
    assert far.bound(float("inf")).delta == far.bound(2.5).delta
    one = AnonymityAnalysis({"age": [30.0]}, "age", k=1)
    assert one.unknown == 0
    assert one.bound(1.0).delta == 0.0


def test_values_without_a_common_step_and_sums_of_too_many_values_are_refused_and_bounded():
    uneven = AnonymityAnalysis({"age": np.sqrt(np.arange(20.0))}, "age")
    with pytest.raises(DomainError, match="no common step"):
        uneven.slack(1.0)
    assert uneven.bound(1.0).status == "bound"
    wide = AnonymityAnalysis({"age": np.arange(1000.0)}, "age")
    with pytest.raises(LimitError, match="too many values"):
        wide.slack(1.0)
    found = anonymity_results(
        AnonymityInputs(Microdata({"age": np.arange(1000.0)}), (0,), None, 5, "sum:age")
    )
    assert (found.curves[0].at, found.curves[0].why) == (None, "the sum has too many values")
    assert found.curves[1].at > 0
    assert np.isnan(found.known.delta).all()
    assert found.nothing_known is None


# What is offered


def test_what_can_be_released_and_read():
    data = Microdata({"age": [20, 30, 40], "visits": [1, 2, 1], "ill": ["no", "yes", None]})
    assert releases_of(data, (0,), 2) == (
        *(f"{kind}:{label}" for kind in ("count", "suppressed", "records") for label in ("no", "yes")),
        "sum:age",
        "sum:visits",
    )
    assert releases_of(data, (0,), 1)[:2] == ("count:1", "count:2")
    assert default_release(data, (0,), 1) == "count:2"
    assert default_release(data, (2, 1), None) == "sum:visits"
    many = Microdata({"age": range(20), "income": range(20)})
    assert default_release(many, (0,), 1) == "sum:age"
    words = Microdata({"town": ["a", "b"], "ill": ["no", "yes"]})
    assert default_release(words, (0,), None) == ""
    with pytest.raises(DomainError, match="nothing to count"):
        AnonymityAnalysis(words, "town", k=1)
    assert readings_of("count:x", "IV")[-3:] == ("t7:statement", "t7:mixed", "t7:proof")
    for level in ("I", "II", "III", "IV"):
        for release in ("count:yes", "suppressed:yes", "sum:age"):
            found = clinic_analysis(level=level, release=release, neighbours=4)
            assert found.readings == readings_of(release, level)
            for reading in found.readings:
                assert found.printed([0.0, 1.0, 40.0], reading).status == "as printed"


@pytest.mark.parametrize("column", [[1, "1", "x"], [0.1 + 0.2, 0.3, 0.3], [1e15, 1e15 + 1, 1e15 + 2]])
def test_values_that_are_written_alike_are_not_counted(column):
    """One key would stand for both, and one of them be counted alone."""
    data = Microdata({"age": [1, 2, 3], "secret": column})
    assert not [key for key in releases_of(data, (0,), 1) if key.startswith("count")]
    with pytest.raises(DomainError, match="There is no release 'count:1'"):
        AnonymityAnalysis(data, "age", "secret", 1, release="count:1")
    assert AnonymityAnalysis(data, "age", "secret", 1).release == "sum:age"


def test_a_change_far_below_the_step_of_values_is_none_of_them():
    with pytest.raises(DomainError, match="no multiple of the step"):
        clinic_analysis(shift=1e-9).slack(0.0)
    assert clinic_analysis(shift=1 + 1e-12).slack(1.0).delta == clinic_analysis(shift=1).slack(1.0).delta


@pytest.mark.parametrize("release", ["sum:pay", "count:yes", "suppressed:yes"])
@pytest.mark.parametrize("shift", [1e17, 1e300, -1.7e308])
def test_a_change_that_is_larger_than_any_sum_is_told_apart_with_certainty(release, shift):
    data = {"pay": [0.01, 0.02, 0.05] * 4, "ill": ["yes", "no", "no"] * 4}
    found = AnonymityAnalysis(data, "pay", "ill", 2, release=release, shift=shift, level="IV", neighbours=2)
    if release == "sum:pay" and shift < -1e300:
        # So many steps leave the floats.
        with pytest.raises(DomainError, match="no multiple of the step"):
            found.slack(1.0)
    else:
        assert found.slack([0.0, 1.0, np.inf]).delta.tolist() == [1.0, 1.0, 1.0]
    assert found.recipe().slack.delta >= 1


def test_incomplete_records_are_suppressed_and_do_not_count():
    data = {"age": [20, None, 40, 50, 60], "ill": ["no", "yes", "yes", "no", None]}
    found = AnonymityAnalysis(data, "age", "ill", 2, release="count:yes")
    assert found.classes.suppressed.tolist() == [1]
    assert found.share == 0.25
    assert found.unknown == 3
    changes = found.sensitivity().changes
    assert np.isnan(changes).tolist() == [False, True, False, False, False]
    assert found.sensitivity().status == "exact"
    results = anonymity_results(AnonymityInputs(Microdata(data), (0,), 1, 2, "count:yes"))
    assert (results.suppressed, results.classes_in_all, results.single) == (1, 2, 0)


def test_a_secret_that_nobody_published_has_no_diversity():
    data = Microdata({"age": [20, 30, None], "ill": [None, None, "yes"]})
    found = anonymity_results(AnonymityInputs(data, (0,), 1, 1, "sum:age"))
    assert (found.diversity, found.closeness, found.single) == (None, None, 0)


def test_large_tables_name_at_most_200_classes_and_sample_removals(monkeypatch):
    data = Microdata({"age": np.arange(3000) % 997, "ill": ["no", "no", "yes"] * 1000})
    inputs = AnonymityInputs(data, (0,), 1, 3, "count:yes")
    found = anonymity_results(inputs)
    assert len(found.classes) == 200
    assert found.classes_in_all > 200
    assert all(len(one.rows) <= 12 for one in found.classes)
    told = []
    removals = anonymity_removals(inputs, told.append)
    assert removals.sampled == 500
    assert int((~np.isnan(removals.changes)).sum()) == 500
    assert told[-1] == 1.0


def test_one_quasi_identifier_is_drawn_on_a_line():
    found = anonymity_results(replace(INPUTS, quasi=(1,)))
    assert found.classes[0].box[2:] == (0.0, 0.0)
    other = anonymity_results(replace(INPUTS, drawn=(1, 0)))
    assert other.classes[0].box == (46.0, 59.0, 18.0, 42.0)


def test_any_function_can_make_the_classes():
    def halves(rows, k):
        order = np.argsort(rows[:, 0], kind="stable").tolist()
        return order[: len(order) // 2], order[len(order) // 2 :]

    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", anonymiser=halves)
    assert found.classes.sizes.tolist() == [50, 50]
    assert found.sensitivity().largest == 1
    with pytest.raises(TableError, match="into no group"):
        AnonymityAnalysis(clinic(), ["age"], anonymiser=lambda rows, k: [[0, 1, 2, 3, 4]])


# Values and wrong input


def test_an_analysis_is_a_value():
    found = clinic_analysis()
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert hash(again) == hash(found)
    assert repr(again) == repr(found)
    assert again.slack(1.0) == found.slack(1.0)
    assert found != clinic_analysis(known=0.4)
    assert found != clinic_analysis(n=100)
    assert pickle.loads(pickle.dumps(clinic_analysis(n=7))).n == 7
    assert "1,000 records" in repr(clinic_analysis(n=1000))
    with pytest.raises(AttributeError, match="cannot be changed"):
        found.k = 3
    frame = found.to_dataframe()
    assert list(frame.columns) == ["class", "records", "age", "weight", "distinct secrets", "distance"]
    assert frame["records"].sum() == 100
    assert "booktabs" in found.to_latex()
    with pytest.raises(ValueError, match="read-only"):
        anonymity_results(INPUTS).curves[0].delta[0] = 1


@pytest.mark.parametrize(
    ("given_", "error", "culprit"),
    [
        ({"quasi": ["height"]}, DomainError, "There is no column height"),
        ({"quasi": []}, DomainError, "names no column"),
        ({"secret": "pain"}, DomainError, "There is no column pain"),
        ({"secret": "age"}, DomainError, "age is both"),
        ({"k": 0}, BudgetError, "k is 0"),
        ({"k": 101}, TableError, "There are 100 records, fewer than k = 101"),
        ({"k": 2.0}, BudgetError, "k is 2.0"),
        ({"release": "count:maybe"}, DomainError, "There is no release 'count:maybe'"),
        ({"release": 3}, DomainError, "There is no release 3"),
        ({"release": ["sum:age"]}, DomainError, "There is no release"),
        ({"neighbour": "shift"}, BudgetError, "neighbour is 'shift'"),
        ({"level": "V"}, BudgetError, "level is 'V'"),
        ({"level": 1}, BudgetError, "level is 1"),
        ({"known": 1.5}, BudgetError, "known is 1.5; it is a share"),
        ({"known": -0.1}, BudgetError, "known is -0.1"),
        ({"known": float("nan")}, BudgetError, "known is nan"),
        ({"known": "0.3"}, BudgetError, "known is '0.3'"),
        ({"known": True}, BudgetError, "known is True"),
        ({"neighbours": 0}, BudgetError, "neighbours is 0"),
        ({"neighbours": 1.0}, BudgetError, "neighbours is 1.0"),
        ({"neighbours": None}, BudgetError, "neighbours is None"),
        ({"shift": float("inf")}, BudgetError, "shift is inf"),
        ({"shift": "a"}, BudgetError, "shift is 'a'"),
        ({"group_change": 0}, BudgetError, "group_change is 0"),
        ({"group_change": float("inf")}, BudgetError, "group_change is inf"),
        ({"n": 4}, BudgetError, "n is 4; give a whole number of records from k = 5"),
        ({"n": 100.0}, BudgetError, "n is 100.0"),
        ({"n": True}, BudgetError, "n is True"),
        ({"n": "100"}, BudgetError, "n is '100'"),
        ({"n": 2**60}, BudgetError, "n is 1152921504606846976"),
        ({"anonymiser": None}, BudgetError, "anonymiser is None"),
        ({"data": 3}, DomainError, "The data are 3"),
    ],
)
def test_wrong_input_is_named(given_, error, culprit):
    chosen = {"data": clinic(), "quasi": ["age", "weight"], "secret": "diabetes", **given_}
    with pytest.raises(error, match=culprit):
        AnonymityAnalysis(**chosen)


@pytest.mark.parametrize(
    ("changed", "culprit"),
    [
        ({"epsilon": -1.0}, "epsilon is -1"),
        ({"epsilon": float("nan")}, "epsilon is nan"),
        ({"events": "some"}, "events is 'some'"),
        ({"delta1": 0.0}, "delta1 is 0"),
        ({"delta1": 1.0}, "delta1 is 1"),
        ({"delta1": "a"}, "delta1 is 'a'"),
        ({"known": 2.0}, "known is 2"),
        ({"k": 10**9}, "fewer than k"),
        ({"n": 4}, "n is 4"),
    ],
)
def test_wrong_inputs_of_an_explorer_are_named(changed, culprit):
    with pytest.raises(PdpError, match=culprit):
        anonymity_results(replace(INPUTS, **changed))


@pytest.mark.parametrize(
    ("ask", "culprit"),
    [
        (lambda one: one.slack(-1), "epsilon is -1"),
        (lambda one: one.slack("a"), "epsilon is 'a'"),
        (lambda one: one.epsilon(0), "delta is 0"),
        (lambda one: one.epsilon(1.0), "delta is 1"),
        (lambda one: one.bound(1, "some"), "'some'"),
        (lambda one: one.printed(1, "t5:proof"), "reading is 't5:proof'"),
        (lambda one: one.known_curve([1, 2]), "give one number"),
        (lambda one: one.known_curve(1, [2]), "shares is 2"),
        (lambda one: one.sensitivity("median"), "volume is 'median'"),
    ],
)
def test_wrong_questions_are_named(ask, culprit):
    with pytest.raises(PdpError, match=culprit):
        ask(clinic_analysis())


def test_classes_without_any_known_secret_have_no_diversity_and_no_distance():
    data = {
        "age": [20, 21, 40, 41, None],
        "distance": [1, 1, 2, 2, 3],
        "ill": [None, None, "no", "yes", "no"],
    }
    found = AnonymityAnalysis(data, ["age", "distance"], "ill", 2)
    frame = found.to_dataframe()
    assert list(frame.columns) == [
        *("class", "records", "age", "distance", "distinct secrets", "distance_"),
    ]
    assert np.isnan(frame["distinct secrets"]).tolist() == [True, False]
    assert np.isnan(frame["distance_"]).tolist() == [True, False]
    assert "nan" not in found.to_latex()
    assert (found.diversity.least, found.diversity_of("entropy").least) == (2.0, 2.0)
    nobody = AnonymityAnalysis({"age": [20, 21, None], "ill": [None, None, "no"]}, "age", "ill", 2)
    assert (nobody.diversity, nobody.diversity_of("entropy"), nobody.closeness) == (None, None, None)
    assert list(nobody.to_dataframe().columns) == ["class", "records", "age"]
    with pytest.raises(BudgetError, match="kind is 'both'"):
        nobody.diversity_of("both")


@pytest.mark.parametrize("position", [-1, 3, 1.0, "a", None])
def test_a_curve_has_no_slack_where_it_has_no_epsilon(position):
    with pytest.raises(DomainError, match="from 0 to 2"):
        clinic_analysis().slack([0.0, 1.0, 2.0]).at(position)


@pytest.mark.parametrize("known", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    "column",
    [
        [1.0, 2.0, 2.000001, 1e6, 5, 6],
        [1e9, 1e9 + 1, 1e9 + 4, 1e9, 1e9, 1e9],
        [0.000001, 1.000001, 2.000001] * 2,
        [0.0, 1_000_000, 500_000] * 2,
    ],
)
def test_presence_among_values_that_are_wide_or_far_off_is_computed_or_left_out_and_never_raised(
    column, known
):
    data = Microdata({"age": range(6), "value": column})
    inputs = AnonymityInputs(
        data, (0,), None, 2, "sum:value", neighbour="presence", level="III", known=known, epsilon=0.5
    )
    exact = anonymity_results(inputs).curves[0]
    if exact.why is not None:
        assert (column[0], exact.why) == (1.0, "the sum has too many values")
    elif column[0] == 0.0:
        # With nobody unknown the sum is that of the target or nothing.
        assert (exact.at < 1) if known < 1 else exact.at == pytest.approx(2 / 3)
    else:
        assert exact.at == 1.0


@pytest.mark.parametrize(
    ("more", "kind", "words"),
    [
        (
            {"release": "sum:pay"},
            LimitError,
            "has too many values; at most 200,000 are added up. Ask for a bound",
        ),
        (
            {"release": "records:yes", "level": "II", "neighbours": 2},
            DomainError,
            "choose level I or III, or 1",
        ),
    ],
)
def test_what_is_not_computed_says_what_is_instead(more, kind, words):
    draw = np.random.default_rng(0)
    pay = draw.normal(3000, 500, 400).round(2)
    table = {
        "age": list(range(400)),
        "pay": pay.tolist(),
        "ill": ["yes" if k % 9 == 0 else "no" for k in range(400)],
    }
    analysis = AnonymityAnalysis(table, "age", "ill", 5, **more)
    for ask in (lambda: analysis.slack(0.5), lambda: analysis.epsilon(0.1)):
        with pytest.raises(kind) as told:
            ask()
        assert str(told.value).startswith("The exact slack is not computed: ")
        assert words in str(told.value)


def test_the_curve_by_share_known_keeps_one_law_a_share_and_no_more():
    data = {"age": [k * k % 41 for k in range(90)]}
    found = AnonymityAnalysis(data, "age", level="III", known=0.3)
    curve = found.known_curve(0.5)
    releases = [found.hidden_at(share) for share in curve.known]
    assert all(one.found for one in releases)
    assert not any("laws" in vars(one) for one in releases)
    assert curve.delta == pytest.approx([one.slack(np.array([0.5]))[0] for one in releases], rel=1e-12)


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


def test_the_default_is_the_count_of_a_value_that_is_published():
    data = {"age": [20, 21, None, 30, 31, 40], "ill": ["flu", "cold", "rare", "flu", "cold", "flu"]}
    # Only a record with a missing age has the rarest value: of nobody else is there anything to hide.
    assert AnonymityAnalysis(data, "age", "ill", 2).release == "count:cold"
    data["age"] = [None, None, 25, None, None, None]
    assert AnonymityAnalysis(data, "age", "ill", 1).release == "count:rare"


@pytest.mark.parametrize(
    ("given", "level"),
    [
        ({}, "I"),
        ({"neighbours": 3}, "II"),
        ({"known": 0.9}, "III"),
        ({"known": 0.9, "neighbours": 3}, "IV"),
        ({"known": 0.9, "neighbours": 3, "level": "II"}, "II"),
        ({"known": 0.9, "level": "I"}, "I"),
    ],
)
def test_without_a_level_the_adversary_knows_what_is_said_to_be_known(given, level):
    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", **given)
    assert found.level == level
    assert found == AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", **{**given, "level": level})


def test_results_print_in_a_line():
    found = anonymity_results(AnonymityInputs(clinic(), (0, 1), 2, 5, "count:yes"))
    assert len(repr(found)) < 300
    assert "14 classes of 5 or more" in repr(found)
