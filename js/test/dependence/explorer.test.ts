// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDependenceExplorer, type DependenceExplorer } from "../../src/dependence/dependence-explorer";
import type { DependenceRequest, DependenceView } from "../../src/dependence/protocol";
import { PROBABILITIES, answerTo, shiftView } from "./shift";
import { handOn } from "../hand";
import { OtherEnd } from "../other-end";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/dependence/styles", () => ({ STYLES: [] }));

/** A model whose other end answers only when told to. */
class Other extends OtherEnd<DependenceView, DependenceRequest> {
  answer(more: Partial<DependenceView> = {}): void {
    const { origin, seq, base: _base, ...wish } = this.last;
    this.view = { ...answerTo(this.view, wish), ack: { origin, seq }, ...more };
    this.emit("change:_view");
  }
}

let host: HTMLElement;
let other: Other;
let explorer: DependenceExplorer;
const { q, press, type, line } = handOn(() => host);
const all = (selector: string): Element[] => [...host.querySelectorAll(selector)];
const big = (): string => q(".px-big").textContent!;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const button = (text: string): HTMLButtonElement => all("button").find((one) => one.textContent === text || one.getAttribute("aria-label") === text) as HTMLButtonElement;

/** Types into a cell of the table, found by the beginning of its name. */
function fill(name: string, text: string): void {
  const cell = all("[role=gridcell]").find((one) => one.getAttribute("aria-label")?.startsWith(name)) as HTMLElement;
  cell.focus();
  press(cell, "Enter");
  const input = q<HTMLInputElement>(".gr-edit");
  input.value = text;
  press(input, "Enter");
}

function pick(label: string, text: string): void {
  const radio = [...q(`[role=radiogroup][aria-label="${label}"]`).querySelectorAll("label")].find((one) => one.textContent === text)!.querySelector("input")!;
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}

