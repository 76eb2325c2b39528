/**
 * Exact leakage of all adversaries of Gaussian data (Li, Ren, Yang and Yang, Theorem 6), by Schur complements. With C
 * the covariance given the known tuples, the leakage about tuple i is |Cov(f, x_i)| / Var(x_i) in C, times M / lambda.
 * One more known tuple k takes C to C - C[:,k] C[k,:] / C[k,k]; where those before fix tuple k nothing is subtracted. A
 * tuple enters f when it is decided to be unknown, so that a known one in large units leaves no rounding in it.
 */
import { columnCount } from "../graph/nodes";
import type { Leakages } from "./exact-all";
import { largest } from "./releases";
import { TOLERANCE } from "../matrix/validity";
import { inUnits, unitsOf } from "./regression";

/** A noisy weighted sum of Gaussian tuples, and the change of one tuple that is to be hidden. */
export interface GaussianRelease {
  /** n x n in C order, positive semi-definite. */
  cov: Float64Array;
  mean: Float64Array;
  weights: Float64Array;
  /** Scale of the Laplace noise. */
  scale: number;
  maxChange: number;
}

/** What differential privacy promises for one tuple, in nats. */
export function gaussianPromise({ weights, scale, maxChange }: GaussianRelease): number {
  return largest(weights.map(Math.abs)) * (maxChange / scale);
}

export function gaussianAll({ cov, weights, scale, maxChange }: GaussianRelease): Leakages {
  const n = weights.length;
  const columns = columnCount(n);
  const units = unitsOf(cov, n);
  const scaled = inUnits(cov, units);
  // What never varies says nothing of others. Weights and units apart: products may be no numbers where quotients are.
  const varying = Array.from(weights, (_, j) => (cov[j * n + j] as number) > 0);
  const heaviest = largest(weights.map((a, j) => (varying[j] ? Math.abs(a) : 0)));
  const widest = largest(weights.map((_, j) => (varying[j] ? (units[j] as number) : 0))) || 1;
  const own = weights.map((a, j) => (varying[j] ? (a / (heaviest || 1)) * ((units[j] as number) / widest) : 0));
  const top = largest(own.map(Math.abs));
  const shares = own.map((a) => a / (top || 1));
  // The last row belongs to the query.
  const start = new Float64Array((n + 1) * n);
  start.set(scaled);
  const floors = weights.map((_, j) => TOLERANCE * (scaled[j * n + j] as number));

  const exact = new Float64Array(n * columns);
  const determined = new Uint8Array(n * columns);
  const factor = maxChange / scale;
  const visit = (state: Conditioned, known: number, k: number): void => {
    if (k < n) {
      visit(unknown(state, n, k, shares[k] as number), known, k + 1);
      visit(given(state, n, k, floors[k] as number), known | (1 << k), k + 1);
      return;
    }
    for (let i = 0; i < n; i++) {
      if (known & (1 << i)) continue;
      const at = i * columns + ((known & ((1 << i) - 1)) | ((known >> (i + 1)) << i));
      const variance = state.matrix[i * n + i] as number;
      if (variance <= (floors[i] as number)) determined[at] = 1;
      else exact[at] = (Math.abs(state.covariances[i] as number) / variance) * (top * (widest / (units[i] as number))) * (heaviest * factor);
    }
  };
  visit({ matrix: start, covariances: new Float64Array(n) }, 0, 0);
  // The strongest adversary sees the target alone: no rounding is due.
  weights.forEach((a, i) => {
    const at = (i + 1) * columns - 1;
    if (!determined[at]) exact[at] = Math.abs(a) * factor;
  });
  return { exact, determined };
}

/** Covariances given the known ones of the tuples decided so far; the unknown ones of them make up the query. */
interface Conditioned {
  /** Rows of the tuples, then that of the query. */
  matrix: Float64Array;
  /** Of the tuples with the query: its row again, in the order of operations in which Python rounds. */
  covariances: Float64Array;
}

/** Takes tuple k into the query with its weight. */
function unknown({ matrix, covariances }: Conditioned, n: number, k: number, weight: number): Conditioned {
  const made = matrix.slice();
  for (let j = 0; j < n; j++) made[n * n + j] = (made[n * n + j] as number) + weight * (matrix[k * n + j] as number);
  return { matrix: made, covariances: covariances.map((value, i) => value + weight * (matrix[i * n + k] as number)) };
}

/** The Schur complement with respect to tuple k. */
function given({ matrix, covariances }: Conditioned, n: number, k: number, floor: number): Conditioned {
  const pivot = matrix[k * n + k] as number;
  const inverse = pivot > floor ? 1 / pivot : 0;
  const ratio = (row: number): number => (matrix[row * n + k] as number) * inverse;
  const made = new Float64Array(matrix.length);
  for (let row = 0; row <= n; row++) {
    const part = ratio(row);
    for (let j = 0; j < n; j++) {
      made[row * n + j] = (matrix[row * n + j] as number) - part * (matrix[j * n + k] as number);
    }
  }
  const withQuery = matrix[n * n + k] as number;
  return { matrix: made, covariances: covariances.map((value, i) => value - ratio(i) * withQuery) };
}
