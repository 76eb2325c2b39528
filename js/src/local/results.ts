/**
 * Results as the parts read them: numbers instead of bytes, at another budget at once, and as lines over all budgets.
 */
import {
  guessOf,
  hasBudget,
  mechanismOf,
  MOST_REPORTS,
  ownLeakage,
  promiseOf,
  readingOf,
  reportMatrix,
  type Mechanism,
  type Output,
} from "../compute/local-mechanisms";
import { pairNumbers, pairTable, twoLevelAt, valueOfRows, type PairNumbers, type PairTable, type Rows } from "../compute/local-pair";
import { told, type Naming } from "../explorer/words";
import { NO_RESULTS, noLaws, NOTHING, ofReport, type Laws } from "../meaning/laws";
import { niceCeiling } from "../ui/axes";
import { count } from "../ui/format";
import { clip, inQuotes } from "../ui/lettering";
import { floats, integers, number } from "../ui/wire";
import type { LocalResults, PairState, PointsState } from "./protocol";

// Results as the parts read them: numbers instead of bytes, and for another budget those that points give at once.

/** All reports together, one number for each secret. */
export interface Totals {
  /** NaN where there is none; null while they are awaited, or where none was computed. */
  exact: Float64Array | null;
  sum: Float64Array;
  bound: Float64Array | null;
  composition: number;
  /** Records that all of these numbers are about; null for probabilities. */
  records: number | null;
  /** Exact numbers and bounds belong to another budget. */
  awaited: boolean;
  why: string | null;
  /** Places of attributes of which one value counts, so that nothing can be learned: there is a bound alone. */
  constant: readonly number[];
  /** What is missing needs a kernel, which a page has not. */
  kernel: boolean;
}

export interface ShownPair extends PairNumbers {
  source: number;
  secret: number;
  /** Both ways, where the table is here; curves are drawn of it. */
  table: PairTable | null;
  /** Points of both curves, where the table is not; `coarse` where they are few. */
  curve: { epsilon: Float64Array; pair: Float64Array; mirror: Float64Array; coarse: boolean } | null;
  /** What a delta of the mechanism is for the secret, and the paper's larger one; null without one. */
  delta: { tight: number; paper: number } | null;
  /** Secret values left out. */
  leftOut: number;
}

/** All reports together about one secret, by budget. */
export interface ReportsLine {
  secret: number;
  epsilon: Float64Array;
  values: Float64Array;
  exact: boolean;
}

export interface Shown {
  /** Positions of the chosen attributes among all. */
  names: number[];
  mechanism: Mechanism;
  output: Output;
  minCount: number;
  /** L[source, secret], n x n. */
  matrix: Float64Array;
  own: Float64Array;
  /** The largest promise of a raw report. */
  promise: number;
  kept: Float64Array;
  other: Float64Array;
  totals: Totals | null;
  pair: ShownPair | null;
  reports: ReportsLine | null;
  points: Points | null;
}

export interface Points {
  family: PointsState["family"];
  starts: Int32Array;
  a: Float64Array;
  b: Float64Array;
}

/** What the hand asks for. */
export interface Asked {
  mechanism: Mechanism;
  output: Output;
  minCount: number;
  names: readonly number[];
  /** Labels of every attribute, chosen or not. */
  sizes: readonly number[];
  /** How many records there are; null for probabilities. */
  records: number | null;
}

const decoded = new WeakMap<LocalResults, Shown>();
const tables = new WeakMap<PairState, Float64Array>();

/** The results as they came. */
export function decode(results: LocalResults, { sizes }: Pick<Asked, "sizes">): Shown {
  const known = decoded.get(results);
  if (known) return known;
  const { totals, points } = results;
  const mechanism: Mechanism = { key: results.mechanism, epsilon: number(results.epsilon), parameters: results.parameters };
  const shown: Shown = {
    names: results.names,
    mechanism,
    output: results.output,
    minCount: results.min_count,
    matrix: floats(results.matrix),
    own: floats(results.own),
    promise: number(results.promise),
    kept: floats(results.kept),
    other: floats(results.other),
    totals: totals && {
      exact: totals.exact && floats(totals.exact),
      sum: floats(totals.sum),
      bound: floats(totals.bound),
      composition: number(totals.composition),
      records: totals.records,
      awaited: false,
      why: totals.why,
      constant: totals.constant ?? [],
      kernel: totals.kernel === true,
    },
    pair: results.pair && pairOf(results.pair, sizes, results.min_count),
    reports: results.reports ? { ...results.reports, epsilon: floats(results.reports.epsilon), values: floats(results.reports.values) } : null,
    points: points && { family: points.family, starts: integers(points.starts), a: floats(points.a), b: floats(points.b) },
  };
  decoded.set(results, shown);
  return shown;
}

