/** A stand-in for Python: two or more states, any lanes, steps by a rule that tests can recompute. */
import type { Chunk, StreamRequest, StreamView } from "../../src/stream/protocol";
import { buffersOf } from "../../src/stream/step-record";
import { floats, number, toBytes } from "../../src/ui/wire";

export const MENU = [
  { key: "crr", label: "Conditional randomised response, as printed", short: "CRR as printed", private: false, why: null },
  { key: "optimum", label: "Optimum", short: "Optimum", private: true, why: null },
  { key: "crr_balanced", label: "Conditional randomised response, balanced", short: "Balanced", private: true, why: null },
  { key: "grr", label: "Randomised response", short: "Randomised", private: true, why: null },
  { key: "grr2", label: "Randomised response with twice the budget", short: "Randomised 2ε", private: false, why: null },
  { key: "mip", label: "Least error for a mutual information", short: "Information", private: false, why: "It is known for two states alone." },
];

const short = (values: number[]): DataView => new DataView(Uint16Array.from(values).buffer);
const long = (values: number[]): DataView => toBytes(Float64Array.from(values));

/** The printed mechanism breaks its promise from this step on. */
export const BREAK = 45;

export function leakOf(lane: string, step: number, promise: number): number {
  return lane === "crr" && step >= BREAK ? promise + 0.1 : promise;
}

/** Steps `from + 1` to `from + count`. */
export function chunk(run: number, from: number, count: number, { lanes = ["crr", "optimum"], states = 2, promise = 0.5 } = {}): Chunk {
  const steps = Array.from({ length: count }, (_, k) => from + k + 1);
  return {
    run,
    from,
    count,
    symbols: short(steps.map((s) => s % states)),
    promise: long(steps.map(() => promise)),
    linear: long(steps.map((s) => s * promise)),
    advanced: long(steps.map((s) => 2 + s * promise * 0.4)),
    lanes: lanes.map((lane, j) => ({
      released: short(steps.map((s) => (s + (s % 5 === j ? 1 : 0)) % states)),
      belief: long(steps.flatMap(() => Array.from({ length: states > 12 ? 1 : states }, () => 1 / states))),
      least: long(steps.map(() => 1 / states)),
      leakage: long(steps.map((s) => leakOf(lane, s, promise))),
      over: new DataView(Uint8Array.from(steps.map((s) => (lane === "crr" && s >= BREAK ? 1 : 0))).buffer),
      sum: long(steps.map((s) => s * promise)),
      error: long(steps.map(() => 0.25)),
      expected: long(steps.map(() => 0.3)),
    })),
  };
}

export interface Given {
  states?: string[];
  lanes?: string[];
  position?: number;
  transitions?: number[];
}

export function streamView({ states = ["0", "1"], lanes = ["crr", "optimum"], position = 40, transitions }: Given = {}, more: Partial<StreamView> = {}): StreamView {
  const n = states.length;
  const moves = transitions ?? Array.from({ length: n * n }, (_, k) => (Math.floor(k / n) === k % n ? 0.6 : 0.4 / (n - 1)));
  return {
    revision: 1,
    since: 1,
    ack: null,
    title: "two states, first order, one release a step",
    states,
    source: { kind: "chain", text: "", steps: null, waiting: null },
    chain: { order: 1, start: long(states.map(() => 1 / n)), transitions: long(n <= 12 ? moves : []), loaded: long(n <= 12 ? moves : []), editable: n <= 12 },
    epsilon: 0.5,
    delta: 1e-5,
    seed: 10,
    distance: "hamming",
    distances: [{ key: "hamming", label: "0 or 1" }, { key: "histogram", label: "a histogram" }],
    menu: MENU,
    lanes: laneStates(lanes, position),
    run: 7,
    same: 0,
    position,
    playing: false,
    speed: 10,
    changes: [],
    window: chunk(7, Math.max(0, position - 120), Math.min(120, position), { lanes, states: n }),
    most: 10_000,
    fault: null,
    running: null,
    stopped: null,
    current: true,
    disabled: false,
    ...more,
  };
}

export function laneStates(lanes: string[], position: number) {
  return lanes.map((key) => {
    const over = key === "crr" ? Math.max(0, position - BREAK + 1) : 0;
    return { key, largest: over > 0 ? 0.6 : position > 0 ? 0.5 : 0, over, first_over: over > 0 ? BREAK : null, ended: null };
  });
}

