/** Which of several equal worst cases is named: the first in row-major order, as in Python. */
import type { Reading } from "./local-mechanisms";
import { reaching } from "./local-points";
import type { Rows } from "./local-rows";
import { bestSet } from "./local-sets";
import { twoLevelAt } from "./local-two-level";

/** Of a leakage, or of a small budget: what sums in another order differ by is far less. */
const ROUNDING = 1e-12;

/** The least leakage that counts as equal to the largest at a budget: they differ by rounding alone. */
export function leastEqual(value: number, level: number): number {
  if (value === Infinity) return value;
  return value - ROUNDING * (level < 1 ? level : Math.max(1, value));
}

/** The first place, in row-major order, of the largest entry off the diagonal of an n x n matrix. */
export function firstPlace(matrix: ArrayLike<number>, n: number): [number, number] {
  const off = Array.from(matrix, (value, k) => (k % (n + 1) === 0 ? -1 : value));
  const most = Math.max(...off);
  // Relative here: no budget is given. Infinity equals infinity.
  const place = off.findIndex((value) => value >= most * (1 - ROUNDING));
  return [Math.floor(place / n), place % n];
}

/** The first pair of rows, in row-major order, that reaches the largest leakage; null where none does but for rounding. */
export function firstPair({ rows, symbols }: Rows, reading: Reading, value: number): [number, number] | null {
  const least = leastEqual(value, reading.level);
  const ratio = twoLevelAt(reading.level);
  const sum = (row: Float64Array, set: readonly number[]): number => set.reduce((total, u) => total + (row[u] as number), 0);
  const leak = (upper: Float64Array, lower: Float64Array): number => {
    if (reading.kind === "singletons") return upper.reduce((most, p, u) => Math.max(most, ratio(p, lower[u] as number)), 0);
    const set = reading.kind === "exactly" ? bestSet(upper, lower, reading.size, value) : reaching(upper, lower, value);
    return ratio(sum(upper, set), sum(lower, set));
  };
  if (symbols === 0) return null;
  for (const [x, upper] of rows.entries()) {
    for (const [other, lower] of rows.entries()) if (x !== other && leak(upper, lower) >= least) return [x, other];
  }
  return null;
}