function tableOf(pair: PairState): Float64Array | null {
  if (pair.table === null) return null;
  const table = tables.get(pair) ?? floats(pair.table);
  tables.set(pair, table);
  return table;
}

function pairOf(pair: PairState, sizes: readonly number[], minCount: number): ShownPair {
  const { source, secret, worst, supports, limit } = pair;
  const symbols = sizes[source] as number;
  const table = tableOf(pair);
  const read = table && pairTable(table, symbols, minCount);
  const rows = pair.rows && floats(pair.rows);
  const half = rows ? rows.length / 2 : 0;
  return {
    source,
    secret,
    leakage: number(pair.leakage),
    mirror: number(pair.mirror),
    worst,
    rows: rows && [rows.slice(0, half), rows.slice(half)],
    supports,
    generic: number(pair.generic),
    limit: limit === null ? null : number(limit),
    mirrorLimit: pair.mirror_limit === null ? null : number(pair.mirror_limit),
    curve: pair.curve && {
      epsilon: floats(pair.curve.epsilon),
      pair: floats(pair.curve.pair),
      mirror: floats(pair.curve.mirror),
      coarse: pair.curve.coarse === true,
    },
    delta: pair.delta ?? null,
    leftOut: pair.left_out,
    table: read,
  };
}

/** Whether results belong to what is asked for. */
export function same(results: LocalResults, { mechanism, output, minCount, names }: Pick<Asked, "mechanism" | "output" | "minCount" | "names">): boolean {
  const { key, epsilon, parameters } = mechanism;
  const alike = results.mechanism === key && results.output === output && results.min_count === minCount;
  return (
    alike &&
    (!hasBudget(key) || number(results.epsilon) === epsilon) &&
    sameParameters(results.parameters, parameters) &&
    results.names.join() === names.join()
  );
}

function sameRelease(shown: Shown, { key, parameters }: Mechanism, output: Output): boolean {
  return shown.mechanism.key === key && sameParameters(shown.mechanism.parameters, parameters) && shown.output === output;
}

export function sameParameters(a: Mechanism["parameters"], b: Mechanism["parameters"]): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof typeof a)[];
  return names.every((name) => JSON.stringify(a[name] ?? null) === JSON.stringify(b[name] ?? null));
}

/** Keeps what was last computed, so that equal questions have one answer. */
export function createRescaler(): (results: LocalResults, asked: Asked) => Shown | null {
  let last: { results: LocalResults; key: string; shown: Shown | null } | null = null;
  return (results, asked) => {
    if (same(results, asked)) return decode(results, asked);
    const key = JSON.stringify([{ ...asked, mechanism: { ...asked.mechanism, epsilon: String(asked.mechanism.epsilon) } }]);
    if (last?.results === results && last.key === key) return last.shown;
    last = { results, key, shown: rescaled(decode(results, asked), results, asked) };
    return last.shown;
  };
}

/** The same pairs with another mechanism or budget, or null where points do not tell. */
function rescaled(shown: Shown, results: LocalResults, asked: Asked): Shown | null {
  const { mechanism, output, sizes } = asked;
  const { points, names } = shown;
  if (!points || asked.minCount !== shown.minCount || asked.names.join() !== names.join()) return null;
  const matrix = matrixAt(points, names, sizes, mechanism, output);
  if (matrix === null) return null;
  const n = names.length;
  const k = names.map((name) => sizes[name] as number);
  const released = names.map((name) => mechanismOf(mechanism, name));
  const own = Float64Array.from(k, (size, j) => ownLeakage(released[j] as Mechanism, size, output));
  const guesses = k.map((size, j) => guessOf(released[j] as Mechanism, size));
  // Where values are missing the sum is one over fewer records than those of each pair.
  const fewer = (shown.totals?.records ?? asked.records) !== asked.records || (shown.totals?.kernel === true && shown.totals.sum.every(Number.isNaN));
  const sum = own.map((value, secret) => (fewer ? NaN : names.reduce((total, _, source) => total + (matrix[source * n + secret] as number), value)));
  return {
    ...shown,
    mechanism,
    output,
    matrix,
    own,
    promise: Math.max(0, ...k.map((size, j) => promiseOf(released[j] as Mechanism, size))),
    kept: Float64Array.from(guesses, (guess) => guess?.keep ?? NaN),
    other: Float64Array.from(guesses, (guess) => guess?.other ?? NaN),
    totals: {
      exact: null,
      sum,
      bound: null,
      records: shown.totals?.records ?? null,
      composition: own.reduce((total, value) => total + value, 0),
      awaited: true,
      why: null,
      constant: shown.totals?.constant ?? [],
      kernel: shown.totals?.kernel ?? false,
    },
    // No budget moves the curve.
    reports: sameRelease(shown, mechanism, output) ? shown.reports : null,
    pair: shown.pair && rescaledPair(shown.pair, results.pair as PairState, asked, matrix, names),
  };
}

