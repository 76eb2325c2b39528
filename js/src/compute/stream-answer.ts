/**
 * A stream simulator in a page: its controls and its run, how it takes what a hand sets, and what it answers in
 * Python's place.
 */
import type { Chunk, LaneChunk, MechanismChoice, StreamRequest, StreamView } from "../stream/protocol";
import { keptLines, linesOf, type LinesByLane } from "../stream/words";
import { fixed } from "../ui/format";
import type { Bytes, Fault } from "../ui/protocol";
import { floats, toBytes } from "../ui/wire";
import { amount, InputFault, shown, wiredNumber } from "./faults";
import { MOST_SHOWN, StreamRun, type StreamRecord } from "./stream-run";
import {
  changed,
  changesOf,
  firstOrderChain,
  keptUntil,
  sameChain,
  sameNumbers,
  segmentAt,
  stepsOf,
  type Chain,
  type Script,
  type Segment,
} from "./stream-script";

// How far a released symbol is from the true one, by name; symbols stand for themselves. See `Distance` in Python.

const NAMES = ["hamming", "absolute", "squared", "euclidean", "histogram"];

/** Distances between n symbols, n x n, or InputFault. */
export function distancesOf(name: string, n: number): Float64Array {
  if (!NAMES.includes(name)) throw new InputFault(`There is no distance '${name}'; give one of ${NAMES.join(", ")}.`, { kind: "parameter", name: "distance" });
  const side = Math.floor(Math.sqrt(n));
  if (name === "euclidean" && side * side !== n) {
    throw new InputFault(`${n} symbols are no square grid; give the points of the symbols as answers.`, { kind: "parameter", name: "answers" });
  }
  return Float64Array.from({ length: n * n }, (_, k) => {
    const [x, y] = [Math.floor(k / n), k % n];
    if (name === "absolute") return Math.abs(x - y);
    if (name === "squared") return (x - y) ** 2;
    if (name === "euclidean") return Math.hypot(Math.floor(x / side) - Math.floor(y / side), (x % side) - (y % side)) / side;
    return x === y ? 0 : name === "histogram" ? 2 : 1;
  });
}

// What a hand sets in a stream simulator, checked; what is wrong is said in the words of Python.

const MOST_LANES = 4;

function fault(text: string, name: string): InputFault {
  return new InputFault(text, { kind: "parameter", name });
}

/** One to four different mechanisms that can be chosen. */
function soundLanes(given: unknown, menu: readonly MechanismChoice[]): string[] {
  const listed: unknown[] = Array.isArray(given) ? given : [given];
  const keys: string[] = [];
  for (const key of listed.slice(0, MOST_LANES + 1)) {
    const known = typeof key === "string" && menu.find((one) => one.key === key.toLowerCase());
    if (!known) throw fault(`The lanes hold ${shown(key)}; give some of ${menu.map((one) => one.key).join(", ")}.`, "lanes");
    keys.push(known.key);
  }
  if (keys.length === 0) throw fault(`There is no lane; give one to ${MOST_LANES} mechanisms.`, "lanes");
  if (keys.length > MOST_LANES) throw fault(`There are more than ${MOST_LANES} lanes; give one to ${MOST_LANES}.`, "lanes");
  const twice = keys.find((key, k) => keys.indexOf(key) !== k);
  if (twice !== undefined) throw fault(`The lane '${twice}' is there twice; every mechanism releases once.`, "lanes");
  for (const { key, label, why } of menu) {
    if (why !== null && keys.includes(key)) throw fault(`${label} cannot be a lane here. ${why}`, "lanes");
  }
  return keys;
}

// A stream simulator in a page: its run, what stands in its controls, and how it takes what a hand sets.

