/** Pairwise dependence of the tuples of a joint table. */
import { forEachPosition, marginals } from "./editing";

/**
 * The number behind each label: the label itself where all labels of the tuple read as numbers, its
 * position otherwise. For two labels the correlation does not depend on this beyond its sign.
 */
export function scores(labels: readonly (readonly string[])[]): Float64Array[] {
  return labels.map((domain) => {
    const numbers = domain.map((label) => (label.trim() === "" ? NaN : Number(label)));
    return Float64Array.from(numbers.every(Number.isFinite) ? numbers : domain.keys());
  });
}

export interface Correlation {
  pair: [number, number];
  /** Pearson's coefficient; NaN where a tuple has no variance. */
  value: number;
}

/** Correlation of every pair of tuples, for entries that sum to 1. */
export function correlations(
  entries: Float64Array,
  shape: readonly number[],
  numbers: readonly Float64Array[],
): Correlation[] {
  const n = shape.length;
  const centred = marginals(entries, shape).map((marginal, j) => {
    const given = numbers[j] as Float64Array;
    // A correlation has no unit: squares of huge numbers, or of tiny ones, would be no numbers.
    const size = given.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const x = size > 0 ? given.map((value) => value / size) : given;
    const mean = marginal.reduce((sum, p, k) => sum + p * (x[k] as number), 0);
    return x.map((value) => value - mean);
  });
  const moments = new Float64Array(n * n);
  forEachPosition(shape, (k, at) => {
    const p = entries[k] as number;
    if (p === 0) return;
    for (let i = 0; i < n; i++) {
      const left = p * ((centred[i] as Float64Array)[at[i] as number] as number);
      for (let j = i; j < n; j++) {
        moments[i * n + j] = (moments[i * n + j] as number) + left * ((centred[j] as Float64Array)[at[j] as number] as number);
      }
    }
  });
  const out: Correlation[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const spread = Math.sqrt((moments[i * n + i] as number) * (moments[j * n + j] as number));
      const value = spread > 0 ? Math.max(-1, Math.min(1, (moments[i * n + j] as number) / spread)) : NaN;
      out.push({ pair: [i, j], value });
    }
  }
  return out;
}
