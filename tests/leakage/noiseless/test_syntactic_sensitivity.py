"""How groups change without one record: against anonymising each table anew, and the clinic."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, PdpError, TableError
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import (
    VOLUMES,
    syntactic_sensitivity,
    syntactic_volumes,
)
from pdp_widgets.mechanisms.anonymity.mondrian import mondrian
from pdp_widgets.models.surveys import clinic

CLINIC = json.loads((Path(__file__).parents[2] / "data" / "anonymity-clinic.json").read_text())


def own_sizes(rows, k):
    found = np.empty(len(rows))
    for group in mondrian(rows, k):
        found[list(group)] = len(group)
    return found


def volume_of(sizes, how):
    if how == "mean":
        return len(sizes) / np.sum(1 / sizes)
    return sizes.max() if how == "largest" else sizes.min()


def change(before, after, how):
    if how == "record":
        return np.abs(before - after).max()
    return abs(volume_of(before, how) - volume_of(after, how))


@st.composite
def tables(draw):
    n, d, most = draw(st.integers(2, 24)), draw(st.integers(1, 3)), draw(st.integers(0, 9))
    cells = st.lists(st.integers(0, most), min_size=d, max_size=d)
    rows = np.array(draw(st.lists(cells, min_size=n, max_size=n)), dtype=float)
    more = np.array(draw(st.lists(cells, min_size=1, max_size=3)), dtype=float)
    return rows, more, draw(st.integers(1, n - 1))


@given(tables(), st.sampled_from(VOLUMES))
def test_every_change_is_that_of_a_table_made_anonymous_anew(given_, how):
    rows, more, k = given_
    found = syntactic_sensitivity(rows, k, how, more)
    before = own_sizes(rows, k)
    for row in range(len(rows)):
        after = own_sizes(np.delete(rows, row, 0), k)
        now = np.delete(before, row) if how == "record" else before
        assert found.changes[row] == pytest.approx(change(now, after, how), rel=1e-12, abs=1e-12)
    for place, row in enumerate(more):
        after = own_sizes(np.vstack([rows, row]), k)
        now = after[:-1] if how == "record" else after
        assert found.added[place] == pytest.approx(change(before, now, how), rel=1e-12, abs=1e-12)
    # Another function is called once for every table, and finds the same.
    assert syntactic_sensitivity(rows, k, how, more, lambda rows, k: mondrian(rows, k)) == found


def test_changes_of_the_clinic_are_those_of_the_design():
    found = syntactic_sensitivity(clinic().values(["age", "weight"]), 5)
    assert found.changes.tolist() == CLINIC["changes"]
    assert found.largest == 8
    assert found.worst == CLINIC["changes"].index(8)
    assert found.status == "exact"


def test_facts_of_the_specification():
    assert syntactic_sensitivity([[j] for j in range(12)], 6).changes.tolist() == [5.0] * 12
    found = syntactic_sensitivity([[1]] * 3 + [[5]] * 9, 3)
    assert found.changes.tolist()[:3] == [8.0] * 3
    assert found.largest == 8


def test_tables_are_the_same_in_large_batches_and_small_ones(monkeypatch):
    rows = np.random.default_rng(5).integers(0, 30, (120, 3))
    whole = syntactic_sensitivity(rows, 4)
    monkeypatch.setattr("pdp_widgets.leakage.noiseless.regrouping._TOGETHER", 250)
    assert syntactic_sensitivity(rows, 4) == whole


def test_a_sample_is_a_lower_bound_and_the_same_each_time():
    rows = np.random.default_rng(5).integers(0, 30, (60, 2))
    whole, some = syntactic_sensitivity(rows, 4), syntactic_sensitivity(rows, 4, sample=20)
    assert some.status == "lower bound"
    assert some.tested == 20
    there = ~np.isnan(some.changes)
    assert some.changes[there].tolist() == whole.changes[there].tolist()
    assert some.largest <= whole.largest
    assert some == syntactic_sensitivity(rows, 4, sample=20)
    assert some != syntactic_sensitivity(rows, 4, sample=20, rng=1)
    assert syntactic_sensitivity(rows, 4, sample=99) == whole
    assert len(some.to_dataframe()) == 20


def test_progress_is_told_and_cancels(monkeypatch):
    monkeypatch.setattr("pdp_widgets.leakage.noiseless.regrouping._TOGETHER", 500)
    rows, told = np.random.default_rng(5).integers(0, 30, (200, 2)), []
    syntactic_sensitivity(rows, 4, additions=[[3, 3]], progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 50

    def stop(share):
        told.append(share)
        raise KeyboardInterrupt

    told.clear()
    with pytest.raises(KeyboardInterrupt):
        syntactic_sensitivity(rows, 4, progress=stop)
    assert len(told) == 1


def test_results_are_values():
    found = syntactic_sensitivity([[1], [2], [3], [4]], 2, additions=[[9]])
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert hash(again) == hash(found)
    assert found.to_dataframe().attrs["unit"] == "records"
    assert re.search("left out", found.to_latex())
    with pytest.raises(ValueError, match="read-only"):
        again.changes[0] = 3


@pytest.mark.parametrize(
    ("given_", "error", "culprit"),
    [
        ({"k": 3}, TableError, "without one of them there are fewer than k = 3"),
        ({"k": 0}, BudgetError, "k is 0"),
        ({"volume": "median"}, BudgetError, "volume is 'median'"),
        ({"additions": [[1, 2]]}, TableError, "additions have 2 columns and the rows 1"),
        ({"additions": [[float("nan")]]}, TableError, "is nan"),
        ({"additions": 3}, TableError, "one record a row"),
        ({"sample": 0}, BudgetError, "sample is 0"),
        ({"sample": 1.5}, BudgetError, "sample is 1.5"),
        ({"rng": "x", "sample": 1}, PdpError, "rng is 'x'"),
        ({"anonymiser": 3}, BudgetError, "anonymiser is 3"),
        ({"anonymiser": lambda rows, k: [[0]]}, TableError, "row 1 into no group"),
        ({"rows": [[1], [None]]}, TableError, "rows are"),
    ],
)
def test_wrong_input_is_named(given_, error, culprit):
    with pytest.raises(error, match=culprit):
        syntactic_sensitivity(**{"rows": [[1], [2], [3]], "k": 1, **given_})


@pytest.mark.parametrize(
    ("volume", "neighbours"),
    [(10, []), (10, [float("nan")]), (float("inf"), [1]), ("a", [1]), (10, None), (10, [[1]]), (10, 3)],
)
def test_wrong_volumes_are_named(volume, neighbours):
    with pytest.raises(TableError, match="The volumes are"):
        syntactic_volumes(volume, neighbours)


@pytest.mark.parametrize(
    ("additions", "culprit"),
    [([5], "The additions are"), ([[float("nan")]], "In the additions row 0, column 0 is nan")],
)
def test_wrong_additions_are_named(additions, culprit):
    with pytest.raises(TableError, match=culprit):
        syntactic_sensitivity([[1], [2], [3]], 1, additions=additions)


def test_an_anonymiser_that_changes_what_it_is_given_changes_nothing_else():
    def scaled(rows, k):
        rows *= -2
        return mondrian(rows, k)

    def unscaled(rows, k):
        return mondrian(-2 * rows, k)

    rows = clinic().values(["age", "weight"])[:30]
    made = [
        syntactic_sensitivity(rows, 3, anonymiser=one, additions=[[50, 60]]) for one in (scaled, unscaled)
    ]
    assert made[0] == made[1]
