"""Cutting streams into batches, and batches as symbols."""

import math

import numpy as np
import pytest

from pdp_widgets import BudgetError, ChainError, LimitError, StreamError
from pdp_widgets.models.batches import batch_index, batch_partition, batch_patterns, pattern_count


def test_the_last_batch_is_shorter():
    parts = batch_partition(10, 4, 0.5)
    assert (parts.sizes, parts.budgets, parts.total) == ((4, 4, 2), (2.0, 2.0, 1.0), 5.0)


def test_batches_at_the_edges():
    assert batch_partition(3, 8, 1).sizes == (3,)
    assert batch_partition(8, 4, 1).sizes == (4, 4)
    assert batch_partition(0, 4, 1) == batch_partition(0, 1, 1)
    assert batch_partition(0, 4, 1).total == 0
    assert batch_partition(5, 2, math.inf).total == math.inf
    assert batch_partition(5, 2, 0).budgets == (0, 0, 0)


@pytest.mark.parametrize(("n", "size"), [(1, 3), (2, 1), (2, 5), (3, 3)])
def test_patterns_stand_in_the_order_of_their_numbers(n, size):
    patterns = batch_patterns(n, size)
    assert patterns.shape == (pattern_count(n, size), size)
    assert batch_index(patterns, n).tolist() == list(range(n**size))
    assert [batch_index(p, n) for p in patterns] == list(range(n**size))


def test_wrong_batches():
    with pytest.raises(ChainError, match="symbols of a batch is 0"):
        batch_partition(3, 0)
    with pytest.raises(ChainError, match="number of steps is -1"):
        batch_partition(-1, 2)
    for epsilon in (-1, math.nan, "1", None):
        with pytest.raises(BudgetError, match="epsilon is"):
            batch_partition(3, 2, epsilon)
    with pytest.raises(LimitError, match="number of steps"):
        batch_partition(10**18, 1)
    with pytest.raises(StreamError, match="has the symbol 2"):
        batch_index([0, 2], 2)
    with pytest.raises(StreamError, match="positions of symbols"):
        batch_index([0.5], 2)
    with pytest.raises(LimitError, match=r"10\^7 patterns"):
        pattern_count(10, 7)
    assert pattern_count(2, 20) == 1 << 20
    assert pattern_count(np.int64(4), 10) == 1 << 20


@pytest.mark.parametrize(("n", "size"), [(10**400, 2), (2, 10**400), (10**400, 10**400)])
def test_numbers_of_hundreds_of_digits_are_refused_in_few_words(n, size):
    with pytest.raises(LimitError, match="integer of about 401 digits") as refused:
        batch_patterns(n, size)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("symbols", [[[1, 2], [3]], [10**400]])
def test_what_is_no_batch_is_refused(symbols):
    with pytest.raises(StreamError, match="give positions of symbols"):
        batch_index(symbols, 4)
