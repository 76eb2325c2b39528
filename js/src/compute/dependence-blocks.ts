/** Blocks of tuples that are independent of each other, from the joint distribution and not from pairs. */

/** Largest difference of a probability and what it would be under independence. */
const TOLERANCE = 1e-12;
/** Pairs of joint values that are looked at one by one; of more, what never happens together is looked at as a whole. */
const MOST_PAIRS = 1 << 22;

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
  const [one, other, sums] = [sumsOf(a, chances), sumsOf(b, chances), sumsOf(both, chances)];
  const seen = new Set<number>();
  let alone = 0;
  for (let row = 0; row < chances.length; row++) {
    const [i, j] = [a.index[row] as number, b.index[row] as number];
    const product = (one[i] as number) * (other[j] as number);
    if (Math.abs((sums[both.index[row] as number] as number) - product) > TOLERANCE) return true;
    const pair = i * b.count + j;
    if (!seen.has(pair)) alone += product;
    seen.add(pair);
  }
  const never = a.count * b.count - seen.size;
  if (never === 0) return false;
  if (a.count * b.count > MOST_PAIRS) return 1 - alone > Math.max(TOLERANCE, 1e-12 * a.count * b.count);
  // One of them has at least their mean.
  if (1 - alone > 2 * TOLERANCE * never) return true;
  for (let i = 0; i < a.count; i++) {
    for (let j = 0; j < b.count; j++) {
      if ((one[i] as number) * (other[j] as number) > TOLERANCE && !seen.has(i * b.count + j)) return true;
    }
  }
  return false;
}
