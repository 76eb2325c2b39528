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
  /** Positions among the rows: the secret value made more likely, and the one made less likely. */
  first: number;
  second: number;
}

/** Single symbols: the extremes of every column. */
export function singletonPoints({ rows, symbols }: Rows): Point[] {
  if (rows.length < 2) return [];
  const points: Point[] = [];
  for (let u = 0; u < symbols; u++) {
    let [first, second] = [0, 0];
    rows.forEach((row, x) => {
      if ((row[u] as number) > ((rows[first] as Float64Array)[u] as number)) first = x;
      if ((row[u] as number) < ((rows[second] as Float64Array)[u] as number)) second = x;
    });
    points.push({ a: (rows[first] as Float64Array)[u] as number, b: (rows[second] as Float64Array)[u] as number, first, second });
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
        points.push({ a, b, first, second });
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

/** The largest log ratio of two levels, and the point that reaches it. */
export function largestAt(points: readonly Point[], level: number): { value: number; point: Point | null } {
  const ratio = twoLevelAt(level);
  let best: { value: number; point: Point | null } = { value: 0, point: null };
  for (const point of points) {
    const value = ratio(point.a, point.b);
    if (value > best.value) best = { value, point };
  }
  return best;
}

/** The set of symbols with which two rows reach a leakage. */
export function worstSymbols(reading: Reading, upper: Float64Array, lower: Float64Array, value: number): number[] {
  const all = Array.from(upper, (_, u) => u);
  if (value <= 0) return [];
  if (reading.kind === "singletons") {
    const ratio = twoLevelAt(reading.level);
    const by = all.map((u) => ratio(upper[u] as number, lower[u] as number));
    return [by.indexOf(Math.max(...by))];
  }
  const favoured = (leak: number): number[] => {
    const threshold = Math.exp(leak);
    // Among finite ratios none is larger than 1e308.
    if (threshold === Infinity) return all.filter((u) => (upper[u] as number) > 0 && lower[u] === 0);
    return all.filter((u) => (upper[u] as number) > threshold * (lower[u] as number));
  };
  const found = favoured(value);
  // At an infinite budget the largest ratio itself is the leakage, reached by equality.
  return found.length > 0 ? found : favoured(value - 1e-12 * Math.max(1, value));
}
