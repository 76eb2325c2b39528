/** Rows P(source symbol | secret value) of a table of two attributes. */

export interface Rows {
  /** One row for each secret value that counts. */
  rows: Float64Array[];
  /** Their positions among all secret values. */
  kept: number[];
  /** Symbols of the source, those never seen included. */
  symbols: number;
}

/** From counts or probabilities, the secret on rows; secret values with fewer records are left out. */
export function rowsOf(table: ArrayLike<number>, symbols: number, minCount = 0): Rows {
  const rows: Float64Array[] = [];
  const kept: number[] = [];
  const values = symbols > 0 ? table.length / symbols : 0;
  for (let x = 0; x < values; x++) {
    const row = Float64Array.from({ length: symbols }, (_, u) => table[x * symbols + u] as number);
    const total = row.reduce((sum, count) => sum + count, 0);
    if (!(total > 0 && total >= minCount)) continue;
    rows.push(row.map((count) => count / total));
    kept.push(x);
  }
  return { rows, kept, symbols };
}

/** A table with rows and columns exchanged. */
export function transposed(table: ArrayLike<number>, columns: number): Float64Array {
  const rows = columns > 0 ? table.length / columns : 0;
  return Float64Array.from({ length: table.length }, (_, k) => table[(k % rows) * columns + Math.floor(k / rows)] as number);
}
