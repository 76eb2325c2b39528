"""What a browser shows of a prior explorer: its inputs as they stand, and the results there are."""

from __future__ import annotations

from typing import Any

from pdp_widgets.widgets.prior_state import PriorState
from pdp_widgets.widgets.views import results_state

__all__ = ["prior_shown"]


def prior_shown(core: PriorState, disabled: bool) -> dict[str, Any]:
    """Return what the browser shows of a state.

    Parameters
    ----------
    core
        Inputs and results.
    disabled
        Whether nothing can be edited.
    """
    awaited, running, late = core.awaited, core.running, core.late()
    return {
        "table": core.edits.state(disabled),
        "query": core.release.state(core.edits.distribution, core.noun),
        "scale": core.asked_scale,
        "promise": (core.solved if awaited is None else awaited).inputs.mechanism.promise,
        "instance": core.asked_row,
        "convention": core.asked_convention,
        "target": core.target,
        "known": core.known,
        "automatic": core.automatic,
        "show_paper": core.show_paper,
        "threshold": core.threshold,
        "goal": core.goal,
        "search": core.search.state(),
        "caution": core.edits.distribution.caution,
        "current": core.fault is None and (awaited is None or not awaited.stopped),
        "running": None
        if running is None
        else {"number": running.number, "paper": running.inputs.same_model(core.solved.inputs)},
        "stopped": awaited.stopped if awaited is not None and awaited.stopped else None,
        "kept": "" if awaited is None else awaited.kept,
        "results": results_state(
            core.results,
            core.solved.view,
            core.solved.chosen(core.target, core.known, core.paper_shown),
            core.target,
            core.known,
            core.search,
            core.threshold,
            show_paper=core.paper_shown,
        ),
        "late": {"enough": late.enough, "sample": late.sample},
    }
