// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAttackExplorer, type AttackExplorer } from "../../src/attack/attack-explorer";
import type { AttackRequest, AttackView } from "../../src/attack/protocol";
import { wishOf } from "../../src/attack/screen";
import { handOn } from "../hand";
import { OtherEnd } from "../other-end";
import { cityView, resultsOf } from "./city";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/attack/styles", () => ({ STYLES: [] }));

/** A model whose other end answers only when told to. */
class Other extends OtherEnd<AttackView, AttackRequest> {
  answer(more: Partial<AttackView> = {}): void {
    const { origin, seq, base: _base, ...wish } = this.last;
    const next = { ...this.view, ...wish };
    this.view = { ...next, results: resultsOf(wishOf(next)), revision: this.view.revision + 1, ack: { origin, seq }, ...more };
    this.emit("change:_view");
  }
}

let host: HTMLElement;
let other: Other;
let explorer: AttackExplorer;
const { q, press, type, line } = handOn(() => host);
const lead = (): string => q(".px-lead").textContent!;
const audit = (): string => q(".px-audit").textContent!;

function start(view = cityView()): void {
  other = new Other(view);
  host = document.createElement("div");
  document.body.append(host);
  explorer = createAttackExplorer(other, host);
}

beforeEach(() => {
  vi.useFakeTimers();
  start();
});

afterEach(() => {
  explorer.destroy();
  host.remove();
  vi.useRealTimers();
});

describe("the first look", () => {
  it("is one sentence with the unit beside its numbers", () => {
    expect(lead()).toMatch(/^The guess of attack 2 is off by [\d.]+ km\. With ε = 40 and friends weighted 10 times it scores [\d.]+ bits\./);
    expect(host.querySelectorAll(".ax-map")).toHaveLength(4);
    expect(q(".px-title").textContent).toBe("Testville, 40 users, 30 × 30 km, two noisy cluster centres published");
    expect(audit()).toContain("(95 % over draws)");
  });

  it("says which sensitivity is a guarantee", () => {
    const options = [...q<HTMLSelectElement>('select[aria-label="Sensitivity"]').options].map(({ text }) => text);
    expect(options).toEqual(["unit, as the paper, no guarantee", "local, no guarantee", "fixed bound, no guarantee", "worst case, a guarantee"]);
  });
});

describe("a bound", () => {
  const named = (): string[] => [audit(), q('section[aria-label="Release"] dl').textContent!, q(".ax-curve").textContent!];

  it("is called one where the budget is a guarantee, else a budget that bounds nothing", () => {
    for (const text of named()) expect(text).not.toMatch(/bound/i);
    for (const text of named()) expect(text).toMatch(/budget/i);
    expect(audit()).toContain("bits, no guarantee");
    expect(q(".ax-curve").textContent).toContain("budget ε/ln 2");
    expect(q(".ax-by-panel").textContent).not.toMatch(/bound|promise/);
    explorer.destroy();
    host.remove();
    start(cityView({ sensitivity: "worst_case" }));
    for (const text of named()) expect(text).toMatch(/bound/i);
    expect(audit()).not.toContain("guarantee");
    // Who knows fewer is not the adversary that the promise is about.
    explorer.destroy();
    host.remove();
    start(cityView({ sensitivity: "worst_case", known: 0.5 }));
    for (const text of named()) expect(text).not.toMatch(/bound/i);
  });
});

describe("a budget", () => {
  it("moves the bound and the noise at once; scores are awaited, then new", () => {
    const before = lead();
    type("Budget ε as a number", "80");
    expect(other.last.epsilon).toBe(80);
    expect(q('section[aria-label="Release"] dl').textContent).toContain("115.4 bits");
    expect(q('section[aria-label="Release"] dl').textContent).toContain("0.00150");
    expect(audit()).toContain("≈");
    vi.advanceTimersByTime(300);
    expect(lead()).toContain("…");
    other.answer();
    expect(lead()).not.toContain("…");
    expect(lead()).not.toBe(before);
    expect(audit()).not.toContain("≈");
  });

  it("is one step of undo, with the exact number", () => {
    type("Budget ε as a number", "0.30000000000000004");
    other.answer();
    press(q(".ax"), "z", { ctrlKey: true });
    expect(other.last.epsilon).toBe(40);
    other.answer();
    press(q(".ax"), "z", { ctrlKey: true, shiftKey: true });
    expect(other.last.epsilon).toBe(0.30000000000000004);
  });

  it.each(["0", "-1", "inf", "x"])("that is none is refused: %s", (text) => {
    type("Budget ε as a number", text);
    expect(other.requests).toHaveLength(0);
    expect(line()).toContain("The budget stays 40.");
  });

  it("moves by the keys of the curve, to its ends", () => {
    const handle = q(".ax-curve .density-handle");
    press(handle, "End");
    expect(other.last.epsilon).toBe(400);
    other.answer();
    press(handle, "Home");
    expect(other.last.epsilon).toBe(0.1);
  });
});

