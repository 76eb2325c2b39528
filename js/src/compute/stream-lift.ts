/** What one release says at most about a symbol, from its matrix; and whether that keeps a promise. */
import { SMALLEST } from "./stream-common";
import { atMost, NOTHING, SHARE } from "../ui/rounding";

function logRatio(above: number, below: number): number {
  const ratio = above / below;
  // A quotient keeps more digits than a difference of logarithms, but may be no float.
  return ratio > SMALLEST && ratio < Infinity ? Math.log(ratio) : Math.log(above) - Math.log(below);
}

/**
 * The largest |ln(a[x, y] / p[y])|, nats. Symbols of belief 0 and outputs of probability 0 are skipped; an output that
 * excludes a possible symbol leaks infinitely much. `held`: the low side of an output whose least entry is too small for
 * a float and stands as the smallest one, from how likely the output is.
 */
export function leakageOf(matrix: Float64Array, belief: Float64Array, held: ((output: number) => number) | null = null): number {
  const n = belief.length;
  let leakage = 0;
  for (let y = 0; y < n; y++) {
    let [output, rest, high, low] = [0, 0, 0, Infinity];
    for (let x = 0; x < n; x++) {
      const p = belief[x] as number;
      if (p === 0) continue;
      const entry = matrix[x * n + y] as number;
      // What stands as the smallest float is less in truth, and nothing beside what is a float.
      if (held !== null && entry <= SMALLEST) rest += p * entry;
      else output += p * entry;
      if (entry > high) high = entry;
      if (entry < low) low = entry;
    }
    output ||= rest;
    if (output === 0) continue;
    // Where no symbol makes it in any other way all are alike.
    const small = held !== null && low > 0 && low <= SMALLEST && high > low;
    leakage = Math.max(leakage, logRatio(high, output), small ? held(output) : logRatio(output, low));
  }
  return leakage;
}

/** Whether a leakage keeps a budget, but for rounding: that is a share of the budget, however small. As in step_channel.py. */
export function within(leakage: number, epsilon: number): boolean {
  return leakage <= atMost(epsilon, 2 * SHARE, NOTHING);
}
