"""A step is whole or not at all: whatever ends it, and wherever, all widgets show one state and go on."""

from __future__ import annotations

import contextlib
import math
import random
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from traitlets import link

import pdp_widgets as pdp
from pdp_widgets.networks import BayesianNetwork
from pdp_widgets.widgets import base
from pdp_widgets.widgets.wire import json_safe

from .conftest import Ask, RecordingComm
from .test_explorer_late import wait

#: Steps that are ended, of each explorer and editor, and of those whose steps are long: 60 and 15 in the
#: suite; `make fuzz` ends ten times as many, other ones.
TIMES, LONG_TIMES = 2 * settings.default.max_examples, settings.default.max_examples // 2
ENDS = (KeyboardInterrupt, KeyboardInterrupt, MemoryError, RecursionError, SystemExit)

MODEL = pdp.GaussianModel(None, [[2.0, 0.5, 0.25], [0.5, 1.0, 0.0], [0.25, 0.0, 3.0]], names=["a", "b", "c"])
OTHER_MODEL = pdp.GaussianModel(None, np.diag([2.0, 1.0, 3.0]), names=["a", "b", "c"])
TABLE = pdp.lsat6().marginal(["item 1", "item 2", "item 5"])
OTHER_TABLE = pdp.JointDistribution(np.full((2, 2, 2), 1 / 8), TABLE.domains, TABLE.names)
CHAIN = pdp.MarkovChain.symmetric(0.6)


#: A step of Python or of a browser, the same however often it is taken.
Step = Callable[[Any, Ask], object]


class End:
    """Raises an exception where Python looks whether it is to end: at a call, or after one into C."""

    def __init__(self, at: float, error: BaseException | None = None) -> None:
        self.at, self.error, self.count = at, error, 0

    def __call__(self, _frame: Any, event: str, _what: Any) -> None:
        if event in ("call", "c_return"):
            self.count += 1
            if self.count == self.at:
                sys.setprofile(None)
                assert self.error is not None
                raise self.error

    def during(self, step: Step, widget: Any, ask: Ask) -> BaseException | None:
        """Take a step; return what came out of it."""
        sys.setprofile(self)
        try:
            step(widget, ask)
        except BaseException as error:
            return error
        finally:
            sys.setprofile(None)
        return None


def parts_of(widget: Any) -> list[Any]:
    """The widget and those that are linked to it."""
    names = [name for name in ("table", "graph", "editor") if hasattr(type(widget), name)]
    return [widget, *(getattr(widget, name) for name in names)]


def plain(view: Any) -> Any:
    """A view without what tells one computation or answer from another."""
    if isinstance(view, dict):
        numbers = {"revision", "since", "ack", "fault", "number", "late", "run", "same"}
        return {name: plain(part) for name, part in view.items() if name not in numbers}
    return [plain(part) for part in view] if isinstance(view, list) else view


def shown_now(widget: Any) -> Any:
    return plain(json_safe(widget._shown()))


def assert_whole(widget: Any) -> None:
    """Traits, results and the screen of a widget are those of one state."""
    assert "notify_change" not in vars(widget)
    values = widget._values()
    assert {name: getattr(widget, name) for name in values} == values
    assert plain({k: v for k, v in widget._view.items() if k != "disabled"}) == shown_now(widget)
    assert widget._view["disabled"] == widget.disabled
    fault = widget._current_fault()
    assert (widget._view["fault"], widget.error) == (json_safe(fault), fault and fault["text"])
    core = widget._core
    now = getattr(core, "running", None)
    assert widget.busy == (now is not None)
    if now is not None:
        # What is there already may wait for the lock to be taken.
        runner = widget._runner
        assert runner.number == now.number or (runner.number is None and runner.running)


def state_of(widget: Any) -> list[Any]:
    return [(each._values(), shown_now(each), each.disabled) for each in parts_of(widget)]


def python(**patch: Any) -> Step:
    return lambda widget, ask: widget._edit(patch)