/** The last inputs that made sense, and the run made from them. */
interface StreamCore {
  /** It may be ahead of what is shown. */
  run: StreamRun;
  /** As it stands in the controls. */
  chain: Chain;
  /** What errors are counted in; `plain`: symbols stand for themselves. */
  distance: { name: string; plain: boolean };
  delta: number;
  speed: number;
  playing: boolean;
  position: number;
  /** Identity of the run; steps up to `same` are those of the run before it. */
  number: number;
  same: number;
  /** Which line each mechanism has: its own as long as it is shown. */
  lines: LinesByLane;
  /** What stands in the controls and makes no sense yet, or null. */
  asked: { epsilon: number; delta: number; start: Float64Array | null; transitions: Float64Array | null };
  fault: Fault | null;
}

interface Given {
  first: number;
  epsilon: unknown;
  /** Position among the chains. */
  chain: number;
}

interface GivenChain {
  start: Bytes;
  transitions: Bytes;
  early: Bytes | null;
}

/** What a page may compute while nothing else happens in it, seconds. */
const LONGEST = 4;

/** Whether a page has all that it needs to go on: large chains, and a great many of them, are not embedded. */
export function isEmbedded(embedded: Record<string, unknown>): boolean {
  return Array.isArray(embedded["chains"]);
}

/** The simulator as it was saved. */
export function coreOf(view: StreamView, embedded: Record<string, unknown>): StreamCore {
  const { chains, segments, chain, distances, plain, delta, data } = embedded as {
    chains: GivenChain[];
    segments: Given[];
    chain: number;
    distances: Bytes;
    plain: boolean;
    delta: number;
    data: Bytes | null;
  };
  const read = chains.map((one): Chain => {
    const start = floats(one.start);
    const early = one.early === null ? null : floats(one.early);
    return { n: start.length, order: early === null ? 1 : 2, start, transitions: floats(one.transitions), early };
  });
  const script: Script = {
    segments: segments.map((one): Segment => ({ first: one.first, chain: read[one.chain] as Chain, epsilon: wiredNumber(one.epsilon) })),
    seed: view.seed,
    distances: floats(distances),
    data: data === null ? null : symbols(data),
  };
  const now = read[chain] as Chain;
  // What differs from the chain was typed, and made no sense.
  const typed = (bytes: Bytes, sound: Float64Array): Float64Array | null => {
    const stands = floats(bytes);
    return stands.length !== sound.length || sameNumbers(stands, sound) ? null : stands;
  };
  return {
    run: new StreamRun(script, view.lanes.map(({ key }) => key)),
    chain: now,
    distance: { name: view.distance, plain },
    delta,
    speed: view.speed,
    playing: false,
    position: view.position,
    number: view.run,
    same: view.same,
    lines: linesOf(view.lanes),
    asked: {
      epsilon: wiredNumber(view.epsilon),
      delta: wiredNumber(view.delta),
      start: typed(view.chain.start, now.start),
      transitions: typed(view.chain.transitions, now.transitions),
    },
    fault: view.fault,
  };
}

function symbols(bytes: Bytes): Uint16Array {
  const source = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Uint16Array(source.slice().buffer);
}

/** The simulator after what a hand set in it; what makes no sense becomes the fault, and the last run stays. */
export function askedCore(before: StreamCore, view: StreamView, request: Partial<StreamRequest>): StreamCore {
  let core: StreamCore = { ...before, run: before.run.extended(before.position) };
  const faults: InputFault[] = [];
  const attempt = (change: () => StreamCore): void => {
    try {
      core = change();
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      faults.push(error);
    }
  };
  const position = Math.min(Math.max(request.position ?? core.position, 0), core.run.steps);
  core = position === 0 && core.position > 0 ? restarted(core) : position < core.position ? wentBack(core, position) : { ...core, position };
  const { speed, start, transitions, epsilon, delta } = request;
  if (speed !== undefined) attempt(() => ({ ...core, speed: amount("speed", wiredNumber(speed), "speed") }));
  core = {
    ...core,
    asked: {
      ...core.asked,
      start: start ? floats(start) : core.asked.start,
      transitions: transitions ? floats(transitions) : core.asked.transitions,
    },
  };
  if (core.asked.start !== null || core.asked.transitions !== null) attempt(() => withChain(core, view.states));
  if (epsilon !== undefined) core = { ...core, asked: { ...core.asked, epsilon: wiredNumber(epsilon) } };
  attempt(() => withEpsilon(core, amount("epsilon", core.asked.epsilon, "epsilon")));
  if (delta !== undefined) core = { ...core, asked: { ...core.asked, delta: wiredNumber(delta) } };
  attempt(() => ({ ...core, delta: amount("delta", core.asked.delta, "delta") }));
  if (["seed", "distance", "lanes"].some((name) => name in request)) attempt(() => remade(core, view, request));
  const fault = faults[0]?.fault ?? null;
  const atEnd = core.position >= stepsOf(core.run.script);
  return { ...core, fault, playing: (request.playing ?? core.playing) && fault === null && !atEnd };
}

