"""The face of dependent tuples: its numbers are those of its parts, as values, tables and figures."""

import itertools
import pickle

import numpy as np
import pytest

from pdp_widgets import DependenceAnalysis, JointDistribution, SparseJoint, TableQuery, dependent_leakage
from pdp_widgets.dependent import IdentityQuery, dependence_coefficients, dependent_scale
from pdp_widgets.errors import BudgetError, DomainError, LimitError, QueryError, ScaleError, TableError
from pdp_widgets.leakage.dependent.dependent_scale import MECHANISMS
from pdp_widgets.models.dependence import product
from pdp_widgets.models.joint_examples import agreeing_bits, covered_shift, identical_tuples, xor_bits

SHIFT = covered_shift()


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_numbers_are_those_of_the_parts(mechanism):
    found = DependenceAnalysis(SHIFT, "sum", 1.0, mechanism)
    assert found.scale == dependent_scale(SHIFT, "sum", 1.0, mechanism)
    assert found.per_tuple == dependent_leakage(SHIFT, "sum", found.scale)
    assert float(found.largest) == max(map(float, found.per_tuple))
    assert found.keeps_promise == (float(found.largest) <= 1 + 1e-9)
    assert found.dp_loss == pytest.approx(1 / found.scale)
    assert found.mechanisms.scale(mechanism) == found.scale
    assert found.mechanisms.of(mechanism) == pytest.approx([float(one) for one in found.per_tuple])
    assert found.coefficients("mean") == pytest.approx(dependence_coefficients(SHIFT, 1.0, "mean").values)
    assert found.guaranteed == (mechanism not in ("lpm", "dpm_exact"))


def test_the_shift_of_the_six_people():
    found = DependenceAnalysis(SHIFT)
    assert found.scale == pytest.approx(1.189395, abs=5e-7)
    exact = [1.126754, 0.994283, 0.994283, 1.0, 1.0, 0.840764]
    assert [float(one) for one in found.per_tuple] == pytest.approx(exact, abs=5e-7)
    printed = [0.840764, 0.984019, 0.984019, 1.0, 1.0, 0.840764]
    assert [float(one) for one in found.paper_estimates] == pytest.approx(printed, abs=5e-7)
    bounds = [1.681527, 1.841272, 1.841272, 1.345222, 1.345222, 0.840764]
    assert [float(one) for one in found.mean_bounds] == pytest.approx(bounds, abs=5e-7)
    assert found.coefficients()[1, 2] == pytest.approx(0.1704, abs=5e-5)
    assert found.coefficients("eq18")[0, 1] == pytest.approx(0.6021, abs=5e-5)
    assert found.dependent_sensitivity == pytest.approx(found.scale)
    assert found.blocks == ((0, 1, 2), (3, 4), (5,))
    assert {one.status for one in found.per_tuple} == {"exact"}
    assert found.paper_estimates[0].status == "as printed"
    assert found.mean_bounds[0].status == "bound"
    assert float(found.worst_adversary) == pytest.approx(1.595317, abs=5e-6)


def test_bounds_are_never_below_the_truth_for_linear_queries():
    for query in ("sum", "identity", [1, 2, -1, 3, 1, 0.5]):
        for scale in (0.4, 1.5, 6.0):
            found = DependenceAnalysis(SHIFT, query, scale=scale)
            for exact, bound in zip(found.per_tuple, found.mean_bounds, strict=True):
                assert float(exact) <= float(bound) + 1e-9


def test_the_mean_bound_is_an_estimate_for_one_who_knows_tuples():
    bits = list(itertools.product([0, 1], repeat=3))
    masked = [
        [b ^ (sum(z[i] for i in range(3) if m >> i & 1) & 1) for m in range(8)] + list(z)
        for z in bits
        for b in (0, 1)
    ]
    found = DependenceAnalysis(
        SparseJoint(masked, [1 / 16] * 16), "sum", 1.0, "dpm_mean", known=["x9", "x10", "x11"]
    )
    assert float(found.largest) > max(map(float, found.mean_bounds))
    assert {one.status for one in found.mean_bounds} == {"estimate"}
    assert str(found.mean_bounds[0]) == "1 nat (estimate): x1, knowing x9, x10, x11"
    assert found._numbers().about["status"]["mean bound"] == "estimate"
    assert "means of distances: a bound only if nobody is known" in found._numbers().notes
    assert "estimate" in found.to_latex()
    means = found._figures()["tuples"]().series[1]
    assert means.name == "mean distances, an estimate: a bound only if nobody is known"


