"""Counters add up to the same models, whatever the batches, their order, and who merges whom."""

from __future__ import annotations

import pickle
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdp_widgets import (
    AttributeTable,
    GaussianModel,
    JointDistribution,
    LocalAnalysis,
    MarkovChain,
    Microdata,
    SparseJoint,
)
from pdp_widgets.errors import DataRemark, DomainError, LimitError, PdpError, TableError
from pdp_widgets.models.counters import CellCounter, MomentCounter, PairCounter, TransitionCounter
from pdp_widgets.models.file_counts import count_table
from pdp_widgets.models.transition_counts import transition_counts

LIBRARIES = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "arrow": pa.table,
    "lazy": lambda columns: pl.LazyFrame(columns, strict=False),
}
pytestmark = pytest.mark.filterwarnings("ignore::pdp_widgets.errors.FewRecordsWarning")
quick = settings(max_examples=60, deadline=None)
labels = st.one_of(
    st.lists(st.sampled_from([0, 1, 7, 300_000]), min_size=1, max_size=30),
    st.lists(st.sampled_from(["yes", "No", "é", ""]), min_size=1, max_size=30),
)


@st.composite
def shuffled_batches(draw: Any, values: Any = labels) -> tuple[dict[str, list[Any]], list[Any]]:
    """Draw two columns, and batches that hold their rows in any order, each of any library."""
    first = draw(values)
    second = draw(st.lists(st.sampled_from([True, False]), min_size=len(first), max_size=len(first)))
    rows = draw(st.permutations(range(len(first))))
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=5)))
    batches = []
    for low, high in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        make = LIBRARIES[draw(st.sampled_from([*LIBRARIES]))]
        part = {"a": [first[row] for row in rows[low:high]], "b": [second[row] for row in rows[low:high]]}
        batches.append(make(part) if high > low else part)
    return {"a": first, "b": second}, batches


def merged(make: Any, batches: list[Any], split: int) -> Any:
    """Return one counter of all batches, of which another one has seen some."""
    one, other = make(), make()
    for batch in batches[:split]:
        assert one.update(batch) is one
    for batch in batches[split:]:
        other.update(batch)
    assert one.merge(pickle.loads(pickle.dumps(other))) is one
    return one


@quick
@given(shuffled_batches(), st.integers(0, 6))
def test_cells_add_up(drawn, split):
    columns, batches = drawn
    counter = merged(CellCounter, batches, split)
    whole = pl.LazyFrame(columns, strict=False)
    assert counter.joint() == JointDistribution.from_dataframe(whole)
    assert repr(counter.joint()) == repr(JointDistribution.from_dataframe(whole))
    assert SparseJoint.from_dataframe(counter.table()) == SparseJoint.from_dataframe(whole)
    assert counter.records == len(columns["a"]) == counter.class_sizes.sum()
    assert counter.class_sizes.tolist() == sorted(pd.DataFrame(columns).value_counts().tolist(), reverse=True)
    table = counter.table()
    assert Microdata(table).records == counter.records
    assert AttributeTable.from_dataframe(table).marginal([0, 1]) == counter.joint()


@quick
@given(shuffled_batches(), st.integers(0, 6))
def test_pairs_add_up(drawn, split):
    columns, batches = drawn
    counter = merged(PairCounter, batches, split)
    whole = AttributeTable.from_dataframe(pl.DataFrame(columns).sort("a"))
    assert counter.domains == whole.domains
    assert counter.records == whole.n_records
    assert counter.pair_counts() == whole.pair_counts()


numbers = st.lists(st.floats(-1, 1), min_size=2, max_size=30).map(lambda found: [1e8 + x for x in found])


@quick
@given(shuffled_batches(numbers), st.integers(0, 6))
def test_moments_add_up_beside_a_large_mean(drawn, split):
    columns, batches = drawn
    whole = [Fraction(x) for x in columns["a"]]
    mean = sum(whole) / len(whole)
    variance = float(sum((x - mean) ** 2 for x in whole) / (len(whole) - 1))
    counter = merged(lambda: MomentCounter(["a"]), batches, split)
    model = counter.model() if len(whole) > 1 else None
    assert model is not None
    assert model.records == len(whole)
    assert model.mean[0] == pytest.approx(float(mean), rel=1e-15)
    # Half a unit in the last place of each record is 7e-9.
    assert model.cov[0, 0] == pytest.approx(variance, rel=1e-9, abs=1e-14)
    if len(set(columns["a"])) == 1:
        assert model.cov[0, 0] == 0


