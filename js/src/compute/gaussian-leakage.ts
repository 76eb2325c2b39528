/** Exact leakage of Gaussian data: of all adversaries at once, and of one with where it comes from. */
import { reaches } from "../gaussian/laplace-normal";
import type { GaussianChosen } from "../gaussian/protocol";
import { columnCount } from "../graph/nodes";
import { inUnits, regression, TOLERANCE, unitsOf } from "../matrix/validity";
import type { Leakages } from "./exact-all";
import { largest } from "./releases";

// Exact leakage of all adversaries of Gaussian data (Li, Ren, Yang and Yang, Theorem 6), by Schur complements. With C
// the covariance given the known tuples, the leakage about tuple i is |Cov(f, x_i)| / Var(x_i) in C, times M / lambda.
// One more known tuple k takes C to C - C[:,k] C[k,:] / C[k,k]; where those before fix tuple k nothing is subtracted. A
// tuple enters f when it is decided to be unknown, so that a known one in large units leaves no rounding in it.

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

// One adversary of Gaussian data: exact leakage, where it comes from, and where it shows (Li, Ren, Yang and Yang,
// Theorem 6, for any weights). Given the attacked tuple x_i and the known ones x_K, the weighted sum of the unknown
// tuples is normal with mean mu00 + mu0i x_i + mu0k x_K and standard deviation sigma.

export interface GaussianNode extends GaussianChosen {
  mu00: number;
  mu0i: number;
  /** Parallel to the known tuples. */
  mu0k: number[];
}

/** What rounding leaves of a variance that is 0, relative. */
const ROUNDING = 1e-14;
const SAME = 1e-9;
const NEARLY = 0.99;

/** Sum that loses no digits to the order of its parts (Neumaier). */
function exactSum(parts: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const part of parts) {
    const next = sum + part;
    lost += Math.abs(sum) >= Math.abs(part) ? sum - next + part : part - next + sum;
    sum = next;
  }
  return sum + lost;
}

export function gaussianNode(release: GaussianRelease, target: number, known: readonly number[]): GaussianNode {
  const { cov, mean, weights, scale, maxChange } = release;
  const n = weights.length;
  const unknown = Array.from(weights, (_, j) => j).filter((j) => j !== target && !known.includes(j));
  const { coefficients, residual } = regression(cov, n, known);
  const left = (i: number, j: number): number => residual[i * n + j] as number;
  const variance = left(target, target);
  const determined = variance <= TOLERANCE * (cov[target * n + target] as number);
  // With the target determined its slopes are taken as 0: it cannot move.
  const slope = (j: number): number => (determined ? 0 : left(j, target) / variance);
  const weight = (j: number): number => weights[j] as number;

  const through = unknown.map((tuple) => ({ tuple, value: weight(tuple) * slope(tuple) }));
  const own = weight(target);
  const parts = through.map(({ value }) => value);
  const mu0i = exactSum(parts);
  const coefficient = exactSum([own, ...parts]);
  const mu0k = known.map((_, q) => {
    const given = (j: number): number => coefficients[j * known.length + q] as number;
    const partial = (u: number): number => given(u) - slope(u) * given(target);
    return unknown.reduce((sum, u) => sum + weight(u) * partial(u), 0);
  });
  const expected = mean[target] as number;
  const mu00 =
    unknown.reduce((sum, u) => sum + weight(u) * (mean[u] as number), 0) -
    mu0i * expected -
    known.reduce((sum, k, q) => sum + (mu0k[q] as number) * (mean[k] as number), 0);

  let spreadOfSum = 0;
  let size = 0;
  for (const u of unknown) {
    size += Math.abs(weight(u)) * Math.sqrt(cov[u * n + u] as number);
    for (const v of unknown) spreadOfSum += weight(u) * (left(u, v) - slope(u) * left(target, v)) * weight(v);
  }
  const sigma = spreadOfSum > ROUNDING * size ** 2 ? Math.sqrt(spreadOfSum) : 0;
  const value = determined ? 0 : Math.abs(coefficient) * (maxChange / scale);

  // With every tuple at its mean the attacked one is as expected, determined or not.
  const centre = weights.reduce((sum, a, j) => sum + a * (mean[j] as number), 0);
  const shift = coefficient * maxChange;
  const middle = centre + shift / 2;
  const reached = (level: number): [number, number] | null => {
    const found = reaches({ deviation: sigma, scale }, level, Math.abs(shift));
    return found === null ? null : [middle - found, middle + found];
  };
  const promise = gaussianPromise(release);
  const exceeded = value > promise * (1 + SAME);
  return {
    target,
    known: [...known],
    value,
    determined,
    limit: value > 0 && sigma > 0,
    own,
    through,
    coefficient,
    expected,
    spread: determined ? 0 : Math.sqrt(variance),
    centre,
    sigma,
    pair: determined ? null : [expected, expected + maxChange],
    over: exceeded ? reached(promise) : null,
    nearly: value > 0 ? reached(NEARLY * value) : null,
    mu00,
    mu0i,
    mu0k,
  };
}
