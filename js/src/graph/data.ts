/**
 * What the graph draws: the numbers of all adversaries as they travel, what follows from them, and the names of
 * tuples.
 */
import { css, magnitudeDomain, magnitude, type Rgb } from "../ui/colours";
import { atMost } from "../ui/format";
import { clip, fit, isolate, textWidth } from "../ui/lettering";
import type { GraphMeasure, GraphState } from "../ui/protocol";
import { flags, floats, number } from "../ui/wire";
import { measureEnd } from "./measure";
import { adversaryCount, columnOf, columnOfFlat, flatOf, incrementIndex, knownOf, targetOf } from "./nodes";

// Names of tuples: in full for titles, capped for sentences, short for cards. Always plain text.

export interface NameBook {
  full: string[];
  /** For sentences and labels of nodes: at most `SPOKEN` characters. */
  spoken: string[];
  /** For cards: the trailing number when all names share what stands before it. */
  short: string[];
  /** All names are one prefix and a number. */
  numbered: boolean;
}

const SPOKEN = 200;

export function nameBook(names: readonly string[]): NameBook {
  const matches = names.map((name) => /^(\D[\s\S]{0,60}?)(\d{1,4})$/.exec(name));
  const prefix = matches[0]?.[1];
  const numbered =
    prefix !== undefined &&
    matches.every((m) => m !== null && m[1] === prefix) &&
    new Set(matches.map((m) => m?.[2])).size === names.length;
  return {
    full: [...names],
    spoken: names.map((name) => isolate(clip(name, SPOKEN))),
    short: numbered ? matches.map((m) => m?.[2] as string) : names.map((name) => clip(name, 40)),
    numbered,
  };
}

/** What an adversary knows, to fit a card: "knows 1, 5", "1 5", "age inc…", "4 known". */
export function knownLabel(known: readonly number[], names: NameBook, width: number, size: number, lead = "knows "): string {
  if (!known.length) return "none";
  const shorts = known.map((tuple) => names.short[tuple] as string);
  const tries = [lead + shorts.map(isolate).join(", "), shorts.map(isolate).join(", "), shorts.map(isolate).join(" ")];
  for (const attempt of lead ? tries : tries.slice(2)) if (textWidth(attempt, size) <= width) return attempt;
  const share = (width - (shorts.length - 1) * textWidth(" ", size)) / shorts.length;
  if (!names.numbered && share >= 2.2 * size) return shorts.map((name) => fit(name, share, size, false, names.full)).join(" ");
  return `${known.length} known`;
}

// From the state as it travels to the numbers that are drawn.

export function decodeGraph(state: GraphState): LeakageData {
  const n = state.names.length;
  const total = adversaryCount(n);
  const { target, known } = state.largest;
  return {
    names: state.names,
    n,
    promise: number(state.promise),
    exact: sized(floats(state.exact), total, "exact"),
    paper: state.paper ? sized(floats(state.paper), total, "paper") : null,
    determined: state.determined ? sized(flags(state.determined), total, "determined") : null,
    increments: state.increments ? sized(floats(state.increments), total * n, "increments") : null,
    largest: flatOf(n, target, columnOf(n, target, known)),
    groupBound: number(state.group_bound),
    measure: state.measure,
  };
}

function sized<T extends Float64Array | Uint8Array>(values: T, length: number, name: string): T {
  if (values.length !== length) throw new RangeError(`${name} has ${values.length} values, ${length} were expected`);
  return values;
}

// What the graph draws: the numbers of all adversaries, and what follows from them.

/** Numbers by flat adversary number: all of them, or of a large graph those on screen. */
export interface Values {
  readonly length: number;
  [flat: number]: number;
}

/** A graph state with its bytes read. Arrays run over flat adversary numbers (graph/nodes.ts). */
export interface LeakageData {
  names: string[];
  n: number;
  /** Nats, as are all values; but see `measure`. */
  promise: number;
  exact: Values;
  paper: Values | null;
  /** 1 = the known values leave nothing to learn. */
  determined: Values | null;
  increments: Float64Array | null;
  /** Flat number of the largest leakage. */
  largest: number;
  groupBound: number;
  /** What all numbers are; left out where they are leakages. */
  measure?: GraphMeasure | undefined;
}

/** The increment of one edge beside the chosen adversary, sent when all of them are too many. */
export interface EdgeIncrement {
  /** Known set of the weaker end. */
  known: number[];
  removed: number;
  increment: number | null;
}

