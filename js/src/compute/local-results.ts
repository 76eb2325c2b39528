/** All results of one release, as Python sends them. */
import type { CalibrationState, ComparedState, LocalResults, PairState, PointsState, TotalsState, Wired } from "../local/protocol";
import { same } from "../local/results";
import { number, toBytes } from "../ui/codec";
import { association } from "./local-association";
import { calibrate } from "./local-calibration";
import { comparedStates } from "./local-compared";
import { guessOf, promiseOf } from "./local-mechanisms";
import { pointsOf } from "./local-pair";
import { pairNumbers, pairTable } from "./local-pair-table";
import { reportsState } from "./local-reports-curve";
import { localMatrix, localTotals, ownLeakages, readingsOf, type LocalRelease } from "./local-totals";
import { completeTables, countsOf, rowsOfPair, tableOf, type LocalTables } from "./local-tables";

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

