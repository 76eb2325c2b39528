/** The tables of every two attributes, and the joint table of all, as a page holds them. */
import { rowsOf, type Rows } from "./local-rows";
import type { LocalResults } from "../local/protocol";
import type { Joint } from "./local-joint";

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
