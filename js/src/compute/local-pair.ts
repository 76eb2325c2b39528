/** What the report of one attribute says about another, and the worst case that reaches it. */
import { readingOf, type Mechanism, type Output, type Reading } from "./local-mechanisms";
import { largestAt, singletonPoints, subsetPoints, worstSymbols, type Point } from "./local-points";
import type { Rows } from "./local-rows";
import { leakageOfSets } from "./local-sets";

export interface PairLeakage {
  /** Nats. */
  value: number;
  /** Positions of two labels of the secret, the one made more likely first; null where nothing leaks. */
  secret: [number, number] | null;
  /** The favoured symbols of the source. */
  symbols: number[];
}

const points = new WeakMap<Rows, Partial<Record<"singletons" | "subsets", Point[]>>>();

/** Computed once for each table: no budget moves them. */
export function pointsOf(rows: Rows, kind: "singletons" | "subsets"): Point[] {
  const known = points.get(rows) ?? {};
  points.set(rows, known);
  return (known[kind] ??= kind === "singletons" ? singletonPoints(rows) : subsetPoints(rows));
}

/** The leakage for one reading of the report. */
export function leakageOfRows(rows: Rows, reading: Reading): PairLeakage {
  const at = (k: number): number => rows.kept[k] as number;
  if (reading.kind === "exactly") {
    const { value, first, second, symbols } = leakageOfSets(rows, reading.size, reading.level);
    return { value, secret: value > 0 ? [at(first), at(second)] : null, symbols };
  }
  const { value, point } = largestAt(pointsOf(rows, reading.kind), reading.level);
  if (point === null) return { value: 0, secret: null, symbols: [] };
  const [upper, lower] = [rows.rows[point.first], rows.rows[point.second]] as [Float64Array, Float64Array];
  return { value, secret: [at(point.first), at(point.second)], symbols: worstSymbols(reading, upper, lower, value) };
}

/** The value alone, for curves. */
export function valueOfRows(rows: Rows, reading: Reading): number {
  if (reading.kind === "exactly") return leakageOfSets(rows, reading.size, reading.level).value;
  return largestAt(pointsOf(rows, reading.kind), reading.level).value;
}

/** The leakage of a source with these rows; null where the mechanism cannot be read so. */
export function leakageOfPair(rows: Rows, mechanism: Mechanism, output: Output): PairLeakage | null {
  const reading = readingOf(mechanism, rows.symbols, output);
  return reading && leakageOfRows(rows, reading);
}
