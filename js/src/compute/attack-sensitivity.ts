/** By how much one user can move the released centres, in four readings; only the last can be a guarantee. */
import type { Sensitivity } from "../attack/protocol";
import type { City } from "./attack-city";
import { expectedFor, joinedClusters, type Expected, type Known } from "./attack-known";
import { sum } from "./attack-numbers";

export function sensitivityOf(reading: Sensitivity, city: City, known: Known): number {
  switch (reading) {
    case "unit":
      return 1;
    case "local":
      return largestLocal(city, known);
    case "fixed_bound":
      return fixedBound(city);
    case "worst_case":
      return 2 * city.k;
  }
}

function fixedBound({ k, assign }: City): number {
  const sizes = new Float64Array(k);
  for (const cluster of assign) sizes[cluster] = (sizes[cluster] as number) + 1;
  return 2 * sum(sizes.sort().subarray(0, 2).map((size) => 1 / (size + 1)));
}

const found = new WeakMap<Known, number>();

/** The largest over all victims, looked for once. */
function largestLocal(city: City, known: Known): number {
  const before = found.get(known);
  if (before !== undefined) return before;
  let most = 0;
  let others = false;
  for (let victim = 0; victim < city.n; victim++) {
    // Whoever is not known leaves the same clusters.
    if (!known.chosen[victim]) {
      if (others) continue;
      others = true;
    }
    most = Math.max(most, local(expectedFor(known, city, victim), city.middle));
  }
  found.set(known, most);
  return most;
}

/** How far the centres differ at most, L1 over all coordinates, between two cells the victim may be in. */
function local(expected: Expected, middle: Float64Array): number {
  const { means, sizes } = expected;
  const [cluster, grid, k] = [joinedClusters(expected, middle), middle.length, sizes.length];
  // The largest and the least along both diagonals: the larger extent is the L1 diameter.
  const ends = [1, -1].map(() => ({ high: new Float64Array(k).fill(-2), low: new Float64Array(k).fill(2) }));
  const away = new Float64Array(k).fill(-Infinity);
  for (let row = 0, cell = 0; row < grid; row++) {
    const north = middle[row] as number;
    for (let column = 0; column < grid; column++, cell++) {
      const [east, j] = [middle[column] as number, cluster[cell] as number];
      for (const [turn, { high, low }] of ends.entries()) {
        const along = turn === 0 ? north + east : north - east;
        if (along > (high[j] as number)) high[j] = along;
        if (along < (low[j] as number)) low[j] = along;
      }
      const far = Math.abs((means[2 * j] as number) - north) + Math.abs((means[2 * j + 1] as number) - east);
      if (far > (away[j] as number)) away[j] = far;
    }
  }
  let within = 0;
  const leaving = away.map((far, j) => {
    const size = (sizes[j] as number) + 1;
    if (far !== -Infinity) {
      for (const { high, low } of ends) within = Math.max(within, ((high[j] as number) - (low[j] as number)) / size);
    }
    return far / size;
  });
  // Two candidates in different clusters move both.
  leaving.sort();
  const across = k > 1 ? (leaving[k - 2] as number) + (leaving[k - 1] as number) : -Infinity;
  return Math.max(within, across);
}
