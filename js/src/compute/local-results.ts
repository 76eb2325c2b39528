/**
 * All results of one release, as Python sends them, with the measures of association and all mechanisms beside each
 * other.
 */
import type { CalibrationState, ComparedState, LocalResults, PairState, PointsState, TotalsState, Wired } from "../local/protocol";
import { same } from "../local/results";
import { number, toBytes } from "../ui/wire";
import { COMPARED, guessOf, hasBudget, mechanismOf, promiseOf, shareError, type Mechanism, type Output } from "./local-mechanisms";
import { pairNumbers, pairTable, pointsOf } from "./local-pair";
import { completeTables, countsOf, rowsOfPair, tableOf, type LocalTables } from "./local-tables";
import { calibrate, guessError, localMatrix, localTotals, ownLeakages, readingsOf, reportsState, type LocalRelease } from "./local-totals";

// Common measures of how strongly two attributes are correlated; they are the same in both directions.

export interface Association {
  /** Mutual information over the joint entropy. */
  nmi: number;
  /** Correlation of the positions of the labels. */
  correlation: number;
}

function entropy(probabilities: readonly number[]): number {
  return Math.max(0, -probabilities.reduce((sum, p) => (p > 0 ? sum + p * Math.log(p) : sum), 0));
}

/** Of a table of counts or probabilities with so many columns. */
function association(table: Float64Array, columns: number): Association {
  const total = table.reduce((sum, count) => sum + count, 0);
  if (!(total > 0)) return { nmi: 0, correlation: 0 };
  const p = table.map((count) => count / total);
  const m = table.length / columns;
  const rows = Array.from({ length: m }, (_, x) => p.subarray(x * columns, (x + 1) * columns).reduce((sum, v) => sum + v, 0));
  const cols = Array.from({ length: columns }, (_, u) => rows.reduce((sum, _row, x) => sum + (p[x * columns + u] as number), 0));
  const [left, right, both] = [entropy(rows), entropy(cols), entropy([...p])];
  // A constant attribute says nothing, and rounding must not say otherwise.
  const shared = Math.min(left, right) > 0 ? Math.max(0, left + right - both) : 0;
  return { nmi: both > 0 ? shared / both : 0, correlation: correlation(p, rows, cols) };
}

function correlation(p: Float64Array, rows: readonly number[], cols: readonly number[]): number {
  const mean = (shares: readonly number[]): number => shares.reduce((sum, share, k) => sum + share * k, 0);
  const [mx, my] = [mean(rows), mean(cols)];
  const spread = (shares: readonly number[], at: number): number => shares.reduce((sum, share, k) => sum + share * (k - at) ** 2, 0);
  const both = spread(rows, mx) * spread(cols, my);
  const constant = (shares: readonly number[]): boolean => shares.filter((share) => share > 0).length < 2;
  if (constant(rows) || constant(cols) || !(both > 0)) return 0;
  const together = p.reduce((sum, share, k) => sum + share * (Math.floor(k / cols.length) - mx) * ((k % cols.length) - my), 0);
  return Math.min(1, Math.max(-1, together / Math.sqrt(both)));
}

// All mechanisms at one budget: what they leak, as shares of what any mechanism may, and how useful they are.

export interface Compared {
  mechanism: Mechanism;
  /** Labels of every released attribute. */
  sizes: readonly number[];
  /** Records of every label, by released attribute; null for probabilities. */
  counts: readonly ArrayLike<number>[] | null;
  /** All leakages; null where they are not known. */
  leakages(mechanism: Mechanism, output: Output): ArrayLike<number> | null;
}

export function comparedStates({ mechanism, sizes, counts, leakages }: Compared): ComparedState[] {
  const epsilon = budgetOf(mechanism);
  const at = (key: string): Mechanism => ({ key, epsilon, parameters: {} });
  const generic = leakages(at("generic"), "raw");
  return COMPARED.map((key) => ({
    key,
    raw: shareOf(leakages(at(key), "raw"), generic),
    inferred: shareOf(leakages(at(key), "inferred"), generic),
    error: guessError(sizes, at(key)),
    frequency: counts && shareError(at(key), counts),
  }));
}

