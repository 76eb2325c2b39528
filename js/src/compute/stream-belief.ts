/** What an adversary believes about the current symbol of a stream, release by release; see `StreamBelief` in Python. */
import type { Chain } from "./stream-chain";

export interface Belief {
  /** Law of the symbol that is released next. */
  predictive: Float64Array;
  /** Second order, from the second step on: law of the last symbol and the one to come, n x n. */
  pairs: Float64Array | null;
  /** How many symbols were released. */
  released: number;
}

export function beliefBefore({ start }: Chain): Belief {
  return { predictive: start, pairs: null, released: 0 };
}

function scaled(values: Float64Array, total: number): Float64Array {
  return values.map((value) => value / total);
}

export function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k] as number;
  return sum;
}

/**
 * The belief after one more release. `likelihood`: how likely each true symbol made what was released. Null where the
 * release was impossible under the model: no belief follows from it.
 */
export function beliefAfter(chain: Chain, { predictive, pairs, released }: Belief, likelihood: Float64Array): Belief | null {
  const { n, order, transitions } = chain;
  const weights = (pairs ?? predictive).map((p, k) => p * (likelihood[pairs === null ? k : k % n] as number));
  const total = sumOf(weights);
  if (!(total > 0)) return null;
  const posterior = scaled(weights, total);
  if (order === 1) {
    const coming = product(posterior, transitions, 1, n);
    return { predictive: scaled(coming, sumOf(coming)), pairs: null, released: released + 1 };
  }
  let next: Float64Array;
  if (pairs === null) {
    next = (chain.early as Float64Array).map((p, k) => (posterior[Math.floor(k / n)] as number) * p);
  } else {
    const moved = secondOrder(posterior, transitions, n);
    next = scaled(moved, sumOf(moved));
  }
  const coming = new Float64Array(n);
  for (let k = 0; k < next.length; k++) coming[k % n]! += next[k] as number;
  return { predictive: scaled(coming, sumOf(coming)), pairs: next, released: released + 1 };
}

/** Rows of weights times a square matrix. */
function product(weights: Float64Array, matrix: Float64Array, rows: number, n: number): Float64Array {
  const found = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < n; i++) {
      const weight = weights[r * n + i] as number;
      if (weight === 0) continue;
      for (let j = 0; j < n; j++) found[r * n + j]! += weight * (matrix[i * n + j] as number);
    }
  }
  return found;
}

/** From pairs (i, j) to pairs (j, k): the oldest symbol is summed out. */
function secondOrder(pairs: Float64Array, transitions: Float64Array, n: number): Float64Array {
  const found = new Float64Array(n * n);
  for (let pair = 0; pair < n * n; pair++) {
    const weight = pairs[pair] as number;
    if (weight === 0) continue;
    const row = (pair % n) * n;
    for (let k = 0; k < n; k++) found[row + k]! += weight * (transitions[pair * n + k] as number);
  }
  return found;
}
