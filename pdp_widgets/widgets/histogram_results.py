"""Results that are no curve or come on request: a whole histogram, and the paper's estimate."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.edge_bounds import seconds_for_all_known_values
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.prior.graph import counts
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from pdp_widgets.mechanisms.laplace import LaplaceMechanism, VectorLaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.widgets.wire import label_texts

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


#: Up to here the estimate comes within a second of being asked for.
_MOST_ESTIMATED = 16
#: Seconds and bytes of the chain rule for each entry of its array of increments.
_SECONDS, _BYTES = 6.4e-8, 24

#: Said in Python alone.
_WITH_IT = "Where that is acceptable, give the graph with it: WHGGraph(analysis.graph(with_paper=True))."


def estimate_seconds(distribution: JointDistribution, convention: str) -> float:
    """Return about how long the estimate takes; 0 where it is refused at once."""
    n = distribution.n_tuples
    if n > _MOST_ESTIMATED:
        return 0.0
    seconds = _SECONDS * n * counts(n).nodes
    return seconds + (seconds_for_all_known_values(distribution.shape) if convention == "sup" else 0.0)


def estimate(analysis: Analysis, progress: ProgressHook | None = None, *, longest: float = math.inf) -> None:
    """Compute the paper's estimate, unless it is there already: ``analysis.paper`` then costs nothing."""
    if analysis.has_paper:
        return
    n = analysis.distribution.n_tuples
    if n > _MOST_ESTIMATED:
        entries = n * counts(n).nodes
        raise LimitError(
            f"The paper's estimate for {n} tuples takes about {entries * _SECONDS:.1f} s and "
            f"{entries * _BYTES / 1e6:,.0f} MB; on request it is shown up to {_MOST_ESTIMATED} "
            "tuples.",
            Where("parameter", name="show_paper"),
            call=_WITH_IT,
        )
    seconds = estimate_seconds(analysis.distribution, analysis.convention)
    if seconds > longest:
        raise LimitError(
            f"The paper's estimate for these {n} tuples takes about {seconds:.1f} s, and the kernel would "
            "answer nobody meanwhile.",
            Where("parameter", name="show_paper"),
            call=_WITH_IT,
        )
    analysis.compute_paper(progress, limit=longest)
