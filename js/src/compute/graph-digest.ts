/**
 * All values of a graph in few numbers: who learns most, how many learn more, and what is shown of a graph too large
 * to be drawn whole.
 */
import { isAbove, roundingOf } from "../graph/data";
import { PAGE, type DigestLayer, type DigestState } from "../graph/digest";
import { measureEnd } from "../graph/measure";
import { bitsSet, columnCount, columnOf, flatOf, knownOf } from "../graph/nodes";
import { FIRST_SEARCH, type Search } from "../graph/search";
import { magnitudeDomain } from "../ui/colours";
import type { GraphMeasure } from "../ui/protocol";
import type { Leakages } from "./exact-all";
import { largest } from "./releases";

// Arrays over all adversaries: who learns most, and how many learn more or are misjudged.

const ROUNDING = 1e-9;
const TIE = 1e-12;

export interface Largest {
  target: number;
  known: number[];
  value: number;
}

export function bitCount(column: number): number {
  let count = 0;
  for (let rest = column; rest > 0; rest &= rest - 1) count += 1;
  return count;
}

/** The adversary who learns most; among equals the first target and the adversary who knows least. */
export function largestOf(exact: Float64Array, n: number): Largest {
  const columns = columnCount(n);
  const top = largest(exact);
  const near = (value: number): boolean => value >= top - TIE * Math.max(1, top);
  const target = Math.floor(exact.findIndex(near) / columns);
  let best = -1;
  for (let c = 0; c < columns; c++) {
    if (near(exact[target * columns + c] as number) && (best < 0 || bitCount(c) < bitCount(best))) best = c;
  }
  return { target, known: knownOf(n, target, best), value: exact[target * columns + best] as number };
}

/** How many leakages are above a level, rounding aside. */
export function countAbove(exact: Float64Array, level: number): number {
  return exact.filter((value) => value - level > ROUNDING * Math.max(1, Math.abs(level))).length;
}

/** How often the paper's estimate is too low and too high: roundings are as large as the bound of all leakages. */
export function misjudged(paper: Float64Array, exact: Float64Array, determined: Uint8Array, bound: number): { low: number; high: number } {
  const rounding = ROUNDING * Math.max(1, bound);
  let low = 0;
  let high = 0;
  paper.forEach((estimate, node) => {
    const error = estimate - (exact[node] as number);
    if (determined[node] || Math.abs(error) <= rounding) return;
    if (error < 0) low += 1;
    else high += 1;
  });
  return { low, high };
}

// What is shown of a graph too large to be drawn whole: answers about it, from all its values. As `digest_state` in
// Python, which has the last word.

/** Beyond, a graph travels and is drawn as a digest. */
export const MOST_DRAWN = 10;

/** A graph with all its values. */
export interface LargeGraph extends Leakages {
  names: string[];
  promise: number;
  /** The paper's estimates, where they are there. */
  paper: Float64Array | null;
  groupBound: number;
  /** What the numbers are, where they are no leakages. */
  measure?: GraphMeasure;
}

/** What is asked about it; no threshold stands for the promise. */
export interface Question {
  target: number;
  known: readonly number[];
  search: Search;
  threshold: number | null;
}

const BINS = 80;
const QUARTERS = [0.25, 0.5, 0.75];

/** What every question needs, computed once for the values of a graph. */
interface Prepared {
  domain: [number, number];
  largest: number;
  layers: PreparedLayer[];
}

interface PreparedLayer extends Omit<DigestLayer, "own" | "range"> {
  /** Extremes by attacked tuple; infinite where all are determined. */
  lows: Float64Array;
  highs: Float64Array;
}

const prepared = new WeakMap<Float64Array, Prepared>();

export function digestOf(graph: LargeGraph, { target, known, search, threshold }: Question): DigestState {
  const n = graph.names.length;
  const line = threshold ?? graph.promise;
  const { domain, largest, layers } = prepare(graph, n);
  const chosen = flatOf(n, target, columnOf(n, target, known));
  const order = ordered(graph, n, search, line);
  const first = order.length === 0 ? 0 : Math.min(search.first, Math.floor((order.length - 1) / PAGE) * PAGE);
  const rows = [...order.subarray(first, first + PAGE)];
  const place = order.indexOf(chosen);
  const neighbours = Array.from({ length: n - 1 }, (_, bit) => flatOf(n, target, columnOf(n, target, known) ^ (1 << bit)));
  const tops = layers.map(({ top }) => top);
  const flats = [...new Set([chosen, ...neighbours, largest, ...tops, ...rows])].sort((a, b) => a - b);
  const wrong = graph.paper && misjudged(graph.paper, graph.exact, graph.determined, graph.groupBound);
  return {
    names: graph.names,
    promise: graph.promise,
    domain,
    largest,
    group_bound: graph.groupBound,
    ...(graph.measure && { measure: graph.measure }),
    apart: wrong && [wrong.low, wrong.high],
    layers: layers.map(({ lows, highs, ...layer }) => ({
      ...layer,
      range: rangeOf(Math.min(...lows), Math.max(...highs)),
      own: rangeOf(lows[target] as number, highs[target] as number),
    })),
    above_promise: countAboveLine(graph.exact, graph.promise),
    threshold,
    above: countAboveLine(graph.exact, line),
    chosen: { target, known: [...known], rank: ahead(graph.exact, chosen) },
    search: { ...search, first },
    count: order.length,
    rows,
    place: place < 0 ? null : place,
    values: {
      flats,
      exact: flats.map((flat) => graph.exact[flat] as number),
      paper: graph.paper && flats.map((flat) => graph.paper?.[flat] as number),
      determined: flats.filter((flat) => graph.determined[flat] !== 0),
    },
  };
}

