/** A joint table of any number of tuples laid out in two dimensions. */

export interface Pivot {
  /** Tuples along the rows, outermost first. */
  rows: number[];
  columns: number[];
}

export type Side = "rows" | "columns";

/** Where each cell of the grid lies in the table, which is stored in C order. */
export interface Layout {
  readonly rowCount: number;
  readonly columnCount: number;
  /** Flat position of the cell in grid row r and grid column c. */
  index(r: number, c: number): number;
  /** Grid position of a flat position. */
  locate(index: number): [number, number];
  /** Label positions of the row's tuples, in the order of `pivot.rows`. */
  rowPositions(r: number): number[];
  columnPositions(c: number): number[];
}

export function size(shape: readonly number[]): number {
  return shape.reduce((product, m) => product * m, 1);
}

/** Steps in the flat array when the label of one tuple advances by one. */
export function strides(shape: readonly number[]): number[] {
  const out = new Array<number>(shape.length);
  let step = 1;
  for (let j = shape.length - 1; j >= 0; j--) {
    out[j] = step;
    step *= shape[j] as number;
  }
  return out;
}

/** Label positions of a flat position. */
export function positions(index: number, shape: readonly number[]): number[] {
  const at = new Array<number>(shape.length);
  let rest = index;
  for (let j = shape.length - 1; j >= 0; j--) {
    const m = shape[j] as number;
    at[j] = rest % m;
    rest = (rest - (at[j] as number)) / m;
  }
  return at;
}

export function layOut(shape: readonly number[], pivot: Pivot): Layout {
  const step = strides(shape);
  const dims = { rows: pivot.rows.map((j) => shape[j] as number), columns: pivot.columns.map((j) => shape[j] as number) };
  const offsets = (side: Side): Int32Array => {
    const tuples = pivot[side];
    return Int32Array.from({ length: size(dims[side]) }, (_, k) =>
      positions(k, dims[side]).reduce((sum, p, a) => sum + p * (step[tuples[a] as number] as number), 0),
    );
  };
  const rowOffsets = offsets("rows");
  const columnOffsets = offsets("columns");
  const along = (index: number, side: Side): number =>
    pivot[side].reduce((k, j) => k * (shape[j] as number) + (Math.floor(index / (step[j] as number)) % (shape[j] as number)), 0);
  return {
    rowCount: rowOffsets.length,
    columnCount: columnOffsets.length,
    index: (r, c) => (rowOffsets[r] as number) + (columnOffsets[c] as number),
    locate: (index) => [along(index, "rows"), along(index, "columns")],
    rowPositions: (r) => positions(r, dims.rows),
    columnPositions: (c) => positions(c, dims.columns),
  };
}

export function swap(pivot: Pivot): Pivot {
  return { rows: [...pivot.columns], columns: [...pivot.rows] };
}

/** Puts a tuple at a place of a side; the places count the side without that tuple. */
export function move(pivot: Pivot, tuple: number, side: Side, at: number): Pivot {
  const rows = pivot.rows.filter((j) => j !== tuple);
  const columns = pivot.columns.filter((j) => j !== tuple);
  (side === "rows" ? rows : columns).splice(at, 0, tuple);
  return { rows, columns };
}

/** One place earlier (-1) or later (+1); past the end of a side lies the other side. */
export function shift(pivot: Pivot, tuple: number, by: -1 | 1): Pivot {
  const line = [...pivot.rows, null, ...pivot.columns];
  const from = line.indexOf(tuple);
  const to = from + by;
  if (to < 0 || to >= line.length) return pivot;
  line[from] = line[to] as number | null;
  line[to] = tuple;
  const gap = line.indexOf(null);
  return { rows: line.slice(0, gap) as number[], columns: line.slice(gap + 1) as number[] };
}

export function samePivot(a: Pivot, b: Pivot): boolean {
  return a.rows.join() === b.rows.join() && a.columns.join() === b.columns.join();
}
