// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStreamSimulator, type StreamSimulator } from "../../src/stream/stream-simulator";
import { floats } from "../../src/ui/wire";
import { BREAK, chunk, Other, streamView } from "./python";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/stream/styles", () => ({ STYLES: [] }));

let host: HTMLElement;
let other: Other;
let simulator: StreamSimulator;

const q = <E extends Element = HTMLElement>(selector: string): E => host.querySelector<E>(selector)!;
const all = (selector: string): HTMLElement[] => [...host.querySelectorAll<HTMLElement>(selector)];
const line = (): string => (q<HTMLElement>(".px-slot > .line").hidden ? "" : q(".px-slot > .line").textContent!.trim());
const cursor = (): HTMLElement => q("[role=slider][aria-label='Step that is read']");
const cells = (): string[] => all(".gr-cell .gr-text").map((cell) => cell.textContent!);

function press(el: Element, name: string, more: KeyboardEventInit = {}): void {
  el.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
}

function click(selector: string): void {
  q<HTMLElement>(selector).click();
}

/** As a hand does it: into the cell, over what is there, Enter. */
function typeCell(k: number, text: string): void {
  const cell = all(".gr-cell")[k]!;
  cell.focus();
  press(cell, "Enter");
  const input = q<HTMLInputElement>(".gr-edit");
  input.value = text;
  press(input, "Enter");
}

function typeEntry(label: string, text: string): void {
  const input = q<HTMLInputElement>(`input[aria-label="${label}"]`);
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  press(input, "Enter");
}

function open(view = streamView()): void {
  host = document.createElement("div");
  document.body.append(host);
  other = new Other(view);
  simulator = createStreamSimulator(other, host);
}

/** Lets real time pass: the clock runs on frames. */
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => open());
afterEach(() => {
  simulator.destroy();
  host.remove();
});

describe("playing", () => {
  it("is asked for with the position, and steps come ahead of it", async () => {
    click("[aria-label=Play]");
    expect(other.last).toMatchObject({ playing: true, position: 40 });
    other.answer();
    other.give();
    await wait(400);
    expect(Number(q(".sx-at").textContent!.replace("step ", ""))).toBeGreaterThan(40);
    click("[aria-label=Pause]");
    expect(other.last).toMatchObject({ playing: false });
    expect(other.last.position).toBeGreaterThan(40);
    other.answer();
    expect(q(".sr-only[role=status]").textContent).toBe(`Paused at step ${other.view.position}.`);
  });
  it("goes on by steps of the hand, says who breaks a promise, and marks it", () => {
    simulator.destroy();
    open(streamView({ position: BREAK - 1 }));
    expect(all(".sx-status").map((el) => el.textContent)).toEqual(["within its promise", "within its promise"]);
    click("[aria-label='One step']");
    other.give();
    expect(all(".sx-status").map((el) => el.textContent)).toEqual([`over its promise since step ${BREAK}`, "within its promise"]);
    expect(q(".sr-only[role=status]").textContent).toBe(`Step ${BREAK}: CRR as printed breaks its promise.`);
    expect(q(".px-lead").textContent).toContain(`At step ${BREAK} CRR as printed broke its promise; it leaks 0.600 in step ${BREAK}.`);
    expect(q(".sx-audit").textContent).toContain(`over at 1 of ${BREAK}`);
  });
  it("shows small chances and large budgets whole, or with fewer digits", () => {
    typeCell(0, "1e-10");
    typeEntry("Budget ε as a number", "123456.789");
    expect(cells()[0]).toBe("1.0e−10");
    expect(all(".gr-cell")[0]!.title).toBe("1e-10");
    expect(all(".gr-cell")[0]!.getAttribute("aria-label")).toContain("1.00e−10");
    const budget = q<HTMLInputElement>("input[aria-label='Budget ε as a number']");
    expect([budget.value, budget.title]).toEqual(["123456.8", "123456.789"]);
  });
  it("goes back to the start", () => {
    click("[aria-label='Back to the start']");
    expect(other.last.position).toBe(0);
    other.answer();
    expect(q(".sx-empty").hidden).toBe(false);
    expect(q(".px-lead").textContent).toContain("Nothing has been released yet.");
    expect(q("[aria-label='Back to the start']").getAttribute("aria-disabled")).toBe("true");
  });
  it("stops where it is when the view goes", () => {
    click("[aria-label=Play]");
    other.answer();
    const before = other.requests.length;
    simulator.destroy();
    expect(other.requests.length).toBe(before + 1);
    expect(other.last).toMatchObject({ playing: false, position: 40 });
    expect(other.live).toBe(0);
  });
  it("stops in a page that is hidden", () => {
    click("[aria-label=Play]");
    other.answer();
    const seen = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(other.last).toMatchObject({ playing: false });
    seen.mockRestore();
  });
  it("cannot go on where no steps are left", () => {
    other.show({ most: 40 });
    expect(q("[aria-label=Play]").getAttribute("aria-disabled")).toBe("true");
    const before = other.requests.length;
    click("[aria-label=Play]");
    expect(other.requests.length).toBe(before);
  });
});

