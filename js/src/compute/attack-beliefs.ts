/**
 * What an adversary knows of the other users, and what it believes of one victim's cell before and after the release.
 */
import type { City } from "./attack-city";
import { firstLargest, roundToEven, sum } from "./numpy-numbers";

// What an adversary knows of the others: who is known, how many are in each cell, and the clusters without the victim.

/** The same users are known for every victim but for one, who stands in for a victim among them. */
export interface Known {
  chosen: Uint8Array;
  spare: number;
  /** Of the chosen users: how many are in each cell, and the sums and sizes of the clusters. */
  counts: Float64Array;
  sums: Float64Array;
  sizes: Float64Array;
}

/** Means of the clusters without the victim, two numbers each, and how many known others they have. */
interface Expected {
  means: Float64Array;
  sizes: Float64Array;
}

function add(values: Float64Array, at: number, what: number): void {
  values[at] = (values[at] as number) + what;
}

/** Who is known, for a share of the others. */
export function knownOf(city: City, share: number): Known {
  const { n, k, order, cells, assign } = city;
  const many = roundToEven(share * (n - 1));
  const chosen = new Uint8Array(n);
  for (const user of order.subarray(0, many)) chosen[user] = 1;
  const known: Known = {
    chosen,
    spare: order[many] as number,
    counts: new Float64Array(city.grid ** 2),
    sums: new Float64Array(2 * k),
    sizes: new Float64Array(k),
  };
  // In the order of users, as Python adds them: sums differ in their last digits otherwise.
  for (let user = 0; user < n; user++) {
    if (!chosen[user]) continue;
    add(known.counts, cells[user] as number, 1);
    count(known, city, assign[user] as number, user, 1);
  }
  return known;
}

function count({ sums, sizes }: Pick<Known, "sums" | "sizes">, { points }: City, cluster: number, user: number, sign: 1 | -1): void {
  for (const axis of [0, 1]) add(sums, 2 * cluster + axis, sign * (points[2 * user + axis] as number));
  add(sizes, cluster, sign);
}

/** How many known others are in each cell. */
function countsFor({ chosen, spare, counts }: Known, { cells }: City, victim: number): Float64Array {
  const found = counts.slice();
  if (!chosen[victim]) return found;
  add(found, cells[victim] as number, -1);
  add(found, cells[spare] as number, 1);
  return found;
}

/** The means of the known others' clusters; one without any keeps its centre. */
function expectedFor({ chosen, spare, sums, sizes }: Known, city: City, victim: number): Expected {
  const { assign, centroids } = city;
  const [totals, many] = [sums.slice(), sizes.slice()];
  if (chosen[victim]) {
    count({ sums: totals, sizes: many }, city, assign[victim] as number, victim, -1);
    count({ sums: totals, sizes: many }, city, assign[spare] as number, spare, 1);
  }
  const means = totals.map((total, at) => {
    const size = many[at >> 1] as number;
    return size > 0 ? total / size : (centroids[at] as number);
  });
  return { means, sizes: many };
}

/** Positions of the victim's friends whose places are known, ascending. */
export function knownFriends({ chosen, spare }: Known, { friends }: City, victim: number): number[] {
  return (friends[victim] as number[]).filter((friend) => chosen[friend] || (friend === spare && chosen[victim]));
}

/** Whether a known friend of the victim is near the centre of each cell. */
function nearFor(known: Known, city: City, victim: number): Uint8Array {
  const { grid, middle, points, radius } = city;
  const found = new Uint8Array(grid ** 2);
  for (const friend of knownFriends(known, city, victim)) {
    const squares = [0, 1].map((axis) => middle.map((at) => ((points[2 * friend + axis] as number) - at) ** 2)) as [Float64Array, Float64Array];
    for (let cell = 0; cell < found.length; cell++) {
      const square = (squares[0][Math.floor(cell / grid)] as number) + (squares[1][cell % grid] as number);
      if (Math.sqrt(square) <= radius) found[cell] = 1;
    }
  }
  return found;
}

/** The cluster that a candidate in each cell joins: the nearest mean, the first of several. */
function joinedClusters({ means, sizes }: Expected, middle: Float64Array): Int32Array {
  const grid = middle.length;
  const best = new Float64Array(grid ** 2).fill(Infinity);
  const found = new Int32Array(grid ** 2);
  for (let j = 0; j < sizes.length; j++) {
    const [north, east] = [means[2 * j] as number, means[2 * j + 1] as number];
    const squares = middle.map((at) => (east - at) ** 2);
    for (let row = 0, cell = 0; row < grid; row++) {
      const up = (north - (middle[row] as number)) ** 2;
      for (let column = 0; column < grid; column++, cell++) {
        const distance = up + (squares[column] as number);
        if (distance < (best[cell] as number)) {
          best[cell] = distance;
          found[cell] = j;
        }
      }
    }
  }
  return found;
}

// What an adversary believes of one victim's cell: before the release, from all known users or from friends most, and after it.

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
  /** The likeliest cell, the first of several, and how many there are. */
  cell: number;
  equal: number;
}

/** Logarithms of probabilities that differ by less are equal: which of them is largest would be up to rounding. */
const EQUAL = 1e-9;
/** Scales below it count as this one. */
const LEAST = 1e-290;

