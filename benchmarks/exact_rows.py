"""Exact leakage of all adversaries, for one row and in the worst case."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.cases import analysed, problem, sizes
from benchmarks.paper_rows import literal_time
from benchmarks.references import bare_additions, bare_leaves
from benchmarks.timing import Row, measure
from pdp_widgets.leakage.prior import direct, grouped
from pdp_widgets.leakage.prior.exact_all import exact_all
from pdp_widgets.leakage.prior.grouped import distinct_outputs
from pdp_widgets.leakage.prior.grouped_layout import subset_sums

__all__ = ["instance_rows", "other_contributions", "worst_case_rows"]

_GOALS = {12: 0.004, 15: 0.05, 18: 0.6, 20: 2.5}
_MEMORY = 500e6
# Measured in a process of their own, so that the peak of its memory is theirs.
_ALONE = 20
# Tuples of which one thread is compared with two.
_SHARED = 18


def instance_rows(largest: int) -> Iterator[Row]:
    """Measure all adversaries who know values of one row, contributions 0 and 1."""
    name = "all adversaries, exact"
    for n in sizes((5, 8, 10, 12, 15, 18, 20), largest):
        if n < _ALONE:
            first, warm = measure(partial(grouped.all_adversaries, *problem(n)))
        else:
            first, warm, peak = _alone(n)
        additions, leaves = bare_additions(n), bare_leaves(n)
        yield Row(name, f"n = {n}", warm, first, additions, "its additions alone", most=_GOALS.get(n))
        yield Row("", "", warm, None, additions + leaves, "additions, divisions, extremes")
        if n == 12:
            _, plain = measure(partial(direct.all_adversaries, *problem(n)))
            yield Row("  direct form, any domains", f"n = {n}", plain, None, warm, "the grouped form")
            literal = literal_time(n)
            yield Row(
                "  literal Algorithm 1 on networkx, once",
                f"n = {n}",
                literal,
                None,
                warm,
                "all adversaries, exact",
                least_ratio=1000.0,
            )
        if n == _SHARED:
            joint, mechanism = analysed(n)
            times = [measure(partial(exact_all, joint, mechanism, threads=k))[1] for k in (1, 2)]
            yield Row(
                "  on one thread", f"n = {n}", times[0], None, times[1], "the same on two", least_ratio=1.6
            )
        if n >= _ALONE:
            yield Row("  peak memory of its process", f"n = {n}", peak, most=_MEMORY, unit="B")


def _alone(n: int) -> tuple[float, float, float]:
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.alone", str(n)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    first, warm, peak = json.loads(done.stdout)
    return first, warm, peak


def worst_case_rows(largest: int) -> Iterator[Row]:
    """Measure all adversaries with the worst of all known values."""
    for n in sizes((5, 10, 12, 13), largest):
        joint, mechanism = analysed(n)
        first, warm = measure(partial(exact_all, joint, mechanism, None, "sup"))
        _, one_row = measure(partial(exact_all, joint, mechanism))
        name = "all adversaries, exact, worst case"
        goal = {12: 1.5}.get(n)
        yield Row(name, f"n = {n}", warm, first, one_row, "known values of one row", most=goal)


def other_contributions(largest: int) -> Iterator[Row]:
    """Measure all adversaries where the query takes more values."""
    for kind, chosen in (("0.1 to 0.5", (5, 10, 15)), ("square roots", (5, 8, 10))):
        for n in sizes(chosen, largest):
            table, y, scale, row = problem(n, kind)
            first, warm = measure(partial(grouped.all_adversaries, table, y, scale, row))
            values = len(distinct_outputs(subset_sums(np.array([pair[1] for pair in y]))))
            yield Row(f"  contributions {kind}, {values:,} values", f"n = {n}", warm, first)
