"""The stream simulator: what can be set, what happens then, and what a browser may ask for."""

from __future__ import annotations

import gc
import json
import math
import time
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ipywidgets import Widget
from traitlets import link

from pdp_widgets import (
    BudgetError,
    ChainError,
    DomainError,
    LimitError,
    MarkovChain,
    PdpError,
    StreamData,
    StreamError,
    StreamSimulator,
)
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU
from pdp_widgets.streams import StreamRun
from pdp_widgets.widgets.stream_held_run import kept_lines
from pdp_widgets.widgets.stream_views import stream_title
from pdp_widgets.widgets.wire import float_bytes

from .conftest import Ask

STEADY, MOODY = MarkovChain.symmetric(0.9), MarkovChain.symmetric(0.6)
THREE = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]], states=["dry", "drizzle", "rain"])
SECOND = MarkovChain([[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])


@pytest.fixture
def sim() -> StreamSimulator:
    return StreamSimulator(MOODY, 0.5, rng=10, steps=44)


def numbers(values: Any) -> memoryview:
    return memoryview(float_bytes(np.asarray(values, dtype=float)))


def floats(sent: bytes) -> Any:
    return np.frombuffer(sent, dtype="<f8")


def listen(sim: StreamSimulator) -> list[tuple[Any, list[bytes]]]:
    """Return what is sent beside views from now on."""
    heard: list[tuple[Any, list[bytes]]] = []
    sim.send = lambda content, buffers=None: heard.append((content, list(buffers or [])))  # type: ignore[method-assign]
    return heard


def say(sim: StreamSimulator, content: Any) -> None:
    sim.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def wait_for(done: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


# What there is at first


def test_the_sketched_stream_breaks_its_promise_where_the_chain_changes(sim: StreamSimulator) -> None:
    assert sim.results.totals("crr").over == 0
    sim.value = STEADY
    sim.run(6)
    totals = sim.results.totals("crr")
    assert (totals.first_over, totals.over) == (45, 6)
    assert sim.results.totals("optimum").over == 0
    assert sim._view["changes"] == [{"step": 45, "before": "stay 0.6", "after": "stay 0.9"}]
    assert "At step 45 CRR as printed broke its promise; it leaks 0.954 in step 50." in sim.snapshot().text


def test_the_view_is_json_and_small(sim: StreamSimulator, comms: Any) -> None:
    sim.run(500)
    for comm in comms:
        for message in comm.messages:
            assert message["size"] < 200_000 or "_esm" in message["data"].get("state", {})
    wide = MarkovChain(np.full((100, 100), 0.01), states=["x" * 400 + str(k) for k in range(100)])
    large = StreamSimulator(wide, 1.0, ["crr", "grr", "crr_trimmed", "crr_shrunk"], rng=0, steps=300)
    updates = [m for c in comms for m in c.messages if c.comm_id == large.comm.comm_id]
    assert updates
    plain = {k: v for k, v in large._view.items() if k not in ("window", "chain")}
    window = large._view["window"]
    size = len(json.dumps(plain, allow_nan=False))
    size += sum(len(v) for v in window.values() if isinstance(v, bytes))
    size += sum(len(v) for lane in window["lanes"] for v in lane.values())
    assert size < 200_000


@pytest.mark.parametrize(
    "chain", [STEADY, THREE, SECOND, MarkovChain([[1.0]])], ids=["2", "3", "order 2", "1"]
)
@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 0.7, 40.0, 800.0, math.inf])
def test_every_mechanism_at_every_budget(chain: MarkovChain, epsilon: float) -> None:
    refused = [key for key, entry in STREAM_MENU.items() if entry.why_not(chain) is not None]
    for key in refused:
        with pytest.raises(BudgetError, match="cannot be a lane here"):
            StreamSimulator(chain, epsilon, key, rng=1)
    offered = [key for key in STREAM_MENU if key not in refused and (key, chain.n) != ("mip", 1)]
    for lanes in (offered[k : k + 4] for k in range(0, len(offered), 4)):
        sim = StreamSimulator(chain, epsilon, lanes, rng=1, steps=5)
        for key, record in sim.results.record().lanes.items():
            totals = sim.results.totals(key)
            assert not np.isnan(record.leakage[: totals.steps]).any(), key
            assert totals.over == 0 or not STREAM_MENU[key].private, key
        json.dumps({k: v for k, v in sim._view.items() if k not in ("window", "chain")}, allow_nan=False)
        assert sim.snapshot().svg


