"""The survey that comes with the package, and the reader of Adult."""

import numpy as np
import pytest

from pdp_widgets import AttributeTable, DomainError, TableError, anes96, read_adult
from pdp_widgets.models.adult import ADULT_COLUMNS
from pdp_widgets.models.surveys import ANES96_ATTRIBUTES

# Records of our own in the published format.
FIRST = "39, State-gov, 77000, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, "
RECORDS = f"""\
{FIRST}0, 40, United-States, <=50K
50, Private, 83000, HS-grad, 9, Divorced, Sales, Unmarried, Black, Female, 0, 0, 13, Peru, >50K
17, ?, 12000, 11th, 7, Never-married, ?, Own-child, White, Male, 0, 0, 20, ?, <=50K
90, Private, 215000, Masters, 14, Widowed, Sales, Unmarried, White, Female, 0, 1500, 60, Peru, <=50K

"""


@pytest.fixture
def files(tmp_path):
    training, test = tmp_path / "adult.data", tmp_path / "adult.test"
    training.write_text(RECORDS, encoding="utf-8")
    lines = RECORDS.strip().splitlines()
    test.write_text(
        "|1x3 Cross validator\n" + "\n".join(line + "." for line in lines[:2]) + "\n", encoding="utf-8"
    )
    return training, test


def test_the_survey():
    table = anes96()
    assert table.n_records == 944
    assert table.names == ANES96_ATTRIBUTES[:7]
    assert table.sizes == (8, 7, 7, 7, 7, 7, 2)
    assert not table.missing.any()
    assert table.counts("vote").tolist() == [551, 393]
    assert table.counts("party").tolist() == [200, 180, 108, 37, 94, 150, 175]
    assert table.marginal(["party", "vote"]).counts[[0, 6]].tolist() == [[197, 3], [8, 167]]
    assert table == anes96()
    everything = anes96(ANES96_ATTRIBUTES)
    assert everything.sizes[7] == 24
    assert everything.domains[7][-2:] == ("$90k to $105k", "$105k or more")
    assert everything.counts("age").min() > 150
    assert everything.counts("population").sum() == 944


def test_attributes_of_the_survey():
    assert anes96("vote").names == ("vote",)
    assert anes96(["age"], {"age": 3}).sizes == (3,)
    with pytest.raises(DomainError, match="no attribute 'weight'; it has TV news, own leaning"):
        anes96(["weight"])
    with pytest.raises(DomainError, match="bins for age, which is no attribute"):
        anes96(["vote"], {"age": 3})


def test_complete_records_of_adult(files):
    table = read_adult(files[0])
    assert table.n_records == 3
    assert table.names == tuple(name for name in ADULT_COLUMNS if name != "fnlwgt")
    assert table.domains[table.attribute("sex")] == ("Female", "Male")
    assert table.domains[table.attribute("education-num")] == (9, 13, 14)
    assert table.domains[table.attribute("income")] == ("<=50K", ">50K")
    # Ages from 39 to 90, for the youngest is not complete; empty bins are left out.
    assert table.domains[0] == ("[39, 44.1]", "(49.2, 54.3]", "(84.9, 90]")
    assert not table.missing.any()


def test_both_files_of_adult_together(files):
    table = read_adult(files)
    assert table.n_records == 5
    assert table.domains[table.attribute("income")] == ("<=50K", ">50K")
    assert table == read_adult(list(files))
    again = read_adult(files[::-1])
    assert again.domains == table.domains
    assert (again.pair_counts().table == table.pair_counts().table).all()
    assert read_adult(str(files[1])).n_records == 2


def test_missing_answers_of_adult(files):
    table = read_adult(files[0], missing="drop")
    assert table.n_records == 4
    assert table.missing.sum() == 3
    more = read_adult(files[0], ["workclass", "age"], missing="category", bins=None)
    assert more.domains == (("Private", "State-gov", "missing"), (17, 39, 50, 90))


def test_columns_and_bins_of_adult(files):
    table = read_adult(files[0], ["fnlwgt", "age"], bins={"age": [0, 40, 100], "fnlwgt": 2})
    assert table.domains == (("[12,000, 113,500]", "(113,500, 215,000]"), ("[0, 40]", "(40, 100]"))
    assert isinstance(table, AttributeTable)
    assert read_adult(files[0], "sex").names == ("sex",)
    assert np.array_equal(read_adult(files[0], ["age"], bins=None).counts("age"), [1, 1, 1, 1])


def test_a_line_of_names_is_passed_over(tmp_path):
    file = tmp_path / "adult.csv"
    file.write_text(",".join(ADULT_COLUMNS) + "\n" + RECORDS, encoding="utf-8")
    assert read_adult(file).n_records == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no records"),
        ("1, 2\n", "adult.data, line 1: 2 fields where adult.data has 15"),
        (RECORDS.replace("50, Private", "old, Private"), "line 2: age is old; it must be a whole number"),
        (RECORDS.replace("State-gov", ""), "line 1: workclass is empty"),
        (RECORDS.splitlines()[2], "No record is complete"),
    ],
)
def test_wrong_files(tmp_path, text, message):
    file = tmp_path / "adult.data"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=message):
        read_adult(file)


def test_wrong_calls(files, tmp_path):
    with pytest.raises(DomainError, match="Adult has no column 'gender'; its columns are age"):
        read_adult(files[0], ["gender"])
    with pytest.raises(DomainError, match="The bins are 'many'"):
        read_adult(files[0], bins="many")
    with pytest.raises(DomainError, match="bins for sexes, which is no attribute"):
        read_adult(files[0], bins={"sexes": 2})
    with pytest.raises(TableError, match="There is no file"):
        read_adult([])
    with pytest.raises(FileNotFoundError):
        read_adult(tmp_path / "nothing")
    other = tmp_path / "adult.data"
    other.write_bytes(b"\xff\xfa")
    with pytest.raises(TableError, match="is not UTF-8 text"):
        read_adult(other)
