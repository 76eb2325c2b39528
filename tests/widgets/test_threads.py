"""Computations on threads of their own: no collection, no callback and no failure stops them for good."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pdp_widgets import JointDistribution, PriorExplorer, lsat6
from pdp_widgets.leakage.prior import calibration
from pdp_widgets.widgets import base, late, prior_explorer, prior_state, running
from pdp_widgets.widgets.late import LateQuestion, LateWorker
from pdp_widgets.widgets.running import Runner

from .conftest import Ask
from .test_explorer_late import say, three, wait


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What is logged by the threads."""
    found: list[BaseException] = []

    class Log:
        def error(self, *_: Any, exc_info: BaseException) -> None:
            found.append(exc_info)

    monkeypatch.setattr(running, "get_logger", Log)
    return found


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    wait(lambda: not any(t.name in ("pdp-widgets-run", "pdp-widgets-late") for t in threading.enumerate()))


def within(seconds: float, work: Callable[[], None], what: str) -> None:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive(), what


# The end of a widget comes on any thread, at any place


class Collecting:
    """A lock with a collection of what is garbage on the thread that takes it, once there is garbage."""

    def __init__(self, garbage: list[Any], ready: threading.Event) -> None:
        self._lock, self._garbage, self._ready = threading.Lock(), garbage, ready

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._ready.is_set():
            self._garbage.clear()
            gc.collect()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