@quick
@given(
    st.lists(st.lists(st.lists(st.sampled_from("abc"), max_size=6), max_size=4), min_size=1, max_size=5),
    st.data(),
)
@pytest.mark.parametrize("order", [1, 2])
def test_transitions_add_up(order, batches, data):
    streams = [stream for batch in batches for stream in batch]
    split = data.draw(st.integers(0, len(batches)))
    counter = merged(lambda: TransitionCounter(order=order), data.draw(st.permutations(batches)), split)
    every = sorted({symbol for stream in streams for symbol in stream})
    if not every:
        return
    wanted = transition_counts(streams, every, order)
    found = counter.counts()
    assert (found.states, found.streams, found.order) == (wanted.states, wanted.streams, order)
    for part in ("first", "pairs", "triples"):
        assert np.array_equal(getattr(found, part), getattr(wanted, part))
    assert counter.chain("laplace") == MarkovChain.from_streams(streams, every, order, "laplace")


def test_transitions_of_many_symbols_stay_sparse():
    one = TransitionCounter().update([list(range(3000))]).update([list(range(3000, 0, -1))])
    assert not isinstance(one.counts().pairs, np.ndarray)
    assert one.counts().pairs.sum() == 2 * 2999
    assert TransitionCounter(range(4)).update([[1, 2]]).update([[3, 1]]).counts().pairs[3, 1] == 1


def test_weights_add_up():
    batch = {"a": ["x", "y", "x"], "n": [2, 3, 4]}
    counter = CellCounter(weight="n").update(batch).merge(CellCounter(weight="n").update(batch))
    assert counter.joint().counts.tolist() == [12, 6]
    assert counter.records == 6
    floats = (
        CellCounter(weight="n").update({"a": ["x", "y"], "n": [0.25, 0.5]}).update({"a": ["x"], "n": [0.25]})
    )
    assert floats.joint().table.tolist() == [0.5, 0.5]
    large = CellCounter(weight="n").update({"a": ["x"], "n": [2**53]})
    with pytest.raises(TableError, match=r"The counts sum to more than 2\^53"):
        large.update({"a": ["x"], "n": [2**53]}).joint()


@pytest.mark.parametrize("make", [CellCounter, PairCounter])
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([1, 2], ["1", "x"], "was numbers, and in batch 2 it has '1'"),
        ([1.5], ["x"], "was numbers, and in batch 2 it has 'x'"),
        (["1"], [None, 1], "was text, and in batch 2 it has 1"),
        ([True], ["True"], "was true or false, and in batch 2 it has 'True'"),
    ],
)
def test_a_column_is_text_in_all_batches_or_in_none(make, library, first, second, words):
    one, other = make().update(LIBRARIES[library]({"a": first})), make().update({"a": second[-1:]})
    with pytest.raises(DomainError, match=f"Column a {words}.*types={{'a': 'text'}}"):
        one.update(LIBRARIES[library]({"a": second}))
    with pytest.raises(DomainError, match=words.replace("batch 2", "the other counter").split(" it has")[0]):
        one.merge(other)
    # What was refused has left nothing behind.
    assert one.records == len(first)
    assert one.update({"a": first}).records == 2 * len(first)


