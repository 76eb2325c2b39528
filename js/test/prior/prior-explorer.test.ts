// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPriorExplorer, type PriorExplorer } from "../../src/prior/prior-explorer";
import { splitFault } from "../../src/explorer/top";
import { aligned } from "../../src/prior/screen";
import { Stable, gate } from "../../src/explorer/hand";
import { floats, toBytes } from "../../src/ui/wire";
import type { PriorRequest, PriorResults, PriorView } from "../../src/prior/protocol";
import { FIRST_SEARCH } from "../../src/graph/search";
import type { Fault, Late } from "../../src/ui/protocol";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/explorer/styles", () => ({ STYLES: [] }));

const ENTRIES = Float64Array.from([0.4, 0.1, 0.2, 0.3]);

/** Two binary tuples; the numbers depend on the scale alone, so that a drawn result names its request. */
function results(scale: number): PriorResults {
  const value = 1.5 / scale;
  return {
    scale,
    convention: "instance",
    instance: [0, 0],
    largest_instance: [0, 0],
    promise: 1 / scale,
    largest: { target: 0, known: [], value },
    group_bound: 2 / scale,
    digest: null,
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
      grouped: null,
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
      summary: null,
    },
    query: {
      subject: "A noisy sum",
      text: "Sum of all tuples",
      noun: "tuple",
      key: "sum",
      choices: [
        { key: "sum", label: "Sum" },
        { key: "mean", label: "Mean" },
        { key: "weights", label: "Weighted sum" },
      ],
      weights: [1, 1],
    },
    scale: 1,
    promise: 1,
    instance: [0, 0],
    convention: "instance",
    target: 0,
    known: [],
    automatic: true,
    show_paper: false,
    threshold: null,
    goal: 1,
    search: FIRST_SEARCH,
    running: null,
    stopped: null,
    kept: "",
    fault: null,
    current: true,
    results: results(1),
    late: { enough: 1, sample: null },
    disabled: false,
  };
}

/** What a request carries: the parts that the hand set. */
type Sent = Partial<PriorRequest> & Pick<PriorRequest, "origin" | "seq">;

/** A model whose other end answers only when told to. */
class Other {
  view: PriorView;
  requests: Sent[] = [];
  messages: Record<string, unknown>[] = [];
  late: Late = {};
  comm_live = true;
  private listeners = new Map<string, Set<(content?: unknown) => void>>();
  private request: Sent | null = null;

