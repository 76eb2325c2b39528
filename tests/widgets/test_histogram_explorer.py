"""A whole histogram in the explorer, and the edges of the chosen adversary on the wire."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    HistogramQuery,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    VectorLaplaceMechanism,
    lsat6,
)
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.prior import joint_leakage
from pdp_widgets.widgets.late import enough_scale, sample_interval
from pdp_widgets.widgets.views import MOST_LINKED, edge_state

from .conftest import Ask


def chosen(explorer: PriorExplorer) -> dict[str, Any]:
    return explorer._view["results"]["chosen"]


@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_it_is_picked_by_name_and_has_its_own_exact_leakages(
    joint: JointDistribution, ask: Ask, convention: str
) -> None:
    explorer = PriorExplorer(joint, convention=convention)
    labels = {c["key"]: c["label"] for c in explorer._view["query"]["choices"]}
    assert labels["histogram"] == "Whole histogram"
    ask(explorer, query="histogram")
    bins = HistogramQuery.of_labels(joint)
    assert explorer.error is None
    assert explorer.query == bins
    mechanism = VectorLaplaceMechanism(bins, 1.0)
    assert explorer.results == HistogramAnalysis(joint, mechanism, explorer.instance, convention)
    assert (explorer._view["query"]["key"], explorer._view["promise"]) == ("histogram", 2.0)
    assert explorer._view["query"]["text"] == "2 counts among 3 tuples, each with noise of its own"
    now = chosen(explorer)
    known = [joint.names[k] for k in now["known"]]
    asked = known if convention == "sup" else dict(zip(known, explorer.instance, strict=False))
    if convention == "instance":
        asked = {joint.names[k]: explorer.instance[k] for k in now["known"]}
    alone = joint_leakage(joint, bins, 1.0, now["target"], asked, convention=convention)
    assert now["value"] == pytest.approx(float(alone), abs=1e-12)
    assert (now["mixtures"], now["attained"], now["paper"], now["links"]) == ([], None, None, [])
    assert [one["name"] for one in now["bins"]] == ["count of label 0", "count of label 1"]
    assert [one["r"] for one in now["bins"]] == pytest.approx(list(alone.r))
    if convention == "instance":
        assert [one["alone"] for one in now["bins"]] == pytest.approx([*map(float, alone.per_coordinate)])
    json.dumps(now, allow_nan=False)
    # Scale, another adversary and the way back act as for any query.
    ask(explorer, scale=2.0, target=1, known=[0])
    assert explorer.results.promise == 1.0
    assert chosen(explorer)["value"] == explorer.results.node(1, [0]).value
    ask(explorer, query="sum")
    assert isinstance(explorer.results, PriorAnalysis)
    assert chosen(explorer)["mixtures"]


def test_from_python_it_is_a_name_or_a_value(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, "histogram")
    assert explorer.query == HistogramQuery.of_labels(joint)
    explorer.query = HistogramQuery.of_labels(joint, [[0]], name="zeros")
    assert explorer._view["query"]["key"] == "given"
    assert explorer.results.promise == 1.0
    explorer.query = HistogramQuery.of_labels(joint)
    assert explorer._view["query"]["key"] == "histogram"
    assert len(explorer.to_dataframe()) == 12
    assert explorer.to_networkx().number_of_nodes() == 12
    explorer.plot()
    assert explorer.graph.value.exact.max() == explorer.results.exact.max()
    explorer.scale = 3.0
    assert explorer.graph.value.promise == pytest.approx(2 / 3)
    assert "<svg" in explorer.snapshot().svg


def test_what_a_histogram_has_not_is_said(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint, show_paper=True)
    ask(explorer, query="histogram")
    assert "for a whole histogram it has no estimate" in explorer.error
    assert not explorer.show_paper
    assert explorer.current
    assert isinstance(explorer.results, HistogramAnalysis)
    assert "not for a whole histogram" in enough_scale(explorer.results, 1.0)["why"]
    assert "not for a whole histogram" in sample_interval(explorer.results, 0, ())["why"]
    ask(explorer, query="sum")
    assert explorer.error is None


def test_one_that_takes_too_long_is_refused_and_the_last_results_stay(ask: Ask) -> None:
    many = JointDistribution.independent([np.full(10, 0.1)] * 3)
    explorer = PriorExplorer(many)
    before = explorer.results
    ask(explorer, query="histogram")
    assert "combinations of 10 released numbers take about" in explorer._view["stopped"]
    assert explorer.results is before
    more = JointDistribution(np.full(13, 1 / 13))
    assert "histogram" not in {c["key"] for c in PriorExplorer(more)._view["query"]["choices"]}


@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_the_edges_of_the_chosen_adversary_travel(joint: JointDistribution, convention: str) -> None:
    explorer = PriorExplorer(joint, target="Ann", known=["Bob"], convention=convention)
    results = explorer.results
    links = chosen(explorer)["links"]
    assert [(link["removed"], tuple(link["known"])) for link in links] == [(1, ()), (2, (1,))]
    for link in links:
        weight = results.edge(0, link["removed"], link["known"])
        assert (link["ic"], link["ir"], link["rho"]) == (
            list(weight.ic_range or ()),
            list(weight.ir_range or ()),
            weight.rho,
        )
    json.dumps(links, allow_nan=False)


def test_beyond_ten_tuples_edges_are_asked_for_in_python() -> None:
    wide = JointDistribution.independent([[0.5, 0.5]] * (MOST_LINKED + 1))
    analysis = PriorAnalysis(wide, LaplaceMechanism(LinearQuery.sum(wide), 1.0))
    assert edge_state(analysis, 0, ()) == []
    assert math.isclose(analysis.edge(0, 1).rho or 0.0, 0.0, abs_tol=1e-12)
    assert (
        len(edge_state(PriorAnalysis(lsat6(), LaplaceMechanism(LinearQuery.sum(lsat6()), 1.0)), 0, ())) == 4
    )
