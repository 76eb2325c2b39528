"""Tables with few records: what they say of themselves, and pseudo-records."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pdp_widgets import JointDistribution, LimitError, TableError

COUNTS = arrays(np.int64, st.sampled_from([(4,), (2, 3), (2, 2, 2), (3, 1, 2)]), elements=st.integers(0, 6))


@given(COUNTS.filter(lambda counts: counts.any()))
def test_a_table_with_fewer_records_than_cells_says_so(counts):
    joint = JointDistribution.from_counts(counts)
    records, cells = int(counts.sum()), counts.size
    assert joint.records_per_cell == records / cells
    assert joint.sparse == (records < cells) == bool(joint.caution) == repr(joint).endswith("sparse)")
    if joint.sparse:
        empty = int((counts == 0).sum())
        assert f"{records} record{'s'[: records > 1]} in {cells} cells: {empty} cell" in joint.caution
        assert "mostly chance" in joint.caution
    for copied in (pickle.loads(pickle.dumps(joint)), copy.deepcopy(joint)):
        assert (copied, copied.caution) == (joint, joint.caution)


def test_a_table_without_counts_is_not_called_sparse():
    joint = JointDistribution([[0.5, 0], [0, 0.5]])
    assert (joint.records_per_cell, joint.sparse, joint.caution) == (None, False, "")
    with pytest.raises(TableError, match="no records to add any to"):
        joint.smoothed()


@given(COUNTS.filter(lambda counts: counts.any()), st.sampled_from([None, 0, 0.5, 40]))
def test_pseudo_records_keep_the_marginals_and_lie_as_if_independent(counts, many):
    joint = JointDistribution.from_counts(counts, title="t")
    smooth = joint.smoothed(many)
    assert (smooth.names, smooth.domains, smooth.title, smooth.counts) == (*_parts(joint), None)
    for one, other in zip(joint.marginals(), smooth.marginals(), strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    plain = JointDistribution.independent(joint.marginals()).table
    # On the way from the table to that of independent tuples, the same part of it in every cell.
    records = counts.sum()
    if many is None:
        p, away = joint.table, float(((joint.table - plain) ** 2).sum())
        many = (1 - float((p**2).sum())) / away if away > 1e-12 else np.inf
    share = 1.0 if many == np.inf else many / (records + many)
    assert smooth.table == pytest.approx((1 - share) * joint.table + share * plain, abs=1e-9)


def _parts(joint):
    return joint.names, joint.domains, joint.title


def test_smoothing_brings_a_sparse_table_nearer_to_the_truth():
    rng = np.random.default_rng(1)
    true = JointDistribution.independent([[0.3, 0.7]] * 10)
    sample = JointDistribution.from_counts(rng.multinomial(500, true.table.ravel()).reshape((2,) * 10))
    assert sample.sparse

    def error(joint):
        return float(np.abs(joint.table - true.table).sum())

    assert error(sample.smoothed()) < 0.6 * error(sample)


@pytest.mark.parametrize("wrong", [-1, np.inf, np.nan, "5", True])
def test_a_number_of_pseudo_records_is_finite_and_not_negative(wrong):
    with pytest.raises(TableError, match="number of pseudo-records is") as caught:
        JointDistribution.from_counts([[2, 1], [1, 2]]).smoothed(wrong)
    assert caught.value.where.name == "pseudo_records"


class TestFrames:
    @pytest.mark.parametrize(
        "make", [JointDistribution, JointDistribution.from_counts, JointDistribution.normalised]
    )
    def test_records_are_sent_to_from_dataframe(self, make):
        frame = pd.DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]})
        for records in (
            frame,
            frame.astype(object).replace({0: "no"}),
            pytest.importorskip("polars").from_pandas(frame),
        ):
            with pytest.raises(
                TableError, match=r"DataFrame of records .* use JointDistribution.from_dataframe"
            ):
                make(records)

    def test_a_contingency_table_in_a_frame_is_taken(self):
        frame = pd.DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]})
        table = pd.crosstab(frame["a"], frame["b"])
        assert JointDistribution.from_counts(table).counts.tolist() == [[1, 0], [1, 1]]
        assert JointDistribution(pd.DataFrame([[0.3, 0.2], [0.2, 0.3]])).table[0, 0] == 0.3

    def test_measured_numbers_and_keys_are_refused_before_a_table_is_made(self):
        rng = np.random.default_rng(0)
        frame = pd.DataFrame({"height": rng.normal(size=2000), "ill": rng.integers(0, 2, 2000)})
        with pytest.raises(
            LimitError, match=r"height has 2,000 different labels.*pandas\.cut.*GaussianModel"
        ):
            JointDistribution.from_dataframe(frame)
        cut = frame.assign(height=pd.cut(frame["height"], 3, labels=["low", "middle", "high"]).astype(str))
        assert JointDistribution.from_dataframe(cut).records == 2000
        # Labels that are listed are meant.
        keys = JointDistribution.from_dataframe({"key": [5, 7]}, domains={"key": range(1500)})
        assert keys.shape == (1500,)
        with pytest.raises(LimitError, match=r"1,930,000 cells.*pandas\.cut"):
            JointDistribution.from_dataframe(
                {
                    name: list(range(1000))[:k] + [0] * (1000 - k)
                    for name, k in [("a", 965), ("b", 1000), ("c", 1)]
                }
                | {"d": [0, 1] * 500}
            )
        many = {f"c{k}": [0, 1] for k in range(20)}
        assert JointDistribution.from_dataframe(many).table.size == 1 << 20

    @pytest.mark.parametrize(
        ("column", "domain"),
        [
            (["yes", "no"], ("no", "yes")),
            (["Yes", "No", "Yes"], ("No", "Yes")),
            (["true", "false"], ("false", "true")),
            (["yes"], ("yes",)),
            (["yes", "no", "maybe"], ("yes", "no", "maybe")),
            (["yes", "YES"], ("yes", "YES")),
            (["male", "female"], ("male", "female")),
        ],
    )
    def test_no_stands_before_yes(self, column, domain):
        joint = JointDistribution.from_dataframe({"a": column})
        assert joint.domains == (domain,)
        assert [int(joint.counts[joint.label_position(0, label)]) for label in domain] == [
            column.count(label) for label in domain
        ]
        turned = JointDistribution.from_dataframe({"a": column}, domains={"a": domain[::-1]})
        assert turned.domains == (domain[::-1],)

    def test_one_label_and_one_field_are_no_plurals(self):
        assert repr(JointDistribution([1.0])) == "JointDistribution(x1: 1 label)"
