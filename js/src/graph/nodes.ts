/**
 * The adversaries of n tuples and how they are numbered. An adversary attacks one tuple and knows a
 * set of the others: bit p of its column is set when it knows the p-th of the others, in increasing
 * order. Its flat number is target * 2^(n-1) + column, the position in every array over adversaries.
 */

export interface Adversary {
  target: number;
  known: number[];
}

/** A neighbour in the hierarchy: its column, and the tuple by which the two known sets differ. */
export interface Neighbour {
  column: number;
  tuple: number;
}

export function columnCount(n: number): number {
  return 2 ** (n - 1);
}

export function adversaryCount(n: number): number {
  return n * columnCount(n);
}

/** Bit position of a tuple among the others of the target. */
function bitOf(target: number, tuple: number): number {
  return tuple < target ? tuple : tuple - 1;
}

function tupleOf(target: number, bit: number): number {
  return bit < target ? bit : bit + 1;
}

export function columnOf(n: number, target: number, known: readonly number[]): number {
  let column = 0;
  for (const tuple of known) {
    if (!Number.isInteger(tuple) || tuple < 0 || tuple >= n || tuple === target) {
      throw new RangeError(`Tuple ${tuple} cannot be known: it must be one of 0 to ${n - 1}, and not ${target}, the attacked one.`);
    }
    column |= 1 << bitOf(target, tuple);
  }
  return column;
}

export function knownOf(n: number, target: number, column: number): number[] {
  const known: number[] = [];
  for (let bit = 0; bit < n - 1; bit++) if (column & (1 << bit)) known.push(tupleOf(target, bit));
  return known;
}

export function flatOf(n: number, target: number, column: number): number {
  return target * columnCount(n) + column;
}

export function targetOf(n: number, flat: number): number {
  return Math.floor(flat / columnCount(n));
}

export function columnOfFlat(n: number, flat: number): number {
  return flat % columnCount(n);
}

export function adversaryOf(n: number, flat: number): Adversary {
  const target = targetOf(n, flat);
  return { target, known: knownOf(n, target, columnOfFlat(n, flat)) };
}

export function bitsSet(column: number): number {
  let count = 0;
  for (let rest = column; rest; rest &= rest - 1) count += 1;
  return count;
}

/** How many tuples are unknown, the attacked one included: 1 (strongest) to n (weakest). */
export function layerOf(n: number, column: number): number {
  return n - bitsSet(column);
}

/** Those who know one tuple less, in order of the tuple. */
export function weaker(n: number, target: number, column: number): Neighbour[] {
  return neighbours(n, target, column, true);
}

/** Those who know one tuple more, in order of the tuple. */
export function stronger(n: number, target: number, column: number): Neighbour[] {
  return neighbours(n, target, column, false);
}

function neighbours(n: number, target: number, column: number, known: boolean): Neighbour[] {
  const found: Neighbour[] = [];
  for (let bit = 0; bit < n - 1; bit++) {
    const set = (column & (1 << bit)) !== 0;
    if (set === known) found.push({ column: column ^ (1 << bit), tuple: tupleOf(target, bit) });
  }
  return found;
}

const layerCache = new Map<number, number[][]>();

/**
 * Columns by layer: entry u lists those with u tuples unknown, known sets in lexicographic order;
 * entry 0 is empty. The same for every attacked tuple.
 */
export function layers(n: number): number[][] {
  const cached = layerCache.get(n);
  if (cached) return cached;
  const rows: number[][] = Array.from({ length: n + 1 }, () => []);
  const walk = (column: number, from: number): void => {
    (rows[layerOf(n, column)] as number[]).push(column);
    for (let bit = from; bit < n - 1; bit++) walk(column | (1 << bit), bit + 1);
  };
  walk(0, 0);
  layerCache.set(n, rows);
  return rows;
}

/** Nodes in the fullest layer of one lattice. */
export function widestLayer(n: number): number {
  return Math.max(...layers(n).map((row) => row.length));
}

/** Where the increment of the edge into (target, column) by removing `removed` stands. */
export function incrementIndex(n: number, target: number, column: number, removed: number): number {
  return flatOf(n, target, column) * n + removed;
}
