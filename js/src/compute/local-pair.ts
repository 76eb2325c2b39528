/**
 * What the report of one attribute says about another: the rows of their table, the worst case, and the table read
 * both ways.
 */
import { guessOf, hasBudget, namesSymbol, ownLeakage, readingOf, type Mechanism, type Output, type Reading } from "./local-mechanisms";

// The log ratio of two likelihoods with two levels, for any budget from next to nothing to infinity.

/** Below, ln(1 + x) of a small x keeps all digits; above LARGE, exp(-level) underflows. */
const SMALL = 0.5;
const LARGE = 700;

/** ln(exp(x) + exp(y)). */
export function logAdd(x: number, y: number): number {
  const top = Math.max(x, y);
  return top === -Infinity ? top : top + Math.log1p(Math.exp(Math.min(x, y) - top));
}

/** ln (1 + (rho - 1) a) / (1 + (rho - 1) b) with rho = exp(level), at least 0 and at most the level. */
export type TwoLevel = (a: number, b: number) => number;

/**
 * The log ratio at one level, ln rho from 0 to infinity. At infinity it is ln a - ln b, where a positive a over 0 gives
 * infinity, and 0 over 0 tells nothing.
 */
export function twoLevelAt(level: number): TwoLevel {
  const clip = (value: number): number => Math.min(level, Math.max(0, value));
  if (level < SMALL) {
    const gain = Math.expm1(level);
    return (a, b) => clip(Math.log1p(gain * a) - Math.log1p(gain * b));
  }
  const rest = (p: number): number => Math.max(1 - p, 0);
  if (level <= LARGE) {
    const low = Math.exp(-level);
    return (a, b) => clip(Math.log(a + low * rest(a)) - Math.log(b + low * rest(b)));
  }
  if (level < Infinity) {
    const log = (p: number): number => logAdd(Math.log(p), Math.log(rest(p)) - level);
    return (a, b) => clip(log(a) - log(b));
  }
  return (a, b) => (a > 0 ? Math.max(0, Math.log(a) - Math.log(b)) : 0);
}

// Rows P(source symbol | secret value) of a table of two attributes.

export interface Rows {
  /** One row for each secret value that counts. */
  rows: Float64Array[];
  /** Their positions among all secret values. */
  kept: number[];
  /** Symbols of the source, those never seen included. */
  symbols: number;
}

/** From counts or probabilities, the secret on rows; secret values with fewer records are left out. */
export function rowsOf(table: ArrayLike<number>, symbols: number, minCount = 0): Rows {
  const rows: Float64Array[] = [];
  const kept: number[] = [];
  const values = symbols > 0 ? table.length / symbols : 0;
  for (let x = 0; x < values; x++) {
    const row = Float64Array.from({ length: symbols }, (_, u) => table[x * symbols + u] as number);
    const total = row.reduce((sum, count) => sum + count, 0);
    if (!(total > 0 && total >= minCount)) continue;
    rows.push(row.map((count) => count / total));
    kept.push(x);
  }
  return { rows, kept, symbols };
}

/** A table with rows and columns exchanged. */
function transposed(table: ArrayLike<number>, columns: number): Float64Array {
  const rows = columns > 0 ? table.length / columns : 0;
  return Float64Array.from({ length: table.length }, (_, k) => table[(k % rows) * columns + Math.floor(k / rows)] as number);
}

// Points that decide what leaks at every budget. A favoured set of symbols has probability A for one secret value and B
// for another; what leaks is largest at a vertex of the upper left hull of all points (B, A), which no budget moves.

interface Point {
  a: number;
  b: number;
}

/** Single symbols: the extremes of every column. */
function singletonPoints({ rows, symbols }: Rows): Point[] {
  if (rows.length < 2) return [];
  const points: Point[] = [];
  for (let u = 0; u < symbols; u++) {
    const column = rows.map((row) => row[u] as number);
    points.push({ a: Math.max(...column), b: Math.min(...column) });
  }
  return hull(points);
}

