/** All results of one release, as Python sends them. */
import type { CalibrationState, ComparedState, LocalResults, PairState, PointsState, TotalsState, Wired } from "../local/protocol";
import { same } from "../local/shown";
import { number, toBytes } from "../ui/codec";
import { association } from "./local-association";
import { calibrate, guessError } from "./local-calibration";
import { guessOf, promiseOf } from "./local-mechanisms";
import { pointsOf } from "./local-pair";
import { pairNumbers, pairTable } from "./local-pair-table";
import { reportsState } from "./local-reports-curve";
import { localMatrix, localTotals, ownLeakages, readingsOf, type LocalRelease } from "./local-totals";
import { completeTables, rowsOfPair, tableOf, type LocalTables } from "./local-tables";

/** Mechanisms that are compared, with the parameters that they choose themselves. */
const COMPARED = ["GRR", "EXP", "OUE", "SUE", "RAPPOR", "BLH", "OLH", "SHE", "SS"];
const wired = (value: number): Wired => (Number.isFinite(value) ? value : String(value));

export function localResults(tables: LocalTables, release: LocalRelease, pair: { source: number; secret: number } | null, goal: number | null): LocalResults {
  const { names, mechanism, output, minCount } = release;
  const sizes = names.map((name) => tables.sizes[name] as number);
  const matrix = localMatrix(tables, release);
  const guesses = sizes.map((k) => guessOf(mechanism, k));
  return {
    names: [...names],
    epsilon: wired(mechanism.key === "RAPPOR" ? promiseOf(mechanism, 2) : mechanism.epsilon),
    mechanism: mechanism.key,
    parameters: mechanism.parameters,
    output,
    min_count: minCount,
    promise: wired(Math.max(0, ...sizes.map((k) => promiseOf(mechanism, k)))),
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
  if (readings.some(({ kind }) => kind === "exactly")) return null;
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
    return { exact: null, sum: toBytes(unknown), bound: toBytes(unknown), composition: wired(composition), records: null, why: "Some values are missing: all reports together need a kernel.", kernel: true };
  }
  const { exact, sum, bound, composition } = localTotals(tables, release, matrix);
  const none = exact.every(Number.isNaN);
  const first = tables.sizes[0] as number;
  const total = tables.sizes.reduce((sum, size) => sum + size, 0);
  const records = Array.from({ length: first }, (_, k) => tables.blocks[k * total + k] as number).reduce((sum, count) => sum + count, 0);
  const why = tables.joint === null ? "This page has no joint table of all attributes: exact numbers need a kernel." : "This page computes fewer combinations of outputs: exact numbers need a kernel.";
  return { exact: none ? null : toBytes(exact), sum: toBytes(sum), bound: toBytes(bound), composition: wired(composition), records: tables.counted ? records : null, why: exact.some(Number.isNaN) ? why : null, kernel: true };
}

function pairState(tables: LocalTables, { mechanism, output, minCount }: LocalRelease, { source, secret }: { source: number; secret: number }): PairState {
  const table = tableOf(tables, source, secret);
  const read = pairTable(table, tables.sizes[source] as number, minCount);
  const numbers = pairNumbers(read, mechanism, output, tables.counted ? table : null);
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
  const found = names.map((secret) => names.map((source) => (source === secret ? null : association(tableOf(tables, source, secret), tables.sizes[source] as number))));
  const flat = (pick: (one: { nmi: number; correlation: number }) => number): Float64Array =>
    Float64Array.from({ length: n * n }, (_, k) => {
      // Each two attributes once, so that both directions are the same to the last digit.
      const [low, high] = [Math.min(Math.floor(k / n), k % n), Math.max(Math.floor(k / n), k % n)];
      const one = found[low]?.[high];
      return one ? pick(one) : 0;
    });
  return { nmi: toBytes(flat(({ nmi }) => nmi)), pcc: toBytes(flat(({ correlation }) => correlation)), normalisation: "joint" };
}

/** Shares of what any mechanism with this budget may leak, all pairs together. */
function comparedState(tables: LocalTables, release: LocalRelease): ComparedState[] {
  const { mechanism } = release;
  const epsilon = mechanism.key === "RAPPOR" ? promiseOf(mechanism, 2) : mechanism.epsilon;
  const leakages = (key: string, output: "raw" | "inferred"): readonly number[] =>
    Array.from(localMatrix(tables, { ...release, mechanism: { key, epsilon, parameters: {} }, output }));
  const generic = leakages("generic", "raw");
  const most = Math.max(0, ...generic);
  // In shares of the largest: sums of huge ones would leave the floats.
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value / most, 0);
  const share = (values: readonly number[]): number | null => {
    if (most === Infinity) return values.every(Number.isFinite) ? 0 : null;
    const found = sum(values) / sum(generic);
    return most > 0 && Number.isFinite(found) ? found : null;
  };
  // Expected errors of shares take variances, which a page has only where they were published.
  const { saved } = tables;
  const published = saved?.compared && saved.names.join() === release.names.join() && number(saved.epsilon) === epsilon ? saved.compared : [];
  return COMPARED.map((key) => ({
    key,
    frequency: published.find((one) => one.key === key)?.frequency ?? null,
    raw: share(leakages(key, "raw")),
    inferred: share(leakages(key, "inferred")),
    error: guessError(tables, release, { key, epsilon, parameters: {} }),
  }));
}

function calibrationState(tables: LocalTables, release: LocalRelease, goal: number): CalibrationState {
  const { saved, joint } = tables;
  const before = saved?.calibration;
  // The budget that is set has no part in it.
  if (joint === null && saved && before && number(before.goal) === goal && same(saved, { ...release, mechanism: { ...release.mechanism, epsilon: number(saved.epsilon) } })) return before;
  const { methods, why } = calibrate(tables, release, goal);
  return { goal: wired(goal), methods: methods.map((one) => ({ ...one, epsilon: wired(one.epsilon), leak: wired(one.leak) })), why };
}

