"""Editing a table cell by cell: it stays a table, locked cells stay, proportions stay."""

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, TableError
from pdp_widgets.models.editing import independent, normalise, set_cell

ENTRY = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1e-300, 5e-324, 1e-12, 0.25]))


@st.composite
def tables(draw):
    shape = draw(st.sampled_from([(2,), (2, 2), (3, 2), (2, 2, 2), (1, 3)]))
    size = int(np.prod(shape))
    entries = draw(st.lists(ENTRY, min_size=size, max_size=size).filter(lambda e: max(e) > 0))
    return np.array(entries).reshape(shape)


@given(tables(), st.data())
def test_an_edit_keeps_the_sum_the_locks_and_the_proportions(table, data):
    table = normalise(table)
    locks = np.array(data.draw(st.lists(st.booleans(), min_size=table.size, max_size=table.size)))
    k = data.draw(st.integers(0, table.size - 1))
    locks[k] = False
    free = ~locks
    free[k] = False
    room = 1 - fsum(table.ravel()[locks].tolist())
    p = data.draw(st.floats(0, 1)) * max(room, 0.0)
    if not free.any():
        p = max(room, 0.0)
    before = table.copy()
    after = set_cell(table, k, p, locks.reshape(table.shape))
    np.testing.assert_array_equal(table, before)
    flat, old = after.ravel(), before.ravel()
    assert abs(fsum(flat.tolist()) - 1) <= 1e-12
    assert (flat >= 0).all()
    assert flat[k] == pytest.approx(p, abs=1e-12)
    np.testing.assert_array_equal(flat[locks], old[locks])
    moved, others = flat[free], old[free]
    if others.size and others.sum() > 1e-6:
        np.testing.assert_allclose(
            moved / (room - p) if room - p > 1e-6 else others / others.sum(), others / others.sum(), atol=1e-5
        )
    JointDistribution(after)


@pytest.mark.parametrize("p", [0.0, 1.0, 1e-8, 0.3])
def test_both_ends_can_be_reached(p):
    after = set_cell([[0.3, 0.2], [0.2, 0.3]], (0, 0), p)
    assert after[0, 0] == p
    assert abs(fsum(after.ravel().tolist()) - 1) <= 1e-12


def test_the_rest_is_shared_equally_when_all_others_are_zero():
    np.testing.assert_allclose(set_cell([[1, 0], [0, 0]], 0, 0.4), [[0.4, 0.2], [0.2, 0.2]])


def test_the_same_cell_by_number_and_by_place():
    table = [[0.1, 0.2], [0.3, 0.4]]
    np.testing.assert_array_equal(set_cell(table, 2, 0.5), set_cell(table, (1, 0), 0.5))


class TestRefusals:
    table = np.array([[0.3, 0.2], [0.2, 0.3]])

    def test_no_room(self):
        locks = [[False, True], [True, False]]
        with pytest.raises(
            TableError, match=r"locked cells hold 0.4: at most 0.6 is left for cell \(0, 0\)"
        ) as caught:
            set_cell(self.table, 0, 0.7, locks)
        assert (caught.value.where.kind, caught.value.where.index) == ("cell", (0, 0))

    def test_all_others_locked(self):
        locks = [[False, True], [True, True]]
        with pytest.raises(TableError, match=r"All other cells are locked: cell \(0, 0\) can only be 0.3"):
            set_cell(self.table, 0, 0.1, locks)
        np.testing.assert_allclose(set_cell(self.table, 0, 0.3, locks), self.table)

    def test_the_cell_itself_is_locked(self):
        locks = [[True, False], [False, False]]
        with pytest.raises(TableError, match=r"Cell \(0, 0\) is locked"):
            set_cell(self.table, 0, 0.1, locks)
        np.testing.assert_allclose(set_cell(self.table, 0, 0.3, locks), self.table)

    @pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), float("inf")])
    def test_no_probability(self, p):
        with pytest.raises(TableError, match="a probability is between 0 and 1") as caught:
            set_cell(self.table, (1, 1), p)
        assert caught.value.where.index == (1, 1)

    @pytest.mark.parametrize("index", [4, -1, (2, 0), (0,), (-1, 0)])
    def test_no_such_cell(self, index):
        with pytest.raises(TableError, match="There is no cell"):
            set_cell(self.table, index, 0.1)

    @pytest.mark.parametrize("bad", [float("nan"), -0.1])
    def test_another_entry_is_at_fault(self, bad):
        with pytest.raises(TableError, match=r"entry of cell \(0, 1\) is") as caught:
            set_cell([[0.3, bad], [0.2, 0.3]], 0, 0.1)
        assert caught.value.where.index == (0, 1)

    def test_locks_of_another_size(self):
        with pytest.raises(TableError, match="3 locks for 4 cells"):
            set_cell(self.table, 0, 0.1, [True, False, False])

    def test_locked_cells_beyond_one(self):
        with pytest.raises(TableError, match=r"hold 1\.2, more than 1"):
            set_cell([0.6, 0.6, 0.1], 2, 0.0, [True, True, False])
        with pytest.raises(TableError, match=r"hold 1\.2, more than 1"):
            normalise([0.6, 0.6, 0.1], [True, True, False])

    def test_empty_table(self):
        with pytest.raises(TableError, match="no cells"):
            normalise([])


@given(tables())
def test_normalise(table):
    after = normalise(table)
    assert abs(fsum(after.ravel().tolist()) - 1) <= 1e-12
    np.testing.assert_allclose(after, table / table.max() / (table / table.max()).sum(), atol=1e-12)


def test_normalise_leaves_locked_cells():
    np.testing.assert_allclose(normalise([0.4, 2, 4], [True, False, False]), [0.4, 0.2, 0.4])


def test_normalise_nothing():
    with pytest.raises(TableError, match="All entries are 0"):
        normalise([[0, 0], [0, 0]])
    with pytest.raises(TableError, match="All unlocked entries are 0"):
        normalise([0.5, 0, 0], [True, False, False])
    np.testing.assert_array_equal(normalise([1.0, 0, 0], [True, False, False]), [1, 0, 0])


def test_normalise_huge_entries():
    np.testing.assert_allclose(normalise([1.7e308, 1.7e308]), [0.5, 0.5])


@given(tables())
def test_independent_keeps_the_marginals(table):
    before = normalise(table)
    after = independent(table)
    assert abs(fsum(after.ravel().tolist()) - 1) <= 1e-12
    for j in range(before.ndim):
        others = tuple(k for k in range(before.ndim) if k != j)
        np.testing.assert_allclose(after.sum(axis=others), before.sum(axis=others), atol=1e-12)
    np.testing.assert_allclose(independent(after), after, atol=1e-12)
