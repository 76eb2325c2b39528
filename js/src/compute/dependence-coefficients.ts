/** Which tuples depend on each other, and how much: independent blocks, and dependence coefficients of pairs. */
import type { Coefficient } from "../dependence/protocol";
import { densities, gridOf, type Grid } from "./dependence-grid";
import { distance, type Points } from "./dependence-table";

// Blocks of tuples that are independent of each other, from the joint distribution and not from pairs.

/**
 * Largest difference of a probability and what it would be under independence, as a share of the larger one. A leakage
 * is a ratio given a value, so rare values count in full; sums of positive terms are rounded by far less.
 */
const TOLERANCE = 1e-12;

/** The rows that can occur. */
export interface Law {
  n: number;
  /** Positions of values, rows x n. */
  codes: Int32Array;
  /** Sum to 1. */
  chances: Float64Array;
}

/** What several tuples say together: one number for each row, 0, 1, ... */
interface Joined {
  index: Int32Array;
  count: number;
}

/** The finest partition into independent blocks, by first position: as Python finds it, grown from the first tuple of each. */
export function independentBlocks(law: Law): number[][] {
  const columns = Array.from({ length: law.n }, (_, j) => column(law, j));
  const blocks: number[][] = [];
  let left: number[] = [];
  columns.forEach(({ count }, j) => (count < 2 ? blocks.push([j]) : left.push(j)));
  const together = (tuples: readonly number[]): Joined => tuples.map((j) => columns[j] as Joined).reduce(joined);
  while (left.length > 0) {
    const block = [left[0] as number];
    const rest = left.slice(1);
    let first = columns[block[0] as number] as Joined;
    const depends = (many: number): boolean => isDependent(first, together(rest.slice(0, many)), law.chances);
    while (rest.length > 0 && depends(rest.length)) {
      let [low, high] = [1, 1];
      while (high < rest.length && !depends(high)) [low, high] = [high + 1, Math.min(2 * high, rest.length)];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (depends(middle)) high = middle;
        else low = middle + 1;
      }
      const [found] = rest.splice(low - 1, 1) as [number];
      block.push(found);
      first = joined(first, columns[found] as Joined);
    }
    blocks.push(block.sort((a, b) => a - b));
    left = rest;
  }
  return blocks.sort((a, b) => (a[0] as number) - (b[0] as number));
}

function column({ n, codes, chances }: Law, j: number): Joined {
  return numbered(Float64Array.from(chances, (_, row) => codes[row * n + j] as number));
}

function joined(a: Joined, b: Joined): Joined {
  return numbered(Float64Array.from(a.index, (first, row) => first * b.count + (b.index[row] as number)));
}

/** Numbers without gaps, in the order in which they come. */
function numbered(keys: Float64Array): Joined {
  const places = new Map<number, number>();
  const index = Int32Array.from(keys, (key) => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, places.size);
    return places.size - 1;
  });
  return { index, count: places.size };
}

function sumsOf({ index, count }: Joined, chances: Float64Array): Float64Array {
  const sums = new Float64Array(count);
  index.forEach((place, row) => (sums[place] = (sums[place] as number) + (chances[row] as number)));
  return sums;
}

function isDependent(a: Joined, b: Joined, chances: Float64Array): boolean {
  const both = joined(a, b);
  // Both can happen, and never do together.
  if (both.count < a.count * b.count) return true;
  const [one, other, sums] = [sumsOf(a, chances), sumsOf(b, chances), sumsOf(both, chances)];
  return both.index.some((place, row) => {
    const sum = sums[place] as number;
    const product = (one[a.index[row] as number] as number) * (other[b.index[row] as number] as number);
    return Math.abs(sum - product) > TOLERANCE * Math.max(sum, product);
  });
}

// How much of what noise lets a tuple say about itself it says about another: the dependence coefficients of pairs within blocks.