def test_about_the_only_known_tuple_nobody_is_known():
    found = DependenceAnalysis(SHIFT, known=["Ben"])
    assert [one.status for one in found.mean_bounds] == ["estimate", "bound", *["estimate"] * 4]
    assert found._numbers().about["status"]["mean bound"] == "estimate"


def test_for_other_queries_means_of_distances_are_no_bound():
    joint = agreeing_bits(0.9)
    found = DependenceAnalysis(joint, TableQuery.of(joint, lambda a, b: a * b))
    assert found.mean_bounds[0].status == "estimate"
    assert not found.guaranteed


def test_a_query_by_its_outputs_takes_values_that_are_text():
    rows = [[a, b] for a in ("no", "yes") for b in ("red", "green", "blue")]
    joint, query = SparseJoint(rows, [0.3, 0.1, 0.1, 0.1, 0.1, 0.3]), TableQuery([0, 1, 2, 3, 3, 5])
    numbers = SparseJoint(
        [[int(a == "yes"), ["red", "green", "blue"].index(b)] for a, b in rows], [0.3, *[0.1] * 4, 0.3]
    )
    for mechanism in MECHANISMS:
        found = DependenceAnalysis(joint, query, 1.0, mechanism)
        assert found.scale > 0
        assert float(found.largest) == pytest.approx(
            max(map(float, dependent_leakage(numbers, query, found.scale))), rel=1e-12
        )
        for kind in ("exact", "mean", "eq18"):
            assert (found.coefficients(kind) <= 1).all()
    assert found.mean_bounds[0].status == "estimate"
    assert float(found.worst_adversary) <= found.sensitivities.sum() / found.scale
    # Two values have one distance, whatever they are called.
    bits = agreeing_bits(0.9)
    words = SparseJoint(
        [["no" if v == 0 else "yes" for v in row] for row in bits.support], bits.probabilities
    )
    asked = TableQuery([0, 1, 1, 3])
    assert DependenceAnalysis(words, asked).scale == DependenceAnalysis(bits, asked).scale


def test_who_knows_some_tuples():
    found = DependenceAnalysis(SHIFT, "sum", known=["Ben", 3])
    assert found.known == ("Ben", "Dia")
    assert found.per_tuple == dependent_leakage(SHIFT, "sum", found.scale, [1, 3])
    assert found.per_tuple[1].about.known == (("Dia", None),)
    assert DependenceAnalysis(SHIFT, known="Ben").known == ("Ben",)
    assert DependenceAnalysis(SHIFT, known=None).known == ()


def test_the_worst_adversary_of_each_tuple_is_named_in_everything_that_is_handed_on():
    pytest.importorskip("pandas")
    found = DependenceAnalysis(SHIFT, "sum", 1.0, worst=True)
    nobody = DependenceAnalysis(SHIFT, "sum", 1.0)
    assert found.per_tuple == nobody.known_sets.worst_of_each
    assert found.largest == nobody.worst_adversary
    assert str(found.largest) == "1.59532 nats (exact): Ben, knowing Cy"
    assert not found.keeps_promise
    frame = found.to_dataframe()
    assert frame["leakage"].tolist() == [float(one) for one in nobody.known_sets.worst_of_each]
    assert frame["known"].tolist()[:3] == ["Ben = 0", "Cy = 0", "Ben = 0"]
    assert frame.attrs["known"] == "worst"
    written = found.to_latex()
    assert "for each tuple the others that tell most about it" in written
    assert "Cy = 0" in written
    assert "no tuple is known" not in written
    drawn = found._figures()["tuples"]()
    assert "about Ben by an adversary who knows Cy" in drawn.note
    assert [label for one in drawn.series[2:] for label in one.labels].count("1.595") == 2
    assert "worst=True" in repr(found)
    assert pickle.loads(pickle.dumps(found)) == found != nobody
    assert found.mean_bounds[0].status == "estimate"


