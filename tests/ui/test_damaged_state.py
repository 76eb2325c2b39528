"""A damaged state, live or saved: the last good one stays or nothing is drawn, and our own words say so."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pdp_widgets.publish.page_state import MODULES
from tests.every_widget import CELLS, setup
from tests.ui.bridge import Bridge

#: One thing somewhere in a state becomes another one, or goes: drawn from a seed.
DAMAGE = """
const damaged = (view, seed) => {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const places = [];
  const walk = (node, depth) => {
    if (node === null || typeof node !== 'object' || ArrayBuffer.isView(node)) return;
    for (const key of Object.keys(node)) {
      // What lies deep is much: each depth has its share.
      (places[depth] ??= []).push([node, key]);
      walk(node[key], depth + 1);
    }
  };
  const holder = { copy: structuredClone(view) };
  walk(holder, 0);
  const [node, key] = pick(pick(places));
  const old = node[key];
  const others = [null, undefined, 'text', '', -1, 0.5, 1e300, true, [], {}, [null], 'NaN'];
  if (Array.isArray(old)) others.push(old.slice(0, -1), [...old, 'more'], old.slice(0, -1));
  if (ArrayBuffer.isView(old)) {
    const bytes = new Uint8Array(old.buffer, old.byteOffset, old.byteLength).slice().buffer;
    const short = (less) => new DataView(bytes.slice(0, Math.max(0, bytes.byteLength - less)));
    others.push(short(8), short(3), short(8));
  }
  const next = pick(others);
  if (next === undefined && !Array.isArray(node)) delete node[key];
  else node[key] = next;
  const told = next !== null && typeof next === 'object' ? next.constructor.name : JSON.stringify(next);
  return { view: holder.copy, what: `${key} = ${told}` };
};
const arrive = (id, view) => {
  const model = host.models.get(id);
  model.attributes._view = view;
  model.trigger('change:_view');
};
window.damage = (id, seed) => {
  const { view, what } = damaged(good, seed);
  // Newer than what is shown, as far as it can be told.
  if (view?.revision === good.revision) view.revision += 2 * seed + 1;
  arrive(id, view);
  return what;
};
window.heal = (id, seed) => arrive(id, { ...good, revision: good.revision + 2 * seed + 2 });
null;
"""
SEEDS = 12
#: What the page tells those who look for the reason.
TOLD = "console: pdp_widgets cannot show a state."
#: Words of the engine, and what a missing number is printed as.
FOREIGN = re.compile(r"reading '|undefined|is not a function|not iterable|TypeError|RangeError|\[object|NaN")


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_damaged_state_is_refused_in_our_words(module: str, open_bridge: Callable[..., Bridge]) -> None:
    bridge = open_bridge(reduced_motion="reduce")
    bridge.page.evaluate(DAMAGE)
    widget: Any = eval(CELLS[module].source, setup())
    if hasattr(widget, "wait"):
        widget.wait()
    view = bridge.show(widget)
    bridge.settle()
    bridge.page.evaluate("id => { window.good = host.models.get(id).get('_view'); }", widget.model_id)
    wrong, refusals = [], 0
    for seed in range(SEEDS):
        what = bridge.page.evaluate("([id, seed]) => damage(id, seed)", [widget.model_id, seed])
        if seed % 4 == 0:
            # The same from a file: nothing was there before.
            view.remove()
            view = bridge.show(widget)
        bridge.settle()
        refused = view.el.locator('.line[data-kind="error"]:visible')
        foreign = FOREIGN.findall(view.el.inner_text())
        errors = [error for error in bridge.errors if not error.startswith(TOLD)]
        refusals += refused.count() > 0
        bridge.errors.clear()
        bridge.page.evaluate("([id, seed]) => heal(id, seed)", [widget.model_id, seed])
        bridge.settle()
        if foreign or errors or bridge.errors or view.root.count() != 1 or refused.count():
            wrong.append((seed, what, foreign, errors, list(bridge.errors)))
        bridge.errors.clear()
    assert not wrong, "\n".join(map(str, wrong))
    # Else the seeds damage nothing, or nothing is said of it.
    assert refusals > SEEDS / 4, refusals
