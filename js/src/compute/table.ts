/** Tables of numbers with one axis for each tuple, and what makes one a table of probabilities. */
import type { TableSpec } from "../ui/protocol";
import { general, InputFault, placeOf } from "./faults";

// Tables of numbers with one axis for each tuple, flat in C order: the last axis runs fastest.

export interface Table {
  /** Number of labels of every tuple. */
  shape: readonly number[];
  entries: Float64Array;
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, d) => size * d, 1);
}

/** How far apart neighbours along each axis lie. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1);
  for (let j = shape.length - 2; j >= 0; j--) strides[j] = (strides[j + 1] as number) * (shape[j + 1] as number);
  return strides;
}

/** Number of the cell at some label positions. */
export function cellAt(shape: readonly number[], index: readonly number[]): number {
  return index.reduce((cell, p, j) => cell * (shape[j] as number) + p, 0);
}

/** Label positions of a cell. */
export function indexOf(shape: readonly number[], cell: number): number[] {
  return stridesOf(shape).map((stride, j) => Math.floor(cell / stride) % (shape[j] as number));
}

/** Where the slices begin that are left when some axes are taken out, in C order of the other axes. */
export function starts(shape: readonly number[], without: readonly number[]): Int32Array {
  const strides = stridesOf(shape);
  let found = Int32Array.of(0);
  shape.forEach((d, j) => {
    if (without.includes(j)) return;
    const next = new Int32Array(found.length * d);
    found.forEach((at, k) => {
      for (let v = 0; v < d; v++) next[k * d + v] = at + v * (strides[j] as number);
    });
    found = next;
  });
  return found;
}

/** The cells that agree with known label positions, by tuple; the other axes stay in their order. Not rescaled. */
export function sliced({ shape, entries }: Table, known: ReadonlyMap<number, number>): Table {
  const strides = stridesOf(shape);
  let start = 0;
  known.forEach((p, j) => (start += p * (strides[j] as number)));
  const kept = shape.filter((_, j) => !known.has(j));
  const cells = starts(shape, [...known.keys()]);
  return { shape: kept, entries: Float64Array.from(cells, (at) => entries[start + at] as number) };
}

/** Sums out all axes but some; these stay in increasing order. */
export function marginal({ shape, entries }: Table, kept: readonly number[]): Table {
  const left = shape.filter((_, j) => kept.includes(j));
  const gone = shape.map((_, j) => j).filter((j) => !kept.includes(j));
  const inside = starts(shape, kept);
  const made = new Float64Array(sizeOf(left));
  starts(shape, gone).forEach((at, cell) => {
    made[cell] = total(Float64Array.from(inside, (step) => entries[at + step] as number));
  });
  return { shape: left, entries: made };
}

/** Rescales to sum 1; the largest entry is divided out first, since all may be as small as the smallest float. */
export function normalised({ shape, entries }: Table): Table {
  const largest = entries.reduce((a, b) => Math.max(a, b), 0);
  const scaled = entries.map((p) => p / largest);
  const sum = total(scaled);
  return { shape, entries: scaled.map((p) => p / sum) };
}

/** The distribution of the other tuples when some are known. */
export function conditional(table: Table, known: ReadonlyMap<number, number>): Table {
  return normalised(sliced(table, known));
}

/**
 * Sum of numbers in the order in which numpy adds them, so that a sum in a message has the same last digits:
 * eight at a time up to 128 numbers, longer rows in halves.
 */
export function total(values: Float64Array, from = 0, count = values.length): number {
  if (count < 8) {
    let sum = 0;
    for (let k = from; k < from + count; k++) sum += values[k] as number;
    return sum;
  }
  if (count > 128) {
    const half = (count >> 1) - ((count >> 1) % 8);
    return total(values, from, half) + total(values, from + half, count - half);
  }
  const parts = values.slice(from, from + 8);
  const whole = count - (count % 8);
  for (let k = 8; k < whole; k++) parts[k % 8] = (parts[k % 8] as number) + (values[from + k] as number);
  const [a, b, c, d, e, f, g, h] = parts as unknown as [number, number, number, number, number, number, number, number];
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let k = whole; k < count; k++) sum += values[from + k] as number;
  return sum;
}

// What makes an array of entries a table of probabilities, and the faults it can have.

const SUM_TOLERANCE = 1e-9;

/** The first fault of some entries, or null. */
export function tableFault(entries: Float64Array, spec: TableSpec): InputFault | null {
  return (
    firstEntry(entries, spec, (p) => !Number.isFinite(p), "must be a finite number") ??
    firstEntry(entries, spec, (p) => p < 0, "must not be negative") ??
    sumFault(entries, total(entries))
  );
}

function firstEntry(entries: Float64Array, spec: TableSpec, bad: (p: number) => boolean, demand: string): InputFault | null {
  const cell = entries.findIndex(bad);
  if (cell < 0) return null;
  const index = indexOf(spec.labels.map((labels) => labels.length), cell);
  return new InputFault(
    `The probability of (${placeOf(spec, index)}) is ${general(entries[cell] as number)}; it ${demand}.`,
    { kind: "cell", index },
  );
}

function sumFault(entries: Float64Array, sum: number): InputFault | null {
  if (Math.abs(sum - 1) <= SUM_TOLERANCE) return null;
  const counted = sum > 1 && entries.every(Number.isInteger);
  const instead = counted ? "from_counts takes counts of records" : "normalised divides weights by their sum";
  return new InputFault(`The probabilities sum to ${general(sum)}; they must sum to 1 within 1e-09. JointDistribution.${instead}.`, { kind: "table" });
}

export function impossibleRow(spec: TableSpec, row: readonly number[]): InputFault {
  return new InputFault(`The row ${placeOf(spec, row)} has probability 0; choose other known values.`, { kind: "row", index: [...row] });
}
