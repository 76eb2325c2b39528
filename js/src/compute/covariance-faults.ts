/**
 * What makes a matrix one of covariances, and the faults it can have. A matrix counts as positive semi-definite down to
 * -1e-9 of its largest eigenvalue.
 */
import { beyondVariances, check, negative } from "../matrix/validity";
import { general, InputFault, short } from "./faults";

/** Beyond, sums of a few variances are no longer finite numbers; means may be squared. */
export const LARGEST = 2 ** 1000;
/** Below, a variance and what it is multiplied with lose their digits; it is that or 0. */
export const SMALLEST = 2 ** -1000;
const LARGEST_MEAN = 2 ** 500;
const REMEDY = "nearest_covariance(matrix) gives the nearest valid matrix.";

function pairOf(names: readonly string[], i: number, j: number): string {
  return i === j ? `${short(names[i] as string)} with itself` : `${short(names[i] as string)} and ${short(names[j] as string)}`;
}

/** A checked copy of a symmetric matrix, n x n in C order. Throws an InputFault. */
export function asCovariance(matrix: Float64Array, names: readonly string[]): Float64Array {
  const n = names.length;
  checkFinite(matrix, names);
  const numbers = matrix.map((value) => value + 0);
  for (let i = 0; i < n; i++) {
    const variance = numbers[i * (n + 1)] as number;
    if (negative(numbers, n, i)) {
      throw new InputFault(`The variance of ${short(names[i] as string)} is ${general(variance)}; a variance is 0 or more.`, {
        kind: "cell",
        index: [i, i],
      });
    }
  }
  for (let i = 0; i < n; i++) {
    const variance = numbers[i * (n + 1)] as number;
    if (variance > 0 && variance < SMALLEST) {
      throw new InputFault(`The variance of ${short(names[i] as string)} is ${general(variance)}; it must be 0, or at least 1e-301.`, {
        kind: "cell",
        index: [i, i],
      });
    }
  }
  for (let i = 0; i < n; i++) numbers[i * (n + 1)] = Math.max(numbers[i * (n + 1)] as number, 0);
  if (!check(numbers, n).valid) throw indefinite(numbers, names);
  return numbers;
}

/** Throws an InputFault at the first entry that is no finite number. */
export function checkFinite(matrix: Float64Array, names: readonly string[]): void {
  const bad = matrix.findIndex((value) => !(Math.abs(value) <= LARGEST));
  if (bad < 0) return;
  const index = [Math.floor(bad / names.length), bad % names.length] as const;
  const value = matrix[bad] as number;
  throw new InputFault(
    `The covariance of ${pairOf(names, ...index)} is ${general(value)}; it must be a finite number` +
      `${Number.isFinite(value) ? ", at most 1e301 in size" : ""}.`,
    { kind: "cell", index: [...index] },
  );
}

/** Names the cell that no two variances allow, or else the smallest eigenvalue. */
function indefinite(numbers: Float64Array, names: readonly string[]): InputFault {
  const n = names.length;
  const variance = (i: number): number => numbers[i * (n + 1)] as number;
  const pair = beyondVariances(numbers, n);
  if (pair) {
    const [i, j] = pair;
    const limit = Math.sqrt(variance(i)) * Math.sqrt(variance(j));
    return new InputFault(
      `The covariance of ${pairOf(names, i, j)} is too ` +
        `${(numbers[i * n + j] as number) > 0 ? "large" : "small"}. It is ` +
        `${general(numbers[i * n + j] as number)}; with variances ` +
        `${general(variance(i))} and ${general(variance(j))} it must be from ${general(-limit)} to ${general(limit)}. ${REMEDY}`,
      { kind: "cell", index: [i, j] },
    );
  }
  // A tuple in large units hides it among the covariances.
  const inner = check(numbers, n).smallest < 0 ? numbers : correlations(numbers, n);
  const whose = inner === numbers ? "its" : "as correlations its";
  return new InputFault(
    `The covariance matrix is not positive semi-definite: ${whose} smallest eigenvalue is ` +
      `${general(check(inner, Math.sqrt(inner.length)).smallest, 6)}, it must be 0 or more. ${REMEDY}`,
    { kind: "table" },
  );
}

/** Correlations of the tuples that have a variance. */
function correlations(numbers: Float64Array, n: number): Float64Array {
  const deviation = (i: number): number => Math.sqrt(numbers[i * (n + 1)] as number);
  const moving = Array.from({ length: n }, (_, i) => i).filter((i) => deviation(i) > 0);
  const m = moving.length;
  return Float64Array.from({ length: m * m }, (_, cell) => {
    const [i, j] = [moving[Math.floor(cell / m)] as number, moving[cell % m] as number];
    return (numbers[i * n + j] as number) / deviation(j) / deviation(i);
  });
}

/** Throws an InputFault at the first mean that is no finite number. */
export function checkMeans(mean: Float64Array, names: readonly string[]): void {
  const axis = mean.findIndex((value) => !(Math.abs(value) <= LARGEST_MEAN));
  if (axis < 0) return;
  throw new InputFault(
    `The mean of ${short(names[axis] as string)} is ${general(mean[axis] as number)}; it must be a finite ` +
      `number${Number.isFinite(mean[axis]) ? ", at most 3e150 in size" : ""}.`,
    {
      kind: "axis",
      axis,
    },
  );
}
