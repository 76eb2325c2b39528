/** The theorems as the paper prints them, in the readings its typesetting allows: never a bound, and never used for one. */
import { turningPoints } from "./anonymity-bounds";
import type { Moments } from "./anonymity-laws";
import { stepC } from "./anonymity-normal";

export type Printed = (epsilon: number) => number;

/** Theorem 1, part II: n records, each counted with chance p, at least k. */
export function printedCount(reading: string, n: number, p: number, k: number): Printed {
  const [q, least] = [1 - p, Math.exp((-2 * (n * p - k + 1) ** 2) / n)];
  const tail = (a: number): number => Math.exp((-2 * (a - n * p) ** 2) / n);
  return (epsilon) => {
    const [low, high] = turningPoints(n, p, epsilon);
    const first = tail(low) - least;
    if (reading === "proof") return p < 0.5 - k / (2 * n) ? first : tail(high);
    if (reading === "final") return Math.max(tail(low), least, tail(high));
    if (reading === "garbled") {
      const e = Math.exp(epsilon);
      // E (np - 1 + p)^2 / (E p + q), which tends to the square over p.
      const inner = e === Infinity ? (n * p - 1 + p) ** 2 / p : (e * (n * p - 1 + p) ** 2) / (e * p + q);
      return Math.max(first, Math.exp((-2 / n) * inner ** 2));
    }
    return Math.max(first, tail(high));
  };
}

/** Theorems 4 and 6 hold from an ε of their own on. */
export interface PrintedStep {
  epsilon: number;
  delta: number;
}

/** `n` unknown records with the target; `s` the change of the group size. */
export function printedSum(reading: string, n: number, { variance, third }: Moments, s: number, k: number): PrintedStep {
  const b = Math.sqrt(n * variance);
  const powers = reading === "power_of_sum" ? b ** 3 : n * variance ** 1.5;
  const root = 1 / Math.sqrt(n);
  const factor = 1 + Math.exp((s * Math.sqrt(Math.log(n))) / b);
  const delta = powers > 0 && b > 0 ? (third === 0 ? 0 : 1.1182 * ((n * third) / powers) * factor) + root : NaN;
  return { epsilon: ownEpsilon(n, b, s, k), delta };
}

/** c' s / B with (C2) of its own ε. */
function ownEpsilon(n: number, b: number, s: number, k: number): number {
  if (!(b > 0)) return Infinity;
  return (Math.max(stepC(1 / Math.sqrt(n)), (k + s / 2) / b) * s) / b;
}

/** Theorems 5 and 7; `deviation` of the sum of all unknown records, `share` of the known ones. */
export function printedDependent(reading: string, n: number, d: number, moments: Moments, deviation: number, share: number): Printed {
  const a = 2 * (2 / Math.PI) ** 0.25;
  const z = (n * moments.rawThird) / deviation ** 3;
  const w = (Math.sqrt(26) * Math.sqrt(n * moments.rawFourth)) / (Math.sqrt(Math.PI) * deviation ** 2);
  const root = 1 / Math.sqrt(n);
  return (epsilon) => {
    const e = Math.exp(epsilon);
    if (reading === "t5:statement") return a * Math.sqrt(d * d * z + d ** 3 * w * (1 + e)) + root;
    if (reading === "t7:statement") return a * Math.sqrt(share * share * z + d ** 3 * w * (1 + e) + root);
    if (reading === "t7:mixed") return a * Math.sqrt(share * share * z + d ** 3 * w) * (1 + e) + root;
    return a * Math.sqrt(d * d * z + d ** 1.5 * w) * (1 + e) + root;
  };
}
