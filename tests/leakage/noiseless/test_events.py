"""How far two laws are within a factor: by definition, for every class of events."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.anonymity import LeastEpsilon, Slack, SlackCurve, slack_between
from pdp_widgets.core.chart import Axis
from pdp_widgets.errors import BudgetError, DomainError, TableError
from pdp_widgets.leakage.noiseless.events import event_slack, least_epsilon
from pdp_widgets.leakage.noiseless.slack import slack_chart, slack_series
from tests.leakage.noiseless.enumerated import largest_gap

EVENTS = ("halfline", "interval", "all")
weights = st.integers(2, 7).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any) for _ in range(2)],
    )
)
epsilons = st.floats(0, 5)


def laws(pair):
    return [np.array(part, dtype=float) / sum(part) for part in pair]


@given(weights, epsilons, st.sampled_from(EVENTS))
def test_it_is_the_largest_gap_of_any_event(pair, epsilon, events):
    first, second = laws(pair)
    found = slack_between(first, second, epsilon, events).delta
    assert found == pytest.approx(largest_gap(first, second, epsilon, events), abs=1e-12)


@given(weights, st.lists(epsilons, min_size=3, max_size=8))
def test_more_events_and_a_smaller_epsilon_never_need_less(pair, levels):
    first, second = laws(pair)
    axis = np.sort(levels)
    curves = [slack_between(first, second, axis, events).delta for events in EVENTS]
    for small, large in pairwise(curves):
        assert (small <= large + 1e-12).all()
    for curve in curves:
        assert (np.diff(curve) <= 1e-12).all()
        # Convex in the factor: no chord lies below the curve.
        factors = np.exp(axis)
        for i in range(len(axis) - 2):
            width = factors[i + 2] - factors[i]
            share = (factors[i + 1] - factors[i]) / width if width > 0 else 0.0
            chord = (1 - share) * curve[i] + share * curve[i + 2]
            assert curve[i + 1] <= chord + 1e-9


@given(weights, st.floats(0.01, 0.99), st.sampled_from(EVENTS))
def test_the_least_epsilon_keeps_the_slack_and_less_does_not(pair, delta, events):
    first, second = laws(pair)
    found = least_epsilon(first, second, delta, events)
    slack = event_slack(first, second, np.array([found, max(found - 1e-6, 0.0)]), events)
    if np.isinf(found):
        assert event_slack(first, second, np.array([np.inf]), events)[0] > delta
    else:
        assert slack[0] <= delta + 1e-12
        assert found == 0 or slack[1] > delta - 1e-5
        assert found < 1e-6 or slack[1] >= slack[0]


@given(weights)
def test_a_monotone_ratio_makes_all_events_half_lines(pair):
    first, second = laws(pair)
    second = np.where(second > 0, second, 0.01)
    second /= second.sum()
    order = np.argsort(first / second, kind="stable")
    curves = [event_slack(first[order], second[order], np.array([0.0, 0.5, 2.0]), e) for e in EVENTS]
    assert curves[0] == pytest.approx(curves[2], abs=1e-12)
    assert curves[1] == pytest.approx(curves[2], abs=1e-12)


@pytest.mark.parametrize("events", EVENTS)
def test_infinite_and_huge_epsilons_leave_what_only_one_law_can_say(events):
    first, second = np.array([0.25, 0.5, 0.25, 0.0]), np.array([0.0, 0.25, 0.5, 0.25])
    found = slack_between(first, second, [1.0, 699.0, 701.0, 1e6, np.inf], events)
    assert found.delta[1:].tolist() == [0.25] * 4
    # An outcome of 1e-305 is hidden by a factor that is larger still.
    tiny = 1e-305
    found = slack_between([tiny, 1 - tiny], [1.0, 0.0], [710.0, np.inf], events)
    assert found.delta == pytest.approx([1 - tiny, 1.0])
    rare = slack_between([1e-3, 0.999], [1e-320, 1.0], [700.5, 730.0, 731.0, np.inf], events).delta
    assert rare[0] == pytest.approx(1e-3, rel=1e-9)
    assert rare[2] == 0


def test_tails_far_below_rounding_are_kept():
    first, second = np.array([1e-60, 1 - 1e-60]), np.array([1e-70, 1 - 1e-70])
    for events in EVENTS:
        assert slack_between(first, second, 1.0, events).delta == pytest.approx(1e-60, rel=1e-9)


def test_a_number_gives_a_slack_and_several_a_curve():
    law = [0.5, 0.5]
    assert isinstance(slack_between(law, law, 0), Slack)
    assert isinstance(slack_between(law, law, np.float64(1.0)), Slack)
    for several in ([0.0], (0.0, 1), np.array([0.5])):
        found = slack_between(law, law, several)
        assert isinstance(found, SlackCurve)
        assert found.delta.tolist() == [0.0] * len(several)
        assert found.status == "exact"


@pytest.mark.parametrize("wrong", [-1e-9, float("nan"), "1", None, True, [], [[1.0]], [0.0, -1.0], [1, "x"]])
def test_epsilons_that_are_none_are_refused(wrong):
    with pytest.raises(BudgetError, match="epsilon"):
        slack_between([0.5, 0.5], [0.5, 0.5], wrong)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ([0.5, 0.6], "sums to 1.1"),
        ([0.5, 0.5 + 2e-12], "sums to"),
        ([1.5, -0.5], "outcome 1 is -0.5"),
        ([float("nan"), 1.0], "outcome 0 is nan"),
        ([], "one probability for each outcome"),
        ([[0.5, 0.5]], "the shape"),
        ("ab", "one probability for each outcome"),
        ([1.0], "2; give both on the same outcomes"),
    ],
)
def test_laws_that_are_none_are_refused(first, message):
    with pytest.raises(TableError, match=message):
        slack_between(first, [0.5, 0.5], 1.0)


def test_unknown_events_are_refused():
    with pytest.raises(BudgetError, match="'all', 'interval' or 'halfline'"):
        slack_between([1.0], [1.0], 1.0, "every")
    with pytest.raises(BudgetError, match="events"):
        slack_between([1.0], [1.0], 1.0, None)


def test_states_say_what_becomes_of_a_number():
    curve = SlackCurve(np.arange(5.0), np.array([np.nan, 2.0, -0.1, 0.5, 0.7]), "as printed", "all", "a sum")
    assert curve.states == ("undefined", "vacuous", "negative", "ok", "ok")
    assert [curve.at(i).state for i in range(5)] == list(curve.states)
    assert np.isnan(curve.drawn[0])
    assert curve.drawn[1:].tolist() == [2.0, -0.1, -0.1, -0.1]
    assert LeastEpsilon(np.nan, "as printed", "all", 0.1, "a").state == "undefined"
    assert LeastEpsilon(0.5, "bound", "all", 0.1, "a").state == "ok"


def test_printed_bounds_are_rounded_up():
    for status, written in (("bound", "0.951"), ("exact", "0.950"), ("as printed", "0.950")):
        curve = SlackCurve(np.array([1.0]), np.array([0.9501]), status, "halfline", "a sum")
        assert written in curve.to_latex()


def test_what_is_drawn_follows_epsilon_whatever_the_order_is():
    curve = SlackCurve(np.array([2.0, 0.0, 1.0]), np.array([0.3, 0.2, 0.1]), "bound", "halfline", "a sum")
    assert curve.drawn.tolist() == [0.1, 0.2, 0.1]


@pytest.mark.parametrize(("levels", "slacks"), [([], []), ([0.0], [0.1, 0.2]), ([[0.0]], [[0.1]])])
def test_curves_that_are_none_are_refused(levels, slacks):
    with pytest.raises(TableError, match="one slack for each epsilon"):
        SlackCurve(np.array(levels), np.array(slacks), "exact", "all", "a sum")


def test_stretches_above_another_curve():
    axis = np.linspace(0, 5, 6)
    exact = SlackCurve(axis, np.array([0.5, 0.4, 0.3, 0.2, 0.1, 0.1]), "exact", "all", "a sum")
    printed = SlackCurve(axis, np.array([np.nan, 0.3, 0.2, 0.2, 0.05, 0.0]), "as printed", "all", "a sum")
    assert exact.above(printed) == ((1.0, 2.0), (4.0, 5.0))
    assert exact.above(exact) == ()
    nearly = SlackCurve(axis, exact.delta * (1 - 1e-12), "as printed", "all", "a sum")
    assert exact.above(nearly) == ()
    with pytest.raises(DomainError, match="different epsilons"):
        exact.above(SlackCurve(axis[:2], exact.delta[:2], "exact", "all", "a sum"))


def test_a_curve_is_a_table_and_a_figure():
    curve = slack_between([0.6, 0.4], [0.4, 0.6], [0.0, 0.1, np.inf])
    frame = curve.to_dataframe()
    assert frame.columns.tolist() == ["epsilon", "delta", "drawn", "state", "events", "about"]
    assert frame.attrs["status"] == {"delta": "exact", "drawn": "exact"}
    assert frame.attrs["unit"] == "probability"
    assert "any event" in curve.to_latex()
    chart = curve._figures()["curves"]()
    assert chart.series[0].name == "exact, any event"
    assert (10 ** chart.series[0].y).tolist() == pytest.approx(curve.delta[:2].tolist())
    assert chart.levels == ()
    above = SlackCurve(np.array([0.0, 1.0]), np.array([1.5, 0.5]), "bound", "halfline", "a sum")
    chart = above._figures()["curves"]()
    assert [(level.name, level.at) for level in chart.levels] == [("promises nothing", 0.0)]
    assert (chart.y.high, chart.series[0].dashes) == (0.0, "dashed")
    with pytest.raises(DomainError, match="no point with a finite epsilon"):
        SlackCurve(np.array([np.inf]), np.array([0.1]), "exact", "all", "a sum")._figures()["curves"]()


@pytest.mark.parametrize(
    ("slacks", "ends", "powers"),
    [
        # At least one power of ten, at most twelve, and none where nothing is above 0.
        ([0.2, 0.15], (np.log10(0.2) - 1, np.log10(0.2)), True),
        ([0.1, 1e-40], (-13.0, -1.0), True),
        ([0.1, -0.2], (-2.0, -1.0), True),
        ([0.0, 0.0], (None, None), False),
    ],
)
def test_the_axis_of_slacks_ends_where_they_do(slacks, ends, powers):
    chart = SlackCurve(np.array([0.0, 1.0]), np.array(slacks), "bound", "all", "a sum")._figures()["curves"]()
    assert (chart.y.low, chart.y.high) == ends
    assert chart.y.powers == powers
    assert ("not drawn" in chart.note) == (powers and min(slacks) <= 0)


def test_what_is_printed_leaves_the_axis_one_power_below_what_is_true():
    lines = [
        slack_series("exact", [0, 1], [0.1, 0.01], "exact"),
        slack_series("as printed", [0, 1], [0.1, 1e-9], "as printed"),
    ]
    assert slack_chart("Slack", lines, Axis("ε, nats")).y.low == -3.0
