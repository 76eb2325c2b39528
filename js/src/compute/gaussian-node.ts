/**
 * One adversary of Gaussian data: exact leakage, where it comes from, and where it shows (Li, Ren, Yang and Yang,
 * Theorem 6, for any weights). Given the attacked tuple x_i and the known ones x_K, the weighted sum of the unknown
 * tuples is normal with mean mu00 + mu0i x_i + mu0k x_K and standard deviation sigma.
 */
import { reaches } from "../gaussian/laplace-normal";
import type { GaussianChosen } from "../gaussian/protocol";
import { gaussianPromise, type GaussianRelease } from "./gaussian-all";
import { TOLERANCE } from "../matrix/validity";
import { regression } from "./regression";

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
