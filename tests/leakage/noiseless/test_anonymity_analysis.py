"""The analysis of a k-anonymous table: what is released and read, its edges, and what is refused."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, DomainError, LimitError, PdpError, TableError
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_inputs import (
    AnonymityInputs,
    default_release,
    readings_of,
    releases_of,
)
from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_results
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.surveys import clinic
from tests.leakage.noiseless.anonymity_cases import INPUTS, clinic_analysis


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


def test_any_function_can_make_the_classes():
    def halves(rows, k):
        order = np.argsort(rows[:, 0], kind="stable").tolist()
        return order[: len(order) // 2], order[len(order) // 2 :]

    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", anonymiser=halves)
    assert found.classes.sizes.tolist() == [50, 50]
    assert found.sensitivity().largest == 1
    with pytest.raises(TableError, match="into no group"):
        AnonymityAnalysis(clinic(), ["age"], anonymiser=lambda rows, k: [[0, 1, 2, 3, 4]])


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