/** Everything a part needs to draw itself once. */
export interface Scene {
  data: LeakageData;
  names: NameBook;
  /** Flat number of the chosen adversary. */
  chosen: number;
  domain: readonly [number, number];
  dark: boolean;
  /** The paper's estimate is asked for and there. */
  paper: Values | null;
  /** Only where the paper's estimate is too low or too high; the others stand back. */
  only: "low" | "high" | null;
  busy: boolean;
  disabled: boolean;
  threshold: number | null;
  edges: EdgeIncrement[] | null;
  /** What the tuples are called, where not as usual. */
  called?: string | undefined;
  /** Width to fill, px. */
  width: number;
}

/**
 * Nats up to which two ways to compute one leakage may differ through rounding: exponents are as large as the
 * group bound, and each costs about 1e-16 of its size. As in graph_digest.py.
 */
export function roundingOf(groupBound: number): number {
  return 1e-9 * groupBound;
}

export function isDetermined(data: LeakageData, flat: number): boolean {
  return data.determined !== null && data.determined[flat] === 1;
}

/** Values that have a colour: finite, and something can be learnt. */
export function colourDomain(data: LeakageData): [number, number] {
  if (data.measure) return [0, measureEnd(data.measure, data.exact[data.largest] as number)];
  const values: number[] = [];
  for (let k = 0; k < data.exact.length; k++) {
    const v = data.exact[k] as number;
    if (Number.isFinite(v) && !isDetermined(data, k)) values.push(v);
  }
  return magnitudeDomain(values, data.promise);
}

/** Position of a value in the colour domain, 0 to 1. */
export function share(value: number, domain: readonly [number, number]): number {
  if (value === Infinity) return 1;
  const t = (value - domain[0]) / (domain[1] - domain[0]);
  return Number.isFinite(t) ? Math.min(1, Math.max(0, t)) : 0;
}

export function colourOf(scene: Scene, value: number): Rgb {
  return magnitude(share(value, scene.domain), scene.dark);
}

export function fillOf(scene: Scene, value: number): string {
  return css(colourOf(scene, value));
}

/** Strictly above a line, rounding aside: that is a share of a leakage, however small it is. As in rounding.py. */
export function isAbove(value: number, line: number): boolean {
  return value > atMost(line);
}

export function countAbove(data: LeakageData, line: number): number {
  let count = 0;
  for (let k = 0; k < data.exact.length; k++) if (isAbove(data.exact[k] as number, line)) count += 1;
  return count;
}

/** Paper's estimate minus exact where the two differ, else null. */
export function paperError(scene: Scene, flat: number): number | null {
  if (!scene.paper || isDetermined(scene.data, flat)) return null;
  const difference = (scene.paper[flat] as number) - (scene.data.exact[flat] as number);
  return Math.abs(difference) > roundingOf(scene.data.groupBound) ? difference : null;
}

/** Not among those that `only` asks for. */
export function standsBack(scene: Scene, flat: number): boolean {
  if (!scene.only || !scene.paper) return false;
  const error = paperError(scene, flat);
  return error === null || error < 0 !== (scene.only === "low");
}

/** Increment on the edge between a weaker adversary and the one who knows `removed` as well; null when there is none. */
export function incrementOf(scene: Scene, weakerFlat: number, removed: number): number | null {
  const { data } = scene;
  const target = targetOf(data.n, weakerFlat);
  const column = columnOfFlat(data.n, weakerFlat);
  if (data.increments) {
    const value = data.increments[incrementIndex(data.n, target, column, removed)] as number;
    return Number.isFinite(value) ? value : null;
  }
  if (!scene.edges || target !== targetOf(data.n, scene.chosen)) return null;
  const known = knownOf(data.n, target, column).join();
  const edge = scene.edges.find((e) => e.removed === removed && [...e.known].sort((a, b) => a - b).join() === known);
  return edge && edge.increment !== null && Number.isFinite(edge.increment) ? edge.increment : null;
}

/** Flat number of the largest leakage about one tuple. */
export function largestAbout(data: LeakageData, target: number): number {
  const size = data.exact.length / data.n;
  let best = target * size;
  for (let k = best + 1; k < (target + 1) * size; k++) {
    if ((data.exact[k] as number) > (data.exact[best] as number)) best = k;
  }
  return best;
}
