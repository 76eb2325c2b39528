// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPriorExplorer, type PriorExplorer } from "../../src/explorer/prior-explorer";
import { aligned, splitFault } from "../../src/explorer/screen";
import { Stable, gate } from "../../src/explorer/stable";
import { floats, toBytes } from "../../src/ui/codec";
import type { Fault, PriorRequest, PriorResults, PriorView } from "../../src/ui/protocol";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/explorer/styles", () => ({ STYLES: [] }));

const ENTRIES = Float64Array.from([0.4, 0.1, 0.2, 0.3]);

/** Two binary tuples; the numbers depend on the scale alone, so that a drawn result names its request. */
function results(scale: number): PriorResults {
  const value = 1.5 / scale;
  return {
    scale,
    instance: [0, 0],
    sensitivities: [1, 1],
    graph: {
      names: ["x", "y"],
      promise: 1 / scale,
      exact: toBytes(Float64Array.from([value, 1 / scale, 1.2 / scale, 1 / scale])),
      paper: null,
      determined: null,
      increments: null,
      largest: { target: 0, known: [], value },
      group_bound: 2 / scale,
    },
    chosen: {
      target: 0,
      known: [],
      instance: [0, 0],
      value,
      determined: false,
      paper: null,
      group_bound: 2 / scale,
      promise: 1 / scale,
      attained: { r: 2, side: ">=", pair: [1, 0] },
      prior: [0.5, 0.5],
      mixtures: [
        { label: "0", centres: [0, 1], weights: [0.8, 0.2] },
        { label: "1", centres: [1, 2], weights: [0.4, 0.6] },
      ],
      edges: [],
      support: 1,
    },
    above_promise: 2,
    too_low: null,
    too_high: null,
    paper_largest: null,
  };
}

function firstView(names = ["x", "y"], labels = [["0", "1"], ["0", "1"]]): PriorView {
  return {
    revision: 1,
    since: 1,
    ack: null,
    table: {
      spec: { title: "Made up", names, labels, records: null },
      entries: toBytes(ENTRIES),
      locks: toBytes(new Uint8Array(4)),
      loaded: toBytes(ENTRIES),
      keep_sum: true,
      rows: [0],
      columns: [1],
      disabled: false,
    },
    query: { subject: "A noisy sum", text: "Sum of all tuples", noun: "tuple" },
    scale: 1,
    instance: [0, 0],
    target: 0,
    known: [],
    show_paper: false,
    threshold: null,
    fault: null,
    current: true,
    results: results(1),
    disabled: false,
  };
}

/** What a request carries: the parts that the hand set. */
type Sent = Partial<PriorRequest> & Pick<PriorRequest, "origin" | "seq">;

/** A model whose other end answers only when told to. */
class Other {
  view: PriorView;
  requests: Sent[] = [];
  comm_live = true;
  private listeners = new Map<string, Set<() => void>>();
  private request: Sent | null = null;

  constructor(view: PriorView) {
    this.view = view;
  }
  get(name: string): unknown {
    return name === "_view" ? this.view : this.request;
  }
  set(_name: string, value: unknown): void {
    this.request = value as Sent;
  }
  save_changes(): void {
    if (this.request) this.requests.push(this.request);
  }
  on(event: string, callback: () => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(callback));
  }
  off(event: string, callback: () => void): void {
    this.listeners.get(event)?.delete(callback);
  }
  emit(event: string): void {
    this.listeners.get(event)?.forEach((callback) => callback());
  }
  get live(): number {
    return [...this.listeners.values()].reduce((n, set) => n + set.size, 0);
  }
  answer(request: Sent, fault: Fault | null = null): void {
    const { entries, locks, keep_sum } = { ...this.view.table!, ...request };
    this.view = {
      ...this.view,
      ...request,
      table: { ...this.view.table!, entries, locks, keep_sum },
      revision: this.view.revision + 1,
      ack: { origin: request.origin, seq: request.seq },
      fault,
      current: fault === null,
      results: fault ? this.view.results : results(request.scale ?? this.view.scale),
    };
    this.emit("change:_view");
  }
  push(view: PriorView): void {
    this.view = { ...view, revision: this.view.revision + 1 };
    this.emit("change:_view");
  }
}

let host: HTMLElement;
let other: Other;
let explorer: PriorExplorer;
const q = (selector: string): HTMLElement => host.querySelector<HTMLElement>(selector)!;
const big = (): string => q(".px-big").textContent ?? "";
const slot = (): string => {
  const line = q(".px-slot > .line");
  return line.hidden ? "" : (line.textContent ?? "").trim();
};
const key = (el: Element, name: string, more: KeyboardEventInit = {}): void => {
  el.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
};

