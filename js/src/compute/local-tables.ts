/**
 * The tables that a page holds of a record's attributes, and what the reports of several attributes together say about
 * a secret.
 */
import type { LocalResults } from "../local/protocol";
import type { Reading } from "./local-mechanisms";
import { logAdd, rowsOf, type Rows } from "./local-pair";

// What the reports of several attributes together say about a secret. Given the secret a report depends on its own
// attribute alone: the table P(sources | secret) is summed over every source with the likelihoods of its report.

export interface Joint {
  shape: readonly number[];
  /** Counts or probabilities, C order over `shape`. */
  cells: Float64Array;
}

/** Combinations of outputs that a page looks at; with more it has no exact number. */
export const MOST_OUTPUTS = 200_000;
/** Where the levels of all reports add up to more, likelihoods could overflow: the sums are taken of their logarithms. */
const LARGEST = 600;

/** The sets that a report can favour: one row for each, which symbols are in it. */
function setsOf({ kind, size }: Reading, t: number): boolean[][] {
  const flags = Array.from({ length: t }, (_, u) => u);
  if (kind === "singletons") return flags.map((u) => flags.map((v) => v === u));
  const found: boolean[][] = [];
  const choose = (from: number, chosen: number[]): void => {
    if (chosen.length === size) found.push(flags.map((u) => chosen.includes(u)));
    else for (let u = from; u < t; u++) choose(u + 1, [...chosen, u]);
  };
  if (kind === "exactly") choose(0, []);
  else for (let set = 1; set < 2 ** t - 1; set++) found.push(flags.map((u) => ((set >> u) & 1) === 1));
  return found;
}

function directions({ kind, size, matrix }: Reading, t: number): number {
  if (kind === "matrix") return matrix?.[0]?.length ?? 0;
  if (kind === "singletons") return t;
  if (kind === "subsets") return 2 ** t - 2;
  let count = 1;
  for (let k = 0; k < size; k++) count = (count * (t - k)) / (k + 1);
  return count;
}

/** How many combinations of outputs there are, if every symbol occurs. */
export function jointOutputs(sizes: readonly number[], readings: readonly Reading[]): number {
  return sizes.reduce((product, t, j) => (t < 2 ? product : product * directions(readings[j] as Reading, t)), 1);
}

/** The secret first: P(all else | secret) for the values of it that occur, one row each. */
function given({ shape, cells }: Joint, secret: number): Float64Array[] {
  const inner = shape.slice(secret + 1).reduce((size, m) => size * m, 1);
  const m = shape[secret] as number;
  const rows = Array.from({ length: m }, () => [] as number[]);
  for (let k = 0; k < cells.length; k++) (rows[Math.floor(k / inner) % m] as number[]).push(cells[k] as number);
  return rows.flatMap((row) => {
    const total = row.reduce((sum, p) => sum + p, 0);
    return total > 0 ? [Float64Array.from(row, (p) => p / total)] : [];
  });
}

/**
 * The largest log ratio over all outputs of the other attributes and all pairs of values of the secret; null where there
 * are too many outputs. `readings` has one entry for each attribute.
 */
export function jointLeakage(joint: Joint, secret: number, readings: readonly Reading[]): number | null {
  const logs = jointLogs(joint, secret, readings);
  return logs && widest(logs);
}

/**
 * What all reports say about a secret that a channel releases: its own report and the others favour one pair of its
 * values at a time.
 */
export function jointWithChannel(joint: Joint, secret: number, readings: readonly Reading[]): number | null {
  const logs = jointLogs(joint, secret, readings);
  if (logs === null) return null;
  const inner = joint.shape.slice(secret + 1).reduce((size, m) => size * m, 1);
  const m = joint.shape[secret] as number;
  const seen = Array.from({ length: m }, (_, x) => joint.cells.some((cell, k) => cell > 0 && Math.floor(k / inner) % m === x));
  const own = (readings[secret]?.matrix ?? []).filter((_, x) => seen[x]).map((row) => row.map(Math.log));
  // What neither value leads to says nothing.
  const apart = (a: ArrayLike<number>, b: ArrayLike<number>, least: number): number =>
    Array.from(a).reduce((most, value, k) => {
      const gap = value - (b[k] as number);
      return Number.isNaN(gap) ? most : Math.max(most, gap);
    }, least);
  let best = 0;
  for (const [x, upper] of own.entries()) {
    for (const [other, lower] of own.entries()) {
      if (x === other) continue;
      const rest = logs.length > 0 ? apart(logs[x] as Float64Array, logs[other] as Float64Array, 0) : 0;
      best = Math.max(best, apart(upper, lower, -Infinity) + rest);
    }
  }
  return best;
}

