"""The least delta and the mutual information of one noisy number: closed forms beside sums on a fine grid."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, QueryError, ScaleError
from pdp_widgets.leakage.dependent.mutual_information import information_in, tuple_information
from pdp_widgets.leakage.dependent.small_delta import delta_of, scalar_mixtures, small_delta
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.joint_examples import agreeing_bits, bit_chain, identical_tuples, xor_bits
from pdp_widgets.models.sparse_joint import SparseJoint
from tests.conftest import few

seeds = st.integers(0, 2**32 - 1)


def drawn(seed, n=3, values=2):
    """A joint distribution with some rows of probability 0, and weights of a sum."""
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.full(values**n, 0.4)).reshape((values,) * n)
    table[rng.random(table.shape) < 0.2] = 0
    table.flat[0] += 0.01
    joint = SparseJoint.from_joint(JointDistribution(table / table.sum()))
    return joint, rng.normal(size=n).tolist()


def on_a_grid(mixtures, scale, steps=10_001):
    """Densities of all values on a fine grid that has all points, and the width of each cell."""
    low, high = mixtures.points[0] - 30 * scale, mixtures.points[-1] + 30 * scale
    edges = np.unique(np.concatenate([np.linspace(low, high, steps), mixtures.points]))
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    kernel = np.exp(-np.abs(middle - mixtures.points[:, None]) / scale) / (2 * scale)
    return mixtures.weights @ kernel, width


@few()
@given(seeds, st.floats(0.3, 4), st.floats(0, 2))
def test_both_are_what_sums_on_a_fine_grid_say(seed, scale, epsilon):
    joint, weights = drawn(seed)
    mixtures = scalar_mixtures(joint, weights, 0)
    densities, width = on_a_grid(mixtures, scale)
    law = mixtures.law
    excess = [float(np.maximum(p - math.exp(epsilon) * q, 0) @ width) for p in densities for q in densities]
    found = small_delta(joint, weights, scale, epsilon, [0])
    assert found.delta == pytest.approx(max(excess), abs=2e-4)
    assert delta_of(mixtures, scale, [epsilon, 0.0]).tolist()[0] == found.delta
    mean = law @ densities
    information = float((law @ (densities * np.log(densities / mean))) @ width)
    assert information_in(mixtures, scale) == pytest.approx(information, abs=2e-4)


@given(seeds, st.floats(0.05, 20))
def test_information_keeps_its_bounds_and_delta_ends_at_the_leakage(seed, scale):
    joint, weights = drawn(seed)
    leakage = float(dependent_leakage(joint, weights, scale)[0])
    found = tuple_information(joint, weights, scale, 0)
    assert found.leakage == pytest.approx(leakage, rel=1e-9, abs=1e-12)
    assert -1e-12 <= found.nats <= min(found.bound, found.entropy) + 1e-12
    assert found.bound <= found.leakage
    assert small_delta(joint, weights, scale, leakage * (1 + 1e-9) + 1e-12, [0]).delta < 1e-12
    if leakage > 0.01:
        assert small_delta(joint, weights, scale, leakage * 0.9, [0]).delta > 0
    # Delta falls with the budget.
    levels = delta_of(scalar_mixtures(joint, weights, 0), scale, np.linspace(0, leakage, 7))
    assert (np.diff(levels) <= 1e-15).all()


@given(st.floats(0.01, 30), st.floats(0.05, 20), st.floats(0, 5))
def test_a_pure_shift_has_a_closed_form(distance, scale, epsilon):
    joint = SparseJoint([[0.0], [distance]], [0.5, 0.5])
    closed = max(0.0, -math.expm1((epsilon - distance / scale) / 2))
    assert small_delta(joint, "sum", scale, epsilon).delta == pytest.approx(closed, abs=1e-13)


def test_far_apart_answers_and_large_budgets_are_no_overflow():
    joint = SparseJoint([[0.0], [1001.0]], [0.5, 0.5])
    assert small_delta(joint, "sum", 1.0, 1000.0).delta == pytest.approx(-math.expm1(-0.5), abs=1e-12)
    assert small_delta(joint, "sum", 1e-3, 1000.0).delta == pytest.approx(1.0)
    found = tuple_information(SparseJoint([[0.0], [1e6]], [0.25, 0.75]), "sum", 1.0)
    assert found.nats == pytest.approx(found.entropy, rel=1e-12)
    with pytest.raises(ScaleError, match="too small"):
        small_delta(joint, "sum", 1e-308, 1.0)


def test_numbers_of_the_specification():
    assert small_delta(identical_tuples(2), "sum", 1.0, 1.0).delta == pytest.approx(0.393469, abs=5e-7)
    twenty = tuple_information(identical_tuples(20), "sum", 10.0, 0)
    assert (twenty.bits, 0.1 / math.log(2)) == (
        pytest.approx(0.3574, abs=5e-5),
        pytest.approx(0.1443, abs=5e-5),
    )
    # More than the promise of 0.1 nats allows on average, and less than the exact leakage does.
    assert 0.1 < twenty.nats < twenty.bound


def test_every_tuple_has_its_own_delta():
    joint, weights = drawn(5)
    found = small_delta(joint, weights, 0.7, 0.3)
    alone = [small_delta(joint, weights, 0.7, 0.3, [j]).delta for j in range(joint.n)]
    assert list(found.per_tuple) == alone
    assert found.delta == max(alone) == found.per_tuple[found.tuples.index(found.worst)]
    assert float(found) == found.delta
    frame = found.to_dataframe()
    assert frame.delta.tolist() == alone
    assert frame.attrs["epsilon"] == 0.3
    assert found.to_latex().count("\\\\") >= 4


def test_what_says_nothing_has_neither():
    opposite = SparseJoint([[0, 1], [1, 0]], [0.5, 0.5])
    found = small_delta(opposite, "sum", 1.0, 0.0)
    assert (found.delta, found.pairs) == (0.0, (None, None))
    assert tuple_information(opposite, "sum", 1.0).nats == 0.0
    constant = SparseJoint([[3, 0], [3, 1]], [0.5, 0.5])
    assert small_delta(constant, "sum", 1.0, 0.0, [0]).delta == 0.0
    assert tuple_information(constant, "sum", 1.0).entropy == 0.0
    # All of three bits together say something that pairs of them do not.
    assert tuple_information(xor_bits(), "sum", 1.0).nats > 0


def test_a_value_that_cannot_occur_is_left_out():
    joint = SparseJoint([[0, 0], [1, 1], [2, 0]], [0.5, 0.5, 0.0])
    assert scalar_mixtures(joint, "sum", 0).values == (0, 1)
    assert small_delta(joint, "sum", 1.0, 1.0).delta == pytest.approx(0.393469, abs=5e-7)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: small_delta(identical_tuples(2), "identity"),
            QueryError,
            "gives 2 numbers; this is computed for one",
        ),
        (lambda: small_delta(identical_tuples(2), "sum", 0.0), ScaleError, "positive"),
        (lambda: small_delta(identical_tuples(2), "sum", 1.0, -1), BudgetError, "epsilon is -1"),
        (lambda: small_delta(identical_tuples(2), "sum", 1.0, math.inf), BudgetError, "epsilon is inf"),
        (lambda: tuple_information(identical_tuples(2), "sum", math.nan), ScaleError, "nan"),
        (lambda: tuple_information(bit_chain(3), "identity"), QueryError, "gives 3 numbers"),
        (
            lambda: delta_of(scalar_mixtures(identical_tuples(2), "sum", 0), 1.0, 1.0),
            BudgetError,
            "no row of budgets",
        ),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_agreeing_bits_are_symmetric():
    found = tuple_information(agreeing_bits(0.9), "sum", 1.0, "x2")
    assert found.nats == pytest.approx(0.2021727348711878, abs=1e-9)
    assert str(found) == "0.202173 nats (0.291674 bits) on average: x2, knowing none"
