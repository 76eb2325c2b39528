/** A stream simulator in a page: its run, what stands in its controls, and how it takes what a hand sets. */
import { keptLines, linesOf, type LinesByLane } from "../stream/lane-lines";
import type { StreamRequest, StreamView } from "../stream/protocol";
import { floats } from "../ui/codec";
import type { Bytes, Fault } from "../ui/protocol";
import { fixed } from "../ui/format";
import { amount, InputFault, wiredNumber } from "./faults";
import { type Chain, firstOrderChain, sameChain, sameNumbers } from "./stream-chain";
import { distancesOf } from "./stream-distances";
import { soundLanes } from "./stream-inputs";
import { StreamRun } from "./stream-run";
import { changed, keptUntil, type Script, type Segment, segmentAt, stepsOf } from "./stream-script";

/** The last inputs that made sense, and the run made from them. */
export interface StreamCore {
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
