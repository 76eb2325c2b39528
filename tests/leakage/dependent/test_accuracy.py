"""Chances and sizes of errors under Laplace noise, beside draws, and what the printed formula says."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, ScaleError
from pdp_widgets.leakage.dependent.accuracy import (
    ERRORS,
    accuracy_curve,
    budget_curve,
    chance_of_error,
    error_at,
    laplace_accuracy,
    mean_error,
)

kinds = st.sampled_from(ERRORS)


@pytest.mark.parametrize(("kind", "alpha"), [("one output", 2.0), ("sum", 11.0), ("largest", 4.0)])
def test_draws_fail_as_often(kind, alpha):
    noise = np.abs(np.random.default_rng(3).laplace(0, 1.5, (40_000, 6)))
    seen = {"one output": noise[:, 0], "sum": noise.sum(axis=1), "largest": noise.max(axis=1)}[kind]
    chance = float(chance_of_error(alpha, 1.5, 6, kind))
    assert np.mean(seen >= alpha) == pytest.approx(chance, abs=4 * math.sqrt(0.25 / len(seen)))
    assert seen.mean() == pytest.approx(float(mean_error(1.5, 6, kind)), rel=0.02)


def test_the_printed_formula_is_no_bound_for_many_outputs():
    found = laplace_accuracy(96.0, 1.0, 96)
    assert (found.one_output, found.sum) == (
        pytest.approx(2.03e-42, rel=1e-2),
        pytest.approx(0.486, abs=5e-4),
    )
    assert not found.printed_holds
    found = laplace_accuracy(5.0, 1.0, 96)
    assert (found.one_output, found.largest) == (
        pytest.approx(0.0067, abs=5e-5),
        pytest.approx(0.477, abs=5e-4),
    )
    assert laplace_accuracy(5.0, 1.0, 1).printed_holds


def test_the_baseline_of_the_papers_figure_succeeds_with_a_chance_of_13_percent():
    assert 1 - laplace_accuracy(1000, 6969.0).one_output == pytest.approx(0.134, abs=5e-4)


@given(st.floats(0, 50), st.floats(0.01, 50), st.integers(1, 40))
def test_one_output_fails_least_and_the_sum_most(alpha, scale, outputs):
    one, total, largest = (float(chance_of_error(alpha, scale, outputs, kind)) for kind in ERRORS)
    assert 0 <= one <= largest + 1e-15
    assert largest <= total + 1e-12
    assert total <= 1
    if outputs == 1:
        assert one == total == pytest.approx(largest, rel=1e-12)


@given(st.floats(1e-9, 1), st.floats(0.01, 100), st.integers(1, 60), kinds)
def test_the_error_at_a_chance_has_that_chance(beta, scale, outputs, kind):
    assert float(
        chance_of_error(error_at(beta, scale, outputs, kind), scale, outputs, kind)
    ) == pytest.approx(beta, rel=1e-6)


@given(st.floats(1e-6, 0.99), st.floats(0.1, 100), st.floats(0.1, 10), st.integers(1, 20), kinds)
def test_the_budget_for_an_accuracy_reaches_it(beta, alpha, sensitivity, outputs, kind):
    mechanisms = {"one": sensitivity, "two": 2 * sensitivity}
    epsilon, double = budget_curve(mechanisms, [beta], alpha, outputs, kind).epsilons[:, 0].tolist()
    found = float(chance_of_error(alpha, sensitivity / epsilon, outputs, kind))
    assert found == pytest.approx(beta, rel=1e-6)
    # Lemma 2: more sensitivity asks for a larger budget.
    assert epsilon <= double


def test_ends():
    assert laplace_accuracy(0, 3.0, 5) == laplace_accuracy(0.0, 3.0, 5)
    assert (laplace_accuracy(0, 3.0, 5).largest, laplace_accuracy(0, 3.0, 5).sum) == (1.0, 1.0)
    assert chance_of_error([0.0, math.inf], 1.0, 3).tolist() == [1.0, 0.0]
    assert [error_at(1.0, 2.0, 4, kind) for kind in ERRORS] == [0.0, 0.0, 0.0]
    assert budget_curve({"none": 0.0}, [0.1], 1.0).epsilons.tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: laplace_accuracy(-1, 1.0),
            BudgetError,
            "alpha is -1; it must be a finite number, 0 or more",
        ),
        (lambda: laplace_accuracy(math.nan, 1.0), BudgetError, "alpha is nan"),
        (lambda: laplace_accuracy("1", 1.0), BudgetError, "alpha is '1'"),
        (lambda: laplace_accuracy(1, 0.0), ScaleError, "positive and finite"),
        (lambda: laplace_accuracy(1, 1.0, 0), BudgetError, "outputs is 0"),
        (lambda: chance_of_error([1, -2], 1.0), BudgetError, "alpha holds -2"),
        (lambda: chance_of_error(1, [1.0, 0.0]), ScaleError, "not positive"),
        (lambda: chance_of_error(1, 1.0, 2, "l2"), BudgetError, "kind of error is 'l2'; it is 'one output'"),
        (lambda: error_at(0, 1.0), BudgetError, "beta is 0"),
        (lambda: error_at(1.5, 1.0), BudgetError, "at most 1"),
        (lambda: budget_curve({"lpm": 1.0}, [0.5], 0), BudgetError, "alpha is 0"),
        (lambda: accuracy_curve({"lpm": 1.0}, [0.0]), BudgetError, "epsilons is no row of budgets"),
        (lambda: accuracy_curve({}, [1.0]), BudgetError, "mechanisms is {}"),
        (lambda: accuracy_curve({"lpm": -1.0}, [1.0]), BudgetError, "the sensitivity of lpm is -1"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message.replace("{", r"\{").replace("}", r"\}")):
        call()


def test_curves_of_several_mechanisms():
    found = accuracy_curve({"lpm": 1.0, "baseline": 3.0, "exact": lambda e: 0.0}, [2.0, 1.0], alpha=2.0)
    assert found.epsilons.tolist() == [1.0, 2.0]
    assert found.chances[0].tolist() == pytest.approx([math.exp(-2), math.exp(-4)])
    # Lemma 1: less scale, less failure.
    assert (found.chances[0] <= found.chances[1]).all()
    assert found.chances[2].tolist() == [0.0, 0.0]
    frame = found.to_dataframe()
    assert frame.mechanism.tolist() == ["lpm"] * 2 + ["baseline"] * 2 + ["exact"] * 2
    assert frame.attrs["alpha"] == 2.0
    assert "chance of an error of 2 or more: of any output" in found.to_latex()
    with pytest.raises(ValueError, match="read-only"):
        found.scales[0, 0] = 1


def test_curves_are_drawn():
    names = ["lpm", *(f"a & <b> {k}" for k in range(8))]
    found = accuracy_curve(dict.fromkeys(names, 1.0) | {"lpm": 3.0}, alpha=2.0)
    chart = found._figures()["curves"]()
    assert chart.title == "Chance of an error of 2 or more"
    assert [one.name for one in chart.series] == names
    assert np.array_equal([one.y for one in chart.series], found.chances)
    assert len({(one.colour, one.dashes) for one in chart.series}) == 9
    # From 0.1 to 10 nats by powers of ten; of one budget there is a dot.
    assert chart.x.powers
    assert np.allclose(10 ** chart.series[0].x, found.epsilons)
    one = accuracy_curve({"lpm": 1.0}, [1.0])._figures()["curves"]()
    assert (one.series[0].mark, one.x.powers) == ("dots", False)


@given(st.floats(0.2, 9), st.floats(0.01, 0.99), st.integers(1, 8), kinds)
def test_budgets_for_a_chance_are_where_the_curve_has_it(alpha, chance, outputs, kind):
    mechanisms = {"lpm": 1.0, "falling": lambda e: (1 + 1 / (1 + e)) / e}
    budgets = budget_curve(mechanisms, [chance], alpha, outputs, kind).epsilons[:, 0]
    for k, epsilon in enumerate(budgets.tolist()):
        found = accuracy_curve(mechanisms, [epsilon], alpha, outputs, kind).chances[k, 0]
        assert found == pytest.approx(chance, rel=1e-6)
    assert budgets[0] == pytest.approx(error_at(chance, 1.0, outputs, kind) / alpha)
    # Lemma 2: with the larger scale at every budget it takes more.
    assert budgets[1] > budgets[0]


def test_curves_of_budgets_are_drawn():
    found = budget_curve({"lpm": 1.0, "none": 0.0, "exact": lambda e: 0.0}, alpha=2.0)
    assert found.epsilons[1].tolist() == [0.0] * 49
    assert found.epsilons[2].max() < 1e-9
    chart = found._figures()["curves"]()
    assert chart.title == "Budget for an error of 2 or more"
    assert np.array_equal([one.y for one in chart.series], found.epsilons)
    frame = found.to_dataframe()
    assert frame[frame.mechanism == "lpm"].epsilon.tolist() == found.epsilons[0].tolist()
    for chances in ([0.0], [1.0], []):
        with pytest.raises(BudgetError, match="no row of chances"):
            budget_curve({"lpm": 1.0}, chances)
    with pytest.raises(BudgetError, match="alpha is 0"):
        budget_curve({"lpm": 1.0}, [0.5], 0)


@pytest.mark.filterwarnings("error")
def test_noise_next_to_none_errs_by_next_to_nothing():
    assert laplace_accuracy(1.0, 5e-324).largest == 0.0
    assert laplace_accuracy(0.0, 5e-324).largest == 1.0
    found = accuracy_curve({"lpm": 1.0}, [1.0, 1e300])
    assert found.chances[0, 1] == 0.0


@pytest.mark.filterwarnings("error")
def test_a_budget_too_small_for_the_noise_to_be_a_number_is_named():
    with pytest.raises(ScaleError, match=r"The sensitivity 1 and epsilon 4.94066e-324 ask for a scale"):
        accuracy_curve({"lpm": 1.0}, [5e-324, 1.0])