/** Logarithms of the likelihoods of the others' outputs, a row for each value of the secret; none where nothing is told. */
function jointLogs(joint: Joint, secret: number, readings: readonly Reading[]): Float64Array[] | null {
  let rows = given(joint, secret);
  if (rows.length < 2) return [];
  const others = readings.filter((_, j) => j !== secret);
  let sizes = joint.shape.filter((_, j) => j !== secret);
  // A report that says nothing is summed out; symbols that never occur matter to sets of one size alone.
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const reading = others[axis] as Reading;
    const seen = symbolsSeen(rows, sizes, axis);
    if (reading.level === 0 || seen.length < 2) {
      rows = rows.map((row) => taken(row, sizes, axis, [Array.from({ length: sizes[axis] as number }, () => 1)]));
      sizes = sizes.filter((_, j) => j !== axis);
      others.splice(axis, 1);
    } else if (reading.kind !== "exactly" && reading.kind !== "matrix" && seen.length < (sizes[axis] as number)) {
      const units = seen.map((v) => Array.from({ length: sizes[axis] as number }, (_, u) => (u === v ? 1 : 0)));
      rows = rows.map((row) => taken(row, sizes, axis, units));
      sizes = sizes.map((size, j) => (j === axis ? seen.length : size));
    }
  }
  if (others.length === 0) return [];
  const outputs = others.reduce((product, reading, j) => product * directions(reading, sizes[j] as number), 1);
  if (outputs > MOST_OUTPUTS) return null;
  // The level of a channel is infinite, so that one is in logarithms too.
  const inLogs = others.reduce((sum, { level }) => sum + level, 0) > LARGEST;
  return inLogs ? logLikelihoods(rows, sizes, others) : likelihoods(rows, sizes, others);
}

/** Logarithms of the likelihoods of all outputs over their least possible values, one row for each value of the secret. */
function likelihoods(rows: Float64Array[], sizes: readonly number[], others: readonly Reading[]): Float64Array[] {
  // A likelihood is 1 + excess: the excess is kept by itself, so that tiny budgets lose no digits.
  let plain = rows;
  let excess = rows.map((row) => new Float64Array(row.length));
  const made = [...sizes];
  others.forEach((reading, axis) => {
    const gain = Math.expm1(reading.level);
    const sets = setsOf(reading, made[axis] as number).map((set) => set.map((inside) => (inside ? gain : 0)));
    const ones = sets.map((set) => set.map(() => 1));
    const both = plain.map((row, x) => row.map((p, k) => p + ((excess[x] as Float64Array)[k] as number)));
    const more = both.map((row) => taken(row, made, axis, sets));
    excess = excess.map((row, x) => taken(row, made, axis, ones).map((rest, k) => rest + ((more[x] as Float64Array)[k] as number)));
    plain = plain.map((row) => taken(row, made, axis, ones));
    made[axis] = sets.length;
  });
  return excess.map((row) => row.map(Math.log1p));
}

/** The same, each divided by the largest of its report. */
function logLikelihoods(rows: Float64Array[], sizes: readonly number[], others: readonly Reading[]): Float64Array[] {
  let logs = rows.map((row) => row.map(Math.log));
  const made = [...sizes];
  others.forEach((reading, axis) => {
    const t = made[axis] as number;
    const weights = logWeights(reading, t);
    const inner = made.slice(axis + 1).reduce((size, m) => size * m, 1);
    logs = logs.map((row) => {
      const next = new Float64Array((row.length / t) * weights.length).fill(-Infinity);
      for (let k = 0; k < next.length; k++) {
        const [outer, report, rest] = [Math.floor(k / (weights.length * inner)), Math.floor(k / inner) % weights.length, k % inner];
        for (let u = 0; u < t; u++) {
          const term = (row[(outer * t + u) * inner + rest] as number) + (weights[report]?.[u] as number);
          next[k] = logAdd(next[k] as number, term);
        }
      }
      return next;
    });
    made[axis] = weights.length;
  });
  return logs;
}

