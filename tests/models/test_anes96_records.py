"""The survey as records."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import pdp_widgets
from pdp_widgets.errors import DomainError
from pdp_widgets.models.surveys import ANES96_ATTRIBUTES, anes96, anes96_records


def test_all_ten_columns_are_there_with_numbers_as_in_the_file() -> None:
    data = anes96_records()
    assert data.names == ANES96_ATTRIBUTES
    assert data.records == 944
    file = Path(pdp_widgets.__file__).parent / "data" / "anes96.csv"
    rows = list(csv.DictReader(file.read_text().splitlines(), delimiter="\t", quotechar="'"))
    for name, column in (("age", "age"), ("population", "popul"), ("TV news", "TVnews")):
        assert data.column(name).labels is None
        assert data.column(name).values.tolist() == [float(row[column]) for row in rows]
    assert data.column("income").values.tolist() == [float(row["income"]) - 1 for row in rows]


def test_words_have_the_order_of_the_survey_whatever_comes_first() -> None:
    data, table = anes96_records(), anes96()
    for name in ("own leaning", "party", "education", "vote"):
        column = data.column(name)
        assert column.labels == table.domains[table.names.index(name)]
        assert column.ordered
        assert not column.missing.any()


def test_some_columns_are_in_the_order_asked_for_and_one_name_is_a_column() -> None:
    assert anes96_records(["vote", "age"]).names == ("vote", "age")
    assert anes96_records("vote").names == ("vote",)


def test_a_column_that_is_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(DomainError, match="no column 'weight'; it has TV news"):
        anes96_records(["weight"])
