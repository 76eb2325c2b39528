/** Leakage of reports that favour sets with a fixed number of symbols: subset selection. */
import type { Rows } from "./local-rows";
import { LARGE, twoLevelAt } from "./local-two-level";

const GROWTH = 1e-15;
const MOST_ROUNDS = 100;

/**
 * The largest log ratio over sets of exactly `size` symbols, pair by pair: for a ratio h the best set holds the largest
 * entries of G[x] - h G[x'], and the set found leads to the next h.
 */
export function leakageOfSets({ rows, symbols }: Rows, size: number, level: number): number {
  if (rows.length < 2 || size >= symbols || level === 0) return 0;
  const ratio = twoLevelAt(level);
  let best = 0;
  rows.forEach((upper, first) =>
    rows.forEach((lower, second) => {
      if (first === second) return;
      // Beyond a large level only sets that are ruled out come near it.
      let h = Math.exp(best);
      for (let round = 0; round < MOST_ROUNDS && h < Infinity; round++) {
        const set = largestEntries(upper, lower, size, h);
        const a = set.reduce((sum, u) => sum + (upper[u] as number), 0);
        const b = set.reduce((sum, u) => sum + (lower[u] as number), 0);
        const value = ratio(a, b);
        if (!(value > best * (1 + GROWTH))) break;
        best = value;
        h = level > LARGE ? a / b : Math.exp(value);
      }
      if (level <= LARGE) return;
      const out = Array.from(lower, (_, u) => u).filter((u) => lower[u] === 0);
      if (out.length < size) return;
      const set = out.sort((u, v) => (upper[v] as number) - (upper[u] as number) || u - v).slice(0, size);
      best = Math.max(best, ratio(set.reduce((sum, u) => sum + (upper[u] as number), 0), 0));
    }),
  );
  return best;
}

/** The best set of two rows for a leakage; where exp(value) is beyond the floats, those first that the second rules out. */
export function bestSet(upper: Float64Array, lower: Float64Array, size: number, value: number): number[] {
  if (value <= LARGE) return largestEntries(upper, lower, size, Math.exp(value)).sort((u, v) => u - v);
  const late = (u: number): number => ((lower[u] as number) > 0 ? 1 : 0);
  const order = Array.from(upper, (_, u) => u).sort((u, v) => late(u) - late(v) || (upper[v] as number) - (upper[u] as number) || u - v);
  return order.slice(0, size).sort((u, v) => u - v);
}

function largestEntries(upper: Float64Array, lower: Float64Array, size: number, h: number): number[] {
  const gain = Float64Array.from(upper, (p, u) => p - h * (lower[u] as number));
  return Array.from(upper, (_, u) => u)
    .sort((u, v) => (gain[v] as number) - (gain[u] as number) || u - v)
    .slice(0, size);
}
