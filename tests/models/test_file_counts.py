"""Files are counted where they lie as `read_table` reads them: same types, labels, remarks and errors."""

from __future__ import annotations

import builtins
import csv
import gzip
import io
import os
import random
import warnings
from collections.abc import Callable
from datetime import date
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pdp_widgets import AttributeTable, GaussianModel, JointDistribution, MarkovChain, SparseJoint, read_table
from pdp_widgets.errors import CountColumnWarning, DataRemark, DomainError, LimitError, PdpError, TableError
from pdp_widgets.models import plain_text, text_records
from pdp_widgets.models.file_counts import count_table, read_batches

anything = settings(
    max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@pytest.fixture(params=["pyarrow", "standard library"])
def way(request, monkeypatch):
    """Read text by either of the ways that there are, whatever its size."""
    monkeypatch.setattr(plain_text, "_LEAST", 0 if request.param == "pyarrow" else 1 << 60)
    monkeypatch.setattr(plain_text, "_PART", 4000)
    monkeypatch.setattr(text_records, "_CELLS", 200)
    return request.param


def heard(read: Callable[[], Any]) -> tuple[Any, set[str]]:
    """Return what is read, or the error, and what is remarked."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = read()
        except PdpError as error:
            found = (type(error), str(error))
    return found, {str(one.message) for one in caught if one.category is DataRemark}


def text(
    columns: dict[str, list[Any]], mark: str = ",", quoting: int = csv.QUOTE_MINIMAL, end: str = "\n"
) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=mark, quoting=quoting, lineterminator=end)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue()


def drawn(kinds: dict[str, list[Any]], rows: int = 1500, seed: int = 1) -> dict[str, list[Any]]:
    rng = random.Random(seed)
    return {name: rng.choices(values, k=rows) for name, values in kinds.items()}


KINDS = {
    "numbers": {"age": ["31", "45", "52.5"], "ill": ["0", "1"]},
    "leading zeros": {"zip": ["01234", "1234", "80331"], "ill": ["0", "1"]},
    "decimal commas": {"share": ["0,5", "1,25"], "ill": ["0", "1"]},
    "thousands": {"many": ["1,234", "2,345"], "ill": ["no", "yes"]},
    "a few words": {"age": ["31"] * 400 + ["unknown"], "ill": ["0", "1"]},
    "many digits": {"key": ["12345678901234567890", "12345678901234567891"], "ill": ["0", "1"]},
    "blanks": {"town": ["Ulm", " Ulm", "Bonn "], "ill": [" 0", "1"]},
    "null as a word": {"town": ["null", "Ulm"], "ill": ["0", "1"]},
    "not ASCII": {"town": ["Köln", "Zürich", "東京", "🙂"], "ill": ["no", "Yes"]},
    "marks inside": {"town": ["Bonn; am Rhein", 'the "big" one', "a,b", ""], "ill": ["0", "1"]},
    "lines inside": {"town": ["Bonn\nam Rhein", "Ulm"], "ill": ["0", "1"]},
    "names of rows": {"": ["1"] * 3, "ill": ["0", "1"]},
    "names that are code": {'a"; DROP TABLE x; --': ["0", "1"], "$(rm)": ["x'", '"y"']},
}
WRITTEN = {
    "minimal": {},
    "all quoted": {"quoting": csv.QUOTE_ALL},
    "semicolons": {"mark": ";", "end": "\r\n"},
    "tabs": {"mark": "\t"},
    "old ends": {"end": "\r"},
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_makes_the_same_model(tmp_path, way, kind, written):
    file = tmp_path / "people.csv"
    file.write_text(text(drawn(KINDS[kind]), **WRITTEN[written]), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        # What the csv module alone reads.
        patch.setattr(plain_text, "_LEAST", 1 << 60)
        table, remarks = heard(lambda: read_table(file))
    assert heard(lambda: read_table(file)) == (table, remarks)
    counted, same = heard(lambda: count_table(file))
    assert same == remarks
    if isinstance(table, tuple):
        assert counted == table
        return
    assert counted.rows < table.rows
    assert counted[counted.weight].sum() == table.rows
    for read in (JointDistribution.from_dataframe, SparseJoint.from_dataframe):
        wanted, _ = heard(lambda read=read: read(table))
        found, _ = heard(lambda read=read: read(file))
        if isinstance(wanted, tuple):
            # The table knows the row of a missing value.
            assert found[0] is wanted[0]
            assert found[1].partition(";")[0] == wanted[1].partition(", first")[0]
        else:
            assert found == wanted
            assert found.domains == wanted.domains
            assert repr(found) == repr(wanted)


@anything
@given(st.text(alphabet='ab,;"\n\r \t\\é01', max_size=400), st.integers(1, 60))
def test_whatever_the_text_both_ways_agree(tmp_path, body, part):
    file = tmp_path / "any.csv"
    head = "a,b\n" + "x,y\n" * 205
    file.write_text(head * 1 + body, encoding="utf-8", newline="")
    found = []
    for least in (0, 1 << 60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plain_text, "_LEAST", least)
            patch.setattr(plain_text, "_PART", part)
            patch.setattr(text_records, "_CELLS", 10)
            found.append(heard(lambda: read_table(file)))
            found.append(heard(lambda: count_table(file)))
    assert found[0] == found[2]
    assert found[1] == found[3]
    if not isinstance(found[0][0], tuple):
        assert found[0][0].lines.tolist() == found[2][0].lines.tolist()


def test_plain_text_is_read_by_pyarrow_and_the_rest_by_the_csv_module(tmp_path, monkeypatch):
    monkeypatch.setattr(plain_text, "_LEAST", 0)
    monkeypatch.setattr(plain_text, "_PART", 4000)
    taken: list[int] = []
    parts = plain_text.PlainText.parts

    def watched(self: Any, *how: Any) -> Any:
        for columns in parts(self, *how):
            taken.append(len(columns[0][1]))
            yield columns

    monkeypatch.setattr(plain_text.PlainText, "parts", watched)
    file = tmp_path / "people.csv"
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL):
        body = text(drawn(KINDS["not ASCII"], 20_000), quoting=quoting)
        for odd in ("", '"a ""b""",0\n'):
            taken.clear()
            file.write_text(body + odd + body.partition("\n")[2], encoding="utf-8", newline="")
            assert read_table(file).rows == 40_000 + (odd != "")
            # All but the first records, or those above the odd one.
            assert sum(taken) > (14_000 if odd else 34_000)
            assert odd == "" or sum(taken) < 20_000


FRAMES: dict[str, Callable[[], Any]] = {
    "whole": lambda: pd.DataFrame(drawn({"a": [1, 2, -3], "b": [0.5, 2.0], "c": ["x", "y"]})),
    "gaps": lambda: pd.DataFrame(
        drawn({"a": [1, None], "b": [0.5, None], "c": ["x", None], "t": [True, None]})
    ),
    "truth": lambda: pd.DataFrame(drawn({"a": [True, False], "b": ["no", "yes"]})),
    "days": lambda: pd.DataFrame(drawn({"day": [date(2020, 3, 1), date(2019, 1, 5)], "b": [1, 2]})),
    "times": lambda: pd.DataFrame(
        drawn({"at": list(map(pd.Timestamp, ["2020-03-01 12:00:00.000000001", "2019-01-05"]))})
    ),
    "zones": lambda: pd.DataFrame(
        drawn({"at": list(map(pd.Timestamp, ["2020-03-01 12:00+02:00", "2019-01-05 00:00+02:00"]))})
    ),
    "categories": lambda: pd.DataFrame(drawn({"a": [1, 2]})).assign(
        pain=pd.Categorical(drawn({"p": ["low", "high"]})["p"], ["low", "middle", "high"], ordered=True)
    ),
    "large": lambda: pd.DataFrame(drawn({"key": [2**62 + 1, 2**62 + 3], "b": [1, 2]})),
    "code": lambda: pd.DataFrame(drawn({'"; DROP TABLE x; --': [1, 2], "é'": ["$(rm)", '"']})),
}


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
@pytest.mark.parametrize("kind", FRAMES)
def test_files_of_values_are_counted_like_they_are_read(tmp_path, kind, ending, monkeypatch):
    monkeypatch.setattr("pdp_widgets.models.frame_files._PART", 700)
    file = tmp_path / f"people.{ending}"
    table = pa.Table.from_pandas(FRAMES[kind]())
    if ending == "parquet":
        pq.write_table(table, file, row_group_size=1100)
    elif ending == "feather":
        pa.feather.write_feather(table, file)
    else:
        with pa.OSFile(str(file), "wb") as out, pa.ipc.new_stream(out, table.schema) as stream:
            stream.write_table(table)
    wanted = read_table(file)
    counted = count_table(file)
    assert [*counted][:-1] == [*wanted]
    times = counted[counted.weight]
    for name, column in wanted.items():
        whole = sorted(map(str, column))
        assert (
            sorted(str(value) for value, many in zip(counted[name], times, strict=True) for _ in range(many))
            == whole
        )
        assert type(counted[name]) is type(column)
        assert getattr(counted[name], "dtype", None) == getattr(column, "dtype", None)
        batches = [batch[name] for batch in read_batches(file)]
        assert sorted(str(value) for batch in batches for value in batch) == sorted(
            str(float(value)) if isinstance(value, int) and kind == "gaps" else str(value) for value in column
        )
    models = [heard(lambda one=one: JointDistribution.from_dataframe(one))[0] for one in (wanted, file)]
    assert models[0] == models[1] or kind == "gaps"


def test_several_files_are_parts_of_one_table(tmp_path, way):
    columns = drawn({"zip": ["1234", "80331"], "ill": ["0", "1"]}, 600)
    columns["zip"][-1] = "01234"
    whole = tmp_path / "whole.csv"
    whole.write_text(text(columns))
    (tmp_path / "parts").mkdir()
    for part in range(3):
        piece = {name: values[200 * part : 200 * part + 200] for name, values in columns.items()}
        packed = part == 1
        data = text(piece, mark=",;,"[part]).encode()
        (tmp_path / "parts" / f"{part}.csv{'.gz' * packed}").write_bytes(
            gzip.compress(data) if packed else data
        )
    # Whether a column is one of numbers is decided by all parts.
    with pytest.warns(DataRemark, match=r"has leading zeros, such as '01234' \(2\.csv, line 201\)"):
        joint = JointDistribution.from_dataframe(f"{tmp_path}/parts/*.csv*")
    with pytest.warns(DataRemark, match=r"has leading zeros, such as '01234' \(line 601\)"):
        assert joint == JointDistribution.from_dataframe(whole)
    (tmp_path / "parts" / "3.csv").write_text("zip,well\n1,1\n")
    with pytest.raises(TableError, match=r"3\.csv and 0\.csv differ in column ill; give files with the same"):
        count_table(f"{tmp_path}/parts/*")
    with pytest.raises(DomainError, match=r"3\.csv has no column ill"):
        count_table(f"{tmp_path}/parts/*", ["ill"])
    with pytest.raises(TableError, match=r"No file is named like .*none\*; give"):
        count_table(f"{tmp_path}/none*")
    pq.write_table(pa.table({"zip": [1], "ill": [0]}), tmp_path / "parts" / "4.parquet")
    with pytest.raises(TableError, match=r"0\.csv is text, and 4\.parquet is not; give files of one kind"):
        count_table(f"{tmp_path}/parts/*")


def test_parquet_files_may_differ_in_the_size_of_their_numbers_alone(tmp_path):
    pq.write_table(pa.table({"a": pa.array([1, 2], "int8")}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": pa.array([2, 3], "int64")}), tmp_path / "2.parquet")
    pq.write_table(pa.table({"a": pa.array([], "int64")}), tmp_path / "3.parquet")
    counted = count_table(f"{tmp_path}/*.parquet")
    assert (counted["a"].tolist(), counted["count"].tolist()) == ([1, 2, 3], [1, 2, 1])
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "4.parquet")
    with pytest.raises(TableError, match=r"4\.parquet: column a holds string, and that of 1\.parquet int8"):
        count_table(f"{tmp_path}/*.parquet")
    with pytest.raises(TableError, match=r"3\.parquet has no rows"):
        count_table(tmp_path / "3.parquet")
    pq.write_table(pa.table({"a": [[1], [2]]}), tmp_path / "5.parquet")
    with pytest.raises(TableError, match="column a holds values of type list"):
        count_table(tmp_path / "5.parquet")


def test_weights_and_columns_that_look_like_counts(tmp_path, way):
    file = tmp_path / "counts.csv"
    file.write_text("a,n\nx,2\ny,3\nx,4\nx,2\n")
    assert JointDistribution.from_dataframe(file, weight="n") == JointDistribution.from_dataframe(
        read_table(file), weight="n"
    )
    with pytest.warns(CountColumnWarning):
        JointDistribution.from_dataframe(file)
    file.write_text("a,n\nx,2\ny,-3\n")
    with pytest.raises(TableError, match=r"Column n, line 3: the count is -3"):
        JointDistribution.from_dataframe(file, weight="n")


def test_every_reader_of_counts_takes_a_path(tmp_path):
    file = tmp_path / "days.csv"
    file.write_text("today,then\n" + "dry,dry\ndry,wet\nwet,dry\n" * 3)
    table = read_table(file)
    assert MarkovChain.from_dataframe(file) == MarkovChain.from_dataframe(table)
    assert AttributeTable.from_dataframe(file).marginal([0, 1]) == AttributeTable.from_dataframe(
        table
    ).marginal([0, 1])
    numbers = np.random.default_rng(1).normal(1e6, 1, (3000, 2))
    (tmp_path / "flats.csv").write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in numbers.tolist()))
    found = GaussianModel.from_dataframe(tmp_path / "flats.csv")
    wanted = GaussianModel.from_dataframe({"a": numbers[:, 0], "b": numbers[:, 1]})
    assert found.records == 3000
    np.testing.assert_allclose(found.cov, wanted.cov, rtol=1e-9)
    np.testing.assert_allclose(found.mean, wanted.mean, rtol=1e-15)