function rescaledPair(pair: ShownPair, state: PairState, { mechanism, output, records }: Asked, matrix: Float64Array, names: readonly number[]): ShownPair {
  const table = tableOf(state);
  const numbers = pair.table && pairNumbers(pair.table, mechanism, output, records === null ? null : table);
  // A delta goes with the leakage: at another budget it is another one.
  if (numbers) return { ...pair, ...numbers, delta: null };
  const [j, k] = [names.indexOf(pair.source), names.indexOf(pair.secret)];
  const n = names.length;
  const at = (source: number, secret: number): number => matrix[source * n + secret] as number;
  return {
    ...pair,
    leakage: at(j, k),
    mirror: at(k, j),
    worst: null,
    rows: null,
    supports: null,
    generic: NaN,
    limit: null,
    mirrorLimit: null,
    curve: null,
    delta: null,
  };
}

/** All leakages by their points; null where a report favours other sets than those of the points. */
export function matrixAt(points: Points, names: readonly number[], sizes: readonly number[], mechanism: Mechanism, output: Output): Float64Array | null {
  const n = names.length;
  const matrix = new Float64Array(n * n);
  for (let source = 0; source < n; source++) {
    const place = names[source] as number;
    const reading = readingOf(mechanismOf(mechanism, place), sizes[place] as number, output);
    if (reading === null || (reading.kind !== points.family && reading.level > 0)) return null;
    const ratio = twoLevelAt(reading.level);
    for (let secret = 0; secret < n; secret++) {
      if (source !== secret) matrix[source * n + secret] = largestOf(points, source * n + secret, ratio);
    }
  }
  return matrix;
}

/** The largest ratio among the points of one ordered pair. */
function largestOf({ starts, a, b }: Points, pair: number, ratio: (a: number, b: number) => number): number {
  let best = 0;
  for (let k = starts[pair] as number; k < (starts[pair + 1] as number); k++) best = Math.max(best, ratio(a[k] as number, b[k] as number));
  return best;
}

// What one report means: the law of it for each label of the secret.

/** Columns times pairs of labels up to which curves are drawn at once. */
const MOST_WORK = 1e6;

export function lawsOfPair(facts: ShownPair | null, naming: Naming, counts: readonly Float64Array[], mechanism: Mechanism, output: Output): Laws {
  if (!facts) return noLaws(NO_RESULTS);
  const { source, secret, table, rows, worst } = facts;
  const labels = naming.labels[secret] ?? [];
  const size = naming.labels[source]?.length ?? 0;
  const [name, from] = [told(naming, secret, 40), told(naming, source, 40)];
  const reported = reportMatrix(mechanismOf(mechanism, source), size, output);
  if (!reported) {
    if (mechanism.key === "generic") return noLaws("This is a bound for any mechanism with the budget: choose one to see what its report means.");
    const why =
      mechanism.key === "SHE"
        ? `The report of ${from} is a list of real numbers`
        : `The report of ${from} has more than ${count(MOST_REPORTS, "possible value")}`;
    return noLaws(`${why}: no list of chances says it. See what is inferred from it instead.`);
  }
  const all = table?.forward;
  const few = all && (all.rows.length ** 2 * reported.length) / size <= MOST_WORK;
  if (few) {
    const prior = all.kept.map((x) => counts[secret]?.[x] ?? 0);
    const attained = worst && (worst.secret.map((x) => all.kept.indexOf(x)) as [number, number]);
    return ofReport(all.rows, reported, { prior, labels: all.kept.map((x) => labels[x] ?? ""), name, attained });
  }
  if (!rows || !worst) return noLaws(facts.leakage > 0 ? "Being computed." : NOTHING);
  const two = worst.secret.map((x) => labels[x] ?? "") as [string, string];
  return ofReport(rows, reported, {
    prior: null,
    labels: two,
    name,
    between: `Of ${two.map((label) => inQuotes(label, clip(label, 24))).join(" and ")}, the two values of ${name} told apart best`,
  });
}

