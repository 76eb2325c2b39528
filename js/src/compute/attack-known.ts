/** What an adversary knows of the others: who is known, how many are in each cell, and the clusters without the victim. */
import type { City } from "./attack-city";
import { roundToEven } from "./attack-numbers";

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
export interface Expected {
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
export function countsFor({ chosen, spare, counts }: Known, { cells }: City, victim: number): Float64Array {
  const found = counts.slice();
  if (!chosen[victim]) return found;
  add(found, cells[victim] as number, -1);
  add(found, cells[spare] as number, 1);
  return found;
}

/** The means of the known others' clusters; one without any keeps its centre. */
export function expectedFor({ chosen, spare, sums, sizes }: Known, city: City, victim: number): Expected {
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
export function nearFor(known: Known, city: City, victim: number): Uint8Array {
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
export function joinedClusters({ means, sizes }: Expected, middle: Float64Array): Int32Array {
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
