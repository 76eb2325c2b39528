"""The joint table from Python and from the browser."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pdp_widgets import (
    InstanceError,
    JointDistribution,
    JointTable,
    LimitError,
    PriorExplorer,
    TableError,
    lsat6,
)
from pdp_widgets.widgets.table_edits import default_pivot

from .conftest import Ask


def test_w09_an_edit_keeps_the_sum(joint: JointDistribution) -> None:
    table = JointTable(joint)
    table.set_cell({"Ann": 0, "Bob": 1, "Cy": 0}, 0.5)
    assert table.value.probability([0, 1, 0]) == 0.5
    assert math.fsum(table.value.table.ravel()) == pytest.approx(1, abs=1e-12)
    table.set_cell([1, 1, 1], 1e-8)
    assert table.value.probability([1, 1, 1]) == 1e-8
    table.set_cell([1, 1, 1], 0)
    assert table.value.probability([1, 1, 1]) == 0
    assert math.fsum(table.value.table.ravel()) == pytest.approx(1, abs=1e-12)


def test_locked_cells_stay(joint: JointDistribution) -> None:
    table = JointTable(joint)
    table.lock([1, 1, 1], {"Ann": 0, "Bob": 0, "Cy": 0})
    table.set_cell([0, 1, 0], 0.3)
    assert table.value.probability([1, 1, 1]) == joint.probability([1, 1, 1])
    assert table.value.probability([0, 0, 0]) == joint.probability([0, 0, 0])
    with pytest.raises(TableError):
        table.set_cell([0, 1, 0], 0.9)
    assert table.value.probability([0, 1, 0]) == 0.3
    assert table.error is None
    table.unlock([1, 1, 1])
    assert table.locks.sum() == 1
    table.unlock()
    assert not table.locks.any()


def test_keeping_the_others_leaves_the_sum_off_and_the_last_value(joint: JointDistribution) -> None:
    table = JointTable(joint, keep_sum=False)
    table.set_cell([0, 0, 0], 0.5)
    assert not table.current
    assert table.value == joint
    assert table.entries[0, 0, 0] == 0.5
    assert "sum" in table.error
    assert table._view["current"] is False
    assert table._view["fault"]["where"] == {"kind": "table"}
    table.normalise()
    assert table.current
    assert table.error is None
    assert table.value.table.sum() == pytest.approx(1, abs=1e-12)


def test_independent_counts_and_frames(joint: JointDistribution) -> None:
    table = JointTable(joint)
    table.independent()
    assert table.value.table == pytest.approx(JointDistribution.independent(joint.marginals()).table)
    table.set_counts(np.arange(8).reshape(2, 2, 2))
    assert table.value.records == 28
    assert table.value.names == joint.names
    table.load(pd.DataFrame({"smokes": ["no", "no", "yes"], "ill": [False, False, True]}))
    assert table.value.names == ("smokes", "ill")
    assert table._view["table"]["spec"]["labels"] == [["no", "yes"], ["False", "True"]]
    assert table._view["table"]["rows"] == [0]
    assert table._view["table"]["columns"] == [1]


def test_w19_labels_keep_their_type(ask: Ask) -> None:
    domains = [[1, 2], [0.5, 1.5], [False, True], ["a", "b"]]
    table = JointTable(JointDistribution(np.full((2, 2, 2, 2), 1 / 16), domains))
    weights = np.arange(16.0)
    ask(table, entries=weights / weights.sum())
    assert table.error is None
    assert [[type(v) for v in d] for d in table.value.domains] == [
        [int] * 2,
        [float] * 2,
        [bool] * 2,
        [str] * 2,
    ]
    assert table.value.domains == ((1, 2), (0.5, 1.5), (False, True), ("a", "b"))


def test_an_invalid_cell_from_the_browser_is_named_and_recovers(joint: JointDistribution, ask: Ask) -> None:
    table = JointTable(joint)
    for wrong in (-0.1, math.nan, math.inf):
        entries = joint.table.ravel().copy()
        entries[3] = wrong
        ask(table, entries=entries)
        assert table.value == joint
        assert not table.current
        assert table._view["fault"]["where"] == {"kind": "cell", "index": [0, 1, 1]}
        assert "Ann = 0, Bob = 1, Cy = 1" in table.error
        typed = np.frombuffer(table._view["table"]["entries"])
        assert np.array_equal(typed, entries, equal_nan=True)
    ask(table, entries=joint.table[::-1])
    assert table.current
    assert table.error is None
    assert np.array_equal(table.value.table, joint.table[::-1])


def test_w23_the_loaded_entries_bring_back_the_loaded_distribution(ask: Ask) -> None:
    table = JointTable(lsat6())
    loaded = table.value
    ask(table, entries=np.full(32, 1 / 32))
    assert table.value.records is None
    ask(table, entries=loaded.table)
    assert table.value.records == 1000


def test_an_edited_table_is_not_called_what_the_data_are_called(ask: Ask) -> None:
    data = lsat6()
    table = JointTable(data)
    table.set_cell([0, 0, 0, 0, 0], 0.4)
    assert table.value.title == f"Edited from {data.title}"
    shot = table.snapshot()
    assert "(edited)" in shot.text
    assert f"Edited from {data.title}"[:50] in shot.html
    # The browser has the loaded table beside the edited one, and says it itself while a cell is dragged.
    assert table._core.state(False)["spec"]["title"] == data.title
    other = JointTable(lsat6())
    other.value = table.value
    assert other._core.loaded.title == data.title
    ask(table, entries=data.table)
    assert table.value.title == data.title
    table.value = JointDistribution(data.table[::-1], data.domains, data.names, title="Another year")
    assert table.value.title == table._core.state(False)["spec"]["title"] == "Another year"
    table.independent()
    assert table.value.title == "Edited from Another year"


def test_entries_of_another_table_are_refused(joint: JointDistribution, ask: Ask) -> None:
    table = JointTable(joint)
    ask(table, entries=np.full(4, 0.25))
    assert table.value == joint
    assert "8 cells and 4 numbers" in table.error
    ask(table, entries=joint.table)
    assert table.error is None


def test_w18_a_pivot_moves_no_number(joint: JointDistribution, ask: Ask) -> None:
    table = JointTable(joint)
    ask(table, rows=[2], columns=[1, 0])
    assert (table._view["table"]["rows"], table._view["table"]["columns"]) == ([2], [1, 0])
    assert table.value == joint
    ask(table, rows=[2], columns=[1, 1])
    assert table._view["table"]["columns"] == [1, 0]


def test_a_cell_must_be_whole(joint: JointDistribution) -> None:
    table = JointTable(joint)
    with pytest.raises(TableError, match="Cy is missing"):
        table.set_cell({"Ann": 0, "Bob": 1}, 0.5)
    with pytest.raises(InstanceError, match="7 is not a label of Ann"):
        table.set_cell([7, 0, 0], 0.5)
    with pytest.raises(TableError, match="must be a number from 0 to 1"):
        table.set_cell([0, 0, 0], "much")
    assert table.value == joint


def test_python_may_not_assign_what_is_no_distribution(joint: JointDistribution) -> None:
    table = JointTable(joint)
    with pytest.raises(TypeError, match="The value is a ndarray"):
        table.value = joint.table
    assert table.value == joint


def test_a_huge_table_is_refused_with_its_size() -> None:
    huge = JointDistribution(np.full((2,) * 12, 2.0**-12))
    with pytest.raises(LimitError, match=r"4,096 cells; .* at most 2,048"):
        JointTable(huge)
    table = JointTable(JointDistribution([[0.5, 0], [0, 0.5]]))
    with pytest.raises(LimitError):
        table.value = huge
    assert table.value.n_tuples == 2


@pytest.mark.parametrize("n", range(1, 11))
def test_the_first_pivot_has_every_tuple_once(n: int) -> None:
    rows, columns = default_pivot((2,) * n)
    assert sorted(rows + columns) == list(range(n))
    assert 2 ** len(columns) <= 8
    assert rows


def test_an_explorers_table_and_the_explorer_follow_each_other(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    table = explorer.table
    assert table is explorer.table
    table.set_cell([0, 0, 0], 0.25)
    assert explorer.value == table.value
    assert explorer.results.distribution == table.value
    weights = np.arange(1.0, 9)
    ask(explorer, entries=weights / weights.sum())
    assert table.value == explorer.value
    assert table._view["table"]["entries"] == explorer._view["table"]["entries"]
    seen: list[Any] = []
    table.observe(lambda change: seen.append(change["new"]), "value")
    explorer.value = joint
    assert seen == [joint]


def test_an_explorers_table_cannot_take_what_the_explorer_refuses(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, query=[1, 2, 3])
    table = explorer.table
    with pytest.raises(ValueError, match="3 weights for 2 tuples"):
        table.value = JointDistribution([[0.5, 0], [0, 0.5]])
    assert table.value == joint
    assert explorer.value == joint
    explorer.scale = 2
    assert explorer.results.promise == 1.5


def test_an_explorers_table_marks_the_rows_that_fit_what_is_known(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint, instance=(0, 1, 0), target="Ann", known=["Bob"])
    table = explorer.table
    assert table._view["fit"] == {"known": [1], "instance": [0, 1, 0]}
    ask(explorer, known=[1, 2])
    assert table._view["fit"] == {"known": [1, 2], "instance": [0, 1, 0]}
    explorer.instance = (1, 0, 1)
    assert table._view["fit"] == {"known": [1, 2], "instance": [1, 0, 1]}
    # Another table comes together with what fits it.
    sent = len(table.comm.views)
    explorer.value = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    assert [len(view["fit"]["instance"]) for view in table.comm.views[sent:]] == [2]
    assert JointTable(joint)._view["fit"] is None
