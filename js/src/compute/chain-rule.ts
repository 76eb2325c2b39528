/**
 * The paper's estimate of all leakages: increments along the edges of the weighted hierarchical graph, added up by the
 * chain rule.
 */
import { columnCount } from "../graph/nodes";
import { WIDE } from "./extreme-noise";
import { largest, LARGEST_EXPONENT, least, logAdd, sensitivity, smallestProbability, type Release } from "./releases";
import { combinations, withSums } from "./states";
import { stridesOf } from "./table";

// Smallest and largest increment of every edge of the weighted hierarchical graph, as printed (Li, Ren, Yang and
// Yang, Eq. 9): what the paper's estimate adds to a leakage when one more tuple is no longer known.

/** Arrays n x 2^(n-1) x n: the edge into the adversary (i, c) that forgets tuple j; NaN where there is none. */
export interface EdgeBounds {
  low: Float64Array;
  high: Float64Array;
}

/** Labels in increasing order of their contributions. */
function orderOf(contributions: Float64Array): number[] {
  return Array.from(contributions, (_, v) => v).sort((a, b) => (contributions[a] as number) - (contributions[b] as number));
}

/** Instance as label positions, or null for the union over all known values that can occur. */
export function edgeBounds({ table, contributions, scale }: Release, instance: readonly number[] | null): EdgeBounds {
  const { shape } = table;
  const n = shape.length;
  const columns = columnCount(n);
  const exponent = -Math.log(smallestProbability(table));
  const tuples = contributions.map((y) => {
    const offsets = y.map((c) => (c - least(y)) / scale);
    const reach = largest(offsets);
    return { order: orderOf(y), offsets, logarithms: reach + exponent > LARGEST_EXPONENT, wide: reach < WIDE };
  });
  const low = new Float64Array(n * columns * n).fill(NaN);
  const high = low.slice();
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const others = shape.map((_, k) => k).filter((k) => k !== i && k !== j);
      const weights = withSums(table.entries, shape, others, { width: 1, logarithms: false }, instance);
      const states = shape.map((d, k) => (k === i || k === j ? d : instance === null ? d + 1 : 2));
      const strides = stridesOf(states);
      for (const [target, removed] of [[i, j], [j, i]] as const) {
        const [from, gone] = [tuples[target] as Tuple, tuples[removed] as Tuple];
        const quotient = new Quotient(weights, strides[removed] as number, gone);
        const found = combinations(states, target, [i, j]);
        for (let k = 0; k < found.starts.length; k++) {
          const at = (target * columns + (found.columns[k] as number)) * n + removed;
          widen(low, high, at, quotient, found.starts[k] as number, strides[target] as number, from.order);
        }
      }
    }
  }
  return { low, high };
}

interface Tuple {
  order: readonly number[];
  /** Contributions above the least, over the scale. */
  offsets: Float64Array;
  logarithms: boolean;
  /** Noise that is wide beside it: the logarithm is small, and what it differs from 0 by has all its digits. */
  wide: boolean;
}

/** log E[exp(-y_j / scale)] over the labels of the forgotten tuple j. */
class Quotient {
  private readonly factors: Float64Array;

  constructor(
    private readonly weights: Float64Array,
    private readonly step: number,
    private readonly tuple: Tuple,
  ) {
    this.factors = tuple.offsets.map((offset) => (tuple.wide ? Math.expm1(-offset) : Math.exp(-offset)));
  }

  /** NaN where the label of the target that begins there cannot occur. */
  at(start: number): number {
    const { weights, step, factors, tuple } = this;
    let sum = 0;
    let weighted = 0;
    for (let w = 0; w < factors.length; w++) {
      const p = weights[start + w * step] as number;
      sum += p;
      weighted += p * (factors[w] as number);
    }
    if (!tuple.logarithms || sum === 0) return tuple.wide ? Math.log1p(weighted / sum) : Math.log(weighted / sum);
    let logs = -Infinity;
    for (let w = 0; w < factors.length; w++) {
      logs = logAdd(logs, Math.log(weights[start + w * step] as number) - (tuple.offsets[w] as number));
    }
    return logs - Math.log(sum);
  }
}

/** Takes in every g_m - g_n over labels m before n of the target that can occur. */
function widen(low: Float64Array, high: Float64Array, at: number, quotient: Quotient, start: number, step: number, order: readonly number[]): void {
  let down = low[at] as number;
  let up = high[at] as number;
  let smallest = NaN;
  let most = NaN;
  for (const v of order) {
    const g = quotient.at(start + v * step);
    if (Number.isNaN(g)) continue;
    if (!(smallest - g >= down) && smallest === smallest) down = smallest - g;
    if (!(most - g <= up) && most === most) up = most - g;
    if (!(smallest <= g)) smallest = g;
    if (!(most >= g)) most = g;
  }
  low[at] = down;
  high[at] = up;
}

// The paper's estimate of all leakages: the chain rule along the weighted hierarchical graph (Li, Ren, Yang and Yang,
// Theorems 2, 4 and 5, Algorithm 1), as printed. It is neither the leakage nor a bound of it.

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
