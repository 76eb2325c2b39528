"""Widgets drawn without a browser: sound drawings, and every number and label as text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    AttributeTable,
    CovarianceEditor,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    LocalExplorer,
    MarkovChain,
    PriorExplorer,
    SocialNetwork,
    SparseJoint,
    StreamSimulator,
    WHGGraph,
)
from pdp_widgets.places import CheckIns, Friendships
from pdp_widgets.publish import render
from pdp_widgets.publish.page_state import MODULES
from pdp_widgets.publish.render import EngineError, Picture, picture
from tests.every_widget import CELLS, printed, setup

#: Elements that draw or say something, and neither run nor load.
DRAWN = {
    *(
        "svg",
        "style",
        "title",
        "desc",
        "defs",
        "g",
        "text",
        "tspan",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
    ),
    *(
        "polyline",
        "polygon",
        "linearGradient",
        "stop",
        "clipPath",
        "mask",
        "pattern",
        "use",
        "image",
        "marker",
    ),
}
#: What would be code, another element or another order of signs if it were taken for anything but text.
EVIL = ["<script>alert(1)</script>", '"><img src="//evil" onload=x>', "a\n\x00\u202eb & 'c'", "ש" * 10_000]


def evil_joint() -> JointDistribution:
    table = np.random.default_rng(3).dirichlet(np.ones(12)).reshape(2, 3, 2)
    return JointDistribution(
        table / table.sum(),
        domains=[[EVIL[0], "x" * 10_000], ["שלום", "عمر", "👩‍👩‍👧‍👦"], [True, False]],
        names=[EVIL[1], EVIL[3], EVIL[2]],
        title="]]><foreignObject>" + "t" * 10_000,
    )


def evil_model() -> GaussianModel:
    return GaussianModel(None, np.eye(3) + 0.5, EVIL[1:], title="]]><foreignObject>", unit=EVIL[1])


def evil_city() -> SocialNetwork:
    when = "2010-10-19T23:55:27Z"
    rows = [(user, when, 40.7 + user / 99, -74.0 + user % 3 / 9, f"p{user}") for user in range(9)]
    return SocialNetwork(CheckIns(rows), Friendships([(0, 1)]), EVIL[0] * 5)


#: Widgets whose names and labels are all hostile.
HOSTILE = {
    "joint table": lambda: JointTable(evil_joint()),
    "prior": lambda: PriorExplorer(evil_joint(), query="histogram"),
    "graph": lambda: WHGGraph(PriorExplorer(evil_joint(), query="histogram").results),
    "covariances": lambda: CovarianceEditor(evil_model()),
    "gaussian": lambda: GaussianExplorer(evil_model()),
    "local": lambda: LocalExplorer(
        AttributeTable(
            [[0, 0, 1], [1, 1, 0], [0, 1, 1]],
            names=EVIL[:3],
            domains=[["]]>", "<img>"], [0, 1], ["x" * 4000, ""]],
            title="]]><foreignObject>",
        )
    ),
    "dependence": lambda: DependenceExplorer(
        SparseJoint(
            [["<b>", EVIL[0]], ["]]>", EVIL[2]], ["<b>", EVIL[2]]], [0.5, 0.25, 0.25], EVIL[:2], EVIL[1]
        ),
        "count:<b>",
    ),
    "attack": lambda: AttackExplorer(evil_city(), clusters=2),
    "anonymity": lambda: AnonymityExplorer(
        {EVIL[0]: list(range(40)), "ill": ["]]>" if k % 3 else EVIL[1] for k in range(40)]},
        [EVIL[0]],
        "ill",
        k=3,
    ),
    "stream": lambda: StreamSimulator(
        MarkovChain([[0.6, 0.4], [0.4, 0.6]], states=[EVIL[0], EVIL[2]]), 0.5, rng=1, steps=5
    ),
}


def state_of(make: Any) -> dict[str, Any]:
    widget = make()
    if hasattr(widget, "wait"):
        widget.wait()
    return widget._page_state()


def said(shown: Picture) -> str:
    """All that a picture says and draws."""
    cells = [text for panel in shown.panels for _, rows in panel.tables for row in rows for text, *_ in row]
    words = [text for panel in shown.panels for text in (panel.title, *panel.words, *sum(panel.facts, ()))]
    svgs = [drawing.svg for panel in shown.panels for drawing in panel.drawings]
    return "\n".join([shown.title, shown.lead, shown.foot, *words, *cells, *svgs])


def check(shown: Picture) -> None:
    """Nothing in a drawing runs or loads."""
    for panel in shown.panels:
        for drawing in panel.drawings:
            for element in ElementTree.fromstring(drawing.svg).iter():
                assert element.tag.partition("}")[2] in DRAWN
                for name, value in element.attrib.items():
                    assert not name.lower().startswith("on")
                    assert "href" not in name or value.startswith(("#", "data:image/"))
                    assert "NaN" not in value or name in ("aria-label", "class", "id")


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return setup()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_widget_is_drawn_the_same_each_time(module: str, names: dict[str, Any]) -> None:
    state = state_of(lambda: eval(CELLS[module].source, names))
    shown = picture(state)
    check(shown)
    assert shown.title or shown.panels
    assert picture(state) == shown
    text = said(shown)
    assert [number for number in printed(eval(CELLS[module].numbers, names)) if number not in text] == []


def engine_of(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put another script in the place of the front end's."""
    monkeypatch.setattr(render, "_drawers", [])
    monkeypatch.setattr(render, "_SECONDS", 0.3)
    monkeypatch.setattr(
        render, "_script", lambda: f"function {render._NAME}(state, width, theme) {{ {script} }}"
    )


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("for (;;) ;", "more than 0.3 seconds"),
        ("throw new Error('no <b>room</b>')", "no <b>room</b>"),
        ("const a = []; for (;;) a.push(new Array(9999).fill(0))", "memory"),
        ("return '{'", "."),
        ("return '{}'", "."),
    ],
    ids=["endless", "failing", "greedy", "no JSON", "another shape"],
)
def test_a_drawing_that_fails_is_given_up_in_words(
    script: str, said: str, monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]
) -> None:
    state = state_of(lambda: eval(CELLS["joint_table"].source, names))
    monkeypatch.setattr(render, "_MEMORY", 1 << 26)
    with monkeypatch.context() as broken:
        engine_of(broken, script)
        with pytest.raises(EngineError, match=said):
            picture(state)
    assert picture(state).panels


