// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createGaussianExplorer, type GaussianExplorer } from "../../src/gaussian/gaussian-explorer";
import type { GaussianRequest, GaussianView } from "../../src/gaussian/protocol";
import { floats, toBytes } from "../../src/ui/wire";
import { COV, firstView, results } from "./house";
import { handOn } from "../hand";
import { OtherEnd } from "../other-end";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/gaussian/styles", () => ({ STYLES: [] }));

/** A model whose other end answers only when told to. */
class Other extends OtherEnd<GaussianView, GaussianRequest> {
  answer(more: Partial<GaussianView> = {}): void {
    const { origin, seq, cov, mean, weights, command: _command, names: _names, import: _import, search: _search, base: _base, ...rest } = this.last;
    const before = this.view;
    const matrix = before.matrix && { ...before.matrix, cov: cov ?? before.matrix.cov, mean: mean ?? before.matrix.mean, weights: weights ?? before.matrix.weights };
    const now = { ...before, ...rest };
    this.view = { ...now, revision: before.revision + 1, ack: { origin, seq }, matrix, results: results(now.scale, now.max_change), ...more };
    this.emit("change:_view");
  }
}

let host: HTMLElement;
let other: Other;
let explorer: GaussianExplorer;
const { q, press, type, line: slot } = handOn(() => host);
const big = (): string => q(".px-big").textContent!;
const audit = (): string => q(".px-audit").textContent!;

function typeCell(name: string, text: string): void {
  const cell = [...host.querySelectorAll<HTMLElement>("[role=gridcell]")].find((el) => el.getAttribute("aria-label")!.startsWith(name))!;
  cell.focus();
  press(cell, "Enter");
  const input = q<HTMLInputElement>(".gr-edit");
  input.value = text;
  press(input, "Enter");
}

