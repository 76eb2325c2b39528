"""A whole histogram in an explorer: several numbers are released, and no curve over one can show them."""

from __future__ import annotations

from typing import Any, TypeAlias

from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.mechanisms.vector_laplace import VectorLaplaceMechanism
from pdp_widgets.widgets.wire import label_texts

__all__ = [
    "NO_CALIBRATION",
    "NO_INTERVAL",
    "Analysis",
    "Query",
    "Release",
    "histogram_chosen_state",
    "release_of",
]

Query: TypeAlias = LinearQuery | HistogramQuery
Release: TypeAlias = LaplaceMechanism | VectorLaplaceMechanism
Analysis: TypeAlias = PriorAnalysis | HistogramAnalysis

#: Why a number that comes late does not come.
NO_CALIBRATION = "The least scale is computed for one released number, not for a whole histogram."
NO_INTERVAL = "Intervals are computed for one released number, not for a whole histogram."


def release_of(query: Query, scale: float) -> Release:
    """Return the release of a query: of one number, or of all bins of a histogram."""
    if isinstance(query, HistogramQuery):
        return VectorLaplaceMechanism(query, scale)
    return LaplaceMechanism(query, scale)


def histogram_chosen_state(
    analysis: HistogramAnalysis, target: int, known: tuple[int, ...]
) -> dict[str, Any]:
    """Return one adversary as the browser draws it: as for one number, with bins instead of densities."""
    distribution = analysis.distribution
    found = analysis.release(target, known)
    row = list(analysis.instance_positions)
    positions = analysis.known_positions(target, known)
    for k, position in positions.items():
        row[k] = position
    labels = {k: distribution.domains[k][p] for k, p in positions.items()}
    one = PriorAdversary(distribution, analysis.mechanism.coordinates[0], target, labels)
    names = label_texts(query.name for query in analysis.mechanism.queries)
    reached = found.r or (None,) * len(names)
    return {
        "target": target,
        "known": known,
        "instance": tuple(row),
        "value": float(analysis.exact[target, column(distribution.n_tuples, target, known)]),
        "determined": found.leakage.determined,
        "paper": None,
        "group_bound": analysis.group_bound(target, known).value,
        "promise": analysis.promise,
        "attained": None,
        "prior": one.prior.tolist(),
        "mixtures": [],
        "grouped": None,
        "edges": [],
        "links": [],
        "bins": [
            {"name": name, "alone": float(alone), "r": r}
            for name, alone, r in zip(names, found.per_coordinate, reached, strict=True)
        ],
        "support": one.support,
    }