  constructor(view: PriorView) {
    this.view = view;
  }
  get(name: string): unknown {
    return { _view: this.view, _late: this.late }[name] ?? this.request;
  }
  set(_name: string, value: unknown): void {
    this.request = value as Sent;
  }
  save_changes(): void {
    if (this.request) this.requests.push(this.request);
  }
  on(event: string, callback: (content?: unknown) => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(callback));
  }
  off(event: string, callback: (content?: unknown) => void): void {
    this.listeners.get(event)?.delete(callback);
  }
  emit(event: string, content?: unknown): void {
    this.listeners.get(event)?.forEach((callback) => callback(content));
  }
  get live(): number {
    return [...this.listeners.values()].reduce((n, set) => n + set.size, 0);
  }
  answer(request: Sent, fault: Fault | null = null): void {
    const { entries, locks, keep_sum } = { ...this.view.table!, ...request };
    const { query: key = this.view.query.key, weights = this.view.query.weights, ...rest } = request;
    this.view = {
      ...this.view,
      ...rest,
      query: { ...this.view.query, key, weights },
      table: { ...this.view.table!, entries, locks, keep_sum },
      revision: this.view.revision + 1,
      ack: { origin: request.origin, seq: request.seq },
      fault,
      current: fault === null,
      promise: 1 / (request.scale ?? this.view.scale),
      results: fault ? this.view.results : results(request.scale ?? this.view.scale),
    };
    this.emit("change:_view");
  }
  send(content: unknown): void {
    this.messages.push(content as Record<string, unknown>);
  }
  /** Messages other than the one at the start, which names the view. */
  get asked(): Record<string, unknown>[] {
    return this.messages.filter((message) => !("shows" in message));
  }
  say(late: Late): void {
    this.late = late;
    this.emit("change:_late");
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
    expect(q(".px-fact").textContent).toContain("Results belong to the last valid table.");
    expect(q(".px-audit").textContent).toContain("Results belong to the last valid table.");
    expect(host.querySelectorAll("[data-old] .px-result")).toHaveLength(6);
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
    start({ ...view, results: { ...view.results!, graph: { ...view.results!.graph!, names: [evil, "\u05d0\u05d1"] } } });
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

describe("numbers that come late", () => {
  const enough = (): string => q(".px-goal button").textContent ?? "";
  const sampled = (): PriorView => {
    const view = firstView();
    const spec = { ...view.table!.spec, records: 40 };
    return { ...view, table: { ...view.table!, spec }, late: { enough: 1, sample: 2 } };
  };

  it("are asked for once the hand has been quiet, and shown beside the view they belong to", () => {
    start(sampled());
    expect(enough()).toBe("…");
    expect(q(".px-facts").textContent).toContain("As a sample, 95 %… 40 records");
    vi.advanceTimersByTime(550);
    expect(other.asked).toHaveLength(0);
    vi.advanceTimersByTime(100);
    expect(other.asked).toEqual([{ late: "1/2" }]);
    other.say({ enough: { of: 1, scale: 1.4056, why: null }, sample: { of: 2, low: 1.1, high: 1.655, level: 0.95, why: null } });
    expect(enough()).toBe("1.41");
    expect(q(".px-facts").textContent).toContain("1.10 to 1.66, 40 records");
    expect(q(".px-fact .numline-whisker")).not.toBeNull();
    vi.advanceTimersByTime(5000);
    expect(other.asked).toHaveLength(1);
  });

  it("never wait in front of an edit, and of another state are not shown", () => {
    start(sampled());
    other.say({ enough: { of: 1, scale: 1.4056, why: null } });
    // The present scale does not matter to the one that is enough; the query does.
    key(q(".slider-thumb"), "Home");
    expect(other.requests).toHaveLength(1);
    expect(enough()).toBe("1.41");
    other.answer(other.requests[0]!);
    const query = q(".px-query-choice") as HTMLSelectElement;
    query.selectedIndex = 1;
    query.dispatchEvent(new Event("change"));
    expect(other.requests).toHaveLength(2);
    expect(enough()).toBe("…");
    vi.advanceTimersByTime(1000);
    expect(other.asked).toHaveLength(0);
    other.answer(other.requests[1]!);
    other.push({ ...other.view, late: { enough: 7, sample: 8 } });
    vi.advanceTimersByTime(100);
    expect(enough()).toBe("…");
    vi.advanceTimersByTime(600);
    expect(other.asked).toEqual([{ late: "7/8" }]);
  });

  it("stay away once the table is no sample any more", () => {
    start(sampled());
    other.push(firstView());
    expect(q(".px-facts").textContent).not.toContain("As a sample");
    expect(q(".numline-whisker")).toBeNull();
  });

  it("have a goal of their own: it stays when the scale is set, which is said, and is undone like other entries", () => {
    start(sampled());
    const goal = q(".px-goal input") as HTMLInputElement;
    expect(goal.value).toBe("1.00");
    const type = (text: string): void => {
      goal.value = text;
      goal.dispatchEvent(new InputEvent("input", { bubbles: true }));
      key(goal, "Enter");
    };
    other.say({ enough: { of: 1, scale: 1.4056, why: null } });
    expect(q(".px-reached").hidden).toBe(true);
    q(".px-goal button").click();
    other.answer(other.requests[0]!);
    expect([goal.value, enough(), q(".px-reached").hidden]).toEqual(["1.00", "1.41", false]);
    expect(q(".px-goal button").getAttribute("aria-disabled")).toBe("true");
    q(".px-goal button").click();
    expect(other.requests).toHaveLength(1);
    type("-1");
    expect(slot()).toContain("The goal -1 is refused. Enter a number of nats above 0. The goal stays 1.00.");
    expect(other.requests).toHaveLength(1);
    type("0,25");
    expect(other.requests[1]).toMatchObject({ goal: 0.25 });
    expect([enough(), q(".px-reached").hidden]).toEqual(["…", true]);
    other.answer(other.requests[1]!);
    other.push({ ...other.view, late: { enough: 3, sample: 2 } });
    vi.advanceTimersByTime(1000);
    expect(other.asked.at(-1)).toEqual({ late: "3/2" });
    key(q(".px-lead"), "z", { ctrlKey: true });
    expect([other.requests[2]!.goal, other.requests[2]!.scale]).toEqual([1, 1.41]);
  });

  it("set the scale at a click, in one step back", () => {
    start(sampled());
    other.say({ enough: { of: 1, scale: 1.4056, why: null } });
    q(".px-goal button").click();
    expect(other.requests[0]!.scale).toBe(1.41);
    other.answer(other.requests[0]!);
    key(q(".px-lead"), "z", { ctrlKey: true });
    expect(other.requests[1]!.scale).toBe(1);
  });
});

describe("the convention", () => {
  it("is asked for by its switch and said wherever a number stands", () => {
    start();
    const worst = q('input[value="sup"]') as HTMLInputElement;
    worst.checked = true;
    worst.dispatchEvent(new Event("change", { bubbles: true }));
    expect(other.requests[0]!.convention).toBe("sup");
    expect((q(".chip-value") as HTMLSelectElement).disabled).toBe(true);
    expect(q(".chip-value").title).toBe("worst case over all values");
    const made = results(1);
    const chosen = { ...made.chosen, known: [1], instance: [0, 1] };
    const largest = { target: 0, known: [1], value: 1.5 };
    other.push({ ...other.view, convention: "sup", known: [1], results: { ...made, convention: "sup", largest_instance: [0, 1], largest, chosen } });
    other.answer(other.requests[0]!);
    other.push({ ...other.view, results: { ...made, convention: "sup", largest_instance: [0, 1], largest, chosen } });
    vi.advanceTimersByTime(100);
    expect(q(".px-lead").textContent).toContain("In the worst case, someone who knows that y is 1 learns up to 1.500 about x");
    expect(q(".px-fact h3").textContent).toBe("About x, at worst knowing y is 1");
    expect(q(".px-facts").textContent).toContain("Worst valuesy is 1");
    expect(q(".px-audit").textContent).toContain("x, at worst knowing y");
  });
});

describe("the query", () => {
  it("is one step back together with its weights", () => {
    start();
    const select = q(".px-query-choice") as HTMLSelectElement;
    select.selectedIndex = 2;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    other.answer(other.requests[0]!);
    const entry = q(".px-weights input") as HTMLInputElement;
    entry.value = "-3";
    entry.dispatchEvent(new Event("input", { bubbles: true }));
    key(entry, "Enter");
    expect(other.requests[1]).toMatchObject({ query: "weights", weights: [-3, 1] });
    other.answer(other.requests[1]!);
    key(q(".px-lead"), "z", { ctrlKey: true });
    expect(other.requests[2]).toMatchObject({ query: "weights", weights: [1, 1] });
    other.answer(other.requests[2]!);
    key(q(".px-lead"), "z", { ctrlKey: true });
    expect(other.requests[3]).toMatchObject({ query: "sum" });
  });

  it("tells no promise of another query once that is awaited visibly", () => {
    start();
    const select = q(".px-query-choice") as HTMLSelectElement;
    select.selectedIndex = 1;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    vi.advanceTimersByTime(250);
    expect(q(".px-promise dd").textContent).toBe("… nats");
    expect(q(".px-lead").textContent).toContain("leaks more than ….");
  });
});

describe("the picture", () => {
  const button = (): HTMLElement => q('button[aria-label^="Save the picture"]');

  it("is asked of Python, and handed over to the view that asked", () => {
    start();
    const saved: { name: string; href: string }[] = [];
    const create = vi.fn(() => "blob:made");
    Object.assign(URL, { createObjectURL: create, revokeObjectURL: vi.fn() });
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, href: this.href });
    });
    button().click();
    const { picture } = other.asked[0] as { picture: string };
    other.emit("msg:custom", { picture: { asked: "another view", svg: "<svg/>", name: "a.svg" } });
    expect(saved).toHaveLength(0);
    other.emit("msg:custom", { picture: { asked: picture, svg: "<svg/>", name: "a.svg" } });
    expect(saved).toEqual([{ name: "a.svg", href: "blob:made" }]);
    other.emit("msg:custom", { picture: { asked: picture, fault: "The font is gone." } });
    expect(slot()).toContain("There is no picture: The font is gone.");
    button().click();
    expect(slot()).toBe("");
    click.mockRestore();
  });

  it("is off without a kernel, and its name says so", () => {
    start();
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(button().getAttribute("aria-disabled")).toBe("true");
    expect(button().getAttribute("aria-label")).toContain("it needs a running kernel");
    button().click();
    expect(other.asked).toHaveLength(0);
  });
});

