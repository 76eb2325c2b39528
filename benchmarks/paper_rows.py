"""The paper's estimates: chain rule, fast search, complete paths, and Algorithm 1 as it is printed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter

from benchmarks.cases import problem, sizes
from benchmarks.references import literal_algorithm_1
from benchmarks.timing import Row, measure
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior import grouped
from pdp_widgets.leakage.prior.chain_rule import chain_all
from pdp_widgets.leakage.prior.path_search import complete_path_minimum, fast_search

__all__ = ["chain_rows", "literal_time", "search_rows"]


def literal_time(n: int) -> float:
    """Return how long one run of the literal algorithm takes; its values must be those of `chain_all`."""
    arguments = problem(n)
    start = perf_counter()
    graph, leakage = literal_algorithm_1(*arguments)
    taken = perf_counter() - start
    values = chain_all(*arguments).values
    worst = max(abs(values[i, column(n, i, known)] - v) for (i, known), v in graph.nodes(data="value"))
    if worst > 1e-10 or abs(leakage - values.max()) > 1e-10:
        raise SystemExit(f"The literal algorithm and chain_all differ by {worst:.3g} nats for {n} tuples.")
    return taken


def chain_rows(largest: int) -> Iterator[Row]:
    """Measure the chain rule on the whole graph, in both conventions."""
    for n in sizes((5, 10, 12, 15), largest):
        first, warm = measure(partial(chain_all, *problem(n)))
        _, exact = measure(partial(grouped.all_adversaries, *problem(n)))
        yield Row("chain rule, all nodes and edges", f"n = {n}", warm, first, exact, "all adversaries, exact")
        if n == 5:
            literal = literal_time(n)
            yield Row(
                "  literal Algorithm 1 on networkx, once", f"n = {n}", literal, None, warm, "chain rule"
            )
    for n in sizes((5, 10, 12), largest):
        table, y, scale, _ = problem(n)
        first, warm = measure(partial(chain_all, table, y, scale, None, "sup"))
        yield Row("chain rule, all known values", f"n = {n}", warm, first)


def search_rows(largest: int) -> Iterator[Row]:
    """Measure fast search, and the smallest estimate over complete paths to one adversary."""
    for n in sizes((5, 10, 15, 20), largest):
        first, warm = measure(partial(fast_search, *problem(n)))
        yield Row("fast search", f"n = {n}", warm, first)
    for n in sizes((5, 10), largest):
        first, warm = measure(partial(complete_path_minimum, *problem(n), 0, ()))
        yield Row("complete paths to one adversary", f"n = {n}", warm, first)
