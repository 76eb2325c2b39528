// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StreamRun } from "../../src/compute/stream-run";
import { joinedAs, PageModel } from "../../src/page/page-model";
import page from "../../src/page/stream-simulator";
import type { StreamRequest, StreamView } from "../../src/stream/protocol";
import { floats, toBytes } from "../../src/ui/wire";
import { streamView } from "../stream/python";

const numbers = (values: number[]): DataView => toBytes(Float64Array.from(values));

/** What Python embeds beside a view. */
function embeddedFor(view: StreamView, more: Record<string, unknown> = {}): Record<string, unknown> {
  const n = view.states.length;
  const hamming = Array.from({ length: n * n }, (_, k) => Number(Math.floor(k / n) !== k % n));
  const { start, transitions } = view.chain;
  return { chains: [{ start, transitions, early: null }], segments: [{ first: 1, epsilon: view.epsilon, chain: 0 }], chain: 0, distances: numbers(hamming), plain: true, delta: view.delta, data: null, ...more };
}

interface Heard {
  steps?: { run: number; from: number; count: number; lanes: number };
  at?: { run: number; position: number };
}

function opened(view: StreamView = streamView(), embedded = embeddedFor(view), changed = vi.fn()) {
  const model = new PageModel<StreamView, StreamRequest>(page, { module: "stream_simulator", traits: { _view: view }, embedded }, { changed, picture: () => "<svg/>" });
  const heard: { content: Heard; buffers: DataView[] }[] = [];
  model.on("msg:custom", (content, buffers) => heard.push({ content: content as Heard, buffers: buffers as DataView[] }));
  let seq = 0;
  const ask = (request: Partial<StreamRequest>): StreamView => {
    model.set("_request", { origin: "a", seq: ++seq, base: model.view.revision, ...request });
    model.save_changes();
    vi.runAllTimers();
    return model.view;
  };
  const send = (content: object): Heard | undefined => {
    const before = heard.length;
    model.send(content);
    vi.runAllTimers();
    return heard[before]?.content;
  };
  return { model, heard, ask, send, changed };
}

/** Every block of steps takes a while. */
function slowly(): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 0.1));
}

