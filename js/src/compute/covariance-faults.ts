/**
 * What makes a matrix one of covariances, and the faults it can have. A matrix counts as positive semi-definite down to
 * -1e-9 of its largest eigenvalue.
 */
import { beyondVariances, type Check, check, TOLERANCE } from "../matrix/validity";
import { general, InputFault, short } from "./faults";
import { largest } from "./releases";

/** Beyond, sums of a few variances are no longer finite numbers; means may be squared. */
const LARGEST = 2 ** 1000;
const LARGEST_MEAN = 2 ** 500;
const REMEDY = "nearest_covariance(matrix) gives the nearest valid matrix.";

function pairOf(names: readonly string[], i: number, j: number): string {
  return i === j ? `${short(names[i] as string)} with itself` : `${short(names[i] as string)} and ${short(names[j] as string)}`;
}

/** Whether a matrix counts as positive semi-definite, and its smallest eigenvalue. */
export function checked(matrix: Float64Array, n: number): Check {
  // Entries near the largest float must not overflow when they are squared.
  const size = largest(matrix.map(Math.abs));
  const unit = Number.isFinite(size) && size > 0 ? 2 ** Math.round(Math.log2(size)) : 1;
  const { valid, smallest } = check(matrix.map((value) => value / unit), n);
  return { valid, smallest: smallest * unit };
}

export function isPositiveSemidefinite(matrix: Float64Array, n: number): boolean {
  return checked(matrix, n).valid;
}

export function smallestEigenvalue(matrix: Float64Array, n: number): number {
  return checked(matrix, n).smallest;
}

/** A checked copy of a symmetric matrix, n x n in C order. Throws an InputFault. */
export function asCovariance(matrix: Float64Array, names: readonly string[]): Float64Array {
  const n = names.length;
  checkFinite(matrix, names);
  const numbers = matrix.map((value) => value + 0);
  const size = Math.max(largest(numbers.map(Math.abs)), 0);
  for (let i = 0; i < n; i++) {
    const variance = numbers[i * (n + 1)] as number;
    if (variance < -TOLERANCE * size) {
      throw new InputFault(`The variance of ${short(names[i] as string)} is ${general(variance)}; a variance is 0 or more.`, {
        kind: "cell",
        index: [i, i],
      });
    }
    numbers[i * (n + 1)] = Math.max(variance, 0);
  }
  if (!isPositiveSemidefinite(numbers, n)) throw indefinite(numbers, names);
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
      `The covariance of ${pairOf(names, i, j)} is ${general(numbers[i * n + j] as number)}; with variances ` +
        `${general(variance(i))} and ${general(variance(j))} it must be from ${general(-limit)} to ${general(limit)}. ${REMEDY}`,
      { kind: "cell", index: [i, j] },
    );
  }
  return new InputFault(
    "The covariance matrix is not positive semi-definite: its smallest eigenvalue is " +
      `${general(smallestEigenvalue(numbers, n), 6)}, it must be 0 or more. ${REMEDY}`,
    { kind: "table" },
  );
}

/** Throws an InputFault at the first mean that is no finite number. */
export function checkMeans(mean: Float64Array, names: readonly string[]): void {
  const axis = mean.findIndex((value) => !(Math.abs(value) <= LARGEST_MEAN));
  if (axis < 0) return;
  throw new InputFault(`The mean of ${short(names[axis] as string)} is ${general(mean[axis] as number)}; it must be a finite number.`, {
    kind: "axis",
    axis,
  });
}