def test_results_are_those_of_a_run(sim: StreamSimulator) -> None:
    expected = StreamRun.of(MOODY, 0.5, ["crr", "optimum"], 44, seed=10)
    mine, theirs = sim.results.record(), expected.record()
    assert np.array_equal(mine.symbols, theirs.symbols)
    for key in ("crr", "optimum"):
        assert np.array_equal(mine.lanes[key].released, theirs.lanes[key].released)
        assert np.array_equal(mine.lanes[key].total, theirs.lanes[key].total)
    assert sim.to_dataframe().equals(expected.to_dataframe())


def test_a_generator_gives_a_seed_and_a_seed_the_stream() -> None:
    one = StreamSimulator(STEADY, rng=np.random.default_rng(3))
    other = StreamSimulator(STEADY, rng=one.seed)
    assert np.array_equal(one.results.record().symbols, other.results.record().symbols)
    assert StreamSimulator(STEADY).seed != StreamSimulator(STEADY).seed


# From Python


def test_inputs_are_taken_and_read_back(sim: StreamSimulator) -> None:
    sim.epsilon, sim.delta, sim.speed, sim.lanes = 0.25, 1e-3, 50, ["grr", "crr"]
    assert (sim.epsilon, sim.delta, sim.speed, sim.lanes) == (0.25, 1e-3, 50.0, ("grr", "crr"))
    assert sim._view["delta"] == 1e-3
    sim.distance, sim.seed = "absolute", 5
    assert (sim.distance, sim.seed, sim.position) == ("absolute", 5, 44)
    assert sim._view["distance"] == "absolute"
    # Another seed runs what there was again, with the budgets that held when.
    assert sim.results.promises().tolist() == [0.5] * 44
    sim.run(1)
    assert sim.results.promises()[-1] == 0.25


@pytest.mark.parametrize(
    ("name", "value", "error", "words"),
    [
        ("value", [[0.9, 0.2], [0.1, 0.9]], ChainError, "sum"),
        ("value", "chain", ChainError, "rows of probabilities"),
        ("value", StreamData([[0, 1, 1]]), StreamError, "from_streams"),
        ("epsilon", -1.0, BudgetError, "-1"),
        ("epsilon", math.nan, BudgetError, "nan"),
        ("epsilon", "much", BudgetError, "much"),
        ("lanes", [], BudgetError, "no lane"),
        ("lanes", ["crr", "crr"], BudgetError, "twice"),
        ("lanes", ["crr", "grr", "grr2", "optimum", "crr_trimmed"], BudgetError, "more than 4"),
        ("lanes", "laplace", BudgetError, "laplace"),
        ("lanes", 7, BudgetError, "7"),
        ("delta", 1.0, BudgetError, "1"),
        ("distance", "far", PdpError, "far"),
        ("distance", "euclidean", PdpError, "square grid"),
        ("seed", -1, StreamError, "-1"),
        ("seed", 2**60, StreamError, "whole number"),
        ("position", -1, StreamError, "-1"),
        ("position", 100_001, LimitError, "100,000"),
        ("speed", 0, StreamError, "0.1 to 1,000"),
        ("playing", "yes", DomainError, "playing"),
    ],
)
def test_wrong_input_raises_and_changes_nothing(
    sim: StreamSimulator, name: str, value: Any, error: type[Exception], words: str
) -> None:
    names = ("value", "epsilon", "lanes", "delta", "distance", "seed", "position", "playing", "speed")
    before, view = [getattr(sim, each) for each in names], sim._view
    frame = sim.to_dataframe()
    with pytest.raises(error, match=words):
        setattr(sim, name, value)
    assert [getattr(sim, each) for each in names] == before
    assert sim._view == view
    assert sim.error is None
    assert sim.to_dataframe().equals(frame)


