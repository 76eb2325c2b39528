"""What a page answers about more tuples than are drawn whole is what Python answers."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from pdp_widgets import GaussianExplorer, GaussianModel, JointDistribution, PriorExplorer, WHGGraph
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.publish.page_state import VIEW_TYPE
from pdp_widgets.widgets.graph_digest import GraphDigest, digest_state
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.prior_views import cells_needed
from tests.publish.browser_numbers import Comparison, answers

N = 12
SEARCHES = [
    Search(),
    Search(first=30),
    Search(down=False, first=1_000_000),
    Search(by="known", about=3),
    Search(by="about", unknown=4, knows=(2, 5), lacks=(7,)),
    Search(above=True, lacks=(0, 11)),
    Search(by="difference"),
    Search(by="difference", only="low", first=20),
    Search(only="high", unknown=6),
    Search(knows=(0, 1, 2), unknown=12),
]


def table(n: int, seed: int = 7) -> JointDistribution:
    """Bits that are correlated; every row can occur, and no two adversaries learn the same."""
    rng = np.random.default_rng(seed)
    cells = rng.random((2,) * n) + 0.05
    for axis in range(n - 1):
        along = np.moveaxis(cells, (axis, axis + 1), (0, 1))
        along[0, 0] *= 1.6
        along[1, 1] *= 1.3
    return JointDistribution.normalised(cells, names=[f"q{j + 1}" for j in range(n)])


def followed(explorer: Any, requests: list[dict[str, Any]]) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """Return the first view, the requests as they were sent, and Python's views once it has computed."""
    first = dict(explorer._view)
    sent, views = [], []
    for seq, request in enumerate(requests, 1):
        stamped = request | {"origin": "a", "seq": seq, "base": explorer._view["revision"]}
        explorer._receive(stamped)
        end = time.monotonic() + 60
        while explorer._view["running"] is not None and time.monotonic() < end:
            time.sleep(0.01)
        sent.append(stamped | {"base": first["since"]})
        views.append(dict(explorer._view))
    explorer.close()
    return first, sent, views


def compared(answer: dict[str, Any], view: dict[str, Any]) -> Comparison:
    """Compare what two views show of the results."""
    comparison = Comparison(tolerance=1e-9)
    for name in ("target", "known", "scale", "threshold", "current", "fault", "search", "results"):
        if name in view:
            comparison.compare(_common(answer[name]), _common(view[name]), name)
    return comparison


def _common(part: Any) -> Any:
    """Return what both sides have; a leakage at the edge of a bin may fall into either of two by rounding.

    Python draws very many centres as fewer groups of them, and the values of single edges are its own.
    """
    if isinstance(part, dict):
        left_out = ("counts", "links", "mixtures", "grouped")
        return {name: _common(value) for name, value in part.items() if name not in left_out}
    return [_common(value) for value in part] if isinstance(part, list | tuple) else part


def test_questions_about_a_graph_have_the_answers_of_python():
    rng = np.random.default_rng(3)
    shape = (N, 1 << (N - 1))
    exact = rng.gamma(4.0, 0.3, shape)
    determined = rng.random(shape) < 0.05
    paper = np.maximum(exact + np.where(rng.random(shape) < 0.3, 0.0, rng.normal(0, 0.1, shape)), 0.0)
    asked = [((k * 5) % N, tuple(sorted({1, 4, k} - {(k * 5) % N})), s) for k, s in enumerate(SEARCHES)]
    for estimates in (None, paper):
        exact_ = np.where(determined, 0.0, exact)
        graph = WeightedHierarchicalGraph(
            [f"x{k}" for k in range(N)],
            exact_,
            promise=1.0,
            determined=determined,
            paper=estimates,
            group_bound=float(N),
        )
        digest = GraphDigest(graph)
        lines = [None, 0.7, 2.25]
        expected = [digest_state(digest, t, k, s, lines[j % 3]) for j, (t, k, s) in enumerate(asked)]
        sent = {
            "names": list(graph.names),
            "promise": 1.0,
            "groupBound": float(N),
            "exact": graph.exact.ravel(),
            "paper": None if estimates is None else estimates.ravel(),
            "determined": determined.astype(int).ravel(),
        }
        questions = [
            {"target": t, "known": k, "search": s.state(), "threshold": lines[j % 3]}
            for j, (t, k, s) in enumerate(asked)
        ]
        (found,) = answers([["digests", sent, questions]])
        comparison = Comparison(tolerance=1e-12)
        for answer, state in zip(found, expected, strict=True):
            comparison.compare(answer, state)
        assert comparison.wrong == []
        assert comparison.numbers > 5_000


