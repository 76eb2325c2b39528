"""The two-point example: the table of the specification, a list of all 16 terms, and bounds on the noise."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError
from pdp_widgets.leakage.sequence.two_points import TwoPoints, noise_bound, two_points_curve
from pdp_widgets.mechanisms.sequence.optimal_response import BinaryOptimum

#: P1, phi, rho_X, rho_N, I, Pr(N2 = 1), IIL1, IIL2, SIL, Pr(N2 = 1) of the valid optimum.
TABLE = [
    (0.5, 0.0, 1, 0.28744, 0.03302, 0.11044, 1, 1.336, 2, 0.18394),
    (0.5, 0.1, 0.8, 0.16775, 0.01224, 0.13690, 1, 1.073, 2, 0.15473),
    (0.5, 0.2, 0.6, 0.08904, 0.00367, 0.15748, 1, 1, 2, 0.15748),
    (0.5, 0.5, 0, 0, 0, 0.18394, 1, 1, 2, 0.18394),
    (0.95, 0.0, 1, 0.37073, 0.02261, 0.02098, 2.566, 3.548, 2.858, 0.05),
    (0.95, 0.1, 0.50249, 0.12561, 0.00531, 0.07965, 2.566, 1.771, 3.275, 0.14),
    (0.95, 0.5, 0, 0, 0, 0.18394, 2.566, 1, 3.056, 0.18394),
]


@pytest.mark.parametrize("row", TABLE)
def test_the_table_of_the_specification(row):
    p1, phi, data, noise, information, second, first_leak, second_leak, both, private = row
    found = TwoPoints(p1, phi, 1.0, 1.0)
    assert found.data_correlation == pytest.approx(data, abs=5e-6)
    assert found.noise_correlation == pytest.approx(noise, abs=5e-6)
    assert found.noise_information == pytest.approx(information, abs=5e-6)
    assert found.noise_2 == pytest.approx(second, abs=5e-6)
    assert found.leakage.per_step == pytest.approx([first_leak, second_leak], abs=5e-4)
    assert float(found.leakage) == pytest.approx(both, abs=5e-4)
    assert TwoPoints(p1, phi, 1.0, 1.0, BinaryOptimum).noise_2 == pytest.approx(private, abs=5e-6)


def test_the_missing_square_root():
    assert TwoPoints(0.5, 0.1, 1.0, 1.0).printed_noise_correlation == pytest.approx(1.260, abs=5e-4)
    # Above 1: whatever it is, it is no correlation.
    assert TwoPoints(0.95, 0.0, 1.0, 1.0).printed_noise_correlation == pytest.approx(14.08, abs=5e-3)


@given(st.floats(0.01, 0.99), st.floats(0, 1), st.floats(0.05, 4), st.floats(0.05, 4))
def test_against_the_formulae_and_all_sixteen_terms(p1, phi, first, second):
    found = TwoPoints(p1, phi, first, second)
    e1, low = math.exp(first), math.exp(-second)
    one = (phi * (1 - p1) + (1 - phi) * (e1 - 1 + p1)) / e1
    zero = (phi * (e1 - p1) + (1 - phi) * p1) / e1
    assert found.beliefs[:, 1] == pytest.approx([zero, one])
    assert found.noise_1 == pytest.approx(2 * p1 * (1 - p1) / e1)
    wrong = np.zeros((2, 2))
    for x1, y1, x2, y2 in product((0, 1), repeat=4):
        prior = (1 - p1, p1)
        flip_1 = prior[1 - x1] / e1
        belief = (1 - (zero, one)[y1], (zero, one)[y1])
        flip_2 = belief[1 - x2] * low
        chance = prior[x1] * (phi if x1 != x2 else 1 - phi)
        chance *= (flip_1 if x1 != y1 else 1 - flip_1) * (flip_2 if x2 != y2 else 1 - flip_2)
        wrong[int(x1 != y1), int(x2 != y2)] += chance
    assert found.noise == pytest.approx(wrong, abs=1e-12)
    assert found.joint.sum() == pytest.approx(1)
    rows, columns = wrong.sum(axis=1), wrong.sum(axis=0)
    information = sum(
        wrong[i, j] * math.log(wrong[i, j] / rows[i] / columns[j]) for i in (0, 1) for j in (0, 1)
    )
    assert found.noise_information == pytest.approx(information, abs=1e-9)


def test_curves_are_even_in_the_correlation():
    found = two_points_curve(0.5)
    for name in ("noise_correlation", "noise_2", "noise_information"):
        assert found.values(name) == pytest.approx(found.values(name)[::-1], abs=1e-9)
    assert found.values("data_correlation") == pytest.approx(-found.values("data_correlation")[::-1])
    # More correlation, less noise: for the printed form, and not for the private one.
    printed = found.values("noise_2")[:51]
    assert (np.diff(printed) > 0).all()
    private = two_points_curve(0.5, kind=BinaryOptimum, phis=[0, 0.15, 0.5]).values("noise_2")
    assert private == pytest.approx([0.184, 0.148, 0.184], abs=5e-4)


def test_a_frame_of_the_curve():
    frame = two_points_curve(0.5, phis=[0.5, 0.1]).to_dataframe()
    assert frame["phi"].tolist() == [0.1, 0.5]
    assert frame["IIL 2"].round(3).tolist() == [1.073, 1.0]


def test_certain_answers_and_budgets_at_the_ends():
    certain = TwoPoints(1.0, 0.1, 1.0, 1.0)
    assert math.isnan(certain.data_correlation)
    assert math.isnan(certain.noise_correlation)
    assert (certain.noise_1, certain.noise_information) == (0.0, 0.0)
    assert np.isnan(certain.beliefs[0]).all()
    exact = TwoPoints(0.5, 0.1, math.inf, math.inf)
    assert (exact.noise_1, exact.noise_2, float(exact.leakage)) == (0.0, 0.0, math.inf)
    none = TwoPoints(0.5, 0.1, 0.0, 0.0)
    assert (none.noise_2, float(none.leakage)) == (0.5, 0.0)


def test_a_bound_on_the_noise():
    found = noise_bound(0.5, 0.02, 1.0, 0.12)
    assert found.correlated_printed == pytest.approx(0.968, abs=5e-4)
    assert found.correlated_private == pytest.approx(1.224, abs=5e-4)
    assert found.independent_printed == pytest.approx(1.427, abs=5e-4)
    assert not found.printed_keeps
    # For P1 = 1/2 the independent design does not see the correlation.
    others = [noise_bound(0.5, phi, 1.0, 0.12).independent_printed for phi in (0.1, 0.4)]
    assert others == pytest.approx([found.independent_printed] * 2)


@given(st.floats(0.02, 0.98), st.floats(0, 1), st.floats(0.1, 3), st.floats(1e-4, 0.4))
def test_the_least_budget_reaches_the_bound_and_no_less_does(p1, phi, first, eta):
    found = noise_bound(p1, phi, first, eta)
    printed = TwoPoints(p1, phi, first, found.correlated_printed)
    assert printed.noise_2 <= eta + 1e-9
    if found.correlated_printed > 0:
        assert printed.noise_2 == pytest.approx(eta, abs=1e-9)
    if found.printed_keeps:
        assert found.correlated_private == pytest.approx(found.correlated_printed, abs=1e-9)
    weights = printed.joint.sum(axis=(0, 2, 3))

    def noise(epsilon):
        mechanism = BinaryOptimum(epsilon)
        return sum(
            w * mechanism.channel(b).cost for w, b in zip(weights, printed.beliefs, strict=True) if w > 0
        )

    assert noise(found.correlated_private + 1e-9) <= eta + 1e-9
    if found.correlated_private > 1e-6:
        assert noise(found.correlated_private * (1 - 1e-6)) > eta - 1e-12


def test_bounds_that_need_nothing_or_everything():
    assert noise_bound(0.5, 0.1, 1.0, 1.0).correlated_private == 0.0
    exact = noise_bound(0.5, 0.1, 1.0, 0.0)
    assert exact.correlated_printed == exact.correlated_private == exact.total_correlated == math.inf


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((1.5, 0.1, 1, 1), "p1"),
        ((0.5, -0.1, 1, 1), "phi"),
        ((0.5, 0.1, -1, 1), "epsilon_1"),
        ((0.5, 0.1, 1, "x"), "epsilon_2"),
    ],
)
def test_refusals(arguments, words):
    with pytest.raises(BudgetError, match=words):
        TwoPoints(*arguments)
    with pytest.raises(BudgetError, match="phis"):
        two_points_curve(phis="all")


def test_figures_of_the_curve():
    found = two_points_curve(0.5, phis=[0, 0.25, 0.5, 1])
    charts = found._figures()["curves"]()
    assert charts[0].title == "How errors are correlated"
    (drawn,) = charts[2].series
    assert drawn.x.tolist() == pytest.approx([-1, 0, 0.5, 1])
    assert drawn.y.tolist() == pytest.approx(found.values("noise_2")[::-1].tolist())
    assert drawn.name == "Conditional response, as printed"
    with pytest.raises(DomainError, match="'noise_correlation', 'noise_information'"):
        found.plot("phi")
    with pytest.raises(DomainError, match="certain"):
        two_points_curve(1.0).plot()