/** The budget that is set, or that follows from the parameters. */
function budgetOf(mechanism: Mechanism): number {
  return hasBudget(mechanism.key) ? mechanism.epsilon : promiseOf(mechanism, 2);
}

/** One sum over the other; null where one is not known, nothing leaks, or both are infinite. */
function shareOf(leakages: ArrayLike<number> | null, generic: ArrayLike<number> | null): number | null {
  if (leakages === null || generic === null) return null;
  const [values, all] = [Array.from(leakages), Array.from(generic)];
  const most = Math.max(0, ...all);
  if (most === Infinity) return values.every(Number.isFinite) ? 0 : null;
  // In shares of the largest: sums of huge ones would leave the floats.
  const sum = (list: number[]): number => list.reduce((total, value) => total + value / most, 0);
  const found = sum(values) / sum(all);
  return most > 0 && Number.isFinite(found) ? found : null;
}

// All results of one release, as Python sends them.

const wired = (value: number): Wired => (Number.isFinite(value) ? value : String(value));

export function localResults(tables: LocalTables, release: LocalRelease, pair: { source: number; secret: number } | null, goal: number | null): LocalResults {
  const { names, mechanism, output, minCount } = release;
  const sizes = names.map((name) => tables.sizes[name] as number);
  const matrix = localMatrix(tables, release);
  const released = names.map((name) => mechanismOf(mechanism, name));
  const guesses = sizes.map((k, j) => guessOf(released[j] as Mechanism, k));
  return {
    names: [...names],
    epsilon: wired(budgetOf(mechanism)),
    mechanism: mechanism.key,
    parameters: mechanism.parameters,
    output,
    min_count: minCount,
    promise: wired(Math.max(0, ...sizes.map((k, j) => promiseOf(released[j] as Mechanism, k)))),
    matrix: toBytes(matrix),
    own: toBytes(ownLeakages(tables, release)),
    kept: toBytes(Float64Array.from(guesses, (guess) => guess?.keep ?? NaN)),
    other: toBytes(Float64Array.from(guesses, (guess) => guess?.other ?? NaN)),
    points: pointsState(tables, release),
    totals: totalsState(tables, release, matrix),
    pair: pair && pairState(tables, release, pair),
    reports: pair && reportsState(tables, release, pair.secret),
    association: associationState(tables, release),
    compared: comparedState(tables, release),
    calibration: goal === null ? null : calibrationState(tables, release, goal),
  };
}

function pointsState(tables: LocalTables, release: LocalRelease): PointsState | null {
  const { names, minCount } = release;
  const readings = readingsOf(tables, release);
  if (readings.some(({ kind }) => kind === "exactly" || kind === "matrix")) return null;
  const family = readings.every(({ kind }) => kind === "singletons") ? "singletons" : "subsets";
  const starts = [0];
  const [a, b]: [number[], number[]] = [[], []];
  for (const source of names) {
    for (const secret of names) {
      const points = source === secret ? [] : pointsOf(rowsOfPair(tables, source, secret, minCount), family);
      for (const point of points) {
        a.push(point.a);
        b.push(point.b);
      }
      starts.push(a.length);
    }
  }
  const at = Int32Array.from(starts);
  return { family, starts: new DataView(at.buffer), a: toBytes(Float64Array.from(a)), b: toBytes(Float64Array.from(b)) };
}