/** Bounds below take logarithms of 1 plus little up to the first, and of large sums beyond the second. */
const [WIDE, NARROW] = [0.5, 600];

/** The laws of one tuple given those of others. */
interface Told {
  tuple: number;
  /** The others, and where the laws given each of them begin. */
  others: readonly number[];
  begins: readonly number[];
  /** P(D_j | D_i = a) on the different points of D_j, for every possible a of every other. */
  laws: Float64Array;
  grid: Grid;
  /** L1 distances of all pairs of points. */
  apart: Float64Array;
  size: number;
  /** Largest mean distance to one point, by other. */
  means: Float64Array;
}

/** The pairs that count: those of one block, and all of them where `of` asks for more. */
export interface Pairs {
  n: number;
  told: readonly Told[];
}

/** The pairs of tuples within the blocks. */
export function pairsWithin(law: Law, sizes: readonly number[], reach: readonly Points[], blocks: readonly (readonly number[])[]): Pairs {
  return { n: law.n, told: blocks.flatMap((block) => block.map((j) => toldOf(law, sizes, reach[j] as Points, j, block.filter((i) => i !== j)))) };
}

/** The pairs of one tuple with every other one. */
export function pairsOf(law: Law, sizes: readonly number[], reach: readonly Points[], i: number): Pairs {
  return { n: law.n, told: reach.flatMap((points, j) => (j === i ? [] : [toldOf(law, sizes, points, j, [i])])) };
}

function toldOf({ n, codes, chances }: Law, sizes: readonly number[], points: Points, tuple: number, others: readonly number[]): Told {
  const { place, distinct } = differentPoints(points);
  const size = distinct.length / points.width;
  const begins = [0];
  const laws: number[] = [];
  for (const i of others) {
    const labels = sizes[i] as number;
    const table = new Float64Array(labels * size);
    const sums = new Float64Array(labels);
    chances.forEach((chance, row) => {
      const a = codes[row * n + i] as number;
      sums[a] = (sums[a] as number) + chance;
      table[a * size + (place[codes[row * n + tuple] as number] as number)]! += chance;
    });
    sums.forEach((sum, a) => {
      if (sum > 0) for (let d = 0; d < size; d++) laws.push((table[a * size + d] as number) / sum);
    });
    begins.push(laws.length / size);
  }
  const { width } = points;
  const apart = Float64Array.from({ length: size * size }, (_, k) => distance(distinct, Math.floor(k / size) * width, (k % size) * width, width));
  const told = { tuple, others, begins, laws: Float64Array.from(laws), grid: gridOf(distinct, width), apart, size };
  return { ...told, means: Float64Array.from(others, (_, k) => largestMean(told, k, apart)) };
}

function differentPoints({ width, at }: Points): { place: Int32Array; distinct: Float64Array } {
  const keys = new Map<string, number>();
  const distinct: number[] = [];
  const place = Int32Array.from({ length: at.length / width }, (_, value) => {
    const point = [...at.subarray(value * width, (value + 1) * width)];
    const key = point.map((x) => x + 0).join();
    const known = keys.get(key);
    if (known !== undefined) return known;
    distinct.push(...point);
    keys.set(key, keys.size);
    return keys.size - 1;
  });
  return { place, distinct: Float64Array.from(distinct) };
}

type Laws = Pick<Told, "begins" | "laws" | "size">;

/** The largest mean of a column over the laws given one other tuple. */
function largestMean({ begins, laws, size }: Laws, other: number, columns: Float64Array): number {
  let found = -Infinity;
  for (let law = begins[other] as number; law < (begins[other + 1] as number); law++) {
    for (let to = 0; to < size; to++) {
      let mean = 0;
      // Distances are the same both ways: rows are read in order.
      for (let d = 0; d < size; d++) mean += (laws[law * size + d] as number) * (columns[to * size + d] as number);
      if (mean > found) found = mean;
    }
  }
  return found;
}

