"""What a run is made from where it has to be made anew, about how long that takes, and the run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import BLOCK, StreamScript
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["RunInputs", "run_for"]

#: Seconds after which a run looks whether it is still wanted.
_LOOK = 0.1


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
    chain
        A law of other states that comes with the run; None where the states stay.
    goal
        The position to go to with the run; None where it stays.
    told
        Whether Python set it: it then reads back at once, and who asks for results waits for them.
    """

    script: StreamScript
    lanes: tuple[str, ...]
    steps: int
    known: StreamRun | None = None
    chain: MarkovChain | None = None
    goal: int | None = None
    told: bool = False
    #: As far as the run is made: who goes on with it need not begin again.
    _begun: list[StreamRun] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        held = self._reused
        steps = 0 if held is None else held.steps
        cost = {key: STREAM_MENU[key].cost(self.script.n) for key in self.lanes}
        fresh = [key for key in self.lanes if held is None or key not in held.mechanisms]
        return steps * sum(cost[key] for key in fresh) + max(0, self.steps - steps) * sum(cost.values())

    def further(self, goal: int) -> RunInputs:
        """Return the same run as far as another position; what is made of it stays."""
        return replace(self, steps=goal, goal=goal, told=True)

    @property
    def _reused(self) -> StreamRun | None:
        known = self.known
        return known if known is not None and known.script is self.script else None


def run_for(inputs: RunInputs, progress: ProgressHook | None = None) -> StreamRun:
    """Return the run of these inputs.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> script = StreamScript.of(MarkovChain.symmetric(0.9), 0.5, seed=1)
    >>> run_for(RunInputs(script, ("crr", "grr"), 40))
    StreamRun(40 steps, crr, grr)
    """
    makes = {key: STREAM_MENU[key].make for key in inputs.lanes}
    begun, known = inputs._begun, inputs._reused
    if begun:
        run = begun[0]
    elif known is not None:
        run = known.with_lanes(makes, progress)
    else:
        run = StreamRun(inputs.script, makes)
    first = run.steps
    cost = sum(STREAM_MENU[key].cost(inputs.script.n) for key in inputs.lanes)
    # Between two looks at whether it is still wanted.
    count = max(1, min(BLOCK, int(_LOOK / cost)))
    while run.steps < inputs.steps:
        run = run.extended(min(inputs.steps, run.steps + count))
        begun[:] = [run]
        if progress is not None:
            progress((run.steps - first) / (inputs.steps - first))
    return run