function totalsState(tables: LocalTables, release: LocalRelease, matrix: Float64Array): TotalsState {
  const { saved, joint } = tables;
  // Without a joint table only the release that was published has these numbers.
  if (joint === null && saved?.totals && same(saved, release)) return saved.totals;
  const whole = tables.missing ? completeTables(tables, release.names) : null;
  if (whole !== null) {
    const own = { ...release, names: release.names.map((_, k) => k) };
    return totalsState(whole, own, localMatrix(whole, own));
  }
  if (tables.missing) {
    // All reports together are about the records that have every attribute; a page knows those of two only.
    const unknown = new Float64Array(release.names.length).fill(NaN);
    const composition = ownLeakages(tables, release).reduce((total, value) => total + value, 0);
    return {
      exact: null,
      sum: toBytes(unknown),
      bound: toBytes(unknown),
      composition: wired(composition),
      records: null,
      why: "Some values are missing: all reports together need a kernel.",
      kernel: true,
    };
  }
  const { exact, sum, bound, composition, constant } = localTotals(tables, release, matrix);
  const none = exact.every(Number.isNaN);
  const records = countsOf(tables, 0).reduce((sum, count) => sum + count, 0);
  const why =
    tables.joint === null
      ? "This page has no joint table of all attributes: exact numbers need a kernel."
      : "This page computes fewer combinations of outputs: exact numbers need a kernel.";
  return {
    exact: none ? null : toBytes(exact),
    sum: toBytes(sum),
    bound: toBytes(bound),
    composition: wired(composition),
    records: tables.counted ? records : null,
    why: exact.some((value, k) => Number.isNaN(value) && !constant.includes(k)) ? why : null,
    constant,
    kernel: true,
  };
}

function pairState(tables: LocalTables, { mechanism, output, minCount }: LocalRelease, { source, secret }: { source: number; secret: number }): PairState {
  const table = tableOf(tables, source, secret);
  const read = pairTable(table, tables.sizes[source] as number, minCount);
  const numbers = pairNumbers(read, mechanismOf(mechanism, source), output, tables.counted ? table : null, mechanismOf(mechanism, secret));
  if (numbers === null) throw new RangeError(`Of ${mechanism.key} no guess is defined.`);
  const { leakage, mirror, worst, rows, supports, generic, limit, mirrorLimit } = numbers;
  const both = rows && Float64Array.of(...rows[0], ...rows[1]);
  return {
    source,
    secret,
    leakage: wired(leakage),
    mirror: wired(mirror),
    worst,
    rows: both && toBytes(both),
    supports,
    generic: wired(generic),
    limit: limit === null ? null : wired(limit),
    mirror_limit: mirrorLimit === null ? null : wired(mirrorLimit),
    table: toBytes(table),
    curve: null,
    left_out: (tables.sizes[secret] as number) - read.forward.kept.length,
  };
}

function associationState(tables: LocalTables, { names }: LocalRelease) {
  const n = names.length;
  const found = names.map((secret) =>
    names.map((source) =>
      source === secret ? null : association(tableOf(tables, source, secret), tables.sizes[source] as number),
    ),
  );
  const flat = (pick: (one: { nmi: number; correlation: number }) => number): Float64Array =>
    Float64Array.from({ length: n * n }, (_, k) => {
      // Each two attributes once, so that both directions are the same to the last digit.
      const [low, high] = [Math.min(Math.floor(k / n), k % n), Math.max(Math.floor(k / n), k % n)];
      const one = found[low]?.[high];
      return one ? pick(one) : 0;
    });
  return { nmi: toBytes(flat(({ nmi }) => nmi)), pcc: toBytes(flat(({ correlation }) => correlation)), normalisation: "joint" };
}

/** Every attribute is known by as many records as have it. */
function comparedState(tables: LocalTables, release: LocalRelease): ComparedState[] {
  const { names, mechanism } = release;
  return comparedStates({
    mechanism,
    sizes: names.map((name) => tables.sizes[name] as number),
    counts: tables.counted ? names.map((name) => countsOf(tables, name)) : null,
    leakages: (made, output) => localMatrix(tables, { ...release, mechanism: made, output }),
  });
}

function calibrationState(tables: LocalTables, release: LocalRelease, goal: number): CalibrationState {
  const { saved, joint } = tables;
  const before = saved?.calibration;
  // The budget that is set has no part in it.
  if (
    joint === null &&
    saved &&
    before &&
    number(before.goal) === goal &&
    same(saved, { ...release, mechanism: { ...release.mechanism, epsilon: number(saved.epsilon) } })
  )
    return before;
  const { methods, why } = calibrate(tables, release, goal);
  return { goal: wired(goal), methods: methods.map((one) => ({ ...one, epsilon: wired(one.epsilon), leak: wired(one.leak) })), why };
}
