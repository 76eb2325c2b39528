/** What makes a matrix one of covariances, the faults it can have, and the nearest one without them. */
import { beyondVariances, check, eigen, negative } from "../matrix/validity";
import { general, InputFault, short } from "./faults";

// What makes a matrix one of covariances, and the faults it can have. A matrix counts as positive semi-definite down to
// -1e-9 of its largest eigenvalue.

/** Beyond, sums of a few variances are no longer finite numbers; means may be squared. */
const LARGEST = 2 ** 1000;
/** Below, a variance and what it is multiplied with lose their digits; it is that or 0. */
const SMALLEST = 2 ** -1000;
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
function checkFinite(matrix: Float64Array, names: readonly string[]): void {
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

// The nearest valid covariance matrix of one that is not. With the variances kept: the nearest correlation matrix by
// alternating projections with Dykstra's correction (N. J. Higham, IMA Journal of Numerical Analysis 22, 2002,
// Algorithm 3.3). Otherwise the negative eigenvalues are set to 0.

const STILL = 1e-12;
const MOST_PROJECTIONS = 2000;
/** From larger correlations the projections do not return within their digits; the same in Python. */
const LARGEST_CORRELATION = 1e6;

const within = (value: number, size: number): number => Math.max(-size, Math.min(size, value));

/** Symmetric matrix, n x n in C order; a valid one comes back as it is. Throws an InputFault unless it is finite. */
export function nearestCovariance(matrix: Float64Array, names: readonly string[]): Float64Array {
  const n = names.length;
  checkFinite(matrix, names);
  // A negative variance cannot be kept.
  const keep = Array.from({ length: n }, (_, i) => matrix[i * (n + 1)] as number).every((variance) => variance >= 0);
  const near = keep ? matrix : withoutNegative(matrix, n);
  // What is left of a variance, so far below the others, is none.
  const tiny = Array.from({ length: n }, (_, i) => near[i * (n + 1)] as number).map((v) => !keep && v > 0 && v < SMALLEST);
  for (let cell = 0; cell < n * n; cell++) if (tiny[Math.floor(cell / n)] || tiny[cell % n]) near[cell] = 0;
  if (check(near, n).valid) return asCovariance(near, names);
  // Variances stay from here on; one far below the others may be left with rounding of theirs.
  return asCovariance(withNearestCorrelation(near, n), names);
}

function withNearestCorrelation(matrix: Float64Array, n: number): Float64Array {
  const variances = Float64Array.from({ length: n }, (_, i) => Math.max(0, matrix[i * (n + 1)] as number));
  const moving = Array.from(variances, (_, i) => i).filter((i) => (variances[i] as number) > 0);
  const deviation = (i: number): number => Math.sqrt(variances[i] as number);
  const m = moving.length;
  const correlation = new Float64Array(m * m).map((_, cell) => {
    const [i, j] = [moving[Math.floor(cell / m)] as number, moving[cell % m] as number];
    return i === j ? 1 : within((matrix[i * n + j] as number) * (1 / deviation(i)) * (1 / deviation(j)), LARGEST_CORRELATION);
  });
  const found = new Float64Array(n * n);
  nearestCorrelation(correlation, m).forEach((value, cell) => {
    const [i, j] = [moving[Math.floor(cell / m)] as number, moving[cell % m] as number];
    found[i * n + j] = i === j ? (variances[i] as number) : within(value * deviation(i) * deviation(j), LARGEST);
  });
  return found;
}

/** The nearest positive semi-definite matrix in the Frobenius norm. */
function withoutNegative(symmetric: Float64Array, n: number): Float64Array {
  const { values, vectors } = eigen(symmetric, n);
  const found = new Float64Array(n * n);
  values.forEach((value, m) => {
    if (!(value > 0)) return;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const sum = (found[i * n + j] as number) + value * (vectors[i * n + m] as number) * (vectors[j * n + m] as number);
        found[i * n + j] = found[j * n + i] = sum;
      }
    }
  });
  return found.map((value) => within(value, LARGEST));
}

function norm(matrix: Float64Array): number {
  return Math.sqrt(matrix.reduce((sum, value) => sum + value * value, 0));
}

function nearestCorrelation(symmetric: Float64Array, n: number): Float64Array {
  let unit = symmetric;
  let valid = symmetric;
  let correction = new Float64Array(n * n);
  for (let k = 0; k < MOST_PROJECTIONS; k++) {
    const shifted = unit.map((value, cell) => value - (correction[cell] as number));
    valid = withoutNegative(shifted, n);
    correction = valid.map((value, cell) => value - (shifted[cell] as number)) as Float64Array<ArrayBuffer>;
    const before = unit;
    unit = valid.map((value, cell) => (cell % (n + 1) === 0 ? 1 : value));
    const outside = norm(unit.map((value, cell) => value - (valid[cell] as number)));
    const moved = norm(unit.map((value, cell) => value - (before[cell] as number)));
    if (Math.max(outside, moved) <= STILL * norm(unit)) break;
  }
  // The last projection left the cone of valid matrices by its tolerance; scaling returns into it.
  const scales = Float64Array.from({ length: n }, (_, i) => 1 / Math.sqrt(valid[i * (n + 1)] as number));
  return valid.map((value, cell) => {
    const [i, j] = [Math.floor(cell / n), cell % n];
    return i === j ? 1 : value * (scales[i] as number) * (scales[j] as number);
  });
}
