"""Files of many dialects become the same table; what is guessed is said, and what is damaged is refused."""

from __future__ import annotations

import builtins
import bz2
import csv
import gzip
import io
import os
import pickle
import random
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, Microdata, read_check_ins, read_microdata, read_table
from pdp_widgets.errors import DataRemark, DomainError, LimitError, PdpError, TableError
from pdp_widgets.models import text_files
from pdp_widgets.models.file_counts import count_table, read_batches
from pdp_widgets.models.table import Table
from pdp_widgets.models.table_cells import MISSING

PEOPLE = 'age,town,share\n31,Ulm,0.5\n45,"Bonn, am Rhein",1.25\n52,Köln,2\n'
ROWS = [(31, "Ulm", 0.5), (45, "Bonn, am Rhein", 1.25), (52, "Köln", 2.0)]


def write(folder: Path, data: str | bytes, name: str = "people.csv") -> Path:
    file = folder / name
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return file


def rows(table: Table) -> list[tuple[Any, ...]]:
    return list(zip(*(list(column) for column in table.values()), strict=True))


def said(file: Path, **how: Any) -> tuple[Table, str]:
    """Return a table and what was remarked, in one warning whose place is the caller's."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = read_table(file, **how)
    assert len(caught) == (1 if table.remarks else 0)
    for warning in caught:
        assert warning.category is DataRemark
        assert warning.filename == __file__
        assert str(warning.message) == " ".join(table.remarks)
    return table, " ".join(table.remarks)


def separated(mark: str, decimal: str = ".", quoting: int = csv.QUOTE_MINIMAL, end: str = "\n") -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=mark, quoting=quoting, lineterminator=end)
    writer.writerow(["age", "town", "share"])
    writer.writerows([age, town, f"{share:g}".replace(".", decimal)] for age, town, share in ROWS)
    return out.getvalue()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimiters_and_decimal_marks_are_found(tmp_path, mark, decimal, quoting, end):
    file = write(tmp_path, separated(mark, decimal, quoting, end))
    table, remark = said(file)
    assert rows(table) == ROWS
    assert table.title == "people"
    assert remark == (
        "people.csv: numbers are read with decimal commas; decimal=',' confirms it." if decimal == "," else ""
    )
    assert said(file, delimiter=mark, decimal=decimal) == (read_table(file, decimal=decimal), "")


@pytest.mark.parametrize("mark", [" ", ":", "^", "§"])
def test_other_delimiters_are_given(tmp_path, mark):
    assert rows(read_table(write(tmp_path, separated(mark)), delimiter=mark)) == ROWS


def test_columns_set_in_blanks(tmp_path):
    file = write(tmp_path, "age  town\n31   Ulm\n 45  Bonn\n")
    assert rows(read_table(file, delimiter=" ")) == [(31, "Ulm"), (45, "Bonn")]
    with pytest.raises(TableError, match=r"people\.csv has one column, age  town: it looks separated by bl"):
        read_table(file)


def test_one_column_is_never_taken_silently(tmp_path):
    table, remark = said(write(tmp_path, "vote\nyes\nno\n"))
    assert table["vote"] == ["yes", "no"]
    assert "has one column, vote. If it has several, delimiter= says what separates them" in remark
    assert said(write(tmp_path, "vote\nyes\nno\n"), delimiter=",")[1] == ""
    assert "separated by commas, and semicolons would do" in said(write(tmp_path, "a;b,c\n1;2,3\n4;5,6\n"))[1]


def test_a_spreadsheet_may_name_its_delimiter(tmp_path):
    assert list(read_table(write(tmp_path, "sep=;\na;b,c\n1;2\n"))) == ["a", "b,c"]


@pytest.mark.parametrize("delimiter", ["", ",,", 5, '"', "\n"])
def test_what_is_no_delimiter(tmp_path, delimiter):
    with pytest.raises(TableError, match="give the one sign between fields"):
        read_table(write(tmp_path, PEOPLE), delimiter=delimiter)


def test_what_is_no_decimal_mark(tmp_path):
    with pytest.raises(DomainError, match=r"The decimal is ';'; it is '\.' or ','"):
        read_table(write(tmp_path, PEOPLE), decimal=";")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark_are_found(tmp_path, encoding):
    file = write(tmp_path, PEOPLE.encode(encoding))
    assert rows(read_table(file)) == rows(read_table(file, encoding=encoding)) == ROWS


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "cp850", "mac-roman", "utf-16-le", "utf-16-be", "utf-7"]
)
def test_other_encodings_are_given(tmp_path, encoding):
    file = write(tmp_path, PEOPLE.encode(encoding))
    assert rows(read_table(file, encoding=encoding)) == ROWS
    if encoding != "utf-7":
        with pytest.raises(TableError, match=r"people\.csv, line \d, column \d.*encoding="):
            read_table(file)


def test_two_towns_never_become_one(tmp_path):
    file = write(tmp_path, "age,town\n31,Zoë\n45,Zoë\n52,Zoê\n".encode("latin-1"))
    for reader in (read_table, read_microdata):
        with pytest.raises(
            TableError, match=r"line 2, column 6 is not UTF-8 text \(byte 0xeb\)\. Give its enc"
        ):
            reader(file)
    assert read_microdata(file, encoding="latin-1").column("town").labels == ("Zoë", "Zoê")
    line = "{}\t2010-10-19T23:55:27Z\t30.25\t-97.5\t{}\n"
    file = write(tmp_path, (line.format(1, "Zoë") + line.format(2, "Zoê")).encode("latin-1"))
    with pytest.raises(PdpError, match=r"line 1, column 38 is not UTF-8 text"):
        read_check_ins(file)
    assert read_check_ins(file, encoding="latin-1").locations == ("Zoë", "Zoê")


@pytest.mark.parametrize("encoding", ["utf-99", "rot13", "", 5, b"utf-8"])
def test_what_is_no_encoding(tmp_path, encoding):
    with pytest.raises(PdpError, match="give the name of one, such as 'utf-8'"):
        read_table(write(tmp_path, PEOPLE), encoding=encoding)


def zipped(*members: str, data: bytes = PEOPLE.encode()) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in members:
            archive.writestr(member, data)
    return out.getvalue()


def zst(data: bytes) -> bytes:
    return pa.compress(data, "zstd", asbytes=True)


PACKERS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zip": lambda data: zipped("people.csv", data=data),
    "zst": zst,
}


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_packed_files(tmp_path, packer, encoding):
    packed = PACKERS[packer](PEOPLE.encode(encoding))
    for name in (f"people.csv.{packer}", "people.csv"):
        table = read_table(write(tmp_path, packed, name))
        assert rows(table) == ROWS
        assert table.title == "people"


@pytest.mark.parametrize("packer", PACKERS)
def test_damaged_archives_are_refused_whole(tmp_path, packer):
    text = "age,town\n" + "".join(f"{k},{k * k % 997}\n" for k in range(5000))
    packed = PACKERS[packer](text.encode())
    for keep in (len(packed) // 2, len(packed) - 5, 5):
        file = write(tmp_path, packed[:keep], f"people.csv.{packer}")
        with pytest.raises(TableError, match=rf"people\.csv\.{packer} cannot be unpacked: it "):
            read_table(file)
    middle = len(packed) // 2
    damaged = (
        packed[:middle] + bytes(255 - byte for byte in packed[middle : middle + 40]) + packed[middle + 40 :]
    )
    with pytest.raises(PdpError, match=r"cannot be unpacked|people\.csv\.\w+, line"):
        read_table(write(tmp_path, damaged, f"people.csv.{packer}"))


def test_an_archive_has_one_file(tmp_path):
    assert (
        rows(read_table(write(tmp_path, zipped("data/people.csv", "__MACOSX/._people.csv"), "p.zip"))) == ROWS
    )
    with pytest.raises(TableError, match=r"p\.zip holds 2 files \(a\.csv, b\.csv\); unpack it"):
        read_table(write(tmp_path, zipped("a.csv", "b.csv"), "p.zip"))
    with pytest.raises(TableError, match=r"p\.zip holds 0 files \(none\)"):
        read_table(write(tmp_path, zipped(), "p.zip"))


@pytest.fixture
def without(monkeypatch):
    """Make some libraries look as if they were not installed."""

    def hide(*hidden: str) -> None:
        real = builtins.__import__

        def refuse(name: str, *rest: Any) -> Any:
            if name.partition(".")[0] in hidden:
                raise ImportError(f"No module named {name!r}", name=name)
            return real(name, *rest)

        monkeypatch.setattr(builtins, "__import__", refuse)

    return hide


def test_what_is_not_installed_is_said(tmp_path, without, monkeypatch):
    frame = pd.DataFrame({"age": [31]})
    frame.to_parquet(tmp_path / "p.parquet")
    frame.to_feather(tmp_path / "p.feather")
    packed = write(tmp_path, zst(PEOPLE.encode()), "p.csv.zst")
    book = write(tmp_path, b"PK\3\4", "p.xlsx")
    without("pyarrow", "pandas")
    for name in ("p.parquet", "p.feather"):
        with pytest.raises(
            ImportError, match=rf"{name} is a \w+ file, which needs pyarrow: pip install pyarrow"
        ):
            read_table(tmp_path / name)
    with pytest.raises(
        ImportError, match=r"p\.xlsx is a workbook, which needs .*: pip install pandas openpyxl"
    ):
        read_table(book)
    # import_module, by which it is looked for, knows nothing of the way above.
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    with pytest.raises(
        ImportError, match=r"p\.csv\.zst is packed by Zstandard, which needs a library: pip ins"
    ):
        read_table(packed)


@pytest.mark.parametrize(
    "text",
    [
        '"","age","ill"\n"1",31,"no"\n"2",45,"yes"\n',
        '"age","ill"\n"1",31,"no"\n"2",45,"yes"\n',
        ",age,ill\n0,31,no\n1,45,yes\n",
        '"";"age";"ill"\n"a";31;"no"\n"b";45;"yes"\n',
        '"age"\t"ill"\n"1"\t31\t"no"\n"2"\t45\t"yes"\n',
    ],
)
def test_names_of_rows_are_no_data(tmp_path, text):
    table, remark = said(write(tmp_path, text))
    assert rows(table) == [(31, "no"), (45, "yes")]
    assert "the first column has no name: it is read as names of rows, and left out" in remark


def test_columns_without_a_name(tmp_path):
    table, remark = said(write(tmp_path, "age,ill,\n31,no,\n45,yes,\n"))
    assert list(table) == ["age", "ill"]
    assert "column 3 has no name and no values, and is left out" in remark
    with pytest.raises(TableError, match="column 2 has no name; give it one"):
        read_table(write(tmp_path, "age,,ill\n31,3,no\n"))
    with pytest.raises(TableError, match="column 1 has no name"):
        read_table(write(tmp_path, ",ill\n31,no\n31,yes\n"))


@pytest.mark.parametrize(
    ("text", "suspected"),
    [
        ("39,State-gov,Male\n50,Private,Male\n38,State-gov,Female\n", True),
        ("yes,no\nno,no\nyes,yes\n", True),
        ("1,2,3\n4,5,6\n", True),
        ("country,2010,2011\nPeru,3,4\nChad,5,6\n", False),
        ("age,ill\n31,no\n45,yes\n", False),
        ("age,2010\n31,5\n", False),
    ],
)
def test_a_file_without_names_is_suspected(tmp_path, text, suspected):
    file = write(tmp_path, text)
    table, remark = said(file)
    assert ("looks like a record" in remark) == suspected
    assert said(file, columns=list(table))[1] == ""


def test_blanks_around_names_and_cells_are_cut(tmp_path):
    file = write(tmp_path, 'age , "home\n town" ,ill\n 31,  "Ulm" , no\n45 ,Ulm,no \n')
    assert {name: list(column) for name, column in read_table(file).items()} == {
        "age": [31, 45],
        "home town": ["Ulm", "Ulm"],
        "ill": ["no", "no"],
    }


def test_names_are_text_and_differ(tmp_path):
    with pytest.raises(TableError, match="two columns of the same name, age; give each its own"):
        read_table(write(tmp_path, "age,ill, age\n1,2,3\n"))
    file = write(tmp_path, "2010,2011\n1,x\n")
    assert list(read_table(file, columns=[2011])) == ["2011"]
    assert list(read_table(file, columns=[2010], types={2010: "text"})) == ["2010"]
    code = "=cmd|' /C calc'!A0,<script>alert(1)</script>,__import__('os')\n1,2,3\n"
    assert list(read_table(write(tmp_path, code))) == code.splitlines()[0].split(",")


def test_columns_and_roles_are_those_asked_for(tmp_path):
    file = write(tmp_path, "who,day,votes,town,2010\na,2,4,Ulm,x\nb,1,2,Bonn,y\n")
    table = read_table(file, ["town", "who"], weight="votes", time="day", id="who")
    assert list(table) == ["town", "who", "votes", "day"]
    assert (table.weight, table.time, table.id, table.rows) == ("votes", "day", "who", 2)
    for role in ("weight", "time", "id", "columns"):
        with pytest.raises(
            DomainError, match=r"people\.csv has no column vote; its columns are who, day"
        ) as no:
            read_table(file, **{role: "vote"})
        assert no.value.where.name == role
    for wrong in (5, {"who"}, {"who": 1}):
        with pytest.raises(DomainError, match="give a list of names"):
            read_table(file, wrong)


CODES = "zip,n\n01234,1\n1234,2\n"


def test_codes_are_texts(tmp_path):
    table, remark = said(write(tmp_path, CODES))
    assert table["zip"] == ["01234", "1234"]
    assert "column zip has leading zeros, such as '01234' (line 2), and is taken as labels" in remark
    assert read_table(write(tmp_path, CODES), types={"zip": "text"})["zip"] == ["01234", "1234"]
    assert read_table(write(tmp_path, CODES), types={"zip": "number"})["zip"].tolist() == [1234, 1234]
    zero = said(write(tmp_path, "a,b\n0,-0.5\n0.25,0e3\n"))[0]
    assert [column.tolist() for column in zero.values()] == [[0, 0.25], [-0.5, 0]]


def test_types_decide(tmp_path):
    file = write(tmp_path, "band,pain\n10-19,high\n5-9,low\n20+,low\n")
    table = read_table(file, types={"band": "order", "pain": ["low", "middle", "high"]})
    data = Microdata(table)
    assert data.column("band").labels == ("5-9", "10-19", "20+")
    assert data.column("pain").labels == ("low", "middle", "high")
    assert data.column("pain").ordered
    assert JointDistribution.from_dataframe(table).domains[1] == ("low", "middle", "high")
    with pytest.raises(DomainError, match=r"people\.csv, line 2, column pain: high is not one of the labels"):
        read_table(file, types={"pain": ["low"]})
    for wrong, word in (
        ({"age": "text"}, "columns are band, pain"),
        ({"band": "date"}, "it is 'number', 't"),
    ):
        with pytest.raises(DomainError, match=word):
            read_table(file, types=wrong)
    with pytest.raises(DomainError, match="The types are 'text'"):
        read_table(file, types="text")


def test_dirty_numbers_are_said(tmp_path):
    ages = [str(20 + k % 60) for k in range(999)]
    file = write(tmp_path, "age,n\n" + "".join(f"{age},1\n" for age in [*ages[:500], "4e", *ages[500:]]))
    table, remark = said(file)
    assert isinstance(table["age"], list)
    assert "column age: 1 of 1,000 cells (0.1 %) is no number: '4e' (line 502)." in remark
    assert np.isnan(read_table(file, missing=["4e"])["age"]).sum() == 1
    assert said(file, types={"age": "text"})[1] == ""
    with pytest.raises(TableError, match=r"column age: 1 of 1,000 cells.*missing= takes them as missing"):
        read_table(file, types={"age": "number"})


@pytest.mark.parametrize("text", ["1,234", "12%", "$5", "1 234", "1.234,5", "5 €", "1'234"])
def test_numbers_that_are_written_otherwise_are_said(tmp_path, text):
    table, remark = said(write(tmp_path, f'sum;n\n"{text}";x\n"{text}";y\n'))
    assert table["sum"] == [text] * 2
    assert f"column sum looks like numbers that are written otherwise, such as {text!r} (line 2)" in remark


@pytest.mark.parametrize(
    ("text", "helps"),
    [
        ("1,234", True),
        ("1234,5", True),
        ("5€", False),
        ("10%", False),
        ("$5", False),
        ("1,234,567", False),
        ("1.234,5", False),
        ("1 234", False),
    ],
)
def test_decimal_commas_are_offered_where_they_make_numbers(tmp_path, text, helps):
    file = write(tmp_path, f'sum\tn\n"{text}"\tx\n"{text}"\ty\n')
    remark = said(file, decimal="." if helps else None)[1]
    assert ("decimal=','" in remark, "written as in 1234.5" in remark) == (helps, not helps)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert isinstance(read_table(file, decimal=",")["sum"], np.ndarray) == helps


@pytest.mark.parametrize(("wrong", "share"), [(1000, "100"), (999, "99.9"), (991, "99.1"), (3, "0.3")])
def test_shares_are_written_as_people_do(tmp_path, wrong, share):
    file = write(tmp_path, "a\n" + "x\n" * wrong + "1\n" * (1000 - wrong))
    with pytest.raises(TableError, match=rf"{wrong:,} of 1,000 cells \({share} %\)"):
        read_table(file, types={"a": "number"})


@pytest.mark.parametrize("text", ["4e", "1_000", "٣", "inf", "-Infinity", "1e400", "0x10", "1.2.3", "−5"])
def test_what_is_no_number(tmp_path, text):
    file = write(tmp_path, f'x,n\n"{text}",x\n1,y\n2,z\n')
    table, remark = said(file)
    assert table["x"] == [text, "1", "2"]
    assert "1 of 3 cells (33 %) is no number" in remark


@pytest.mark.parametrize("text", ["+1", "1.", ".5", "-0", "1e3", "1E-3", "0", "123456789012345"])
def test_what_is_a_number(tmp_path, text):
    assert read_table(write(tmp_path, f"x,n\n{text},x\n"))["x"].tolist() == [float(text)]


@pytest.mark.filterwarnings("ignore::pdp_widgets.errors.DataRemark")
@pytest.mark.parametrize("marker", [one for one in MISSING if one])
def test_markers_of_missing_values(tmp_path, marker):
    table, remark = said(write(tmp_path, f"age,ill\n31,no\n{marker},yes\n45,{marker}\n"))
    assert np.isnan(table["age"]).tolist() == [False, True, False]
    assert table["ill"] == ["no", "yes", None]
    assert ("which is taken as missing" in remark) == (marker in ("None", "NULL", "null"))
    assert read_table(write(tmp_path, f"age,ill\n31,{marker}\n"), missing=None)["ill"] in ([marker], ["nan"])
    # What is listed is missing beside them, for every reader.
    file = write(tmp_path, f"age,ill\n31,no\n{marker},\n99,{marker}\n")
    batch = next(iter(read_batches(file, missing=["99"])))
    for table in (read_table(file, missing=["99"]), read_table(file, missing="99"), batch):
        assert np.isnan(table["age"]).tolist() == [False, True, True]
        assert table["ill"] == ["no", None, None]
    assert read_microdata(file, missing=["99"]).column("ill").labels == ("no",)
    assert set(count_table(file, missing=["99"])["ill"]) == {"no", None}


def test_numbers_keep_what_they_are(tmp_path):
    text = "whole,gap,large,id\n1,1,9223372036854775807,12345678901234567\n-2,,4611686018427387904,1\n"
    table, remark = said(write(tmp_path, text))
    assert table["whole"].dtype == np.int64
    assert table["gap"].dtype == np.float64
    assert table["large"][0] == "9223372036854775807"
    assert table["id"] == ["12345678901234567", "1"]
    assert remark.count("has more digits than a number keeps") == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("a,b\n", "has no rows below its line of names"),
        ("a,b\n1,x\n2\n", "line 3: 1 field where there are 2 columns"),
        ("a,b\n\n1,x\n\n2,y,z\n", "line 5: 3 fields where there are 2 columns"),
        ("a,b\n1,x,\n2,y\n", "line 3: 2 fields where the first record has 3, and the line of names 2"),
        ('a,b\n"x\n\ny",1\n2\n', "line 5: 1 field where"),
        ('a,b\n1,"x\n2,y\n', "line 2: a quotation mark opens in this record and is never closed"),
        ('a,b\n1,x\n2,"y', "line 3: a quotation mark opens"),
        ('a,"b\n1,x\n', "line 1: a quotation mark opens"),
        ('a,b\n1,"x\n' + "2,y\n" * 40_000, "a quotation mark above it is probably never closed"),
        (
            "Votes of 1996\na,b\n1,x\n2,y\n",
            "line 2: 2 fields where there is 1 column. If the first line is a t",
        ),
        ("a,b\n1,x\0\n", "line 2, column 4 has a NUL"),
    ],
)
def test_damaged_texts_say_where(tmp_path, text, message):
    with pytest.raises(TableError, match=message) as caught:
        read_table(write(tmp_path, text))
    assert "people.csv" in str(caught.value)


def test_a_cell_of_several_lines_is_said(tmp_path):
    table, remark = said(write(tmp_path, 'a,b\n1,"x\n2,y\n3,"z\n4,w\n'))
    assert table.rows == 2
    assert "column b has a cell of several lines" in remark
    assert "(line 2). If it is not meant, a quotation mark is missing" in remark


@pytest.mark.parametrize(
    "data", [os.urandom(5000), bytes(5000), b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9]
)
@pytest.mark.parametrize(
    "name", ["p.csv", "p.gz", "p.zip", "p.zst", "p.bz2", "p.parquet", "p.feather", "p.arrow"]
)
def test_rubbish_is_refused(tmp_path, data, name):
    with pytest.raises(PdpError, match=rf"p\.{name[2:]}"):
        read_table(write(tmp_path, data, name))


@pytest.mark.parametrize("packer", [None, *PACKERS])
def test_a_line_without_end_is_refused_before_it_is_held(tmp_path, packer):
    line = b"a,b\n1," + b"x" * 50_000_000
    file = write(tmp_path, line if packer is None else PACKERS[packer](line))
    with pytest.raises(LimitError, match=r"people\.csv, line 2 is too long: a line has at most 100,000 char"):
        read_table(file)


def test_text_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "MOST_TEXT", 1000)
    with pytest.raises(LimitError, match="more than 1,000 characters of text"):
        read_table(write(tmp_path, gzip.compress(b"a,b\n" + b"1,2\n" * 300)))


def test_a_file_that_changes_is_refused(tmp_path, monkeypatch):
    file = write(tmp_path, PEOPLE)
    before = text_files.bounded_lines

    def disturbed(*given: Any) -> Any:
        for line in before(*given):
            with file.open("a", encoding="utf-8") as other:
                other.write("60,Mainz,1\n")
            yield line
            if file.stat().st_size > 10_000:
                return

    monkeypatch.setattr(text_files, "bounded_lines", disturbed)
    with pytest.raises(
        TableError, match=r"people\.csv was changed while it was read, and nothing of it is taken"
    ):
        read_table(file)


FRAME = pd.DataFrame(
    {
        "age": [31, 45, 52],
        "share": [0.5, None, 2.0],
        "town": ["01", "NA", None],
        "ok": [True, False, True],
        "pain": pd.Categorical(["low", "high", "low"], ["low", "middle", "high"], ordered=True),
        "sort": pd.Categorical(["u", "v", "u"]),
        "day": pd.to_datetime(["2020-02-01", "2020-01-02", None]),
    }
)


@pytest.mark.parametrize("name", ["p.parquet", "p.feather", "p.arrow", "p.arrows", "p.bin"])
def test_files_of_frames_keep_their_types(tmp_path, name):
    if name == "p.arrows":
        frame = pa.Table.from_pandas(FRAME)
        with pa.ipc.new_stream(tmp_path / name, frame.schema) as stream:
            stream.write(frame)
    elif name in ("p.parquet", "p.bin"):
        FRAME.to_parquet(tmp_path / name)
    else:
        FRAME.to_feather(tmp_path / name)
    table = read_table(tmp_path / name, weight="age")
    assert table["age"].tolist() == [31, 45, 52]
    assert np.isnan(table["share"]).tolist() == [False, True, False]
    assert table["town"] == ["01", "NA", None]
    assert table["ok"].tolist() == [True, False, True]
    assert table["day"] == ["2020-02-01", "2020-01-02", None]
    data = Microdata(table)
    assert data.column("pain").labels == ("low", "middle", "high")
    assert data.column("day").labels == ("2020-01-02", "2020-02-01")
    assert (table.title, table.weight, table.lines) == ("p", "age", None)
    part = read_table(
        tmp_path / name, ["town", "age"], types={"age": "text", "town": "number"}, missing=["NA"]
    )
    assert (part["age"], part["town"].tolist()[0]) == (["31", "45", "52"], 1)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TableError, match=rf"{name} is no sound"):
        read_table(tmp_path / name)


def test_numbers_that_become_labels_keep_their_order(tmp_path):
    numbers = pa.array([0.5, None, -3, 20, 3])
    pa.parquet.write_table(
        pa.table({"x": numbers, "n": pa.array([1, 2, 3, 4, 5], "int8")}), tmp_path / "p.pq"
    )
    table = read_table(tmp_path / "p.pq", types={"x": "order"})
    assert table["x"] == ["0.5", None, "-3.0", "20.0", "3.0"]
    assert table["x"].dtype.categories == ("-3.0", "0.5", "3.0", "20.0")
    assert table["n"].dtype == np.int64
    pa.parquet.write_table(pa.table({"x": pa.array([2**63, 2**63 + 1], "uint64")}), tmp_path / "p.pq")
    assert read_table(tmp_path / "p.pq")["x"] == ["9223372036854775808", "9223372036854775809"]


def test_many_columns_are_read_in_time(tmp_path):
    lines = [",".join(f"c{k}" for k in range(15_000)), ",".join("1" * 15_000), ",".join("2" * 15_000)]
    table = read_table(write(tmp_path, "\n".join(lines)))
    assert len(table) == 15_000
    assert table["c14999"].tolist() == [1, 2]


@pytest.mark.parametrize("column", [pa.array([[1], [2]]), pa.array([{"a": 1}]), pa.array([b"\xff\xfe"])])
def test_columns_that_are_no_labels_are_named(tmp_path, column):
    pa.parquet.write_table(pa.table({"odd": column, "n": range(len(column))}), tmp_path / "p.parquet")
    with pytest.raises(TableError, match="column odd holds values of type"):
        read_table(tmp_path / "p.parquet")
    assert list(read_table(tmp_path / "p.parquet", ["n"])) == ["n"]


def test_workbooks(tmp_path):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(tmp_path / "p.xlsx") as book:
        FRAME.drop(columns="ok").to_excel(book, index=False, sheet_name="ward")
        FRAME.to_excel(book, sheet_name="other")
    table, remark = said(tmp_path / "p.xlsx", types={"town": "text"})
    assert "p.xlsx has 2 sheets: the first one, ward, is read." in remark
    assert table["age"].tolist() == [31, 45, 52]
    assert table["day"] == ["2020-02-01", "2020-01-02", None]
    with pytest.raises(TableError, match=r"p\.xlsx is no sound workbook"):
        read_table(write(tmp_path, b"PK\3\4 and so on", "p.xlsx"))


def test_a_table_is_a_value(tmp_path):
    table = read_table(write(tmp_path, PEOPLE), types={"town": "order"})
    again = pickle.loads(pickle.dumps(table))
    assert again == table == read_table(tmp_path / "people.csv", types={"town": "order"})
    assert hash(again) == hash(table)
    assert again["town"].dtype == table["town"].dtype
    assert table != read_table(tmp_path / "people.csv")
    assert table.lines.tolist() == [2, 3, 4]
    assert repr(table) == "Table('people', 3 rows, age: numbers, town: texts, share: numbers)"
    table["town"].append("Rom")
    assert len(table["town"]) == 3
    with pytest.raises(ValueError, match="read-only"):
        table["age"][0] = 1
    with pytest.raises(AttributeError):
        table.title = "other"


def saved(write_to: Callable[[Any], Any]) -> bytes:
    out = io.BytesIO()
    write_to(out)
    return out.getvalue()


TEXT = 'age,town\n31,Ulm\n45,"Bonn, am Rhein"\n52,Köln\n60,"a ""b""\nc"\n'
WHOLE = {
    "p.csv": TEXT.encode(),
    "p.txt": TEXT.encode("utf-16"),
    **{f"p.csv.{packer}": pack((TEXT * 9).encode()) for packer, pack in PACKERS.items()},
    "p.parquet": saved(FRAME.to_parquet),
    "p.feather": saved(FRAME.to_feather),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.filterwarnings("ignore::pdp_widgets.errors.DataRemark")
def test_damage_anywhere_is_refused_in_words_or_does_not_matter(tmp_path, name):
    draw = random.Random(name)
    for _ in range(60):
        data = bytearray(WHOLE[name])
        place = draw.randrange(len(data))
        change = draw.choice(("byte", "more", "less", "cut"))
        if change == "byte":
            data[place] = draw.randrange(256)
        elif change == "more":
            data[place:place] = draw.choice(
                [b'"', b",", b"\n", b"\r", b"\0", b"\xff", b"\t", b"1e999", b"None"]
            )
        else:
            del data[place : place + 3 if change == "less" else None]
        file = write(tmp_path, bytes(data), name)
        try:
            table = read_table(file)
        except PdpError as error:
            said_of = str(error)
            assert name in said_of
        else:
            assert all(len(column) == table.rows for column in table.values())


LABELS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp", "Co")), min_size=1
)


@settings(deadline=None, max_examples=60)
@given(
    table=st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(LABELS, min_size=n, max_size=n), min_size=1)),
    mark=st.sampled_from([",", ";", "\t", "|"]),
    packer=st.sampled_from(["", *PACKERS]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_is_written_is_read(tmp_path_factory, table, mark, packer, encoding):
    out = io.StringIO(newline="")
    names = [f"column {k}" for k in range(len(table[0]))]
    csv.writer(out, delimiter=mark, quoting=csv.QUOTE_ALL).writerows([names, *table])
    data = out.getvalue().encode(encoding)
    file = write(tmp_path_factory.mktemp("written"), PACKERS[packer](data) if packer else data)
    read = read_table(file, delimiter=mark, types=dict.fromkeys(names, "text"), missing=None)
    assert rows(read) == [tuple(row) for row in table]
