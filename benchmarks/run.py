"""Print a table of measured times.

Run ``python -m benchmarks`` (or ``python benchmarks/run.py``) in the root of the project. Times are medians
of warm calls with BLAS on one thread; the first call, which makes the working arrays, stands apart. The time
from a keystroke to the new number on screen needs a browser and is measured by ``benchmarks/keystroke.py``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import timing
from benchmarks.references import bare_additions, bare_leaves, literal_chain_rule
from benchmarks.timing import Row, headline, line, measure
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior import direct, grouped
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.chain_rule import chain_all
from pdp_widgets.leakage.prior.grouped_layout import subset_sums
from pdp_widgets.leakage.prior.grouped_outputs import distinct_outputs
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.editing import set_cell
from pdp_widgets.models.joint_distribution import JointDistribution

GOALS = {10: 0.002, 12: 0.005, 15: 0.06}


def case(n: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """Return a random binary table and its most probable row."""
    table = np.random.default_rng(n).dirichlet(np.ones(2**n)).reshape((2,) * n)
    return table, tuple(int(x) for x in np.unravel_index(table.argmax(), table.shape))


def sizes(wanted: tuple[int, ...], largest: int) -> list[int]:
    """Return the sizes up to the largest one asked for."""
    return [n for n in wanted if n <= largest]


def contributions(n: int, kind: str) -> list[np.ndarray]:
    """Return contributions on the unit lattice, on a wider one, or on none."""
    steps = {
        "0/1": [1.0] * n,
        "0.1 to 0.5": [0.1 * (1 + j % 5) for j in range(n)],
        "square roots": [(j + 1) ** 0.5 for j in range(n)],
    }[kind]
    return [np.array([0.0, step]) for step in steps]


def exact_rows(largest: int) -> Iterator[Row]:
    """Measure all adversaries, exact."""
    for n in sizes((5, 8, 10, 12, 15), largest):
        table, instance = case(n)
        problem = (table, contributions(n, "0/1"), 1.0, instance)
        first, warm = measure(partial(grouped.all_adversaries, *problem))
        additions, leaves = bare_additions(n), bare_leaves(n)
        name = "all adversaries, exact, 0/1"
        yield Row(name, f"n = {n}", warm, first, additions, "its additions alone", GOALS.get(n))
        yield Row("", "", warm, None, additions + leaves, "additions, divisions, extremes")
        _, plain = measure(partial(direct.all_adversaries, *problem))
        yield Row("  direct form, any domains", f"n = {n}", plain, None, warm, "the grouped form")


def other_contributions(largest: int) -> Iterator[Row]:
    """Measure all adversaries where the query takes more values."""
    for kind, chosen in (("0.1 to 0.5", (10, 12, 15)), ("square roots", (8, 10, 12))):
        for n in sizes(chosen, largest):
            table, instance = case(n)
            y = contributions(n, kind)
            first, warm = measure(partial(grouped.all_adversaries, table, y, 1.0, instance))
            values = len(distinct_outputs(subset_sums(np.array([pair[1] for pair in y]))))
            yield Row(f"all adversaries, exact, {kind} ({values} values)", f"n = {n}", warm, first)


def chain_rows(largest: int) -> Iterator[Row]:
    """Measure the paper's chain rule, and once its literal form."""
    for n in sizes((5, 8, 10, 12, 15), largest):
        table, instance = case(n)
        problem = (table, contributions(n, "0/1"), 1.0, instance)
        first, warm = measure(partial(chain_all, *problem))
        _, exact = measure(partial(grouped.all_adversaries, *problem))
        yield Row("chain rule, all nodes and edges", f"n = {n}", warm, first, exact, "exact leakage")
        if n == 8:
            _, literal = measure(partial(literal_chain_rule, *problem))
            _, expected = literal_chain_rule(*problem)
            values = chain_all(*problem).values
            for (i, known), value in expected.items():
                if abs(values[i, column(n, i, known)] - value) > 1e-10:
                    raise SystemExit(f"The two chain rules differ for target {i}, knowing {sorted(known)}.")
            yield Row("  literal Algorithm 1 on networkx", f"n = {n}", literal, None, warm, "chain_all")


class Editor:
    """Somebody who halves the same cell again and again."""

    def __init__(self, n: int) -> None:
        self.entries = case(n)[0]

    def edit(self) -> None:
        """Change the cell; the others are rescaled."""
        self.entries = set_cell(self.entries, 1, 0.5 * float(self.entries.flat[1]) + 1e-6)

    def look(self) -> None:
        """Edit, check the table, compute all adversaries, read the largest leakage."""
        self.edit()
        joint = JointDistribution(self.entries)
        float(PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0)).largest)


class ExplorerEditor(Editor):
    """The same person in a browser: requests in, views out; the messages themselves are not counted."""

    def __init__(self, n: int) -> None:
        from pdp_widgets.widgets.prior_explorer import PriorExplorer

        super().__init__(n)
        self.explorer = PriorExplorer(JointDistribution(self.entries))
        view = self.explorer._view
        kept = ("scale", "instance", "target", "known", "show_paper", "threshold")
        self.request = {key: view[key] for key in kept}
        self.request |= {key: view["table"][key] for key in ("locks", "keep_sum", "rows", "columns")}
        self.number = 0

    def look(self) -> None:
        """Edit, ask, and make sure that the answer is the one to this edit."""
        self.edit()
        self.number += 1
        sent = {"origin": "benchmark", "seq": self.number, "entries": self.entries.tobytes()}
        self.explorer.set_state({"_request": self.request | sent})
        view = self.explorer._view
        if view["ack"]["seq"] != self.number or view["fault"] or not view["current"]:
            raise SystemExit(f"The explorer did not take the edit: {view['fault']}")


def editing_rows(largest: int) -> Iterator[Row]:
    """Measure one edit, without and with the explorer."""
    for n in sizes((5, 10, 12, 15), largest):
        first, warm = measure(Editor(n).look)
        yield Row("one edit in Python, cell to largest leakage", f"n = {n}", warm, first)
    for n in sizes((5, 10), largest):
        first, warm = measure(ExplorerEditor(n).look)
        yield Row("one edit through the explorer, request to view", f"n = {n}", warm, first)


def import_row() -> Row:
    """Measure ``import pdp_widgets`` in fresh interpreters."""
    code = "import time; start = time.perf_counter(); import pdp_widgets; print(time.perf_counter() - start)"
    root = Path(__file__).resolve().parent.parent
    times = [
        float(
            subprocess.run(
                [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(5)
    ]
    return Row("import pdp_widgets", "", sorted(times)[2], times[0], target=0.15)


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=15, help="largest number of tuples (default 15)")
    parser.add_argument("--blas-threads", type=int, default=1, help="threads of BLAS; 0 leaves its default")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for each median (default 1)")
    options = parser.parse_args(arguments)
    timing.budget = options.budget
    threads = options.blas_threads or None
    print(headline(f"{threads} thread{'s' * (threads != 1)}" if threads else "its default threads"))
    with threadpool_limits(threads, user_api="blas"):
        for rows in (exact_rows, other_contributions, chain_rows, editing_rows):
            for row in rows(options.largest):
                print(line(row), flush=True)
    print(line(import_row()))


if __name__ == "__main__":
    main()
