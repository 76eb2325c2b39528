/**
 * A graph too large to send: what Python answers about it (`digest_state` in graph_digest.py), and the
 * numbers that are drawn from it. Only the adversaries on screen have values here.
 */
import type { GraphMeasure } from "../ui/protocol";
import { number } from "../ui/wire";
import type { LeakageData, Values } from "./data";
import { adversaryCount, columnOf, flatOf } from "./nodes";
import type { Search } from "./search";

/** Adversaries on one page of the table; as in graph_search.py. */
export const PAGE = 10;

/** One layer, all attacked tuples together; numbers leave out those who have nothing to learn. */
export interface DigestLayer {
  /** Tuples not known, the attacked one included. */
  unknown: number;
  count: number;
  determined: number;
  /** How many fall into each bin of the common axis, all bins equally wide. */
  counts: number[];
  /** Empty when all are determined. */
  quartiles: number[];
  /** Smallest and largest leakage; null when all are determined. */
  range: [number, number] | null;
  /** The same among those who attack the chosen tuple. */
  own: [number, number] | null;
  /** Flat number of who learns most. */
  top: number;
}

export interface DigestState {
  names: string[];
  promise: number;
  /** Ends of the common axis. */
  domain: [number, number];
  /** Flat number of the largest leakage. */
  largest: number;
  /** Holds for every table and every adversary. */
  group_bound: number;
  /** What the numbers are, the promise and the bound with them; left out where they are leakages. */
  measure?: GraphMeasure;
  /** How often the paper's estimate is too low and too high; null when it is not there. */
  apart: [number, number] | null;
  /** Weakest adversaries first. */
  layers: DigestLayer[];
  above_promise: number;
  /** The threshold that `above` belongs to; null = the promise. */
  threshold: number | null;
  above: number;
  /** `rank` counts from 0, the largest leakage first. */
  chosen: { target: number; known: number[]; rank: number };
  /** The search that `count`, `rows` and `place` belong to, with the place of the first row. */
  search: Search;
  count: number;
  /** Flat numbers of one page. */
  rows: number[];
  /** Place of the chosen adversary among all that fit, from 0; null when it does not fit. */
  place: number | null;
  values: { flats: number[]; exact: number[]; paper: number[] | null; determined: number[] };
}

export interface DigestData extends DigestState {
  n: number;
  /** All adversaries. */
  total: number;
  /** Flat number of the chosen adversary. */
  at: number;
  /** Only the adversaries in `values` have numbers, others read undefined. */
  data: LeakageData;
}

export function decodeDigest(state: DigestState): DigestData {
  const { names, values, chosen } = state;
  const n = names.length;
  const total = adversaryCount(n);
  const spread = (numbers: number[]): Values => {
    const out: number[] = [];
    out.length = total;
    values.flats.forEach((flat, k) => (out[flat] = number(numbers[k])));
    return out;
  };
  const determined: Record<number, number> = {};
  for (const flat of values.determined) determined[flat] = 1;
  return {
    ...state,
    n,
    total,
    at: flatOf(n, chosen.target, columnOf(n, chosen.target, chosen.known)),
    data: {
      names,
      n,
      promise: state.promise,
      exact: spread(values.exact),
      paper: values.paper && spread(values.paper),
      determined: values.determined.length ? { length: total, ...determined } : null,
      increments: null,
      largest: state.largest,
      groupBound: number(state.group_bound),
      measure: state.measure,
    },
  };
}

/** How many are above a line: exact where Python said it, else read off the distribution. */
export function countAboveIn(digest: DigestData, line: number): { count: number; exact: boolean } {
  if (line === digest.promise) return { count: digest.above_promise, exact: true };
  if (line === (digest.threshold ?? digest.promise)) return { count: digest.above, exact: true };
  const [low, high] = digest.domain;
  let above = 0;
  for (const { counts } of digest.layers) {
    const at = ((line - low) / (high - low)) * counts.length;
    counts.forEach((count, bin) => (above += count * Math.min(1, Math.max(0, bin + 1 - at))));
  }
  return { count: above, exact: false };
}

/** A count that is not exact: two digits of it. */
export function roughly(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.round(count / unit) * unit;
}

export function sameSearch(a: Search, b: Search): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

function inOrder({ by, down, first, about, unknown, knows, lacks, above, only }: Search): unknown[] {
  return [by, down, first, about, unknown, knows, lacks, above, only];
}