/** Takes how far a run has been shown; the same simulator where that is no news. */
export function shownCore(core: StreamCore, { run, position }: { run: number; position: number }): StreamCore {
  if (run !== core.number) return core;
  const extended = core.run.extended(position);
  const reached = Math.min(Math.max(position, core.position), extended.steps);
  return reached === core.position ? core : { ...core, run: extended, position: reached };
}

function withChain(core: StreamCore, states: readonly string[]): StreamCore {
  if (core.chain.order !== 1) throw new InputFault("A chain of second order is changed in Python; here it can be read.", null);
  const chain = firstOrderChain(core.asked.transitions ?? core.chain.transitions, core.asked.start ?? core.chain.start, states);
  const settled = { ...core, asked: { ...core.asked, start: null, transitions: null } };
  const held = segmentAt(core.run.script, core.position + 1).chain;
  // The start counts for the first step alone: another one waits for a reset.
  const alike = core.position > 0 ? sameNumbers(held.transitions, chain.transitions) : sameChain(held, chain);
  return { ...(alike ? settled : branched(settled, { chain })), chain };
}

function withEpsilon(core: StreamCore, epsilon: number): StreamCore {
  return epsilon === segmentAt(core.run.script, core.position + 1).epsilon ? core : branched(core, { epsilon });
}

/** Go on from here by another script. */
function branched(core: StreamCore, change: { chain?: Chain; epsilon?: number }): StreamCore {
  const script = changed(core.run.script, core.position, change);
  return { ...core, run: core.run.cut(core.position).changed(script), number: core.number + 1, same: core.position };
}

/** At an earlier step, with the chain and the budget that hold now. */
function wentBack(core: StreamCore, position: number): StreamCore {
  const { segments } = core.run.script;
  const { chain, epsilon } = segmentAt(core.run.script, core.position + 1);
  const back = { ...core, position };
  return (segments[segments.length - 1] as Segment).first > position + 1 ? branched(back, { chain, epsilon }) : back;
}

/** Back to the first step with the chain and the budget that hold now. */
function restarted(core: StreamCore): StreamCore {
  const { script, lanes } = core.run;
  const { epsilon } = segmentAt(script, core.position + 1);
  const fresh = { ...script, segments: [{ first: 1, chain: core.chain, epsilon }] };
  return { ...core, run: new StreamRun(fresh, lanes), position: 0, number: core.number + 1, same: 0 };
}

/** Whether a page would compute for too long, with nothing else happening in it; about so, as browsers differ. */
export function isLong(steps: number, lanes: number, n: number, order: number): boolean {
  return steps * lanes * (4e-6 + 3e-8 * n ** 2 + (order === 2 ? 6e-9 * n ** 3 : 0)) > LONGEST;
}

