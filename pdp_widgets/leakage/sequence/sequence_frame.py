"""The steps of an analysed stream as a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.leakage.result_frames import as_dataframe
from pdp_widgets.leakage.sequence.composition import best_bounds

if TYPE_CHECKING:
    from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis

__all__ = ["sequence_frame"]


def sequence_frame(analysis: SequenceAnalysis, promised: str) -> Any:
    """Return one row for each step, see `SequenceAnalysis.to_dataframe`.

    Parameters
    ----------
    analysis
        The results.
    promised
        The status of the sum of promises: a bound only where every step keeps its own.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, SequenceAnalysis
    >>> analysis = SequenceAnalysis(MarkovChain.symmetric(0.9), "crr_balanced", 3, epsilon=0.5)
    >>> sequence_frame(analysis, "bound")["promised so far"].tolist()
    [0.5, 1.0, 1.5]
    """
    result, steps = analysis.result, analysis.steps
    achieved = best_bounds(result.per_step, analysis.delta)
    columns: dict[str, Any] = {
        "step": np.arange(1, analysis.n_steps + 1),
        "promised": steps.promised,
        "leakage": steps.worst,
        "expected leakage": steps.expected,
        "chance above promise": steps.broken,
        "LDP level": steps.local,
        "error": steps.error,
        "information": steps.information,
        "leakage so far": result.so_far,
        "composed so far": result.composed_so_far,
        "linear so far": achieved["linear"],
        "advanced so far": achieved["advanced"],
        "best so far": achieved["best"],
        "promised so far": np.cumsum(steps.promised),
    }
    exact = ("leakage", "expected leakage", "LDP level", "leakage so far")
    bounds = ("composed so far", "linear so far", "advanced so far", "best so far")
    status = dict.fromkeys(exact, "exact") | dict.fromkeys(bounds, "bound") | {"promised so far": promised}
    attrs = {"unit": "nats", "source": result.leakage.source, "status": status, "delta": analysis.delta}
    return as_dataframe(columns, attrs)
