/**
 * The paper's estimate of all leakages: the chain rule along the weighted hierarchical graph (Li, Ren, Yang and Yang,
 * Theorems 2, 4 and 5, Algorithm 1), as printed. It is neither the leakage nor a bound of it.
 */
import { columnCount } from "../graph/nodes";
import { edgeBounds, type EdgeBounds } from "./edge-bounds";
import { type Release, sensitivity } from "./releases";

export interface ChainRule {
  /** In nats, n x 2^(n-1). */
  values: Float64Array;
  /** n x 2^(n-1) x n: what was added on the edge into (i, c) that forgets tuple j; NaN where there is none. */
  increments: Float64Array;
}

/** Two increments that move a leakage equally far, but for rounding: then the larger one. */
const TIE = 1e-12;

/** Whichever increment makes |leakage + it| larger. */
export function maximising(leakage: number, low: number, high: number): number {
  const down = Math.abs(leakage + low);
  return Math.abs(leakage + high) < down - TIE * Math.min(1, down) ? low : high;
}

/** Instance as label positions, or null for the worst of all known values. */
export function chainAll(release: Release, instance: readonly number[] | null): ChainRule {
  const first = Float64Array.from(release.contributions, (y) => sensitivity(y) / release.scale);
  const bounds = edgeBounds(release, instance);
  const values = layerByLayer(first, bounds);
  return { values, increments: chosenIncrements(values, bounds) };
}

/** All nodes from those of layer 1, by Algorithm 1: every adversary takes the smallest value offered to it. */
export function layerByLayer(first: Float64Array, { low, high }: EdgeBounds): Float64Array {
  const n = first.length;
  const columns = columnCount(n);
  const values = new Float64Array(n * columns).fill(Infinity);
  first.forEach((value, i) => (values[i * columns + columns - 1] = value));
  for (let i = 0; i < n; i++) {
    // One bit more is a larger number: from the last column down, all offers to a node are final.
    for (let c = columns - 2; c >= 0; c--) {
      const node = i * columns + c;
      for (let p = 0; p < n - 1; p++) {
        if (c & (1 << p)) continue;
        const edge = node * n + (p < i ? p : p + 1);
        const from = values[node + (1 << p)] as number;
        const [down, up] = [low[edge] as number, high[edge] as number];
        // An undefined edge passes the value through.
        const offer = Number.isNaN(down) ? from : Math.max(Math.abs(from + down), Math.abs(from + up));
        if (offer < (values[node] as number)) values[node] = offer;
      }
    }
  }
  return values;
}

function chosenIncrements(values: Float64Array, { low, high }: EdgeBounds): Float64Array {
  const n = Math.round(low.length / values.length);
  return high.map((up, edge) => {
    const node = Math.floor(edge / n);
    const i = Math.floor(node / columnCount(n));
    const j = edge % n;
    if (j === i || Number.isNaN(up)) return up;
    const from = values[node + (1 << (j < i ? j : j - 1))] as number;
    return maximising(from, low[edge] as number, up);
  });
}