function pointer(el: Element, type: string, clientX: number): void {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX, button: 0 });
  Object.defineProperty(event, "pointerId", { value: 1 });
  el.dispatchEvent(event);
}

function start(view = firstView()): void {
  host = document.createElement("div");
  document.body.append(host);
  other = new Other(view);
  explorer = createPriorExplorer(other, host);
}

/** jsdom has no layout: the track is 100 px wide, from 0.1 at the left to 10 at the right. */
function track(): HTMLElement {
  const el = q(".slider-track");
  el.getBoundingClientRect = () => ({ left: 0, right: 100, width: 100, top: 0, bottom: 28, height: 28, x: 0, y: 0, toJSON: () => ({}) });
  el.setPointerCapture = () => undefined;
  return el;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  explorer.destroy();
  host.remove();
  vi.useRealTimers();
});

describe("prior explorer", () => {
  it("opens with promise and truth in one sentence and the same numbers in every part", () => {
    start();
    expect(q(".px-lead").textContent).toContain("no tuple leaks more than 1.000 nats");
    expect(q(".px-lead").textContent).toContain("learns up to 1.500 about x: 50 % more than promised.");
    expect(big()).toBe("1.500 nats");
    expect(q(".px-audit").textContent).toContain("1.500");
  });

  it("W12: a drag under slow answers never snaps back, and the last value wins", () => {
    start();
    const el = track();
    const place = (): number => parseFloat(q(".slider-thumb").style.left);
    pointer(el, "pointerdown", 50);
    let last = place();
    for (let x = 54; x <= 90; x += 4) {
      pointer(el, "pointermove", x);
      vi.advanceTimersByTime(40);
      if (x % 8 === 2 && other.requests.length) other.answer(other.requests[other.requests.length - 1]!);
      expect(place()).toBeGreaterThanOrEqual(last - 1e-9);
      last = place();
    }
    pointer(el, "pointerup", 90);
    const asked = Number(q(".slider-thumb").getAttribute("aria-valuenow"));
    for (let k = 0; k < 4; k++) {
      vi.advanceTimersByTime(100);
      other.answer(other.requests[other.requests.length - 1]!);
      expect(place()).toBeCloseTo(last, 6);
    }
    expect(other.requests[other.requests.length - 1]!.scale).toBe(asked);
    expect(other.view.scale).toBe(asked);
    expect(big()).toBe(`${(1.5 / asked).toFixed(3)} nats`);
  }, 20_000);

  it("shows … instead of old numbers after 0.2 s without an answer, and the new ones when they come", () => {
    start();
    key(q(".slider-thumb"), "End");
    expect(big()).toBe("1.500 nats");
    vi.advanceTimersByTime(250);
    expect(big()).toBe("… nats");
    expect(q(".px-lead").textContent).toContain("scale 10.00 promises that no tuple leaks more than 0.100 nats");
    expect(q(".px-lead").textContent).toContain("learns up to … about x.");
    other.answer(other.requests[0]!);
    expect(big()).toBe("0.150 nats");
  });

  it("undoes and redoes the scale and the table with exact floats", () => {
    start();
    const button = (name: string): HTMLButtonElement => q(`button[aria-label^="${name}"]`) as HTMLButtonElement;
    expect(button("Undo").disabled).toBe(true);
    key(q(".slider-thumb"), "Home");
    other.answer(other.requests[0]!);
    const independent = [...host.querySelectorAll("button")].find((b) => b.textContent === "Independent")!;
    independent.click();
    const request = other.requests[1]!;
    expect(floats(request.entries!)[0]).toBeCloseTo(0.3, 12);
    other.answer(request);
    key(q(".px-lead"), "z", { ctrlKey: true });
    other.answer(other.requests[2]!);
    expect([...floats(other.view.table!.entries)]).toEqual([...ENTRIES]);
    expect(other.view.scale).toBe(0.1);
    button("Undo").click();
    other.answer(other.requests[3]!);
    expect(other.view.scale).toBe(1);
    key(q(".px-lead"), "Z", { ctrlKey: true, shiftKey: true });
    other.answer(other.requests[4]!);
    expect(other.view.scale).toBe(0.1);
    expect(button("Redo").disabled).toBe(false);
  });

  it("names what is wrong above the panels, marks results as old, and recovers", () => {
    start();
    key(q(".slider-thumb"), "Home");
    other.answer(other.requests[0]!, { text: "x is 0, y is 0: this row cannot occur. Choose values that can.", where: { kind: "row", index: [0, 0] } });
    expect(slot()).toContain("x is 0, y is 0:");
    expect(q(".px-fact").textContent).toContain("results of the last valid table");
    expect(q(".px-audit").textContent).toContain("results of the last valid table");
    key(q(".slider-thumb"), "End");
    other.answer(other.requests[1]!);
    expect(slot()).toBe("");
    expect(q(".px-fact").textContent).not.toContain("last valid");
  });

  it("keeps a refused scale out, says why in the line, and clears it with the next good one", () => {
    start();
    const input = q(".ne input") as HTMLInputElement;
    const enter = (text: string): void => {
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      key(input, "Enter");
    };
    enter("0");
    expect(other.requests).toHaveLength(0);
    expect(slot()).toContain("Enter a number above 0. The scale stays 1.00.");
    enter("1e-8");
    expect(slot()).toBe("");
    expect(other.requests[0]!.scale).toBe(1e-8);
  });

  it("shows an edit made in another view", () => {
    start();
    other.push({ ...other.view, scale: 2, results: results(2) });
    expect(big()).toBe("0.750 nats");
    expect(q(".slider-thumb").getAttribute("aria-valuenow")).toBe("2");
  });

  it("goes quiet without a kernel: results stay readable, controls are off", () => {
    start();
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(slot()).toContain("No kernel.");
    expect(big()).toBe("1.500 nats");
    key(q(".slider-thumb"), "Home");
    expect(other.requests).toHaveLength(0);
    expect((q(".chip-choose") as HTMLSelectElement).disabled).toBe(true);
  });

  it("has an empty state with two ways to begin", () => {
    start({ ...firstView(), table: null, results: null, current: false });
    expect(q(".px-body").hidden).toBe(true);
    expect(host.querySelectorAll(".px-empty code")).toHaveLength(2);
  });

  it("writes hostile names and labels as text", () => {
    const evil = '<script>alert(1)</script>"';
    const view = firstView([evil, "\u05d0\u05d1"], [[evil, "1"], ["0", "x".repeat(10_000)]]);
    start({ ...view, results: { ...view.results!, graph: { ...view.results!.graph, names: [evil, "\u05d0\u05d1"] } } });
    expect(host.querySelector("script")).toBeNull();
    expect(q(".px-lead").textContent).toContain("<script>");
  });

  it("opens and closes what-is-this with the keyboard", () => {
    start();
    const button = q('button[aria-label="What is this?"]');
    button.click();
    expect(q(".px-info").hidden).toBe(false);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    key(q(".px-info"), "Escape");
    expect(q(".px-info").hidden).toBe(true);
    expect(document.activeElement).toBe(button);
  });

  it("leaves no listener behind", () => {
    start();
    explorer.destroy();
    expect(other.live).toBe(0);
    expect(host.childElementCount).toBe(0);
  });
});