def hand(**request: Any) -> Step:
    return lambda widget, ask: ask(widget, **request)


def sent(values: Any) -> memoryview:
    return memoryview(np.asarray(values, dtype="<f8").tobytes())


def analysis(scale: float) -> Any:
    return pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(pdp.LinearQuery.sum(TABLE), scale))


WIDGETS: dict[str, tuple[Callable[[], Any], list[Step]]] = {
    "JointTable": (
        lambda: pdp.JointTable(TABLE),
        [
            python(value=OTHER_TABLE),
            python(value=TABLE, keep_sum=False),
            lambda w, ask: w.set_cell([0, 0, 0], 0.125),
            lambda w, ask: w.lock([0, 0, 1]),
            hand(entries=np.full(8, 1 / 8)),
            hand(entries=np.full(8, 1 / 4), keep_sum=False),
        ],
    ),
    "CovarianceEditor": (
        lambda: pdp.CovarianceEditor(MODEL),
        [
            python(value=OTHER_MODEL),
            python(value=MODEL, show_correlation=True),
            lambda w, ask: w.set_cell("a", "b", 0.125),
            hand(cov=sent(np.eye(3))),
            hand(cov=sent([[1, 5, 0], [5, 1, 0], [0, 0, 1]])),
        ],
    ),
    "WHGGraph": (
        lambda: pdp.WHGGraph(analysis(1.0)),
        [
            python(value=analysis(2.0)),
            python(show_paper=True),
            python(show_paper=False, target=1, known=[0]),
            hand(target=2, known=[0]),
            hand(threshold=0.5, show_paper=True),
        ],
    ),
    "Question": (
        lambda: pdp.Question.number("half", "One half?", 0.5, tolerance=0.01, hints=["A half."]),
        [python(answer=2), hand(answer=0.5, commit=True), python(answer=None), hand(hints=1)],
    ),
    "PriorExplorer": (
        lambda: pdp.PriorExplorer(TABLE),
        [
            python(value=OTHER_TABLE),
            python(value=TABLE, scale=2.0),
            python(query=[1, 2, 1], show_paper=True),
            python(convention="sup", show_paper=False),
            python(convention="instance", target=1, known=[0]),
            lambda w, ask: w.table.set_cell([0, 0, 0], 0.125),
            lambda w, ask: setattr(w.graph, "target", "item 5"),
            lambda w, ask: ask(w.table, entries=np.full(8, 1 / 8)),
            lambda w, ask: ask(w.graph, threshold=0.5),
            hand(entries=np.full(8, 1 / 8), scale=3.0),
            hand(entries=np.full(8, 1 / 4), scale=1.5),
            hand(entries=TABLE.table, scale="NaN"),
            hand(scale=1.0, target=0, known=[1]),
        ],
    ),
    "GaussianExplorer": (
        lambda: pdp.GaussianExplorer(MODEL),
        [
            python(value=OTHER_MODEL),
            python(value=MODEL, scale=2.0, weights=[1, 2, 1]),
            python(max_change=0.5, target="c", known=["a"]),
            lambda w, ask: w.editor.set_cell("a", "b", 0.125),
            lambda w, ask: setattr(w.graph, "threshold", 0.25),
            lambda w, ask: ask(w.editor, cov=sent(np.eye(3))),
            hand(cov=sent(np.eye(3) * 2), scale=3.0),
            hand(cov=sent([[1, 5, 0], [5, 1, 0], [0, 0, 1]])),
            hand(scale=1.0, target=0, known=[1]),
        ],
    ),
    "LocalExplorer": (
        lambda: pdp.LocalExplorer(TABLE, "GRR", 1.0),
        [
            python(epsilon=2.0),
            python(mechanism="OUE", source="item 2"),
            python(mechanism="GRR", budget=0.5),
            python(attributes=["item 1", "item 2"], budget=None),
            python(attributes=None),
            hand(epsilon=1.5, example="xor"),
            hand(epsilon="NaN", example=""),
            hand(epsilon=1.0, source=1, secret=0),
        ],
    ),
    "DependenceExplorer": (
        lambda: pdp.DependenceExplorer(pdp.examples.agreeing_bits(0.9)),
        [
            python(epsilon=2.0),
            python(mechanism="baseline", knowing="worst"),
            python(mechanism="lpm", target=1, epsilon=0.5),
            hand(epsilon=1.5),
            hand(epsilon=-1.0, target=0),
            hand(epsilon=1.0, knowing="nobody"),
        ],
    ),
    "NetworkExplorer": (
        lambda: pdp.NetworkExplorer(BayesianNetwork.chain(pdp.MarkovChain.symmetric(0.9), 4)),
        [
            python(scale=2.0),
            python(target="step 2", known={"step 4": 1}, adversary="mine"),
            python(epsilon=0.5, show="quilts"),
            hand(scale=1.5),
            hand(scale=-1.0),
            hand(adversary="none", show="network"),
        ],
    ),
    "AttackExplorer": (
        lambda: pdp.AttackExplorer(pdp.synthetic_network(20, rng=1).city("New York"), clusters=2),
        [python(epsilon=20.0), python(clusters=3), hand(epsilon=10.0), hand(epsilon=-1.0), hand(clusters=2)],
    ),
    "AnonymityExplorer": (
        lambda: pdp.AnonymityExplorer(),
        [
            python(k=6),
            python(level="IV", neighbours=2),
            python(level="III", known=0.5, show_paper=True),
            hand(epsilon=2.0, k=4),
            hand(k="NaN", known=0.25),
            hand(k=5, printed=False),
        ],
    ),
    "StreamSimulator": (
        lambda: pdp.StreamSimulator(CHAIN, 0.5, rng=10, steps=12),
        [
            python(value=pdp.MarkovChain.symmetric(0.9)),
            python(epsilon=1.0, position=20),
            python(position=8, seed=7),
            python(lanes=["crr", "optimum"], speed=20.0),
            lambda w, ask: w.reset(),
            hand(epsilon=0.75, position=6),
            hand(transitions=sent([[0.7, 0.3], [0.3, 0.7]])),
            hand(transitions=sent([[0.7, 0.7], [0.3, 0.7]]), lanes=["crr"]),
            hand(seed=3, playing=False),
        ],
    ),
}
LONG_STEPS = (
    "AnonymityExplorer",
    "AttackExplorer",
    "DependenceExplorer",
    "LocalExplorer",
    "NetworkExplorer",
)


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base.PdpWidget, "_report", lambda *_: None)


