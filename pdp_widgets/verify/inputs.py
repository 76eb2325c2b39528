"""Models and releases as the input of a case describes them, and results as cases list them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import known_of, layers
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.verify.documents import Input

__all__ = ["all_nodes", "distribution_of", "known_labels", "mechanism_of", "numbers"]

Floats = NDArray[np.float64]


def distribution_of(data: Input) -> JointDistribution:
    """Return the joint distribution of a case: a table, counts, or weights by the number of ones."""
    domains = data["domains"]
    if "counts" in data:
        return JointDistribution.from_counts(data["counts"], domains)
    if "row_weight_by_sum" in data:
        ones = np.indices([2] * len(domains)).sum(axis=0)
        return JointDistribution.normalised(np.asarray(data["row_weight_by_sum"], dtype=float)[ones], domains)
    return JointDistribution(data["table"], domains)


def mechanism_of(data: Input, distribution: JointDistribution) -> LaplaceMechanism:
    """Return the release of a case; without contributions or weights the query is the sum."""
    if "contrib" in data:
        query = LinearQuery(data["contrib"])
    elif "weights" in data:
        query = LinearQuery.weighted(distribution, data["weights"])
    else:
        query = LinearQuery.sum(distribution)
    return LaplaceMechanism(query, data["lam"])


def known_labels(data: Input) -> dict[int, Any]:
    """Return the known values of a case by tuple."""
    return dict(zip(data["known"], data["known_values"], strict=True))


def numbers(values: Any) -> Any:
    """Return an array as nested lists."""
    return np.asarray(values).tolist()


def all_nodes(values: Floats) -> dict[str, Any]:
    """Return what cases about all adversaries expect: nodes, the largest of every layer and of all."""
    n, layer_of = len(values), layers(len(values))
    return {
        "nodes": [
            [i, list(known_of(n, i, c)), float(values[i, c])]
            for i in range(n)
            for c in range(values.shape[1])
        ],
        "layer_max": [float(values[:, layer_of == layer].max()) for layer in range(1, n + 1)],
        "leakage": float(values.max()),
    }