describe("the state", () => {
  it("is the same object while its content is the same", () => {
    const kept = new Stable();
    const a = kept.value("x", { labels: ["0"] });
    expect(kept.value("x", { labels: ["0"] })).toBe(a);
    expect(kept.value("x", { labels: ["1"] })).not.toBe(a);
    const first = kept.read("e", toBytes(ENTRIES), floats);
    expect(kept.read("e", toBytes(ENTRIES), floats)).toBe(first);
    expect(kept.read("e", toBytes(Float64Array.of(1)), floats)).not.toBe(first);
  });

  it("redraws a part only when something it shows has changed", () => {
    const draw = vi.fn();
    const through = gate();
    through([1, "a"], draw);
    through([1, "a"], draw);
    through([1, "b"], draw);
    expect(draw).toHaveBeenCalledTimes(2);
  });

  it("gives every label a place among the mixtures", () => {
    const chosen = { ...results(1).chosen, prior: [0.25, 0, 0.75] };
    const all = aligned(chosen).mixtures;
    expect(all.map((m) => m.centres.length)).toEqual([2, 0, 2]);
    expect(aligned(chosen)).toBe(aligned(chosen));
  });

  it("splits a fault after its culprit, not inside a number", () => {
    expect(splitFault("item 1 is 0: −0.2 is no probability. Enter more.")).toEqual({
      title: "item 1 is 0:",
      text: "−0.2 is no probability. Enter more.",
    });
    expect(splitFault("Sum 1.03.")).toEqual({ title: "Sum 1.03.", text: "" });
  });
});