def test_every_widget_is_interrupted() -> None:
    assert {f"{name}" for name in WIDGETS} == {
        name for name in pdp.__all__ if isinstance(getattr(pdp, name), type) and _is_widget(name)
    }


def _is_widget(name: str) -> bool:
    return issubclass(getattr(pdp, name), base.PdpWidget)


# What is raised while Python ends a generator is lost.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("silent")
@pytest.mark.hypothesis
@pytest.mark.parametrize("name", sorted(WIDGETS))
def test_a_step_is_whole_or_not_at_all_wherever_it_is_ended(
    name: str, ask: Ask, request: pytest.FixtureRequest
) -> None:
    make, steps = WIDGETS[name]
    widget, twin = make(), make()
    rng = random.Random(f"{name} {request.config.getoption('--hypothesis-seed')}")
    assert state_of(widget) == state_of(twin)
    ended, times = 0, LONG_TIMES if name in LONG_STEPS else TIMES
    for _ in range(times):
        step = rng.choice(steps)
        before = state_of(widget)
        quiet = End(math.inf)
        refused = quiet.during(step, twin, ask)
        after = state_of(twin)
        error = rng.choice(ENDS)("out")
        end = End(rng.randint(1, quiet.count), error)
        came = end.during(step, widget, ask)
        ended += end.count == end.at
        where = f"{steps.index(step)} {error!r} {end.at} of {quiet.count}"
        free = threading.Thread(target=_take_lock, daemon=True)
        free.start()
        free.join(10)
        assert not free.is_alive(), where
        for part in parts_of(widget):
            assert_whole(part)
        now = state_of(widget)
        assert now in (before, after), where
        # numpy puts words of its own in the place of what ends its comparison of two structured arrays.
        lost = "Cannot compare structured arrays" in str(came)
        assert lost or isinstance(came, type(error) | type(refused) | None), where
        # The next step works.
        if now != after:
            with contextlib.suppress(Exception):
                step(widget, ask)
        assert state_of(widget) == after, where
    assert ended > times / 2


