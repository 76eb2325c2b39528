/** What all reports of a record together say about each attribute: exact, bounded, and added up as printed. */
import { jointLeakage, type Joint } from "./local-joint";
import { ownLeakage, readingOf, type Mechanism, type Output, type Reading } from "./local-mechanisms";
import { valueOfRows } from "./local-pair";
import { jointOf, rowsOfOthers, rowsOfPair, type LocalTables } from "./local-tables";

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
    const reading = readingOf(mechanism, tables.sizes[name] as number, output);
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
  return Float64Array.from(names, (name) => ownLeakage(mechanism, tables.sizes[name] as number, output));
}

/** What the other reports together say about one attribute; NaN where that is too large to compute. */
export function othersExact(tables: LocalTables, release: LocalRelease, secret: number): number {
  if (tables.joint === null) return NaN;
  const { names, minCount } = release;
  const readings = readingsOf(tables, release);
  const order = [names.indexOf(secret), ...names.flatMap((name, k) => (name === secret ? [] : [k]))];
  const joint: Joint = jointOf(tables.joint, names, secret, minCount);
  return jointLeakage(joint, 0, order.map((k) => readings[k] as Reading)) ?? NaN;
}

/** The bound for all other attributes as one, released with all their budgets. */
export function othersBound(tables: LocalTables, { names, minCount }: LocalRelease, secret: number, budget: number): number {
  const rows = rowsOfOthers(tables, names, secret, minCount);
  return rows === null ? NaN : valueOfRows(rows, { kind: "subsets", level: budget, size: 0 });
}

/** Whether one value of an attribute counts: what its own report promises is then a bound, and nothing exact. */
export function isConstant(tables: LocalTables, { names, minCount }: LocalRelease, secret: number): boolean {
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
    exact: own.map((value, s) => (constant.includes(s) ? NaN : value + othersExact(tables, release, names[s] as number))),
    sum: own.map((value, s) => value + column(s)),
    bound: own.map((value, s) => {
      const rest = own.reduce((total, other, j) => (j === s ? total : total + other), 0);
      return value + othersBound(tables, release, names[s] as number, rest);
    }),
    composition,
    constant,
  };
}
