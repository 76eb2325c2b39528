"""The paper's estimate of an analysis on request: computed in steps, or refused with what it would take."""

from __future__ import annotations

import math

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.prior.edge_bounds import seconds_for_all_known_values
from pdp_widgets.leakage.prior.graph_size import counts
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.widgets.histogram_results import Analysis

__all__ = ["estimate", "estimate_seconds"]

#: Up to here the estimate comes within a second of being asked for.
_MOST_ESTIMATED = 16
#: Seconds and bytes of the chain rule for each entry of its array of increments.
_SECONDS, _BYTES = 6.4e-8, 24


def estimate_seconds(distribution: JointDistribution, convention: str) -> float:
    """Return about how long the estimate takes; 0 where it is refused at once."""
    n = distribution.n_tuples
    if n > _MOST_ESTIMATED:
        return 0.0
    seconds = _SECONDS * n * counts(n).nodes
    return seconds + (seconds_for_all_known_values(distribution.shape) if convention == "sup" else 0.0)


def estimate(analysis: Analysis, progress: ProgressHook | None = None, *, longest: float = math.inf) -> None:
    """Compute the paper's estimate, unless it is there already: ``analysis.paper`` then costs nothing.

    Parameters
    ----------
    analysis
        What the estimate belongs to.
    progress
        Called now and then with the share done. What it raises cancels.
    longest
        Refuse what takes longer than this many seconds.

    Raises
    ------
    LimitError
        Computing it would take long, or much memory.
    """
    if analysis.has_paper:
        return
    n = analysis.distribution.n_tuples
    if n > _MOST_ESTIMATED:
        entries = n * counts(n).nodes
        raise LimitError(
            f"The paper's estimate for {n} tuples takes about {entries * _SECONDS:.1f} s and "
            f"{entries * _BYTES / 1e6:,.0f} MB; on request it is shown up to {_MOST_ESTIMATED} "
            "tuples. Where that is acceptable, give the graph with it: "
            "WHGGraph(analysis.graph(with_paper=True)).",
            Where("parameter", name="show_paper"),
        )
    seconds = estimate_seconds(analysis.distribution, analysis.convention)
    if seconds > longest:
        raise LimitError(
            f"The paper's estimate for these {n} tuples takes about {seconds:.1f} s, and the kernel would "
            "answer nobody meanwhile. Where that is acceptable, give the graph with it: "
            "WHGGraph(analysis.graph(with_paper=True)).",
            Where("parameter", name="show_paper"),
        )
    analysis.compute_paper(progress)
