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
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pdp_widgets import AttributeTable, GaussianModel, JointDistribution, MarkovChain, SparseJoint, read_table
from pdp_widgets.errors import CountColumnWarning, DataRemark, DomainError, LimitError, PdpError, TableError
from pdp_widgets.models import plain_text
from pdp_widgets.models.file_counts import count_table, read_batches

anything = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture(params=["pyarrow", "standard library"])
def way(request, monkeypatch):
    """Read text by either of the ways that there are, whatever its size."""
    monkeypatch.setattr(plain_text, "_LEAST", 0 if request.param == "pyarrow" else 1 << 60)
    monkeypatch.setattr(plain_text, "_PART", 4000)
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


def drawn(kinds: dict[str, list[Any]], rows: int = 3000, seed: int = 1) -> dict[str, list[Any]]:
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
            patch.setattr("pdp_widgets.models.text_records._CELLS", 10)
            found.append(heard(lambda: read_table(file)))
            found.append(heard(lambda: count_table(file)))
    assert found[0] == found[2]
    assert found[1] == found[3]
    if not isinstance(found[0][0], tuple):
        assert found[0][0].lines.tolist() == found[2][0].lines.tolist()
