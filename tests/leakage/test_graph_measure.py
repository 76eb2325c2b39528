"""Graphs whose numbers are chances instead of leakages."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    WeightedHierarchicalGraph,
    lsat6,
)
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.graph_measure import GRAPH_MEASURES, GraphMeasure
from pdp_widgets.leakage.meaning.information import leakage_bounds

OTHERS = [("delta", None), ("delta", 0.3), ("advantage", None), ("posterior_vulnerability", None)]


@pytest.fixture(scope="module")
def analyses() -> list[PriorAnalysis]:
    """Tables with labels that cannot occur, for both conventions."""
    rng = np.random.default_rng(5)
    made = []
    for sizes in ((2, 2, 2), (2, 3, 2), (2, 2, 2, 2)):
        cells = rng.dirichlet(np.full(int(np.prod(sizes)), 0.6)) * (rng.random(int(np.prod(sizes))) < 0.8)
        joint = JointDistribution.normalised(cells.reshape(sizes))
        release = LaplaceMechanism(LinearQuery.sum(joint), float(rng.choice([0.5, 1.0, 2.0])))
        made += [PriorAnalysis(joint, release, convention=one) for one in ("instance", "sup")]
    return made


@pytest.mark.parametrize(("name", "epsilon"), OTHERS)
def test_the_graph_has_the_measure_and_what_the_leakages_allow(analyses, name, epsilon):
    for analysis in analyses:
        graph = analysis.graph(measure=name, epsilon=epsilon)
        at = analysis.promise if name == "delta" and epsilon is None else epsilon
        assert graph.measure == GraphMeasure(name, at)
        np.testing.assert_allclose(graph.exact, analysis.measure(name, epsilon=at), atol=1e-14)
        kept = analysis.exact <= analysis.promise
        assert (graph.exact[kept] <= graph.promise + 1e-12).all()
        assert (graph.exact <= graph.group_bound + 1e-12).all()
        # Each adversary by itself: its own leakage allows no less.
        allowed = [graph.measure.allowed(float(nats)) for nats in analysis.exact.ravel()]
        assert (graph.exact.ravel() <= np.array(allowed) + 1e-12).all()
        if name == "delta":
            # So that "above 0" is no matter of rounding.
            assert (graph.exact[analysis.exact <= at] == 0).all()


def test_a_leakage_allows_what_randomised_response_attains():
    for nats in (0.0, 0.3, 2.0, 40.0):
        bounds = leakage_bounds(nats, [0.5, 0.5])
        assert GraphMeasure("advantage").allowed(nats) == pytest.approx(bounds.advantage, abs=1e-15)
        assert GraphMeasure("delta", 0.2).allowed(nats) == pytest.approx(bounds.delta(0.2), abs=1e-15)
    assert [
        GraphMeasure(name, 0.5 if name == "delta" else None).allowed(np.inf) for name in GRAPH_MEASURES
    ] == [
        np.inf,
        1,
        1,
        1,
    ]


def test_the_measure_stays_with_the_graph():
    analysis = PriorAnalysis(lsat6(), LaplaceMechanism(LinearQuery.sum(lsat6()), 1))
    graph = analysis.graph(measure="delta", epsilon=0.5)
    assert graph.largest.exact == pytest.approx(0.239115, abs=1e-6)
    assert graph != analysis.graph()
    assert pickle.loads(pickle.dumps(graph)) == graph
    assert WeightedHierarchicalGraph.from_networkx(graph.to_networkx()) == graph
    assert (graph.to_dataframe().attrs["unit"], analysis.graph().to_dataframe().attrs["unit"]) == (
        "probability",
        "nats",
    )
    assert "nats" not in repr(graph)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"measure": "chance"}, "'posterior_vulnerability'"),
        ({"measure": "advantage", "epsilon": 0.5}, "belongs to 'delta'"),
        ({"measure": "delta", "epsilon": -1}, "0 or more"),
        ({"measure": "delta", "epsilon": np.inf}, "or None for the promise"),
        ({"measure": "delta", "limit": 1e-9}, "limit"),
    ],
)
def test_what_is_no_measure_is_refused_by_its_name(asked, said):
    analysis = PriorAnalysis(lsat6(), LaplaceMechanism(LinearQuery.sum(lsat6()), 1))
    with pytest.raises(PdpError, match=said):
        analysis.graph(**asked)
