"""No input of a widget is taken and changes nothing: each one changes what is seen beside its own control."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import pdp_widgets as pdp
from pdp_widgets.publish.page_state import MODULES
from tests.browser import PATIENCE
from tests.every_widget import CELLS, setup
from tests.ui.bridge import Bridge, View
from tests.ui.hands import WAITING

#: Everything that is read or drawn, but what stands in controls: a control shows its own value always.
SEEN = """root => {
  const controls = 'input, select, textarea, [aria-haspopup], style, [role=radio], [role=slider], .label, '
    + '[role=spinbutton], [role=switch], [role=checkbox], [role=tab], .sr-only';
  const shapes = ['d', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'points', 'width', 'height'];
  const out = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) out.push(node.textContent);
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(controls)) return;
    const style = getComputedStyle(node);
    if (style.display === 'none' || style.visibility === 'hidden') return;
    if (node instanceof SVGElement) {
      out.push(...shapes.map((name) => node.getAttribute(name) ?? ''), style.stroke);
    }
    node.childNodes.forEach(walk);
  };
  walk(root);
  return out.join(' ').replace(/\\s+/g, ' ');
}"""


class Change(NamedTuple):
    """What an input becomes, and what has to be chosen before so that it matters."""

    value: Any
    before: dict[str, Any] = {}  # noqa: RUF012 -- nobody changes it
    #: What is done in both cases, where the input is about that.
    after: Callable[[Any], None] | None = None
    #: Name of the further view that shows it, where that is not the first.
    within: str = ""


def _raise_a_cell(table: pdp.JointTable) -> None:
    table.set_cell([0, 0, 0], 0.5)


def _go_on(stream: pdp.StreamSimulator) -> None:
    stream.position += 100


def _changes() -> dict[str, dict[str, Change]]:
    """Return a change of every input, by widget."""
    other = pdp.JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])
    flats = pdp.GaussianModel([5, 4], [[1.4, 0.9], [0.9, 1]])
    adversary = {
        "target": Change(1, {"target": 0, "known": [2]}),
        "known": Change([1, 2], {"target": 0, "known": [2]}),
        "threshold": Change(0.35),
    }
    pair = {
        "target": Change(1, {"target": 0, "known": []}),
        "known": Change([1], {"target": 0, "known": []}),
        "threshold": Change(0.35),
    }
    return {
        "anonymity_explorer": {
            "value": Change(pdp.clinic().take(range(60))),
            "quasi": Change(["age"]),
            "secret": Change(None),
            "k": Change(9),
            "release": Change("sum:weight"),
            "n": Change(300),
            "level": Change("I"),
            "known": Change(0.6),
            "neighbours": Change(3, {"level": "IV"}),
            "epsilon": Change(0.5),
            "events": Change("interval"),
            "delta1": Change(0.3),
            "group_change": Change(3, {"show_paper": True, "reading": "t4:sum_of_powers"}),
            "shift": Change(3, {"release": "sum:age"}),
            "neighbour": Change("presence"),
            "show_paper": Change(False),
            "reading": Change("t1:final", {"show_paper": True}),
            "noun": Change("bench"),
        },
        "attack_explorer": {
            "value": Change(pdp.synthetic_network(60, rng=2).city("New York")),
            "victim": Change(4),
            "mechanism": Change("dpm"),
            "epsilon": Change(5),
            "sensitivity": Change("worst_case"),
            "weight": Change(3),
            "known": Change(0.3),
            "grid": Change(6),
            "clusters": Change(6),
            "radius": Change(0.4),
            "draw": Change(2),
            "smoothing": Change(2),
        },
        "covariance_editor": {
            "value": Change(flats),
            "weights": Change([2, 1], {"weights": [1, 1]}),
            "show_correlation": Change(True),
        },
        "dependence_explorer": {
            "value": Change(other),
            "query": Change("mean"),
            "epsilon": Change(2),
            "mechanism": Change("lpm"),
            "coefficient": Change("eq18"),
            "known": Change(["Ben"], {"knowing": "chosen"}),
            "knowing": Change("worst"),
            "target": Change(3),
            "other": Change(4, {"target": 0}),
            "alpha": Change(2),
            "measure": Change("delta"),
            "measure_epsilon": Change(0.5, {"measure": "delta"}),
            "show_paper": Change(False),
            "noun": Change("bench"),
        },
        "gaussian_explorer": {
            "value": Change(flats),
            "weights": Change([2, 1]),
            "scale": Change(2),
            "max_change": Change(2),
            "query": Change("mean"),
            "goal": Change(0.2),
            "show_correlation": Change(True),
            "noun": Change("bench"),
            **pair,
        },
        "joint_table": {"value": Change(other), "keep_sum": Change(False, after=_raise_a_cell)},
        "local_explorer": {
            "value": Change(pdp.titanic().marginal([0, 1, 2])),
            "mechanism": Change("OUE"),
            "epsilon": Change(2),
            "output": Change("inferred"),
            "source": Change(2, {"source": 0, "secret": 1}),
            "secret": Change(2, {"source": 0, "secret": 1}),
            "attributes": Change([0, 1]),
            "min_count": Change(700),
            "budget": Change(3, within="Find a budget"),
            "noun": Change("bench"),
        },
        "prior_explorer": {
            "value": Change(other),
            "query": Change("count:1"),
            "scale": Change(2),
            "instance": Change([1, 0, 0]),
            "convention": Change("sup"),
            "show_paper": Change(True),
            "measure": Change("delta"),
            "measure_epsilon": Change(0.5, {"measure": "delta"}),
            "goal": Change(0.2),
            "noun": Change("bench"),
            **adversary,
        },
        "question": {
            "value": Change(pdp.Question.text("why", "Why is noise added?", "To hide.").value),
            "answer": Change("3 nats"),
            "attempts": Change(2),
            "hints": Change(1),
        },
        "stream_simulator": {
            "value": Change(pdp.MarkovChain.symmetric(0.9)),
            "epsilon": Change(2),
            "lanes": Change(["grr"]),
            "delta": Change(0.1, {"epsilon": 0.1}, after=_go_on),
            "distance": Change("absolute"),
            "seed": Change(3),
            "position": Change(5),
        },
        "whg_graph": {
            "value": Change(setup()["of_joint"](2.0)),
            "show_paper": Change(True),
            **adversary,
        },
    }


CHANGES = _changes()
#: What other inputs follow: they are not what they were, when the first value comes back.
SUBJECTS = {"attributes", "quasi", "query", "release", "secret", "value"}
#: What a widget does in time, or whether a hand may do anything: seen in tests of their own.
ELSEWHERE = {"disabled", "playing", "speed"}


#: Nothing here is about time: what waits for a quiet hand is asked for at once.
AT_ONCE = """() => {
  const set = window.setTimeout;
  window.setTimeout = (act, time, ...rest) => set(act, Math.min(time ?? 0, 10), ...rest);
}"""
#: Returns what is seen when two looks in a row are the same and no message is under way.
STILL = f"""async root => {{
  const look = {SEEN};
  let seen = look(root);
  for (let left = 100; left > 0; left--) {{
    await new Promise((done) => setTimeout(() => requestAnimationFrame(done), 10));
    const now = look(root);
    if (now === seen && host.idle()) return now;
    seen = now;
  }}
  throw new Error('it never rests');
}}"""


def _rest(bridge: Bridge, view: View, widget: Any) -> str:
    """Return what is seen once nothing moves any more and nothing is awaited."""
    if hasattr(widget, "wait"):
        widget.wait()
    end = time.monotonic() + PATIENCE / 1000
    while True:
        bridge.flush()
        seen = str(view.root.evaluate(STILL))
        if f" {WAITING} " not in f" {seen} " and not bridge._later:
            return seen
        assert time.monotonic() < end, seen


def _put(widget: Any, parts: dict[str, Any]) -> None:
    for part, held in parts.items():
        setattr(widget, part, held)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_input_changes_what_is_seen(module: str, bridge: Bridge) -> None:
    bridge.theme(reduced_motion=True)
    bridge.page.evaluate(AT_ONCE)
    names = setup()
    opened: list[tuple[Any, View]] = []

    def fresh() -> tuple[Any, View]:
        if opened:
            widget, view = opened.pop()
            view.remove()
            widget.close()
        widget = eval(CELLS[module].source, names)
        opened.append((widget, bridge.show(widget)))
        return opened[-1]

    widget, view = fresh()
    untouched = _rest(bridge, view, widget)
    changes = CHANGES[module]
    assert set(changes) == set(widget._inputs) - ELSEWHERE, "an input has no change here"
    nothing: list[str] = []
    stale = False
    # Those that others follow come last: after each of them a widget is opened anew.
    for name in sorted(changes, key=SUBJECTS.__contains__):
        value, before, after, within = changes[name]
        if stale:
            widget, view = fresh()
        elif name in SUBJECTS and not nothing:
            assert _rest(bridge, view, widget) == untouched, "what was put back is seen otherwise"
        held = {part: getattr(widget, part) for part in (*before, name)}
        first = untouched
        if within:
            view.root.get_by_role("radio", name=within).click()
        _put(widget, before)
        if after:
            after(widget)
        if before or after or within:
            first = _rest(bridge, view, widget)
        if after:
            # What is done would show by itself: another widget does it once too.
            widget, view = fresh()
            _put(widget, before)
        _put(widget, {name: value})
        if after:
            after(widget)
        # Looked at again only where nothing is new.
        if all(_rest(bridge, view, widget) == first for _ in range(3)):
            nothing.append(name)
        # The next input is changed where this one was not.
        stale = after is not None or not SUBJECTS.isdisjoint(held)
        if not stale:
            _put(widget, held)
        if within:
            untouched = _rest(bridge, view, widget)
    assert nothing == []
