/** Leakage of reports that favour sets with a fixed number of symbols: subset selection. */
import type { Rows } from "./local-rows";
import { twoLevelAt } from "./local-two-level";

export interface SetLeakage {
  value: number;
  /** Positions among the rows. */
  first: number;
  second: number;
  symbols: number[];
}

const NOTHING: SetLeakage = { value: 0, first: 0, second: 0, symbols: [] };
const LARGE = 700;
const GROWTH = 1e-15;
const MOST_ROUNDS = 100;

/**
 * The largest log ratio over sets of exactly `size` symbols, pair by pair: for a ratio h the best set holds the largest
 * entries of G[x] - h G[x'], and the set found leads to the next h.
 */
export function leakageOfSets({ rows, symbols }: Rows, size: number, level: number): SetLeakage {
  if (rows.length < 2 || size >= symbols || level === 0) return NOTHING;
  const ratio = twoLevelAt(level);
  let best = NOTHING;
  rows.forEach((upper, first) =>
    rows.forEach((lower, second) => {
      if (first === second) return;
      // Beyond a large level only sets that are ruled out come near it.
      let h = Math.exp(best.value);
      for (let round = 0; round < MOST_ROUNDS && h < Infinity; round++) {
        const set = largestEntries(upper, lower, size, h);
        const a = set.reduce((sum, u) => sum + (upper[u] as number), 0);
        const b = set.reduce((sum, u) => sum + (lower[u] as number), 0);
        const value = ratio(a, b);
        if (!(value > best.value * (1 + GROWTH))) break;
        best = { value, first, second, symbols: set.sort((u, v) => u - v) };
        h = level > LARGE ? a / b : Math.exp(value);
      }
      if (level <= LARGE) return;
      const out = Array.from(lower, (_, u) => u).filter((u) => lower[u] === 0);
      if (out.length < size) return;
      const set = out.sort((u, v) => (upper[v] as number) - (upper[u] as number) || u - v).slice(0, size);
      const value = ratio(set.reduce((sum, u) => sum + (upper[u] as number), 0), 0);
      if (value > best.value) best = { value, first, second, symbols: set.sort((u, v) => u - v) };
    }),
  );
  return best;
}

function largestEntries(upper: Float64Array, lower: Float64Array, size: number, h: number): number[] {
  const gain = Float64Array.from(upper, (p, u) => p - h * (lower[u] as number));
  return Array.from(upper, (_, u) => u)
    .sort((u, v) => (gain[v] as number) - (gain[u] as number) || u - v)
    .slice(0, size);
}
