"""The benchmark runs, and what it measures against is right."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import file_rows, timing
from benchmarks.alone import peak_memory
from benchmarks.cases import contributions, table_and_row
from benchmarks.references import axis_passes, literal_algorithm_1
from benchmarks.run import main
from benchmarks.timing import Row, line, measure
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.chain_rule import chain_all

MEASURED = (
    "all adversaries, exact",
    "all adversaries, exact, worst case",
    "contributions square roots",
    "one edit in Python, cell to all leakages",
    "one edit through the explorer",
    "chain rule, all nodes and edges",
    "chain rule, all known values",
    "literal Algorithm 1",
    "fast search",
    "complete paths",
    "Gaussian data",
    "calibrate, all adversaries",
    "compare_noise, all adversaries",
    "interval of one adversary, 1,000 tables",
    "intervals of all adversaries, 1,000 tables",
    "delta of all adversaries, gaussian",
    "curves of one adversary, laplace",
    "local reports, GRR",
    "local reports, OUE",
    "tables of all pairs of attributes, 40 binary",
    "all pairs, 20,000 records, any mechanism",
    "50 budgets, sorted once",
    "all pairs, 4,000 records, 2 to 41 symbols, generic",
    "one pair, any mechanism, budget 1",
    "streams of 100 users, 50 steps",
    "conditional response, with beliefs",
    "belief of one user, one release",
    "temporal leakage of 50 steps",
    "both attacks on all users",
    "one user, another budget, DPM",
    "coefficients of all pairs, scale 1",
    "exact leakage of dependent tuples, sum",
    "every set of known tuples and its values",
    "curve of coefficients that are too small",
    "one of ten values, 2,000 answers: information",
    "scale by friends, 8 x 8 cells",
    "friend model fitted to a network",
    "import pdp_widgets",
)


def test_prints_a_line_for_everything(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # All count as calls that take long, of which one is enough.
    monkeypatch.setattr(timing, "_LONG", 0.0)
    main(["--largest", "5", "--budget", "0.01"])
    printed = capsys.readouterr().out
    assert f"numpy {np.__version__}" in printed
    assert "load average" in printed
    for column_name in ("first call", "warm median", "ratio", "to what", "load"):
        assert column_name in printed
    for what in MEASURED:
        assert re.search(rf"{re.escape(what)}.* \d+(\.\d+)? (s|ms|µs)", printed), what


def test_lines_say_whether_a_goal_is_reached() -> None:
    assert re.search(
        r"5\.2 ms +13 +bare +\S+ +under 4 ms: NO$", line(Row("a", "", 5.2e-3, 0, 4e-4, "bare", 4e-3))
    )
    assert line(Row("a", "", 0.001, most=0.002)).endswith("under 2 ms: yes")
    assert line(Row("a", "", 437e6, most=5e8, unit="B")).endswith("under 500 MB: yes")
    assert line(Row("a", "", 7.0, reference=0.005, least_ratio=1000)).endswith("ratio 1,000 or more: yes")
    assert line(Row("a", "", 4.0, reference=0.005, least_ratio=1000)).endswith("ratio 1,000 or more: NO")


def test_warm_calls_are_three_at_least() -> None:
    calls = []
    first, warm = measure(lambda: calls.append(len(calls)), most=1)
    assert len(calls) == 4
    assert min(first, warm) >= 0


def test_memory_is_that_of_this_process() -> None:
    before = peak_memory()
    held = np.ones(4_000_000)
    assert before >= 10e6
    assert peak_memory() >= held.nbytes


def test_counts_the_passes_of_the_recursion() -> None:
    assert [axis_passes(n) for n in (1, 10, 12, 15, 20)] == [0, 34, 44, 59, 88]


def test_literal_algorithm_agrees_with_the_library() -> None:
    table, instance = table_and_row(4)
    y = contributions(4, "0.1 to 0.5")
    graph, leakage = literal_algorithm_1(table, y, 0.5, instance)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (32, 48)
    got = chain_all(table, y, 0.5, instance)
    assert leakage == pytest.approx(got.values.max(), abs=1e-12)
    for (target, known), value in graph.nodes(data="value"):
        assert got.values[target, column(4, target, known)] == pytest.approx(value, abs=1e-12)
    for (target, known), (_, weaker), increment in graph.edges(data="increment"):
        (forgotten,) = set(known) - set(weaker)
        at = target, column(4, target, weaker), forgotten
        assert got.increments[at] == pytest.approx(increment, abs=1e-12)


def test_files_are_measured_and_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {"_ROWS": 3000, "_DRAWN": 1000, "_LINES": 500, "_ROUNDS": 1}.items():
        monkeypatch.setattr(file_rows, name, value)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    rows = list(file_rows.file_rows(20))
    assert all(row.value > 0 for row in rows)
    assert [row.unit for row in rows].count("B") == 2
    assert not list(tmp_path.iterdir())