@pytest.mark.parametrize("seed", range(4))
def test_it_opens_where_a_promise_is_broken(seed: int) -> None:
    chain = MarkovChain.symmetric(0.9)
    sim = StreamSimulator(chain, 1.0, rng=seed)
    over = sim.results.record().lanes["crr"].over
    assert over[-1]
    assert 0 < sim.position <= 60
    rest = StreamSimulator(chain, 1.0, rng=seed, steps=60).results.record(sim.position)
    assert not any(lane.over.any() for lane in rest.lanes.values())
    # Where nothing breaks all are released.
    assert StreamSimulator(chain, 1.0, "crr_balanced", rng=seed).position == 60


def test_wrong_keywords_are_named() -> None:
    with pytest.raises(TypeError, match=r"no keyword 'eps'.*mean 'epsilon'"):
        StreamSimulator(STEADY, eps=1.0)
    with pytest.raises(TypeError, match="no keyword 'speeed'"):
        StreamSimulator(STEADY, speeed=1.0)
    with pytest.raises(LimitError, match="101 states"):
        StreamSimulator(np.full((101, 101), 1 / 101))


def test_position_goes_on_and_back_and_forward_is_the_same_stream(sim: StreamSimulator) -> None:
    sim.run(60)
    whole = sim.results.record()
    sim.position = 70
    assert sim.position == sim.results.steps == 70
    sim.position = 104
    assert np.array_equal(sim.results.record().lanes["crr"].belief, whole.lanes["crr"].belief)


def test_reset_begins_with_what_holds_now(sim: StreamSimulator) -> None:
    sim.value, sim.epsilon = STEADY, 1.0
    sim.run(3)
    sim.reset()
    assert (sim.position, sim.results.steps, sim._view["changes"]) == (0, 0, [])
    sim.run(10)
    assert sim.results.promises().tolist() == [1.0] * 10
    expected = StreamRun.of(STEADY, 1.0, None, 10, seed=10)
    assert np.array_equal(sim.results.record().symbols, expected.record().symbols)


def test_another_start_waits_for_a_reset(sim: StreamSimulator) -> None:
    before = sim._view["run"]
    sim.value = MarkovChain(MOODY.transitions, [0.0, 1.0])
    assert sim._view["run"] == before
    assert sim._view["changes"] == []
    assert floats(sim._view["chain"]["start"]).tolist() == [0.0, 1.0]
    sim.reset()
    sim.run(1)
    assert sim.results.record().symbols.tolist() == [1]


def test_a_change_is_a_branch_and_undo_takes_it_back(sim: StreamSimulator) -> None:
    sim.run(20)
    sim.position = 50
    number, frame = sim._view["run"], sim.to_dataframe()
    sim.epsilon = 2.0
    assert sim._view["run"] != number
    assert sim._view["same"] == 50
    assert sim.to_dataframe().equals(frame)
    sim.run(5)
    assert sim.results.promises()[-5:].tolist() == [2.0] * 5
    sim.position = 50
    sim.epsilon = 0.5
    assert sim._view["changes"] == []


def test_a_chain_of_other_states_begins_anew(sim: StreamSimulator) -> None:
    sim.lanes = ["mip", "crr"]
    sim.value = THREE
    assert sim.lanes == ("crr",)
    assert sim._view["states"] == ["dry", "drizzle", "rain"]
    assert (sim.position, sim.distance, sim._view["same"]) == (44, "hamming", 0)
    sim.lanes = "grr"
    sim.value = SECOND
    assert sim._view["chain"]["editable"] is False


