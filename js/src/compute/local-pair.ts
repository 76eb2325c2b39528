/** What the report of one attribute says about another, and the worst case that reaches it. */
import { firstPair } from "./local-first";
import { readingOf, type Mechanism, type Output, type Reading } from "./local-mechanisms";
import { largestAt, singletonPoints, subsetPoints, worstSymbols, type Point } from "./local-points";
import type { Rows } from "./local-rows";
import { bestSet, leakageOfSets } from "./local-sets";

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

/** The leakage for one reading of the report; of pairs of rows that leak as much the first is named. */
export function leakageOfRows(rows: Rows, reading: Reading): PairLeakage {
  const value = valueOfRows(rows, reading);
  const pair = value > 0 ? firstPair(rows, reading, value) : null;
  if (pair === null) return { value, secret: null, symbols: [] };
  const [upper, lower] = pair.map((x) => rows.rows[x]) as [Float64Array, Float64Array];
  const symbols = reading.kind === "exactly" ? bestSet(upper, lower, reading.size, value) : worstSymbols(reading, upper, lower, value);
  return { value, secret: pair.map((x) => rows.kept[x]) as [number, number], symbols };
}

/** The value alone, for curves. */
export function valueOfRows(rows: Rows, reading: Reading): number {
  if (reading.kind === "exactly") return leakageOfSets(rows, reading.size, reading.level);
  return largestAt(pointsOf(rows, reading.kind), reading.level);
}

/** The leakage of a source with these rows; null where the mechanism cannot be read so. */
export function leakageOfPair(rows: Rows, mechanism: Mechanism, output: Output): PairLeakage | null {
  const reading = readingOf(mechanism, rows.symbols, output);
  return reading && leakageOfRows(rows, reading);
}