describe("a victim", () => {
  const field = (): HTMLInputElement => q<HTMLInputElement>("[role=combobox]");

  function typed(text: string): void {
    field().value = text;
    field().dispatchEvent(new Event("input", { bubbles: true }));
  }

  it("is found by typing and taken by Enter", () => {
    expect(field().value).toBe("User 107, 4 friends");
    typed("110");
    expect(q("[role=option]").textContent).toBe("User 110, 4 friends");
    press(field(), "Enter");
    expect(other.last.victim).toBe(10);
    expect(field().value).toBe("User 110, 4 friends");
    other.answer();
    press(q(".ax"), "z", { ctrlKey: true });
    expect(other.last.victim).toBe(7);
  });

  it("who is not there is refused, and Escape brings the last one back", () => {
    typed("nobody");
    press(field(), "Enter");
    expect(line()).toContain('No user is called "nobody".');
    expect(other.requests).toHaveLength(0);
    press(field(), "Escape");
    expect(field().value).toBe("User 107, 4 friends");
    expect(line()).toBe("");
  });

  it("without friends is attacked alike", () => {
    typed("105");
    press(field(), "Enter");
    other.answer();
    expect(q(".ax-score").textContent).toContain("The victim has no friends");
    expect(host.querySelectorAll(".ax-friend")).toHaveLength(1);
    expect(lead()).toContain("It knew no more than attack 1");
  });

  it("is walked to with arrows", () => {
    press(field(), "ArrowDown");
    expect(field().getAttribute("aria-expanded")).toBe("true");
    press(field(), "ArrowDown");
    press(field(), "Enter");
    expect(other.last.victim).toBe(8);
  });
});

describe("the other inputs", () => {
  it("travel and come back by undo, each a step", () => {
    q<HTMLInputElement>('input[value="dpm"]').click();
    expect(other.last.mechanism).toBe("dpm");
    other.answer();
    const select = q<HTMLSelectElement>('select[aria-label="Sensitivity"]');
    select.selectedIndex = 3;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    expect(other.last.sensitivity).toBe("worst_case");
    other.answer();
    type("Friends’ weight as a number", "20");
    expect(other.last.weight).toBe(20);
    other.answer();
    type("Share known in per cent", "50");
    expect(other.last.known).toBe(0.5);
    other.answer();
    q<HTMLButtonElement>(".ax-noise .button").click();
    expect(other.last.draw).toBe(5);
    other.answer();
    for (const [part, value] of [["draw", 4], ["known", 1], ["weight", 10], ["sensitivity", "local"], ["mechanism", "lpm"]] as const) {
      press(q(".ax"), "z", { ctrlKey: true });
      expect(other.last[part]).toBe(value);
      other.answer();
    }
    expect(q<HTMLButtonElement>('[aria-label="Undo (Ctrl Z)"]').disabled).toBe(true);
  });

  it("refuse a share beyond all", () => {
    type("Share known in per cent", "101 %");
    expect(other.requests).toHaveLength(0);
    expect(line()).toContain("The share stays 100 %.");
  });
});

describe("the maps", () => {
  it("are walked by the arrow keys, and all four read out one cell", () => {
    const map = q(".ax-map");
    press(map, "Home");
    press(map, "PageUp");
    expect(q(".ax-readout").textContent).toMatch(/^Cell 1 east, 6 north: attack 1 0 → 0, attack 2 0 → 0$/);
    expect(host.querySelectorAll(".ax-cursor rect")).toHaveLength(8);
    press(map, "Escape");
    expect(host.querySelectorAll(".ax-cursor rect")).toHaveLength(0);
  });

  it("have a table of their likeliest cells", () => {
    const rows = [...host.querySelectorAll(".ax-where .sr-only tbody tr")];
    expect(rows.length).toBeGreaterThan(5);
    const after = rows.map((row) => Math.max(Number(row.children[2]!.textContent), Number(row.children[4]!.textContent)));
    expect(after).toEqual([...after].sort((a, b) => b - a));
  });
});

