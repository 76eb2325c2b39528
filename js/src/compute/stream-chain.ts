/** The law of a stream in a page: a Markov chain of first or second order, checked as Python checks it. */
import { general, InputFault, short } from "./faults";

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
