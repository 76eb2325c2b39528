/** Values of the query as candidate releases, and the bound on leakage that needs no more than them. */
import { sizeOf, type Table } from "./table";

// Values of the query as candidate releases: the supremum over r is attained at one of them.

/** A noisy query of a table: what every leakage depends on. */
export interface Release {
  table: Table;
  /** Contribution of every label, by tuple. */
  contributions: readonly Float64Array[];
  /**
   * Contributions to each of several numbers that are released together, with noise of their own. `contributions` are then
   * those of a number that moves as far as all of them, see `standIn`.
   */
  bins?: readonly (readonly Float64Array[])[];
  /** Scale of the Laplace noise, in units of the query. */
  scale: number;
}

/** Sums of contributions such as 0.1, 0.2, 0.3 differ in the last digit with the order of summation. */
export const MERGE = 1e-12;
/** Exponents up to this size, probabilities included, stay far from underflow. */
export const LARGEST_EXPONENT = 600;

export function least(values: ArrayLike<number>): number {
  let found = Infinity;
  for (let k = 0; k < values.length; k++) found = Math.min(found, values[k] as number);
  return found;
}

export function largest(values: ArrayLike<number>): number {
  let found = -Infinity;
  for (let k = 0; k < values.length; k++) found = Math.max(found, values[k] as number);
  return found;
}

/** Largest change of the query when one tuple changes, over its declared labels. */
export function sensitivity(contributions: Float64Array): number {
  return largest(contributions) - least(contributions);
}

/** What differential privacy promises for one tuple, in nats. */
export function promiseOf({ contributions, scale }: Release): number {
  return largest(contributions.map(sensitivity)) / scale;
}

/** Every sum of one number of each list, in C order, each list measured from its least number. */
export function queryValues(contributions: readonly Float64Array[]): Float64Array {
  let values = new Float64Array(1);
  for (const y of contributions) {
    const low = least(y);
    const next = new Float64Array(values.length * y.length);
    values.forEach((f, k) => y.forEach((c, v) => (next[k * y.length + v] = f + (c - low))));
    values = next;
  }
  return values;
}

/** The sorted distinct values; values closer than 1e-12 of their range count as one. */
export function candidates(values: ArrayLike<number>): Float64Array {
  const ordered = Float64Array.from(values).sort();
  const enough = MERGE * ((ordered[ordered.length - 1] as number) - (ordered[0] as number));
  return ordered.filter((value, k) => k === 0 || value - (ordered[k - 1] as number) > enough);
}

/** The values with each moved to the candidate that stands for it. */
export function snapped(values: Float64Array): Float64Array {
  const places = candidates(values);
  return values.map((value) => places[lastUpTo(places, value)] as number);
}

/** Position of the last of some ascending numbers that is not above a value. */
function lastUpTo(places: Float64Array, value: number): number {
  let low = 0;
  let high = places.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** The candidates for a supremum over all rows that can occur. */
export function releasesOf({ table, contributions }: Release, values: Float64Array): Float64Array {
  if (values.length !== sizeOf(table.shape) || contributions.length !== table.shape.length) {
    throw new RangeError("The contributions do not fit the table.");
  }
  return candidates(values.filter((_, cell) => (table.entries[cell] as number) > 0));
}

/** The smallest probability of a row that can occur. */
export function smallestProbability({ entries }: Table): number {
  let found = 1;
  for (const p of entries) if (p > 0 && p < found) found = p;
  return found;
}

/** Whether products of probabilities and noise densities could underflow. */
export function needsLogarithms({ table, contributions, bins, scale }: Release): boolean {
  const reach = (bins?.flat() ?? contributions).reduce((sum, y) => sum + sensitivity(y), 0) / scale;
  return reach - Math.log(smallestProbability(table)) > LARGEST_EXPONENT;
}

/** The smallest difference of two values of the query; infinite when there is one value. */
export function smallestGap(contributions: readonly Float64Array[]): number {
  let values: Float64Array = new Float64Array(1);
  for (const y of contributions) values = candidates(queryValues([values, y]));
  let gap = Infinity;
  for (let k = 1; k < values.length; k++) gap = Math.min(gap, (values[k] as number) - (values[k - 1] as number));
  return gap;
}

/** P(x) exp(-|r - f(x)| / scale) for every cell x and some releases r, side by side; logarithms of logarithms. */
export function weighted(base: Float64Array, f: Float64Array, releases: Float64Array, scale: number, logarithms: boolean): Float64Array {
  const width = releases.length;
  const made = new Float64Array(base.length * width);
  for (let cell = 0; cell < base.length; cell++) {
    const p = base[cell] as number;
    if (p === (logarithms ? -Infinity : 0)) {
      if (logarithms) made.fill(p, cell * width, (cell + 1) * width);
      continue;
    }
    for (let k = 0; k < width; k++) {
      const distance = Math.abs((releases[k] as number) - (f[cell] as number)) / scale;
      made[cell * width + k] = logarithms ? p - distance : p * Math.exp(-distance);
    }
  }
  return made;
}

/** log(exp(a) + exp(b)). */
export function logAdd(a: number, b: number): number {
  const top = a > b ? a : b;
  return top === -Infinity ? top : top + Math.log1p(Math.exp(-Math.abs(a - b)));
}

// The group bound: the only upper bound on leakage that needs no table (Li, Ren, Yang and Yang, Eq. 16 and 17).

/** Sensitivities of all tuples an adversary does not know, over the scale (Eq. 16); in nats. */
export function groupBound(contributions: readonly Float64Array[], scale: number, known: readonly number[]): number {
  let reach = 0;
  contributions.forEach((y, j) => (reach += known.includes(j) ? 0 : sensitivity(y)));
  return reach / scale;
}

/** What rounding makes of a leakage, as a part of the larger of 1 and its bound. */
const ROUNDING = 1e-12;

/** A leakage without what rounding puts above its bound. */
export function bounded(value: number, bound: number): number {
  return value > bound && value <= bound + ROUNDING * Math.max(1, bound) ? bound : value;
}

/** Takes from exact leakages, n x 2^(n-1), what rounding puts above the group bound. */
export function withinBounds(exact: Float64Array, contributions: readonly Float64Array[], scale: number): void {
  const n = contributions.length;
  const reach = contributions.map(sensitivity);
  const columns = exact.length / n;
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < columns; c++) {
      let sum = 0;
      for (let j = 0; j < n; j++) if (j === i || !((c >> (j > i ? j - 1 : j)) & 1)) sum += reach[j] as number;
      exact[i * columns + c] = bounded(exact[i * columns + c] as number, sum / scale);
    }
  }
}

/** The same with the largest sensitivity for every tuple (Eq. 17). */
export function looseBound(contributions: readonly Float64Array[], scale: number, known: readonly number[]): number {
  return (contributions.length - known.length) * (largest(contributions.map(sensitivity)) / scale);
}
