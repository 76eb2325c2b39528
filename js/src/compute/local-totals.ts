/**
 * What all reports of a record together say about each attribute, over the budgets of an axis, and the largest budget
 * within a goal.
 */
import type { ReportsState } from "../local/protocol";
import { axisEnd, same } from "../local/results";
import { number, toBytes } from "../ui/wire";
import { brent } from "./brent";
import {
  EVEN,
  followsWords,
  guessOf,
  hasBudget,
  jumpsOf,
  listed,
  mechanismOf,
  namesSymbol,
  ownLeakage,
  readingOf,
  type Mechanism,
  type Output,
  type Reading,
} from "./local-mechanisms";
import { valueOfRows } from "./local-pair";
import {
  completeTables,
  jointLeakage,
  jointWithChannel,
  jointOf,
  jointOutputs,
  rowsOfOthers,
  rowsOfPair,
  type Joint,
  type LocalTables,
} from "./local-tables";

// What all reports of a record together say about each attribute: exact, bounded, and added up as printed.

/** What is released, and how it is read. */
export interface LocalRelease {
  /** Positions of the attributes, increasing. */
  names: readonly number[];
  mechanism: Mechanism;
  output: Output;
  minCount: number;
}

export interface LocalTotals {
  /** NaN where it is too large to compute, and for those that have one value. */
  exact: Float64Array;
  sum: Float64Array;
  /** NaN without a joint table. */
  bound: Float64Array;
  composition: number;
  /** Places of attributes of which one value counts. */
  constant: number[];
}

export function readingsOf(tables: LocalTables, { names, mechanism, output }: LocalRelease): Reading[] {
  return names.map((name) => {
    const reading = readingOf(mechanismOf(mechanism, name), tables.sizes[name] as number, output);
    if (reading === null) throw new RangeError(`Of ${mechanism.key} no guess is defined.`);
    return reading;
  });
}

/** L[source, secret] over the released attributes. */
export function localMatrix(tables: LocalTables, release: LocalRelease): Float64Array {
  const { names, minCount } = release;
  const readings = readingsOf(tables, release);
  const n = names.length;
  return Float64Array.from({ length: n * n }, (_, k) => {
    const [j, s] = [Math.floor(k / n), k % n];
    return j === s ? 0 : valueOfRows(rowsOfPair(tables, names[j] as number, names[s] as number, minCount), readings[j] as Reading);
  });
}

export function ownLeakages(tables: LocalTables, { names, mechanism, output }: LocalRelease): Float64Array {
  return Float64Array.from(names, (name) => ownLeakage(mechanismOf(mechanism, name), tables.sizes[name] as number, output));
}

/** What the other reports together say about one attribute; NaN where that is too large to compute. */
function othersExact(tables: LocalTables, release: LocalRelease, secret: number): number {
  if (tables.joint === null) return NaN;
  const { names, minCount } = release;
  const readings = readingsOf(tables, release);
  const order = [names.indexOf(secret), ...names.flatMap((name, k) => (name === secret ? [] : [k]))];
  const joint: Joint = jointOf(tables.joint, names, secret, minCount);
  return jointLeakage(joint, 0, order.map((k) => readings[k] as Reading)) ?? NaN;
}

/** What all reports say about one attribute, its own included; NaN where that is too large to compute. */
function allExact(tables: LocalTables, release: LocalRelease, secret: number, own: number): number {
  const { names, minCount } = release;
  const readings = readingsOf(tables, release);
  const place = names.indexOf(secret);
  if (tables.joint === null || readings[place]?.kind !== "matrix") return own + othersExact(tables, release, secret);
  const order = [place, ...names.flatMap((name, k) => (name === secret ? [] : [k]))];
  return jointWithChannel(jointOf(tables.joint, names, secret, minCount), 0, order.map((k) => readings[k] as Reading)) ?? NaN;
}

/** The bound for all other attributes as one, released with all their budgets. */
function othersBound(tables: LocalTables, { names, minCount }: LocalRelease, secret: number, budget: number): number {
  const rows = rowsOfOthers(tables, names, secret, minCount);
  return rows === null ? NaN : valueOfRows(rows, { kind: "subsets", level: budget, size: 0 });
}