describe("edits", () => {
  it("of a cell rescale its row, travel with the position, and can be undone", () => {
    typeCell(0, "0,8");
    expect(cells()).toEqual(["0.80", "0.20", "0.40", "0.60"]);
    expect(other.last.position).toBe(40);
    expect([...floats(other.last.transitions!)].map((p) => Number(p.toFixed(9)))).toEqual([0.8, 0.2, 0.4, 0.6]);
    other.answer();
    press(q(".sx"), "z", { ctrlKey: true });
    expect(cells()).toEqual(["0.60", "0.40", "0.40", "0.60"]);
    expect(Object.keys(other.last).sort()).toEqual(["base", "origin", "position", "seq", "transitions"]);
    other.answer();
    press(q(".sx"), "z", { ctrlKey: true, shiftKey: true });
    expect(cells()).toEqual(["0.80", "0.20", "0.40", "0.60"]);
  });
  it("that are wrong are marked in place, stop the stream and lose nothing", () => {
    click("[aria-label=Play]");
    other.answer();
    typeCell(1, "much");
    expect(all(".gr-cell")[1]!.getAttribute("aria-invalid")).toBe("true");
    expect(cells()[1]).toBe("much");
    other.answer();
    expect(other.view.playing).toBe(false);
    expect(q("[aria-label=Play]")).not.toBeNull();
    expect(line()).toContain('From 0 to 1: "much" is not a number');
    expect(cells()).toEqual(["0.60", "much", "0.40", "0.60"]);
    typeCell(1, "0.4");
    other.answer();
    expect(line()).toBe("");
    expect(all("[aria-invalid=true]")).toEqual([]);
  });
  it("of one cell alone leave a row whose sum is marked, and Normalise sets it right", () => {
    const keep = q<HTMLInputElement>(".sx-matrix-actions input");
    keep.click();
    typeCell(0, "0.5");
    other.answer();
    expect(line()).toContain("The row from 0 sums to 0.900.");
    expect(all("td.gr-sum").map((td) => td.dataset["good"])).toEqual(["false", "true"]);
    q<HTMLButtonElement>(".px-slot .button").click();
    other.answer();
    expect(line()).toBe("");
    expect(floats(other.view.chain.transitions)[0]).toBeCloseTo(5 / 9, 12);
  });
  it("of the chance to stay keep the other state's", () => {
    typeEntry("Stay at 1 as a number", "0.95");
    expect([...floats(other.last.transitions!)].map((p) => Number(p.toFixed(9)))).toEqual([0.6, 0.4, 0.05, 0.95]);
  });
  it("of the budget take infinity, and refuse what is none", () => {
    typeEntry("Budget ε as a number", "inf");
    expect(other.last).toMatchObject({ epsilon: "Infinity", position: 40 });
    other.answer();
    click("[aria-label=Play]");
    other.answer();
    typeEntry("Budget ε as a number", "-1");
    expect(line()).toContain("The budget -1 is refused.");
    expect(other.last).toMatchObject({ playing: false });
  });
  it("that wait for Python hold the stream where it is", async () => {
    click("[aria-label=Play]");
    other.answer();
    other.give();
    typeEntry("Budget ε as a number", "2");
    const { position } = other.last;
    await wait(300);
    expect(q(".sx-at").textContent).toBe(`step ${position}`);
  });
  it("of the lanes add and take away, with reasons in the menu", async () => {
    const offers = all("button.chip");
    expect(offers.map((el) => el.textContent)).toEqual(["Balanced", "Randomised", "more"]);
    offers[0]!.click();
    expect(other.last).toMatchObject({ lanes: ["crr", "optimum", "crr_balanced"] });
    other.answer();
    await wait(0);
    expect(all(".sx-lane-head").length).toBe(3);
    all("button.chip").at(-1)!.click();
    const items = all("[role=menuitem]");
    expect(items.map((el) => el.textContent)).toEqual(["Randomised response", "Randomised response with twice the budget", "Least error for a mutual information. It is known for two states alone."]);
    expect(items[2]!.getAttribute("aria-disabled")).toBe("true");
    items[0]!.click();
    other.answer();
    expect(all("button.chip").map((el) => el.textContent)).toEqual(["four are there"]);
    click("[aria-label='Take CRR as printed away']");
    expect(other.last.lanes).toEqual(["optimum", "crr_balanced", "grr"]);
  });
  it("keep the last lane", () => {
    other.show({ lanes: [other.view.lanes[0]!], window: chunk(7, 0, 40, { lanes: ["crr"] }), run: 8 });
    const before = other.requests.length;
    click("[aria-label='Take CRR as printed away']");
    expect(other.requests.length).toBe(before);
  });
});