def test_parts_of_a_text_are_read_as_the_first(tmp_path, way):
    file = tmp_path / "late.csv"
    file.write_text("a\n" + "1\n" * 20_000 + "x\n")
    with pytest.raises(TableError, match=r"column a: 1 of [\d,]+ cells .* 'x' \(line 20,002\)"):
        list(read_batches(file, delimiter=","))
    batches = list(read_batches(file, delimiter=",", types={"a": "text"}))
    assert sum(batch.rows for batch in batches) == 20_001
    assert batches[-1]["a"][-1] == "x"


FAULTS = {
    "truncated archive": lambda data: ("p.csv.gz", gzip.compress(data)[:-20]),
    "a short record": lambda data: ("p.csv", data + b"1\n" + data),
    "an open quotation mark": lambda data: ("p.csv", data + b'"1,2\n'),
    "a line without end": lambda data: ("p.csv", data + b"1" * 200_000),
    "another encoding": lambda data: ("p.csv", data + b"\xeb,1\n"),
    "a NUL": lambda data: ("p.csv", data + b"\0,1\n" + data),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_damaged_is_refused_in_the_same_words(tmp_path, way, fault):
    name, data = FAULTS[fault](text(drawn(KINDS["numbers"])).encode())
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_text, "_LEAST", 1 << 60)
        with pytest.raises(PdpError) as known:
            read_table(file)
    for read in (read_table, count_table, lambda path: list(read_batches(path))):
        with pytest.raises(type(known.value)) as found:
            read(file)
        assert str(found.value) == str(known.value)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_that_changes_meanwhile_is_refused(tmp_path, way, ending):
    file = tmp_path / f"people.{ending}"
    columns = drawn(KINDS["numbers"], 600_000 if ending == "parquet" else 20_000)
    if ending == "csv":
        file.write_text(text(columns))
    else:
        pq.write_table(pa.table(columns), file)
    changed = False

    def disturb(share: float) -> None:
        nonlocal changed
        if not changed:
            changed = True
            os.utime(file, ns=(1, 1))

    with pytest.raises(
        TableError, match=rf"people\.{ending} was changed while it was read, and nothing of it"
    ):
        count_table(file, progress=disturb)
    assert changed


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_progress_limit_and_cancel(tmp_path, way, ending):
    file = tmp_path / f"people.{ending}"
    columns = drawn(KINDS["numbers"], 600_000 if ending == "parquet" else 20_000)
    if ending == "csv":
        file.write_text(text(columns))
    else:
        pq.write_table(pa.table(columns), file)
    shares: list[float] = []
    count_table(file, progress=shares.append)
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert shares.count(1.0) == 1
    with pytest.raises(
        LimitError,
        match=rf"Counting people\.{ending} takes about .* Choose fewer columns or files; count_table",
    ):
        count_table(file, limit=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pdp_widgets.models.file_counts._TEXT", np.inf)
        patch.setattr("pdp_widgets.models.file_counts._CELLS", np.inf)
        with pytest.raises(LimitError, match=rf"Counting people\.{ending} was ended at the limit"):
            count_table(file, limit=1e-9)

    def cancel(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_table(file, progress=cancel)
    with pytest.raises(LimitError, match="The limit is 'x'"):
        count_table(file, limit="x")


ENGINE = duckdb.connect()
names_of_columns = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"]) | st.sampled_from("\"'`;[]$\\%"),
    min_size=1,
    max_size=12,
)


