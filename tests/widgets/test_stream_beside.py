"""Long runs of a stream simulator: set from Python made beside the kernel, and the last edit wins."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pdp_widgets import LimitError, MarkovChain, StreamError, StreamSimulator
from pdp_widgets.streams import StreamRun
from pdp_widgets.widgets import stream_held_run
from pdp_widgets.widgets.base import LOCK
from pdp_widgets.widgets.stream_held_run import RunInputs
from pdp_widgets.widgets.wire import float_bytes

from .conftest import Ask
from .own_loop import run

CHAIN, OTHER = MarkovChain.symmetric(0.9), MarkovChain.symmetric(0.6)
THREE = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]], states=["dry", "drizzle", "rain"])
LANES = ("crr", "grr")
ROOT = Path(__file__).parents[2]
#: Just long enough not to be made at once, as 1,100 steps are outside of these tests.
STEPS, LONG = 220, 0.02


@pytest.fixture
def sim(monkeypatch: pytest.MonkeyPatch) -> StreamSimulator:
    monkeypatch.setattr(stream_held_run, "LONG", LONG)
    return StreamSimulator(CHAIN, 0.5, LANES, rng=1, steps=STEPS)


def same(sim: StreamSimulator, run: StreamRun) -> bool:
    return bool(sim.to_dataframe().equals(run.to_dataframe()))


def run_of(
    seed: int, *, chain: MarkovChain = CHAIN, lanes: Any = LANES, steps: int = STEPS, distance: Any = None
) -> StreamRun:
    return StreamRun.of(chain, 0.5, lanes, steps, seed=seed, distance=distance)


def numbers(values: Any) -> memoryview:
    return memoryview(float_bytes(np.asarray(values, dtype=float)))


def say(sim: StreamSimulator, content: Any) -> None:
    sim.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def wait_for(done: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


SETTINGS: dict[str, tuple[Any, Callable[[], StreamRun]]] = {
    "seed": (7, lambda: run_of(7)),
    "lanes": (("crr_balanced", "crr"), lambda: run_of(1, lanes=("crr_balanced", "crr"))),
    "distance": ("histogram", lambda: run_of(1, distance="histogram")),
    "value": (THREE, lambda: run_of(1, chain=THREE)),
    "position": (2 * STEPS, lambda: run_of(1, steps=2 * STEPS)),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_reads_back_at_once_and_its_run_comes_beside(sim: StreamSimulator, name: str) -> None:
    value, expected = SETTINGS[name]
    told: list[Any] = []
    sim.observe(lambda change: told.append(change["new"]), name)
    setattr(sim, name, value)
    assert (sim.busy, sim.current) == (True, False)
    assert getattr(sim, name) == value
    assert told == [value]
    # A page is told that something is computed, and shows the last run meanwhile.
    assert sim._view["running"] is not None
    assert sim._view["window"]["from"] + sim._view["window"]["count"] == STEPS
    wait_for(lambda: not sim.busy)
    assert sim.current
    assert getattr(sim, name) == value
    assert told == [value]
    assert same(sim, expected())
    assert sim._view["position"] == sim.position == expected().steps


@pytest.mark.parametrize("name", SETTINGS)
def test_who_asks_for_results_gets_those_of_the_setting(sim: StreamSimulator, name: str) -> None:
    value, expected = SETTINGS[name]
    setattr(sim, name, value)
    assert sim.results.steps == expected().steps
    assert not sim.busy
    assert same(sim, expected())


@pytest.mark.parametrize("ask_for", ["to_dataframe", "plot", "snapshot", "wait", "to_networkx"])
def test_everything_that_shows_results_waits(sim: StreamSimulator, ask_for: str) -> None:
    sim.value = THREE
    getattr(sim, ask_for)()
    assert not sim.busy
    assert sim._view["states"] == ["dry", "drizzle", "rain"]


def test_settings_before_are_kept_and_the_last_one_wins(sim: StreamSimulator) -> None:
    sim.seed = 5
    sim.lanes = ["grr2", "crr"]
    sim.seed = 6
    sim.distance = "histogram"
    sim.position = STEPS + 500
    sim.position = STEPS + 200
    assert (sim.seed, sim.lanes, sim.distance, sim.position) == (6, ("grr2", "crr"), "histogram", STEPS + 200)
    wait_for(lambda: not sim.busy)
    expected = run_of(6, lanes=("grr2", "crr"), steps=STEPS + 200, distance="histogram")
    assert (sim.seed, sim.lanes, sim.distance, sim.position) == (6, ("grr2", "crr"), "histogram", STEPS + 200)
    assert same(sim, expected)


def test_a_chain_or_a_budget_meanwhile_counts_from_the_next_step_on(sim: StreamSimulator) -> None:
    sim.seed = 5
    sim.epsilon = 2.0
    sim.value = OTHER
    assert (sim.epsilon, sim.value, sim.busy) == (2.0, OTHER, True)
    sim.run(40)
    now = sim.results
    assert now.script.seed == 5
    assert now.promises()[STEPS - 1 :].tolist() == [0.5, *[2.0] * 40]
    expected = StreamSimulator(CHAIN, 0.5, LANES, rng=5, steps=STEPS)
    expected.epsilon, expected.value = 2.0, OTHER
    expected.run(40)
    assert same(sim, expected.results)


def test_a_chain_of_other_states_takes_settings_along(sim: StreamSimulator) -> None:
    sim.seed = 4
    sim.lanes = ["mip", "crr"]
    sim.value = THREE
    assert (sim.lanes, sim.seed, sim.value) == (("crr",), 4, THREE)
    sim.lanes = ["crr", "crr_shrunk"]
    assert same(sim, run_of(4, chain=THREE, lanes=["crr", "crr_shrunk"]))
    sim.value = CHAIN
    sim.value = THREE
    assert same(sim, run_of(4, chain=THREE, lanes=["crr", "crr_shrunk"]))
    sim.seed, sim.value = 9, CHAIN
    sim.value = THREE
    assert sim.value == THREE
    assert same(sim, run_of(9, chain=THREE, lanes=["crr", "crr_shrunk"]))


def test_a_cancelled_setting_reads_as_before(sim: StreamSimulator) -> None:
    frame = sim.to_dataframe()
    sim.seed = 5
    sim.cancel()
    assert (sim.busy, sim.seed, sim._view["stopped"]) == (False, 1, "Cancelled.")
    assert sim.to_dataframe().equals(frame)
    # So far that the hand is there first.
    sim.position = 20 * STEPS
    say(sim, {"cancel": sim._view["running"]["number"]})
    assert (sim.busy, sim.position) == (False, STEPS)
    say(sim, {"resume": True})
    assert sim.position == 20 * STEPS
    assert same(sim, run_of(1, steps=20 * STEPS))


def test_a_reset_takes_what_was_set_last(sim: StreamSimulator) -> None:
    sim.seed = 5
    sim.lanes = ["grr"]
    sim.reset()
    assert (sim.busy, sim.seed, sim.lanes, sim.position) == (False, 5, ("grr",), 0)
    sim.run(30)
    assert same(sim, run_of(5, lanes="grr", steps=30))
    sim.value = THREE
    sim.reset()
    assert (sim.value, sim._view["states"]) == (THREE, ["dry", "drizzle", "rain"])


def test_a_source_begins_with_what_was_set_last(sim: StreamSimulator) -> None:
    sim.value = THREE

    async def main() -> None:
        await sim.feed(iter(["dry", "rain"]))

    run(main())
    assert (sim.value, sim.position, sim.busy) == (THREE, 2, False)


def test_wrong_settings_change_nothing_meanwhile(sim: StreamSimulator) -> None:
    # What is computed beside is taken under this lock.
    with LOCK:
        sim.seed = 5
        number = sim._view["running"]["number"]
        for name, value in {"seed": -1, "lanes": "none", "distance": "far", "position": 2**70}.items():
            with pytest.raises((StreamError, LimitError, ValueError)):
                setattr(sim, name, value)
            assert (sim.seed, sim.busy) == (5, True)
        assert sim._view["running"]["number"] == number
    assert same(sim, run_of(5))


def test_what_cannot_be_made_is_raised_to_who_waits(
    sim: StreamSimulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **how: Any) -> Any:
        raise LimitError("The solver gave up.")

    # The thread that has begun fails too, later or never.
    sim._runner.start = lambda *_: None  # type: ignore[method-assign]
    sim.seed = 5
    monkeypatch.setattr(StreamRun, "extended", fails)
    with pytest.raises(LimitError, match="gave up"):
        sim.wait()
    assert (sim.busy, sim.seed, sim._view["stopped"]) == (False, 1, "The solver gave up.")
    assert sim.results.steps == STEPS


def test_an_interrupt_ends_the_wait_alone(sim: StreamSimulator, monkeypatch: pytest.MonkeyPatch) -> None:
    work = sim._work

    def interrupted(_: Any) -> Any:
        def raises(_: Any) -> Any:
            raise KeyboardInterrupt

        return raises

    with LOCK:
        sim.seed = 5
        monkeypatch.setattr(sim, "_work", interrupted)
        with pytest.raises(KeyboardInterrupt):
            sim.wait()
        monkeypatch.setattr(sim, "_work", work)
        assert (sim.busy, sim.seed) == (True, 5)
    sim.wait()
    assert same(sim, run_of(5))


def test_an_observer_may_ask_for_results(sim: StreamSimulator) -> None:
    seen: list[Any] = []
    sim.observe(lambda _: seen.append((sim.seed, sim.results.script.seed, sim.busy)), "seed")
    sim.seed = 5
    assert seen == [(5, 5, False)]
    assert same(sim, run_of(5))
    assert not sim.busy


def test_what_is_made_already_is_not_made_again(sim: StreamSimulator) -> None:
    inputs = RunInputs(sim._core.script, LANES, 640)
    made: list[float] = []

    def stop(share: float) -> None:
        made.append(share)
        if share >= 0.5:
            raise InterruptedError

    from pdp_widgets.widgets.stream_held_run import run_for

    with pytest.raises(InterruptedError):
        run_for(inputs, stop)
    assert made == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert inputs._begun[0].steps == 320
    more: list[float] = []
    assert run_for(inputs, more.append).steps == 640
    assert len(more) == 5
    assert run_for(inputs.further(320)).steps == 640


def test_a_setting_takes_little_of_the_cell() -> None:
    sim = StreamSimulator(CHAIN, 0.5, LANES, rng=1, steps=5 * STEPS)
    # The run takes some tenths of a second; the best of a few, as the machine may be busy.
    found = math.inf
    for seed in range(2, 8):
        begun = time.perf_counter()
        sim.seed = seed
        found = min(found, time.perf_counter() - begun)
    begun = time.perf_counter()
    sim.wait()
    assert found < (time.perf_counter() - begun) / 2


_PROGRAM = """
import numpy as np
from pdp_widgets import MarkovChain, StreamSimulator
chain = MarkovChain(np.random.default_rng(1).dirichlet(np.ones(8), 8))
stream = StreamSimulator(chain, 0.7, "crr", rng=1, steps=2000)
stream.lanes = ["crr", "optimum"]
# The program of the first step is solved by now, or soon.
import time
time.sleep(0.3)
assert stream.busy
"""


def test_python_ends_while_a_run_is_made() -> None:
    # A thread that solves a program when Python ends would take the process down.
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")


# Edits before a change


def ends(sim: StreamSimulator) -> tuple[list[float], list[float]]:
    """Budgets, and the chance to stay, of every step."""
    run = sim.results
    stay = [run.script.segment(k + 1).chain.transitions[0, 0] for k in range(run.steps)]
    return run.promises().tolist(), [float(value) for value in stay]


@pytest.mark.parametrize("edit", [{"epsilon": 2.0}, {"speed": 3.0}, {"playing": True}, {"delta": 1e-3}])
def test_an_edit_at_an_earlier_step_goes_on_with_the_chain_in_the_controls(
    edit: dict[str, Any], ask: Ask
) -> None:
    sim = StreamSimulator(CHAIN, 0.5, rng=1, steps=50)
    sim.value = OTHER
    sim.run(10)
    # Another view has shown 40 steps by now.
    ask(sim, position=40, **edit)
    assert sim.value == OTHER
    assert float(np.frombuffer(sim._view["chain"]["transitions"], "<f8")[0]) == 0.6
    sim.run(5)
    budgets, stay = ends(sim)
    assert stay == [0.9] * 40 + [0.6] * 5
    assert budgets == [0.5] * 40 + [edit.get("epsilon", 0.5)] * 5


def test_an_edit_of_the_chain_at_an_earlier_step_goes_on_with_the_budget_in_the_controls(ask: Ask) -> None:
    sim = StreamSimulator(CHAIN, 0.5, rng=1, steps=50)
    sim.epsilon = 2.0
    sim.run(10)
    ask(sim, position=40, transitions=numbers([0.6, 0.4, 0.4, 0.6]))
    assert sim.epsilon == 2.0
    sim.run(3)
    assert ends(sim) == ([0.5] * 40 + [2.0] * 3, [0.9] * 40 + [0.6] * 3)


def test_a_position_further_back_keeps_what_holds(ask: Ask) -> None:
    sim = StreamSimulator(CHAIN, 0.5, rng=1, steps=50)
    sim.value, sim.epsilon = OTHER, 2.0
    sim.run(10)
    sim.position = 40
    assert (sim.value, sim.epsilon, sim._view["epsilon"]) == (OTHER, 2.0, 2.0)
    sim.run(20)
    assert ends(sim) == ([0.5] * 40 + [2.0] * 20, [0.9] * 40 + [0.6] * 20)
    ask(sim, playing=False)
    assert ends(sim) == ([0.5] * 40 + [2.0] * 20, [0.9] * 40 + [0.6] * 20)
    # Without a change the steps ahead stay as they are, and a view that is behind loses none.
    number = sim._view["run"]
    ask(sim, position=55, playing=True)
    assert (sim._view["run"], sim._core.run.steps) == (number, 60)


def test_an_edit_that_is_awaited_is_kept_when_the_chain_changes(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_held_run, "LONG", LONG)
    sim = StreamSimulator(THREE, 0.7, "crr", rng=0, steps=80)
    ask(sim, lanes=["optimum", "crr"])
    assert sim.busy
    ask(sim, transitions=numbers([0.5, 0.3, 0.2, 0.1, 0.8, 0.1, 0.3, 0.3, 0.4]))
    assert sim.value.transitions[0, 0] == 0.5
    wait_for(lambda: not sim.busy)
    assert sim.lanes == ("optimum", "crr")
    sim.run(1)
    stay = ends(sim)[1]
    assert (stay[79], stay[80], len(stay)) == (pytest.approx(0.7), 0.5, 81)
    ask(sim, seed=3)
    ask(sim, position=0)
    assert (sim.seed, sim.position) == (3, 0)