function start(view = firstView()): void {
  host = document.createElement("div");
  document.body.append(host);
  other = new Other(view);
  explorer = createGaussianExplorer(other as never, host);
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

describe("scale and change", () => {
  it("move all numbers at once, and Python's answer changes none", () => {
    expect(q(".px-lead").textContent).toContain("A noisy sum with Laplace noise of scale 1.00 promises that 1.00 kWh in one flat shows by at most 1.000 nats.");
    type("Scale λ as a number", "2");
    type("Change M as a number", "3");
    expect(other.requests[0]).toMatchObject({ scale: 2 });
    const shown = (): string[] => [".px-lead", ".px-big", "[aria-label=Release]", ".px-audit", ".lg-graph svg"].map((part) => q(part).textContent!);
    const ahead = shown();
    expect(big()).toBe("2.250 nats");
    expect(ahead[2]).toContain("1.500 nats");
    // One nat for all, at whatever scale: 1.5 times the change of 3.
    expect(ahead[2]).toContain("4.50");
    expect(ahead[3]).toContain("2.250");
    expect(ahead[4]).toContain("2.250");
    // An unanswered scale hides nothing, however long it takes.
    vi.advanceTimersByTime(500);
    expect(big()).toBe("2.250 nats");
    other.answer();
    other.answer();
    expect(shown()).toEqual(ahead);
  });

  it("are refused with the reason, and stay", () => {
    type("Scale λ as a number", "-1");
    expect(slot()).toContain("The scale -1 is refused.");
    expect(slot()).toContain("The scale stays 1.00.");
    expect(other.requests).toHaveLength(0);
    type("Change M as a number", "0");
    expect(big()).toBe("0 nats");
  });

  it("wait visibly where a change of 0 tells nothing about others", () => {
    explorer.destroy();
    host.remove();
    start({ ...firstView(), max_change: 0, results: results(1, 0) });
    type("Change M as a number", "2");
    vi.advanceTimersByTime(300);
    expect(big()).toBe("… nats");
    other.answer();
    expect(big()).toBe("3.000 nats");
  });
});

describe("the query", () => {
  it("becomes a weighted sum when a weight is edited in the matrix", () => {
    const select = q<HTMLSelectElement>("select[aria-label=Query]");
    expect(select.options[select.selectedIndex]!.textContent).toBe("Sum");
    typeCell("weight of Bob", "-3");
    expect(other.last).toMatchObject({ query: "weights" });
    expect([...floats(other.last.weights!)]).toEqual([1, -3]);
    expect(select.options[select.selectedIndex]!.textContent).toBe("Weighted sum");
    expect(q(".px-promise").textContent).toContain("3.000 nats");
    // Other weights are other coefficients: these numbers are Python's to tell.
    vi.advanceTimersByTime(300);
    expect(big()).toBe("… nats");
    expect(audit()).toContain("Exact worst, a limit…");
  });

  it("sets its weights when it is picked", () => {
    const select = q<HTMLSelectElement>("select[aria-label=Query]");
    select.selectedIndex = 1;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    expect(other.last.query).toBe("mean");
    expect([...floats(other.last.weights!)]).toEqual([0.5, 0.5]);
  });
});

describe("undo", () => {
  it("goes back over release and matrix together", () => {
    type("Scale λ as a number", "2");
    other.answer();
    typeCell("covariance of Ann and Bob", "0.25");
    other.answer();
    type("Change M as a number", "3");
    other.answer();
    const undo = q<HTMLButtonElement>('[aria-label="Undo (Ctrl Z)"]');
    undo.click();
    expect(other.last).toMatchObject({ max_change: 1, scale: 2 });
    other.answer();
    press(q(".px-lead"), "z", { ctrlKey: true });
    expect(floats(other.last.cov!)).toEqual(COV);
    other.answer();
    undo.click();
    expect(other.last.scale).toBe(1);
    other.answer();
    expect(undo.disabled).toBe(true);
    press(q(".px-lead"), "z", { ctrlKey: true, shiftKey: true });
    expect(other.last.scale).toBe(2);
  });

  it("takes the nearest valid matrix as one step", () => {
    typeCell("covariance of Ann and Bob", "3");
    const bad = other.last.cov!;
    other.answer({ current: false, fault: { text: "The matrix is not valid.", where: null }, matrix: { ...other.view.matrix!, cov: bad, valid: false, smallest: -0.8 } });
    const nearest = [...host.querySelectorAll("button")].find((el) => el.textContent === "Nearest valid")!;
    nearest.click();
    expect(other.last.command).toBe("nearest");
    const found = toBytes(Float64Array.from([1.6, 2.4, 2.4, 4.1]));
    other.answer({ current: true, fault: null, matrix: { ...other.view.matrix!, cov: found, valid: true, smallest: 0 } });
    q<HTMLButtonElement>('[aria-label="Undo (Ctrl Z)"]').click();
    expect(floats(other.last.cov!)).toEqual(floats(bad));
  });
});

describe("the goal", () => {
  const enough = (): HTMLButtonElement => q(".px-enough button");
  const goal = (): string => q<HTMLInputElement>(".px-goal input").value;
  const label = "What every adversary may learn at most, nats";

  it("stays when the scale that reaches it is set, which is said, and is undone like other entries", () => {
    expect([goal(), enough().textContent, q(".px-reached").hidden]).toEqual(["1.00", "1.50", true]);
    enough().click();
    expect(other.last).toMatchObject({ scale: 1.5 });
    for (const answer of [() => undefined, () => other.answer()]) {
      answer();
      expect([goal(), enough().textContent, enough().getAttribute("aria-disabled"), q(".px-reached").hidden]).toEqual(["1.00", "1.50", "true", false]);
    }
    type(label, "-1");
    expect(slot()).toContain("The goal -1 is refused. Enter a number of nats above 0. The goal stays 1.00.");
    expect(other.requests).toHaveLength(1);
    // Another goal is answered at once, for the chosen one too; the present scale does not matter.
    type(label, "0,25");
    expect(other.last).toMatchObject({ goal: 0.25 });
    expect([enough().textContent, q(".px-reached").hidden]).toEqual(["6.00", true]);
    expect(q(".px-facts").textContent).toContain("λ for 0.25 nats6.00");
    other.answer();
    expect(enough().getAttribute("aria-label")).toBe("At scale 6.00 no adversary learns more than 0.250 nats: set this scale");
    press(q(".px-lead"), "z", { ctrlKey: true });
    expect([other.last.goal, other.last.scale]).toEqual([1, 1.5]);
    other.answer();
    press(q(".px-lead"), "z", { ctrlKey: true });
    expect([other.last.goal, other.last.scale]).toEqual([1, 1]);
  });

  it("follows the change, and any scale will do where nothing leaks", () => {
    type("Change M as a number", "2");
    expect(enough().textContent).toBe("3.00");
    type("Change M as a number", "0");
    expect([enough().textContent, enough().disabled, q(".px-reached").hidden]).toEqual(["any", true, true]);
  });

  it("is awaited together with the numbers of another matrix, and off without a kernel", () => {
    typeCell("covariance of Ann and Bob", "0.25");
    vi.advanceTimersByTime(300);
    expect(enough().textContent).toBe("…");
    other.answer();
    expect(enough().textContent).toBe("1.50");
    other.comm_live = false;
    other.emit("comm_live_update");
    expect([enough().textContent, enough().disabled, q<HTMLInputElement>(".px-goal input").disabled]).toEqual(["1.50", true, true]);
  });
});

describe("what goes wrong", () => {
  it("an invalid matrix is named, and the results stay those of the last valid one", () => {
    typeCell("covariance of Ann and Bob", "3");
    other.answer({ current: false, fault: { text: "The matrix is not positive semi-definite.", where: null }, matrix: { ...other.view.matrix!, cov: other.last.cov!, valid: false, smallest: -0.8 }, results: results() });
    expect(slot()).toContain("Ann, Bob too large.");
    expect(slot()).toContain("last valid matrix");
    for (const part of [".px-fact", ".px-audit", "[aria-label=Densities]", ".px-leak"]) {
      expect(q(`${part} .px-stale`).textContent).toBe("Results belong to the last valid matrix.");
      expect(q(part).closest("[data-old] .px-result")).not.toBeNull();
    }
    expect(q(".px-enough button").textContent).toBe("…");
    expect(big()).toBe("1.500 nats");
    type("Scale λ as a number", "3");
    expect(big()).toBe("0.500 nats");
  });

  it("a weight that is no number keeps the promise of the last weights", () => {
    typeCell("weight of Ann", "x");
    expect(slot()).toContain("Weight of Ann:");
    expect(q(".px-promise").textContent).toContain("1.000 nats");
  });

  it("without a kernel the numbers stay and the controls are off", () => {
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(slot()).toContain("No kernel.");
    expect(big()).toBe("1.500 nats");
    expect(q<HTMLInputElement>('input[aria-label="Scale λ as a number"]').disabled).toBe(true);
    expect(q<HTMLSelectElement>("select[aria-label=Query]").disabled).toBe(true);
    expect(q<HTMLButtonElement>('[aria-label="Undo (Ctrl Z)"]').disabled).toBe(true);
  });

  it("without a matrix there are two ways to begin", () => {
    explorer.destroy();
    host.remove();
    start({ ...firstView(), matrix: null, results: null });
    expect(q(".px-body").hidden).toBe(true);
    const fresh = [...host.querySelectorAll("button")].find((el) => el.textContent!.startsWith("Independent, 3"))!;
    fresh.click();
    expect(other.last).toMatchObject({ command: "import", names: [] });
    const { origin, seq } = other.last;
    other.answer({ ...firstView(), revision: 9, since: 9, ack: { origin, seq } });
    expect(q(".px-body").hidden).toBe(false);
    expect(host.querySelector(".mx-empty")).toBeNull();
    expect(big()).toBe("1.500 nats");
  });

  it("another adversary waits with the facts only", () => {
    q("button.chip").click();
    expect(other.last).toMatchObject({ target: 0, known: [1] });
    vi.advanceTimersByTime(300);
    expect(big()).toBe("… nats");
    expect(audit()).toContain("1.500");
    expect(q(".px-fact h3").textContent).toBe("About Ann, knowing Bob");
  });

  it("what takes longer than a moment shows how far it is and can be ended; the numbers return with it", () => {
    const line = q(".px-running");
    typeCell("covariance of Ann and Bob", "0.25");
    other.answer({ running: { number: 4, paper: false }, results: results() });
    vi.advanceTimersByTime(100);
    expect(line.hidden).toBe(true);
    vi.advanceTimersByTime(150);
    expect(line.hidden).toBe(false);
    expect(slot()).toBe("");
    expect(big()).toContain("…");
    expect(audit()).toContain("Exact worst, a limit…");
    other.progress = { of: 4, share: 0.42 };
    other.emit("change:_progress");
    expect(line.textContent).toContain("42 %");
    line.querySelector("button")!.click();
    expect(other.messages).toContainEqual({ cancel: 4 });
    // Given up: the last results stay, and the line says what they belong to.
    other.view = { ...other.view, revision: 9, running: null, stopped: "Cancelled. The results belong to the values as last computed (scale 1.00).", kept: "scale 1.00", scale: 2, current: false };
    other.emit("change:_view");
    expect(line.hidden).toBe(true);
    expect(slot()).toContain("values as last computed (scale 1.00).");
    // Those of scale 1 are not shown as if they were of scale 2, and every part says so.
    expect(big()).toContain("1.500");
    expect(audit()).toContain("1.500");
    for (const part of [".px-fact", ".px-audit", "[aria-label=Densities]", ".px-leak"]) {
      expect(q(`${part} .px-stale`).textContent).toBe("Results belong to the values as last computed (scale 1.00).");
    }
    expect(q(".px-lead").textContent).toMatch(/at most 0\.500 nats\. Results belong to the values as last computed \(scale 1\.00\)\.$/);
    expect(q(".px-promise").textContent).toContain("0.500");
    expect(q(".px-enough button").textContent).toBe("…");
    q(".px-slot > .line > .button").click();
    expect(other.messages).toContainEqual({ resume: true });
  });

  it("nothing listens after the end", () => {
    explorer.destroy();
    expect(other.live).toBe(0);
    expect(host.childElementCount).toBe(0);
    start();
  });
});
