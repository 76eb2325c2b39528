/** Blocks of tuples that are independent of each other, from the joint distribution and not from pairs. */

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