/** What noisy values of D_j say about D_i at most, r_ij in nats, n x n; 0 for pairs that were not asked for. */
export function ratiosAt({ n, told }: Pairs, scale: number, kind: Coefficient): Float64Array {
  const found = new Float64Array(n * n);
  for (const one of told) {
    const { tuple, others, begins, size } = one;
    if (size < 2) continue;
    const ratios = kind === "exact" ? exactRatios(one, scale) : kind === "mean" ? one.means.map((mean) => mean / scale) : printedRatios(one, scale);
    // A tuple with one possible value has nothing to be told.
    others.forEach((i, k) => {
      if ((begins[k + 1] as number) - (begins[k] as number) > 1) found[i * n + tuple] = Math.max(0, ratios[k] as number);
    });
  }
  return found;
}

function exactRatios({ others, begins, laws, grid, size }: Told, scale: number): Float64Array {
  // The points are the grid where they lie on a line.
  const placed = new Float64Array((laws.length / size) * grid.size);
  laws.forEach((chance, k) => (placed[Math.floor(k / size) * grid.size + (grid.index[k % size] as number)] = chance));
  const { values, over, ratio } = densities(grid, placed, scale);
  return Float64Array.from(others, (_, k) => {
    const [from, to] = [begins[k] as number, begins[k + 1] as number];
    let [best, most, least] = [-Infinity, 1, 1];
    for (let g = 0; g < grid.size; g++) {
      let high = values[from * grid.size + g] as number;
      let low = high;
      for (let law = from + 1; law < to; law++) {
        const value = values[law * grid.size + g] as number;
        if (value > high) high = value;
        else if (value < low) low = value;
      }
      const gain = over(high, low);
      if (gain > best) [best, most, least] = [gain, high, low];
    }
    return ratio(most, least);
  });
}

/** Eq. 18: log means of exponentials of distances to one point. */
function printedRatios(one: Told, scale: number): Float64Array {
  const { others, apart } = one;
  const exponents = apart.map((x) => x / scale);
  const most = exponents.reduce((a, b) => Math.max(a, b), 0);
  if (most < WIDE) {
    const columns = exponents.map(Math.expm1);
    return Float64Array.from(others, (_, k) => Math.log1p(largestMean(one, k, columns)));
  }
  if (most < NARROW) {
    const columns = exponents.map(Math.exp);
    return Float64Array.from(others, (_, k) => Math.log(largestMean(one, k, columns)));
  }
  return Float64Array.from(others, (_, k) => largestLogMean(one, k, exponents));
}

function largestLogMean({ begins, laws, size }: Laws, other: number, exponents: Float64Array): number {
  let found = -Infinity;
  for (let law = begins[other] as number; law < (begins[other + 1] as number); law++) {
    for (let to = 0; to < size; to++) {
      const terms = Array.from({ length: size }, (_, d) => Math.log(laws[law * size + d] as number) + (exponents[to * size + d] as number));
      const top = Math.max(...terms);
      found = Math.max(found, top + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - top), 0)));
    }
  }
  return found;
}

/** The dependence coefficients of pairs: 1 of a tuple with itself, and never above 1. */
export function coefficientsAt(pairs: Pairs, changes: Float64Array, scale: number, kind: Coefficient): Float64Array {
  const { n } = pairs;
  const ratios = scale > 0 ? ratiosAt(pairs, scale, kind) : new Float64Array(n * n);
  return ratios.map((ratio, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    if (i === j) return 1;
    const change = changes[j] as number;
    return change > 0 ? Math.min(1, (ratio * scale) / change) : 0;
  });
}

/** The dependent sensitivity of every tuple at a scale, DS_i. */
export function dependentSensitivities(pairs: Pairs, changes: Float64Array, scale: number, kind: Coefficient): Float64Array {
  const { n } = pairs;
  const ratios = ratiosAt(pairs, scale, kind);
  return changes.map((change, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += ratios[i * n + j] as number;
    return change + scale * sum;
  });
}