/** Whether one value of an attribute counts: what its own report promises is then a bound, and nothing exact. */
function isConstant(tables: LocalTables, { names, minCount }: LocalRelease, secret: number): boolean {
  return (rowsOfOthers(tables, names, secret, minCount)?.rows.length ?? 2) < 2;
}

export function localTotals(tables: LocalTables, release: LocalRelease, matrix: Float64Array): LocalTotals {
  const { names } = release;
  const n = names.length;
  const own = ownLeakages(tables, release);
  const composition = own.reduce((total, value) => total + value, 0);
  const constant = [...names.keys()].filter((s) => isConstant(tables, release, names[s] as number));
  const column = (s: number): number => names.reduce((total, _, j) => total + (matrix[j * n + s] as number), 0);
  return {
    exact: own.map((value, s) => (constant.includes(s) ? NaN : allExact(tables, release, names[s] as number, value))),
    sum: own.map((value, s) => value + column(s)),
    bound: own.map((value, s) => {
      const rest = own.reduce((total, other, j) => (j === s ? total : total + other), 0);
      return value + othersBound(tables, release, names[s] as number, rest);
    }),
    composition,
    constant,
  };
}

// What all reports together say about one attribute at the budgets of an axis: exact where a page can, else bounded.

/** Budgets, as in Python. */
const BUDGETS = 25;
/** Combinations of outputs at each budget; with more the curve is that of the bound. */
const MOST_OUTPUTS = 4000;

/** The curve that was drawn last, of the tables of a page: a drag moves along it. */
const last = new WeakMap<LocalTables, { key: string; made: ReportsState | null }>();

export function reportsState(tables: LocalTables, release: LocalRelease, secret: number): ReportsState | null {
  const { names, mechanism, output, minCount } = release;
  if (!hasBudget(mechanism.key) || names.length < 2) return null;
  const end = axisEnd(mechanism.epsilon);
  const key = JSON.stringify([names, secret, mechanism.key, mechanism.parameters, output, minCount, end]);
  const known = last.get(tables);
  if (known?.key === key) return known.made;
  const made = published(tables, release, secret, end) ?? curveOf(tables, release, secret, end);
  last.set(tables, { key, made });
  return made;
}

/** What was saved with the page, where it is of the same release but for the budget. */
function published({ saved }: LocalTables, release: LocalRelease, secret: number, end: number): ReportsState | null {
  const before = saved?.reports;
  if (!saved || !before || before.secret !== secret || axisEnd(number(saved.epsilon)) !== end) return null;
  return same(saved, { ...release, mechanism: { ...release.mechanism, epsilon: number(saved.epsilon) } }) ? before : null;
}

function curveOf(tables: LocalTables, release: LocalRelease, secret: number, end: number): ReportsState | null {
  const whole = tables.missing ? completeTables(tables, release.names) : tables;
  if (!whole?.joint) return null;
  // Tables of complete records hold the released attributes alone.
  const names = tables.missing ? release.names.map((_, k) => k) : release.names;
  const place = release.names.indexOf(secret);
  const name = names[place] as number;
  const steps = Array.from({ length: BUDGETS }, (_, k) => ({ ...release, names, mechanism: { ...release.mechanism, epsilon: (end * k) / (BUDGETS - 1) } }));
  const others = names.map((each) => whole.sizes[each] as number);
  const exact = steps.every(
    (step) =>
      jointOutputs(
        others.filter((_, j) => j !== place),
        readingsOf(whole, step).filter((_, j) => j !== place),
      ) <= MOST_OUTPUTS,
  );
  const values = steps.map((step) => {
    const own = ownLeakages(whole, step);
    const mine = own[place] as number;
    if (exact) return mine + othersExact(whole, step, name);
    const all = own.reduce((total, value) => total + value, 0);
    return Math.min(all, mine + othersBound(whole, step, name, all - mine));
  });
  if (values.some(Number.isNaN)) return null;
  return {
    secret,
    epsilon: toBytes(Float64Array.from(steps, (step) => step.mechanism.epsilon)),
    values: toBytes(Float64Array.from(values)),
    exact: exact && !isConstant(whole, { ...release, names }, name),
  };
}

// The largest budget for every attribute that keeps all reports together within a goal, by three ways.

export interface CalibratedBudget {
  key: "spl" | "pairwise" | "joint";
  epsilon: number;
  leak: number;
  exact: boolean;
  safe: boolean;
  error: number | null;
}

export interface Calibration {
  methods: CalibratedBudget[];
  why: string | null;
}

