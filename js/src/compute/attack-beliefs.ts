/** What an adversary believes of one victim's cell: before the release, from all known users or from friends most, and after it. */
import type { City } from "./attack-city";
import { countsFor, expectedFor, joinedClusters, nearFor, type Expected, type Known } from "./attack-known";
import { firstLargest, sum } from "./attack-numbers";

/** Of one victim, whatever is released and whatever friends count. */
export interface Victim {
  user: number;
  counts: Float64Array;
  near: Uint8Array;
  expected: Expected;
  /** The cluster that a candidate in each cell joins. */
  joined: Int32Array;
}

export interface Belief {
  /** Logarithms, minus infinity where the probability is 0. */
  logs: Float64Array;
  probabilities: Float64Array;
  /** Nats. */
  entropy: number;
  /** The likeliest cell, the first of several. */
  cell: number;
}

/** Logarithms of probabilities that differ by less are equal: which of them is largest would be up to rounding. */
const EQUAL = 1e-9;
/** Scales below it count as this one. */
const LEAST = 1e-290;

export function victimOf(city: City, known: Known, user: number): Victim {
  const expected = expectedFor(known, city, user);
  return { user, counts: countsFor(known, city, user), near: nearFor(known, city, user), expected, joined: joinedClusters(expected, city.middle) };
}

/** A belief before the release. Without a known user all cells count, those near friends more. */
export function priorOf({ counts, near }: Pick<Victim, "counts" | "near">, weight: number): Belief {
  const weights = counts.map((_, cell) => (near[cell] ? weight : 1));
  const given = counts.map((count, cell) => (weights[cell] as number) * count);
  const total = sum(given);
  const probabilities = total === 0 ? shares(weights, sum(weights)) : shares(given, total);
  const logs = probabilities.map(Math.log);
  return { logs, probabilities, entropy: entropyOf(probabilities, logs), cell: firstLargest(probabilities) };
}

function shares(values: Float64Array, total: number): Float64Array {
  return values.map((value) => value / total);
}

function entropyOf(probabilities: Float64Array, logs: Float64Array): number {
  return Math.max(0, -sum(probabilities.map((p, cell) => (p > 0 ? p * (logs[cell] as number) : 0))));
}

/** The log likelihood of released centres for every cell; a constant that is common to all is left out. */
export function likelihoods({ expected, joined }: Victim, noisy: Float64Array, scale: number, middle: Float64Array): Float64Array {
  const [{ means, sizes }, grid] = [expected, middle.length];
  const found = new Float64Array(grid ** 2);
  if (scale === 0) return found;
  const apart = means.map((mean, at) => Math.abs(mean - (noisy[at] as number)));
  const resting = sizes.map((_, j) => (apart[2 * j] as number) + (apart[2 * j + 1] as number));
  const total = sum(resting);
  // The coordinate of a moved mean depends on the same coordinate of the candidate alone.
  const moved = new Float64Array(2 * sizes.length * grid);
  for (let at = 0; at < means.length; at++) {
    const [size, own, seen] = [sizes[at >> 1] as number, means[at] as number, noisy[at] as number];
    for (let k = 0; k < grid; k++) moved[at * grid + k] = Math.abs((size * own + (middle[k] as number)) / (size + 1) - seen);
  }
  const others = resting.map((own) => total - own);
  const divisor = -Math.max(scale, LEAST);
  for (let row = 0, cell = 0; row < grid; row++) {
    for (let column = 0; column < grid; column++, cell++) {
      const j = joined[cell] as number;
      const change = (moved[2 * j * grid + row] as number) + (moved[(2 * j + 1) * grid + column] as number);
      found[cell] = (change + (others[j] as number)) / divisor;
    }
  }
  return found;
}

/** The likeliest cell, the first of several that are equal but for rounding. */
function firstEqual(logs: Float64Array): number {
  const least = (logs[firstLargest(logs)] as number) - EQUAL;
  return logs.findIndex((log) => log >= least);
}

/** The likeliest cell after the release: no more than that is asked for in many draws. */
export function likeliest(prior: Belief, likelihood: Float64Array): number {
  return firstEqual(prior.logs.map((log, cell) => log + (likelihood[cell] as number)));
}

/** The belief after the release. */
export function posteriorOf(prior: Belief, likelihood: Float64Array): Belief {
  const logs = prior.logs.map((log, cell) => log + (likelihood[cell] as number));
  const most = logs[firstLargest(logs)] as number;
  for (let cell = 0; cell < logs.length; cell++) logs[cell] = (logs[cell] as number) - most;
  const total = Math.log(sum(logs.map(Math.exp)));
  for (let cell = 0; cell < logs.length; cell++) logs[cell] = (logs[cell] as number) - total;
  const probabilities = logs.map(Math.exp);
  return { logs, probabilities, entropy: entropyOf(probabilities, logs), cell: firstEqual(logs) };
}
