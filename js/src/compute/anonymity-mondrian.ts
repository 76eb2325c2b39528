/** Strict Mondrian on numeric columns: parts are split at medians while both halves keep at least k records. */

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
