/**
 * What a stream is made from: its chains, a script of them by step with a seed, and what was edited while it ran.
 */
import type { ChangeState } from "../stream/protocol";
import { general, InputFault, short } from "./faults";
import { Pcg64 } from "./numpy-numbers";

// The law of a stream in a page: a Markov chain of first or second order, checked as Python checks it.

export interface Chain {
  n: number;
  order: 1 | 2;
  /** Law of the first symbol. */
  start: Float64Array;
  /** n x n; n x n x n of second order. */
  transitions: Float64Array;
  /** Second order alone: law of the second symbol after the first, n x n. */
  early: Float64Array | null;
}

const ROW_TOLERANCE = 1e-8;

/** The sum as numpy makes it, so that a row brought to 1 has the same digits. */
export function numpySum(values: Float64Array): number {
  const count = values.length;
  if (count < 8) return values.reduce((sum, value) => sum + value, 0);
  const whole = count - (count % 8);
  const parts = values.slice(0, 8);
  for (let k = 8; k < whole; k += 8) for (let j = 0; j < 8; j++) parts[j]! += values[k + j] as number;
  const [a, b, c, d, e, f, g, h] = parts as unknown as [number, number, number, number, number, number, number, number];
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let k = whole; k < count; k++) sum += values[k] as number;
  return sum;
}

function isProbability(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

function broughtToOne(row: Float64Array, sum: number): Float64Array {
  // Adding 0 turns -0 into 0.
  return row.map((value) => (value + 0) / sum);
}

function checkedTransitions(given: Float64Array, n: number): Float64Array {
  const wrong = given.findIndex((value) => !isProbability(value));
  if (wrong >= 0) {
    const index = [Math.floor(wrong / n), wrong % n];
    const text = `The transitions have ${general(given[wrong] as number)} in row ${index[0]}, column ${index[1]}; an entry is a probability, from 0 to 1.`;
    throw new InputFault(text, { kind: "cell", index, name: "transitions" });
  }
  const made = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = given.subarray(i * n, (i + 1) * n);
    const sum = numpySum(row);
    if (!(Math.abs(sum - 1) <= ROW_TOLERANCE)) {
      throw new InputFault(`The transitions: row ${i} sums to ${general(sum)}; every row must sum to 1.`, { kind: "row", index: [i], name: "transitions" });
    }
    made.set(broughtToOne(row, sum), i * n);
  }
  return made;
}

function checkedStart(given: Float64Array, states: readonly string[]): Float64Array {
  const wrong = given.findIndex((value) => !isProbability(value));
  if (wrong >= 0) {
    const text =
      `The start law has ${general(given[wrong] as number)} for state ${short(states[wrong] ?? String(wrong))}; ` +
      "an entry is a probability, from 0 to 1.";
    throw new InputFault(text, { kind: "cell", index: [wrong], name: "start" });
  }
  const sum = numpySum(given);
  if (Math.abs(sum - 1) <= ROW_TOLERANCE) return broughtToOne(given, sum);
  throw new InputFault(`The start law sums to ${general(sum)}; it must sum to 1.`, { kind: "parameter", name: "start" });
}

/** A chain of first order, or InputFault with what is wrong with it. */
export function firstOrderChain(transitions: Float64Array, start: Float64Array, states: readonly string[]): Chain {
  const n = states.length;
  const moves = checkedTransitions(transitions, n);
  return { n, order: 1, start: checkedStart(start, states), transitions: moves, early: null };
}

export function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

export function sameChain(a: Chain, b: Chain): boolean {
  if (a === b) return true;
  const early = a.early === null || b.early === null ? a.early === b.early : sameNumbers(a.early, b.early);
  return early && sameNumbers(a.start, b.start) && sameNumbers(a.transitions, b.transitions);
}

// What a stream is made from: chains and budgets by step, a seed, and the true symbols that follow. As in Python.

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

// What was edited while a stream ran, in few words; see `change_words` in Python.

/** The changes between segments that hold up to a position. */
export function changesOf(segments: readonly Segment[], position: number, states: readonly string[]): ChangeState[] {
  const shown = segments.filter(({ first }) => first <= position + 1);
  return shown.slice(1).map((after, k) => {
    const before = shown[k] as Segment;
    const parts: [string, string][] = [];
    if (!sameChain(before.chain, after.chain)) parts.push(chainWords(before.chain, after.chain, states));
    if (before.epsilon !== after.epsilon) parts.push([budget(before.epsilon), budget(after.epsilon)]);
    return { step: after.first, before: parts.map(([was]) => was).join(", "), after: parts.map(([, now]) => now).join(", ") };
  });
}

/** Probabilities of staying, of a chain of first order. */
function stays({ n, transitions }: Chain): number[] {
  return Array.from({ length: n }, (_, k) => transitions[k * n + k] as number);
}

function chainWords(before: Chain, after: Chain, states: readonly string[]): [string, string] {
  const { n, order } = before;
  if (order === 2 || n > 2) {
    const rows = before.transitions.length / n;
    const changed = Array.from({ length: rows }, (_, k) => k * n).filter(
      (row) => !sameNumbers(before.transitions.subarray(row, row + n), after.transitions.subarray(row, row + n)),
    ).length;
    return ["the old chain", `a chain with ${changed || "no"} other row${changed === 1 ? "" : "s"}`];
  }
  const [old, fresh] = [stays(before), stays(after)];
  if (old[0] === old[1] && fresh[0] === fresh[1]) return [`stay ${general(old[0] as number, 4)}`, `stay ${general(fresh[0] as number, 4)}`];
  const moved = [0, 1].filter((k) => old[k] !== fresh[k]);
  const words = (values: readonly number[]): string => moved.map((k) => `${stayAt(states[k] as string)} ${general(values[k] as number, 4)}`).join(", ");
  return [words(old), words(fresh)];
}

/** "Stay at 0 0.7" would be two numbers side by side. */
function stayAt(state: string): string {
  return /[0-9]$/.test(state) ? `stay at state ${state}:` : `stay at ${state}`;
}

function budget(epsilon: number): string {
  return epsilon === Infinity ? "ε ∞" : `ε ${general(epsilon, 4)}`;
}
