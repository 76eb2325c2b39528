/** Equivalence classes: how Mondrian cuts them, who shares which published ranges, and what their members share. */
import type { ClassState } from "../anonymity/protocol";
import { fixed } from "../ui/format";
import { publishedRows, valueText, type Column, type Table } from "./anonymity-release";

// Strict Mondrian on numeric columns: parts are split at medians while both halves keep at least k records.

/** Groups of rows, each ascending, in lexicographic order; `columns` hold one number for each row of the table, all finite. */
export function mondrian(columns: readonly Float64Array[], rows: readonly number[], k: number): number[][] {
  const spans = columns.map((column) => spanOf(column, rows));
  const groups: number[][] = [];
  const open: number[][] = [[...rows].sort((a, b) => a - b)];
  for (let part = open.pop(); part; part = open.pop()) {
    const halves = split(columns, spans, part, k);
    if (halves) open.push(...halves);
    else groups.push(part);
  }
  // Groups share no row: their first rows order them.
  return groups.sort((a, b) => (a[0] as number) - (b[0] as number));
}

function spanOf(column: Float64Array, rows: readonly number[]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    const value = column[row] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return rows.length > 0 ? high - low : 0;
}

function split(columns: readonly Float64Array[], spans: readonly number[], part: number[], k: number): [number[], number[]] | null {
  // Fewer cannot make two halves of k.
  if (part.length < 2 * k) return null;
  const wide = columns.map((column, j) => ((spans[j] as number) > 0 ? spanOf(column, part) / (spans[j] as number) : -1));
  const order = wide.map((_, j) => j).filter((j) => (spans[j] as number) > 0);
  order.sort((a, b) => (wide[b] as number) - (wide[a] as number) || a - b);
  for (const j of order) {
    const column = columns[j] as Float64Array;
    const middle = median(column, part);
    const left: number[] = [];
    const right: number[] = [];
    for (const row of part) ((column[row] as number) < middle ? left : right).push(row);
    if (left.length >= k && right.length >= k) return [left, right];
  }
  return null;
}

/** The middle value, or the mean of the two in the middle. */
function median(column: Float64Array, part: readonly number[]): number {
  const sorted = Float64Array.from(part, (row) => column[row] as number).sort();
  const half = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[half] as number;
  return ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

// Equivalence classes: who shares which published ranges, their colours, and what their members share.

export interface EquivalenceClass {
  /** Rows of the table, ascending. */
  rows: number[];
  /** Lowest and highest value of every quasi-identifier. */
  ranges: [number, number][];
}

export interface Classes {
  /** Rows that are published. */
  rows: number[];
  suppressed: number;
  classes: EquivalenceClass[];
}

/** Classes that are listed, and rows named in each. */
export const LISTED = 200;
export const NAMED = 12;
const COLOURS = 4;

/** null where fewer than k records are left to be published. */
export function classesOf(table: Table, quasi: readonly number[], k: number): Classes | null {
  const { rows, suppressed } = publishedRows(table, quasi);
  if (rows.length < k) return null;
  const columns = quasi.map((j) => (table.columns[j] as Column).values);
  const classes = mondrian(columns, rows, k).map((group): EquivalenceClass => ({ rows: group, ranges: columns.map((column) => ends(column, group)) }));
  classes.sort(inOrder);
  return { rows, suppressed, classes };
}

function ends(column: Float64Array, rows: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    low = Math.min(low, column[row] as number);
    high = Math.max(high, column[row] as number);
  }
  return [low, high];
}

/** By the lower ends of the ranges, then by the first row. */
function inOrder(a: EquivalenceClass, b: EquivalenceClass): number {
  for (let j = 0; j < a.ranges.length; j++) {
    const apart = (a.ranges[j] as [number, number])[0] - (b.ranges[j] as [number, number])[0];
    if (apart !== 0) return apart;
  }
  return (a.rows[0] as number) - (b.rows[0] as number);
}

/** "A" to "Z", "AA" and so on. */
export function letterOf(position: number): string {
  let text = "";
  for (let n = position + 1; n > 0; n = Math.floor((n - 1) / 26)) text = String.fromCharCode(65 + ((n - 1) % 26)) + text;
  return text;
}

/** What is published of one column of a class: a range, or the labels that occur where their order means nothing. */
export function rangeText(column: Column, rows: readonly number[], [low, high]: readonly [number, number]): string {
  const [from, to] = [valueText(column, low), valueText(column, high)];
  if (low === high) return from;
  if (column.labels === null) return `${from}${low >= 0 ? "–" : " to "}${to}`;
  // A label may have "to" in it, as "$3k to $5k".
  if (column.ordered) return `${from} – ${to}`;
  const found = [...new Set(rows.map((row) => column.values[row] as number))].sort((a, b) => a - b);
  return found.map((value) => valueText(column, value)).join(", ");
}

type Box = [number, number, number, number];

function boxOf({ ranges }: EquivalenceClass, drawn: readonly [number, number | null]): Box | null {
  const [first, second] = drawn;
  const x = ranges[first];
  if (!x) return null;
  const y = second === null ? undefined : ranges[second];
  return [x[0], x[1], y?.[0] ?? 0, y?.[1] ?? 0];
}

