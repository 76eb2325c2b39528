"""A damaged state, live or saved: the last good one stays or nothing is drawn, and our own words say so."""

from __future__ import annotations

import re
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
TOLD = "pdp_widgets cannot show a state."
#: Words of the engine, and what a missing number is printed as.
FOREIGN = re.compile(r"reading '|undefined|is not a function|not iterable|TypeError|RangeError|\[object|NaN")


#: Damages and heals a state again and again; returns what was seen of each seed.
RUN = """async ([id, seeds]) => {
  const frame = () => new Promise(requestAnimationFrame);
  const settled = async () => {
    while (!host.idle()) await frame();
    for (let k = 0; k < 2; k++) await frame();
  };
  let errors = [];
  const note = (...words) => errors.push(words.join(' '));
  const real = console.error;
  console.error = note;
  // What has no error is a notice of the engine: a size was looked at twice in one frame.
  addEventListener('error', (event) => event.error && note(event.error));
  addEventListener('unhandledrejection', (event) => note(event.reason));
  const seen = [];
  let name = 'view-1';
  for (let seed = 0; seed < seeds; seed++) {
    const what = damage(id, seed);
    if (seed % 4 === 0) {
      // The same from a file: nothing was there before.
      host.remove(name);
      name = `again-${seed}`;
      await host.show(id, name);
    }
    await settled();
    const el = document.querySelector(`[data-view="${name}"]`);
    const refused = () =>
      [...el.querySelectorAll('.line[data-kind="error"]')].some((line) => line.checkVisibility());
    const row = { what, text: el.innerText, refused: refused(), errors };
    errors = [];
    heal(id, seed);
    await settled();
    seen.push({ ...row, left: errors, still: refused(), roots: el.querySelectorAll('.pdp').length });
    errors = [];
  }
  console.error = real;
  return seen;
}"""


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_damaged_state_is_refused_in_our_words(module: str, bridge: Bridge) -> None:
    bridge.theme(reduced_motion=True)
    bridge.page.evaluate(DAMAGE)
    widget: Any = eval(CELLS[module].source, setup())
    if hasattr(widget, "wait"):
        widget.wait()
    bridge.show(widget)
    bridge.settle()
    bridge.page.evaluate("id => { window.good = host.models.get(id).get('_view'); }", widget.model_id)
    wrong, refusals = [], 0
    for seed, row in enumerate(bridge.page.evaluate(RUN, [widget.model_id, SEEDS])):
        foreign = FOREIGN.findall(row["text"])
        errors = [error for error in row["errors"] if not error.startswith(TOLD)]
        refusals += row["refused"]
        if foreign or errors or row["left"] or row["roots"] == 0 or row["still"]:
            wrong.append((seed, row["what"], foreign, errors, row["left"], row["roots"]))
    assert not wrong, "\n".join(map(str, wrong))
    # Else the seeds damage nothing, or nothing is said of it.
    assert refusals > SEEDS / 4, refusals