@pytest.mark.parametrize("kind", ["run", "late"])
@pytest.mark.parametrize("parts", [False, True])
def test_an_explorer_that_is_freed_on_a_thread_of_its_own_stops_nothing(
    joint: JointDistribution, ask: Ask, kind: str, parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ready = threading.Event(), threading.Event()

    def held(real: Callable[..., Any]) -> Callable[..., Any]:
        def work(*arguments: Any, **named: Any) -> Any:
            begun.set()
            assert ready.wait(10)
            return real(*arguments, **named)

        return work

    monkeypatch.setattr(prior_state, "LONG", -1.0)
    monkeypatch.setattr(prior_explorer, "results_for", held(prior_explorer.results_for))
    monkeypatch.setattr(late, "enough_scale", held(late.enough_scale))
    explorer = PriorExplorer(joint)
    if parts:
        assert explorer.table.value == explorer.graph._core.analysis.distribution
    runner: Any = (
        explorer._runner if kind == "run" else getattr(explorer._worker, "_runner", explorer._worker)
    )
    dead, garbage = weakref.ref(explorer), [explorer]
    runner._guard = Collecting(garbage, ready)
    if kind == "run":
        ask(explorer, scale=2.0)
    else:
        say(explorer, {"late": ""})
    assert begun.wait(10)
    del explorer
    ready.set()
    wait(lambda: not garbage and not runner._running)
    gc.collect()
    assert dead() is None


@pytest.mark.parametrize("parts", [False, True])
def test_a_collection_waits_for_no_lock(joint: JointDistribution, parts: bool) -> None:
    explorer = PriorExplorer(joint)
    if parts:
        assert explorer.table.value == explorer.graph._core.analysis.distribution
    dead, held = weakref.ref(explorer), [explorer]
    del explorer

    def collect() -> None:
        held.clear()
        gc.collect()

    with base.LOCK:
        within(5, collect, "the end of an explorer waited for the lock")
    assert dead() is None


# Callbacks that raise


@pytest.mark.parametrize("broken", ["told", "done", "failed"])
def test_a_callback_that_raises_is_logged_and_the_next_computation_runs(
    broken: str, logged: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_PAUSE", 0.0)
    calls: list[tuple[str, int]] = []

    def hears(name: str) -> Callable[[int, Any], None]:
        def hear(number: int, _: Any) -> None:
            calls.append((name, number))
            if name == broken and number == 1:
                raise OSError("The channel is gone.")

        return hear

    def work(progress: Any) -> int:
        progress(0.5)
        if broken == "failed":
            raise ValueError("no")
        return 7

    runner = Runner(hears("told"), hears("done"), hears("failed"))
    last = "failed" if broken == "failed" else "done"
    for number in (1, 2):
        runner.start(number, work)
        wait(lambda number=number: calls[-1:] == [(last, number)] and runner.number is None)
    assert calls == [("told", 1), (last, 1), ("told", 2), (last, 2)]
    assert [str(error) for error in logged] == ["The channel is gone."]


@pytest.mark.parametrize("broken", ["answered", "failed"])
def test_the_late_numbers_survive_a_callback_too(
    broken: str, logged: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = PriorExplorer(three()).results
    parts: list[Any] = []
    failures: list[str] = []

    def answered(question: LateQuestion, part: dict[str, Any]) -> bool:
        parts.append((question.enough, *part))
        if broken == "answered" and question.enough == 1:
            raise OSError("The channel is gone.")
        return True

    def failed(error: Exception) -> None:
        failures.append(str(error))
        if broken == "failed":
            raise OSError("No log.")

    if broken == "failed":
        monkeypatch.setattr(late, "sample_interval", lambda *_: 1 / 0)
    worker = LateWorker(answered, failed)
    for number in (1, 2):
        worker.ask(LateQuestion(results, 0, (), 1.0, number, number), enough=True)
        wait(lambda number=number: (number, "enough") in parts)
    assert parts == [(1, "sample"), (1, "enough"), (2, "sample"), (2, "enough")]
    if broken == "answered":
        assert failures == ["The channel is gone."] * 2
    else:
        assert failures == ["division by zero"] * 2
        assert [str(error) for error in logged] == ["No log."] * 2


def test_a_share_that_cannot_be_sent_is_no_failed_computation(
    joint: JointDistribution, ask: Ask, logged: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prior_state, "LONG", -1.0)
    monkeypatch.setattr(running, "_PAUSE", 0.0)
    explorer = PriorExplorer(joint)

    def unsent(number: int, share: float) -> None:
        raise OSError("The channel is gone.")

    explorer._runner._told = unsent
    ask(explorer, scale=2.0, show_paper=True)
    wait(lambda: not explorer.busy)
    assert (explorer.results.promise, explorer.current, explorer.error) == (0.5, True, None)
    assert logged


def test_where_no_thread_can_be_started_the_next_start_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    runner = Runner(print, lambda number, result: done.append(result), print)
    with monkeypatch.context() as full:

        def start(self: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        full.setattr(threading.Thread, "start", start)
        with pytest.raises(RuntimeError, match="new thread"):
            runner.start(1, lambda progress: 1)
        assert runner.number is None
    runner.start(2, lambda progress: 2)
    wait(lambda: done == [2])


# Late numbers that take long


class Endless:
    """A calibration that goes on until it is ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[float] = []
        self.ended: list[float] = []
        self.real = calibration.calibrate
        monkeypatch.setattr(calibration, "calibrate", self._calibrate)

    def _calibrate(self, distribution: Any, query: Any, target: float, *, progress: Any, **rest: Any) -> Any:
        self.begun.append(target)
        if target == 1.0:
            try:
                while True:
                    progress(0.1)
                    threading.Event().wait(0.005)
            finally:
                self.ended.append(target)
        return self.real(distribution, query, target, **rest)


def test_a_newer_question_ends_the_calibration_of_the_older_one(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless(monkeypatch)
    explorer = PriorExplorer(three())
    say(explorer, {"late": ""})
    wait(lambda: endless.begun == [1.0])
    explorer.goal = 0.5
    # The same state asked for twice is one question.
    for _ in range(2):
        say(explorer, {"late": ""})
    wait(lambda: explorer._late.get("enough", {}).get("of") == explorer._view["late"]["enough"])
    assert endless.ended == [1.0]
    assert endless.begun == [1.0, 0.5]
    assert explorer._late["enough"]["scale"] > 2


def test_another_adversary_of_a_sample_need_not_wait_for_the_calibration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endless = Endless(monkeypatch)
    explorer = PriorExplorer(three())
    say(explorer, {"late": ""})
    wait(lambda: endless.begun == [1.0])
    explorer.known = ["item 1"] if explorer.target != "item 1" else ["item 2"]
    say(explorer, {"late": ""})
    wait(lambda: explorer._late["sample"]["of"] == explorer._view["late"]["sample"])
    wait(lambda: endless.begun == [1.0, 1.0])
    explorer.close()


@pytest.mark.parametrize("how", ["close", "free"])
def test_the_end_of_an_explorer_ends_its_calibration(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless(monkeypatch)
    explorer = PriorExplorer(lsat6())
    say(explorer, {"late": ""})
    wait(lambda: endless.begun == [1.0])
    if how == "close":
        explorer.close()
    del explorer
    gc.collect()
    wait(lambda: endless.ended == [1.0])


def test_a_real_calibration_ends_at_its_next_scale() -> None:
    explorer = PriorExplorer(JointDistribution.normalised(np.random.default_rng(0).random((2,) * 6)))
    steps: list[float] = []

    def stop(share: float) -> None:
        steps.append(share)
        if len(steps) == 3:
            raise running.Ended

    with pytest.raises(running.Ended):
        late.enough_scale(explorer.results, 1.0, stop)
    assert len(steps) == 3
