"""All pairs of attributes: the same as each pair alone, whatever is kept between budgets."""

import copy
import math
import pickle

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, DomainError, LimitError, TableError
from pdp_widgets.leakage.local.leakage_curve import leakage_curve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.local.pairwise_leakages import MatrixValues
from pdp_widgets.mechanisms.local.finite_channel import Channel
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import GRR
from pdp_widgets.mechanisms.local.unary_encoding import OUE, RAPPOR
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counts import lsat6, titanic

NAMES = ("generic", "GRR", "EXP", "OUE", "SUE", "BLH", "OLH", "SHE", "SS")


def records(missing=0.0, seed=1):
    rng = np.random.default_rng(seed)
    hidden = rng.random(400)
    sizes = (2, 5, 3, 7, 1, 4)
    codes = np.column_stack(
        [
            np.minimum((s * np.where(rng.random(400) < 0.6, hidden, rng.random(400))).astype(int), s - 1)
            for s in sizes
        ]
    )
    codes[rng.random(codes.shape) < missing] = -1
    return AttributeTable(codes, sizes)


def near(got, wanted):
    return np.allclose(got, wanted, rtol=1e-12, atol=1e-15, equal_nan=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("output", ["raw", "inferred"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_the_matrix_holds_every_pair(name, output, missing):
    if name == "generic" and output == "inferred":
        return
    table = records(missing)
    analysis = LocalAnalysis(table, name, 1.5, output=output, min_count=20)
    mechanism = mechanism_named(name, 1.5)
    for j in range(6):
        for k in range(6):
            if j == k:
                assert analysis.matrix[j, k] == 0
                continue
            alone = pair_leakage(table.marginal([k, j]), mechanism, output, min_count=20)
            assert near(analysis.matrix[j, k], alone.value), (j, k)
            assert near(analysis.pair(j, k).value, alone.value)
            assert analysis.pair(j, k).left_out == alone.left_out


@pytest.mark.parametrize("name", [*NAMES, "DGRR"])
@pytest.mark.parametrize("output", ["raw", "inferred"])
def test_other_budgets_come_from_what_is_kept(name, output):
    if name == "generic" and output == "inferred":
        return
    table = records(0.05)
    extra = {"delta": 0.05} if name == "DGRR" else {}
    first = LocalAnalysis(table, mechanism_named(name, 1.0, **extra), output=output)
    budgets = [0.0, 1e-9, 0.3, 2.0, 30.0, 705.0, math.inf]
    several = first.matrices(budgets)
    for epsilon, matrix in zip(budgets, several, strict=True):
        fresh = LocalAnalysis(table, mechanism_named(name, epsilon, **extra), output=output)
        assert near(first.at(epsilon).matrix, fresh.matrix), epsilon
        assert near(matrix, fresh.matrix), epsilon
        assert near(first.at(epsilon).dpl, fresh.dpl)


def test_budgets_are_not_counted_again(monkeypatch):
    analysis = LocalAnalysis(records(), "OUE", 1.0)
    analysis.at(2.0).matrix  # noqa: B018

    def never(*_):
        raise AssertionError("counted or sorted again")

    monkeypatch.setattr(PairTables, "of", never)
    monkeypatch.setattr(PairTables, "given", never)
    monkeypatch.setattr("pdp_widgets.leakage.local.pairwise_leakages.Fronts.all_subsets", never)
    assert analysis.at(3.0).total > analysis.at(1.0).total > 0
    assert analysis.released_by("GRR", 1.0).total < analysis.at(1.0).total
    assert analysis.read_as("inferred").total < analysis.at(1.0).total


def test_mechanisms_of_their_own():
    table = records()
    matrix = np.random.default_rng(3).dirichlet(np.ones(4), 3)
    mechanisms = [
        GRR(1.0),
        OUE(2.0),
        Channel(matrix),
        mechanism_named("SS", 1.0, omega=3),
        GRR(0.5),
        RAPPOR(0.5, 0.5, 0.75),
    ]
    analysis = LocalAnalysis(table, mechanisms)
    for j, mechanism in enumerate(mechanisms):
        for k in range(6):
            if j != k:
                assert near(analysis.matrix[j, k], pair_leakage(table.marginal([k, j]), mechanism).value)
    by_name = LocalAnalysis(table, dict(zip(table.names, mechanisms, strict=True)))
    assert (by_name.matrix == analysis.matrix).all()
    assert by_name.composition == pytest.approx(
        sum(m.promise(k) for m, k in zip(mechanisms, table.sizes, strict=True))
    )
    with pytest.raises(BudgetError, match="no budget to set"):
        analysis.at(2.0)


def test_sums_and_promises():
    analysis = LocalAnalysis(titanic(), "EXP", 2.0)
    assert analysis.dpl.tolist() == [1.0] * 4
    assert analysis.composition == 4.0
    assert analysis.total == pytest.approx(analysis.matrix.sum())
    assert analysis.pairwise_sum == pytest.approx(1 + analysis.matrix.sum(axis=0))
    source, secret = np.unravel_index(analysis.matrix.argmax(), (4, 4))
    assert analysis.largest.about.target == analysis.names[secret]
    assert analysis.largest.about.sources == (analysis.names[source],)
    assert analysis.largest.value == pytest.approx(analysis.matrix.max(), rel=1e-12)


def test_leakages_are_not_symmetric():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    assert abs(analysis.matrix - analysis.matrix.T).max() > 0.1
    there = analysis.pair("class", "sex")
    assert (there.source_name, there.secret_name) == ("class", "sex")
    assert there.value == pytest.approx(analysis.matrix[0, 1], rel=1e-12)


def test_tables_of_pairs_from_anything():
    joint = titanic()
    by_table, by_records = PairTables.of(joint), PairTables.of(AttributeTable.from_counts(joint))
    assert (by_table.blocks == by_records.blocks).all()
    assert by_table.counted
    assert by_table.names == joint.names
    shares = PairTables.of(joint.table)
    assert not shares.counted
    assert near(shares.blocks * joint.records, by_table.blocks)
    assert near(shares.marginal(0), by_table.marginal(0))
    assert PairTables.of(by_table) is by_table
    assert near(LocalAnalysis(by_table, "GRR", 1.0).matrix, LocalAnalysis(joint, "GRR", 1.0).matrix)
    with pytest.raises(LimitError, match="give records"):
        LocalAnalysis(by_table, "GRR", 1.0).joint(0)


def test_an_attribute_without_any_value():
    codes = np.array([[0, 0, -1], [1, 1, -1], [1, 0, -1]])
    analysis = LocalAnalysis(AttributeTable(codes, [2, 2, 2]), "GRR", 1.0)
    assert analysis.matrix[2].tolist() == [0, 0, 0]
    assert analysis.matrix[:, 2].tolist() == [0, 0, 0]
    assert analysis.matrix[0, 1] > 0
    assert analysis.at(2.0).matrix[0, 1] > analysis.matrix[0, 1]
    assert ("x1", "x3") not in analysis.associations()
    assert np.isnan(analysis.to_dataframe(measures=True)["nmi"]).sum() == 4


def test_curves_are_those_of_the_pair():
    analysis = LocalAnalysis(titanic(), "OUE", 1.0, output="inferred")
    curve = analysis.curve("class", "sex", [0.5, 1.0, 4.0])
    assert near(curve.values, [analysis.at(e).matrix[0, 1] for e in (0.5, 1.0, 4.0)])
    assert near(
        curve.values,
        leakage_curve(titanic().marginal(["sex", "class"]), OUE(9.0), [0.5, 1, 4], "inferred").values,
    )
    assert curve.at(1.0).value == pytest.approx(curve.values[1], rel=1e-13)
    assert analysis.curve("class", "sex").epsilons[[0, -1]].tolist() == [0.0, 5.0]
    assert LocalAnalysis(titanic(), "GRR", 8.0).curve(0, 1).epsilons[-1] == 16.0
    assert LocalAnalysis(titanic(), "GRR", math.inf).curve(0, 1).epsilons[-1] == 10.0
    assert repr(curve) == "LeakageCurve('class' about 'sex', OUE, inferred, 3 budgets)"
    assert curve.source.endswith("Eq. 3")
    assert not curve.values.flags.writeable


def test_frames_and_graphs():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    frame = analysis.to_dataframe(measures=True)
    columns = ["source", "secret", "leakage", "mechanism", "epsilon", "output"]
    assert list(frame) == [*columns, "mutual information", "nmi", "correlation"]
    assert len(frame) == 12
    assert frame.attrs == {"unit": "nats", "source": frame.attrs["source"], "status": {"leakage": "exact"}}
    row = frame[(frame.source == "class") & (frame.secret == "sex")].iloc[0]
    assert row.leakage == pytest.approx(analysis.matrix[0, 1])
    mirrored = frame[(frame.source == "sex") & (frame.secret == "class")].iloc[0]
    assert (row.nmi, row.correlation) == (mirrored.nmi, mirrored.correlation)
    assert row.leakage != mirrored.leakage
    graph = analysis.to_networkx()
    assert graph["class"]["sex"]["leakage"] == pytest.approx(analysis.matrix[0, 1])
    assert graph.number_of_edges() == 12
    assert graph.nodes["sex"] == {"dpl": 1.0, "mechanism": "GRR"}
    assert analysis.to_networkx(0.4).number_of_edges() == (analysis.matrix > 0.4).sum()
    with pytest.raises(DomainError, match="normalisation is 'log'"):
        analysis.to_dataframe(measures=True, nmi="log")


def test_copies_and_pickles():
    analysis = LocalAnalysis(titanic(), "OUE", 1.0)
    wanted = analysis.at(2.0).matrix
    for again in (copy.deepcopy(analysis), pickle.loads(pickle.dumps(analysis))):
        assert (again.at(2.0).matrix == wanted).all()
    assert not analysis.matrix.flags.writeable
    assert repr(analysis) == "LocalAnalysis(4 attributes, OUE(epsilon=1.0), raw)"
    mixed = LocalAnalysis(titanic(), ["GRR", "OUE", "GRR", "GRR"], 1.0)
    assert repr(mixed) == "LocalAnalysis(4 attributes, 2 mechanisms, raw)"


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "message"),
    [
        (("XYZ", 1.0), {}, BudgetError, "no mechanism 'XYZ'"),
        (("GRR",), {}, BudgetError, "GRR needs epsilon"),
        (("GRR", -1.0), {}, BudgetError, "epsilon is -1"),
        ((["GRR", "OUE"], 1.0), {}, DomainError, "2 mechanisms for 4 attributes"),
        (({"class": "GRR"}, 1.0), {}, DomainError, "no mechanism for 'sex'"),
        (({"colour": "GRR"}, 1.0), {}, DomainError, "no attribute 'colour'"),
        ((3.0,), {}, TypeError, "give a local mechanism"),
        (("GRR", 1.0), {"output": "guess"}, BudgetError, "output is 'guess'"),
        (("GRR", 1.0), {"min_count": math.nan}, TableError, "min_count is nan"),
        (("generic", 1.0), {"output": "inferred"}, BudgetError, "no guess"),
    ],
)
def test_wrong_parameters_are_named(arguments, options, kind, message):
    with pytest.raises(kind, match=message):
        LocalAnalysis(titanic(), *arguments, **options)


def test_wrong_attributes_are_named():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    with pytest.raises(DomainError, match="no attribute 'colour'; there are 'class', 'sex'"):
        analysis.pair("colour", "sex")
    with pytest.raises(DomainError, match="no attribute 4; positions go from 0 to 3"):
        analysis.curve(4, 0)
    with pytest.raises(DomainError, match="are both 'sex'"):
        analysis.pair("sex", 1)
    with pytest.raises(DomainError, match="no attribute True"):
        analysis.pair(True, 0)
    with pytest.raises(DomainError, match="min_count needs records"):
        LocalAnalysis(titanic().table, "GRR", 1.0, min_count=3)
    with pytest.raises(LimitError, match="20,000 symbols together"):
        LocalAnalysis(np.ones((20_000,)), "GRR", 1.0)


def test_five_answers():
    """Every report of one answer says less about another than all of them say together."""
    values = MatrixValues(PairTables.of(lsat6()))
    matrix = LocalAnalysis(lsat6(), "GRR", 1.0).matrix
    assert near(values.at(LocalAnalysis(lsat6(), "GRR", 1.0).readings), matrix)
    assert matrix.max() < 0.5


FRAME = {"smokes": ["yes", "no", "no", "yes", "no"], "ill": ["yes", "no", "yes", "yes", None]}


@pytest.mark.parametrize("make", [dict, "pandas", "polars", "pyarrow"])
def test_a_data_frame_is_taken_as_records(make):
    if make == "pandas":
        frame = pytest.importorskip("pandas").DataFrame(FRAME)
    elif make == "polars":
        frame = pytest.importorskip("polars").DataFrame(FRAME)
    elif make == "pyarrow":
        frame = pytest.importorskip("pyarrow").table(FRAME)
    else:
        frame = dict(FRAME)
    direct = LocalAnalysis(frame, "GRR", 1.0)
    table = AttributeTable.from_dataframe(FRAME)
    wanted = LocalAnalysis(table, "GRR", 1.0)
    assert direct.data == table
    assert np.array_equal(direct.matrix, wanted.matrix)
    assert direct.joint("ill") == wanted.joint("ill")
