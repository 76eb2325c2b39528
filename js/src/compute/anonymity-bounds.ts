/** Upper bounds on the slack with a proof: Theorems 1, 4 to 7 of the paper, corrected. */
import type { Events } from "../anonymity/protocol";
import type { Moments } from "./anonymity-laws";
import { C0, gaussianDelta, stepY } from "./anonymity-normal";

/** Of Ross, for dependency neighbourhoods. */
const ROSS = 28;

/** What the normal bound needs: deviation of the unknown sum, and how far its law is from a normal one. */
export interface NormalBound {
  deviation: number;
  /** Largest distance of the distribution functions. */
  distance: number;
  /** The Berry-Esseen ratio; null where there are no unknown records. */
  ratio: number | null;
}

/** Theorems 4 and 6: m independent records. */
export function independentBound(m: number, { variance, absolute }: Moments): NormalBound {
  const deviation = Math.sqrt(m * variance);
  if (!(deviation > 0)) return { deviation: 0, distance: NaN, ratio: null };
  const ratio = (m * absolute) / deviation ** 3;
  return { deviation, distance: C0 * ratio, ratio };
}

/** Deviation of the sum of m records in blocks of D equal ones and one of what is left. */
export function blockDeviation(m: number, d: number, { variance }: Moments): number {
  const left = m % d;
  return Math.sqrt((d * d * Math.floor(m / d) + left * left) * variance);
}

/** Theorems 5 and 7: neighbourhoods of at most D records. */
export function dependentBound(m: number, d: number, moments: Moments): NormalBound {
  const deviation = blockDeviation(m, d, moments);
  if (!(deviation > 0)) return { deviation: 0, distance: NaN, ratio: null };
  const { absolute, fourth } = moments;
  const wasserstein = (d * d * m * absolute) / deviation ** 3 + (Math.sqrt(ROSS) * d ** 1.5 * Math.sqrt(m * fourth)) / (Math.sqrt(Math.PI) * deviation ** 2);
  return { deviation, distance: (2 / Math.PI) ** 0.25 * Math.sqrt(wasserstein), ratio: (m * absolute) / deviation ** 3 };
}

/** Delta at ε for half-lines or intervals of the sum. */
export function normalDelta({ deviation, distance }: NormalBound, shift: number, epsilon: number, events: Events): number {
  if (shift === 0) return 0;
  if (deviation === 0) return 1;
  const kappa = events === "interval" ? 2 : 1;
  return kappa * (1 + Math.exp(epsilon)) * distance + gaussianDelta(epsilon, Math.abs(shift) / deviation);
}

/** ε and δ of a chosen slack of the normal step, for a shift of so many deviations. */
export function normalRecipe(delta1: number, distance: number, ratio: number, events: Events): [number, number] {
  const epsilon = stepY(delta1) * ratio + ratio ** 2 / 2;
  return [epsilon, (events === "interval" ? 2 : 1) * (1 + Math.exp(epsilon)) * distance + delta1];
}

/** Where the ratio of the chances of a count is e^ε: below the first and above the second it is larger. */
export function turningPoints(n: number, p: number, epsilon: number): [number, number] {
  const [q, small] = [1 - p, Math.exp(-epsilon)];
  // With e^-ε: e^ε would leave the floats.
  return [(p * (n + 1) * small) / (q + p * small), (n * p - q * small) / (p + q * small)];
}

/** n times the divergence of a share from p, nats. */
function divergence(a: number, n: number, p: number): number {
  const x = a / n;
  const part = (u: number, v: number): number => (u === 0 ? 0 : u * Math.log(u / v));
  return n * (part(x, p) + part(1 - x, 1 - p));
}

/** Theorem 1 corrected, in the tighter form: a count of n unknown records and one more, for any event. */
export function countDelta(n: number, p: number, epsilon: number): number {
  const [low, high] = turningPoints(n, p, epsilon);
  const below = low < n * p ? Math.exp(-divergence(Math.max(0, low), n, p)) : 1;
  const above = high > n * p ? Math.exp(-divergence(Math.min(n, high), n, p)) : 1;
  return Math.max(below, above);
}