describe("the other end", () => {
  it("may be gone: controls are off, numbers stay", () => {
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(line()).toContain("No kernel.");
    for (const control of host.querySelectorAll<HTMLInputElement>(".ax-left input, .ax-left select, .ax-left button")) expect(control.disabled).toBe(true);
    expect(lead()).not.toContain("…");
  });

  it("may be computing the curves: the maps are there, the curves are awaited", () => {
    explorer.destroy();
    host.remove();
    const view = cityView();
    start({ ...view, running: { number: 1, paper: false }, results: { ...view.results!, curves: null, mean: null } });
    expect(lead()).not.toContain("…");
    expect(q(".ax-no-curve").textContent).toBe("The curves over all users: being computed.");
    expect(audit()).toContain("…");
  });

  it("keeps the last curves, pale and without numbers, until those of another weight are computed", () => {
    type("Friends’ weight as a number", "20");
    const { curves, mean } = resultsOf(wishOf({ ...other.view, weight: 20 }));
    const bare = { ...resultsOf(wishOf({ ...other.view, weight: 20 })), curves: null };
    other.answer({ running: { number: 3, paper: false }, results: bare });
    expect(host.querySelectorAll(".ax-curve[data-old]")).toHaveLength(2);
    expect(q(".ax-over").children).toHaveLength(0);
    const rows = [...host.querySelectorAll(".ax-by tbody tr")].map((row) => row.children[1]!.textContent);
    // What is known at the budget itself is said.
    expect(rows.filter((text) => text !== "…")).toEqual([(mean!.printed / Math.LN2).toFixed(3)]);
    other.view = { ...other.view, revision: other.view.revision + 1, running: null, results: { ...bare, curves } };
    other.emit("change:_view");
    vi.advanceTimersByTime(100);
    expect(host.querySelectorAll(".ax-curve[data-old]")).toHaveLength(0);
    expect(q(".ax-over").children.length).toBeGreaterThan(1);
  });

  it("keeps the last good numbers, and says that they are old", () => {
    type("Budget ε as a number", "80");
    other.answer({ current: false, results: other.view.results, fault: { text: "The budget is too large. Enter less.", where: null } });
    expect(line()).toContain("The budget is too large.");
    expect(line()).toContain("last valid inputs");
    expect(q<HTMLElement>(".ax-score .px-stale").hidden).toBe(false);
    expect(host.querySelectorAll("[data-old] .px-result")).toHaveLength(6);
  });

  it("may hold a budget that is none: the numbers are those of the last one that was", () => {
    const view = cityView();
    other.view = { ...view, revision: 2, epsilon: -3, current: false, fault: { text: "epsilon is -3. Give a number above 0.", where: null } };
    other.emit("change:_view");
    vi.advanceTimersByTime(100);
    expect(q<HTMLInputElement>('input[aria-label="Budget ε as a number"]').value).toBe("−3");
    expect(q('section[aria-label="Release"] dl').textContent).toContain("57.71 bits");
    expect(audit()).toContain("(95 % over draws)");
    expect(line()).toContain("epsilon is -3.");
  });

  it("may list some of very many users only, and says so", () => {
    const view = cityView();
    other.view = { ...view, revision: 2, city: { ...view.city, users: 7000 } };
    other.emit("change:_view");
    vi.advanceTimersByTime(100);
    const field = q<HTMLInputElement>("[role=combobox]");
    field.value = "6999";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    expect(q(".ax-more-users").textContent).toBe("No user has this name, 40 of 7,000 users are listed, those with most friends.");
  });

  it("gives up what it computed beside: that can be asked for again", () => {
    const view = cityView();
    other.view = { ...view, revision: 2, stopped: "The means over all users were cancelled.", results: { ...view.results!, curves: null, mean: null } };
    other.emit("change:_view");
    vi.advanceTimersByTime(100);
    expect(line()).toContain("were cancelled.");
    expect(q(".ax-no-curve").textContent).toContain("not computed");
    q<HTMLButtonElement>(".px-slot .button:not([hidden])").click();
    expect(other.messages).toContainEqual({ resume: true });
  });

  it("of another city begins a history of its own", () => {
    type("Budget ε as a number", "80");
    other.answer();
    const view = cityView({ epsilon: 12 });
    other.view = { ...view, revision: 9, since: 9, title: "Elsewhere" };
    other.emit("change:_view");
    vi.advanceTimersByTime(100);
    expect(q<HTMLButtonElement>('[aria-label="Undo (Ctrl Z)"]').disabled).toBe(true);
  });

  it("hears one request at a time while a number is dragged", () => {
    const thumb = q(".ax-left .slider-thumb");
    for (let k = 0; k < 5; k++) press(thumb, "ArrowRight");
    expect(other.requests).toHaveLength(1);
    other.answer();
    expect(other.requests).toHaveLength(2);
    other.answer();
    expect(other.requests).toHaveLength(2);
    // Presses in a row are one step.
    press(q(".ax"), "z", { ctrlKey: true });
    expect(other.last.epsilon).toBe(40);
  });

  it("may have nothing yet", () => {
    explorer.destroy();
    host.remove();
    start(cityView({ results: null, current: false, fault: { text: "The network has no users. Give one with check-ins.", where: null } }));
    expect(lead()).toContain("nothing is inferred yet");
    expect(line()).toContain("The network has no users.");
  });
});

it("leaves no listener behind", () => {
  explorer.destroy();
  expect(other.live).toBe(0);
});
