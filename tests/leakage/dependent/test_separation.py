"""Separations of the paper's Fig. 6: closed forms beside the largest ratio of densities on a grid."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError
from pdp_widgets.leakage.dependent.separation import (
    PAIR_QUERIES,
    separation,
    separation_curve,
)
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.mechanisms.joint_query import TableQuery
from pdp_widgets.models.joint_examples import coupled_uniform


def output_range(query, value, c=0.5):
    """Return between which numbers the answer without noise is uniform, given a value of D_i."""
    low, high = c * value, c * value + 1 - c
    return {
        "sum": (value + low, value + high),
        "subtraction": (value - high, value - low),
        "multiplication": (value * low, value * high),
    }[query]


def output_density(query, outputs, value, scale, c=0.5, dependent=True):
    """Return the density of the noisy answer given a value of D_i."""
    at = np.asarray(outputs)
    low, high = output_range(query, value, c if dependent else 0.0)
    width = high - low
    if width <= 1e-12 * scale:
        return np.exp(-np.abs(at - (low + high) / 2) / scale) / (2 * scale)
    # Outside of the interval it is exp(-distance to its nearer end) times a constant.
    outside = -math.expm1(-width / scale) * np.exp(-np.maximum(low - at, at - high).clip(0) / scale)
    within = 2 - np.exp(-(at - low).clip(0) / scale) - np.exp(-(high - at).clip(0) / scale)
    return np.where((at > low) & (at < high), within, outside) / (2 * width)


queries = st.sampled_from(PAIR_QUERIES)


@given(queries, st.floats(0.2, 5), st.floats(0, 0.98), st.booleans())
def test_closed_forms_are_the_largest_ratio_over_values_and_answers(query, epsilon, c, dependent):
    at = np.linspace(-1.5, 2.5, 801)
    values = np.linspace(0, 1, 21)
    densities = np.log([output_density(query, at, v, 1 / epsilon, c, dependent) for v in values])
    found = separation(query, epsilon, c, dependent)
    assert (densities.max(axis=0) - densities.min(axis=0)).max() == pytest.approx(float(found), abs=1e-9)
    if found.attained is not None:
        one, other = found.attained.pair
        at = [found.attained.r, found.attained.r + 3]
        ratio = np.log(output_density(query, at, one, 1 / epsilon, c, dependent)) - np.log(
            output_density(query, at, other, 1 / epsilon, c, dependent)
        )
        assert ratio.tolist() == pytest.approx([float(found)] * 2, abs=1e-9)


@pytest.mark.parametrize("query", PAIR_QUERIES)
@pytest.mark.parametrize("c", [0.0, 0.3, 1.0])
def test_densities_are_those_of_the_numbers_themselves(query, c):
    inner = (np.arange(4000) + 0.5) / 4000
    for value in (0.0, 0.4, 1.0):
        other = c * value + (1 - c) * inner
        answer = {"sum": value + other, "subtraction": value - other, "multiplication": value * other}[query]
        low, high = output_range(query, value, c)
        assert (answer.min() >= low - 1e-12, answer.max() <= high + 1e-12) == (True, True)
        at = np.array([-1.3, 0.0, 0.21, 0.5, 1.7])
        direct = np.exp(-np.abs(at[:, None] - answer) / 0.7).mean(axis=1) / 1.4
        assert output_density(query, at, value, 0.7, c) == pytest.approx(direct, rel=1e-5)


def test_numbers_of_the_figure():
    assert [float(separation(q)) for q in PAIR_QUERIES] == pytest.approx([1.5, 0.5, 0.7603950509927567])
    assert [float(separation(q, dependent=False)) for q in PAIR_QUERIES] == pytest.approx(
        [1, 1, 0.5413248546129181]
    )
    # D_j a copy: the product is D_i squared.
    assert float(separation("multiplication", 2.0, 1.0)) == pytest.approx(2.0)
    assert separation("subtraction", 1.0, 1.0).attained is None


@given(st.floats(1e-9, 1e6), st.floats(0, 1))
def test_the_product_lies_between_the_mean_and_the_largest_exponent(epsilon, c):
    found = float(separation("multiplication", epsilon, c))
    assert (1 + c) / 2 * epsilon * (1 - 1e-12) <= found <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize("points", [3, 5, 9])
def test_the_example_on_a_grid_leaks_more_about_the_second_number(points):
    joint = coupled_uniform(0.5, points)
    first, second = dependent_leakage(joint, "sum", 1 / 0.8)
    assert float(first) == pytest.approx(float(separation("sum", 0.8)))
    # The paper looks at the first number alone.
    assert float(second) == pytest.approx(2 * 0.8)
    difference = dependent_leakage(joint, [1, -1], 1 / 0.8)[0]
    assert float(difference) == pytest.approx(float(separation("subtraction", 0.8)))


def test_the_product_on_ever_finer_grids_tends_to_the_closed_form():
    def on_a_grid(points):
        joint = coupled_uniform(0.5, points)
        product = TableQuery.of(joint, lambda x, y: x * y, name="product")
        return float(dependent_leakage(joint, product, 1.0)[0])

    coarse, fine = on_a_grid(21), on_a_grid(41)
    closed = float(separation("multiplication"))
    assert closed < fine < coarse
    # The ends of a grid weigh too much, by one over its points: half of that with half the width.
    assert 2 * fine - coarse == pytest.approx(closed, abs=2e-5)


def test_curves():
    found = separation_curve([2.0, 0.5], c=0.25)
    assert found.epsilons.tolist() == [0.5, 2.0]
    for k, query in enumerate(PAIR_QUERIES):
        assert found.dependent[k].tolist() == [float(separation(query, e, 0.25)) for e in (0.5, 2.0)]
        assert found.independent[k].tolist() == [
            float(separation(query, e, dependent=False)) for e in (0.5, 2.0)
        ]
    frame = found.to_dataframe()
    assert len(frame) == 12
    one = frame[(frame["data"] == "dependent") & (frame["query"] == "sum") & (frame.epsilon == 2.0)]
    assert one.separation.tolist() == [2.5]
    assert "multiplication" in found.to_latex()


def test_curves_are_drawn():
    found = separation_curve(c=0.25)
    with_it, without = found._figures()["curves"]()
    assert (with_it.title, without.title) == ("D_j = 0.25 D_i + 0.75 X", "D_j independent of D_i")
    for chart, rows in ((with_it, found.dependent), (without, found.independent)):
        assert tuple(one.name for one in chart.series) == PAIR_QUERIES
        assert np.array_equal([one.y for one in chart.series], rows)
    assert with_it.y == without.y


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: separation("product"), BudgetError, "The query is 'product'; it is 'sum'"),
        (lambda: separation("sum", 0), BudgetError, "epsilon is 0"),
        (lambda: separation("sum", math.inf), BudgetError, "epsilon is inf"),
        (lambda: separation("sum", 1.0, 1.5), BudgetError, "c is 1.5"),
        (lambda: separation_curve([]), BudgetError, "epsilons"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("wrong", [np.array([True, False]), 1, "no", None])
def test_whether_numbers_depend_is_yes_or_no(wrong):
    with pytest.raises(DomainError, match=r"dependent is .*; give True or False"):
        separation("sum", dependent=wrong)
