"""Blocks of dependent tuples, products of independent ones, and the examples of dependence."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, SparseJoint
from pdp_widgets.dependent import independent_blocks
from pdp_widgets.errors import ChainError, DomainError, LimitError, TableError
from pdp_widgets.models import joint_examples as examples
from pdp_widgets.models.dependence import are_refuted, as_blocks, product


def by_enumeration(joint):
    """The finest partition of which the table is the product, over all partitions."""
    table = joint.to_joint().table
    n = joint.n

    def partitions(items):
        if not items:
            yield []
            return
        for rest in partitions(items[1:]):
            yield [[items[0]], *rest]
            for k in range(len(rest)):
                yield [*rest[:k], [items[0], *rest[k]], *rest[k + 1 :]]

    def fits(partition):
        whole = np.ones_like(table)
        for block in partition:
            whole = whole * table.sum(axis=tuple(j for j in range(n) if j not in block), keepdims=True)
        return np.abs(whole - table).max() < 1e-12

    best = max((p for p in partitions(list(range(n))) if fits(p)), key=len)
    return sorted(tuple(sorted(block)) for block in best)


@given(st.integers(0, 2**32 - 1))
def test_agree_with_all_partitions(seed):
    rng = np.random.default_rng(seed)
    parts = []
    while sum(part.n for part in parts) < 4:
        size = int(rng.integers(1, 5 - sum(part.n for part in parts)))
        if size == 3 and rng.random() < 0.5:
            parts.append(examples.xor_bits())
            continue
        table = rng.dirichlet(np.ones(2**size)).reshape((2,) * size)
        if rng.random() < 0.3:
            table.flat[0], table.flat[-1] = table.flat[0] + table.flat[-1], 0
        parts.append(SparseJoint.from_joint(JointDistribution(table / table.sum())))
    joint = product(*parts).marginal(rng.permutation(4).tolist())
    assert independent_blocks(joint) == by_enumeration(joint)


def test_pairs_that_are_independent_are_one_block_all_the_same():
    for joint in (examples.xor_bits(), examples.simplex_code(4), examples.bit_chain(6, 0.9)):
        assert independent_blocks(joint) == [tuple(range(joint.n))]
    for i, j in itertools.combinations(range(7), 2):
        pair = examples.simplex_code(3).marginal([i, j])
        assert independent_blocks(pair) == [(0,), (1,)]
    assert independent_blocks(examples.covered_shift()) == [(0, 1, 2), (3, 4), (5,)]
    assert independent_blocks(examples.mod_three()) == [(0,), (1,)]
    assert independent_blocks(examples.agreeing_bits(0.5)) == [(0,), (1,)]


def test_a_constant_tuple_is_a_block_and_many_copies_are_one():
    assert independent_blocks(SparseJoint([[7, 0], [7, 1]], [0.5, 0.5])) == [(0,), (1,)]
    assert independent_blocks(examples.identical_tuples(300)) == [tuple(range(300))]


def test_the_tolerance_is_a_share_of_a_probability():
    joint = examples.agreeing_bits(0.5 + 1e-9)
    assert independent_blocks(joint) == [(0, 1)]
    assert independent_blocks(joint, 1e-8) == [(0,), (1,)]
    # A sum that is off by what is allowed makes no dependence.
    chances = np.full(4, 0.25) * (1 + 9e-10)
    assert independent_blocks(SparseJoint([[0, 0], [0, 1], [1, 0], [1, 1]], chances)) == [(0,), (1,)]


@pytest.mark.parametrize("rare", [1e-6, 1e-13, 1e-200, 1e-320])
def test_rare_values_depend_on_each_other_as_others_do(rare):
    assert independent_blocks(SparseJoint([[0, 0], [1, 1]], [1 - rare, rare])) == [(0, 1)]
    rows = [[0, 0], [1, 1], [2, 0], [2, 1]]
    assert independent_blocks(SparseJoint(rows, [rare, rare, 0.5 - rare, 0.5 - rare])) == [(0, 1)]
    whole = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert independent_blocks(SparseJoint(whole, [rare / 4, 3 * rare / 4, 0.5, 0.5 - rare])) == [(0, 1)]
    apart = SparseJoint(whole, [rare / 2, rare / 2, (1 - rare) / 2, (1 - rare) / 2])
    assert independent_blocks(apart) == [(0,), (1,)]


@pytest.mark.parametrize(
    ("sizes", "sparse"), [([2] * 13, 1.0), ([20, 30, 25], 0.3), ([4] * 6, 0.2), ([90, 90], 0.05)]
)
def test_products_of_thousands_of_rows_are_independent(sizes, sparse):
    rng = np.random.default_rng(len(sizes))
    for _ in range(2):
        laws = [np.maximum(rng.dirichlet(np.full(size, sparse)), 1e-40) for size in sizes]
        joint = product(*(SparseJoint([[k] for k in range(len(law))], law / law.sum()) for law in laws))
        assert len(joint.codes) >= 4096
        assert independent_blocks(joint) == [(j,) for j in range(len(sizes))]


def test_blocks_are_refuted_where_tuples_of_two_depend_on_each_other():
    joint = examples.covered_shift()
    for blocks in ([range(6)], [[0, 1, 2], [3, 4], [5]], [[0, 1, 2, 5], [3, 4]]):
        assert not are_refuted(joint, [tuple(block) for block in blocks])
    # Each two of the first three are independent.
    for blocks in ([[0, 1], [2], [3, 4], [5]], [[0, 1, 2, 3], [4, 5]], [[j] for j in range(6)]):
        assert are_refuted(joint, [tuple(block) for block in blocks])


def test_given_blocks_are_checked():
    joint = examples.covered_shift()
    assert as_blocks(joint, None) == independent_blocks(joint)
    assert as_blocks(joint, [[3, 4, 5], ["Ann", "Ben", "Cy"]]) == [(0, 1, 2), (3, 4, 5)]
    for given_, words in (
        ([[0, 1, 2], [3, 4]], "Fay is in no block"),
        ([[0, 1, 2], [2, 3, 4, 5]], "Cy is in two blocks"),
        ("all", "give lists of names or positions"),
        ([["Zoe"]], "no tuple named Zoe"),
    ):
        with pytest.raises(DomainError, match=words):
            as_blocks(joint, given_)
    for tolerance in (-1, "a", 1, float("nan")):
        with pytest.raises(DomainError, match="The tolerance is"):
            independent_blocks(joint, tolerance)


def test_products_multiply_and_keep_names():
    one = SparseJoint([["a"], ["b"]], [0.25, 0.75], ["letter"])
    joint = product(examples.agreeing_bits(0.8), one, JointDistribution([0.5, 0.5]), title="Three")
    assert joint.tuples == ("x1", "x2", "letter", "x4")
    assert joint.title == "Three"
    assert joint.to_joint().table == pytest.approx(
        np.multiply.outer(np.multiply.outer([[0.4, 0.1], [0.1, 0.4]], [0.25, 0.75]), [0.5, 0.5])
    )
    assert product(one) == one
    with pytest.raises(DomainError, match="the name 'letter'"):
        product(one, one)
    with pytest.raises(TableError, match="no joint distribution"):
        product()
    with pytest.raises(LimitError, match="rows"):
        product(*[examples.simplex_code(10)] * 3)


class TestExamples:
    def test_all_are_distributions_with_titles(self):
        for made in (
            examples.identical_tuples(),
            examples.agreeing_bits(),
            examples.xor_bits(),
            examples.simplex_code(),
            examples.bit_chain(),
            examples.coupled_uniform(),
            examples.covered_shift(),
            examples.mod_three(),
        ):
            assert made.probabilities.sum() == pytest.approx(1, abs=1e-12)
            assert made.title

    def test_the_chain_goes_step_by_step(self):
        joint = examples.bit_chain(4, 0.85)
        for j in range(3):
            assert joint.conditional(j, j + 1) == pytest.approx(np.array([[0.85, 0.15], [0.15, 0.85]]))
        assert joint.conditional(0, 2)[0, 0] == pytest.approx(0.85**2 + 0.15**2)

    def test_the_coupling_is_linear(self):
        joint = examples.coupled_uniform(0.3, 6)
        mean = joint.conditional(0, 1) @ joint.points[1][:, 0]
        assert mean == pytest.approx(0.3 * joint.points[0][:, 0] + 0.35)
        assert examples.coupled_uniform(1, 4).support == [
            [x, x] for x in examples.coupled_uniform(1, 4).domains[0]
        ]

    def test_the_shift_is_covered(self):
        joint = examples.covered_shift()
        three = joint.marginal(["Ann", "Ben", "Cy"])
        assert three.probabilities == pytest.approx([0.19, 0.01, 0.01, 0.19, 0.015, 0.285, 0.285, 0.015])
        assert joint.conditional("Dia", "Eli")[1] == pytest.approx([0.4, 0.6])
        for other in ("Ben", "Cy"):
            assert joint.pair("Ann", other) == pytest.approx(np.outer(joint.law("Ann"), joint.law(other)))

    @pytest.mark.parametrize(
        ("make", "error"),
        [
            (lambda: examples.identical_tuples(0), ChainError),
            (lambda: examples.identical_tuples(2, []), TableError),
            (lambda: examples.agreeing_bits(1.5), ChainError),
            (lambda: examples.simplex_code(0), ChainError),
            (lambda: examples.simplex_code(11), LimitError),
            (lambda: examples.bit_chain(21), LimitError),
            (lambda: examples.bit_chain(3, -0.1), ChainError),
            (lambda: examples.coupled_uniform(2), ChainError),
            (lambda: examples.coupled_uniform(0.5, 1), ChainError),
        ],
    )
    def test_parameters_out_of_range_are_named(self, make, error):
        with pytest.raises(error):
            make()
