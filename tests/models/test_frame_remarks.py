"""What looks like counts or shares and is read as records: every model says so, and none without a reason."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pdp_widgets as pdp
from pdp_widgets.errors import CountColumnWarning, DataRemark, FewRecordsWarning, TableError
from pdp_widgets.widgets.local_explorer import LocalExplorer

MAKERS: dict[str, Callable[..., Any]] = {
    "joint": pdp.JointDistribution.from_dataframe,
    "sparse": pdp.SparseJoint.from_dataframe,
    "attributes": pdp.AttributeTable.from_dataframe,
    "microdata": pdp.Microdata.from_dataframe,
    "gaussian": pdp.GaussianModel.from_dataframe,
    "explorer": LocalExplorer,
}
TABULATED = ("joint", "sparse", "attributes")
FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
}
DATA = Path(pdp.__file__).parent / "data"
PEOPLE = pd.DataFrame(
    {"smoker": ["no", "yes", "no", "yes", "no"], "town": ["Ulm", "Ulm", "Bonn", "Bonn", "Ulm"]}
)


def told(call: Callable[[], Any], *kinds: type[Warning]) -> list[str]:
    """Return the warnings of some kinds that a call gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [
        str(one.message)
        for one in caught
        if issubclass(one.category, kinds or (CountColumnWarning, DataRemark))
    ]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("name", ["count", "n", "freq", " Weights"])