@settings(anything, max_examples=20)
@given(st.lists(names_of_columns, min_size=2, max_size=2, unique=True))
def test_names_that_are_code_are_names(tmp_path, names):
    data = {names[0]: ["x", "y", "x"], names[1]: [0, 1, 0]}
    table = pa.table(data)
    pq.write_table(table, tmp_path / "p.parquet")
    (tmp_path / "p.csv").write_text(text(data, quoting=csv.QUOTE_ALL), encoding="utf-8")
    wanted = JointDistribution.from_dataframe(data, names)
    lazy = ENGINE.from_arrow(table)
    for source in (tmp_path / "p.parquet", tmp_path / "p.csv", lazy):
        if isinstance(source, duckdb.DuckDBPyRelation) and names[0].lower() == names[1].lower():
            continue
        assert JointDistribution.from_dataframe(source, names) == wanted


def test_rows_that_differ_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("pdp_widgets.models.sums.MOST_ROWS", 100)
    monkeypatch.setattr("pdp_widgets.models.sums._WAITING", 10)
    file = tmp_path / "keys.csv"
    file.write_text("key\n" + "".join(f"{k}\n" for k in range(30_000)))
    with pytest.raises(LimitError, match="More than 100 rows of the frame differ"):
        count_table(file, delimiter=",")


