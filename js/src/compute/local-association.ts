/** Common measures of how strongly two attributes are correlated; they are the same in both directions. */

export interface Association {
  /** Mutual information over the joint entropy. */
  nmi: number;
  /** Correlation of the positions of the labels. */
  correlation: number;
}

function entropy(probabilities: readonly number[]): number {
  return Math.max(0, -probabilities.reduce((sum, p) => (p > 0 ? sum + p * Math.log(p) : sum), 0));
}

/** Of a table of counts or probabilities with so many columns. */
export function association(table: Float64Array, columns: number): Association {
  const total = table.reduce((sum, count) => sum + count, 0);
  if (!(total > 0)) return { nmi: 0, correlation: 0 };
  const p = table.map((count) => count / total);
  const m = table.length / columns;
  const rows = Array.from({ length: m }, (_, x) => p.subarray(x * columns, (x + 1) * columns).reduce((sum, v) => sum + v, 0));
  const cols = Array.from({ length: columns }, (_, u) => rows.reduce((sum, _row, x) => sum + (p[x * columns + u] as number), 0));
  const [left, right, both] = [entropy(rows), entropy(cols), entropy([...p])];
  // A constant attribute says nothing, and rounding must not say otherwise.
  const shared = Math.min(left, right) > 0 ? Math.max(0, left + right - both) : 0;
  return { nmi: both > 0 ? shared / both : 0, correlation: correlation(p, rows, cols) };
}

function correlation(p: Float64Array, rows: readonly number[], cols: readonly number[]): number {
  const mean = (shares: readonly number[]): number => shares.reduce((sum, share, k) => sum + share * k, 0);
  const [mx, my] = [mean(rows), mean(cols)];
  const spread = (shares: readonly number[], at: number): number => shares.reduce((sum, share, k) => sum + share * (k - at) ** 2, 0);
  const both = spread(rows, mx) * spread(cols, my);
  const constant = (shares: readonly number[]): boolean => shares.filter((share) => share > 0).length < 2;
  if (constant(rows) || constant(cols) || !(both > 0)) return 0;
  const together = p.reduce((sum, share, k) => sum + share * (Math.floor(k / cols.length) - mx) * ((k % cols.length) - my), 0);
  return Math.min(1, Math.max(-1, together / Math.sqrt(both)));
}
