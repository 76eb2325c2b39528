/** The group bound: the only upper bound on leakage that needs no table (Li, Ren, Yang and Yang, Eq. 16 and 17). */
import { largest, sensitivity } from "./releases";

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