type Sent = Partial<StreamRequest> & Pick<StreamRequest, "origin" | "seq">;
type Told = { steps?: { run: number; from: number; count: number }; at?: { run: number; position: number }; [name: string]: unknown };

/** A model whose other end answers only when told to. */
export class Other {
  requests: Sent[] = [];
  messages: Told[] = [];
  comm_live = true;
  private listeners = new Map<string, Set<(content?: unknown, buffers?: unknown) => void>>();

  constructor(public view: StreamView) {}
  get(name: string): unknown {
    return name === "_progress" ? {} : name === "_package" ? undefined : this.view;
  }
  set(_name: string, value: unknown): void {
    this.requests.push(value as Sent);
  }
  save_changes(): void {}
  on(event: string, callback: (content?: unknown, buffers?: unknown) => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(callback));
  }
  off(event: string, callback: (content?: unknown, buffers?: unknown) => void): void {
    this.listeners.get(event)?.delete(callback);
  }
  emit(event: string, content?: unknown, buffers?: unknown): void {
    this.listeners.get(event)?.forEach((callback) => callback(content, buffers));
  }
  send(content: unknown): void {
    this.messages.push(content as Told);
  }
  get live(): number {
    return [...this.listeners.values()].reduce((n, set) => n + set.size, 0);
  }
  get last(): Sent {
    return this.requests[this.requests.length - 1]!;
  }
  get asked(): { run: number; from: number; count: number }[] {
    return this.messages.flatMap(({ steps }) => (steps ? [steps] : []));
  }
  get told(): number[] {
    return this.messages.flatMap(({ at }) => (at ? [at.position] : []));
  }

  /** The steps that were asked for last. */
  give(count?: number): void {
    const { run, from, count: wanted } = this.asked[this.asked.length - 1]!;
    const lanes = this.view.lanes.map(({ key }) => key);
    const many = Math.min(count ?? wanted, this.view.most - from);
    const made = chunk(run, from, many, { lanes, states: this.view.states.length });
    this.emit("msg:custom", { steps: { run, from, count: many, lanes: lanes.length } }, buffersOf(made));
  }

  show(more: Partial<StreamView>): void {
    this.view = { ...this.view, revision: this.view.revision + 1, ...more };
    this.emit("change:_view");
  }

  /** What Python makes of the last request. */
  answer(more: Partial<StreamView> = {}): void {
    const { origin, seq, base: _base, ...wish } = this.last;
    const view = { ...this.view };
    const { chain } = view;
    if (wish.transitions) view.chain = { ...chain, transitions: wish.transitions };
    if (wish.start) view.chain = { ...view.chain, start: wish.start };
    const rows = floats(view.chain.transitions);
    const n = view.states.length;
    const bad = rows.some((p) => !(p >= 0 && p <= 1)) || Array.from({ length: rows.length / n }, (_, r) => rows.slice(r * n, r * n + n).reduce((a, b) => a + b, 0)).some((sum) => Math.abs(sum - 1) > 1e-8);
    for (const name of ["epsilon", "delta", "seed", "distance", "playing", "speed"] as const) if (wish[name] !== undefined) Object.assign(view, { [name]: wish[name] });
    if (wish.position !== undefined) view.position = wish.position;
    if (wish.lanes) view.lanes = laneStates(wish.lanes, view.position);
    const anew = wish.transitions || wish.start || wish.epsilon !== undefined || wish.seed !== undefined || wish.lanes || wish.position === 0;
    if (anew && !bad) {
      view.run += 1;
      view.same = wish.lanes || wish.seed !== undefined || wish.position === 0 ? 0 : view.position;
    }
    view.fault = bad ? { text: "The row 0 sums to 2. Give rows that sum to 1.", where: null } : null;
    view.current = !bad;
    if (bad) view.playing = false;
    view.lanes = laneStates(view.lanes.map(({ key }) => key), view.position);
    view.window = chunk(view.run, Math.max(0, view.position - 120), Math.min(120, view.position), { lanes: view.lanes.map(({ key }) => key), states: n, promise: number(view.epsilon) });
    this.show({ ...view, revision: this.view.revision, ack: { origin, seq }, ...more });
  }
}
