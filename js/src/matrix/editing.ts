/**
 * Editing a covariance matrix with its means and weights. Every edit returns new arrays or says why it cannot be;
 * nothing is changed in place, so that undo restores exact floats. The matrix is kept symmetric throughout.
 */
import { parseNumber, quoted } from "../ui/number-entry";
import type { Bytes } from "../ui/protocol";

// A matrix as Python shows it.

/** What Python shows of the matrix. */
export interface MatrixState {
  title: string;
  unit: string;
  names: string[];
  /** float64, n x n. What stands in the cells, valid or not. */
  cov: Bytes;
  mean: Bytes;
  weights: Bytes | null;
  loaded_cov: Bytes;
  loaded_mean: Bytes;
  /** The last valid matrix of these tuples; null when there was none. */
  sound: Bytes | null;
  /** Records behind the model when it came from data. */
  records: number | null;
  valid: boolean;
  /** A number, or one of the words for those that JSON has not. */
  smallest: unknown;
}

/** What stands in the cells, valid or not. */
export interface Numbers {
  /** n x n, C order. */
  cov: Float64Array;
  mean: Float64Array;
  /** One for each tuple; null when the editor was given none. */
  weights: Float64Array | null;
}

export interface Refusal {
  title: string;
  text: string;
}

/** Two mirrored entries count as equal within this part of their size, or of that of the two deviations. */
export const SYMMETRY = 1e-9;

export function sizeOf(numbers: Numbers): number {
  return numbers.mean.length;
}

/** Text that is no number has the value NaN and a reason. */
export function readNumber(text: string): { value: number; reason: string | null } {
  const parsed = parseNumber(text);
  return parsed.ok ? { value: parsed.value, reason: null } : { value: NaN, reason: parsed.reason };
}

export function withCell(matrix: Float64Array, n: number, i: number, j: number, value: number): Float64Array {
  const next = matrix.slice();
  next[i * n + j] = next[j * n + i] = value;
  return next;
}

export function deviations(matrix: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => Math.sqrt(matrix[i * n + i] as number));
}

/** NaN where a tuple has no variance. */
export function correlationAt(matrix: Float64Array, n: number, i: number, j: number): number {
  const spread = Math.sqrt(matrix[i * n + i] as number) * Math.sqrt(matrix[j * n + j] as number);
  if (!(spread > 0)) return NaN;
  // The product of two roots is rounded: what was typed as 0.3 must read 0.3 again.
  return i === j ? 1 : Number(((matrix[i * n + j] as number) / spread).toPrecision(15));
}

/** The covariance that belongs to a correlation while both variances stay. */
export function fromCorrelation(matrix: Float64Array, n: number, i: number, j: number, value: number): number {
  return value * Math.sqrt(matrix[i * n + i] as number) * Math.sqrt(matrix[j * n + j] as number);
}

/** No dependence: the variances stay, all else is 0. */
export function independent(matrix: Float64Array, n: number): Float64Array {
  return matrix.map((x, k) => (k % (n + 1) === 0 ? x : 0));
}

/** The first entry (by row) that differs from its mirror, or null. */
export function asymmetry(matrix: ArrayLike<number>, n: number): [number, number] | null {
  const at = (i: number, j: number): number => Math.abs(matrix[i * n + j] as number);
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const size = Math.max(at(i, j), at(j, i), Math.sqrt(at(i, i) * at(j, j)));
      if (Math.abs((matrix[i * n + j] as number) - (matrix[j * n + i] as number)) > SYMMETRY * size) return [i, j];
    }
  }
  return null;
}

/** Exactly symmetric: what lies above the diagonal holds. */
export function mirrored(matrix: ArrayLike<number>, n: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, k) => matrix[Math.min(Math.floor(k / n), k % n) * n + Math.max(Math.floor(k / n), k % n)] as number);
}

export function notSymmetric(names: readonly string[], i: number, j: number, there: string, back: string): Refusal {
  return {
    title: `${names[i]}, ${names[j]} is ${quoted(there).slice(1, -1)} and ${names[j]}, ${names[i]} is ${quoted(back).slice(1, -1)}.`,
    text: "The matrix must be symmetric: the same number above and below the diagonal.",
  };
}