export function victimOf(city: City, known: Known, user: number): Victim {
  const expected = expectedFor(known, city, user);
  const counts = countsFor(known, city, user).map((count) => count + city.smoothing);
  return { user, counts, near: nearFor(known, city, user), expected, joined: joinedClusters(expected, city.middle) };
}

/** A belief before the release. Without a known user all cells count, those near friends more. */
export function priorOf({ counts, near }: Pick<Victim, "counts" | "near">, weight: number): Belief {
  const weights = counts.map((_, cell) => (near[cell] ? weight : 1));
  const given = counts.map((count, cell) => (weights[cell] as number) * count);
  const total = sum(given);
  const probabilities = total === 0 ? shares(weights, sum(weights)) : shares(given, total);
  const logs = probabilities.map(Math.log);
  const cell = firstLargest(probabilities);
  return { logs, probabilities, entropy: entropyOf(probabilities, logs), cell, equal: atLeast(probabilities, probabilities[cell] as number) };
}

/** How many values are no smaller. */
function atLeast(values: Float64Array, least: number): number {
  return values.reduce((many, value) => (value >= least ? many + 1 : many), 0);
}

function shares(values: Float64Array, total: number): Float64Array {
  return values.map((value) => value / total);
}

function entropyOf(probabilities: Float64Array, logs: Float64Array): number {
  return Math.max(0, -sum(probabilities.map((p, cell) => (p > 0 ? p * (logs[cell] as number) : 0))));
}

/** Cells in which the victim may be: others keep probability 0. */
export function supportOf({ probabilities }: Belief): Int32Array {
  return Int32Array.from(probabilities.keys()).filter((cell) => (probabilities[cell] as number) > 0);
}

/** The log likelihood of released centres for some cells; a constant that is common to all is left out. */
export function likelihoods({ expected, joined }: Victim, noisy: Float64Array, scale: number, middle: Float64Array, cells: Int32Array): Float64Array {
  const [{ means, sizes }, grid] = [expected, middle.length];
  const found = new Float64Array(cells.length);
  if (scale === 0) return found;
  const resting = new Float64Array(sizes.length);
  // The coordinate of a moved mean depends on the same coordinate of the candidate alone.
  const moved = new Float64Array(means.length * grid);
  for (let at = 0; at < means.length; at++) {
    const j = at >> 1;
    const [size, own, seen] = [sizes[j] as number, means[at] as number, noisy[at] as number];
    resting[j] = (resting[j] as number) + Math.abs(own - seen);
    for (let k = 0; k < grid; k++) moved[at * grid + k] = Math.abs((size * own + (middle[k] as number)) / (size + 1) - seen);
  }
  const total = sum(resting);
  const divisor = -Math.max(scale, LEAST);
  for (let k = 0; k < cells.length; k++) {
    const cell = cells[k] as number;
    const [j, row] = [joined[cell] as number, (cell / grid) | 0];
    const change = (moved[2 * j * grid + row] as number) + (moved[(2 * j + 1) * grid + cell - row * grid] as number);
    found[k] = (change + (total - (resting[j] as number))) / divisor;
  }
  return found;
}

/** The likeliest cell, the first of several that are equal but for rounding, and how many there are. */
function likeliest(logs: Float64Array): Pick<Belief, "cell" | "equal"> {
  const least = (logs[firstLargest(logs)] as number) - EQUAL;
  return { cell: logs.findIndex((log) => log >= least), equal: atLeast(logs, least) };
}

/** What many releases are looked at for: the entropy after one, and the likeliest cell by its place in the list. */
export interface Glance {
  entropy: number;
  at: number;
}

/** The same numbers as of a whole belief, with one exponential for each cell, or with none for the cell alone. */
export function glance({ logs }: Belief, cells: Int32Array, likelihood: Float64Array, cellOnly = false): Glance {
  let most = -Infinity;
  const terms = likelihood.slice();
  for (let k = 0; k < terms.length; k++) {
    const value = (terms[k] as number) + (logs[cells[k] as number] as number);
    terms[k] = value;
    if (value > most) most = value;
  }
  let [total, weighted, at] = [0, 0, -1];
  for (let k = 0; k < terms.length; k++) {
    const below = (terms[k] as number) - most;
    if (at < 0 && below >= -EQUAL) at = k;
    if (cellOnly) {
      if (at < 0) continue;
      break;
    }
    const part = Math.exp(below);
    total += part;
    weighted += part === 0 ? 0 : part * below;
  }
  return { entropy: cellOnly ? NaN : Math.max(0, Math.log(total) - weighted / total), at };
}

/** The belief after the release. */
export function posteriorOf(prior: Belief, likelihood: Float64Array): Belief {
  const logs = prior.logs.map((log, cell) => log + (likelihood[cell] as number));
  const most = logs[firstLargest(logs)] as number;
  for (let cell = 0; cell < logs.length; cell++) logs[cell] = (logs[cell] as number) - most;
  const total = Math.log(sum(logs.map(Math.exp)));
  for (let cell = 0; cell < logs.length; cell++) logs[cell] = (logs[cell] as number) - total;
  const probabilities = logs.map(Math.exp);
  return { logs, probabilities, entropy: entropyOf(probabilities, logs), ...likeliest(logs) };
}
