import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { leakageTicks } from "../../src/ui/axes";
import { bound, change, leakage, leakageTick } from "../../src/ui/format";
import { askedOf, DEFAULTS, prefer, preferences } from "../../src/ui/preferences";
import { createSession, type Model } from "../../src/ui/session";

interface View {
  revision: number;
  since: number;
  ack: { origin: string; seq: number } | null;
  x: number;
  /** What Python computed from x. */
  square: number;
  /** A part that no computation reads. */
  y: string;
}
interface Request {
  origin: string;
  seq: number;
  base: number;
  x: number;
  y: string;
}

/** Python behind a slow line: answers in order, each after the latency, one after the other. */
class SlowModel implements Model {
  comm_live = true;
  computed: number[] = [];
  requests: Partial<Request>[] = [];
  lost = false;
  private state: Record<string, unknown> = { _view: { revision: 1, since: 1, ack: null, x: 0, square: 0, y: "" } satisfies View };
  private readonly listeners = new Map<string, Set<() => void>>();
  constructor(private readonly latency: number) {}
  get(name: string): unknown {
    return this.state[name];
  }
  set(name: string, value: unknown): void {
    this.state[name] = value;
  }
  on(event: string, callback: () => void): void {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event)?.add(callback);
  }
  off(event: string, callback: () => void): void {
    this.listeners.get(event)?.delete(callback);
  }
  emit(event: string): void {
    for (const callback of [...(this.listeners.get(event) ?? [])]) callback();
  }
  heard(): number {
    return [...this.listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }
  view(patch: Partial<View>): void {
    const view = this.state["_view"] as View;
    this.state["_view"] = { ...view, revision: view.revision + 1, ...patch };
    this.emit("change:_view");
  }
  save_changes(): void {
    if (!this.comm_live || this.lost) return;
    const request = this.state["_request"] as Partial<Request> & { origin: string; seq: number; base: number };
    this.requests.push(request);
    setTimeout(() => {
      const { x, y } = { ...(this.state["_view"] as View), ...request };
      this.computed.push(x);
      this.view({ ack: { origin: request.origin, seq: request.seq }, x, square: x * x, y });
    }, this.latency);
  }
}