/** Boxes are near that are no farther apart than this share of all, in both directions. */
const NEAR = 0.06;

/** Class k takes the first of k, k + 1, k + 2 and k + 3 (modulo 4) that no earlier class near it has; else k modulo 4. */
export function coloursOf(boxes: readonly (Box | null)[]): number[] {
  const drawn = boxes.filter((box): box is Box => box !== null);
  const extent = (low: 0 | 2): number => NEAR * (Math.max(...drawn.map((box) => box[(low + 1) as 1 | 3])) - Math.min(...drawn.map((box) => box[low])));
  const [x, y] = drawn.length > 0 ? [extent(0), extent(2)] : [0, 0];
  const out: number[] = [];
  boxes.slice(0, LISTED).forEach((box, k) => {
    const taken = new Set<number>();
    if (box) boxes.slice(0, k).forEach((other, i) => other && near(box, other, x, y) && taken.add(out[i] as number));
    const free = Array.from({ length: COLOURS }, (_, step) => (k + step) % COLOURS).find((colour) => !taken.has(colour));
    out.push(free ?? k % COLOURS);
  });
  return out;
}

function near(a: Box, b: Box, x: number, y: number): boolean {
  return a[0] <= b[1] + x && b[0] <= a[1] + x && a[2] <= b[3] + y && b[2] <= a[3] + y;
}

/** The secret of the members: how often each value stands there. */
export function secretCounts({ values }: Column, rows: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(values[row] as number, (counts.get(values[row] as number) ?? 0) + 1);
  return counts;
}

/** Of no value at all nothing is known. */
function knownValues(counts: Map<number, number>): number {
  return counts.size - (counts.has(NaN) ? 1 : 0);
}

/** What the members share, and whether all have one value. */
function sharedOf(secret: Column | null, counted: number | null, rows: readonly number[]): { shared: string; one: boolean } {
  if (!secret) return { shared: "", one: false };
  const counts = secretCounts(secret, rows);
  const only = [...counts.keys()][0];
  if (counts.size === 1 && only !== undefined && !Number.isNaN(only)) return { shared: `all ${valueText(secret, only)}`, one: true };
  if (counted !== null) return { shared: `${fixed(counts.get(counted) ?? 0, 0)} ${valueText(secret, counted)}`, one: false };
  const known = knownValues(counts);
  return { shared: `${fixed(known, 0)} value${known === 1 ? "" : "s"}`, one: false };
}

/** As they travel; the first ones, but colours are chosen among all. */
export function classStates(
  table: Table,
  { classes }: Classes,
  quasi: readonly number[],
  drawn: readonly [number, number | null],
  secret: Column | null,
  counted: number | null,
): ClassState[] {
  const places: [number, number | null] = [quasi.indexOf(drawn[0]), drawn[1] === null ? null : quasi.indexOf(drawn[1])];
  const boxes = classes.map((one) => boxOf(one, places));
  const colours = coloursOf(boxes);
  return classes.slice(0, LISTED).map((one, k) => ({
    letter: letterOf(k),
    rows: one.rows.slice(0, NAMED),
    colour: colours[k] as number,
    ranges: one.ranges.map((range, j) => rangeText(table.columns[quasi[j] as number] as Column, one.rows, range)),
    size: one.rows.length,
    box: boxes[k] as Box | null,
    ...sharedOf(secret, counted, one.rows),
  }));
}

/** Classes in which everybody has the same secret. */
export function singleValued({ classes }: Classes, secret: Column): number {
  return classes.filter(({ rows }) => sharedOf(secret, null, rows).one).length;
}

/** Distinct l-diversity: the least number of different secrets in a class with any; null where none is known. */
export function diversityOf({ classes }: Classes, secret: Column): number | null {
  const found = classes.map(({ rows }) => knownValues(secretCounts(secret, rows))).filter((count) => count > 0);
  return found.length > 0 ? Math.min(...found) : null;
}

/** t-closeness: how far the secrets of a class are from those of all, at most; ordered values by how far they move. */
export function closenessOf({ classes, rows }: Classes, secret: Column): number | null {
  const { ordered } = secret;
  const values = [...secretCounts(secret, rows).keys()].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (values.length < 2) return values.length === 0 ? null : 0;
  const shares = (members: readonly number[]): number[] | null => {
    const counts = secretCounts(secret, members);
    const all = values.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0);
    return all === 0 ? null : values.map((value) => (counts.get(value) ?? 0) / all);
  };
  const whole = shares(rows) as number[];
  return Math.max(
    ...classes.map((one) => {
      let [total, sum] = [0, 0];
      // A class without a value is far from nothing.
      shares(one.rows)?.forEach((p, k) => {
        const apart = p - (whole[k] as number);
        sum += apart;
        total += Math.abs(ordered ? sum : apart);
      });
      return ordered ? total / (values.length - 1) : total / 2;
    }),
  );
}