def test_what_was_just_drawn_is_not_drawn_again(
    monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]
) -> None:
    state = state_of(lambda: eval(CELLS["joint_table"].source, names))
    asked: list[float] = []

    def draw(text: str, width: float, theme: str) -> str:
        asked.append(width)
        return json.dumps({"title": "", "lead": "", "foot": "", "panels": []})

    monkeypatch.setattr(render, "_drawers", [draw])
    assert picture(state) == picture(state)
    picture(state, 400)
    assert asked == [1000, 400]


def test_without_an_engine_it_says_why(monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]) -> None:
    state = state_of(lambda: eval(CELLS["joint_table"].source, names))
    monkeypatch.setattr(render, "_drawers", [])
    monkeypatch.setitem(sys.modules, "quickjs", None)
    with pytest.raises(EngineError, match="quickjs-ng"):
        picture(state)


def test_the_engine_is_loaded_when_something_is_drawn_and_not_before() -> None:
    code = "import sys, pdp_widgets.publish.render; print('quickjs' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_it_is_drawn_from_several_threads(names: dict[str, Any]) -> None:
    state = state_of(lambda: eval(CELLS["joint_table"].source, names))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(picture, [state] * 8))
    assert len({json.dumps(one.title) for one in found}) == 1
    assert all(one == found[0] for one in found)


#: What another thread holds, or has at work, is not to be waited for in a forked process.
FORKED = """
import os, pkgutil, signal, threading, time
from importlib import import_module
import pdp_widgets
from pdp_widgets import lsat6
from pdp_widgets.widgets.running import Runner

LOCKS = type(threading.Lock()), type(threading.RLock())
found = pkgutil.walk_packages(pdp_widgets.__path__, "pdp_widgets.")
modules = [import_module(one.name) for one in found if not one.name.endswith("__main__")]
places = [(module, name) for module in modules for name, one in vars(module).items() if type(one) in LOCKS]
drawn = lsat6()._repr_html_()
done = threading.Event()
runner = Runner(lambda *_: None, lambda *_: done.set(), lambda *_: None)
held = threading.Event()

def hold():
    for module, name in places:
        getattr(module, name).acquire(timeout=0)
    held.set()
    time.sleep(60)

threading.Thread(target=hold, daemon=True).start()
runner.start(1, lambda _: time.sleep(60))
held.wait()
child = os.fork()
if not child:
    signal.alarm(30)
    runner.start(2, lambda _: None)
    locks = [getattr(module, name) for module, name in places]
    free = all(lock.acquire(timeout=1) and lock.release() is None for lock in locks)
    same = lsat6()._repr_html_() == drawn and lsat6().marginal([0])._repr_html_() != drawn
    os._exit(0 if places and free and same and done.wait(5) else 1)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forked processes here")
def test_a_forked_process_draws_and_computes() -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], timeout=120, check=False)
    assert done.returncode == 0


def test_a_drawing_that_is_interrupted_is_given_up(
    monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]
) -> None:
    state = state_of(lambda: eval(CELLS["joint_table"].source, names))

    def interrupted(*_: Any) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as slow:
        slow.setattr(render, "_drawers", drawers := [interrupted])
        with pytest.raises(KeyboardInterrupt):
            picture(state)
        # The engine is busy with it still.
        assert drawers == []
    assert picture(state).panels
