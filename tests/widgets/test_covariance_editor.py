"""The covariance editor from Python and from the browser."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import DomainError, LimitError, PdpError, QueryError, TableError
from pdp_widgets.models.covariance import valid_range
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.widgets.covariance_editor import CovarianceEditor
from pdp_widgets.widgets.covariance_edits import CovarianceEdits
from pdp_widgets.widgets.wire import float_bytes

from .conftest import Ask

COV = [
    [1.44, 0.6, 0.32, -0.59],
    [0.6, 1.0, 0.36, -0.21],
    [0.32, 0.36, 0.81, 0.13],
    [-0.59, -0.21, 0.13, 1.96],
]
NAMES = ["flat A", "flat B", "flat C", "solar"]
CASES = json.loads((Path(__file__).parents[1] / "data" / "covariance-cases.json").read_text(encoding="utf-8"))


@pytest.fixture
def house() -> GaussianModel:
    """Three flats and a solar roof."""
    return GaussianModel([5, 4, 3, 6], COV, NAMES, title="House", unit="kWh")


def sent(values: Any) -> memoryview:
    return memoryview(float_bytes(np.asarray(values, dtype=float)))


def shown(editor: CovarianceEditor, part: str = "cov") -> np.ndarray[Any, Any]:
    return np.frombuffer(editor._view["matrix"][part])


def changed(i: int, j: int, value: float) -> np.ndarray[Any, Any]:
    matrix = np.array(COV)
    matrix[i, j] = matrix[j, i] = value
    return matrix


@pytest.mark.parametrize("case", CASES["matrices"], ids=lambda case: case["name"])
def test_the_cases_of_the_browser_s_check_are_the_kernel_s(case: dict[str, Any]) -> None:
    matrix = np.array(case["matrix"])
    for cell in case["ranges"]:
        found = valid_range(matrix, cell["i"], cell["j"])
        if cell["range"] is None:
            assert found is None
        else:
            low, high = cell["range"]
            assert found == pytest.approx((low, math.inf if high is None else high), abs=1e-12)
    if case["valid"]:
        assert GaussianModel(None, matrix).smallest_eigenvalue == pytest.approx(case["smallest"], abs=1e-12)
    else:
        with pytest.raises(TableError):
            GaussianModel(None, matrix)


def test_an_edit_takes_the_mirror_along(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    editor.set_cell("flat A", 1, 0.3)
    assert editor.value.cov[0, 1] == editor.value.cov[1, 0] == 0.3
    editor.set_cell(3, "solar", 4)
    assert editor.value.cov[3, 3] == 4
    assert editor.value.cov[0, 3] == -0.59
    editor.set_mean("solar", -1.5)
    assert editor.value.mean.tolist() == [5, 4, 3, -1.5]
    assert (editor.value.names, editor.value.title, editor.value.unit) == (
        tuple(NAMES),
        "Edited from House",
        "kWh",
    )
    assert editor.error is None


def test_a_correlation_keeps_the_variances(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    editor.set_correlation("flat A", "flat B", -0.25)
    assert editor.value.correlation[0, 1] == pytest.approx(-0.25, abs=1e-15)
    assert np.array_equal(np.diag(editor.value.cov), np.diag(house.cov))
    with pytest.raises(TableError, match="itself is 1"):
        editor.set_correlation(0, 0, 1)
    editor.load(np.diag([0.0, 1.0]))
    with pytest.raises(TableError, match="x1 has no variance"):
        editor.set_correlation(0, 1, 0.5)


def test_an_invalid_matrix_keeps_the_last_model_and_says_so(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    seen: list[Any] = []
    editor.observe(lambda change: seen.append(change["new"]), "value")
    editor.set_cell(0, 1, 1.4)
    assert not editor.current
    assert editor.value is house
    assert seen == []
    assert editor.entries[0, 1] == editor.entries[1, 0] == 1.4
    assert "The results still belong to the last valid matrix." in editor.error
    state = editor._view["matrix"]
    assert state["valid"] is False
    assert state["smallest"] == pytest.approx(-0.22326613025588338, abs=1e-12)
    assert np.array_equal(shown(editor, "sound"), house.cov.ravel())
    editor.nearest_valid()
    assert editor.current
    assert editor.error is None
    assert editor.value.smallest_eigenvalue == pytest.approx(0, abs=1e-9)
    assert np.array_equal(np.diag(editor.value.cov), np.diag(house.cov))
    assert seen == [editor.value]


def test_the_nearest_valid_matrix_of_a_negative_variance(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    editor.set_cell(0, 0, -1)
    assert "variance of flat A is -1" in editor.error
    editor.nearest_valid()
    assert editor.current
    assert editor.value.cov[0, 0] >= 0


def test_independent_keeps_the_variances(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    editor.independent()
    assert np.array_equal(editor.value.cov, np.diag(np.diag(house.cov)))


def test_weights_are_optional_and_follow_the_number_of_tuples(house: GaussianModel, ask: Ask) -> None:
    assert CovarianceEditor(house)._view["matrix"]["weights"] is None
    editor = CovarianceEditor(house, weights=[1, 1, 1, -1])
    assert editor.weights == (1, 1, 1, -1)
    ask(editor, weights=sent([2, 1, 1, -1]))
    assert editor.weights == (2, 1, 1, -1)
    ask(editor, weights=sent([2, math.nan, 1, -1]))
    assert editor.weights == (2, 1, 1, -1)
    assert "weight of flat B is nan" in editor.error
    ask(editor, weights=sent([2, 3, 1, -1]))
    assert editor.error is None
    editor.value = GaussianModel(None, np.eye(2))
    assert editor.weights == (1, 1)
    editor.weights = None
    assert editor._view["matrix"]["weights"] is None
    for wrong in ([1], [1, math.inf], ["a", "b"], 3):
        with pytest.raises(QueryError):
            editor.weights = wrong
    assert editor.weights is None


def test_a_frame_an_array_and_a_model_can_be_loaded(house: GaussianModel) -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 4], "b": [2.0, 1, 1]})
    editor = CovarianceEditor(house)
    editor.value = GaussianModel.from_dataframe(frame)
    assert editor._view["matrix"]["names"] == ["a", "b"]
    assert editor._view["matrix"]["records"] == 3
    editor.set_cell("a", "b", 0)
    assert editor._view["matrix"]["records"] is None
    editor.load(np.diag([2.0, 3.0]))
    assert editor.value.names == ("a", "b")
    assert editor.value.mean.tolist() == pytest.approx([7 / 3, 4 / 3])
    editor.load(frame)
    assert editor.value.records == 3
    editor.load(np.eye(3))
    assert editor.value.names == ("x1", "x2", "x3")
    editor.load(house)
    assert editor.value is house
    with pytest.raises(TableError, match="not symmetric"):
        editor.load([[1, 0.5], [0.4, 1]])
    assert editor.value is house


def test_w23_back_at_the_loaded_numbers_it_is_the_loaded_model(ask: Ask) -> None:
    model = GaussianModel.from_dataframe(pd.DataFrame({"a": [1.0, 2, 4], "b": [2.0, 1, 1]}))
    editor = CovarianceEditor(model)
    ask(editor, cov=sent(np.eye(2)))
    assert editor.value.records is None
    ask(editor, cov=sent(model.cov))
    assert editor.value is model


def test_an_edited_matrix_is_not_called_what_the_data_are_called(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    editor.independent()
    assert editor.value.title == "Edited from House"
    shot = editor.snapshot()
    assert "Edited from House" in shot.svg
    assert "(edited)" in shot.text
    other = CovarianceEditor(house)
    other.value = editor.value
    assert other._core.title == "House"
    other.value = house
    assert other.value.title == "House"


def test_w10_two_equal_assignments_notify_once(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    seen: list[Any] = []
    editor.observe(lambda change: seen.append(change["new"]), "value")
    for _ in range(2):
        editor.value = GaussianModel([5, 4, 3, 6], changed(0, 1, 0.5), NAMES, title="House", unit="kWh")
    assert len(seen) == 1
    with pytest.raises(ValueError, match="read-only"):
        editor.value.cov[0, 1] = 7
    editor.entries[0, 1] = 7
    assert editor.entries[0, 1] == 0.5


# What a browser asks for


def test_an_edit_of_the_browser_is_checked_here(house: GaussianModel, ask: Ask) -> None:
    editor = CovarianceEditor(house)
    ask(editor, cov=sent(changed(1, 2, 0.1)), mean=sent([0, 1, 2, 3]))
    assert editor.value.cov[1, 2] == 0.1
    assert editor.value.mean.tolist() == [0, 1, 2, 3]
    for wrong in (math.nan, math.inf, -math.inf, 5.0):
        before = editor.value
        ask(editor, cov=sent(changed(0, 1, wrong)))
        assert editor.value is before
        assert not editor.current
        assert "last valid matrix" in editor.error
        assert np.array_equal(shown(editor), changed(0, 1, wrong).ravel(), equal_nan=True)
    ask(editor, cov=sent(house.cov))
    assert editor.error is None


def test_a_request_that_is_not_symmetric_is_made_so(house: GaussianModel, ask: Ask) -> None:
    editor = CovarianceEditor(house)
    matrix = np.array(COV)
    matrix[1, 0] = 99
    ask(editor, cov=sent(matrix))
    assert editor.value == house


def test_the_switch_and_the_command_of_the_browser(house: GaussianModel, ask: Ask) -> None:
    editor = CovarianceEditor(house)
    ask(editor, correlation=True)
    assert editor.show_correlation is True
    editor.show_correlation = False
    assert editor._view["correlation"] is False
    with pytest.raises(DomainError, match="True or False"):
        editor.show_correlation = "no"
    # The numbers and the command come in one request: first the numbers.
    ask(editor, cov=sent(changed(0, 1, 1.4)), command="nearest")
    assert editor.current
    assert editor.value.cov[0, 1] < 1.2
    ask(editor, cov=sent(changed(0, 1, math.nan)), command="nearest")
    assert "must be a finite number" in editor.error
    assert editor._view["matrix"]["valid"] is True


def test_a_matrix_of_other_tuples_can_be_brought_in(house: GaussianModel, ask: Ask) -> None:
    editor = CovarianceEditor(house, weights=[1, 1, 1, -1])
    since = editor._view["since"]
    ask(editor, command="import", names=["p", "q"], **{"import": sent([[1, 0.5], [0.5, 1]])})
    assert editor.value == GaussianModel(None, [[1, 0.5], [0.5, 1]], ["p", "q"])
    assert editor.weights == (1, 1)
    assert editor._view["since"] > since
    # A matrix that is not valid is shown; the value stays that of the old tuples until it is.
    ask(editor, command="import", names=[], **{"import": sent(np.full((3, 3), -1.0) + 2 * np.eye(3))})
    assert editor._view["matrix"]["names"] == ["x1", "x2", "x3"]
    assert editor.value.names == ("p", "q")
    assert editor._view["matrix"]["sound"] is None
    assert editor.error is not None
    editor.nearest_valid()
    assert editor.value.names == ("x1", "x2", "x3")
    ask(editor, command="import", names=["a", "a"], **{"import": sent(np.eye(2))})
    assert editor.value.names == ("x1", "x2", "x3")
    assert "a" in editor.error
    ask(editor, command="import", names=["a"], **{"import": sent([1, 2, 3])})
    assert "no square matrix" in editor.error
    ask(editor, command="import", names=[], **{"import": sent(np.eye(41))})
    assert "at most 40" in editor.error
    ask(editor, cov=sent(np.eye(3)))
    assert editor.error is None


def test_a_request_about_tuples_that_are_gone_changes_nothing(house: GaussianModel, ask: Ask) -> None:
    editor = CovarianceEditor(house)
    base = editor._view["revision"]
    other = GaussianModel(None, np.eye(4))
    editor.value = other
    ask(editor, base=base, cov=sent(changed(0, 1, 0.1)))
    assert editor.value == other
    assert editor.error is None


@pytest.mark.parametrize(
    "wish",
    [
        {"cov": memoryview(b"1234")},
        {"cov": "numbers"},
        {"mean": memoryview(b"")},
        {"weights": None},
        {"correlation": 1},
        {"command": "import", "names": "ab"},
        {"command": "import", "names": [1], "import": memoryview(float_bytes(np.eye(1)))},
    ],
    ids=lambda wish: "-".join(wish),
)
def test_a_wrong_request_is_refused_and_the_next_good_one_taken(
    house: GaussianModel, ask: Ask, wish: dict[str, Any]
) -> None:
    editor = CovarianceEditor(house, weights=[1, 1, 1, 1])
    ask(editor, **wish)
    assert editor.value is house
    assert editor.error is not None
    ask(editor, cov=sent(changed(0, 1, 0.1)))
    assert editor.error is None
    assert editor.value.cov[0, 1] == 0.1


def test_without_a_matrix_there_are_two_ways_to_begin(ask: Ask) -> None:
    editor = CovarianceEditor()
    assert editor.value is None
    assert editor._view["matrix"] is None
    assert editor.snapshot().text == "No covariance matrix yet."
    for act in (editor.independent, editor.nearest_valid, lambda: editor.set_cell(0, 0, 1)):
        with pytest.raises(TableError, match="no matrix yet"):
            act()
    with pytest.raises(QueryError):
        editor.weights = [1]
    ask(editor, command="import", names=[], **{"import": sent(np.eye(3))})
    assert editor.value == GaussianModel(None, np.eye(3))
    editor.value = None
    assert editor._view["matrix"] is None


def test_bad_input_from_python_raises_and_changes_nothing(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    with pytest.raises(TypeError, match="The value is a ndarray"):
        editor.value = house.cov
    with pytest.raises(LimitError, match="at most 40"):
        editor.value = GaussianModel(None, np.eye(41))
    with pytest.raises(DomainError, match="no tuple 'flat D'"):
        editor.set_cell("flat D", 0, 1)
    with pytest.raises(DomainError, match="from 0 to 3"):
        editor.set_cell(4, 0, 1)
    for wrong in ("much", True, None):
        with pytest.raises(TableError, match="give a number"):
            editor.set_cell(0, 1, wrong)
    with pytest.raises(TypeError, match="no keyword 'wieghts'"):
        CovarianceEditor(house, wieghts=[1])
    assert editor.value is house
    assert editor.error is None


def test_w08_a_cell_that_is_no_number_survives_the_trip(house: GaussianModel) -> None:
    editor = CovarianceEditor(house)
    editor.set_cell(0, 1, math.nan)
    editor.set_mean(0, math.inf)
    assert np.isnan(shown(editor)[1])
    assert editor._view["matrix"]["smallest"] == "NaN"
    assert editor.value is house


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2), st.integers(0, 2), st.sampled_from([-2.0, -0.5, 0.0, 0.3, 1.0, 4.0, math.nan])
        ),
        max_size=12,
    )
)
def test_whatever_is_typed_the_model_is_valid_and_the_cells_are_symmetric(
    steps: list[tuple[int, int, float]],
) -> None:
    edits = CovarianceEdits(GaussianModel(None, np.eye(3)))
    for i, j, value in steps:
        edits.set_cell(i, j, value)
        assert np.array_equal(edits.entries, edits.entries.T, equal_nan=True)
        assert edits.current == np.array_equal(edits.model.cov, edits.entries)
        values = np.linalg.eigvalsh(edits.model.cov)
        assert values[0] >= -1e-9 * values[-1]
        # A cell in the range that the others leave is always taken.
        if edits.current and i != j:
            low, high = valid_range(edits.entries, i, j)
            edits.set_cell(i, j, (low + high) / 2)
            assert edits.current
    try:
        edits.nearest()
    except PdpError:
        assert not np.isfinite(edits.entries).all()
    else:
        assert edits.current
