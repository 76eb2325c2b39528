"""Several releases together: what the paper's composition promises, and what an enumeration says."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, LimitError, QueryError, ScaleError
from pdp_widgets.leakage.dependent.dependent_scale import dependent_scale
from pdp_widgets.leakage.dependent.small_delta import scalar_mixtures
from pdp_widgets.leakage.dependent.stacked_releases import (
    chosen_release_leakage,
    repeated_leakage,
    stacked_leakage,
    stacked_query,
)
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.mechanisms.joint_query import TableQuery
from pdp_widgets.models.dependence import product
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.joint_examples import identical_tuples, mod_three, xor_bits
from pdp_widgets.models.sparse_joint import SparseJoint

seeds = st.integers(0, 2**32 - 1)
RARE = SparseJoint([[0, 0], [1, 0], [1, 1]], [0.01, 0.9801, 0.0099])


def drawn(seed, n=2):
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.full(2**n, 0.6)).reshape((2,) * n)
    return SparseJoint.from_joint(JointDistribution(table)), rng


def by_enumeration(joint, outputs, scales, target):
    """The largest log ratio over all combinations of answers, coordinate by coordinate."""
    values = {}
    for row, chance, answer in zip(joint.codes[:, target], joint.probabilities, outputs, strict=True):
        values.setdefault(int(row), []).append((chance, answer))
    best = 0.0
    for s in itertools.product(*(np.unique(column) for column in outputs.T)):
        logs = []
        for parts in values.values():
            total = sum(chance for chance, _ in parts)
            density = sum(
                chance
                / total
                * math.exp(-sum(abs(x - q) / b for x, q, b in zip(s, answer, scales, strict=True)))
                for chance, answer in parts
            )
            logs.append(math.log(density))
        best = max(best, max(logs) - min(logs))
    return best


@given(seeds, st.floats(0.3, 5), st.floats(0.3, 5))
def test_together_is_what_an_enumeration_says(seed, first, second):
    joint, rng = drawn(seed)
    weights = rng.normal(size=(2, 2))
    found = stacked_leakage(joint, weights.tolist(), [first, second])
    outputs = joint.codes @ weights.T
    for target in range(2):
        expected = by_enumeration(joint, outputs, [first, second], target)
        assert float(found.per_tuple[target]) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    # More answers never say less.
    alone = [dependent_leakage(joint, w, b) for w, b in zip(weights.tolist(), (first, second), strict=True)]
    for target in range(2):
        assert float(found.per_tuple[target]) >= max(float(one[target]) for one in alone) - 1e-9


@given(seeds, st.integers(1, 4), st.floats(0.3, 5))
def test_repeated_answers_are_a_stack_of_equal_ones(seed, times, scale):
    joint, rng = drawn(seed)
    weights = rng.normal(size=2).tolist()
    found = repeated_leakage(joint, weights, scale, times)
    stacked = stacked_leakage(joint, [weights] * times, scale)
    assert [float(one) for one in found] == pytest.approx([float(one) for one in stacked.per_tuple], abs=1e-9)


def test_the_sum_of_budgets_is_passed_by_equal_answers():
    three = stacked_leakage(RARE, ["sum"] * 3, 10.0)
    assert float(three.together) == pytest.approx(0.303527, abs=5e-7)
    assert float(three.sum_of_each) == pytest.approx(0.303185, abs=5e-7)
    assert (three.exceeds_sum, three.exceeds_largest) == (True, True)
    assert (three.sum_of_each.status, three.together.status) == ("as printed", "exact")
    many = max(float(one) for one in repeated_leakage(RARE, "sum", 10.0, 100))
    # 100 equal answers are one with a tenth of the scale over ten, at the least.
    assert many >= max(float(one) for one in dependent_leakage(RARE, "sum", 0.1)) - 1e-9
    assert many == pytest.approx(15.409, abs=5e-4)


def test_two_pads_reveal_everything_together():
    joint = mod_three()
    pads = [TableQuery.of(joint, lambda a, b, k=k: (a + k * b) % 3) for k in (1, 2)]
    found = stacked_leakage(joint, pads, [0.5, 0.5])
    assert max(map(float, found.each)) == pytest.approx(0.0, abs=1e-12)
    assert float(found.together) == pytest.approx(2.9063329677233867)


def test_different_tuples_add_up_when_they_are_equal_and_not_when_they_are_independent():
    found = stacked_leakage(identical_tuples(2), [[1, 0], [0, 1]], 1.0)
    assert (float(found.together), float(found.largest_of_each)) == (pytest.approx(2.0), pytest.approx(1.0))
    assert not found.exceeds_sum
    apart = product(SparseJoint([[0], [1]], [0.5, 0.5], ["a"]), SparseJoint([[0], [1]], [0.5, 0.5], ["b"]))
    assert not stacked_leakage(apart, [[1, 0], [0, 1]], 1.0).exceeds_largest


def test_who_knows_a_tuple_sees_the_rest():
    found = stacked_leakage(xor_bits(), ["sum", "sum"], 1.0, known=["x3"])
    assert float(found.together) == pytest.approx(4.0)
    assert str(found.sum_of_each) == "4 nats (as printed): any tuple, knowing x3"
    assert str(found.largest_of_each) == "2 nats (as printed): any tuple, knowing x3"


def test_a_sum_over_different_tuples_is_about_none_of_them_alone():
    apart = product(SparseJoint([[0], [1]], [0.5, 0.5], ["a"]), SparseJoint([[0], [1]], [0.5, 0.5], ["b"]))
    found = stacked_leakage(apart, [[1, 0], [0, 2]], 1.0)
    assert str(found.sum_of_each) == "3 nats (as printed): any tuple, knowing none"


@given(seeds, st.floats(0, 1), st.floats(0.2, 5))
def test_a_release_chosen_at_random_leaks_no_more_than_the_worst_of_them(seed, share, scale):
    joint, rng = drawn(seed, 3)
    queries = rng.normal(size=(2, 3)).tolist()
    found = chosen_release_leakage(joint, queries, scale, [share, 1 - share])
    alone = [dependent_leakage(joint, query, scale) for query in queries]
    for target in range(3):
        assert float(found[target]) <= max(float(one[target]) for one in alone) + 1e-9
    for k in (0, 1):
        certain = chosen_release_leakage(joint, queries, scale, [1 - k, k])
        assert [float(one) for one in certain] == pytest.approx([float(one) for one in alone[k]], abs=1e-9)


@given(seeds, st.floats(0.3, 3))
def test_budgets_add_up_for_the_baseline_and_the_mean_coefficient(seed, epsilon):
    joint, rng = drawn(seed, 3)
    queries = [rng.normal(size=3).tolist(), "sum"]
    for mechanism in ("baseline", "dpm_mean", "dpm_eq18"):
        scales = [dependent_scale(joint, query, epsilon, mechanism) for query in queries]
        found = stacked_leakage(joint, queries, scales)
        assert max(map(float, found.each)) <= epsilon * (1 + 1e-9)
        assert float(found.together) <= 2 * epsilon * (1 + 1e-9)


@given(seeds, st.floats(0.3, 4), st.floats(-2, 3), st.floats(0.01, 4))
def test_what_is_done_with_an_answer_afterwards_leaks_no_more(seed, scale, low, width):
    joint, rng = drawn(seed, 3)
    weights = rng.normal(size=3).tolist()
    mixtures = scalar_mixtures(joint, weights, 0)

    def below(at):
        apart = (at - mixtures.points) / scale
        return np.where(apart < 0, np.exp(np.minimum(apart, 0)) / 2, 1 - np.exp(-np.maximum(apart, 0)) / 2)

    # Whether the answer falls between two numbers.
    chances = mixtures.weights @ (below(low + width) - below(low))
    for said in (chances, 1 - chances):
        assert math.log(said.max() / said.min()) <= mixtures.leakage(scale) + 1e-9


def test_a_table_says_what_is_printed_and_what_is_exact():
    found = stacked_leakage(identical_tuples(2), [[1, 0], [0, 1]], 1.0)
    frame = found.to_dataframe()
    assert frame.what.tolist()[-3:] == ["sum of each", "largest of each", "all together"]
    assert frame.leakage.tolist() == pytest.approx([1, 1, 2, 1, 2])
    assert frame.status.tolist() == ["exact", "exact", "as printed", "as printed", "exact"]
    assert "all together & 2.000" in found.to_latex()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: stacked_leakage(RARE, [], 1.0), QueryError, r"The queries are \[\]"),
        (lambda: stacked_leakage(RARE, "sum", 1.0), QueryError, "The queries are 'sum'"),
        (lambda: stacked_leakage(RARE, ["sum"], [1.0, 2.0]), QueryError, "2 scales for 1 queries"),
        (lambda: stacked_leakage(RARE, ["sum"], [0.0]), ScaleError, "positive"),
        (lambda: stacked_leakage(RARE, ["sum"] * 20, 1.0), LimitError, "at most 2,000,000"),
        (lambda: repeated_leakage(RARE, "sum", 1.0, 0), BudgetError, "times is 0"),
        (lambda: repeated_leakage(RARE, "sum", 1.0, 10**400), BudgetError, "times is an integer of"),
        (lambda: stacked_leakage(RARE, ["sum"], 1.0, known="z"), ValueError, "z"),
        (lambda: repeated_leakage(RARE, "identity", 1.0, 2), QueryError, "gives 2 numbers"),
        (lambda: repeated_leakage(RARE, "sum", 1.0, 10_000), LimitError, "Take fewer answers"),
        (lambda: chosen_release_leakage(RARE, ["sum"], 1.0, [0.5]), BudgetError, "with sum 1"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_one_query_stands_for_all():
    made = stacked_query(RARE, ["sum", "identity"], [2.0, 1.0])
    assert made.outputs(RARE).tolist() == [[0, 0, 0], [0.5, 1, 0], [1, 1, 1]]
    assert made.name == "2 releases"


@pytest.mark.parametrize("scale", [1.0, 1e9, 1e12])
def test_more_than_the_parts_is_told_however_little_leaks(scale):
    both = stacked_leakage(identical_tuples(2), [[1, 0], [0, 1]], scale)
    assert float(both.together) == pytest.approx(2 / scale)
    assert both.exceeds_largest
    assert not both.exceeds_sum
    # Each bit of an XOR alone says nothing of the third; both say something, and far less than their parts.
    assert not stacked_leakage(xor_bits(), [[1, 0, 0], [0, 1, 0]], scale).exceeds_sum


def test_outputs_of_several_queries_that_differ_by_rounding_are_one():
    # Either query answers 0.3 on paper whichever row it is, and 0.1 + 0.2 is more than 0.3 in floats.
    joint = SparseJoint([[0], [1]], [0.5, 0.5])
    queries = [TableQuery([0.3, 0.1 + 0.2]), TableQuery([0.1 + 0.2, 0.3]), TableQuery([0.3, 0.3])]
    for chances in ([0.5, 0.2, 0.3], [0.2, 0.7, 0.1]):
        assert [float(one) for one in chosen_release_leakage(joint, queries, 1e-17, chances)] == [0.0]
