/** The steps that a page holds, and what each lane has come to up to the step that is shown. */
import type { Bytes } from "../ui/protocol";
import { number } from "../ui/wire";
import type { Chunk, LaneChunk, LaneState } from "./protocol";

// The steps that a page holds: the last ones up to the one shown, and a few that come next.

/** Steps before the shown one that are kept, and room for those that come next. */
export const KEPT = 2000;
export const AHEAD = 1000;
const ROOM = KEPT + AHEAD;

type Numbers = Float64Array | Uint16Array | Uint8Array;

/** Arrays of the wire in their order: those of all lanes, then those of each. */
const COMMON = ["symbols", "promise", "linear", "advanced"] as const;
const OWN = ["released", "belief", "least", "leakage", "over", "sum", "error", "expected"] as const;
const SHORT: ReadonlySet<string> = new Set(["symbols", "released"]);

export interface LaneArrays {
  released: Uint16Array;
  belief: Float64Array;
  least: Float64Array;
  leakage: Float64Array;
  over: Uint8Array;
  sum: Float64Array;
  error: Float64Array;
  expected: Float64Array;
}

/** A mechanism that ended releases nothing: what stands in place of a symbol. */
export const NOTHING = 65_535;

function read(bytes: Bytes, name: string): Numbers {
  const source = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const copy = source.slice();
  return name === "over" ? copy : SHORT.has(name) ? new Uint16Array(copy.buffer) : new Float64Array(copy.buffer);
}

/** The arrays of a part of a view, in the order of a message. */
export function buffersOf(chunk: Chunk): Bytes[] {
  return [...COMMON.map((name) => chunk[name]), ...chunk.lanes.flatMap((lane: LaneChunk) => OWN.map((name) => lane[name]))];
}

/** Steps `first + 1` to `end`, as arrays whose entry 0 is step `first + 1`. */
export class StepRecord {
  first = 0;
  count = 0;
  /** How often steps were given up for other ones of the same numbers. */
  cuts = 0;
  symbols = new Uint16Array(0);
  promise = new Float64Array(0);
  linear = new Float64Array(0);
  advanced = new Float64Array(0);
  lanes: LaneArrays[] = [];

  /** `columns`: how many beliefs there are for each step. */
  constructor(
    readonly columns: number,
    lanes: number,
  ) {
    this.symbols = new Uint16Array(ROOM);
    this.promise = new Float64Array(ROOM);
    this.linear = new Float64Array(ROOM);
    this.advanced = new Float64Array(ROOM);
    this.lanes = Array.from({ length: lanes }, () => ({
      released: new Uint16Array(ROOM),
      belief: new Float64Array(ROOM * columns),
      least: new Float64Array(ROOM),
      leakage: new Float64Array(ROOM),
      over: new Uint8Array(ROOM),
      sum: new Float64Array(ROOM),
      error: new Float64Array(ROOM),
      expected: new Float64Array(ROOM),
    }));
  }

  get end(): number {
    return this.first + this.count;
  }

  /** The entry of a step, which must be held. */
  at(step: number): number {
    return step - this.first - 1;
  }

  has(step: number): boolean {
    return step > this.first && step <= this.end;
  }

  private all(): [Numbers, number][] {
    const own = this.lanes.flatMap((lane) => OWN.map((name): [Numbers, number] => [lane[name], name === "belief" ? this.columns : 1]));
    return [...COMMON.map((name): [Numbers, number] => [this[name], 1]), ...own];
  }

  /** Forgets everything from a step on. */
  cut(end: number): void {
    this.count = Math.max(0, Math.min(this.count, end - this.first));
    this.cuts += 1;
  }

  clear(first = 0): void {
    this.first = first;
    this.count = 0;
    this.cuts += 1;
  }

  /** Makes room for more steps at the end by forgetting the first ones. */
  private drop(steps: number): void {
    const many = Math.min(steps, this.count);
    for (const [array, width] of this.all()) array.copyWithin(0, many * width, this.count * width);
    this.first += many;
    this.count -= many;
  }

  /**
   * Takes steps that follow those held, or stand before them; what is held already is passed over. Tells whether
   * any were new. Steps that leave a gap begin the record anew.
   */
  take(from: number, count: number, buffers: readonly Bytes[]): boolean {
    if (count <= 0 || buffers.length !== COMMON.length + OWN.length * this.lanes.length) return false;
    const end = from + count;
    const arrays = this.read(buffers, count);
    if (arrays === null) return false;
    if (this.count === 0 || from > this.end || end < this.first) this.clear(from);
    if (end > this.end) {
      const fresh = Math.min(end - this.end, ROOM);
      if (this.count + fresh > ROOM) this.drop(this.count + fresh - ROOM);
      this.put(arrays, count - fresh, fresh, this.count);
      if (this.count === 0) this.first = end - fresh;
      this.count += fresh;
      return true;
    }
    if (from < this.first) {
      const fresh = Math.min(this.first - from, ROOM - this.count);
      if (fresh <= 0) return false;
      for (const [array, width] of this.all()) array.copyWithin(fresh * width, 0, this.count * width);
      this.put(arrays, this.first - fresh - from, fresh, 0);
      this.first -= fresh;
      this.count += fresh;
      return true;
    }
    return false;
  }

  private read(buffers: readonly Bytes[], count: number): Numbers[] | null {
    const names = [...COMMON, ...this.lanes.flatMap(() => OWN)];
    const arrays = names.map((name, k) => read(buffers[k] as Bytes, name));
    const sound = arrays.every((array, k) => array.length === count * (names[k] === "belief" ? this.columns : 1));
    return sound ? arrays : null;
  }

  private put(arrays: readonly Numbers[], from: number, count: number, to: number): void {
    this.all().forEach(([array, width], k) => {
      const source = arrays[k] as Numbers;
      array.set(source.subarray(from * width, (from + count) * width), to * width);
    });
  }
}

// What each lane has come to up to the step that is shown: counted on from what Python counted.

export interface LaneTotals {
  /** The largest leakage of a step. */
  largest: number;
  /** Steps over their promise, and the first of them. */
  over: number;
  first: number | null;
}

export class Totals {
  lanes: LaneTotals[] = [];
  private at = 0;

  /** Begins at what Python says of a step. */
  reset(lanes: readonly LaneState[], position: number): void {
    this.lanes = lanes.map(({ largest, over, first_over }) => ({ largest: number(largest), over, first: first_over }));
    this.at = position;
  }

  /** Counts on to a step; tells which lanes broke their promise for the first time on the way. */
  reach(record: StepRecord, position: number): number[] {
    const broke: number[] = [];
    for (let step = this.at + 1; step <= position; step++) {
      if (!record.has(step)) continue;
      const k = record.at(step);
      this.lanes.forEach((lane, j) => {
        const arrays = record.lanes[j];
        if (!arrays) return;
        const leaks = arrays.leakage[k] as number;
        if (leaks > lane.largest) lane.largest = leaks;
        if (!arrays.over[k]) return;
        lane.over += 1;
        if (lane.first === null) {
          lane.first = step;
          broke.push(j);
        }
      });
    }
    this.at = Math.max(this.at, position);
    return broke;
  }
}
