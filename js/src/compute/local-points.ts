/**
 * Points that decide what leaks at every budget. A favoured set of symbols has probability A for one secret value and B
 * for another; what leaks is largest at a vertex of the upper left hull of all points (B, A), which no budget moves.
 */
import type { Reading } from "./local-mechanisms";
import type { Rows } from "./local-rows";
import { twoLevelAt } from "./local-two-level";

export interface Point {
  a: number;
  b: number;
}

/** Single symbols: the extremes of every column. */
export function singletonPoints({ rows, symbols }: Rows): Point[] {
  if (rows.length < 2) return [];
  const points: Point[] = [];
  for (let u = 0; u < symbols; u++) {
    const column = rows.map((row) => row[u] as number);
    points.push({ a: Math.max(...column), b: Math.min(...column) });
  }
  return hull(points);
}

/** All sets: for every ordered pair of secret values the symbols by falling ratio, added up one after the other. */
export function subsetPoints({ rows, symbols }: Rows): Point[] {
  const points: Point[] = [];
  rows.forEach((upper, first) =>
    rows.forEach((lower, second) => {
      if (first === second) return;
      const ratio = (u: number): number => (upper[u] === 0 ? 0 : (upper[u] as number) / (lower[u] as number));
      const order = Array.from({ length: symbols }, (_, u) => u).sort((u, v) => (ratio(u) === ratio(v) ? u - v : ratio(v) - ratio(u)));
      let [a, b] = [0, 0];
      for (const u of order.slice(0, Math.max(1, symbols - 1))) {
        a += upper[u] as number;
        b += lower[u] as number;
        points.push({ a, b });
      }
    }),
  );
  return hull(points);
}

/** The vertices of the upper left hull, from left to right. */
function hull(points: Point[]): Point[] {
  const sorted = points.filter(({ a }) => a > 0).sort((p, q) => p.b - q.b || q.a - p.a);
  const kept: Point[] = [];
  for (const point of sorted) {
    if (kept.length > 0 && point.a <= (kept[kept.length - 1] as Point).a) continue;
    while (kept.length > 1) {
      const [before, last] = kept.slice(-2) as [Point, Point];
      if ((last.a - before.a) * (point.b - before.b) > (point.a - before.a) * (last.b - before.b)) break;
      kept.pop();
    }
    kept.push(point);
  }
  return kept;
}

/** The largest log ratio of two levels among the points. */
export function largestAt(points: readonly Point[], level: number): number {
  const ratio = twoLevelAt(level);
  return points.reduce((best, { a, b }) => Math.max(best, ratio(a, b)), 0);
}

/** Of a ratio: what rounding changes of it is less. */
const EQUAL = 1e-11;

/** The symbols whose own ratio is that of the set that reaches a leakage, or above. */
export function reaching(upper: Float64Array, lower: Float64Array, value: number, times = 1 - EQUAL): number[] {
  const threshold = Math.exp(value) * times;
  const all = Array.from(upper, (_, u) => u).filter((u) => (upper[u] as number) > 0);
  // Among finite ratios none is larger than 1e308.
  if (threshold === Infinity) return all.filter((u) => lower[u] === 0);
  return all.filter((u) => (upper[u] as number) > threshold * (lower[u] as number));
}

/** The set of symbols, one or any, with which two rows reach a leakage. */
export function worstSymbols(reading: Reading, upper: Float64Array, lower: Float64Array, value: number): number[] {
  if (value <= 0) return [];
  if (reading.kind === "singletons") {
    const ratio = twoLevelAt(reading.level);
    const by = Array.from(upper, (p, u) => ratio(p, lower[u] as number));
    // Of symbols that differ by rounding alone the first.
    const most = Math.max(...by);
    return [by.findIndex((one) => one >= most * (1 - 1e-12))];
  }
  // Symbols whose own ratio is that of the set change nothing; they are left out while others are left.
  const above = reaching(upper, lower, value, 1 + EQUAL);
  return above.length > 0 ? above : reaching(upper, lower, value);
}
