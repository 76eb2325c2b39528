/** Axes of a table taken from labels to states: what is known of a tuple, and last the sum where it is unknown. */
import { logAdd } from "./releases";
import { sizeOf, stridesOf } from "./table";

/** Numbers side by side in each cell, and whether they are logarithms. */
export interface Kind {
  width: number;
  logarithms: boolean;
}

/**
 * Takes some axes from their labels to states: each label and, last, their sum. With an instance only its label is
 * kept beside the sum.
 */
export function withSums(
  cells: Float64Array,
  shape: readonly number[],
  axes: readonly number[],
  kind: Kind,
  instance: readonly number[] | null = null,
): Float64Array {
  const states = [...shape];
  let part = cells;
  // The last axis first: the array is still small while rows are short.
  for (const axis of [...axes].sort((a, b) => b - a)) {
    const labels = states[axis] as number;
    const kept = instance === null ? labels : 1;
    const outer = sizeOf(states.slice(0, axis));
    const inner = sizeOf(states.slice(axis + 1)) * kind.width;
    const made = new Float64Array(outer * (kept + 1) * inner);
    for (let o = 0; o < outer; o++) {
      const source = o * labels * inner;
      const place = o * (kept + 1) * inner;
      const first = source + (instance === null ? 0 : (instance[axis] as number) * inner);
      made.set(part.subarray(first, first + kept * inner), place);
      addUp(part, source, labels, inner, made, place + kept * inner, kind.logarithms);
    }
    states[axis] = kept + 1;
    part = made;
  }
  return part;
}

/** Adds up slices that lie one behind the other. */
export function addUp(
  from: Float64Array,
  source: number,
  slices: number,
  inner: number,
  into: Float64Array,
  place: number,
  logarithms: boolean,
): void {
  for (let k = 0; k < inner; k++) into[place + k] = from[source + k] as number;
  for (let v = 1; v < slices; v++) {
    const slice = source + v * inner;
    if (logarithms) for (let k = 0; k < inner; k++) into[place + k] = logAdd(into[place + k] as number, from[slice + k] as number);
    else for (let k = 0; k < inner; k++) into[place + k] = (into[place + k] as number) + (from[slice + k] as number);
  }
}

/** Combinations of states: where each begins, and the column of the adversary it counts for. */
export interface Combinations {
  starts: Int32Array;
  columns: Int32Array;
}

/**
 * The combinations of states of all axes but some. A tuple in its last state is unknown, in any other it is known; a
 * tuple left out is unknown.
 */
export function combinations(states: readonly number[], target: number, without: readonly number[]): Combinations {
  const strides = stridesOf(states);
  let found: Combinations = { starts: new Int32Array(1), columns: new Int32Array(1) };
  states.forEach((count, j) => {
    if (without.includes(j)) return;
    const bit = 1 << (j < target ? j : j - 1);
    const size = found.starts.length;
    const next = { starts: new Int32Array(size * count), columns: new Int32Array(size * count) };
    for (let k = 0; k < size; k++) {
      for (let state = 0; state < count; state++) {
        next.starts[k * count + state] = (found.starts[k] as number) + state * (strides[j] as number);
        next.columns[k * count + state] = (found.columns[k] as number) | (state < count - 1 ? bit : 0);
      }
    }
    found = next;
  });
  return found;
}
