"""The benchmark runs, and what it measures against is right."""

from __future__ import annotations

import re

import numpy as np
import pytest

from benchmarks.references import axis_passes, literal_chain_rule
from benchmarks.run import case, contributions, main
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.chain_rule import chain_all


def test_prints_a_line_for_everything(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--largest", "5", "--budget", "0.01"])
    printed = capsys.readouterr().out
    assert f"numpy {np.__version__}" in printed
    assert "load average" in printed
    for what in ("exact, 0/1", "direct form", "chain rule", "in Python", "explorer", "import pdp_widgets"):
        assert re.search(rf"{re.escape(what)}.* \d+(\.\d+)? (s|ms|µs)", printed), what


def test_counts_the_passes_of_the_recursion() -> None:
    assert [axis_passes(n) for n in (1, 10, 12, 15, 20)] == [0, 34, 44, 59, 88]


def test_literal_algorithm_agrees_with_the_library() -> None:
    table, instance = case(4)
    y = contributions(4, "0.1 to 0.5")
    graph, values = literal_chain_rule(table, y, 0.5, instance)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (32, 48)
    got = chain_all(table, y, 0.5, instance).values
    for (target, known), value in values.items():
        assert got[target, column(4, target, known)] == pytest.approx(value, abs=1e-12)
