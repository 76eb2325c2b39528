/** Dependent tuples by the rows of their joint distribution, and the queries that a page can ask of them. */
import type { ModelState, TupleState } from "../dependence/protocol";
import type { Bytes } from "../ui/protocol";
import { floats, integers } from "../ui/wire";

/** A query as Python embeds it: what the values contribute, all values side by side, or an output for every row. */
export interface EmbeddedQuery {
  key: string;
  label: string;
  /** Opens a clause: "the noisy sum". */
  subject: string;
  /** It stands in the menu; others can stand in the control, and are gone once another is picked. */
  listed: boolean;
  kind: "linear" | "identity" | "table";
  /** float64: contributions of all values, tuple after tuple; or outputs, row after row. */
  numbers: Bytes | null;
  /** Numbers of one output of a table. */
  width: number;
  /** float64: the largest change when one tuple changes; of tables, where it takes all rows to tell. */
  sensitivities: Bytes | null;
}

/** What the view does not say of a table. */
export interface EmbeddedTable {
  title: string;
  /** What one tuple is called. */
  noun: string;
  /** float64 of every tuple, values x coordinates; null where a value is text. */
  points: (Bytes | null)[];
  /** Values as a message names them; null where rows are named by number. */
  said: string[][] | null;
  queries: EmbeddedQuery[];
}

/** A table that the view does not show. */
export interface EmbeddedWhole extends EmbeddedTable {
  tuples: TupleState[];
  support: Bytes;
  probabilities: Bytes;
  note: string;
}

/** Points of equally many coordinates, one behind the other. */
export interface Points {
  width: number;
  at: Float64Array;
}

export interface DependentTable {
  title: string;
  noun: string;
  tuples: readonly TupleState[];
  sizes: readonly number[];
  rows: number;
  /** Positions of values, rows x tuples. */
  codes: Int32Array;
  /** Probabilities as given. */
  given: Float64Array;
  points: readonly (Points | null)[];
  said: readonly (readonly string[])[] | null;
  note: string;
  queries: readonly DependentQuery[];
}

export interface DependentQuery {
  key: string;
  label: string;
  subject: string;
  listed: boolean;
  /** Values add up, or stand side by side. */
  additive: boolean;
  /** Numbers of one output. */
  width: number;
  /** Rows x width. */
  outputs: Float64Array;
  /** Largest change of the output when one tuple changes. */
  sensitivities: Float64Array;
  /** Values of every tuple as they enter the output. */
  reach: readonly Points[];
}

/** The table that stands in a view. */
export function shownTable(model: ModelState, embedded: EmbeddedTable): DependentTable {
  return tableOf({ ...embedded, tuples: model.tuples, support: model.support, probabilities: model.loaded, note: "" });
}

export function tableOf(whole: EmbeddedWhole): DependentTable {
  const sizes = whole.tuples.map(({ labels }) => labels.length);
  const given = floats(whole.probabilities);
  const points = whole.points.map((bytes, j) => (bytes === null ? null : pointsOf(floats(bytes), sizes[j] as number)));
  const table = {
    title: whole.title,
    noun: whole.noun,
    tuples: whole.tuples,
    sizes,
    rows: given.length,
    codes: integers(whole.support),
    given,
    points,
    said: whole.said,
    note: whole.note,
  };
  return { ...table, queries: whole.queries.map((query) => queryOf(query, table)) };
}

function pointsOf(at: Float64Array, values: number): Points {
  return { width: at.length / values, at };
}

/** Largest L1 distance of two points. */
export function diameter({ width, at }: Points): number {
  let found = 0;
  for (let a = 0; a < at.length; a += width) {
    for (let b = a + width; b < at.length; b += width) found = Math.max(found, distance(at, a, b, width));
  }
  return found;
}

export function distance(at: Float64Array, a: number, b: number, width: number): number {
  let sum = 0;
  for (let k = 0; k < width; k++) sum += Math.abs((at[a + k] as number) - (at[b + k] as number));
  return sum;
}

type Rows = Omit<DependentTable, "queries">;

function queryOf({ kind, numbers, sensitivities, ...query }: EmbeddedQuery, table: Rows): DependentQuery {
  const { key, label, subject, listed } = query;
  const named = { key, label, subject, listed };
  if (kind === "linear") {
    const reach = contributionsOf(floats(numbers as Bytes), table.sizes);
    return { ...named, additive: true, width: 1, outputs: sums(reach, table), sensitivities: Float64Array.from(reach, spanOf), reach };
  }
  if (kind === "identity") {
    const points = table.points as readonly Points[];
    const spans = Float64Array.from(points, diameter);
    const width = points.reduce((all, one) => all + one.width, 0);
    return { ...named, additive: true, width, outputs: sideBySide(points, width, table), sensitivities: spans, reach: points };
  }
  const changes = floats(sensitivities as Bytes);
  // All that is known of how values enter it is how far they move it.
  const reach = table.points.map((points, j) => {
    const change = changes[j] as number;
    if (points === null) return farApart(table.sizes[j] as number, change);
    const span = diameter(points);
    const slope = span > 0 ? change / span : 0;
    return { width: points.width, at: points.at.map((x) => x * slope) };
  });
  return { ...named, additive: false, width: query.width, outputs: floats(numbers as Bytes), sensitivities: changes, reach };
}

/** Texts have no distances: any two are as far apart as they move the output. */
function farApart(size: number, change: number): Points {
  if (size <= 2) return { width: 1, at: Float64Array.from({ length: size }, (_, k) => k * change) };
  return { width: size, at: Float64Array.from({ length: size * size }, (_, k) => (k % (size + 1) === 0 ? change / 2 : 0)) };
}

function spanOf({ at }: Points): number {
  return at.reduce((most, x) => Math.max(most, x), -Infinity) - at.reduce((most, x) => Math.min(most, x), Infinity);
}

function contributionsOf(all: Float64Array, sizes: readonly number[]): Points[] {
  let start = 0;
  return sizes.map((size) => ({ width: 1, at: all.subarray(start, (start += size)) }));
}

function sums(reach: readonly Points[], { rows, codes }: Rows): Float64Array {
  const n = reach.length;
  // In the order in which Python adds: outputs that are equal there are equal here.
  return Float64Array.from({ length: rows }, (_, row) => reach.reduce((total, { at }, j) => total + (at[codes[row * n + j] as number] as number), 0));
}

function sideBySide(points: readonly Points[], width: number, { rows, codes }: Rows): Float64Array {
  const found = new Float64Array(rows * width);
  const n = points.length;
  let place = 0;
  for (let row = 0; row < rows; row++) {
    points.forEach(({ width: own, at }, j) => {
      const from = (codes[row * n + j] as number) * own;
      for (let k = 0; k < own; k++) found[place++] = at[from + k] as number;
    });
  }
  return found;
}