BESIDE = sorted(name for name in WIDGETS if hasattr(getattr(pdp, name), "wait"))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("name", BESIDE)
def test_what_is_computed_beside_goes_on_or_is_given_up(
    name: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [m for key, m in sys.modules.items() if key.startswith("pdp_widgets.widgets.")]:
        for limit in ("LONG", "PATIENCE"):
            if hasattr(module, limit):
                monkeypatch.setattr(module, limit, -1.0)
    make, steps = WIDGETS[name]
    widget, rng = make(), random.Random(name)
    steps = [*steps, lambda w, ask: w.wait(), lambda w, ask: w.wait(), lambda w, ask: w.cancel()]
    for _ in range(60):
        # Most of what is counted belongs to what is computed.
        end = End(round(10 ** rng.uniform(0, 4)), rng.choice(ENDS)("out"))
        step = rng.choice(steps)
        end.during(step, widget, ask)
        with base.LOCK:
            for part in parts_of(widget):
                assert_whole(part)
        if rng.random() < 0.5:
            wait(lambda: not widget.busy)
    wait(lambda: not widget.busy)
    twin = make()
    for each in (widget, twin):
        # Twice: what an earlier state refuses of the first round, it takes in the second.
        for step in (*steps, *steps):
            with contextlib.suppress(pdp.PdpError):
                step(each, ask)
                each.wait()
    assert state_of(widget) == state_of(twin)


def test_an_interrupted_callback_keeps_nobody_from_hearing_of_a_step() -> None:
    first, second = pdp.PriorExplorer(TABLE), pdp.PriorExplorer(TABLE)

    def hangs(_: Any) -> None:
        raise KeyboardInterrupt

    first.observe(hangs, "value")
    link((first, "scale"), (second, "scale"))
    heard: list[Any] = []
    first.table.observe(heard.append, "value")
    with pytest.raises(KeyboardInterrupt):
        first._edit({"value": OTHER_TABLE, "scale": 2.0})
    assert (first.scale, second.scale, len(heard), first.error) == (2.0, 2.0, 1, None)
    for widget in (*parts_of(first), second):
        assert_whole(widget)


def test_a_page_whose_edit_is_interrupted_is_told_so(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = pdp.PriorExplorer(TABLE)
    with monkeypatch.context() as broken:
        broken.setattr(type(explorer._core), "ask", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            ask(explorer, seq=7, scale=2.0)
    assert (explorer.scale, explorer._view["ack"]) == (1.0, {"origin": "page", "seq": 7})
    assert "The computation was interrupted. The last results stay; the next edit" in explorer.error
    ask(explorer, seq=8, scale=3.0)
    assert (explorer.scale, explorer.error) == (3.0, None)


def _interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["PriorExplorer", "StreamSimulator"])
def test_a_widget_whose_end_was_interrupted_can_be_closed(
    name: str, ask: Ask, comms: list[RecordingComm]
) -> None:
    for at in (*range(1, 40), *range(40, 400, 20)):
        widget = WIDGETS[name][0]()
        parts = parts_of(widget)
        End(at, KeyboardInterrupt()).during(lambda w, _: w.close(), widget, ask)
        for part in parts:
            part.close()
        assert all(part.comm is None and part._disposed for part in parts)
    assert all(each._closed for each in comms)


def _take_lock() -> None:
    with base.LOCK:
        pass