def test_a_table_of_twelve_tuples_is_explored_in_a_page_as_with_a_kernel():
    joint = table(N)
    # All different: the best informed adversaries learn as much as their weight.
    weights = [0.75 + 0.25 * k for k in range(N)]
    first, sent, views = followed(
        PriorExplorer(joint, query=weights),
        [
            {"target": 4, "known": [0, 2, 9]},
            {"scale": 3.5},
            {"threshold": 1.25},
            {"search": Search(by="known", knows=(1,), first=20).state()},
            {"known": [0, 2, 9, 11], "search": Search(above=True).state()},
            {"instance": [1] * N, "convention": "instance"},
            {"scale": -1.0},
            {"scale": 0.25, "show_paper": True},
        ],
    )
    (found,) = answers([["largePriorViews", first, sent, cells_needed(joint)["cells"]]])
    for number, (answer, view) in enumerate(zip(found, views, strict=True)):
        comparison = compared(answer, view)
        assert comparison.wrong == [], number
        assert comparison.numbers > 200
        assert answer["results"]["graph"] is None
    assert [view["fault"] is not None for view in views] == [False] * 6 + [True, False]


@pytest.mark.parametrize(("n", "refused"), [(11, False), (12, True)])
def test_chances_of_many_adversaries_come_in_a_page_or_are_refused(n, refused):
    joint = table(n)
    first, sent, views = followed(
        PriorExplorer(joint),
        [{"measure": "delta", "measure_epsilon": 0.5, "search": Search(above=True, first=20).state()}],
    )
    (found,) = answers([["largePriorViews", first, sent, cells_needed(joint)["cells"]]])
    if refused:
        assert found[0]["fault"]["where"]["name"] == "measure"
        assert (found[0]["measure"], "measure" in found[0]["results"]["digest"]) == ("leakage", False)
    else:
        assert compared(found[0], views[0]).wrong == []
        assert found[0]["results"]["digest"]["measure"] == {"name": "delta", "epsilon": 0.5}


def test_gaussian_data_of_twelve_tuples_are_explored_in_a_page_as_with_a_kernel():
    rng = np.random.default_rng(11)
    spread = rng.normal(size=(N, 2 * N))
    model = GaussianModel(rng.normal(size=N), spread @ spread.T / N)
    first, sent, views = followed(
        GaussianExplorer(model),
        [
            {"target": 7, "known": [1, 3]},
            {"scale": 0.5, "search": Search(by="about", unknown=3).state()},
            {"query": "mean", "max_change": 2.0},
            {"threshold": 0.5, "search": Search(above=True, first=40).state()},
        ],
    )
    (found,) = answers([["largeGaussianViews", first, sent]])
    for answer, view in zip(found, views, strict=True):
        comparison = compared(answer, view)
        assert comparison.wrong == []
        assert comparison.numbers > 200


@pytest.mark.parametrize(("n", "held"), [(10, False), (11, True), (14, True), (15, False)])
def test_cells_are_embedded_where_a_page_can_compute_with_them(n, held):
    state = PriorExplorer(JointDistribution(np.full((2,) * n, 2.0**-n))).saved_outputs()[VIEW_TYPE]
    assert ("cells" in state["embedded"]) is held


@pytest.mark.parametrize(("n", "held"), [(5, False), (12, True), (13, False)])
def test_the_values_of_a_graph_are_embedded_where_they_have_room(n, held):
    state = WHGGraph(GaussianExplorer(GaussianModel.equicorrelated(n, 0.2)).results).saved_outputs()[
        VIEW_TYPE
    ]
    assert ("exact" in state.get("embedded", {})) is held