def test_the_worst_adversary_stands_alone_and_is_refused_where_there_are_too_many():
    with pytest.raises(DomainError, match="Give known tuples or worst=True"):
        DependenceAnalysis(SHIFT, known=["Ben"], worst=True)
    with pytest.raises(DomainError, match="give True or False"):
        DependenceAnalysis(SHIFT, worst="yes")
    with pytest.raises(LimitError, match="too many to go through"):
        DependenceAnalysis(identical_tuples(30), worst=True)
    same = DependenceAnalysis(SparseJoint([[3, 4]], [1.0]), worst=True)
    assert [float(one) for one in same.per_tuple] == [0, 0]


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(
    "joint",
    [
        SHIFT.marginal(SHIFT.tuples[:3]),
        agreeing_bits(0.9),
        xor_bits(),
        product(agreeing_bits(0.8), SparseJoint([[0], [1]], [0.5, 0.5])),
    ],
)
def test_what_is_guaranteed_is_so_to_whoever_is_shown(mechanism, joint):
    sets = [
        list(chosen) for many in range(joint.n) for chosen in itertools.combinations(range(joint.n), many)
    ]
    for epsilon in (0.3, 1.0, 3.0):
        for query in ("sum", "identity"):
            for known in sets:
                found = DependenceAnalysis(joint, query, epsilon, mechanism, known)
                assert found.keeps_promise or not found.guaranteed
            worst = DependenceAnalysis(joint, query, epsilon, mechanism, worst=True)
            assert worst.keeps_promise or not worst.guaranteed


def test_what_the_least_scale_is_made_for_is_said():
    found = DependenceAnalysis(SHIFT, "sum", 1.0, "calibrated", known=["Ben"])
    assert (found.keeps_promise, found.guaranteed) == (False, False)
    assert "if no tuple is known" in found.mechanism_label
    assert "if no tuple is known" in found.to_latex()
    assert DependenceAnalysis(SHIFT, "sum", 1.0, "baseline", known=["Ben"]).guaranteed


def test_means_are_no_bounds_where_blocks_are_refuted():
    found = DependenceAnalysis(identical_tuples(3), "sum", 1.0, "dpm_mean", blocks=[[0], [1], [2]])
    assert float(found.largest) > max(map(float, found.mean_bounds))
    assert {one.status for one in found.mean_bounds} == {"estimate"}
    assert "no bound for blocks that depend on each other" in found.to_latex()


def test_a_tuple_that_is_known_twice_is_named():
    for ask in (
        lambda: DependenceAnalysis(SHIFT, known=["Ben", "Ben"]),
        lambda: dependent_leakage(SHIFT, "sum", 1.0, known=["Ben", 1]),
    ):
        with pytest.raises(DomainError, match="Ben is named twice") as refused:
            ask()
        assert refused.value.where.name == "known"


def test_a_scale_of_one_s_own():
    found = DependenceAnalysis(xor_bits(), "sum", 1.0, scale=1.0)
    assert found.scale == 1.0
    assert found.mechanism_label == "A scale of one's own"
    assert (found.keeps_promise, found.guaranteed) == (False, False)
    assert float(found.largest) == pytest.approx(1.4338, abs=5e-5)


def test_where_nothing_changes():
    found = DependenceAnalysis(SparseJoint([[3, 4]], [1.0]), known=[1])
    assert found.scale == found.dp_loss == float(found.largest) == 0
    assert [float(one) for one in found.paper_estimates] == [0, 0]
    assert found.dependent_sensitivities().tolist() == [0, 0]
    assert found.coefficients().tolist() == [[1, 0], [0, 1]]
    assert found.keeps_promise
    with pytest.raises(ScaleError, match="No tuple changes the answer") as refused:
        found.accuracy(1.0)
    assert refused.value.where.name == "query"
    assert float(found.worst_adversary) == 0
    same = DependenceAnalysis(SparseJoint([[0, 1], [1, 1]], [0.5, 0.5]), [0, 1])
    assert (same.scale, float(same.worst_adversary)) == (0, 0)


def test_accuracy_is_that_of_the_noise():
    found = DependenceAnalysis(agreeing_bits(0.9), "identity", 1.0)
    assert found.outputs == 2
    assert found.accuracy(2.0).one_output == pytest.approx(np.exp(-2 / found.scale))
    curve = found.accuracy_curve(1.0, [0.5, 1.0], mechanisms=["lpm", "dpm_exact"])
    assert curve.scales[:, 1] == pytest.approx([1.0, found.scale])
    assert curve.names == ("lpm", "dpm_exact")