const open = (model: Model, el?: HTMLElement) =>
  createSession<View, Request>(model, { shape: "?", request: (view) => ({ x: view.x, y: view.y }), ...(el ? { el } : {}) });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("session", () => {
  it("W12: under 300 ms latency what the hand set never snaps back, and the last value wins", () => {
    const model = new SlowModel(300);
    const session = open(model);
    const squares: number[] = [];
    for (let k = 1; k <= 60; k++) {
      session.propose({ x: k }, { commit: k === 60 });
      vi.advanceTimersByTime(16);
      expect(session.desired().x).toBe(k);
      squares.push(session.view().square);
    }
    vi.advanceTimersByTime(2000);
    expect(session.desired().x).toBe(60);
    expect(session.view()).toMatchObject({ x: 60, square: 3600 });
    expect(squares).toEqual([...squares].sort((a, b) => a - b));
    expect(session.pending()).toBe(false);
  });

  it("W13: 200 moves in a second are a bounded number of computations and end at the last", () => {
    const model = new SlowModel(50);
    const session = open(model);
    for (let k = 1; k <= 200; k++) {
      session.propose({ x: k }, { commit: k === 200 });
      vi.advanceTimersByTime(5);
    }
    vi.advanceTimersByTime(500);
    expect(model.computed.length).toBeLessThanOrEqual(22);
    expect(model.computed.at(-1)).toBe(200);
    expect(session.view().x).toBe(200);
  });

  it("draws no view that is older than the one drawn", () => {
    const model = new SlowModel(0);
    const session = open(model);
    model.view({ revision: 9, x: 9 });
    model.view({ revision: 4, x: 4 });
    expect(session.view().x).toBe(9);
  });

  it("is busy after 200 ms without an answer, and silent after ten seconds", () => {
    const model = new SlowModel(30_000);
    const session = open(model);
    const drawn = vi.fn();
    session.subscribe(drawn);
    session.propose({ x: 1 }, { commit: true });
    vi.advanceTimersByTime(199);
    expect(session.busy()).toBe(false);
    const before = drawn.mock.calls.length;
    vi.advanceTimersByTime(2);
    expect(session.busy()).toBe(true);
    expect(drawn.mock.calls.length).toBeGreaterThan(before);
    vi.advanceTimersByTime(10_000);
    expect(session.silent()).toBe(true);
    vi.advanceTimersByTime(30_000);
    expect(session.busy()).toBe(false);
    expect(session.silent()).toBe(false);
  });

  it("sends the next state even when an answer got lost", () => {
    const model = new SlowModel(10);
    const session = open(model);
    model.lost = true;
    session.propose({ x: 1 }, { commit: true });
    model.lost = false;
    session.propose({ x: 2 }, { commit: true });
    vi.advanceTimersByTime(3000);
    expect(model.computed).toEqual([2]);
    expect(session.view().x).toBe(2);
  });

  it("takes changes of Python at once, but never over what the hand still waits for (W21)", () => {
    const model = new SlowModel(100);
    const session = open(model);
    model.view({ x: 5 });
    expect(session.desired().x).toBe(5);
    session.propose({ x: 6 }, { commit: true });
    model.view({ x: 7 });
    expect(session.desired().x).toBe(6);
    vi.advanceTimersByTime(200);
    expect(session.desired().x).toBe(6);
  });

  it("W21: a request carries the parts the hand set, and none that Python may have changed meanwhile", () => {
    const model = new SlowModel(100);
    const session = open(model);
    session.propose({ x: 6 }, { commit: true });
    model.view({ y: "from Python" });
    vi.advanceTimersByTime(200);
    expect(model.requests.map(({ x, y, base }) => ({ x, y, base }))).toEqual([{ x: 6, y: undefined, base: 1 }]);
    expect(session.desired()).toEqual({ x: 6, y: "from Python" });
  });

  it("W21: a part that is answered travels no more with the next one", () => {
    const model = new SlowModel(100);
    const session = open(model);
    session.propose({ x: 6 }, { commit: true });
    vi.advanceTimersByTime(50);
    session.propose({ y: "hand" }, { commit: true });
    vi.advanceTimersByTime(60);
    // The first is answered and the second under way; now Python sets what the first one set.
    model.view({ x: 7, square: 49 });
    vi.advanceTimersByTime(200);
    expect(model.requests.at(-1)).toMatchObject({ y: "hand" });
    expect(model.requests.at(-1)).not.toHaveProperty("x");
    expect(session.view()).toMatchObject({ x: 7, y: "hand" });
    expect(session.desired().x).toBe(7);
    expect(session.pending()).toBe(false);
  });

  it("a request that overtakes one without an answer carries its parts too", () => {
    const model = new SlowModel(10);
    const session = open(model);
    model.lost = true;
    session.propose({ x: 1 }, { commit: true });
    model.lost = false;
    session.propose({ y: "later" }, { commit: true });
    vi.advanceTimersByTime(3000);
    expect(session.view()).toMatchObject({ x: 1, y: "later" });
  });

  it("asks again when another view's request took the place of its own", () => {
    const model = new SlowModel(10);
    const [a, b] = [open(model), open(model)];
    model.lost = true;
    a.propose({ x: 3 }, { commit: true });
    model.lost = false;
    b.propose({ y: "b" }, { commit: true });
    vi.advanceTimersByTime(3000);
    expect(a.view()).toMatchObject({ x: 3, y: "b" });
    expect(a.busy()).toBe(false);
    expect(a.pending()).toBe(false);
    expect(model.requests).toHaveLength(2);
  });

  it("forgets what was asked of a table or graph that another one replaced", () => {
    const model = new SlowModel(100);
    const session = open(model);
    session.propose({ x: 6 }, { commit: true });
    model.view({ y: "the same tuples" });
    expect(session.desired().x).toBe(6);
    model.view({ since: 3, x: 2 });
    expect(session.desired().x).toBe(2);
    expect(session.busy()).toBe(false);
  });

  it("W17: an edit in one view shows in the other", () => {
    const model = new SlowModel(10);
    const [a, b] = [open(model), open(model)];
    const drawn = vi.fn();
    b.subscribe(drawn);
    a.propose({ x: 3 }, { commit: true });
    vi.advanceTimersByTime(20);
    expect(b.desired().x).toBe(3);
    expect(drawn).toHaveBeenCalled();
  });

  it("W32: says that the line is dead, keeps what was asked and sends it when the line is back", () => {
    const model = new SlowModel(10);
    const session = open(model);
    const drawn = vi.fn();
    session.subscribe(drawn);
    model.comm_live = false;
    model.emit("comm_live_update");
    expect(session.connected()).toBe(false);
    expect(drawn).toHaveBeenCalledTimes(1);
    session.propose({ x: 4 }, { commit: true });
    expect(session.desired().x).toBe(4);
    vi.advanceTimersByTime(5000);
    expect(session.busy()).toBe(false);
    model.comm_live = true;
    model.emit("comm_live_update");
    vi.advanceTimersByTime(50);
    expect(session.view().x).toBe(4);
  });

  it("W32: hosts built on ipywidgets mark the element of the view", async () => {
    vi.useRealTimers();
    const el = document.createElement("div");
    const session = open(new SlowModel(10), el);
    expect(session.connected()).toBe(true);
    el.classList.add("jupyter-widgets-disconnected");
    await Promise.resolve();
    expect(session.connected()).toBe(false);
    el.classList.remove("jupyter-widgets-disconnected");
    await Promise.resolve();
    expect(session.connected()).toBe(true);
    session.destroy();
  });

  it("W32: a closed comm is the end", () => {
    const model = new SlowModel(10);
    const session = open(model);
    model.emit("comm:close");
    expect(session.connected()).toBe(false);
  });

  it("W15: leaves no listener behind, and sends what was still waiting", () => {
    const model = new SlowModel(10);
    const session = open(model);
    session.propose({ x: 8 }, { commit: false });
    session.destroy();
    vi.advanceTimersByTime(100);
    expect(model.computed).toEqual([8]);
    expect(model.heard()).toBe(0);
  });
});