/** Logarithms of how likely each symbol makes each report, a row for each report. */
function logWeights(reading: Reading, t: number): number[][] {
  const { matrix, level } = reading;
  if (matrix) return (matrix[0] ?? []).map((_, output) => matrix.map((row) => Math.log(row[output] as number)));
  return setsOf(reading, t).map((set) => set.map((inside) => (inside ? 0 : -level)));
}

function widest(logs: readonly Float64Array[]): number {
  let best = 0;
  if (logs.length === 0) return best;
  for (let k = 0; k < (logs[0] as Float64Array).length; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (const row of logs) {
      low = Math.min(low, row[k] as number);
      high = Math.max(high, row[k] as number);
    }
    // What no secret value leads to says nothing.
    if (high > -Infinity) best = Math.max(best, high - low);
  }
  return best;
}

function symbolsSeen(rows: readonly Float64Array[], sizes: readonly number[], axis: number): number[] {
  const t = sizes[axis] as number;
  const unit = (v: number): number[] => Array.from({ length: t }, (_, u) => (u === v ? 1 : 0));
  return Array.from({ length: t }, (_, v) => v).filter((v) => rows.some((row) => taken(row, sizes, axis, [unit(v)]).some((p) => p > 0)));
}

/** Replaces an axis by one entry for each list of weights: the sum over its symbols with them. */
function taken(row: Float64Array, sizes: readonly number[], axis: number, weights: readonly (readonly number[])[]): Float64Array {
  const t = sizes[axis] as number;
  const inner = sizes.slice(axis + 1).reduce((size, m) => size * m, 1);
  const outer = row.length / (t * inner);
  const made = new Float64Array(outer * weights.length * inner);
  for (let o = 0; o < outer; o++) {
    weights.forEach((weight, w) => {
      const place = (o * weights.length + w) * inner;
      for (let u = 0; u < t; u++) {
        const factor = weight[u] as number;
        if (factor === 0) continue;
        const source = (o * t + u) * inner;
        for (let k = 0; k < inner; k++) made[place + k] = (made[place + k] as number) + factor * (row[source + k] as number);
      }
    });
  }
  return made;
}

// The tables of every two attributes, and the joint table of all, as a page holds them.

/** The largest that Python embeds: tests/data/page-limits.json, for both sides. */
export const LIMITS = { attributes: 12, labels: 200 };

export interface LocalTables {
  /** Labels of every attribute. */
  sizes: readonly number[];
  /** Symmetric over all labels of all attributes; a block for every two of them. */
  blocks: Float64Array;
  joint: Joint | null;
  /** The numbers are records. */
  counted: boolean;
  /** Records of which some values are missing: every table is one of others. */
  missing: boolean;
  /** Then all records, with one more position, the last, where a value of an attribute is missing; null where large. */
  gaps?: Joint | null;
  /** What was published with them: of the same release it has numbers that tables of two do not tell. */
  saved?: LocalResults | null;
  /** Rows that were read; their points are found once. */
  read: Map<string, Rows>;
}

/** The table of a secret, on rows, and a source. */
export function tableOf({ sizes, blocks }: LocalTables, source: number, secret: number): Float64Array {
  const start = (attribute: number): number => sizes.slice(0, attribute).reduce((sum, size) => sum + size, 0);
  const total = start(sizes.length);
  const [row, column, t] = [start(secret), start(source), sizes[source] as number];
  return Float64Array.from({ length: (sizes[secret] as number) * t }, (_, k) => blocks[(row + Math.floor(k / t)) * total + column + (k % t)] as number);
}

/** Records or probabilities of the labels of one attribute. */
export function countsOf(tables: LocalTables, attribute: number): Float64Array {
  const k = tables.sizes[attribute] as number;
  const own = tableOf(tables, attribute, attribute);
  return Float64Array.from({ length: k }, (_, label) => own[label * (k + 1)] as number);
}

export function rowsOfPair(tables: LocalTables, source: number, secret: number, minCount: number): Rows {
  const key = `${source}/${secret}/${minCount}`;
  const known = tables.read.get(key);
  if (known) return known;
  const made = rowsOf(tableOf(tables, source, secret), tables.sizes[source] as number, minCount);
  tables.read.set(key, made);
  return made;
}

