"""All pairwise tables at once, against counting one record after the other."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import AttributeTable, LimitError
from pdp_widgets.models import pair_counts
from pdp_widgets.models.pair_counts import count_pairs


def one_by_one(codes, sizes):
    starts = np.concatenate([[0], np.cumsum(sizes)])
    table = np.zeros((starts[-1], starts[-1]), int)
    for record in codes:
        places = [starts[a] + code for a, code in enumerate(record) if code >= 0]
        table[np.ix_(places, places)] += 1
    return table


def drawn(rng, records, sizes, least=-1):
    return np.column_stack([rng.integers(least, size, records) for size in sizes])


@given(st.lists(st.integers(1, 25), min_size=1, max_size=6), st.integers(0, 140), st.integers(0, 2**32))
def test_counts_are_those_of_every_record(sizes, records, seed):
    codes = drawn(np.random.default_rng(seed), records, sizes)
    assert count_pairs(codes, sizes).table.tolist() == one_by_one(codes, sizes).tolist()


@pytest.mark.parametrize("few", [0, 10, 10_000])
@pytest.mark.parametrize("step", [64, 1 << 16])
def test_both_ways_of_counting_agree(monkeypatch, few, step):
    sizes = [2, 7, 1, 12, 3]
    codes = drawn(np.random.default_rng(3), 9_000, sizes)
    expected = count_pairs(codes, sizes)
    monkeypatch.setattr(pair_counts, "_FEW_CELLS", few)
    monkeypatch.setattr(pair_counts, "_STEP", step)
    assert count_pairs(codes, sizes) == expected


def test_blocks_of_complete_records():
    sizes = [2, 5, 40]
    codes = drawn(np.random.default_rng(5), 1_000, sizes, least=0)
    pairs = count_pairs(codes, sizes)
    assert (pairs.table == pairs.table.T).all()
    for a in range(3):
        assert pairs.marginal(a).tolist() == np.bincount(codes[:, a], minlength=sizes[a]).tolist()
        assert np.count_nonzero(pairs.counts(a, a)) == np.count_nonzero(pairs.marginal(a))
        for b in range(3):
            assert pairs.counts(a, b).sum() == 1_000
            assert pairs.counts(a, b).shape == (sizes[a], sizes[b])


def test_a_pair_counts_where_both_are_there():
    table = AttributeTable([[0, 0, 1], [0, -1, 1], [1, 1, -1]], [2, 2, 2])
    pairs = table.pair_counts()
    assert pairs is table.pair_counts()
    assert pairs.counts(0, 1).tolist() == [[1, 0], [0, 1]]
    assert pairs.counts(1, 2).tolist() == [[0, 1], [0, 0]]
    assert pairs.marginal(0).tolist() == [2, 1]
    for a in range(3):
        for b in range(3):
            if a != b:
                assert (
                    pairs.counts(a, b).tolist()
                    == table.select([a, b]).with_missing("listwise").pair_counts().counts(0, 1).tolist()
                )


def test_counts_are_a_value():
    pairs = count_pairs(np.array([[0, 1]]), [2, 2])
    assert pickle.loads(pickle.dumps(pairs)) == pairs
    assert hash(pairs) == hash(count_pairs(np.array([[0, 1]]), [2, 2]))
    assert repr(pairs) == "PairCounts(2 attributes, 4 labels)"
    with pytest.raises(ValueError, match="read-only"):
        pairs.table[0, 0] = 5
    with pytest.raises(AttributeError):
        pairs.sizes = (1,)


def test_too_many_labels():
    with pytest.raises(LimitError, match="9,000 labels together"):
        AttributeTable(np.zeros((2, 3), int), [3000] * 3).pair_counts()


def test_more_records_than_a_small_number_holds():
    codes = np.zeros((300_000, 2), np.int8)
    assert count_pairs(codes, [1, 2]).counts(0, 1).tolist() == [[300_000, 0]]
