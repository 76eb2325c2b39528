"""Networks: exact laws, the worst adversaries, and scales of mechanisms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.sequence.temporal_leakage import carried_leakage
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.networks import NetworkAnalysis, approximate_quilts, markov_quilts, wasserstein_mechanism

__all__ = ["network_rows"]

_LIKELY, _ALTERNATING = [[0.9, 0.1], [0.1, 0.9]], [[0.2, 0.8], [0.7, 0.3]]
_FIVE = np.full((5, 5), 0.1) + 0.5 * np.eye(5)


def _random(n: int, width: int) -> BayesianNetwork:
    """Return a network each of whose tuples has up to ``width`` parents that are neighbours themselves."""
    rng = np.random.default_rng(n + width)
    cliques: list[list[int]] = [[]]
    edges, tables = [], {}
    for j in range(n):
        above = cliques[int(rng.integers(len(cliques)))]
        edges += [(f"t{p}", f"t{j}") for p in above]
        tables[f"t{j}"] = rng.dirichlet(np.ones(2), size=(2,) * len(above))
        kept = above if len(above) < width else [p for p in above if p != above[int(rng.integers(width))]]
        cliques.append(sorted([*kept, j]))
        cliques = [one for one in cliques if len(one) == min(j + 1, width)] or cliques[-1:]
    return BayesianNetwork(edges, tables)


def _analysis(network: BayesianNetwork, scale: float = 1.0) -> NetworkAnalysis:
    return NetworkAnalysis(network, LaplaceMechanism(LinearQuery.sum(network), scale))


def network_rows(largest: int) -> Iterator[Row]:
    """Measure what is asked of a network: one tuple, all of them, anyone, and how much noise."""
    full = largest >= 10
    for n, goal in ((100, 0.04), (200, 0.18), (1000, 3.9)) if full else ((20, 0.04),):
        yield _row(
            "chain, nodes: all targets knowing none",
            n,
            _analysis(BayesianNetwork.chain(_LIKELY, n)).nodes,
            goal,
        )
    n = 200 if full else 20
    yield _row("  five states", n, _analysis(BayesianNetwork.chain(_FIVE, n)).nodes, 0.7)
    for n, goal in ((100, 0.05), (200, 0.25)) if full else ((20, 0.05),):
        analysis = _analysis(BayesianNetwork.chain(_LIKELY, n))
        yield _row("chain, worst of all: bounds meet", n, analysis.worst_cases, goal)
    n = 100 if full else 20
    alternating = _analysis(BayesianNetwork.chain(_ALTERNATING, n), 0.7)
    yield _row("  bounds do not meet", n, partial(alternating.worst_cases, limit=np.inf), 6.2)
    tree = _analysis(_random(n, 1))
    yield _row("tree, one target", n, partial(tree.node, 0), 0.03)
    yield _row("  all targets", n, tree.nodes, 1.2)
    yield _row("  bound in one pass, one target", n, partial(tree.upper_bound, 0), 0.01)
    for n, width, goal in ((60, 3, 0.007), (60, 6, 0.02), (200, 3, 0.07)) if full else ((12, 3, 0.007),):
        yield _row(
            f"network of width {width}, one target", n, partial(_analysis(_random(n, width)).node, 0), goal
        )
    n = 60 if full else 12
    yield _row("  of width 3, all targets", n, _analysis(_random(n, 3)).nodes, 0.5)
    n = 100 if full else 20
    chain = BayesianNetwork.chain(_LIKELY, n)
    query = LinearQuery.sum(chain)
    yield _row("Markov quilts, exact", n, partial(markov_quilts, chain, query, 1.0), 0.25)
    yield _row("  approximate", n, partial(approximate_quilts, _LIKELY, n, 1.0), 0.005)
    for n, goal in ((100, 0.03), (200, 0.07)) if full else ((20, 0.03),):
        chain = BayesianNetwork.chain(_LIKELY, n)
        found = partial(wasserstein_mechanism, chain, LinearQuery.sum(chain), 1.0)
        yield _row("Wasserstein distances, all targets", n, found, goal)
    rows = np.random.default_rng(0).dirichlet(np.ones(50), size=50)
    yield _row("leakage carried over a step", 50, partial(carried_leakage, rows, 1.0), 0.05)
    n = 100 if full else 10
    analysis = _analysis(BayesianNetwork.chain(_LIKELY, n))
    yield _row("least scale against anyone, chain", n, partial(analysis.least_scale, 1.0, "all"), 2.8)


def _row(what: str, n: int, call: Callable[[], object], goal: float) -> Row:
    first, warm = measure(call)
    return Row(what, f"n = {n}", warm, first, most=goal)