/** The joint table of some attributes with the secret first; values of it with fewer records become impossible. */
export function jointOf(joint: Joint, attributes: readonly number[], secret: number, minCount: number): Joint {
  const order = [secret, ...attributes.filter((attribute) => attribute !== secret)];
  const shape = order.map((attribute) => joint.shape[attribute] as number);
  const cells = new Float64Array(shape.reduce((size, m) => size * m, 1));
  const strides = shape.map((_, j) => shape.slice(j + 1).reduce((size, m) => size * m, 1));
  const steps = joint.shape.map((_, attribute) => {
    const place = order.indexOf(attribute);
    return place < 0 ? 0 : (strides[place] as number);
  });
  const index = joint.shape.map(() => 0);
  for (let k = 0; k < joint.cells.length; k++) {
    const at = index.reduce((sum, value, j) => sum + value * (steps[j] as number), 0);
    cells[at] = (cells[at] as number) + (joint.cells[k] as number);
    for (let j = index.length - 1; j >= 0; j--) {
      index[j] = (index[j] as number) + 1;
      if ((index[j] as number) < (joint.shape[j] as number)) break;
      index[j] = 0;
    }
  }
  if (minCount > 0) {
    const inner = strides[0] as number;
    for (let x = 0; x < (shape[0] as number); x++) {
      const row = cells.subarray(x * inner, (x + 1) * inner);
      if (row.reduce((sum, count) => sum + count, 0) < minCount) row.fill(0);
    }
  }
  return { shape, cells };
}

const complete = new WeakMap<Map<string, Rows>, Map<string, LocalTables>>();

/**
 * The tables of the records that have all of some attributes, which stand at 0, 1, ... there; null where a page does
 * not know which they are.
 */
export function completeTables({ sizes, gaps, counted, read }: LocalTables, attributes: readonly number[]): LocalTables | null {
  if (!gaps) return null;
  const made = complete.get(read) ?? new Map<string, LocalTables>();
  complete.set(read, made);
  const key = attributes.join();
  const known = made.get(key);
  if (known) return known;
  const shape = attributes.map((attribute) => sizes[attribute] as number);
  const starts = shape.map((_, j) => shape.slice(0, j).reduce((sum, size) => sum + size, 0));
  const total = shape.reduce((sum, size) => sum + size, 0);
  const cells = new Float64Array(shape.reduce((size, m) => size * m, 1));
  const blocks = new Float64Array(total * total);
  const index = gaps.shape.map(() => 0);
  for (const count of gaps.cells) {
    const labels = attributes.map((attribute) => index[attribute] as number);
    if (count > 0 && labels.every((label, j) => label < (shape[j] as number))) {
      const at = labels.reduce((place, label, j) => place * (shape[j] as number) + label, 0);
      cells[at] = (cells[at] as number) + count;
      const places = labels.map((label, j) => (starts[j] as number) + label);
      for (const row of places) for (const column of places) blocks[row * total + column] = (blocks[row * total + column] as number) + count;
    }
    for (let j = index.length - 1; j >= 0; j--) {
      index[j] = (index[j] as number) + 1;
      if ((index[j] as number) < (gaps.shape[j] as number)) break;
      index[j] = 0;
    }
  }
  const found: LocalTables = { sizes: shape, blocks, joint: { shape, cells }, counted, missing: false, read: new Map() };
  made.set(key, found);
  return found;
}

/** All other attributes as one: a symbol for each combination that occurs. */
export function rowsOfOthers(tables: LocalTables, attributes: readonly number[], secret: number, minCount: number): Rows | null {
  if (tables.joint === null) return null;
  const key = `others ${attributes.join()}/${secret}/${minCount}`;
  const known = tables.read.get(key);
  if (known) return known;
  const { shape, cells } = jointOf(tables.joint, attributes, secret, minCount);
  const m = shape[0] as number;
  const width = cells.length / m;
  const seen = Array.from({ length: width }, (_, u) => u).filter((u) =>
    Array.from({ length: m }, (_, x) => x).some((x) => (cells[x * width + u] as number) > 0),
  );
  const kept = Float64Array.from(
    { length: m * seen.length },
    (_, k) => cells[Math.floor(k / seen.length) * width + (seen[k % seen.length] as number)] as number,
  );
  const made = rowsOf(kept, seen.length);
  tables.read.set(key, made);
  return made;
}