describe("the filter", () => {
  const buttons = (): HTMLButtonElement[] => [...host.querySelectorAll<HTMLButtonElement>(".px-filter")];
  const paperView = (tooLow: number): PriorView => {
    const view = firstView();
    const made = view.results!;
    const graph = { ...made.graph!, paper: toBytes(Float64Array.from([1.2, 1, 1.3, 1])) };
    return { ...view, show_paper: true, results: { ...made, graph, too_low: tooLow, too_high: 1, paper_largest: 1.3 } };
  };

  it("is one of two, goes off again, and ends with what it shows", () => {
    start(paperView(1));
    const [low, high] = buttons() as [HTMLButtonElement, HTMLButtonElement];
    expect([low.textContent, high.textContent]).toEqual(["too low at 1", "too high at 1"]);
    low.click();
    expect([low, high].map((b) => b.getAttribute("aria-pressed"))).toEqual(["true", "false"]);
    high.click();
    expect([low, high].map((b) => b.getAttribute("aria-pressed"))).toEqual(["false", "true"]);
    high.click();
    expect(high.getAttribute("aria-pressed")).toBe("false");
    low.click();
    other.push({ ...paperView(0), revision: other.view.revision });
    expect(low.hidden).toBe(true);
    expect(low.getAttribute("aria-pressed")).toBe("false");
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