/** Why there is no budget to look for; the same words as in Python. */
function refusal({ key, parameters }: Mechanism, output: Output): string | null {
  const delta = key === "generic" ? (parameters.delta ?? 0) : 0;
  if (delta > 0) {
    return `The mechanism generic has a delta of ${Number(delta.toPrecision(6))}, and a calibration finds budgets ` +
      "without one. Calibrate AnyMechanism(1.0) without it.";
  }
  const jumps = jumpsOf(key);
  if (!jumps.includes(output)) return null;
  const other = jumps.includes("raw") ? "'generic' (AnyMechanism), which bounds what is released" : key;
  const asReleased = output === "inferred" ? ", with output='raw'" : "";
  return `What ${key} leaks does not grow evenly with the budget. Calibrate ${listed(EVEN, "or")}, or ${other}${asReleased}.`;
}

/** The mean chance that a guess is wrong; null where none is defined. */
export function guessError(sizes: readonly number[], mechanism: Mechanism): number | null {
  const errors = sizes.map((k) => {
    const guess = guessOf(mechanism, k);
    return guess ? (k - 1) * guess.other : NaN;
  });
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return Number.isNaN(mean) ? null : mean;
}

export function calibrate(tables: LocalTables, release: LocalRelease, goal: number): Calibration {
  const { names, mechanism, output } = release;
  const n = names.length;
  const sizes = names.map((name) => tables.sizes[name] as number);
  // All reports together are about the records that have every attribute.
  const whole = tables.missing ? completeTables(tables, names) : null;
  const all = whole ?? tables;
  const allNames = whole ? names.map((_, k) => k) : names;
  const together = (made: LocalRelease): LocalRelease => ({ ...made, names: allNames });
  if (!hasBudget(mechanism.key)) return { methods: [], why: `${followsWords(mechanism.key)}; there is none to find.` };
  const at = (epsilon: number): LocalRelease => ({ ...release, mechanism: { ...mechanism, epsilon } });
  const found = (key: CalibratedBudget["key"], epsilon: number, safe: boolean): CalibratedBudget => {
    const made = together(at(epsilon));
    const { exact, bound } = localTotals(all, made, localMatrix(all, made));
    const leaks = exact.map((value, k) => (Number.isNaN(value) ? (bound[k] as number) : value));
    const leak = Math.max(...leaks);
    return { key, epsilon, leak, exact: exact.includes(leak), safe, error: guessError(sizes, made.mechanism) };
  };
  const methods = [found("spl", goal / n, true)];
  const why = refusal(mechanism, output);
  if (why !== null) return { methods, why };
  const columns = (e: number): number => {
    const matrix = localMatrix(all, together(at(e)));
    return e + Math.max(...names.map((_, s) => names.reduce((sum, _name, j) => sum + (matrix[j * n + s] as number), 0)));
  };
  methods.push(found("pairwise", largestBudget(columns, goal, n), false));
  if (all.joint === null) return { methods, why: "All reports together need a kernel: this page has no joint table." };
  const exact = (e: number): number => e + Math.max(...allNames.map((name) => othersExact(all, together(at(e)), name)));
  const bounded = (e: number): number => e + Math.max(...allNames.map((name) => othersBound(all, together(release), name, (n - 1) * e)));
  const counted = !Number.isNaN(exact(1));
  // Reports say more than the guesses that are drawn from them, unless they are the guesses.
  const safe = !counted || output === "raw" || namesSymbol(mechanism.key);
  methods.push(found("joint", largestBudget(counted ? exact : bounded, goal, n), safe));
  return { methods, why: null };
}

/** The largest e up to the goal with loss(e) <= goal, for a loss of slope 1 or more. */
function largestBudget(loss: (e: number) => number, goal: number, n: number): number {
  if (goal === 0 || n === 1 || goal === Infinity || loss(goal) <= goal) return goal;
  let low = goal / n;
  if (loss(low) < goal) low = brent((e) => loss(e) - goal, low, goal, { absolute: 1e-13 * goal, relative: 4 * 2 ** -52, steps: 100 });
  // Going down by what is too much is enough, but for rounding.
  for (let round = 0; round < 50; round++) {
    const over = loss(low) - goal;
    if (!(over > 0)) break;
    low -= Math.max(over, low * 2 ** -52);
  }
  return low;
}
