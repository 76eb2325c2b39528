"""A page without a kernel computes what Python does about networks."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

from pdp_widgets import LinearQuery, MarkovChain, NetworkExplorer, lsat6
from pdp_widgets.networks import BayesianNetwork, MarkovNetwork
from tests.publish.browser_numbers import Comparison, answers

#: Parts of a view that are the page's own.
_LEFT_OUT = {"ack", "revision", "since", "disabled", "running", "stopped"}


def _pruned(value: Any) -> Any:
    if isinstance(value, dict):
        if "status" in value:
            # Several may learn as much: who is named is a matter of the order in which they are looked at.
            value = {name: part for name, part in value.items() if name not in ("known", "unknown")}
        return {name: _pruned(part) for name, part in value.items() if name not in _LEFT_OUT}
    return [_pruned(part) for part in value] if isinstance(value, list | tuple) else value


def _hours() -> NetworkExplorer:
    """A stream of two labels."""
    return NetworkExplorer(BayesianNetwork.chain(MarkovChain.symmetric(0.8), 7), show="temporal")


def _learned() -> NetworkExplorer:
    """A tree of text labels, learned from records."""
    frame = lsat6().to_dataframe().drop(columns="probability")
    return NetworkExplorer(BayesianNetwork.chow_liu(frame, weight="count"), noun="item")


def _zeros() -> NetworkExplorer:
    """A circle, two parents, three labels, and labels that cannot occur together."""
    tables = {
        "a": [0.5, 0.5],
        "b": [[0.9, 0.1, 0.0], [0.0, 0.4, 0.6]],
        "c": [[0.7, 0.3], [0.2, 0.8]],
        "d": [[[1.0, 0.0], [0.5, 0.5]], [[0.3, 0.7], [0.2, 0.8]], [[0.6, 0.4], [0.0, 1.0]]],
        "e": [[0.9, 0.1], [0.3, 0.7]],
    }
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e")]
    network = BayesianNetwork(edges, tables)
    query = LinearQuery([[0, 1], [0, 1, 2.5], [0, 1], [0, -1], [0, 2]], name="weighted")
    return NetworkExplorer(network, query)


def _markov() -> NetworkExplorer:
    return NetworkExplorer(MarkovNetwork([(["a", "b"], [[3, 1], [1, 3]]), (["b", "c"], [[2, 1], [1, 2]])]))


def _request(rng: np.random.Generator, view: Any) -> dict[str, Any]:
    """Return what a hand might set: mostly what makes sense."""
    n, kind = len(view["nodes"]), int(rng.integers(8))
    if kind == 0:
        return {"scale": [0.5, 1.0, 3.0, 0.0, math.nan][int(rng.integers(5))]}
    if kind == 1:
        return {"adversary": str(rng.choice(["none", "mine", "worst"]))}
    if kind == 2:
        return {"show": str(rng.choice(["network", "quilts", "temporal"]))}
    if kind == 3:
        return {
            "epsilon": [0.5, 1.0, 2.0, -1.0][int(rng.integers(4))],
            "radius": [None, 1][int(rng.integers(2))],
        }
    if kind == 4:
        return {"query": str(rng.choice([one["key"] for one in view["queries"]]))}
    if kind == 5:
        return {
            "goal": [0.5, 2.0][int(rng.integers(2))],
            "budgets": [float(x) for x in rng.choice([0.0, 0.1, 0.7, 1.5], n)],
        }
    target = int(rng.integers(n))
    known = sorted(int(j) for j in rng.permutation(n)[: int(rng.integers(0, 3))])
    sizes = [len(node["labels"]) for node in view["nodes"]]
    return {"target": target, "known": known, "values": [int(rng.integers(sizes[j])) for j in known]}


@pytest.mark.parametrize("make", [_hours, _learned, _zeros, _markov], ids=lambda make: make.__name__[1:])
def test_views_after_what_a_hand_sets_are_those_of_python(make: Any) -> None:
    rng = np.random.default_rng([len(make.__name__), 5])
    explorer = make()
    explorer.wait()
    first = dict(explorer._view)
    embedded = explorer._embedded()
    sent, views = [], []
    for seq in range(1, 16):
        wire = _request(rng, explorer._view) | {"origin": "a", "seq": seq, "base": explorer._view["revision"]}
        wire = {
            name: "NaN" if isinstance(one, float) and math.isnan(one) else one for name, one in wire.items()
        }
        explorer._receive(wire)
        end = time.monotonic() + 30
        while explorer._view["running"] is not None and time.monotonic() < end:
            time.sleep(0.005)
        sent.append(wire)
        views.append(dict(explorer._view))
    explorer.close()
    numbers = 0
    found = answers([["networkViews", first, embedded, sent]])[0]
    for request, answer, view in zip(sent, found, views, strict=True):
        comparison = Comparison(tolerance=1e-8)
        comparison.compare(_pruned(answer), _pruned(view))
        assert comparison.wrong == [], (request, answer["fault"], view["fault"], comparison.wrong[:6])
        numbers += comparison.numbers
    assert numbers > 500
