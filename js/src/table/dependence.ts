/** Pairwise dependence of the tuples of a joint table; the same in `dependence.py`. */
import { forEachPosition, marginals } from "./editing";

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
/** Pairs that differ by less are as strong as one another: rounding must not sort them. */
const APART = 1e-9;

/** The numbers that the labels of each tuple are; null where one of them is none. */
export function scores(labels: readonly (readonly string[])[]): (Float64Array | null)[] {
  return labels.map((domain) => {
    const numbers = domain.map((label) => (NUMBER.test(label) ? Number(label) : NaN));
    return numbers.every(Number.isFinite) ? Float64Array.from(numbers) : null;
  });
}

export interface Dependence {
  pair: [number, number];
  /**
   * Pearson's correlation where the labels of both are numbers, else Cramér's V, which no order of labels changes.
   * NaN where one of the two has a single value only.
   */
  value: number;
  /** Whether it is a correlation. */
  signed: boolean;
}

/** Dependence of every pair of tuples, for entries that sum to 1. */
export function dependences(
  entries: Float64Array,
  shape: readonly number[],
  numbers: readonly (Float64Array | null)[],
): Dependence[] {
  const n = shape.length;
  const single = marginals(entries, shape);
  const pairs: { pair: [number, number]; joint: Float64Array }[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) pairs.push({ pair: [i, j], joint: new Float64Array((shape[i] as number) * (shape[j] as number)) });
  }
  forEachPosition(shape, (k, at) => {
    const p = entries[k] as number;
    if (p === 0) return;
    for (const { pair: [i, j], joint } of pairs) {
      const cell = (at[i] as number) * (shape[j] as number) + (at[j] as number);
      joint[cell] = (joint[cell] as number) + p;
    }
  });
  return pairs.map(({ pair, joint }) => {
    const [px, py] = pair.map((j) => single[j]) as [Float64Array, Float64Array];
    const [x, y] = pair.map((j) => numbers[j] ?? null) as [Float64Array | null, Float64Array | null];
    const signed = x !== null && y !== null;
    const constant = occurring(px) < 2 || occurring(py) < 2;
    const value = constant ? NaN : signed ? correlation(joint, centred(x, px), centred(y, py), px, py) : cramersV(joint, px, py);
    return { pair, value, signed };
  });
}

/** The strongest pairs, among equals the first ones first and undefined ones last. */
export function strongest(pairs: readonly Dependence[], most: number): Dependence[] {
  const size = ({ value }: Dependence): number => (Number.isNaN(value) ? -Infinity : Math.round(Math.abs(value) / APART));
  return [...pairs].sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)) || a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1]).slice(0, most);
}

function occurring(marginal: Float64Array): number {
  return marginal.reduce((count, p) => count + (p > 0 ? 1 : 0), 0);
}

function centred(given: Float64Array, marginal: Float64Array): Float64Array {
  // A correlation has no unit: squares of huge numbers, or of tiny ones, would be no numbers.
  const size = given.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const x = size > 0 ? given.map((value) => value / size) : given;
  const mean = marginal.reduce((sum, p, k) => sum + p * (x[k] as number), 0);
  return x.map((value) => value - mean);
}

function correlation(joint: Float64Array, dx: Float64Array, dy: Float64Array, px: Float64Array, py: Float64Array): number {
  const spread = (d: Float64Array, p: Float64Array): number => Math.sqrt(d.reduce((sum, value, k) => sum + (p[k] as number) * value * value, 0));
  const both = spread(dx, px) * spread(dy, py);
  const moment = joint.reduce((sum, p, cell) => sum + p * (dx[Math.floor(cell / dy.length)] as number) * (dy[cell % dy.length] as number), 0);
  return both > 0 ? Math.max(-1, Math.min(1, moment / both)) : NaN;
}

function cramersV(joint: Float64Array, px: Float64Array, py: Float64Array): number {
  const chi2 = joint.reduce((sum, p, cell) => {
    const [left, right] = [px[Math.floor(cell / py.length)] as number, py[cell % py.length] as number];
    const apart = p - left * right;
    // Divided one after the other: a product of two tiny probabilities would be no number.
    return left > 0 && right > 0 ? sum + (apart / left) * (apart / right) : sum;
  }, 0);
  return Math.min(1, Math.sqrt(Math.max(0, chi2) / (Math.min(occurring(px), occurring(py)) - 1)));
}
