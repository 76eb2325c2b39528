"""Noise under dependence: the equation that it solves, what each mechanism keeps, and the least scale."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    DependenceAnalysis,
    JointDistribution,
    LinearQuery,
    SparseJoint,
    TableQuery,
    dependent_leakage,
)
from pdp_widgets.dependent import (
    PromiseReport,
    dependence_coefficients,
    dependent_scale,
    dependent_sensitivities,
    least_scale,
    promise_report,
    worst_adversary,
)
from pdp_widgets.errors import BudgetError, DomainError, ScaleError
from pdp_widgets.leakage.dependent.budget import falling_root, laplace_scale
from pdp_widgets.leakage.dependent.dependent_scale import MECHANISMS, guaranteed
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.models.dependence import independent_blocks, product
from pdp_widgets.models.joint_examples import (
    agreeing_bits,
    bit_chain,
    coupled_uniform,
    covered_shift,
    identical_tuples,
    mod_three,
    simplex_code,
    xor_bits,
)
from tests.conftest import few

seeds = st.integers(0, 2**32 - 1)
budgets = st.sampled_from([0.1, 0.5, 1.0, 3.0])


def drawn(seed, n, shape=0.5):
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.full(2**n, shape)).reshape((2,) * n) + 1e-9
    return SparseJoint.from_joint(JointDistribution(table / table.sum()))


def leaks(joint, query, scale):
    return max(map(float, dependent_leakage(joint, query, scale)))


@few()
@given(seeds, budgets, st.integers(2, 3), st.sampled_from(["sum", "identity", "weights"]))
def test_what_is_guaranteed_is_kept(seed, epsilon, n, kind):
    joint = drawn(seed, n)
    query = np.random.default_rng(seed).choice([1, 2, -3], n).tolist() if kind == "weights" else kind
    found = promise_report(joint, query, epsilon)
    for kept, sure, largest in zip(found.kept, found.guaranteed, found.largest, strict=True):
        assert kept or not sure, largest
    # No scale is below that of the Laplace mechanism, none above that of the baseline.
    assert (found.scales >= found.scale("lpm") * (1 - 1e-12)).all()
    assert (found.scales <= found.scale("baseline") * (1 + 1e-12)).all()
    assert (found.dp_loss <= epsilon * (1 + 1e-12)).all()
    assert found.scale("dpm_exact") <= found.scale("dpm_mean") * (1 + 1e-12)
    assert found.scale("dpm_mean") <= found.scale("dpm_eq18") * (1 + 1e-9)


@few()
@given(seeds, budgets, st.sampled_from(["dpm_exact", "dpm_eq18"]))
def test_the_scale_solves_its_equation(seed, epsilon, mechanism):
    joint = drawn(seed, 3)
    scale = dependent_scale(joint, [1, 2, 1], epsilon, mechanism, [[0, 1, 2]])
    kind = "exact" if mechanism == "dpm_exact" else "eq18"
    total = dependent_sensitivities(joint, [1, 2, 1], scale, kind, [[0, 1, 2]]).max()
    assert total == pytest.approx(epsilon * scale, rel=1e-10) or (
        total < epsilon * scale and scale == 2 / epsilon
    )


@given(seeds, budgets, st.sampled_from(["sum", "identity"]))
def test_the_least_scale_is_least(seed, epsilon, query):
    joint = drawn(seed, 2)
    found = least_scale(joint, query, epsilon)
    assert leaks(joint, query, found.scale) <= epsilon * (1 + 1e-9)
    assert leaks(joint, query, found.scale * 0.999) > epsilon
    assert found.with_floor >= found.floor == pytest.approx(1 / epsilon)


def test_the_sensitivity_is_the_sum_of_coefficients_at_the_scale_that_a_tuple_sees():
    joint = SparseJoint([[0, 0], [0, 1], [1, 0], [1, 1]], [0.56, 0.14, 0.06, 0.24])
    scale = 2.5
    found = dependent_sensitivities(joint, [1, 3], scale)
    first = dependence_coefficients(joint, scale / 3)[0, 1]
    second = dependence_coefficients(joint, scale)[1, 0]
    assert found == pytest.approx([1 + 3 * first, 3 + second])
    # Only the tuples of the own block count.
    assert dependent_sensitivities(joint, [1, 3], scale, blocks=[[0], [1]]).tolist() == [1, 3]


def test_tightness_and_its_limits():
    for p in (0.6, 0.9, 1.0):
        scale = dependent_scale(agreeing_bits(p), "sum", 1.0)
        assert leaks(agreeing_bits(p), "sum", scale) == pytest.approx(1, abs=1e-9)
    assert dependent_scale(agreeing_bits(0.9), "sum", 1.0) == pytest.approx(1.792541, abs=1e-6)
    # The same noise where bits rather disagree, and hardly anything leaks.
    assert dependent_scale(agreeing_bits(0.1), "sum", 1.0) == pytest.approx(1.792541, abs=1e-6)
    assert leaks(agreeing_bits(0.1), "sum", 1.792541) == pytest.approx(0.1157, abs=1e-4)
    # Evaluated once the equation is not solved.
    once = 1 + float(dependence_coefficients(agreeing_bits(0.9), 1.0)[0, 1])
    assert leaks(agreeing_bits(0.9), "sum", once) == pytest.approx(1.00916, abs=1e-5)
    # In the paper's own example the baseline is needed, for the sake of the other tuple.
    coupled = coupled_uniform(0.5, 9)
    assert dependent_scale(coupled, "sum", 1.0) == pytest.approx(2, abs=1e-9)
    assert dependent_scale(coupled, "sum", 1.0, "baseline") == 2


@pytest.mark.parametrize(
    ("k", "epsilon", "leaked"), [(2, 0.5, 0.6201), (2, 1, 1.4338), (3, 1, 2.6672), (4, 2, 13.9206)]
)
def test_exact_coefficients_miss_what_three_tuples_say(k, epsilon, leaked):
    found = promise_report(simplex_code(k), "sum", epsilon, ["lpm", "dpm_exact", "dpm_mean", "baseline"])
    assert found.largest[1] == pytest.approx(leaked, abs=5e-5)
    assert found.scales[0] == found.scales[1]
    assert found.kept.tolist() == [False, False, True, True]
    assert found.guaranteed == (False, False, True, True)


def test_a_query_that_is_not_linear_breaks_all_but_the_baseline():
    values = [0, 0.5, 0.6, 1]
    chances = [0.0002, 0.0098, 0, 0, 0.0098, 0.4802, 0, 0, 0, 0, 0.4802, 0.0098, 0, 0, 0.0098, 0.0002]
    joint = SparseJoint([[a, b] for a in values for b in values], chances)
    query = TableQuery.of(joint, lambda a, b: (a > 0.55) + (b > 0.55))
    found = promise_report(joint, query, 1.0)
    assert found.scales[:5] == pytest.approx([1, 2, 1.1193, 1.608, 1.6091], abs=5e-5)
    assert found.largest[:5] == pytest.approx([2, 1, 1.7869, 1.2438, 1.2430], abs=5e-5)
    assert found.guaranteed == (False, True, False, False, False, True)
    assert found.largest[5] == pytest.approx(1, abs=1e-9)


def test_neighbours_are_not_a_block():
    chain = bit_chain(5, 0.9)
    assert independent_blocks(chain) == [(0, 1, 2, 3, 4)]
    # Three for the degree and one, as if far ones were independent.
    assert leaks(chain, "sum", 3) == pytest.approx(1.2816, abs=5e-5)
    assert leaks(identical_tuples(5), "sum", 3) == pytest.approx(5 / 3)
    assert dependent_scale(chain, "sum", 1.0, "baseline") == 5


def test_the_bounds_save_no_factor_of_two():
    for joint in (xor_bits(), agreeing_bits(0.5), bit_chain(5, 0.6)):
        size = joint.n
        blocks = [range(size)]
        for mechanism in ("dpm_mean", "dpm_eq18"):
            assert dependent_scale(joint, "sum", 1.0, mechanism, blocks) >= (size + 1) / 2


def test_blocks_of_the_table_are_told_apart():
    joint = covered_shift()
    found = promise_report(joint, "sum", 1.0)
    expected = [1.0, 3.0, 1.189395, 2.19, 2.291557, 1.313505]
    assert found.scales == pytest.approx(expected, abs=5e-7)
    assert found.largest == pytest.approx([1.389235, 0.399414, 1.126754, 0.547343, 0.522355, 1.0], abs=5e-7)
    assert dependent_scale(product(agreeing_bits(0.5), agreeing_bits(0.5)), "sum", 2.0, "dpm_eq18") == 0.5
    # Whoever says that two are independent is taken at the word.
    assert dependent_scale(agreeing_bits(1.0), "sum", 1.0, "baseline", [[0], [1]]) == 1


def test_where_nothing_changes_no_noise_is_needed():
    joint = SparseJoint([[3, 4]], [1.0])
    for mechanism in MECHANISMS:
        assert dependent_scale(joint, "sum", 1.0, mechanism) == 0
    found = promise_report(joint, "sum", 1.0)
    assert found.leakage.max() == found.dp_loss.max() == 0
    assert found.kept.all()
    opposite = least_scale(agreeing_bits(0.0), "sum", 0.1)
    assert (opposite.scale, opposite.noiseless, opposite.with_floor) == (0.0, 0.0, 10.0)


def test_the_least_scale_looks_for_what_leaks_without_noise():
    joint = SparseJoint.from_joint(JointDistribution([[0.26, 0.24], [0.24, 0.26]]))
    parity = TableQuery.of(joint, lambda a, b: (a + b) % 2)
    found = least_scale(joint, parity, 0.1)
    assert found.noiseless == pytest.approx(0.0, abs=1e-12)
    assert found.scale == 0
    tilted = SparseJoint.from_joint(JointDistribution([[0.3, 0.2], [0.2, 0.3]]))
    first = TableQuery.of(tilted, lambda a, b: b)
    assert least_scale(tilted, first, 0.5).noiseless == math.inf
    assert least_scale(mod_three(), TableQuery.of(mod_three(), lambda a, b: (a + b) % 3), 0.1).scale == 0


def test_the_least_scale_is_for_one_who_knows_none_of_other_blocks_either():
    """A pair and an independent third that says, one time in a hundred, that the pair is shown."""
    rows = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    joint = SparseJoint(rows, [0.5 * (x == y) * (0.01 if z else 0.99) for x, y, z in rows])
    query = TableQuery.of(joint, lambda x, y, z: x + y if z else 1)
    assert independent_blocks(joint) == [(0, 1), (2,)]
    assert query.sensitivities(joint).tolist() == [1, 1, 1]
    found = least_scale(joint, query, 1.0)
    assert found.with_floor == pytest.approx(1, abs=1e-9)
    assert float(worst_adversary(joint, query, found.with_floor)) == pytest.approx(2, abs=1e-9)


def test_a_scale_beyond_what_numbers_hold_is_refused_not_looked_for():
    # That of one tuple is still a number, that of all is none.
    with pytest.raises(ScaleError, match="beyond what numbers hold"):
        least_scale(covered_shift(), "sum", 1e-308)


def test_one_tuple_needs_what_the_laplace_mechanism_adds():
    joint = SparseJoint([[0], [5]], [0.5, 0.5])
    assert {dependent_scale(joint, "sum", 2.0, mechanism) for mechanism in MECHANISMS} == {2.5}


def test_a_linear_query_counts_by_what_values_contribute():
    joint = SparseJoint([["no", "no"], ["yes", "yes"]], [0.5, 0.5])
    assert dependent_scale(joint, "count:yes", 1.0) == pytest.approx(2)
    assert dependent_scale(joint, LinearQuery([[0, 1], [0, 3]]), 1.0) == pytest.approx(4)


def test_what_is_guaranteed_depends_on_query_and_blocks():
    joint = agreeing_bits()
    table = TableQuery([0, 1, 1, 0])
    linear = as_joint_query("sum", joint)
    single, pair, three = [(0,), (1,)], [(0, 1)], [(0, 1, 2)]
    for mechanism, query, blocks, expected in (
        ("lpm", linear, single, True),
        ("lpm", linear, pair, False),
        ("baseline", table, three, True),
        ("dpm_exact", linear, pair, True),
        ("dpm_exact", table, pair, False),
        ("dpm_exact", linear, three, False),
        ("dpm_mean", linear, three, True),
        ("dpm_mean", table, pair, False),
        ("dpm_eq18", table, single, True),
        ("calibrated", table, three, True),
    ):
        assert guaranteed(mechanism, query, blocks) is expected, (mechanism, blocks)


class TestReport:
    def test_it_is_a_table(self):
        pytest.importorskip("pandas")
        frame = promise_report(agreeing_bits(0.9), "sum", 1.0, ["lpm", "dpm_exact"]).to_dataframe()
        assert frame["mechanism"].tolist() == ["lpm", "dpm_exact"]
        assert frame["kept"].tolist() == [False, True]
        assert frame["leakage of x1"].round(4).tolist() == [1.7761, 1.0]
        assert frame.attrs["unit"] == "nats"

    def test_it_is_compared_by_its_numbers(self):
        first, second = (promise_report(xor_bits(), "sum", 1.0) for _ in range(2))
        assert first == second
        assert hash(first) == hash(second)
        assert first != promise_report(xor_bits(), "sum", 2.0)
        assert (first == 3) is False
        assert isinstance(first, PromiseReport)
        with pytest.raises(ValueError, match="read-only"):
            first.scales[0] = 1

    def test_only_what_was_asked_is_in_it(self):
        found = promise_report(xor_bits(), "sum", 1.0, ["lpm"])
        assert found.of("lpm").round(4).tolist() == [1.4338] * 3
        with pytest.raises(DomainError, match="not about baseline; it is about lpm"):
            found.scale("baseline")
        with pytest.raises(DomainError, match="it is 'lpm', 'baseline'"):
            promise_report(xor_bits(), "sum", 1.0, ["dpm"])


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, "1", None, True])
def test_budgets_that_are_none_are_refused(epsilon):
    for call in (
        lambda: dependent_scale(xor_bits(), "sum", epsilon),
        lambda: least_scale(xor_bits(), "sum", epsilon),
        lambda: promise_report(xor_bits(), "sum", epsilon),
        lambda: laplace_scale(1.0, epsilon),
    ):
        with pytest.raises(BudgetError, match="epsilon is"):
            call()


def test_sensitivities_and_names_that_are_none_are_refused():
    for value in (-1, math.inf, math.nan, "a"):
        with pytest.raises(ScaleError, match="sensitivity is"):
            laplace_scale(value, 1.0)
    with pytest.raises(ScaleError, match="beyond what numbers hold"):
        laplace_scale(1e300, 1e-300)
    with pytest.raises(ScaleError, match="beyond what numbers hold"):
        laplace_scale(1e-300, 1e300)
    with pytest.raises(DomainError, match="The mechanism is 'laplace'"):
        dependent_scale(xor_bits(), "sum", 1.0, "laplace")


@pytest.mark.parametrize(
    "function",
    [
        lambda s: 3 / s,
        lambda s: 1 / s**3,
        lambda s: float(np.logaddexp(0, 1 / s)) - math.log(2),
        lambda s: max(0.0, 1 / s - 5),
        lambda s: 1e6 / s if s < 1e-2 else 1 / s,
    ],
)
def test_roots_of_falling_functions(function):
    calls = []

    def counted(scale):
        calls.append(scale)
        return function(scale)

    found = falling_root(counted, 0.3, 1e-3, 1e3)
    assert function(found) <= 0.3
    assert function(found * (1 - 1e-11)) >= 0.3 or function(found) == pytest.approx(0.3, abs=1e-9)
    assert len(calls) <= 200


def _rare() -> list[SparseJoint]:
    rows = [[0, 0], [1, 1], [2, 0], [2, 1]]
    return [
        SparseJoint([[0, 0], [1, 1]], [1 - 1e-13, 1e-13]),
        SparseJoint(rows, [5e-13, 5e-13, (1 - 1e-12) / 2, (1 - 1e-12) / 2]),
    ]


@pytest.mark.parametrize("blocks", [None, [[0], [1]], [[0, 1]]])
@pytest.mark.parametrize("joint", [agreeing_bits(0.9), *_rare()])
@pytest.mark.parametrize("query", ["sum", "identity"])
def test_no_guarantee_stands_beside_a_broken_promise(joint, blocks, query):
    found = promise_report(joint, query, 1.0, blocks=blocks)
    sure = np.array(found.guaranteed)
    assert found.kept[sure].all()
    refuted = blocks == [[0], [1]]
    names = ["calibrated"] if refuted else ["baseline", "dpm_exact", "dpm_mean", "dpm_eq18", "calibrated"]
    assert [key for key in MECHANISMS if sure[found.mechanisms.index(key)]] == names
    for key in MECHANISMS:
        one = DependenceAnalysis(joint, query, 1.0, key, blocks=blocks)
        assert one.guaranteed == (key in names)
        assert one.keeps_promise or not one.guaranteed
    assert not found.kept[found.mechanisms.index("lpm")]


@pytest.mark.parametrize("mechanisms", [3, "lpm", b"lpm", np.float64(1), len])
def test_what_is_no_list_of_mechanisms_is_named(mechanisms):
    with pytest.raises(DomainError, match=r"mechanisms is .*; give a list of keys"):
        promise_report(xor_bits(), "sum", 1.0, mechanisms)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["mean", "eq18", "eq18_per_term"])
def test_sensitivities_at_next_to_no_noise_are_those_of_distances(kind):
    found = dependent_sensitivities(identical_tuples(4), "sum", 1e-308, kind)
    assert found == pytest.approx(dependent_sensitivities(identical_tuples(4), "sum", 1e-9, kind))


REPORTS = {
    "some keep it": lambda: promise_report(bit_chain(4, 0.9), "sum", 1.0),
    "all keep it": lambda: promise_report(SparseJoint([[0], [1]], [0.5, 0.5]), "sum", 0.5),
    "none keeps it": lambda: promise_report(identical_tuples(5), "sum", 0.1, ["lpm"]),
    "no noise at all": lambda: promise_report(SparseJoint([[3, 4]], [1.0]), "sum", 2.0),
    "a tiny budget": lambda: promise_report(bit_chain(3, 0.9), "sum", 1e-9),
    "a large budget": lambda: promise_report(bit_chain(3, 0.9), "sum", 500.0),
}


@pytest.mark.parametrize("name", REPORTS)
def test_mechanisms_stand_where_their_noise_and_leakage_are(name):
    report = REPORTS[name]()
    chart = report._figures()["mechanisms"]()
    found = {
        label: point
        for one in chart.series
        for label, *point in zip(one.labels, one.x.tolist(), one.y.tolist(), strict=True)
    }
    assert found == {
        key: [scale, leak]
        for key, scale, leak in zip(
            report.mechanisms, report.scales.tolist(), report.largest.tolist(), strict=True
        )
    }
    keeping = [label for one in chart.series if one.name == "keeps the promise" for label in one.labels]
    assert keeping == [key for key, kept in zip(report.mechanisms, report.kept, strict=True) if kept]
    assert [(one.name, one.at) for one in chart.levels] == [("promise", report.epsilon)]