def test_missing_values_are_told_at_once_and_once():
    counter = CellCounter().update({"a": ["x"], "b": [1]})
    with pytest.warns(DataRemark, match=r"Column a has 2 missing values in batch 2: joint\(\) refuses them"):
        counter.update({"a": [None, None], "b": [1, 1]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        counter.update({"a": [None], "b": [1]})


@pytest.mark.filterwarnings("ignore::pdp_widgets.errors.DataRemark")
def test_missing_values_are_one_more_value_of_cells_and_none_of_pairs():
    batches = [{"a": ["x", None], "b": [1, 0]}, {"a": ["x", "y"], "b": [float("nan"), 1]}]
    cells, pairs = CellCounter(), PairCounter()
    for batch in batches:
        cells.update(batch)
        pairs.update(batch)
    with pytest.raises(DomainError, match="Column a has 1 missing value; drop"):
        cells.joint()
    assert cells.class_sizes.tolist() == [1, 1, 1, 1]
    whole = AttributeTable.from_dataframe({name: batches[0][name] + batches[1][name] for name in "ab"})
    assert pairs.pair_counts() == whole.pair_counts()


def test_an_order_that_all_batches_declare_stays():
    kind = pl.Enum(["low", "middle", "high"])
    batches = [pl.DataFrame({"a": part}, schema={"a": kind}) for part in (["high"], ["low"])]
    for counter in (CellCounter(), PairCounter()):
        for batch in batches:
            counter.update(batch)
    assert counter.domains == (("low", "middle", "high"),)
    cells = CellCounter().update(batches[0]).update(batches[1])
    assert cells.joint().domains == (("low", "middle", "high"),)
    assert cells.update({"a": ["odd"]}).joint().domains == (("high", "low", "odd"),)


def test_pairs_serve_for_local_privacy():
    rng = np.random.default_rng(1)
    frame = {name: rng.integers(0, 2 + place, 500) for place, name in enumerate("abc")}
    counter = PairCounter().update({name: column[:200] for name, column in frame.items()})
    counter.update({name: column[200:] for name, column in frame.items()})
    found, wanted = (LocalAnalysis(data, "GRR", 1.0) for data in (counter, frame))
    assert np.array_equal(found.matrix, wanted.matrix)
    assert found.names == wanted.names
    with pytest.raises(
        PdpError, match="Tables of pairs do not say how more than two attributes are correlated"
    ):
        found.joint("a")


WRONG = {
    "nothing": (lambda: CellCounter().joint(), TableError, "Nothing is counted yet"),
    "no rows": (lambda: CellCounter().update({"a": []}).joint(), TableError, "no rows"),
    "no pairs": (lambda: PairCounter().pair_counts(), TableError, "Nothing is counted yet"),
    "no model": (lambda: MomentCounter().model(), TableError, "Nothing is counted yet"),
    "no chain": (lambda: TransitionCounter().chain(), TableError, "Nothing is counted yet"),
    "one row": (lambda: MomentCounter().update({"a": [1]}).model(), TableError, "one row"),
    "kinds": (lambda: CellCounter().merge(PairCounter()), DomainError, "give another CellCounter"),
    "orders": (lambda: TransitionCounter().merge(TransitionCounter(order=2)), DomainError, "of order 1"),
    "columns": (
        lambda: CellCounter().update({"a": [1]}).merge(CellCounter().update({"b": [1]})),
        DomainError,
        "of other columns: a, and b",
    ),
    "a later batch": (
        lambda: CellCounter().update({"a": [1]}).update({"b": [1]}),
        DomainError,
        "no column a",
    ),
    "truth": (
        lambda: CellCounter().update({"a": [1, 0]}).update({"a": [True]}),
        DomainError,
        "numbers beside true or false",
    ),
    "keys": (
        lambda: PairCounter().update({"a": list(range(1001))}),
        LimitError,
        "more than 1,000 different values",
    ),
    "text": (lambda: MomentCounter().update({"a": ["x"]}), DomainError, "Column a, row 0 is 'x'"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_counted(what):
    call, error, message = WRONG[what]
    with pytest.raises(error, match=message):
        call()


def test_one_counter_and_the_frame_make_the_same_gaussian_model():
    frame = {"a": [1.0, 2.5, 4.0], "b": [3.0, 3.0, 3.0]}
    assert MomentCounter().update(frame).model() == GaussianModel.from_dataframe(frame)


def test_a_batch_that_is_refused_leaves_no_trace():
    good, bad = {"a": [0, 1], "b": [0, 1]}, {"a": [2, 3], "b": [True, False]}
    for counter in (CellCounter(), PairCounter()):
        counter.update(good)
        for wrong in (bad, {"a": [2, 3], "b": [[1], [2]]}):
            with pytest.raises(PdpError):
                counter.update(wrong)
        assert counter.update(good).records == 4
    assert counter.domains == ((0, 1), (0, 1))
    with pytest.raises(DomainError, match="numbers beside true or false"):
        counter.update({"a": np.array([0, 1]), "b": np.array([True, False])})
    with pytest.raises(DomainError, match="numbers beside true or false"):
        counter.merge(PairCounter().update({"a": [7], "b": [True]}))
    assert counter.domains == ((0, 1), (0, 1))


def test_a_table_of_counts_counts_for_what_it_says(tmp_path):
    (tmp_path / "counts.csv").write_text("a,b\n" + "0,0\n" * 8 + "1,1\n" * 2 + "1,0\n")
    table = count_table(tmp_path / "counts.csv")
    moments = MomentCounter().update(table)
    assert moments.records == 11
    assert moments.model().mean == pytest.approx([3 / 11, 2 / 11])
    assert moments.model() == GaussianModel.from_dataframe(table)
    assert CellCounter().update(table).joint().counts.tolist() == [[8, 0], [1, 2]]
    with pytest.raises(DomainError, match="as many records as column count says"):
        PairCounter().update(table)


@pytest.mark.parametrize("counter", [CellCounter(weight="w"), MomentCounter()])
def test_the_columns_of_a_refused_batch_are_forgotten(counter):
    with pytest.raises(PdpError):
        counter.update({"n": ["x", 1], "w": ["y", 2]})
    assert counter.names == ()
    counter.update({"v": [1, 2], "w": [1, 2]})
    records = counter.records
    with pytest.raises(PdpError):
        counter.update({"v": [1, 2], "w": [2**53, "z"]})
    assert counter.update({"v": [1], "w": [1]}).records == records + 1


def test_counts_beyond_the_whole_numbers_are_refused_and_leave_what_was_there():
    counter = CellCounter(["a"], weight="w").update({"a": [1], "w": [3]})
    with pytest.raises(PdpError, match="2\\^53"):
        counter.update({"a": [1, 2], "w": [2**53, 2]})
    assert counter.update({"a": [1], "w": [1]}).joint().counts.tolist() == [4]