def test_without_pyarrow_text_is_counted_all_the_same(tmp_path, monkeypatch):
    file = tmp_path / "people.csv"
    file.write_text(text(drawn(KINDS["numbers"])))
    wanted = count_table(file)
    monkeypatch.setattr(plain_text, "_LEAST", 0)
    monkeypatch.setattr(plain_text.importlib.util, "find_spec", lambda name: None)
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "pyarrow":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert count_table(file) == wanted


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_encoding_is_counted_alike(tmp_path, way, encoding):
    file = tmp_path / "towns.csv"
    file.write_bytes(text(drawn({"town": ["Köln", "Zoë"], "ill": ["0", "1"]})).encode(encoding))
    given = {"encoding": encoding} if encoding == "cp1252" else {}
    table, counted = read_table(file, **given), count_table(file, **given)
    assert JointDistribution.from_dataframe(counted) == JointDistribution.from_dataframe(table)
    assert counted.remarks == table.remarks == ()


@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_a_damaged_file_of_values_is_refused_whole(tmp_path, keep):
    rng = np.random.default_rng(1)
    file = tmp_path / "p.parquet"
    pq.write_table(pa.table({"a": rng.integers(0, 99, 50_000)}), file, compression="snappy")
    data = file.read_bytes()
    at = int(len(data) * keep)
    for damaged in (data[:at], data[:at] + b"\xff" * 40 + data[at + 40 :]):
        file.write_bytes(damaged)
        for read in (read_table, count_table, lambda path: list(read_batches(path))):
            with pytest.raises(TableError, match=r"p\.parquet is no sound Parquet file"):
                read(file)
