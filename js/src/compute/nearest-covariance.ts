/**
 * The nearest valid covariance matrix of one that is not. With the variances kept: the nearest correlation matrix by
 * alternating projections with Dykstra's correction (N. J. Higham, IMA Journal of Numerical Analysis 22, 2002,
 * Algorithm 3.3). Otherwise the negative eigenvalues are set to 0.
 */
import { eigen } from "../matrix/eigen";
import { check } from "../matrix/validity";
import { asCovariance, checkFinite, LARGEST, SMALLEST } from "./covariance-faults";

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
