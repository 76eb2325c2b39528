"""Records counted once for all secrets: the same tables as counted for each alone, and the same bounds."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import AttributeTable, LocalAnalysis
from pdp_widgets.leakage.local import secret_tables
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.joint_contraction import as_one_source
from pdp_widgets.leakage.local.secret_tables import CompleteRecords, SecretTables, tables_of_all
from pdp_widgets.leakage.local.subsets import all_subsets


def records(seed: int, lost: float = 0.0) -> AttributeTable:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 5)
    base = rng.integers(0, 4, 200)
    codes = np.stack([np.where(rng.random(200) < 0.5, base % k, rng.integers(0, k, 200)) for k in sizes], 1)
    codes[rng.random(codes.shape) < lost] = -1
    return AttributeTable(codes, sizes.tolist())


def by_hand(table: AttributeTable, order: list[int], min_count: float) -> np.ndarray:
    """Rows P(others | secret), one column for each combination that occurs."""
    complete = table.codes[(table.codes >= 0).all(axis=1)].astype(int)
    others, place = np.unique(complete[:, order[1:]], axis=0, return_inverse=True)
    counts = np.zeros((table.sizes[order[0]], len(others)))
    np.add.at(counts, (complete[:, order[0]], place.ravel()), 1)
    totals = counts.sum(axis=1)
    kept = (totals > 0) & (totals >= min_count)
    return counts[kept] / totals[kept, None]


@pytest.mark.parametrize("cells", [0, 1 << 20])
@pytest.mark.parametrize("numbers", [30, 1 << 62])
@pytest.mark.parametrize("lost", [0.0, 0.1])
@pytest.mark.parametrize("min_count", [0, 30])
def test_bounds_are_those_of_all_combinations(monkeypatch, cells, numbers, lost, min_count):
    monkeypatch.setattr(secret_tables, "MOST_CELLS", cells)
    monkeypatch.setattr(secret_tables, "_MOST_NUMBERS", numbers)
    for seed in range(2):
        table = records(seed, lost)
        for k, tables in enumerate(tables_of_all(table, min_count)):
            order = [k, *(j for j in range(5) if j != k)]
            rows = by_hand(table, order, min_count)
            assert (tables.dense is None) == (cells == 0)
            assert tables.rows.sum(axis=1) == pytest.approx(np.ones(len(rows)))
            assert tables.records == int((table.codes >= 0).all(axis=1).sum())
            for budget in (1e-9, 0.5, 4.0, 60.0, 800.0, np.inf):
                expected = 0.0
                if len(rows) > 1:
                    expected = float(all_subsets(Conditionals.of(rows), budget).value[0])
                assert as_one_source(tables, budget) == pytest.approx(expected, rel=1e-12, abs=1e-300)
            again = SecretTables.of(table, order, min_count)
            np.testing.assert_allclose(tables.alone.rows, again.alone.rows, atol=1e-15)
            complete = table.with_missing("listwise")
            for place, j in enumerate(order[1:]):
                pair = complete.pair_counts().counts(k, j).astype(float)[tables.kept]
                np.testing.assert_allclose(
                    tables.alone.source(place), pair / pair.sum(axis=1)[:, None], atol=1e-15
                )


def test_combinations_of_one_secret_value_stand_together(monkeypatch):
    monkeypatch.setattr(secret_tables, "MOST_CELLS", 0)
    codes = np.random.default_rng(1).integers(0, 9, (500, 12))
    codes[:, 0] %= 2
    tables = SecretTables.of(AttributeTable(codes), range(12))
    assert tables.rows.shape == (2, 2)
    assert tables.rows.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_different_records_are_told_apart_by_many_labels():
    codes = np.random.default_rng(2).integers(0, 200, (300, 12))
    codes[150:] = codes[:150]
    found = CompleteRecords(AttributeTable(codes, [200] * 12), range(12))
    assert (len(found.codes), found.records) == (150, 300)
    for k in range(12):
        without = np.delete(found.codes, k, axis=1)
        assert len(np.unique(found.but_for(k))) == len(np.unique(without, axis=0))


def test_no_complete_record_and_none_at_all():
    for codes in ([[0, -1], [-1, 1]], np.zeros((0, 2), int)):
        table = AttributeTable(codes, [2, 2])
        found = next(tables_of_all(table))
        assert (found.records, found.kept.tolist()) == (0, [])
        assert as_one_source(found, 1.0) == 0.0
    analysis = LocalAnalysis(AttributeTable([[0, -1], [-1, 1]], [2, 2]), "GRR", 1.0)
    assert analysis.joint(0).exact.value == 1.0
