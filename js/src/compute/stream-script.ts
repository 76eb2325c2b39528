/** What a stream is made from: chains and budgets by step, a seed, and the true symbols that follow. As in Python. */
import { Pcg64 } from "./pcg64";
import { type Chain, sameChain } from "./stream-chain";

/** Steps that are computed and kept together: fewer where each takes long, so that frames are drawn in between. */
export function blockOf(n: number): number {
  return n <= 20 ? 64 : 16;
}

/** What one simulation may last. */
export const MOST_STEPS = 100_000;

/** Steps with one chain and one budget. */
export interface Segment {
  /** The first of them, from 1. */
  first: number;
  chain: Chain;
  /** Nats. */
  epsilon: number;
}

export interface Script {
  /** In the order of their first steps; the first begins at step 1. */
  segments: readonly Segment[];
  seed: number;
  /** Distances of symbols, n x n. */
  distances: Float64Array;
  /** Symbols that are released in place of drawn ones. */
  data: Uint16Array | null;
}

export function stepsOf({ data }: Script): number {
  return data === null ? MOST_STEPS : Math.min(data.length, MOST_STEPS);
}

/** What holds at a step, from 1. */
export function segmentAt({ segments }: Script, step: number): Segment {
  let k = segments.length - 1;
  while (k > 0 && (segments[k] as Segment).first > step) k--;
  return segments[k] as Segment;
}

/** The script in which a chain or a budget is another one after some steps; what was to come after them is forgotten. */
export function changed(script: Script, after: number, { chain, epsilon }: { chain?: Chain; epsilon?: number }): Script {
  const held = segmentAt(script, after + 1);
  const fresh: Segment = { first: after + 1, chain: chain ?? held.chain, epsilon: epsilon ?? held.epsilon };
  const kept = script.segments.filter(({ first }) => first <= after);
  const last = kept[kept.length - 1];
  // What is set back is no change any more.
  const back = last !== undefined && last.epsilon === fresh.epsilon && sameChain(last.chain, fresh.chain);
  return { ...script, segments: back ? kept : [...kept, fresh] };
}

/** The script without what begins after some steps and the one to come. */
export function keptUntil(script: Script, steps: number): Script {
  return { ...script, segments: script.segments.filter(({ first }) => first <= steps + 1) };
}

/** Two random numbers for each of some steps, one after the other: for the true symbol, and for all mechanisms. */
export function uniforms(seed: number, first: number, count: number): Float64Array {
  const generator = new Pcg64(seed).advance(2 * first);
  return Float64Array.from({ length: 2 * count }, () => generator.random());
}

/** The true symbols of some steps; `numbers` are their random numbers, `last` the symbols of the two steps before. */
export function symbolsOf(script: Script, first: number, numbers: Float64Array, last: readonly number[]): Uint16Array {
  const count = numbers.length / 2;
  if (script.data !== null) return script.data.slice(first, first + count);
  const found = new Uint16Array(count);
  let [before, now] = last.length > 1 ? (last as [number, number]) : [0, last[0] ?? 0];
  for (let k = 0; k < count; k++) {
    const law = lawAfter(segmentAt(script, first + k + 1).chain, first + k, before, now);
    const symbol = fallsOn(law, numbers[2 * k] as number);
    found[k] = symbol;
    [before, now] = [now, symbol];
  }
  return found;
}

function lawAfter({ n, order, start, transitions, early }: Chain, done: number, before: number, now: number): Float64Array {
  if (done === 0) return start;
  if (order === 1) return transitions.subarray(now * n, (now + 1) * n);
  if (done === 1) return (early as Float64Array).subarray(now * n, (now + 1) * n);
  return transitions.subarray((before * n + now) * n, (before * n + now + 1) * n);
}

/** What has no probability is never drawn. */
function fallsOn(law: Float64Array, uniform: number): number {
  const goal = uniform * law.reduce((sum, p) => sum + p, 0);
  let [sum, count] = [0, 0];
  for (let k = 0; k < law.length - 1; k++) {
    sum += law[k] as number;
    if (sum <= goal) count++;
  }
  return count;
}

/** The symbol of a row of probabilities that a uniform number falls on. */
export function drawnFrom(row: Float64Array, uniform: number): number {
  const total = row.reduce((sum, p) => sum + p, 0);
  let [sum, count] = [0, 0];
  for (let k = 0; k < row.length - 1; k++) {
    sum += row[k] as number;
    if (sum / total <= uniform) count++;
  }
  return count;
}
