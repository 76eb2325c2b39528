"""What a browser shows of a prior explorer, and what a page without a kernel needs beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.widgets.prior_state import PriorState
from pdp_widgets.widgets.views import results_state

#: What a page computes at a hand's pace and what has room in it: tests/data/page-limits.json, for both sides.
_MOST_TUPLES, _MOST_CELLS = 14, 16_384
#: A graph has n * 2**(n-1) values: 196 kB for 12 tuples.
_MOST_TUPLES_HELD = 12


def query_needed(query: LinearQuery | HistogramQuery, key: str) -> dict[str, Any]:
    """Return a query as a page picks it: the text of labels does not tell what they contribute."""
    if isinstance(query, HistogramQuery):
        return {"queries": {key: {"name": query.name, "bins": [_sent(one) for one in query]}}}
    return {"queries": {key: _sent(query)}}


def _sent(query: LinearQuery) -> dict[str, Any]:
    contributions = [values.tolist() for values in query.contributions]
    return {"name": query.name, "contributions": contributions}


def cells_needed(distribution: JointDistribution) -> dict[str, Any]:
    """Return all cells of a table that a view shows in a few numbers; nothing where they are too many."""
    if distribution.n_tuples > _MOST_TUPLES or distribution.table.size > _MOST_CELLS:
        return {}
    return {"cells": _bytes(distribution.table)}


def graph_needed(graph: WeightedHierarchicalGraph) -> dict[str, Any]:
    """Return all values of a graph of which a view holds answers only; nothing where they are too many."""
    if graph.n_tuples > _MOST_TUPLES_HELD:
        return {}
    made: dict[str, Any] = {"exact": _bytes(graph.exact)}
    if graph.determined.any():
        made["determined"] = np.ascontiguousarray(graph.determined, dtype=np.uint8).tobytes()
    if graph.paper is not None:
        made["paper"] = _bytes(graph.paper)
    return made


def _bytes(values: Any) -> bytes:
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def prior_shown(core: PriorState, disabled: bool) -> dict[str, Any]:
    """Return what the browser shows of a state."""
    awaited, late = core.awaited, core.late()
    return {
        "table": core.edits.state(disabled),
        "query": core.release.state(core.edits.distribution, core.asked["noun"]),
        **core.controls,
        "promise": (core.solved if awaited is None else awaited).inputs.mechanism.promise,
        "instance": core.asked_row,
        "target": core.target,
        "known": core.known,
        "automatic": core.automatic,
        "search": core.search.state(),
        "caution": core.edits.distribution.caution,
        **core.wait_state,
        "cost": "" if awaited is None else awaited.cost,
        "results": results_state(
            core.results,
            core.solved.view,
            core.solved.coloured,
            core.solved.chosen(core.target, core.known, core.paper_shown),
            core.target,
            core.known,
            core.search,
            core.asked["threshold"],
            show_paper=core.paper_shown,
        ),
        "late": {"enough": late.enough, "sample": late.sample},
    }
