/** The explorer of inferred places in a page: answers at once, and what takes longer a moment later. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AttackRequest, AttackView } from "../../src/attack/protocol";
import attack from "../../src/page/attack-explorer";
import { PageModel } from "../../src/page/page-model";
import { toBytes } from "../../src/ui/wire";
import { cityView, placeOf } from "../attack/city";

const USERS = 40;
const whole = (numbers: number[]): DataView => new DataView(Uint16Array.from(numbers).buffer);
const listed = Array.from({ length: USERS }, (_, user) => user);

/** The users of the small city, in degrees. */
function users(): Record<string, unknown> {
  const places = listed.flatMap((user) => {
    const [east, north] = placeOf(user);
    return [40 + north, -74 + east];
  });
  const ends = [Math.min, Math.max].flatMap((end) => [0, 1].map((axis) => end(...places.filter((_, k) => k % 2 === axis))));
  return {
    places: toBytes(Float64Array.from(places)),
    box: toBytes(Float64Array.from(ends)),
    edges: whole(listed.flatMap((user) => [user, (user + 1) % USERS])),
    largest_component: USERS,
    local: 0.2,
    assign: whole(listed.map((user) => Number(user % 3 === 0))),
    centroids: toBytes(Float64Array.of(0.7, 0.7, 0.2, 0.2)),
    order: whole(listed),
    seed: "4611686018427387903",
    weight: 10,
    known: 1,
  };
}

type AttackModel = PageModel<AttackView, AttackRequest>;
let seq = 0;

function opened(view: AttackView = cityView(), embedded = users()): AttackModel {
  return new PageModel<AttackView, AttackRequest>(attack, { module: "attack_explorer", traits: { _view: view }, embedded });
}

/** Asks, and waits for the answer alone. */
function ask(model: AttackModel, wish: Partial<AttackRequest>): void {
  model.set("_request", { origin: "here", seq: ++seq, base: model.view.revision, ...wish });
  model.save_changes();
  vi.advanceTimersByTime(0);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a published city", () => {
  it("answers at once and computes means a moment later", () => {
    const model = opened();
    expect(model.reason).toBeNull();
    expect(model.view.results).toEqual(cityView().results);
    ask(model, { weight: 3 });
    expect(model.view.results).toMatchObject({ curves: null, mean: null });
    expect(model.view.running).not.toBeNull();
    expect(model.view.current).toBe(true);
    vi.runAllTimers();
    const { running, results } = model.view;
    expect(running).toBeNull();
    expect(results?.mean?.users).toBe(USERS);
    expect(results?.curves?.users).toBe(USERS);
    expect(results?.attacks.map(({ draws }) => draws?.count)).toEqual([400, 400]);
  });

  it("has means and curves again where it has had them before", () => {
    const model = opened();
    const first = model.view.results?.curves;
    ask(model, { weight: 3 });
    vi.runAllTimers();
    ask(model, { weight: 10 });
    expect(model.view.results?.curves).toBe(first);
    expect(model.view.running).toBeNull();
    ask(model, { draw: 9 });
    expect(model.view.results?.curves).toBe(first);
    expect(model.view.results?.mean).not.toBeNull();
  });

  it("computes for the newest request alone, and tells how far it is", () => {
    const model = opened();
    ask(model, { weight: 3 });
    const old = model.view.running?.number;
    ask(model, { weight: 4 });
    expect(model.view.running?.number).not.toBe(old);
    const shown: number[] = [];
    model.on("change:_view", () => shown.push(Number(model.view.weight)));
    vi.runAllTimers();
    expect(new Set(shown)).toEqual(new Set([4]));
    expect(model.view.results?.curves).not.toBeNull();
  });

  it("is cancelled and taken up again", () => {
    const model = opened();
    ask(model, { known: 0.5 });
    model.send({ cancel: -1 });
    expect(model.view.running).not.toBeNull();
    model.send({ cancel: model.view.running?.number });
    vi.runAllTimers();
    expect(model.view).toMatchObject({ running: null, stopped: "Cancelled. Means over all users and over many draws are missing." });
    expect(model.view.results?.curves).toBeNull();
    model.send({ resume: true });
    vi.runAllTimers();
    expect(model.view.stopped).toBeNull();
    expect(model.view.results?.curves?.users).toBe(USERS);
  });

  it("computes what a kernel had not finished", () => {
    const saved = cityView({ running: { number: 5, paper: false } });
    const model = opened({ ...saved, results: saved.results && { ...saved.results, curves: null, mean: null } });
    expect(model.view.running?.number).toBeDefined();
    vi.runAllTimers();
    expect(model.view.running).toBeNull();
    expect(model.view.results?.curves?.users).toBe(USERS);
  });

  it("keeps the last results beside a number that makes no sense", () => {
    const model = opened();
    ask(model, { epsilon: 20 });
    vi.runAllTimers();
    ask(model, { epsilon: -1, weight: "NaN", victim: 3 });
    expect(model.view).toMatchObject({ current: false, victim: 3, fault: { text: "epsilon is -1; it must be a positive, finite number of nats.", where: { kind: "parameter", name: "epsilon" } } });
    expect(model.view.results?.epsilon).toBe(20);
    ask(model, { epsilon: 1e-310, weight: 2 });
    expect(model.view.fault?.text).toContain("cannot be computed with. Give a larger budget.");
    ask(model, { epsilon: 30 });
    expect(model.view).toMatchObject({ current: true, fault: null });
  });

  it("passes over what is nobody, and refuses what is no choice, as Python does", () => {
    const model = opened();
    const stands = { mechanism: "lpm", sensitivity: "local", victim: 7, draw: 4 };
    ask(model, { victim: 40, draw: 0 });
    expect(model.view).toMatchObject({ ...stands, fault: null });
    ask(model, { mechanism: "magic", sensitivity: 3 } as unknown as Partial<AttackRequest>);
    expect(model.view).toMatchObject({ ...stands, fault: { text: expect.stringContaining("'mechanism' that is not understood") } });
  });

  it("says that it needs a kernel where no users are embedded", () => {
    const model = opened(cityView(), {});
    expect(model.reason).toContain("up to 2,000 users and 16,000 friendships");
    expect(model.view.disabled).toBe(true);
    ask(model, { weight: 3 });
    vi.runAllTimers();
    expect(model.view.results).toEqual(cityView().results);
  });
});