def test_lanes_that_stay_keep_their_steps(sim: StreamSimulator, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sim.results._blocks["crr"]
    sim.lanes = ["grr", "crr"]
    assert sim.results._blocks["crr"][0] is first[0]
    assert list(sim.results.mechanisms) == ["grr", "crr"]


# Data


def test_data_are_released_as_they_are() -> None:
    days = ["dry", "rain", "rain", "dry", "drizzle"]
    sim = StreamSimulator(THREE, 1.0, data=days, rng=0)
    assert sim.position == 5
    assert [THREE.states[k] for k in sim.results.record().symbols] == days
    assert sim._view["source"] == {"kind": "data", "text": "data", "note": "", "steps": 5, "waiting": None}
    sim.run(10)
    assert sim.position == 5
    sim.playing = True
    with pytest.raises(LimitError, match="there are 5"):
        sim.position = 6
    with pytest.raises(ChainError, match="other states"):
        sim.value = STEADY
    # Another law over the same states is fine, and so is starting again.
    sim.value = MarkovChain(np.full((3, 3), 1 / 3), states=THREE.states)
    sim.reset()
    sim.run(2)
    assert sim.results.record().symbols.tolist() == [0, 2]


def test_stream_data_are_one_stream() -> None:
    june = StreamData([["dry", "rain", "rain", "dry"]], title="June")
    sim = StreamSimulator(MarkovChain.symmetric(0.5, ["dry", "rain"]), data=june, rng=0)
    assert sim._view["source"]["text"] == "June"
    assert sim.results.steps == 4
    fitted = StreamSimulator(june, smoothing="laplace", rng=0)
    assert fitted.value == MarkovChain.from_streams(june, smoothing="laplace")
    said = fitted._view["source"]["note"]
    assert "fitted on these very data (smoothing: laplace), which the guarantee does not cover" in said
    assert "guarantee" in fitted.snapshot().html
    both = StreamSimulator(StreamData([["dry", "rain"], ["rain", "rain"]], title="May"), data=june, rng=0)
    assert "The law was fitted on May (smoothing: one per row)" in both._view["source"]["note"]
    hostile = StreamSimulator(StreamData([["dry", "rain"]], title="<b>\x00" + "x" * 300_000), rng=0)
    assert len(hostile._view["source"]["text"]) <= 120
    assert "<b>" not in hostile.snapshot().svg
    many = StreamData([["dry", "rain"], ["rain"]])
    with pytest.raises(StreamError, match=r"2 streams \(0: 2 symbols, 1: 1 symbols\); one is released"):
        StreamSimulator(many)
    with pytest.raises(StreamError, match="nothing to smooth"):
        StreamSimulator(STEADY, smoothing="laplace")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (["dry", "fog"], "Step 2 of the data is 'fog'"),
        (["dry", ["rain"]], "Step 2 of the data is"),
        ("dry", "give a list of states"),
        (7, "give a list of states"),
        ([math.nan], "Step 1 of the data is nan"),
    ],
)
def test_wrong_data_are_named_by_step(data: Any, words: str) -> None:
    with pytest.raises(StreamError, match=words):
        StreamSimulator(THREE, data=data)