@pytest.mark.parametrize("library", FRAMES)
def test_a_forgotten_weight_is_told(maker: str, name: str, library: str) -> None:
    columns = {"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], name: [12, 9, 4, 30]}
    (message,) = told(lambda: MAKERS[maker](FRAMES[library](columns)), CountColumnWarning)
    assert f"weight={name!r}" in message
    # The same frame with its weight, or with the columns named, is fine.
    if maker not in ("explorer",):
        assert not told(lambda: MAKERS[maker](FRAMES[library](columns), weight=name))
    columns[name] = ["x", "y", "x", "y"] if maker != "gaussian" else [0.5, 1, 0.25, 2]
    assert not told(lambda: MAKERS[maker](FRAMES[library](columns)))


@pytest.mark.parametrize("maker", ["attributes", "microdata", "gaussian", "explorer"])
def test_records_that_repeat_have_no_counts(maker: str) -> None:
    assert not told(lambda: MAKERS[maker]({"a": [1, 1, 2, 2], "weight": [70, 80, 65, 90]}))


def test_a_forgotten_weight_of_a_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("a,b,n\n1,1,12\n1,2,9\n2,1,4\n")
    for call in (pdp.read_microdata, *(MAKERS[one] for one in ("joint", "sparse", "attributes", "gaussian"))):
        (message,) = told(lambda call=call: call(file), CountColumnWarning)
        assert "weight='n'" in message
        assert not told(lambda call=call: call(file, weight="n"))


@pytest.mark.parametrize("maker", TABULATED)
def test_a_table_of_counts_is_no_table_of_records(maker: str, tmp_path: Path) -> None:
    wide = pd.crosstab(PEOPLE["smoker"], PEOPLE["town"])
    wide.to_csv(tmp_path / "wide.csv")
    plain = wide.rename_axis(columns=None)
    ways = {
        "file": str(tmp_path / "wide.csv"),
        "table": pdp.read_table(tmp_path / "wide.csv"),
        "index": pd.read_csv(tmp_path / "wide.csv", index_col=0),
        "bare index": plain.rename_axis(None),
        "column": plain.reset_index(),
        "polars": pl.DataFrame(plain.reset_index()),
    }
    for way, frame in ways.items():
        (message,) = told(lambda frame=frame: MAKERS[maker](frame))
        assert "look like a table of counts" in message, way
        assert ("from_counts(pdp.read_table(path))" in message) == (way in ("file", "table"))
    columns = ["Bonn", "Ulm"]
    assert not told(lambda: MAKERS[maker](plain.reset_index(), columns))
    counted = pdp.JointDistribution.from_counts(ways["table"])
    assert np.array_equal(counted.table, pdp.JointDistribution.from_counts(wide).table)
    assert counted.domains == (("no", "yes"), ("Bonn", "Ulm"))


@pytest.mark.parametrize("maker", TABULATED)
@pytest.mark.parametrize("index", [["x", "y", "x", "y"], pd.MultiIndex.from_tuples([("a", 1), ("b", 2)] * 2)])
def test_labels_in_an_index_are_not_left_out_silently(maker: str, index: Any) -> None:
    frame = pd.DataFrame({"a": [0, 1, 1, 0], "b": [1, 1, 0, 0]}, index=index)
    (message,) = told(lambda: MAKERS[maker](frame))
    assert "The index of the frame holds labels" in message
    for numbers in (frame.reset_index(drop=True), frame.set_axis([7, 3, 4, 9])):
        assert not told(lambda numbers=numbers: MAKERS[maker](numbers))


@pytest.mark.parametrize("maker", ["joint", "sparse"])
@pytest.mark.parametrize("normalize", ["index", "columns"])
def test_shares_within_rows_are_no_joint_distribution(maker: str, normalize: Any) -> None:
    table = pd.crosstab(PEOPLE["smoker"], PEOPLE["town"], normalize=normalize)
    long = table.stack().rename("share").reset_index()
    for call in (lambda: MAKERS[maker](table), lambda: MAKERS[maker](long, weight="share")):
        (message,) = told(call)
        assert "sum to 1 for each label of a column, and to 2 in all" in message
    whole = pd.crosstab(PEOPLE["smoker"], PEOPLE["town"], normalize="all")
    assert not told(lambda: MAKERS[maker](whole))


@pytest.mark.parametrize(
    "file", sorted(DATA.glob("*.csv")) + sorted(DATA.glob("course/*.csv")), ids=lambda one: one.name
)
def test_the_data_of_the_package_look_right(file: Path) -> None:
    table = pdp.read_table(file)
    weight = "count" if "count" in table else None
    narrow = [name for name in table if name != weight and len(set(table[name])) <= 1000][:3]
    some = {name: list(table[name]) for name in [*narrow, *([weight] if weight else [])]}
    if len(set(table[next(iter(table))])) <= 1000:
        assert not [one for one in told(lambda: pdp.read_microdata(file, weight=weight)) if "weight=" in one]
    for name in TABULATED:
        found = told(lambda name=name: MAKERS[name](some, weight=weight))
        assert not [one for one in found if "table of counts" in one or "index" in one], name


def test_a_weight_repeats_the_rows_of_a_gaussian_model(tmp_path: Path) -> None:
    frame = {"a": [1e9, 1e9 + 2, 1e9 + 5, 7], "b": [2, 4, 3, 9], "n": [3, 1, 2, 0]}
    listed = pd.DataFrame(frame).loc[lambda one: one.index.repeat(one["n"]), ["a", "b"]]
    expected = pdp.GaussianModel.from_dataframe(listed)
    pd.DataFrame(frame).to_csv(tmp_path / "n.csv", index=False)
    for found in (frame, str(tmp_path / "n.csv"), pdp.read_table(tmp_path / "n.csv", weight="n")):
        for columns in (None, ["a", "b"]):
            model = pdp.GaussianModel.from_dataframe(found, columns, weight="n")
            assert model.records == 6
            assert model.names == ("a", "b")
            assert np.allclose(model.mean, expected.mean, rtol=1e-15)
            assert np.allclose(model.cov, expected.cov, rtol=1e-12)
    for wrong, words in ([0.5, 1, 1, 1], "whole"), ([-1, 1, 1, 1], "0 or more"), ([1, 0, 0, 0], "one row"):
        with pytest.raises(TableError, match=words):
            pdp.GaussianModel.from_dataframe(frame | {"n": wrong}, weight="n")


pytestmark = pytest.mark.filterwarnings(f"ignore::{FewRecordsWarning.__module__}.FewRecordsWarning")
