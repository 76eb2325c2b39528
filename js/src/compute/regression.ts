/**
 * Best linear prediction from a covariance matrix: what some tuples say about the others. The given tuples are taken up
 * one after the other; with C what the tuples before leave, tuple k takes C to its Schur complement C - C[:,k] C[k,:] /
 * C[k,k].
 */

/** A variance left after conditioning counts as none up to this part of the variance before; the same in Python. */
export const TOLERANCE = 1e-9;

export interface Regression {
  /** n x k: row j predicts tuple j from the given ones. */
  coefficients: Float64Array;
  /** n x n: covariances of what is left; rows and columns of the given tuples are 0. */
  residual: Float64Array;
}

/** Powers of two near the standard deviations; they bring all tuples to one size without rounding. */
export function unitsOf(cov: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, j) => {
    const variance = cov[j * (n + 1)] as number;
    return variance > 0 ? 2 ** Math.round(Math.log2(Math.sqrt(variance))) : 1;
  });
}

/** Every entry divided by the units of its row and column. */
export function inUnits(cov: Float64Array, units: Float64Array): Float64Array {
  const n = units.length;
  return cov.map((value, cell) => value / (units[Math.floor(cell / n)] as number) / (units[cell % n] as number));
}

/** A given tuple of which those before leave no variance, within the tolerance, tells nothing more. */
export function regression(cov: Float64Array, n: number, given: readonly number[]): Regression {
  const units = unitsOf(cov, n);
  const unit = (j: number): number => units[j] as number;
  let left = inUnits(cov, units);
  const floors = Float64Array.from({ length: n }, (_, j) => TOLERANCE * (left[j * (n + 1)] as number));
  const count = given.length;
  const found = new Float64Array(n * count);
  given.forEach((k, place) => {
    const variance = left[k * (n + 1)] as number;
    if (!(variance > (floors[k] as number))) return;
    const inverse = 1 / variance;
    const before = left;
    const row = found.slice(k * count, (k + 1) * count);
    left = before.map((value, cell) => {
      const [i, j] = [Math.floor(cell / n), cell % n];
      return value - (before[i * n + k] as number) * inverse * (before[j * n + k] as number);
    });
    for (let j = 0; j < n; j++) {
      const ratio = (before[j * n + k] as number) * inverse;
      for (let q = 0; q < count; q++) found[j * count + q] = (found[j * count + q] as number) - ratio * (row[q] as number);
      found[j * count + place] = ratio;
    }
  });
  const coefficients = found.map((value, cell) => {
    const [j, q] = [Math.floor(cell / count), cell % count];
    return given.includes(j) ? (given[q] === j ? 1 : 0) : (value * unit(j)) / unit(given[q] as number);
  });
  const residual = left.map((value, cell) => {
    const [i, j] = [Math.floor(cell / n), cell % n];
    if (given.includes(i) || given.includes(j)) return 0;
    return (value / 2 + (left[j * n + i] as number) / 2) * unit(i) * unit(j);
  });
  return { coefficients, residual };
}