def test_data_that_the_model_excludes_end_a_lane_and_say_why() -> None:
    sure = MarkovChain([[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5])
    sim = StreamSimulator(sure, math.inf, "grr", data=[0, 1, 1, 0], rng=0)
    assert "probability 0" in sim._view["lanes"][0]["ended"]
    assert "probability 0" in sim.snapshot().svg
    assert sim.position == 4


# From a browser


def test_a_browser_edits_the_chain_and_the_budget(sim: StreamSimulator, ask: Ask) -> None:
    ask(sim, transitions=numbers([[0.9, 0.1], [0.1, 0.9]]), epsilon=0.25, position=44, playing=True, speed=20)
    assert (sim.epsilon, sim.playing, sim.speed) == (0.25, True, 20.0)
    assert sim.value.transitions.tolist() == [[0.9, 0.1], [0.1, 0.9]]
    assert sim._view["same"] == 44
    assert sim._view["ack"]["seq"] >= 1
    # The changed corner: the grid as it was loaded.
    assert floats(sim._view["chain"]["loaded"]).tolist() == [0.6, 0.4, 0.4, 0.6]


def test_a_wrong_entry_pauses_and_keeps_what_there_was(sim: StreamSimulator, ask: Ask) -> None:
    frame = sim.to_dataframe()
    ask(sim, playing=True)
    ask(sim, transitions=numbers([[0.9, 0.3], [0.1, 0.9]]), playing=True)
    assert not sim.playing
    assert "sum" in (sim.error or "")
    assert sim._view["fault"]["text"] == sim.error
    assert not sim._view["current"]
    # What was typed stays in the grid, what is shown is the last that made sense.
    assert floats(sim._view["chain"]["transitions"]).tolist() == [0.9, 0.3, 0.1, 0.9]
    assert sim.value == MOODY
    assert sim.to_dataframe().equals(frame)
    ask(sim, epsilon=0.7)
    assert sim.error is not None
    assert sim.epsilon == 0.7
    ask(sim, transitions=numbers([[0.7, 0.3], [0.1, 0.9]]))
    assert sim.error is None
    assert sim.value.transitions[0, 1] == pytest.approx(0.3)
    assert sim.results.steps == 44


@pytest.mark.parametrize("epsilon", [-1, math.nan, "much", None, [], "-Infinity"])
def test_a_wrong_budget_is_a_fault_until_it_is_undone(sim: StreamSimulator, ask: Ask, epsilon: Any) -> None:
    ask(sim, epsilon=epsilon)
    assert sim.error is not None
    assert sim.epsilon == 0.5
    ask(sim, epsilon=0.5)
    assert sim.error is None
    assert sim._view["epsilon"] == 0.5


def test_infinity_travels_both_ways(sim: StreamSimulator, ask: Ask) -> None:
    ask(sim, epsilon="Infinity")
    assert sim.epsilon == math.inf
    assert sim._view["epsilon"] == "Infinity"
    sim.run(1)
    assert sim._view["lanes"][0]["largest"] == "Infinity"
    assert "∞" in sim.snapshot().text


def test_position_of_a_request(sim: StreamSimulator, ask: Ask) -> None:
    say(sim, {"steps": {"run": sim._view["run"], "from": 44, "count": 60}})
    ask(sim, position=60, playing=True)
    assert sim.position == 60
    # An edit counts from the step that was on screen.
    ask(sim, position=70, epsilon=1.0)
    assert sim._view["changes"][0]["step"] == 71
    ask(sim, position=10**9)
    assert sim.position == sim._core.run.steps
    ask(sim, position=0)
    assert (sim.position, sim.results.steps) == (0, 0)


def test_data_that_are_over_stop_playing(ask: Ask) -> None:
    sim = StreamSimulator(STEADY, data=[0, 1, 1], rng=0, steps=1)
    say(sim, {"steps": {"run": sim._view["run"], "from": 1, "count": 60}})
    ask(sim, position=2, playing=True)
    assert sim.playing
    ask(sim, position=3, playing=True)
    assert not sim.playing


NONSENSE: list[Any] = [None, "x", 1.5, -1, 10**30, [], ["a"], [[0]], {}, True, math.nan, b"", b"\0" * 7]
NAMES = [
    "start",
    "transitions",
    "epsilon",
    "delta",
    "seed",
    "distance",
    "lanes",
    "position",
    "playing",
    "speed",
]


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_of_a_page_is_a_fault_or_nothing(sim: StreamSimulator, ask: Ask, name: str) -> None:
    frame = sim.to_dataframe()
    for value in NONSENSE:
        ask(sim, **{name: value})
        assert np.isfinite(sim.epsilon)
        assert 0 <= sim.position <= sim._core.run.steps
        assert sim.lanes
        json.dumps({k: v for k, v in sim._view.items() if k not in ("window", "chain")}, allow_nan=False)
    assert sim.snapshot().svg
    ask(sim, epsilon=0.5, delta=1e-5, seed=10, distance="hamming", lanes=["crr", "optimum"])
    ask(sim, transitions=numbers(MOODY.transitions), start=numbers(MOODY.start))
    assert sim.error is None
    if name not in ("position", "start", "transitions"):
        assert sim.to_dataframe().equals(frame)


@pytest.mark.parametrize("key", ["steps", "at"])
@pytest.mark.parametrize("value", [*NONSENSE, {"run": None}, {"run": True, "from": 0, "count": 1}])
def test_nonsense_messages_are_left_alone(sim: StreamSimulator, key: str, value: Any) -> None:
    heard, before = listen(sim), sim.position
    say(sim, {key: value})
    for part in ("from", "count", "position"):
        for wrong in NONSENSE:
            message = {"run": sim._view["run"], "from": 0, "count": 1, "position": 3} | {part: wrong}
            say(sim, {key: message})
    assert sim.position == before
    assert sim.error is None
    assert all(part["steps"]["count"] <= 2000 for part, _ in heard if "steps" in part)


def test_steps_come_with_their_arrays(sim: StreamSimulator) -> None:
    heard, run = listen(sim), sim._view["run"]
    say(sim, {"steps": {"run": run, "from": 40, "count": 100}})
    ((content, buffers),) = heard
    assert content == {"steps": {"run": run, "from": 40, "count": 100, "lanes": 2}}
    assert len(buffers) == 4 + 2 * 8
    expected = StreamRun.of(MOODY, 0.5, None, 140, seed=10).record(40, 100)
    assert np.array_equal(np.frombuffer(buffers[0], "<u2"), expected.symbols)
    assert np.array_equal(floats(buffers[2]), expected.linear)
    lane = expected.lanes["optimum"]
    arrays = (lane.released, lane.belief.ravel(), lane.least, lane.leakage, lane.over, lane.total)
    for sent, array, kind in zip(
        buffers[12:], arrays, ["<u2", "<f8", "<f8", "<f8", "u1", "<f8"], strict=False
    ):
        assert np.array_equal(np.frombuffer(sent, kind), array)
    # What was computed ahead is not released.
    assert sim.position == 44
    assert sim.results.steps == 44


def test_steps_of_a_run_that_is_gone_are_never_sent(sim: StreamSimulator) -> None:
    old = sim._view["run"]
    sim.epsilon = 1.0
    heard = listen(sim)
    say(sim, {"steps": {"run": old, "from": 44, "count": 10}})
    say(sim, {"at": {"run": old, "position": 99}})
    assert heard == []
    assert sim.position == 44


def test_long_steps_come_in_parts() -> None:
    sim = StreamSimulator(THREE, 0.7, "optimum", rng=0, steps=1)
    heard = listen(sim)
    say(sim, {"steps": {"run": sim._view["run"], "from": 1, "count": 500}})
    assert 1 <= heard[0][0]["steps"]["count"] < 500


def test_beyond_the_last_step_there_is_nothing() -> None:
    sim = StreamSimulator(STEADY, data=[0, 1, 1], rng=0)
    heard = listen(sim)
    say(sim, {"steps": {"run": sim._view["run"], "from": 3, "count": 10}})
    say(sim, {"steps": {"run": sim._view["run"], "from": 2, "count": 10}})
    assert [part["steps"]["count"] for part, _ in heard] == [0, 1]


def test_what_one_view_shows_the_others_hear(sim: StreamSimulator) -> None:
    say(sim, {"steps": {"run": sim._view["run"], "from": 44, "count": 60}})
    heard, revision = listen(sim), sim._view["revision"]
    told: list[int] = []
    sim.observe(lambda change: told.append(change["new"]), "position")
    say(sim, {"at": {"run": sim._view["run"], "position": 50}})
    say(sim, {"at": {"run": sim._view["run"], "position": 48}})
    say(sim, {"at": {"run": sim._view["run"], "position": 900}})
    assert told == [50, 104]
    assert [part["at"]["position"] for part, _ in heard] == [50, 104]
    # No whole view: this comes several times a second.
    assert sim._view["revision"] == revision


# What takes long


def test_a_long_run_is_awaited_with_progress(ask: Ask) -> None:
    sim = StreamSimulator(THREE, 0.7, "crr", rng=0, steps=400)
    frame = sim.to_dataframe()
    ask(sim, lanes=["optimum", "crr"])
    assert sim.busy
    assert not sim.current
    assert sim.lanes == ("crr",)
    assert sim.to_dataframe().equals(frame)
    number = sim._view["running"]["number"]
    assert sim._progress["of"] == number
    wait_for(lambda: not sim.busy)
    assert sim.lanes == ("optimum", "crr")
    assert sim.current
    assert sim.results.steps == 400


def test_a_long_run_can_be_cancelled_and_asked_for_again(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    sim = StreamSimulator(THREE, 0.7, "crr", rng=0, steps=5000)
    ask(sim, lanes=["crr", "optimum"])
    assert sim.busy
    say(sim, {"cancel": sim._view["running"]["number"]})
    assert not sim.busy
    assert sim._view["stopped"] == "Cancelled."
    assert sim.lanes == ("crr",)
    say(sim, {"resume": True})
    assert sim.busy
    # An edit takes its place.
    ask(sim, lanes=["crr"])
    assert not sim.busy
    assert sim.current


def test_steps_that_were_released_meanwhile_stay(ask: Ask) -> None:
    sim = StreamSimulator(THREE, 0.7, "crr", rng=0, steps=800)
    ask(sim, lanes=["optimum", "crr"])
    assert sim.busy
    sim.run(5)
    wait_for(lambda: not sim.busy, 60)
    assert sim.lanes == ("optimum", "crr")
    assert sim.position == sim.results.steps == 805


def test_a_run_that_fails_says_so_and_keeps_the_last(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    sim = StreamSimulator(THREE, 0.7, "crr", rng=0, steps=100)

    def fails(*_: Any, **how: Any) -> Any:
        raise LimitError("The solver gave up.")

    monkeypatch.setattr(StreamRun, "with_lanes", fails)
    ask(sim, lanes=["optimum"])
    wait_for(lambda: not sim.busy)
    assert sim._view["stopped"] == "The solver gave up."
    assert sim.lanes == ("crr",)


# Other widgets, observers, the end


def test_two_linked_simulators_follow_each_other() -> None:
    one, other = StreamSimulator(MOODY, 0.5, rng=1), StreamSimulator(MOODY, 0.5, rng=1)
    link((one, "epsilon"), (other, "epsilon"))
    link((one, "value"), (other, "value"))
    link((one, "position"), (other, "position"))
    one.epsilon, one.value = 1.0, STEADY
    assert (other.epsilon, other.value) == (1.0, STEADY)
    other.run(7)
    assert one.position == other.position == 67
    assert one.to_dataframe().equals(other.to_dataframe())


def test_an_array_cannot_be_changed_in_place(sim: StreamSimulator) -> None:
    told: list[Any] = []
    sim.observe(told.append, "value")
    sim.value = STEADY
    sim.value = MarkovChain.symmetric(0.9)
    assert len(told) == 1
    with pytest.raises(ValueError, match="read-only"):
        sim.value.transitions[0, 0] = 1.0


def test_a_callback_that_fails_is_shown_and_the_edit_stays(sim: StreamSimulator) -> None:
    def fails(_: Any) -> None:
        raise RuntimeError("no room")

    sim.observe(fails, "epsilon")
    with pytest.raises(RuntimeError, match="no room"):
        sim.epsilon = 2.0
    assert sim.epsilon == 2.0
    assert "no room" in (sim.error or "")
    sim.delta = 0.01
    assert sim.error is None


def test_close_frees_it(sim: StreamSimulator) -> None:
    other = StreamSimulator(MOODY, 0.5, rng=1)
    other.snapshot()
    alive = weakref.ref(other)
    other.close()
    say(other, {"at": {"run": 1, "position": 3}}) if other.comm else None
    del other
    gc.collect()
    assert alive() is None
    before = len(Widget.widgets) if hasattr(Widget, "widgets") else 0
    for _ in range(20):
        StreamSimulator(MOODY, 0.5, rng=1, steps=1).close()
    assert (len(Widget.widgets) if hasattr(Widget, "widgets") else 0) == before


def test_disabled_is_read_only_in_the_browser(sim: StreamSimulator, ask: Ask) -> None:
    sim.disabled = True
    ask(sim, epsilon=2.0)
    assert sim.epsilon == 0.5
    sim.epsilon = 1.5
    assert sim._view["epsilon"] == 1.5
    heard = listen(sim)
    say(sim, {"steps": {"run": sim._view["run"], "from": 40, "count": 60}})
    say(sim, {"at": {"run": sim._view["run"], "position": 60}})
    assert [part["steps"]["count"] for part, _ in heard] == [4]
    assert sim.position == sim._core.run.steps == 44


def test_an_old_view_does_not_edit_other_states(sim: StreamSimulator, ask: Ask) -> None:
    old = sim._view["revision"]
    sim.value = THREE
    ask(sim, base=old, transitions=numbers([[0.5, 0.5], [0.5, 0.5]]))
    assert sim.value == THREE
    assert sim.error is None


def test_frames_graphs_and_figures(sim: StreamSimulator) -> None:
    frame = sim.to_dataframe()
    assert len(frame) == 2 * 44
    assert frame.attrs["unit"] == "nats"
    assert sim.to_networkx().edges[(0, 1)]["probability"] == pytest.approx(0.4)
    assert [mark.labels for mark in sim.plot().marks][:2] == [["CRR as printed"], ["Optimum"]]
    sim.delta = 0.01
    assert sim.plot().marks[-1].labels == ["advanced composition, δ = 0.01"]
    assert sim.to_dataframe().attrs["delta"] == 0.01
    assert repr(sim.results) == "StreamRun(44 steps, crr, optimum)"
    assert sorted(sim.saved_outputs()) == [
        "application/vnd.pdp-widgets.view+json",
        "text/html",
        "text/plain",
    ]


def test_a_slip_is_named(sim: StreamSimulator) -> None:
    with pytest.raises(AttributeError, match="did you mean 'epsilon'"):
        sim.epsilonn = 2.0


def test_a_mechanism_keeps_its_colour_as_long_as_it_is_shown(sim: StreamSimulator, ask: Ask) -> None:
    def lines() -> dict[str, int]:
        return {lane["key"]: lane["line"] for lane in sim._view["lanes"]}

    def colours(figure: Any) -> list[str]:
        return [mark.colors[0] for mark in figure.marks]

    sim.lanes = ["crr", "optimum", "grr"]
    assert lines() == {"crr": 0, "optimum": 1, "grr": 2}
    all_three = colours(sim.plot())[:3]
    ask(sim, lanes=["crr", "grr"])
    assert lines() == {"crr": 0, "grr": 2}
    assert colours(sim.plot())[:2] == [all_three[0], all_three[2]]
    sim.lanes = ["mip", "crr", "grr"]
    assert lines() == {"mip": 1, "crr": 0, "grr": 2}
    sim.reset()
    assert lines() == {"mip": 1, "crr": 0, "grr": 2}
    # The static picture too: the third line has dashes of its own.
    sim.run(5)
    sim.lanes = ["grr"]
    assert "8 2 2 2" in sim.snapshot().svg


def test_an_array_without_axes_is_no_list() -> None:
    stream = StreamSimulator(MarkovChain.symmetric(0.9), 0.5, rng=1, steps=5)
    with pytest.raises(BudgetError, match=r"The lanes hold array\(1\.\)"):
        stream.lanes = np.array(1.0)
    assert stream.lanes == ("crr", "optimum")
    with pytest.raises(StreamError, match=r"The data are array\(1\.\); give a list of states"):
        StreamSimulator(MarkovChain.symmetric(0.9), 0.5, data=np.array(1.0))


def test_streams_have_titles() -> None:
    assert stream_title(THREE) == "three states, first order, one release a step"
    assert stream_title(SECOND) == "two states, second order, one release a step"
    assert stream_title(MarkovChain([[1.0]])) == "one state, first order, one release a step"
    wide = MarkovChain.independent([1 / 20] * 20)
    assert stream_title(wide) == "20 states, first order, one release a step"


def test_a_mechanism_keeps_its_line_and_a_new_one_takes_the_first_that_is_free() -> None:
    before = {"crr": 0, "grr": 1, "optimum": 2}
    assert kept_lines(before, ("optimum", "mip", "crr")) == {"optimum": 2, "mip": 1, "crr": 0}