/** With another seed, distance or other lanes: the stream is run again. */
function remade(core: StreamCore, view: StreamView, request: Partial<StreamRequest>): StreamCore {
  const { run, position } = core;
  const script = keptUntil(run.script, position);
  const lanes = request.lanes === undefined ? run.lanes : soundLanes(request.lanes, view.menu);
  const seed = request.seed === undefined ? script.seed : amount("seed", request.seed, "seed");
  const name = request.distance === undefined ? null : request.distance.toLowerCase() === "hamming" ? "hamming" : request.distance;
  const distances = name === null ? script.distances : distancesOf(name, core.chain.n);
  const distance = name === null ? core.distance : { name, plain: true };
  const again = seed !== script.seed || distance.name !== core.distance.name || distance.plain !== core.distance.plain;
  if (!again && lanes.join() === run.lanes.join()) return core;
  const fresh = again ? lanes.length : lanes.filter((key) => !run.lanes.includes(key)).length;
  if (isLong(position, fresh, core.chain.n, core.chain.order)) {
    const text = `Step ${fixed(position, 0)} is too far on to run all steps again in this page; go back to the first step before you change this.`;
    throw new InputFault(text, { kind: "parameter", name: seed !== script.seed ? "seed" : name !== null ? "distance" : "lanes" });
  }
  const made = again ? new StreamRun({ ...script, seed, distances }, lanes).extended(position) : run.withLanes(lanes);
  return { ...core, run: made, lines: keptLines(core.lines, lanes), distance, position: Math.min(position, made.steps), number: core.number + 1, same: 0 };
}

// The answers of Python to a page with a stream simulator, computed in the page; see `stream_view` in Python.

/** Steps in a view. */
export const WINDOW = 120;

function shortBytes(values: Uint16Array): DataView {
  return new DataView(values.slice().buffer);
}

/** The view of a simulator; what never changes in a page is taken from another view of it. */
export function streamView(view: StreamView, core: StreamCore): StreamView {
  const { run, chain, position, asked, fault } = core;
  const few = chain.n <= MOST_SHOWN;
  const first = Math.max(0, position - WINDOW);
  return {
    ...view,
    chain: {
      ...view.chain,
      start: toBytes(asked.start ?? chain.start),
      transitions: toBytes(few ? (asked.transitions ?? chain.transitions) : new Float64Array()),
    },
    epsilon: wired(asked.epsilon),
    // Words for what is no JSON number, as Python sends them.
    delta: wired(asked.delta) as number,
    seed: run.script.seed,
    distance: core.distance.name,
    lanes: run.lanes.map((key) => {
      const { largest, over, firstOver } = run.totals(key, position);
      return { key, largest: wired(largest), over, first_over: firstOver, ended: run.ended(key, position), line: core.lines[key] };
    }),
    run: core.number,
    same: core.same,
    position,
    playing: core.playing,
    speed: core.speed,
    changes: changesOf(run.script.segments, position, view.states),
    window: chunkOf(run.record(first, position - first, core.delta), core.number),
    most: stepsOf(run.script),
    fault,
    running: null,
    stopped: null,
    current: fault === null,
  };
}

function wired(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function chunkOf(record: StreamRecord, run: number): Chunk {
  const parts = chunkParts(record);
  const next = (): DataView => parts.shift() as DataView;
  const head = { run, from: record.first, count: record.count };
  const common = { symbols: next(), promise: next(), linear: next(), advanced: next() };
  const lanes = record.lanes.map((): LaneChunk => ({
    released: next(),
    belief: next(),
    least: next(),
    leakage: next(),
    over: next(),
    sum: next(),
    error: next(),
    expected: next(),
  }));
  return { ...head, ...common, lanes };
}

/** The arrays of some steps as bytes, in the order of the message. */
export function chunkParts({ symbols, promise, linear, advanced, lanes }: StreamRecord): DataView[] {
  const parts = [shortBytes(symbols), toBytes(promise), toBytes(linear), toBytes(advanced)];
  for (const { released, belief, least, leakage, over, sum, error, expected } of lanes) {
    parts.push(shortBytes(released), ...[belief, least, leakage, over, sum, error, expected].map(toBytes));
  }
  return parts;
}