// Time stands still: what is computed at once does not depend on the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe("a page with a stream", () => {
  it("is known by the name of its module", () => expect(joinedAs("stream_simulator")).toBe(page));

  it("stands still when it opens, and waits for nothing", () => {
    const saved = streamView({}, { playing: true, running: { number: 4, paper: false }, stopped: "Cancelled.", current: false });
    expect(opened(saved).model.view).toMatchObject({ playing: false, running: null, stopped: null, current: true, position: 40, disabled: false });
  });

  it("sends the steps that are asked for, as many as there are", () => {
    const { heard, send } = opened();
    expect(send({ steps: { run: 7, from: 40, count: 60 } })).toEqual({ steps: { run: 7, from: 40, count: 60, lanes: 2 } });
    const { buffers } = heard[0]!;
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([120, 480, 480, 480, ...Array.from({ length: 2 }, () => [120, 960, 480, 480, 60, 480, 480, 480]).flat()]);
    expect(floats(buffers[2]!)[59]).toBeCloseTo(50, 9);
    // Of another run, from nowhere, or beyond the last step.
    for (const wanted of [{ run: 8, from: 40, count: 60 }, { run: 7, from: -1, count: 60 }, { run: 7, from: 0.5, count: 1 }, { run: 7, from: 100_001, count: 1 }, "all"]) expect(send({ steps: wanted })).toBeUndefined();
    expect(send({ steps: { run: 7, from: 100_000, count: 5 } })!.steps!.count).toBe(0);
  });

  it("goes on elsewhere while many steps are computed", () => {
    const { model, heard } = opened(streamView({ lanes: ["crr"] }));
    let between = 0;
    slowly();
    model.send({ steps: { run: 7, from: 30_000, count: 10 } });
    while (heard.length === 0 && between < 10_000) {
      between += 1;
      vi.runOnlyPendingTimers();
    }
    expect(between).toBeGreaterThan(3);
    expect(heard[0]!.content.steps).toMatchObject({ from: 30_000, count: 10 });
  });

  it("gives up steps of a run that is gone meanwhile", () => {
    const { model, heard, ask } = opened(streamView({ lanes: ["crr"] }));
    slowly();
    model.send({ steps: { run: 7, from: 30_000, count: 10 } });
    expect(ask({ seed: 5, position: 40 }).run).toBe(8);
    expect(heard).toEqual([]);
  });

  it("counts an edit from the next step on, and forgets what was to come", () => {
    const { ask, send } = opened();
    send({ steps: { run: 7, from: 40, count: 60 } });
    send({ at: { run: 7, position: 90 } });
    const view = ask({ epsilon: 2, position: 90 });
    expect(view).toMatchObject({ run: 8, same: 90, position: 90, epsilon: 2, current: true, changes: [{ step: 91, before: "ε 0.5", after: "ε 2" }] });
    expect(view.window).toMatchObject({ from: 0, count: 90, run: 8 });
    expect([...new Set(floats(view.window.promise))]).toEqual([0.5]);
    const bad = ask({ transitions: numbers([0.5, 0.6, 0.4, 0.6]), position: 90, playing: true });
    expect(bad).toMatchObject({ run: 8, playing: false, current: false, fault: { text: "The transitions: row 0 sums to 1.1; every row must sum to 1." } });
    expect([...floats(bad.chain.transitions)]).toEqual([0.5, 0.6, 0.4, 0.6]);
    expect(ask({ transitions: numbers([0.5, 0.5, 0.4, 0.6]), position: 90 })).toMatchObject({ run: 9, same: 90, fault: null, changes: [{ step: 91, after: "stay at state 0: 0.5, ε 2" }] });
    expect(ask({ position: 0 })).toMatchObject({ run: 10, same: 0, position: 0, epsilon: 2, changes: [], window: { from: 0, count: 0 } });
  });

  it("says how far it has been shown, and that the published picture shows something else", () => {
    const { heard, send, changed, ask } = opened();
    send({ steps: { run: 7, from: 40, count: 20 } });
    expect(send({ at: { run: 7, position: 50 } })).toEqual({ at: { run: 7, position: 50 } });
    expect(changed).toHaveBeenCalledTimes(1);
    for (const at of [{ run: 6, position: 55 }, { run: 7, position: 49 }, { run: 7, position: "far" }]) expect(send({ at })).toBeUndefined();
    send({ picture: 1 });
    expect(JSON.stringify(heard[heard.length - 1]!.content)).toContain("no kernel to draw what you see now");
    expect(ask({ speed: 20 })).toMatchObject({ position: 50, speed: 20, run: 7 });
  });

  it("releases data and no more of them", () => {
    const saved = streamView({ position: 3 }, { source: { kind: "live", text: "a sensor", steps: null, waiting: 2 } });
    const data = new DataView(Uint16Array.from([0, 1, 1, 0, 1]).buffer);
    const { model, heard, send, ask } = opened(saved, embeddedFor(saved, { data }));
    expect(model.view).toMatchObject({ most: 5, source: { kind: "data", text: "a sensor", steps: 5, waiting: null } });
    expect(send({ steps: { run: 7, from: 0, count: 100 } })!.steps!.count).toBe(5);
    const { buffer, byteOffset } = heard[0]!.buffers[0]!;
    expect([...new Uint16Array(buffer.slice(byteOffset, byteOffset + 10))]).toEqual([0, 1, 1, 0, 1]);
    expect(ask({ position: 5, playing: true })).toMatchObject({ position: 5, playing: false, most: 5 });
  });

  it("shows what was saved of lanes that it cannot compute", () => {
    const saved = streamView({ states: ["a", "b", "c"], position: 200 });
    const { model, heard, send, ask } = opened(saved);
    expect(model.reason).toContain("“Optimum” solves a linear program");
    expect(model.view).toMatchObject({ disabled: true, most: 200 });
    expect(send({ steps: { run: 7, from: 100, count: 40 } })!.steps).toEqual({ run: 7, from: 80, count: 120, lanes: 2 });
    expect([...floats(heard[0]!.buffers[1]!)]).toEqual([...floats(saved.window.promise)]);
    expect(send({ steps: { run: 7, from: 10, count: 40 } })!.steps!.count).toBe(0);
    expect(send({ at: { run: 7, position: 150 } })).toBeUndefined();
    expect(ask({ epsilon: 2 })).toMatchObject({ epsilon: 0.5, position: 200, run: 7 });
    expect(opened(streamView({ states: ["a", "b", "c"] }), {}).model.reason).toBe("Its chains are too large to go on with.");
  });

  it("offers no lane that it cannot compute, and takes none", () => {
    const { model, ask } = opened(streamView({ states: ["a", "b", "c"], lanes: ["crr", "grr"] }));
    expect(model.view.menu.find(({ key }) => key === "optimum")!.why).toContain("linear program");
    const view = ask({ lanes: ["crr", "optimum"], position: 40 });
    expect(view.fault!.text).toContain("Optimum cannot be a lane here.");
    expect(view.lanes.map(({ key }) => key)).toEqual(["crr", "grr"]);
  });

  it("does not stand still for a long run", () => {
    const states = Array.from({ length: 100 }, (_, k) => `s${k}`);
    const far = (position: number) => {
      const saved = streamView({ states, lanes: ["crr", "grr"], position });
      const chain = { start: saved.chain.start, transitions: numbers(new Array(10_000).fill(0.01)), early: null };
      return opened(saved, embeddedFor(saved, { chains: [chain] }));
    };
    expect(far(20_000).model.reason).toBe("Its 20,000 steps take too long to compute in it.");
    const near = far(200);
    expect(near.model.reason).toBeNull();
    expect(near.ask({ seed: 3, position: 200 })).toMatchObject({ seed: 3, position: 200, run: 8, fault: null });
    // Once it has come far, what would begin it anew is refused.
    vi.spyOn(StreamRun.prototype, "extended").mockReturnThis();
    vi.spyOn(StreamRun.prototype, "steps", "get").mockReturnValue(20_000);
    near.send({ at: { run: 8, position: 20_000 } });
    const refused = near.ask({ seed: 4, position: 20_000 });
    expect(refused).toMatchObject({ seed: 3, run: 8, fault: { where: { name: "seed" } } });
    expect(refused.fault!.text).toMatch(/^Step 20,000 is too far on/);
  });
});
