"""What a run is made from where it has to be made anew, about how long that takes, and the run."""

from __future__ import annotations

from dataclasses import dataclass

from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import StreamScript

__all__ = ["RunInputs", "run_for"]


@dataclass(frozen=True, eq=False)
class RunInputs:
    """What a run is made from, where it has to be made anew.

    Parameters
    ----------
    script
        Chains, budgets, seed and distance.
    lanes
        Keys of the mechanisms.
    steps
        How many there are to be.
    known
        A run whose steps may be used as far as they are of the same script.
    """

    script: StreamScript
    lanes: tuple[str, ...]
    steps: int
    known: StreamRun | None = None

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        held = () if self._reused is None else self._reused.mechanisms
        fresh = [key for key in self.lanes if key not in held]
        return self.steps * sum(STREAM_MENU[key].cost(self.script.n) for key in fresh)

    @property
    def _reused(self) -> StreamRun | None:
        known = self.known
        return known if known is not None and known.script is self.script else None


def run_for(inputs: RunInputs, progress: ProgressHook | None = None) -> StreamRun:
    """Return the run of these inputs."""
    makes = {key: STREAM_MENU[key].make for key in inputs.lanes}
    if inputs._reused is not None:
        return inputs._reused.with_lanes(makes, progress)
    return StreamRun(inputs.script, makes).extended(inputs.steps, progress)