def test_it_is_a_value():
    found = DependenceAnalysis(SHIFT, [1] * 6, 1.0, "lpm", ["Ben"])
    assert found == DependenceAnalysis(SHIFT, "sum", 1.0, "lpm", [1])
    assert hash(found) == hash(DependenceAnalysis(SHIFT, "sum", 1.0, "lpm", [1]))
    assert found != DependenceAnalysis(SHIFT, "sum", 1.0, "lpm")
    assert (found == 3) is False
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.per_tuple == found.per_tuple
    assert "epsilon=1.0, mechanism='lpm', known=['Ben']" in repr(found)
    assert "scale=2.0" in repr(DependenceAnalysis(SHIFT, scale=2.0))
    assert "blocks" not in repr(found)
    together = DependenceAnalysis(SHIFT, blocks=[[0, 1, 2, 3, 4], [5]])
    assert "blocks=[[0, 1, 2, 3, 4], [5]]" in repr(together)
    assert "blocks" in repr(pickle.loads(pickle.dumps(together)))
    with pytest.raises(AttributeError, match="cannot be changed"):
        found.epsilon = 2.0
    table = JointDistribution([[0.4, 0.1], [0.1, 0.4]])
    assert DependenceAnalysis(table).joint == SparseJoint.from_joint(table)
    assert DependenceAnalysis(table, "identity").query == IdentityQuery()


def test_it_is_a_table():
    pytest.importorskip("pandas")
    frame = DependenceAnalysis(SHIFT).to_dataframe()
    assert frame["tuple"].tolist() == list(SHIFT.tuples)
    assert frame["block"].tolist() == [1, 1, 1, 2, 2, 3]
    assert frame["over"].tolist() == [True] + [False] * 5
    assert frame["leakage"].round(4).tolist() == [1.1268, 0.9943, 0.9943, 1.0, 1.0, 0.8408]
    assert frame.attrs["status"]["paper's estimate"] == "as printed"
    assert frame.attrs["mechanism"] == "dpm_exact"
    written = DependenceAnalysis(SHIFT, known=["Fay"]).to_latex()
    assert r"known: Fay" in written
    assert "Ann & 1 & 1.00 &" in written


def test_it_is_drawn():
    found = DependenceAnalysis(SHIFT)
    chart = found._figures()["tuples"]()
    printed, means, exact, over = chart.series
    assert (printed.name, exact.name) == ("paper's estimate, as printed", "exact")
    assert (means.name, over.name) == ("mean distances, a bound", "exact, above the promise")
    assert chart.y.names == SHIFT.tuples
    assert (over.y.tolist(), over.x.round(4).tolist(), over.labels) == ([0], [1.1268], ("1.127",))
    assert exact.x.tolist() == [float(one) for one in found.per_tuple[1:]]
    assert printed.x.tolist() == [float(one) for one in found.paper_estimates]
    assert means.x.tolist() == [float(one) for one in found.mean_bounds]
    assert [(one.name, one.at, one.along) for one in chart.levels] == [("promise", 1.0, "x")]
    many = DependenceAnalysis(identical_tuples(30), scale=40.0)._figures()["tuples"]()
    assert len(many.y.names) == 24
    assert many.note.endswith("6 tuples that leak no more are left out.")
    joint = agreeing_bits(0.9)
    other = DependenceAnalysis(joint, TableQuery.of(joint, lambda a, b: a * b), 1.0, "baseline")
    names = [one.name for one in other._figures()["tuples"]().series]
    assert names[1:] == ["mean distances, an estimate: no bound for this query", "exact"]


def test_input_that_is_none_is_refused_at_once():
    for arguments, error in (
        (([[0.5, 0.5]],), TableError),
        ((SHIFT, "product"), QueryError),
        ((SHIFT, TableQuery([1, 2])), QueryError),
        ((SHIFT, "sum", 0.0), BudgetError),
        ((SHIFT, "sum", 1.0, "dpm"), DomainError),
        ((SHIFT, "sum", 1.0, "lpm", ["Zoe"]), DomainError),
        ((SHIFT, "sum", 1.0, "lpm", [], [[0]]), DomainError),
    ):
        with pytest.raises(error):
            DependenceAnalysis(*arguments)
    with pytest.raises(ScaleError):
        DependenceAnalysis(SHIFT, scale=-1)
    with pytest.raises(DomainError, match="it is 'exact'"):
        DependenceAnalysis(SHIFT).coefficients("all")