function click(el: Element): void {
  el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

function start(view = shiftView()): void {
  other = new Other(view);
  host = document.createElement("div");
  document.body.append(host);
  explorer = createDependenceExplorer(other, host);
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

describe("what is read first", () => {
  it("says in a sentence what was promised and what leaks", () => {
    expect(q(".px-lead").textContent).toBe(
      "With ε = 1.00 the head count promises that no person leaks more than 1.000 nats. Ann is independent of " +
        "every other person, pair by pair, so all exact coefficients of Ann are 0. Yet the head count leaks " +
        "1.127 about Ann: 13 % more than promised.",
    );
    expect(q(".px-audit").textContent).toContain("too low by 0.286; low at 3 of 6");
    expect(q(".dx-fact").textContent).toContain("knows Ben is away");
    expect(q(".dx-rows .dx-words").textContent).toContain("No pair shows this");
  });

  it("writes all three coefficients at the edges of the chosen tuple", () => {
    const labels = all(".dx-coefficient").map((one) => one.getAttribute("aria-label"));
    expect(labels).toEqual(["Ann → Ben: this σ 0, any σ 0.500, paper 0.602", "Ann → Cy: this σ 0, any σ 0.500, paper 0.602"]);
    expect(all(".dx-frame").length).toBe(3);
    const rows = all(".dx-rho tbody th").map((one) => one.textContent);
    expect(rows[0]).toBe("Ann → Cy");
    expect(rows.at(-1)).toBe("Dia → Eli");
  });

  it("has every number in a table for screen readers", () => {
    const rows = all(".sr-only tbody tr").map((one) => [...one.children].map((cell) => cell.textContent));
    expect(rows[1]).toEqual(["Ben", "1", "0.994", "0.984, too low", "1.841", "0", "0.500", "0.602"]);
    expect(rows[5]?.slice(0, 4)).toEqual(["Fay", "3", "0.841", "the same"]);
  });
});

describe("the chosen tuple", () => {
  it("is another one after a click, shown with whoever is closest to it", () => {
    click(q('.dx-card[data-tuple="3"]'));
    expect(other.last).toMatchObject({ tuple: 3, other: 4 });
    // Its number is known before the rest of it is.
    expect(big()).toBe("1.000 nats");
    other.answer();
    expect(all(".dx-coefficient").length).toBe(1);
  });

  it("is reached by keys, card by card", () => {
    const first = q<HTMLElement>('.dx-card[data-tuple="0"]');
    expect(first.getAttribute("tabindex")).toBe("0");
    first.focus();
    press(first, "ArrowRight");
    press(document.activeElement!, "ArrowDown");
    expect((document.activeElement as HTMLElement).dataset["tuple"]).toBe("2");
    press(document.activeElement!, "Enter");
    expect(other.last).toMatchObject({ tuple: 2, other: 0 });
  });

  it("keeps its place when the other one of the pair is chosen at an edge", () => {
    click(q('.dx-coefficient[data-far="1"]'));
    expect(other.last).toMatchObject({ other: 1 });
    expect("tuple" in other.last).toBe(false);
    expect(q(".dx-rho tbody th").textContent).toBe("Ann → Ben");
  });
});

describe("the table", () => {
  it("keeps the sum when a cell is typed, and changes nothing but the pair", () => {
    fill("Ann away, Cy away", "0.35");
    const sent = other.last.probabilities!;
    expect(sum(sent)).toBeCloseTo(1, 12);
    expect(sum(sent.filter((_, row) => (row >> 5) === 0 && ((row >> 3) & 1) === 0))).toBeCloseTo(0.35, 12);
    // Dia and Eli agree as before.
    expect(sum(sent.filter((_, row) => ((row >> 1) & 3) === 3))).toBeCloseTo(0.3, 12);
    other.answer();
    expect(q(".px-title").textContent).toContain("Edited from Who is at work");
  });

  it("is told beside what is assumed of it, in full", () => {
    expect(q(".px-title").textContent).toBe("Who is at work");
    expect(q(".dx-about-table").textContent).toBe("Cy covers when exactly one of Ann and Ben is in");
  });

  it("comes back exactly with undo, and goes again with redo", () => {
    fill("Ann away, Cy away", "0.35");
    const edited = other.last.probabilities!;
    other.answer();
    click(button("Undo (Ctrl Z)"));
    expect(other.last.probabilities).toEqual([...PROBABILITIES]);
    other.answer();
    press(q(".px-lead"), "z", { ctrlKey: true, shiftKey: true });
    expect(other.last.probabilities).toEqual(edited);
  });

  it("refuses what is no probability, says why, and sends nothing", () => {
    fill("Ann away, Cy away", "1.5");
    expect(other.requests.length).toBe(0);
    expect(line()).toContain("1.5 is not a probability");
    fill("Ann away, Cy away", "0,25");
    expect(line()).toBe("");
    expect(sum(other.last.probabilities!.filter((_, row) => (row >> 5) === 0 && ((row >> 3) & 1) === 0))).toBeCloseTo(0.25, 12);
  });

  it("takes a zero and fills the cell again", () => {
    fill("Ann away, Cy away", "0");
    other.answer();
    fill("Ann away, Cy away", "0.1");
    const sent = other.last.probabilities!;
    expect(sum(sent)).toBeCloseTo(1, 12);
    // Nothing of the cell was left to scale: the others have the shares they have elsewhere.
    expect(sum(sent.filter((_, row) => ((row >> 1) & 3) === 3))).toBeCloseTo(0.3, 12);
  });

  it("opens all rows of the block, in which a triple can be edited", () => {
    click(q(".dx-buttons > [aria-pressed]"));
    expect(all("[role=gridcell].gr-cell").length).toBe(8);
    fill("Ann away, Ben away, Cy away", "0.25");
    const sent = other.last.probabilities!;
    expect(sum(sent.filter((_, row) => row >> 3 === 0))).toBeCloseTo(0.25, 12);
    click(button("Only the pair"));
    expect(all("[role=gridcell].gr-cell").length).toBe(4);
  });

  it("makes a pair independent", () => {
    click(q('.dx-card[data-tuple="3"]'));
    other.answer();
    click(button("Independent"));
    const sent = other.last.probabilities!;
    expect(sum(sent.filter((_, row) => ((row >> 1) & 3) === 3))).toBeCloseTo(0.25, 12);
  });

  it("changes to an example, which undo takes back with the edits made before", () => {
    fill("Ann away, Cy away", "0.35");
    const edited = other.last.probabilities!;
    other.answer();
    click(button("More"));
    click(all(".menu-item").find((one) => one.textContent === "Three bits")!);
    expect(other.last).toMatchObject({ example: "xor" });
    // The example is another subject, with rows of its own.
    const bits = shiftView({ title: "Three bits", example: "xor" });
    other.answer({ ...bits, since: 2, revision: 3, ack: { origin: other.last.origin, seq: other.last.seq } });
    click(button("Undo (Ctrl Z)"));
    expect(other.last).toMatchObject({ example: "shift" });
    expect("probabilities" in other.last).toBe(false);
    other.answer({ ...shiftView(), since: 4, revision: 4, ack: { origin: other.last.origin, seq: other.last.seq } });
    expect(other.last.probabilities).toEqual(edited);
  });
});

describe("the release", () => {
  it("takes a mechanism of the table with its coefficient", () => {
    click(all(".dx-mechanism-name").find((one) => one.textContent === "DPM, any σ")!);
    expect(other.last).toMatchObject({ mechanism: "dpm", coefficient: "mean" });
    other.answer();
    expect(q(".px-lead").textContent).toContain("leaks 0.547 about Ann");
    expect(q(".dx-mechanisms tr[data-on] th").textContent).toBe("DPM, any σ");
  });

  it("has a coefficient for one mechanism only, and says why another cannot be", () => {
    pick("Mechanism", "baseline");
    expect(other.requests.length).toBe(0);
    expect(line()).toContain("The query has no baseline.");
    pick("Mechanism", "LPM");
    other.answer();
    expect([...q('[aria-label="Coefficient"]').querySelectorAll("input")].every((one) => one.disabled)).toBe(true);
  });

  it("takes the noise that is enough", () => {
    click(q(".dx-release .px-quiet"));
    expect(other.last).toMatchObject({ mechanism: "calibrated" });
    other.answer();
    expect(q(".px-lead").textContent).toContain("the promise holds");
    expect(q(".dx-release .px-quiet").getAttribute("aria-disabled")).toBe("true");
  });

  it("keeps the last good budget and says why", () => {
    type("Budget ε as a number", "0");
    expect(other.requests.length).toBe(0);
    expect(line()).toContain("The budget 0 is refused");
    expect(line()).toContain("The budget stays 1.00.");
    type("Budget ε as a number", "0,5");
    expect(other.last.epsilon).toBe(0.5);
    expect(line()).toBe("");
  });

  it("moves by keys from the sentence, one step for presses in a row", () => {
    const number = q(".px-lead [role=spinbutton]");
    press(number, "ArrowUp");
    press(number, "ArrowUp");
    expect(other.requests[0]!.epsilon).toBe(1.01);
    other.answer();
    other.answer();
    click(button("Undo (Ctrl Z)"));
    expect(other.last.epsilon).toBe(1);
  });
});

describe("the adversary", () => {
  it("knows whoever is switched on", () => {
    const ben = all(".chip").find((one) => one.textContent?.startsWith("Ben"))!;
    click(ben);
    expect(other.last).toMatchObject({ known: [1], knowing: "chosen" });
    other.answer();
    expect(q(".px-lead").textContent).toContain("Someone who knows Ben learns up to");
    expect(q(".dx-fact h3").textContent).toBe("About Ann, knowing Ben");
    // What is enough against nobody's knowledge is not called enough for all.
    expect(q(".dx-release").textContent).toContain("Least σ, nobody known");
    expect(q(".dx-rows-key").textContent).toContain("mean bound if nobody is known");
    const spoken = all(".dx-fact svg, .dx-audit svg, [aria-label^='Audit'] svg").map((one) => one.getAttribute("aria-label") ?? "");
    expect(spoken.filter((words) => /mean bound [\d.]+ if nobody is known/.test(words))).toHaveLength(2);
    expect(q(".dx-release .px-quiet").getAttribute("aria-label")).toContain("to an adversary who knows no other person");
    pick("Knows the joint table and", "worst");
    expect(other.last).toMatchObject({ knowing: "worst" });
  });
});

describe("accuracy", () => {
  it("follows α, which undo brings back", () => {
    const handle = q(".dx-curve [role=slider]");
    press(handle, "ArrowRight");
    expect(Number(other.last.alpha)).toBeGreaterThan(3);
    other.answer();
    press(q(".px-lead"), "z", { ctrlKey: true });
    expect(other.last.alpha).toBe(3);
    expect(q(".dx-mechanisms").textContent).toContain("at α = 3");
  });
});

describe("what takes its time, or fails", () => {
  it("shows no old number as a new one", () => {
    type("Budget ε as a number", "2");
    vi.advanceTimersByTime(250);
    expect(big()).toBe("… nats");
    expect(q(".dx-card").textContent).toContain("…");
    expect(q(".px-audit").textContent).toContain("…");
    expect(line()).toContain("Computing");
    other.answer();
    expect(big()).toBe("2.254 nats");
  });

  it("measures old numbers by the promise they were computed for", () => {
    type("Budget ε as a number", "1.2");
    // The hand's own budget is seen at once; what leaks is still that of the old one, and still over it.
    expect(q(".px-lead").textContent).toContain("With ε = 1.20");
    expect(q(".px-lead").textContent).toContain("leaks 1.127 about Ann: 13 % more than promised");
    expect(q(".px-audit").textContent).toContain("1 of 6 over");
    other.answer();
    expect(q(".px-lead").textContent).toContain("leaks 1.352 about Ann: 13 % more than promised");
  });

  it("shows how far a long computation is, and takes it back", () => {
    pick("Knows the joint table and", "worst");
    other.answer({ running: { number: 7, paper: false }, results: other.view.results });
    other.progress = { of: 7, share: 0.4 };
    expect(big()).toBe("1.127 nats");
    vi.advanceTimersByTime(250);
    expect(big()).toBe("… nats");
    expect(q(".px-running").textContent).toContain("40 %");
    click(button("Cancel"));
    expect(other.messages).toContainEqual({ cancel: 7 });
    other.view = { ...other.view, revision: 9, ack: null, running: null, stopped: "Cancelled. The results belong to the values as last computed.", current: false };
    other.emit("change:_view");
    vi.advanceTimersByTime(50);
    expect(big()).toBe("1.127 nats");
    expect(line()).toContain("Cancelled.");
    click(button("Compute"));
    expect(other.messages).toContainEqual({ resume: true });
  });

  it("says that results belong to the last valid inputs", () => {
    click(q('.dx-card[data-tuple="3"]'));
    other.answer({ fault: { text: "The table is wrong: it sums to 2.", where: null }, current: false });
    expect(line()).toContain("The results belong to the last valid inputs.");
    expect(q(".dx-fact").hasAttribute("data-stale")).toBe(true);
    expect(q(".px-audit").hasAttribute("data-stale")).toBe(true);
    expect(host.querySelectorAll("[data-old] .px-result")).toHaveLength(6);
  });

  it("can be read and not changed without a kernel", () => {
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(line()).toContain("No kernel.");
    expect(big()).toBe("1.127 nats");
    const controls = all("input, select, button:not([aria-disabled])").filter((one) => one.getAttribute("aria-label") !== "What is this?" && one.closest(".px-info, .px-hint") === null);
    // What only changes the way of looking stays, and a menu whose items are off.
    const on = controls.filter((one) => !(one as HTMLInputElement).disabled && !one.matches(".dx-buttons > [aria-pressed], .dx-more, .px-hint > button") && one.closest("[hidden]") === null);
    expect(on).toEqual([]);
    click(q('.dx-card[data-tuple="3"]'));
    expect(other.requests.length).toBe(0);
  });

  it("stands without results", () => {
    explorer.destroy();
    host.remove();
    start(shiftView({ results: null }));
    expect(q(".px-lead").textContent).toContain("not computed yet");
    expect(big()).toBe("… nats");
    expect(all(".dx-card").length).toBe(6);
    fill("Ann away, Cy away", "0.35");
    expect(other.last.probabilities).not.toBeNull();
  });

  it("says what is too large to be shown, and what cannot be edited", () => {
    explorer.destroy();
    host.remove();
    const view = shiftView();
    const none = new DataView(new ArrayBuffer(0));
    start({ ...view, model: { ...view.model, support: none, probabilities: none, loaded: none, editable: false } });
    expect(q(".dx-table").textContent).toContain("too many rows to be shown here");
    expect(all("[role=gridcell].gr-cell").every((one) => one.closest("[hidden]") !== null)).toBe(true);
    expect(big()).toBe("1.127 nats");
  });

  it("leaves nothing behind", () => {
    explorer.destroy();
    expect(other.live).toBe(0);
    expect(host.childElementCount).toBe(0);
    explorer = createDependenceExplorer(other, host);
  });
});