function rangeOf(low: number, high: number): [number, number] | null {
  return low <= high ? [low, high] : null;
}

function countAboveLine(exact: Float64Array, line: number): number {
  let count = 0;
  for (const value of exact) if (isAbove(value, line)) count += 1;
  return count;
}

/** How many learn more than one adversary, or as much and stand before it. */
function ahead(exact: Float64Array, chosen: number): number {
  const own = exact[chosen] as number;
  let count = 0;
  exact.forEach((value, flat) => (count += value > own || (value === own && flat < chosen) ? 1 : 0));
  return count;
}

// The layers

function prepare(graph: LargeGraph, n: number): Prepared {
  const known = prepared.get(graph.exact);
  if (known) return known;
  const { exact, determined, promise, measure } = graph;
  const top = largestOf(exact, n);
  const domain: [number, number] = measure
    ? [0, measureEnd(measure, top.value)]
    : magnitudeDomain(exact.filter((_, flat) => determined[flat] === 0), promise);
  const found = { domain, largest: flatOf(n, top.target, columnOf(n, top.target, top.known)), layers: layersOf(graph, n, domain) };
  prepared.set(exact, found);
  return found;
}

/** The weakest adversaries first. */
function layersOf({ exact, determined }: LargeGraph, n: number, [low, high]: [number, number]): PreparedLayer[] {
  const columns = columnCount(n);
  const perNat = BINS / (high - low);
  const layers: PreparedLayer[] = Array.from({ length: n }, (_, known) => ({
    unknown: n - known,
    count: 0,
    determined: 0,
    counts: new Array<number>(BINS).fill(0),
    quartiles: [],
    top: 0,
    lows: new Float64Array(n).fill(Infinity),
    highs: new Float64Array(n).fill(-Infinity),
  }));
  const open: number[][] = layers.map(() => []);
  const best = new Float64Array(n).fill(-Infinity);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < columns; c++) {
      const k = bitsSet(c);
      const flat = i * columns + c;
      const value = exact[flat] as number;
      const layer = layers[k] as PreparedLayer;
      layer.count += 1;
      if (determined[flat]) {
        layer.determined += 1;
        continue;
      }
      const bin = Math.min(Math.trunc((value - low) * perNat), BINS - 1);
      layer.counts[bin] = (layer.counts[bin] as number) + 1;
      layer.lows[i] = Math.min(layer.lows[i] as number, value);
      layer.highs[i] = Math.max(layer.highs[i] as number, value);
      (open[k] as number[]).push(value);
      if (value > (best[k] as number)) {
        best[k] = value;
        layer.top = flat;
      }
    }
  }
  layers.forEach((layer, k) => (layer.quartiles = quartilesOf(Float64Array.from(open[k] as number[]).sort())));
  return layers;
}

/** Between two neighbours on the straight line from one to the other, as numpy does. */
function quartilesOf(sorted: Float64Array): number[] {
  if (sorted.length === 0) return [];
  return QUARTERS.map((share) => {
    const at = share * (sorted.length - 1);
    const below = Math.floor(at);
    const [a, b] = [sorted[below] as number, sorted[Math.min(below + 1, sorted.length - 1)] as number];
    const t = at - below;
    return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
  });
}

// The table

/** Flat numbers of all who fit a search, in its order. */
function ordered(graph: LargeGraph, n: number, search: Search, line: number): Int32Array {
  const columns = columnCount(n);
  const { exact, paper } = graph;
  const error = (flat: number): number => {
    const apart = paper === null || graph.determined[flat] ? 0 : (paper[flat] as number) - (exact[flat] as number);
    return Math.abs(apart) <= roundingOf(graph.groupBound) ? 0 : apart;
  };
  const keyOf = (target: number, column: number, flat: number): number => {
    if (search.by === "about") return target;
    if (search.by === "known") return bitsSet(column);
    return search.by === "difference" && paper !== null ? Math.abs(error(flat)) : (exact[flat] as number);
  };
  const keys = new Float64Array(exact.length);
  const found: number[] = [];
  for (let i = 0; i < n; i++) {
    if (search.knows.includes(i) || (search.about !== null && search.about !== i)) continue;
    const wanted = columnOf(n, i, search.knows);
    const barred = columnOf(n, i, search.lacks.filter((k) => k !== i));
    for (let c = 0; c < columns; c++) {
      const flat = i * columns + c;
      if ((c & (wanted | barred)) !== wanted) continue;
      if (search.unknown !== null && n - bitsSet(c) !== search.unknown) continue;
      if (search.above && !isAbove(exact[flat] as number, line)) continue;
      if (search.only !== "all" && paper !== null && !(search.only === "low" ? error(flat) < 0 : error(flat) > 0)) continue;
      keys[flat] = search.down ? -keyOf(i, c, flat) : keyOf(i, c, flat);
      found.push(flat);
    }
  }
  return Int32Array.from(found).sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
}

/** The search of a request; what no table of n tuples could be searched for is left out. */
export function askedSearch(request: { search?: Search }, now: Search, n: number): Search {
  const { search } = request;
  if (search === undefined) return now;
  const tuples = (listed: readonly number[]): number[] => [...new Set(listed)].filter((k) => k >= 0 && k < n).sort((a, b) => a - b);
  const knows = tuples(search.knows);
  const within = (value: number | null, low: number, high: number): number | null => (value !== null && value >= low && value <= high ? value : null);
  return {
    ...FIRST_SEARCH,
    ...search,
    first: Math.max(0, search.first),
    about: within(search.about, 0, n - 1),
    unknown: within(search.unknown, 1, n),
    knows,
    lacks: tuples(search.lacks).filter((k) => !knows.includes(k)),
  };
}