describe("reading", () => {
  it("is done by the keyboard, and does not move the run", () => {
    const before = other.requests.length;
    press(cursor(), "ArrowLeft");
    press(cursor(), "ArrowLeft", { shiftKey: true });
    expect(q(".sx-heading-step").textContent).toBe("step 29 of 40");
    press(cursor(), "Home");
    expect(q(".sx-heading-step").textContent).toBe("step 1 of 40");
    press(cursor(), "Escape");
    expect(q(".sx-heading-step").textContent).toBe("step 40");
    expect(other.requests.length).toBe(before);
  });
  it("says every number of a step", async () => {
    press(cursor(), "ArrowLeft");
    await wait(60);
    expect(cursor().getAttribute("aria-valuetext")).toBe(
      "step 39, true 1; CRR as printed: released 1, belief in the true one 0.500, leaks 0.500 nats, sum 19.5; Optimum: released 1, belief in the true one 0.500, leaks 0.500 nats, sum 19.5",
    );
  });
  it("has the last steps in a table", () => {
    const rows = all("table[aria-label='The last steps'] tbody tr");
    expect(rows.length).toBe(10);
    expect(rows.at(-1)!.textContent).toContain("40");
  });
  it("goes on without a kernel, and nothing else does", () => {
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(line()).toContain("No kernel.");
    for (const name of ["Play", "One step", "Back to the start"]) expect(q(`[aria-label='${name}']`).getAttribute("aria-disabled")).toBe("true");
    expect(q<HTMLInputElement>("input[aria-label='Budget ε as a number']").disabled).toBe(true);
    press(cursor(), "ArrowLeft");
    expect(q(".sx-heading-step").textContent).toBe("step 39 of 40");
  });
});

describe("other streams", () => {
  it("of many states have no matrix to edit", () => {
    simulator.destroy();
    open(streamView({ states: Array.from({ length: 20 }, (_, k) => `s${k}`) }));
    expect(q(".gr-scroll").hidden).toBe(true);
    expect(q(".sx-model").textContent).toContain("A chain of 20 states is changed in Python");
    expect(q(".px-lead").textContent).toContain("The stream has 20 states.");
  });
  it("of three states have the law of the first one as a row", () => {
    simulator.destroy();
    open(streamView({ states: ["dry", "drizzle", "<b>wet</b>"] }));
    expect(cells().length).toBe(12);
    typeCell(9, "0.5");
    expect([...floats(other.last.start!)]).toEqual([0.5, 0.25, 0.25]);
    expect(other.last.transitions).toBeUndefined();
    expect(host.querySelector("b b, th b")).toBeNull();
    expect(host.textContent).toContain("<b>wet</b>");
  });
});
