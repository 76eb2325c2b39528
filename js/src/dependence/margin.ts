/**
 * Tables of some of the tuples, summed out of the joint distribution and carried back, and how they stand in the grid.
 */
import { labelOf, nameOf, type Naming } from "../explorer/words";
import type { Pivot } from "../table/pivot";
import type { TableSpec } from "../ui/protocol";

// Tables of some of the tuples, summed out of the rows of the joint distribution, and edits of them carried back.

/** The joint distribution by the rows that occur. */
export interface Rows {
  /** Rows x tuples: positions of labels. */
  support: Int32Array;
  /** Labels of every tuple. */
  sizes: readonly number[];
}

export interface Margin {
  tuples: number[];
  /** Positions of labels of every cell. */
  cells: number[][];
  /** The cell of every row. */
  cellOf: Int32Array;
  /** 1 where no row has the values of the cell: it cannot be more than 0. */
  absent: Uint8Array;
  /** Every combination of values has a cell, in C order. */
  dense: boolean;
}

function rowCount({ support, sizes }: Rows): number {
  return sizes.length > 0 ? support.length / sizes.length : 0;
}

/** A cell for every combination of the values of a few tuples, in C order. */
export function denseMargin(rows: Rows, tuples: readonly number[]): Margin {
  const { support, sizes } = rows;
  const n = sizes.length;
  const shape = tuples.map((tuple) => sizes[tuple] as number);
  const count = shape.reduce((product, size) => product * size, 1);
  const cellOf = Int32Array.from({ length: rowCount(rows) }, (_, r) =>
    tuples.reduce((at, tuple, k) => at * (shape[k] as number) + (support[r * n + tuple] as number), 0),
  );
  const absent = new Uint8Array(count).fill(1);
  for (const cell of cellOf) absent[cell] = 0;
  const cells = Array.from({ length: count }, (_, cell) => {
    const at = new Array<number>(shape.length);
    for (let k = shape.length - 1, rest = cell; k >= 0; k--) {
      at[k] = rest % (shape[k] as number);
      rest = Math.floor(rest / (shape[k] as number));
    }
    return at;
  });
  return { tuples: [...tuples], cells, cellOf, absent, dense: true };
}

/** A cell for every combination of values that occurs, in the order of the labels. */
export function occurringMargin(rows: Rows, tuples: readonly number[]): Margin {
  const { support, sizes } = rows;
  const n = sizes.length;
  const shape = tuples.map((tuple) => sizes[tuple] as number);
  const keys = Array.from({ length: rowCount(rows) }, (_, r) => tuples.map((tuple) => support[r * n + tuple] as number));
  const words = keys.map((at) => at.join());
  const found = new Map(words.map((word, r) => [word, keys[r] as number[]]));
  const cells = [...found.values()].sort((a, b) => {
    const k = a.findIndex((x, i) => x !== b[i]);
    return k < 0 ? 0 : (a[k] as number) - (b[k] as number);
  });
  const place = new Map(cells.map((at, k) => [at.join(), k]));
  const count = shape.reduce((product, size) => product * size, 1);
  return {
    tuples: [...tuples],
    cells,
    cellOf: Int32Array.from(words, (word) => place.get(word) as number),
    absent: new Uint8Array(cells.length),
    dense: cells.length === count,
  };
}

/** Probability of every cell. */
export function sumsOf({ cellOf, cells }: Margin, probabilities: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(cells.length);
  cellOf.forEach((cell, r) => (sums[cell] = (sums[cell] as number) + (probabilities[r] as number)));
  return sums;
}

/**
 * The rows after an edit of a margin: within a cell the rows keep their proportions, so that everything else given
 * these tuples stays as it was. In a cell that was 0 they get those of the other tuples on their own.
 */
export function carryBack(rows: Rows, margin: Margin, probabilities: Float64Array, next: Float64Array): Float64Array {
  const { cellOf } = margin;
  const before = sumsOf(margin, probabilities);
  const changed = Array.from(next, (value, cell) => !Object.is(value, before[cell]));
  const opened = changed.some((is, cell) => is && before[cell] === 0 && (next[cell] as number) > 0);
  const rest = opened ? restShares(rows, margin, probabilities) : null;
  return probabilities.map((p, r) => {
    const cell = cellOf[r] as number;
    if (!changed[cell]) return p;
    const [old, now] = [before[cell] as number, next[cell] as number];
    return old > 0 ? (p / old) * now : rest ? (rest[r] as number) * now : 0;
  });
}

/** Of every row its share within its cell, if the other tuples were independent of these. */
function restShares({ support, sizes }: Rows, { tuples, cellOf, cells }: Margin, probabilities: Float64Array): Float64Array {
  const n = sizes.length;
  const others = sizes.map((_, k) => k).filter((k) => !tuples.includes(k));
  const words = Array.from(cellOf, (_, r) => others.map((k) => support[r * n + k]).join());
  const weight = new Map<string, number>();
  words.forEach((word, r) => weight.set(word, (weight.get(word) ?? 0) + (probabilities[r] as number)));
  const raw = Float64Array.from(words, (word) => weight.get(word) as number);
  const [totals, counts] = [new Float64Array(cells.length), new Float64Array(cells.length)];
  cellOf.forEach((cell, r) => {
    totals[cell] = (totals[cell] as number) + (raw[r] as number);
    counts[cell] = (counts[cell] as number) + 1;
  });
  return raw.map((value, r) => {
    const cell = cellOf[r] as number;
    const total = totals[cell] as number;
    return total > 0 ? value / total : 1 / (counts[cell] as number);
  });
}

// How the table of a pair or of a block stands in the grid: in rows and columns, or as a list of the rows that occur.

export interface GridSpec {
  spec: TableSpec;
  pivot: Pivot;
  /** One column, one row for each combination of values that occurs. */
  listed: boolean;
}

/** More tuples than this have no room for a heading each. */
const HEADINGS = 4;

const made = new WeakMap<Margin, { naming: Naming; whole: boolean; spec: GridSpec }>();

export function tableSpec(naming: Naming, margin: Margin, whole: boolean): GridSpec {
  const old = made.get(margin);
  if (old && old.naming === naming && old.whole === whole) return old.spec;
  const spec = build(naming, margin, whole);
  made.set(margin, { naming, whole, spec });
  return spec;
}

function build(naming: Naming, { tuples, cells, dense }: Margin, whole: boolean): GridSpec {
  const names = tuples.map((tuple) => naming.names[tuple] ?? "");
  const title = names.map((name) => name || "(no name)").join(", ");
  if (whole && (!dense || tuples.length > HEADINGS)) {
    const head = tuples.map((tuple) => nameOf(naming, tuple, 16)).join(" ");
    const labels = cells.map((at) => at.map((position, k) => labelOf(naming, tuples[k] as number, position, 16)).join(" "));
    return { spec: { title, names: [head], labels: [labels], records: null }, pivot: { rows: [0], columns: [] }, listed: true };
  }
  const places = tuples.map((_, k) => k);
  const last = places.length - 1;
  const pivot = last === 0 ? { rows: [0], columns: [] } : { rows: places.slice(0, last), columns: [last] };
  return { spec: { title, names, labels: tuples.map((tuple) => [...(naming.labels[tuple] ?? [])]), records: null }, pivot, listed: last === 0 };
}
