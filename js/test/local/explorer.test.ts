// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { localAnswer } from "../../src/compute/local-answer";
import type { LocalTables } from "../../src/compute/local-tables";
import { createLocalExplorer, type LocalExplorer } from "../../src/local/local-explorer";
import type { LocalRequest, LocalView } from "../../src/local/protocol";
import { townTables, townView } from "./town";
import { handOn } from "../hand";
import { OtherEnd } from "../other-end";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/local/styles", () => ({ STYLES: [] }));

/** A model whose other end answers only when told to. */
class Other extends OtherEnd<LocalView, LocalRequest> {
  tables: LocalTables = townTables();

  answer(more: Partial<LocalView> = {}): void {
    const { origin, seq, base: _base, ...wish } = this.last;
    const next = localAnswer(this.view, wish, this.tables);
    this.view = { ...next, revision: this.view.revision + 1, ack: { origin, seq }, ...more };
    this.emit("change:_view");
  }
}

let host: HTMLElement;
let other: Other;
let explorer: LocalExplorer;
const { q, press, type, line } = handOn(() => host);
const big = (): string => q(".px-big").textContent!;
const audit = (): string => q(".px-audit").textContent!;

function pick(label: string, at: number): void {
  const select = q<HTMLSelectElement>(`select[aria-label="${label}"]`);
  select.selectedIndex = at;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

function start(view = townView()): void {
  other = new Other(view);
  host = document.createElement("div");
  document.body.append(host);
  explorer = createLocalExplorer(other, host);
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

describe("a budget", () => {
  it("moves pairs at once, and what all reports say is awaited", () => {
    const before = big();
    type("Budget ε as a number", "2");
    expect(other.last.epsilon).toBe(2);
    expect(big()).not.toBe(before);
    const ahead = big();
    expect(audit()).toContain("…");
    other.answer();
    expect(big()).toBe(ahead);
    expect(audit()).not.toContain("…");
  });

  it("is one step of undo, and infinite as a word", () => {
    type("Budget ε as a number", "inf");
    expect(other.last.epsilon).toBe("Infinity");
    other.answer();
    press(q(".px"), "z", { ctrlKey: true });
    expect(other.last.epsilon).toBe(1);
    other.answer();
    press(q(".px"), "z", { ctrlKey: true, shiftKey: true });
    expect(other.last.epsilon).toBe("Infinity");
  });

  it("that makes no sense is refused here", () => {
    type("Budget ε as a number", "-2");
    expect(other.requests).toHaveLength(0);
    expect(line()).toContain("The budget -2 is refused.");
  });
});

describe("a pair", () => {
  it("is chosen by a cell; its number stands before the rest has come", () => {
    q('[data-cell="5"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(other.last).toMatchObject({ source: 1, secret: 2 });
    expect(big()).not.toContain("…");
    expect(q(".lx-rows").textContent).toContain("…");
    other.answer();
    expect(q(".lx-rows .lx-words").textContent).toContain("is reported with chance");
    expect(q('[data-cell="5"]').getAttribute("aria-selected")).toBe("true");
  });

  it("turns around by swap, and is no step of undo", () => {
    q<HTMLButtonElement>(".lx-swap").click();
    expect(other.last).toMatchObject({ source: 1, secret: 0 });
    other.answer();
    expect(q<HTMLButtonElement>('[aria-label="Undo (Ctrl Z)"]').disabled).toBe(true);
  });
});

describe("attributes", () => {
  it("that go are replaced in the pair", () => {
    q<HTMLButtonElement>(".lx-chip").click();
    expect(other.last).toMatchObject({ attributes: [1, 2], source: 2, secret: 1 });
    other.answer();
    expect(host.querySelectorAll("[role=gridcell]")).toHaveLength(4);
    expect(q(".lx-chip").getAttribute("aria-pressed")).toBe("false");
  });

  it("stay while only one is left", () => {
    const chips = [...host.querySelectorAll<HTMLButtonElement>(".lx-chip")];
    chips[0]!.click();
    other.answer();
    chips[1]!.click();
    other.answer();
    expect(other.view.attributes.filter(({ chosen }) => chosen)).toHaveLength(1);
    const sent = other.requests.length;
    chips[2]!.click();
    expect(other.requests).toHaveLength(sent);
    expect(q(".px-lead").textContent).toContain("One attribute has no other to leak about.");
    expect(q(".px").textContent).toContain("one of three attributes, reported on its own");
    expect(q(".lx-fact").textContent).toContain("Choose a second attribute");
    expect(q(".lx-curves").textContent).toContain("Two attributes make a pair.");
  });
});

describe("a mechanism", () => {
  it("takes its parameters along, and raw where no guess is defined", () => {
    pick("Mechanism", 4);
    expect(other.last).toMatchObject({ mechanism: "generic", parameters: {}, output: "raw" });
    other.answer();
    expect(q<HTMLInputElement>('input[value="inferred"]').disabled).toBe(true);
  });

  it("whose numbers are not known here is awaited", () => {
    pick("Mechanism", 1);
    vi.advanceTimersByTime(300);
    expect(big()).toContain("…");
    expect(line()).toContain("Computing");
    other.answer();
    expect(big()).not.toContain("…");
  });

  it("without a budget has no number to drag", () => {
    pick("Mechanism", 2);
    other.answer();
    expect(q<HTMLInputElement>('input[aria-label="Budget ε as a number"]').disabled).toBe(true);
    expect(q(".lx-curve-words").textContent).toContain("RAPPOR");
  });
});

describe("the counterexample", () => {
  it("stands in place of the data and goes again by undo", () => {
    const tab = q<HTMLInputElement>('input[value="counterexample"]');
    tab.checked = true;
    tab.dispatchEvent(new Event("change", { bubbles: true }));
    q<HTMLButtonElement>(".lx-example").click();
    expect(other.last.example).toBe("xor");
    other.answer({ since: other.view.revision + 1 });
    expect(q(".px-lead").textContent).toContain("together leak 1.434, more than the paper’s sum of pairs, 1.000.");
    expect(q(".px").textContent).toContain("Example: ");
    press(q(".px"), "z", { ctrlKey: true });
    expect(other.last.example).toBe("");
    other.answer({ since: other.view.revision + 1 });
    expect(q(".px-lead").textContent).toContain("District alone leaks");
    expect(q(".px").textContent).not.toContain("Example: ");
  });
});

describe("the other end", () => {
  it("may be gone: controls are off, numbers stay", () => {
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(line()).toContain("No kernel.");
    expect(q<HTMLInputElement>('input[aria-label="Budget ε as a number"]').disabled).toBe(true);
    expect(big()).not.toContain("…");
    q('[data-cell="5"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(other.requests).toHaveLength(0);
  });

  it("may find a fault: the last results stay and say so", () => {
    other.view = { ...other.view, revision: 2, epsilon: -1, current: false, fault: { text: "epsilon is -1; it must be 0 or more.", where: null } };
    other.emit("change:_view");
    expect(line()).toContain("epsilon is -1");
    expect(line()).toContain("The results belong to the last valid inputs.");
    expect(q(".lx-fact .px-stale").textContent).toContain("Results belong to the last valid inputs.");
    expect(host.querySelectorAll("[data-old] .px-result")).toHaveLength(6);
  });

  it("is left without a listener at the end", () => {
    explorer.destroy();
    expect(other.live).toBe(0);
    start();
  });
});