/** All sets: for every ordered pair of secret values the symbols by falling ratio, added up one after the other. */
function subsetPoints({ rows, symbols }: Rows): Point[] {
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
function largestAt(points: readonly Point[], level: number): number {
  const ratio = twoLevelAt(level);
  return points.reduce((best, { a, b }) => Math.max(best, ratio(a, b)), 0);
}

/** Of a ratio: what rounding changes of it is less. */
const EQUAL = 1e-11;

/** The symbols whose own ratio is that of the set that reaches a leakage, or above. */
function reaching(upper: Float64Array, lower: Float64Array, value: number, times = 1 - EQUAL): number[] {
  const threshold = Math.exp(value) * times;
  const all = Array.from(upper, (_, u) => u).filter((u) => (upper[u] as number) > 0);
  // Among finite ratios none is larger than 1e308.
  if (threshold === Infinity) return all.filter((u) => lower[u] === 0);
  return all.filter((u) => (upper[u] as number) > threshold * (lower[u] as number));
}

/** The set of symbols, one or any, with which two rows reach a leakage. */
function worstSymbols(reading: Reading, upper: Float64Array, lower: Float64Array, value: number): number[] {
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

// Leakage of reports that favour sets with a fixed number of symbols: subset selection.

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
function bestSet(upper: Float64Array, lower: Float64Array, size: number, value: number): number[] {
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

// Which of several equal worst cases is named: the first in row-major order, as in Python.

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
function firstPair({ rows, symbols }: Rows, reading: Reading, value: number): [number, number] | null {
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

// What the report of one attribute says about another, and the worst case that reaches it.

export interface PairLeakage {
  /** Nats. */
  value: number;
  /** Positions of two labels of the secret, the one made more likely first; null where nothing leaks. */
  secret: [number, number] | null;
  /** The favoured symbols of the source; none of a channel. */
  symbols: number[];
  /** The worst output of a channel. */
  output?: number;
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
  if (reading.kind === "matrix") {
    const { value, rows: both, output } = leakageOfMatrix(rows, reading.matrix ?? []);
    return { value, secret: value > 0 ? (both.map((x) => rows.kept[x]) as [number, number]) : null, symbols: [], output };
  }
  const value = valueOfRows(rows, reading);
  const pair = value > 0 ? firstPair(rows, reading, value) : null;
  if (pair === null) return { value, secret: null, symbols: [] };
  const [upper, lower] = pair.map((x) => rows.rows[x]) as [Float64Array, Float64Array];
  const symbols = reading.kind === "exactly" ? bestSet(upper, lower, reading.size, value) : worstSymbols(reading, upper, lower, value);
  return { value, secret: pair.map((x) => rows.kept[x]) as [number, number], symbols };
}

/** The largest log ratio over the outputs of a channel, and the first two rows that reach it. */
function leakageOfMatrix({ rows }: Rows, matrix: readonly (readonly number[])[]): { value: number; rows: [number, number]; output: number } {
  const best = { value: 0, rows: [0, 0] as [number, number], output: 0 };
  if (rows.length < 2) return best;
  for (const output of (matrix[0] ?? []).keys()) {
    // Ratios within a column alone count, and products of the smallest floats would lose their digits.
    const most = Math.max(...matrix.map((row) => row[output] as number));
    if (most === 0) continue;
    const likely = rows.map((row) => row.reduce((sum, p, u) => sum + p * ((matrix[u]?.[output] as number) / most), 0));
    const [high, low] = [Math.max(...likely), Math.min(...likely)];
    const value = high > 0 ? Math.log(high) - Math.log(low) : 0;
    if (value > best.value) Object.assign(best, { value, rows: [likely.indexOf(high), likely.indexOf(low)], output });
  }
  return best;
}

/** The value alone, for curves. */
export function valueOfRows(rows: Rows, reading: Reading): number {
  if (reading.kind === "matrix") return leakageOfMatrix(rows, reading.matrix ?? []).value;
  if (reading.kind === "exactly") return leakageOfSets(rows, reading.size, reading.level);
  return largestAt(pointsOf(rows, reading.kind), reading.level);
}

/** The leakage of a source with these rows; null where the mechanism cannot be read so. */
export function leakageOfPair(rows: Rows, mechanism: Mechanism, output: Output): PairLeakage | null {
  const reading = readingOf(mechanism, rows.symbols, output);
  return reading && leakageOfRows(rows, reading);
}

// The table of a source and a secret, read both ways, and what follows from it for one mechanism.

export interface PairTable {
  /** What the secret says about the source, whose report leaks. */
  forward: Rows;
  /** The other way round: the mirror. */
  mirror: Rows;
}

/** All that the screen says about one pair. */
export interface PairNumbers {
  leakage: number;
  mirror: number;
  worst: { secret: [number, number]; symbols: number[]; probability: [number, number] | null; output?: number | null } | null;
  /** P(source symbol | secret) for the two labels of the worst pair. */
  rows: [Float64Array, Float64Array] | null;
  supports: [number, number] | null;
  generic: number;
  limit: number | null;
  mirrorLimit: number | null;
}

const made = new WeakMap<Float64Array, { minCount: number; symbols: number; table: PairTable }>();

/** Read once for each table: the points of its rows are found once too. */
export function pairTable(table: Float64Array, symbols: number, minCount: number): PairTable {
  const known = made.get(table);
  if (known && known.minCount === minCount && known.symbols === symbols) return known.table;
  const read = { forward: rowsOf(table, symbols, minCount), mirror: rowsOf(transposed(table, symbols), table.length / symbols, minCount) };
  made.set(table, { minCount, symbols, table: read });
  return read;
}

/** The reading of any mechanism with the budget of this one. */
export function anyReading(mechanism: Mechanism, k: number): Reading {
  const level = hasBudget(mechanism.key) ? mechanism.epsilon : ownLeakage(mechanism, k, "raw");
  return { kind: "subsets", level, size: 0 };
}

/** The numbers of a pair; `counts` is its table where it holds records, `other` the mechanism of the secret. null where the mechanism cannot be read so. */
export function pairNumbers(
  { forward, mirror }: PairTable,
  mechanism: Mechanism,
  output: Output,
  counts: Float64Array | null,
  other = mechanism,
): PairNumbers | null {
  const found = leakageOfPair(forward, mechanism, output);
  const back = leakageOfPair(mirror, other, output);
  if (!found || !back) return null;
  const { symbols: k } = forward;
  const records = (x: number): number => (counts as Float64Array).subarray(x * k, (x + 1) * k).reduce((sum, count) => sum + count, 0);
  const row = (x: number): Float64Array => forward.rows[forward.kept.indexOf(x)] as Float64Array;
  const { secret, symbols } = found;
  const limit = (rows: Rows, released: Mechanism): number | null => {
    const reading = hasBudget(released.key) ? readingOf({ ...released, epsilon: Infinity }, rows.symbols, output) : null;
    return reading && valueOfRows(rows, reading);
  };
  return {
    leakage: found.value,
    mirror: back.value,
    worst: secret && {
      secret,
      symbols,
      output: found.output ?? null,
      probability: chances(
        mechanism,
        output,
        k,
        secret.map((x) => symbols.reduce((sum, u) => sum + (row(x)[u] as number), 0)) as [number, number],
      ),
    },
    rows: secret && [row(secret[0]), row(secret[1])],
    supports: secret && counts && [records(secret[0]), records(secret[1])],
    generic: valueOfRows(forward, anyReading(mechanism, k)),
    limit: limit(forward, mechanism),
    mirrorLimit: limit(mirror, other),
  };
}

/** The chance of a report or guess that names the favoured symbol; null for reports that name none. */
function chances(mechanism: Mechanism, output: Output, k: number, masses: [number, number]): [number, number] | null {
  const guess = output === "inferred" || namesSymbol(mechanism.key) ? guessOf(mechanism, k) : null;
  return guess && (masses.map((mass) => guess.keep * mass + guess.other * Math.max(0, 1 - mass)) as [number, number]);
}