describe("preferences", () => {
  afterEach(() => prefer({}));

  it("ask for nothing in the middle of a gesture where people prefer that, not even when an answer comes", () => {
    const model = new SlowModel(20);
    const session = open(model);
    session.propose({ x: 1 }, { commit: true });
    prefer({ refresh: false });
    session.propose({ x: 2 }, { commit: false });
    vi.advanceTimersByTime(3000);
    session.propose({ x: 3 }, { commit: false });
    vi.advanceTimersByTime(3000);
    expect([model.computed, session.desired().x, session.busy()]).toEqual([[1], 3, false]);
    session.propose({ x: 4 }, { commit: true });
    vi.advanceTimersByTime(100);
    expect(model.computed).toEqual([1, 4]);
  });

  it("are asked of an explorer that has such a setting, once, and only when they are set", () => {
    const before = DEFAULTS;
    const now = { ...before, convention: "sup", paper: "shown" } as const;
    expect(askedOf({ convention: "instance", show_paper: false }, now, before)).toEqual({ convention: "sup", show_paper: true });
    expect(askedOf({ scale: 1 }, now, before)).toEqual({});
    expect(askedOf({ convention: "instance", printed: false }, now, now)).toEqual({});
  });

  it("that are none are passed over", () => {
    prefer({ unit: "bans", decimals: 99, palette: 7, refresh: "no", convention: "as each explorer says", paper: null });
    expect(preferences()).toEqual(DEFAULTS);
    prefer({ unit: "bits", decimals: 2 });
    expect([leakage(1), leakage(1, 1.0001), bound(1), change(-1), leakage(0), leakage(1e-6)]).toEqual(["1.44", "1.44", "1.45", "−1.44", "0", "1.4e−6"]);
    expect([leakageTicks(0, 2, 4).map(leakageTick), leakage(Infinity)]).toEqual([["0", "1", "2"], "∞"]);
  });
});

describe("a host that restores widgets while they change", () => {
  it("asks Python for what is newer than the state it finds", () => {
    const model = Object.assign(new SlowModel(0), { send: vi.fn() });
    const session = open(model);
    expect(model.send.mock.calls).toEqual([[{ shows: 1 }]]);
    session.destroy();
  });

  it("asks nothing where nobody listens", () => {
    const model = Object.assign(new SlowModel(0), { send: vi.fn(), comm_live: false });
    open(model).destroy();
    expect(model.send).not.toHaveBeenCalled();
  });

  it("keeps the newest view when an older state is laid over the model", () => {
    const model = new SlowModel(0);
    const session = open(model);
    const old = model.get("_view");
    model.view({ x: 4, square: 16 });
    model.set("_view", old);
    model.emit("change:_view");
    expect(session.view().square).toBe(16);
    session.destroy();
  });
});

describe("a stream of views from elsewhere", () => {
  it("is drawn at the pace the page can draw, the newest view last", () => {
    const model = new SlowModel(10);
    const session = open(model);
    const drawn: number[] = [];
    session.subscribe(() => {
      drawn.push(session.view().x);
      // A drawing that takes 40 ms.
      vi.setSystemTime(Date.now() + 40);
    });
    for (let x = 1; x <= 100; x++) {
      model.view({ x });
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(200);
    expect(drawn.at(-1)).toBe(100);
    expect(drawn.length).toBeLessThan(10);
    expect(drawn[0]).toBe(1);
    session.destroy();
  });

  it("does not hold up the answer to an edit, and ends with the view", () => {
    const model = new SlowModel(10);
    const session = open(model);
    let drawn = 0;
    session.subscribe(() => drawn++);
    model.view({ x: 1 });
    session.propose({ x: 5 }, { commit: true });
    const before = drawn;
    vi.advanceTimersByTime(10);
    expect(drawn).toBe(before + 1);
    expect(session.view().square).toBe(25);
    model.view({ x: 6 });
    session.destroy();
    vi.advanceTimersByTime(100);
    expect(drawn).toBe(before + 1);
  });
});
