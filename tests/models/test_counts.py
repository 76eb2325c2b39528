"""Contingency tables from files, and the two packaged data sets."""

import pytest

from pdp_widgets import DomainError, LimitError, TableError, lsat6, read_counts, titanic
from pdp_widgets.errors import DataRemark


def write(folder, text):
    file = folder / "table.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_lsat6_is_the_published_table():
    joint = lsat6()
    assert joint.names == ("item 1", "item 2", "item 3", "item 4", "item 5")
    assert joint.domains == ((0, 1),) * 5
    assert joint.records == 1000
    assert joint.probability([1, 1, 1, 1, 1]) == 0.298
    assert joint.most_probable() == (1, 1, 1, 1, 1)
    assert [round(float(m[1]), 3) for m in joint.marginals()] == [0.924, 0.709, 0.553, 0.763, 0.87]
    assert joint.title


def test_titanic_is_the_published_table():
    joint = titanic()
    assert joint.names == ("class", "sex", "age", "survived")
    assert joint.domains[0] == ("1st", "2nd", "3rd", "crew")
    assert joint.records == 2201
    assert joint.marginal(["survived"]).counts.tolist() == [1490, 711]


def test_packaged_tables_are_values():
    assert lsat6() == lsat6()


def test_labels_are_numbers_or_text(tmp_path):
    joint = read_counts(write(tmp_path, "a,b,c,d,count\n2,0.5,x,1e3,1\n1,1.5,7,20,3\n"))
    assert joint.domains == ((1, 2), (0.5, 1.5), ("x", "7"), (20, 1000.0))
    assert joint.title == "table"


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1_000", "1e400", "٣", "0x10", "1 2"])
def test_what_is_no_number_to_a_reader_is_text(tmp_path, text):
    assert read_counts(write(tmp_path, f"a,count\n{text},1\n")).domains == ((text,),)


@pytest.mark.parametrize(("text", "number"), [(" 3", 3), ("+1", 1), ("1.", 1), (".5", 0.5), ("3 ", 3)])
def test_numbers_are_those_of_other_readers(tmp_path, text, number):
    assert read_counts(write(tmp_path, f"a,count\n{text},1\n")).domains == ((number,),)


def test_names_that_look_like_the_same_number_stay_apart(tmp_path):
    with pytest.warns(DataRemark, match=r"column a has leading zeros, such as '007' \(line 2\)"):
        joint = read_counts(write(tmp_path, "a,count\n007,1\n7,2\n+7,3\n"))
    assert joint.domains == (("007", "7", "+7"),)
    assert joint.counts.tolist() == [1, 2, 3]


def test_records_without_counts_and_windows_files(tmp_path):
    file = tmp_path / "records.csv"
    file.write_bytes('\ufeffa,b\r\n1,"x, y"\r\n1,z\r\n\r\n'.encode())
    joint = read_counts(file, weight=None, title="two people")
    assert joint.names == ("a", "b")
    assert joint.domains == ((1,), ("x, y", "z"))
    assert joint.title == "two people"


def test_domains_of_choice(tmp_path):
    joint = read_counts(write(tmp_path, "a,count\n1,2\n"), domains={"a": [0, 1]})
    assert joint.counts.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", TableError, "table.csv is empty"),
        ("a,count\n", TableError, "no rows"),
        ("a,a,count\n1,1,1\n", TableError, "two columns of the same name"),
        ("a,count\n1,1\n2\n", TableError, "line 3: 1 field where there are 2 columns"),
        ("a,count\n,1\n", TableError, "line 2: column a is empty"),
        ("a,count\n1,-3\n", TableError, "Column count, row 0: the count is -3"),
        ("a,count\n1,few\n", TableError, "the count is 'few'"),
        ("a,b\n1,2\n", DomainError, "no column count"),
        ("a,b\n1,2\n", DomainError, "columns are a, b"),
        (
            "a b\n1 2\n",
            TableError,
            "one column, a b: it looks separated by blanks. Say what separates the fields",
        ),
        ("a,count\nnan,1\n", TableError, "line 2: column a is empty, or holds what stands for a missing"),
        ("a,count\n1,\n", TableError, "line 2: column count is empty"),
        ('a,count\n"x\ny",1\n2\n', TableError, "line 4: 1 field"),
        ("a,count\n\n\n2\n", TableError, "line 4: 1 field"),
        ('a,count\n"' + "x" * 200_000 + '",1\n', LimitError, "line 2 is too long"),
        ("a,count\n1,0\n", TableError, "All counts are 0"),
    ],
)
def test_faulty_files(tmp_path, text, kind, message):
    with pytest.raises(kind, match=message):
        read_counts(write(tmp_path, text))


def test_a_file_in_another_encoding_names_its_line(tmp_path):
    file = tmp_path / "old.csv"
    file.write_bytes("a,count\nx,1\nMünchen,2\n".encode("latin-1"))
    with pytest.raises(TableError, match=r"old.csv, line 3, column 2 is not UTF-8 text \(byte 0xfc\)"):
        read_counts(file)
    assert read_counts(file, encoding="cp1252").domains == (("x", "München"),)


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_separated_by_other_signs(tmp_path, mark):
    joint = read_counts(write(tmp_path, "a,b,count\n1,x,3\n2,y,1\n".replace(",", mark)))
    assert joint.domains == ((1, 2), ("x", "y"))
    assert joint.counts.tolist() == [[3, 0], [0, 1]]