// What a pair and its mirror leak at every budget of an axis, and where the two are equal.

export interface CurveLines {
  budgets: number[];
  pair: number[];
  mirror: number[];
  /** The first budget above 0 at which the two are equal; null where none is. */
  equal: { budget: number; value: number } | null;
  /** Few budgets were computed: each is a point, with straight lines between. */
  coarse: boolean;
}

const SAMPLES = 96;

/** The axis ends at 4, or at a round number above a larger budget. */
export function axisEnd(epsilon: number): number {
  if (!Number.isFinite(epsilon)) return 10;
  return epsilon <= 3.8 ? 4 : niceCeiling(epsilon * 1.05, [1, 2, 4, 5, 8, 10]);
}

type Line = (budget: number) => number;

/** Both directions as functions of the budget, or null where only the kernel knows them. */
function linesOf(facts: ShownPair, shown: Shown, mechanism: Mechanism, output: Output, sizes: readonly number[]): [Line, Line] | null {
  const at = (budget: number, k: number) => readingOf({ ...mechanism, epsilon: budget }, k, output);
  if (facts.table) {
    const of = (rows: Rows): Line => (budget) => {
      const reading = at(budget, rows.symbols);
      return reading ? valueOfRows(rows, reading) : NaN;
    };
    return [of(facts.table.forward), of(facts.table.mirror)];
  }
  const { points, names } = shown;
  if (!points) return null;
  const of = (source: number, secret: number): Line => {
    const place = names.indexOf(source) * names.length + names.indexOf(secret);
    return (budget) => {
      const reading = at(budget, sizes[source] as number);
      return reading && reading.kind === points.family ? largestOf(points, place, twoLevelAt(reading.level)) : NaN;
    };
  };
  return [of(facts.source, facts.secret), of(facts.secret, facts.source)];
}

export function curveLines(facts: ShownPair, shown: Shown, mechanism: Mechanism, output: Output, sizes: readonly number[], end: number): CurveLines | null {
  const lines = linesOf(facts, shown, mechanism, output, sizes);
  if (!lines) {
    if (!facts.curve) return null;
    const { epsilon, pair, mirror, coarse } = facts.curve;
    return { budgets: [...epsilon], pair: [...pair], mirror: [...mirror], equal: null, coarse };
  }
  const budgets = Array.from({ length: SAMPLES + 1 }, (_, k) => end * (k / SAMPLES));
  const [pair, mirror] = lines.map((line) => budgets.map(line)) as [number[], number[]];
  return { budgets, pair, mirror, equal: crossing(budgets, lines), coarse: false };
}

/** Looked for between neighbouring budgets; curves that jump are taken as they are. */
function crossing(budgets: readonly number[], [first, second]: [Line, Line]): { budget: number; value: number } | null {
  const end = budgets[budgets.length - 1] as number;
  const most = Math.max(...budgets.map((budget) => Math.abs(first(budget) - second(budget))));
  // Curves that lie on each other for the eye cross nowhere in particular.
  if (!(most > 0.02 * Math.max(first(end), second(end)))) return null;
  const gap = (budget: number): number => first(budget) - second(budget);
  const noise = (budget: number): number => 1e-9 * Math.max(1e-3, first(budget));
  for (let k = 2; k < budgets.length; k++) {
    let [low, high] = [budgets[k - 1] as number, budgets[k] as number];
    let start = gap(low);
    if (!(Math.abs(start) > noise(low)) || !(Math.abs(gap(high)) > noise(high)) || Math.sign(start) === Math.sign(gap(high))) continue;
    for (let round = 0; round < 40; round++) {
      const middle = low / 2 + high / 2;
      const value = gap(middle);
      if (Math.sign(value) === Math.sign(start)) [low, start] = [middle, value];
      else high = middle;
    }
    // A jump over the other curve is no place where both are equal.
    if (Math.abs(gap(low) - gap(high)) > 1e-3) continue;
    return { budget: low, value: first(low) };
  }
  return null;
}
