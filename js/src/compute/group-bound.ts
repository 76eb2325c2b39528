/** The group bound: the only upper bound on leakage that needs no table (Li, Ren, Yang and Yang, Eq. 16 and 17). */
import { largest, sensitivity } from "./releases";

/** Sensitivities of all tuples an adversary does not know, over the scale (Eq. 16); in nats. */
export function groupBound(contributions: readonly Float64Array[], scale: number, known: readonly number[]): number {
  let reach = 0;
  contributions.forEach((y, j) => (reach += known.includes(j) ? 0 : sensitivity(y)));
  return reach / scale;
}

/** The same with the largest sensitivity for every tuple (Eq. 17). */
export function looseBound(contributions: readonly Float64Array[], scale: number, known: readonly number[]): number {
  return (contributions.length - known.length) * (largest(contributions.map(sensitivity)) / scale);
}
